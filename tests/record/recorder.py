"""What comes back of a case, as text: what is printed, every form of the answer, and the files that are left."""

from __future__ import annotations

import hashlib
import io
import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import balance
from balance.base.errors import BalanceError
from balance.base.paths import data_folder
from balance.cli.main import main
from balance.cli.process.exits import say_result
from balance.game.registry import GAMES
from balance.verbs.call.result import Result
from tests.cli.transcripts import plain_terminal
from tests.record.cases import Case
from tests.record.readable import file_text, html_text, table_text

FILES = Path(__file__).with_name("files")
TOYS = {"tug": "tests.tug:GAME"}
"""Games of the tests, known to the cases whose lines hold their name: armies of tug of war meet in no time."""
UNREAD = ("blocks", "unfinished", "data", "published", "__pycache__")
"""Folders of files that nobody reads: finished work, what is only linked to, and compiled code."""
TICKS = partial(next, count(0, 2**-10))
"""A clock that goes on by a thousandth of a second whenever it is asked, so that what is told of times is the same."""
FORMS: Mapping[str, Callable[[Result[Any]], str]] = {
    "--more": lambda result: _printed(say_result, result, True, False, False),
    "--json": lambda result: _printed(say_result, result, False, True, False),
    "--brief": lambda result: _printed(say_result, result, False, False, True),
    "sentence": lambda result: result.sentence,
    "notes, broken limits, cannot see": lambda result: "\n".join(
        [*result.notes, *result.broken_limits, *result.cannot_see]
    ),
    "repr": repr,
    "str": str,
    "explain": lambda result: str(result.explain()),
    "html": lambda result: html_text(result._repr_html_()),
    "html of explain": lambda result: html_text(result.explain()._repr_html_()),
}
"""Each form of an answer beside its first screen, which the command prints itself."""


def recorded(case: Case, cache: Path) -> str:
    """Return all that a case says, without the version and where folders lie; a clock that ticks measures times."""
    toys = {name: place for name, place in TOYS.items() if any(name in line for line in case.lines)}
    variables = mock.patch.dict(os.environ, {"BALANCE_CACHE": str(cache)})
    with plain_terminal(), variables, mock.patch.dict(GAMES, toys), _ticking():
        shutil.copytree(FILES, ".", dirs_exist_ok=True)
        Path("published").symlink_to(data_folder().parent / "reports")
        text = "".join(f"{'=' * 4} {name} {'=' * 4}\n{part}\n" for line in case.lines for name, part in _parts(line))
        places = {os.path.realpath("."): "FOLDER", str(Path.cwd()): "FOLDER", str(data_folder().parent): "CHECKOUT"}
    for place, name in places.items():
        text = text.replace(place, name)
    return text.replace(f"balance {balance.__version__}", "balance VERSION")


def _parts(line: str) -> Iterator[tuple[str, str]]:
    """Yield what comes back of a line, part by part, each with its name."""
    before = _files()
    with _answers() as answers:
        is_python = line.startswith("balance.")
        yield (f">>> {line}", _called(line)) if is_python else (f"$ balance {line}", _typed(shlex.split(line)))
    for result in answers[-1:]:
        yield from ((name, _told(form, result)) for name, form in FORMS.items())
        for name, frame in result.tables.items():
            yield f"table {name}", table_text(frame)
    for name, digest in _files().items():
        if before.get(name) != digest:
            yield f"file {name}", file_text(Path(name), digest)


@contextmanager
def _ticking() -> Iterator[None]:
    """Let whoever measures how long something takes ask the clock that ticks."""
    ours = [module for name, module in sys.modules.items() if name.startswith("balance.")]
    with ExitStack() as stack:
        for module in (time, *(module for module in ours if hasattr(module, "perf_counter"))):
            stack.enter_context(mock.patch.object(module, "perf_counter", TICKS))
        yield


@contextmanager
def _answers() -> Iterator[list[Result[Any]]]:
    """Collect the answers that are made meanwhile; the last of them is what the command prints."""
    answers: list[Result[Any]] = []
    begin = Result.__init__

    def keep(result: Result[Any], *arguments: Any, **words: Any) -> None:
        begin(result, *arguments, **words)
        answers.append(result)

    with mock.patch.object(Result, "__init__", keep):
        yield answers


def _typed(words: list[str]) -> str:
    """Return what a command prints, what it complains about, each line after `2> `, and its exit status."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return f"{out.getvalue()}{''.join(f'2> {row}' for row in err.getvalue().splitlines(True))}[{status}]"


def _called(line: str) -> str:
    """Return what a call of Python returns in short, or the error that it raises."""
    try:
        return repr(eval(line, {"balance": balance}))  # a line of our own cases
    except BalanceError as error:
        return f"{type(error).__name__}: {error}"


def _told(form: Callable[[Result[Any]], str], result: Result[Any]) -> str:
    """Return a form of an answer; where it cannot be had, the reason, so that the others are recorded all the same."""
    try:
        return form(result)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _printed(say: Callable[..., None], *arguments: object) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        say(*arguments)
    return out.getvalue()


def _files() -> dict[str, str]:
    """Return name -> checksum of every file below this folder that somebody may read."""
    paths = (path for path in sorted(Path().rglob("*")) if path.is_file() and not _is_unread(path))
    return {path.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _is_unread(path: Path) -> bool:
    return any(part in UNREAD or part.startswith(".") for part in path.parts)
