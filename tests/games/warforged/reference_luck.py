"""The luck of a battle told a second time: every die follows from the battle's key, a count and the die's name."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

STEP = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def mix(x: int) -> int:
    """Return the finaliser of splitmix64 of a 64-bit number."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


@cache
def salt(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big")


def stream(key: int, count: int) -> int:
    """Return what all words of one count of a battle start from."""
    return mix((key + STEP * (count + 1)) & MASK)


def word(key: int, count: int, name: str, j: int = 0) -> int:
    return mix((stream(key, count) + salt(name) + STEP * j) & MASK)


def below(number: int, limit: int) -> int:
    """Return a number from 0 to below `limit`, from a word."""
    return ((number >> 32) * limit) >> 32


def face(start: int, faces: int, name: str, j: int = 0) -> int:
    """Return what die `j` of a name shows, 1 to `faces`, in the count that `start` is the `stream` of."""
    return below(mix((start + salt(name) + STEP * j) & MASK), faces) + 1
