"""The hit phase and all that follows: one attack on one defender or on several, in the order of the ledger's 2.1.

The rule is written once, as steps on arrays: roll, re-roll, buy, draw the critical, defend. Random dice simulate, all
dice at once give the exact distribution, and the results of an example replay it. What to expect of a set of effects,
which a hero chooses by, is worked out by the same functions of the defence phase.

State columns are `int[n]`: the results of the roll by kind, then `bought` (the set of effects), `hits`, `lethal`,
`left` (results not spent), `token` (the critical), `wounds`, `shields` and `others` (wounds of the other defenders).
What a fight changes between attacks, such as `ko` or `bonus`, is read from the state where it has such a column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Rolls, bound
from balance.chance.rolls.symbols import SymbolDie
from balance.games.immortal_souls.rules.defence import hits_after_dice
from balance.games.immortal_souls.rules.harm import CONDITIONS, Token
from balance.games.immortal_souls.rules.meeting import current_impact, hits_with, marks_after
from balance.games.immortal_souls.rules.results import covers, pool_of, results_of
from balance.games.immortal_souls.rules.strike import FIRES, Attack, Strike
from balance.games.immortal_souls.rules.worth import expected_again, offer_of

BUYER = "attacker"


def start_of(attack: Attack) -> dict[str, int]:
    """Return the state of one trial before an attack: the columns above, all 0 but the defender's shields."""
    names = [*attack.strike.kinds, "rerolled", "bought", "hits", "lethal", "left", "wounds", "others"]
    tokens = [f"token {place}" for place in range(len(attack.guards))] if attack.draws else []
    return dict.fromkeys((*names, *tokens), 0) | {"shields": dict(attack.guards[0].start)["shields"]}


def attack_steps(attack: Attack) -> tuple[Callable[[State, Rolls], State], ...]:
    """Return the steps of one attack: roll, re-roll, buy, then for each defender draw a critical and defend."""
    steps = [partial(_roll, attack)]
    if len(attack.strike.rerolls):
        steps.append(partial(_roll_again, attack))
    steps.append(partial(_buy, attack))
    for place in range(len(attack.guards)):
        steps += [partial(_draw, attack, place)] if attack.draws else []
        steps.append(partial(_defend, attack, place))
    return tuple(steps)


def _roll(attack: Attack, state: State, rolls: Rolls) -> State:
    """IS-HIT.2: roll the red and the blue dice, or take the results that are written down."""
    strike, n = attack.strike, n_trials(state)
    if strike.roll is not None:
        results = np.repeat(results_of(strike.roll, strike.kinds[:-1])[None], n, axis=0)
    else:
        results = _roll_dice(strike, n, rolls, "", None)
    return {**state, **_columns(strike, results)}


def _roll_dice(strike: Strike, n: int, rolls: Rolls, again: str, is_rolled: IntArray | None) -> IntArray:
    """Return the results of all dice, `int[n, kinds]`; zeros where `is_rolled`, `int[n]`, is 0."""
    results = np.zeros((n, len(strike.kinds)), np.int16)
    for colour, die, k in (("red", strike.red_die, strike.red), ("blue", strike.blue_die, strike.blue)):
        if k:
            n_dice = None if is_rolled is None else is_rolled * k
            results = results + pool_of(rolls.pool(die, k, f"attack {colour}{again}", n_dice))
    return results


def _columns(strike: Strike, results: IntArray) -> State:
    return {kind: results[:, place].astype(np.int16) for place, kind in enumerate(strike.kinds)}


def _results(strike: Strike, state: State) -> IntArray:
    return np.stack([state[kind] for kind in strike.kinds], axis=1).astype(np.int64)


def _roll_again(attack: Attack, state: State, rolls: Rolls) -> State:
    """Roll all the dice again, once (IS-DIE.4), where the attacker wants it and can pay."""
    strike, results = attack.strike, _results(attack.strike, state)
    pays = covers(results, strike.rerolls) & (state.get("cannot_buy", np.zeros(1)) == 0)
    offer = replace(offer_of(attack, state, results), again=partial(expected_again, attack, state))
    own_rolls = bound(rolls, {BUYER: strike.policy})
    again = own_rolls.choose(
        BUYER, "attack reroll", np.stack([np.ones_like(pays), pays], axis=1), offer, ("keep", "roll")
    )
    fresh = _roll_dice(strike, len(results), rolls, " again", again)
    return {
        **state,
        **_columns(strike, np.where(again[:, None] > 0, fresh, results)),
        "rerolled": again.astype(np.int16),
    }


def _buy(attack: Attack, state: State, rolls: Rolls) -> State:
    """IS-HIT.3 to IS-HIT.8: spend results, then total the hits; a silenced attacker buys nothing (IS-CRIT.8)."""
    strike, results = attack.strike, _results(attack.strike, state)
    can, offer = strike.purchase.affordable(results), offer_of(attack, state, results)
    purchases = bound(rolls, {BUYER: strike.policy}).choose(BUYER, "attack effects", can, offer, strike.named_sets)
    if "cannot_buy" in state:
        purchases = np.where(state["cannot_buy"] > 0, len(strike.purchase.sets), purchases)
    hits = hits_with(attack, state, results)[np.arange(len(purchases)), purchases]
    remaining_results = results.sum(axis=1) - strike.set_costs.sum(axis=1)[purchases]
    lethal = np.minimum(hits, strike.deeds.lethal(attack.rules)[purchases])
    columns = {"bought": purchases, "hits": hits, "lethal": lethal, "left": remaining_results}
    return {**state, **_columns(strike, np.zeros_like(results)), **_narrow(columns)}


def _narrow(columns: Mapping[str, IntArray]) -> State:
    return {name: values.astype(np.int16) for name, values in columns.items()}


def _draw(attack: Attack, place: int, state: State, rolls: Rolls) -> State:
    """IS-CRIT.2: draw a critical for a defender, of those that the attack has left in the bag (IS-CRIT.1)."""
    deeds, n = attack.strike.deeds.at(state["bought"]), n_trials(state)
    draws = (deeds["critical"] > 0) & (state["hits"] > 0)
    kind = _whole_bag(attack.bag, n, rolls) if place == 0 else _rest_of_bag(attack.bag, state, place, rolls)
    if place:
        draws &= (deeds["area"] > 0) & (attack.rules.critical_tokens == "each_defender")
    return {**state, f"token {place}": (kind * draws).astype(np.int16)}


def _whole_bag(bag: tuple[Token, ...], n: int, rolls: Rolls) -> IntArray:
    """Return the kind of a token from a full bag, `int64[n]`, from 1."""
    counts = rolls.pool(bag_die(bag), 1, "critical")
    return np.asarray(sum(number * counts[kind] for number, kind in enumerate(counts, start=1)))


@lru_cache(maxsize=64)
def bag_die(bag: tuple[Token, ...]) -> SymbolDie:
    """Return the bag as a die with a face for each token and a symbol for each kind, "token 1" and so on."""
    names = tuple(f"token {number}" for number, _ in enumerate(bag, start=1))
    faces = tuple(name for name, token in zip(names, bag, strict=True) for _ in range(token.tokens))
    return SymbolDie(faces, tuple((name, (name,)) for name in names))


def _rest_of_bag(bag: tuple[Token, ...], state: State, place: int, rolls: Rolls) -> IntArray:
    """Return the kind of a later token, `int64[n]`, from 1, drawn from what is left; an empty bag is refilled."""
    token_counts = np.array([token.tokens for token in bag])
    remaining_tokens = np.repeat(token_counts[None] * (place // token_counts.sum() + 1), n_trials(state), axis=0)
    for earlier in range(place):
        earlier_kind = state[f"token {earlier}"]
        remaining_tokens[np.arange(len(earlier_kind)), np.maximum(earlier_kind - 1, 0)] -= earlier_kind > 0
    number = rolls.uniform(remaining_tokens.sum(axis=1), f"critical {place + 1}")
    return np.asarray((np.asarray(number)[:, None] >= remaining_tokens.cumsum(axis=1)).sum(axis=1) + 1)


def _defend(attack: Attack, place: int, state: State, rolls: Rolls) -> State:
    """Resolve the attack on defender number `place`: 0 for the target, others in the area of effect (IS-AOE.2)."""
    impact = current_impact(attack, state, place)
    is_reached = np.ones(n_trials(state), np.int64) if place == 0 else attack.strike.deeds.at(state["bought"])["area"]
    name = "defence" if place == 0 else f"defence {place + 1}"
    guard = attack.guards[place]
    wounds = is_reached * impact.wounds + hits_after_dice(
        guard, impact.normal * is_reached, rolls, name, impact.after["silenced"]
    )
    if place:
        return {**state, **_narrow({"others": state["others"] + wounds})}
    return {**state, **_narrow({"wounds": wounds, "shields": impact.shields})}


def attack_outcome(attack: Attack, state: State, steps: IntArray) -> State:
    """Return what is reported of an attack: hits, wounds and conditions of the target, results left, others' wounds."""
    after = marks_after(attack, state)
    return {
        "hits": state["hits"],
        "lethal": state["lethal"],
        "wounds": state["wounds"],
        "symbols_left": state["left"],
        "effects_bought": attack.strike.deeds.n_effects[state["bought"]] + state["rerolled"],
        **{name: after[name] for name in (*CONDITIONS, *FIRES)},
        "others_wounds": state["others"],
    }
