"""The best army that a search finds under a budget: against random legal armies, or against a given one.

The search plays. It begins with random legal armies, and goes on in rounds: one or two units leave one of the best
armies so far and random ones join in their place, hundreds of times, with a few new random armies besides. In every
round *successive halving* (Karnin, Koren and Somekh 2013) says who is best: all play a few battles, the better quarter
plays four times as many, and so on. All armies of a round meet the same opponents, and go first against the same of
them, so that they differ by what they are and by their dice, not by whom they met. In the end the best of all rounds
play again, more often.

An army that is chosen for having done best has also been lucky (the winner's curse). So it is chosen on those battles
alone, and then plays new ones, in which nothing is chosen: only their score is reported, with that of the search for
comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_blocks
from balance.analysis.armies.legal_armies import ArmyAnswer, LegalArmy, Muster
from balance.analysis.armies.random_armies import EMPTY, by_seat
from balance.base.answers import Chance, Count, Doc
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import Fault, UsageError, gathering
from balance.base.text import shorten
from balance.chance.rolls.streams import stream
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena, army_text, parse_army
from balance.game.loaded import LoadedGame

BLOCK = 8_192
"""About how many battles are played at a time."""
FIRST_RUNGS = (16, 64, 256)
LAST_RUNGS = (256, 1024, 4096)
"""Battles of every army that is still in it, in a round of the search and among the best of all rounds."""
SURVIVORS = 4
"""One of so many goes on to the next rung."""
N_BEST = 16
"""Armies of a round that the next one begins with."""
N_SHOWN = 5


@dataclass(frozen=True)
class ArmySearch:
    """How long the search goes on.

    `n_random`: random armies in the first round. `n_rounds`, `n_near`, `n_new`: rounds; variants of the best armies
    that each of them tries; and new random armies beside them. `n_fresh`: battles of each army that is reported, played
    after it was chosen.
    """

    n_random: int = 1024
    n_rounds: int = 10
    n_near: int = 448
    n_new: int = 48
    n_fresh: int = 16_384


@dataclass(frozen=True)
class ArmyScore:
    """What an army scores, a draw counted 1/2; it goes first in half of the battles."""

    value: Chance
    low: Annotated[Chance, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Chance, Doc("Its upper end.")]
    battles: Annotated[Count, Doc("On how many battles that rests.")]

    @classmethod
    def of_share(cls, share: float, n_battles: int) -> ArmyScore:
        """Return the score of an army that won such a share of new battles."""
        score = Estimate.of_share(share, n_battles)
        return cls(score.value, score.low, score.high, score.n_trials)


@dataclass(frozen=True)
class ScoredArmy(LegalArmy):
    """An army, and what it scores."""

    score: Annotated[ArmyScore, Doc("On new battles, which did not choose it.")]
    promised: Annotated[Chance, Doc("What it scored in the search that chose it, and so too high on average.")]


@dataclass(frozen=True)
class SearchSize:
    """How much was tried, without the battles that confirm the result."""

    armies: Annotated[Count, Doc("Different armies that were tried.")]
    battles: Annotated[Count, Doc("Battles that were played.")]


@dataclass(frozen=True, repr=False)
class BestArmy(ArmyAnswer):
    """The best army for a budget that a search found."""

    against: Annotated[str | None, Doc("The army that it shall beat; null for random legal ones.")]
    best: Annotated[ScoredArmy, Doc("The first in the order of the search.")]
    runners_up: Annotated[tuple[ScoredArmy, ...], Doc("Those that came next, in the order of the search.")]
    search: Annotated[SearchSize, Doc("How much was tried.")]

    def __repr__(self) -> str:
        """Return the best army and its score in one line, shortened as armies have many units."""
        return f"BestArmy({shorten(self.best.army, 80)!r}, score {self.best.score.value:.4f})"


def best_army(
    runner: Runner, setting: ArmySetting, seed: int = 0, against: str = "", search: ArmySearch | None = None
) -> BestArmy:
    """Return the best army that a search finds under the first budget and unit limit of a setting.

    All meet the army `against`, which need not be legal, or without it random legal armies. Raise BalanceError where
    armies do not meet in this game, nobody can be bought, or the opponent makes no sense.
    """
    facts = setting, seed, against, search or ArmySearch()
    return runner.once("best army", facts, partial(_search_army, runner, *facts))


def _search_army(runner: Runner, setting: ArmySetting, seed: int, against: str, size: ArmySearch) -> BestArmy:
    """Search, then play the finalists again on new battles, which alone give the scores that are reported."""
    places = _Places.of(runner.game, setting, against)
    progress = _ArmySearch(runner, places, seed)
    finalists, search_scores = progress.best_armies(size)
    scores = progress.scores(finalists, size.n_fresh, "new battles")
    armies = [
        ScoredArmy(
            army_text(places.members, row.tolist()), *places.muster.measures(row),
            ArmyScore.of_share(score, size.n_fresh), promised,
        )
        for row, score, promised in zip(finalists, scores.tolist(), search_scores.tolist(), strict=True)
    ]  # fmt: skip
    return BestArmy.of(
        runner.game, setting, seed, against=against or None, best=armies[0], runners_up=tuple(armies[1:]),
        search=SearchSize(len(progress.tried_armies), progress.n_battles),
    )  # fmt: skip


@dataclass(frozen=True)
class _Places:
    """Who can be in an army, and whom armies meet.

    `members`: ids of the members of the arena: those that can be bought, then those that only the opponent has. `foe`:
    places in `members` of the units of a given opponent; empty where armies meet random ones.
    """

    setting: ArmySetting
    members: tuple[str, ...]
    muster: Muster
    foe: tuple[int, ...]

    @classmethod
    def of(cls, game: LoadedGame, setting: ArmySetting, against: str) -> _Places:
        buyable = game.members_of(setting.kind)
        foes = parse_army(against, "§against") if against else ()
        _check_opponents(game, setting, [member for member, _ in foes if member not in buyable])
        members = tuple(dict.fromkeys([*buyable, *(member for member, _ in foes)]))
        arena = game.arena(setting.kind, members, setting.changes, **dict(setting.choices))
        muster = _muster(arena, setting, [float(game.cost_points(name)) for name in buyable])
        units = tuple(members.index(member) for member, n in foes for _ in range(n))
        return cls(setting, members, muster, units)


def _check_opponents(game: LoadedGame, setting: ArmySetting, members: Sequence[str]) -> None:
    """Raise UsageError, naming --against, for members of the opponent that cannot be in the arena."""
    kind, changes, choices = setting.kind, setting.changes, dict(setting.choices)
    game.arena(kind, game.members_of(kind)[:1], changes, **choices)  # what is wrong with these is told by itself
    faults: list[Fault] = []
    for member in members:
        member_faults: list[Fault] = []
        with gathering(member_faults):
            game.arena(kind, [member], changes, **choices)
        faults += [
            replace(fault, path="§against", field=member if fault.found is not None else "") for fault in member_faults
        ]
    if faults:
        raise UsageError(faults)


def _muster(arena: Arena, setting: ArmySetting, costs: Sequence[float]) -> Muster:
    return Muster.of(arena, *setting.budgets[0], costs)


@dataclass
class _ArmySearch:
    """A search under way: the battles played so far, and the armies tried, as sorted places of members."""

    runner: Runner
    places: _Places
    seed: int
    n_battles: int = 0
    tried_armies: set[tuple[int, ...]] = field(default_factory=set)

    def best_armies(self, size: ArmySearch) -> tuple[IntArray, FloatArray]:
        """Return the best armies of all rounds, `int16[f, k]`, the best first, with scores from the last comparison."""
        muster, rng = self.places.muster, stream(self.seed, "analysis/best_army", 0, "armies")
        best, _ = self.halve(_distinct(muster.draw(size.n_random, rng)), FIRST_RUNGS, "round 0", N_BEST)
        good = best
        for number in range(1, size.n_rounds + 1):
            near = muster.fill(_thin(best[rng.integers(0, len(best), size.n_near)], rng), rng)
            candidates = _distinct(np.concatenate([best, near, muster.draw(size.n_new, rng)]))
            best, _ = self.halve(candidates, FIRST_RUNGS, f"round {number}", N_BEST)
            good = _distinct(np.concatenate([good, best]))
        return self.halve(good, LAST_RUNGS, "the best of all", N_SHOWN)

    def halve(self, armies: IntArray, rungs: Sequence[int], key: str, n: int) -> tuple[IntArray, FloatArray]:
        """Return the n best armies of successive halving, the best first, and their scores over all rungs.

        A rung is a number of battles; after each, a quarter of the armies stays, but at least n.
        """
        self.tried_armies.update(map(tuple, armies.tolist()))
        sums, n_played = np.zeros(len(armies)), 0
        for number, n_battles in enumerate(rungs):
            self.n_battles += n_battles * len(armies)
            sums, n_played = sums + n_battles * self.scores(armies, n_battles, f"{key}/{number}"), n_played + n_battles
            stays = n if number == len(rungs) - 1 else max(n, len(armies) // SURVIVORS)
            order = np.argsort(-sums, kind="stable")[:stays]
            armies, sums = armies[order], sums[order]
        return armies, sums / n_played

    def scores(self, armies: IntArray, n_battles: int, key: str) -> FloatArray:
        """Return each army's mean score over at least so many battles, `float64[c]`; all meet the same opponents."""
        places = self.places
        at_once = 2
        while at_once * 2 * len(armies) <= BLOCK and at_once < n_battles:
            at_once *= 2
        blocks = Blocks(
            places.setting, places.members, tuple(places.muster.costs.tolist()), self.seed,
            f"analysis/best_army/{key}", _meet, (armies, at_once, places.foe),
        )  # fmt: skip
        n_blocks = -(-n_battles // at_once)
        sums = play_blocks(self.runner, blocks, n_blocks, f"best army, {key.partition('/')[0]}")
        return np.asarray(sum(sums) / (n_blocks * at_once))


def _distinct(armies: IntArray) -> IntArray:
    """Return each different army once, its members sorted and empty places last."""
    last = np.iinfo(np.int16).max
    sorted_armies = np.unique(np.sort(np.where(armies == EMPTY, last, armies), axis=1), axis=0)
    return np.where(sorted_armies == last, EMPTY, sorted_armies).astype(np.int16)


def _thin(armies: IntArray, rng: np.random.Generator) -> IntArray:
    """Return armies from each of which one or two random units have been taken."""
    order = np.where(armies == EMPTY, 2.0, rng.random(armies.shape)).argsort(axis=1).argsort(axis=1)
    return np.where(order < rng.integers(1, 3, len(armies))[:, None], EMPTY, armies).astype(np.int16)


def _meet(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Return each army's summed score, `float64[c]`, over a block of n opponents, going first against half of them."""
    armies, n, foe = blocks.beside
    muster = _muster(arena, blocks.setting, blocks.costs)
    foes = np.tile(np.array(foe, np.int16), (n, 1)) if foe else muster.draw(n, rng)
    challengers, opponents = np.repeat(armies, n, axis=0), np.tile(foes, (len(armies), 1))
    first = np.arange(len(challengers)) % 2 == 0
    a, b = by_seat(challengers, opponents, first)
    limits = np.full(len(challengers), muster.limit, np.int16)
    score = yield from meet(arena, a, b, limits, blocks.rolls(number, "play", len(challengers)))
    return np.asarray(np.where(first, score, 1 - score).reshape(len(armies), n).sum(axis=1))
