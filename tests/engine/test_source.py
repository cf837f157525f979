"""Where the code of a game lies, which workers compare."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

import balance
from balance.base.errors import WorkerError
from balance.engine.source import PLAY_PACKAGES, Source, fingerprint, package_of
from balance.game.loaded import LoadedGame
from balance.game.registry import GAMES, find_game, game_names
from tests.toy.game import GAME as TOY


@pytest.mark.parametrize("name", game_names())
def test_the_package_of_a_game_holds_its_code(name: str) -> None:
    package = package_of(find_game(name))
    assert package == f"balance.games.{name}"
    assert fingerprint(package) != fingerprint()


def test_a_function_with_some_arguments_filled_in_lies_where_it_was_written() -> None:
    game = find_game("warforged")
    first, *others = game.kinds
    kind = game.kinds[first]
    filled = replace(game, kinds={first: replace(kind, processes=partial(kind.processes))} | {
        name: game.kinds[name] for name in others
    })  # fmt: skip
    assert package_of(filled) == package_of(game)


def test_a_registered_game_lies_where_it_was_found_wherever_its_first_rule_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a change of its other modules would leave results in the cache that no longer hold."""

    def written_below(*told: object) -> tuple[()]:
        return ()

    written_below.__module__ = "tests.toy.rules.attacks"
    kinds = {name: replace(kind, processes=written_below) for name, kind in TOY.kinds.items()}
    spread = replace(TOY, kinds=kinds)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert package_of(spread) == "tests.toy.rules"
    monkeypatch.setattr("tests.toy.game.GAME", spread)
    assert package_of(spread) == "tests.toy"


# -- what travels ------------------------------------------------------------------------------------------------------


def packages(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> None:
    """Make packages that hold one module each."""
    for name, text in modules.items():
        (folder / name / "inner").mkdir(parents=True)
        (folder / name / "__init__.py").write_text("")
        (folder / name / "inner" / "rules.py").write_text(text)
        (folder / name / "notes.txt").write_text("not a source")
    monkeypatch.syspath_prepend(str(folder))


def test_a_fingerprint_holds_every_source_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages(tmp_path, monkeypatch, printed_one="a = 1", printed_other="b = 2")
    one, other = b"__init__.py\0\0inner/rules.py\0a = 1\0", b"__init__.py\0\0inner/rules.py\0b = 2\0"
    assert fingerprint("printed_one") == sha256(one).hexdigest()
    assert fingerprint("printed_one", "printed_other") == sha256(one + other).hexdigest()
    assert fingerprint("", "printed_nowhere", "printed_one") == sha256(one).hexdigest()


def test_a_package_without_a_file_of_its_own_has_no_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "printed_space").mkdir()
    (tmp_path / "printed_space" / "rules.py").write_text("c = 3")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert fingerprint("printed_space") == sha256(b"").hexdigest()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> dict[str, LoadedGame]:
    """Return what a worker has open, which is nothing yet."""
    here: dict[str, LoadedGame] = {}
    monkeypatch.setattr("balance.engine.source._OPEN_GAMES", here)
    return here


def test_a_game_is_opened_once_by_a_worker(elsewhere: dict[str, LoadedGame]) -> None:
    loaded = balance.load("warforged")
    source = Source.of(loaded)
    assert source.open() is loaded
    assert source.sha256 == sha256(zlib.decompress(source.content)).hexdigest()
    assert source.program == fingerprint(*PLAY_PACKAGES, "balance.games.warforged")
    elsewhere.clear()
    opened = source.open()
    assert opened is not loaded
    assert opened.catalogue.sha256 == loaded.catalogue.sha256
    assert source.open() is opened
    assert elsewhere == {source.sha256: opened}


def homemade() -> LoadedGame:
    """Return a game that no other process can know."""
    kinds = {name: replace(kind, processes=lambda setup, lane: ()) for name, kind in TOY.kinds.items()}
    return balance.load(replace(TOY, kinds=kinds))


def test_a_game_of_this_process_alone_is_told_elsewhere(elsewhere: dict[str, LoadedGame]) -> None:
    loaded = homemade()
    source = Source.of(loaded)
    assert source.content == b""
    assert source.sha256 == sha256(f"skirmish {loaded.catalogue.sha256}".encode()).hexdigest()
    assert source.open() is loaded
    elsewhere.clear()
    with pytest.raises(WorkerError) as told:
        source.open()
    assert str(told.value) == "this game lives in one process only; use the executor serial or threads"


def test_a_worker_of_another_version_is_told(elsewhere: dict[str, LoadedGame]) -> None:
    source = replace(Source.of(balance.load("warforged")), program="older")
    elsewhere.clear()
    with pytest.raises(WorkerError) as told:
        source.open()
    assert str(told.value) == "a worker runs another version of balance; install the same version everywhere"
    assert elsewhere == {}


@pytest.mark.parametrize(("n", "closed"), [(15, []), (16, ["0"])])
def test_the_game_that_was_opened_first_is_closed_for_one_too_many(
    n: int, closed: list[str], elsewhere: dict[str, LoadedGame]
) -> None:
    source, others = Source.of(balance.load("warforged")), homemade()
    elsewhere.clear()
    elsewhere |= {str(number): others for number in range(n)}
    source.open()
    assert list(elsewhere) == [*(name for name in map(str, range(n)) if name not in closed), source.sha256]


def test_a_program_is_the_one_that_runs_whatever_becomes_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages(tmp_path, monkeypatch, printed_once="a = 1")
    before = fingerprint("printed_once")
    (tmp_path / "printed_once" / "inner" / "rules.py").write_text("a = 2")
    assert fingerprint("printed_once") == before
