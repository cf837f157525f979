"""The first numbers of some streams, pinned: published reports can be made again only while these stay.

If one of these fails, either numpy changed its draws (then pin numpy, or say in the changelog that numbers differ from
here on), or a change of ours moved them: that is a change of every simulated number ever published.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.pmf import Pmf, die
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import stream
from balance.chance.rolls.symbols import SymbolDie
from balance.chance.trials.collect import BLOCK_TRIALS, collect, distribution_task, process_task
from balance.chance.trials.stopping import FixedTrials
from tests.chance.toys import HIT, race


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


def eight(*, paired: bool = False) -> RandomRolls:
    return RandomRolls(0, "golden", 0, 8, is_paired=paired)


TWO_COLUMNS = DistributionStack((Pmf.of({(1, 0): 1, (0, 1): 2, (3, 3): 4}, ["hit", "miss"]),))
THREE_DICE = DistributionStack((die(7), die(3), Pmf.of([2])))
SYMBOLS = SymbolDie(tuple("GBRSFL"), (("hits", ("B", "S")), ("flags", ("F",))))


@pytest.mark.parametrize(
    ("m", "numbers"),
    [
        (6, [4, 0, 2, 2, 1, 5, 3, 2]),
        (40_000, [29477, 483, 14436, 14515, 9106, 31675, 26647, 18203]),
        (65_536, [48296, 792, 23653, 23783, 14920, 54810, 43660, 29825]),
        (1_000_000, [12096, 362905, 836337, 455103, 765357, 748782, 648638, 623721]),
        (np.array([1, 2, 3, 4, 5, 6, 7, 60_000]), [0, 0, 1, 1, 1, 5, 4, 27305]),
    ],
    ids=str,
)
def test_numbers_one_of_so_many(m: Any, numbers: list[int]) -> None:
    """Up to 65,536 they are made of 16 bits, beyond of 32."""
    drawn = eight().uniform(m, "u")
    assert drawn.tolist() == numbers
    assert drawn.dtype == (np.int16 if np.max(m) <= 2**15 else np.int64)


def test_numbers_whose_words_must_be_drawn_again() -> None:
    many = RandomRolls(0, "golden", 0, 50_000)
    assert int(many.uniform(3 * 2**30, "u").sum()) == 80721566699112
    assert int(RandomRolls(0, "golden", 0, 40_000).uniform(60_000, "u").sum()) == 1205747576
    assert int(RandomRolls(0, "golden", 0, 200_000).uniform(np.full(200_000, 50_000), "u").sum()) == 5005541385


def test_a_number_that_is_certain_takes_none_from_its_stream_unless_another_run_is_to_meet_the_same() -> None:
    for paired, then in ((False, [4, 0, 2, 2, 1, 5, 3, 2]), (True, eight().uniform(6, "v").tolist())):
        rolls = eight(paired=paired)
        rolls.uniform(np.ones(8, int), "u")
        name = "v" if paired else "u"
        assert rolls.uniform(6, name).tolist() == then
    first, second = eight(paired=True), eight(paired=True)
    first.uniform(np.ones(8, int), "u")
    second.uniform(2, "u")
    assert first.uniform(6, "u").tolist() == second.uniform(6, "u").tolist() != eight().uniform(6, "u").tolist()


def test_cards() -> None:
    hands = [[0, 1, 3], [3, 4, 1], [3, 0, 2], [1, 0, 4], [4, 0, 2], [4, 0, 1], [3, 4, 2], [4, 2, 1]]
    assert eight().deal(5, 3, "deck").tolist() == hands
    short = [[-1, -1], [0, -1], [1, 0], [0, 1], [3, 0], [3, 0], [3, 0], [3, 1]]
    assert eight().deal(4, 2, "deck", np.array([0, 1, 2, 3, 4, 4, 4, 4])).tolist() == short
    assert eight().pick(np.tile([True, False, True, True], (8, 1)), "p").tolist() == [2, 0, 2, 3, 0, 3, 3, 2]


def test_symbols() -> None:
    shown = {name: values.tolist() for name, values in eight().pool(SYMBOLS, 4, "pool").items()}
    assert shown == {"hits": [0, 1, 1, 2, 2, 1, 1, 2], "flags": [1, 2, 1, 1, 0, 1, 0, 0]}
    fewer = eight().pool(SYMBOLS, 4, "pool", np.arange(8) % 5)
    assert {name: values.tolist() for name, values in fewer.items()} == {
        "hits": [0, 1, 0, 1, 2, 0, 0, 1],
        "flags": [0, 0, 0, 1, 0, 0, 0, 0],
    }


def test_dice_rolled_again() -> None:
    some = [[0, 0], [6, 0], [2, 2], [0, 0], [5, 0], [2, 6], [0, 0], [4, 0]]
    assert eight().d(6, 2, "d", np.arange(8) % 3).tolist() == some
    rolls = eight()
    dice = rolls.d(6, 2, "d")
    after, spent = rolls.reroll(dice, dice < 3, 6, "again")
    assert after.tolist() == [[3, 4], [6, 5], [2, 6], [5, 3], [5, 4], [5, 6], [5, 4], [4, 6]]
    assert spent.tolist() == (dice < 3).tolist()


def test_rows_alive_of_a_paired_block_and_rolls_of_another_name() -> None:
    rolls = eight(paired=True)
    rolls.keep(np.array([1, 4, 7]))
    assert rolls.d(6, 1, "d")[:, 0].tolist() == [6, 5, 4]
    assert rolls.uniform(6, "v").tolist() == [2, 4, 5]
    assert eight().uniform(6, "v").tolist() == [5, 2, 2, 2, 4, 4, 1, 5]
    assert eight().child("c", 4).d(6, 1, "d")[:, 0].tolist() == [2, 4, 3, 3]
    assert eight().paired_rolls("c").d(6, 1, "d")[:, 0].tolist() == [2, 4, 3, 3, 4, 5, 6, 5]


def test_children_are_paired_as_their_parents_and_pairs_always() -> None:
    assert [eight(paired=flag).child("c", 4).is_paired for flag in (True, False)] == [True, False]
    assert [eight(paired=flag).paired_rolls("c").is_paired for flag in (True, False)] == [True, True]


def test_draws_from_one_of_several_distributions_and_of_several_columns() -> None:
    drawn = eight().draw(THREE_DICE, np.array([0, 1, 2, 0, 1, 2, 0, 0]), "x")["value"]
    assert drawn.tolist() == [5, 2, 2, 1, 2, 2, 7, 3]
    both = eight().draw(TWO_COLUMNS, 0, "x")
    assert (both["hit"].tolist(), both["miss"].tolist()) == ([3, 1, 3, 0, 3, 3, 3, 1], [3, 0, 3, 1, 3, 3, 3, 0])
