"""The process in which a server works out answers: `python -m balance.cli.server.worker FOLDER...`.

It prints a line when it is ready, then reads a call per line from standard input and writes an answer per line to
standard output, all as JSON. Its memory and the files it may open are limited, and the server kills it when an answer
takes too long.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import balance
from balance.base.errors import BalanceError, Interruption, UsageError, unknown
from balance.base.paths import data_folder
from balance.cli.process.memory import OUT_OF_MEMORY, out_of_memory
from balance.cli.server.guard import RefusalError, guard
from balance.cli.server.served import serve_folders
from balance.cli.server.tools import Tool, tools_of

MEMORY = "BALANCE_SERVER_MEMORY"
"""The environment variable that says how many bytes of memory there may be."""
PLACE = Path(balance.__file__).parents[1]
"""Where this package lies."""
MOST_FAULTS, MOST_LETTERS = 12, 600
"""Faults that are told of one call, and letters of each."""


def answer(tools: Mapping[str, Tool], folders: Any, call: Mapping[str, Any]) -> dict[str, Any]:
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
    tools = tools_of(folders)
    os.chdir(data_folder())  # where there is no game and no catalogue
    guard(folders.folders)
    _say(wire, {"ready": True})
    for line in sys.stdin:
        _say(wire, answer(tools, folders, json.loads(line)))


def _say(wire: TextIO, document: Mapping[str, Any]) -> None:
    wire.write(json.dumps(document) + "\n")
    wire.flush()


if __name__ == "__main__":
    main()
