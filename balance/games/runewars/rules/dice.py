"""A hand of dice of several colours: rolled, laid out die by die, and rolled again in part.

A hand that was rolled is a *pool*: how many of its dice show each face, `int16[n, faces]`. Faces are those of all its
colours, each once, in order; equal dice are not told apart, which is what makes the exact distribution small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from balance.base.arrays import BoolArray, IntArray
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
        """Its faces, each once, with "blank" last; the last is counted by what is left, so that 9 fit a `SymbolDie`."""
        names = dict.fromkeys(self.faces)
        return tuple(sorted(names, key=lambda name: name == "blank")) if "blank" in names else tuple(names)

    @cached_property
    def symbol_die(self) -> SymbolDie | None:
        """The die with a symbol for each distinct face but the last; None if all faces are the same."""
        symbols = tuple((name, (name,)) for name in self.distinct[:-1])
        return SymbolDie(self.faces, symbols) if symbols else None

    @cached_property
    def icons(self) -> IntArray:
        """How often each distinct face shows each icon, `int16[faces, icons]`."""
        return np.array([[face.split("+").count(icon) for icon in ICONS] for face in self.distinct], np.int16)

    @cached_property
    def weights(self) -> IntArray:
        """How often each distinct face occurs, `int[faces]`."""
        return np.array([self.faces.count(face) for face in self.distinct])

    @property
    def mean(self) -> float:
        """Expected number of hits and mortal strikes."""
        return float(self.weights @ _harms(self.icons)) / len(self.faces)


def _harms(icons: IntArray) -> IntArray:
    return np.asarray(icons[:, ICONS.index("hit")] + icons[:, ICONS.index("mortal_strike")])


@dataclass(frozen=True)
class Hand:
    """Dice rolled together: each colour, and the most dice of it that can be rolled."""

    dice: tuple[tuple[Die, int], ...]

    @property
    def n_dice(self) -> int:
        """The most dice that can be rolled, of all colours."""
        return sum(k for _, k in self.dice)

    @cached_property
    def spans(self) -> tuple[slice, ...]:
        """The slice of a pool that holds the faces of each colour."""
        ends = accumulate((len(die.distinct) for die, _ in self.dice), initial=0)
        return tuple(slice(*span) for span in pairwise(ends))

    @cached_property
    def colour_of(self) -> IntArray:
        """Indicator of the colour of each face, `int16[faces, colours]`."""
        n_faces = self.spans[-1].stop if self.dice else 0
        of = [[span.start <= face < span.stop for span in self.spans] for face in range(n_faces)]
        return np.array(of, np.int16).reshape(n_faces, len(self.dice))

    @cached_property
    def icons(self) -> IntArray:
        """Icons on each face, `int16[faces + 1, icons]`; the last row, no die, is 0."""
        return np.concatenate([*(die.icons for die, _ in self.dice), np.zeros((1, len(ICONS)), np.int16)])

    @cached_property
    def harms(self) -> IntArray:
        """Hits and mortal strikes of each face, `int16[faces + 1]`; 0 for no die."""
        return _harms(self.icons)

    @cached_property
    def idle(self) -> BoolArray:
        """Which faces show neither hit nor mortal strike, `bool[faces + 1]`; no die is not idle."""
        return np.append(self.harms[:-1] == 0, False)

    @cached_property
    def worst_first(self) -> IntArray:
        """Rank of each face in the order in which idle dice are rolled again one by one (RW-Q12).

        Dice of the colour with the highest mean come first, then those with the fewest icons, surges, accuracies.
        """
        means = np.array([-die.mean for die, _ in self.dice for _ in die.distinct] + [0.0])
        surges, accuracies = (self.icons[:, ICONS.index(icon)] for icon in ("surge", "accuracy"))
        order = np.lexsort((accuracies, surges, self.icons.sum(axis=1), means, ~self.idle))
        return np.asarray(order.argsort())


def roll_missing(
    hand: Hand, pool: IntArray, numbers: IntArray, rolls: Rolls, again: str, *, is_first: bool
) -> IntArray:
    """Roll the dice that a pool lacks and return it with them, `int16[n, faces]`.

    A full pool has `numbers` dice, `int[n, colours]`. Names of the requests end with `again`, "" for the first roll, in
    which all dice are missing (`is_first`).
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
    """Return the dice of a pool, `int16[n, faces]`, by number of face, `int64[n, dice]`; the last face is no die."""
    ends, place = pool.cumsum(axis=1), np.arange(hand.n_dice)
    return np.asarray((ends[:, None, :] <= place[None, :, None]).view(np.int8) @ np.ones(pool.shape[1], np.int8))


def without(pool: IntArray, dice: IntArray, mask: BoolArray) -> IntArray:
    """Return a pool, `int16[n, faces]`, less the dice, `int64[n, dice]`, that the mask names, `bool[n, dice]`."""
    n_removed, trials = np.zeros((len(pool), pool.shape[1] + 1), np.int16), np.arange(len(pool))
    for face, is_taken in zip(dice.T, mask.T, strict=True):
        n_removed[trials, face] += is_taken
    return np.asarray(pool - n_removed[:, :-1])
