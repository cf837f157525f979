"""A trial that is told is the very trial of the simulation with its seed, in whichever block it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from balance.base.errors import UsageError
from balance.game.loaded import load
from balance.game.question.narration import Line, Narration
from balance.game.question.question import Question
from balance.game.question.replay import Replay, replay

ENDS = {"The heroes have won": 1, "The heroes have lost": 2}


@pytest.fixture(scope="module")
def asked() -> Question:
    """Return an encounter in blocks of 12 trials."""
    found = load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush")
    return replace(found, kind=replace(found.kind, block_trials=12))


@pytest.fixture(scope="module")
def told_of(asked: Question) -> Callable[[int], Replay]:
    """Return a trial by its number; each is told once."""
    return cache(lambda trial: replay(asked, trial, seed=5))


@pytest.mark.slow("test_the_first_that_ends_so_is_found_in_the_blocks_that_follow")
def test_all_trials_told_are_those_of_the_simulation(asked: Question, told_of: Callable[[int], Replay]) -> None:
    all_told = [told_of(trial) for trial in range(24)]
    told = Counter(
        (ENDS[one.end.partition(":")[0]], int(one.lines[-1].moment.removeprefix("Round "))) for one in all_told
    )
    counts = asked.simulate(24, seed=5).distribution.marginal("winner", "rounds")
    assert told == {(int(won), int(rounds)): count for won, rounds, count in
                    zip(counts["winner"], counts["rounds"], counts.weights, strict=True)}  # fmt: skip
    assert [(one.trial, one.seed) for one in all_told] == [(trial, 5) for trial in range(24)]
    assert len({str(one) for one in all_told}) == 24


@pytest.mark.parametrize(("trial", "winner"), [(0, "heroes"), (3, "encounter"), (10, "encounter"), (10, "heroes")])
def test_the_first_that_ends_so_is_found_in_the_blocks_that_follow(
    asked: Question, told_of: Callable[[int], Replay], trial: int, winner: str
) -> None:
    all_told = map(told_of, range(trial, 24))
    wanted = next(one for one in all_told if ENDS[one.end.partition(":")[0]] == asked.kind.winners[winner])
    assert replay(asked, trial, seed=5, winner=winner) == wanted


@pytest.mark.slow("test_what_is_wrong_is_told")
def test_a_result_that_never_comes_is_told() -> None:
    won = load("immortal_souls").ask(
        "encounter", "ecarus,auriel", "ambush", {"heroes.bonus_hits": "9", "heroes.armour": "9"}
    )
    quick = replace(won, kind=replace(won.kind, block_trials=2))
    with pytest.raises(UsageError) as refused:
        replay(quick, 1, winner="encounter")
    assert str(refused.value) == (
        "none of 63 trials from 1 on ends with encounter; choose another result, or change what is asked"
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"trial": -1}, "trial: '-1' is no trial; allowed: 0 to 12,582,912"),
        ({"trial": 12 * 2**20 + 1}, "trial: '12,582,913' is no trial; allowed: 0 to 12,582,912"),
        ({"seed": -1}, "a seed is a whole number from 0 to 2**128 - 1, found -1"),
        (
            {"winner": "heros"},
            "winner: 'heros' is no result; allowed: heroes, encounter; did you mean heroes?",
        ),
    ],
)
def test_what_is_wrong_is_told(asked: Question, given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        replay(asked, **given)
    assert str(refused.value) == told


def test_what_cannot_be_told_is_refused_with_what_can() -> None:
    with pytest.raises(UsageError) as refused:
        replay(load("immortal_souls").ask("duel", "ecarus", "red_bandit"))
    assert str(refused.value) == (
        "a trial of immortal_souls duel cannot be told; in immortal_souls, ask encounter, quest"
    )
    with pytest.raises(UsageError) as refused:
        replay(load("warforged").duel("nexus+shotgun", "trooper+shotgun"))
    assert str(refused.value) == "a trial of warforged duel cannot be told; in warforged, ask battle, seats"


def test_it_reads_as_sentences() -> None:
    lines = (Line("Round 1", "Ann", "wins", {"Ann": 3, "Bob": 0}), Line("Round 2", "Event", "", {"Ann": 3, "Bob": 0}))
    told = Narration("Two stand", lines, "Ann has won.", {"Ann": 3, "Bob": 2})
    assert str(told) == "Two stand.\nRound 1. Ann: wins.\nRound 2. Event.\nAnn has won."
