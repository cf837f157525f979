"""The reference implementations of single rolls and cards say what others have published."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.rulebook.published.references.chances import chance_of
from tests.rulebook.published.references.rolls import (
    activation,
    block_dice,
    combat_factors,
    d20,
    deck,
    opposed_d20,
    percentile,
    wild_dice,
)


class TestD20:
    @pytest.mark.parametrize(
        ("target", "advantage", "disadvantage"),
        [(2, 99.75, 90.25), (5, 96, 64), (8, 87.75, 42.25), (11, 75, 25), (15, 51, 9), (17, 36, 4), (18, 27.75, 2.25)],
    )
    def test_advantage(self, target: int, advantage: float, disadvantage: float) -> None:
        """Chances of reaching a target (A. Gelman's table; parslip-s-tyranny-of-dragons, "Understanding the Odds")."""
        better, worse = d20.roll(True, False), d20.roll(False, True)
        assert 100 * chance_of(better, lambda face: face >= target) == advantage
        assert 100 * chance_of(worse, lambda face: face >= target) == disadvantage

    def test_fifteen_with_a_bonus_of_five(self) -> None:
        """Class 15 with +5 is hit on 10, 55 %; a natural 20 comes in 5 % (pickrandom.online, "d20 probability")."""
        me = {"attack": 5, "dice": 1, "sides": 8, "bonus": 3, "critical": 20}
        law = d20.attack(me, {"armour": 15, "health": 100})
        assert 1 - law[0] == Fraction(55, 100)
        assert law[4] == Fraction(50, 100) / 8
        assert law[19] == Fraction(5, 100) / 64


class TestOpposedD20:
    def test_worked_example(self) -> None:
        """13 + 4 beats 7 + 2 and does 17 - 10 = 7 (the example of a knight and a thug, second edition)."""
        knight, thug = (
            {"fight": 4, "power": 0, "armour": 13, "health": 12},
            {"fight": 2, "power": 0, "armour": 10, "health": 10},
        )
        assert opposed_d20.harm(13, 13 + knight["fight"], knight, thug, False) == 7

    def test_equals(self) -> None:
        """Of equals each wins 190 of 400 and 20 tie; with armour 10 a winner hurts on 11 or more: 145 of 400 alone."""
        card = {"fight": 0, "power": 0, "armour": 10, "health": 20}
        law = opposed_d20.attack(card, card, double=False)
        assert chance_of(law, lambda lost: lost[0] > 0 and lost[1] == 0) == Fraction(145, 400)
        assert chance_of(law, lambda lost: lost[0] > 0 and lost[1] > 0) == Fraction(10, 400)


class TestActivation:
    @pytest.mark.parametrize(("quality", "percent"), [(2, 7.4), (3, 25.9), (4, 50.0), (5, 74.1), (6, 92.6)])
    def test_turnover_of_three_dice(self, quality: int, percent: float) -> None:
        """Two failures of three: 3 f^2 s + f^3, by the binomial law (wargaming-mechanics.blogspot.com, April 2017)."""
        assert 100 * activation.passes(quality, 3) == pytest.approx(percent, abs=0.05)

    def test_doubling(self) -> None:
        """4 against 2 doubles 9 times of 36 (iandrea.co.uk, "Visualising DBA combat odds"; the same comparison)."""
        law = activation.attack({"combat": 4}, {"combat": 2})
        assert chance_of(law, lambda new: new[0] == 1) == Fraction(9, 36)

    def test_a_fallen_figure_dies_when_beaten(self) -> None:
        law = activation.attack({"combat": 3}, {"combat": 3, "fallen": 1})
        assert chance_of(law, lambda new: new[0] == 1) == Fraction(26, 36)


class TestDeck:
    def test_one_card(self) -> None:
        """10 or more: 17 of 54; any one card: 1 of 54 (malifauxnoob.blogspot.com, "The Maths of Malifaux", 2011)."""
        assert chance_of(deck.flip(1), lambda card: card >= 10) == Fraction(17, 54)
        assert deck.flip(1)[14] == Fraction(1, 54)

    def test_two_cards(self) -> None:
        """By counting pairs: the black joker is in 53 of 1431, and counts; the red one in 53, less that pair."""
        law = deck.flip(2)
        assert law[0] == Fraction(53, 1431)
        assert law[14] == Fraction(52, 1431)
        assert chance_of(law, lambda card: card >= 10) == Fraction(1431 - 666 - 17, 1431)


class TestWildDice:
    @pytest.mark.parametrize(
        ("sides", "percents"),
        [
            (4, (96, 83, 63, 50, 32, 27)),
            (6, (97, 89, 75, 56, 31, 31)),
            (8, (98, 92, 81, 67, 48, 38)),
            (10, (98, 93, 85, 73, 58, 50)),
            (12, (99, 94, 88, 78, 65, 58)),
        ],
    )
    def test_targets(self, sides: int, percents: tuple[int, ...]) -> None:
        """Targets 2 to 7 with a wild die (1d8.blogspot.com, "Dice Probabilities in Savage Worlds", April 2011)."""
        law = wild_dice.fighting({"fighting": sides, "keywords": "wild"})
        for target, percent in enumerate(percents, start=2):
            assert 100 * wild_dice.wild_at_least(target, sides) == pytest.approx(percent, abs=0.51)
            at_least = sum((chance for total, chance in law.items() if total >= target), Fraction(0))
            assert at_least == wild_dice.wild_at_least(target, sides)

    def test_ten_on_an_eight_sided_die(self) -> None:
        """1/8 x 7/8 = 7/64 (insomnihack.com, "Savage Worlds Dice Probabilities", 2013)."""
        assert chance_of(wild_dice.exploding(8), lambda total: total >= 10) == Fraction(7, 64)


class TestPercentile:
    def test_critical_rolls(self) -> None:
        """01 for 10-29, 01-02 for 30-49, 01-03 for 50-69 of skill (a published aid to the third edition)."""
        ranges = {1: range(10, 30), 2: range(30, 50), 3: range(50, 70)}
        for highest, skills in ranges.items():
            assert {percentile.critical_up_to(skill) for skill in skills} == {highest}

    def test_places(self) -> None:
        """Legs 1 to 8 and arms 13 to 18 of a melee table (runequest.za.org, "Advanced hit locations", 2020)."""
        shares = {"limbs": Fraction(14, 20), "body": Fraction(4, 20), "head": Fraction(2, 20)}
        assert shares == percentile.PLACES

    def test_a_parry_by_hand(self) -> None:
        """60 against a parry of 40: 57 plain and 3 critical, stopped by 40 and by 2 of a hundred."""
        me = {"skill": 60, "dice": 0, "sides": 6, "bonus": 5}
        law = percentile.attack(me, {"parry": 40, "head": 0, "body": 0, "limbs": 0, "health": 20})
        assert law[5] == Fraction(57, 100) * Fraction(60, 100) + Fraction(3, 100) * Fraction(98, 100)


class TestBlockDice:
    TABLE = pytest.mark.parametrize(
        ("strength", "none", "one", "both"), [(3, 50, 33, 17), (4, 75, 56, 31), (7, 87, 70, 42)]
    )

    @TABLE
    def test_knocked_down(self, strength: int, none: int, one: int, both: int) -> None:
        """By a blocker with the skill, one to three dice (bloodsbowl.blogspot.com, "Blocking", November 2012)."""
        me = {"strength": strength, "keywords": "block"}
        for percent, keywords in ((none, ""), (one, "block"), (both, "block; dodge")):
            law = block_dice.block(me, {"strength": 3, "keywords": keywords})
            assert 100 * chance_of(law, lambda fall: fall[0] == 1) == pytest.approx(percent, abs=0.51)

    @pytest.mark.parametrize(("strength", "plain", "skilled"), [(3, 33, 17), (4, 11, 3), (7, 4, 0)])
    def test_own_goals(self, strength: int, plain: int, skilled: int) -> None:
        """The chance that the blocker goes down, without and with the skill: the same source."""
        for percent, keywords in ((plain, ""), (skilled, "block")):
            law = block_dice.block({"strength": strength, "keywords": keywords}, {"strength": 3, "keywords": "block"})
            assert 100 * chance_of(law, lambda fall: fall[1] == 1) == pytest.approx(percent, abs=0.51)


class TestCombatFactors:
    def test_four_against_two(self) -> None:
        """25, 47, 11, 17 and 0 % (MagWeb, Saga, December 1995); 9, 17, 4, 6 and 0 of 36 (iandrea.co.uk)."""
        law = combat_factors.compared(4, 2)
        words = ("doubles", "beats", "ties", "is beaten", "is doubled")
        assert [36 * law.get(word, Fraction(0)) for word in words] == [9, 17, 4, 6, 0]

    def test_a_lead_of_two(self) -> None:
        """72 % to win, 17 % to lose the roll (the same)."""
        law = combat_factors.compared(7, 5)
        assert 100 * (law["beats"] + law.get("doubles", 0)) == pytest.approx(72, abs=0.5)
        assert 100 * law["is beaten"] == pytest.approx(17, abs=0.5)
