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

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.games.runewars.cells import ICONS


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
    def symbol_die(self) -> SymbolDie | None:
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
    """Dice rolled together: each colour, and the most dice of it that can be rolled."""

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
    def colour_of(self) -> IntArray:
        """Which colour each face is of, as ones in `int16[faces, colours]`."""
        n_faces = self.spans[-1].stop if self.dice else 0
        of = [[span.start <= face < span.stop for span in self.spans] for face in range(n_faces)]
        return np.array(of, np.int16).reshape(n_faces, len(self.dice))

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


def roll_missing(
    hand: Hand, pool: IntArray, numbers: IntArray, rolls: Rolls, again: str, *, is_first: bool
) -> IntArray:
    """Roll the dice that a pool lacks and return it with them, `int16[n, faces]`.

    Parameters
    ----------
    numbers
        How many dice of each colour it has when none is missing, `int[n, colours]`.
    again
        What the names of its dice end with, such as " again 1"; "" if they are rolled for the first time.
    is_first
        Whether all dice of the hand are missing in every trial.
    """
    missing, fresh = numbers - pool @ hand.colour_of, np.zeros_like(pool)
    for (die, k), span, n_dice in zip(hand.dice, hand.spans, missing.T, strict=True):
        n_rolls = None if is_first else n_dice
        counts = rolls.pool(die.symbol_die, k, f"attack {die.colour}{again}", n_rolls) if die.symbol_die else {}
        for place, face in enumerate(counts, start=span.start):
            fresh[:, place] = counts[face]
    fresh[:, [span.stop - 1 for span in hand.spans]] = missing - fresh @ hand.colour_of
    return np.asarray(pool + fresh, np.int16)


def laid_out(hand: Hand, pool: IntArray) -> IntArray:
    """Return the dice of a pool one by one, by the number of their face, `int64[n, dice]`; the last is no die.

    Parameters
    ----------
    hand
        The dice that a pool may hold.
    pool
        How many dice show each face, `int16[n, faces]`.
    """
    ends, place = pool.cumsum(axis=1), np.arange(hand.n_dice)
    return np.asarray((ends[:, None, :] <= place[None, :, None]).view(np.int8) @ np.ones(pool.shape[1], np.int8))


def without(pool: IntArray, dice: IntArray, mask: npt.NDArray[np.bool_]) -> IntArray:
    """Return a pool without chosen dice, `bool[n, dice]` of those laid out.

    Parameters
    ----------
    pool
        How many dice show each face, `int16[n, faces]`.
    dice
        The dice one by one, as `laid_out` returns them, `int64[n, dice]`.
    mask
        Which of them are taken away, `bool[n, dice]`.
    """
    n_removed, trials = np.zeros((len(pool), pool.shape[1] + 1), np.int16), np.arange(len(pool))
    for face, is_taken in zip(dice.T, mask.T, strict=True):
        n_removed[trials, face] += is_taken
    return np.asarray(pool - n_removed[:, :-1])
