"""The bench runs: answers are checked before they are timed, a wrong one stops it, and the table holds every row."""

from __future__ import annotations

import pytest

from balance.games.protocol import LANES
from tests.bench import known, ours
from tests.bench.contest import Contender, Contest, run_contest


def test_our_exact_answers_are_the_known_ones() -> None:
    known.check("attack", ours.attack(), known.ONE_ATTACK)
    known.check("kill", ours.kill(), known.KILLS)
    known.check("duel", ours.duel(), known.DUEL)
    known.check("creature", ours.creature(), known.CREATURE)
    for n_dice in (4, 8, 12, 24):
        known.check("pool", ours.dice_pool(n_dice), known.pool(n_dice))


def test_our_samples_fit_the_known_chances() -> None:
    for lane in LANES:
        known.check_counts(lane, ours.sampled(lane, 2**16), known.ONE_ATTACK)
        known.check_counts(lane, ours.kills_sampled(lane, 2**14), [0.0, 0.0, *known.KILLS])


def contest(answer: list[float]) -> Contest:
    return Contest(
        "a task",
        [Contender("ours", lambda: answer)],
        [Contender("peer", lambda: [0.5]), "another (not installed)"],
        lambda name, found: known.check(name, found, [0.5]),
    )


def test_a_wrong_answer_stops_the_bench() -> None:
    with pytest.raises(known.WrongAnswerError, match="ours answers"):
        run_contest(contest([0.6]), rounds=1)


def test_each_pair_of_ours_and_a_peer_is_a_row() -> None:
    rows = run_contest(contest([0.5]), rounds=1)
    assert [(row.peer, row.ratio is None) for row in rows] == [("peer", False), ("another (not installed)", True)]
