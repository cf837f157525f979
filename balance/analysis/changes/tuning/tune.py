"""The few changes of a catalogue that make armies of equal points fair: forecast, played, corrected, played again.

Fair costs say what a change of a cost would do (see `score_forecast`), and what all costs to a power would. What a
change of another number would do is measured: changed members meet the field as it is, at fair costs, where every score
is near one half. The changes found are then played; where scores differ from the forecast, that is corrected and others
are looked for. What is reported in the end is played on fresh seeds, before and after, without use of fair costs:
changes that bring no score nearer there are no answer.

The cost of a card is left alone where this setting does not tell it from a twin of another cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.mean_scores import MeanScores
from balance.analysis.changes.tuning.answer import Change
from balance.analysis.changes.tuning.bench import Bench, TuneEffort, fair_battles
from balance.analysis.changes.tuning.fewest_changes import Tuning, fewest_changes
from balance.analysis.changes.tuning.movable import Number, moves_all_costs, numbers_to_move
from balance.analysis.changes.tuning.powers import LEAST_COSTS, PowerOfCosts, likely_powers
from balance.analysis.changes.tuning.result import TuneResult
from balance.analysis.changes.tuning.score_forecast import Movable, ScoreForecast, Target
from balance.analysis.changes.tuning.verdict import is_nearer, meets, verdict_of
from balance.analysis.prices.asked import card_of, known_cards, unseen_fields
from balance.analysis.prices.entries import price_entries
from balance.analysis.prices.fewest_costs import fewest_costs
from balance.analysis.prices.fits.fair_costs import FairCosts, fair_costs
from balance.analysis.prices.verdicts import NOT_MEASURABLE, TOO_CHEAP, TOO_DEAR, price_verdicts
from balance.analysis.scores.cards import priced_parts
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.arrays import BoolArray, FloatArray
from balance.base.numbers import SURE, show_probability
from balance.base.progress import tell_estimate
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame


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

    `patterns` say which numbers may change, as `numbers_to_move` takes them, all costs by default; at most
    `max_changes` of them do, where all costs to a power are one. Raise UsageError where a word names no number, or
    armies do not meet so.
    """
    goal, used_effort = target or Target(), effort or TuneEffort()
    names = tuple(runner.game.members_of(setting.kind))
    bench = Bench(runner, setting, names, seed, used_effort)
    numbers = numbers_to_move(runner.game, names, patterns, bench.smallest_budget)
    # armies of one member each, as scores are played: mixed armies ask for somewhat other costs
    fair = fair_costs(runner, setting, seed, names, n_battles=fair_battles(used_effort, len(names)), mixed=0.0)
    cards, entrants = (frozenset(), frozenset()) if patterns else unmeasured(runner.game, fair)
    if entrants:
        goal = replace(goal, judged=np.array([at for at, name in enumerate(names) if name not in entrants]))
    start = bench.first_look({}, goal)
    _tell_early(start)
    # a change of one of n numbers takes off an nth on average: half of that is little
    goal = replace(goal, guard=2 * float(np.median(start.errors)), least_gain=0.5 / (len(numbers) + 1))
    search = _Search(bench, goal, tuple(numbers), max_changes, moves_all_costs(runner.game, names, patterns))
    movable, without_effect = bench.movable(numbers, fair)
    twins = tuple(number.path for number in numbers if number.points is not None and number.path.split(".")[1] in cards)
    movable = [number for number in movable if number.path not in twins]
    tuning = search.best_as_played(_forecast(bench, fair, start), movable, start)
    before, after = bench.check(tuning.values, goal)
    if tuning.values and (meets(goal, before) or not (meets(goal, after) or is_nearer(goal, before, after))):
        tuning, after = replace(tuning, changes=(), power=None, meets_target=meets(goal, before)), before
    costs = np.array([bench.costs({}), bench.costs(tuning.values)])
    return TuneResult(
        runner.game, setting, goal, seed, max_changes, _changes(numbers, tuning, fair), tuning.power,
        verdict_of(goal, after), tuning.meets_target, names, costs, before, after, len(numbers), without_effect, twins,
    )  # fmt: skip


def _tell_early(start: MeanScores) -> None:
    """Tell between which mean scores the members lie as they are, and how sure that is in percentage points."""
    low, high = (show_probability(float(end)) for end in (start.scores.min(), start.scores.max()))
    tell_estimate(f"mean scores {low} to {high} as it is, +-{100 * SURE * float(np.median(start.errors)):.1f}")


def _forecast(bench: Bench, fair: FairCosts, start: MeanScores) -> ScoreForecast:
    """Return the forecast from fair costs alone, before any correction by played scores."""
    none = np.zeros(len(fair.entrants))
    return ScoreForecast(
        fair.printed_costs, fair.log_fair, 4 * fair.kappa, none, start.first_mover,
        smallest_budget=bench.smallest_budget,
    )  # fmt: skip


def _changes(numbers: Sequence[Number], tuning: Tuning, fair: FairCosts) -> tuple[Change, ...]:
    """Return every value that changes, in the order of the catalogue, with what it does in points."""
    steps = {number.path: step for number, step in tuning.changes}
    changes = []
    for number in numbers:
        new = tuning.values.get(number.path, number.old)
        if new == number.old or (number.points is not None and float(new) == float(number.old)):
            continue
        step, points = steps.get(number.path), 0.0
        if number.points is not None:
            points = float(new) - float(number.old)
        elif step is not None and step.worth.any():
            points = float(np.median((fair.fair * np.expm1(step.worth))[step.worth != 0]))
        is_cost = number.points is not None
        by_power, verdict = step is None, verdict_before(points, is_cost)
        changes.append(
            Change(number.path, number.old, new, "power" if by_power else "itself", verdict, points, is_cost)
        )
    return tuple(changes)


def verdict_before(points: float, is_cost: bool) -> str:
    """Return what a change of a cost, or of what is worth so many points, says of what it touches as it is.

    >>> verdict_before(7.0, is_cost=True), verdict_before(2.5, is_cost=False)  # what is to be worth more is too dear
    ('too cheap', 'too dear')
    """
    if not points:
        return ""
    return TOO_CHEAP if (points > 0) == is_cost else TOO_DEAR


@dataclass(frozen=True)
class _Search:
    """The search for changes that do when played what was forecast of them; with `any_power` of all costs, too."""

    bench: Bench
    target: Target
    numbers: tuple[Number, ...]
    max_changes: int
    any_power: bool

    def best_as_played(self, forecast: ScoreForecast, movable: Sequence[Movable], start: MeanScores) -> Tuning:
        """Look for changes and play them until they do as forecast or rounds are over; return the best as played."""
        nothing = self.as_played(Tuning.of(forecast, self.target), start)
        if nothing.meets_target:
            return nothing
        inside = self.target.holds(nothing.scores)
        forecast = replace(forecast, inside=inside).with_correction(nothing.scores, nothing.points, nothing.worth)
        outcomes: dict[tuple[tuple[str, str], ...], Tuning] = {(): nothing}
        powers = self.bench.powers(self.numbers) if self.any_power else []
        for _ in range(self.bench.effort.rounds):
            tuning = self.foretold(forecast, movable, powers)
            key = tuple(sorted(tuning.values.items()))
            if key in outcomes:
                break
            played = self.as_played(tuning, self.bench.first_look(tuning.values, self.target), inside)
            outcomes[key] = played
            if played.meets_target:
                break
            forecast = forecast.with_correction(played.scores, played.points, played.worth)
        return min(outcomes.values(), key=lambda outcome: outcome.rank)

    def as_played(self, tuning: Tuning, means: MeanScores, inside: BoolArray | None = None) -> Tuning:
        """Return changes with scores and verdict from playing; those of `inside`, `bool[m]`, should stay in it."""
        scores = _between(tuning.scores, means)
        is_met = meets(self.target, replace(means, scores=scores)) and verdict_of(self.target, means) != "not reached"
        unfairness = float(self.target.unfairness(scores, means.first_mover, inside))
        return replace(tuning, meets_target=is_met, scores=scores, first_mover=means.first_mover, unfairness=unfairness)

    def foretold(self, forecast: ScoreForecast, movable: Sequence[Movable], powers: Sequence[PowerOfCosts]) -> Tuning:
        """Return the best forecast: single numbers, all costs to a power, or a power with single numbers."""
        likely = likely_powers(forecast, powers)
        alone = [self.at_power(forecast, movable, power, 0) for power in likely]
        max_single = 1 if any(tuning.meets_target for tuning in alone) else self.max_changes
        single = fewest_changes(forecast, movable, self.target, max_single)
        tunings = [single, *alone]
        max_beside = (single.n_changes if single.meets_target else self.max_changes + 1) - 2
        if not any(tuning.meets_target for tuning in alone) and max_beside > 0:
            # a card that a power makes too dear for the smallest budget may be what changes beside it
            off = [
                self.target.unfairness(scores, forecast.first_mover)
                for scores in (forecast.scores(), *(one.scores for one in alone))
            ]
            helpful = [power for power, left in zip(likely, off[1:], strict=True) if left < off[0]]
            tunings += [self.at_power(forecast, movable, power, max_beside) for power in helpful]
        best = min(tunings, key=lambda tuning: tuning.rank)
        return self.with_better_power(best, forecast, movable, powers)

    def with_better_power(
        self, tuning: Tuning, forecast: ScoreForecast, movable: Sequence[Movable], powers: Sequence[PowerOfCosts]
    ) -> Tuning:
        """Return a power beside single numbers, chosen by the entrants that these do not touch, if that is better.

        Changes without a power, or with nothing beside it, are returned as they are.
        """
        if tuning.power is None or not tuning.changes:
            return tuning
        untouched = ~np.any([(step.points != 0) | (step.worth != 0) for _, step in tuning.changes], axis=0)
        if untouched.sum() < LEAST_COSTS:
            return tuning
        power = likely_powers(forecast, powers, untouched)[0]
        other = self.at_power(forecast, movable, power, len(tuning.changes))
        if tuning.meets_target:
            return other if other.meets_target and other.n_changes <= tuning.n_changes else tuning
        return min(tuning, other, key=lambda one: one.rank)

    def at_power(
        self, forecast: ScoreForecast, movable: Sequence[Movable], power: PowerOfCosts, max_single: int
    ) -> Tuning:
        """Return all costs to a power, with the best of up to `max_single` single numbers beside it."""
        at = replace(forecast, costs=forecast.costs + power.points, printed=forecast.costs)
        if max_single:
            beside = self.bench.at_power(power, self.numbers, movable, at.costs)
            tuning = fewest_changes(at, beside, self.target, max_single)
        else:
            tuning = Tuning.of(at, self.target)
        return replace(tuning, power=power, points=power.points + tuning.points)


def _between(foretold: FloatArray, means: MeanScores) -> FloatArray:
    """Return played scores shrunk towards the forecast as far as the difference may be dice (empirical Bayes)."""
    off = means.scores - foretold
    noise = means.errors**2
    truth = max(float(np.mean(off**2) - np.mean(noise)), 0.0)
    return np.asarray(foretold + off * truth / (truth + noise))


def unmeasured(game: LoadedGame, fair: FairCosts) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of cards, and of entrants, whose price is not measurable here, by the rule of price lists."""
    armies = game.definition.kinds[fair.setting.kind].armies
    if armies is None or not armies.irrelevant_fields:
        return frozenset(), frozenset()
    parts = priced_parts(game, fair.entrants)
    cards = {part: card_of(game, part) for own_parts in parts for part in own_parts}
    fields = unseen_fields(game, fair.setting.kind, dict(zip(fair.entrants, parts, strict=True)), cards)
    fewest = fewest_costs(price_entries(fair, parts, known_cards(cards)), Tolerance())
    verdicts = price_verdicts(fewest, parts, hidden_fields=fields)
    of_cards, of_entrants = (
        frozenset(name for name, verdict in some.items() if verdict.verdict == NOT_MEASURABLE)
        for some in (verdicts.cards, verdicts.loadouts)
    )
    return of_cards, of_entrants
