"""Reports from Python: the files of the command, with what they tell as tables, whoever does the work."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

import balance
from balance.base.errors import StudyError, UsageError
from balance.cli.main import main
from balance.game.registry import GAMES
from balance.study import load_study, run_study
from tests.verbs.test_results import check_that_it_pickles

STUDY = 'game = "skirmish"\nmetrics = ["match_ups"]\n'
PATCH = 'title = "Heavier"\n[set]\n"fighters.rat.dice" = 5\n[limits]\nmax_change = 0.0\n'

PAIRS = [("rat", "knight"), ("rat", "ogre"), ("knight", "ogre")]


@pytest.fixture(autouse=True)
def small_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    Path("study.toml").write_text(STUDY)
    Path("patch.toml").write_text(PATCH)


@pytest.mark.slow("test_the_tables_of_a_comparison")
def test_a_comparison_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("compare", "study.toml", "--patch", "patch.toml", "--out", "command", "--format", "html", "--jobs", "1")
    assert main([*asked, "--json"]) == 1  # as a limit of the patch is broken
    result = balance.compare("study.toml", patch="patch.toml", out="python", format=["html"], jobs=1)
    assert result.to_dict() == json.loads(capsys.readouterr().out)
    for name in ("index.html", "compare.json", "changes.parquet"):
        assert Path("python", name).read_bytes() == Path("command", name).read_bytes()
    assert [path.name for path in result.value.files] == ["index.html", "compare.json", "changes.parquet"]
    assert [limit.partition(" ")[0] for limit in result.broken_limits] == ["max_change"]
    assert result.value.broken_limits == result.broken_limits


def test_the_tables_of_a_comparison() -> None:
    result = balance.compare("study.toml", patch=Path("patch.toml"), out="there", format="html", jobs=1)
    assert result.to_polars().sort("difference")["entrant"].to_list()[-1] == "rat"
    assert result.to_polars("changes").select("a", "b").rows() == [
        ("rat", "knight"),
        ("rat", "ogre"),
        ("knight", "ogre"),
    ]
    assert result.plot().axes
    assert re.fullmatch(r"<compare: .*the mean score of rat moves.*>", repr(result))
    assert repr(result.value) == "<Comparison: Heavier, 3 match-ups>"


def test_a_comparison_can_be_sent_away_and_is_the_same() -> None:
    result = balance.compare("study.toml", patch="patch.toml", out="there", format="html", jobs=1)
    sent = pickle.loads(pickle.dumps(result))
    assert (sent.to_dict(), str(sent), sent.broken_limits) == (result.to_dict(), str(result), result.broken_limits)
    assert list(sent.tables) == ["standing", "changes"]
    assert all(sent.tables[name].equals(table, null_equal=True) for name, table in result.tables.items())
    assert sent.value.files == result.value.files


@pytest.mark.slow("test_the_tables_of_a_comparison")
def test_a_report_of_a_study_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "study.toml", "--out", "command", "--format", "html", "--jobs", "1"]) == 0
    assert capsys.readouterr().out == "command/index.html\n"
    result = balance.report("study.toml", out="python", format="html", jobs=1)
    assert result.value.files == ("python/index.html",)
    assert Path("python/index.html").read_bytes() == Path("command/index.html").read_bytes()
    assert result.to_dict()["files"] == ["python/index.html"]
    assert result.to_polars().select("a", "b").rows() == PAIRS
    assert result.to_pandas().columns.tolist() == ["a", "b", "score", "low", "high"]
    assert len(repr(result)) < 200
    assert len(repr(result.value.run)) < 200


def test_a_report_of_a_run_and_of_nothing() -> None:
    run_study(load_study(Path("study.toml")), "mine")
    result = balance.report("mine", out="pages", format="html")
    check_that_it_pickles(result)
    assert result.value.run.folder == Path("mine")
    assert Path("pages/index.html").is_file()
    with pytest.raises(UsageError, match="no game, no study and no folder of a run"):
        balance.report("nothing")
    with pytest.raises(UsageError, match="is not a format"):
        balance.report("study.toml", format="htm")
    Path("mine/manifest.json").unlink()
    with pytest.raises(StudyError):
        balance.report("mine")
