"""run and report, with stand-ins for the study itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.cli.progress import Lines
from balance.engine.progress import Stage
from tests.cli.conftest import Command
from tests.cli.stand_ins import stand_in_studies


def test_a_run_goes_where_it_is_told(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = stand_in_studies(monkeypatch)
    done = balance("run", "my/study.toml", "--out", "there", "--jobs", "2")
    assert done.status == 0
    assert "Wrote there" in done.out
    assert calls == [("run", "study my/study.toml", Path("there"), 2)]


def test_a_run_tells_its_summary(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_studies(monkeypatch)
    out = balance("run", "study.toml").out
    assert "verdicts" in out
    assert "in line with its neighbours 2, not yet known 7" in out


@pytest.mark.parametrize("command", [("run", "study.toml"), ("report", "warforged")])
def test_a_folder_that_cannot_be_made_is_refused_before_the_work(
    command: tuple[str, ...], balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = stand_in_studies(monkeypatch)
    (elsewhere / "taken").write_text("mine")
    done = balance(*command, "--out", "taken/runs")
    assert done.status == 2
    assert "taken: is not a folder" in done.err
    assert calls == []


def test_a_run_of_a_game_says_what_to_do(balance: Command, elsewhere: Path) -> None:
    done = balance("run", "warforged")
    assert done.status == 2
    assert "its report: balance report warforged; a study of your own to start from: balance init" in done.err


def test_a_run_goes_to_runs_by_default(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = stand_in_studies(monkeypatch)
    balance("run", "my/study.toml")
    assert calls[0][2] == Path("runs/study")


def test_a_run_as_json_is_one_object(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_studies(monkeypatch)
    done = balance("run", "study.toml", "--json")
    found = json.loads(done.out)
    assert (found["schema"], found["verb"], found["broken_limits"], found["summary"]["n_duels"]) == (1, "run", [], 81)
    assert done.err == ""


@pytest.mark.parametrize("command", [("run", "study.toml"), ("run", "study.toml", "--json"), ("report", "warforged")])
def test_a_broken_limit_ends_with_1(
    command: tuple[str, ...], balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in_studies(monkeypatch, broken=("max_win_rate: 71% is above 65%",))
    done = balance(*command)
    assert done.status == 1
    assert "limit broken: max_win_rate: 71% is above 65%" in done.err
    assert done.out


def test_the_report_of_a_game_goes_to_reports(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = stand_in_studies(monkeypatch)
    done = balance("report", "warforged")
    assert done.out.splitlines() == ["reports/warforged/report.html", "reports/warforged/report.pdf"]
    assert calls[0][1] == "shipped warforged"


def test_the_report_of_a_study_and_of_a_run(balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = stand_in_studies(monkeypatch)
    balance("report", "studies/big.toml", "--format", "html")
    (elsewhere / "old").mkdir()
    balance("report", "old", "--out", "there", "--format", "pdf, html")
    assert [call[2] for call in calls if call[0] == "report"] == [Path("reports/big"), Path("there")]
    assert [call[3] for call in calls if call[0] == "report"] == [("html",), ("pdf", "html")]
    assert sum(call[0] == "run" for call in calls) == 1


def test_a_report_of_nothing_and_in_no_format(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_studies(monkeypatch)
    assert "did you mean warforged?" in balance("report", "warforge").err
    done = balance("report", "warforged", "--format", "htm")
    assert done.status == 2
    assert "did you mean html?" in done.err


def test_opening_the_report_opens_the_first_file(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_studies(monkeypatch)
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", opened.append)
    balance("report", "warforged")
    assert opened == []
    balance("report", "warforged", "--open")
    assert opened == ["reports/warforged/report.html"]


def test_a_log_of_stages_is_short() -> None:
    now, lines = [0.0], list[str]()
    tell = Lines(clock=lambda: now[0], write=lines.append)
    for now[0], stage, done in ((1.0, "quick", 1), (2.0, "quick", 2), (11.0, "slow", 1), (12.0, "slow", 2)):
        tell(Stage(stage, done, 2))
    assert lines == ["slow: 1 of 2", "slow: 2 of 2"]
