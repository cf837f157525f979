"""Line-ups of Warforged told a second time: units one by one, in plain loops and fractions, exactly or one battle.

A unit is a dictionary as in `reference_duels`. A `Field` is what a line-up is fought under; `Table` is how both armies
stand. `slot` tells what one attack of a turn comes to; `outcomes` follows every way it can go, `battle` one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, log2
from random import Random
from typing import Any, NamedTuple

from tests.games.warforged.reference_duels import (
    OVERLOAD,
    Now,
    Options,
    add,
    after_shot,
    armour_of,
    begin,
    card_of,
    n_attacks,
    shots,
    worth,
)

F = Fraction
Unit = dict[str, Any]
Spot = tuple[str, int]
"""A side, and the place of a unit in it."""


class Table(NamedTuple):
    """Both armies as they stand; `volley` is who attacks again, as the places of the unit and of its weapon."""

    a: tuple[Now, ...]
    b: tuple[Now, ...]
    volley: tuple[int, int] | None = None

    def at(self, spot: Spot) -> Now:
        """Return one unit."""
        return (self.a if spot[0] == "a" else self.b)[spot[1]]

    def but(self, spot: Spot, now: Now) -> Table:
        """Return the table with one unit changed."""
        army = list(self.a if spot[0] == "a" else self.b)
        army[spot[1]] = now
        return self.with_army(spot[0], tuple(army))

    def with_army(self, side: str, army: tuple[Now, ...]) -> Table:
        """Return the table with one army changed."""
        return self._replace(a=army) if side == "a" else self._replace(b=army)

    def living(self, side: str) -> list[int]:
        """Return the places of the units of a side that live."""
        return [place for place, now in enumerate(self.a if side == "a" else self.b) if now.health > 0]


@dataclass(frozen=True)
class Field:
    """Two armies and what they fight under."""

    a: tuple[Unit, ...]
    b: tuple[Unit, ...]
    per_unit: bool = False
    unit_limit: int = 0
    neighbours: int = 0
    distance: int = 2
    options: Options = frozenset()
    policies: tuple[str, str] = ("focus", "focus")

    def army(self, side: str) -> tuple[Unit, ...]:
        """Return the units of a side."""
        return self.a if side == "a" else self.b

    def turn(self, side: str) -> Iterator[tuple[str, int, int, bool]]:
        """Yield (side, action, attack, whether it is the last) of the slots of a turn."""
        limit = self.unit_limit or max(len(self.a), len(self.b))
        n_actions = len(self.army(side)) if self.per_unit else limit
        most = max(n_attacks(weapon) for unit in (*self.a, *self.b) for weapon in unit["weapons"])
        for action, attack in product(range(n_actions), range(most)):
            yield side, action, attack, (action, attack) == (n_actions - 1, most - 1)


def foe_of(side: str) -> str:
    return "b" if side == "a" else "a"


# -- whom to attack ----------------------------------------------------------------------------------------------------


def weapon_for(field: Field, unit: Unit, target: Unit) -> int | None:
    """Return the place of the weapon a unit uses: of those in range that of most damage, the first of equal ones."""
    reaching = [place for place, weapon in enumerate(unit["weapons"]) if weapon["range"] >= field.distance]
    return max(reaching, key=lambda one: worth(unit["weapons"][one], target, field.options), default=None)


def frozen(thing: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        sorted((name, frozen(x) if isinstance(x, dict) else x) for name, x in thing.items() if name != "weapons")
    )


def reckoned(weapon: dict[str, Any], target: Unit, health: int, options: Options) -> tuple[float, float]:
    """Return the actions it takes on average until a target of such health falls, and what one of them takes of it."""
    return _reckoned(card_of(weapon, target), target["armour"], n_attacks(weapon), health, options)


@cache
def _reckoned(card: Any, armour: int, times: int, health: int, options: Options) -> tuple[float, float]:
    once: dict[int, Fraction] = {}
    for shot, p in shots(card, False, armour, options).items():
        add(once, shot[2], p)
    action = {0: F(1)}
    for _ in range(times):
        after: dict[int, Fraction] = {}
        for (done, p), (more, q) in product(action.items(), once.items()):
            add(after, done + more, p * q)
        action = after
    miss = action.get(0, F(0))
    if miss == 1:
        return inf, 0.0
    wanted = [F(0)]
    for left in range(1, health + 1):
        later = sum((p * wanted[left - done] for done, p in action.items() if 0 < done < left), F(0))
        wanted.append((1 + later) / (1 - miss))
    return float(wanted[health]), float(sum(p * min(done, health) for done, p in action.items()))


def steps(value: float) -> int:
    """Return a number as the 4,096ths of a doubling, which is how finely attacks are told apart."""
    return -(2**17) if value <= 0 else 2**17 if value == inf else round(4096 * log2(value))


def threat(field: Field, side: str, unit: Unit) -> float:
    """Return what an action of a unit of the other side deals on average to the units of a side."""
    dealt = [F(0)]
    army = field.army(side)
    for target in army:
        place = weapon_for(field, unit, target)
        dealt.append(F(0) if place is None else worth(unit["weapons"][place], target, field.options))
    return float(sum(dealt) / len(army))


def score(field: Field, table: Table, side: str, weapon: dict[str, Any], place: int) -> tuple[float, ...]:
    """Return how little a side's policy likes an attack on the enemy at a place."""
    target, health = field.army(foe_of(side))[place], table.at((foe_of(side), place)).health
    actions, taken = reckoned(weapon, target, health, field.options)
    policy = field.policies["ab".index(side)]
    if policy == "focus":
        return (steps(actions) - steps(max(1e-3, threat(field, side, target))),)
    if policy == "least_overkill":
        return (-steps(taken),)
    return -health / target["health"], steps(actions)


def best_attack(field: Field, table: Table, side: str, units: Iterable[int]) -> tuple[int, int, int] | None:
    """Return (unit, place of its weapon, target) of the attack that is liked best."""
    found = []
    for target in table.living(foe_of(side)):
        for unit in units:
            card = field.army(side)[unit]
            place = weapon_for(field, card, field.army(foe_of(side))[target])
            if place is not None:
                liked = score(field, table, side, card["weapons"][place], target)
                found.append((liked, target, unit, place))
    if not found:
        return None
    _, target, unit, place = min(found)
    return unit, place, target


# -- what it comes to --------------------------------------------------------------------------------------------------


def slot(field: Field, table: Table, me: str, action: int, attack: int, last: bool) -> dict[Table, Fraction]:
    """Return what one attack slot of a turn comes to."""
    found: dict[Table, Fraction] = {}
    for then, p in made(field, table, me, action, attack).items():
        rested = then
        if last:
            army = tuple(replace(now, emp=max(0, now.emp - 1)) for now in (then.a if me == "a" else then.b))
            rested = then.with_army(me, army)
        add(found, rested, p)
    return found


def made(field: Field, table: Table, me: str, action: int, attack: int) -> dict[Table, Fraction]:
    mine, foes = field.army(me), foe_of(me)
    if attack:
        if table.volley is None or not table.living(foes) or table.at((me, table.volley[0])).health <= 0:
            return {table._replace(volley=None): F(1)}
        unit, place = table.volley
        weapon = mine[unit]["weapons"][place]
        again = min((score(field, table, me, weapon, target), target) for target in table.living(foes))
        return strike(field, table._replace(volley=None), me, unit, weapon, again[1])
    able = [unit for unit in table.living(me) if not table.at((me, unit)).emp]
    able = [unit for unit in able if unit == action] if field.per_unit else able
    for unit in able:
        now = table.at((me, unit))
        if mine[unit]["shield"] == "raise" and now.shield == "down":
            return {table.but((me, unit), replace(now, shield="up")): F(1)}
    chosen = best_attack(field, table, me, able)
    if chosen is None:
        return {table: F(1)}
    unit, place, target = chosen
    weapon = mine[unit]["weapons"][place]
    volley = (unit, place) if n_attacks(weapon) > 1 else None
    return strike(field, table._replace(volley=volley), me, unit, weapon, target)


def strike(field: Field, table: Table, me: str, unit: int, weapon: Any, target: int) -> dict[Table, Fraction]:
    """Return what one attack comes to: its target, then the blasts, wave after wave."""
    you = (foe_of(me), target)
    card, now, options = field.army(you[0])[target], table.at(you), field.options
    found: dict[Table, Fraction] = {}
    for shot, p in shots(card_of(weapon, card), now.shield == "up", armour_of(card, now), options).items():
        then, _ = after_shot(card, now, shot, options)
        tokens = then.emp + shot[5] if "EMP adds up" in options else max(then.emp, shot[5])
        then = replace(then, health=max(0, then.health), emp=min(9, tokens))
        explodes = {you} if then.health == 0 and card["overload"] else set[Spot]()
        for after, q in waves(field, table.but(you, then), (me, unit), you, shot[6], explodes).items():
            add(found, after, p * q)
    return found


def near(field: Field, table: Table, spot: Spot) -> list[Spot]:
    """Return the living units of the same side that a blast on a unit reaches."""
    others = [place for place in table.living(spot[0]) if place != spot[1]]
    return [(spot[0], place) for place in sorted(others, key=lambda one: (abs(one - spot[1]), one))[: field.neighbours]]


def waves(field: Field, table: Table, me: Spot, you: Spot, splash: int, explodes: set[Spot]) -> dict[Table, Fraction]:
    """Return what the blasts after an attack come to."""
    friendly = "no friendly fire" not in field.options
    enemies = dict.fromkeys(near(field, table, you), splash) if splash else {}
    friends = {me: splash} if splash and friendly and field.distance <= 1 else {}
    going = {(then, frozenset(explodes | more)): p for (then, more), p in hurt(field, table, enemies, friends).items()}
    found: dict[Table, Fraction] = {}
    while going:
        after: dict[tuple[Table, frozenset[Spot]], Fraction] = {}
        for (at, centres), p in going.items():
            if not centres:
                add(found, at, p)
                continue
            enemies, friends = {}, {}
            for spot in centres:
                other = me if spot[0] == you[0] else you
                if field.distance <= 2 and at.at(other).health > 0:
                    enemies[other] = enemies.get(other, 0) + OVERLOAD
                for friend in near(field, at, spot) if friendly else []:
                    friends[friend] = friends.get(friend, 0) + OVERLOAD
            for then, q in hurt(field, at, enemies, friends).items():
                add(after, then, p * q)
        going = after
    return found


def hurt(
    field: Field, table: Table, enemies: dict[Spot, int], friends: dict[Spot, int]
) -> dict[tuple[Table, frozenset[Spot]], Fraction]:
    """Return what a wave of blasts comes to, and who explodes after it."""
    going = {(table, frozenset[Spot]()): F(1)}
    for spot in sorted({*enemies, *friends}):
        card, total = field.army(spot[0])[spot[1]], enemies.get(spot, 0) + friends.get(spot, 0)
        after: dict[tuple[Table, frozenset[Spot]], Fraction] = {}
        for (at, exploding), p in going.items():
            now = at.at(spot)
            if now.health <= 0:
                add(after, (at, exploding), p)
                continue
            if card["slim"] and "Slim dodges blasts" in field.options:
                add(after, (at, exploding), p / 6)
                p = p * 5 / 6
            if now.shield == "up" and "shields stop blasts" in field.options:
                add(after, (at, exploding), p / 3)
                add(after, (at.but(spot, replace(now, shield="burnt")), exploding), p * 2 / 3)
                continue
            left = max(0, now.health - total)
            hostile = "blasts set off nothing" not in field.options and spot in enemies
            sets_off = left == 0 and card["overload"] and (hostile or "chains" in field.options)
            add(after, (at.but(spot, replace(now, health=left)), exploding | ({spot} if sets_off else set())), p)
        going = after
    return going


# -- whole line-ups ----------------------------------------------------------------------------------------------------

Told = tuple[int, ...]
"""winner, rounds, a_units, b_units, a_health, b_health"""


def told(field: Field, table: Table, number: int) -> Told:
    units = [len(table.living(side)) for side in "ab"]
    health = [sum(now.health for now in army) for army in (table.a, table.b)]
    lost = [len(field.a) - units[0], len(field.b) - units[1]]
    if min(units) > 0:
        ahead = (lost[1] > lost[0]) - (lost[1] < lost[0])
        if not ahead and "only the destroyed lose" not in field.options:
            ahead = (health[0] > health[1]) - (health[0] < health[1])
    else:
        ahead = (units[0] > 0) - (units[1] > 0)
    return {1: 1, -1: 2, 0: 0}[ahead], number, *units, *health


def start(field: Field) -> Table:
    a, b = (tuple(begin(unit) for unit in army) for army in (field.a, field.b))
    return Table(a, b)


def outcomes(field: Field, first: str, rounds: int) -> dict[Told, Fraction]:
    """Return the chance of each row of columns of a line-up of so many rounds."""
    going, found = {start(field): F(1)}, dict[Told, Fraction]()
    for number in range(1, rounds + 1):
        for side in (first, foe_of(first)):
            for step in field.turn(side):
                after: dict[Table, Fraction] = {}
                for table, p in going.items():
                    for then, q in slot(field, table, *step).items():
                        if then.living("a") and then.living("b"):
                            add(after, then, p * q)
                        else:
                            add(found, told(field, then, number), p * q)
                going = after
    for table, p in going.items():
        add(found, told(field, table, rounds), p)
    return found


def battle(field: Field, first: str, rounds: int, luck: Random) -> Told:
    """Return the row of columns of one line-up of at most so many rounds."""
    table = start(field)
    for number in range(1, rounds + 1):
        for side in (first, foe_of(first)):
            for step in field.turn(side):
                ways = slot(field, table, *step)
                table = luck.choices(list(ways), [float(p) for p in ways.values()])[0]
                if not (table.living("a") and table.living("b")):
                    return told(field, table, number)
    return told(field, table, rounds)
