"""Two units in contact, round by round (ledger level B).

A round is: runes are thrown if they matter, one side strikes, the other strikes back unless it is destroyed, figures
come back and trays are added. State columns of side s: `s_left` and, where it has one, `s_upgrade` (wounds that its
figures and its figure upgrade can still take); `s_columns` where trays are added; a column for each condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.core.process import BoolArray, Process, State, Step, n_trials
from balance.core.rolls import Rolls
from balance.games.runewars.exchange import Exchange, Resolver
from balance.games.runewars.formation import Formation, figures_of, trays_of, with_tray
from balance.games.runewars.harm import amount_at, harm
from balance.games.runewars.runes import Runes
from balance.games.runewars.tables import Amount
from balance.pmf.arrays import IntArray
from balance.protocol.kit import orders

__all__ = ["Duel", "Duellist", "duel_processes"]


@dataclass(frozen=True)
class Duellist:
    """One side of a duel.

    Attributes
    ----------
    name
        The side, which its state columns begin with: "a" or "b".
    formation, figure_slots
        How it stands, and slots that its figure upgrade fills.
    left, upgrade
        Wounds that its figures and its figure upgrade can take at the start.
    melee, ranged
        Its attacks on the other side, in contact and before; None if it cannot shoot.
    regenerate, trays_added
        Figures that come back, and trays that are added, at the end of each round.
    conditions
        Conditions that matter, each with whether it has it at the start.
    """

    name: str
    formation: Formation
    figure_slots: int
    left: int
    upgrade: int
    melee: Exchange
    ranged: Exchange | None
    regenerate: Amount
    trays_added: int
    conditions: tuple[tuple[str, bool], ...]

    @property
    def start(self) -> dict[str, int]:
        """Its state columns at the beginning."""
        columns = {"left": self.left} | dict(self.conditions)
        columns |= {"upgrade": self.upgrade} if self.upgrade else {}
        columns |= {"columns": self.formation.columns} if self.trays_added else {}
        return {f"{self.name}_{column}": int(value) for column, value in columns.items()}

    def trays(self, state: State) -> IntArray:
        """Return the trays it has left; a figure upgrade alone keeps its own."""
        left = state[f"{self.name}_left"]
        if not self.upgrade:
            return trays_of(self.formation, left)
        lives = state[f"{self.name}_upgrade"] > 0
        return np.maximum(trays_of(self.formation, left, self.figure_slots * lives), lives)

    def is_destroyed(self, state: State) -> BoolArray:
        """Return whether nothing of it is left."""
        gone: BoolArray = state[f"{self.name}_left"] == 0
        return gone & (state[f"{self.name}_upgrade"] == 0) if self.upgrade else gone


@dataclass(frozen=True)
class Duel:
    """A duel, ready to be played; `volleys` are rounds before contact, of `round_limit` in all."""

    a: Duellist
    b: Duellist
    runes: Runes
    first: str
    is_simultaneous: bool
    volleys: int
    round_limit: int

    @property
    def sides(self) -> Mapping[str, Duellist]:
        """The sides by name."""
        return {"a": self.a, "b": self.b}


def duel_processes(duel: Duel, resolve: Resolver) -> tuple[Process, ...]:
    """Return the duel as processes, all equally likely: one, or one for each side striking first."""
    return tuple(_process(duel, resolve, order) for order in orders("a" if duel.is_simultaneous else duel.first))


def _process(duel: Duel, resolve: Resolver, order: str) -> Process:
    before, contact = (_round(duel, resolve, order, shot) for shot in (True, False))
    steps = before * duel.volleys + contact * (duel.round_limit - duel.volleys) if duel.volleys else contact
    return Process(
        start={**duel.a.start, **duel.b.start, **dict.fromkeys(duel.runes.kinds, 0)},
        steps=steps,
        over=partial(_decided, duel),
        outcome=partial(_outcome, duel, len(contact)),
        max_steps=len(contact) * duel.round_limit,
    )


def _round(duel: Duel, resolve: Resolver, order: str, shot: bool) -> tuple[Step, ...]:
    """Return the steps of one round, as many in every round of a duel."""
    sides = duel.sides
    pairs = [(sides[order[0]], sides[order[1]]), (sides[order[1]], sides[order[0]])]
    steps: list[Step] = [duel.runes.throw] if duel.runes.kinds else []
    if duel.is_simultaneous:
        steps.append(partial(_clash, resolve, shot, pairs))
    else:
        steps += [partial(_strike, resolve, shot, me, foe) for me, foe in pairs]
    if duel.runes.kinds or any(one.trays_added or one.regenerate != Amount(0) for one in sides.values()):
        steps.append(partial(_end_of_round, duel))
    return tuple(steps)


def _strike(resolve: Resolver, shot: bool, me: Duellist, foe: Duellist, state: State, rolls: Rolls) -> State:
    return {**state, **_struck(resolve, shot, me, foe, state, rolls)}


def _clash(resolve: Resolver, shot: bool, pairs: list[tuple[Duellist, Duellist]], state: State, rolls: Rolls) -> State:
    """RW-Q17: both strike with what they had when the round began."""
    struck = [_struck(resolve, shot, me, foe, state, rolls) for me, foe in pairs]
    return {**state, **struck[0], **struck[1]}


def _struck(resolve: Resolver, shot: bool, me: Duellist, foe: Duellist, state: State, rolls: Rolls) -> State:
    """Return the columns of a side that was struck, as they are after it."""
    exchange = me.ranged if shot else me.melee
    if exchange is None:
        return {}
    attack, own = exchange.attack, f"{foe.name}_"
    met = {
        name.removeprefix(own): values
        for name, values in state.items()
        if name[:2] not in ("a_", "b_") or name.startswith(own)
    }
    met["trays"] = me.trays(state)
    if (width := f"{me.name}_columns") in state:
        met["columns"] = state[width]
    brought = resolve(exchange, met, rolls, me.name)
    done = harm(attack.target, attack.strike.accuracy, met, {"accuracy": np.zeros_like(met["trays"]), **brought})
    after = {"left": met["left"] - done["wounds"]}
    after |= {"upgrade": met["upgrade"] - done["upgrade_wounds"]} if "upgrade" in met else {}
    after |= {one: np.maximum(met[one], brought[one] > 0) for one, _ in foe.conditions if one in brought}
    told = {**state, **{own + name: np.asarray(values, np.int16) for name, values in after.items()}}
    if f"{own}columns" in state:
        told[f"{own}columns"] = np.minimum(state[f"{own}columns"], np.maximum(foe.trays(told), 1)).astype(np.int16)
    return {name: values for name, values in told.items() if name.startswith(own)}


def _end_of_round(duel: Duel, state: State, rolls: Rolls) -> State:
    """Figures come back into empty slots, trays join the rear rank (RW-TRAY.3); the runes are taken up."""
    after = dict(state)
    for side in duel.sides.values():
        _grow(side, after)
    return {**after, **{kind: np.zeros_like(state[kind]) for kind in duel.runes.kinds}}


def _grow(side: Duellist, state: State) -> None:
    formation, column = side.formation, f"{side.name}_left"
    if side.regenerate != Amount(0):
        left = state[column]
        slots = side.trays(state) * formation.figures_per_tray - side.figure_slots * (
            state[f"{side.name}_upgrade"] > 0 if side.upgrade else np.zeros(n_trials(state), bool)
        )
        back = np.minimum(amount_at(side.regenerate, state), slots - figures_of(formation, left)) * (left > 0)
        state[column] = (left + back * formation.wound_threshold).astype(np.int16)
    for _ in range(side.trays_added):
        able = with_tray(formation, state[f"{side.name}_columns"], side.trays(state))
        new = formation.figures_per_tray * formation.wound_threshold
        state[column] = (state[column] + new * able).astype(np.int16)


def _decided(duel: Duel, state: State) -> BoolArray:
    return duel.a.is_destroyed(state) | duel.b.is_destroyed(state)


def _outcome(duel: Duel, steps_per_round: int, state: State, steps: IntArray) -> State:
    a_gone, b_gone = duel.a.is_destroyed(state), duel.b.is_destroyed(state)
    left = {
        side: (figures_of(one.formation, state[f"{side}_left"]), one.trays(state)) for side, one in duel.sides.items()
    }
    return {
        "winner": np.where(b_gone & ~a_gone, 1, np.where(a_gone & ~b_gone, 2, 0)),
        "rounds": -(-steps // steps_per_round),
        **{f"{side}_figures": figures for side, (figures, _) in left.items()},
        **{f"{side}_trays": trays for side, (_, trays) in left.items()},
    }
