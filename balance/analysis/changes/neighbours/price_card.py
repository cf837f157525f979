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
from balance.analysis.changes.neighbours.priced import FairAfter, Priced, find_priced
from balance.analysis.claims.rule_options import Reading, other_readings
from balance.analysis.prices.price_list import PriceList
from balance.analysis.scores.usual_prices import Tolerance, judge_cost
from balance.base.numbers import SURE
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner

__all__ = ["CardPrice", "price_card", "step_points"]

FEW = 1024
"""Battles of each reading of a rule: there are many, and most make no difference."""
TENTH = 10
"""A number changes by this part of it at a time where its steps are smaller than that."""
MOST_TRIED, MOST_SHOWN = 8, 5
REFINED = 2
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
    priced
        Who, and what the price list says of it.
    steps
        One row for each field and direction (`table`, `card`, `field`, `old`, `new`; of a list of words the word that
        goes, the rest being `value`): `score` is what an army of it scores more at the same cost, `points` what the
        change is worth, each with a 95 % interval; null where the setting cannot see it (`seen`).
    alternatives
        Another cost, and single changes after which the printed cost is within the tolerance, the smallest first: all
        on fresh seeds, `fair` then, and `score` beyond one half at that `cost`. The `verdict` of each is by its own
        interval: "not yet known" where that reaches beyond the tolerance. None where the price is within it.
    readings
        One row for each reading of a rule that makes a difference to it, and whether it `turns` the verdict.
    seed, n_battles
        How it was had; battles of each change.
    """

    priced: Priced
    steps: pl.DataFrame
    alternatives: pl.DataFrame
    readings: pl.DataFrame
    seed: int
    n_battles: int

    def __repr__(self) -> str:
        """Return who it is, what it costs, and what would be fair."""
        priced = self.priced
        return f"CardPrice({priced.name!r}, cost {priced.cost:g}, fair {priced.fair:g}, {priced.verdict})"


def price_card(
    runner: Runner,
    prices: PriceList,
    name: str,
    seed: int = 0,
    *,
    tolerance: Tolerance | None = None,
    n_battles: int = N_BATTLES,
) -> CardPrice:
    """Return the price of one card or loadout of a price list.

    Raises
    ------
    UsageError
        There is no such card or loadout; names the nearest.
    """
    allowed = tolerance or prices.tolerance
    desk = _Desk(runner, find_priced(runner, prices, name, allowed), seed, n_battles, allowed)
    steps = steps_of(runner.game, desk.kind, desk.priced.cards, desk.priced.members)
    worth = desk.worth(steps)
    return CardPrice(
        desk.priced,
        pl.DataFrame([desk.step_row(step, worth.get(step)) for step in steps], schema=STEPS),
        pl.DataFrame(desk.alternatives(worth), schema=ALTERNATIVES),
        pl.DataFrame(list(desk.readings()), schema=READINGS),
        seed,
        n_battles,
    )


def step_points(
    runner: Runner, priced: Priced, seed: int = 0, *, added: bool = False, n_battles: int = N_BATTLES
) -> dict[CardStep, Estimate | None]:
    """Return what each single change of a card is worth in points; None where the setting cannot see it.

    Parameters
    ----------
    added
        Whether words that a card does not have may be put on it, too.
    """
    desk = _Desk(runner, priced, seed, n_battles)
    steps = steps_of(runner.game, desk.kind, priced.cards, priced.members, added=added)
    worth, found = desk.worth(steps), dict[CardStep, Estimate | None]()
    for step in steps:
        row = desk.step_row(step, worth.get(step))
        seen = row["points"] is not None
        found[step] = Estimate(row["points"], row["low"], row["high"], n_battles, "fitted") if seen else None
    return found


@dataclass(frozen=True)
class _Desk:
    """Where one card or loadout is priced."""

    runner: Runner
    priced: Priced
    seed: int
    n_battles: int
    tolerance: Tolerance = field(default_factory=Tolerance)

    @property
    def kind(self) -> str:
        return self.priced.field.setting.kind

    def worth(self, steps: Sequence[CardStep], within: tuple[float, float] | None = None) -> dict[CardStep, Handicap]:
        """Return by how much each step that can be seen differs from the card as it is; of use where `within`."""
        if not (seen := [step for step in steps if step.seen]):
            return {}
        judged = [self.priced.judged(), *map(self.priced.judged, seen)]
        printed, *found = self.priced.play(self.runner, judged, self.seed, self.n_battles, within=within)
        return {step: one.beyond(printed) for step, one in zip(seen, found, strict=True)}

    def step_row(self, step: CardStep, worth: Handicap | None) -> dict[str, Any]:
        row = _change(step) | {"seen": step.seen}
        if worth is None:
            return row | dict.fromkeys((*SCORE, "points", "low", "high"))
        priced = replace(self.priced, low=self.priced.fair, high=self.priced.fair)  # a difference, whatever it costs
        found = asdict(priced.after(worth))
        ends = {name: found[name] - priced.fair for name in ("low", "high")}
        return row | found | {"points": found.pop("fair") - priced.fair} | ends

    def alternatives(self, worth: dict[CardStep, Handicap]) -> list[dict[str, Any]]:
        """Return another cost and the changes that would make the printed one fair, each confirmed."""
        priced = self.priced
        if abs(priced.fair - priced.cost) <= priced.tolerance or priced.verdict == "not measurable here":
            return []
        whole = max(round(priced.fair), 1)
        other = {"table": priced.table, "card": priced.name, "field": "cost_points"}
        cost = other | {"old": f"{priced.cost:g}", "new": f"{whole}", "value": f"{whole}"}
        tried = sorted(self._fitting(worth), key=_size)[:MOST_TRIED]
        costs = [whole] if whole != priced.cost else []  # a whole banner may be nearest to what is not fair
        judged = [*(priced.judged(cost=one) for one in costs), *(priced.judged(step, priced.cost) for step in tried)]
        if not judged:
            return []
        found = priced.play(self.runner, judged, self.seed, self.n_battles, "analysis/price_card/fresh")
        rows = [cost | self._judged(priced.after(one, whole), whole) for one in found[: len(costs)]]
        for step, one in zip(tried, found[len(costs) :], strict=True):
            after = priced.after(one, priced.cost)
            rows += [_change(step) | self._judged(after, priced.cost)] if self._fits(after) else []
        return rows[: MOST_SHOWN + 1]

    def _judged(self, after: FairAfter, cost: float) -> dict[str, Any]:
        """Return what a fair cost comes to beside a cost that is proposed, by the tolerance of that."""
        allowed = self.tolerance.of(cost)
        verdict = judge_cost(cost, after.low, after.high, allowed)
        return asdict(after) | {"cost": cost, "tolerance": allowed, "verdict": verdict}

    def _fits(self, after: FairAfter, share: float = 1.0) -> bool:
        return abs(after.fair - self.priced.cost) <= share * self.priced.tolerance

    def _fitting(self, worth: dict[CardStep, Handicap]) -> Iterator[CardStep]:
        """Yield a change of each field that makes the printed cost fair, as far as one can be found.

        The smallest is taken; of a number so large that its steps are fine, the one that comes nearest.
        """
        priced, wanted = self.priced, self.priced.wanted(self.priced.cost)
        every = steps_of(self.runner.game, self.kind, priced.cards, priced.members, added=wanted > 0)
        wide = [self._times(step, _width(step)) or step for step in every]
        fit = priced.wanted(priced.cost - priced.tolerance), priced.wanted(priced.cost + priced.tolerance)
        worth = worth | self.worth([step for step in dict.fromkeys((*every, *wide)) if step not in worth], fit)
        helpful = {step: one for step, one in worth.items() if one.shift * wanted > SURE * abs(wanted) * one.error}
        for _ in range(REFINED):
            more = dict.fromkeys(self._multiples(helpful, wanted))
            helpful |= self.worth([step for step in more if step not in helpful], fit)
        taken = set[tuple[str, str]]()
        for step in sorted(
            helpful, key=lambda one: abs(helpful[one].shift - wanted) if _width(one) > 1 else _size(one)[0]
        ):
            place = step.path, "" if step.by else step.value
            if place not in taken and self._fits(priced.after(helpful[step]), LIKELY if abs(step.by) > 1 else 1.0):
                taken.add(place)
                yield step

    def _multiples(self, helpful: dict[CardStep, Handicap], wanted: float) -> Iterator[CardStep]:
        """Yield changes of numbers by so much that they may come near what is wanted."""
        best = dict[str, CardStep]()
        for step in sorted(helpful, key=lambda one: -abs(helpful[one].shift - wanted)):
            best[step.path] = step  # the nearest comes last
        for step in best.values():
            middle = wanted / helpful[step].shift
            near = max(1.0, abs(middle * step.by) / TENTH) / max(abs(step.by), 1.0)
            for times in (middle - near, middle, middle + near):
                if times > 0 and (more := self._times(step, times)) is not None:
                    yield more

    def _times(self, step: CardStep, times: float) -> CardStep | None:
        return further(self.runner.game, self.kind, step, round(times * step.by) / (step.by or 1), self.priced.members)

    def readings(self) -> Iterator[dict[str, Any]]:
        """Yield what each reading of a rule makes of the verdict, where it makes a difference at all."""
        every = other_readings(self.runner.game, self.priced.field.setting.changes)
        usual = self.priced.says(self.priced.as_it_is)
        for reading, one in self._under(every):
            if not one.score_parts.any():
                continue
            after = self.priced.after(one)
            says = self.priced.says(after)
            told = {"rule": reading.switch, "value": reading.value, "ambiguity": reading.ambiguity}
            fair = {"fair": after.fair, "low": after.low, "high": after.high}
            turns = "not yet known" not in (says, usual) and says != usual
            yield told | {"sentence": reading.sentence} | fair | {"verdict": says, "turns": turns}

    def _under(self, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Handicap]]:
        """Yield by how much the card differs under each reading from what it is by the rules in force."""
        setting, judged = self.priced.field.setting, self.priced.judged()
        played = [judged]
        for reading in readings:
            fixed = f"rules.{reading.switch}="
            changes = (*(one for one in setting.changes if not one.startswith(fixed)), reading.assignment)
            played.append(replace(judged, setting=replace(setting, changes=changes)))
        if readings:
            in_force, *found = self.priced.play(self.runner, played, self.seed, FEW)
            yield from ((reading, one.beyond(in_force)) for reading, one in zip(readings, found, strict=True))


def _change(step: CardStep) -> dict[str, Any]:
    return {name: getattr(step, name) for name in CHANGE}


def _width(step: CardStep) -> int:
    """Return by how many steps a number of that size changes at a time."""
    return max(1, round(abs(float(step.old)) / TENTH)) if step.by else 1


def _size(step: CardStep) -> tuple[float, str]:
    """Return how large a change is beside others."""
    return abs(step.by) / _width(step) if step.by else WORD_COUNTS, step.path
