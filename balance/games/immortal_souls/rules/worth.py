"""What each set of effects is worth to an attacker, by the same rules that resolve the attack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import State, n_trials
from balance.games.immortal_souls.rules.defence import Guard, as_silenced, expected_left, left_distribution
from balance.games.immortal_souls.rules.harm import NO_TOKEN, tokens_table
from balance.games.immortal_souls.rules.meeting import DEFENDER_MARKS, Impact, hits_with, impact_on
from balance.games.immortal_souls.rules.spend import Goal, Offer
from balance.games.immortal_souls.rules.strike import Attack

ATTACKERS = ("bonus", "cannot_buy")
"""What a fight may bring to an attack from the attacker's side; from the defender's: `DEFENDER_MARKS` and `shields`."""


def offer_of(attack: Attack, state: State, results: IntArray) -> Offer:
    """Return the sets that a roll, `int[n, kinds]`, may buy, with their values."""
    return Offer(attack.strike.purchase, results, partial(worth_of, attack, state, results))


def worth_of(attack: Attack, state: State, results: IntArray, goal: Goal) -> FloatArray:
    """Return the value of each set of effects for a goal, `float64[n, sets]`; IS-Q42 defines expected wounds.

    Wounds are not capped by the health left; those of criticals and of repeated conditions count, later ones do not.
    With an area effect the wounds of all defenders count; the chance to kill is that of the target. `results` are
    `int[n, kinds]`.
    """
    hits, deeds = hits_with(attack, state, results), attack.strike.deeds
    critical = np.minimum(deeds.values["critical"], 1) * (hits > 0)
    total, worth = sum(token.tokens for token in attack.bag), np.zeros(hits.shape)
    for token in (NO_TOKEN, *attack.bag) if attack.draws else (NO_TOKEN,):
        share = 1.0 - critical if token is NO_TOKEN else critical * (token.tokens / total)
        worth += share * _with_token(attack, state, hits, tokens_table((token,)), goal)
    worth += 1000.0 * deeds.n_conditions if goal == "conditions" else 0.0
    return worth[:, :-1]  # nobody chooses nothing at all


def _with_token(attack: Attack, state: State, hits: IntArray, table: Mapping[str, IntArray], goal: Goal) -> FloatArray:
    """Return the value of each set, `float64[n, sets + 1]`, given that this critical is drawn for every defender."""
    deeds, worth = attack.strike.deeds, np.zeros(hits.shape)
    token, no_token = ({name: values[part] for name, values in table.items()} for part in (slice(1, None), slice(1)))
    for place, guard in enumerate(attack.guards[:1] if goal == "kill" else attack.guards):
        drawn_token = token if place == 0 or attack.rules.critical_tokens == "each_defender" else no_token
        impact = impact_on(attack, state, place, hits, slice(None), drawn_token)
        weight = 1 if place == 0 else deeds.values["area"]
        if goal == "kill":
            worth += _chance_of(guard, impact, guard.health - impact.wounds)
        else:
            worth += weight * (impact.wounds + expected_left(guard, impact.normal, impact.after["silenced"]))
    return worth


def _chance_of(guard: Guard, impact: Impact, threshold: IntArray) -> FloatArray:
    """Return the chance that at least `threshold` of the normal hits are left after the dice, shaped as `threshold`."""
    max_hits = max(int(impact.normal.max(initial=0)), 8)

    def chance(defender: Guard) -> FloatArray:
        at_least = left_distribution(defender, max_hits)[:, ::-1].cumsum(axis=1)[:, ::-1]
        table = np.append(at_least, np.zeros((max_hits + 1, 1)), axis=1)
        return np.asarray(table[impact.normal, np.clip(threshold, 0, max_hits + 1)])

    return as_silenced(guard, impact.after["silenced"], chance)


def expected_again(attack: Attack, state: State, goal: Goal) -> FloatArray:
    """Return the expected value of rolling again, `float64[n]`: the mean over all rolls of each one's best set."""
    strike, columns = attack.strike, [name for name in (*ATTACKERS, "shields", *DEFENDER_MARKS) if name in state]
    rolls, chances = strike.roll_distribution.outcomes, strike.roll_distribution.p
    values = np.stack([state[name] for name in columns], axis=1) if columns else np.zeros((n_trials(state), 1), int)
    distinct, inverse = np.unique(values, axis=0, return_inverse=True)
    means = []
    for row in distinct:
        case = {name: np.full(len(rolls), value) for name, value in zip(columns, row, strict=False)}
        worth = np.where(strike.purchase.affordable(rolls), worth_of(attack, case, rolls, goal), -np.inf)
        means.append(chances @ worth.max(axis=1))
    return np.array(means)[inverse.ravel()]
