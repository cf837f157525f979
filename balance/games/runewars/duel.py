"""Two units in contact, round by round (ledger level B).

A round is: runes are thrown if they matter, dials are set if sides set any, one side strikes, the other strikes back
unless it is destroyed, figures come back and trays are added. State columns of side s: `s_left` and, where it has one,
`s_upgrade` (wounds that its figures and its figure upgrade can still take); and only where the question calls for them
`s_columns` (trays are added), a column for each condition, `s_ready` and `s_inspiration` (a card that exhausts),
`s_panic` and `s_cowed` (morale cards), `s_dial`; `deck` and the runes are of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, Process, State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import LOST, acting
from balance.game.kit import orders
from balance.game.kit.combat.outcome import outcome_columns, winner
from balance.games.runewars.rules.dials import Settings
from balance.games.runewars.rules.exchange import Exchange, Resolver
from balance.games.runewars.rules.formation import Formation, figures_of, trays_of, trays_with_figure, with_tray
from balance.games.runewars.rules.harm import amount_at, harm
from balance.games.runewars.rules.morale import Deck, morale_test
from balance.games.runewars.rules.runes import Runes
from balance.games.runewars.tables import RUNES, Amount

__all__ = ["Duel", "Duellist", "duel_processes", "used"]


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
    steadfast
        Types of morale card against which it is steadfast; None where nobody draws cards.
    dial
        What its command dial offers, if dials are set.
    lost_actions
        Attacks that it loses at the start.
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
    steadfast: tuple[str, ...] | None
    dial: Settings | None
    lost_actions: int = 0

    @property
    def start(self) -> dict[str, int]:
        """Its state columns at the beginning."""
        columns = {"left": self.left} | dict(self.conditions)
        columns |= {"upgrade": self.upgrade} if self.upgrade else {}
        columns |= {"ready": 1, "inspiration": 0} if any(self.melee.attack.strike.when_ready) else {}
        columns |= {"panic": 0, "cowed": 0} if self.steadfast is not None else {}
        columns |= {"dial": 0} if self.dial else {}
        columns |= {LOST: self.lost_actions} if self.lost_actions else {}
        start = {f"{self.name}_{column}": int(value) for column, value in columns.items()}
        if self.trays_added:
            trays = int(self.trays({column: np.array(value) for column, value in start.items()}))
            start[f"{self.name}_columns"] = min(self.formation.columns, trays)
        return start

    def trays(self, state: State) -> IntArray:
        """Return the trays it has left; a figure upgrade alone keeps its own."""
        left = state[f"{self.name}_left"]
        if not self.upgrade:
            return trays_of(self.formation, left)
        return trays_with_figure(self.formation, left, state[f"{self.name}_upgrade"], self.figure_slots)

    def meeting(self, foe: Duellist, state: State) -> State:
        """Return what its attack on the other side meets, by the names of `balance.games.runewars.rules.attack`."""
        own = f"{foe.name}_"
        met = {name.removeprefix(own): values for name, values in state.items() if name.startswith(own)}
        met = {"front" if name == "columns" else name: values for name, values in met.items() if name != "ready"}
        met |= {name: values for name, values in state.items() if name in RUNES}
        mine = {name: f"{self.name}_{name}" for name in ("columns", "ready")}
        met |= {name: state[column] for name, column in mine.items() if column in state}
        if self.dial and foe.dial:
            setting = state[f"{self.name}_dial"]
            met |= {f"added_{icon}": numbers[setting] for icon, numbers in self.dial.added.items()}
            met["defend"] = foe.dial.defence(state[f"{foe.name}_dial"], state)
        return {**met, "trays": self.trays(state)}

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
    deck: Deck | None

    @property
    def start(self) -> dict[str, IntArray]:
        """State columns at the beginning that are of neither side."""
        columns = {kind: np.asarray(0, np.int16) for kind in self.runes.kinds}
        return columns | ({"deck": self.deck.numbers("copies")} if self.deck else {})

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
        start={**duel.a.start, **duel.b.start, **duel.start},
        steps=steps,
        over=partial(_decided, duel),
        outcome=partial(_outcome, duel, len(contact)),
        max_steps=len(contact) * duel.round_limit,
        policies={name: side.dial.policy for name, side in duel.sides.items() if side.dial},
    )


def _round(duel: Duel, resolve: Resolver, order: str, shot: bool) -> tuple[Step, ...]:
    """Return the steps of one round, as many in every round of a duel."""
    first, second = (duel.sides[name] for name in order)
    steps: list[Step] = [duel.runes.throw] if duel.runes.kinds else []
    steps += [partial(_set_dials, duel)] if first.dial else []
    turns = [(first, second, first if first.dial else None), (second, first, None)]
    turns += [(first, second, second)] if first.dial else []
    if duel.is_simultaneous:
        steps.append(partial(_clash, duel, resolve, shot, (first, second)))
    else:
        steps += [partial(_strike, duel, resolve, shot, *turn) for turn in turns]
    if duel.runes.kinds or first.dial or any(one.trays_added or one.regenerate != Amount(0) for one in (first, second)):
        steps.append(partial(_end_of_round, duel))
    return tuple(steps)


def _set_dials(duel: Duel, state: State, rolls: Rolls) -> State:
    """Both choose before either is shown; what they see is what is left of both."""
    view = {f"{name}_left": state[f"{name}_left"] for name in duel.sides}
    chosen = {
        name: rolls.choose(name, "dial", len(side.dial.policy.settings), view, side.dial.names)
        for name, side in duel.sides.items()
        if side.dial
    }
    return {**state, **{f"{name}_dial": np.asarray(setting, np.int16) for name, setting in chosen.items()}}


def _strike(
    duel: Duel,
    resolve: Resolver,
    shot: bool,
    me: Duellist,
    foe: Duellist,
    earlier: Duellist | None,
    state: State,
    rolls: Rolls,
) -> State:
    """Strike; with dials the side named in the turn order strikes before or after the other, as its initiative says."""
    acts = ~me.is_destroyed(state)
    if earlier is not None and me.dial and foe.dial:
        sooner = me.dial.initiative[state[f"{me.name}_dial"]] <= foe.dial.initiative[state[f"{foe.name}_dial"]]
        acts &= sooner if earlier is me else ~sooner
    acts, state = _able(me, acts, state)
    return {**state, **_struck(duel, resolve, shot, me, foe, acts, state, rolls)}


def _clash(
    duel: Duel, resolve: Resolver, shot: bool, pair: tuple[Duellist, Duellist], state: State, rolls: Rolls
) -> State:
    """RW-Q17: both strike with what they had when the round began; the deck of morale cards is one."""
    me, foe = pair
    everywhere = np.ones(n_trials(state), bool)
    mine, state = _able(me, everywhere, state)
    theirs, state = _able(foe, everywhere, state)
    first = _struck(duel, resolve, shot, me, foe, mine, state, rolls)
    between = {**state, "deck": first["deck"]} if "deck" in first else state
    return {**state, **first, **_struck(duel, resolve, shot, foe, me, theirs, between, rolls)}


def _able(me: Duellist, acts: BoolArray, state: State) -> tuple[BoolArray, State]:
    """Return where a side attacks that is to act; whoever loses its attack to a morale card has lost it then."""
    able = np.asarray(acts & me.dial.attacks[state[f"{me.name}_dial"]], bool) if me.dial else acts
    if (cowed := f"{me.name}_cowed") in state:
        able, state = able & (state[cowed] == 0), {**state, cowed: (state[cowed] * ~acts).astype(np.int16)}
    return acting(state, me.name, able)


def _struck(
    duel: Duel, resolve: Resolver, shot: bool, me: Duellist, foe: Duellist, acts: BoolArray, state: State, rolls: Rolls
) -> State:
    """Return the columns that an attack changes, in the trials in which it is made."""
    exchange, mine, own = me.ranged if shot else me.melee, f"{me.name}_", f"{foe.name}_"
    changed: State = {}
    if exchange is None:
        return changed
    met = me.meeting(foe, state)
    brought = {name: values * acts for name, values in resolve(exchange, met, rolls, me.name).items()}
    done = harm(exchange.attack.target, exchange.attack.strike.accuracy, met, brought)
    after = {"left": met["left"] - done["wounds"]}
    after |= {"upgrade": met["upgrade"] - done["upgrade_wounds"]} if "upgrade" in met else {}
    after |= {one: np.maximum(met[one], brought[one] > 0) for one, _ in foe.conditions if one in brought}
    if duel.deck is not None and foe.steadfast is not None:
        icons = brought["morale"] * (after["left"] > 0)
        test = morale_test(duel.deck, foe.steadfast, icons, met["panic"], state["deck"], rolls, f"{me.name} morale")
        after["left"] = np.maximum(after["left"] - test.pop("wounds"), 0)
        changed["deck"] = test.pop("deck")
        after |= {"panic": test["panic"], "cowed": np.maximum(met["cowed"], test["cowed"])}
    if f"{mine}ready" in state:
        gained = brought.get("inspiration", 0)
        cards = used(state[f"{mine}ready"], state[f"{mine}inspiration"], acts, gained)
        changed |= {f"{mine}{name}": values for name, values in cards.items()}
    changed |= {own + name: values for name, values in after.items()}
    if f"{own}columns" in state:
        changed[f"{own}columns"] = np.minimum(state[f"{own}columns"], np.maximum(foe.trays({**state, **changed}), 1))
    return {name: np.asarray(values, np.int16) for name, values in changed.items()}


def used(ready: IntArray, inspiration: IntArray, acts: BoolArray, gained: IntArray | int) -> State:
    """RW-GEN.1: cards that were used are exhausted, and readied for an inspiration token as soon as there is one."""
    tokens = inspiration + gained
    left = ready * ~acts
    spent = (left == 0) & (tokens > 0)
    return {"ready": left + spent, "inspiration": tokens - spent}


def _end_of_round(duel: Duel, state: State, rolls: Rolls) -> State:
    """Figures come back into empty slots, trays join the rear rank (RW-TRAY.3); the runes are taken up."""
    after = dict(state)
    for side in duel.sides.values():
        _grow(side, after)
    dials = [f"{side.name}_dial" for side in duel.sides.values() if side.dial]
    return {**after, **{name: np.zeros_like(state[name]) for name in (*duel.runes.kinds, *dials)}}


def _grow(side: Duellist, state: State) -> None:
    """Write what joins a side at the end of a round into the state."""
    if side.dial and f"{side.name}_ready" in state:
        rallied = side.dial.rallies[state[f"{side.name}_dial"]]
        state[f"{side.name}_ready"] = np.maximum(state[f"{side.name}_ready"], rallied).astype(np.int16)
    formation, column = side.formation, f"{side.name}_left"
    if side.regenerate != Amount(0):
        left = state[column]
        slots = side.trays(state) * formation.figures_per_tray - side.figure_slots * (
            state[f"{side.name}_upgrade"] > 0 if side.upgrade else np.zeros(n_trials(state), bool)
        )
        back = np.minimum(amount_at(side.regenerate, state), slots - figures_of(formation, left))
        state[column] = (left + back * formation.wound_threshold).astype(np.int16)
    for _ in range(side.trays_added):
        able = with_tray(formation, state[f"{side.name}_columns"], side.trays(state))
        new = formation.figures_per_tray * formation.wound_threshold
        state[column] = (state[column] + new * able).astype(np.int16)


def _decided(duel: Duel, state: State) -> BoolArray:
    return duel.a.is_destroyed(state) | duel.b.is_destroyed(state)


def _outcome(duel: Duel, steps_per_round: int, state: State, steps: IntArray) -> State:
    winners = winner(~duel.a.is_destroyed(state), ~duel.b.is_destroyed(state))
    figures = [figures_of(side.formation, state[f"{side.name}_left"]) for side in duel.sides.values()]
    trays = [side.trays(state) for side in duel.sides.values()]
    return outcome_columns(winners, steps, steps_per_round, figures=figures, trays=trays)
