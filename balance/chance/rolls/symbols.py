"""Dice whose faces carry symbols, and what a pool of them shows.

A game prints symbols on its dice, and a rule asks how many dice show each *symbol*: a hit, a flag. Which faces count
for a symbol may differ from one attack to the next, so a `SymbolDie` is made for each. Faces that count for the same
symbols are one class, and a pool of k dice has as many outcomes as there are ways to share k dice among the classes:
that is what the exact engine lists, instead of faces**k.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.base.errors import RollsError, UsageError, suggestion
from balance.chance.pmf import Pmf
from balance.chance.pmf import pool as pool_distribution
from balance.chance.pmf.arrays import WeightArray

_MAX_SYMBOLS = 2**8 - 1


@dataclass(frozen=True)
class SymbolDie:
    """A die with named faces, and the symbols they count for.

    `faces`: names of the faces, in order; face number i of `Rolls.d` is `faces[i - 1]`. A name may stand on several
    faces. `symbols`: pairs (symbol, names of the faces that show it), at most 8; a name given twice counts twice.

    >>> die = SymbolDie(("skull", "shield", "blank"), (("hits", ("skull",)),))
    >>> die.distribution(2).to_dict()
    {'hits': [0, 1, 2], 'weight': [4, 4, 1]}
    """

    faces: tuple[str, ...]
    symbols: tuple[tuple[str, tuple[str, ...]], ...]

    def __post_init__(self) -> None:
        """Raise UsageError for symbols on faces that the die lacks, and unless there are 1 to 8 symbols."""
        for symbol, names in self.symbols:
            for name in names:
                if name not in self.faces:
                    tip = suggestion(name, self.faces, f"faces are {', '.join(self.faces)}")
                    raise UsageError(f"{symbol!r} counts a face {name!r} that the die does not have", tip)
        if not 1 <= len(self.symbols) <= 8:
            raise UsageError(f"a die counts 1 to 8 symbols, found {len(self.symbols)}")

    @cached_property
    def symbol_counts(self) -> npt.NDArray[np.int64]:
        """The number of times each face shows each symbol, `int64[faces, symbols]`."""
        return np.array([[names.count(face) for _, names in self.symbols] for face in self.faces])

    @cached_property
    def _packed_counts(self) -> npt.NDArray[np.uint64]:
        """Symbols of each face packed in a byte each, `uint64[faces + 1]`; entry 0 is a missing die."""
        counts = np.zeros((len(self.faces) + 1, 8), np.uint8)
        counts[1:, : len(self.symbols)] = self.symbol_counts
        return counts.view("<u8")[:, 0]

    def number(self, face: str | int) -> int:
        """Return the number of a face given by name, from 1, a number as it is; raise `RollsError` for no face."""
        if isinstance(face, int):
            return face
        if face not in self.faces:
            raise RollsError(f"the die has no face {face!r}", f"faces are {', '.join(self.faces)}")
        return self.faces.index(face) + 1

    def count(self, dice: IntArray) -> dict[str, IntArray]:
        """Return how often each symbol shows on dice `int[n, k]` (face numbers from 1), by symbol, `int16[n]`."""
        if dice.shape[1] * int(self.symbol_counts.max()) > _MAX_SYMBOLS:
            raise UsageError(f"a pool shows a symbol at most {_MAX_SYMBOLS} times")
        counts = self._packed_counts.take(dice.T).sum(axis=0, dtype="<u8").view(np.uint8).reshape(-1, 8)
        return {symbol: counts[:, place].astype(np.int16) for place, (symbol, _) in enumerate(self.symbols)}

    def distribution(self, k: int) -> Pmf:
        """Return the exact joint distribution of the symbols on k dice; weights sum to faces**k.

        >>> SymbolDie(("hit", "miss"), (("hits", ("hit",)),)).distribution(3).total
        8
        """
        return _distribution(self, k)

    def column_up_to(self, k: int, symbol: str | None, kind: type) -> tuple[IntArray, WeightArray]:
        """Return one column of the distributions of 0 to k dice, concatenated, after the start of each.

        Without a symbol it is that of the weights; `kind` is its integer type, such as `np.int16`.

        >>> die = SymbolDie(("hit", "miss"), (("hits", ("hit",)),))
        >>> [part.tolist() for part in die.column_up_to(2, "hits", int)]
        [[0, 1, 3], [0, 0, 1, 0, 1, 2]]
        """
        return _column_up_to(self, k, symbol, kind)


def forget() -> None:
    """Empty the cache of distributions, for tests and benchmarks."""
    _distribution.cache_clear()
    _column_up_to.cache_clear()


@lru_cache(maxsize=1024)
def _distribution(die: SymbolDie, k: int) -> Pmf:
    face_pmf = Pmf.from_rows(tuple(symbol for symbol, _ in die.symbols), die.symbol_counts, [1] * len(die.faces))
    return pool_distribution(face_pmf, k)


@lru_cache(maxsize=1024)
def _column_up_to(die: SymbolDie, k: int, symbol: str | None, kind: type) -> tuple[IntArray, WeightArray]:
    distributions = [_distribution(die, n) for n in range(k + 1)]
    columns: list[WeightArray] = [
        (distribution.weights if symbol is None else distribution[symbol]).astype(kind)
        for distribution in distributions
    ]
    starts_and_values = np.cumsum([0, *map(len, columns[:-1])]), np.concatenate(columns)
    for part in starts_and_values:
        part.flags.writeable = False  # they are shared
    return starts_and_values
