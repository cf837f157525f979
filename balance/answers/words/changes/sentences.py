"""What a change comes to, in sentences: how much is changed, whom that affects, and whose standing turns around.

`name` turns an entrant's id into what it is called on the screen or page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from balance.answers.form import Terms
from balance.answers.words.lists import highest, list_some, list_words, witness_words
from balance.base.numbers import show_count, show_many, show_probability
from balance.catalogue.tables.cells import show_value
from balance.study.compare.answer import Affected, CardChange, Comparison, Standing

Name = Callable[[str], str]
CARDS = "card", "cards"
MOST_TIED = 3
"""Of more whose scores move as far, the first is named and the others are counted."""

RULES = {
    "rules": ("reading of the rules", "readings of the rules"),
    "constants": ("number of the rules", "numbers of the rules"),
}


def lead(comparison: Comparison, terms: Terms, name: Name) -> str:
    """Return in plain sentences what is changed and whom that affects."""
    affected, field = comparison.affected, _field(comparison.affected, terms)
    change, n = change_text(affected), len(affected.entrants)
    if affected.everybody and n:
        return f"{change} That concerns everybody: of {field}, those whose mean score moves most come first."
    if affected.everybody:
        return f"{change} That concerns everybody, and the standing of none of {field} changes."
    if not affected.cards:
        return f"{change} Nobody is affected."
    containing = containing_text(affected, terms)
    if not n:
        return f"{change} {containing}: nobody is affected."
    return f"{change} {containing}{_largest_move_text(affected, name)}."


def containing_text(affected: Affected, terms: Terms) -> str:
    """Return how many entrants contain a changed card, without a full stop."""
    n = sum(bool(row.cards) for row in affected.standing)
    card_text = "it" if len({card.card for card in affected.cards}) == 1 else "one of them"
    contain = "contain" if n > 1 else "contains"
    return f"{show_count(n) if n else 'None'} of {_field(affected, terms)} {contain} {card_text}"


def _field(affected: Affected, terms: Terms) -> str:
    return f"the {show_many(len(affected.standing), terms.entrant, terms.entrants)}"


def change_text(affected: Affected) -> str:
    """Return how many cards and rules are changed."""
    changed_cards = dict.fromkeys((card.table, card.card or card.field) for card in affected.cards)
    counts = Counter(RULES.get(table, CARDS) for table, _ in changed_cards)
    if not counts:
        return "Nothing changes: before and after are the same cards under the same rules."
    kinds = list_words([show_many(n, *words) for words, n in counts.items()])
    return f"{kinds} {'changes' if len(changed_cards) == 1 else 'change'}."


def _largest_move_text(affected: Affected, name: Name) -> str:
    """Return whose mean score moves most of those that contain a changed card."""
    rows = [row for row in affected.entrants if row.scores_else]
    if not rows:
        exact = (row.difference is not None and row.difference_low is None for row in affected.entrants)
        return "; no mean score moves" if all(exact) else "; no mean score is known to move"
    if len(affected.entrants) == 1:
        return f"; the mean score of {name(rows[0].entrant)} moves {scores_text(rows[0].before, rows[0].after)}"
    moves = [(name(row.entrant), row.before or 0.0, row.after or 0.0, "") for row in rows]
    return f"; of these, {moves_most_text(moves)}"


def moves_most_text(rows: Sequence[tuple[str, float, float, str]]) -> str:
    """Return whose score moves most, of rows with a name, the score before and after, and a note on it or "".

    >>> moves_most_text([("elf", 0.5, 0.625, ""), ("orc", 0.5, 0.4, "")])
    'the mean score moves most for elf, from 50.0% to 62.5%'
    >>> moves_most_text([("elf", 0.5, 0.625, ""), ("orc", 0.5, 0.375, "")])
    'the mean score moves most, and as far, for elf, from 50.0% to 62.5%, and for orc, from 50.0% to 37.5%'
    """
    largest = highest(rows, lambda row: abs(row[2] - row[1]), show_probability).rows
    names = [f"{name}, {scores_text(before, after)}{note}" for name, before, after, note in largest]
    if len(names) > MOST_TIED:
        names[1:] = [show_many(len(names) - 1, "other")]
    return f"the mean score moves most{', and as far,' * (len(largest) > 1)} for {', and for '.join(names)}"


def scores_text(before: float | None, after: float | None) -> str:
    """Return a known score before and after.

    >>> scores_text(0.5, 0.625)
    'from 50.0% to 62.5%'
    """
    return f"from {show_probability(before or 0.0)} to {show_probability(after or 0.0)}"


def card_row(card: CardChange) -> tuple[str, str, str, str]:
    """Return what is changed: the card, which value, and what it was and is.

    >>> card_row(CardChange("units", "elf", "Elf", "cost_points", 4, 5)), card_row(
    ...     CardChange("units", "orc", "Orc", "", None, "new")
    ... )
    (('Elf', 'cost points', '4', '5'), ('Orc', '', '–', 'new'))
    """
    before, after = (show_value(value).replace(";", ", ") or "–" for value in (card.before, card.after))
    return card.label, card.field.replace("_", " "), before, after


def before_after(before: str, after: str) -> str:
    """Return a value after a change, with the one before an arrow if they differ.

    >>> before_after("fair", "unfair"), before_after("fair", "fair")
    ('fair → unfair', 'fair')
    """
    return after if before == after else f"{before} → {after}"


def standing_words(row: Standing, name: Name) -> str:
    """Return whether an entrant is dominated, and by whom, in few words; "" where that was not asked."""
    if row.dominated_after is None:
        return ""
    if row.dominated_after:
        whom = _in_few_words(row.dominated_by_after, row.shares_after, name)
        return f"{'still' if row.dominated_before else 'now'}, to {whom}"
    whom = _in_few_words(row.dominated_by_before, row.shares_before, name)
    return f"no longer, did to {whom}" if row.dominated_before else "–"


def _in_few_words(names: tuple[str, ...] | None, shares: tuple[float, ...] | None, name: Name) -> str:
    """Return who dominates an entrant, to fit a cell: the first of several, the number of parts of a mixture."""
    if not names or shares is not None:
        return f"a mixture of {len(names or ())}"
    first, *more = names
    return f"{name(first)} or {len(more)} alike" if more else name(first)


def turned_around(affected: Affected, name: Name) -> list[str]:
    """Return sentences on who becomes dominated in duels, by whom, and who no longer is; [] where not asked."""
    if any(row.dominated_after is None for row in affected.standing):
        return []
    turned = [row for row in affected.standing if row.turns]
    became = ((row, row.dominated_by_after, row.shares_after) for row in turned if row.dominated_after)
    no_longer = ((row, row.dominated_by_before, row.shares_before) for row in turned if row.dominated_before)
    sentences = [
        *_turned("Loses alone from now on to what costs no more", "to", became, name),
        *_turned("Loses alone no longer", "did to", no_longer, name),
    ]
    return sentences or ["Nobody comes to lose alone to what costs no more, and nobody ceases to."]


def _turned(
    heading: str,
    verb: str,
    rows: Iterable[tuple[Standing, tuple[str, ...] | None, tuple[float, ...] | None]],
    name: Name,
) -> list[str]:
    texts = [
        f"{name(row.entrant)} ({verb} {witness_words(list(map(name, names or ())), shares)})"
        for row, names, shares in rows
    ]
    return [f"{heading}: {list_some(texts)}."] if texts else []
