"""An interrupted question goes on where it was, and ends with the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.cli.main import main
from balance.engine import journal
from balance.engine.answers import AnswerStore, SharedAnswers
from balance.engine.jobs import Job
from balance.engine.journal import Journal
from balance.engine.pool import SERIAL
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.verbs.call import kept
from balance.verbs.call.means import WorkInterrupted
from balance.verbs.call.result import Result
from tests.tug import write_catalogue

CALLS: dict[str, Callable[..., Result[Any]]] = {
    "army": lambda **means: balance.army("tug", 60, **means),
    "card": lambda **means: balance.card("tug", "b0", among="b1+rope,b2+rope", points=True, **means),
    "price": lambda **means: balance.price("tug", battles=20_000, **means),
    "price of one": lambda **means: balance.price("tug", "b0", battles=20_000, **means),
    "tune": lambda **means: balance.tune("tug", changes=1, out=None, **means),
    "tornado": lambda **means: balance.tornado("warforged", "duel", "nexus+shotgun", "trooper+sidearm", **means),
}


@pytest.fixture(autouse=True)
def small_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside a small game; what is finished is kept at once, and no whole answer."""
    monkeypatch.setattr(journal, "SECONDS", 0.0)
    monkeypatch.setattr(kept, "WORTH_KEEPING", 1e9)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [("b0", 10, 1000), ("b1", 12, 1100), ("b2", 16, 1900)]
    write_catalogue(tmp_path / "data" / "tug", bodies, [("rope", 0, 100)])


class Counted:
    """Serial work whose jobs are counted, and which is interrupted after a number of them."""

    n_workers = 1

    def __init__(self, most: float = 1e9) -> None:
        self.n, self.most = 0, most

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        for job in jobs:
            if self.n >= self.most:
                raise KeyboardInterrupt
            self.n += 1
            yield from SERIAL.run([job])


def counted(monkeypatch: pytest.MonkeyPatch, most: float = 1e9) -> Counted:
    pool = Counted(most)
    monkeypatch.setattr("balance.engine.runner.SERIAL", pool)
    monkeypatch.setattr(Runner, "pool", pool)
    return pool


def left() -> list[Path]:
    return sorted(Path("cache/unfinished").rglob("*.json"))


@pytest.mark.parametrize("asked", list(CALLS))
def test_it_goes_on_where_it_was_and_ends_with_the_same_bytes(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted(monkeypatch)
    alone = CALLS[asked](jobs=1, cache=False)
    n_jobs = 0
    for most in (whole.n // 3, whole.n // 3):
        part = counted(monkeypatch, most)
        with pytest.raises(KeyboardInterrupt, match="the same command goes on from there"):
            CALLS[asked](jobs=1)
        n_jobs += part.n
    last = counted(monkeypatch)
    done = CALLS[asked](jobs=1)
    assert json.dumps(done.to_dict()) == json.dumps(alone.to_dict())
    assert str(done.explain()) == str(alone.explain())
    assert n_jobs + last.n <= whole.n  # nothing that was finished is done again
    assert not left()


def test_a_kill_costs_what_was_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Journal, "flush", lambda _: None)  # as if it had been killed before
    part = counted(monkeypatch, 2)
    with pytest.raises(KeyboardInterrupt):
        CALLS["price"](jobs=1)
    assert not left()
    monkeypatch.undo()
    assert part.n == 2


def test_what_is_finished_is_written_every_two_seconds(tmp_path: Path) -> None:
    store, now = AnswerStore(tmp_path), [0.0]
    kept_work = Journal(store, lambda: now[0])
    kept_work.note("ab1", {0: 1})
    assert store.find("ab1", 1) == [{0: 1}]  # as the fixture wants it at once
    now[0] += 1
    kept_work.note("ab1", {0: 1, 1: 2})
    assert Journal(store).find("ab1") == {0: 1, 1: 2}
    kept_work.clear()
    assert store.find("ab1", 1) is None


def test_a_fresh_question_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted(monkeypatch)
    CALLS["price"](jobs=1, cache=False)
    counted(monkeypatch, 3)
    with pytest.raises(KeyboardInterrupt):
        CALLS["price"](jobs=1)
    fresh = counted(monkeypatch)
    CALLS["price"](jobs=1, fresh=True)
    assert fresh.n == whole.n


def test_without_a_cache_nothing_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    counted(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt) as stop:
        CALLS["price"](jobs=1, cache=False)
    assert "kept" not in str(stop.value)
    assert not left()


def test_it_may_stop_there_with_what_is_known_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted(monkeypatch)
    final: Any = balance.price("tug", battles=20_000, jobs=1, cache=False).value
    counted(monkeypatch, whole.n - 1)
    with pytest.raises(KeyboardInterrupt, match=r"^so far b\d\+rope .*battles; what is finished is kept") as stop:
        CALLS["price"](jobs=1)
    numbers = re.findall(r"(b\d\+rope) ([\d.]+) \(([\d.]+) to ([\d.]+)\)", str(stop.value))
    assert len(numbers) == 3
    for name, fair, low, high in numbers:
        assert float(low) <= float(fair) <= float(high)
        assert float(fair) == pytest.approx(final.loadouts[name].fair, rel=0.1)


def test_the_command_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    counted(monkeypatch, 3)
    assert main(["price", "tug", "--jobs", "1"]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("Interrupted; ")
    assert told.err.endswith("what is finished is kept, and the same command goes on from there.\n")
    assert left()


def test_work_with_no_plain_name_is_done_and_not_kept() -> None:
    with Runner(load("warforged"), answers=SharedAnswers(Path("cache"), "answers")) as runner:
        assert runner.results("squares", lambda: 0, [Job("square", pow, (n, 2), n) for n in range(3)]) == [0, 1, 4]
        assert runner.results("squares", "plain", [Job("square", pow, (n, 2), n) for n in range(3)]) == [0, 1, 4]
        assert len(left()) == 1
    assert not left()


@pytest.mark.slow("test_the_command_says_so")
def test_a_comparison_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("patch.toml").write_text('title = "Dearer"\n[set]\n"bodies.b1.cost_points" = 14\n')

    def compare(out: str, **means: Any) -> bytes:
        balance.compare("study.toml", patch="patch.toml", out=out, format="html", jobs=1, **means)
        return Path(out, "compare.json").read_bytes()

    Path("study.toml").write_text('game = "tug"\nmetrics = ["match_ups", "armies"]\n')
    whole = counted(monkeypatch)
    alone = compare("alone", cache=False)
    part = counted(monkeypatch, whole.n // 2)
    with pytest.raises(WorkInterrupted):
        compare("mine")
    last = counted(monkeypatch)
    assert compare("mine") == alone
    assert part.n + last.n <= whole.n
    assert not left()
