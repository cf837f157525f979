"""Line-ups of Warforged, six against six: actions from a pool, both sides as `focus` plays.

The peer is a plain Python loop of the same rules: units in lists, one attack after another. What an attack does and
what it is reckoned to do are tables for both, the loop's own from the second telling of the rules.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import collect
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.stopping import FixedTrials
from balance.game.armies.armies import Arena
from balance.game.game import Lane
from balance.games.warforged.cards import parse_loadout
from tests.bench import known
from tests.bench.contest import BLOCK, Contender, Contest
from tests.games.warforged.reference_duels import card_of, n_attacks, shots
from tests.games.warforged.reference_lineups import Field, reckoned, steps, threat

A = "nexus+assault_rifle:2,trooper+shotgun:2,whisper+smg_pistol:2"
B = "vanguard+shotgun:2,bulwark+rail_lance,sentinel+marksman_rifle:2,spectre+smg_pistol"
WINNERS = [0.0, 0.2412455025504448, 0.7587544974495553]
"""P(draw), and that side a wins, who goes first, and side b; exactly."""
OTHERS = "others in every battle"


@cache
def _question() -> balance.Question:
    return balance.load("warforged").ask("lineup", A, B, first="a")


def battles_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often each side won; tables are kept between calls."""
    counts = collect(_question().task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts
    won = counts.marginal("winner")
    return np.bincount(won["winner"], won.weights, minlength=3).astype(np.int64)


@cache
def _arena() -> Arena:
    game = balance.load("warforged")
    return game.arena("lineup", game.entrants)


def battles_of_others(n_trials: int) -> npt.NDArray[Any]:
    """Return how often each side won where every battle has other armies, drawn from all 89 loadouts."""
    luck, won = np.random.default_rng(0), np.zeros(3, np.int64)
    for block, start in enumerate(range(0, n_trials, BLOCK)):
        n = min(BLOCK, n_trials - start)
        a, b = (luck.integers(0, len(_arena().members), (n, 6)).astype(np.int16) for _ in "ab")
        ends = simulate(_arena().process(a, b), RandomRolls(0, "bench", block, n))
        won += np.bincount(ends["winner"], minlength=3)
    return won


def _units(text: str) -> tuple[dict[str, Any], ...]:
    found = []
    for part in text.split(","):
        member, _, count = part.partition(":")
        loadout = parse_loadout(balance.load("warforged").catalogue, member)
        (card,) = loadout.weapons
        weapon = {
            "precision": card.precision,
            "damage": card.damage,
            "range": card.range_cells,
            "effects": card.effects,
        }
        unit = {"health": loadout.unit.health, "armour": loadout.unit.armour, "slim": "slim" in loadout.unit.abilities}
        found += [{**unit, "shielded": False, "overload": False, "cover": 0, "weapons": [weapon]}] * int(count or 1)
    return tuple(found)


class _Side:
    """One army against another, as tables of plain lists, by unit, target and health."""

    def __init__(self, field: Field, side: str, foe: str) -> None:
        mine, foes, options = field.army(side), field.army(foe), field.options
        self.healths = [unit["health"] for unit in mine]
        self.n_attacks = [n_attacks(unit["weapons"][0]) for unit in mine]
        self.threats = [steps(max(1e-3, threat(field, side, unit))) for unit in foes]
        self.scores: list[list[list[int]]] = []
        self.damage: list[list[tuple[list[float], list[int]]]] = []
        for unit in mine:
            weapon = unit["weapons"][0]
            self.scores.append(
                [
                    [0, *(steps(reckoned(weapon, foe, left, options)[0]) for left in range(1, foe["health"] + 1))]
                    for foe in foes
                ]
            )
            laws = [shots(card_of(weapon, foe), False, foe["armour"], options) for foe in foes]
            self.damage.append([(list(accumulate(map(float, law.values()))), [row[2] for row in law]) for law in laws])


@cache
def _sides() -> tuple[_Side, _Side]:
    field = Field(_units(A), _units(B))
    return _Side(field, "a", "b"), _Side(field, "b", "a")


def battles_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return how often each side won, from a plain Python loop."""
    luck, won = random.Random(0).random, np.zeros(3, np.int64)
    for _ in range(n_trials):
        won[_battle(_sides(), luck)] += 1
    return won


def _battle(sides: Sequence[_Side], luck: Any) -> int:
    healths = [list(side.healths) for side in sides]
    while True:
        for number, side in enumerate(sides):
            mine, foes = healths[number], healths[1 - number]
            for _ in range(6):
                best = None
                for target, left in enumerate(foes):
                    if left <= 0:
                        continue
                    for unit, own in enumerate(mine):
                        if own <= 0:
                            continue
                        liked = side.scores[unit][target][left] - side.threats[target]
                        if best is None or liked < best[0]:
                            best = liked, unit, target
                assert best is not None
                unit, target = best[1:]
                for attack in range(side.n_attacks[unit]):
                    if attack:
                        living = [place for place, left in enumerate(foes) if left > 0]
                        row = side.scores[unit]
                        target = min(living, key=lambda place: row[place][foes[place]] - side.threats[place])
                    ends, damage = side.damage[unit][target]
                    foes[target] -= damage[min(bisect(ends, luck()), len(damage) - 1)]
                    if max(foes) <= 0:
                        return number + 1


def contests() -> list[Contest]:
    """Return the contest of line-ups."""
    mine = [
        Contender("compiled lane, 2 threads", partial(battles_sampled, "compiled", 2), 2 * BLOCK, 2 * BLOCK),
        Contender("compiled lane, 1 thread", partial(battles_sampled, "compiled", 1), BLOCK, BLOCK),
        Contender(f"compiled lane, {OTHERS}, 1 thread", battles_of_others, BLOCK, BLOCK),
        Contender("literal lane, 1 thread", partial(battles_sampled, "literal", 1), BLOCK, BLOCK),
    ]
    loop = Contender("Python loop", battles_looped, 2**13, 256)
    return [Contest("Warforged line-ups, six against six", mine, [loop], _check, weight=2)]


def _check(name: str, found: Any) -> None:
    if OTHERS in name:
        known.check("battles with a winner", [float(found[1:].sum() > 0.9 * found.sum())], [1.0])
    else:
        known.check_counts(name, found, WINNERS)
