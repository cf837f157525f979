"""Tips of the engine, the server, the commands that make files, and of reading and writing files."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock

from balance.base.errors import Fault, UsageError
from balance.base.files import scratch
from balance.base.foreign import read_at_most
from balance.cli.server.served import serve_folders
from balance.cli.server.worker import _tool
from balance.engine.cluster import _check_address
from balance.engine.pool import open_pool
from balance.engine.store import locked
from tests.tips.following import Case, Deed, Typed, done

DUEL = "duel warforged nexus+shotgun trooper+shotgun"


def fill_disk() -> None:
    """Write temporary files where there is no room."""
    with scratch():
        raise OSError(errno.ENOSPC, "No space left on device")


def lock(folder: str) -> Callable[[], object]:
    """Return the deed of a second run in a folder where one is at work."""

    def run() -> object:
        Path("busy").mkdir()
        Path("file").touch()
        with filelock.FileLock("busy/.lock"), locked(Path(folder)):
            return None

    return run


def after(first: Deed, then: Deed) -> Callable[[], object]:
    """Return the deed of doing one thing after another."""

    def both() -> object:
        done(first)
        well, said = done(then)
        return said if well else [Fault(said)]

    return both


def server(*names: str) -> Callable[[], object]:
    """Return the deed of serving folders."""

    def serve() -> object:
        for name in names:
            Path(name).mkdir()
            done(f"new-game {name}/orks.toml --template skirmish")
        return serve_folders([Path(name) for name in names]) and None

    return serve


def with_game(line: str) -> Callable[[], object]:
    """Return the deed of a command beside a game file."""
    return after("new-game rats --template d20", line)


def read(path: Path, max_bytes: int = 10**6) -> object:
    """Read a file that may be anybody's."""
    try:
        return len(read_at_most(path, max_bytes)) and None
    except OSError as error:
        raise UsageError(str(error.strerror)) from None


def at(address: str) -> None:
    """Check the address of a scheduler."""
    import distributed

    _check_address(distributed, address)


TOOLS: dict[str, Any] = {"duel": True}


CASES = [
    # -- files of any kind -------------------------------------------------------------------------------------------
    Case(fill_disk, "free some space there, or let TMPDIR name another folder", scratch().__enter__),
    Case(lambda: read(Path("/dev/zero")), "it is no ordinary file", lambda: read(Path(__file__))),
    Case(lambda: read(Path(__file__), 9), "it is larger than", lambda: read(Path(__file__))),
    # -- games and studies that are written --------------------------------------------------------------------------
    Case(
        "new-game rats --template d20 --python",
        "say --template KIND or --python, not both",
        "new-game rats --template d20",
    ),
    Case("new-game", "such as balance new-game sky_rats", "new-game sky_rats"),
    Case("new-game Rats!", "try rats", "new-game rats"),
    Case("new-game warforged", "try my_warforged", "new-game my_warforged"),
    Case("new-game numpy", "try my_numpy", "new-game my_numpy"),
    Case("new-game rats --template d2", "did you mean d20?", "new-game rats --template d20"),
    Case("new-game Rats! --template d20", "try rats", "new-game rats --template d20"),
    Case("new-game warforged --template d20", "try my_warforged", "new-game my_warforged --template d20"),
    Case(
        Typed("new-game rats", {"rats/mine.txt": ""}),
        "choose another name, or another folder",
        Typed("new-game rats_2", {"rats/mine.txt": ""}),
    ),
    Case(
        Typed("new-game rats --template d20", {"rats.toml": ""}),
        "choose another name, or another folder",
        Typed("new-game rats_2 --template d20", {"rats.toml": ""}),
    ),
    Case(
        Typed("init warforged", {"study.toml": "mine"}),
        "name another file, or replace it with --force",
        Typed("init warforged --force", {"study.toml": "mine"}),
    ),
    Case("run warforged", "a study of your own to start from: balance init warforged", "init warforged"),
    Case("rules rats.toml", "balance new-game rats --template KIND writes one", "new-game rats --template d20"),
    Case(
        with_game("rules rats.toml"), "what is wrong with it says balance check rats.toml", with_game("check rats.toml")
    ),
    Case(with_game("duel rat.toml goblin fighter"), "is rats.toml meant?", with_game("duel rats.toml goblin fighter")),
    Case(
        with_game("import rats.toml army.xlsx"),
        'write units = "army.xlsx#units" into rats.toml',
        with_game("check rats.toml"),
    ),
    Case("duel warforge nexus+shotgun trooper+shotgun", "did you mean warforged?", DUEL),
    Case("show warforged nexsus", "did you mean nexus?", "show warforged nexus"),
    Case("schema due", "did you mean duel?", "schema duel"),
    Case("check --explain", "name one: balance check FILE", with_game("check --explain rats.toml")),
    # -- work and workers --------------------------------------------------------------------------------------------
    Case(lambda: open_pool("proceses", 2), "did you mean processes?", lambda: open_pool("processes", 2) and None),
    Case(lambda: at("foo"), "such as tcp://host:8786", lambda: at("tcp://host:8786")),
    Case(lambda: at("tls://host:8786"), "name one, as docs/how-to/scaling.md shows", lambda: at("tcp://host:8786")),
    Case(lock("busy"), "wait for it, or choose another folder", lock("idle")),
    Case(lock("file"), "choose another folder", lock("idle")),
    # -- the server --------------------------------------------------------------------------------------------------
    Case(server("one", "two"), "rename one of them", server("one")),
    Case(
        lambda: serve_folders([]).game("warforge") and None,
        "did you mean warforged?",
        lambda: serve_folders([]).game("warforged") and None,
    ),
    Case(
        lambda: _tool(TOOLS, "duell"),
        "did you mean duel?",
        lambda: _tool(TOOLS, "duel") and None,
    ),
]
