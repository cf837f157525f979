"""What a line-up looks up: what every weapon does to every body, and whom each arms prefer as a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.game.kit.combat.orders import OPPONENT
from balance.games.warforged.attack import COLUMNS, Shot, attack_distributions, best_damage
from balance.games.warforged.lineup.preferences import PREFERENCES, Reckoning
from balance.games.warforged.lineup.roster import Roster, Terms
from balance.games.warforged.setup import shot_at

PLACES = 64
"""Units that an army may have: a wish is a score times this, plus the place of a unit, so that ties go by place."""
NEVER = 2**29
"""The wish to make an attack that cannot be made; more than any other, by more than any threat takes off."""
MOST_ARMS = 12
"""Different arms of which every selection has its own table of wishes."""


@dataclass(frozen=True, eq=False)
class Tables:
    """What one side's attacks do; w weapons, k arms, u bodies, and after the last of each one that stands for nobody.

    `cover_dice` are the armour dice that light cover gives the other side.
    """

    roster: Roster
    terms: Terms
    cover_dice: int
    policy: str

    @cached_property
    def burns(self) -> bool:
        """Whether somebody, on either side, carries a Laser (WF-EFF.5)."""
        return any("laser" in weapon.effects for weapon in self.roster.weapons)

    @cached_property
    def shots(self) -> tuple[tuple[Shot, ...], ...]:
        """The shot of each weapon at each body, [w][u], none of them for nobody."""
        read, cover, burns = self.terms.read, self.cover_dice, self.burns
        return tuple(
            tuple(shot_at(weapon, body.unit, cover, read, burnable=burns) for body in self.roster.bodies)
            for weapon in self.roster.weapons
        )

    @cached_property
    def distinct_shots(self) -> tuple[Shot, ...]:
        """Every shot once: many bodies are hit alike, and what a shot does takes much memory."""
        return tuple(dict.fromkeys(shot for row in self.shots for shot in row))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of `attack.COLUMNS` that some weapon can change on some body, in their order."""
        shots = self.distinct_shots
        effects = {effect for shot in shots for effect in shot.effects}
        able = {"damage": True, "shield_lost": any(shot.shielded for shot in shots), "burn": self.burns}
        able |= {"emp": "emp" in effects, "splash": "high_explosive" in effects}
        return tuple(name for name in COLUMNS if able.get(name))

    @cached_property
    def wounds(self) -> DistributionStack:
        """What an attack does, by `first_row` and then by the condition of the target: shield, then armour left."""
        return _wounds_of(self.roster, self.terms, self.cover_dice)

    @cached_property
    def n_conditions(self) -> int:
        """The most conditions of shield and armour that a target can be in."""
        return max((len(attack_distributions(shot).distributions) for shot in self.distinct_shots), default=1)

    @cached_property
    def first_row(self) -> IntArray:
        """Where in `wounds` the conditions of a target begin, `int32[w + 1, u + 1]`; at 0 nothing happens."""
        rows = np.zeros((len(self.roster.weapons) + 1, len(self.roster.bodies) + 1), np.int32)
        n_rows = [len(attack_distributions(shot).distributions) for shot in self.distinct_shots]
        starts = dict(zip(self.distinct_shots, accumulate(n_rows, initial=self.n_conditions), strict=False))
        for w, row in enumerate(self.shots):
            rows[w, :-1] = [starts[shot] for shot in row]
        return rows

    @cached_property
    def n_armours(self) -> IntArray:
        """How many rows of `wounds` a body has for each state of its shield, `int32[u + 1]`."""
        burnable = self.burns * np.array([body.unit.armour for body in self.roster.bodies], np.int32)
        return np.append(burnable + 1, np.int32(1)).astype(np.int32)

    @cached_property
    def armour(self) -> IntArray:
        """Armour of each body where it can be burnt away, else 0, `int16[u + 1]`."""
        return (self.n_armours - 1).astype(np.int16)

    def weapons_with(self, effect: str) -> BoolArray:
        """Return which weapons have an effect, `bool[w + 1]`."""
        return np.array([*(effect in weapon.effects for weapon in self.roster.weapons), False])

    @cached_property
    def n_attacks(self) -> IntArray:
        """Attacks that each weapon makes with one action, `int16[w + 1]`."""
        rapid = self.weapons_with("rapid_fire")
        return np.where(rapid, self.terms.read.rapid_attacks, 1).astype(np.int16)

    @cached_property
    def weapon_used(self) -> IntArray:
        """The weapon that each arms use against each body, `int16[k + 1, u + 1]`: in range, of most mean damage."""
        roster, no_weapon = self.roster, len(self.roster.weapons)
        best_weapons = np.full((len(roster.arms) + 1, len(roster.bodies) + 1), no_weapon, np.int16)
        for arms, weapons in enumerate(roster.arms):
            reach = [roster.weapons.index(w) for w in weapons if w.range_cells >= self.terms.distance]
            for body in range(len(roster.bodies)):
                usable = ((best_damage(self.shots[w][body]), -place, w) for place, w in enumerate(reach))
                best_weapons[arms, body] = max(usable, default=(0, 0, no_weapon))[2]
        return best_weapons

    @cached_property
    def can_hurt(self) -> BoolArray:
        """Whether arms can ever take health from a body's side, `bool[k + 1, u + 1]`."""
        splash = self.weapons_with("high_explosive") & (self.terms.neighbours > 0)
        harmful = np.zeros(self.first_row.shape, bool)
        for w, row in enumerate(self.shots):
            harmful[w, :-1] = [best_damage(shot) > 0 or splash[w] for shot in row]
        return np.take_along_axis(harmful, self.weapon_used, axis=0)

    @cached_property
    def reckoning(self) -> Reckoning:
        """Mean actions to destroy, mean damage and share of health of each weapon, body and health."""
        return Reckoning.of(self.shots, self.roster.health_of[:-1])

    @cached_property
    def wish(self) -> IntArray:
        """Score of each weapon's attack on a body at a health, the lowest the best, `int32[w + 1, u + 1, h + 1]`."""
        scores = PREFERENCES[self.policy](self.reckoning)
        wishes = np.full((scores.shape[0] + 1, scores.shape[1] + 1, scores.shape[2]), NEVER, np.int32)
        is_possible = ~np.isnan(scores)
        wishes[:-1, :-1][is_possible] = scores[is_possible] * PLACES
        return wishes

    @cached_property
    def wish_of_arms(self) -> IntArray:
        """The scores of arms with the weapon that they use, `int32[k + 1, u + 1, h + 1]`."""
        return self.wish[self.weapon_used, np.arange(self.weapon_used.shape[1])]

    @cached_property
    def wish_of_any(self) -> IntArray | None:
        """The least score of any of some arms, `int32[2**k, u + 1, h + 1]`: bit i is set if arms i are among them.

        None where there are more than `MOST_ARMS`.
        """
        if len(self.roster.arms) > MOST_ARMS:
            return None
        wishes = np.full((1, *self.wish.shape[1:]), NEVER, np.int32)
        for wish in self.wish_of_arms[:-1]:
            wishes = np.concatenate([wishes, np.minimum(wishes, wish)])
        return wishes

    @cached_property
    def bit_of(self) -> IntArray:
        """The bit of each arms in the number of a selection, 0 for nobody, `int32[k + 1]`."""
        return np.append(1 << np.arange(min(len(self.roster.arms), MOST_ARMS)), 0).astype(np.int32)

    @cached_property
    def damage(self) -> FloatArray:
        """Mean damage of one action of arms on a fresh body, with the weapon that they use, `float64[k + 1, u + 1]`."""
        by_weapon = np.zeros(self.first_row.shape)
        for w, row in enumerate(self.shots):
            by_weapon[w, :-1] = [best_damage(shot) for shot in row]
        return np.take_along_axis(by_weapon, self.weapon_used, axis=0)


@lru_cache(maxsize=4)
def _wounds_of(roster: Roster, terms: Terms, cover_dice: int) -> DistributionStack:
    """Return `Tables.wounds`, which does not depend on the policy: kept, as it takes longest to make."""
    tables = Tables(roster, terms, cover_dice, next(iter(PREFERENCES)))
    names = tables.columns
    no_effect = Pmf(names, np.zeros((1, len(names)), np.int64), np.ones(1, np.int64))
    distributions = [no_effect] * tables.n_conditions
    for shot in tables.distinct_shots:
        distributions += [condition.marginal(*names) for condition in attack_distributions(shot).distributions]
    return DistributionStack(tuple(distributions))


@lru_cache(maxsize=4)
def tables_of(roster: Roster, terms: Terms, policies: tuple[tuple[str, str], ...]) -> Mapping[str, Tables]:
    """Return the tables of each side, which are one and the same where cover and policy are; the last are kept."""
    cover = dict(zip("ab", terms.cover_dice, strict=True))
    tables_of_terms: dict[tuple[int, str], Tables] = {}
    tables = {}
    for side, policy in policies:
        key = cover[OPPONENT[side]], policy
        tables[side] = tables_of_terms.setdefault(key, Tables(roster, terms, *key))
    return tables
