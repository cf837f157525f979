"""The bench runs: answers are checked before they are timed, a wrong one stops it, and the table holds every row."""

from __future__ import annotations

import pytest

from tests.bench import known, ours
from tests.bench.commands import Measured
from tests.bench.contest import Contender, Contest, run_contest
from tests.bench.table import render


def test_our_exact_answers_are_the_known_ones() -> None:
    known.check("attack", ours.attack(), known.ONE_ATTACK)
    known.check("kill", ours.kill(), known.KILLS)
    known.check("duel", ours.duel(), known.DUEL)
    known.check("creature", ours.creature(), known.CREATURE)
    for n_dice in (4, 8, 12, 24):
        known.check("pool", ours.dice_pool(n_dice), known.pool(n_dice))


def test_our_samples_fit_the_known_chances() -> None:
    for lane in ("literal", "compiled"):
        known.check_counts(lane, ours.sampled(lane, 2**16), known.ONE_ATTACK)  # type: ignore[arg-type]
        known.check_counts(lane, ours.kills_sampled(lane, 2**14), [0.0, 0.0, *known.KILLS])  # type: ignore[arg-type]


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


@pytest.mark.parametrize("markdown", [False, True])
def test_the_table_says_who_and_how_often(markdown: bool) -> None:
    rows = run_contest(contest([0.5]), rounds=1)
    text = render(rows, [Measured("import", 0.1, 0.05, "s CPU", "under 0.3 s CPU")], "title", markdown=markdown)
    assert "another (not installed)" in text
    assert "under 0.3 s CPU" in text
    assert rows[0].ratio is not None and f"{rows[0].ratio:.3g}" in text
