"""Random legal armies: as a plain recursion draws them, never beyond the rules, never with money left for somebody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import balance
from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.legal_armies import BATCH, LegalArmy, Muster, legal_armies, random_armies, setting_at
from balance.analysis.armies.random_armies import EMPTY
from balance.base.arrays import IntArray
from balance.base.errors import RulesError, UsageError
from balance.chance.rolls.process import Process
from balance.game.armies.armies import Arena, ArmyKind, army_text, parse_army
from balance.game.armies.copies import Copies
from balance.game.loaded import load

COSTS = [7, 10, 12, 20]
CARDS = [[("ant", 2), ("rope", 3)], [("ox", 2), ("rope", 3), ("rope", 3)], [("ant", 2), ("bow", 1)], [("ox", 2)]]
"""Cards of each member, each with how many of it there are."""
MUSTER = Muster(40, 4, np.array(COSTS, float), Copies.of(CARDS))


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


def is_legal(army: tuple[int, ...], budget: float, limit: int) -> bool:
    taken = Counter(card for member in army for card, _ in CARDS[member])
    there = dict(card for cards in CARDS for card in cards)
    return len(army) <= limit and sum(COSTS[one] for one in army) <= budget and all(taken[c] <= there[c] for c in taken)


def drawn(army: tuple[int, ...], budget: float, limit: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield the armies that come of this one, each in the order in which it was drawn, with its chance."""
    fit = [member for member in range(len(COSTS)) if is_legal((*army, member), budget, limit)]
    if not fit:
        yield army, Fraction(1)
    for member in fit:
        yield from ((whole, chance / len(fit)) for whole, chance in drawn((*army, member), budget, limit))


def told(armies: np.ndarray) -> Counter[tuple[int, ...]]:
    return Counter(tuple(one for one in row if one != EMPTY) for row in armies.tolist())


@pytest.mark.parametrize(("budget", "limit"), [(40, 4), (29, 4), (100, 9), (40, 2), (7, 1)])
def test_armies_are_drawn_as_a_plain_recursion_draws_them(budget: float, limit: int) -> None:
    expected, n = dict(drawn((), budget, limit)), 40_000
    found = told(Muster(budget, limit, MUSTER.costs, MUSTER.copies).draw(n, rng()))
    assert set(found) == set(expected), "every full army occurs, and no other"
    for army, chance in expected.items():
        spread = float(n * chance * (1 - chance)) ** 0.5
        assert abs(found[army] - float(n * chance)) <= 4.5 * spread, army


def test_a_control_that_forgets_copies_is_found_out() -> None:
    endless = Copies(MUSTER.copies.available + 99, MUSTER.copies.per_unit)
    found = told(Muster(40, 4, MUSTER.costs, endless).draw(1000, rng()))
    assert not set(found) <= {army for army, _ in drawn((), 40, 4)}


def test_budgets_and_limits_may_differ_by_army_whatever_is_drawn_beside_it() -> None:
    n = BATCH + 7
    budgets, limits = rng(1).integers(7, 90, n).astype(float), rng(2).integers(1, 6, n)
    found = legal_armies(budgets, limits, MUSTER.costs, MUSTER.copies.per_unit, MUSTER.copies.available, rng())
    assert found.shape == (n, 5)
    assert found.dtype == np.int16
    for row, budget, limit in list(zip(found.tolist(), budgets.tolist(), limits.tolist(), strict=True))[-2000:]:
        army = tuple(one for one in row if one != EMPTY)
        assert row == [*army, *[EMPTY] * (5 - len(army))]
        assert is_legal(army, budget, limit)
        assert not any(is_legal((*army, one), budget, limit) for one in range(len(COSTS)))


def test_the_same_seed_draws_the_same_armies() -> None:
    one, again, other = (MUSTER.draw(50, rng(seed)).tolist() for seed in (3, 3, 4))
    assert one == again != other


def test_who_is_there_already_stays_and_comes_first() -> None:
    begun = np.full((500, 4), EMPTY, np.int16)
    begun[:, 2] = 3
    found = told(MUSTER.fill(begun, rng()))
    assert begun[:, 2].tolist() == [3] * 500, "what is given is not changed"
    assert set(found) == {army for army, _ in drawn((3,), 40, 4)}


def test_points_that_are_not_whole_are_spent_to_the_last() -> None:
    muster = Muster(0.3, 9, np.array([0.1]), Copies.of([[]]))
    assert muster.draw(1, rng()).tolist() == [[0, 0, 0, *[EMPTY] * 6]]


@pytest.mark.slow("test_armies_are_drawn_as_a_plain_recursion_draws_them")
def test_armies_of_warforged_are_legal_and_full_by_its_own_rules() -> None:
    game = balance.load("warforged")
    names = game.entrants_of("lineup")
    arena = game.arena("lineup", names)
    muster = Muster.of(arena, 150, 5, [float(game.cost_points(name)) for name in names])
    changes = {"situation.legal": True, "situation.unit_limit": 5, "situation.budget": 150}

    def legal(army: list[int]) -> bool:
        try:
            game.ask("lineup", army_text(names, army), "whisper+sidearm", changes)
        except RulesError:
            return False
        return True

    for row in muster.draw(40, rng()).tolist():
        army = [one for one in row if one != EMPTY]
        assert legal(army)
        assert not any(legal([*army, one]) for one in rng().integers(0, len(names), 10).tolist())


WARFORGED = balance.load("warforged")


@pytest.mark.parametrize(
    ("budget", "limit", "found"),
    [(150, None, 4), (10, None, 4), (249, None, 6), (350, None, 10), (9999, None, 10), (150, 9, 9)],
)
def test_the_unit_limit_is_the_one_that_the_rules_pair_with_a_budget(
    budget: int, limit: int | None, found: int
) -> None:
    where = setting_at(WARFORGED, budget, limit, ["situation.actions=pool"], [("policy_a", "spread")])
    expected = ArmySetting("lineup", ((budget, found),), ("situation.actions=pool",), (("policy_a", "spread"),))
    assert where == expected


def test_where_the_rules_pair_none_an_army_may_be_as_large_as_it_can_be_played() -> None:
    kind = WARFORGED.definition.kinds["lineup"]
    assert kind.armies is not None
    silent = replace(kind, armies=ArmyKind(kind.armies.member, kind.armies.field))
    game = load(replace(WARFORGED.definition, kinds={"lineup": silent}), WARFORGED.catalogue)
    assert setting_at(game, 150).budgets == ((150, 64),)


def test_where_armies_are_not_bought_there_is_no_setting() -> None:
    with pytest.raises(UsageError, match="armies are not bought for points in War for Edadh"):
        setting_at(balance.load("edadh"), 150)


def test_random_armies_are_told_as_they_are_written_with_what_they_cost() -> None:
    found = random_armies(WARFORGED, setting_at(WARFORGED, 150), 300, 7)
    assert found == random_armies(WARFORGED, setting_at(WARFORGED, 150), 300, 7)
    assert found != random_armies(WARFORGED, setting_at(WARFORGED, 150), 300, 8)
    kind = WARFORGED.definition.kinds["lineup"].takes[0]
    for one in found.armies:
        counts = [n for _, n in parse_army(one.army)]
        assert one == LegalArmy(one.army, kind.cost_points(WARFORGED.catalogue, one.army), sum(counts))
    assert max(one.units for one in found.armies) == 4
    assert max(one.cost_points for one in found.armies) == 150


def never_met(a: IntArray, b: IntArray, limits: IntArray | None = None) -> Process:
    raise AssertionError("armies are drawn here, and never meet")


def arena(copies: Copies | None = None) -> Arena:
    return Arena(("ant+rope", "ox+rope", "ant+bow", "ox"), ("a", "b", "c", "d"), never_met, copies)


def test_what_can_be_bought_are_the_first_members_of_an_arena() -> None:
    found = Muster.of(arena(Copies.of(CARDS)), 40, 4, [7.0, 10.0])
    assert found.copies.per_unit.tolist() == [[1, 1, 0, 0], [0, 2, 1, 0]]
    assert found.copies.available.tolist() == [2, 3, 2, 1]
    assert told(Muster.of(arena(), 40, 4, [10.0, 41.0]).draw(3, rng())) == {(0, 0, 0, 0): 3}


@pytest.mark.parametrize(
    ("budget", "limit", "said"),
    [
        (6.5, 4, "'6.5' points buy nobody; allowed: at least 7, for ant+rope"),
        (40, 0, "'0' is no unit limit of an army; allowed: 1 to 64"),
        (40, 65, "'65' is no unit limit of an army; allowed: 1 to 64"),
    ],
)
def test_a_budget_that_buys_nobody_and_a_limit_that_is_none_are_refused(budget: float, limit: int, said: str) -> None:
    with pytest.raises(UsageError) as error:
        Muster.of(arena(), budget, limit, [7.0, 10.0, 12.0, 20.0])
    assert str(error.value) == said


def test_the_largest_limit_and_the_cheapest_member_are_enough() -> None:
    assert Muster.of(arena(), 7, 64, [7.0]).draw(1, rng()).tolist() == [[0, *[EMPTY] * 63]]
    assert Muster.of(arena(), 100, 1, [7.0]).draw(1, rng()).tolist() == [[0]]
