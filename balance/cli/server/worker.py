"""The process in which a server works out answers: `python -m balance.cli.server.worker FOLDER...`.

It prints a line when it is ready, then reads a call per line from standard input and writes an answer per line to
standard output, all as JSON; before an answer that takes long, lines of how far it has come. Its memory and the files
it may open are limited, and the server kills it when an answer takes too long.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import balance
from balance.base.errors import BalanceError, Interruption, UsageError, unknown
from balance.base.paths import data_folder
from balance.base.progress import tell, under_way
from balance.cli.process.memory import OUT_OF_MEMORY, out_of_memory
from balance.cli.server.guard import RefusalError, guard
from balance.cli.server.names import GAMES, names_tool
from balance.cli.server.served import Served, serve_folders
from balance.cli.server.tools import Tool, tools_of
from balance.verbs.call.watch import Watch

MEMORY = "BALANCE_SERVER_MEMORY"
"""The environment variable that says how many bytes of memory there may be."""
PLACE = Path(balance.__file__).parents[1]
"""Where this package lies."""
PROGRESS, TELL_SECONDS = '{"progress"', 1.0
"""How a line begins that says how far a call has come, and the time between two."""
MOST_FAULTS, MOST_LETTERS = 12, 600
"""Faults that are told of one call, and letters of each."""


@contextmanager
def _telling(wire: TextIO, verb: str, folders: Sequence[Path]) -> Iterator[None]:
    """Write how far a call has come, every second as long as the block takes: in seconds, out of how many in all."""
    over, start, watch = threading.Event(), time.monotonic(), Watch(verb, terminal=False)

    def keep_telling() -> None:
        while not over.wait(TELL_SECONDS):
            stage, seconds = under_way(), time.monotonic() - start
            total = seconds * stage.total / stage.n_done if stage is not None and stage.n_done else None
            _say(wire, {"progress": seconds, "total": total, "message": _relative(watch.line, folders)})

    tell(None)
    thread = threading.Thread(target=keep_telling, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def answer(tools: Mapping[str, Tool], folders: Served, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a call (`name`, `arguments`) of a tool: `answer`, an object, or `error`, a text."""
    try:
        tool = _tool(tools, call["name"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {"answer": _relative(tool.answer(folders, tool.read(call["arguments"])), folders.folders)}
    except BalanceError as error:
        return {"error": told([_relative(str(fault), folders.folders) for fault in error.faults])}
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException as error:
        return {"error": _relative(_other(error), folders.folders)}


def _relative(told: Any, folders: Sequence[Path]) -> Any:
    """Return an answer or a fault with paths made relative to the folders, so as not to disclose where those are."""
    if isinstance(told, str):
        for root in (*folders, data_folder(), PLACE):
            told = told.replace(f"{root}{os.sep}", "").replace(str(root), root.name)
        return told
    if isinstance(told, dict):
        return {key: _relative(part, folders) for key, part in told.items()}
    return [_relative(part, folders) for part in told] if isinstance(told, list | tuple) else told


def _tool(tools: Mapping[str, Tool], name: str) -> Tool:
    if name not in tools:
        raise UsageError([unknown(name[:80], tuple(tools), "is no tool", "name")])
    return tools[name]


def told(faults: Sequence[str]) -> str:
    """Return faults as one text, a line each, at most 12 of 600 characters.

    >>> told(["a"] * 20).splitlines()[-2:]
    ['a', '8 more']
    """
    lines = [fault if len(fault) <= MOST_LETTERS else f"{fault[:MOST_LETTERS]} ..." for fault in faults[:MOST_FAULTS]]
    return "\n".join([*lines, *([f"{len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else [])])


def _other(error: BaseException) -> str:
    """Return the message for an error that is not one of ours, without a traceback and of limited length."""
    refusal: BaseException | None = error
    while refusal is not None and not isinstance(refusal, RefusalError):
        refusal = refusal.__cause__ or refusal.__context__
    if refusal is not None:
        return str(refusal)
    if out_of_memory(error):
        return OUT_OF_MEMORY.partition(";")[0] + "; ask for less"
    return told([f"sorry, balance has a bug: {type(error).__name__}: {error}"])


def _limit_memory() -> None:
    """Limit the address space of this process to `BALANCE_SERVER_MEMORY` bytes, if that is set."""
    limit = os.environ.get(MEMORY)
    if limit and sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):  # some systems have no such limit
            resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))


def _wire() -> TextIO:
    """Return the original standard output for answers, and redirect all other printing to standard error."""
    wire = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return wire


def main() -> None:
    """Answer calls until standard input ends."""
    wire, paths = _wire(), [Path(word) for word in sys.argv[1:]]
    sys.dont_write_bytecode = True
    for name in ("BALANCE_CATALOGUE", "BALANCE_SEED", "BALANCE_CACHE", "BALANCE_SCHEDULER"):
        os.environ.pop(name, None)
    _limit_memory()
    folders = serve_folders(paths)
    tools = {**tools_of(folders), GAMES: names_tool()}
    os.chdir(data_folder())  # where there is no game and no catalogue
    guard(folders.folders)
    _say(wire, {"ready": True})
    for line in sys.stdin:
        call = json.loads(line)
        with _telling(wire, call["name"], folders.folders):
            document = answer(tools, folders, call)
        _say(wire, document)


def _say(wire: TextIO, document: Mapping[str, Any]) -> None:
    wire.write(json.dumps(document) + "\n")
    wire.flush()


if __name__ == "__main__":
    main()
