"""Battles of random armies, in blocks whose draws and dice depend on the seed alone, not on which worker plays them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.batches import Battles, outcomes_of
from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import stream
from balance.chance.trials.memory import keep_freed_memory
from balance.engine.jobs import Job
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.game.armies.armies import Arena, ChangedMember
from balance.game.loaded import LoadedGame

TOGETHER = 32_768
"""Battles of several blocks that are played at a time, at most, where the game says that this is best."""
Sums = TypeVar("Sums")
Playing: TypeAlias = Generator[Battles, Mapping[str, IntArray], Sums]
"""How a block is played: it yields battles, is sent the columns of each, and returns sums; others play beside it."""
TASK = "battles of armies"


@dataclass(frozen=True)
class ArmySetting:
    """How armies meet: in one kind of question, at budgets drawn from a range.

    `budgets`: (points, unit limit), rising: armies are drawn from the first budget to the last, with unit limits in
    between. `changes`: assignments to the situation and to the rules, as `LoadedGame.arena` takes them. `choices`:
    (name, value) of how the sides play, as `LoadedGame.arena` takes them. `is_legal`: as `ArmyKind` says.
    """

    kind: str
    budgets: tuple[tuple[float, float], ...]
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    is_legal: bool = False

    @property
    def each_budget(self) -> tuple[ArmySetting, ...]:
        """One setting per budget, otherwise the same, in the order of the budgets.

        >>> [at.budgets for at in ArmySetting("lineup", ((150.0, 4.0), (250.0, 7.0))).each_budget]
        [((150.0, 4.0),), ((250.0, 7.0),)]
        """
        return tuple(replace(self, budgets=(budget,)) for budget in self.budgets)

    def draw_budgets(self, n: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Return n budgets in points, `float64[n]`, log-uniform from first to last, and a unit limit for each."""
        log_first, log_last = (np.log(self.budgets[end][0]) for end in (0, -1))
        budgets = np.exp(rng.uniform(log_first, log_last, n))
        return budgets, self.limits(budgets, rng)

    def limits(self, budgets: FloatArray, rng: np.random.Generator) -> IntArray:
        """Return the unit limit at each budget (`float64[n]`, points): interpolated, rounded at random, at least 2."""
        points, units = np.array(self.budgets, np.float64).T
        units_at = np.interp(budgets, points, units) + rng.random(len(budgets))
        return np.asarray(np.maximum(units_at, 2), np.int16)


@dataclass(frozen=True)
class Fighters:
    """Entrants that play differently, one for each group of those who play alike; the order depends on no name or row.

    `costs`: in points; of a group the geometric mean of its different costs. `of`: `int64[n]`: the fighter that each
    entrant is.
    """

    members: tuple[str, ...]
    costs: FloatArray
    of: npt.NDArray[np.int64]


def costs_of(game: LoadedGame, names: Sequence[str]) -> FloatArray:
    """Return what n entrants, given by their ids, cost in points, `float64[n]`."""
    return np.array([float(game.cost_points(name)) for name in names])


def distinct_fighters(game: LoadedGame, setting: ArmySetting, names: Sequence[str], costs: FloatArray) -> Fighters:
    """Return entrants merged into fighters: those that play alike are one, so that a copy of a card changes nothing.

    `costs` is `float64[n]`, in points.
    """
    marks = game.arena(setting.kind, names, setting.changes, **dict(setting.choices)).marks
    _, first, of = np.unique(np.array(marks), return_index=True, return_inverse=True)
    middle = [float(np.exp(np.mean(np.log(np.unique(costs[of == at]))))) for at in range(len(first))]
    return Fighters(tuple(names[at] for at in first.tolist()), np.array(middle), np.asarray(of, np.int64))


@dataclass(frozen=True)
class Blocks:
    """Blocks of battles to be drawn and played, which differ only by their number.

    `seed` and `key`: what the random streams of armies and dice start from. `play`: (blocks, arena, number, generator
    of armies) -> how the block is played; a function that can be pickled. `beside`: further arguments that it needs.
    `n_battles`: how many it plays at a time, about. `columns`: what it is sent of battles.
    """

    setting: ArmySetting
    members: tuple[str | ChangedMember, ...]
    costs: tuple[float, ...]
    seed: int
    key: str
    play: Callable[[Blocks, Arena, int, np.random.Generator], Playing[Any]]
    beside: tuple[Any, ...] = ()
    n_battles: int = TOGETHER
    columns: tuple[str, ...] = ("winner",)

    def rolls(self, number: int, name: str, n: int, *, is_paired: bool = False) -> RandomRolls:
        """Return the dice of n battles of a block, named for their use (such as "battles"); each block has its own.

        With `is_paired`, runs with other rules or members get the same dice, trial by trial.
        """
        return RandomRolls(self.seed, f"{self.key}/{name}", number, n, is_paired=is_paired)


def play_blocks(runner: Runner, blocks: Blocks, n_blocks: int, task: str = TASK) -> list[Any]:
    """Return what blocks 0 to `n_blocks` - 1 give, in this order, so that a sum does not depend on who finished first.

    `task` is what the work is called where its progress is shown.
    """
    return play_numbered_blocks(runner, [(blocks, at) for at in range(n_blocks)], task)


def play_numbered_blocks(runner: Runner, blocks: Sequence[tuple[Blocks, int]], task: str = TASK) -> list[Any]:
    """Return what each of several (blocks, number) gives, in their order, played over all workers together.

    `task` is what the work is called where its progress is shown.
    """
    return _play_groups(runner, list(_groups(runner, blocks)), task)


def _groups(runner: Runner, blocks: Sequence[tuple[Blocks, int]]) -> Iterator[tuple[tuple[Blocks, int], ...]]:
    """Yield blocks that are played at a time; that depends on workers only on a board, where no number hangs on it."""
    kinds, share = runner.game.definition.kinds, -(-len(blocks) // max(1, runner.engine.n_jobs))
    boards = {name for name, kind in kinds.items() if kind.armies is not None and kind.armies.is_legal}
    for _, same in groupby(
        blocks, lambda block: block[0].setting.kind if block[0].setting.kind in boards else block[0]
    ):
        numbered = tuple(same)
        of, armies = numbered[0][0], kinds[numbered[0][0].setting.kind].armies
        most = max(1, TOGETHER // of.n_battles)
        if of.setting.kind in boards:
            most = min(most, share)
        elif armies is None or not armies.together:
            most = 1
        yield from (numbered[at : at + most] for at in range(0, len(numbered), most))


def _play_groups(runner: Runner, groups: Sequence[tuple[tuple[Blocks, int], ...]], task: str) -> list[Any]:
    jobs = [Job(f"{task}, block {at + 1}", _play_group, (runner.source, group), at) for at, group in enumerate(groups)]
    distinct = {id(blocks): blocks for group in groups for blocks, _ in group}
    places = {key: at for at, key in enumerate(distinct)}
    facts = list(distinct.values()), [[(places[id(blocks)], number) for blocks, number in group] for group in groups]
    results = runner.results(task, facts, jobs, list(map(len, groups)))
    return [part for parts in results for part in parts]


def _play_group(source: Source, group: Sequence[tuple[Blocks, int]]) -> list[Any]:
    """Draw and play blocks, in a worker or in the main process."""
    keep_freed_memory()
    plays = [
        of.play(of, _arena(source, of.setting, of.members), number, stream(of.seed, of.key, number, "armies"))
        for of, number in group
    ]
    answers, ends = list[Any]([None] * len(plays)), list[Any]()
    while not ends:  # all blocks of a group yield battles as often
        battles = list[Battles]()
        for play, answer in zip(plays, answers, strict=True):
            try:
                battles.append(play.send(answer))
            except StopIteration as end:
                ends.append(end.value)
        answers = outcomes_of(battles, group[0][0].columns) if battles else []
    return ends


@lru_cache(maxsize=4)
def _arena(source: Source, setting: ArmySetting, members: tuple[str | ChangedMember, ...]) -> Arena:
    return source.open().arena(setting.kind, members, setting.changes, **dict(setting.choices))


def meet(arena: Arena, a: IntArray, b: IntArray, limits: IntArray, rolls: RandomRolls) -> Playing[FloatArray]:
    """Return what army a, which goes first, scores in each of some `Battles`, `float64[n]`: 1, 0, or 1/2 for a draw."""
    return scores_of((yield Battles(arena, a, b, limits, rolls))["winner"])


def scores_of(winner: IntArray) -> FloatArray:
    """Return what the first side scores, `float64[n]`: 1, 0, or 1/2 for a draw.

    >>> scores_of(np.array([1, 2, 0])).tolist()
    [1.0, 0.0, 0.5]
    """
    return np.where(winner == 0, 0.5, winner == 1)
