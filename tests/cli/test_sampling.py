"""Ctrl-C, the trials kept, and what is said on the way."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable

import pytest

import balance as toolkit
from balance.base.progress import line_of
from balance.chance.trials.collect import BLOCK_TRIALS
from balance.chance.trials.stopping import FixedTrials, HalfWidth
from balance.engine import sampling
from balance.engine.sampling import Trials, sample
from balance.game.question.choices import Budget
from balance.game.question.question import Question
from tests.cli.conftest import Command

DUEL = ("duel", "warforged", "nexus+assault_rifle", "vanguard+laser_carbine")


def press_after(n_blocks: int, times: int = 1) -> Callable[[Trials], None]:
    """Return a stand-in for who is told of progress that presses Ctrl-C once so many blocks are counted."""

    def watch(told: Trials) -> None:
        if told.sample.tally.n_blocks == n_blocks:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)

    return watch


@pytest.fixture
def question() -> Question:
    return toolkit.load("warforged").duel("nexus+assault_rifle", "vanguard+laser_carbine")


@pytest.mark.parametrize("n_threads", [1, 2])
def test_ctrl_c_keeps_the_finished_blocks(n_threads: int, question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "tell", press_after(2))
    before = signal.getsignal(signal.SIGINT)
    found, partial = sample(question, Budget(trials=10**9, lane="compiled", n_threads=n_threads))
    assert partial
    assert found.n_trials == 2 * BLOCK_TRIALS
    assert found.distribution == question.simulate(2 * BLOCK_TRIALS, lane="compiled").distribution
    assert found.looked_repeatedly
    assert signal.getsignal(signal.SIGINT) == before


def test_a_second_ctrl_c_stops_at_once_and_still_keeps_them(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "tell", press_after(1, times=2))
    found, partial = sample(question, Budget(trials=10**9, lane="compiled"))
    assert (found.n_trials, partial) == (BLOCK_TRIALS, True)


def test_an_interrupted_answer_is_printed_and_ends_with_3(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "tell", press_after(1))
    done = balance(*DUEL, "--trials", "1e9", "--lane", "compiled", "--more")
    assert done.status == 3
    told = " ".join(done.out.split())
    assert "65,536 trials, seed 0, finished results looked up (compiled) stopped early" in told
    assert "65,536 trials were kept" in done.err


def test_an_interrupted_object_says_that_it_is_partial(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "tell", press_after(1))
    done = balance(*DUEL, "--trials", "1e9", "--lane", "compiled", "--json")
    found = json.loads(done.out)
    assert (done.status, found["partial"], found["simulated"]["trials"]) == (3, True, BLOCK_TRIALS)


def test_an_uninterrupted_object_is_not_partial(balance: Command) -> None:
    assert "partial" not in json.loads(balance(*DUEL, "--trials", "100", "--json").out)


def test_ctrl_c_before_anything_is_counted(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("balance.game.loaded.load", interrupt)
    done = balance(*DUEL)
    assert (done.status, done.out) == (3, "")
    assert "nothing was left half-written" in done.err


def test_a_width_that_is_never_reached_is_partial(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Question, "stop_rule", lambda *a: HalfWidth(1e-9, (lambda winner: winner == 1,), cap=1000))
    assert balance(*DUEL, "--half-width", "1e-9").status == 3


def test_without_an_exact_distribution_the_simulation_stands_alone(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.chance.exact.chain.LARGEST_CHAIN", 3)
    attack = balance("attack", "warforged", "nexus+assault_rifle", "whisper", "--more")
    assert (attack.status, "Simulated, 65,536 trials, seed 0: more than 3" in " ".join(attack.out.split())) == (0, True)
    assert "65,536 trials" in balance(*DUEL).out
    done = balance(*DUEL, "--trials", "1000", "--more")
    assert done.status == 0
    assert "All of this is simulated: more than 3 states" in " ".join(done.out.split())
    assert "note: simulated, since the exact distribution is too large" in done.err
    found = json.loads(balance(*DUEL, "--trials", "1000", "--json").out)
    assert "simulated" in found
    assert not {"exact", "agreement"} & set(found)


def test_signals_are_left_alone_outside_the_main_thread(question: Question) -> None:
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(sample(question, Budget(trials=100))[1]))
    thread.start()
    thread.join()
    assert found == [False]


def test_the_line_of_trials_tells_speed_time_and_width(question: Question) -> None:
    tallied = question.simulate(50_000, lane="compiled")
    line = line_of(Trials(tallied, FixedTrials(100_000), 10.0))
    assert line.startswith("50,000 of about 100,000 trials, 5,000 a second, about 10 s left, widest interval +-0.00")


def test_the_widest_interval_is_of_the_means_where_nobody_wins(question: Question) -> None:
    shot = toolkit.load("warforged").attack("nexus+assault_rifle", "whisper").simulate(1000)
    low, high = shot.mean_interval("damage")
    assert Trials(shot, FixedTrials(1), 1.0).half_width == (high - low) / 2
    assert Trials(question.simulate(1000), FixedTrials(1), 1.0).half_width < 0.05


def test_a_terminal_gets_a_bar_and_json_gets_nothing(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert balance(*DUEL, "--trials", "1000").status == 0
    assert balance(*DUEL, "--trials", "1000", "--json").err == ""
    assert balance(*DUEL, "--trials", "1000", "--quiet").err == ""


def test_what_is_drawn_beside_an_answer_is_what_its_budget_says(question: Question) -> None:
    found, partial = sample(question, Budget(trials=2000, seed=5, lane="compiled"))
    assert (found.n_trials, found.seed, found.lane, found.looked_repeatedly, partial) == (
        2000,
        5,
        "compiled",
        False,
        False,
    )
    assert found.distribution == question.simulate(2000, seed=5, lane="compiled").distribution
    wide, partial = sample(question, Budget(half_width=0.1, seed=5, lane="compiled"))
    assert (wide.looked_repeatedly, partial) == (True, False)


def test_one_thread_needs_no_pool_and_several_end_with_the_question() -> None:
    with sampling._threads(1) as alone:
        assert alone is None
    with sampling._threads(2) as pool:
        assert pool is not None
        assert pool.submit(int, "7").result() == 7
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(int, "7")


def test_stopping_early_says_how_much_was_kept_in_a_sentence(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "tell", press_after(1))
    done = balance(*DUEL, "--trials", "1e9", "--lane", "compiled")
    said = "Stopped before the end: 65,536 trials were kept. The same seed repeats them."
    assert (done.status, done.err.splitlines()[-1]) == (3, said)
