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
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from balance.base.errors import DistributionError, UsageError, suggestion
from balance.base.numbers import shorten
from balance.catalogue import Overrides
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf, mixture
from balance.chance.trials.collect import Task, collect, distribution_task, process_task
from balance.chance.trials.stopping import FixedTrials, HalfWidth, StopRule
from balance.chance.trials.tally import Tally
from balance.game.game import LANES, USUAL_TRIALS, Game, Lane, QuestionKind
from balance.game.question.choices import Changes
from balance.game.question.sample import Sample, results_of
from balance.game.solution import METHODS, Method, Solution

if TYPE_CHECKING:
    from balance.game.loaded import LoadedGame

SIMULATED_TRIALS = USUAL_TRIALS
"""Trials of a question whose exact distribution cannot be had, if nothing is said."""


LONGEST_ENTRANT = 60
"""Letters of a side in the short form of a question."""


def which_has(game: Game, feature: str) -> str:
    """Return the tip that names the kinds of question of a game that have what another one lacks.

    Parameters
    ----------
    game
        The game.
    feature
        What the kinds must have, in words.
    """
    able = [kind.name for kind in game.kinds.values() if getattr(kind, feature)]
    return f"in {game.name}, {', '.join(able)} can have one" if able else f"nothing that {game.name} is asked has one"


@dataclass(frozen=True)
class Question:
    """A question with everything that fixes its answer.

    Attributes
    ----------
    game, kind
        The game with its catalogue, and the kind of question.
    entrants, overrides, first
        What was asked.
    setup
        The game's own frozen setup; `setup.inputs` is what was asked, resolved.
    choices
        What else was chosen, (name, value).
    """

    game: LoadedGame
    kind: QuestionKind
    entrants: tuple[str, str]
    overrides: Overrides
    first: str
    setup: Any = field(repr=False)
    choices: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return it in short."""
        entrant_a, entrant_b = (shorten(entrant, LONGEST_ENTRANT) for entrant in self.entrants)
        changes_text = f", {len(self.changes)} changed" if self.changes else ""
        return f"<question {self.game.definition.name} {self.kind.name}: {entrant_a} against {entrant_b}{changes_text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as what was asked, so that other processes can ask it again."""
        first, choices = self.first or None, dict(self.choices)
        return partial(self.game.ask, self.kind.name, *self.entrants, self.changes, first, **choices), ()

    @property
    def changes(self) -> tuple[str, ...]:
        """What was changed, as texts such as "attacker.precision=8"."""
        return tuple(f"{root}.{path}={text}" for root, path, text in self.overrides.entries)

    @property
    def inputs(self) -> dict[str, Any]:
        """What was asked, resolved: the sides and the situation by field, and what was changed."""
        return {**self.setup.inputs, "set": list(self.changes)}

    def again(self, changes: Changes = None, first: str | None = None, **choices: str) -> Question:
        """Return the same question with other changes, another side going first, or something else chosen.

        Parameters
        ----------
        changes
            Overrides, in place of those there are.
        first
            The side that goes first; None as it is.
        **choices
            Choices by name, in place of those there are.

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
        new_changes = self.changes if changes is None else changes
        new_choices = {**dict(self.choices), **choices}
        return self.game.ask(self.kind.name, *self.entrants, new_changes, first or self.first or None, **new_choices)

    @property
    def distribution(self) -> Pmf:
        """The exact distribution of the outcome columns: in integers, or in floating point where there is no end.

        Raises
        ------
        DistributionError
            It is too large, or this kind of question has none; it can only be simulated.
        """
        if isinstance(self._distribution, DistributionError):
            raise self._distribution
        return self._distribution

    @cached_property
    def _distribution(self) -> Pmf | DistributionError:
        if not self.kind.has_distribution:
            return DistributionError(
                f"{self.kind.name} has no exact distribution", "simulate it: say a number of trials"
            )
        try:
            return self._solve_columns(None)
        except DistributionError as error:
            return error.with_traceback(None)

    def marginal(self, *columns: str) -> Pmf:
        """Return the exact distribution of some of the columns, as `distribution.marginal` does, without the others.

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
        """Return the distribution of some columns, or of all."""
        solve: Callable[..., Pmf] = chain_distribution if self.kind.unbounded else exact_distribution
        lane: Lane = "compiled" if self.kind.unbounded else "literal"
        if columns is None or self.kind.narrowed is None:
            processes = self.kind.processes(self.setup, lane)
        else:
            processes = self.kind.narrowed(self.setup, lane, columns)
        parts = [solve(process, columns=columns) for process in processes]
        return parts[0] if len(parts) == 1 else mixture((1, distribution) for distribution in parts)

    @property
    def why_no_distribution(self) -> str:
        """Why the exact distribution cannot be had; empty where it can."""
        return self._distribution.faults[0].message if isinstance(self._distribution, DistributionError) else ""

    @property
    def is_quick(self) -> bool:
        """Whether trials begin at once: nobody plays in a way that has to be learnt first."""
        return all(value in self.kind.habits.get(name, (value,)) for name, value in self.choices)

    @property
    def block_trials(self) -> int:
        """Trials played at a time."""
        return self.kind.block_trials if self.is_quick else self.kind.slow_block_trials or self.kind.block_trials

    def known_distribution(self, trials: int | None = None, seed: int = 0) -> tuple[Pmf, int | None]:
        """Return the exact distribution and None, or where there is none that of so many trials and their number.

        Parameters
        ----------
        trials
            Trials of a simulation; without a number as many as are usual for this kind of question.
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

        In the distribution given; without one in the exact distribution, or where that cannot be had in a simulation
        (see `known_distribution`).
        """
        if not self.kind.winners:
            return {}
        winners = (self.known_distribution()[0] if distribution is None else distribution).marginal(self.kind.winner)
        chance = dict(zip(winners[self.kind.winner].tolist(), winners.p.tolist(), strict=True))
        return {name: float(chance.get(value, 0.0)) for name, value in self.kind.winners.items()}

    def solve(self, method: Method = "exact", seed: int = 0) -> Solution:
        """Return what the question is worth when both sides choose as well as they can.

        Parameters
        ----------
        method
            The way of solving.
        seed
            Seed of what the way leaves to chance.

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
        """Sha256 of everything that fixes the distribution: game, rules, catalogue, question, block size."""
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
            The way of drawing.
        key
            Name of the streams.
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
            How many trials; None until `half_width` is reached.
        half_width
            Half the width of an interval that is narrow enough.
        seed
            Seed of the trials.
        lane
            The way of drawing.
        n_threads
            Threads, 1 or more.
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
        """Return the rule for a number of trials or for a half-width; see `simulate`.

        Parameters
        ----------
        trials
            How many trials; None until `half_width` is reached.
        half_width
            Half the width of an interval that is narrow enough.
        """
        if (trials is None) == (half_width is None):
            raise UsageError("say either a number of trials or a half-width")
        if trials is not None:
            return FixedTrials(trials)
        if not self.kind.winners:
            problem = f"a half-width is for the probability to win, and {self.kind.name} has no winner"
            raise UsageError(problem, which_has(self.game.definition, "winner"))
        return HalfWidth(half_width or 0.0, tuple(results_of(self.kind).values()))
