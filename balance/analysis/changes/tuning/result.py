"""What a search for changes comes to, as played: arrays over entrants, and the answer that is made of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.mean_scores import MeanScores
from balance.analysis.changes.tuning.answer import (
    Change,
    CostPower,
    EntrantScore,
    FewestChanges,
    FirstMoverAdvantage,
    TuneScores,
    TuneSetting,
    TuneTarget,
)
from balance.analysis.changes.tuning.powers import PowerOfCosts
from balance.analysis.changes.tuning.score_forecast import Target
from balance.analysis.changes.tuning.verdict import Headline, Verdict, judged_scores, meets
from balance.base.answers import Budget
from balance.base.arrays import FloatArray, IntArray
from balance.base.numbers import SURE
from balance.game.loaded import LoadedGame


@dataclass(frozen=True)
class TuneResult:
    """The changes that were found, and their effect as played on fresh seeds; `answer` says what is told of it.

    `costs` are those of the `entrants` before and after, `float64[2, m]`. Changes that were not forecast to meet the
    target shrink the spread most. `without_effect` are numbers of which nothing shows here, and `twins` costs that
    nobody named, left alone since this setting does not tell their cards from others which cost something else.
    """

    game: LoadedGame
    setting: ArmySetting
    target: Target
    seed: int
    max_changes: int
    changes: tuple[Change, ...]
    power: PowerOfCosts | None
    verdict: Verdict
    forecast_meets_target: bool
    entrants: tuple[str, ...]
    costs: FloatArray
    before: MeanScores
    after: MeanScores
    n_tried: int
    without_effect: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the number of changes and the headline in one line."""
        return f"TuneResult({self.n_changes} changes, {self.headline})"

    @property
    def single_changes(self) -> tuple[Change, ...]:
        """Changes that stand alone, not as part of all costs to a power."""
        return tuple(change for change in self.changes if change.by == "itself")

    @property
    def n_changes(self) -> int:
        """How many changes there are; all costs to a power count as one."""
        return len(self.single_changes) + (self.power is not None)

    @property
    def headline(self) -> Headline:
        """As played: "reached" if scores meet the target, else "better" if there are changes, else "not found"."""
        if meets(self.target, self.after):
            return "reached"
        return "better" if self.changes else "not found"

    @property
    def outside(self) -> IntArray:
        """Places of entrants whose score lies outside the band after the changes, the farthest first."""
        scores = self.after.scores
        beyond = np.maximum(self.target.low - scores, scores - self.target.high)
        order = np.arange(len(scores)) if self.target.judged is None else self.target.judged
        order = order[np.argsort(-beyond[order], kind="stable")]
        return np.asarray(order[beyond[order] > 0])

    @property
    def moved_out(self) -> IntArray:
        """Places of entrants whose score lay in the band before the changes and lies outside after, farthest first."""
        return self.outside[self.target.holds(self.before.scores)[self.outside]]

    def within(self, scores: MeanScores) -> int:
        """Return how many of the judged scores lie in the band."""
        return int(np.sum(self.target.holds(self.judged(scores).scores)))

    def judged(self, scores: MeanScores) -> MeanScores:
        """Return the scores that are judged: all but of those whose price is not measurable here."""
        return judged_scores(self.target, scores)

    @property
    def n_judged(self) -> int:
        """How many entrants are judged: those whose price is measurable here."""
        return len(self.judged(self.after).scores)

    def answer(self) -> FewestChanges:
        """Return what there is to say of the changes while no patch of them is written."""
        catalogue, target, power, setting = self.game.catalogue, self.target, self.power, self.setting
        return FewestChanges(
            1,
            self.game.definition.name,
            "tune",
            self.seed,
            TuneTarget(target.low, target.high, target.first_mover, self.max_changes),
            self.headline,
            self.verdict,
            self.forecast_meets_target,
            self.n_changes,
            None if power is None else CostPower(power.power, power.times),
            self.changes,
            TuneSetting(setting.kind, tuple(Budget(*budget) for budget in setting.budgets), setting.changes),
            self._scores(self.before, 0),
            self._scores(self.after, 1),
            tuple(self.entrants[place] for place in self.outside.tolist()),
            tuple(self.entrants[place] for place in self.moved_out.tolist()),
            (*self.without_effect, *self.twins),
            None,
            catalogue.rules_version,
            catalogue.sha256,
            self.n_tried,
            self.twins,
            None,
        )

    def _scores(self, means: MeanScores, side: int) -> TuneScores:
        """Return how fair armies are before the changes, side 0, or after them, side 1."""
        judged, errors = self.judged(means), (SURE * means.errors).tolist()
        rows = zip(self.entrants, self.costs[side].tolist(), means.scores.tolist(), errors, strict=True)
        return TuneScores(
            self.within(means),
            self.n_judged,
            judged.spread,
            FirstMoverAdvantage(means.first_mover, means.first_mover_error),
            means.n_pairs,
            {
                name: EntrantScore(cost, score, max(score - error, 0.0), min(score + error, 1.0), self.game.label(name))
                for name, cost, score, error in rows
            },
            float(judged.scores.min()),
            float(judged.scores.max()),
        )
