"""Blasts in a line-up: the splash of High Explosive (WF-EFF.2) and Overload (WF-ABIL.5), in waves.

There is no board, so who stands near is agreed: a blast on a unit reaches the living units of its own side that stand
nearest to it in the written order, as many as `neighbours` says, and across the gap between the armies the other one of
the two who fight, if that is within its radius. Whoever falls in a wave explodes in the next, each unit once; those of
one wave do so at the same time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.combat.members import nearest_places, put_at
from balance.games.warforged.attack import BURNT_OUT, UP
from balance.games.warforged.lineup.attacks import Strikes
from balance.games.warforged.lineup.roster import Roster, Terms


def blasts_reaching(centres: IntArray, alive: BoolArray, n: int) -> IntArray:
    """Return how many blasts reach each unit of a side, `int[n, k]`, given those on each unit, `int[n, k]`.

    Each reaches `n` living units beside that on which it is: the nearest, of two as near that written first.

    >>> blasts_reaching(np.array([[0, 1, 0, 0]]), np.array([[True, True, True, True]]), 1).tolist()
    [[1, 0, 0, 0]]
    """
    n_blasts = np.zeros_like(centres)
    for place in range(centres.shape[1] if n else 0):
        order = nearest_places(centres.shape[1], place)[1:]
        near = alive[:, order]
        near &= near.cumsum(axis=1) <= n
        n_blasts[:, order] += near * centres[:, place : place + 1]
    return n_blasts


@dataclass(frozen=True)
class Blasts:
    """What blasts can do in a batch of line-ups, in `n_waves` waves: the most units of a trial that can explode.

    `dodgers` and `shielded` have, by prefix of a side, the places of units that Slim, or a Supershield, may save from
    one.
    """

    roster: Roster
    terms: Terms
    n_waves: int
    dodgers: Mapping[str, tuple[int, ...]]
    shielded: Mapping[str, tuple[int, ...]]

    def rolls_all(self, rolls: Rolls) -> bool:
        """Return whether every trial rolls for every wave: if anything may save from a blast, unless luck is drawn."""
        return not rolls.is_random and (any(self.dodgers.values()) or any(self.shielded.values()))

    @cached_property
    def follow_attacks(self) -> bool:
        """Whether any blast may follow an attack."""
        return self.n_waves > 0 or self.terms.splash_reaches

    def follow(
        self, side: str, foe: str, strikes: Strikes, splash: IntArray, falls: BoolArray, state: State, rolls: Rolls
    ) -> None:
        """Apply all blasts that follow an attack of a side (changing `state`); sides are prefixes.

        `splash`, `int[m]`, is the damage of each attack around its target, and `falls`, `bool[m]`, whether it destroyed
        that.
        """
        rolls_all = self.rolls_all(rolls)
        if not rolls_all and not self.terms.splash_reaches and not np.count_nonzero(falls):
            return
        explodes = falls & self.roster.bodies_with["overload"].take(strikes.body) & (self.n_waves > 0)
        bursts = splash > 0 if self.terms.splash_reaches else np.zeros_like(falls)
        rows = np.arange(strikes.n) if rolls_all else strikes.rows[explodes | bursts]
        if not len(rows):
            return
        unit, target, exploding, splashes = (
            strikes.in_all(values).take(rows) for values in (strikes.unit, strikes.target, explodes * 1, splash)
        )
        near = _Near(self, side, foe, unit, target, rows, state)
        centres: Mapping[str, IntArray] = {side: np.zeros_like(near.health[side]), foe: np.zeros_like(near.health[foe])}
        centres = {**centres, foe: put_at(centres[foe], near.target, exploding)}
        if self.terms.splash_reaches:
            centres = near.splash(splashes, centres, rolls)
        for _ in range(self.n_waves):
            if any(map(np.count_nonzero, centres.values())):
                centres = near.overload(centres, rolls)
            elif rolls_all:
                self.roll_for_nothing((side, foe), rolls)
            else:
                break
        near.write(state)

    def roll_for_nothing(self, sides: tuple[str, str], rolls: Rolls) -> None:
        """Roll the dice of a wave in which nothing explodes, so that every batch rolls as many."""
        for side in sides:
            if self.dodgers[side]:
                self.dodge_rolls(side, rolls)
            if self.shielded[side]:
                self.shield_rolls(side, rolls)

    def dodge_rolls(self, side: str, rolls: Rolls) -> BoolArray:
        """Return which of a side's `dodgers` Slim would save from a blast (WF-Q4), `bool[n, k]`."""
        name = f"{side[0]} blast slim"
        return rolls.successes(self.terms.special_faces, len(self.dodgers[side]), self.terms.dodge_faces, name)

    def shield_rolls(self, side: str, rolls: Rolls) -> BoolArray:
        """Return which of a side's `shielded` would keep their Supershield in a blast (WF-Q15), `bool[n, k]`."""
        name = f"{side[0]} blast shield"
        return rolls.successes(self.terms.special_faces, len(self.shielded[side]), self.terms.keep_faces, name)


class _Near:
    """The trials in which something blasts, with copies of health and shields that blasts change."""

    def __init__(
        self, blasts: Blasts, side: str, foe: str, unit: IntArray, target: IntArray, rows: IntArray, state: State
    ) -> None:
        self.blasts, self.side, self.foe, self.unit, self.target, self.rows = blasts, side, foe, unit, target, rows
        sides = side, foe
        self.body = {side: state[f"{side}body"].take(rows, axis=0) for side in sides}
        self.health = {side: state[f"{side}health"].take(rows, axis=0) for side in sides}
        self.shield = {side: state[f"{side}shield"].take(rows, axis=0) for side in sides if f"{side}shield" in state}
        self.is_changed = set[tuple[str, str]]()

    def write(self, state: State) -> None:
        """Write health and shields that have changed back into a state, as new arrays."""
        for name, parts in (("health", self.health), ("shield", self.shield)):
            for side, part in parts.items():
                if (name, side) in self.is_changed:
                    state[f"{side}{name}"] = whole = state[f"{side}{name}"].copy()
                    whole[self.rows] = part

    def splash(self, bursts: IntArray, explode: Mapping[str, IntArray], rolls: Rolls) -> Mapping[str, IntArray]:
        """Let High Explosive burst around the target; return who explodes after it, those of `explode` too."""
        terms, centre = self.blasts.terms, put_at(np.zeros_like(self.health[self.foe]), self.target, bursts)
        n_friendly = terms.friendly_fire and terms.distance <= terms.splash_radius
        enemies = blasts_reaching(centre, self.health[self.foe] > 0, terms.neighbours)
        friends = put_at(np.zeros_like(self.health[self.side]), self.unit, bursts * n_friendly)
        no_blasts = {side: np.zeros_like(health) for side, health in self.health.items()}
        more = self._wound({**no_blasts, self.foe: enemies}, {**no_blasts, self.side: friends}, rolls)
        return {side: explode[side] + more[side] for side in explode}

    def overload(self, centres: Mapping[str, IntArray], rolls: Rolls) -> Mapping[str, IntArray]:
        """Let units explode, `int[n, k]` by side; return who explodes after them."""
        terms = self.blasts.terms
        enemies, friends = {}, {}
        for side, rival, place in ((self.side, self.foe, self.unit), (self.foe, self.side, self.target)):
            across = centres[rival].sum(axis=1) * (terms.distance <= terms.overload_radius)
            enemies[side] = terms.overload * put_at(np.zeros_like(self.health[side]), place, across)
            n_near = terms.neighbours if terms.friendly_fire else 0
            friends[side] = terms.overload * blasts_reaching(centres[side], self.health[side] > 0, n_near)
        return self._wound(enemies, friends, rolls)

    def _wound(
        self, enemies: Mapping[str, IntArray], friends: Mapping[str, IntArray], rolls: Rolls
    ) -> Mapping[str, IntArray]:
        """Take the damage of blasts of enemies and of friends; return which units explode, 0 or 1 each."""
        explode = {}
        chain, overloads = self.blasts.terms.overload_chain, self.blasts.roster.bodies_with["overload"]
        for side in (self.side, self.foe):
            health, damage = self.health[side], enemies[side] + friends[side]
            if not self.blasts.rolls_all(rolls) and not np.count_nonzero(damage):
                explode[side] = np.zeros_like(health)
                continue
            hit = self._units_hit(side, (health > 0) & (damage > 0), rolls)
            self.health[side] = np.maximum(health - damage * hit, 0).astype(health.dtype)
            self.is_changed.add(("health", side))
            falls = hit & (health > 0) & (self.health[side] == 0) & overloads[self.body[side]]
            sets_off = {"none": np.zeros_like(falls), "hostile": enemies[side] > 0, "any": falls}[chain]
            explode[side] = (falls & sets_off).astype(health.dtype)
        return explode

    def _units_hit(self, side: str, hit: BoolArray, rolls: Rolls) -> BoolArray:
        """Return which units a blast still hits after Slim (WF-Q4) and Supershields (WF-Q15) have their say."""
        blasts, hit = self.blasts, hit.copy()
        dodgers, shielded = list(blasts.dodgers[side]), list(blasts.shielded[side])
        if dodgers:
            slim = blasts.roster.bodies_with["slim"][self.body[side]]
            hit[:, dodgers] &= ~(blasts.dodge_rolls(side, rolls)[self.rows] & slim[:, dodgers])
        if shielded:
            keeps, shield = blasts.shield_rolls(side, rolls)[self.rows], self.shield[side][:, shielded]
            absorbs = hit[:, shielded] & (shield == UP)
            self.shield[side][:, shielded] = np.where(absorbs & ~keeps, BURNT_OUT, shield)
            self.is_changed.add(("shield", side))
            hit[:, shielded] &= ~absorbs
        return hit
