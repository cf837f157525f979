"""Counter-based random numbers from a key of each trial: its luck does not depend on the rest of the batch.

`RandomRolls` draws for a batch at a time, which is right where every trial asks for the same. In a battle each trial
asks when its players come to it; so a die's face follows from the trial's key, from a count that the game keeps (how
many attacks there were before), from the die's name and from its place among dice of that name. Trials may then be
batched, copied and played on in any way. The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014), twice. A face's chance is off by less than 2**-32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.base.errors import RollsError
from balance.chance.rolls.dice import Count, Dice, Pool, Successes
from balance.chance.rolls.requests import Answer, Request, Source, Uniform, Weighting, WrittenExample
from balance.chance.rolls.rolls import Rolls

Keys: TypeAlias = npt.NDArray[np.uint64]
"""`uint64[n]`; or where sources of luck are told apart, one for each, `uint64[n, s]`."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(x: Keys) -> Keys:
    """Return the hash of each word, `uint64`, by the finaliser of SplitMix64.

    >>> hex(int(mixed(np.array([1], np.uint64))[0]))
    '0x5692161d100b05e5'
    """
    return _mix(np.array(x, np.uint64))


_A, _B, _C = np.uint64(30), np.uint64(27), np.uint64(31)
_M, _N = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _mix(x: Keys) -> Keys:
    """Apply the finaliser of SplitMix64 in place, and return the words."""
    x ^= x >> _A
    x *= _M
    x ^= x >> _B
    x *= _N
    x ^= x >> _C
    return x


@lru_cache(maxsize=4096)
def salt_of(name: str) -> np.uint64:
    """Return the first 64 bits of the SHA-256 digest of a name."""
    return np.uint64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"))


def key_of(keys: Keys, source: int) -> Keys:
    """Return the keys of one source of luck, `uint64[n]`, from those of all sources, `uint64[n, s]`.

    Keys that serve all sources, `uint64[n]`, are returned as they are.

    >>> key_of(np.array([7], np.uint64), 1).tolist(), key_of(np.array([[7, 8]], np.uint64), 1).tolist()
    ([7], [8])
    """
    return keys if keys.ndim == 1 else keys[:, source]


def base_words(keys: Keys, counts: IntArray) -> Keys:
    """Return the hash of each key and its count (`int[n]`, earlier moments of the trial), in the shape of `keys`."""
    base: Keys = (counts if keys.ndim == 1 else counts[:, None]).astype(np.uint64)
    base += np.uint64(1)
    base *= GOLDEN
    return _mix(base + keys)


def words(base: Keys, name: str, places: IntArray | int = 0) -> Keys:
    """Return the random words of a named request, `uint64`; `base` (of `base_words`) and `places` broadcast.

    `places` number the words within the request.
    """
    return _mix(base + (_offset(name, places) if isinstance(places, int) else _offsets(name, places)))


@lru_cache(maxsize=4096)
def _offset(name: str, place: int) -> Keys:
    """Return the offset of one place of a name, cached."""
    return _offsets(name, place)


@lru_cache(maxsize=4096)
def _all_offsets(name: str, k: int) -> Keys:
    """Return the offsets of places 0 to k - 1 of a name, cached."""
    return _offsets(name, np.arange(k))


def _offsets(name: str, places: IntArray | int) -> Keys:
    """Return the offset of each place of a name, `uint64`; `[1]` for a scalar, whose overflow numpy would report."""
    return np.asarray(np.atleast_1d(np.asarray(places)).astype(np.uint64) * GOLDEN + np.array([salt_of(name)]))


def below(word: Keys, m: IntArray | int) -> IntArray:
    """Return numbers from 0 to m - 1, `int64`, from the upper halves of random words; m broadcasts with them.

    >>> below(np.array([2**63], np.uint64), 10).tolist()
    [5]
    """
    product = word >> np.uint64(32)
    product = product * (np.uint64(m) if isinstance(m, int) else np.asarray(m).astype(np.uint64))
    product >>= np.uint64(32)
    return product.view(np.int64)


@dataclass(frozen=True, eq=False)
class KeyRequest(Request[Keys]):
    """A random key of 64 bits for each trial, from which all its later luck follows.

    `names`: the sources of that luck, in the order in which `key_of` numbers them; "" for a source not in use.
    """

    names: tuple[str, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources in use."""
        return tuple(name for name in self.names if name)

    def at_random(self, source: Source) -> Keys:
        """Return one key for all sources of each trial, `uint64[n]`."""
        return _join_halves(half.at_random(source) for half in self._halves())

    def as_written(self, fixed_rolls: WrittenExample) -> Keys:
        """Return the key whose halves of 32 bits an example gives as "NAME high" and "NAME low"."""
        return _join_halves(half.as_written(fixed_rolls) for half in self._halves())

    def told_apart(self, key_of_source: Callable[[str], Keys]) -> Keys:
        """Return a key for each source, `uint64[n, s]`, so that sources can be shared or varied one by one."""
        return np.stack([key_of_source(name) for name in self.names], axis=1)

    def n_ways(self) -> int:
        """Return 2**64, too many to enumerate."""
        return 2**64

    def way(self, number: IntArray) -> Keys:
        """Return the number as the key."""
        return number.astype(np.uint64)

    def weigh(self, number: IntArray) -> Weighting:
        """Return equal weights, 1 of 2**64."""
        return None, 2**64

    def _halves(self) -> tuple[Uniform, Uniform]:
        return Uniform(f"{self.name} high", 2**32), Uniform(f"{self.name} low", 2**32)


def _join_halves(halves: Iterable[IntArray]) -> Keys:
    high, low = (half.astype(np.uint64) for half in halves)
    return np.asarray(high << np.uint64(32) | low)


class KeyedRolls(Rolls):
    """Rolls that derive every answer from the key and the count of each trial.

    * `keys`: `uint64[n]`, or one for each source, `uint64[n, s]`.
    * `counts`: number of the moment within each trial, such as of attacks before, `int[n]`.
    * `source_of`: function from the name of a request to the number of its source, if keys have several.
    * `base`: hash of keys and counts, of the shape of `keys`.

    >>> rolls = KeyedRolls(np.array([7, 8], np.uint64), np.array([0, 0]))
    >>> one = KeyedRolls(np.array([8], np.uint64), np.array([0]))
    >>> bool((rolls.d(6, 3, "armour")[1] == one.d(6, 3, "armour")[0]).all())
    True
    """

    def __init__(self, keys: Keys, counts: IntArray, source_of: Callable[[str], int] = lambda name: 0) -> None:
        self.n = len(keys)
        self.base = base_words(keys, counts)
        self._source_of = source_of

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer requests for dice and uniform numbers by the trials' keys; raise `RollsError` for any other."""
        if isinstance(request, Dice):
            return cast("Answer", self._dice(request))
        if isinstance(request, Count | Pool | Successes):
            return cast("Answer", request.read(self._dice(request.dice())))
        if isinstance(request, Uniform):
            return cast("Answer", below(words(self._base_of(request.name), request.name), request.m))
        raise RollsError(f"keyed rolls cannot answer {type(request).__name__} {request.name!r}")

    def _base_of(self, name: str) -> Keys:
        return self.base if self.base.ndim == 1 else key_of(self.base, self._source_of(name))

    def _dice(self, dice: Dice) -> IntArray:
        faces = below(_mix(self._base_of(dice.name)[:, None] + _all_offsets(dice.name, dice.k)), dice.faces)
        faces += 1
        if dice.is_rolled is not None:
            faces *= dice.is_rolled
        return faces.astype(np.int16)


class JoinedRolls(Rolls):
    """Rolls of several blocks of trials, one after the other, whose luck all follows from keys.

    >>> from balance.chance.rolls.rolls import RandomRolls
    >>> one, two = (RandomRolls(0, "demo", number, 2) for number in (0, 1))
    >>> len(JoinedRolls([one, two]).answer(KeyRequest("luck", ("dice",))))
    4
    """

    def __init__(self, parts: Sequence[Rolls]) -> None:
        self.n, self._parts = sum(part.n for part in parts), parts

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer a request for keys; raise `RollsError` for any other."""
        if not isinstance(request, KeyRequest):
            raise RollsError(f"joined rolls cannot answer {type(request).__name__} {request.name!r}")
        return cast("Answer", np.concatenate([part.answer(request) for part in self._parts]))
