"""Following a tip: something is done that ends with a tip, then what the tip says is done, and all is well.

A deed is a line as it is typed after `balance`, alone or with the files that lie there, or a function without
arguments. It works in an empty folder, at a plain terminal. What is traced is which places build the tip meanwhile.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest import mock

from balance.base.errors import BalanceError, Fault
from balance.cli.main import main
from tests.cli.transcripts import plain_terminal
from tests.tips.sites import Site, tip_sites


@dataclass(frozen=True)
class Typed:
    """A command line, and the files it finds in its folder; a file without text is left out."""

    line: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)

    def __call__(self) -> tuple[bool, str]:
        """Run the command; return whether it did what was asked, and all that it said."""
        for name, text in self.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            status = main(shlex.split(self.line))
        return status == 0, _joined(said.getvalue())


Deed = Typed | str | Callable[[], object]


@dataclass(frozen=True)
class Case:
    """A deed, what the tip says about it, and the deed with the tip followed.

    `later` is the matter that stands in the way next, where following one tip is not all that is missing.
    """

    wrong: Deed
    tip: str
    right: Deed
    later: str = ""

    def check(self) -> None:
        """Check that the tip is given, and that who follows it gets on."""
        with plain_terminal():
            _, said = done(self.wrong)
        assert _joined(self.tip) in said, f"no such tip: {self.tip!r}\n{said}"
        with plain_terminal():
            well, said = done(self.right)
        assert well or (self.later and self.later in said), f"the tip was followed, and yet:\n{said}"
        assert _joined(self.tip) not in said or self.later, f"the tip was followed, and is given again:\n{said}"


def _joined(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def done(deed: Deed) -> tuple[bool, str]:
    """Do something in the folder where we are; return whether nothing was wrong, and what was said."""
    if isinstance(deed, str):
        deed = Typed(deed)
    if isinstance(deed, Typed):
        return deed()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            told = deed()
    except BalanceError as error:
        return False, _joined(str(error))
    faults = told if isinstance(told, (list, tuple)) and told and isinstance(told[0], Fault) else ()
    texts = [told] if isinstance(told, str) else map(str, faults)
    return not faults, _joined(" ".join([*texts, *(str(warning.message) for warning in caught)]))


def reached_by(case: Case) -> set[str]:
    """Return the names of the places that build a tip while what is wrong in a case is done."""
    with plain_terminal(), reach() as names:
        done(case.wrong)
    return names


@cache
def sites() -> tuple[Site, ...]:
    """Return every place in the package that builds a tip."""
    return tuple(tip_sites())


@contextmanager
def reach(places: Iterable[Site] | None = None) -> Iterator[set[str]]:
    """Collect the names of the places that are reached meanwhile."""
    names: set[str] = set()
    before = sys.gettrace()
    sys.settrace(_Tracer(sites() if places is None else places, names).enter)
    try:
        yield names
    finally:
        sys.settrace(before)


class _Tracer:
    """Notices each instruction that stands within the text of a place."""

    def __init__(self, places: Iterable[Site], names: set[str]) -> None:
        self.names = names
        self.by_file: dict[str, list[Site]] = defaultdict(list)
        for place in places:
            self.by_file[place.path].append(place)
        self.by_code: dict[CodeType, dict[int, list[str]]] = {}

    def enter(self, frame: FrameType, event: str, _: object) -> Any:
        """Follow a function that holds places, and no other."""
        code = frame.f_code
        if code.co_filename not in self.by_file:
            return None
        if code not in self.by_code:
            self.by_code[code] = self._places_of(code)
        if not self.by_code[code]:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self.step

    def step(self, frame: FrameType, event: str, _: object) -> Any:
        """Take one instruction."""
        if event == "opcode":
            self.names.update(self.by_code[frame.f_code].get(frame.f_lasti, ()))
        return self.step

    def _places_of(self, code: CodeType) -> dict[int, list[str]]:
        names_by_offset: dict[int, list[str]] = {}
        for at, (first, last, begin, end) in enumerate(code.co_positions()):
            if first is not None and last is not None and begin is not None and end is not None:
                inside = [
                    place.name
                    for place in self.by_file[code.co_filename]
                    if place.begin <= (first, begin) and (last, end) <= place.end
                ]
                if inside:
                    names_by_offset[2 * at] = inside
        return names_by_offset


def under(limits: Mapping[str, object], deed: Deed) -> Callable[[], object]:
    """Return a deed done where constants of the code have other values, such as a limit that is soon passed."""

    def limited() -> object:
        with ExitStack() as stack:
            for name, value in limits.items():
                stack.enter_context(mock.patch(name, value))
            well, said = done(deed)
        return said if well else [Fault(said)]

    return limited
