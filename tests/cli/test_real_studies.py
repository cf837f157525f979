"""run and report with real studies of a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.engine.runner import Engine
from balance.game.registry import GAMES
from balance.study import load_study, run_study
from tests.cli.conftest import Command

pytest.importorskip("balance.study", reason="studies are not there yet")

STUDY = 'game = "skirmish"\n[check]\nmatch_ups = 2\ntrials = 100\n'


@pytest.fixture(autouse=True)
def small_game(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    Path("study.toml").write_text(STUDY)


@pytest.mark.slow("test_progress_counts_what_the_dry_run_counts")
def test_a_run_is_an_object_and_the_same_each_time(balance: Command) -> None:
    done = balance("run", "study.toml", "--out", "one", "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["summary"]["n_entrants"] >= 2
    assert balance("run", "study.toml", "--out", "two").status == 0
    assert Path("one/manifest.json").read_bytes() == Path("two/manifest.json").read_bytes()


@pytest.mark.slow("tests/cli/test_comparing.py::test_two_catalogues_are_compared")
def test_a_broken_limit_is_told(balance: Command) -> None:
    Path("study.toml").write_text(STUDY + "[limits]\nmax_score = 0.0\n")
    done = balance("run", "study.toml")
    assert done.status == 1
    assert "error: limit broken: max_score" in done.err
    assert Path("runs/study/manifest.json").is_file()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STUDY.replace("100", "0"), "check.trials: '0' is out of range"),
        (STUDY.replace("trials", "trails"), "did you mean trials?"),
        (STUDY.replace("skirmish", "skirmsh"), "did you mean skirmish?"),
        ("game = ", "study.toml"),
    ],
)
def test_a_wrong_study_is_told_and_nothing_is_written(text: str, expected: str, balance: Command) -> None:
    Path("study.toml").write_text(text)
    done = balance("run", "study.toml")
    assert done.status == 2
    assert expected in done.err
    assert all(line.startswith("error: ") for line in done.err.splitlines())
    assert not Path("runs").exists()


def test_a_run_that_is_none_is_told(balance: Command) -> None:
    Path("empty").mkdir()
    pytest.importorskip("balance.reporting.build", reason="reports are not there yet")
    done = balance("report", "empty")
    assert done.status == 2
    assert "empty" in done.err


@pytest.mark.slow("test_progress_counts_what_the_dry_run_counts")
def test_the_report_of_a_run_is_written(balance: Command) -> None:
    pytest.importorskip("balance.reporting.build", reason="reports are not there yet")
    balance("run", "study.toml", "--out", "one")
    done = balance("report", "one", "--format", "html", "--out", "pages")
    assert done.status == 0
    assert done.out == "pages/index.html\n"
    assert Path("pages/index.html").is_file()


@pytest.mark.slow("tests/cli/test_comparing.py::test_ctrl_c_keeps_what_is_finished")
def test_an_interrupted_report_says_that_the_same_command_goes_on(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("balance.study.run.run.summarise", interrupt)
    done = balance("report", "study.toml", "--out", "mine")
    assert done.status == 3
    assert "finished blocks are kept in mine. The same command goes on from there." in done.err


@pytest.mark.slow("tests/cli/test_comparing.py::test_ctrl_c_keeps_what_is_finished")
@pytest.mark.parametrize("command", [("report",), ("tables",)])
def test_an_interrupted_run_tells_how_to_go_on(
    command: tuple[str, ...], balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("balance.study.run.run.summarise", interrupt)
        assert balance("run", "study.toml", "--out", "my runs/a").status == 3
    done = balance(*command, "my runs/a")
    assert done.status == 2
    assert "my runs/a: is unfinished; continue with: balance run study.toml --out 'my runs/a'" in done.err
    assert balance("run", "study.toml", "--out", "my runs/a").status == 0
    assert balance(*command, "my runs/a").status == 0


def test_progress_counts_what_the_dry_run_counts(balance: Command) -> None:
    Path("study.toml").write_text('metrics = ["cards", "match_ups"]\nexact = "always"\n' + STUDY)
    forecast = json.loads(balance("run", "study.toml", "--dry-run", "--json").out)["forecast"]
    last: dict[str, tuple[int, int]] = {}
    engine = Engine(progress=lambda told: last.update({told.work: (told.n_done, told.total)}))
    run_study(load_study("study.toml"), "told", engine)
    assert last["exact match-ups"] == (forecast["n_exact"],) * 2
    assert last["duels"] == (forecast["n_duels"],) * 2


@pytest.mark.slow("tests/cli/test_comparing.py::test_a_dry_run_tells_what_will_be_simulated")
def test_a_dry_run_counts_what_the_report_declares(balance: Command) -> None:
    Path("study.toml").write_text('game = "battlelore"\nmetrics = ["sections"]\n')
    out = balance("run", "study.toml", "--dry-run").out
    assert "tables the report declares" in out
    assert "match-ups" not in out
