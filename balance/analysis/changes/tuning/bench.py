"""Plays changes of a catalogue: measures what each does alone, and the scores with several of them in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.mean_scores import MeanScores, mean_scores
from balance.analysis.changes.tuning.movable import Number, allowed_texts, cost_texts, is_allowed
from balance.analysis.changes.tuning.powers import CardCost, PowerOfCosts, powers_of_costs
from balance.analysis.changes.tuning.score_forecast import Movable, Step, Target
from balance.analysis.changes.tuning.verdict import LOOK_SURE, verdict_of
from balance.analysis.prices.fits.fair_costs import FairCosts
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.engine.runner import Runner
from balance.game.armies.armies import ChangedMember
from balance.game.loaded import LoadedGame

LEAST_WORTH = 3.0
"""Standard errors that what a change of another number does must have, to be more than chance."""
CHECK_SEED = 0x5EED
MOST_FAIR = 36_000
"""Battles of the last round of fair costs above which many entrants have fewer each, but at least half as many."""
FEW = 4
"""By how much less is played at first."""
RULES = ("rules.", "constants.")


@dataclass(frozen=True)
class TuneEffort:
    """How much is played.

    `fair`: battles of the last round of fair costs for each fighter, fewer where there are many of them. `search` and
    `check`: pairs of battles of each entrant: after changes that were forecast, and on fresh seeds before and after. A
    quarter of them where that shows already that the target is missed. `rounds`: how often changes are played and
    looked for anew.
    """

    fair: int = 800
    search: int = 600
    check: int = 2000
    rounds: int = 3


def fair_battles(effort: TuneEffort, n_entrants: int) -> int:
    """Return the battles per fighter in the last round of fair costs, fewer where there are many entrants.

    >>> [fair_battles(TuneEffort(), n) for n in (5, 60, 200)]
    [800, 600, 400]
    """
    return max(min(effort.fair, MOST_FAIR // n_entrants), effort.fair // 2)


@dataclass(frozen=True)
class Bench:
    """Plays a game as it is, and with values changed; `baselines` caches scores by the rows played."""

    runner: Runner
    setting: ArmySetting
    names: tuple[str, ...]
    seed: int
    effort: TuneEffort
    baselines: dict[tuple[int, ...], MeanScores] = field(default_factory=dict)

    def changed_game(self, values: dict[str, str]) -> LoadedGame:
        """Return the game with values, path -> text, patched into its catalogue."""
        game = self.runner.game
        return LoadedGame(game.definition, patch_catalogue(game.catalogue, values)) if values else game

    def costs(self, values: dict[str, str]) -> FloatArray:
        """Return what entrants cost in points with values, path -> text, changed, `float64[m]`."""
        return costs_of(self.changed_game(values), self.names)

    def scores(
        self, values: dict[str, str], n_pairs: int, purpose: str = "search", costs: FloatArray | None = None
    ) -> MeanScores:
        """Return mean scores with values changed; any purpose but "search" gives fresh seeds."""
        at = self.costs(values) if costs is None else costs
        seed = self.seed if purpose == "search" else (self.seed ^ CHECK_SEED)
        if not self.plays_otherwise(values):
            return mean_scores(self.runner, self.setting, self.names, at, n_pairs, seed)
        with Runner(self.changed_game(values), self.runner.engine) as runner:
            return mean_scores(runner, self.setting, self.names, at, n_pairs, seed)

    def plays_otherwise(self, values: dict[str, str]) -> bool:
        """Return whether changed values change how anything plays, not only what it costs."""
        return bool(values) and (
            any(path.startswith(RULES) for path in values)
            or self.marks(self.changed_game(values)) != self.marks(self.runner.game)
        )

    def marks(self, game: LoadedGame) -> tuple[str, ...]:
        """Return for every entrant a text that is the same for all that play alike."""
        return game.arena(self.setting.kind, self.names, self.setting.changes, **dict(self.setting.choices)).marks

    def first_look(self, values: dict[str, str], target: Target) -> MeanScores:
        """Return mean scores with values changed, from few battles if these show that the target is missed."""
        few = self.scores(values, self.effort.search // FEW)
        missed = verdict_of(target, few, LOOK_SURE) == "not reached"
        return few if missed else self.scores(values, self.effort.search)

    def check(self, values: dict[str, str], target: Target) -> tuple[MeanScores, MeanScores]:
        """Return mean scores before and after on fresh seeds, from few battles if these show that a target is missed.

        The checks have a seed of their own, so that luck which made changes look good plays no part in them.
        """
        n_pairs = self.effort.check // FEW
        after = self.scores(values, n_pairs, "check")
        if verdict_of(target, after, LOOK_SURE) != "not reached":
            n_pairs = self.effort.check
            after = self.scores(values, n_pairs, "check")
        return self.scores({}, n_pairs, "check") if values else after, after

    @property
    def smallest_budget(self) -> float:
        """Points of the smallest budget, which no cost may exceed."""
        return float(self.setting.budgets[0][0])

    def powers(self, numbers: Sequence[Number]) -> list[PowerOfCosts]:
        """Return the powers to which all costs among the numbers may be raised, if the catalogue allows the results."""
        cards = [
            CardCost(number.path, float(number.old), number.points) for number in numbers if number.points is not None
        ]
        return [power for power in powers_of_costs(cards) if is_allowed(self.runner.game, power.costs)]

    def at_power(
        self, power: PowerOfCosts, numbers: Sequence[Number], movable: Sequence[Movable], costs: FloatArray
    ) -> list[Movable]:
        """Return `movable` for changes made after all costs are raised to a power, where entrants cost `float64[m]`."""
        raised, paths = [], {number.path for number in movable}
        for number in numbers:
            if number.path in paths and number.path in power.costs:
                old, game = power.costs[number.path], self.runner.game
                texts = allowed_texts(game, number.path, cost_texts(float(old), self.smallest_budget))
                raised.append(_cost_movable(replace(number, old=old, texts=texts), costs))
        others = [number for number in movable if number.path not in power.costs]
        return [number for number in raised if number.steps] + others

    def movable(self, numbers: Sequence[Number], fair: FairCosts) -> tuple[list[Movable], tuple[str, ...]]:
        """Return numbers with the effect of each of their values, and the paths of those without any effect here."""
        movable, without_effect = [], []
        for at, number in enumerate(numbers):
            if number.points is not None:
                found = _cost_movable(number, fair.printed_costs)
            else:
                measure = self.rule_step if number.path.startswith(RULES) else self.card_step
                steps = [step for text in number.texts if (step := measure(number, text, fair)) is not None]
                found = Movable(number.path, number.old, tuple(steps))
            self.runner.engine.tell("numbers that may move", at + 1, len(numbers))
            if found.steps:
                movable.append(found)
            else:
                without_effect.append(number.path)
        return movable, tuple(without_effect)

    def card_step(self, number: Number, text: str, fair: FairCosts) -> Step | None:
        """Measure a card's other value by members so changed against the field as it is; None if illegal or unseen."""
        entry, m = number.path.split(".")[1], len(self.names)
        holders = [at for at, name in enumerate(self.names) if entry in self.runner.game.parts(name)] or list(range(m))
        members: tuple[str | ChangedMember, ...] = (
            *self.names,
            *(ChangedMember(self.names[at], ((number.path, text),)) for at in holders),
        )
        try:
            arena = self.runner.game.arena(
                self.setting.kind, members, self.setting.changes, **dict(self.setting.choices)
            )
        except BalanceError:
            return None  # somebody would no longer be legal
        affected_places = [place for place, at in enumerate(holders) if arena.marks[m + place] != arena.marks[at]]
        if not affected_places:
            return None
        originals = np.array([holders[place] for place in affected_places])
        costs = np.concatenate([fair.fair, fair.fair[holders]])
        before = self.as_they_are(tuple(originals.tolist()), fair)
        after = self.against_field(members, costs, m + np.array(affected_places), originals)
        worth = np.zeros(m)
        worth[originals] = _worth(before, after, fair.kappa[originals])
        return _step(number, text, worth)

    def as_they_are(self, rows: tuple[int, ...], fair: FairCosts) -> MeanScores:
        """Return what entrants at these places score at fair costs, cached for all numbers of a card."""
        if rows not in self.baselines:
            self.baselines[rows] = self.against_field(self.names, fair.fair, np.array(rows), np.array(rows))
        return self.baselines[rows]

    def against_field(
        self, members: Sequence[str | ChangedMember], costs: FloatArray, rows: IntArray, stands_for: IntArray
    ) -> MeanScores:
        """Return what the members at `rows` score against the field, each never meeting the one that it stands for."""
        return mean_scores(
            self.runner, self.setting, members, costs, self.effort.search, self.seed,
            rows=rows, stands_for=stands_for, n_field=len(self.names),
        )  # fmt: skip

    def rule_step(self, number: Number, text: str, fair: FairCosts) -> Step | None:
        """Measure another reading or constant by its effect on all scores and going first; None if illegal or idle."""
        try:
            before, after = (
                self.scores(values, self.effort.search, costs=fair.fair) for values in ({}, {number.path: text})
            )
        except BalanceError:
            return None
        if np.array_equal(before.scores, after.scores):
            return None
        return _step(number, text, _worth(before, after, fair.kappa), after.first_mover - before.first_mover)


def _cost_movable(number: Number, costs: FloatArray) -> Movable:
    """Return a cost with the effect of each of its values on the costs of entrants, `float64[m]` before."""
    old, points = float(number.old), np.zeros(len(costs)) if number.points is None else number.points
    steps = [
        Step(text, abs(float(text) - old) / max(abs(old), 1), (float(text) - old) * points, np.zeros(len(costs)))
        for text in number.texts
        if (costs + (float(text) - old) * points > 0).all()
    ]
    return Movable(number.path, number.old, tuple(steps))


def _worth(before: MeanScores, after: MeanScores, kappa: FloatArray) -> FloatArray:
    """Return what a change adds to the log of fair costs, `float64[m]`; 0 where scores differ only by chance."""
    logit = [
        np.log(scores / (1 - scores)) for scores in (np.clip(result.scores, 0.02, 0.98) for result in (before, after))
    ]
    sure = np.abs(after.scores - before.scores) > LEAST_WORTH * np.hypot(before.errors, after.errors)
    return np.where(sure, (logit[1] - logit[0]) / (4 * kappa), 0.0)


def _step(number: Number, text: str, worth: FloatArray, first_mover: float = 0.0) -> Step:
    try:
        old = float(number.old)
        size = abs(float(text) - old) / max(abs(old), 1.0)
    except ValueError:
        size = 1.0  # another reading
    return Step(text, size, np.zeros(len(worth)), worth, first_mover)
