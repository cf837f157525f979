"""Sessions at a terminal, kept as they look: what was typed after `$ balance`, and all that came back.

A transcript is a text in `tests/cli/transcripts/`. A line that starts with `$ balance` is a command; what follows is
its whole output as of 80 columns, then what it complained about, each line after `2> `, then the exit status in
brackets if it is not 0. Commands of one transcript work in one folder, empty at first, one after the other; a line that
starts with `$ write FILE` makes a file of the lines after it that start with `< `. What is printed as JSON is kept
indented, with nine digits of each number; how long something took, and an error of rounding, are `...`. The shipped
data are in `data`, as in a checkout, so that every path is the same everywhere.

`python -m tests.cli.transcripts` runs every command again and writes what comes back now: look at the difference.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from balance.base.paths import data_folder
from balance.cli.main import main
from balance.verbs.call import kept as kept_answers
from tests.schemas import check_printed

FOLDER = Path(__file__).with_name("transcripts")
PLAIN = {"COLUMNS": "80", "NO_COLOR": "1"}
"""What makes a terminal a plain one of 80 columns, with `UNSET`, which must not be there."""
NEVER_THE_SAME = re.compile(r"\d+(\.\d+)?(?= s\))|(?<=Exploitability: )\S+e-1\d")
UNSET = ("BALANCE_CATALOGUE", "BALANCE_SEED", "FORCE_COLOR", "TERMINAL_WIDTH", "TTY_COMPATIBLE")


def names() -> list[str]:
    """Return the names of the transcripts."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def kept(name: str) -> str:
    """Return a transcript as it is kept."""
    return (FOLDER / f"{name}.txt").read_text("utf-8")


def replayed(name: str) -> str:
    """Return a transcript as it comes out now, in an empty folder of its own, of which no module outlives it."""
    with plain_terminal():
        return "".join(_lines(kept(name).splitlines()))


@contextmanager
def plain_terminal() -> Iterator[None]:
    """Work in an empty folder, as at a plain terminal of 80 columns; no module of that folder outlives it.

    No answer is kept, whatever time it takes.
    """
    slow = mock.patch.object(kept_answers, "WORTH_KEEPING", math.inf)
    with tempfile.TemporaryDirectory() as folder, chdir(folder), mock.patch.dict(os.environ, PLAIN), slow:
        for variable in UNSET:
            os.environ.pop(variable, None)
        os.environ |= {"HOME": "/nowhere", "BALANCE_CACHE": str(Path(folder, ".cache"))}
        Path("data").symlink_to(data_folder())
        try:
            yield
        finally:
            for module in [name for name, one in sys.modules.items() if _lies_in(folder, one)]:
                del sys.modules[module]


def _lies_in(folder: str, module: object) -> bool:
    return str(getattr(module, "__file__", None)).startswith(f"{os.path.realpath(folder)}{os.sep}")


def _lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines typed, each with what comes back."""
    for at, line in enumerate(lines):
        if line.startswith("$ balance"):
            yield f"{line}\n{screen(shlex.split(line)[2:])}\n"
        elif line.startswith("$ write "):
            text = list(_written(lines[at + 1 :]))
            path = Path(line.removeprefix("$ write "))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{row}\n" for row in text), "utf-8")
            yield "\n".join([line, *(f"< {row}".rstrip() for row in text), "\n"])
        elif line.startswith("# "):
            yield f"{line}\n"


def _written(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("<"):
            return
        yield line.removeprefix("<").removeprefix(" ")


def screen(arguments: list[str]) -> str:
    """Return what a command prints, what it complains about, and its exit status if it is not 0."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    printed, complained = (_read(stream) for stream in (out, err))
    check_printed(printed)
    if printed.startswith("{\n"):
        told = json.loads(printed, parse_float=lambda digits: float(f"{float(digits):.9g}"))
        printed = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    printed = NEVER_THE_SAME.sub("...", printed)
    marked = "".join(f"2> {line}".rstrip() + "\n" for line in complained.splitlines())
    return printed + marked + (f"[{status}]\n" if status else "")


def _read(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


if __name__ == "__main__":
    for name in names():
        (FOLDER / f"{name}.txt").write_text(replayed(name), "utf-8")
