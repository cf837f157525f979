"""From two ids and some overrides to an attack or a whole combat, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from balance.catalogue import Catalogue, Overrides
from balance.core.process import BoolArray, Process, State
from balance.errors import Fault, RulesError
from balance.games.battlelore.asked import FLAGS, Asked, ask
from balance.games.battlelore.building import Post, start_of
from balance.games.battlelore.combat import Clash, Combat, attack_process, combat_process
from balance.games.battlelore.dice import Ground
from balance.games.battlelore.encounter import Encounter
from balance.games.battlelore.powers import POLICIES
from balance.games.battlelore.sides import AttackerStance, Stance, parse_fighter
from balance.games.battlelore.situation import AttackSituation, CombatSituation, check_attack, is_adjacent

__all__ = [
    "ATTACK_CHOICES",
    "COMBAT_CHOICES",
    "AttackSetup",
    "CombatSetup",
    "attack_processes",
    "attack_setup",
    "combat_processes",
    "combat_setup",
]

ATTACK_CHOICES = {"attacker_powers": tuple(POLICIES)}
COMBAT_CHOICES = {
    "defender_flags": FLAGS,
    "attacker_flags": FLAGS,
    "battle_back": ("yes", "no"),
    "follow_up": ("gain_ground", "bonus_same", "bonus_other", "stay"),
    **ATTACK_CHOICES,
    "defender_powers": tuple(POLICIES),
}
"""What the owners decide: flags to ignore at most, whether to battle back, what the attacker does when the hex is
vacated, and what a creature's Lore faces are for. The defaults: ignore what may be ignored, battle back, gain ground
without a bonus attack (who is near depends on the map), and Lore faces into the chalice."""


@dataclass(frozen=True)
class AttackSetup:
    """One attack: the encounter, how it begins, and what was asked."""

    encounter: Encounter
    start: Mapping[str, int]
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class CombatSetup:
    """One combat, and what was asked."""

    combat: Combat
    inputs: Mapping[str, Any]


def attack_setup(
    catalogue: Catalogue, entrants: tuple[str, str], overrides: Overrides, attacker_powers: str = POLICIES[0]
) -> AttackSetup:
    """Prepare one attack: its dice and what they remove (ledger level A).

    Raises
    ------
    BalanceError
        An unknown id or field, a value out of range, or an attack the rules forbid; names the rule.
    """
    chosen = {"attacker_powers": attacker_powers}
    asked = _ask_attack(catalogue, entrants, overrides, AttackSituation(), chosen)
    situation, melee = asked.situation, is_adjacent(asked.situation)
    moved = asked.sides["attacker"].stance.moved
    a = asked.post("attacker", "attacker_terrain", moved=moved, extra_dice=situation.extra_dice)
    t = asked.post("defender", "target_terrain")
    encounter = asked.referee.encounter("a", a, "t", t, melee)
    inputs = asked.inputs(adjacent=melee) | {"n_dice": encounter.strike.n_dice, "choices": chosen}
    return AttackSetup(encounter, start_of((encounter,), {"a": a, "t": t}), inputs)


def attack_processes(setup: AttackSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return one attack as a process; every lane rolls it, since the compiled one draws from its law."""
    return (attack_process(setup.encounter, setup.start),)


def combat_setup(catalogue: Catalogue, entrants: tuple[str, str], overrides: Overrides, **choices: str) -> CombatSetup:
    """Prepare a whole combat (ledger level B); `choices` are those of `COMBAT_CHOICES`, the first by default.

    Raises
    ------
    BalanceError
        An unknown id or field, a value out of range, or an attack the rules forbid; names the rule.
    """
    chosen = {name: choices.get(name, allowed[0]) for name, allowed in COMBAT_CHOICES.items()}
    asked = _ask_attack(catalogue, entrants, overrides, CombatSituation(), chosen)
    situation, stance = asked.situation, asked.sides["attacker"].stance
    a = asked.post(
        "attacker",
        "attacker_terrain",
        moved=stance.moved,
        webbed=False,
        extra_dice=situation.extra_dice,
        free_hexes=situation.attacker_free_hexes,
    )
    t = asked.post(
        "defender",
        "target_terrain",
        extra_dice=situation.defender_extra_dice,
        free_hexes=_free_hexes(situation),
        blocker_figures=situation.blocker_figures if situation.blockers else 0,
    )
    paid = asked.referee.constants.lore.free_from_web if stance.freed else 0
    inputs = asked.inputs(adjacent=is_adjacent(situation)) | {"choices": chosen}
    return CombatSetup(_combat(asked, a, t, paid), inputs)


def _ask_attack(
    catalogue: Catalogue,
    entrants: tuple[str, str],
    overrides: Overrides,
    situation: AttackSituation,
    chosen: Mapping[str, str],
) -> Asked:
    stances = {"attacker": AttackerStance(), "defender": Stance()}
    asked = ask(catalogue, entrants, overrides, situation, stances, chosen)
    check_attack(catalogue, asked.situation, asked.sides["attacker"], asked.sides["defender"], asked.referee.rules)
    return asked


def _free_hexes(situation: CombatSituation) -> int:
    """Return the hexes open behind the target: none if somebody stands there and nothing else is said."""
    unsaid = situation.free_hexes == CombatSituation().free_hexes
    return 0 if situation.blockers and unsaid else situation.free_hexes


def _combat(asked: Asked, a: Post, t: Post, paid: int) -> Combat:
    referee, chosen, melee = asked.referee, asked.chosen, is_adjacent(asked.situation)
    backs = chosen["battle_back"] == "yes"
    needs_flag = referee.rules.battle_back_needs == "ignored_flag"
    clashes = [Clash("attack", referee.encounter("a", a, "t", t, melee), _unless_kept_from_it)]
    if asked.situation.ambush:
        clashes.insert(0, Clash("ambush", referee.encounter("t", t, "a", a), _always))
    if melee and backs and referee.may_battle_back(t):
        back = referee.encounter("t", t, "a", a)
        clashes.append(Clash("battle back", back, partial(_may_battle_back, needs_flag)))
    bonuses = _bonuses(asked, a, t, chosen["follow_up"]) if melee else ()
    bonus_backs = backs and referee.rules.battle_back_on_bonus
    for on, hexes, pursuer, prey in bonuses:
        name = f"bonus {('other', 'near', 'far')[hexes]}"
        clashes.append(Clash(name, referee.encounter("a", pursuer, on, prey), partial(_may_strike, on, hexes)))
        if bonus_backs and referee.may_battle_back(prey):
            again = referee.encounter(on, prey, "a", pursuer)
            clashes.append(Clash(f"{name} back", again, partial(_may_battle_back_bonus, on, hexes, needs_flag)))
    posts = {"a": a, "t": t} | {on: prey for on, _, _, prey in bonuses if on not in ("a", "t")}
    start = start_of(tuple(clash.encounter for clash in clashes), posts)
    follows = melee and chosen["follow_up"] != "stay"
    return Combat(tuple(clashes), start, follows, asked.situation.blockers, t.blocker_figures, paid, a.stored)


def _bonuses(asked: Asked, a: Post, t: Post, follow_up: str) -> tuple[tuple[str, int, Post, Post], ...]:
    """Return the bonus attacks a pursuit may end in: (target, hexes it retreated, pursuer, target's post)."""
    if a.fighter.unit.kind != "mounted" or not follow_up.startswith("bonus"):
        return ()
    vacated, behind = Ground(t.ground.terrains, hostile=not t.ground.hostile), asked.ground("retreat_terrain")
    entered = all(x.battle_on_entry or (x.free_along and x.id in a.ground.ids) for x in vacated.terrains)
    if not entered:
        return ()
    pursuer = replace(a, ground=vacated, supported=False, free_hexes=a.free_hexes + 1)
    if follow_up == "bonus_other":
        return (("u", 0, pursuer, _other(asked, t)),)
    prey = replace(t, ground=behind, supported=False)
    near = ("t", 1, pursuer, replace(prey, free_hexes=max(t.free_hexes - 1, 0)))
    stops = [x for x in vacated.terrains if x.stops and not (x.free_along and x.id in a.ground.ids)]
    passes = all(x.id == "ford" and asked.referee.rules.ford_pursuit == "pass" for x in stops)
    if not passes or not all(x.battle_on_entry for x in behind.terrains):
        return (near,)
    beyond = replace(pursuer, ground=behind, free_hexes=a.free_hexes + 2)
    far = ("t", 2, beyond, replace(prey, free_hexes=max(t.free_hexes - 2, 0)))
    return near, far


def _other(asked: Asked, t: Post) -> Post:
    """Return the other enemy: the one named, or a fresh unit of the target's sort."""
    situation, where = asked.situation, "--set situation.other"
    fighter = parse_fighter(asked.catalogue, situation.other, where) if situation.other else t.fighter
    full = fighter.unit.figures
    figures = full if situation.other_figures is None else situation.other_figures
    if figures > full:
        raise RulesError(
            Fault("figures are too many (BL-TRP-03)", where, None, "other_figures", str(figures), f"1 to {full}")
        )
    return Post(
        fighter,
        figures,
        asked.ground("other_terrain"),
        situation.other_supported,
        free_hexes=situation.other_free_hexes,
        most_ignored=t.most_ignored,
        policy=t.policy,
    )


def _always(state: State) -> BoolArray:
    return np.ones(len(state["hits"]), bool)


def _unless_kept_from_it(state: State) -> BoolArray:
    able: BoolArray = (state["a_figures"] > 0) & (state["a_travelled"] == 0)
    return able & (state["a_webbed"] == 0) if "a_webbed" in state else able


def _may_battle_back(needs_flag: bool, state: State) -> BoolArray:
    able: BoolArray = (state["held"] > 0) & (state["a_figures"] > 0) & (state["battled_back"] == 0)
    if "t_webbed" in state:
        able &= state["t_webbed"] == 0
    return able & (state["ignored"] > 0) if needs_flag else able


def _may_strike(on: str, hexes: int, state: State) -> BoolArray:
    able: BoolArray = (state["attacked"] > 0) & (state["held"] == 0) & (state["bonus"] == 0)
    able &= (state["a_figures"] > 0) & (state[f"{on}_figures"] > 0)
    return able & (state["travelled"] == hexes) if hexes else able


def _may_battle_back_bonus(on: str, hexes: int, needs_flag: bool, state: State) -> BoolArray:
    able: BoolArray = (state["bonus_held"] > 0) & (state["a_figures"] > 0)
    if hexes:
        able &= state["travelled"] == hexes
    if f"{on}_webbed" in state:
        able &= state[f"{on}_webbed"] == 0
    return able & (state["bonus_ignored"] > 0) if needs_flag else able


def combat_processes(setup: CombatSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return a whole combat as a process; every lane rolls it, since the compiled one draws from its law."""
    return (combat_process(setup.combat),)
