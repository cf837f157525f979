"""The reference implementation of Runewars by itself: published chances, closed forms and cases done by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.games.runewars.reference import How, Outcome, attack_outcomes, bought, every_purchase
from tests.games.runewars.reference_dice import (
    Chances,
    after_guard,
    after_rerolls,
    amount,
    poorest,
    runes_thrown,
    throw,
    totals,
)
from tests.games.runewars.reference_duel import Duel, duel_outcomes
from tests.games.runewars.reference_trays import Ability, Unit, added_tray, at_first, fill_gap, ranks_of, threat

F = Fraction
BIG = Unit(ranks=4, columns=4)
"""Enough figures for any attack."""
HIT = Unit(dice=("0", "0", "0"), add_hits=1)
"""An attacker with one hit in a single rank two trays wide: threat 2."""


def mean_hits(chances: Mapping[tuple[tuple[str, str], ...], F]) -> F:
    return sum((p * totals(dice)[0] for dice, p in chances.items()), F(0))


def some_surges(red: int, blue: int, white: int, least: int) -> F:
    return sum((p for dice, p in throw(red, blue, white).items() if totals(dice)[1] >= least), F(0))


def only(attacker: Unit, defender: Unit = BIG, how: How | None = None) -> Outcome:
    """Return the one outcome of an attack without chance."""
    (outcome,) = attack_outcomes(attacker, defender, how or How())
    return outcome


def mean(attacker: Unit, how: How, told: Callable[[Outcome], int], defender: Unit = BIG) -> F:
    return sum((p * told(end) for end, p in attack_outcomes(attacker, defender, how).items()), F(0))


# Dice.


@pytest.mark.parametrize(
    ("dice", "plain", "once", "twice"),
    [
        ((1, 0, 0), F(3, 4), F(33, 32), F("1.13671875")),
        ((0, 1, 0), F(1, 2), F(3, 4), F("0.875")),
        ((0, 0, 1), F(3, 4), F(3, 4) * F(5, 4), F(3, 4) * F(21, 16)),
    ],
)
def test_published_means_of_a_die(dice: tuple[int, int, int], plain: F, once: F, twice: F) -> None:
    for times, expected in enumerate((plain, once, twice)):
        assert mean_hits(after_rerolls(throw(*dice), "no_hit", times, False)) == expected
        assert mean_hits(after_rerolls(throw(*dice), "none", times, False)) == plain


def test_published_chances_of_surges() -> None:
    assert some_surges(1, 1, 0, 2) == F(10, 64)
    assert some_surges(2, 1, 0, 2) == F(99, 512)
    assert some_surges(0, 1, 1, 1) == F(56, 96)


def test_published_chances_of_runes() -> None:
    runes = runes_thrown()
    shown = {
        kind: {n: sum(p for thrown, p in runes.items() if dict(thrown)[kind] == n) for n in range(5)}
        for kind in ("stable", "natural", "unstable")
    }
    assert shown["stable"] == {0: 0, 1: F(1, 2), 2: F(1, 2), 3: 0, 4: 0}
    assert shown["natural"] == {0: F(1, 8), 1: F(3, 8), 2: F(3, 8), 3: F(1, 8), 4: 0}
    assert shown["unstable"] == {0: F(1, 4), 1: 0, 2: F(1, 2), 3: 0, 4: F(1, 4)}
    assert [amount(text, {"stable": 2}) for text in ("3", "stable", "1+stable")] == [3, 2, 3]


def test_chances_of_many_dice_add_up() -> None:
    assert sum(throw(2, 2, 1).values()) == 1
    assert sum(after_rerolls(throw(2, 1, 1), "no_hit", 2, True).values()) == 1


def test_the_single_die_of_a_partial_rank() -> None:
    white, red, blue = ("white", "surge morale"), ("red", "morale"), ("blue", "accuracy")
    assert poorest((white, red, blue)) == (white,)
    assert poorest((red, blue, ("white", "mortal"))) == (red,)
    assert poorest((("blue", "surge"), blue, ("blue", "surge surge"))) == (blue,)
    assert poorest((("white", "surge surge"), white)) == (white,)
    assert poorest((("red", "hit"),)) == ()
    # One of two red dice: both idle with 9/64, one with 30/64; then one die more, 3/4 hits on average.
    assert mean_hits(after_rerolls(throw(2, 0, 0), "no_hit", 0, True)) == F(3, 2) + F(39, 64) * F(3, 4)


def test_a_defender_has_the_best_dice_rolled_again() -> None:
    two: Chances = {(("red", "hit hit"), ("white", "mortal")): F(1)}
    assert mean_hits(after_guard(two, 1)) == F(3, 4)
    assert mean_hits(after_guard(two, 5)) == F(3, 2)
    assert after_guard({(("red", "morale"),): F(1)}, 1) == {(("red", "morale"),): F(1)}


# Threat and trays.


@pytest.mark.parametrize(
    ("ranks", "edge", "touch", "amended", "original"),
    [
        ([3, 3, 1], "front", "none", 3, 3),
        ([3, 3, 1], "side", "none", 2, 3),
        ([3, 3, 1], "side", "some", 3, 3),
        ([3, 3, 1], "side", "only", 3, 3),
        ([3, 3, 2], "rear", "only", 2, 2),
        ([3, 3, 2], "rear", "some", 3, 2),
        ([3, 3, 2], "rear", "none", 3, 2),
        ([3, 3], "side", "only", 2, 2),
        ([3, 3], "rear", "only", 3, 3),
        ([2], "side", "none", 1, 1),
    ],
)
def test_threat_of_an_edge(ranks: list[int], edge: str, touch: str, amended: int, original: int) -> None:
    assert threat(ranks, [edge], [touch]) == amended
    assert threat(ranks, [edge], [touch], original=True) == original


def test_the_better_of_two_edges() -> None:
    assert threat([2, 2, 2, 1], ["side", "rear"], ["some", "some"]) == 4
    assert threat([4, 1], ["side", "rear"], ["some", "some"]) == 4


def test_a_tray_joins_the_rear_rank() -> None:
    assert added_tray([1], 1) == [1, 1]
    assert added_tray([3, 1], 3) == [3, 2]
    assert added_tray([3, 3], 3) == [3, 3, 1]
    assert added_tray([3, 3, 3, 2], 3) == [3, 3, 3, 3]
    assert added_tray([3, 3, 3, 3], 3) == [3, 3, 3, 3]


def test_the_gap_of_a_figure_upgrade() -> None:
    assert fill_gap([[-1, 4], [4, 4], [3]], 4) == [[4, 4], [4, 3]]
    assert fill_gap([[4, -1], [2, 3]], 4) == [[4, 4], [1]]
    assert fill_gap([[4, -1], [1]], 4) == [[4, 1]]


def test_losses_take_the_rear_rank_first() -> None:
    unit = Unit(columns=3, ranks=2, partial=1)
    assert ranks_of(unit, at_first(unit)) == [3, 3, 1]
    for wounds, ranks in ((3, [3, 3, 1]), (4, [3, 3]), (5, [3, 3]), (12, [3, 1]), (16, [3]), (20, [2]), (27, [1])):
        hurt = replace(unit, wounds_suffered=wounds)
        assert ranks_of(hurt, at_first(hurt)) == ranks


# One attack.


def test_the_pool_is_hits_times_threat() -> None:
    assert only(HIT).damage == 2
    assert only(replace(HIT, brutal="1")).damage == 3
    assert only(replace(HIT, add_hits=2, lethal=1), replace(BIG, protected=2)).damage == 3
    assert only(HIT, replace(BIG, protected=9)).damage == 0
    assert only(replace(HIT, add_hits=0, lethal=3)).damage == 3
    assert only(replace(HIT, add_hits=0, lethal=3), how=How(lethal_needs_damage=True)).damage == 0
    assert only(replace(HIT, ranks=3), how=How(ranged=True, edges=("side",))).damage == 2


def test_wounds_and_what_is_left_over() -> None:
    golem = Unit(columns=1, figures_per_tray=1, wound_threshold=2, defence="4")
    outcome = only(replace(HIT, add_hits=3), golem)
    assert (outcome.damage, outcome.wounds, outcome.figures_lost, outcome.destroyed) == (6, 1, 0, 0)
    outcome = only(replace(HIT, add_hits=9, add_mortal_strikes=1), golem)
    assert (outcome.wounds, outcome.figures_lost, outcome.trays_lost, outcome.destroyed) == (2, 1, 1, 1)


def test_mortal_strikes_and_the_ward() -> None:
    outcome = only(replace(HIT, add_hits=0, add_mortal_strikes=3), replace(BIG, mortal_ward=1, defence="9"))
    assert (outcome.mortal_strikes, outcome.wounds) == (2, 2)
    assert only(replace(HIT, add_mortal_strikes=1), replace(BIG, mortal_ward=2, defence="9")).mortal_strikes == 0


def test_surges_are_bought_in_the_order_listed() -> None:
    hits, strike = Ability("hits", 1, 2), Ability("mortal_strikes", 1, 2, unique=True)
    assert bought(5, (hits, strike), 0, frozenset())[:2] == (2, 0)
    assert bought(5, (strike, hits), 0, frozenset())[:2] == (1, 1)
    assert bought(5, (strike, hits), 5, frozenset())[:2] == (4, 1)
    assert bought(5, (Ability("damage", 2, 2, True, True), Ability("hits")), 0, frozenset())[:3] == (1, 0, 4)
    needs = Ability("mortal_strikes", condition="blight")
    assert bought(2, (needs,), 0, frozenset()).mortal_strikes == 0
    assert bought(2, (needs,), 0, frozenset({"blight"})).mortal_strikes == 2
    assert bought(9, (Ability("blight", 1, 2), needs), 0, frozenset()).mortal_strikes == 7


def test_every_purchase_is_tried() -> None:
    offers = (Ability("hits", 1, 2), Ability("damage", 1, 1, True, True))
    found = set(every_purchase(3, offers, 0, frozenset(), bought(0, (), 0, frozenset())))
    assert {(way.hits, way.damage) for way in found} == {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)}


def test_two_cards_with_the_same_unique_ability() -> None:
    twice = replace(BIG, dice=("0", "1", "0"), surges=(Ability("hits", 1, 1, unique=True),) * 2)
    # A blue die shows one surge on two faces and two on one.
    plain = How(rerolls="none")
    assert mean(twice, plain, lambda end: end.hits) == F(4, 8) + F(4, 8)
    assert mean(twice, replace(plain, unique_once_in_all=True), lambda end: end.hits) == F(4, 8) + F(3, 8)


def test_accuracies_on_a_figure_upgrade() -> None:
    attacker = replace(HIT, add_hits=4, surges=())
    defender = replace(BIG, upgrade_defence=3, upgrade_health=2)
    hit = replace(attacker, dice=("0", "1", "0"))
    how = How(rerolls="none", accuracy="upgrade")
    # Two faces in eight show an accuracy, one of them a hit too: 8 or 10 damage, 3 of it on the upgrade.
    found = {(end.upgrade_wounds, end.damage, end.wounds): p for end, p in attack_outcomes(hit, defender, how).items()
             if end.accuracy}  # fmt: skip
    assert found == {(1, 8, 5): F(1, 8), (1, 10, 7): F(1, 8)}
    alone = Unit(wounds_suffered=8, upgrade_defence=3, upgrade_health=2)
    assert only(attacker, alone)[6:] == (0, 0, 1, 2, 1)
    centre = Unit(columns=3, upgrade_defence=1, upgrade_health=1, upgrade_in_centre=True)
    assert mean(hit, how, lambda end: end.upgrade_wounds, centre) == 0
    assert mean(hit, how, lambda end: end.upgrade_wounds, replace(centre, columns=2)) == F(2, 8)


@pytest.mark.parametrize("profile", [("2", "0", "0"), ("1", "1", "0"), ("0", "1", "1"), ("1", "1", "1")])
def test_the_best_rerolls_are_no_worse(profile: tuple[str, str, str]) -> None:
    attacker = Unit(dice=profile, ranks=2, partial=1, surges=(Ability("damage", 3, 2),))
    policies = [
        How(rerolls=name, surges=surges) for name in ("none", "no_hit", "best") for surges in ("listed", "best")
    ]
    found = [mean(attacker, how, lambda end: end.wounds) for how in policies]
    assert max(found) == found[-1]
    assert found[4] >= max(found[0], found[2])


def test_the_best_reroll_of_one_die_by_hand() -> None:
    # Threat 2: a red die is 2 wounds a hit, 3/2 on average; all that shows fewer is thrown again: blank, blank, morale.
    one = Unit(dice=("1", "0", "0"), ranks=2)
    assert mean(one, How(rerolls="best"), lambda end: end.wounds) == 2 * F(33, 32)
    # Against defence 4 a single hit is worth nothing: all but the two hits are thrown again.
    two = replace(BIG, defence="4")
    assert mean(one, How(rerolls="best"), lambda end: end.wounds, two) == F(1, 8) + F(7, 8) * F(1, 8)
    assert mean(one, How(), lambda end: end.wounds, two) == F(1, 8) + F(3, 8) * F(1, 8)


# Duels.


def test_a_duel_without_chance() -> None:
    # One hit a round; threat 2 with two trays, 1 with one. b: 6, 4, 2, 1, 0 figures; a: 6, 5, 4, 3.
    assert duel_outcomes(Duel(HIT, HIT)) == {(1, 5, 3, 0, 1, 0): 1.0}
    assert duel_outcomes(Duel(HIT, HIT, first="b")) == {(2, 5, 0, 3, 0, 1): 1.0}
    assert duel_outcomes(Duel(HIT, HIT, first="random")) == {(1, 5, 3, 0, 1, 0): 0.5, (2, 5, 0, 3, 0, 1): 0.5}


def test_a_front_rank_gets_narrower() -> None:
    # a: 6, then 4 figures, one tray: from then on its threat is 1. b has 72 wounds: 70, 68, 67, 66, so 8 figures.
    hard = replace(HIT, wound_threshold=9)
    assert duel_outcomes(Duel(HIT, hard, round_limit=1)) == {(0, 1, 6, 8, 2, 2): 1.0}
    assert duel_outcomes(Duel(HIT, hard, round_limit=3)) == {(0, 3, 2, 8, 1, 2): 1.0}
    # With 66 wounds suffered b has 6, all on one figure in one tray, and threat 1: 4, 2, 0; a: 7, 6.
    hurt = replace(hard, wounds_suffered=66)
    assert duel_outcomes(Duel(HIT, hurt, round_limit=3)) == {(1, 3, 6, 0, 2, 0): 1.0}


def test_both_may_fall_at_once() -> None:
    weak = replace(HIT, wounds_suffered=6)
    # One tray with two figures: threat 1, so two rounds.
    assert duel_outcomes(Duel(weak, weak, simultaneous=True)) == {(0, 2, 0, 0, 0, 0): 1.0}
    assert duel_outcomes(Duel(weak, weak)) == {(1, 2, 1, 0, 1, 0): 1.0}


def test_volleys_before_contact() -> None:
    archers = replace(HIT, ranged=("0", "0", "1"), add_hits=0, add_mortal_strikes=1)
    # Volleys: b has no ranged attack. Each white die adds hits of threat 2 and mortal strikes.
    found = duel_outcomes(Duel(archers, replace(HIT, wound_threshold=99), volleys=2, round_limit=2))
    assert {end[2] for end in found} == {8}
    found = duel_outcomes(Duel(archers, replace(HIT, wound_threshold=99), volleys=2, round_limit=3))
    assert {end[2] for end in found} == {6}


def test_figures_come_back_and_trays_join() -> None:
    mender = Unit(dice=("0", "0", "0"), regenerate="1")
    # Two die each round and one comes back: 7, 6; of four left, in one full tray, no slot is empty; then two and one.
    ends = [next(iter(duel_outcomes(Duel(HIT, mender, round_limit=n)))) for n in (1, 2, 3, 4)]
    assert [end[3] for end in ends] == [7, 6, 4, 3]
    joined = Unit(dice=("0", "0", "0"), columns=1, trays_added=1)
    quiet = replace(HIT, add_hits=0)
    ends = [next(iter(duel_outcomes(Duel(quiet, joined, round_limit=n)))) for n in (1, 2, 3, 4)]
    assert [(end[3], end[5]) for end in ends] == [(8, 2), (12, 3), (16, 4), (16, 4)]


@pytest.mark.parametrize(("figures", "ranks"), [(1, 1), pytest.param(2, 2, marks=pytest.mark.slow)])
def test_chances_of_a_duel_add_up(figures: int, ranks: int) -> None:
    cavalry = Unit(dice=("2", "1", "0"), figures_per_tray=figures, defence="2", ranks=ranks)
    golems = Unit(dice=("2", "0", "0"), figures_per_tray=1, wound_threshold=2, defence="4", brutal="stable")
    found = duel_outcomes(Duel(cavalry, golems))
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert {end[0] for end in found} == {0, 1, 2}
