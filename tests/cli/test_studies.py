"""run and report, with stand-ins for the study itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.notebook import as_text
from balance.answers.words.runs import WORDS, fact_of, words_of
from balance.base.errors import StudyError
from balance.study.run.answer import FinishedRun
from balance.verbs.studies.reports import formats_of, table_errors
from tests.cli.conftest import Command
from tests.cli.stand_ins import FakeRun, stand_in_studies


def test_a_run_goes_where_it_is_told(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = stand_in_studies(monkeypatch)
    done = balance("run", "my/study.toml", "--out", "there", "--jobs", "2")
    assert done.status == 0
    assert "Wrote there" in done.out
    assert calls == [("run", "study my/study.toml", Path("there"), 2)]


def test_a_run_tells_its_summary(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_studies(monkeypatch)
    out = balance("run", "study.toml").out
    assert "off in every setting" in out
    assert "too dear 2, too cheap 7" in out


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
    assert done.out.splitlines()[-2:] == ["reports/warforged/report.html", "reports/warforged/report.pdf"]
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
    monkeypatch.setattr("webbrowser.open", opened.append)
    balance("report", "warforged")
    assert opened == []
    balance("report", "warforged", "--open")
    assert opened == [Path("reports/warforged/report.html").absolute().as_uri()]


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "-"),
        (12345, "12,345"),
        (-3, "−3"),
        (0.123456, "0.123"),
        ("as read", "as read"),
        ({"n_pairs": 1234, "not_yet": {"n_left": 2, "sure": True}}, "pairs 1,234, not yet left 2, sure yes"),
    ],
)
def test_a_fact_of_a_summary_is_told_as_people_say_it(fact: object, told: str) -> None:
    assert fact_of(fact) == told


def test_a_key_of_a_summary_is_told_inwords_of() -> None:
    assert [words_of(key) for key in ("n_duels", "match-ups, n_pairs", "n", "in_n_steps", "plan_b")] == [
        "duels",
        "match-ups, pairs",
        "n",
        "in steps",
        "plan b",
    ]


def test_formats_are_read_as_people_write_them() -> None:
    assert formats_of(" PDF ,html,pdf") == ("pdf", "html")


def test_a_summary_is_told_with_its_keys_inwords_of(capsys: pytest.CaptureFixture[str]) -> None:
    summary = {
        "n_duels": 1234,
        "broken_limits": ["x"],
        "left_out": 3,
        "off_in_every_setting": {"too dear": 2, "other_word": 1},
        "match_ups": {"n_pairs": 5, "allocation": "even", "unfair": 1, "left": None},
    }
    run: Any = FakeRun(Path("x"), (), summary)
    print(as_text(screen_of_answer(WORDS, FinishedRun.of(run), Terms(), more=True)))
    assert capsys.readouterr().out.splitlines()[4:] == [
        "  duels                  1,234",
        "  off in every setting   too dear 2, other word 1",
        "  match-ups, pairs       5",
        "  match-ups, left        -",
    ]


@pytest.mark.parametrize("error", [KeyError("mean"), ValueError("no\nnumber"), TypeError("x" * 200)])
def test_tables_that_do_not_fit_are_the_folders_fault(error: Exception) -> None:
    run: Any = FakeRun(Path("runs/old"))
    with pytest.raises(StudyError) as caught, table_errors(run):
        raise error
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:120]
    told = f"runs/old: its tables do not hold what this version reports ({reason}); run the study again"
    assert str(caught.value) == told
