"""What a change comes to, in sentences: how much is changed, whom that affects, and whose standing turns around.

The terminal and the report say it in the same words, which are made here; `name` turns an entrant's id into what it is
called there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import polars as pl

from balance.base.numbers import show_count, show_many, show_probability
from balance.catalogue.tables.cells import show_value
from balance.reporting.sections.common.columns import Row
from balance.reporting.sections.common.words import list_some, list_words, witness_words
from balance.study.compare.change_effects import CONTAINS, SCORES_ELSE, CardChange, ChangeEffects
from balance.study.compare.compare import Comparison

Name = Callable[[str], str]
CARDS = "card", "cards"

RULES = {
    "rules": ("reading of the rules", "readings of the rules"),
    "constants": ("number of the rules", "numbers of the rules"),
}


def lead(comparison: Comparison, name: Name) -> str:
    """Return in plain sentences what is changed and whom that affects; `name` gives displayed names of ids."""
    effects, words = comparison.effects, comparison.words
    field_text = f"the {show_many(effects.standings.height, words.entrant, words.entrants)}"
    change, n = change_text(effects), effects.entrants.height
    if effects.concerns_all and n:
        return f"{change} That concerns everybody: of {field_text}, those whose mean score moves most come first."
    if effects.concerns_all:
        return f"{change} That concerns everybody, and the standing of none of {field_text} changes."
    if not effects.cards:
        return f"{change} Nobody is affected."
    if not n:
        return f"{change} {containing_text(comparison)}: nobody is affected."
    return f"{change} {containing_text(comparison)}{_largest_move_text(comparison, name)}."


def containing_text(comparison: Comparison) -> str:
    """Return how many entrants contain a changed card, without a full stop."""
    effects, words = comparison.effects, comparison.words
    n = effects.standings.filter(CONTAINS).height
    card_text = "it" if len({card.card for card in effects.cards}) == 1 else "one of them"
    field_text = f"the {show_many(effects.standings.height, words.entrant, words.entrants)}"
    return f"{show_count(n) if n else 'None'} of {field_text} {'contain' if n > 1 else 'contains'} {card_text}"


def change_text(effects: ChangeEffects) -> str:
    """Return how many cards and rules are changed."""
    changed_cards = dict.fromkeys((card.table, card.card or card.field) for card in effects.cards)
    counts = Counter(RULES.get(table, CARDS) for table, _ in changed_cards)
    if not counts:
        return "Nothing changes: before and after are the same cards under the same rules."
    kinds = list_words([show_many(n, *words) for words, n in counts.items()])
    return f"{kinds} {'changes' if len(changed_cards) == 1 else 'change'}."


def _largest_move_text(comparison: Comparison, name: Name) -> str:
    """Return whose mean score moves most of those that contain a changed card."""
    first = next(comparison.effects.entrants.filter(SCORES_ELSE).iter_rows(named=True), None)
    if first is None:
        exact = pl.col("difference").is_not_null() & pl.col("difference_low").is_null()
        certain = comparison.effects.entrants.select(exact.all()).item()
        return "; no mean score moves" if certain else "; no mean score is known to move"
    scores = f"from {show_probability(first['before'])} to {show_probability(first['after'])}"
    return f"; the mean score moves most for {name(first['entrant'])}, {scores}"


def card_row(card: CardChange) -> tuple[str, str, str, str]:
    """Return what is changed: the card, which value, and what it was and is.

    >>> card_row(CardChange("units", "elf", "Elf", "cost_points", 4, 5)), card_row(
    ...     CardChange("units", "orc", "Orc", "", None, "new")
    ... )
    (('Elf', 'cost points', '4', '5'), ('Orc', '', '–', 'new'))
    """
    before, after = (show_value(value).replace(";", ", ") or "–" for value in (card.before, card.after))
    return card.label, card.field.replace("_", " "), before, after


def show_cost(row: Row) -> str:
    """Return what an entrant costs, and what it did where that is something else.

    >>> show_cost({"cost_before": 4.0, "cost_after": 5.0}), show_cost({"cost_before": 4.0, "cost_after": 4.0})
    ('4 → 5', '4')
    """
    return before_after(f"{row['cost_before']:g}", f"{row['cost_after']:g}")


def before_after(before: str, after: str) -> str:
    """Return a value after a change, with the one before an arrow if they differ.

    >>> before_after("fair", "unfair"), before_after("fair", "fair")
    ('fair → unfair', 'fair')
    """
    return after if before == after else f"{before} → {after}"


def standing_words(row: Row, name: Name) -> str:
    """Return whether an entrant is dominated, and by whom, in few words; "" where that was not asked.

    `row` is of the table of standings.

    >>> row = {"dominated_before": True, "dominated_by_before": ["elf"], "shares_before": None}
    >>> row |= {"dominated_after": False}
    >>> standing_words(row, str.upper)
    'no longer, did to ELF'
    """
    if row["dominated_after"] is None:
        return ""
    if row["dominated_after"]:
        return f"{'still' if row['dominated_before'] else 'now'}, to {_in_few_words(row, 'after', name)}"
    return f"no longer, did to {_in_few_words(row, 'before', name)}" if row["dominated_before"] else "–"


def _in_few_words(row: Row, side: str, name: Name) -> str:
    """Return who dominates an entrant, to fit a cell: the first of several, the number of parts of a mixture."""
    first, *more = row[f"dominated_by_{side}"]
    if row[f"shares_{side}"] is not None:
        return f"a mixture of {1 + len(more)}"
    return f"{name(first)} or {len(more)} alike" if more else name(first)


def _witness(row: Row, side: str, name: Name) -> str:
    """Return who dominates an entrant before or after: any of several witnesses, or a mixture."""
    return witness_words(list(map(name, row[f"dominated_by_{side}"])), row.get(f"shares_{side}"))


def turned_around(comparison: Comparison, name: Name) -> list[str]:
    """Return sentences on who becomes dominated in duels, by whom, and who no longer is; [] where not asked."""
    standings = comparison.effects.standings
    if standings["dominated_after"].null_count():
        return []
    sentences = []
    for heading, side, opposite, verb in (
        ("Loses alone from now on to what costs no more", "after", "before", "to"),
        ("Loses alone no longer", "before", "after", "did to"),
    ):
        rows = standings.filter(pl.col(f"dominated_{side}") & ~pl.col(f"dominated_{opposite}"))
        texts = [f"{name(row['entrant'])} ({verb} {_witness(row, side, name)})" for row in rows.iter_rows(named=True)]
        sentences += [f"{heading}: {list_some(texts)}."] if texts else []
    return sentences or ["Nobody comes to lose alone to what costs no more, and nobody ceases to."]
