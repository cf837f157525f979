"""Attacks and duels of Warforged told a second time, with every option of its rules: plain loops and fractions.

A side is a dictionary: `armour`, `health`, `speed`, `slim`, `shielded`, `overload`, `jump`, `shield` (what it does
with it), `cover` (dice against it) and `weapons`, dictionaries of `precision`, `damage`, `range` and `effects`.
`Options` are the names of those rule options that are answered otherwise than as usual.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

F = Fraction
Options = frozenset[str]
Shot = tuple[int, int, int, int, int, int, int]
"""hit, critical, damage, shield_lost, burn, emp, splash"""
Card = tuple[tuple[str, Any], ...]
OVERLOAD = 3


def card_of(weapon: dict[str, Any], target: dict[str, Any]) -> Card:
    """Return what one shot at a target depends on."""
    at = {name: target[name] for name in ("armour", "cover", "slim", "shielded")}
    return tuple(sorted((weapon | at | {"effects": frozenset(weapon["effects"])}).items()))


@cache
def shots(card: Card, up: bool, armour: int, options: Options) -> dict[Shot, Fraction]:
    """Return the chance of each outcome of one attack, die by die."""
    of: dict[str, Any] = dict(card)
    effects, low = of["effects"], 0 if "faces 0-9" in options else 1
    cover = 0 if "laser" in effects else of["cover"]
    found: dict[Shot, Fraction] = {}
    thrown = [range(1, 7) if rolls else (6,) for rolls in (of["slim"], up, "laser" in effects)]
    for d10, dodge, keep, burn_die in product(range(low, low + 10), *thrown):
        hit = d10 <= of["precision"] and not (of["slim"] and dodge == 1)
        critical = hit and d10 == of["precision"]
        stopped = hit and up
        affected = hit and not (critical and "crits have no effects" in options)
        affected &= not (stopped and "shields stop effects" in options)
        burn = burn_die if affected and "laser" in effects and burn_die <= 3 else 0
        soft = max(0, armour - burn) if "burns help themselves" in options else armour
        splash = int(affected and "high_explosive" in effects)
        lost = up and keep < 5 and (hit or "shields roll always" in options)
        blast = splash if "splash hits its target" in options else 0
        blast = 0 if stopped and "shields stop blasts" in options else blast
        hurts = {of["damage"]: F(1)} if critical or not hit else blocked(card, soft, cover, options)
        for damage, p in hurts.items():
            taken = (0 if stopped or not hit else damage) + blast
            shot = (int(hit), int(critical), taken, int(lost), burn, int(affected and "emp" in effects), splash)
            found[shot] = found.get(shot, F(0)) + p / (10 * prod(map(len, thrown)))
    return found


@cache
def blocked(card: Card, soft: int, cover: int, options: Options) -> dict[int, Fraction]:
    """Return the chance of each damage of a hit that is not critical, by how many armour dice block."""
    of: dict[str, Any] = dict(card)
    least = 1 if "at least one" in options else min(1, of["damage"])
    n_dice = 0 if "piercing" in of["effects"] else soft + cover
    ways: dict[int, int] = {}
    for dice in product(range(1, 7), repeat=n_dice):
        stops = sum(die <= soft if "dice up to the armour" in options else 3 <= die <= 5 for die in dice)
        damage = max(least, of["damage"] - stops)
        ways[damage] = ways.get(damage, 0) + 1
    return {damage: F(n, 6**n_dice) for damage, n in ways.items()}


@dataclass(frozen=True)
class Now:
    """One side as it stands; `burns` are the tokens that last one more attack, and two."""

    health: int
    shield: str = "none"
    burns: tuple[int, int] = (0, 0)
    emp: int = 0
    moves: int = 0
    done: bool = False


def begin(side: dict[str, Any]) -> Now:
    shield = {"up": "up"}.get(side["shield"], "down") if side["shielded"] else "none"
    return Now(side["health"], shield, (0, side.get("burn_tokens", 0)))


def after_shot(target: dict[str, Any], now: Now, shot: Shot, options: Options) -> tuple[Now, int]:
    """Return the target after an attack, and the Burned tokens that were placed."""
    burn = min(shot[4], max(0, target["armour"] - now.burns[1])) if "burns are capped" in options else shot[4]
    shield = "burnt" if shot[3] else now.shield
    return replace(now, health=now.health - shot[2], shield=shield, burns=(now.burns[1], burn)), burn


def armour_of(side: dict[str, Any], now: Now) -> int:
    return int(max(0, side["armour"] - sum(now.burns)))


def add(chances: dict[Any, Fraction], key: Any, p: Fraction) -> None:
    chances[key] = chances.get(key, F(0)) + p


def attack_outcomes(
    weapon: dict[str, Any], target: dict[str, Any], options: Options
) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each row of columns of one Attack action: two attacks with Rapid Fire."""
    going: dict[Any, Fraction] = {(begin(target), (0,) * 7): F(1)}
    for _ in range(2 if "rapid_fire" in weapon["effects"] else 1):
        after: dict[Any, Fraction] = {}
        for (now, sums), p in going.items():
            for shot, q in shots(card_of(weapon, target), now.shield == "up", armour_of(target, now), options).items():
                then, burn = after_shot(target, now, shot, options)
                told = [old + new for old, new in zip(sums, shot, strict=True)]
                told[4], told[5] = sums[4] + burn, max(sums[5], shot[5])
                add(after, (then, tuple(told)), p * q)
        going = after
    found: dict[tuple[int, ...], Fraction] = {}
    for (_, sums), p in going.items():
        add(found, sums, p)
    return found


def kill_outcomes(
    weapon: dict[str, Any], target: dict[str, Any], options: Options, n_actions: int
) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each (actions, overkill) of up to so many actions."""
    going, found = {begin(target): F(1)}, dict[tuple[int, ...], Fraction]()
    for action in range(1, n_actions + 1):
        for _ in range(2 if "rapid_fire" in weapon["effects"] else 1):
            after: dict[Now, Fraction] = {}
            for now, p in going.items():
                card = card_of(weapon, target)
                for shot, q in shots(card, now.shield == "up", armour_of(target, now), options).items():
                    then, _ = after_shot(target, now, shot, options)
                    if then.health <= 0:
                        add(found, (action, -then.health), p * q)
                    else:
                        add(after, then, p * q)
            going = after
    return found


@dataclass(frozen=True)
class Table:
    """Both sides as they stand, a first, and how far apart."""

    a: Now
    b: Now
    distance: int

    def of(self, side: str) -> Now:
        """Return a side."""
        return self.a if side == "a" else self.b

    def but(self, side: str, now: Now) -> Table:
        """Return the table with a side changed."""
        return Table(now, self.b, self.distance) if side == "a" else Table(self.a, now, self.distance)

    def hurt(self, side: str, damage: int) -> Table:
        """Return the table with a side hurt."""
        now = self.of(side)
        return self.but(side, replace(now, health=now.health - damage))

    @property
    def is_over(self) -> bool:
        """Whether one has fallen."""
        return self.a.health <= 0 or self.b.health <= 0


Sides = dict[str, dict[str, Any]]


def duel_outcomes(
    a: dict[str, Any], b: dict[str, Any], first: str, rounds: int, distance: int, actions: int, options: Options
) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each (winner, rounds, a_health, b_health, overkill)."""
    sides = {"a": a, "b": b}
    going, found = {Table(begin(a), begin(b), distance): F(1)}, dict[tuple[int, ...], Fraction]()
    for number in range(1, rounds + 1):
        for me in ("ab", "ba")[first == "b"]:
            for action in range(actions):
                after: dict[Table, Fraction] = {}
                for table, p in going.items():
                    for then, q in act(sides, me, table, distance, options):
                        if then.is_over:
                            add(found, told(then, number, options), p * q)
                        else:
                            rested = then.but(me, rest(then.of(me))) if action == actions - 1 else then
                            add(after, rested, p * q)
                going = after
    for table, p in going.items():
        add(found, told(table, rounds, options), p)
    return found


def rest(now: Now) -> Now:
    return replace(now, emp=max(0, now.emp - 1), moves=0, done=False)


def told(table: Table, number: int, options: Options) -> tuple[int, ...]:
    a, b = table.a.health, table.b.health
    if not table.is_over:
        winner = 0 if "only the destroyed lose" in options else (a > b) + 2 * (b > a)
    else:
        winner = 1 if a > 0 else 2 if b > 0 else 0
    return int(winner), number, max(a, 0), max(b, 0), max(0, -min(a, b))


def n_attacks(weapon: dict[str, Any]) -> int:
    return 2 if "rapid_fire" in weapon["effects"] else 1


def worth(weapon: dict[str, Any], target: dict[str, Any], options: Options) -> Fraction:
    """Return the mean damage of one action at a fresh target without a shield."""
    mean = sum(
        (p * shot[2] for shot, p in shots(card_of(weapon, target), False, target["armour"], options).items()), F(0)
    )
    return mean * n_attacks(weapon)


def act(sides: Sides, me: str, table: Table, start: int, options: Options) -> Iterator[tuple[Table, Fraction]]:
    """Yield what one action of a side comes to."""
    side, foe, now = sides[me], sides["b" if me == "a" else "a"], table.of(me)
    if now.emp or now.done:
        yield table, F(1)
        return
    if side["shield"] == "raise" and now.shield == "down":
        yield table.but(me, replace(now, shield="up")), F(1)
        return
    reaching = [weapon for weapon in side["weapons"] if weapon["range"] >= table.distance]
    if not reaching:
        yield moved(side, me, table, options), F(1)
        return
    weapon = max(reaching, key=lambda one: worth(one, foe, options))  # the first of the best
    going = {table: F(1)}
    for _ in range(n_attacks(weapon)):
        after: dict[Table, Fraction] = {}
        for at, p in going.items():
            if at.is_over:
                add(after, at, p)
                continue
            for then, q in strike(sides, me, weapon, at, options):
                add(after, then, p * q)
        going = after
    yield from going.items()


def moved(side: dict[str, Any], me: str, table: Table, options: Options) -> Table:
    """Return the table after a move, at most two a turn, or else a jump, which ends the turn."""
    now, exact, reach = table.of(me), "jumps are exact" in options, max(weapon["range"] for weapon in side["weapons"])
    if now.moves < 2:
        nearer = min(table.distance, max(table.distance - side["speed"], reach))
        return replace(table.but(me, replace(now, moves=now.moves + 1)), distance=nearer)
    lands = table.distance - side["speed"] >= 1 if exact else table.distance > 1
    if not (side["jump"] and lands):
        return table
    nearer = min(table.distance, max(table.distance - side["speed"], 1 if exact else reach))
    return replace(table.but(me, replace(now, done=True)), distance=nearer)


def strike(
    sides: Sides, me: str, weapon: dict[str, Any], table: Table, options: Options
) -> Iterator[tuple[Table, Fraction]]:
    """Yield what one attack comes to: the target, then the blasts."""
    you = "b" if me == "a" else "a"
    side, foe, target = sides[me], sides[you], table.of(you)
    near, reached = table.distance <= 1, table.distance <= 2
    for shot, p in shots(card_of(weapon, foe), target.shield == "up", armour_of(foe, target), options).items():
        then, _ = after_shot(foe, target, shot, options)
        tokens = then.emp + shot[5] if "EMP adds up" in options else max(then.emp, shot[5])
        tables = {table.but(you, replace(then, emp=min(9, tokens))): p}
        if "high_explosive" in weapon["effects"] and "no friendly fire" not in options:
            tables = blasted(sides, me, tables, lambda _, splash=shot[6]: splash * near, options)
            if "chains" in options and side["overload"]:
                tables = blasted(sides, you, tables, lambda at: OVERLOAD * (at.of(me).health <= 0 and reached), options)
        if foe["overload"]:
            tables = blasted(sides, me, tables, lambda at: OVERLOAD * (at.of(you).health <= 0 and reached), options)
        yield from tables.items()


def blasted(sides: Sides, who: str, tables: dict[Table, Fraction], damage_at: Any, options: Options) -> Any:
    """Return the tables after a blast; who is Slim may dodge it, and a shield may take it, under those options."""
    found: dict[Table, Fraction] = {}
    for table, p in tables.items():
        damage, now = damage_at(table), table.of(who)
        if damage and sides[who]["slim"] and "Slim dodges blasts" in options:
            add(found, table, p / 6)
            p = p * 5 / 6
        if damage and now.shield == "up" and "shields stop blasts" in options:
            add(found, table, p / 3)
            add(found, table.but(who, replace(now, shield="burnt")), p * 2 / 3)
        else:
            add(found, table.hurt(who, damage), p)
    return found
