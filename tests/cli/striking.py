"""Commands that a signal strikes at the k-th thing they do to the disk; run as `python -m tests.cli.striking`.

Reads one JSON object a line, {"args", "cwd", "signal", "step", "room"}, runs that command in a fork of a process that
has imported everything, and answers {"status", "steps", "err"}; a step of null strikes nowhere, and a room is how many
bytes a file can grow to.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

LOADED = (
    "balance.verbs.catalogues.check", "balance.verbs.studies.runs", "balance.games.warforged",
    "balance.reporting.build", "balance.study.compare.compare", "matplotlib.figure", "openpyxl",
)  # fmt: skip
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "tempfile.mkdtemp"}


def main() -> None:
    """Answer until the input ends."""
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        wish = json.loads(line)
        err, told = os.pipe()
        steps, counted = os.pipe()
        child = os.fork()
        if child == 0:
            _command(wish, told, counted)
        os.close(told)
        os.close(counted)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answer = {"status": status, "steps": len(_all_of(steps)), "err": _all_of(err)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _all_of(pipe: int) -> str:
    with os.fdopen(pipe) as file:
        return file.read()


def _command(wish: dict[str, Any], err: int, steps: int) -> NoReturn:
    os.chdir(wish["cwd"])
    os.dup2(err, 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _strike(steps, wish["step"], wish["signal"])
    if wish["room"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (wish["room"], resource.RLIM_INFINITY))
    from balance.cli.main import run

    sys.argv = ["balance", *wish["args"]]
    status = 70
    try:
        run()
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _strike(steps: int, step: int | None, number: int) -> None:
    """Count changes to the disk below this folder, a byte each in a pipe, and strike just before one of them."""
    here, fsync, done = str(Path.cwd()), os.fsync, list[None]()

    def count() -> None:
        os.write(steps, b".")
        done.append(None)
        if len(done) == step:
            os.kill(os.getpid(), number)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            opened, _, flags = arguments
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and _below(opened, here):
                count()
        elif event in CHANGES and _below(arguments[0], here):
            count()

    def synced(descriptor: int) -> None:
        count()
        fsync(descriptor)

    sys.addaudithook(watch)
    os.fsync = synced  # type: ignore[assignment]


def _below(place: object, here: str) -> bool:
    return isinstance(place, str | bytes | os.PathLike) and str(Path(os.fsdecode(place)).absolute()).startswith(here)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
