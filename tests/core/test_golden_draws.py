"""The first numbers of some streams, pinned: published reports can be made again only while these stay.

If one of these fails, either numpy changed its draws (then pin numpy, or say in the changelog that numbers differ from
here on), or a change of ours moved them: that is a change of every simulated number ever published.
"""

from __future__ import annotations

from balance.core import (
    BLOCK_TRIALS,
    DistributionStack,
    FixedTrials,
    RandomRolls,
    collect,
    distribution_task,
    process_task,
)
from balance.core.streams import stream
from balance.pmf import die
from tests.core.toys import HIT, race


def golden_rolls() -> RandomRolls:
    return RandomRolls(0, "golden", 0, 1000)


def test_blocks_hold_65536_trials() -> None:
    assert BLOCK_TRIALS == 65536


def test_numbers_of_a_stream() -> None:
    numbers = stream(0, "golden", 0, "die").integers(0, 2**32, 4)
    assert numbers.tolist() == [2864113208, 3230245941, 650059573, 4046455292]


def test_dice() -> None:
    assert golden_rolls().d(6, 1, "d6")[:12, 0].tolist() == [3, 6, 1, 1, 4, 3, 2, 1, 3, 4, 3, 4]
    assert golden_rolls().d(10, 2, "d10")[:5].tolist() == [[9, 2], [1, 4], [5, 7], [9, 8], [7, 10]]


def test_successes() -> None:
    counts = golden_rolls().count(6, 3, [3, 4, 5], "armour")
    assert counts[:12].tolist() == [2, 1, 2, 2, 2, 2, 2, 2, 1, 3, 2, 2]


def test_compiled_draws() -> None:
    damage = golden_rolls().draw(DistributionStack((HIT,)), 0, "hit")["damage"]
    assert damage[:12].tolist() == [0, 2, 0, 2, 0, 2, 0, 2, 1, 0, 2, 2]
    sevens = golden_rolls().draw_index(DistributionStack((die(7),)), 0, "seven")
    assert sevens[:12].tolist() == [6, 0, 4, 4, 0, 6, 1, 1, 2, 6, 3, 1]


def test_counts_of_a_compiled_task() -> None:
    tally = collect(distribution_task("golden", HIT), FixedTrials(200_000), seed=20261121)
    assert tally.counts.weights.tolist() == [100343, 39807, 59850]


def test_counts_of_a_lockstep_task() -> None:
    tally = collect(process_task("golden", (race(2, 2),)), FixedTrials(100_000), seed=20261121)
    assert tally.counts.marginal("winner").weights.tolist() == [60126, 39874]
    assert tally.counts.marginal("rounds").weights.tolist()[:4] == [50878, 28763, 12880, 4841]
