"""Functions of one total, such as its absolute value: each is read, worked out, rolled and put into words from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Function:
    """A function of a total, `of` of a whole number or an array of them, such as `abs`.

    `phrase` puts it into words, around that of the total. `ends` are the least and the largest value that it may have
    where the total lies between two numbers, which may be infinite.
    """

    of: Callable[[Any], Any]
    phrase: str
    ends: Callable[[float, float], tuple[float, float]]


def _of_size(low: float, high: float) -> tuple[float, float]:
    sizes = abs(low), abs(high)
    return 0 if low <= 0 <= high else min(sizes), max(sizes)


FUNCTIONS: Mapping[str, Function] = {"abs": Function(abs, "the size of {} without its sign", _of_size)}
"""The functions, as they are written: `abs(2d6 - 7)`."""
