"""Tips of the engine, the server, the commands that make files, and of reading and writing files."""

from __future__ import annotations

import asyncio
import errno
import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import filelock

from balance.base.errors import Fault, UsageError
from balance.base.files import scratch
from balance.base.foreign import read_at_most
from balance.cli.server.prompts import text_of
from balance.cli.server.serve import serve as serve_assistant
from balance.cli.server.served import check_no_code, serve_folders
from balance.cli.server.worker import _tool
from balance.engine import source
from balance.engine.jobs import FutureJobs, Job
from balance.engine.pool import _check_address, _cluster, dask_pool, open_pool
from balance.engine.store import locked
from balance.engine.verification import Verification, VerifiedPool
from balance.game.loaded import load
from balance.game.local_games import _open_package, fault_in_code
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
            done("new-game orks --template d20")
            Path("orks.toml").rename(f"{name}/orks.toml")
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


def lacking(package: str, deed: Callable[[], object]) -> Callable[[], object]:
    """Return the deed done where a package is not installed."""

    def run() -> object:
        with mock.patch.dict(sys.modules, {package: None}):
            return deed()

    return run


def pool_of_dask(address: str | None = "tcp://host:8786", *, is_lost: bool = False) -> None:
    """Open a pool of a Dask cluster that nobody has to run, and lose it if so wanted."""
    from balance.engine import pool as cluster

    class LostError(Exception):
        """No contact any more."""

    dask = SimpleNamespace(
        scheduler=SimpleNamespace(KilledWorker=LostError), comm=SimpleNamespace(CommClosedError=LostError)
    )
    with (
        mock.patch.multiple(
            cluster,
            import_module=lambda _: dask,
            _check_address=mock.DEFAULT,
            _client=mock.MagicMock(),
            _Watch=mock.MagicMock(),
        ),
        dask_pool(1, address),
    ):
        if is_lost:
            raise LostError


def own_cluster(error: Exception | None = None) -> None:
    """Start a Dask cluster on this machine."""
    with _cluster(SimpleNamespace(LocalCluster=mock.MagicMock(side_effect=error)), 1, None):
        pass


def workers(*results: int | Exception) -> Callable[[], object]:
    """Return the deed of a job that is tried with these results, one after the other."""

    def submit(*_: object) -> Future[Any]:
        future, result = Future[Any](), left.pop(0)
        future.set_exception(result) if isinstance(result, Exception) else future.set_result(result)
        return future

    left = list(results)

    def run() -> object:
        left[:] = results
        executor: Any = SimpleNamespace(submit=submit, shutdown=lambda **_: None)
        return len(list(FutureJobs(1, lambda: executor, (ConnectionError,)).run([Job("block 1", abs, (1,))]))) and None

    return run


def verified(result: int) -> Callable[[], object]:
    """Return the deed of verifying what a worker says that the absolute of -1 is."""

    def run() -> None:
        VerifiedPool(SimpleNamespace(n_workers=1), Verification(1, b""))._verify(
            "worker 1", Job("block", abs, (-1,)), result
        )

    return run


def opened(**changes: Any) -> Callable[[], object]:
    """Return the deed of a worker that opens a game which was packed elsewhere."""

    def run() -> None:
        packed = replace(source.Source.of(load("warforged")), **changes)
        with mock.patch.object(source, "_OPEN_GAMES", {}):
            packed.open()

    return run


def package(name: str, *files: str) -> Callable[[], object]:
    """Return the deed of importing a folder as a package."""

    def run() -> None:
        Path(name).mkdir()
        for file in files:
            Path(name, file).touch()
        with mock.patch.dict(sys.modules):
            _open_package(Path(name).absolute())

    return run


def code(text: str) -> Callable[[], object]:
    """Return the deed of running the code of somebody's game."""

    def run() -> object:
        path = Path("rats.py").absolute()
        try:
            exec(compile(text, str(path), "exec"), {})
        except ZeroDivisionError as error:
            return [fault_in_code(error, [path.parent])]
        return None

    return run


def served(hits: str = "") -> Callable[[], object]:
    """Return the deed of a server that opens a game file, with another step in it."""

    def run() -> None:
        done("new-game rats --template hit-wound-save")
        lines = Path("rats.toml").read_text("utf-8").splitlines()
        lines = [f"hits = {hits}" if hits and line.startswith("hits") else line for line in lines]
        Path("rats.toml").write_text("\n".join(lines), "utf-8")
        check_no_code(Path("rats.toml"))

    return run


def resource(address: str) -> Callable[[], object]:
    """Return the deed of reading a resource of the server."""

    def read() -> object:
        from mcp.shared.exceptions import MCPError
        from mcp_types import ReadResourceRequestParams

        from balance.cli.server.protocol import _Desk

        try:
            asyncio.run(
                _Desk(mock.Mock(), mock.Mock()).read_resource(mock.Mock(), ReadResourceRequestParams(uri=address))
            )
        except MCPError as error:
            return [Fault(str(error))]
        return None

    return read


def tables(options: str = "") -> Callable[[], object]:
    """Return the deed of writing the tables of a run whose folder leads elsewhere."""

    def run() -> object:
        Path("run").mkdir()
        Path("other").mkdir()
        Path("run/csv").symlink_to(Path("other").absolute())
        well, said = done(f"tables run {options}")
        return said if well else [Fault(said)]

    return run


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
    Case(
        lambda: text_of("what_should_it_cos", {}),
        "did you mean what_should_it_cost?",
        lambda: text_of("what_should_it_cost", {"game": "warforged", "card": "shotgun"}) and None,
    ),
    Case(lacking("mcp", serve_assistant), "add it: pip install", server("one")),
    Case(resource("balance://answer"), "allowed: balance://answers", resource("balance://answers")),
    Case(served('{python = "os:system"}'), "write it as a step in the language of dice", served()),
    Case(tables(), "say where to write with --out", tables("--out x"), "run"),
    # -- other machines ----------------------------------------------------------------------------------------------
    Case(
        lacking("distributed", lambda: open_pool("dask", 1).__enter__()),
        'pip install "tabletop-balance[dask]"',
        pool_of_dask,
    ),
    Case(
        lambda: pool_of_dask(is_lost=True),
        "see to the cluster, then the same command goes on",
        pool_of_dask,
    ),
    Case(
        lambda: own_cluster(OSError("no socket")),
        "executor=processes needs none",
        lambda: open_pool("processes", 1) and None,
    ),
    Case(workers(*[ConnectionError()] * 3), "try fewer (jobs=1)", workers(ConnectionError(), 1)),
    Case(verified(2), "leave that worker out, or look for what differs there", verified(1)),
    Case(
        opened(content=b""),
        "use the executor serial or threads",
        lambda: source.Source.of(load("warforged")).open() and None,
    ),
    Case(opened(program="older"), "install the same version everywhere", opened()),
    # -- games in Python ---------------------------------------------------------------------------------------------
    Case(package("pickle", "__init__.py"), "rename it", package("sky_rats", "__init__.py")),
    Case(package("sky_rats"), "put a file __init__.py into it", package("sky_rats", "__init__.py")),
    Case(code("1 / 0"), "that is the code of your game", code("1 / 1")),
]
