"""An attack of enemies on heroes, with what their powers add, and attacks on heroes who enter (IS-ENE.4, IS-ENE.5)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.belongings import use_shield_items
from balance.games.immortal_souls.encounter.attacks.blows import (
    AttackPlan,
    Blow,
    circumstances_of,
    resolve_blow,
    roll_blow,
)
from balance.games.immortal_souls.encounter.attacks.candidates import lasting_hits
from balance.games.immortal_souls.encounter.board.areas import HERO
from balance.games.immortal_souls.encounter.board.control import dominates, supremacy
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    enemies_of,
    first_of_cards,
    get,
    heroes_of,
    make_ghosts,
    put,
    save_succeeds,
    standing_columns,
    targets,
)

IN_HERO_TURN = ("reaction", "entering")
"""Attacks on a hero in his own turn."""


def enemy_attack(
    scene: Scene, state: State, rows: IntArray, body: IntArray, hero: IntArray, hand: IntArray | int, rolls: Rolls,
    name: str,
) -> tuple[IntArray, BoolArray]:  # fmt: skip
    """Make attacks of enemies; return the wounds dealt to the victim, `int[m]`, and whether it died, `bool[m]`.

    `hero` is the victim, `int[m]`, and `hand` the weapon: 0 primary, 1 secondary.
    """
    if not len(rows):
        return _attack_by_nobody(scene, state, body, rolls, name)
    beasts, powers = scene.bestiary, scene.powers
    kind, power_bits = scene.kind_of[get(state, "e_card", rows, body)], get(state, "e_powers", rows, body)
    strike = beasts.strike[kind, hand, powers.variant[power_bits]]
    area = get(state, "h_area", rows, hero)
    bonus = _bonus(scene, state, rows, body, power_bits, area)
    circumstances = circumstances_of(scene, state, "h", rows, hero, "e", body, bonus)
    blow = roll_blow(
        scene,
        scene.enemy_arms,
        AttackPlan(rows, strike, bonus, beasts.damage_type[kind, hand]),
        hero,
        circumstances,
        rolls,
        name,
    )
    if scene.party.reacts and name not in IN_HERO_TURN:
        use_shield_items(scene, state, hero, blow, rolls)
    wounds = resolve_blow(scene, scene.enemy_arms, state, "h", hero, blow, rolls, name)
    state["enemy_attacks"][rows] += 1
    state["wounds"][rows] += np.where(hero < scene.n_heroes, wounds, 0).astype(np.int16)
    if scene.enemy_arms.reaches:
        _area_attack(scene, state, body, hero, area, blow, rolls)
    if scene.enemy_arms.pushes:
        _push(scene, state, body, hero, blow)
    if powers.curse.any():
        _cursed(scene, state, rows, power_bits, hero, rolls, name)
    return wounds, make_ghosts(scene, state, rows, hero)


def _attack_by_nobody(
    scene: Scene, state: State, nobody: IntArray, rolls: Rolls, name: str
) -> tuple[IntArray, BoolArray]:
    """Make the same requests as an attack, in trials without one, so that random streams stay aligned."""
    plan = AttackPlan(nobody, nobody, nobody, nobody)
    blow = roll_blow(scene, scene.enemy_arms, plan, nobody, {}, rolls, name)
    if scene.party.reacts and name not in IN_HERO_TURN:
        use_shield_items(scene, state, nobody, blow, rolls)
    wounds = resolve_blow(scene, scene.enemy_arms, state, "h", nobody, blow, rolls, name)
    if scene.enemy_arms.reaches:
        for bystander in range(scene.n_allies):
            resolve_blow(scene, scene.enemy_arms, state, "h", bystander, blow, rolls, "enemy area", primary=False)
    if scene.powers.curse.any():
        save_succeeds(scene, np.zeros(rolls.n, np.int64), rolls, f"{name} curse save")
    return wounds, np.zeros(0, bool)


def _bonus(
    scene: Scene, state: State, rows: IntArray, body: IntArray, power_bits: IntArray, area: IntArray
) -> IntArray:
    """Return the hits that powers, supremacy, events and criticals add, `int[m]`; `area` is the victim's."""
    part = standing_columns(state, rows)
    heroes, enemies = heroes_of(part), enemies_of(part)
    leads = supremacy(area, enemies, heroes, scene.rules.supremacy_over_knocked_out)
    more = leads * scene.constants.attack.supremacy_hits + scene.powers.hits[power_bits]
    if scene.powers.leading_hits.any():
        more = more + scene.powers.leading_hits[power_bits] * dominates(
            get(state, "e_area", rows, body), enemies, heroes
        )
    return np.asarray(more + lasting_hits(scene, state, "e")[rows] - get(state, "e_dulled", rows, body))


def _area_attack(
    scene: Scene, state: State, body: IntArray, hero: IntArray, area: IntArray, blow: Blow, rolls: Rolls
) -> None:
    """Resolve the attack on every other hero within the radius of its area effect: IS-AOE.1, IS-AOE.2."""
    rows = blow.plan.rows
    for bystander in range(scene.n_allies):
        bystander_area = get(state, "h_area", rows, bystander)
        in_radius = (blow.deeds["area"] > 0) & ~state["h_ghost"][rows, bystander] & (hero != bystander)
        in_radius &= scene.board.points(HERO, area, bystander_area) <= blow.deeds["radius"]
        among = blow.among(in_radius)
        if scene.rules.supremacy_of_area_attacks == "each_area":
            power_bits = get(state, "e_powers", rows, body)[in_radius]
            bonus = _bonus(scene, state, among.plan.rows, body[in_radius], power_bits, area[in_radius])
            among = among.with_more(
                _bonus(scene, state, among.plan.rows, body[in_radius], power_bits, bystander_area[in_radius]) - bonus
            )
        wounds = resolve_blow(scene, scene.enemy_arms, state, "h", bystander, among, rolls, "enemy area", primary=False)
        state["wounds"][among.plan.rows] += (wounds * (bystander < scene.n_heroes)).astype(np.int16)
    for bystander in range(scene.n_allies):
        make_ghosts(scene, state, rows[hero != bystander], bystander)


def _push(scene: Scene, state: State, body: IntArray, hero: IntArray, blow: Blow) -> None:
    """Push the hero back an area, without reactions: IS-PUSH.1 to IS-PUSH.4."""
    goes = (blow.deeds["push"] > 0) & (blow.hits > 0)
    rows, body, hero = blow.plan.rows[goes], body[goes], hero[goes]
    start, foe = get(state, "h_area", rows, hero), get(state, "e_area", rows, body)
    first = {"attackers_way": get(state, "e_from", rows, body), "defenders_way": get(state, "h_from", rows, hero),
             "away": np.full(len(rows), scene.board.off_map)}[scene.rules.push_direction]  # fmt: skip
    occupied_bits = scene.board.bits(np.concatenate((state["h_area"][rows], state["e_area"][rows]), axis=1))
    goal = scene.board.step_back(scene.party.walker[hero], start, foe, first, occupied_bits, farther=False)
    put(state, "h_area", rows, hero, goal)
    put(state, "h_from", rows, hero, start)


def _cursed(
    scene: Scene, state: State, rows: IntArray, power_bits: IntArray, hero: IntArray, rolls: Rolls, name: str
) -> None:
    """Curse the attacks of a victim who does not save, until the end of his next turn."""
    hero_by_trial = np.zeros(rolls.n, np.int64)
    hero_by_trial[rows] = hero
    fails = ~save_succeeds(scene, hero_by_trial, rolls, f"{name} curse save")[rows]
    put(
        state,
        "h_curse",
        rows,
        hero,
        np.maximum(get(state, "h_curse", rows, hero), scene.powers.curse[power_bits] * fails),
    )


def has_power(scene: Scene, state: State, rows: IntArray, body: IntArray | int, power: int) -> BoolArray:
    """Return whether enemies have a power, by number, and a charge if it takes one (IS-ENE.4), `bool[m]`."""
    has = (get(state, "e_powers", rows, body) >> power & 1) > 0
    if scene.powers.takes_charge[power]:
        has = has & (get(state, "e_charges", rows, body) > 0)
    return np.asarray(has)


def use_charge(scene: Scene, state: State, rows: IntArray, body: IntArray | int, power: int) -> None:
    """Take a charge for a power, by number, if it takes one."""
    if scene.powers.takes_charge[power]:
        put(state, "e_charges", rows, body, get(state, "e_charges", rows, body) - 1)


def attack_on_entry(scene: Scene, hero: int, state: State, rows: IntArray, rolls: Rolls) -> None:
    """Let enemies with a power for it attack a hero who ended his Move in their area; some powers allow him a save."""
    for power, hand in scene.powers.on_entering:
        for body in range(state["e_card"].shape[1]):
            fails = np.ones(rolls.n, bool)
            if scene.powers.allows_save[power]:
                fails = ~save_succeeds(scene, np.full(rolls.n, hero), rolls, "entering save")
            trials = rows[(state["e_area"][rows, body] == state["h_area"][rows, hero]) & targets(state)[rows, hero]]
            able = first_of_cards(scene, state)[trials, body] & (get(state, "e_stun", trials, body) == 0)
            trials = trials[able & has_power(scene, state, trials, body, power)]
            use_charge(scene, state, trials, body, power)
            trials = trials[fails[trials]]
            enemy_attack(
                scene, state, trials, np.full(len(trials), body), np.full(len(trials), hero), hand, rolls, "entering"
            )
