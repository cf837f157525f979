"""The bench keeps its time, prints each row before it measures the next, and can be stopped or asked for a part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.bench import __main__ as bench
from tests.bench import battle_rows, table
from tests.bench import contest as timing
from tests.bench.contest import Budget, Contender, Contest, Row, in_lanes, run_contest
from tests.bench.known import WrongAnswerError
from tests.bench.parts import FULL, QUICK, Part, Setting, chosen, parts
from tests.bench.targets import TARGETS, judge


class Clock:
    """A clock that only moves when somebody works, and what was worked."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[tuple[str, int]] = []

    def __call__(self) -> float:
        return self.now

    def sampling(self, name: str, a_trial: float, fixed: float = 0.0) -> Callable[[int], int]:
        """Return work that takes so many seconds a trial, and some more a call."""

        def work(trials: int) -> int:
            self.now += fixed + trials * a_trial
            self.calls.append((name, trials))
            return trials

        return work

    def exact(self, name: str, seconds: float) -> Callable[[], int]:
        """Return work that takes so many seconds."""
        sampling = self.sampling(name, seconds)
        return lambda: sampling(1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(timing, "perf_counter", found)
    return found


def accept(name: str, found: int) -> None:
    """Take every answer."""


def against(mine: Contender, peer: Contender, weight: int = 1) -> Contest:
    return Contest("a task", [mine], [peer], accept, weight)


def test_trials_are_doubled_until_a_call_takes_its_share(clock: Clock) -> None:
    mine = Contender("ours", clock.sampling("ours", 1e-6), 2**20, 2**10)
    peer = Contender("peer", clock.sampling("peer", 1e-3), 2**20, 2**6)
    (row,) = run_contest(against(mine, peer), Budget(12.0, 15))
    assert [n for name, n in clock.calls if name == "ours"][:11] == [2, *(2**k for k in range(10, 20))]
    assert row.trials == 2**19  # half a second; twice as many take longer than a sixth of six seconds
    assert max(n for name, n in clock.calls if name == "peer") == 2**9
    assert row.our_cost == pytest.approx(1e-6) and row.peer_cost == pytest.approx(1e-3)
    assert row.ratio == pytest.approx(1000)


def test_contenders_are_timed_in_turn_as_often_as_the_seconds_allow(clock: Clock) -> None:
    mine = Contender("ours", clock.exact("ours", 0.25))
    peer = Contender("peer", clock.exact("peer", 0.75))
    (row,) = run_contest(against(mine, peer), Budget(8.0, 15))
    assert clock.calls == [("ours", 1)] * 2 + [("peer", 1)] * 2 + [("ours", 1), ("peer", 1)] * 6
    assert clock.now == 8.0
    assert row.samples == 6
    (row,) = run_contest(against(mine, peer, weight=2), Budget(8.0, 15))
    assert clock.now == 8.0 + 16.0
    (row,) = run_contest(against(mine, peer), Budget(1000.0, 3))
    assert row.samples == 3


def test_a_quick_answer_is_repeated_within_a_sample(clock: Clock) -> None:
    mine, peer = (Contender(name, clock.exact(name, 2**-10)) for name in ("ours", "peer"))
    run_contest(against(mine, peer), Budget(8.0, 1))
    assert len(clock.calls) == 2 * (2 + 20 + 20)  # warmed up and checked; 20 milliseconds to see, and to sample


def test_whoever_takes_longer_than_all_seconds_is_timed_once(clock: Clock) -> None:
    mine = Contender("ours", clock.sampling("ours", 1.0), 32, 32)
    peer = Contender("peer", clock.sampling("peer", 2.0), 8, 8)
    (row,) = run_contest(against(mine, peer), Budget(2.0, 15))
    assert clock.calls == [("ours", 2), ("ours", 32), ("peer", 2), ("peer", 8)]
    assert (row.our_cost, row.peer_cost, row.samples) == (1.0, 2.0, 1)


def test_the_first_call_which_builds_tables_is_not_counted(clock: Clock) -> None:
    built: list[int] = []

    def work(trials: int) -> int:
        clock.now += 0.25 * trials + (0 if built else 100)
        built.append(trials)
        return trials

    (row,) = run_contest(against(Contender("ours", work, 4, 4), Contender("peer", work, 4, 4)), Budget(2.0, 15))
    assert row.our_cost == 0.25


def test_a_program_with_a_clock_of_its_own_goes_by_it_but_keeps_our_time(clock: Clock) -> None:
    slow = clock.sampling("peer", 1e-3)
    peer = Contender("peer", lambda n: (n * 1e-6, slow(n)), 2**20, 2**6, own_clock=True)
    (row,) = run_contest(against(Contender("ours", clock.sampling("ours", 1e-3), 64, 64), peer), Budget(12.0, 15))
    assert row.peer_cost == pytest.approx(1e-6)
    assert max(n for name, n in clock.calls if name == "peer") == 2**9
    assert clock.now < 12 + 1


def test_every_answer_is_checked_before_it_is_timed_again(clock: Clock) -> None:
    checked: list[int] = []

    def check(name: str, found: int) -> None:
        checked.append(found)
        if found >= 64:
            raise WrongAnswerError(f"{name} answers {found}")

    mine = Contender("ours", clock.sampling("ours", 1e-6), 2**10, 2**4)
    with pytest.raises(WrongAnswerError, match="ours answers 64"):
        run_contest(Contest("a task", [mine], ["nobody"], check), Budget(8.0, 15))
    assert checked == [16, 32, 64]


def test_threads_have_a_block_each_at_least() -> None:
    lanes = in_lanes(lambda lane, threads, n: np.zeros(n))
    assert [(one.name, one.trials, one.fewest) for one in lanes] == [
        ("compiled lane, 2 threads", 2**23, 2**17),
        ("compiled lane, 1 threads", 2**23, 2**16),
        ("literal lane, 2 threads", 2**20, 2**17),
        ("literal lane, 1 threads", 2**20, 2**16),
    ]


def row_of(task: str, ours: str = "ours") -> Row:
    return Row(task, ours, 1e-3, "a peer", 2e-3, "time")


@pytest.mark.parametrize("paper", [table.Text(), table.Markdown()])
def test_a_row_is_printed_before_the_next_is_measured(
    paper: table.Paper, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seen: list[str] = []

    def measured(*names: str) -> Iterator[Row]:
        for name in names:
            seen.append(capsys.readouterr().out)
            yield row_of("T1" if name == "first" else "T2", name)

    rows: list[Row] = []
    asked = [Part(("T1",), lambda: measured("first")), Part(("T2",), lambda: measured("second", "third"))]
    assert bench.run(asked, rows, paper, tmp_path / "all.json") == 0
    before_first, before_second, before_third = seen
    assert "ratio" in before_first and "first" not in before_first
    assert "first" in before_second and "2 " in before_second and "1 ms" in before_second
    assert "second" in before_third
    assert "third" in (last := capsys.readouterr().out) and "targets were measured" in last
    written = json.loads((tmp_path / "all.json").read_text())
    assert [row["ours"] for row in written["rows"]] == ["first", "second", "third"]


def test_a_task_is_named_once_above_its_rows_before_they_are_measured() -> None:
    paper = table.Text()
    printed = [paper.heading("T1"), paper.line(row_of("T1")), paper.line(row_of("T1")), paper.line(row_of("T2"))]
    assert "".join(printed).count("T1\n") == 1
    assert printed[0] == "T1\n" and printed[3].startswith("T2\n        2        1 ms")


@pytest.fixture
def settings_asked(monkeypatch: pytest.MonkeyPatch) -> list[Setting]:
    """Replace what is measured by two rows and Ctrl-C, and note how it was asked for."""
    asked: list[Setting] = []

    def interrupted() -> Iterator[Row]:
        yield row_of("Souls")
        raise KeyboardInterrupt

    def two(setting: Setting, folder: Path, pool: object) -> list[Part]:
        asked.append(setting)
        return [Part(("T1",), lambda: [row_of("T1")]), Part(("Souls",), interrupted)]

    monkeypatch.setattr(bench, "parts", two)
    return asked


def test_ctrl_c_keeps_what_was_printed(
    settings_asked: list[Setting], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    written = tmp_path / "all.json"
    assert bench.main(["--json", str(written)]) == 130
    told = capsys.readouterr()
    assert told.out.count("ours | a peer") == 2
    assert told.err == f"stopped by Ctrl-C: the 2 rows above are whole; {written} is not written\n"
    assert not written.exists()


def test_quick_and_only_choose_what_is_measured(
    settings_asked: list[Setting], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--only", "t1"]) == 0
    assert bench.main(["--only", "T1", "--quick"]) == 0
    assert settings_asked == [FULL, QUICK]
    assert capsys.readouterr().out.count("ours | a peer") == 2
    assert bench.main(["--only", "T9"]) == 2
    assert capsys.readouterr().err == "no task has 'T9' in its name; there are\n  T1\n  Souls\n"


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the C programs out, for compiling them takes long."""
    monkeypatch.setattr("shutil.which", lambda name: None)


@pytest.mark.usefixtures("no_compiler")
def test_quick_is_the_smaller_bench_in_every_way(tmp_path: Path) -> None:
    assert 3 * QUICK.budget.seconds < FULL.budget.seconds and QUICK.budget.rounds < FULL.budget.rounds
    with ThreadPoolExecutor(1) as pool:
        full, quick = (parts(setting, tmp_path, pool) for setting in (FULL, QUICK))
    assert len(full) > len(quick)
    assert [part.tasks[0] for part in chosen(quick, "1E")] == ["1e8 T1 attacks", "1e5 line-ups"]
    assert [part.tasks[0] for part in chosen(full, "import")] == ["import balance"]
    assert chosen(full, "--help") == chosen(full, "import")


@pytest.mark.usefixtures("no_compiler")
def test_only_the_full_bench_is_held_against_the_targets_of_battles(tmp_path: Path) -> None:
    wanted = [target for target in TARGETS if target.task.startswith("Warforged battles, 8")]
    with ThreadPoolExecutor(1) as pool:
        for setting, met in ((FULL, True), (QUICK, None)):
            contests = battle_rows.battle_contests(tmp_path, pool, setting.battle_part)
            rows = [Row(one.task, mine.name, 1e-9, "C loop", 1.0, "rate") for one in contests for mine in one.ours]
            rows += [replace(row, peer="Python loop") for row in rows]
            assert {verdict.met for verdict in judge(rows, wanted)} == {met}
    assert len(wanted) == 8
