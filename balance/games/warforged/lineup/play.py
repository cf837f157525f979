"""A line-up: armies take turns in range of each other until one has nobody left, or a round limit is reached.

Nobody moves and there is no board: everybody is in range of every weapon that reaches `distance` cells. In a side's
turn its actions are spent freely (WF-ACT.1), or each of its units has one; actions that a side loses at the start are
had by nobody. With each other one, the first of these applies:

1. nothing, where an EMP token disables the unit (WF-EFF.4; the token goes at the end of that turn, WF-Q13);
2. a unit whose stance is to raise its Supershield raises it, if it is neither active nor burnt out (WF-ABIL.4); where
   actions are spent freely, the first such unit as the army is written;
3. the attack that the side's policy likes best is made. Each unit uses against each enemy the weapon in range that
   does most damage per action on average to a fresh one; the second attack of Rapid Fire may go to another target
   (WF-EFF.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import product

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import lost_in_trials
from balance.game.game import Lane
from balance.game.kit.combat.budget import step_limit
from balance.game.kit.combat.members import numbers_in, start_of
from balance.game.kit.combat.outcome import outcome_columns, side_is_out, winner
from balance.games.warforged.lineup.attacks import RESOLVERS
from balance.games.warforged.lineup.blasts import Blasts
from balance.games.warforged.lineup.preferences import WEIGHS_THREATS, threat_score
from balance.games.warforged.lineup.roster import Terms
from balance.games.warforged.lineup.tables import PLACES, Tables
from balance.games.warforged.lineup.turn import Slot, take_slot

MOST_STEPS = 2**15 - 1
"""Attack slots after which a line-up is called a draw."""
CONSTANT = ("arms", "body", "threat")
"""Columns that no step changes."""
FOE = {"a_": "b_", "b_": "a_"}
"""Prefix of a side -> that of the side that it fights."""


def line_up_process(
    tables: Mapping[str, Tables],
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
    *,
    lane: Lane = "compiled",
    order: str = "ab",
    lost_actions: tuple[int, int] = (0, 0),
) -> Process:
    """Return the process of line-ups whose armies differ by trial, sides going in the order "ab" or "ba".

    Armies are numbers of members, `int[n, k]`, -1 for nobody; a single row holds for every trial. `limits` are actions
    a turn of each trial, `int[n]`, without it as the terms say; `lost_actions` those that each side loses at the start.
    """
    batch, terms = Batch.of(tables, np.asarray(a), np.asarray(b), limits), tables["a"].terms
    steps = [partial(take_slot, slot) for side in order for slot in batch.slots(f"{side}_", lane)]
    start, fixed = dict(batch.start), State()
    start |= lost_in_trials("ab", lost_actions, len(batch.limits))
    if len(batch.members["a_"]) == 1:
        fixed = {name: start.pop(name)[0] for name in tuple(start) if name.endswith(CONSTANT)}
    return Process(
        start=start_of(start),
        steps=tuple(partial(_with, fixed, step) for step in steps),
        over=partial(_over, fixed, tables if batch.can_get_stuck else None),
        outcome=partial(_outcome, fixed, terms, len(tables["a"].roster.bodies), len(steps)),
        max_steps=min(step_limit(terms.round_limit, len(steps)), MOST_STEPS // len(steps) * len(steps)),
    )


def _with(fixed: State, step: Step, state: State, rolls: Rolls) -> State:
    """Make a step on a state without the columns that are the same in every trial, adding these for the step."""
    if not fixed:
        return step(state, rolls)
    whole = _whole(fixed, state)
    after = step(whole, rolls)
    return state if after is whole else {name: after[name] for name in state}


def _whole(fixed: State, state: State) -> State:
    if not fixed:
        return state
    n = n_trials(state)
    return {**{name: np.broadcast_to(value, (n, *value.shape)) for name, value in fixed.items()}, **state}


def _over(fixed: State, tables: Mapping[str, Tables] | None, state: State) -> BoolArray:
    state = _whole(fixed, state)
    alive = {side: state[f"{side}_health"] > 0 for side in "ab"}
    over = side_is_out(alive["a"], alive["b"])
    if tables is None:
        return over
    first = {side: np.argmax(alive[side], axis=1)[:, None] for side in "ab"}
    fronts = {f"{side}_{column}": state[f"{side}_{column}"] for side in "ab" for column in ("arms", "body")}
    fronts = {name: np.take_along_axis(column, first[name[0]], axis=1) for name, column in fronts.items()}
    unsure = np.flatnonzero(~over & ~_can_hurt(tables, fronts))  # nearly always those in front can hurt each other
    if len(unsure):
        trials = {name: column[unsure] for name, column in state.items()}
        over[unsure] = ~_can_hurt(tables, trials, {side: units[unsure] for side, units in alive.items()})
    return over


def _can_hurt(tables: Mapping[str, Tables], state: State, alive: Mapping[str, BoolArray] | None = None) -> BoolArray:
    """Return whether somebody can hurt somebody of the other side; of the living, where not all of them live."""
    can_hurt = np.zeros(n_trials(state), bool)
    for side, foe in (("a", "b"), ("b", "a")):
        pairs = tables[side].can_hurt[state[f"{side}_arms"][:, :, None], state[f"{foe}_body"][:, None, :]]
        if alive is not None:
            pairs = pairs & alive[side][:, :, None] & alive[foe][:, None, :]
        can_hurt |= pairs.any(axis=(1, 2))
    return can_hurt


def _outcome(fixed: State, terms: Terms, n_bodies: int, n_slots: int, state: State, steps: IntArray) -> State:
    state = _whole(fixed, state)
    units, health, losses = [], [], []
    for side in "ab":
        healths = state[f"{side}_health"]
        units.append((healths > 0).sum(axis=1))
        health.append(healths.sum(axis=1, dtype=np.int32))
        losses.append((state[f"{side}_body"] < n_bodies).sum(axis=1) - units[-1])
    margins = losses[1] - losses[0], (health[0] - health[1]) * terms.health_decides
    winners = winner(units[0] > 0, units[1] > 0, *(margins if terms.round_limit else ()))
    return outcome_columns(winners, steps, n_slots, units=units, health=health)


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
