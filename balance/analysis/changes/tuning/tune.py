"""The few changes of a catalogue that make armies of equal points fair: foretold, played, corrected, played again.

Fair costs say what a change of a cost would do (see `tuning`). What a change of another number would do is measured:
changed members meet the field as it is, at fair costs, where every score is near one half. The changes found are then
played; where scores come out otherwise than foretold, that is corrected and others are looked for. What is told in
the end is played on fresh seeds, before and after, and knows nothing of fair costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.mean_scores import MeanScores, mean_scores
from balance.analysis.changes.tuning.fewest_changes import Movable, ScoreForecast, Step, Target, Tuning, fewest_changes
from balance.analysis.changes.tuning.movable import Number, numbers_to_move
from balance.analysis.prices.fair_costs import FairCosts, fair_costs
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.chance.pmf.arrays import IntArray
from balance.engine.runner import Runner
from balance.game.armies.armies import ChangedMember
from balance.game.loaded import LoadedGame

FloatArray = npt.NDArray[np.float64]
Verdict = Literal["reached", "not reached", "not yet known"]
LEAST_WORTH = 3.0
"""Standard errors that what a change of another number does must have, to be more than chance."""
SURE = 0.05
"""Chance that some interval of a verdict leaves out its score."""


@dataclass(frozen=True)
class TuneEffort:
    """How much is played.

    Attributes
    ----------
    fair
        Battles of the last round of fair costs for each fighter.
    search, check
        Pairs of battles of each entrant: after changes that were foretold, and on fresh seeds before and after.
    rounds
        How often changes are played and looked for anew.
    """

    fair: int = 800
    search: int = 600
    check: int = 2000
    rounds: int = 3


@dataclass(frozen=True)
class Change:
    """A value that changes, where it stands as a patch writes it."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class TuneResult:
    """What should change, and what that does.

    Attributes
    ----------
    game, setting, target, seed
        Of which game, where, towards what, and how it was had.
    max_changes
        Changes allowed.
    changes
        What should change, in the order of the catalogue.
    verdict
        What playing on fresh seeds says: whether every score, and the first mover, meets the target for certain.
    forecast_meets_target
        Whether they were foretold to; where not, the changes shrink the spread most.
    entrants, costs
        Who, and what they cost before and after, `float64[2, m]`.
    before, after
        Scores on fresh seeds.
    n_tried
        Numbers that could move.
    without_effect
        Numbers whose change nothing shows here.
    """

    game: LoadedGame
    setting: ArmySetting
    target: Target
    seed: int
    max_changes: int
    changes: tuple[Change, ...]
    verdict: Verdict
    forecast_meets_target: bool
    entrants: tuple[str, ...]
    costs: FloatArray
    before: MeanScores
    after: MeanScores
    n_tried: int
    without_effect: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        """Return how many changes there are, and what they reach."""
        return f"TuneResult({len(self.changes)} changes, {self.verdict})"

    def within(self, scores: MeanScores) -> int:
        """Return how many scores lie in the band."""
        return int(np.sum((scores.scores >= self.target.low) & (scores.scores <= self.target.high)))


def tune(
    runner: Runner,
    setting: ArmySetting,
    target: Target | None = None,
    max_changes: int = 5,
    patterns: Sequence[str] = (),
    seed: int = 0,
    effort: TuneEffort | None = None,
) -> TuneResult:
    """Return the fewest and smallest changes that bring the scores of armies of equal points into a band.

    Parameters
    ----------
    runner
        With the catalogue to be changed.
    setting
        Where armies meet; see `price_list.army_setting`.
    target
        Between which scores, and how strong the first mover may be.
    max_changes
        Numbers that may change.
    patterns
        Which may, as `numbers_to_move` takes them; all costs by default.

    Raises
    ------
    UsageError
        A word names no number, or armies do not meet so.
    """
    runner, goal, used_effort = runner, target or Target(), effort or TuneEffort()
    game, names = runner.game, tuple(runner.game.members_of(setting.kind))
    numbers = numbers_to_move(game, names, patterns)
    # armies of one member each, as scores are played: mixed armies ask for somewhat other costs
    fair = fair_costs(runner, setting, seed, names, n_battles=used_effort.fair, mixed=0.0)
    bench = _Bench(runner, setting, names, seed, used_effort)
    start_scores = bench.scores({}, used_effort.search)
    goal = replace(goal, guard=2 * float(np.median(start_scores.errors)))
    forecast = ScoreForecast(
        fair.printed_costs, fair.log_fair, 4 * fair.kappa, np.zeros(len(names)), start_scores.first_mover
    )
    movable, without_effect = bench.movable(numbers, fair)
    tuning = _search(
        bench, forecast.with_correction(start_scores.scores, *np.zeros((2, len(names)))), movable, goal, max_changes
    )
    values = {number.path: step.text for number, step in tuning.changes}
    # the checks have a seed of their own, so that luck which made these changes look good plays no part in them
    before, after = (bench.scores(new_values, used_effort.check, "check") for new_values in ({}, values))
    costs = np.array([bench.costs({}), bench.costs(values)])
    changes = tuple(Change(number.path, number.old, values[number.path]) for number in numbers if number.path in values)
    return TuneResult(
        game, setting, goal, seed, max_changes, changes, verdict_of(goal, after), tuning.meets_target, names, costs,
        before, after, len(numbers), without_effect,
    )  # fmt: skip


def verdict_of(target: Target, scores: MeanScores) -> Verdict:
    """Return whether scores meet a target, from intervals that hold all at once (Bonferroni).

    Parameters
    ----------
    target
        Where mean scores shall lie.
    scores
        As played.
    """
    from scipy.stats import norm

    n_claims = len(scores.scores) + (target.first_mover is not None)
    z = float(norm.ppf(1 - SURE / 2 / n_claims))
    low, high = scores.scores - z * scores.errors, scores.scores + z * scores.errors
    off = bool(np.any((high < target.low) | (low > target.high)))
    sure = bool(np.all((low >= target.low) & (high <= target.high)))
    if target.first_mover is not None:
        strong, wide = abs(scores.first_mover), z * scores.first_mover_error
        off, sure = off or strong - wide > target.first_mover, sure and strong + wide <= target.first_mover
    return "not reached" if off else "reached" if sure else "not yet known"


def _search(
    bench: _Bench, forecast: ScoreForecast, movable: Sequence[Movable], target: Target, max_changes: int
) -> Tuning:
    """Look for changes and play them, until they do as foretold or rounds are over; return the best as played."""
    outcomes: dict[tuple[tuple[str, str], ...], tuple[tuple[bool, float, float], Tuning]] = {}
    for _ in range(bench.effort.rounds):
        tuning = fewest_changes(forecast, movable, target, max_changes)
        values = tuple((number.path, step.text) for number, step in tuning.changes)
        if values in outcomes:
            break
        scores = bench.scores(dict(values), bench.effort.search)
        is_met = verdict_of(target, scores) != "not reached"
        spread = float(np.sum((scores.scores - 0.5) ** 2))
        outcomes[values] = (
            (not is_met, len(values) if is_met else 0, tuning.size if is_met else spread),
            replace(tuning, meets_target=is_met),
        )
        if is_met:
            break
        forecast = forecast.with_correction(scores.scores, tuning.points, tuning.worth)
    return min(outcomes.values(), key=lambda outcome: outcome[0])[1]


@dataclass(frozen=True)
class _Bench:
    """Where changes are played: a game as it is, and with values changed."""

    runner: Runner
    setting: ArmySetting
    names: tuple[str, ...]
    seed: int
    effort: TuneEffort
    baselines: dict[tuple[int, ...], MeanScores] = field(default_factory=dict)

    def changed_game(self, values: dict[str, str]) -> LoadedGame:
        """Return the game with some values changed."""
        game = self.runner.game
        return LoadedGame(game.definition, patch_catalogue(game.catalogue, values)) if values else game

    def costs(self, values: dict[str, str]) -> FloatArray:
        """Return what entrants cost with some values changed."""
        return costs_of(self.changed_game(values), self.names)

    def scores(
        self, values: dict[str, str], n_pairs: int, purpose: str = "search", costs: FloatArray | None = None
    ) -> MeanScores:
        """Play with some values changed."""
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
        """Return how every entrant plays."""
        return game.arena(self.setting.kind, self.names, self.setting.changes, **dict(self.setting.choices)).marks

    def movable(self, numbers: Sequence[Number], fair: FairCosts) -> tuple[list[Movable], tuple[str, ...]]:
        """Return numbers with what each of their values does, and those whose values do nothing that shows here."""
        movable, without_effect = [], []
        still = np.zeros(len(self.names))
        for at, number in enumerate(numbers):
            if number.points is not None:
                old = float(number.old)
                steps = [
                    Step(text, abs(float(text) - old) / max(abs(old), 1), (float(text) - old) * number.points, still)
                    for text in number.texts
                    if (fair.printed_costs + (float(text) - old) * number.points > 0).all()
                ]
            else:
                measure = self.rule_step if number.path.startswith(RULES) else self.card_step
                steps = [step for text in number.texts if (step := measure(number, text, fair)) is not None]
            self.runner.engine.tell("numbers that may move", at + 1, len(numbers))
            if steps:
                movable.append(Movable(number.path, number.old, tuple(steps)))
            else:
                without_effect.append(number.path)
        return movable, tuple(without_effect)

    def card_step(self, number: Number, text: str, fair: FairCosts) -> Step | None:
        """Measure what another value on a card is worth: members so changed meet the field as it is."""
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
        """Return what some entrants score at fair costs; once for all numbers of a card."""
        if rows not in self.baselines:
            self.baselines[rows] = self.against_field(self.names, fair.fair, np.array(rows), np.array(rows))
        return self.baselines[rows]

    def against_field(
        self, members: Sequence[str | ChangedMember], costs: FloatArray, rows: IntArray, stands_for: IntArray
    ) -> MeanScores:
        """Return what members score against the field, each standing for one of it."""
        return mean_scores(
            self.runner, self.setting, members, costs, self.effort.search, self.seed,
            rows=rows, stands_for=stands_for, n_field=len(self.names),
        )  # fmt: skip

    def rule_step(self, number: Number, text: str, fair: FairCosts) -> Step | None:
        """Measure what another reading of a rule or another constant does to everybody and to the first mover."""
        try:
            before, after = (
                self.scores(values, self.effort.search, costs=fair.fair) for values in ({}, {number.path: text})
            )
        except BalanceError:
            return None
        if np.array_equal(before.scores, after.scores):
            return None
        return _step(number, text, _worth(before, after, fair.kappa), after.first_mover - before.first_mover)


CHECK_SEED = 0x5EED
RULES = ("rules.", "constants.")


def _worth(before: MeanScores, after: MeanScores, kappa: FloatArray) -> FloatArray:
    """Return what a change adds to the log of fair costs; nothing where it may be chance."""
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
