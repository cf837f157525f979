"""What `card` says: what every small change of a card does, and what two abilities do together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.analysis.changes.neighbours.card_changes import CardChanges, ChangeInPoints, SmallChange
from balance.analysis.changes.neighbours.neighbours import AbilityPair
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.lists import highest
from balance.base.errors import comma_list
from balance.base.numbers import show_many, show_number, show_probability, show_probability_change, show_signed
from balance.chance.trials.estimate import Estimate

MOST_PAIRS = 6
SCORE = "score, % points"
ACTIONS = {"actions_to_kill": "actions to kill", "actions_it_stands": "actions it stands"}


def sentence(card: CardChanges, terms: Terms) -> str:
    """Return what a card does as it is, and which change does most."""
    held = "" if card.holders == (card.card,) else f", held by {comma_list(card.holders)},"
    text = f"{card.card}{held} {_as_it_is(card)} against {show_many(len(card.field), 'opponent')}"
    effects = [(change.change, change.score) for change in card.changes if change.score is not None]
    if effects:
        largest = highest(effects, lambda effect: abs(effect[1].value), show_probability_change)
        if len(largest.rows) == 1:
            ((name, effect),) = largest.rows
            text += f"; {name} changes its score most, by {_effect(effect)} percentage points"
        else:
            change = largest.clause(lambda effect: f"{effect[0]} ({_effect(effect[1])})", "changes", "change")
            text += f"; {change} its score most, in percentage points"
    return f"{text}."


def tables(card: CardChanges) -> Mapping[str, Records]:
    """Return the tables of changes, the best first, and of pairs of abilities, if there are any."""
    unseen = [change for change in card.changes if change.score is None]
    changes = Records(SmallChange if card.points is None else ChangeInPoints, [*_best_first(card), *unseen])
    return {"changes": changes, **({"pairs": Records(AbilityPair, card.pairs)} if card.pairs else {})}


def _as_it_is(card: CardChanges) -> str:
    facts = [f"scores {show_probability(card.score.value)}"]
    facts += [f"needs {show_number(card.actions_to_kill)} actions to kill"] if card.actions_to_kill is not None else []
    facts += [f"survives {show_number(card.actions_it_stands)}"] if card.actions_it_stands is not None else []
    return ", ".join(facts)


def _best_first(card: CardChanges) -> list[SmallChange]:
    """Return the changes that have an effect, the best first."""
    gains = [(change.score.value, change) for change in card.changes if change.score is not None]
    return [change for _, change in sorted(gains, key=lambda gain: -gain[0])]


def _body(card: CardChanges, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the changes, the best first, the pairs of abilities, and what could not be tried."""
    changes = _best_first(card)
    in_points = any(isinstance(change, ChangeInPoints) and change.points is not None for change in card.changes)
    heads = {
        name: head for name, head in ACTIONS.items() if any(getattr(change, name) is not None for change in changes)
    }
    if changes:
        rows = [
            (
                change.change,
                _effect(change.score),
                *([_points(change)] if in_points else []),
                *(_actions(getattr(change, name)) for name in heads),
            )
            for change in changes
        ]
        titles = ["change", SCORE, *(["points"] if in_points else []), *heads.values()]
        yield grid(titles, rows, right=titles[1:], whole=("change", "points"))
    yield from _pairs(card)
    if unseen := [change.change for change in card.changes if change.score is None]:
        yield plain(f"Not measurable here, as nothing changes: {comma_list(unseen)}.", "aside", gap=True)
    if card.refused:
        yield plain(f"Refused by the rules: {comma_list(card.refused)}.", "aside", gap=True)


def _pairs(card: CardChanges) -> Iterator[Block]:
    """Yield the pairs of abilities that do most beyond what each does alone."""
    pairs = sorted(card.pairs, key=lambda pair: (-abs(pair.beyond.value), pair.changes))[:MOST_PAIRS]
    if pairs:
        rows = [
            (" and ".join(pair.changes), *map(_effect, (*pair.alone, pair.together, pair.beyond))) for pair in pairs
        ]
        heads = ["two together, % points", "the first", "the second", "both", "beyond"]
        yield grid(heads, rows, right=heads[1:])


def _in_points(card: CardChanges, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what the points are, or how to have them."""
    price = f"balance price {terms.command} {card.card}"
    if card.points is None:
        verb = f"balance card {terms.command} {card.card}"
        yield plain(f"In points, in a minute or more: {verb} --points. Its own cost: {price}", "aside")
    elif card.points.not_measurable_here:
        yield plain(f"Points are not measurable here: {card.points.not_measurable_here}.", "aside")
    else:
        text = f"Points: in {card.points.kind}s, in which all printed costs are taken as fair."
        yield plain(f"{text} Its own cost, and its changes at fair costs: {price}", "aside")


def _basis(card: CardChanges, terms: Terms) -> str:
    return terms.rests_on("exact" if card.score.is_exact else f"simulated, {card.trials:,} trials each")


def _effect(effect: Estimate | None) -> str:
    if effect is None:
        return ""
    error = "" if effect.is_exact else f" ± {100 * effect.half_width:.1f}"
    return f"{show_probability_change(effect.value, unit='')}{error}"


def _points(change: SmallChange) -> str:
    points = change.points if isinstance(change, ChangeInPoints) else None
    return (
        "not measurable" if points is None else f"{show_signed(points.value, 2)} ± {show_number(points.half_width, 1)}"
    )


def _actions(value: float | None) -> str:
    return "" if value is None else show_signed(value, 2) if abs(value) > 1e-9 else "0"


WORDS = AnswerWords.alike(sentence, _body, _basis, tables, _in_points)
