"""Duels of Runewars told again: round by round, every state that two units may be in, with its chance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from tests.games.runewars.reference import Clash, How, runes_that_matter, struck
from tests.games.runewars.reference_dice import amount
from tests.games.runewars.reference_trays import Standing, Unit, at_first, n_trays, regenerated, with_tray

DUEL_COLUMNS = ("winner", "rounds", "a_figures", "b_figures", "a_trays", "b_trays")
Pair = tuple[Standing, Standing]
Runes = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Duel:
    """Two units, how each attacks, and how the duel goes."""

    a: Unit
    b: Unit
    a_how: How = field(default_factory=How)
    b_how: How = field(default_factory=How)
    first: str = "a"
    simultaneous: bool = False
    volleys: int = 0
    round_limit: int = 8


@cache
def blows(
    attacker: Unit, attacking: Standing, defender: Unit, defending: Standing, how: How, runes: Runes
) -> dict[Standing, float]:
    """Return the chances of how a defender stands after an attack."""
    found: dict[Standing, float] = {}
    for (_, after), p in struck(Clash(attacker, attacking, defender, defending, how, runes)).items():
        found[after] = found.get(after, 0.0) + float(p)
    return found


def struck_by(duel: Duel, side: int, before: Pair, now: Pair, runes: Runes, shoots: bool) -> dict[Pair, float]:
    """Return the chances after one side's attack, with what it had `before`, on the other as it stands `now`."""
    unit, other = ((duel.a, duel.b), (duel.b, duel.a))[side]
    how = replace((duel.a_how, duel.b_how)[side], ranged=shoots)
    if before[side].gone or now[1 - side].gone or (shoots and set(unit.ranged) == {"0"}):
        return {now: 1.0}
    found = blows(unit, before[side], other, now[1 - side], how, runes)
    return {((now[0], after) if side == 0 else (after, now[1])): p for after, p in found.items()}


def fought(duel: Duel, start: Pair, runes: Runes, shoots: bool, first: int) -> dict[Pair, float]:
    """Return the chances after both attacks of a round."""
    found: dict[Pair, float] = {}
    for middle, p in struck_by(duel, first, start, start, runes, shoots).items():
        before = start if duel.simultaneous else middle
        for end, q in struck_by(duel, 1 - first, before, middle, runes, shoots).items():
            found[end] = found.get(end, 0.0) + p * q
    return found


def mended(unit: Unit, standing: Standing, runes: Runes) -> Standing:
    """Return a unit at the end of a round: figures are put back, then trays join."""
    standing = regenerated(unit, standing, amount(unit.regenerate, dict(runes)))
    for _ in range(unit.trays_added):
        standing = with_tray(unit, standing)
    return standing


def over(pair: Pair) -> bool:
    return pair[0].gone or pair[1].gone


def from_one_side(duel: Duel, first: int) -> dict[tuple[int, ...], float]:
    """Return the chances of all ends if one side strikes first every round."""
    states: dict[Pair, float] = {(at_first(duel.a), at_first(duel.b)): 1.0}
    ends: dict[tuple[int, ...], float] = {}
    for number in range(1, duel.round_limit + 1):
        after: dict[Pair, float] = {}
        for start, p in states.items():
            for runes, r in runes_that_matter(duel.a, duel.b).items():
                for pair, q in fought(duel, start, runes, number <= duel.volleys, first).items():
                    if not over(pair):
                        pair = (mended(duel.a, pair[0], runes), mended(duel.b, pair[1], runes))
                    after[pair] = after.get(pair, 0.0) + p * float(r) * q
        states = {}
        for pair, p in after.items():
            if over(pair) or number == duel.round_limit:
                end = told(duel, pair, number)
                ends[end] = ends.get(end, 0.0) + p
            else:
                states[pair] = p
    return ends


def told(duel: Duel, pair: Pair, number: int) -> tuple[int, ...]:
    a, b = pair
    winner = 1 if b.gone and not a.gone else 2 if a.gone and not b.gone else 0
    return winner, number, len(a.figures), len(b.figures), n_trays(duel.a, a), n_trays(duel.b, b)


def duel_outcomes(duel: Duel) -> dict[tuple[int, ...], float]:
    """Return the chances of all ends of a duel; `random`: half the duels are begun by either side."""
    firsts = {"a": (0,), "b": (1,), "random": (0, 1)}[duel.first]
    found: dict[tuple[int, ...], float] = {}
    for first in firsts:
        for end, p in from_one_side(duel, first).items():
            found[end] = found.get(end, 0.0) + p / len(firsts)
    return found
