"""What an attack or an Overload does: the rule of one attack, then blasts in waves (WF-ATT, WF-EFF.2, WF-ABIL.5).

Functions write into the state they are given. `rows` are the battles concerned; units are named by side and place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import KeyedRolls, Keys, below, key_of, words
from balance.chance.rolls.process import State, take_trials
from balance.games.warforged.attack import BURNT_OUT, UP, Shots, condition_after, roll_attack
from balance.games.warforged.battle.luck import source_of
from balance.games.warforged.battle.turns.position import burnt
from balance.games.warforged.battle.turns.terms import Battle
from balance.games.warforged.turn import MOST_EMP_TOKENS


@dataclass(frozen=True, eq=False)
class Wave:
    """What one moment of an action did by blasts in battles `rows`; the others are `[m, S, K]`, by side and place.

    `number` and `radius`: how many moments there were before, and how far each burst reaches. `centres`: who explodes,
    or the target around which a shot bursts. `losses`: damage that units take of blasts, with what they had no health
    for. `casualties`: who falls, by whatever. `saves`: by ability, "slim" or "shield": the face of who rolled against
    it, 0 of others, and whom that saved.
    """

    number: int
    radius: int
    rows: IntArray
    centres: BoolArray
    losses: IntArray
    casualties: BoolArray
    saves: dict[str, tuple[IntArray, BoolArray]]


@dataclass(frozen=True, eq=False)
class _Moment:
    """Battles, as `rows` of the state, in which an action of a side strikes at the same moment.

    `base` is what the luck of this moment starts from, `uint64[m]`, or by source, `uint64[m, s]`. `waves` takes down
    what blasts do.
    """

    battle: Battle
    side: int
    rows: IntArray
    base: Keys
    waves: list[Wave] = field(default_factory=list)

    def subset(self, battles: IntArray) -> _Moment:
        """Return the moment in some of its battles, with the same luck."""
        return _Moment(self.battle, self.side, self.rows[battles], self.base[battles], self.waves)

    def faces(self, name: str, cells: IntArray) -> IntArray:
        """Return what the special die of each unit, named by its cell `[m, S, K]`, shows."""
        relative = self.battle.ground.seats[self.side].relative[cells]
        base = key_of(self.base, source_of(self.side, name))[:, None, None]
        return below(words(base, name, relative), self.battle.terms.special_faces) + 1


def _begin_moment(battle: Battle, side: int, state: State, rows: IntArray) -> tuple[KeyedRolls, _Moment]:
    """Return the dice of a new moment, and the moment; each of a battle has luck of its own, counted by `events`."""
    rolls = KeyedRolls(state["luck"][rows], state["events"][rows], partial(source_of, side))
    state["events"][rows] += 1
    return rolls, _Moment(battle, side, rows, rolls.base)


def attack(
    battle: Battle, side: int, state: State, rows: IntArray, unit: IntArray, weapon: IntArray, target: IntArray
) -> tuple[State, list[Wave]]:
    """Make one attack in some battles, and return what the dice said, by column of `attack.COLUMNS`, and its blasts.

    `unit` and `target` are places in their armies, and `weapon` is its number, `int[m]` each.
    """
    foe, target = battle.enemy(side, state, target)
    rolls, moment = _begin_moment(battle, side, state, rows)
    shots, soft = _shots(battle, state, rows, (side, unit), weapon, (foe, target))
    up = state["shield"][rows, foe, target] == UP
    outcome = roll_attack(shots, up, soft, rolls)
    state["attacks"][rows, side] += 1
    if battle.table is not None:
        state["attacked"][rows, foe] += 1
    _condition(battle, state, rows, (foe, target), shots.armour, outcome)
    bursts = outcome["splash"] > 0
    remaining_health = state["health"][rows, foe, target] - outcome["damage"]
    blasts = bursts | ((remaining_health <= 0) & battle.overload[state["kind"][rows, foe, target]])
    if blasts.any():
        blasting = np.flatnonzero(blasts)
        enemy = _some(foe, blasting), target[blasting]
        _strike_and_blast(moment.subset(blasting), state, enemy, outcome["damage"][blasting], bursts[blasting])
        rows, foe, target = rows[~blasts], _some(foe, ~blasts), target[~blasts]
        remaining_health = remaining_health[~blasts]
    state["health"][rows, foe, target] = np.maximum(remaining_health, 0)
    falls = remaining_health <= 0
    state["cell"][rows[falls], _some(foe, falls), target[falls]] = OFF_BOARD
    return outcome, moment.waves


def _some(side: int | IntArray, rows: IntArray | BoolArray) -> int | IntArray:
    """Return the sides, of which there is one for all or one each, in some battles."""
    return side if isinstance(side, int) else side[rows]


def explode(battle: Battle, side: int, state: State, rows: IntArray, unit: IntArray) -> list[Wave]:
    """Have one unit in each of some battles, `int[m]`, destroy itself and explode (WF-ABIL.5); return the blasts."""
    (_, moment), cells = _begin_moment(battle, side, state, rows), state["cell"][rows]
    centres = np.zeros(cells.shape, bool)
    centres[np.arange(len(rows)), side, unit] = True
    state["health"][rows, side, unit], state["cell"][rows, side, unit] = 0, OFF_BOARD
    _waves(moment, state, centres, cells, 0)
    return moment.waves


def _shots(
    battle: Battle,
    state: State,
    rows: IntArray,
    attacker: tuple[int, IntArray],
    weapon: IntArray,
    target: tuple[int | IntArray, IntArray],
) -> tuple[Shots, IntArray]:
    """Return the shots of some battles, and the armour points that burns have left of the targets, `int16[m]`."""
    kind = state["kind"][rows, target[0], target[1]]
    cells = (state["cell"][rows, side, unit].astype(np.int64) + 1 for side, unit in (attacker, target))
    laser = battle.laser[weapon]
    armour = battle.armour[kind]
    shots = Shots(
        precision=battle.precision.take(weapon),
        damage=battle.damage.take(weapon),
        armour=armour,
        cover_dice=np.where(laser, 0, battle.cover_table[*cells]).astype(np.int16),
        slim=battle.slim[kind],
        shielded=battle.shield[kind],
        burns=laser,
        pierces=battle.piercing.take(weapon),
        splashes=battle.explosive.take(weapon),
        disables=battle.has_emp.take(weapon),
        readings=battle.terms.read,
    )
    lost_armour = burnt(state["burn"][rows, target[0], target[1]])
    return shots, np.maximum(armour - lost_armour, 0).astype(np.int16)


def _condition(
    battle: Battle,
    state: State,
    rows: IntArray,
    target: tuple[int | IntArray, IntArray],
    armour: IntArray,
    outcome: State,
) -> None:
    """Write what the attack leaves of the target's shield, burns and EMP tokens (WF-ABIL.4, WF-EFF.5, WF-EFF.4)."""
    foe, unit = target
    changes = (outcome["shield_lost"] > 0) | (outcome["burn"] > 0)
    if battle.muster.burns:
        changes |= state["burn"][rows, foe, unit].any(axis=1)
    if len(some := np.flatnonzero(changes)):
        at = rows[some], _some(foe, some), unit[some]
        burns = state["burn"][at]
        names = [f"burn_{n}" for n in range(1, burns.shape[1] + 1)]
        before = {"shield": state["shield"][at], **dict(zip(names, burns.T, strict=True))}
        after = condition_after(
            before, take_trials(outcome, some), armour[some], caps_burn=battle.terms.read.burn_capped
        )
        state["shield"][at] = after["shield"]
        if names:
            state["burn"][at] = np.stack([after[name] for name in names], axis=1)
    if len(some := np.flatnonzero(outcome["emp"])):
        at = rows[some], _some(foe, some), unit[some]
        old_tokens, new_tokens = state["emp"][at], outcome["emp"][some] * battle.terms.emp_turns
        token_sum = old_tokens + new_tokens if battle.terms.emp_adds_up else np.maximum(old_tokens, new_tokens)
        state["emp"][at] = np.minimum(token_sum, MOST_EMP_TOKENS)


def _strike_and_blast(
    moment: _Moment, state: State, enemy: tuple[int | IntArray, IntArray], damage: IntArray, bursts: BoolArray
) -> None:
    """Have attacks hurt their targets, burst around them where they do, and let explode what fell (WF-EFF.2)."""
    battle, (foe, target), battles = moment.battle, enemy, np.arange(len(moment.rows))
    cells = state["cell"][moment.rows]
    direct, centres = np.zeros(cells.shape, np.int64), np.zeros(cells.shape, bool)
    direct[battles, foe, target], centres[battles, foe, target] = damage, bursts
    near = battle.ground.near(battle.terms.splash_radius)
    in_reach = near[cells[battles, foe, target][:, None, None] + 1, cells + 1] & bursts[:, None, None]
    in_reach[battles, foe, target] = False
    splash = in_reach * battle.terms.read.splash_damage
    enemies, friends = np.zeros_like(splash), np.zeros_like(splash)
    hostile = battle.hostile(state)[moment.side]
    foe = 1 - moment.side if battle.table is None else np.flatnonzero(hostile)
    enemies[:, foe] = splash[:, foe]
    friends[:, moment.side] = splash[:, moment.side] * battle.terms.friendly_fire
    if battle.table is not None:
        friends[:, ~hostile] = splash[:, ~hostile] * battle.terms.friendly_fire
    exploding = _take_damage(moment, state, (0, battle.terms.splash_radius, centres), direct, enemies, friends)
    _waves(moment, state, exploding, cells, 1)


def _waves(moment: _Moment, state: State, centres: BoolArray, cells: IntArray, wave: int) -> None:
    """Let units explode, those of one wave at the same time, and then those that fell in it and explode.

    `centres` are those of the first wave, `bool[m, S, K]`; `cells` say where everybody stood when it began.
    """
    battle, radius = moment.battle, moment.battle.terms.overload_radius
    near = battle.ground.near(radius)
    while len(battles := np.flatnonzero(centres.any(axis=(1, 2)))):
        moment, cells, centres = moment.subset(battles), cells[battles], centres[battles]
        (m, s, k), flat = cells.shape, cells.reshape(len(cells), -1) + 1
        in_reach = near[flat[:, :, None], flat[:, None, :]] & centres.reshape(m, -1)[:, :, None]
        by_side = in_reach.reshape(m, s, k, s, k).sum(axis=2)  # blasts of each side that reach each unit
        is_hostile = battle.hostile(state)[:, :, None]
        enemies = (by_side * is_hostile).sum(axis=1) * battle.terms.overload
        friends = (by_side * ~is_hostile).sum(axis=1) * (battle.terms.overload * battle.terms.friendly_fire)
        centres = _take_damage(moment, state, (wave, radius, centres), np.zeros_like(enemies), enemies, friends)
        wave += 1


def _take_damage(
    moment: _Moment,
    state: State,
    wave: tuple[int, int, BoolArray],
    direct: IntArray,
    enemies: IntArray,
    friends: IntArray,
) -> BoolArray:
    """Take damage of weapons and of blasts of enemies and friends, `int[m, S, K]` each; return who explodes then.

    `wave` is the number, the radius and the centres of the blasts, as of `Wave`.
    """
    battle, rows = moment.battle, moment.rows
    cells, health = state["cell"][rows], state["health"][rows]
    hit, saves = _unsaved(moment, state, wave[0], (enemies + friends > 0) & (cells >= 0))
    losses = (enemies + friends) * hit
    remaining_health = np.maximum(health - direct - losses, 0) * (cells >= 0) + health * (cells < 0)
    falls = (cells >= 0) & (remaining_health == 0)
    moment.waves.append(Wave(*wave[:2], rows, wave[2], losses, falls, saves))
    state["health"][rows] = remaining_health
    state["cell"][rows] = np.where(falls, np.int16(OFF_BOARD), cells)
    sets_off = {
        "none": (direct >= health) & (direct > 0),
        "hostile": (direct > 0) | (hit & (enemies > 0)),
        "any": falls,
    }[battle.terms.overload_chain]
    return np.asarray(falls & sets_off & battle.overload[state["kind"][rows]])


def _unsaved(
    moment: _Moment, state: State, wave: int, hit: BoolArray
) -> tuple[BoolArray, dict[str, tuple[IntArray, BoolArray]]]:
    """Return whom a blast still hits after Slim (WF-Q4) and Supershields (WF-Q15), and their saves as of `Wave`."""
    battle, terms, rows = moment.battle, moment.battle.terms, moment.rows
    kinds, cells = state["kind"][rows], state["cell"][rows]
    saves = dict[str, tuple[IntArray, BoolArray]]()
    if terms.slim_dodges and (slim := hit & battle.slim[kinds]).any():
        faces = moment.faces(f"blast {wave} slim", cells) * slim
        saves["slim"] = faces, np.isin(faces, terms.dodge_faces)
        hit = hit & ~saves["slim"][1]
    if terms.shield_stops and (absorbs := hit & (state["shield"][rows] == UP)).any():
        faces = moment.faces(f"blast {wave} shield", cells) * absorbs
        saves["shield"] = faces, np.isin(faces, terms.keep_faces)
        loses_shield = absorbs & ~saves["shield"][1]
        state["shield"][rows] = np.where(loses_shield, np.int8(BURNT_OUT), state["shield"][rows])
        hit = hit & ~absorbs
    return hit, saves
