"""Trials of several questions in one run come out as each question gives them alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

import balance
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials import together
from balance.chance.trials.together import play_blocks
from balance.game.question.question import Question
from balance.games.battlelore import GAME
from balance.games.battlelore.adventure.policies.scripts import SCRIPTS


def asked(adventure: str, *changes: str, first: str | None = None, **choices: str) -> Question:
    game = balance.load(GAME)
    return game.ask("battle", *game.pair("battle", adventure, ""), list(changes), first, **choices)


def is_alone(question: Question) -> bool:
    how = question.kind.joint
    return how is None or how.key(question.setup) is None


def assert_as_alone(questions: Sequence[Question], n: int) -> None:
    kind = questions[0].kind
    joined, alone = (
        play_blocks(
            [(question.setup, RandomRolls(0, "joint", at % 2, n)) for at, question in enumerate(questions)],
            kind.processes,
            how,
        )
        for how in (kind.joint, None)
    )
    for beside, apart in zip(joined, alone, strict=True):
        assert beside.keys() == apart.keys()
        assert all((beside[name] == values).all() for name, values in apart.items())


@pytest.mark.parametrize("adventure", ["agincourt", "lore_duel"])
def test_every_trial_is_played_by_its_own_ways(adventure: str) -> None:
    ways = [("greedy", "careful"), ("hold", "rush"), ("flank", "focus"), ("random", "greedy")]
    questions = [asked(adventure, policy_a=a, policy_b=b) for a, b in ways]
    assert [is_alone(question) for question in questions] == [False, False, False, True]
    assert_as_alone([*questions, asked(adventure, first="a"), asked(adventure, first="b")], 3)


@pytest.mark.parametrize(
    ("adventure", "changes"),
    [
        ("agincourt", ["b.banners=2", "a.cards=9", "b.without=G2", "situation.turn_limit=7", "a.more=red_mounted@A1"]),
        ("lore_duel", ["b.banners=2", "a.tokens=1", "a.more=giant_spider@A1", "b.warrior=0"]),
    ],
)
def test_small_changes_are_played_beside_the_battle_that_they_change(adventure: str, changes: list[str]) -> None:
    questions = [asked(adventure), *(asked(adventure, change) for change in changes)]
    assert_as_alone([*questions, asked(adventure, policy_a="hold")], 4)


@pytest.mark.slow("test_every_trial_is_played_by_its_own_ways")
@pytest.mark.parametrize("adventure", ["agincourt", "ford_and_bridge", "hill_against_numbers", "lore_duel", "mirror"])
def test_every_two_scripts_play_in_one_run_as_they_play_alone(adventure: str) -> None:
    assert_as_alone([asked(adventure, policy_a=a, policy_b=b) for a, b in product(SCRIPTS, repeat=2)], 16)


def test_a_run_is_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "MOST_TRIALS", 5)
    assert_as_alone([asked("mirror", policy_a=way) for way in ("greedy", "hold", "rush")], 2)
