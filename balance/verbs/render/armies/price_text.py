"""What `balance price` prints: first what to change, and to what; last how it was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from balance.analysis.changes.neighbours.price_card import CardPrice
from balance.analysis.changes.neighbours.priced_item import PricedItem
from balance.analysis.prices.cost_changes import CostProposals, Loadout, verdict_at
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.scale import SCALE_TOLERANCE
from balance.analysis.prices.verdicts import NOT_MEASURABLE, SMALL, show_cost
from balance.analysis.scores.usual_prices import Tolerance, fair_within
from balance.base.errors import first_of, listed
from balance.base.numbers import (
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
    show_unit,
    show_units,
)
from balance.verbs.render.screens import first_screen
from balance.verbs.render.terminal import line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.battles import ArmySetting

__all__ = ["of_card", "of_list", "tolerance_text"]

MOST_ROWS, MOST_NAMED = 12, 8
MOST_STEPS = 1000
FIRST_ROWS, FEW_STEPS, FEW_NAMED = 7, 4, 3
"""Rows of cards and of steps, and names, on a first screen."""
WITHIN = {"fair": "fair within the tolerance"}
THEN = ("fair", "95% interval", "is")
DEAR, NARROW = 30.0, 0.5
"""Points from which hundredths of one are nobody's business, and width of an interval that tenths do not tell."""
OFF_VERDICTS = ("overpriced", "underpriced")
Row = dict[str, Any]


def of_list(prices: PriceList, changes: CostProposals | None = None, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print of all prices, from top to bottom; the few changes that were asked for before all else.

    Parameters
    ----------
    prices
        The prices of all cards and loadouts.
    changes
        The few changes of costs that bring all nearest to fair; None where they were not asked for.
    more
        Whether everything is printed, instead of the first screen.
    """
    yield title(f"{prices.game.game.title}: prices", "where armies of equal points meet")
    cards, loadouts = prices.cards.to_dicts(), prices.loadouts.to_dicts()
    card, words = ("card", "cards"), prices.game.words
    if [row["card"] for row in cards] == [row["entrant"] for row in loadouts]:  # nobody is made of several cards
        card, loadouts = (words.entrant, words.entrants), []
    if not more:
        yield from _first_screen(prices, changes, card, cards, loadouts)
        return
    if changes is not None:
        yield from _few_changes(prices, changes)
    tables = [(card, cards), (("loadout", "loadouts"), loadouts)]
    for (singular, plural), rows in tables:
        yield from _to_change(singular, plural, rows)
    yield from _never(cards, loadouts)
    for (singular, plural), rows in tables:
        yield from _open(singular, plural, rows)
    scale_text = f"the same if within {SCALE_TOLERANCE:g} of 1"
    yield line(f"Scale ({scale_text}): {prices.scale.because}.", after=1)
    yield line(tolerance_text(prices.tolerance, prices.game.words.points), "dim")
    yield from _judgement(prices)


def _first_screen(
    prices: PriceList,
    changes: CostProposals | None,
    card: tuple[str, str],
    cards: Sequence[Row],
    loadouts: Sequence[Row],
) -> Iterator[RenderableType]:
    """Yield the answer in a sentence, what is farthest off, and how many of the rest there are."""
    yield line(_answer(prices, *card, cards), after=1)
    if changes is not None:
        yield from _few_changes(prices, changes, FIRST_ROWS)
    else:
        shown_rows = _off(cards)[:FIRST_ROWS] or _off(loadouts)[:FIRST_ROWS]
        if shown_rows:
            yield _table(card[0] if _off(cards) else "loadout", shown_rows)
        if loadouts:
            yield line(_answer(prices, "loadout", "loadouts", loadouts))
    never = [row["label"] for row in (*cards, *loadouts) if row["dominated_by"] is not None]
    if never and changes is None:
        yield line(f"Never worth taking in duels, one against one: {_first_names(never)}.")
    yield line(tolerance_text(prices.tolerance, prices.game.words.points), "dim")
    command = f"balance price {prices.game.game.name} {(_off(cards) or cards)[0]['card']}"
    yield line(f"{_method(prices)} All of it: --more. One card: {command}", "dim")


def _answer(prices: PriceList, singular: str, plural: str, rows: Sequence[Row]) -> str:
    """Return in a sentence how many cost too much or too little, who most, and how many of the others are what."""
    if len(rows) == 1:
        return f"{rows[0]['label']} alone cannot be judged: points are only compared with those of another {singular}."
    off, unit = _off(rows), prices.game.words.points
    counts = Counter(row["verdict"] for row in rows if row["verdict"] not in OFF_VERDICTS)
    rest = listed(f"{n} {WITHIN.get(word, word)}" for word, n in counts.most_common())
    if not off:
        return f"No {singular} of {len(rows)} is certainly off by more than the tolerance: {rest}."
    first = off[0]
    count_text = f"{show_many(len(off), singular, plural)} of {len(rows)} should change"
    fair = show_unit(_fair(first)[0], unit) if not unit.endswith("points") else _fair(first)[0]
    largest_text = f"{first['label']} most, which costs {show_cost(first['cost_points'])} and should cost {fair}"
    return f"{count_text}, {largest_text}" + (f"; {rest}." if rest else ".")


def _first_names(names: Sequence[str]) -> str:
    more = len(names) - FEW_NAMED
    return ", ".join(names[:FEW_NAMED]) + (f" and {more} more" if more > 0 else "")


def tolerance_text(tolerance: Tolerance, unit: str = "points") -> str:
    """Return within what a cost is fair, and how that is set.

    Parameters
    ----------
    tolerance
        By how much a price may miss and be fair.
    unit
        What the game calls its points.
    """
    share, points = f"{100 * tolerance.share:g}", f"{tolerance.points:g}"
    text = f"Tolerance, within which a cost is fair: {share}%, at least {show_units(show_cost(tolerance.points), unit)}"
    return f"{text} (--tolerance {share}:{points})."


def _method(prices: PriceList) -> str:
    """Return in a sentence where prices come from."""
    n, budgets = next(iter(prices.fair.values())).n_battles, _budgets(prices.setting)
    text = f"Simulated: {n:,} {prices.setting.kind}s of random armies of equal points, {budgets}"
    return ", ".join([text, *_setting_changes(prices.setting), f"seed {prices.seed}."])


def _setting_changes(setting: ArmySetting) -> list[str]:
    """Return what of the setting is not as by default."""
    return [text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices))]


def _budgets(setting: ArmySetting) -> str:
    return f"budgets {listed(f'{points:g} ({units:g} units)' for points, units in setting.budgets)}"


def _few_changes(prices: PriceList, proposals: CostProposals, max_rows: int = MOST_ROWS) -> Iterator[RenderableType]:
    """Yield the few changes of costs that bring loadouts nearest to fair, who profits and who loses."""
    cards = {row["card"]: row for row in prices.cards.to_dicts()}
    loadouts = {row["entrant"]: row for row in prices.loadouts.to_dicts()}
    few_changes, all_costs = proposals.few_changes, proposals.all_costs
    if few_changes.changes:
        yield line(f"Nearest to fair with at most {show_many(proposals.max_changes, 'change')} of cost:", "bold")
        rows = [
            (
                cards[change.card]["label"],
                show_cost(change.cost),
                str(change.proposed_cost),
                *_then(prices, cards[change.card], change.proposed_cost),
            )
            for change in few_changes.changes
        ]
        yield table(["card", "costs", "instead", *THEN], rows, right=("costs", "instead", "fair"))
    before, after, floor = (
        show_probability(share) for share in (few_changes.before, few_changes.after, all_costs.after)
    )
    then = f"then {after}" if few_changes.changes else "which no change of a cost lessens"
    text = f"Costs of loadouts lie {before} off fair ones (root mean square), {then}"
    yield line(f"{text}; whole costs for all {len(all_costs.costs)} cards would leave {floor}.", after=1)
    if max_rows < MOST_ROWS:
        count_text = f"{show_many(len(few_changes.profit), 'loadout')} would cost less and {len(few_changes.lose)} more"
        yield line(f"{count_text}; --more lists them.")
        return
    yield from _moved_loadouts("who profits", few_changes.profit, prices, loadouts)
    yield from _moved_loadouts("who loses", few_changes.lose, prices, loadouts)
    farthest = [
        f"{loadouts[loadout.entrant]['label']} ({show_cost(loadout.proposed_cost)} for {show_cost(loadout.fair)})"
        for loadout in proposals.worst_loadouts
    ]
    yield line(f"Farthest from fair even at the best costs of all cards: {listed(farthest)}.", after=1)


def _then(prices: PriceList, row: Row, cost: float) -> tuple[str, str, str]:
    """Return what is fair for a card or loadout, its interval, and what would be said of it at another cost."""
    return *_fair(row), verdict_at(prices, row, cost)


def _moved_loadouts(
    head: str, rows: Sequence[Loadout], prices: PriceList, loadouts: Mapping[str, Row]
) -> Iterator[RenderableType]:
    if rows:
        cells = [
            (
                loadouts[loadout.entrant]["label"],
                show_cost(loadout.cost),
                show_cost(loadout.proposed_cost),
                *_then(prices, loadouts[loadout.entrant], loadout.proposed_cost),
            )
            for loadout in rows
        ]
        yield table([head, "costs", "then", *THEN], cells[:MOST_ROWS], right=("costs", "then", "fair"))
    if len(rows) > MOST_ROWS:
        yield line(f"{len(rows) - MOST_ROWS} more: --json lists all", "dim", 1)


def _off(rows: Sequence[Row]) -> list[Row]:
    """Return what costs too much or too little, the furthest off first."""
    return sorted(
        (row for row in rows if row["verdict"] in OFF_VERDICTS),
        key=lambda row: -abs(row["fair_points"] - row["cost_points"]) / max(row["cost_points"], 1.0),
    )


def _to_change(singular: str, plural: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what costs too much or too little, the furthest off first."""
    off = _off(rows)
    if not off:
        yield line(f"To change: no {singular} is certainly off by more than the tolerance.", after=1)
        return
    yield line(f"To change: {show_many(len(off), singular, plural)} of {len(rows)}", "bold")
    yield _table(singular, off[:MOST_ROWS])
    if len(off) > MOST_ROWS:
        yield line(
            f"{show_many(len(off) - MOST_ROWS, f'{singular} more', f'{plural} more')}: --json lists all", "dim", 1
        )


def _table(singular: str, rows: Sequence[Row]) -> RenderableType:
    cells = [(row["label"], show_cost(row["cost_points"]), *_fair(row), row["verdict"]) for row in rows]
    return table([singular, "costs", *THEN], cells, right=("costs", "fair"))


def _fair(row: Row) -> tuple[str, str]:
    return show_cost(row["fair_points"]), show_interval(row["low"], row["high"], show_cost)


def _never(cards: Sequence[Row], loadouts: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what is never worth taking, and beside whom."""
    names = {row["entrant"]: row["label"] for row in loadouts} | {row["card"]: row["label"] for row in cards}
    dominated_rows = [row for row in (*cards, *loadouts) if row["dominated_by"] is not None]
    if not dominated_rows:
        yield line("Never worth taking in duels: nothing.", after=1)
        return
    yield line(f"Never worth taking in duels: {len(dominated_rows)}", "bold")
    rows = [(row["label"], show_cost(row["cost_points"]), _witness(row, names)) for row in dominated_rows[:MOST_ROWS]]
    yield table(["who", "costs", "no better than"], rows, right=("costs",))
    if len(dominated_rows) > MOST_ROWS:
        yield line(f"{len(dominated_rows) - MOST_ROWS} more: --json lists all", "dim", 1)


def _witness(row: Row, names: dict[str, str]) -> str:
    return listed(names.get(name, name) for name in row["dominated_by"])


def _open(singular: str, plural: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what cannot be known from here, and why."""
    words = {row["verdict"] for row in rows} - {"fair", *OFF_VERDICTS}
    for word in sorted(words):
        matches = [row for row in rows if row["verdict"] == word]
        yield line(f"{word.capitalize()}: {show_many(len(matches), singular, plural)}", "bold")
        yield table([singular, "because"], [(row["label"], row["because"]) for row in matches[:MOST_NAMED]])
        if len(matches) > MOST_NAMED:
            yield line(f"{len(matches) - MOST_NAMED} more: --json lists all", "dim", 1)


def _judgement(prices: PriceList) -> Iterator[RenderableType]:
    """Yield how prices were judged."""
    setting, kind = prices.setting, prices.game.game.kinds[prices.setting.kind]
    n = next(iter(prices.fair.values())).n_battles
    text = f"How it was judged: {setting.kind}, half of the armies alike and half mixed, {_budgets(setting)}"
    yield line(
        f"{text}; {listed(_setting_changes(setting)) or 'all else as by default'}; {n:,} battles, seed {prices.seed}.",
        "dim",
    )
    ways = prices.play.scores.to_dicts()
    near = [f"{row['play']} ({show_probability(row['score'])})" for row in ways if row["near"]]
    if near:
        yield line(f"Ways of playing near the top, by which verdicts must agree: {listed(near)}.", "dim")
    if kind.cannot_see:
        heads = "; ".join(text.partition(":")[0] for text in kind.cannot_see)
        yield line(f"What it cannot see: {heads}.", "dim")


# -- one card ---------------------------------------------------------------------------------------------------------


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
        title(f"{card.label}: {_word(card)}", f"{prices.game.game.title}, {card.table or 'loadout'}"),
        line(f"{card.because[:1].upper()}{card.because[1:]}.", after=1),
    ]
    if more:
        yield from (*top, *_of_card(card_price, more), line(tolerance, "dim"), *_judgement(prices))
        return
    foot = [line(tolerance, "dim"), line(f"{_method(prices)} All of it: --more", "dim")]
    yield from first_screen(top, _of_card(card_price, more), foot)


def _of_card(card_price: CardPrice, more: bool) -> Iterator[RenderableType]:
    """Yield what could change, who makes it never worth taking, what a step is worth, and readings that turn it."""
    witness = card_price.item.dominated_by
    yield from _instead(card_price, MOST_STEPS if more else FEW_STEPS)
    if witness is not None:
        against = listed(witness) if more else _first_names(witness)
        yield line(f"Never worth taking in duels, one against one: no better than {against}.", after=1)
    yield from _worth(card_price, MOST_STEPS if more else FEW_STEPS if card_price.alternatives.height < 3 else 2)
    yield from _turning_readings(card_price) if more else _turning_readings_in_brief(card_price)


def _word(card: PricedItem) -> str:
    """Return the verdict on a card as it stands beside its interval."""
    return fair_within(card.verdict, card.cost, card.low, card.high, card.tolerance)


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
        yield line(f"{NOT_MEASURABLE.capitalize()}: {listed(unmeasurable)}.", after=1)


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
        yield line(f"Readings that matter to it and do not turn the verdict: {listed(names)}.", after=1)


def _turning_readings_in_brief(card_price: CardPrice) -> Iterator[RenderableType]:
    """Yield how many readings of rules turn the verdict, if any does."""
    if names := list(dict.fromkeys(card_price.readings.filter("turns")["rule"].to_list())):
        yield line(f"Another reading of {_first_names(names)} would turn this verdict: --more says to what.")
