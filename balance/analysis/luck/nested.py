"""Shares of luck by nested simulation, where there are too many courses of a game to list."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.luck.sources import SEAT, LuckSource, mean_share
from balance.chance.exact.course import Value
from balance.chance.rolls.process import Process, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.nested import Groups, play_groups

BLOCK_GAMES = 2**15
NOTED_TRIALS = 256
"""Trials that are looked at for the names of what is asked for."""


@dataclass(frozen=True)
class Nested:
    """How games are played in groups that share dice.

    `value`: outcome columns -> the result of each game. `seed` and `key`: what the random streams start from.
    `n_groups` and `n_games`: groups of games that share dice, and games in each. `report`: called with the number of
    further games, whenever some have been played.
    """

    value: Value
    seed: int
    key: str
    n_groups: int
    n_games: int
    report: Callable[[int], None]

    @property
    def n_played(self) -> int:
        """Games of all groups together."""
        return self.n_groups * self.n_games

    def groups(self, process: Process, place: int, names: Sequence[str]) -> dict[str, Groups]:
        """Play, for each name of dice, groups of games that share these dice within a group; "" for none in common.

        `place` is that of the process among those of the question: each has dice of its own.
        """
        blocks = list[dict[str, Groups]]()
        for block, size in enumerate(self._sizes()):
            rolls = self.rolls(f"{place}/{'+'.join(names)}", block, size)
            blocks.append(play_groups(process, self.value, names, rolls, self.n_games))
            self.report(size * self.n_games)
        return {name: Groups.join([block[name] for block in blocks]) for name in names}

    def rolls(self, purpose: str, block: int, n: int) -> RandomRolls:
        """Return the dice of a block of n groups or games; another purpose gives other dice."""
        return RandomRolls(self.seed, f"luck/{self.key}/{purpose}", block, n)

    def _sizes(self) -> list[int]:
        """Return the number of groups in each block, so that blocks have about `BLOCK_GAMES` games."""
        blocks = max(1, min(-(-self.n_groups // (BLOCK_GAMES // self.n_games)), self.n_groups // 2))
        return [len(part) for part in np.array_split(np.arange(self.n_groups), blocks)]


@dataclass(frozen=True)
class NestedResult:
    """Mean and standard deviation of a result, the sources of its variance, and how many games were played."""

    mean: Estimate
    sd: float
    sources: tuple[LuckSource, ...]
    n_games: int


def simulated_sources(processes: Sequence[Process], nested: Nested) -> NestedResult:
    """Return where the variance of a result comes from, over equally likely processes, one for each turn order.

    Raise UsageError where there are too few groups, or games in each, to tell the sources apart.
    """
    plain = [nested.groups(process, place, ("",))[""] for place, process in enumerate(processes)]
    means = np.array([groups.mean.mean() for groups in plain])
    variances = np.array([groups.variance.mean() for groups in plain])
    n_all = nested.n_played * len(processes)
    between = Estimate.exact(0.0)
    if len(processes) > 1:
        noise = float(np.mean(variances / nested.n_played))
        value = float(means.var()) - noise * (1 - 1 / len(means))
        error = 2 * math.sqrt(max(value, 0.0)) * math.sqrt(noise / len(means))
        between = Estimate.of_mean(value, error, n_all)
    variance = float(variances.mean()) + max(between.value, 0.0)
    sources = [LuckSource(SEAT, mean_share([between], variance), None)] if len(processes) > 1 else []
    sources += _named_sources(processes, nested, variances, variance)
    mean = Estimate.of_mean(float(means.mean()), math.sqrt(float(variances.mean()) / n_all), n_all)
    return NestedResult(mean, math.sqrt(variance), tuple(sources), n_all * 2)


def _named_sources(
    processes: Sequence[Process],
    nested: Nested,
    variances: np.ndarray[tuple[int], np.dtype[np.float64]],
    variance: float,
) -> list[LuckSource]:
    """Return the sources by name; one that a process does not ask for settles nothing there."""
    names = [asked_names(process) for process in processes]
    shared = [nested.groups(process, place, names[place]) for place, process in enumerate(processes)]
    sources = []
    for source_name in dict.fromkeys(name for process_names in names for name in process_names):
        parts = [
            Estimate.of_mean(groups[source_name].share * total, groups[source_name].error * total, nested.n_played)
            if source_name in groups
            else Estimate.exact(0.0)
            for groups, total in zip(shared, variances.tolist(), strict=True)
        ]
        sources.append(LuckSource(source_name, mean_share(parts, variance), None))
    return sources


def asked_names(process: Process) -> list[str]:
    """Return the names of all luck that some trials of a process ask for, in order, without what is certain."""
    names = dict[str, None]()

    def around(behind: Rolls, request: Request[object]) -> object:
        if not request.is_certain:
            names.update(dict.fromkeys(request.sources))
        return behind.answer(request)

    rolls = ProxyRolls(RandomRolls(0, "luck/names", 0, NOTED_TRIALS), around)
    if process.key:  # all later luck follows from what the start asks for
        start_state(process, rolls.n, rolls)
    else:
        simulate(process, rolls)
    return list(names)
