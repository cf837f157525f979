"""Dice of three colours: what they show, a pool of them laid out and put aside, and which are rolled again."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from balance.chance.rolls.rolls import RandomRolls
from balance.games.runewars.rules.dice import Die, Hand, laid_out, roll_missing, without
from balance.games.runewars.tables import Face
from tests.games.runewars.plays import GAME, chances, play, printed, strike

F = Fraction
FACES = tuple(GAME.catalogue.entries(Face).values())
RED, BLUE, WHITE = (
    Die(colour, tuple(face.results for face in FACES if face.die == colour)) for colour in ("red", "blue", "white")
)
SMALL = Hand(((Die("red", ("blank", "hit", "hit", "blank")), 2), (Die("blue", ("surge", "hit+surge")), 1)))
"""Two dice of hit and blank, and one of surge and hit with a surge: four faces, of which blank is counted last."""


def test_mean_hits_and_chances_of_surges() -> None:
    means = [strike({colour: 1}).distribution.mean("hits") for colour in ("red", "blue", "white")]
    assert means == pytest.approx([3 / 4, 1 / 2, 3 / 4], abs=1e-15)
    assert [die.mean for die in (RED, BLUE, WHITE)] == pytest.approx([3 / 4, 1 / 2, 10 / 12], abs=1e-15)
    for unit, chance in (("spearmen", F(10, 64)), ("oathsworn_cavalry", F(99, 512))):
        found = chances(GAME.ask("attack", unit, "reanimates", {"attacker.columns": 2, "attacker.ranks": 1}), "surges")
        assert sum(p for surges, p in found.items() if surges >= 2) == chance


def test_each_face_counts_once_and_blank_last() -> None:
    assert RED.distinct == ("hit", "morale", "hit+hit", "hit+morale", "hit+surge", "blank")
    assert RED.weights.tolist() == [2, 1, 1, 1, 1, 2]
    assert RED.icons.tolist() == [
        [1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [2, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0],
    ]  # fmt: skip
    assert (len(BLUE.distinct), len(WHITE.distinct)) == (7, 9)
    assert Die("red", ("hit",) * 8).symbol_die is None


def test_what_a_hand_knows_of_its_faces() -> None:
    assert (SMALL.n_dice, SMALL.spans) == (3, (slice(0, 2), slice(2, 4)))
    assert SMALL.colour_of.tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert SMALL.harms.tolist() == [1, 0, 0, 1, 0]
    assert SMALL.idle.tolist() == [False, True, True, False, False]
    assert Hand(()).colour_of.shape == (0, 0)
    assert (Hand(()).n_dice, Hand(()).icons.tolist()) == (0, [[0, 0, 0, 0, 0]])


def test_a_pool_is_laid_out_and_put_aside() -> None:
    pool = np.array([[1, 1, 0, 1], [2, 0, 1, 0], [0, 1, 0, 0]], np.int16)
    dice = laid_out(SMALL, pool)
    assert dice.tolist() == [[0, 1, 3], [0, 0, 2], [1, 4, 4]]
    chosen = np.array([[False, True, True], [True, False, False], [False, False, False]])
    assert without(pool, dice, chosen).tolist() == [[1, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0]]


def test_only_dice_that_are_missing_are_rolled() -> None:
    n = 400
    numbers = np.tile(np.array([2, 1], np.int16), (n, 1))
    kept = np.tile(np.array([1, 0, 0, 1], np.int16), (n, 1))
    again = roll_missing(SMALL, kept, numbers, RandomRolls(5, "dice", 0, n), " again 1", is_first=False)
    assert (again[:, 0] + again[:, 1] == 2).all() and (again[:, 2:] == [0, 1]).all()
    assert (again[:, 0] >= 1).all()
    assert 150 < (again[:, 0] == 2).sum() < 250  # five standard errors about one half
    first = roll_missing(SMALL, kept * 0, numbers, RandomRolls(5, "dice", 0, n), "", is_first=True)
    assert (first @ SMALL.colour_of == numbers).all()
    assert set(map(tuple, first.tolist())) == {(h, 2 - h, s, 1 - s) for h, s in product((0, 1, 2), (0, 1))}


def test_the_order_of_dice_without_a_hit() -> None:
    """RW-Q12: white, red, blue; of a colour the fewest icons, then surges, then accuracies."""
    hand = Hand(((RED, 1), (BLUE, 1), (WHITE, 1)))
    names = [f"{die.colour} {face}" for die, _ in hand.dice for face in die.distinct]
    idle = sorted((place, name) for place, name, at in zip(hand.worst_first, names, hand.idle, strict=False) if at)
    assert [name for _, name in idle] == [
        "white blank", "white surge+morale", "white surge+surge", "red blank", "red morale",
        "blue blank", "blue accuracy", "blue surge", "blue surge+surge",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("red", "blue", "white", "again"),
    [
        ("blank", "blank", "surge+surge", "white"),
        ("morale", "blank", "mortal_strike", "red"),
        ("hit", "surge+surge", "hit", "blue"),
        ("blank", "accuracy", "blank", "white"),
        ("hit", "hit", "hit", ""),
    ],
)
def test_a_partial_rank_rolls_the_first_of_them_again(red: str, blue: str, white: str, again: str) -> None:
    asked = strike({"red": 1, "blue": 1, "white": 1, "partial": 1}, {"defence": 99})
    more = {f"attack_{again}_partial": ["hit"]} if again else {}
    shown = [face for name, face in (("red", red), ("blue", blue), ("white", white)) if name != again]
    found = play(asked, attack_red=[red], attack_blue=[blue], attack_white=[white], **more)
    assert found["hits"] == sum(face.count("hit") for face in shown) + bool(again)
    assert found["surges"] == sum(face.count("surge") for face in shown)


def test_the_best_re_rolls_look_at_wounds_and_not_at_hits() -> None:
    """A red die, threat 1 and defence 2: a wound is two hits of one face, so that all other faces are rolled again."""
    fields = {"red": 1, "columns": 1, "ranks": 2}
    for rerolls, chance in (("none", F(8, 64)), ("no_hit", F(11, 64)), ("best", F(15, 64))):
        assert chances(strike(fields, {"defence": 2}, attacker_rerolls=rerolls), "wounds")[1] == chance
    # three times: twice for ranks and once for a partial one
    three = strike({**fields, "columns": 2, "ranks": 3, "partial": 1}, {"defence": 4}, attacker_rerolls="best")
    assert chances(three, "wounds")[1] == 1 - F(7, 8) ** 4


def test_the_best_re_rolls_keep_what_they_can_lose() -> None:
    """Hits of threat 1 on a lone figure: one is enough, so that no die is rolled again beside it."""
    asked = strike({"red": 2, "columns": 1, "ranks": 2}, {"wounds_suffered": 7}, attacker_rerolls="best")
    assert play(asked, attack_red=["hit", "blank"])["wounds"] == 1
    assert play(asked, attack_red=["morale", "blank"], attack_red_again_1=["hit", "blank"])["wounds"] == 1


def test_the_number_of_dice_may_hang_on_runes() -> None:
    """Ankaur Maro shoots as many white dice as runes are unstable: 0, 2 or 4."""
    faces = printed({f"faces.white_{n}.results": "hit" for n in range(1, 13)})
    asked = faces.ask("attack", "ankaur_maro", "reanimates", {"situation.attack": "ranged", "defender.defence": 99})
    assert chances(asked, "hits") == {0: F(1, 4), 2: F(1, 2), 4: F(1, 4)}
    assert play(asked, runes=[2, 1, 1, 1, 1])["hits"] == 2
    for n in (0, 2, 4):
        real = GAME.ask("attack", "ankaur_maro", "reanimates", {"situation.attack": "ranged", "attacker.white": n})
        assert real.distribution.mean("hits") == pytest.approx(n * 3 / 4, abs=1e-12)
