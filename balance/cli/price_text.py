"""What `balance price` prints: first what to change, and to what; last how it was judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis.cost_changes import Loadout
from balance.analysis.price_card import CardPrice
from balance.analysis.price_changes import PriceChanges
from balance.analysis.price_list import PriceList
from balance.analysis.price_verdicts import NOT_MEASURABLE, shown
from balance.cli.terminal import line, table, title
from balance.errors import first_of, listed
from balance.numbers import show_fixed, show_interval, show_many, show_probability, show_probability_change

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["of_card", "of_list"]

MOST_ROWS, MOST_NAMED = 12, 8
MISPRICED = ("overpriced", "underpriced")
Row = dict[str, Any]


def of_list(prices: PriceList, changes: PriceChanges | None = None) -> Iterator[RenderableType]:
    """Yield what to print of all prices, from top to bottom; first the few changes that were asked for."""
    yield title(f"{prices.loaded.game.title}: prices", "where armies of equal points meet")
    if changes is not None:
        yield from _few(prices, changes)
    cards, loadouts = prices.cards.to_dicts(), prices.loadouts.to_dicts()
    yield from _to_change("card", "cards", cards)
    yield from _to_change("loadout", "loadouts", loadouts)
    yield from _never(cards, loadouts)
    yield from _open("card", "cards", cards)
    yield from _open("loadout", "loadouts", loadouts)
    yield line(f"Scale: {prices.scale.because}.", after=1)
    yield from _judged(prices)


def _few(prices: PriceList, found: PriceChanges) -> Iterator[RenderableType]:
    """Yield the few changes of costs that bring loadouts nearest to fair, who profits and who loses."""
    cards = dict(prices.cards.select("card", "label").iter_rows())
    names = dict(prices.loadouts.select("entrant", "label").iter_rows())
    few, every = found.few, found.every
    if few.changes:
        yield line(f"Nearest to fair with at most {show_many(found.most, 'change')} of cost:", "bold")
        rows = [(cards[one.card], shown(one.cost), str(one.proposed)) for one in few.changes]
        yield table(["card", "costs", "instead"], rows, right=("costs", "instead"))
    before, after, least = (show_probability(share) for share in (few.before, few.after, every.after))
    then = f"then {after}" if few.changes else "which no change of a cost lessens"
    told = f"Costs of loadouts lie {before} off fair ones (root mean square), {then}"
    yield line(f"{told}; whole costs for all {len(every.costs)} cards would leave {least}.", after=1)
    yield from _moved("who profits", few.profit, names)
    yield from _moved("who loses", few.lose, names)
    left = [f"{names[one.entrant]} ({shown(one.proposed)} for {shown(one.fair)})" for one in found.left]
    yield line(f"Farthest from fair even at the best costs of all cards: {listed(left)}.", after=1)


def _moved(head: str, rows: Sequence[Loadout], names: dict[str, str]) -> Iterator[RenderableType]:
    if rows:
        cells = [(names[one.entrant], shown(one.cost), shown(one.proposed), shown(one.fair)) for one in rows]
        yield table([head, "costs", "then", "fair"], cells[:MOST_ROWS], right=("costs", "then", "fair"))
    if len(rows) > MOST_ROWS:
        yield line(f"{len(rows) - MOST_ROWS} more: --json lists all", "dim", 1)


def _to_change(one: str, many: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what costs too much or too little, the furthest off first."""
    off = sorted(
        (row for row in rows if row["verdict"] in MISPRICED),
        key=lambda row: -abs(row["fair_points"] - row["cost_points"]) / max(row["cost_points"], 1.0),
    )
    if not off:
        yield line(f"To change: no {one} is certainly off by more than the tolerance.", after=1)
        return
    yield line(f"To change: {show_many(len(off), one, many)} of {len(rows)}", "bold")
    cells = [(row["label"], shown(row["cost_points"]), *_fair(row), row["verdict"]) for row in off[:MOST_ROWS]]
    yield table([one, "costs", "fair", "95% interval", "is"], cells, right=("costs", "fair"))
    if len(off) > MOST_ROWS:
        yield line(f"{show_many(len(off) - MOST_ROWS, f'{one} more', f'{many} more')}: --json lists all", "dim", 1)


def _fair(row: Row) -> tuple[str, str]:
    return shown(row["fair_points"]), show_interval(row["low"], row["high"], shown)


def _never(cards: Sequence[Row], loadouts: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what is never worth taking, and beside whom."""
    names = {row["entrant"]: row["label"] for row in loadouts} | {row["card"]: row["label"] for row in cards}
    found = [row for row in (*cards, *loadouts) if row["dominated_by"] is not None]
    if not found:
        yield line("Never worth taking in duels: nothing.", after=1)
        return
    yield line(f"Never worth taking in duels: {len(found)}", "bold")
    rows = [(row["label"], shown(row["cost_points"]), _witness(row, names)) for row in found[:MOST_ROWS]]
    yield table(["who", "costs", "no better than"], rows, right=("costs",))
    if len(found) > MOST_ROWS:
        yield line(f"{len(found) - MOST_ROWS} more: --json lists all", "dim", 1)


def _witness(row: Row, names: dict[str, str]) -> str:
    return listed(names.get(one, one) for one in row["dominated_by"])


def _open(one: str, many: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what cannot be known from here, and why."""
    words = {row["verdict"] for row in rows} - {"fair", *MISPRICED}
    for word in sorted(words):
        found = [row for row in rows if row["verdict"] == word]
        yield line(f"{word.capitalize()}: {show_many(len(found), one, many)}", "bold")
        yield table([one, "because"], [(row["label"], row["because"]) for row in found[:MOST_NAMED]])
        if len(found) > MOST_NAMED:
            yield line(f"{len(found) - MOST_NAMED} more: --json lists all", "dim", 1)


def _judged(prices: PriceList) -> Iterator[RenderableType]:
    """Yield how prices were judged."""
    setting, kind = prices.setting, prices.loaded.game.kinds[prices.setting.kind]
    budgets = listed(f"{points:g} ({units:g} units)" for points, units in setting.budgets)
    made = [text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices))]
    n = next(iter(prices.fair.values())).n_battles
    told = f"How it was judged: {setting.kind}, half of the armies alike and half mixed, budgets {budgets}"
    yield line(f"{told}; {listed(made) or 'all else as by default'}; {n:,} battles, seed {prices.seed}.", "dim")
    ways = prices.play.scores.to_dicts()
    near = [f"{row['play']} ({show_probability(row['score'])})" for row in ways if row["near"]]
    if near:
        yield line(f"Ways of playing near the top, by which verdicts must agree: {listed(near)}.", "dim")
    if kind.cannot_see:
        heads = "; ".join(text.partition(":")[0] for text in kind.cannot_see)
        yield line(f"What it cannot see: {heads}.", "dim")


# -- one card ---------------------------------------------------------------------------------------------------------


def of_card(found: CardPrice, prices: PriceList) -> Iterator[RenderableType]:
    """Yield what to print of one card or loadout, from top to bottom."""
    priced = found.priced
    yield title(f"{priced.label}: {priced.verdict}", f"{prices.loaded.game.title}, {priced.table or 'loadout'}")
    yield line(f"{priced.because[:1].upper()}{priced.because[1:]}.", after=1)
    yield from _instead(found)
    if priced.dominated_by is not None:
        yield line(f"Never worth taking in duels: no better than {listed(priced.dominated_by)}.", after=1)
    yield from _worth(found)
    yield from _turned(found)
    yield from _judged(prices)


def _instead(found: CardPrice) -> Iterator[RenderableType]:
    """Yield what could change so that the price is fair."""
    priced, rows = found.priced, found.alternatives.to_dicts()
    if not rows:
        if priced.verdict != NOT_MEASURABLE:
            yield line(
                f"Nothing to change: it is off by no more than the tolerance of {shown(priced.tolerance)}.", after=1
            )
        return
    yield line("Any one of these makes the price fair; each was played again on fresh seeds:", "bold")
    cells = [(_change(found, row), *_after(row), _score(row)) for row in rows]
    yield table(["change", "costs then", "fair", "95% interval", "score"], [
        (change, row["new"] if row["field"] == "cost_points" else shown(priced.cost), fair, ends, score)
        for row, (change, fair, ends, score) in zip(rows, cells, strict=True)
    ], right=("costs then", "fair", "score"))  # fmt: skip
    if len(rows) == 1:
        yield line("No single change of another number was found.", after=1)


def _after(row: Row) -> tuple[str, str]:
    return shown(row["fair"]), show_interval(row["low"], row["high"], shown)


def _score(row: Row) -> str:
    return f"{show_probability(0.5 + row['score'])} ± {show_fixed(50 * (row['score_high'] - row['score_low']), 1)}"


def _change(found: CardPrice, row: Row) -> str:
    """Return a change in words."""
    whose = "" if found.priced.table or row["field"] == "cost_points" else f"{row['card'].replace('_', ' ')}: "
    field = "cost" if row["field"] == "cost_points" else row["field"].replace("_", " ")
    if not row["new"]:
        return f"{whose}without {row['old'].replace('_', ' ')}"
    if not row["old"]:
        return f"{whose}with {row['new'].replace('_', ' ')}"
    return f"{whose}{field} {row['new']} instead of {row['old']}"


def _worth(found: CardPrice) -> Iterator[RenderableType]:
    """Yield what each number is worth, and what cannot be seen of it."""
    rows = found.steps.to_dicts()
    cells = [
        (_change(found, row), show_probability_change(row["score"]), _points(row["points"]), _ends(row))
        for row in rows
        if row["seen"]
    ]
    if cells:
        heads = ["what a step is worth", "score", "points", "95% interval"]
        yield table(heads, cells, right=("score", "points"))
    unseen = dict.fromkeys(_field(found, row) for row in rows if not row["seen"])
    if unseen:
        yield line(f"{NOT_MEASURABLE.capitalize()}: {listed(unseen)}.", after=1)


def _field(found: CardPrice, row: Row) -> str:
    whose = "" if found.priced.table else f"{row['card'].replace('_', ' ')}: "
    what: str = row["field"] if row["old"] and row["new"] else row["old"]
    return whose + what.replace("_", " ")


def _points(points: float) -> str:
    return ("+" if points >= 0.05 else "") + show_fixed(points, 1)


def _ends(row: Row) -> str:
    if row["low"] == row["high"] == 0:
        return "makes no difference here"
    return show_interval(row["low"], row["high"], _points)


def _turned(found: CardPrice) -> Iterator[RenderableType]:
    """Yield which readings of rules turn the verdict, while the others keep their costs."""
    rows = found.readings.to_dicts()
    for row in (row for row in rows if row["turns"]):
        ends = f"{shown(row['fair'])} ({show_interval(row['low'], row['high'], shown)})"
        yield line(
            f"{row['verdict'].capitalize()} if {row['rule']} = {row['value']} ({row['ambiguity']}): fair cost {ends}."
        )
    names = first_of(list(dict.fromkeys(row["rule"] for row in rows if not row["turns"])), MOST_NAMED)
    if names:
        yield line(f"Readings that matter to it and do not turn the verdict: {listed(names)}.", after=1)
