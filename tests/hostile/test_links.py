"""Links that lead in a circle, and folders in place of files: an error of ours, whatever reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.base.errors import BalanceError
from balance.base.foreign import lies_in, real_path
from balance.study.run.folder import load_run
from tests.hostile.readers import DATA, REPORTS, say

Spoil = Callable[[Path], None]


def circle(path: Path) -> None:
    """Put a link to itself in place of a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    """Put a folder in place of a file."""
    if not path.is_dir():
        path.unlink(missing_ok=True)
        path.mkdir()


@pytest.mark.parametrize("spoil", [circle, folder])
@pytest.mark.parametrize("part", ["tables", "tables/declared_every_army.parquet", "manifest.json"])
def test_a_run_with_a_link_to_itself_is_refused(spoil: Spoil, part: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(REPORTS / "edadh", run)
    assert (run / part).exists()
    if spoil is folder and part == "tables":
        shutil.rmtree(run / part)
    spoil(run / part)
    with pytest.raises(BalanceError) as caught:
        load_run(run).table("declared_every_army")
    assert str(run) in str(caught.value)


@pytest.mark.parametrize("spoil", [circle, folder])
@pytest.mark.parametrize(
    "words",
    [
        ["tables", "PATH"], ["report", "PATH", "--quiet"], ["run", "PATH", "--dry-run"], ["check", "PATH"],
        ["check", "edadh", "--catalogue", "PATH"], ["import", "edadh", "PATH", "--to", "new"], ["rate", "PATH"],
        ["roster", "PATH"], ["compare", "PATH", "--patch", "PATH"], ["dice", "2d6", "--page", "PATH"],
        ["export", "edadh", "PATH"], ["tables", str(REPORTS / "edadh"), "--out", "PATH/x"],
    ],
)  # fmt: skip
def test_no_verb_ends_as_a_bug_over_a_link_to_itself(
    spoil: Spoil, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = {"import": "loop.xlsx", "export": "new.xlsx", "rate": "loop.csv", "dice": "loop.html"}.get(words[0], "loop")
    spoil(tmp_path / name)
    say(*(word.replace("PATH", name) for word in words))


@pytest.mark.parametrize("spoil", [circle, folder])
def test_a_catalogue_with_a_link_to_itself_is_refused(spoil: Spoil, tmp_path: Path) -> None:
    for path in [DATA / "edadh" / name for name in ("rules.toml", "SOURCES.csv")]:
        shutil.copytree(DATA / "edadh", tmp_path / path.stem)
        spoil(tmp_path / path.stem / path.name)
        say("check", str(tmp_path / path.stem), "--game", "edadh")


def test_a_path_that_leads_in_a_circle_goes_as_far_as_it_goes(tmp_path: Path) -> None:
    circle(tmp_path / "a")
    assert real_path(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert lies_in(tmp_path / "a" / "b", tmp_path) and not lies_in(tmp_path / "a" / ".." / ".." / "b", tmp_path)
