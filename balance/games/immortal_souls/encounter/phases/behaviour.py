"""What an enemy does by the rule of its scroll, sentence by sentence, and what its powers add (IS-AI.12 to 15)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.attacks.enemy_attack import enemy_attack, has_power, use_charge
from balance.games.immortal_souls.encounter.board.areas import FLYER
from balance.games.immortal_souls.encounter.board.victims import Aim
from balance.games.immortal_souls.encounter.phases.conditions import set_alight_on_way
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import alive, get, targets
from balance.games.immortal_souls.tables.board import STEPS

CODE = {name: number for number, name in enumerate(STEPS)}
ATTACKS = np.array([CODE[name] for name in ("attack", "attack_off", "shoot_2")])
AREAS = np.array([99 if name == "engage" else int(name[-1]) if name.startswith("move") else 0 for name in STEPS])
SHOT_AREAS = 2
NOBODY_NEAR = 999


def follow_rule(
    scene: Scene, state: State, rows: IntArray, body: IntArray, orders: Aim, slow: BoolArray, blind: BoolArray,
    rolls: Rolls,
) -> BoolArray:  # fmt: skip
    """Carry out the rule that enemies follow, and extra attacks of powers; return which killed a hero, `bool[m]`.

    A slowed enemy, `bool[m]`, follows the first sentence only, and a blinded one, `bool[m]`, makes no attack by the
    rule.
    """
    scroll = scene.bestiary.scroll[scene.kind_of[get(state, "e_card", rows, body)]]
    program = scene.programs[scroll, orders.rule]
    sentence = scene.sentences[scroll, orders.rule]
    kills, has_attacked, has_wounded = np.zeros((3, len(rows)), bool)
    for step in range(scene.programs.shape[2]):
        code = np.where(slow & (sentence[:, step] > 0), -1, program[:, step])
        _walk(scene, state, rows, body, orders.victim, code)
        if not (scene.programs[:, :, step, None] == ATTACKS).any():
            continue
        hand, victim, can = _hand_and_victim(scene, state, rows, body, orders.victim, code, blind)
        for number in range(_repeats(scene)):
            if number:
                can = can & (number < _minis(scene, state, rows, body))
            attacks = can & ~state["h_ghost"][rows, victim]
            wounds, dead = enemy_attack(
                scene, state, rows[attacks], body[attacks], victim[attacks], hand[attacks], rolls, "enemy"
            )
            has_attacked[attacks], has_wounded[attacks], kills[attacks] = (
                True,
                has_wounded[attacks] | (wounds > 0),
                kills[attacks] | dead,
            )
    for power, extra_hand, due in _extra_attacks(scene, has_attacked, has_wounded):
        kills |= _attack_again(scene, state, rows, body, orders.victim, due, power, extra_hand, rolls)
    return kills


def _repeats(scene: Scene) -> int:
    """Return the attacks of an attack step: by rule option one for each body of the largest horde, else 1 (IS-Q18)."""
    return int(scene.bestiary.minis.max()) if scene.rules.horde_attacks == "each_mini" else 1


def _minis(scene: Scene, state: State, rows: IntArray, body: IntArray) -> IntArray:
    return np.asarray((state["e_card"][rows] == get(state, "e_card", rows, body)[:, None]).sum(axis=1))


def _walk(scene: Scene, state: State, rows: IntArray, body: IntArray, victim: IntArray, code: IntArray) -> None:
    """Move enemies whose step, `code` in STEPS, is a move, hordes as a whole: IS-AI.13 to IS-AI.15, IS-ENE.8."""
    moves = (code >= 0) & (AREAS[code] > 0)
    back = code == CODE["retreat"]
    goes = moves | back
    if not goes.any():
        return
    rows, body, back, code, victim = rows[goes], body[goes], back[goes], code[goes], victim[goes]
    start, card = get(state, "e_area", rows, body), get(state, "e_card", rows, body)
    walker = scene.bestiary.walker[scene.kind_of[card]]
    goal = scene.board.walk(walker, start, get(state, "h_area", rows, victim), AREAS[code])
    if back.any():
        goal = np.where(back, _retreat(scene, state, rows, body, walker, start), goal)
    with_it = (state["e_card"][rows] == card[:, None]) & (state["e_area"][rows] != goal[:, None])
    set_alight_on_way(scene, state, rows, with_it, walker, goal)
    state["e_from"][rows] = np.where(with_it, state["e_area"][rows], state["e_from"][rows])
    state["e_area"][rows] = np.where(with_it, goal[:, None], state["e_area"][rows])


def _retreat(scene: Scene, state: State, rows: IntArray, body: IntArray, walker: IntArray, start: IntArray) -> IntArray:
    """Return the area an enemy retreats to: where it came from, else away from the nearest hero (IS-AI.15)."""
    way = scene.board.points(FLYER, start[:, None], state["h_area"][rows]).astype(np.int16)
    nearest = np.where(state["h_ghost"][rows], NOBODY_NEAR, way).argmin(axis=1)
    occupied_bits = scene.board.bits(np.concatenate((state["h_area"][rows], state["e_area"][rows]), axis=1))
    foe, first = state["h_area"][rows, nearest], get(state, "e_from", rows, body)
    return scene.board.step_back(walker, start, foe, first, occupied_bits, farther=True)


def _hand_and_victim(
    scene: Scene, state: State, rows: IntArray, body: IntArray, victim: IntArray, code: IntArray, blind: BoolArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return hand, victim and possibility of an attack step, `[m]` each: range, sight, blindness and ghosts decide."""
    area = get(state, "e_area", rows, body)
    shot, off = code == CODE["shoot_2"], code == CODE["attack_off"]
    hand = (shot | off).astype(np.int64)
    hero_areas = state["h_area"][rows]
    if shot.any():
        way = scene.board.points(FLYER, area[:, None], hero_areas).astype(np.int16)
        visible = scene.board.sees(area[:, None], hero_areas) & targets(state)[rows] & (way <= SHOT_AREAS)
        nearest = np.where(visible, way, NOBODY_NEAR)
        victim = np.where(shot, nearest.argmin(axis=1), victim)
        shot &= nearest.min(axis=1) < NOBODY_NEAR
    can = (code == CODE["attack"]) | off | shot
    return hand, victim, can & ~blind & _reaches(scene, state, rows, body, victim, hand)


def _reaches(
    scene: Scene, state: State, rows: IntArray, body: IntArray, victim: IntArray, hand: IntArray | int
) -> BoolArray:
    """Return whether an enemy sees a hero and its weapon reaches him, `bool[m]` (IS-HIT.14)."""
    kind, area = scene.kind_of[get(state, "e_card", rows, body)], get(state, "e_area", rows, body)
    hero_area = get(state, "h_area", rows, victim)
    near = scene.board.points(FLYER, area, hero_area) <= scene.bestiary.reach[kind, hand]
    return np.asarray(near & scene.board.sees(area, hero_area) & ~state["h_ghost"][rows, victim])


def _extra_attacks(scene: Scene, has_attacked: BoolArray, has_wounded: BoolArray) -> list[tuple[int, int, BoolArray]]:
    """Return the powers that give another attack: number, hand, and where it is due, `bool[m]`."""
    return [(power, hand, has_attacked) for power, hand in scene.powers.again_on_attack] + [
        (power, hand, has_wounded) for power, hand in scene.powers.again_on_wounds
    ]


def _attack_again(
    scene: Scene, state: State, rows: IntArray, body: IntArray, victim: IntArray, due: BoolArray, power: int, hand: int,
    rolls: Rolls,
) -> BoolArray:  # fmt: skip
    """Attack once more where a power does so and it is due; return which enemies killed a hero, `bool[m]`."""
    attacks = due & alive(state)[rows, body] & has_power(scene, state, rows, body, power)
    attacks &= _reaches(scene, state, rows, body, victim, hand)
    use_charge(scene, state, rows[attacks], body[attacks], power)
    hands = np.full(int(attacks.sum()), hand)
    _, dead = enemy_attack(scene, state, rows[attacks], body[attacks], victim[attacks], hands, rolls, "enemy again")
    kills = np.zeros(len(rows), bool)
    kills[attacks] = dead
    return kills
