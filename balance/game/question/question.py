"""Ask a game a question and get an answer: exact, simulated, or both with their agreement.

>>> from balance.game.loaded import load
>>> warforged = load("warforged")
>>> shot = warforged.attack("nexus+assault_rifle", "trooper", {"attacker.effects": ""})
>>> round(shot.distribution.mean("damage"), 4)
1.8
>>> sample = shot.simulate(trials=10_000, seed=0)
>>> sample.n_trials, sample.agreement.p_value > 0.001
(10000, True)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from balance.base.errors import BalanceError, DistributionError, UsageError, suggestion
from balance.base.text import shorten
from balance.catalogue import Overrides
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Agreement, Pmf, mixture
from balance.chance.rolls.streams import check_seed
from balance.chance.trials.collect import Task, collect, distribution_task, process_task
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.stopping import FixedTrials, HalfWidth, StopRule, anytime_interval, wilson_interval
from balance.chance.trials.tally import Tally
from balance.game.game import LANES, USUAL_TRIALS, Lane, QuestionKind, which_has
from balance.game.kit import read_asked
from balance.game.open_game import OpenGame
from balance.game.question.choices import Budget, Changes, choose, overrides_of, with_what_is_meant
from balance.game.question.spread import results_of, spread_of
from balance.game.setup import Setup
from balance.game.solution import METHODS, Method, Solution

SIMULATED_TRIALS = USUAL_TRIALS
"""Trials of a question whose exact distribution cannot be had, if nothing is said."""


LONGEST_ENTRANT = 60
"""Letters of a side in the short form of a question."""


@dataclass(frozen=True)
class Question:
    """A question with everything that determines its answer.

    Attributes
    ----------
    game, kind
        The game with its catalogue, and the kind of question.
    entrants, overrides, first
        Ids of the two entrants, the overrides, and the turn order.
    setup
        The game's own frozen setup; `setup.inputs` is what was asked, with defaults resolved.
    choices
        (decision, option) of each decision, defaults included.
    """

    game: OpenGame
    kind: QuestionKind
    entrants: tuple[str, str]
    overrides: Overrides
    first: str
    setup: Any = field(repr=False)
    choices: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return the game, the kind and the entrants in short."""
        entrant_a, entrant_b = (shorten(entrant, LONGEST_ENTRANT) for entrant in self.entrants)
        changes_text = f", {len(self.changes)} changed" if self.changes else ""
        return f"<question {self.game.definition.name} {self.kind.name}: {entrant_a} against {entrant_b}{changes_text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was asked, so that another process asks it again instead of copying the setup."""
        return ask, (self.game, self.kind.name, self.entrants, self.overrides, self.first or None, dict(self.choices))

    @property
    def changes(self) -> tuple[str, ...]:
        """The overrides as texts such as "attacker.precision=8"."""
        return tuple(f"{root}.{path}={text}" for root, path, text in self.overrides.entries)

    @property
    def inputs(self) -> dict[str, Any]:
        """The resolved question: the fields of both sides and of the situation, and the overrides."""
        return {**self.setup.inputs, "set": list(self.changes)}

    @property
    def fair_share(self) -> float:
        """The score of the first side where nobody is favoured, in which a draw counts as much: a half of two sides."""
        return float(getattr(self.setup, "fair_share", 0.5))

    def score(self, chances: Mapping[str, float]) -> float:
        """Return the score of the first side, 0 to 1, from the chance of each result; a draw counts a fair share."""
        return chances[self.kind.sides[0]] + chances.get("draw", 0.0) * self.fair_share

    def again(self, changes: Changes = None, first: str | None = None, **choices: str) -> Question:
        """Return the same question with other overrides, another turn order, or other options of decisions.

        Parameters
        ----------
        changes
            Overrides instead of the present ones; None keeps them.
        first
            The turn order; None keeps it.
        **choices
            Options by decision, instead of the present ones.

        Raises
        ------
        BalanceError
            The rules do not allow it.

        Examples
        --------
        >>> from balance.game.loaded import load
        >>> duel = load("warforged").duel("nexus+assault_rifle", "trooper+shotgun", {"a.armour": 1})
        >>> duel.again(first="b").first, duel.again({}).changes
        ('b', ())
        """
        new_changes = self.overrides if changes is None else changes
        new_choices = {**dict(self.choices), **choices}
        return ask(self.game, self.kind.name, self.entrants, new_changes, first or self.first or None, new_choices)

    @cached_property
    def beside(self) -> Question | None:
        """The question that is told beside this one, such as how long the target takes to fall; None without one."""
        if self.kind.beside:
            with suppress(BalanceError):
                return ask(self.game, self.kind.beside, self.entrants, self.changes)
        return None

    @property
    def distribution(self) -> Pmf:
        """The exact distribution of the outcome columns, in integers, or in floating point for an endless process.

        Raises
        ------
        DistributionError
            It is too large, or this kind of question has none; it can only be simulated.
        """
        if isinstance(self._distribution, DistributionError):
            raise self._distribution
        return self._distribution

    @cached_property
    def _solved_with_others(self) -> Callable[[Question], Iterable[tuple[Question, Pmf]]]:
        """Takes this question to the distributions of those that are solved in one run with it; usually to none."""
        return lambda question: ()

    @cached_property
    def _distribution(self) -> Pmf | DistributionError:
        if not self.kind.has_distribution:
            return DistributionError(
                f"{self.kind.name} has no exact distribution", "simulate it: say a number of trials"
            )
        for question, distribution in self._solved_with_others(self):
            question.__dict__["_distribution"] = distribution
        try:
            return self.__dict__.get("_distribution") or self._solve_columns(None)
        except DistributionError as error:
            return error.with_traceback(None)

    def marginal(self, *columns: str) -> Pmf:
        """Return the exact distribution of some columns, without computing that of the others.

        Only what is asked for is worked out, anew in each call, unless the distribution of all columns is known.

        Raises
        ------
        UsageError
            There is no such column.
        DistributionError
            It is too large, or this kind of question has none.

        Examples
        --------
        >>> from balance.game.loaded import load
        >>> load("warforged").attack("nexus+assault_rifle", "trooper").marginal("damage").mean("damage")
        3.6
        """
        whole = self.__dict__.get("_distribution")
        if whole is not None or not self.kind.has_distribution:
            return self.distribution.marginal(*columns)
        for name in columns:
            if name not in self.kind.columns:
                tip = suggestion(name, self.kind.columns)
                raise UsageError(f"no column {name!r}; columns are {', '.join(self.kind.columns)}", tip)
        return self._solve_columns(columns)

    def _solve_columns(self, columns: tuple[str, ...] | None) -> Pmf:
        """Return the distribution of some columns (None: all), enumerated or as an absorbing chain."""
        solve: Callable[..., Pmf] = chain_distribution if self.kind.unbounded else exact_distribution
        lane: Lane = "compiled" if self.kind.unbounded else "literal"
        if self.kind.narrowed is None:
            processes = self.kind.processes(self.setup, lane)
        else:
            processes = self.kind.narrowed(self.setup, lane, columns or tuple(self.kind.columns))
        parts = [solve(process, columns=columns) for process in processes]
        return parts[0] if len(parts) == 1 else mixture((1, distribution) for distribution in parts)

    @property
    def why_no_distribution(self) -> str:
        """Why the exact distribution cannot be had; empty where it can."""
        return self._distribution.faults[0].message if isinstance(self._distribution, DistributionError) else ""

    @property
    def is_quick(self) -> bool:
        """Whether every policy chosen is quick, so that nothing must be learnt before trials begin."""
        return all(value in self.kind.habits.get(name, (value,)) for name, value in self.choices)

    @property
    def block_trials(self) -> int:
        """Number of trials in a block, which depends on the policies chosen."""
        return self.kind.block_trials if self.is_quick else self.kind.slow_block_trials or self.kind.block_trials

    def known_distribution(self, trials: int | None = None, seed: int = 0) -> tuple[Pmf, int | None]:
        """Return the exact distribution and None, or else a simulated one and its number of trials.

        Parameters
        ----------
        trials
            Trials of a simulation; None for the kind's usual number.
        seed
            Seed of a simulation.

        >>> from balance.game.loaded import load
        >>> load("edadh").ask("duel", "spears", "shieldsmen").known_distribution(trials=64)[1]
        64
        """
        if not isinstance(self._distribution, DistributionError):
            return self._distribution, None
        sample = self.simulate(self.kind.usual_trials if trials is None else trials, seed=seed)
        return sample.distribution, sample.n_trials

    def p_win(self, distribution: Pmf | None = None) -> dict[str, float]:
        """Return the probability of each result by name; empty where nobody wins.

        It is that of a given distribution, else of the exact one, else of a simulation (see `known_distribution`).
        """
        if not self.kind.winners:
            return {}
        winners = (self.known_distribution()[0] if distribution is None else distribution).marginal(self.kind.winner)
        chance = dict(zip(winners[self.kind.winner].tolist(), winners.p.tolist(), strict=True))
        return {name: float(chance.get(value, 0.0)) for name, value in self.kind.winners.items()}

    def solve(self, method: Method = "exact", seed: int = 0) -> Solution:
        """Return the solution of the game under optimal play of both sides.

        Parameters
        ----------
        method
            The method, exact or approximate, as far as the game has it.
        seed
            Seed of an approximate method.

        Raises
        ------
        UsageError
            Nobody chooses anything here.
        RulesError
            The game is too large for this method, or has parts that it does not know.
        """
        if self.kind.solve is None:
            raise UsageError(f"{self.game.definition.name} {self.kind.name} leaves no side a choice to solve")
        if method not in METHODS:
            raise UsageError(f"a method is one of {', '.join(METHODS)}, found {method!r}")
        return self.kind.solve(self.setup, method, seed)

    @cached_property
    def task_id(self) -> str:
        """Sha256 digest of all that determines the distribution: game, rules, catalogue, question, block size."""
        facts = {
            "game": self.game.definition.name,
            "rules_version": self.game.catalogue.rules_version,
            "catalogue_sha256": self.game.catalogue.sha256,
            "rung": self.kind.name,
            "entrants": self.entrants,
            "overrides": sorted(self.overrides.entries),
            "first": self.first,
            "choices": self.choices,
            "block_trials": self.block_trials,
        }
        if beside := getattr(self.setup, "beside", ""):
            facts["beside"] = beside
        return hashlib.sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def task(self, lane: Lane = "literal", key: str | None = None) -> Task:
        """Return the task that samples this question in a lane; `key` names its streams (default: lane and task id).

        Parameters
        ----------
        lane
            How trials are played: "literal" rolls every die, "compiled" draws from tables.
        key
            Name of the random streams; equal keys roll the same dice.
        """
        if lane not in LANES:
            raise UsageError(f"a lane is one of {', '.join(LANES)}, found {lane!r}")
        name = key or f"{lane}/{self.task_id}"
        if lane == "compiled" and not self.kind.unbounded and not self.why_no_distribution:
            return distribution_task(name, self.distribution, self.block_trials)
        return process_task(name, self.kind.processes(self.setup, lane), self.block_trials)

    def simulate(
        self,
        trials: int | None = None,
        *,
        half_width: float | None = None,
        seed: int = 0,
        lane: Lane = "literal",
        n_threads: int = 1,
        progress: Callable[[Tally], None] | None = None,
    ) -> Sample:
        """Simulate, for a number of trials or until every win probability is known to within `half_width`.

        Parameters
        ----------
        trials
            Number of trials; None until `half_width` is reached.
        half_width
            Target half-width of the intervals of all win probabilities, above 0 and below 0.5.
        seed
            Seed of the trials.
        lane
            How trials are played: "literal" rolls every die, "compiled" draws from tables.
        n_threads
            Number of threads, 1 or more; the result does not depend on it.
        progress
            Called with the tally after each block.

        Raises
        ------
        UsageError
            Neither or both of `trials` and `half_width`, a number out of range, or a width where nobody wins.
        """
        stop = self.stop_rule(trials, half_width)
        tally = collect(self.task(lane), stop, seed=seed, n_threads=n_threads, progress=progress)
        return Sample(self, tally, seed, lane, looked_repeatedly=half_width is not None)

    def stop_rule(self, trials: int | None, half_width: float | None) -> StopRule:
        """Return the stop rule for a number of trials or for a half-width; see `simulate` for its errors.

        Parameters
        ----------
        trials
            Number of trials; None until `half_width` is reached.
        half_width
            Target half-width of the intervals of all win probabilities.
        """
        if (trials is None) == (half_width is None):
            raise UsageError("say either a number of trials or a half-width")
        if trials is not None:
            return FixedTrials(trials)
        if not self.kind.winners:
            problem = f"a half-width is for the probability to win, and {self.kind.name} has no winner"
            raise UsageError(problem, which_has(self.game.definition, "winner"))
        return HalfWidth(half_width or 0.0, tuple(results_of(self.kind).values()))

    def check(self, budget: Budget) -> None:
        """Say what is wrong with a budget for this question, before anything is worked out.

        Raises
        ------
        UsageError
            A seed or a number out of range, or a half-width where nobody wins.
        """
        check_seed(budget.seed)
        if budget.is_asked:
            self.stop_rule(budget.trials, budget.half_width)


@dataclass(frozen=True)
class Sample:
    """Simulated trials of a question, with estimates and their intervals.

    Attributes
    ----------
    question, tally, seed, lane
        The question, its counted trials, and the seed and lane that they were played with.
    looked_repeatedly
        Whether the number of trials depended on the results, so that intervals must hold at every look.
    """

    question: Question
    tally: Tally
    seed: int
    lane: Lane
    looked_repeatedly: bool = False
    level: float = 0.95

    def __repr__(self) -> str:
        """Return the number of trials, the seed and the question in short."""
        return f"<sample of {self.n_trials:,} trials, seed {self.seed}, of {self.question!r}>"

    @property
    def n_trials(self) -> int:
        """Number of trials played."""
        return self.tally.n_trials

    @property
    def distribution(self) -> Pmf:
        """The empirical distribution: its weights are counts."""
        return self.tally.counts

    @cached_property
    def agreement(self) -> Agreement:
        """The G-tests of the trials against the exact distribution: all columns together, and each by itself."""
        return self.question.distribution.agreement(self.distribution)

    def p_win(self) -> dict[str, float]:
        """Return the share of trials with each result."""
        return self.question.p_win(self.distribution)

    def p_win_interval(self) -> dict[str, tuple[float, float]]:
        """Return an interval for each probability: Wilson's, or an anytime-valid one if we looked repeatedly."""
        interval = anytime_interval if self.looked_repeatedly else wilson_interval
        return {
            name: interval(int(self.distribution.weight(win_values)), self.n_trials, self.level)
            for name, win_values in results_of(self.question.kind).items()
        }

    def mean_interval(self, column: str) -> tuple[float, float]:
        """Return the normal interval of a column's mean from its standard error, as (low, high)."""
        error = (self.distribution.variance(column) / self.n_trials) ** 0.5
        estimate = Estimate.of_mean(self.distribution.mean(column), error, self.n_trials, level=self.level)
        return estimate.low, estimate.high

    def sd(self, column: str) -> Estimate | None:
        """Return a column's standard deviation with its normal interval; None where `spread_of` has none."""
        sd = spread_of(self.question.kind, self.distribution, column, is_exact=False).sd
        return None if sd is None else self._spread(column, sd, 0.0)

    def swing(self, column: str) -> Estimate | None:
        """Return a column's swing with its normal interval; None where `spread_of` has none.

        >>> from balance.game.loaded import load
        >>> shot = load("warforged").attack("nexus+assault_rifle", "trooper").simulate(1000)
        >>> (swing := shot.swing("damage")) and (round(swing.value, 3), round(swing.half_width, 3))
        (0.485, 0.026)
        """
        sd, swing = spread_of(self.question.kind, self.distribution, column, is_exact=False)
        return None if sd is None or swing is None else self._spread(column, swing, sd / self.distribution.mean(column))

    def _spread(self, column: str, value: float, slope: float) -> Estimate:
        """Return the standard deviation or swing, `value`, with an interval by the delta method.

        `slope` is the share of the value lost when the mean rises by one deviation: 0 for a deviation, else the swing.
        """
        distribution = self.distribution
        z = (distribution[column] - distribution.mean(column)) / distribution.sd(column)
        shifts = value * ((z**2 - 1) / 2 - slope * z)  # what a trial so far from the mean adds to it, times n
        error = float(distribution.p @ shifts**2 / self.n_trials) ** 0.5
        return Estimate.of_mean(value, error, self.n_trials, level=self.level)


def ask(
    game: OpenGame,
    kind: str,
    entrants: tuple[str, str],
    changes: Changes | Overrides = None,
    first: str | None = None,
    choices: Mapping[str, str] | None = None,
) -> Question:
    """Ask a game about two entrants; raises what `LoadedGame.ask` raises, and tells what may be meant by names."""
    question_kind = game.kind(kind)
    overrides = overrides_of(changes, question_kind.roots)
    if first is not None and first not in question_kind.turn_orders:
        if not question_kind.turn_orders:
            raise UsageError(f"{kind} has no first side", which_has(game.definition, "turn_orders"))
        raise UsageError(f"first must be one of {', '.join(question_kind.turn_orders)}, found {first!r}")
    goes_first = first or question_kind.usual_first
    choices_made = choose(question_kind, choices or {})
    try:
        setup = _prepared(game, question_kind, entrants, overrides, goes_first, choices_made)
    except BalanceError as error:
        raise _with_tips(error, game, question_kind, entrants) from None
    return Question(game, question_kind, entrants, overrides, goes_first, setup, tuple(choices_made.items()))


def _prepared(
    game: OpenGame,
    kind: QuestionKind,
    entrants: tuple[str, str],
    overrides: Overrides,
    first: str,
    choices: Mapping[str, str],
) -> Setup[Any]:
    setup: Setup[Any] = kind.setup(read_asked(kind, game.catalogue, entrants, overrides, first, choices))
    return setup


def _with_tips(error: BalanceError, game: OpenGame, kind: QuestionKind, entrants: tuple[str, str]) -> BalanceError:
    """Return an error with what may be meant by the names of the two sides."""
    ids = [partial(game.ids, taken) for taken in kind.takes]
    other_way = (entrants[1], entrants[0])
    swapped = partial(_prepared, game, kind, other_way, Overrides(), kind.usual_first, choose(kind, {}))
    return with_what_is_meant(error, kind.sides, entrants, ids, swapped if kind.takes[0] != kind.takes[1] else None)
