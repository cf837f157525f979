"""A hand of dice of several colours: rolled, laid out die by die, and rolled again in part.

A hand that was rolled is a *pool*: how many of its dice show each face, `int16[n, faces]`. Faces are those of all its
colours, each once, in order; equal dice are not told apart, which is what makes the exact distribution small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from balance.core.process import BoolArray
from balance.core.rolls import Rolls
from balance.core.symbols import SymbolDie
from balance.pmf.arrays import IntArray

__all__ = ["ICONS", "Die", "Hand", "again", "laid_out", "thrown"]

ICONS = ("hit", "surge", "accuracy", "mortal_strike", "morale")
"""What faces show."""


@dataclass(frozen=True)
class Die:
    """A colour of dice; a face is what it shows, such as "hit+surge" or "blank"."""

    colour: str
    faces: tuple[str, ...]

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """Its faces, each once; the last is counted by what is left, so that eight others fit a `SymbolDie`."""
        names = dict.fromkeys(self.faces)
        return tuple(sorted(names, key=lambda name: name == "blank")) if "blank" in names else tuple(names)

    @cached_property
    def counted(self) -> SymbolDie | None:
        """The die as it is rolled; None if it shows the same on every face."""
        symbols = tuple((name, (name,)) for name in self.distinct[:-1])
        return SymbolDie(self.faces, symbols) if symbols else None

    @cached_property
    def icons(self) -> IntArray:
        """How often each distinct face shows each icon, `int16[faces, icons]`."""
        return np.array([[face.split("+").count(icon) for icon in ICONS] for face in self.distinct], np.int16)

    @cached_property
    def weights(self) -> IntArray:
        """On how many of its faces each distinct one stands."""
        return np.array([self.faces.count(face) for face in self.distinct])

    @property
    def mean(self) -> float:
        """Mean of hits and mortal strikes."""
        return float(self.weights @ _harms(self.icons)) / len(self.faces)


def _harms(icons: IntArray) -> IntArray:
    return np.asarray(icons[:, ICONS.index("hit")] + icons[:, ICONS.index("mortal_strike")])


@dataclass(frozen=True)
class Hand:
    """Dice rolled together: each colour with the most of it that are rolled."""

    dice: tuple[tuple[Die, int], ...]

    @property
    def n_dice(self) -> int:
        """The most dice that are rolled."""
        return sum(k for _, k in self.dice)

    @cached_property
    def spans(self) -> tuple[slice, ...]:
        """Where the faces of each colour stand in a pool."""
        ends = accumulate((len(die.distinct) for die, _ in self.dice), initial=0)
        return tuple(slice(*span) for span in pairwise(ends))

    @cached_property
    def icons(self) -> IntArray:
        """How often each face shows each icon, `int16[faces + 1, icons]`; no die, which comes last, shows none."""
        return np.concatenate([*(die.icons for die, _ in self.dice), np.zeros((1, len(ICONS)), np.int16)])

    @cached_property
    def harms(self) -> IntArray:
        """Hits and mortal strikes of each face, and 0 of no die."""
        return _harms(self.icons)

    @cached_property
    def idle(self) -> BoolArray:
        """Which faces show neither hit nor mortal strike; no die does not count."""
        return np.append(self.harms[:-1] == 0, False)

    @cached_property
    def worst_first(self) -> IntArray:
        """Place of each face in the order in which idle dice are rolled again one by one (RW-Q12).

        The colour that is worth most, then the fewest icons, surges, accuracies.
        """
        means = np.array([-die.mean for die, _ in self.dice for _ in die.distinct] + [0.0])
        surges, accuracies = (self.icons[:, ICONS.index(icon)] for icon in ("surge", "accuracy"))
        order = np.lexsort((accuracies, surges, self.icons.sum(axis=1), means, ~self.idle))
        return np.asarray(order.argsort())


def thrown(hand: Hand, numbers: IntArray, rolls: Rolls, name: str) -> IntArray:
    """Roll dice and return the pool, `int16[n, faces]`; `numbers` says how many of each colour, `int[n, colours]`."""
    pool = np.zeros((len(numbers), hand.spans[-1].stop if hand.dice else 0), np.int16)
    for (die, k), span, n_dice in zip(hand.dice, hand.spans, numbers.T, strict=True):
        shown = rolls.pool(die.counted, k, f"{name} {die.colour}", n_dice) if die.counted else {}
        for place, face in enumerate(shown, start=span.start):
            pool[:, place] = shown[face]
        pool[:, span.stop - 1] = n_dice - pool[:, span.start : span.stop - 1].sum(axis=1)
    return pool


def laid_out(hand: Hand, pool: IntArray) -> IntArray:
    """Return the dice of a pool one by one, by the number of their face, `int64[n, dice]`; the last is no die."""
    ends, place = pool.cumsum(axis=1), np.arange(hand.n_dice)
    return np.asarray((ends[:, None, :] <= place[None, :, None]).sum(axis=2))


def again(
    hand: Hand, pool: IntArray, dice: IntArray, chosen: npt.NDArray[np.bool_], rolls: Rolls, name: str
) -> IntArray:
    """Roll chosen dice again, `bool[n, dice]` of those laid out, and return the pool."""
    taken, trials = np.zeros((len(pool), pool.shape[1] + 1), np.int16), np.arange(len(pool))
    for face, is_taken in zip(dice.T, chosen.T, strict=True):
        taken[trials, face] += is_taken
    taken = taken[:, :-1]
    numbers = np.stack([taken[:, span].sum(axis=1) for span in hand.spans], axis=1)
    return np.asarray(pool - taken + thrown(hand, numbers, rolls, name), np.int16)
