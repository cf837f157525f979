"""How a study is played: where its cache lies, what it may write to, how it is interrupted and judged."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import OutputError
from balance.cli.process.progress import plain_warnings
from balance.engine.answers import SharedAnswers
from balance.engine.runner import Engine
from balance.verbs.call.means import Means, WorkInterrupted, engine_for, runner_for, user_cache
from balance.verbs.call.words import check_writable

HOME = Path("/home/ada")


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: HOME)
    return monkeypatch


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, HOME / ".cache" / "balance"),
        ("linux", {"XDG_CACHE_HOME": "/var/c"}, Path("/var/c/balance")),
        ("linux", {"XDG_CACHE_HOME": ""}, HOME / ".cache" / "balance"),
        ("darwin", {"XDG_CACHE_HOME": "/var/c"}, HOME / "Library" / "Caches" / "balance"),
        ("win32", {}, HOME / "AppData" / "Local" / "balance" / "cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/balance/cache")),
    ],
)
def test_the_cache_lies_where_the_system_keeps_caches(
    platform: str, variables: dict[str, str], folder: Path, nothing_set: pytest.MonkeyPatch
) -> None:
    nothing_set.setattr(sys, "platform", platform)
    for name, value in variables.items():
        nothing_set.setenv(name, value)
    assert user_cache() == folder


@pytest.mark.parametrize(("named", "folder"), [(None, None), ("", None), ("/var/c", Path("/var/c/balance"))])
def test_who_has_no_home_has_a_cache_only_if_one_is_named(
    named: str | None, folder: Path | None, nothing_set: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    nothing_set.setattr(Path, "home", homeless)
    if named is not None:
        nothing_set.setenv("XDG_CACHE_HOME", named)
    assert user_cache() == folder


@pytest.mark.parametrize(
    ("means", "executor", "cache"),
    [
        (Means(3), "auto", HOME / ".cache" / "balance"),
        (Means(3, scheduler="tcp://host:1"), "dask", HOME / ".cache" / "balance"),
        (Means(3, "serial", "tcp://host:1", Path("mine")), "serial", Path("mine")),
        (Means(3, "threads", cache=Path("mine"), no_cache=True), "threads", None),
    ],
)
@pytest.mark.usefixtures("nothing_set")
def test_options_say_which_engine_is_meant(means: Means, executor: str, cache: Path | None, tmp_path: Path) -> None:
    with engine_for(tmp_path, means, quiet=True) as engine:
        assert (engine.executor, engine.n_jobs, engine.scheduler) == (executor, 3, means.scheduler)
        assert engine.cache == cache
        assert engine.halt is not None
        assert engine.halt() is False
        engine.tell("duels", 1, 2)


@pytest.mark.parametrize(
    ("means", "executor", "kept"),
    [
        (Means(2), "auto", HOME / ".cache" / "balance"),
        (Means(2, scheduler="tcp://host:1", cache=Path("mine")), "dask", Path("mine")),
        (Means(2, "threads", no_cache=True), "threads", None),
    ],
)
@pytest.mark.usefixtures("nothing_set")
def test_a_command_without_a_folder_leaves_its_answers_in_the_cache(
    means: Means, executor: str, kept: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []

    @contextmanager
    def runner(loaded: object, engine: Engine, answers: object) -> Iterator[None]:
        told.extend([loaded, engine, answers])
        yield
        told.append("ended")

    monkeypatch.setattr("balance.engine.runner.Runner", runner)
    game: Any = object()
    with runner_for(game, means, quiet=True):
        told.append("begun")
    asked, engine, answers, *rest = told
    assert asked is game
    assert rest == ["begun", "ended"]
    assert isinstance(engine, Engine)
    assert (engine.executor, engine.n_jobs, engine.scheduler, engine.cache) == (executor, 2, means.scheduler, None)
    assert answers == (None if kept is None else SharedAnswers(kept, "answers"))
    assert engine.halt is None  # an answer ends at the first Ctrl-C: it has no blocks to finish


def test_an_interruption_tells_where_to_go_on(tmp_path: Path) -> None:
    with pytest.raises(WorkInterrupted) as stop, engine_for(tmp_path, Means(1, no_cache=True), quiet=True):
        raise KeyboardInterrupt
    assert (
        str(stop.value) == f"Interrupted; finished blocks are kept in {tmp_path}. The same command goes on from there."
    )


def test_a_warning_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with plain_warnings(), engine_for(tmp_path, Means(1, no_cache=True), quiet=True):
        warnings.warn("the cluster is slow", stacklevel=1)
    assert capsys.readouterr().err == "warning: the cluster is slow\n"


def test_who_has_no_cache_is_told_unless_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("balance.verbs.call.means.user_cache", lambda: None)
    with plain_warnings(), engine_for(tmp_path, Means(1), quiet=True) as engine:
        assert engine.cache is None
    told = "warning: you have no home folder, so no blocks are shared; --cache DIR names a place\n"
    assert capsys.readouterr().err == told
    with engine_for(tmp_path, Means(1, no_cache=True), quiet=True):
        pass
    assert capsys.readouterr().err == ""


def test_a_folder_is_refused_before_the_work_and_none_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_writable(tmp_path / "not" / "yet")
    assert not (tmp_path / "not").exists()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as found:
        check_writable(tmp_path / "file" / "below")
    assert str(found.value) == f"{tmp_path / 'file'}: is not a folder; choose another folder with out="
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(OutputError) as found:
        check_writable(tmp_path / "below")
    assert str(found.value) == f"{tmp_path}: may not be written to; choose another folder with out="
