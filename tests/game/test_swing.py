"""How far single results lie from their mean: exactly, as simulated, and on the command line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import balance as toolkit
from balance.analysis.luck.question import luck
from balance.chance.dice import odds
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.game.question.answer import answer
from balance.game.question.choices import Budget
from balance.game.question.question import Question, Sample
from tests.cli.conftest import Command, balance, plain_surroundings  # noqa: F401 - fixtures
from tests.toy.game import GAME as TOY
from tests.toy.renamed import GAME as RENAMED

ASKED = (
    ("warforged", "attack", "nexus+assault_rifle", "whisper"),
    ("warforged", "duel", "nexus+assault_rifle", "vanguard+laser_carbine"),
    ("battlelore", "combat", "blue_mounted", "dwarf_blue_foot"),
    ("battlelore", "duel", "blue_foot", "goblin_blue_foot"),
    ("runewars", "attack", "spearmen+3x2", "carrion_lancers+3x2"),
    ("immortal_souls", "attack", "thorgar", "red_gremlin"),
    ("edadh", "turn", "huaos_dzaa_learning", "angueth_warband"),
)
FARTHEST = 5
"""Standard errors: each of some 90 numbers is farther off by chance in less than one of a million seeds."""


def ask(game: str, kind: str, one: str, other: str, *changes: str) -> Question:
    return toolkit.load(game).ask(kind, one, other, list(changes))


# -- exact ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_of_dice_that_hit_it_is_that_of_a_binomial(dice: int) -> None:
    shot = answer(ask("battlelore", "attack", "blue_mounted", "dwarf_blue_foot", f"attacker.dice={dice}"))
    assert shot.exact is not None
    p = shot.exact.mean("hits") / dice
    assert 0 < p < 1
    assert shot.sd["hits"] == pytest.approx(math.sqrt(dice * p * (1 - p)), rel=1e-12)
    assert shot.swing["hits"] == pytest.approx(math.sqrt((1 - p) / (dice * p)), rel=1e-12)


def test_of_waiting_for_the_first_hit_it_is_that_of_a_geometric_distribution() -> None:
    """That law goes on without end and is solved in floating point."""
    asked = ("nexus+shotgun", "trooper", "defender.health=1")
    p = ask("warforged", "attack", *asked).distribution.chance(lambda damage: damage > 0)
    assert 0.1 < p < 0.95
    assert answer(ask("warforged", "kill", *asked)).swing["actions"] == pytest.approx(math.sqrt(1 - p), rel=1e-9)


@pytest.mark.parametrize("asked", ASKED)
def test_it_is_worked_out_from_the_law_as_one_would_by_hand(asked: tuple[str, str, str, str]) -> None:
    found = answer(ask(*asked))
    law, kind = found.exact, found.question.kind
    assert law is not None and set(found.sd) == set(found.swing) == set(law.columns)
    for column in law.columns:
        if column in kind.categories:
            assert (found.sd[column], found.swing[column]) == (None, None), "codes have no spread"
            continue
        values = law[column].astype(float)
        mean = math.fsum(law.p * values)
        sd = math.sqrt(math.fsum(law.p * (values - mean) ** 2))
        assert found.sd[column] == pytest.approx(sd, rel=1e-9, abs=1e-12)
        if values.min() < 0 < values.max() or not values.any():
            assert found.swing[column] is None
        else:
            assert found.swing[column] == pytest.approx(sd / abs(mean), rel=1e-9, abs=1e-12)


def test_luck_and_dice_have_the_same_swing() -> None:
    shot = ask(*ASKED[0])
    assert luck(shot).swing == pytest.approx(answer(shot).swing["damage"])
    prize = ask("immortal_souls", "gamble", "ecarus_black_rose", "MAG")
    assert prize.distribution["crowns"].min() < 0 < prize.distribution["crowns"].max()
    assert answer(prize).swing["crowns"] is luck(prize).swing is None
    three = ask("battlelore", "attack", "blue_mounted", "dwarf_blue_foot", "attacker.dice=3")
    hits = round(6 * three.distribution.mean("hits") / 3)
    assert answer(three).swing["hits"] == pytest.approx(odds(f"3d6 count <={hits}").swing())


def test_it_is_the_same_whatever_the_columns_are_called() -> None:
    one, other = (
        answer(toolkit.load(game).duel("knight", "rat", {"b.health": 9}), Budget(trials=300)) for game in (TOY, RENAMED)
    )
    assert (one.swing["strikes"], one.sd["strikes"]) == (other.swing["winner"], other.sd["winner"])
    assert (one.swing["winner"], other.swing["outcome"]) == (None, None)
    assert one.simulated is not None and other.simulated is not None
    assert one.simulated.swing("strikes") == other.simulated.swing("winner") is not None


# -- simulated --------------------------------------------------------------------------------------------------------


def moving(question: Question) -> list[str]:
    law, kind = question.distribution, question.kind
    return [column for column in law.columns if column not in kind.categories and law.swing(column)]


def far(seen: Estimate | None, true: float) -> float:
    """Return how many standard errors an estimate is off; infinite where there is none."""
    return math.inf if seen is None or not seen.error else abs(seen.value - true) / seen.error


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_simulated_agrees_with_what_is_exact(asked: tuple[str, str, str, str]) -> None:
    question = ask(*asked)
    law, sample = question.distribution, question.simulate(20_000, seed=3)
    columns = moving(question)
    assert columns
    assert max(far(sample.swing(column), law.swing(column) or 0.0) for column in columns) < FARTHEST
    assert max(far(sample.sd(column), law.sd(column)) for column in columns) < FARTHEST


def test_another_card_has_another_swing() -> None:
    """Negative control: one point of armour is noticed, as is a deviation that is taken for a swing."""
    question, other = ask(*ASKED[0]), ask(*ASKED[0], "defender.armour=4")
    sample = question.simulate(20_000, seed=3)
    assert far(sample.swing("damage"), other.distribution.swing("damage") or 0.0) > FARTHEST
    assert far(sample.swing("damage"), question.distribution.sd("damage")) > FARTHEST


def drawn(question: Question, column: str, n: int, times: int) -> Iterator[Sample]:
    """Yield samples of one column, drawn from its law."""
    law, first = question.distribution.marginal(column), question.simulate(10)
    rng = np.random.default_rng(8)
    for counts in rng.multinomial(n, law.p / law.p.sum(), times):
        kept = counts > 0
        yield replace(first, tally=replace(first.tally, result=Pmf((column,), law.outcomes[kept], counts[kept])))


@pytest.mark.parametrize("place, column", [(0, "damage"), (0, "critical"), (1, "rounds"), (2, "flags"), (4, "hits")])
def test_intervals_cover_as_often_as_they_say(place: int, column: str) -> None:
    """Of 400 samples 95% cover; fewer than 364 or more than 394 do in less than one of 1,000 seeds each.

    Negative control: intervals half as wide cover 67%.
    """
    question = ask(*ASKED[place])
    law = question.distribution
    for true, seen in (
        (law.swing(column), [sample.swing(column) for sample in drawn(question, column, 1000, 400)]),
        (law.sd(column), [sample.sd(column) for sample in drawn(question, column, 1000, 400)]),
    ):
        off = np.array([abs(one.value - true) / one.half_width for one in seen if one is not None and true is not None])
        assert len(off) == 400
        assert 364 <= (off <= 1).sum() <= 394
        assert (off <= 0.5).sum() < 330


def test_trials_that_are_all_alike_do_not_tell_how_far_others_may_lie() -> None:
    shot = ask("warforged", "attack", "nexus+shotgun", "trooper")
    for sample in (shot.simulate(1), *drawn(shot, "hit", 1, 1)):
        assert [(sample.sd(column), sample.swing(column)) for column in sample.distribution.columns] == [
            (None, None)
        ] * len(sample.distribution.columns)
    alone = replace(answer(shot, Budget(trials=1)), exact=None)
    assert set(alone.sd.values()) == set(alone.swing.values()) == {None}


def test_what_is_exactly_the_same_always_has_a_swing_of_0() -> None:
    sure = answer(ask("immortal_souls", "gamble", "thorgar", "LEG"))
    assert sure.exact is not None and len(sure.exact) == 1
    for column in sure.exact.columns:
        mean = sure.exact.mean(column)
        assert (sure.sd[column], sure.swing[column]) == (0.0, 0.0 if mean else None)


# -- on the command line ----------------------------------------------------------------------------------------------


def no_nan(text: str) -> Any:
    raise AssertionError(f"{text} in JSON")


@pytest.mark.parametrize("asked", ASKED)
def test_json_has_them_for_each_mean_and_null_where_there_is_none(
    asked: tuple[str, str, str, str],
    balance: Command,  # noqa: F811
) -> None:
    game, kind, *pair = asked
    told = json.loads(balance("ask", game, kind, *pair, "--trials", "400", "--json").out, parse_constant=no_nan)
    codes = ask(*asked).kind.categories
    for part in (told["exact"], told["simulated"], *([told["kill"]] if "kill" in told else [])):
        assert set(part["sd"]) == set(part["swing"]) == set(part["mean"])
        for column, mean in part["mean"].items():
            chances = {int(value): p for value, p in part["pmf"][column].items()}
            sd = math.sqrt(math.fsum(p * (value - mean) ** 2 for value, p in chances.items()))
            unseen = column in codes or (part is told["simulated"] and len(chances) == 1)
            assert part["sd"][column] == (None if unseen else pytest.approx(sd, rel=1e-9, abs=1e-12))
            none = unseen or mean == 0 or min(chances) < 0 < max(chances)
            swing = None if none else pytest.approx(sd / abs(mean), rel=1e-9, abs=1e-12)
            assert part["swing"][column] == swing
    sample = told["simulated"]
    for name in ("sd", "swing"):
        for column, ends in sample["interval"][name].items():
            value = sample[name][column]
            assert (ends is None) == (value is None)
            assert ends is None or ends[0] <= value <= ends[1]


def test_the_screen_has_it_beside_each_mean_and_says_once_what_it_is(balance: Command) -> None:  # noqa: F811
    out = balance("attack", "warforged", "nexus+assault_rifle", "whisper", "--more").out
    assert "outcome      mean   swing   at least 1" in out
    assert "damage     3.0000   0.624" in out
    assert "1.92 on average (swing 0.453)" in " ".join(out.split())
    assert out.count("Swing is the standard deviation over the mean.") == 1
    assert "not measurable" not in out


def test_the_screen_has_a_dash_where_there_is_none_and_says_why(balance: Command) -> None:  # noqa: F811
    out = " ".join(balance("ask", "immortal_souls", "gamble", "ecarus_black_rose", "MAG", "--more").out.split())
    assert "crowns 5.0000 – – " in out
    assert "– is not measurable here, as the mean is 0 or values lie on both sides of 0." in out
    out = " ".join(balance("luck", "immortal_souls", "gamble", "ecarus_black_rose", "MAG", "--more").out.split())
    assert "not measurable here, as the mean is 0 or values lie on both sides of 0" in out
