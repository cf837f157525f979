"""Streams: each named draw has numbers of its own, and nothing else can shift them."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import check_seed, stream

BASE = (0, "task", 0, "die")
OTHERS = [(1, "task", 0, "die"), (0, "task2", 0, "die"), (0, "task", 1, "die"), (0, "task", 0, "die2")]


def numbers(seed: int, key: str, block: int, name: str) -> list[int]:
    return list(map(int, stream(seed, key, block, name).integers(0, 2**62, 8)))


def test_a_stream_repeats_itself() -> None:
    assert numbers(*BASE) == numbers(*BASE)


@pytest.mark.parametrize("other", OTHERS)
def test_every_part_of_the_address_matters(other: tuple[int, str, int, str]) -> None:
    assert not set(numbers(*BASE)) & set(numbers(*other))


def test_key_and_name_are_not_run_together() -> None:
    assert numbers(0, "ab", 0, "c") != numbers(0, "a", 0, "bc")


def test_reading_one_name_more_leaves_the_others_alone() -> None:
    plain, greedy = RandomRolls(3, "k", 0, 5), RandomRolls(3, "k", 0, 5)
    greedy.d(6, 100, "armour")
    greedy.d(20, 1, "new die")
    assert plain.d(10, 1, "precision").tolist() == greedy.d(10, 1, "precision").tolist()


def test_blocks_are_not_correlated() -> None:
    """300 pairs of blocks; the largest of 300 correlations of 4000 numbers passes 0.08 for one seed in 10,000."""
    rows = np.array([stream(0, "k", block, "die").standard_normal(4000) for block in range(25)])
    correlations = np.corrcoef(rows)[np.triu_indices(25, 1)]
    assert np.abs(correlations).max() < 0.08


@pytest.mark.parametrize("seed", [0, 1, 2**64, 2**128 - 1])
def test_seeds_up_to_128_bits_are_seeds(seed: int) -> None:
    assert check_seed(seed) == seed
    assert len(set(numbers(seed, "k", 0, "x"))) == 8


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_other_seeds_are_refused(seed: int) -> None:
    with pytest.raises(UsageError, match="from 0 to"):
        stream(seed, "k", 0, "x")


def test_seed_0_is_not_no_seed() -> None:
    assert numbers(0, "k", 0, "x") == numbers(0, "k", 0, "x") != numbers(1, "k", 0, "x")


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_the_refusal_of_a_seed_tells_which_are_seeds(seed: int) -> None:
    with pytest.raises(UsageError) as error:
        check_seed(seed)
    assert str(error.value) == f"a seed is a whole number from 0 to 2**128 - 1, found {seed}"


def test_a_stream_is_the_generator_that_its_address_seeds() -> None:
    """SFC64 of (seed, key, block, name); key and name as the first eight bytes of their SHA-256."""

    def words(text: str) -> list[int]:
        digits = hashlib.sha256(text.encode()).hexdigest()
        return [int(digits[:8], 16), int(digits[8:16], 16)]

    seeds = np.random.SeedSequence(7, spawn_key=(*words("task"), 3, *words("die")))
    expected = np.random.Generator(np.random.SFC64(seeds)).integers(0, 2**62, 8)
    assert numbers(7, "task", 3, "die") == expected.tolist()
