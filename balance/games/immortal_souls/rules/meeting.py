"""How an attack comes to the dice of a defender: its hits, conditions and criticals against what the defender brings.

Arrays are `[n]` where each trial has its own set of effects, or `[n, sets]` where every set is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, n_trials
from balance.games.immortal_souls.rules.defence import hits_through
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS, harm_of, tokens_table
from balance.games.immortal_souls.rules.strike import FIRES, Attack

DEFENDER_MARKS = (*CONDITIONS, *REDS)
"""What a defender may bring to an attack, beside shields."""


@dataclass(frozen=True, eq=False)
class Impact:
    """An attack as it comes to the dice of a defender.

    `wounds`: wounds that no dice stop: of lethal hits, criticals and repeated conditions. `normal`: normal hits left,
    for the dice. `shields`: magic shields left. `after`: conditions and red criticals afterwards, by name.
    """

    wounds: IntArray
    normal: IntArray
    shields: IntArray
    after: Mapping[str, IntArray]


def impact_on(
    attack: Attack, state: State, place: int, hits: IntArray, sets: IntArray | slice, token: Mapping[str, IntArray]
) -> Impact:
    """Return how an attack meets defender number `place`: each trial with its own set, `[n]`, or all, `[n, sets]`.

    `sets` are the numbers of sets, or `slice(None)` for all, `hits` the hits with each, and `token` the fields of the
    critical drawn.
    """
    rules, deeds, guard = attack.rules, attack.strike.deeds, attack.guards[place]
    initial, shape = dict(guard.start), (-1,) + (1,) * (hits.ndim - 1)

    def before(name: str) -> IntArray:
        """Return a mark of the defender before the attack; only the target's may differ by trial."""
        return np.asarray(state[name] if place == 0 and name in state else initial.get(name, 0)).reshape(shape)

    marks = {name: before(name) for name in DEFENDER_MARKS}
    harm = harm_of(rules, guard.armour, guard.immune, guard.repeated_wounds, deeds.at(sets), token, marks, hits)
    lethal = np.minimum(hits, deeds.lethal(rules)[sets])
    direct_wounds, normal, shields = hits_through(
        guard.change, rules, hits, lethal, deeds.wholly[sets] * (hits > 0), harm.armour, before("shields")
    )
    return Impact(direct_wounds + harm.wounds, normal, shields, harm.after)


def hits_with(attack: Attack, state: State, results: IntArray) -> IntArray:
    """Return the hits of the attack with each set of effects, and with nothing at all, `int64[n, sets + 1]`.

    Never below 0; what focus and supremacy do to a roll of nothing is open (IS-Q8). `results` are `int[n, kinds]`.
    """
    strike = attack.strike
    own_hits = strike.sure + results[:, :1] + strike.deeds.values["hits"] - strike.set_costs[:, 0]
    more = strike.bonus + np.asarray(state.get("bonus", 0)).reshape(-1, 1)
    counts = 1 if attack.rules.bonus_hits_are_hits else own_hits > 0
    return np.asarray(np.maximum(own_hits + more, 0) * counts)


def current_impact(attack: Attack, state: State, place: int = 0) -> Impact:
    """Return how the attack in the state, with its hits, set and critical, meets defender `place`, `[n]` each."""
    table = tokens_table(attack.bag)
    tokens = state.get(f"token {place}", np.zeros(n_trials(state), np.int16))
    token = {name: values[tokens] for name, values in table.items()}
    return impact_on(attack, state, place, state["hits"].astype(np.int64), state["bought"], token)


def marks_after(attack: Attack, state: State) -> State:
    """Return conditions, red criticals and fire tokens of the target after an attack, `int[n]` by name."""
    deeds = attack.strike.deeds.at(state["bought"])
    lands = state["hits"] > 0 if attack.rules.effects_need_a_hit else np.ones(n_trials(state), bool)
    return {**current_impact(attack, state).after, **{name: deeds[name] * lands for name in FIRES}}
