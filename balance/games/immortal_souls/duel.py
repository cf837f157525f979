"""A hero against an enemy, round by round until one is dead (ledger level B).

A round is the Time Phase, the Hero Turn and the Enemy Turn (IS-SEQ.1 to IS-SEQ.3). Magic shields are a pool of the
round, armour counts in every attack, and every attack has its own defence dice. Each attack is one step, so that the
exact answer is that of a chain of states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.game.armies.lost_actions import actions_left, lost_at_start
from balance.games.immortal_souls.rules.exchange import Exchange, Resolver
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.strike import FIRES
from balance.games.immortal_souls.ruleset import ConditionRule, Switches

LONGEST_ROUNDS = 5_000
"""Rounds after which a duel without a limit is called a draw."""


@dataclass(frozen=True)
class Duellist:
    """One side of a duel.

    * `name`: the prefix of its state columns: "a" or "b".
    * `health` and `shields`: wounds that kill it, and magic shields at the start of each round.
    * `attacks` and `slowed_attacks`: attacks in a turn or activation, and while it is slowed.
    * `weapon` and `power`: the attack with its weapon, and with the power that a hero uses when it is ready; None
      without one.
    * `cooldown`: hourglasses (rounds) until the power is ready again.
    * `focus`: hits that it adds to its first attack of each turn.
    * `save`: the save die (its only symbol is success) and how many are rolled; None for enemies, who have no saves.
    * `start`: condition or fire token -> its value at the start.
    * `lost_actions`: attacks that it loses at the start.
    """

    name: str
    health: int
    shields: int
    attacks: int
    slowed_attacks: int
    weapon: Exchange
    power: Exchange | None
    cooldown: int
    focus: int
    save: tuple[SymbolDie, int] | None
    start: Mapping[str, int]
    lost_actions: int = 0

    @property
    def is_hero(self) -> bool:
        """Whether it is a hero: only heroes have saves."""
        return self.save is not None


@dataclass(frozen=True)
class Duel:
    """A duel, ready to be played.

    * `supremacy_hits`: hits that supremacy adds to an attack.
    * `round_limit`: rounds to play, 0 for no limit.
    * `activation`: in how many of how many cases the enemy acts in an Enemy Turn; of a deck, how many of its cards let
      it act, and how many cards there are, drawn without replacement.
    * `is_deck`: whether `activation` describes a deck.
    * `enemy_turns`: enemy Turns in a round.
    * `columns`: names of the state columns of conditions, fire tokens and red criticals that may occur.
    """

    hero: Duellist
    enemy: Duellist
    rules: Switches
    conditions: ConditionRule
    supremacy_hits: int
    round_limit: int
    activation: tuple[int, int]
    is_deck: bool
    enemy_turns: int
    columns: frozenset[str]

    @cached_property
    def start(self) -> dict[str, int]:
        """The state of one trial before the first round; what cannot occur has no column."""
        state: dict[str, int] = {}
        for side in (self.hero, self.enemy):
            state[f"{side.name}_health"] = side.health
            state |= {name: side.start.get(name[2:], 0) for name in sorted(self.columns) if name[0] == side.name}
            state |= {f"{side.name}_shields": side.shields} if side.shields else {}
            state |= lost_at_start(side.name, side.lost_actions)
        state |= {"to_make": 0}
        state |= {"cooling": 0} if self.hero.power is not None else {}
        state |= {"focus": 0} if self.hero.focus else {}
        return state | ({"acting": self.activation[0], "cards": self.activation[1]} if self.is_deck else {})

    @property
    def steps_per_round(self) -> int:
        """Steps of a round: Time Phase, attacks of the hero, attacks of the enemy in each of its turns."""
        return 1 + self.hero.attacks + self.enemy_turns * max(self.enemy.attacks, 1)


def duel_process(duel: Duel, resolve: Resolver) -> Process:
    """Return the duel as a process; `resolve` plays one attack, rolled in full or drawn from its distribution."""
    hero, enemy = duel.hero, duel.enemy
    steps: list[partial[State]] = [partial(_time_phase, duel)]
    steps += [partial(_hero_attack, duel, resolve, number) for number in range(hero.attacks)]
    for _ in range(duel.enemy_turns):
        steps += [partial(_enemy_attack, duel, resolve, number) for number in range(max(enemy.attacks, 1))]
    n_rounds = duel.round_limit or LONGEST_ROUNDS
    return Process(duel.start, tuple(steps), _is_over, partial(_outcome, duel), n_rounds * duel.steps_per_round)


def _is_over(state: State) -> BoolArray:
    return np.asarray((state["a_health"] == 0) | (state["b_health"] == 0))


def _outcome(duel: Duel, state: State, steps: IntArray) -> State:
    a, b = state["a_health"], state["b_health"]
    winner = np.where((a > 0) & (b == 0), 1, np.where((b > 0) & (a == 0), 2, 0))
    return {"winner": winner, "rounds": -(-steps // duel.steps_per_round), "a_health": a, "b_health": b}


def _read(state: State, side: Duellist, name: str) -> IntArray:
    """Return a column of a side, `int16[n]`; zeros for what cannot occur in this duel and so has no column."""
    column = f"{side.name}_{name}"
    return state[column] if column in state else np.zeros(n_trials(state), np.int16)


def _write(state: State, side: Duellist, values: Mapping[str, IntArray | BoolArray]) -> State:
    """Return the state with new values in those columns of a side that exist; others are ignored."""
    columns = {f"{side.name}_{name}": column for name, column in values.items()}
    return {**state, **{name: column.astype(np.int16) for name, column in columns.items() if name in state}}


# -- the Time Phase ---------------------------------------------------------------------------------------------------


def _time_phase(duel: Duel, state: State, rolls: Rolls) -> State:
    """IS-SEQ.2: damage of both at once, then magic shields, cooldowns, and what the hero may do this round."""
    for side in (duel.hero, duel.enemy):
        state = _write(state, side, _time_damage(duel, state, side))
    hero = duel.hero
    if hero.save is not None and f"{hero.name}_poison" in state:
        poison = _read(state, hero, "poison")
        cures = _save_succeeds(hero.save, rolls, f"{hero.name} poison save")
        state = _write(state, hero, {"poison": np.asarray(poison * ~cures)})
    if "cooling" in state:
        state["cooling"] = np.maximum(state["cooling"] - 1, 0).astype(np.int16)
    return _begin_turn(state, hero)


def _time_damage(duel: Duel, state: State, side: Duellist) -> dict[str, IntArray]:
    """Return health, fire and shields of a side after the damage of a Time Phase (IS-FIRE.2, IS-COND.5, IS-COND.11)."""
    fire1, fire2, poison = (_read(state, side, name) for name in (*FIRES, "poison"))
    rule = duel.conditions
    by_poison = np.array([0, rule.poison_1_wounds, rule.poison_2_wounds])[poison]
    wounds = (fire1 + fire2) * rule.fire_wounds + by_poison
    health = np.maximum(_read(state, side, "health") - wounds, 0)
    return {
        "health": health,
        "fire1": fire2,
        "fire2": np.zeros_like(fire2),
        "shields": np.full(len(health), side.shields, np.int16),
    }


def _save_succeeds(save: tuple[SymbolDie, int], rolls: Rolls, name: str) -> BoolArray:
    """Return where a save succeeds, `bool[n]` (IS-SAVE.1): one of its dice shows success."""
    die, k = save
    return np.asarray(rolls.pool(die, k, name)["success"] > 0)


def _begin_turn(state: State, hero: Duellist) -> State:
    """Begin a Hero Turn: set how many attacks he may make (IS-COND.4, IS-COND.7, IS-COND.8)."""
    stun, slow, ko = (_read(state, hero, name) > 0 for name in ("stun", "slow", "ko"))
    to_make = np.where(slow, np.where(ko, 0, min(hero.attacks, hero.slowed_attacks)), hero.attacks) * ~stun
    state = _to_make(_write(state, hero, {"ko": np.asarray(ko & stun, np.int16)}), hero, to_make)
    if "focus" in state:
        state["focus"] = (~slow).astype(np.int16)  # focus is an action, and who is slowed has the one activity
    return state


def _to_make(state: State, side: Duellist, attacks: IntArray) -> State:
    """Set `to_make` to the attacks that a side makes of those allowed, after those that it loses at the start."""
    to_make, after = actions_left(state, side.name, attacks)
    return {**after, "to_make": to_make.astype(np.int16)}


# -- attacks ----------------------------------------------------------------------------------------------------------


def _circumstances(duel: Duel, state: State, attacker: Duellist, foe: Duellist) -> dict[str, IntArray]:
    """Return what the fight changes in this attack: bonus hits, and shields, conditions and criticals of the foe."""
    ko = _read(state, foe, "ko")
    supremacy = (ko > 0) & (_read(state, attacker, "ko") == 0) & duel.rules.supremacy_over_knocked_out
    bonus = supremacy * duel.supremacy_hits - _read(state, attacker, "dulled")
    if attacker.is_hero and "focus" in state:
        bonus = bonus + state["focus"] * attacker.focus
    circumstances = {"bonus": bonus, "cannot_buy": _read(state, attacker, "silenced")}
    return circumstances | {name: _read(state, foe, name) for name in ("shields", *CONDITIONS, *REDS)}


def _apply_attack(state: State, foe: Duellist, outcome: State, is_made: BoolArray) -> State:
    """Return the state with wounds, shields and conditions of an attack on `foe`, only where `is_made`, `bool[n]`."""
    after = {name: values for name, values in outcome.items() if name not in ("wounds", *FIRES)}
    columns = {name: np.where(is_made, values, _read(state, foe, name)) for name, values in after.items()}
    for name in FIRES:
        if name in outcome:
            columns[name] = _read(state, foe, name) + outcome[name] * is_made
    wounds = outcome["wounds"]
    if "frail" in outcome:
        wounds = wounds + outcome["frail"] - _read(state, foe, "frail")
    columns["health"] = np.maximum(_read(state, foe, "health") - wounds * is_made, 0)
    return _write(state, foe, columns)


def _hero_attack(duel: Duel, resolve: Resolver, number: int, state: State, rolls: Rolls) -> State:
    """IS-HIT.10: a combat activity of the hero, with his power if it is ready, else with his weapon."""
    hero, enemy = duel.hero, duel.enemy
    tries = np.asarray(state["to_make"] > number)
    is_made, state = _past_blindness(duel, state, tries, rolls)
    circumstances = _circumstances(duel, state, hero, enemy)
    outcome = resolve(hero.weapon, circumstances, rolls, f"{hero.name} weapon")
    before, state = state, dict(state)
    if hero.power is None:
        state = _apply_attack(state, enemy, outcome, is_made)
    else:
        ready = np.asarray(before["cooling"] == 0)
        state = _apply_attack(state, enemy, outcome, is_made & ~ready)
        with_power = resolve(hero.power, circumstances, rolls, f"{hero.name} power")
        state = _apply_attack(state, enemy, with_power, is_made & ready)
        cools_down = (tries if duel.rules.failed_save_turns_power else is_made) & ready
        state["cooling"] = np.where(cools_down, np.int16(hero.cooldown), before["cooling"])
    if "focus" in state:
        state["focus"] = np.where(is_made, np.int16(0), state["focus"])
    if number == hero.attacks - 1:  # the turn ends, and with it what began with it
        state = _write(state, hero, {name: np.zeros_like(state["to_make"]) for name in ("stun", "slow", "blind")})
    return state


def _past_blindness(duel: Duel, state: State, tries: BoolArray, rolls: Rolls) -> tuple[BoolArray, State]:
    """Return which of the activities tried are carried out: a blinded hero must save first (IS-COND.6)."""
    hero = duel.hero
    if hero.save is None or f"{hero.name}_blind" not in state:
        return tries, state
    saves = _save_succeeds(hero.save, rolls, f"{hero.name} blind save")
    return tries & (saves | (_read(state, hero, "blind") == 0)), state


def _enemy_attack(duel: Duel, resolve: Resolver, number: int, state: State, rolls: Rolls) -> State:
    """Make one attack of the enemy's activation (IS-AI.1); with number 0 the activation begins."""
    enemy, hero = duel.enemy, duel.hero
    if number == 0:
        state = _begin_activation(duel, state, rolls)
    is_made = np.asarray(state["to_make"] > number)
    if not enemy.attacks:
        return state
    outcome = resolve(enemy.weapon, _circumstances(duel, state, enemy, hero), rolls, f"{enemy.name} weapon")
    return _apply_attack(state, hero, outcome, is_made)


def _begin_activation(duel: Duel, state: State, rolls: Rolls) -> State:
    """Begin an activation: encounter card, tokens, number of attacks (ledger 2.3, IS-COND.9 to IS-COND.13)."""
    enemy, state = duel.enemy, dict(state)
    acts = _card_activates(duel, state, rolls)
    stun, slow, blind, ko = (_read(state, enemy, name) > 0 for name in ("stun", "slow", "blind", "ko"))
    up = acts if duel.rules.stunned_knocked_out_stands_up else acts & ~stun
    able = acts & ~stun
    to_make = np.where(slow, min(enemy.attacks, enemy.slowed_attacks), enemy.attacks) * (able & ~blind)
    after = {"stun": stun & ~acts, "ko": ko & ~up, "slow": slow & ~able, "blind": blind & ~able}
    return _write(_to_make(state, enemy, to_make), enemy, after)


def _card_activates(duel: Duel, state: State, rolls: Rolls) -> BoolArray:
    """Return where the encounter card drawn lets the enemy act; an empty deck is reshuffled."""
    n = n_trials(state)
    activating_cards, cards = duel.activation
    if not duel.is_deck:
        return (
            np.ones(n, bool)
            if activating_cards == cards
            else np.asarray(rolls.uniform(cards, "encounter card") < activating_cards)
        )
    acts = np.asarray(rolls.uniform(state["cards"], "encounter card") < state["acting"])
    state["acting"], state["cards"] = state["acting"] - acts, state["cards"] - 1
    empty = state["cards"] == 0
    state["acting"] = np.where(empty, activating_cards, state["acting"]).astype(np.int16)
    state["cards"] = np.where(empty, cards, state["cards"]).astype(np.int16)
    return acts
