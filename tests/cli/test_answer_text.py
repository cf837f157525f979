"""Sentences of an answer, word for word."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from balance.answers.blocks.document import Block
from balance.answers.media.answer import drawn
from balance.answers.media.terminal import say
from balance.answers.words.questions.asked import how_played
from balance.answers.words.questions.durations import marks, typically
from balance.answers.words.questions.simulation import agreement_text
from balance.answers.words.questions.wins import ways_of_playing
from balance.chance.pmf import Pmf

BOTH = Pmf.of({(1, 5): 1, (1, 6): 1, (2, 5): 1, (2, 6): 1}, ("winner", "turns"))
TOGETHER = "(G-tests of all columns together, 3 degrees of freedom, and of each by itself, by Holm)"
RARE = "That is rare for a simulation that is right (in"
WRONG = "one of the two is wrong. Please report this."


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((1000, 1000, 1000, 1000), f"p = 1.00 {TOGETHER}. The simulation agrees with the exact distribution."),
        (
            (1100, 1100, 1000, 1000),
            f"p = 0.00608 {TOGETHER}. {RARE} winner); try another seed or more trials.",
        ),
        (
            (1600, 1400, 1400, 1600),
            f"p = 0.0000206 {TOGETHER}. {RARE} all columns together); try another seed or more trials.",
        ),
        ((1200, 1200, 1000, 1000), f"p = 0.00000000480 {TOGETHER}. They do not agree in winner: {WRONG}"),
    ],
)
def test_the_agreement_of_columns_is_told_by_how_rare_it_is(counts: tuple[int, ...], told: str) -> None:
    sample = Pmf.of(dict(zip([(1, 5), (1, 6), (2, 5), (2, 6)], counts, strict=True)), ("winner", "turns"))
    assert agreement_text(BOTH.agreement(sample)) == f"Agreement: {told}"


def test_the_agreement_of_one_column_is_one_test() -> None:
    one, sample = Pmf.of({1: 1, 2: 1}, ("winner",)), Pmf.of({1: 1100, 2: 1000}, ("winner",))
    said = "Agreement: p = 0.0291 (G-test, 1 degrees of freedom). The simulation agrees with the exact distribution."
    assert agreement_text(one.agreement(sample)) == said
    nothing = "Agreement: nothing to test; the trials are too few, or the outcome is all but certain."
    assert agreement_text(one.agreement(Pmf.of({1: 1}, ("winner",)))) == nothing


def rounds(first: int, last: int) -> Pmf:
    return Pmf.of(dict.fromkeys(range(first, last + 1), 1), ("rounds",))


def test_a_story_is_told_from_one_on_or_spread_where_it_happens() -> None:
    assert list(marks(rounds(1, 8), "rounds", 0.99)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert marks(rounds(1, 9), "rounds", 0.99) == [1, 2, 3, 4, 6, 7, 8, 9]
    assert list(marks(rounds(1, 16), "rounds", 0.5)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert marks(rounds(101, 199), "rounds", 0.5) == [105, 118, 132, 145, 159, 172, 186, 199]
    assert marks(rounds(30, 32), "rounds", 0.5) == [30, 31, 32]


def test_how_long_it_takes_has_a_mean_a_half_and_the_range_of_the_first_sentence() -> None:
    said = "50.0 on average, at most 50 half of the time, 1 to 95 in 95% of cases"
    assert typically(rounds(1, 99), "rounds") == said


def told(blocks: Iterable[Block], capsys: pytest.CaptureFixture[str]) -> str:
    say(*drawn(blocks))
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("length", "seen"),
    [
        (119, f"What it cannot see: A: {'x' * 116} B: {'x' * 117}"),
        (120, "What it cannot see: a; b (--json says more)."),
    ],
)
def test_what_cannot_be_seen_is_told_by_its_heads_where_it_is_long(
    length: int, seen: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    limits = (f"A: {'x' * (length - 3)}", f"B: {'x' * 117}")
    question: Any = SimpleNamespace(kind=SimpleNamespace(played="In turns.", cannot_see=limits))
    assert told(how_played(question), capsys) == f"How it is played: In turns. {seen}"
    question = SimpleNamespace(kind=SimpleNamespace(played="", cannot_see=()))
    assert list(how_played(question)) == []


def habit(name: str, value: float, half: float) -> Any:
    return SimpleNamespace(name=name, score=SimpleNamespace(value=value, low=value - half, high=value + half))


def test_ways_to_play_are_told_for_each_side_and_how_they_were_tried_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    low, bold, mix = habit("low", 0.25, 0.05), habit("bold", 0.75, 0.05), habit("mix", 0.7, 0.1)
    tried = {"ranking": (bold, mix, low), "trials_text": lambda: "4,096 trials of each", "seed": 7}
    one = SimpleNamespace(side="a", plays="low", played_habit=low, against="b's high", best=("bold", "mix"), **tried)
    other = SimpleNamespace(side="b", plays="high", played_habit=bold, against="a's low", best=("bold",), **tried)
    answer: Any = SimpleNamespace(habits=(one, other), question=SimpleNamespace(fair_share=1 / 2))
    assert told(ways_of_playing(answer), capsys) == (
        "a plays low and scores 25.0% (20.0% to 30.0%) in simulation. Against b's high, bold does best: "
        "75.0% (70.0% to 80.0%); not distinguishable from that: mix. "
        "b plays high and scores 75.0% (70.0% to 80.0%) in simulation. Against a's low, bold does best: "
        "75.0% (70.0% to 80.0%). "
        "3 ways to play were simulated, 4,096 trials of each, seed 7; a draw counts half; 95% intervals."
    )
