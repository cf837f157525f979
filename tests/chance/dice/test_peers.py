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
    "5d6 longest run": lambda pool: pool.d(6).pool(5).largest_straight(),
    "8d6 largest set": lambda pool: pool.d(6).pool(8).largest_count(),
    "8d6 keep 5 largest set": lambda pool: pool.d(6).pool(8).highest(5).largest_count(),
    "8d6 different": lambda pool: pool.d(6).pool(8).unique().size(),
    "8d6 sets of 3": lambda pool: (pool.d(6).pool(8) // 3).size(),
    "4d6 pairs > 3d8": lambda pool: pool.d(6).pool(4).sort_pair(">", pool.d(8).pool(3), extra="drop").size(),
    "7 from {1..13*4} longest run": lambda pool: pool.Deck(range(1, 14), times=4).deal(7).largest_straight(),
    "5 from {1..13*4} keep 2": lambda pool: pool.Deck(range(1, 14), times=4).deal(5).highest(2).sum(),
    "8d6 reroll up to 4 of 1-3": lambda pool: pool.d(6).reroll_to_pool(8, [1, 2, 3], max_rerolls=4, mode="low").sum(),
    "6d10 each at least 3 keep 2": lambda pool: pool.d(10).map(lambda face: max(face, 3)).highest(6, 2),
    "10d6 count 3+ then d6 count 4+": lambda pool: (10 @ (pool.d(6) >= 3)).map(lambda n: n @ (pool.d(6) >= 4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", SAME)
def test_a_peer_counts_the_same(text: str) -> None:
    icepool = pytest.importorskip("icepool")
    theirs = SAME[text](icepool)
    ways = {int(value): Fraction(weight, theirs.denominator()) for value, weight in theirs.items() if weight}
    found = odds(text)
    assert {value: found.fraction(value) for value in found.weights} == ways
