"""Line-ups of Runewars told again: every state that two small armies may be in, with its chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.games.runewars.reference import How, runes_that_matter
from tests.games.runewars.reference_dice import amount
from tests.games.runewars.reference_duel import Runes, blows
from tests.games.runewars.reference_trays import Ability, Standing, Unit, at_first, regenerated

LINEUP_COLUMNS = ("winner", "rounds", "a_units", "b_units", "a_figures", "b_figures", "a_points", "b_points")
Army = tuple[Standing, ...]
Givers = tuple[tuple[str, int, int, int], ...]
"""Unique conditions: which, side and place of who has it, and the place of the enemy who put it there."""


@dataclass(frozen=True)
class Fighter:
    """A unit, what it costs, and what its card says beyond an attack."""

    unit: Unit
    points: int = 0
    lends: tuple[Ability, ...] = ()
    borrows: bool = False
    attacks_all: bool = False


@dataclass(frozen=True)
class LineUp:
    """Two armies; `aims` and `hows` of both sides."""

    a: tuple[Fighter, ...]
    b: tuple[Fighter, ...]
    aims: tuple[str, str] = ("opposite", "opposite")
    how: How = field(default_factory=How)
    first: int = 0
    round_limit: int = 8
    unique: frozenset[str] = frozenset({"branded"})
    one_in_all: bool = False

    @property
    def armies(self) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
        return self.a, self.b


@dataclass(frozen=True)
class Field:
    """Who stands, and who put which unique condition on whom."""

    armies: tuple[Army, Army]
    givers: Givers = ()

    def over(self) -> bool:
        return any(all(one.gone for one in army) for army in self.armies)

    def with_unit(self, side: int, place: int, unit: Standing) -> Field:
        changed = [list(army) for army in self.armies]
        changed[side][place] = unit
        return replace(self, armies=(tuple(changed[0]), tuple(changed[1])))


def order_of_wish(lineup: LineUp, side: int, place: int, at: Field) -> list[int]:
    """Return the enemies that stand, the one that is liked best first."""
    enemies, fighters = at.armies[1 - side], lineup.armies[1 - side]
    standing = [number for number, one in enumerate(enemies) if not one.gone]

    def dislike(number: int) -> tuple[int, int, int]:
        wish = {"opposite": 0, "weakest": sum(enemies[number].figures), "dearest": -fighters[number].points}
        return wish[lineup.aims[side]], abs(number - place), number

    return sorted(standing, key=dislike)


def armed(lineup: LineUp, side: int, place: int, at: Field) -> Unit:
    """Return a unit with what friends that stand lend it, in the order of their texts."""
    fighters = lineup.armies[side]
    friends = [one for number, one in enumerate(fighters) if number != place and not at.armies[side][number].gone]
    more = [ability for one in sorted(friends, key=lambda one: repr(one.lends)) for ability in one.lends]
    unit = fighters[place].unit
    return replace(unit, surges=(*unit.surges, *more)) if fighters[place].borrows else unit


def after_attack(
    lineup: LineUp, side: int, place: int, on: int, at: Field, runes: Runes
) -> Iterator[tuple[Field, float]]:
    """Yield how the field may look after one attack, with its chance."""
    before, foe = at.armies[1 - side][on], lineup.armies[1 - side][on].unit
    unit, own = armed(lineup, side, place, at), at.armies[side][place]
    for standing, p in blows(unit, own, foe, before, lineup.how, runes).items():
        after = at.with_unit(1 - side, on, standing)
        for one in standing.conditions - before.conditions:
            after = given(lineup, after, one, 1 - side, on, place) if one in lineup.unique else after
        yield after, p


def given(lineup: LineUp, at: Field, condition: str, side: int, place: int, giver: int) -> Field:
    """Return the field after a unique condition was given, earlier copies of the same effect discarded."""
    for other, one in enumerate(at.armies[side]):
        same = (condition, side, other, giver) in at.givers
        if other != place and (same or lineup.one_in_all):
            at = at.with_unit(side, other, replace(one, conditions=one.conditions - {condition}))
            at = replace(at, givers=tuple(g for g in at.givers if g[:3] != (condition, side, other)))
    return replace(at, givers=tuple(sorted({*at.givers, (condition, side, place, giver)})))


def turned(lineup: LineUp, side: int, start: Field, runes: Runes) -> dict[Field, float]:
    """Return the chances of the field after all units of a side have attacked."""
    states = {start: 1.0}
    for place, fighter in enumerate(lineup.armies[side]):
        after: dict[Field, float] = {}
        for at, p in states.items():
            if at.over() or at.armies[side][place].gone:
                after[at] = after.get(at, 0.0) + p
                continue
            picked, *others = order_of_wish(lineup, side, place, at)
            line = {at: p}
            for on in [picked, *(sorted(others) if fighter.attacks_all else [])]:
                line = spread(lineup, side, place, on, line, runes)
            for end, q in line.items():
                after[end] = after.get(end, 0.0) + q
        states = after
    return states


def spread(
    lineup: LineUp, side: int, place: int, on: int, states: dict[Field, float], runes: Runes
) -> dict[Field, float]:
    found: dict[Field, float] = {}
    for at, p in states.items():
        for end, q in after_attack(lineup, side, place, on, at, runes):
            found[end] = found.get(end, 0.0) + p * q
    return found


def rested(lineup: LineUp, at: Field, runes: Runes) -> Field:
    """Return the field with figures put back."""
    for side, fighters in enumerate(lineup.armies):
        for place, fighter in enumerate(fighters):
            number = amount(fighter.unit.regenerate, dict(runes))
            if not (standing := at.armies[side][place]).gone:
                at = at.with_unit(side, place, regenerated(fighter.unit, standing, number))
    return at


def lineup_outcomes(lineup: LineUp) -> dict[tuple[int, ...], float]:
    """Return the chances of all ends of a line-up."""
    fighters = (*lineup.a, *lineup.b)
    a, b = (tuple(at_first(one.unit) for one in army) for army in lineup.armies)
    states, ends = {Field((a, b)): 1.0}, dict[tuple[int, ...], float]()
    for number in range(1, lineup.round_limit + 1):
        after: dict[Field, float] = {}
        for start, p in states.items():
            for runes, r in runes_that_matter(*(one.unit for one in fighters)).items():
                for middle, q in turned(lineup, lineup.first, start, runes).items():
                    for end, s in turned(lineup, 1 - lineup.first, middle, runes).items():
                        rest = end if end.over() else rested(lineup, end, runes)
                        after[rest] = after.get(rest, 0.0) + p * float(r) * q * s
        states = {at: p for at, p in after.items() if not at.over() and number < lineup.round_limit}
        for at, p in after.items():
            if at not in states:
                end_of = told(lineup, at, number)
                ends[end_of] = ends.get(end_of, 0.0) + p
    return ends


def told(lineup: LineUp, at: Field, number: int) -> tuple[int, ...]:
    standing = [[not one.gone for one in army] for army in at.armies]
    figures = [sum(len(one.figures) for one in army) for army in at.armies]
    points = [
        sum(fighter.points for fighter, stands in zip(army, there, strict=True) if stands)
        for army, there in zip(lineup.armies, standing, strict=True)
    ]
    winner = 1 if not any(standing[1]) else 2 if not any(standing[0]) else 0
    return winner, number, sum(standing[0]), sum(standing[1]), *figures, *points
