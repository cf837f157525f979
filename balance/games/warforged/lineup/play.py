"""A line-up: armies take turns in range of each other until one has nobody left, or a round limit is reached.

Nobody moves and there is no board: everybody is in range of every weapon that reaches `distance` cells. In a side's
turn its actions are spent freely (WF-ACT.1), or each of its units has one; with each, the first of these applies:

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

from balance.core.process import BoolArray, Process, State, Step, n_trials
from balance.core.rolls import Rolls
from balance.games.warforged.lineup.attacks import RESOLVERS, any_of
from balance.games.warforged.lineup.blasts import Blasts
from balance.games.warforged.lineup.preferences import WEIGHS_THREATS, threat_score
from balance.games.warforged.lineup.roster import Roster, Terms
from balance.games.warforged.lineup.tables import PLACES, Tables
from balance.games.warforged.lineup.turn import Slot, take_slot
from balance.pmf.arrays import IntArray
from balance.protocol.game import Column, Lane
from balance.protocol.kit import WINNER, per_side

__all__ = ["CANNOT_SEE", "COLUMNS", "PLAYED", "LineUp", "line_up_process"]

LONGEST_ROUNDS = 10_000
"""Rounds after which a line-up without a limit is called a draw."""
MOST_STEPS = 2**15 - 1
"""Attack slots after which it is."""
CONSTANT = ("arms", "body", "threat")
"""Columns that no step changes."""

COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    **per_side("units", "units side {me} has left"),
    **per_side("health", "health that the units of side {me} have left together"),
}
"""What a line-up reports, and what it means."""
PLAYED = (
    "Two armies stand in range of each other, 2 cells apart unless set, and take turns until one has nobody left; the "
    "other wins. A turn has as many actions as the larger army has units, unless set, and one unit may take them all; "
    "or each unit has one. Units with a Supershield raise it first; else the side's policy says who attacks whom."
)
CANNOT_SEE = (
    "Range, speed and Jump: nobody moves, so a long reach or fast legs earn nothing.",
    "The map: no cover but what is set, and nobody stands out of sight.",
    "Splash and Overload: who stands near whom is agreed (`neighbours`), not played for.",
    "Play: sides attack as their policies say, and nobody destroys himself on purpose.",
)
"""How a line-up is played and won, and what its answer leaves out."""


@dataclass(frozen=True)
class LineUp:
    """A line-up as it is asked: who fights on each side, under what.

    Attributes
    ----------
    roster, terms
        Who may fight, under what.
    armies
        Numbers of the members of side a, and of side b, in the order written.
    first
        "a", "b" or "random".
    policies
        Side -> its policy, in pairs.
    """

    roster: Roster
    terms: Terms
    armies: tuple[tuple[int, ...], tuple[int, ...]]
    first: str
    policies: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class _Batch:
    """Armies that meet, by prefix of their side, `int[n, k]` each: `members`, `arms` and `body` (after all: nobody).

    `limits` is how many actions a turn has in each trial, `int16[n]`; 0 where every unit has its own.
    """

    tables: Mapping[str, Tables]
    members: Mapping[str, IntArray]
    arms: Mapping[str, IntArray]
    body: Mapping[str, IntArray]
    limits: IntArray

    @classmethod
    def of(cls, tables: Mapping[str, Tables], a: IntArray, b: IntArray, limits: IntArray | None) -> _Batch:
        roster, terms = tables["a"].roster, tables["a"].terms
        members = {"a_": a, "b_": b}
        arms = {side: roster.arms_of[army] for side, army in members.items()}
        sizes = [(army >= 0).sum(axis=1) for army in members.values()]
        agreed = terms.unit_limit if limits is None else limits
        agreed = np.where(agreed, agreed, np.maximum(*sizes)) * (not terms.per_unit)
        body = {side: roster.body_of[army] for side, army in members.items()}
        return cls(tables, members, arms, body, agreed.astype(np.int16))

    def used(self, side: str) -> list[int]:
        """Return the weapons that a side can use against the other."""
        tables, foe = self.tables[side[0]], "b_" if side == "a_" else "a_"
        found = set(tables.weapon_used[np.ix_(_seen(self.arms[side]), _seen(self.body[foe]))].ravel().tolist())
        return sorted(found - {len(tables.roster.weapons)})

    def has(self, side: str, ability: str) -> BoolArray:
        """Return which units of a side have an ability, `bool[n, k]`."""
        return self.tables["a"].roster.having[ability].take(self.body[side])

    @cached_property
    def start(self) -> State:
        """The state of the trials before the first action."""
        roster, terms, state = self.tables["a"].roster, self.tables["a"].terms, dict[str, IntArray]()
        for side, foe in (("a_", "b_"), ("b_", "a_")):
            body, guns = self.body[side], [roster.weapons[weapon].effects for weapon in self.used(foe)]
            state |= {f"{side}arms": self.arms[side], f"{side}body": body, f"{side}health": roster.health_of.take(body)}
            if any(one < len(roster.bodies) and roster.bodies[one].shield in ("raise", "up") for one in _seen(body)):
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

        That is what it deals with one action, on average over the units of the other side as they took the field.
        """
        damage = np.round(self.tables[side[0]].damage * 2**20).astype(np.int64).T  # whole numbers: alike in any batch
        dealt = reduce(np.add, (damage.take(bodies, axis=0) for bodies in self.body[foe].T))
        n_units = np.maximum((self.members[foe] >= 0).sum(axis=1, keepdims=True), 1)
        return threat_score(np.take_along_axis(dealt, self.arms[side], axis=1) / 2**20 / n_units) * np.int32(PLACES)

    def blasts(self) -> Blasts:
        """Return what blasts can do here."""
        roster, terms = self.tables["a"].roster, self.tables["a"].terms
        exploding = sum(self.has(side, "overload").sum(axis=1) for side in self.members)
        n_waves = int(np.max(exploding)) if terms.overload_reaches else 0
        slim, shield = (
            {
                side: tuple(np.flatnonzero(self.has(side, ability).any(axis=0)).tolist()) if heeded else ()
                for side in self.members
            }
            for ability, heeded in (("slim", terms.slim_dodges), ("supershield", terms.shield_stops))
        )
        shielded = {side: places if f"{side}shield" in self.start else () for side, places in shield.items()}
        return Blasts(roster, terms, n_waves, slim, shielded)

    def slots(self, side: str, lane: Lane) -> Iterator[Slot]:
        """Yield the attack slots of one turn of a side."""
        foe, tables = "b_" if side == "a_" else "a_", self.tables[side[0]]
        used, bodies = self.used(side), _seen(self.body[foe])
        meeting = tuple(product(used, (body for body in bodies if body < len(tables.roster.bodies))))
        n_actions = self.members[side].shape[1] if tables.terms.per_unit else int(self.limits.max())
        n_attacks, blasts = self.n_attacks(side), self.blasts()
        for action, attack in product(range(n_actions), range(1, n_attacks + 1)):
            last = (action + 1, attack) == (n_actions, n_attacks)
            yield Slot(side, foe, action, attack, last, tables, RESOLVERS[lane], meeting, blasts)

    def n_attacks(self, side: str) -> int:
        """Return the most attacks that somebody of a side makes with one action."""
        return int(self.tables[side[0]].n_attacks[self.used(side)].max(initial=1))

    def _real(self, side: str, of: str) -> list[int]:
        """Return the numbers of the arms or bodies that a side has, that of nobody left out."""
        nobody = len(self.tables[side[0]].roster.arms if of == "arms" else self.tables[side[0]].roster.bodies)
        return [number for number in _seen(getattr(self, of)[side]) if number != nobody]

    @property
    def can_get_stuck(self) -> bool:
        """Whether it may come to where nobody can hurt anybody, and no round limit ends it."""
        pairs = ((side, "b_" if side == "a_" else "a_") for side in self.members)
        return not self.tables["a"].terms.round_limit and not all(
            self.tables[side[0]].can_hurt[:-1, :-1][np.ix_(self._real(side, "arms"), self._real(foe, "body"))].all()
            for side, foe in pairs
        )


def line_up_process(
    tables: Mapping[str, Tables],
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
    *,
    lane: Lane = "compiled",
    order: str = "ab",
) -> Process:
    """Return the process of line-ups whose armies differ by trial.

    Parameters
    ----------
    tables
        Side -> what its attacks do.
    a, b
        Numbers of the members of each army, `int[n, k]`, -1 for nobody; a single row holds for every trial.
    limits
        Actions a turn of each trial, `int[n]`; without it as the terms say.
    order
        Which side goes first, "ab" or "ba".
    """
    batch, terms = _Batch.of(tables, np.asarray(a), np.asarray(b), limits), tables["a"].terms
    steps = [partial(take_slot, slot) for side in order for slot in batch.slots(f"{side}_", lane)]
    start, fixed = dict(batch.start), State()
    if len(batch.members["a_"]) == 1:
        fixed = {name: start.pop(name)[0] for name in tuple(start) if name.endswith(CONSTANT)}
        start = {name: values[0] for name, values in start.items()}
    return Process(
        start=start if fixed else _Begun(start),
        steps=tuple(partial(_with, fixed, step) for step in steps),
        over=partial(_over, fixed, tables if batch.can_get_stuck else None),
        outcome=partial(_outcome, fixed, terms, len(tables["a"].roster.bodies), len(steps)),
        max_steps=min((terms.round_limit or LONGEST_ROUNDS) * len(steps), MOST_STEPS // len(steps) * len(steps)),
    )


def _with(fixed: State, step: Step, state: State, rolls: Rolls) -> State:
    """Make a step with what is the same in every trial, which the state then does not hold."""
    after = step(_whole(fixed, state), rolls)
    return {name: after[name] for name in state} if fixed else after


def _whole(fixed: State, state: State) -> State:
    n = n_trials(state)
    return {**{name: np.broadcast_to(value, (n, *value.shape)) for name, value in fixed.items()}, **state}


@dataclass(frozen=True, eq=False)
class _Begun:
    """A start in which every trial has its own armies."""

    state: State

    def __call__(self, rolls: Rolls, n: int) -> State:
        """Return the state of the trials."""
        return self.state


def _over(fixed: State, tables: Mapping[str, Tables] | None, state: State) -> BoolArray:
    state = _whole(fixed, state)
    alive = {side: state[f"{side}_health"] > 0 for side in "ab"}
    over = ~(any_of(alive["a"]) & any_of(alive["b"]))
    if tables is None:
        return np.asarray(over)
    first = {side: np.argmax(alive[side], axis=1)[:, None] for side in "ab"}
    fronts = {f"{side}_{what}": state[f"{side}_{what}"] for side in "ab" for what in ("arms", "body")}
    fronts = {name: np.take_along_axis(column, first[name[0]], axis=1) for name, column in fronts.items()}
    unsure = np.flatnonzero(~over & ~_hurt(tables, fronts))  # nearly always those in front can hurt each other
    if len(unsure):
        some = {name: column[unsure] for name, column in state.items()}
        over[unsure] = ~_hurt(tables, some, {side: living[unsure] for side, living in alive.items()})
    return np.asarray(over)


def _hurt(tables: Mapping[str, Tables], state: State, alive: Mapping[str, BoolArray] | None = None) -> BoolArray:
    """Return whether somebody can hurt somebody of the other side; of the living, where not all of them live."""
    found = np.zeros(n_trials(state), bool)
    for side, foe in (("a", "b"), ("b", "a")):
        pairs = tables[side].can_hurt[state[f"{side}_arms"][:, :, None], state[f"{foe}_body"][:, None, :]]
        if alive is not None:
            pairs = pairs & alive[side][:, :, None] & alive[foe][:, None, :]
        found |= pairs.any(axis=(1, 2))
    return found


def _outcome(fixed: State, terms: Terms, nobody: int, n_slots: int, state: State, steps: IntArray) -> State:
    state = _whole(fixed, state)
    healths = {side: state[f"{side}_health"] for side in "ab"}
    units, health = ({side: measure(h) for side, h in healths.items()} for measure in (_living, _total))
    fallen = {side: (state[f"{side}_body"] < nobody).sum(axis=1) - units[side] for side in "ab"}
    by_score = np.sign(fallen["b"] - fallen["a"])
    if terms.health_decides:
        by_score = np.where(by_score, by_score, np.sign(health["a"] - health["b"]))
    undecided = (units["a"] > 0) & (units["b"] > 0)
    score = np.where(undecided, by_score * (terms.round_limit > 0), np.sign(units["a"] - units["b"]))
    return {
        "winner": np.where(score > 0, 1, np.where(score < 0, 2, 0)),
        "rounds": (steps - 1) // n_slots + 1,
        **{f"{side}_units": units[side] for side in "ab"},
        **{f"{side}_health": health[side] for side in "ab"},
    }


def _seen(numbers: IntArray) -> list[int]:
    """Return the numbers from 0 that occur, in order."""
    return np.flatnonzero(np.bincount(numbers.ravel())).tolist()


def _living(health: IntArray) -> IntArray:
    return np.asarray((health > 0).sum(axis=1))


def _total(health: IntArray) -> IntArray:
    return np.asarray(health.sum(axis=1, dtype=np.int32))
