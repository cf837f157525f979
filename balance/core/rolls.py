"""Chance as the rules see it: named dice for a batch of n trials, whoever rolls them.

A rule asks for dice by name and never knows whether they are random (`RandomRolls`), written down in a rulebook's
example (`FixedRolls`), or all of them at once with their weights (`balance.core.enumeration`). Four things can be
asked:

* `d(faces, k, name)`: k dice each, the faces shown, `int[n, k]`;
* `count(faces, k, success, name, n_dice)`: how many of the first `n_dice` (at most k) dice show a face in `success`,
  `int[n]`;
* `pool(die, k, name)`: how often k dice with symbols on them show each symbol, as columns `{symbol: int[n]}`;
* `draw(laws, which, name)`: one outcome of the law `which`, as columns `{name: int[n]}`.

What a rule asks for may depend on its cards, never on the state of a trial: then every batch asks for the same shape, a
paired run stays paired, and all combinations can be listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from balance.core.laws import LawStack, Table
from balance.core.streams import stream
from balance.core.symbols import SymbolDie
from balance.errors import RollsError
from balance.pmf.arrays import IntArray

__all__ = ["FixedRolls", "RandomRolls", "Rolls", "success_faces"]

Success = Sequence[int] | npt.NDArray[np.bool_]


class Rolls(Protocol):
    """Dice for a batch of n trials; see the module's text for what each request means."""

    n: int

    def d(self, faces: int, k: int, name: str) -> IntArray:
        """Return k dice with faces 1 to `faces` for each trial, `int[n, k]`."""
        ...

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        """Return how many of each trial's first `n_dice` dice (default k) show a face in `success`, `int[n]`."""
        ...

    def pool(self, die: SymbolDie, k: int, name: str) -> dict[str, IntArray]:
        """Return how often each symbol shows on k dice, by symbol, `int[n]`."""
        ...

    def draw(self, laws: LawStack, which: IntArray | int, name: str) -> dict[str, IntArray]:
        """Return one outcome of law `which` (int, or int[n]) for each trial, by column."""
        ...


def success_faces(faces: int, success: Success) -> npt.NDArray[np.bool_]:
    """Return which faces succeed as `bool[faces]`, or `bool[n, faces]` as given.

    >>> success_faces(6, [3, 4, 5]).tolist()
    [False, False, True, True, True, False]
    """
    if isinstance(success, np.ndarray) and success.dtype == bool:
        return success
    flags = np.zeros(faces, bool)
    flags[np.asarray(success, dtype=np.int64) - 1] = True
    return flags


def count_successes(dice: IntArray, faces: int, success: Success, n_dice: IntArray | int | None) -> IntArray:
    """Return how many of the first `n_dice` dice in each row of `dice` [n, k] show a face in `success`."""
    flags = success_faces(faces, success)
    if flags.ndim == 1:
        shown = np.zeros_like(dice, dtype=bool)
        for face in np.flatnonzero(flags) + 1:  # comparing is ten times faster than indexing
            shown |= dice == face
    else:
        shown = np.take_along_axis(flags, dice.astype(np.int64) - 1, axis=1)
    if n_dice is None:
        return np.asarray(shown.sum(axis=1, dtype=np.int16))
    counts = np.zeros(len(dice), np.int16)
    for place in range(dice.shape[1]):
        counts += shown[:, place] & (n_dice > np.int64(place))
    return counts


class RandomRolls:
    """Random dice for the trials of one block: a stream of its own for every name.

    Parameters
    ----------
    seed, key, block
        What the streams are made of; see `balance.core.streams`.
    n
        Trials in the block.
    paired
        Keep two runs with different rules on the same dice: draw for the whole block each time and take the rows that
        are still alive. Otherwise draw for the rows alive only, which is faster.

    >>> rolls = RandomRolls(0, "demo", block=0, n=4)
    >>> rolls.d(6, 2, "armour").shape
    (4, 2)
    """

    def __init__(self, seed: int, key: str, block: int, n: int, *, paired: bool = False) -> None:
        self.n = n
        self._origin = (seed, key, block)
        self._streams: dict[str, np.random.Generator] = {}
        self._block_n = n
        self._alive: IntArray | None = None
        self._paired = paired

    def child(self, name: str, n: int) -> RandomRolls:
        """Return rolls for `n` trials of the same block on streams of their own."""
        seed, key, block = self._origin
        return RandomRolls(seed, f"{key}/{name}", block, n, paired=self._paired)

    def paired(self, name: str) -> RandomRolls:
        """Return paired rolls for the same trials; called twice with one name, they are the same dice."""
        seed, key, block = self._origin
        return RandomRolls(seed, f"{key}/{name}", block, self.n, paired=True)

    def keep(self, rows: IntArray) -> None:
        """Go on with these rows only (positions among the rows alive now)."""
        if self._paired:
            self._alive = rows if self._alive is None else self._alive[rows]
        self.n = len(rows)

    def _stream(self, name: str) -> np.random.Generator:
        if name not in self._streams:
            self._streams[name] = stream(*self._origin, name)
        return self._streams[name]

    def _n_drawn(self) -> int:
        return self._block_n if self._paired else self.n

    def _take(self, drawn: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return drawn if self._alive is None else drawn[self._alive]

    def d(self, faces: int, k: int, name: str) -> IntArray:
        """Return k dice with faces 1 to `faces` for each trial, `int16[n, k]`."""
        dice = self._stream(name).integers(1, faces + 1, size=(k, self._n_drawn()), dtype=np.int16)
        return self._take(dice.T)

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        """Return how many of each trial's first `n_dice` dice show a face in `success`, `int16[n]`."""
        return count_successes(self.d(faces, k, name), faces, success, n_dice)

    def pool(self, die: SymbolDie, k: int, name: str) -> dict[str, IntArray]:
        """Return how often each symbol shows on k dice, by symbol, `int16[n]`; every die is rolled."""
        return die.count(self.d(len(die.faces), k, name))

    def draw(self, laws: LawStack, which: IntArray | int, name: str) -> dict[str, IntArray]:
        """Return one outcome of law `which` for each trial, by column, from 16 random bits each."""
        if len(laws.columns) == 1:
            return {laws.columns[0]: self._draw_from(laws.value_table, which, name)}
        return dict(laws.columns_of(self.draw_index(laws, which, name)))

    def draw_index(self, laws: LawStack, which: IntArray | int, name: str) -> IntArray:
        """Return the place of one outcome in `laws.outcomes` for each trial, `uint8[n]` or `uint16[n]`."""
        return self._draw_from(laws.table, which, name)

    def _draw_from(self, table: Table, which: IntArray | int, name: str) -> IntArray:
        cells = table.look_up(which, self._take(self._bits(name, self._n_drawn())))
        pending = np.flatnonzero(cells == table.spare) if table.n_spare.any() else ()
        while len(pending):
            table = table.again
            chosen = which if isinstance(which, int) else which[pending]
            cells[pending] = table.look_up(chosen, self._bits(f"{name} again", len(pending)))
            pending = pending[cells[pending] == table.spare]
        return cells

    def count_draws(self, laws: LawStack, which: int, name: str) -> IntArray:
        """Return how many trials draw each of `laws.outcomes`, `int64[M]`: the draws of `draw_index`, only counted."""
        table, bits = laws.table, self._take(self._bits(name, self._n_drawn()))
        counts = table.count(which, bits)
        drawn = counts[:-1]
        while n_pending := int(counts[-1]):
            table = table.again
            counts = table.count(which, self._bits(f"{name} again", n_pending))
            drawn = drawn + counts[:-1]
        return drawn

    def _bits(self, name: str, n: int) -> npt.NDArray[np.uint16]:
        words = self._stream(name).integers(0, 2**64, size=-(-n // 4), dtype=np.uint64)
        return words.view(np.uint16)[:n]


class FixedRolls:
    """The dice of a written example, by name, for one trial.

    Parameters
    ----------
    dice
        Faces by name, used in order as they are asked for; dice with symbols may give the names of their faces.
    fill
        The face that dice not given show, or their highest if they have fewer. `play_fixed` tries many, and accepts a
        result only if the dice that were not given do not matter.

    >>> FixedRolls({"armour": [3, 6]}).count(6, 2, [3, 4, 5], "armour").tolist()
    [1]
    """

    n = 1

    def __init__(self, dice: Mapping[str, Sequence[int | str]], fill: int = 1) -> None:
        self._left = {name: list(values) for name, values in dice.items()}
        self._fill = fill

    def d(self, faces: int, k: int, name: str) -> IntArray:
        """Return the next k dice of this name, `int16[1, k]`."""
        given = self._left.get(name, [])
        shown, self._left[name] = given[:k], given[k:]
        for face in shown:
            if not isinstance(face, int) or not 1 <= face <= faces:
                raise RollsError(f"a die named {name!r} with faces 1 to {faces} cannot show {face!r}")
        return np.array([shown + [min(faces, self._fill)] * (k - len(shown))], np.int16).reshape(1, k)

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        """Return how many of the next dice of this name show a face in `success`; takes `n_dice` dice, no more."""
        used = k if n_dice is None else min(k, int(np.max(n_dice)))
        return count_successes(self.d(faces, used, name), faces, success, n_dice)

    def pool(self, die: SymbolDie, k: int, name: str) -> dict[str, IntArray]:
        """Return how often each symbol shows on the next k dice of this name."""
        self._left[name] = [die.number(face) for face in self._left.get(name, [])]
        return die.count(self.d(len(die.faces), k, name))

    def draw(self, laws: LawStack, which: IntArray | int, name: str) -> dict[str, IntArray]:
        """Refuse: an example gives dice, not finished outcomes."""
        raise RollsError("fixed dice cannot draw from a compiled law; play the literal rules")

    def keep(self, rows: IntArray) -> None:
        """Go on with the one row there is."""

    def check_used(self) -> None:
        """Raise RollsError if some of the given dice were never asked for."""
        if left := {name: dice for name, dice in self._left.items() if dice}:
            raise RollsError(f"dice given but never rolled: {left}")
