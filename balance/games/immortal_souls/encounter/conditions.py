"""What goes on by itself: powers that cool down, and fire on characters and on areas (IS-POW.5, IS-POW.6, IS-FIRE)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.pmf.arrays import IntArray

__all__ = ["Fire", "burnt", "caught", "turned"]


def turned(hourglasses: IntArray, steps: IntArray | int, most: int) -> IntArray:
    """Return the hourglasses of powers that are turned by so many steps, `int8`: IS-POW.5, IS-POW.6.

    Every Time Phase turns them one step forward, so that a power of n hourglasses is ready again n rounds later.

    Parameters
    ----------
    hourglasses
        How many each power shows; 0 for one that is ready, which nothing turns.
    steps
        Steps forward, or below 0 back.
    most
        The most hourglasses that a power can show.

    >>> turned(np.array([0, 1, 2, 4]), 1, 4).tolist(), turned(np.array([0, 1, 2, 4]), -1, 4).tolist()
    ([0, 0, 1, 3], [0, 2, 3, 4])
    """
    return np.where(hourglasses > 0, np.clip(hourglasses - steps, 0, most), 0).astype(np.int8)


class Fire(NamedTuple):
    """Fire tokens of characters or of areas, `int8[n, m]` each: of side I and of side II; they add up (IS-FIRE.1)."""

    one: IntArray
    two: IntArray


def burnt(fire: Fire) -> tuple[IntArray, Fire]:
    """Return how many tokens burn in a Time Phase, and what is left of them: IS-FIRE.2, IS-FIRE.3.

    Each costs a character a wound, and areas nothing; Fire II turns into Fire I, and Fire I goes.
    """
    return fire.one + fire.two, Fire(fire.two, np.zeros_like(fire.two))


def caught(fire: Fire, on_areas: Fire, entered: IntArray) -> Fire:
    """Return the fire of characters who moved into areas: IS-FIRE.3, the same tokens as lie there, at once.

    Parameters
    ----------
    fire, on_areas
        Tokens of characters, `int8[n, m]`, and of areas, `int8[n, areas]`.
    entered
        The area that each moved into, `int[n, m]`; the number of areas for none.
    """
    none = np.zeros((len(entered), 1), np.int8)
    there = (np.concatenate((tokens, none), axis=1) for tokens in on_areas)
    more = (np.take_along_axis(tokens, entered.astype(np.intp), axis=1) for tokens in there)
    return Fire(*((own + new).astype(np.int8) for own, new in zip(fire, more, strict=True)))
