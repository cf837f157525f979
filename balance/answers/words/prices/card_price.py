"""What `price` says of one card or loadout: its verdict, what could change, and what a step is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from balance.analysis.changes.neighbours.price_card import PricedStep, PriceOfCard, RuleReading
from balance.analysis.prices.answer import Alternative, CardChange, Price
from balance.analysis.prices.verdicts import NOT_MEASURABLE, OFF_VERDICTS, SMALL, show_cost
from balance.analysis.scores.usual_prices import fair_within
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.prices.price_list import (
    MOST_NAMED,
    THEN,
    because_text,
    judged_in_brief,
    judgement,
    kind_text,
    tolerance_text,
)
from balance.answers.words.prices.unfair import first_names
from balance.base.errors import comma_list, first_of
from balance.base.numbers import show_fixed, show_interval, show_probability, show_probability_change

MOST_STEPS, FEW_STEPS = 1000, 4
"""Steps that are printed, and on a first screen."""
DEAR, NARROW = 30.0, 0.5
"""Points from which hundredths of one are nobody's business, and width of an interval that tenths do not tell."""


def sentence(card: PriceOfCard, terms: Terms) -> str:
    """Return why a price is what it is."""
    because = because_text(card.price)
    return f"{because[:1].upper()}{because[1:]}."


def short(card: PriceOfCard, terms: Terms) -> Screen:
    """Return the verdict, the first changes that would make it fair, and the first steps with what they are worth."""
    n_steps = FEW_STEPS if len(card.alternatives) < 3 else 2
    body = [*_instead(card, FEW_STEPS), *_worth(card, n_steps), *_turning_readings_in_brief(card)]
    texts = [judged_in_brief(card.settings), _bench(card), tolerance_text(card.settings.tolerance, terms.points)]
    return Screen(_top(card, terms), body, [plain(" ".join(filter(None, [*texts, "All of it: --more"])), "aside")])


def full(card: PriceOfCard, terms: Terms) -> Iterator[Block]:
    """Yield the verdict, what could change, what every step is worth, and readings of rules that turn it."""
    yield from (*_top(card, terms), *_instead(card, MOST_STEPS), *_worth(card, MOST_STEPS), *_turning_readings(card))
    yield plain(tolerance_text(card.settings.tolerance, terms.points), "aside")
    if bench := _bench(card):
        yield plain(bench, "aside")
    yield from judgement(card.settings, terms)


def tables(card: PriceOfCard) -> Mapping[str, Records]:
    """Return the tables of changes that make it fair, of steps, and of readings of rules."""
    return {
        "alternatives": Records(Alternative, card.alternatives),
        "steps": Records(PricedStep, card.steps),
        "readings": Records(RuleReading, card.readings),
    }


WORDS = AnswerWords(sentence, short, full, tables)


def _top(card: PriceOfCard, terms: Terms) -> list[Block]:
    heading = Title(f"{card.price.label}: {card.price.verdict}", (f"{terms.title}, {card.table or 'loadout'}",))
    return [heading, plain(sentence(card, terms), gap=True)]


def _bench(card: PriceOfCard) -> str:
    """Return where changes are played, if that is not where the price is judged."""
    played_in = card.settings.changes_played_in
    return "" if played_in == card.settings.kind else f"Changes are played in {kind_text(played_in)}."


def _instead(card: PriceOfCard, max_rows: int) -> Iterator[Block]:
    """Yield what could change so that the price is fair."""
    changes = card.alternatives
    if not changes:
        if card.price.verdict != NOT_MEASURABLE:
            yield plain(_no_change(card.price), gap=True)
        return
    worse = next((change for change in changes if _is_cost(change) and change.verdict in OFF_VERDICTS), None)
    fitting = [change for change in changes if change is not worse]
    if fitting:
        yield plain("Change one (each played again on fresh armies and dice; 50% is fair):", "strong")
        heads = ["change", "costs", *THEN[:2], "score", "is then"]
        rows = [
            (_change(card, change), show_cost(change.cost), *_after(change), _score(change), _then_is(change))
            for change in fitting[:max_rows]
        ]
        yield grid(heads, rows, right=("costs", "fair", "score"))
    if worse is not None:
        yield plain(_no_cost(worse), gap=True)
    if all(map(_is_cost, fitting)):
        yield plain("No single change of another number was found.", gap=True)


def _is_cost(change: CardChange) -> bool:
    return change.field == "cost_points"


def _no_cost(change: Alternative) -> str:
    """Return that the nearest whole cost is not fair, which is said and not proposed."""
    fair, ends = _after(change)
    return f"No whole cost is fair: {show_cost(change.cost)} would be {change.verdict} (fair at {fair}, {ends})."


def _no_change(price: Price) -> str:
    """Return that nothing is proposed: the fair cost itself lies within the tolerance, or no change was found."""
    if abs(price.fair - price.cost) > price.tolerance:
        return (
            f"Nothing to change: {show_cost(price.cost)} is the nearest whole cost, and no other number makes it fair."
        )
    text = f"{show_cost(price.fair)} is off by no more than the tolerance of {show_cost(price.tolerance)}"
    return f"Nothing to change: {text}{'.' if price.verdict == 'fair' else ', though that is not certain.'}"


def _then_is(change: Alternative) -> str:
    """Return the verdict on a change by its own row: fair is what holds its cost, and one half beside its score."""
    word = fair_within(change.verdict, change.cost, change.low, change.high, change.tolerance)
    if word == "fair" and not change.score_low <= 0 <= change.score_high:
        return f"fair within {show_cost(change.tolerance)}"
    return word


def _after(change: Alternative) -> tuple[str, str]:
    return show_cost(change.fair), show_interval(change.low, change.high, show_cost)


def _score(change: Alternative) -> str:
    return f"{show_probability(0.5 + change.score)} ± {show_fixed(50 * (change.score_high - change.score_low), 1)}"


def _change(card: PriceOfCard, change: CardChange) -> str:
    """Return a change in words."""
    owner = "" if _is_cost(change) else _owner(card, change)
    field = "cost" if _is_cost(change) else change.field.replace("_", " ")
    if not change.new:
        return f"{owner}without {change.old.replace('_', ' ')}"
    if not change.old:
        return f"{owner}with {change.new.replace('_', ' ')}"
    return f"{owner}{field} {change.new} instead of {change.old}"


def _worth(card: PriceOfCard, max_rows: int) -> Iterator[Block]:
    """Yield what each number is worth, and what cannot be seen of it."""
    seen = [step for step in card.steps if step.seen]
    shows = partial(_points, decimals=_decimals(card.price.cost, [(step.low, step.high) for step in seen]))
    rows = [
        (
            _change(card, step), show_probability_change(_number(step.score)), shows(_number(step.points)),
            _ends(step, shows),
        )
        for step in seen
    ]  # fmt: skip
    if rows:
        heads = ["what a step is worth", "score", "points", "95% interval"]
        yield grid(heads, rows[:max_rows], right=("score", "points"))
    if unmeasurable := dict.fromkeys(_field(card, step) for step in card.steps if not step.seen):
        yield plain(f"{NOT_MEASURABLE.capitalize()}: {comma_list(unmeasurable)}.", gap=True)


def _number(value: float | None) -> float:
    """Return a number of a step that the setting can see."""
    return 0.0 if value is None else value


def _field(card: PriceOfCard, step: PricedStep) -> str:
    name = step.field if step.old and step.new else step.old
    return _owner(card, step) + name.replace("_", " ")


def _owner(card: PriceOfCard, change: CardChange) -> str:
    """Return of which card a field is, where a loadout is of several."""
    return f"{change.card.replace('_', ' ')}: " if card.table is None and len(card.holds) > 1 else ""


def _decimals(cost: float, intervals: Sequence[tuple[float | None, float | None]]) -> int:
    """Return how many decimals tell points of changes apart: of what is cheap two, if intervals are so narrow.

    >>> _decimals(20, [(0.0, 2.0)]), _decimals(20, [(0.0, 0.2)]), _decimals(80, [(0.0, 0.2)])
    (1, 2, 1)
    """
    widths = [_number(high) - _number(low) for low, high in intervals if _number(high) > _number(low)]
    return 2 if cost < SMALL or (cost < DEAR and min(widths, default=NARROW) < NARROW) else 1


def _points(points: float, decimals: int = 1) -> str:
    return ("+" if points >= 0.5 * 10.0**-decimals else "") + show_fixed(points, decimals)


def _ends(step: PricedStep, shows: Callable[[float], str]) -> str:
    if step.low == step.high == 0:
        return "makes no difference here"
    return show_interval(_number(step.low), _number(step.high), shows)


def _turning_readings(card: PriceOfCard) -> Iterator[Block]:
    """Yield which readings of rules turn the verdict, while the others keep their costs."""
    price = card.price
    for reading in (reading for reading in card.readings if reading.turns):
        ends = f"{show_cost(reading.fair)} ({show_interval(reading.low, reading.high, show_cost)})"
        word = fair_within(reading.verdict, price.cost, reading.low, reading.high, price.tolerance)
        rule = f"{reading.rule} = {reading.value} ({reading.ambiguity})"
        yield plain(f"{word.capitalize()} if {rule}: fair cost {ends}.")
    names = first_of(list(dict.fromkeys(reading.rule for reading in card.readings if not reading.turns)), MOST_NAMED)
    if names:
        yield plain(f"Readings that matter to it and do not turn the verdict: {comma_list(names)}.", gap=True)


def _turning_readings_in_brief(card: PriceOfCard) -> Iterator[Block]:
    """Yield how many readings of rules turn the verdict, if any does."""
    if names := list(dict.fromkeys(reading.rule for reading in card.readings if reading.turns)):
        yield plain(f"Another reading of {first_names(names)} would turn this verdict: --more says to what.")
