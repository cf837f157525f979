"""What goes on by itself: powers that cool down, and fire on characters and on areas (IS-POW.5, IS-POW.6, IS-FIRE).

Fire on areas, `a_fire1` and `a_fire2`, is in the state only of encounters that lay some.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.rules.strike import FIRES


def turn_hourglasses(hourglasses: IntArray, steps: IntArray | int, max_hourglasses: int) -> IntArray:
    """Return the hourglasses of powers turned by so many steps, back if below 0, `int8`: IS-POW.5, IS-POW.6.

    Every Time Phase turns them one step forward, so that a power of n hourglasses is ready again n rounds later. A
    ready power shows 0, which nothing turns; `max_hourglasses` is the most that a power can show.

    >>> [turn_hourglasses(np.array([0, 1, 2, 4]), steps, 4).tolist() for steps in (1, -1)]
    [[0, 0, 1, 3], [0, 2, 3, 4]]
    """
    return np.where(hourglasses > 0, np.clip(hourglasses - steps, 0, max_hourglasses), 0).astype(np.int8)


def turn_powers(scene: Scene, state: State, steps: IntArray) -> None:
    """Turn all powers of heroes that cool down by so many steps, `int[n]` (IS-POW.5, IS-POW.6)."""
    max_hourglasses = scene.constants.powers.longest_cooldown
    state["cool"] = turn_hourglasses(state["cool"], steps[:, None, None], max_hourglasses).astype(np.int16)
    for name in ("h_mend", "h_call"):
        if name in state:
            state[name] = turn_hourglasses(state[name], steps[:, None], max_hourglasses).astype(np.int16)


class Fire(NamedTuple):
    """Fire tokens of characters or of areas, `int8[n, m]` each: of side I and of side II; they add up (IS-FIRE.1)."""

    side_1: IntArray
    side_2: IntArray


def burn(fire: Fire) -> tuple[IntArray, Fire]:
    """Return how many tokens burn in a Time Phase, and what is left of them: IS-FIRE.2, IS-FIRE.3.

    Each costs a character a wound, and areas nothing; Fire II turns into Fire I, and Fire I goes.
    """
    return fire.side_1 + fire.side_2, Fire(fire.side_2, np.zeros_like(fire.side_2))


def catch_fire(fire: Fire, on_areas: Fire, areas_entered: IntArray) -> Fire:
    """Return the fire of characters, `int8[n, m]`, after they take the tokens of areas entered at once: IS-FIRE.3.

    `on_areas` is `int8[n, areas]`; `areas_entered` is `int[n, m]`, the number of areas for none.
    """
    no_fire = np.zeros((len(areas_entered), 1), np.int8)
    fires_by_area = (np.concatenate((tokens, no_fire), axis=1) for tokens in on_areas)
    more = (np.take_along_axis(tokens, areas_entered.astype(np.intp), axis=1) for tokens in fires_by_area)
    return Fire(*((old + new).astype(np.int8) for old, new in zip(fire, more, strict=True)))


def _fire(state: State, side: str, like: IntArray) -> Fire:
    """Return the fire of heroes, "h", enemies, "e", or areas, "a"; zeros like `like` if nothing burns there."""
    return Fire(*(state.get(f"{side}_{name}", np.zeros_like(like)) for name in FIRES))


def _write_fire(state: State, side: str, fire: Fire) -> None:
    for name, tokens in zip(FIRES, fire, strict=True):
        if f"{side}_{name}" in state:
            state[f"{side}_{name}"] = tokens.astype(np.int16)


def burn_down(state: State, side: str, like: IntArray) -> IntArray:
    """Let the fire of heroes, "h", enemies, "e", or areas, "a", burn down; return the tokens burnt, like `like`."""
    tokens, remaining_fire = burn(_fire(state, side, like))
    _write_fire(state, side, remaining_fire)
    return tokens


def set_alight(state: State, side: str, rows: IntArray, areas_entered: IntArray) -> None:
    """Give characters of a side, "h" or "e", the fire of `areas_entered`, `int[m, characters]`: IS-FIRE.3.

    The area is `off_map` for who enters none. Who is pushed, placed or recalled does not move and catches no fire, just
    as deadly areas do not wound him.
    """
    if "a_fire1" in state:
        fire, areas = (Fire(*(state[f"{place}_{name}"][rows] for name in FIRES)) for place in (side, "a"))
        for name, tokens in zip(FIRES, catch_fire(fire, areas, areas_entered), strict=True):
            state[f"{side}_{name}"][rows] = tokens


def set_alight_on_way(
    scene: Scene, state: State, rows: IntArray, goes: BoolArray, walker: IntArray, goal: IntArray
) -> None:
    """Set bodies of enemies alight in each area of their way to a goal, `int[m]`, before they walk it.

    `goes` is which bodies walk, `bool[m, bodies]`, and `walker` ENEMY or FLYER, `int[m]`.
    """
    if "a_fire1" not in state:
        return
    area = state["e_area"][rows]
    end = np.where(goes, goal[:, None], area)
    while len(rows):
        ahead = scene.board.next_area(walker[:, None], area, end)
        if (ahead == area).all():
            return
        set_alight(state, "e", rows, np.where(ahead == area, scene.board.off_map, ahead))
        area = ahead
