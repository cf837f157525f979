"""Laws of dice against icepool, where it is installed (`pip install -e .[bench]`)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from balance.chance.dice import odds

Peer = Callable[[Any], Any]
SAME: dict[str, Peer] = {
    "3d6 keep 2": lambda pool: pool.d(6).highest(3, 2),
    "30d20 keep 15": lambda pool: pool.d(20).highest(30, 15),
    "30d20 drop 1": lambda pool: pool.d(20).highest(30, 29),
    "20d12 keep lowest 4": lambda pool: pool.d(12).lowest(20, 4),
    "5d6 drop lowest 1 drop highest 1": lambda pool: pool.d(6).pool(5)[1:-1].sum(),
    "30d10 count >=7": lambda pool: 30 @ (pool.d(10) >= 7),
    "100d6": lambda pool: 100 @ pool.d(6),
    "3d6 reroll always 1": lambda pool: 3 @ pool.d(6).reroll([1], depth="inf"),
    "2d6! at most 3": lambda pool: 2 @ pool.d(6).explode(depth=3),
    "highest 2 of (d6, d8, d10)": lambda pool: pool.highest(pool.d(6), pool.d(8), pool.d(10), keep=2),
    "10d6 count 3+ then d6 count 4+": lambda pool: (10 @ (pool.d(6) >= 3)).map(lambda n: n @ (pool.d(6) >= 4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", SAME)
def test_a_peer_counts_the_same(text: str) -> None:
    icepool = pytest.importorskip("icepool")
    theirs = SAME[text](icepool)
    ways = {int(value): Fraction(weight, theirs.denominator()) for value, weight in theirs.items() if weight}
    found = odds(text)
    assert {value: found.fraction(value) for value in found.law} == ways
