"""Duels and line-ups told a second time, strike by strike as `reference` tells these: whole distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from itertools import count
from random import Random
from typing import Any

from tests.games.battlelore.reference import DEFAULT, FACES, FULL, Die, RuleOptions, Unit, bold, every_way, strike

Outcomes = dict[tuple[int, ...], Fraction]
Frozen = tuple[tuple[str, Any], ...]


def frozen(one: Unit) -> Frozen:
    """Return a unit that can be a key; what it has gained so far changes nothing in a fight."""
    return tuple(sorted((one | {"chalice": 0, "banners": 0}).items()))


def add(chances: dict[Any, Fraction], key: Any, p: Fraction) -> None:
    chances[key] = chances.get(key, Fraction(0)) + p


def clash(me: Frozen, foe: Frozen, supported: bool, backs: bool, readings: RuleOptions, die: Die) -> dict[str, Any]:
    """Return what an attack and the battle back come to: both units, and whether each left its hex.

    `supported` is whether the attacker is, where it is battled back.
    """
    one, two = dict(me), dict(foe)
    one["webbed"] = False  # its owner pays to free it
    told = strike(one, two, True, die, readings)
    left = {"one": 0, "two": int(told["travelled"] > 0)}
    willing = told["ignored"] if "BL-Q12" in readings else bold(two)
    if backs and told["held"] and willing and not two["webbed"]:
        helped = one | {"supported": supported}
        left["one"] = int(strike(two, helped, True, die, readings, backs=True)["travelled"] > 0)
        one = helped | {"supported": one["supported"]}
    return {"me": frozen(one), "foe": frozen(two), **left}


@cache
def exchange(
    me: Frozen, foe: Frozen, supported: bool, backs: bool, readings: RuleOptions
) -> tuple[tuple[Frozen, Frozen, int, int, Fraction], ...]:
    """Return all that it can come to, with the chance of each."""
    found: dict[Any, Fraction] = {}
    for told, p in every_way(partial(clash, me, foe, supported, backs, readings)):
        add(found, tuple(told.values()), p)
    return tuple((*told, p) for told, p in found.items())


def duel_outcomes(
    a: Unit, b: Unit, first: str, turns: int, backs: bool = True, readings: RuleOptions = DEFAULT
) -> Outcomes:
    """Return the chance of each (winner, turns, a_figures, b_figures, a_left, b_left)."""
    going: dict[tuple[Frozen, Frozen], Fraction] = {(frozen(a), frozen(b)): Fraction(1)}
    ended: Outcomes = {}
    for turn in range(1, turns + 1):
        after: dict[tuple[Frozen, Frozen], Fraction] = {}
        a_attacks = (first == "a") == (turn % 2 == 1)
        for (one, two), p in going.items():
            me, foe = (one, two) if a_attacks else (two, one)
            for mine, theirs, i_left, they_left, q in exchange(me, foe, dict(me)["supported"], backs, readings):
                x, y, x_left, y_left = (
                    (mine, theirs, i_left, they_left) if a_attacks else (theirs, mine, they_left, i_left)
                )
                figures = dict(x)["figures"], dict(y)["figures"]
                stand = figures[0] > 0 and not x_left, figures[1] > 0 and not y_left
                if all(stand) and turn < turns:
                    add(after, (x, y), p * q)
                else:
                    winner = 0 if all(stand) else 1 if stand[0] else 2
                    add(ended, (winner, turn, *figures, x_left, y_left), p * q)
        going = after
    return ended


State = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""Figures of each line by place, 0 where nobody is; banners of a and b."""
Step = Callable[[State], Iterator[tuple[State, Fraction]]]


@dataclass(frozen=True)
class LineUp:
    """Two lines of units, who goes first, and how they fight; `aims` say whom each side attacks."""

    a: Sequence[Unit]
    b: Sequence[Unit]
    first: str
    aims: tuple[str, str] = ("opposite", "opposite")
    backs: bool = True
    readings: RuleOptions = DEFAULT
    friends: int = 2

    @property
    def start(self) -> State:
        return tuple(one["figures"] for one in self.a), tuple(one["figures"] for one in self.b), 0, 0

    @property
    def round(self) -> list[Step]:
        """The attacks of a round, in order."""
        sizes = len(self.a), len(self.b)
        sides = (0, 1) if self.first == "a" else (1, 0)
        return [partial(attack, self, me, place) for me in sides for place in range(sizes[me])]

    def ways(self, me: Frozen, foe: Frozen, supported: bool) -> Iterable[tuple[Frozen, Frozen, int, int, Fraction]]:
        """Return all that an attack and the battle back can come to."""
        return exchange(me, foe, supported, self.backs, self.readings)


@dataclass(frozen=True)
class Played(LineUp):
    """The same with dice that are rolled."""

    chance: Random = field(kw_only=True)

    def ways(self, me: Frozen, foe: Frozen, supported: bool) -> Iterable[tuple[Frozen, Frozen, int, int, Fraction]]:
        """Return the one that the dice fall."""
        told = clash(me, foe, supported, self.backs, self.readings, lambda: self.chance.choice(FACES))
        return [(*told.values(), Fraction(1))]

    def ended(self) -> tuple[int, ...]:
        """Play to the end and return what `lineup_outcomes` tells of it."""
        state = self.start
        for number in count(1):
            for step in self.round:
                ((state, _),) = step(state)
                if not (any(state[0]) and any(state[1])):
                    return told(state, number)
        raise AssertionError


def lineup_outcomes(lineup: LineUp, rounds: int) -> Outcomes:
    """Return the chance of each (winner, rounds, a_units, b_units, a_banners, b_banners)."""
    going: dict[State, Fraction] = {lineup.start: Fraction(1)}
    ended: Outcomes = {}
    for number in range(1, rounds + 1):
        for step in lineup.round:
            after: dict[State, Fraction] = {}
            for state, p in going.items():
                for new, q in step(state):
                    if any(new[0]) and any(new[1]):
                        add(after, new, p * q)
                    else:
                        add(ended, told(new, number), p * q)
            going = after
    for state, p in going.items():
        add(ended, told(state, rounds), p)
    return ended


def skirmish_outcomes(
    a: Unit, b: Unit, sizes: tuple[int, int], first: str, rounds: int,
    backs: bool = True, readings: RuleOptions = DEFAULT, friends: int = 2,
) -> Outcomes:  # fmt: skip
    """Return the same of two lines of equal units."""
    lineup = LineUp([a] * sizes[0], [b] * sizes[1], first, backs=backs, readings=readings, friends=friends)
    return lineup_outcomes(lineup, rounds)


def told(state: State, number: int) -> tuple[int, ...]:
    left = [sum(figures > 0 for figures in line) for line in state[:2]]
    return (0 if all(left) else 1 if left[0] else 2, number, *left, *state[2:])


def supported(line: tuple[int, ...], place: int, friends: int) -> bool:
    return sum(line[other] > 0 for other in (place - 1, place + 1) if 0 <= other < len(line)) >= friends


def target(aim: str, place: int, units: Sequence[Unit], figures: tuple[int, ...]) -> int:
    """Return the place of whom a unit attacks: whom its aim likes best, of these the nearest, of two the left one."""

    def dislike(there: int) -> Fraction:
        share = Fraction(figures[there], FULL[units[there]["kind"]])
        return {"opposite": Fraction(0), "focus": Fraction(figures[there]), "spread": -share}[aim]

    living = [there for there in range(len(units)) if figures[there]]
    return min(living, key=lambda there: (dislike(there), abs(there - place), there))


def attack(lineup: LineUp, me: int, place: int, state: State) -> Iterator[tuple[State, Fraction]]:
    """Yield the states after one unit's attack, and the battle back."""
    mine, theirs, foe = (state[1], state[0], 0) if me else (state[0], state[1], 1)
    if not mine[place]:
        yield state, Fraction(1)
        return
    units = (lineup.a, lineup.b)
    there = target(lineup.aims[me], place, units[foe], theirs)
    one = units[me][place] | {"figures": mine[place]}
    two = units[foe][there] | {"figures": theirs[there], "supported": supported(theirs, there, lineup.friends)}
    helped = supported(mine, place, lineup.friends)
    for my, their, i_left, they_left, p in lineup.ways(frozen(one), frozen(two), helped):
        lines, banners = list(state[:2]), list(state[2:])
        for side, at, unit, left in ((me, place, my, i_left), (foe, there, their, they_left)):
            figures = dict(unit)["figures"]
            banners[1 - side] += figures == 0
            lines[side] = (*lines[side][:at], 0 if left else figures, *lines[side][at + 1 :])
        yield (lines[0], lines[1], banners[0], banners[1]), p
