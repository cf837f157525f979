"""What `balance price` prints of one card or loadout: its verdict, what could change, and what a step is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from balance.analysis.changes.neighbours.price_card import CardPrice
from balance.analysis.changes.neighbours.priced_item import PricedItem
from balance.analysis.prices.over_settings import OFF_VERDICTS
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.verdicts import NOT_MEASURABLE, SMALL, show_cost
from balance.analysis.scores.usual_prices import fair_within
from balance.answers.media.screens import first_screen
from balance.answers.media.terminal import line, table, title
from balance.base.errors import comma_list, first_of
from balance.base.numbers import show_fixed, show_interval, show_probability, show_probability_change
from balance.verbs.render.armies.price_text import (
    MOST_NAMED,
    THEN,
    Row,
    judgement,
    method_text,
    tolerance_text,
)
from balance.verbs.render.fairness.what_stays import first_names

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_STEPS, FEW_STEPS = 1000, 4
"""Steps that are printed, and on a first screen."""
DEAR, NARROW = 30.0, 0.5
"""Points from which hundredths of one are nobody's business, and width of an interval that tenths do not tell."""


def of_card(card_price: CardPrice, prices: PriceList, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print of one card or loadout, from top to bottom.

    Parameters
    ----------
    card_price
        The price of a card or a loadout.
    prices
        The prices of all, among which it was priced.
    more
        Whether everything is printed, instead of the first screen.
    """
    card, tolerance = card_price.item, tolerance_text(prices.tolerance, prices.game.words.points)
    top = [
        title(f"{card.label}: {_word(card)}", f"{prices.game.definition.title}, {card.table or 'loadout'}"),
        line(f"{card.because[:1].upper()}{card.because[1:]}.", after=1),
    ]
    if more:
        yield from (*top, *_of_card(card_price, more), line(tolerance, "dim"), *judgement(prices))
        return
    foot = [line(tolerance, "dim"), line(f"{method_text(prices)} All of it: --more", "dim")]
    yield from first_screen(top, _of_card(card_price, more), foot)


def _of_card(card_price: CardPrice, more: bool) -> Iterator[RenderableType]:
    """Yield what could change, what a step is worth, and readings that turn it."""
    yield from _instead(card_price, MOST_STEPS if more else FEW_STEPS)
    yield from _worth(card_price, MOST_STEPS if more else FEW_STEPS if card_price.alternatives.height < 3 else 2)
    yield from _turning_readings(card_price) if more else _turning_readings_in_brief(card_price)


def _word(card: PricedItem) -> str:
    """Return the verdict on a card as it stands beside its interval."""
    return fair_within(card.verdict, card.cost, *card.fair_range, card.tolerance)


def _instead(card_price: CardPrice, max_rows: int = MOST_STEPS) -> Iterator[RenderableType]:
    """Yield what could change so that the price is fair."""
    card, rows = card_price.item, card_price.alternatives.to_dicts()
    if not rows:
        if card.verdict != NOT_MEASURABLE:
            yield line(_no_change(card), after=1)
        return
    worse = next((row for row in rows if row["field"] == "cost_points" and row["verdict"] in OFF_VERDICTS), None)
    rows = [row for row in rows if row is not worse]
    if rows:
        text = "each played again on fresh armies and dice; 50% is fair"
        yield line(f"Change one ({text}):", "bold")
        heads = ["change", "costs", *THEN[:2], "score", "is then"]
        cells = [
            (_change(card_price, row), show_cost(row["cost"]), *_after(row), _score(row), _then_is(row))
            for row in rows[:max_rows]
        ]
        yield table(heads, cells, right=("costs", "fair", "score"))
    if worse is not None:
        yield line(_no_cost(worse), after=1)
    if all(row["field"] == "cost_points" for row in rows):
        yield line("No single change of another number was found.", after=1)


def _no_cost(row: Row) -> str:
    """Return that the nearest whole cost is not fair, which is said and not proposed."""
    fair, ends = _after(row)
    return f"No whole cost is fair: {show_cost(row['cost'])} would be {row['verdict']} (fair at {fair}, {ends})."


def _no_change(card: PricedItem) -> str:
    """Return that nothing is proposed: the fair cost itself lies within the tolerance, or no change was found."""
    if abs(card.fair - card.cost) > card.tolerance:
        return (
            f"Nothing to change: {show_cost(card.cost)} is the nearest whole cost, and no other number makes it fair."
        )
    text = f"{show_cost(card.fair)} is off by no more than the tolerance of {show_cost(card.tolerance)}"
    return f"Nothing to change: {text}{'.' if card.verdict == 'fair' else ', though that is not certain.'}"


def _then_is(row: Row) -> str:
    """Return the verdict on a change by its own row: fair is what holds its cost, and one half beside its score."""
    word = fair_within(row["verdict"], row["cost"], row["low"], row["high"], row["tolerance"])
    if word == "fair" and not row["score_low"] <= 0 <= row["score_high"]:
        return f"fair within {show_cost(row['tolerance'])}"
    return word


def _after(row: Row) -> tuple[str, str]:
    return show_cost(row["fair"]), show_interval(row["low"], row["high"], show_cost)


def _score(row: Row) -> str:
    return f"{show_probability(0.5 + row['score'])} ± {show_fixed(50 * (row['score_high'] - row['score_low']), 1)}"


def _change(card_price: CardPrice, row: Row) -> str:
    """Return a change in words."""
    owner = "" if row["field"] == "cost_points" else _owner(card_price, row)
    field = "cost" if row["field"] == "cost_points" else row["field"].replace("_", " ")
    if not row["new"]:
        return f"{owner}without {row['old'].replace('_', ' ')}"
    if not row["old"]:
        return f"{owner}with {row['new'].replace('_', ' ')}"
    return f"{owner}{field} {row['new']} instead of {row['old']}"


def _worth(card_price: CardPrice, max_rows: int = MOST_STEPS) -> Iterator[RenderableType]:
    """Yield what each number is worth, and what cannot be seen of it."""
    rows = card_price.steps.to_dicts()
    shows = partial(_points, decimals=_decimals(card_price.item.cost, rows))
    cells = [
        (_change(card_price, row), show_probability_change(row["score"]), shows(row["points"]), _ends(row, shows))
        for row in rows
        if row["seen"]
    ]
    if cells:
        heads = ["what a step is worth", "score", "points", "95% interval"]
        yield table(heads, cells[:max_rows], right=("score", "points"))
    unmeasurable = dict.fromkeys(_field(card_price, row) for row in rows if not row["seen"])
    if unmeasurable:
        yield line(f"{NOT_MEASURABLE.capitalize()}: {comma_list(unmeasurable)}.", after=1)


def _field(card_price: CardPrice, row: Row) -> str:
    name: str = row["field"] if row["old"] and row["new"] else row["old"]
    return _owner(card_price, row) + name.replace("_", " ")


def _owner(card_price: CardPrice, row: Row) -> str:
    """Return of which card a field is, where a loadout is of several."""
    return f"{row['card'].replace('_', ' ')}: " if not card_price.item.table and len(card_price.item.cards) > 1 else ""


def _decimals(cost: float, rows: Sequence[Row]) -> int:
    """Return how many decimals tell points of changes apart: of what is cheap two, if intervals are so narrow.

    >>> narrow, wide = ([{"seen": True, "low": 0.0, "high": high}] for high in (0.2, 2.0))
    >>> _decimals(20, wide), _decimals(20, narrow), _decimals(80, narrow)
    (1, 2, 1)
    """
    widths = [row["high"] - row["low"] for row in rows if row["seen"] and row["high"] > row["low"]]
    return 2 if cost < SMALL or (cost < DEAR and min(widths, default=NARROW) < NARROW) else 1


def _points(points: float, decimals: int = 1) -> str:
    return ("+" if points >= 0.5 * 10.0**-decimals else "") + show_fixed(points, decimals)


def _ends(row: Row, shows: Callable[[float], str]) -> str:
    if row["low"] == row["high"] == 0:
        return "makes no difference here"
    return show_interval(row["low"], row["high"], shows)


def _turning_readings(card_price: CardPrice) -> Iterator[RenderableType]:
    """Yield which readings of rules turn the verdict, while the others keep their costs."""
    rows, card = card_price.readings.to_dicts(), card_price.item
    for row in (row for row in rows if row["turns"]):
        ends = f"{show_cost(row['fair'])} ({show_interval(row['low'], row['high'], show_cost)})"
        word = fair_within(row["verdict"], card.cost, row["low"], row["high"], card.tolerance)
        yield line(f"{word.capitalize()} if {row['rule']} = {row['value']} ({row['ambiguity']}): fair cost {ends}.")
    names = first_of(list(dict.fromkeys(row["rule"] for row in rows if not row["turns"])), MOST_NAMED)
    if names:
        yield line(f"Readings that matter to it and do not turn the verdict: {comma_list(names)}.", after=1)


def _turning_readings_in_brief(card_price: CardPrice) -> Iterator[RenderableType]:
    """Yield how many readings of rules turn the verdict, if any does."""
    if names := list(dict.fromkeys(card_price.readings.filter("turns")["rule"].to_list())):
        yield line(f"Another reading of {first_names(names)} would turn this verdict: --more says to what.")
