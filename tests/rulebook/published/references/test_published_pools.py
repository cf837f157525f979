"""The reference implementations of pools of dice say what others have published; each test names its source."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.rulebook.published.references.chances import chance_of, mean
from tests.rulebook.published.references.pools import (
    dice_against_dice,
    fleet,
    hit_wound_save,
    nerve,
    pins,
    quality_defence,
    sorted_pairs,
    symbol_dice,
)

TWO_DICE_AT_MOST = dict(zip(range(2, 12), (2.8, 8.3, 16.7, 27.8, 41.7, 58.3, 72.2, 83.3, 91.7, 97.2), strict=True))
"""Chance in percent of two dice at most so much: warhamsandwich.com, "Two Dee Six" (2011)."""


def squad(**fields: object) -> dict[str, object]:
    plain = {"attacks": 1, "skill": 4, "strength": 4, "ap": 0, "damage": 1, "toughness": 4, "save": 7, "wounds": 1}
    return {**plain, "size": 1, "keywords": "", **fields}


class TestHitWoundSave:
    def test_ten_shots_at_average_troops(self) -> None:
        """Ten shots, 1/2 to hit, 1/2 to wound, 1/3 saved: 5/3 ("Visual Mathhammer for 8th edition", B4cchus)."""
        law = hit_wound_save.attack(squad(attacks=10), squad(save=5, wounds=100))
        assert mean(law) == Fraction(5, 3)

    def test_ones_rolled_again(self) -> None:
        """The same article: 8 shots hitting on 5 with ones again, wounding on 3, saved on 5: 8 x 7/18 x 2/3 x 2/3."""
        me = squad(attacks=8, skill=5, strength=6, keywords="reliable")
        assert mean(hit_wound_save.attack(me, squad(toughness=5, save=5, wounds=100))) * Fraction(
            7, 2
        ) == pytest.approx(4.839506172839506)

    def test_every_miss_rolled_again(self) -> None:
        """With p to hit, rolling misses again hits with 1 - (1 - p)^2."""
        me, foe = squad(skill=5, strength=9, keywords="hateful"), squad(toughness=3)
        assert mean(hit_wound_save.attack(me, foe)) == (1 - Fraction(2, 3) ** 2) * Fraction(5, 6)

    def test_a_six_wounds_by_itself(self) -> None:
        """By hand: hits of 4 and 5 wound on 6, a six always: 2/6 x 1/6 + 1/6."""
        law = hit_wound_save.attack(squad(strength=3, keywords="lethal"), squad(toughness=8))
        assert mean(law) == Fraction(2, 6) * Fraction(1, 6) + Fraction(1, 6)

    def test_excess_is_lost(self) -> None:
        """Five hits of 3 on figures of 2 wounds kill five figures; the fourth of a wounded unit kills the odd one."""
        assert hit_wound_save.left_after(12, 5, 3, 2) == 2
        assert [hit_wound_save.left_after(7, hits, 3, 2) for hits in range(5)] == [7, 6, 4, 2, 0]

    def test_duel_of_one_shot_each(self) -> None:
        """Who shoots first wins 1 / (2 - p) of duels in which each shot kills with p: the classical duel of equals."""
        results = hit_wound_save.duel(squad(strength=9), squad(strength=9, toughness=4))
        p = 1 / 2 * 5 / 6
        assert results["first"] == pytest.approx(1 / (2 - p), abs=1e-12)


class TestQualityDefence:
    def test_half_and_half(self) -> None:
        """Quality 4+ against defence 4+ wounds one time in four: n dice make a binomial law of n and 1/4."""
        me = {"attacks": 3, "quality": 4, "ap": 0, "wounds": 1, "size": 1}
        law = quality_defence.attack(me, {"defence": 4, "quality": 4, "wounds": 30})
        assert chance_of(law, lambda after: after[0] == 3) == Fraction(1, 64)
        assert chance_of(law, lambda after: after[0] == 0) == Fraction(27, 64)

    def test_a_rending_six(self) -> None:
        """By hand: a six is blocked by nothing but an 8, so always wounds a 4+; others half the time."""
        me = {"attacks": 1, "quality": 4, "ap": 0, "wounds": 1, "size": 1, "keywords": "rending"}
        law = quality_defence.attack(me, {"defence": 4, "quality": 4, "wounds": 30})
        assert chance_of(law, lambda after: after[0] == 1) == Fraction(1, 6) + Fraction(2, 6) / 2

    def test_half_of_a_unit_tests_its_quality(self) -> None:
        me = {"attacks": 1, "quality": 2, "ap": 9, "wounds": 1, "size": 1}
        law = quality_defence.attack(me, {"defence": 4, "quality": 5, "wounds": 2})
        assert law == {
            (0, 0): Fraction(1, 6),
            (1, 1): Fraction(5, 6) * Fraction(4, 6),
            (1, 0): Fraction(5, 6) * Fraction(2, 6),
        }


class TestDiceAgainstDice:
    def test_one_die_each(self) -> None:
        """One attack die of 4 in 8 past one defence die of 3 in 8: "31 %" (stayontheleader.blogspot.com, Feb 2016)."""
        assert round(100 * dice_against_dice.chance_past(Fraction(4, 8), Fraction(3, 8))) == 31

    def test_a_critical_needs_a_critical_or_two(self) -> None:
        """A hit is cancelled by a save or a critical one, a critical by a critical or two saves (goonhammer.com)."""
        past = dice_against_dice.past_defence
        assert past((1, 0), (1, 0)) == past((1, 0), (0, 1)) == past((0, 1), (0, 1)) == past((0, 1), (2, 0)) == (0, 0)
        assert past((0, 1), (1, 0)) == (0, 1)

    def test_one_die_each_by_hand(self) -> None:
        """On 3+ against 5+: a hit (3/6) is stopped by 2/6, a critical (1/6) by 1/6."""
        me = {"attacks": 1, "skill": 3, "damage": 3, "critical": 4}
        law = dice_against_dice.attack(me, {"defence": 1, "save": 5, "wounds": 9})
        assert law[3] == Fraction(3, 6) * Fraction(4, 6)
        assert law[4] == Fraction(1, 6) * Fraction(5, 6)


class TestSortedPairs:
    def test_three_dice_against_two(self) -> None:
        """2890, 2611 and 2275 of 7776: J. A. Osborne, "Markov Chains for the RISK Board Game Revisited" (2003)."""
        law = sorted_pairs.losses(3, 2)
        assert law == {(2, 0): Fraction(2890, 7776), (1, 1): Fraction(2611, 7776), (0, 2): Fraction(2275, 7776)}

    @pytest.mark.parametrize(
        ("armies", "percent"), enumerate((41.7, 36.3, 47.0, 47.7, 50.6, 52.1, 53.6, 54.7, 55.8, 56.8), start=1)
    )
    def test_equal_armies(self, armies: int, percent: float) -> None:
        """The diagonal of Osborne's table of conquest; from five armies on the attacker is ahead."""
        assert 100 * sorted_pairs.conquest(armies, armies) == pytest.approx(percent, abs=0.05)


class TestFleet:
    def test_two_battleships(self) -> None:
        """16, 8, 8 and 4 of 36 a round (Axis & Allies FAQ 1.4, section 16), so 1/2, 1/4 and 1/4 to the end."""
        law = fleet.hits([1], [4])
        assert law[1] ** 2 == Fraction(16, 36)
        assert law[1] * law[0] == Fraction(8, 36)
        assert fleet.battle(([1], [4]), ([1], [4])) == pytest.approx({"draw": 1 / 2, "first": 1 / 4, "second": 1 / 4})

    def test_six_tanks_against_six_infantry(self) -> None:
        """About 80 %, and 37 % after a poor first round (axisandallies.org, spring 1942 series, part 3)."""
        assert fleet.battle(([6], [3]), ([6], [2]))["first"] == pytest.approx(0.80, abs=0.01)
        assert fleet.battle(([3], [3]), ([4], [2]))["first"] == pytest.approx(0.37, abs=0.02)

    def test_ten_infantry(self) -> None:
        """Three hits of ten at 1 in 6: 10! / (3! 7!) (1/6)^3 (5/6)^7 (the same series, part 2)."""
        assert fleet.hits([10], [1])[3] == 120 * Fraction(1, 6) ** 3 * Fraction(5, 6) ** 7

    def test_the_smallest_are_lost_first(self) -> None:
        assert [fleet.afloat(ships, [2, 1, 1]) for ships in (4, 3, 2, 1, 0)] == [
            (2, 1, 1), (1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)
        ]  # fmt: skip


class TestSymbolDice:
    @pytest.mark.parametrize(("keyword", "figures", "dice"), [("foot", 4, 8), ("armour", 3, 9), ("gun", 2, 12)])
    def test_dice_that_remove_a_unit(self, keyword: str, figures: int, dice: int) -> None:
        """8, 9 and 12 dice on average (quantifyingstrategy.com, "What's the toughest unit", errata of May 2021)."""
        assert symbol_dice.dice_needed({"figures": figures, "keywords": keyword}) == dice

    def test_flags_and_hits_of_one_throw(self) -> None:
        law = symbol_dice.attack({"dice": 1}, {"figures": 4, "keywords": "foot"})
        assert law == {(1, 0): Fraction(3, 6), (0, 1): Fraction(1, 6), (0, 0): Fraction(2, 6)}


class TestNerve:
    @pytest.mark.parametrize("limit", range(3, 13))
    def test_a_test_is_two_dice(self, limit: int) -> None:
        """Routs unless two dice are at most the limit, less the damage, less one."""
        assert 100 * (1 - nerve.rout_chance(limit + 5, 5)) == pytest.approx(TWO_DICE_AT_MOST[limit - 1], abs=0.051)

    def test_nine_dice_on_three(self) -> None:
        """Nine dice needing 3+ make six hits on average (manticgames.com, "Math Hammer", October 2022)."""
        me = {"attacks": 9, "melee": 3, "crushing": 0}
        hits = mean(nerve.damage(me, {"defence": 1}))
        assert hits == 6 * nerve.roll(2, again=False)

    def test_no_damage_no_test(self) -> None:
        me = {"attacks": 1, "melee": 4, "crushing": 0}
        law = nerve.attack(me, {"defence": 4, "waver": 4, "rout": 8}, gathered=3)
        assert law[0, 0, 0] == Fraction(3, 4)
        assert law[1, 1, 1] == Fraction(1, 4) * Fraction(33, 36)


class TestPins:
    @pytest.mark.parametrize("pins_", range(8))
    def test_an_order_test_is_two_dice(self, pins_: int) -> None:
        assert 100 * pins.holds({"morale": 9}, pins_) == pytest.approx(TWO_DICE_AT_MOST[max(2, 9 - pins_)], abs=0.051)

    def test_any_hit_pins_once(self) -> None:
        """Two shots on 3+ against 4+, by hand: no hit 1/9; each hit kills half the time."""
        me, foe = {"figures": 2, "shots": 1, "morale": 9}, {"figures": 10, "toughness": 4, "morale": 9}
        assert pins.attack(me, foe) == {
            (0, 0, 0): Fraction(1, 9),
            (0, 1, 0): Fraction(3, 9),
            (1, 1, 0): Fraction(4, 9),
            (2, 1, 0): Fraction(1, 9),
        }
