"""Two units in contact, round by round (ledger level B).

A round is: runes are thrown if they matter, dials are set if sides set any, one side strikes, the other strikes back
unless it is destroyed, figures come back and trays are added. State columns of side s: `s_left` and, where it has one,
`s_upgrade` (wounds that its figures and its figure upgrade can still take); and only where the question calls for them
`s_columns` (trays are added), a column for each condition, `s_ready` and `s_inspiration` (a card that exhausts),
`s_panic` and `s_cowed` (morale cards), `s_dial`; `deck` and the runes are of both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.kit import orders
from balance.game.kit.combat.outcome import outcome_columns, winner
from balance.games.runewars.cells import Amount
from balance.games.runewars.duellist import Duel, Duellist
from balance.games.runewars.rules.exchange import Exchange, Resolver
from balance.games.runewars.rules.formation import figures_of, with_tray
from balance.games.runewars.rules.harm import amount_at, harm
from balance.games.runewars.rules.morale import morale_test


def duel_processes(duel: Duel, resolve: Resolver) -> tuple[Process, ...]:
    """Return the duel as equally likely processes: one, or one for each side striking first.

    `resolve` makes an attack, rolled in full or drawn whole.
    """
    return tuple(_process(duel, resolve, order) for order in orders("a" if duel.is_simultaneous else duel.first))


def _process(duel: Duel, resolve: Resolver, order: str) -> Process:
    before, contact = (_round(duel, resolve, order, shot) for shot in (True, False))
    steps = before * duel.volleys + contact * (duel.round_limit - duel.volleys) if duel.volleys else contact
    return Process(
        start={**duel.a.start, **duel.b.start, **duel.start},
        steps=steps,
        over=partial(is_over, duel),
        outcome=partial(_outcome, duel, len(contact)),
        max_steps=len(contact) * duel.round_limit,
        policies={name: side.dial.policy for name, side in duel.sides.items() if side.dial},
    )


def _round(duel: Duel, resolve: Resolver, order: str, shot: bool) -> tuple[Step, ...]:
    """Return the steps of one round, of which there are as many in rounds before contact (`shot`) as after."""
    first, second = (duel.sides[name] for name in order)
    steps: list[Step] = [duel.runes.throw] if duel.runes.kinds else []
    steps += [partial(_set_dials, duel)] if first.dial else []
    turns = [(first, second, first if first.dial else None), (second, first, None)]
    turns += [(first, second, second)] if first.dial else []
    if duel.is_simultaneous:
        steps.append(partial(_clash, duel, resolve, shot, (first, second)))
    else:
        steps += [partial(_strike, duel, resolve, shot, *turn) for turn in turns]
    grows = any(side.trays_added or side.regenerate != Amount(0) for side in (first, second))
    if duel.runes.kinds or first.dial or grows:
        steps.append(partial(_end_of_round, duel))
    return tuple(steps)


def _set_dials(duel: Duel, state: State, rolls: Rolls) -> State:
    """Let both sides choose before either dial is shown; they see how many wounds each side can still take."""
    view = {f"{name}_left": state[f"{name}_left"] for name in duel.sides}
    settings = {
        name: rolls.choose(name, "dial", len(side.dial.policy.settings), view, side.dial.names)
        for name, side in duel.sides.items()
        if side.dial
    }
    return {**state, **{f"{name}_dial": np.asarray(setting, np.int16) for name, setting in settings.items()}}


def _strike(
    duel: Duel,
    resolve: Resolver,
    shot: bool,
    attacker: Duellist,
    defender: Duellist,
    earlier: Duellist | None,
    state: State,
    rolls: Rolls,
) -> State:
    """Let a side strike; with dials it does so before or after the other, as initiative says.

    With dials a side has a step at both moments: at the first `earlier` is itself, at the second the other side.
    """
    acts = ~attacker.is_destroyed(state)
    if earlier is not None and attacker.dial and defender.dial:
        sooner = (
            attacker.dial.initiative[state[f"{attacker.name}_dial"]]
            <= defender.dial.initiative[state[f"{defender.name}_dial"]]
        )
        acts &= sooner if earlier is attacker else ~sooner
    acts, state = _able(attacker, acts, state)
    return {**state, **attack_changes(duel, resolve, shot, attacker, defender, acts, state, rolls)}


def _clash(
    duel: Duel, resolve: Resolver, shot: bool, pair: tuple[Duellist, Duellist], state: State, rolls: Rolls
) -> State:
    """Let both sides strike with what they had when the round began (RW-Q17); they draw from one morale deck."""
    first, second = pair
    always = np.ones(n_trials(state), bool)
    first_acts, state = _able(first, always, state)
    second_acts, state = _able(second, always, state)
    first_changes = attack_changes(duel, resolve, shot, first, second, first_acts, state, rolls)
    between = {**state, "deck": first_changes["deck"]} if "deck" in first_changes else state
    second_changes = attack_changes(duel, resolve, shot, second, first, second_acts, between, rolls)
    return {**state, **first_changes, **second_changes}


def _able(side: Duellist, acts: BoolArray, state: State) -> tuple[BoolArray, State]:
    """Return where a side that is due to act attacks, `bool[n]`; an attack that a morale card forbids is used up."""
    able = np.asarray(acts & side.dial.attacks[state[f"{side.name}_dial"]], bool) if side.dial else acts
    if (column := f"{side.name}_cowed") in state:
        able, state = able & (state[column] == 0), {**state, column: (state[column] * ~acts).astype(np.int16)}
    return acting(state, side.name, able)


def attack_changes(
    duel: Duel,
    resolve: Resolver,
    shot: bool,
    attacker: Duellist,
    defender: Duellist,
    acts: BoolArray,
    state: State,
    rolls: Rolls,
) -> State:
    """Return the columns that an attack changes, `int16[n]`, unchanged in trials in which it is not made."""
    exchange = attacker.ranged if shot else attacker.melee
    if exchange is None:
        return {}
    changes: State = {}
    context = attacker.meeting(defender, state)
    results = {name: values * acts for name, values in resolve(exchange, context, rolls, attacker.name).items()}
    after = _defender_after(exchange, defender, context, results)
    if duel.deck is not None and defender.steadfast is not None:
        icons, name = results["morale"] * (after["left"] > 0), f"{attacker.name} morale"
        test = morale_test(duel.deck, defender.steadfast, icons, context["panic"], state["deck"], rolls, name)
        after["left"] = np.maximum(after["left"] - test["wounds"], 0)
        after |= {"panic": test["panic"], "cowed": np.maximum(context["cowed"], test["cowed"])}
        changes["deck"] = test["deck"]
    if f"{attacker.name}_ready" in state:
        ready, inspiration = (state[f"{attacker.name}_{name}"] for name in ("ready", "inspiration"))
        cards = cards_after(ready, inspiration, acts, results.get("inspiration", 0))
        changes |= {f"{attacker.name}_{name}": values for name, values in cards.items()}
    changes |= {f"{defender.name}_{name}": values for name, values in after.items()}
    if (column := f"{defender.name}_columns") in state:
        changes[column] = np.minimum(state[column], np.maximum(defender.trays({**state, **changes}), 1))
    return {name: np.asarray(values, np.int16) for name, values in changes.items()}


def _defender_after(exchange: Exchange, defender: Duellist, context: State, results: State) -> State:
    """Return the wounds that the defender can still take after an attack, and its conditions, `int[n]` by name."""
    losses = harm(exchange.attack.target, exchange.attack.strike.accuracy, context, results)
    after = {"left": context["left"] - losses["wounds"]}
    after |= {"upgrade": context["upgrade"] - losses["upgrade_wounds"]} if "upgrade" in context else {}
    conditions = (name for name, _ in defender.conditions if name in results)
    return after | {name: np.maximum(context[name], results[name] > 0) for name in conditions}


def cards_after(ready: IntArray, inspiration: IntArray, acts: BoolArray, new_tokens: IntArray | int) -> State:
    """RW-GEN.1: exhaust cards that were used, and ready them for an inspiration token as soon as there is one.

    Whether cards are `ready`, and inspiration tokens, before the attack, and tokens that surges bring are `int[n]`;
    `acts` is where the unit attacks and so uses its cards, `bool[n]`.
    """
    tokens = inspiration + new_tokens
    not_spent = ready * ~acts
    readied = (not_spent == 0) & (tokens > 0)
    return {"ready": not_spent + readied, "inspiration": tokens - readied}


def _end_of_round(duel: Duel, state: State, rolls: Rolls) -> State:
    """Bring figures back into empty slots, add trays to the rear rank (RW-TRAY.3), and take up runes and dials."""
    after = dict(state)
    for side in duel.sides.values():
        grow(side, after)
    dials = [f"{side.name}_dial" for side in duel.sides.values() if side.dial]
    return {**after, **{name: np.zeros_like(state[name]) for name in (*duel.runes.kinds, *dials)}}


def grow(side: Duellist, state: State, has_room: Callable[[State], BoolArray] | None = None) -> None:
    """Write cards that rally, figures that come back and trays that are added to a side into the state.

    `has_room` says of a state with a tray more where there is room for it; None: everywhere.
    """
    if side.dial and f"{side.name}_ready" in state:
        rallies = side.dial.rallies[state[f"{side.name}_dial"]]
        state[f"{side.name}_ready"] = np.maximum(state[f"{side.name}_ready"], rallies).astype(np.int16)
    formation, column = side.formation, f"{side.name}_left"
    if side.regenerate != Amount(0):
        health = state[column]
        slots = side.trays(state) * formation.figures_per_tray - side.figure_slots * (
            state[f"{side.name}_upgrade"] > 0 if side.upgrade else np.zeros(n_trials(state), bool)
        )
        back = np.minimum(amount_at(side.regenerate, state), slots - figures_of(formation, health))
        state[column] = (health + back * formation.wound_threshold).astype(np.int16)
    for _ in range(side.trays_added):
        able = with_tray(formation, state[f"{side.name}_columns"], side.trays(state))
        new = formation.figures_per_tray * formation.wound_threshold
        larger = {**state, column: (state[column] + new * able).astype(np.int16)}
        state[column] = np.where(has_room(larger), larger[column], state[column]) if has_room else larger[column]


def is_over(duel: Duel, state: State) -> BoolArray:
    """Return where a side is destroyed, `bool[n]`."""
    return duel.a.is_destroyed(state) | duel.b.is_destroyed(state)


def _outcome(duel: Duel, steps_per_round: int, state: State, steps: IntArray) -> State:
    winners = winner(~duel.a.is_destroyed(state), ~duel.b.is_destroyed(state))
    figures = [figures_of(side.formation, state[f"{side.name}_left"]) for side in duel.sides.values()]
    trays = [side.trays(state) for side in duel.sides.values()]
    return outcome_columns(winners, steps, steps_per_round, figures=figures, trays=trays)
