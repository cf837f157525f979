"""How far a command has come, on standard error: one line that is overwritten, or a line a minute in a log.

Every verb is watched, and says nothing of this itself: what is shown is what was told last with `balance.progress`.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from balance.cli.exits import one_line, say_note
from balance.cli.streams import Channel
from balance.errors import SourceWarning
from balance.progress import duration, line_of, tell, under_way

__all__ = ["Watch", "plain_warnings", "watched", "watching"]

PATIENCE_SECONDS = 2.0
"""How long nothing is shown on a terminal: at first, and after anything else was written."""
DRAW_SECONDS = 0.2
LOG_SECONDS = 60.0


def _write(text: str) -> None:
    """Write to standard error past its buffer, so that it can be done beside what is written there."""
    with contextlib.suppress(OSError, io.UnsupportedOperation):
        os.write(sys.stderr.fileno(), text.encode(sys.stderr.encoding, sys.stderr.errors or "replace"))


def _width() -> int:
    """Return how many columns the terminal behind standard error has."""
    with contextlib.suppress(OSError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return 80


@dataclass
class Watch:
    """Looks now and then at how far a command has come; the functions are replaced by tests."""

    verb: str
    terminal: bool
    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = _write
    width: Callable[[], int] = _width
    _begun: float = field(init=False)
    _quiet_until: float = field(init=False)
    _drawn: int = field(init=False, default=0)
    _process: int = field(init=False, default_factory=os.getpid)
    _lock: threading.RLock = field(init=False, default_factory=threading.RLock)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._begun = self.clock()
        self._quiet_until = self._begun + (PATIENCE_SECONDS if self.terminal else LOG_SECONDS)

    @property
    def line(self) -> str:
        """What is being done, and for how long already."""
        told = under_way()
        going_on = told is not None and (told.done < told.total or not told.total)
        what = line_of(told) if told is not None and going_on else f"{self.verb}: at work"
        return f"{one_line(what)} ({duration(self.clock() - self._begun)})"

    def look(self) -> None:
        """Show how far it is, if it is time."""
        with self._lock:
            now = self.clock()
            if now < self._quiet_until:
                return
            self._quiet_until = now + (DRAW_SECONDS if self.terminal else LOG_SECONDS)
            if self.terminal:
                self._draw(self.line)
            else:
                self.write(f"{self.line}\n")

    def _draw(self, text: str) -> None:
        """Put a text over the one that stands there, cut to the terminal's width."""
        from rich.cells import cell_len, set_cell_size

        room = max(1, self.width() - 1)
        shown = text if cell_len(text) <= room else set_cell_size(text, room)
        self.write(f"\r{shown}{' ' * (min(self._drawn, room) - cell_len(shown))}")
        self._drawn = cell_len(shown)

    def clear(self) -> None:
        """Take the line away, as something else is written or the command ends."""
        if not self.terminal or os.getpid() != self._process:
            return
        with self._lock:
            if self._drawn:
                self.write(f"\r{' ' * self._drawn}\r")
                self._drawn = 0
            self._quiet_until = self.clock() + PATIENCE_SECONDS


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Look at how far a command has come as long as the block takes."""
    over = threading.Event()

    def keep_looking() -> None:
        while not over.wait(DRAW_SECONDS):
            watch.look()

    tell(None)
    looking = threading.Thread(target=keep_looking, daemon=True)
    Channel.before = watch.clear
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()
        Channel.before = None
        watch.clear()
        tell(None)


def watched(verb: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a verb as one that is watched, unless it is asked to be quiet or for JSON."""

    @wraps(function)
    def call(**given: Any) -> Any:
        silent = given.get("quiet") or given.get("as_json")
        with plain_warnings(), nullcontext() if silent else watching(Watch(verb, sys.stderr.isatty())):
            return function(**given)

    return call


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Let a warning be one line on standard error, said once."""
    known = set[str]()

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        if (text := str(message)) not in known:
            known.add(text)
            say_note(f"{'note' if issubclass(category, SourceWarning) else 'warning'}: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
