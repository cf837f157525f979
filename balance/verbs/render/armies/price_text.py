"""What `balance price` prints of all cards: first what to change, and to what; last how it was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis.prices.cost_changes import CostProposals, Loadout, verdict_at
from balance.analysis.prices.over_settings import OFF_VERDICTS
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.proposals import CostProposal
from balance.analysis.prices.scale import SCALE_TOLERANCE
from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import Tolerance
from balance.answers.media.terminal import line, table, title
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability, show_unit, show_units
from balance.verbs.render.fairness.what_stays import never_worth, what_stays

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.battles import ArmySetting

MOST_ROWS, MOST_NAMED = 12, 8
FIRST_ROWS = 5
"""Rows of cards on a first screen."""
WITHIN = {"fair": "fair within the tolerance"}
THEN = ("fair", "95% interval", "is")
RANGES = ("fair", "range", "dice")
Row = dict[str, Any]


def of_list(
    prices: PriceList, proposal: CostProposal, changes: CostProposals | None = None, more: bool = False
) -> Iterator[RenderableType]:
    """Yield what to print of all prices, from top to bottom; the few changes that were asked for before all else.

    Parameters
    ----------
    prices
        The prices of all cards and loadouts.
    proposal
        Whole costs that cards should have, and what stays unfair.
    changes
        The few changes of costs that bring all nearest to fair; None where they were not asked for.
    more
        Whether everything is printed, instead of the first screen.
    """
    yield title(f"{prices.game.definition.title}: prices", "where armies of equal points meet")
    cards, loadouts = proposal.beside(prices.cards).to_dicts(), prices.loadouts.to_dicts()
    card, words = ("card", "cards"), prices.game.words
    if [row["card"] for row in cards] == [row["entrant"] for row in loadouts]:  # nobody is made of several cards
        card, loadouts = (words.entrant, words.entrants), []
    if not more:
        yield from _first_screen(prices, proposal, changes, card, cards, loadouts)
        return
    if changes is not None:
        yield from _few_changes(prices, changes)
    tables = [(card, cards), (("loadout", "loadouts"), loadouts)]
    for (singular, plural), rows in tables:
        yield from _to_change(singular, plural, rows)
    yield from what_stays(prices.game, proposal, more)
    yield from never_worth(loadouts or cards)
    for (singular, plural), rows in tables:
        yield from _open(singular, plural, rows)
    scale_text = f"the same if within {SCALE_TOLERANCE:g} of 1"
    yield line(f"Scale ({scale_text}): {prices.scale.because}.", after=1)
    yield line(tolerance_text(prices.tolerance, prices.game.words.points), "dim")
    yield from judgement(prices)


def _first_screen(
    prices: PriceList,
    proposal: CostProposal,
    changes: CostProposals | None,
    card: tuple[str, str],
    cards: Sequence[Row],
    loadouts: Sequence[Row],
) -> Iterator[RenderableType]:
    """Yield the answer in a sentence, what is farthest off, what stays unfair, and how many of the rest there are."""
    yield line(_answer(prices, *card, cards), after=1)
    if changes is not None:
        yield from _few_changes(prices, changes, FIRST_ROWS)
    else:
        shown_rows = _off(cards)[:FIRST_ROWS] or _off(loadouts)[:FIRST_ROWS]
        if shown_rows:
            yield _table(card[0] if _off(cards) else "loadout", shown_rows)
        yield from what_stays(prices.game, proposal)
        yield from never_worth(loadouts or cards, few=True)
        if loadouts:
            yield line(_answer(prices, "loadout", "loadouts", loadouts))
    command = f"balance price {prices.game.typed()} {(_off(cards) or cards)[0]['card']}"
    texts = [settings_text(prices), tolerance_text(prices.tolerance, prices.game.words.points), method_text(prices)]
    yield line(f"{' '.join(texts)} All of it: --more. One card: {command}", "dim")


def settings_text(prices: PriceList) -> str:
    """Return over which settings a verdict holds.

    Parameters
    ----------
    prices
        The prices of all cards and loadouts.
    """
    values: dict[str, dict[str, None]] = {}
    for facets in prices.facets:
        for name, value in facets.items():
            values.setdefault(name, {})[value] = None
    texts = [
        f"{'play' if name == 'play' else name} {comma_list(options)}"
        for name, options in values.items()
        if len(options) > 1
    ]
    boards = [
        name
        for name, kind in prices.game.definition.kinds.items()
        if kind.armies is not None and name != prices.setting.kind
    ]
    asked = f"Verdicts hold over {'; '.join(texts)}." if texts else "Verdicts are for one setting."
    game = prices.game.typed()
    return asked + "".join(f" Not asked: the {name} (balance stability {game} {name})." for name in boards)


def _answer(prices: PriceList, singular: str, plural: str, rows: Sequence[Row]) -> str:
    """Return in a sentence how many cost too much or too little, who most, and how many of the others are what."""
    if len(rows) == 1:
        return f"{rows[0]['label']} alone cannot be judged: points are only compared with those of another {singular}."
    off, unit = _off(rows), prices.game.words.points
    counts = Counter(row["verdict"] for row in rows if row["as_proposed"] not in OFF_VERDICTS)
    rest = comma_list(f"{n} {plural_verdict(WITHIN.get(word, word), n)}" for word, n in counts.most_common())
    if not off:
        return f"No {singular} of {len(rows)} is certainly off by more than the tolerance: {rest}."
    first = off[0]
    count_text = f"{show_many(len(off), singular, plural)} of {len(rows)} should change"
    if n_split := sum(row["verdict"] not in OFF_VERDICTS for row in off):
        of_them = "" if n_split == len(off) else f"{n_split} of them "
        count_text += f" ({of_them}unless the cost of a loadout is split otherwise: --keep TABLE)"
    fair = show_unit(_fair(first)[0], unit) if not unit.endswith("points") else _fair(first)[0]
    fair += f" ({_fair(first)[1]})"
    largest_text = f"{first['label']} most, which costs {show_cost(first['cost_points'])} and should cost {fair}"
    return f"{count_text}, {largest_text}" + (f"; {rest}." if rest else ".")


def plural_verdict(word: str, n: int) -> str:
    """Return a verdict as it is said of so many.

    >>> plural_verdict("depends on the split", 1), plural_verdict("depends on the split", 2)
    ('depends on the split', 'depend on the split')
    """
    return word.replace("depends", "depend", 1) if n > 1 else word


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


def method_text(prices: PriceList) -> str:
    """Return in a sentence where prices come from."""
    n, budgets = next(iter(prices.fair.values())).n_battles, _budgets(prices.setting)
    text = f"Simulated: {n:,} {prices.setting.kind}s of random armies of equal points, {budgets}"
    return ", ".join([text, *_setting_changes(prices.setting), f"seed {prices.seed}."])


def _setting_changes(setting: ArmySetting) -> list[str]:
    """Return what of the setting is not as by default."""
    return [text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices))]


def _budgets(setting: ArmySetting) -> str:
    return f"budgets {comma_list(f'{points:g} ({units:g} units)' for points, units in setting.budgets)}"


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
    yield line(f"Farthest from fair even at the best costs of all cards: {comma_list(farthest)}.", after=1)


def _then(prices: PriceList, row: Row, cost: float) -> tuple[str, str, str]:
    """Return what is fair for a card or loadout, its interval, and what would be said of it at another cost."""
    dice = show_interval(row["dice_low"], row["dice_high"], show_cost)
    return show_cost(row["fair_points"]), dice, verdict_at(prices, row, cost)


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
    """Return what costs too much or too little, those first that do however cost is split, the furthest off first."""
    return sorted(
        (row for row in rows if row["as_proposed"] in OFF_VERDICTS),
        key=lambda row: (
            row["verdict"] not in OFF_VERDICTS,
            -abs(row["fair_points"] - row["cost_points"]) / max(row["cost_points"], 1.0),
        ),
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
    proposes = any(row.get("proposed_points") is not None for row in rows)
    cells = [
        (
            row["label"],
            _verdict_text(row),
            show_cost(row["cost_points"]),
            *([_proposed(row)] if proposes else []),
            *_fair(row),
            f"±{show_cost((row['dice_high'] - row['dice_low']) / 2)}",
        )
        for row in rows
    ]
    heads = [singular, "is", "costs", *(["make it"] if proposes else []), *RANGES]
    return table(heads, cells, right=("costs", "make it", "fair", "dice"))


def _verdict_text(row: Row) -> str:
    """Return the verdict; a mark says that it is so only if costs are split by the least change."""
    return row["verdict"] if row["verdict"] == row["as_proposed"] else f"{row['as_proposed']} *"


def _proposed(row: Row) -> str:
    """Return the whole cost that is proposed."""
    return "no cost" if row["proposed_points"] is None else f"{row['proposed_points']}"


def _fair(row: Row) -> tuple[str, str]:
    return show_cost(row["fair_points"]), show_interval(row["low"], row["high"], show_cost)


def _open(singular: str, plural: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what cannot be known from here, and why."""
    words = {row["verdict"] for row in rows} - {"fair", *OFF_VERDICTS}
    for word in sorted(words):
        matches = [row for row in rows if row["verdict"] == word]
        yield line(f"{word.capitalize()}: {show_many(len(matches), singular, plural)}", "bold")
        yield table([singular, "because"], [(row["label"], row["because"]) for row in matches[:MOST_NAMED]])
        if len(matches) > MOST_NAMED:
            yield line(f"{len(matches) - MOST_NAMED} more: --json lists all", "dim", 1)


def judgement(prices: PriceList) -> Iterator[RenderableType]:
    """Yield how prices were judged."""
    setting, kind = prices.setting, prices.game.definition.kinds[prices.setting.kind]
    n = next(iter(prices.fair.values())).n_battles
    text = f"How it was judged: {setting.kind}, half of the armies alike and half mixed, {_budgets(setting)}"
    differences = comma_list(_setting_changes(setting)) or "all else as by default"
    yield line(f"{text}; {differences}; {n:,} battles, seed {prices.seed}.", "dim")
    ways = prices.play.scores.to_dicts()
    near = [f"{row['play']} ({show_probability(row['score'])})" for row in ways if row["near"]]
    if near:
        yield line(f"Ways of playing near the top, by which verdicts must agree: {comma_list(near)}.", "dim")
    if kind.cannot_see:
        heads = "; ".join(text.partition(":")[0] for text in kind.cannot_see)
        yield line(f"What it cannot see: {heads}.", "dim")
