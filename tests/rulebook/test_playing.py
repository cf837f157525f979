"""A game file is played by its steps: laws against fractions by hand, its promises, keywords, turns, ends, choices."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import pytest

from balance.base.errors import BalanceError
from balance.game.authoring.conformance import check_game
from balance.game.loaded import LoadedGame, load

if TYPE_CHECKING:
    from pathlib import Path

IRON = """
title = "Iron and Dust"
health = "wounds"

[units]
raider = { name = "Raider", cost_points = 10, attacks = 2, skill = 4, save = 5, wounds = 2, keywords = "reliable" }
brute = { name = "Brute", cost_points = 18, attacks = 3, skill = 5, save = 4, wounds = 3, keywords = "tough" }
rat = { name = "Rat", cost_points = 3, attacks = 1, skill = 3, save = 7, wounds = 1 }

[attack]
hits = "me.attacks d6 count me.skill+"
past = "hits d6 count < foe.save"
"foe.wounds" = "foe.wounds - past"
"""


def game(folder: Path, text: str = IRON, more: str = "") -> LoadedGame:
    """Return the game of a file with this text."""
    path = folder / "iron.toml"
    path.write_text(text + more, "utf-8")
    return load(str(path))


def shares(question_law: dict[str, list[int]], column: str) -> dict[int, Fraction]:
    """Return the chance of each value of a column."""
    total = sum(question_law["weight"])
    weights: dict[int, int] = {}
    for value, weight in zip(question_law[column], question_law["weight"], strict=True):
        weights[value] = weights.get(value, 0) + weight
    return {value: Fraction(weight, total) for value, weight in sorted(weights.items())}


def damage(loaded: LoadedGame, attacker: str, defender: str) -> dict[int, Fraction]:
    """Return the exact law of the damage of one attack."""
    return shares(loaded.attack(attacker, defender).distribution.to_dict(), "damage")


def binomial(n: int, p: Fraction, most: int) -> dict[int, Fraction]:
    """Return the law of successes among n, of which at most so many count."""
    law: dict[int, Fraction] = {}
    for k in range(n + 1):
        law[min(k, most)] = law.get(min(k, most), Fraction()) + comb(n, k) * p**k * (1 - p) ** (n - k)
    return {value: chance for value, chance in law.items() if chance}


def test_an_attack_is_exact(tmp_path: Path) -> None:
    loaded = game(tmp_path)
    assert damage(loaded, "raider", "brute") == binomial(2, Fraction(1, 2) * Fraction(1, 2), 3)
    assert damage(loaded, "brute", "rat") == binomial(3, Fraction(1, 3), 1), "a save of 7 is none; no more than it has"


@pytest.mark.slow("test_an_attack_is_exact")
def test_the_game_keeps_its_promises(tmp_path: Path) -> None:
    game(tmp_path)
    assert check_game(str(tmp_path / "iron.toml")) == ()


def test_keywords_change_dice_results_and_whole_steps(tmp_path: Path) -> None:
    keywords = """
[keywords.reliable]
hits = "reroll 1"
[keywords.tough.attacked]
past = "max(0, past - 1)"
"""
    loaded = game(tmp_path, more=keywords)
    per_die = (Fraction(1, 2) + Fraction(1, 6) * Fraction(1, 2)) * Fraction(1, 2)
    two = per_die**2
    assert damage(loaded, "raider", "brute") == {0: 1 - two, 1: two}
    assert damage(loaded, "rat", "raider") == binomial(1, Fraction(2, 3) * Fraction(4, 6), 2), "which has neither"


def test_dice_of_a_step_are_counted_again(tmp_path: Path) -> None:
    """A natural 6 wounds by itself: of 2 dice each wounds by 1/6 + (1/3)(1/2)."""
    attack = """
[attack]
roll = "me.attacks d6"
sixes = "roll count 6"
hits = "roll count me.skill..5"
past = "hits d6 count < foe.save"
"foe.wounds" = "foe.wounds - past - sixes"
"""
    loaded = game(tmp_path, IRON.partition("[attack]")[0] + attack)
    assert damage(loaded, "raider", "brute") == binomial(2, Fraction(1, 6) + Fraction(1, 3) * Fraction(1, 2), 3)


def test_a_duel_is_the_race_that_it_is(tmp_path: Path) -> None:
    """Rat against rat: whoever goes first wins 1 / (2 - p) of duels, p = 2/3 each strike."""
    loaded = game(tmp_path)
    first = loaded.duel("rat", "rat", first="a").p_win()
    p = Fraction(2, 3)
    assert first["a"] == pytest.approx(float(p / (1 - (1 - p) ** 2)), abs=1e-9)


def test_sides_that_act_at_once_may_both_fall(tmp_path: Path) -> None:
    """Rat against rat, p = 2/3: both fall together in p^2 / (1 - (1 - p)^2) = 1/2 of duels."""
    loaded = game(tmp_path, more='[turns]\norder = "simultaneous"\n')
    chances = loaded.duel("rat", "rat").p_win()
    assert chances == pytest.approx({"a": 0.25, "b": 0.25, "draw": 0.5}, abs=1e-9)


def test_whoever_has_the_initiative_goes_first(tmp_path: Path) -> None:
    """By d6 + 9 for the raider, so it always leads: as if it went first each round."""
    text = IRON.replace("attacks = 2, skill = 4", "attacks = 2, speed = 9, skill = 4").replace(
        "attacks = 3,", "attacks = 3, speed = 0,"
    )
    text = text.replace("attacks = 1,", "attacks = 1, speed = 0,")
    plain = game(tmp_path, text).duel("raider", "rat", first="a").p_win()
    rolled = game(tmp_path, text, '[turns]\norder = "initiative"\ninitiative = "d6 + me.speed"\n').duel("raider", "rat")
    assert rolled.p_win() == pytest.approx(plain, abs=1e-9)


def test_tokens_last_until_they_are_taken_off(tmp_path: Path) -> None:
    """A unit that was hit is stunned and does nothing in its next turn: after one hit the rat's foe strikes twice."""
    stun = """
[tokens]
stunned = 0
[turn]
acts = "if(me.stunned, 0, 1)"
"me.stunned" = "0"
"""
    text = IRON + '"foe.stunned" = "if(hits > 0, 1, foe.stunned)"\n' + stun
    loaded = game(tmp_path, text)
    assert list(loaded.attack("raider", "brute").distribution.columns) == ["damage", "foe_stunned"]
    plain = game(tmp_path).duel("raider", "brute", first="a").p_win()
    assert loaded.duel("raider", "brute", first="a").p_win()["a"] > plain["a"] + 0.01


def test_after_the_last_round_the_score_decides(tmp_path: Path) -> None:
    ends = '[ends]\nrounds = 1\nscore = "me.wounds"\n'
    loaded = game(tmp_path, more=ends)
    question = loaded.duel("raider", "brute", first="a")
    assert question.distribution.marginal("rounds").to_dict()["rounds"] == [1]
    assert question.p_win()["draw"] > 0


@pytest.mark.slow("test_choices_are_solved_where_sides_act_in_turn")
def test_a_side_may_choose_and_policies_say_how(tmp_path: Path) -> None:
    choices = """
[choices.effort]
steady = {}
all_out = { may = "me.wounds > 1", hits = "(me.attacks + 2) d6 count me.skill+", "me.wounds" = "me.wounds - 1" }
[policies.effort.finisher]
all_out = "foe.wounds <= 1"
"""
    loaded = game(tmp_path, more=choices)
    kind = loaded.definition.kinds["duel"]
    assert kind.choices["policy_a"] == ("steady", "all_out", "finisher")
    wins = {
        name: loaded.ask("duel", "brute", "raider", first="a", policy_a=name).p_win()["a"]
        for name in kind.choices["policy_a"]
    }
    assert wins["steady"] == pytest.approx(game(tmp_path).duel("brute", "raider", first="a").p_win()["a"], abs=1e-9)
    assert len({round(chance, 6) for chance in wins.values()}) == 3
    game(tmp_path, more=choices)
    assert check_game(str(tmp_path / "iron.toml")) == ()


def test_choices_are_solved_where_sides_act_in_turn(tmp_path: Path) -> None:
    """A rat that strikes wildly hits on 3 or more, else on 5 or more: both do, as if there were no choice."""
    text = IRON.replace("attacks = 1, skill = 3", "attacks = 1, skill = 5")
    choices = """
[choices.blow]
careful = {}
wild = { hits = "me.attacks d6 count 3+" }
"""
    loaded = game(tmp_path, text, choices)
    solution = loaded.duel("rat", "rat", first="a").solve()
    p = Fraction(2, 3)
    assert solution.value == pytest.approx(float(p / (1 - (1 - p) ** 2)), abs=1e-8)
    assert solution.tables[0].rows == (("a", "first", "wild"), ("b", "after the other", "wild"))
    both = loaded.ask("duel", "rat", "rat", first="a", policy_a="wild", policy_b="wild").p_win()["a"]
    assert both == pytest.approx(solution.value, abs=1e-8)


def test_armies_stand_in_line(tmp_path: Path) -> None:
    """Two rats with excess carried fall to two wounds at once; with excess lost one of them lives."""
    strong = IRON.replace("attacks = 3, skill = 5", "attacks = 9, skill = 1")
    lost = game(tmp_path, strong).ask("battle", "brute", "rat,rat", first="a").distribution
    carried = game(tmp_path, strong, '[armies]\nexcess = "carried"\n').ask("battle", "brute", "rat,rat", first="a")
    assert lost.marginal("rounds").to_dict()["rounds"][0] == 2
    assert carried.distribution.marginal("rounds").to_dict()["rounds"] == [1]


def test_what_is_wrong_is_told_by_line(tmp_path: Path) -> None:
    with pytest.raises(BalanceError) as caught:
        game(tmp_path, IRON.replace("foe.save", "foe.sav").replace("me.skill+", "me.skil+"))
    lines = [(fault.row, fault.field, fault.tip) for fault in caught.value.faults]
    assert lines == [
        (11, "attack.hits", "did you mean me.skill?"),
        (12, "attack.past", "did you mean foe.save?"),
    ]


def test_a_result_that_makes_no_sense_is_told_with_its_values(tmp_path: Path) -> None:
    loaded = game(tmp_path, IRON.replace("hits d6 count < foe.save", "hits d(foe.save - 5)"))
    with pytest.raises(BalanceError, match=r"row 12, attack\.past.*where hits = .*, foe\.save = 5"):
        _ = loaded.attack("rat", "raider").distribution


def test_the_same_seed_rolls_the_same_whatever_was_asked_before(tmp_path: Path) -> None:
    """The dice of a step stand for values in their order, not in the order in which trials met them."""
    strong = IRON.replace(
        "attacks = 2, skill = 4, save = 5, wounds = 2", "attacks = 5, skill = 5, save = 5, wounds = 50"
    )
    text = strong.replace("hits d6 count < foe.save", "(hits)d3")
    for seed in range(6):
        drawn = []
        for title in (f"Iron {seed}", f"Dust {seed}"):  # other games, so that nothing is remembered of an earlier one
            loaded = game(tmp_path, text.replace("Iron and Dust", title))
            if title.startswith("Dust"):
                assert loaded.attack("raider", "brute").distribution
            drawn.append(loaded.duel("raider", "raider", first="a").simulate(6, seed=seed).tally.counts.to_dict())
        assert drawn[0] == drawn[1], seed
