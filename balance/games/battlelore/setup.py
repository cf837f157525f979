"""From two ids and some overrides to an attack or a whole combat, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray
from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process, State
from balance.game.setup import Asked, Setup
from balance.games.battlelore.building import Post, start_of
from balance.games.battlelore.rules.combat import Clash, Combat, attack_process, combat_process
from balance.games.battlelore.rules.dice import Ground
from balance.games.battlelore.rules.encounter import Encounter
from balance.games.battlelore.rules.morale import battles_back
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.scene import Scene, scene_of
from balance.games.battlelore.sides import Side, parse_fighter
from balance.games.battlelore.situation import AttackSituation, CombatSituation, check_attack, is_adjacent


@dataclass(frozen=True)
class AttackSetup:
    """One attack: the encounter, how it begins, and what was asked."""

    encounter: Encounter
    start: Mapping[str, int]
    inputs: Mapping[str, Any]


def attack_setup(question: Asked[BattleLoreRules, AttackSituation, Side[Any]]) -> AttackSetup:
    """Prepare one attack: its dice and what they remove (ledger level A).

    `BalanceError`, with the rule, for a terrain that does not exist or an attack the rules forbid.
    """
    scene, situation, melee = scene_of(question), question.situation, is_adjacent(question.situation)
    check_attack(question)
    has_moved = question.sides["attacker"].stance.moved
    a = scene.post("attacker", "attacker_terrain", has_moved=has_moved, extra_dice=situation.extra_dice)
    t = scene.post("defender", "target_terrain")
    encounter = scene.referee.encounter("a", a, "t", t, melee)
    inputs = question.inputs({"adjacent": melee}, n_dice=encounter.strike.n_dice)
    return AttackSetup(encounter, start_of((encounter,), {"a": a, "t": t}), inputs)


def attack_processes(setup: AttackSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return one attack as a process; every lane rolls it, as the compiled one draws from its distribution."""
    return (attack_process(setup.encounter, setup.start),)


def combat_setup(question: Asked[BattleLoreRules, CombatSituation, Side[Any]]) -> Setup[Combat]:
    """Prepare a whole combat (ledger level B).

    `BalanceError`, with the rule, for a terrain that does not exist or an attack the rules forbid.
    """
    scene, situation, stance = scene_of(question), question.situation, question.sides["attacker"].stance
    check_attack(question)
    a = scene.post(
        "attacker",
        "attacker_terrain",
        has_moved=stance.moved,
        webbed=False,
        extra_dice=situation.extra_dice,
        free_hexes=situation.attacker_free_hexes,
    )
    t = scene.post(
        "defender",
        "target_terrain",
        extra_dice=situation.defender_extra_dice,
        free_hexes=_free_hexes(situation),
        blocker_figures=situation.blocker_figures if situation.blockers else 0,
    )
    paid_lore = scene.referee.constants.lore.free_from_web if stance.freed else 0
    return Setup(_combat(scene, a, t, paid_lore), question.inputs({"adjacent": is_adjacent(situation)}))


def _free_hexes(situation: CombatSituation) -> int:
    """Return the hexes open behind the target: 0 if units block it and the situation keeps its default."""
    is_default = situation.free_hexes == CombatSituation().free_hexes
    return 0 if situation.blockers and is_default else situation.free_hexes


def _combat(scene: Scene[CombatSituation], a: Post, t: Post, paid_lore: int) -> Combat:
    referee, choices, melee = scene.referee, scene.choices, is_adjacent(scene.situation)
    backs = choices["battle_back"] == "yes"
    needs_flag = referee.rules.back_needs_flag
    clashes = [Clash("attack", referee.encounter("a", a, "t", t, melee), _unless_kept_from_it)]
    if scene.situation.ambush:
        clashes.insert(0, Clash("ambush", referee.encounter("t", t, "a", a), _always))
    if melee and backs and referee.may_battle_back(t):
        back = referee.encounter("t", t, "a", a, backs=True)
        clashes.append(Clash("battle back", back, partial(_may_battle_back, needs_flag)))
    bonuses = _bonuses(scene, a, t, choices["follow_up"]) if melee else ()
    bonus_backs = backs and referee.rules.battle_back_on_bonus
    for on, hexes, pursuer, prey in bonuses:
        name = f"bonus {('other', 'near', 'far')[hexes]}"
        clashes.append(Clash(name, referee.encounter("a", pursuer, on, prey), partial(_may_strike, on, hexes)))
        if bonus_backs and referee.may_battle_back(prey):
            again = referee.encounter(on, prey, "a", pursuer, backs=True)
            clashes.append(Clash(f"{name} back", again, partial(_may_battle_back_bonus, on, hexes, needs_flag)))
    posts = {"a": a, "t": t} | {on: prey for on, _, _, prey in bonuses if on not in ("a", "t")}
    start = start_of(tuple(clash.encounter for clash in clashes), posts)
    follows = melee and choices["follow_up"] != "stay"
    return Combat(tuple(clashes), start, follows, scene.situation.blockers, t.blocker_figures, paid_lore, a.stored)


def _bonuses(
    scene: Scene[CombatSituation], a: Post, t: Post, follow_up: str
) -> tuple[tuple[str, int, Post, Post], ...]:
    """Return the bonus attacks a pursuit may end in: (target, hexes it retreated, pursuer, target's post)."""
    if a.fighter.unit.kind != "mounted" or not follow_up.startswith("bonus"):
        return ()
    vacated_ground, behind = Ground(t.ground.terrains, hostile=not t.ground.hostile), scene.ground("retreat_terrain")
    if vacated_ground.barring(a.ground):
        return ()
    pursuer = replace(a, ground=vacated_ground, supported=False, free_hexes=a.free_hexes + 1)
    if follow_up == "bonus_other":
        return (("u", 0, pursuer, _other_enemy(scene, t)),)
    if scene.referee.rules.bonus_target == "other":
        return ()
    prey = replace(t, ground=behind, supported=False)
    near = ("t", 1, pursuer, replace(prey, free_hexes=max(t.free_hexes - 1, 0)))
    if vacated_ground.stops_pursuit(a.ground, scene.referee.rules) or behind.barring(vacated_ground):
        return (near,)
    beyond = replace(pursuer, ground=behind, free_hexes=a.free_hexes + 2)
    far = ("t", 2, beyond, replace(prey, free_hexes=max(t.free_hexes - 2, 0)))
    return near, far


def _other_enemy(scene: Scene[CombatSituation], t: Post) -> Post:
    """Return the other enemy beside the target: the one named, or a fresh unit of the target's sort."""
    situation, place = scene.situation, "§set situation.other"
    fighter = parse_fighter(scene.question.catalogue, situation.other, place) if situation.other else t.fighter
    full = fighter.unit.figures
    figures = full if situation.other_figures is None else situation.other_figures
    if figures > full:
        raise RulesError(
            Fault("figures are too many (BL-TRP-03)", place, None, "other_figures", str(figures), f"1 to {full}")
        )
    return Post(
        fighter,
        figures,
        scene.ground("other_terrain"),
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
    able: BoolArray = (state["a_figures"] > 0) & (state["battled_back"] == 0)
    return able & battles_back(state["held"], 1, state.get("t_webbed", 0), state["ignored"], needs_flag)


def _may_strike(on: str, hexes: int, state: State) -> BoolArray:
    able: BoolArray = (state["attacked"] > 0) & (state["held"] == 0) & (state["bonus"] == 0)
    able &= (state["a_figures"] > 0) & (state[f"{on}_figures"] > 0)
    return able & (state["travelled"] == hexes) if hexes else able


def _may_battle_back_bonus(on: str, hexes: int, needs_flag: bool, state: State) -> BoolArray:
    able: BoolArray = state["a_figures"] > 0
    if hexes:
        able = able & (state["travelled"] == hexes)
    webbed = state.get(f"{on}_webbed", 0)
    return able & battles_back(state["bonus_held"], 1, webbed, state["bonus_ignored"], needs_flag)


def combat_processes(setup: Setup[Combat], lane: str = "literal") -> tuple[Process, ...]:
    """Return a whole combat as a process; every lane rolls it, as the compiled one draws from its distribution."""
    return (combat_process(setup.play),)
