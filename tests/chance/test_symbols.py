"""Pools of dice with symbols: the distribution of the pool is the list of every die, whoever rolls it."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from balance.base.errors import BalanceError, RollsError, UsageError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.chance.rolls.symbols import SymbolDie, forget
from balance.chance.trials.lockstep import play_fixed

FACES = ("G", "B", "R", "S", "F", "L")
DIE = SymbolDie(FACES, (("hits", ("B", "S")), ("flags", ("F",)), ("lore", ("L",))))


def roll(die: SymbolDie, k: int) -> Process:
    def step(state: State, rolls: Rolls) -> State:
        return rolls.pool(die, k, "pool")

    start = dict.fromkeys((symbol for symbol, _ in die.symbols), 0)
    return Process(start, (step,), lambda s: np.zeros(len(s["hits"]), bool), lambda s, steps: s, max_steps=1)


def by_listing(die: SymbolDie, k: int) -> Pmf:
    """Return the distribution by listing every roll, sharing nothing with the code under test."""
    ways: dict[tuple[int, ...], int] = {}
    for faces in product(die.faces, repeat=k):
        row = tuple(sum(names.count(face) for face in faces) for _, names in die.symbols)
        ways[row] = ways.get(row, 0) + 1
    return Pmf.of(ways, tuple(symbol for symbol, _ in die.symbols))


@pytest.mark.parametrize("k", [0, 1, 2, 4])
def test_distribution_is_every_roll(k: int) -> None:
    assert DIE.distribution(k) == by_listing(DIE, k)


@pytest.mark.parametrize("each_die", [False, True])
def test_exact_distribution_of_a_process_is_the_distribution_of_the_pool(each_die: bool) -> None:
    assert exact_distribution(roll(DIE, 4), each_die=each_die) == DIE.distribution(4)


def test_a_face_may_count_twice_and_for_two_symbols() -> None:
    die = SymbolDie(("claw", "wing", "blank"), (("hits", ("claw", "claw", "wing")), ("moves", ("wing",))))
    assert die.distribution(3) == by_listing(die, 3)
    assert die.distribution(1).to_dict() == {"hits": [0, 1, 2], "moves": [0, 1, 0], "weight": [1, 1, 1]}


@pytest.mark.parametrize("k", [4, 12])
def test_outcomes_are_counted_by_class_not_by_face(k: int) -> None:
    assert len(DIE.distribution(k)) == comb(k + 3, 3)
    assert DIE.distribution(k).total == 6**k


def test_random_dice_follow_the_distribution() -> None:
    shown = RandomRolls(0, "demo", 0, 50_000).pool(DIE, 4, "pool")
    rows = np.stack(list(shown.values()), axis=1)
    assert (
        DIE.distribution(4).agreement(Pmf.from_rows(DIE.distribution(4).columns, rows, [1] * len(rows))).p_value > 1e-4
    )


def test_an_example_gives_faces_by_name() -> None:
    assert play_fixed(roll(DIE, 4), {"pool": ["B", "S", "G", "L"]}) == {"hits": 2, "flags": 0, "lore": 1}


def test_dice_that_are_not_given_must_not_matter() -> None:
    with pytest.raises(RollsError, match="leave the outcome open"):
        play_fixed(roll(DIE, 4), {"pool": ["B", "S", "G"]})


def test_a_face_the_die_does_not_have_is_refused() -> None:
    with pytest.raises(RollsError, match="no face 'X'"):
        FixedRolls({"pool": ["X"]}).pool(DIE, 1, "pool")
    with pytest.raises(RollsError, match="cannot show 'B'"):
        FixedRolls({"pool": ["B"]}).d(6, 1, "pool")


@pytest.mark.parametrize("symbols", [(("hits", ("Z",)),), (), tuple((str(i), ("G",)) for i in range(9))])
def test_symbols_must_fit_the_die(symbols: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    with pytest.raises(BalanceError):
        SymbolDie(FACES, symbols)


def test_a_pool_too_large_to_count_is_refused() -> None:
    with pytest.raises(BalanceError, match="at most 255"):
        DIE.count(np.ones((1, 256), np.int16))


def test_symbols_are_counted_up_to_255_each_without_spilling_into_the_next() -> None:
    names = [f"s{place}" for place in range(8)]
    die = SymbolDie(
        ("a", "b", "-"), tuple((name, ("a",) if place % 2 else ("b", "a")) for place, name in enumerate(names))
    )
    dice = np.array([[1] * 255, [2] * 255, [3] * 255, [0] * 255, [1] * 100 + [2] * 100 + [3] * 55])
    expected = {
        name: [255, 0 if place % 2 else 255, 0, 0, 100 if place % 2 else 200] for place, name in enumerate(names)
    }
    found = die.count(dice)
    assert {name: values.tolist() for name, values in found.items()} == expected
    assert {values.dtype.name for values in found.values()} == {"int16"}
    twice = SymbolDie(("claw",), (("hits", ("claw", "claw")),))
    assert twice.count(np.ones((1, 127), np.int16))["hits"].tolist() == [254]
    with pytest.raises(UsageError, match=r"^a pool shows a symbol at most 255 times$"):
        twice.count(np.ones((1, 128), np.int16))


def test_faces_have_numbers_from_1_and_the_first_of_a_name_counts() -> None:
    die = SymbolDie(("a", "b", "a"), (("x", ("a",)),))
    assert [die.number(face) for face in ("a", "b", 3, 0)] == [1, 2, 3, 0]
    assert die.symbol_counts.tolist() == [[1], [0], [1]]
    with pytest.raises(RollsError, match=r"^the die has no face 'c'; faces are a, b, a$"):
        die.number("c")


def test_what_does_not_fit_a_die_is_told_in_full() -> None:
    refused = {
        "'x' counts a face 'blak' that the die does not have; did you mean blank?": (("x", ("hit", "blak")),),
        "'x' counts a face 'Z' that the die does not have; faces are hit, blank": (("x", ("Z",)),),
        "a die counts 1 to 8 symbols, found 0": (),
        "a die counts 1 to 8 symbols, found 9": tuple((str(place), ("hit",)) for place in range(9)),
    }
    for message, symbols in refused.items():
        with pytest.raises(UsageError) as error:
            SymbolDie(("hit", "blank"), symbols)
        assert str(error.value) == message


def test_a_distribution_is_worked_out_once_until_it_is_forgotten() -> None:
    first = DIE.distribution(3)
    assert DIE.distribution(3) is first
    forget()
    assert DIE.distribution(3) is not first
    assert DIE.distribution(3) == first


def test_columns_of_fewer_dice_stand_end_to_end_are_kept_and_cannot_be_changed() -> None:
    symbol = DIE.symbols[0][0]
    starts, column = DIE.column_up_to(3, symbol, np.int16)
    for k in range(4):
        distribution = DIE.distribution(k)
        part = slice(starts[k], starts[k] + len(distribution))
        assert column[part].tolist() == distribution[symbol].tolist()
        assert DIE.column_up_to(3, None, object)[1][part].tolist() == list(distribution.weights)
    assert DIE.column_up_to(3, symbol, np.int16)[1] is column
    assert not column.flags.writeable
    forget()
    assert DIE.column_up_to(3, symbol, np.int16)[1] is not column
