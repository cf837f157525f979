"""The price of one card or loadout: what its numbers are worth, and what could change instead of its cost.

All changes are played in one field, at its fair costs, with the same armies and dice (see `handicap`), so that they are
known by their differences. Proposals are played again on fresh seeds, at the printed cost. So are the readings of rules
that make a difference to the card, as long as the others keep their costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import polars as pl

from balance.analysis.changes.handicaps.handicap import N_BATTLES, Handicap
from balance.analysis.changes.neighbours.card_steps import CardStep, further, steps_of
from balance.analysis.changes.neighbours.priced_item import FairAfter, PricedItem, find_priced
from balance.analysis.claims.rule_options import Reading, other_readings
from balance.analysis.prices.price_list import PriceList
from balance.analysis.scores.usual_prices import Tolerance, judge_cost
from balance.base.numbers import SURE
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner

READING_BATTLES = 1024
"""Battles of each reading of a rule: there are many, and most make no difference."""
TENTH = 10
"""A number changes by this part of it at a time where its steps are smaller than that."""
MOST_TRIED, MOST_SHOWN = 8, 5
REFINEMENTS = 2
"""How often changes are tried that may come nearer than those that were."""
LIKELY = 0.6
"""Part of the tolerance within which a change by several steps has to be, so that fresh seeds are likely to agree."""
WORD_COUNTS = 2
"""Steps of a number that a word which comes or goes counts as, where the smallest change comes first."""
Columns = dict[str, pl.DataType | type[pl.DataType]]
CHANGE: Columns = dict.fromkeys(("table", "card", "field", "old", "new", "value"), pl.String)
SCORE: Columns = dict.fromkeys(("score", "score_low", "score_high"), pl.Float64)
STEPS: Columns = {**CHANGE, "seen": pl.Boolean, **SCORE, **dict.fromkeys(("points", "low", "high"), pl.Float64)}
FAIR: Columns = dict.fromkeys(("fair", "low", "high"), pl.Float64)
ALTERNATIVES: Columns = {**CHANGE, "cost": pl.Float64, **FAIR, **SCORE, "tolerance": pl.Float64, "verdict": pl.String}
READINGS: Columns = {
    **dict.fromkeys(("rule", "value", "ambiguity", "sentence"), pl.String),
    **FAIR,
    "verdict": pl.String,
    "turns": pl.Boolean,
}


@dataclass(frozen=True)
class CardPrice:
    """The price of one card or loadout.

    Attributes
    ----------
    steps
        One row for each field and direction (`table`, `card`, `field`, `old`, `new`; of a list of words the word that
        goes, the rest being `value`): `score` is what an army of it scores more at the same cost, `points` what the
        change is worth, each with a 95 % interval; null where the setting cannot see it (`seen`).
    alternatives
        Another cost, and single changes after which the printed cost is within the tolerance, the smallest first: all
        on fresh seeds, `fair` then, and `score` beyond one half at that `cost`. The `verdict` of each is by its own
        interval: "not yet known" where that reaches beyond the tolerance. Empty where the price is within it.
    readings
        One row for each reading of a rule that makes a difference to it, and whether it `turns` the verdict.
    n_battles
        Battles of each change.
    """

    item: PricedItem
    steps: pl.DataFrame
    alternatives: pl.DataFrame
    readings: pl.DataFrame
    seed: int
    n_battles: int

    def __repr__(self) -> str:
        """Return name, cost and fair cost in one line, as tables are long."""
        item = self.item
        return f"CardPrice({item.name!r}, cost {item.cost:g}, fair {item.fair:g}, {item.verdict})"


def price_card(
    runner: Runner,
    prices: PriceList,
    name: str,
    seed: int = 0,
    *,
    tolerance: Tolerance | None = None,
    n_battles: int = N_BATTLES,
) -> CardPrice:
    """Return the price of one card or loadout of a price list of the same game, from `n_battles` of each change.

    The tolerance, by how much a cost may miss and be fair, is by default that of the list. Raise UsageError, naming the
    nearest, where there is no such card or loadout.
    """
    margin = tolerance or prices.tolerance
    desk = _Desk(runner, find_priced(runner, prices, name, margin), seed, n_battles, margin)
    steps = steps_of(runner.game, desk.kind, desk.item.cards, desk.item.members)
    worth = desk.worth(steps)
    return CardPrice(
        desk.item,
        pl.DataFrame([desk.step_row(step, worth.get(step)) for step in steps], schema=STEPS),
        pl.DataFrame(desk.alternatives(worth), schema=ALTERNATIVES),
        pl.DataFrame(list(desk.readings()), schema=READINGS),
        seed,
        n_battles,
    )


def step_points(
    runner: Runner, item: PricedItem, seed: int = 0, *, may_add_words: bool = False, n_battles: int = N_BATTLES
) -> dict[CardStep, Estimate | None]:
    """Return what each single change of a card is worth in points; None where the setting cannot see it.

    With `may_add_words`, words that a card does not have may be put on it, too.
    """
    desk = _Desk(runner, item, seed, n_battles)
    steps = steps_of(runner.game, desk.kind, item.cards, item.members, may_add_words=may_add_words)
    worth, points = desk.worth(steps), dict[CardStep, Estimate | None]()
    for step in steps:
        row = desk.step_row(step, worth.get(step))
        is_visible = row["points"] is not None
        points[step] = Estimate(row["points"], row["low"], row["high"], n_battles, "fitted") if is_visible else None
    return points


@dataclass(frozen=True)
class _Desk:
    """Prices one card or loadout in its field."""

    runner: Runner
    item: PricedItem
    seed: int
    n_battles: int
    tolerance: Tolerance = field(default_factory=Tolerance)

    @property
    def kind(self) -> str:
        return self.item.field.setting.kind

    def worth(self, steps: Sequence[CardStep], within: tuple[float, float] | None = None) -> dict[CardStep, Handicap]:
        """Return the handicap of each step with an effect less the card's own; `within` as in `handicaps`."""
        if not (effective := [step for step in steps if step.has_effect]):
            return {}
        groups = [self.item.group(), *map(self.item.group, effective)]
        base, *results = self.item.play(self.runner, groups, self.seed, self.n_battles, within=within)
        return {step: result.beyond(base) for step, result in zip(effective, results, strict=True)}

    def step_row(self, step: CardStep, worth: Handicap | None) -> dict[str, Any]:
        row = _change(step) | {"seen": step.has_effect}
        if worth is None:
            return row | dict.fromkeys((*SCORE, "points", "low", "high"))
        item = replace(self.item, low=self.item.fair, high=self.item.fair)  # a difference, whatever it costs
        values = asdict(item.after(worth))
        ends = {name: values[name] - item.fair for name in ("low", "high")}
        return row | values | {"points": values.pop("fair") - item.fair} | ends

    def alternatives(self, worth: dict[CardStep, Handicap]) -> list[dict[str, Any]]:
        """Return rows of another cost and of changes that make the printed one fair, all played again on fresh dice."""
        item = self.item
        if abs(item.fair - item.cost) <= item.tolerance or item.verdict == "not measurable here":
            return []
        whole = max(round(item.fair), 1)
        place = {"table": item.table, "card": item.name, "field": "cost_points"}
        cost = place | {"old": f"{item.cost:g}", "new": f"{whole}", "value": f"{whole}"}
        steps = sorted(self._fitting_steps(worth), key=_size)[:MOST_TRIED]
        costs = [whole] if whole != item.cost else []  # a whole banner may be nearest to what is not fair
        groups = [*(item.group(cost=price) for price in costs), *(item.group(step, item.cost) for step in steps)]
        if not groups:
            return []
        results = item.play(self.runner, groups, self.seed, self.n_battles, "analysis/price_card/fresh")
        rows = [cost | self._verdict_row(item.after(result, whole), whole) for result in results[: len(costs)]]
        for step, result in zip(steps, results[len(costs) :], strict=True):
            after = item.after(result, item.cost)
            rows += [_change(step) | self._verdict_row(after, item.cost)] if self._fits(after) else []
        return rows[: MOST_SHOWN + 1]

    def _verdict_row(self, after: FairAfter, cost: float) -> dict[str, Any]:
        """Return the columns of a fair cost and the verdict on a proposed cost, by the tolerance of the latter."""
        tolerance = self.tolerance.of(cost)
        verdict = judge_cost(cost, after.low, after.high, tolerance)
        return asdict(after) | {"cost": cost, "tolerance": tolerance, "verdict": verdict}

    def _fits(self, after: FairAfter, share: float = 1.0) -> bool:
        return abs(after.fair - self.item.cost) <= share * self.item.tolerance

    def _fitting_steps(self, worth: dict[CardStep, Handicap]) -> Iterator[CardStep]:
        """Yield for each field one change that makes the printed cost fair, as far as one can be found.

        The smallest is taken; of a number so large that its steps are fine, the one that comes nearest.
        """
        item, target_shift = self.item, self.item.shift_for(self.item.cost)
        steps = steps_of(self.runner.game, self.kind, item.cards, item.members, may_add_words=target_shift > 0)
        wide = [self._times(step, _width(step)) or step for step in steps]
        fit = item.shift_for(item.cost - item.tolerance), item.shift_for(item.cost + item.tolerance)
        worth = worth | self.worth([step for step in dict.fromkeys((*steps, *wide)) if step not in worth], fit)
        helpful = {
            step: result
            for step, result in worth.items()
            if result.shift * target_shift > SURE * abs(target_shift) * result.error
        }
        for _ in range(REFINEMENTS):
            more = dict.fromkeys(self._multiples(helpful, target_shift))
            helpful |= self.worth([step for step in more if step not in helpful], fit)
        places = set[tuple[str, str]]()
        for step in sorted(
            helpful,
            key=lambda change: abs(helpful[change].shift - target_shift) if _width(change) > 1 else _size(change)[0],
        ):
            place = step.path, "" if step.by else step.value
            if place not in places and self._fits(item.after(helpful[step]), LIKELY if abs(step.by) > 1 else 1.0):
                places.add(place)
                yield step

    def _multiples(self, helpful: dict[CardStep, Handicap], target_shift: float) -> Iterator[CardStep]:
        """Yield, for each number, larger changes near the one that interpolates to the shift wanted."""
        best = dict[str, CardStep]()
        for step in sorted(helpful, key=lambda change: -abs(helpful[change].shift - target_shift)):
            best[step.path] = step  # the nearest comes last
        for step in best.values():
            middle = target_shift / helpful[step].shift
            near = max(1.0, abs(middle * step.by) / TENTH) / max(abs(step.by), 1.0)
            for times in (middle - near, middle, middle + near):
                if times > 0 and (more := self._times(step, times)) is not None:
                    yield more

    def _times(self, step: CardStep, times: float) -> CardStep | None:
        return further(self.runner.game, self.kind, step, round(times * step.by) / (step.by or 1), self.item.members)

    def readings(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each reading of a rule under which some score differs, with the verdict under it."""
        readings = other_readings(self.runner.game, self.item.field.setting.changes)
        usual = self.item.says(self.item.as_it_is)
        for reading, handicap in self._under(readings):
            if not handicap.score_parts.any():
                continue
            after = self.item.after(handicap)
            says = self.item.says(after)
            columns = {"rule": reading.switch, "value": reading.value, "ambiguity": reading.ambiguity}
            fair = {"fair": after.fair, "low": after.low, "high": after.high}
            turns = "not yet known" not in (says, usual) and says != usual
            yield columns | {"sentence": reading.sentence} | fair | {"verdict": says, "turns": turns}

    def _under(self, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Handicap]]:
        """Yield the card's handicap under each reading less that under the rules in force, on the same dice."""
        setting, group = self.item.field.setting, self.item.group()
        groups = [group]
        for reading in readings:
            fixed = f"rules.{reading.switch}="
            changes = (*(change for change in setting.changes if not change.startswith(fixed)), reading.assignment)
            groups.append(replace(group, setting=replace(setting, changes=changes)))
        if readings:
            in_force, *results = self.item.play(self.runner, groups, self.seed, READING_BATTLES)
            yield from ((reading, result.beyond(in_force)) for reading, result in zip(readings, results, strict=True))


def _change(step: CardStep) -> dict[str, Any]:
    return {name: getattr(step, name) for name in CHANGE}


def _width(step: CardStep) -> int:
    """Return the step size for a number: about a tenth of its value, at least 1."""
    return max(1, round(abs(float(step.old)) / TENTH)) if step.by else 1


def _size(step: CardStep) -> tuple[float, str]:
    """Return a sort key for changes: how many steps a number moves (a word has a size of its own), then the path."""
    return abs(step.by) / _width(step) if step.by else WORD_COUNTS, step.path
