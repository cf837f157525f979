"""The rules of Warforged written a second time, from the rulebook, in plain Python and exact fractions.

Nothing here is shared with the package: no arrays, no enumeration engine, no chain. It is slow and small on purpose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

F = Fraction
Outcome = tuple[int, int, int, int, int, int, int]
"""hit, critical, damage, shield_lost, burn, emp, splash"""
Condition = tuple[int, str, tuple[int, int], int]
"""health, shield (down, up, burnt), burns by attacks left (1, 2), EMP tokens"""
Side = dict[str, Any]


@cache
def attack(
    *,
    precision: int,
    damage: int,
    armour: int = 0,
    cover: int = 0,
    slim: bool = False,
    shield: bool = False,
    effects: tuple[str, ...] = (),
    zero_to_nine: bool = False,
) -> dict[Outcome, Fraction]:
    """Return {(hit, critical, damage, shield_lost, burn, emp, splash): probability} of one attack, die by die."""
    distribution: dict[Outcome, int] = {}
    n_armour = 0 if "piercing" in effects else armour + (0 if "laser" in effects else cover)
    for d10 in range(10) if zero_to_nine else range(1, 11):
        for dodge, keep, burn_die, *blocks in product(range(1, 7), repeat=3 + n_armour):
            outcome = (0, 0, 0, 0, 0, 0, 0)
            if d10 <= precision and not (slim and dodge == 1):
                critical = d10 == precision
                taken = damage if critical else max(min(1, damage), damage - sum(3 <= b <= 5 for b in blocks))
                lost = int(shield and keep < 5)
                burn = burn_die if "laser" in effects and burn_die <= 3 else 0
                emp, splash = int("emp" in effects), int("high_explosive" in effects)
                outcome = (1, int(critical), 0 if shield else taken, lost, burn, emp, splash)
            distribution[outcome] = distribution.get(outcome, 0) + 1
    return {outcome: F(ways, 10 * 6 ** (3 + n_armour)) for outcome, ways in distribution.items()}


def mean_damage(**card: Any) -> Fraction:
    return sum((p * outcome[2] for outcome, p in attack(**card).items()), F(0))


def kill_distribution(damage_distribution: dict[int, Fraction], health: int, n_attacks: int) -> list[Fraction]:
    """Return [P(the target falls on attack n)] for n = 1..n_attacks, from a distribution {damage: probability}."""
    left, falls = {health: F(1)}, []
    for _ in range(n_attacks):
        after: dict[int, Fraction] = {}
        fallen = F(0)
        for h, p in left.items():
            for d, q in damage_distribution.items():
                if h - d <= 0:
                    fallen += p * q
                else:
                    after[h - d] = after.get(h - d, 0) + p * q
        falls.append(fallen)
        left = after
    return falls


def duel(a: Side, b: Side, rounds: int) -> tuple[Fraction, ...]:
    """Return (P(a wins), P(b wins), P(draw)) of a duel of `rounds` rounds, a first, decided by health at the end.

    A side is a dict: card (of `attack`, against the other side), shots, health, overload, shield ("none" or "raise").
    """

    @cache
    def play(turn: int, one: Condition, two: Condition) -> tuple[Fraction, ...]:
        a_health, b_health = one[0], two[0]
        if a_health <= 0 or b_health <= 0 or turn == 2 * rounds:
            won_a = a_health > max(b_health, 0) if turn == 2 * rounds else a_health > 0
            won_b = b_health > max(a_health, 0) if turn == 2 * rounds else b_health > 0
            return (F(int(won_a)), F(int(won_b)), F(int(not won_a and not won_b)))
        me, foe = (a, b) if turn % 2 == 0 else (b, a)
        mine, theirs = (one, two) if turn % 2 == 0 else (two, one)
        total = [F(0)] * 3
        for (my, their), p in action(me, foe, mine, theirs).items():
            rested = (my[0], my[1], my[2], 0)
            after = (rested, their) if turn % 2 == 0 else (their, rested)
            for i, q in enumerate(play(turn + 1, *after)):
                total[i] += p * q
        return tuple(total)

    return play(0, (a["health"], "down", (0, 0), 0), (b["health"], "down", (0, 0), 0))


def action(me: Side, foe: Side, mine: Condition, theirs: Condition) -> dict[tuple[Condition, Condition], Fraction]:
    """Return {(my condition, their condition): probability} after one action."""
    health, shield, burn, out = mine
    if out:
        return {(mine, theirs): F(1)}
    if me.get("shield") == "raise" and shield == "down":
        return {((health, "up", burn, out), theirs): F(1)}
    distribution = {(mine, theirs): F(1)}
    for _ in range(me["shots"]):
        after: dict[tuple[Condition, Condition], Fraction] = {}
        for (my, their), p in distribution.items():
            for (m, t), q in one_attack(me, foe, my, their).items():
                after[m, t] = after.get((m, t), 0) + p * q
        distribution = after
    return distribution


def one_attack(me: Side, foe: Side, mine: Condition, theirs: Condition) -> dict[tuple[Condition, Condition], Fraction]:
    their_health, their_shield, their_burn, their_out = theirs
    if mine[0] <= 0 or their_health <= 0:
        return {(mine, theirs): F(1)}
    card = dict(me["card"])
    card["armour"] = max(0, card["armour"] - sum(their_burn))
    results: dict[tuple[Condition, Condition], Fraction] = {}
    for (_, _, damage, lost, burn, emp, _), p in attack(**card, shield=their_shield == "up").items():
        after = (their_health - damage, "burnt" if lost else their_shield, (their_burn[1], burn), max(their_out, emp))
        my_health = mine[0] - (foe.get("overload", 0) if after[0] <= 0 else 0)
        key = ((my_health, mine[1], mine[2], mine[3]), after)
        results[key] = results.get(key, 0) + p
    return results
