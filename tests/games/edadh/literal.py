"""Tiny duels told literally and solved by recursion: one linear program per position, nothing shared with the toolkit.

Level A to C of the ledger, for front ranks only. A position is (sides, turns left, Periods left); a side is
(MP, damage, shaken, cards face up, cards face down, pile), cards are names. Shares no rule code with the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.chance.solvers.programming import by_programming

Cards = tuple[str, ...]
Cells = npt.NDArray[np.float64]


class Card(NamedTuple):
    ml: int
    bonus: int
    protection: int
    piercing: int
    att: int
    defence: int
    od: int
    dd: int
    dv: int
    psy: int


CARDS = {
    "shieldsmen": Card(3, 1, 3, 1, 5, 6, 4, 2, 4, 5),
    "shieldmaidens": Card(4, 2, 2, 2, 6, 5, 4, 2, 4, 6),
    "archers": Card(2, 1, 0, 1, 3, 4, 3, 1, 3, 4),
    "spears": Card(3, 1, 1, 2, 7, 5, 5, 2, 4, 5),
    "gunners": Card(2, 1, 0, 1, 3, 4, 3, 1, 3, 4),
}
"""The Melee rows of the ledger."""


def worth_of(cells: Cells) -> float:
    """Return the value of a matrix game: of its saddle point, or by one linear program."""
    low, high = cells.min(axis=1).max(), cells.max(axis=0).min()
    return float(low) if low == high else by_programming(cells)


class Side(NamedTuple):
    mp: int
    damage: int
    shaken: bool
    up: Cards
    down: Cards
    pile: Cards


def fresh(mp: int, *cards: str) -> Side:
    return Side(mp, 0, False, tuple(sorted(cards)), (), ())


def attacks(a: int, b: int) -> bool:
    """WE-CARD.2 and WE-INIT, by the twelve places of the ring."""
    return (a - b) % 12 in range(1, 6)


def cost(own: int, foe: int) -> int:
    """WE-MP, with the ledger's assumed numbers."""
    return 1 if own >= 8 and foe <= own - 7 else max(1, own - 2)


def protects(own: int, foe: int) -> bool:
    """WE-PROT.1: values own .. own + 4 below 7, else the next two."""
    return own <= foe <= own + 4 if own <= 6 else own + 1 <= foe <= min(own + 2, 12)


def strike(attacker: Card, defender: Card, by: int, against: int, att: int) -> int:
    """WE-PROT, WE-DMG and WE-XDMG: the damage of one strike."""
    withstands = defender.ml > attacker.ml or defender.protection > attacker.piercing
    if protects(against, by) and withstands:
        return 0
    return (attacker.od if att > defender.defence else attacker.dd) + max(0, by - 9)


def after_turn(side: Side, paid: int, selected: str, helpers: Cards, damage: int) -> Side:
    """WE-MP, WE-TROOP.3, WE-DISC.1 for one side."""
    card, up, down, pile = CARDS[selected], list(side.up), list(side.down), list(side.pile)
    for name in (selected, *helpers):
        up.remove(name)
    down += helpers
    (pile if damage > card.dv else down).append(selected)
    mp = min(60, side.mp - paid + card.bonus)
    return Side(mp, side.damage + damage, side.shaken, tuple(sorted(up)), tuple(sorted(down)), tuple(sorted(pile)))


def without(cards: Cards, one: str) -> Cards:
    left = list(cards)
    left.remove(one)
    return tuple(left)


def endings(side: Side) -> Iterator[Side]:
    """EOP3: every way a side may leave it (single rank, so any card may go)."""
    cards = (*side.up, *side.down)
    if cards and side.damage > min(CARDS[name].dv for name in cards):
        for name in set(cards):
            rest = max(0, side.damage - CARDS[name].dv)
            yield from endings(side._replace(damage=rest, up=without(cards, name), down=(), pile=(*side.pile, name)))
        return
    yield side._replace(up=tuple(sorted(cards)), down=())
    if side.mp < 30:
        for name in set(cards):
            mp = min(60, side.mp + CARDS[name].psy)
            yield from endings(side._replace(mp=mp, up=without(cards, name), down=(), pile=(*side.pile, name)))


@cache
def begin(a: Side, b: Side, periods: int) -> float:
    """Return the worth of a Period's start; WE-FEW.1 counts its turns, WE-FEW.2 and 3 who may combine."""
    if not periods:
        return 0.5
    turns = min(len(a.up), len(b.up))
    spare = len(a.up) - len(b.up)
    kind = "all" if turns == 1 else "one"
    return turn(a, b, turns, kind if spare > 0 else "", kind if spare < 0 else "", periods)


@cache
def turn(a: Side, b: Side, turns: int, a_right: str, b_right: str, periods: int) -> float:
    if not turns:
        return end(a, b, periods)
    cells = [[cell(a, b, i, j, turns, a_right, b_right, periods) for j in range(1, 13)] for i in range(1, 13)]
    return worth_of(np.array(cells))


def sends(side: Side, right: str) -> list[tuple[str, Cards]]:
    """WE-TROOP.1, WE-FEW.2 to 4: a troop, alone or with those it combines with."""
    found: list[tuple[str, Cards]] = []
    for name in set(side.up):
        others = without(side.up, name)
        found.append((name, ()))
        if right == "one":
            found += [(name, helpers) for helpers in set(combinations(others, 1))]
        elif right == "all" and others:
            found.append((name, others))
    return found


def cell(a: Side, b: Side, i: int, j: int, turns: int, a_right: str, b_right: str, periods: int) -> float:
    paid = cost(i, j), cost(j, i)

    def worth(mine: tuple[str, Cards], theirs: tuple[str, Cards]) -> float:
        one, other = CARDS[mine[0]], CARDS[theirs[0]]
        tie, hits = (i - j) % 6 == 0, [0, 0]
        if tie or attacks(i, j):
            hits[1] = strike(one, other, i, j, one.att + sum(CARDS[h].att for h in mine[1]))
        if tie or attacks(j, i):
            hits[0] = strike(other, one, j, i, other.att + sum(CARDS[h].att for h in theirs[1]))
        left_a, left_b = after_turn(a, paid[0], *mine, hits[0]), after_turn(b, paid[1], *theirs, hits[1])
        used_a = "" if a_right == "one" and mine[1] else a_right
        used_b = "" if b_right == "one" and theirs[1] else b_right
        return turn(left_a, left_b, turns - 1, used_a, used_b, periods)

    if (i - j) % 6 == 0:
        lowest = [
            [(name, ()) for name in set(side.up) if CARDS[name].ml == min(CARDS[up].ml for up in side.up)]
            for side in (a, b)
        ]
        return worth_of(np.array([[worth(mine, theirs) for theirs in lowest[1]] for mine in lowest[0]]))
    if attacks(i, j):
        return max(min(worth(mine, theirs) for theirs in sends(b, "")) for mine in sends(a, a_right))
    return min(max(worth(mine, theirs) for mine in sends(a, "")) for theirs in sends(b, b_right))


def end(a: Side, b: Side, periods: int) -> float:
    """EOP1 and EOP2, then both choose their endings at once."""
    beaten = a.damage > a.mp, b.damage > b.mp
    if any(beaten):
        return 0.5 + 0.5 * (beaten[1] - beaten[0])
    one, other = (
        set(endings(side._replace(damage=max(0, side.damage - sum(CARDS[name].dv for name in side.pile)))))
        for side in (a, b)
    )
    return worth_of(np.array([[settle(mine, theirs, periods) for theirs in other] for mine in one]))


def settle(a: Side, b: Side, periods: int) -> float:
    """EOP4 and EOP5."""
    more = len(a.pile) - len(b.pile)
    lost = (
        (a.shaken and more > 0) or a.mp <= 0 or not a.up,
        (b.shaken and more < 0) or b.mp <= 0 or not b.up,
    )
    if any(lost):
        return 0.5 + 0.5 * (lost[1] - lost[0])
    return begin(a._replace(shaken=more > 0, pile=()), b._replace(shaken=more < 0, pile=()), periods - 1)
