"""Duels and skirmishes told a second time, strike by strike as `reference` tells these: whole distributions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from tests.games.battlelore.reference import DEFAULT, Die, RuleOptions, Unit, bold, every_way, strike

__all__ = ["Outcomes", "duel_outcomes", "skirmish_outcomes"]

Outcomes = dict[tuple[int, ...], Fraction]
Frozen = tuple[tuple[str, Any], ...]


def frozen(one: Unit) -> Frozen:
    """Return a unit that can be a key; what it has gained so far changes nothing in a fight."""
    return tuple(sorted((one | {"chalice": 0, "banners": 0}).items()))


def add(chances: dict[Any, Fraction], key: Any, p: Fraction) -> None:
    chances[key] = chances.get(key, Fraction(0)) + p


@cache
def exchange(
    me: Frozen, foe: Frozen, supported: bool, backs: bool, readings: RuleOptions
) -> tuple[tuple[Frozen, Frozen, int, int, Fraction], ...]:
    """Return what an attack and the battle back come to: both units, whether each left its hex, and the chance.

    `supported` is whether the attacker is, where it is battled back.
    """
    found: dict[Any, Fraction] = {}

    def play(die: Die) -> dict[str, Any]:
        one, two = dict(me), dict(foe)
        one["webbed"] = False  # its owner pays to free it
        told = strike(one, two, True, die, readings)
        left = {"one": 0, "two": int(told["travelled"] > 0)}
        willing = told["ignored"] if "BL-Q12" in readings else bold(two)
        if backs and told["held"] and willing and not two["webbed"]:
            helped = one | {"supported": supported}
            left["one"] = int(strike(two, helped, True, die, readings)["travelled"] > 0)
            one = helped | {"supported": one["supported"]}
        return {"me": frozen(one), "foe": frozen(two), **left}

    for told, p in every_way(play):
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


def skirmish_outcomes(
    a: Unit, b: Unit, sizes: tuple[int, int], first: str, rounds: int,
    backs: bool = True, readings: RuleOptions = DEFAULT, friends: int = 2,
) -> Outcomes:  # fmt: skip
    """Return the chance of each (winner, rounds, a_units, b_units, a_banners, b_banners)."""
    units = (a, b)
    going: dict[State, Fraction] = {
        ((a["figures"],) * sizes[0], (b["figures"],) * sizes[1], 0, 0): Fraction(1),
    }
    ended: Outcomes = {}
    order = (0, 1) if first == "a" else (1, 0)
    for number in range(1, rounds + 1):
        for me in order:
            for place in range(sizes[me]):
                after: dict[State, Fraction] = {}
                for state, p in going.items():
                    for new, q in attack(units, state, me, place, backs, readings, friends):
                        if any(new[0]) and any(new[1]):
                            add(after, new, p * q)
                        else:
                            add(ended, told(new, number), p * q)
                going = after
    for state, p in going.items():
        add(ended, told(state, rounds), p)
    return ended


def told(state: State, number: int) -> tuple[int, ...]:
    left = [sum(figures > 0 for figures in line) for line in state[:2]]
    return (0 if all(left) else 1 if left[0] else 2, number, *left, *state[2:])


def supported(line: tuple[int, ...], place: int, friends: int) -> bool:
    return sum(line[other] > 0 for other in (place - 1, place + 1) if 0 <= other < len(line)) >= friends


def attack(
    units: tuple[Unit, Unit], state: State, me: int, place: int, backs: bool, readings: RuleOptions, friends: int
) -> Iterator[tuple[State, Fraction]]:
    """Yield the states after one unit's attack on the nearest enemy, and its battle back."""
    mine, theirs, foe = (state[1], state[0], 0) if me else (state[0], state[1], 1)
    if not mine[place]:
        yield state, Fraction(1)
        return
    there = min((other for other in range(len(theirs)) if theirs[other]), key=lambda other: (abs(other - place), other))
    one = units[me] | {"figures": mine[place]}
    two = units[foe] | {"figures": theirs[there], "supported": supported(theirs, there, friends)}
    helped = supported(mine, place, friends)
    for my, their, i_left, they_left, p in exchange(frozen(one), frozen(two), helped, backs, readings):
        lines, banners = list(state[:2]), list(state[2:])
        for side, at, unit, left in ((me, place, my, i_left), (foe, there, their, they_left)):
            figures = dict(unit)["figures"]
            banners[1 - side] += figures == 0
            lines[side] = (*lines[side][:at], 0 if left else figures, *lines[side][at + 1 :])
        yield (lines[0], lines[1], banners[0], banners[1]), p
