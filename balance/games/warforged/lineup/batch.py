"""Armies that meet in one batch: what their line-ups start with, and what turns they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.game import Lane
from balance.game.kit.combat.members import numbers_in
from balance.games.warforged.lineup.attacks import RESOLVERS
from balance.games.warforged.lineup.blasts import Blasts
from balance.games.warforged.lineup.preferences import WEIGHS_THREATS, threat_score
from balance.games.warforged.lineup.tables import PLACES, Tables
from balance.games.warforged.lineup.turn import Slot

FOE = {"a_": "b_", "b_": "a_"}
"""Prefix of a side -> that of the side that it fights."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Armies that meet, by prefix of their side, `int[n, k]` each: `members`, `arms` and `body` (after all: nobody).

    `limits` is how many actions a turn has in each trial, `int16[n]`; 0 where every unit has its own.
    """

    tables: Mapping[str, Tables]
    members: Mapping[str, IntArray]
    arms: Mapping[str, IntArray]
    body: Mapping[str, IntArray]
    limits: IntArray

    @classmethod
    def of(cls, tables: Mapping[str, Tables], a: IntArray, b: IntArray, limits: IntArray | None) -> Batch:
        """Return the batch of armies, `int[n, k]` numbers of members, -1 for nobody.

        `limits` are the actions of a turn in each trial, `int[n]`; None for as many as the terms say.
        """
        roster, terms = tables["a"].roster, tables["a"].terms
        members = {"a_": a, "b_": b}
        arms = {side: roster.arms_of[army] for side, army in members.items()}
        sizes = [(army >= 0).sum(axis=1) for army in members.values()]
        limit = terms.unit_limit if limits is None else limits
        limit = np.where(limit, limit, np.maximum(*sizes)) * (not terms.per_unit)
        body = {side: roster.body_of[army] for side, army in members.items()}
        return cls(tables, members, arms, body, limit.astype(np.int16))

    def weapons_of(self, side: str) -> list[int]:
        """Return the numbers of the weapons that a side, "a_" or "b_", uses against some body of the other, rising."""
        return self._weapons[side]

    @cached_property
    def _weapons(self) -> dict[str, list[int]]:
        weapons = {}
        for side, foe in FOE.items():
            tables = self.tables[side[0]]
            numbers = tables.weapon_used[np.ix_(numbers_in(self.arms[side]), numbers_in(self.body[foe]))]
            weapons[side] = [weapon for weapon in numbers_in(numbers) if weapon != len(tables.roster.weapons)]
        return weapons

    def has(self, side: str, ability: str) -> BoolArray:
        """Return which units of side "a_" or "b_" have an ability of `Roster.bodies_with`, `bool[n, k]`."""
        return self.tables["a"].roster.bodies_with[ability].take(self.body[side])

    @cached_property
    def start(self) -> State:
        """State of the trials before the first action; only columns that some unit needs (see `lineup.turn`)."""
        roster, terms, state = self.tables["a"].roster, self.tables["a"].terms, dict[str, IntArray]()
        for side, foe in FOE.items():
            body, guns = self.body[side], [roster.weapons[weapon].effects for weapon in self.weapons_of(foe)]
            state |= {f"{side}arms": self.arms[side], f"{side}body": body, f"{side}health": roster.health_of.take(body)}
            if any(roster.bodies[number].shield in ("raise", "up") for number in self._real(side, "body")):
                state[f"{side}shield"] = roster.first_shield.take(body)
            if any("laser" in effects for effects in guns):
                state |= {f"{side}burn_{n}": np.zeros_like(body) for n in range(1, terms.read.burn_attacks + 1)}
            if any("emp" in effects for effects in guns):
                state[f"{side}emp"] = np.zeros_like(body)
            if self.tables[foe[0]].policy in WEIGHS_THREATS:
                state[f"{side}threat"] = self.threat(side, foe)
        if max(map(self.n_attacks, self.members)) > 1:
            n = len(self.members["a_"])
            state |= {"unit": np.zeros(n, np.int16), "weapon": np.full(n, len(roster.weapons), np.int16)}
        return state | ({"limit": self.limits} if (self.limits != self.limits[0]).any() else {})

    def threat(self, side: str, foe: str) -> IntArray:
        """Return the score of what each unit of a side threatens, `int32[n, k]`.

        That is what it deals with one action, on average over the units of the other side as they took the field. Sides
        are prefixes, "a_" and "b_".
        """
        damage = np.round(self.tables[side[0]].damage * 2**20).astype(np.int64).T  # whole numbers: alike in any batch
        total_damage = reduce(np.add, (damage.take(bodies, axis=0) for bodies in self.body[foe].T))
        n_units = np.maximum((self.members[foe] >= 0).sum(axis=1, keepdims=True), 1)
        damage_of_units = np.take_along_axis(total_damage, self.arms[side], axis=1) / 2**20
        return threat_score(damage_of_units / n_units) * np.int32(PLACES)

    @cached_property
    def blasts(self) -> Blasts:
        """How many waves blasts can have in this batch, and which units Slim or a Supershield may save from them."""
        roster, terms = self.tables["a"].roster, self.tables["a"].terms
        exploding = sum(self.has(side, "overload").sum(axis=1) for side in self.members)
        n_waves = int(np.max(exploding)) if terms.overload_reaches else 0
        slim, shield = (
            {
                side: tuple(np.flatnonzero(self.has(side, ability).any(axis=0)).tolist()) if matters else ()
                for side in self.members
            }
            for ability, matters in (("slim", terms.slim_dodges), ("supershield", terms.shield_stops))
        )
        shielded = {side: places if f"{side}shield" in self.start else () for side, places in shield.items()}
        return Blasts(roster, terms, n_waves, slim, shielded)

    def slots(self, side: str, lane: Lane) -> Iterator[Slot]:
        """Yield the attack slots of a turn of side "a_" or "b_"; lane "literal" rolls them, "compiled" draws them."""
        foe, tables = FOE[side], self.tables[side[0]]
        weapons, bodies = self.weapons_of(side), numbers_in(self.body[foe])
        meeting = tuple(product(weapons, (body for body in bodies if body < len(tables.roster.bodies))))
        n_actions = self.members[side].shape[1] if tables.terms.per_unit else int(self.limits.max())
        n_attacks, blasts, resolve = self.n_attacks(side), self.blasts, RESOLVERS[lane]
        names = (name.removeprefix(foe) for name in self.start if name.startswith(foe))
        conditions = tuple(name for name in names if name == "shield" or name.startswith("burn_"))
        for action, attack in product(range(n_actions), range(1, n_attacks + 1)):
            last = (action + 1, attack) == (n_actions, n_attacks)
            yield Slot(
                side, foe, action, attack, last, tables, resolve, meeting, blasts, conditions, lane == "compiled"
            )  # fmt: skip

    def n_attacks(self, side: str) -> int:
        """Return the most attacks that somebody of a side makes with one action."""
        return int(self.tables[side[0]].n_attacks[self.weapons_of(side)].max(initial=1))

    def _real(self, side: str, of: str) -> list[int]:
        """Return the numbers of the arms or bodies that a side has, that of nobody left out."""
        number_of_none = len(self.tables[side[0]].roster.arms if of == "arms" else self.tables[side[0]].roster.bodies)
        return [number for number in numbers_in(getattr(self, of)[side]) if number != number_of_none]

    @property
    def can_get_stuck(self) -> bool:
        """Whether it may come to where nobody can hurt anybody, and no round limit ends it."""
        return not self.tables["a"].terms.round_limit and not all(
            self.tables[side[0]].can_hurt[:-1, :-1][np.ix_(self._real(side, "arms"), self._real(foe, "body"))].all()
            for side, foe in FOE.items()
        )
