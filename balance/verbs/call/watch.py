"""How far a verb has come, on standard error: one line that is overwritten, or a line per minute in a log.

A verb says nothing of this itself: what is shown is what was told last with `balance.base.progress`.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from balance.base.progress import Progressing, Share, duration, estimate_so_far, line_of, tell, under_way
from balance.base.text import one_line

Answers = TypeVar("Answers", bound=Callable[..., Any])

PATIENCE_SECONDS = 2.0
"""How long nothing is shown on a terminal: at first, and after anything else was written."""
DRAW_SECONDS = 0.2
LOG_SECONDS = 60.0
FIRST_SECONDS = 3.0
"""When a log is told the first estimate of an answer, if there is one."""


def _write(text: str) -> None:
    """Write to standard error past its buffer, so that it can be done beside what is written there."""
    with contextlib.suppress(OSError, io.UnsupportedOperation):
        os.write(sys.stderr.fileno(), text.encode(sys.stderr.encoding, sys.stderr.errors or "replace"))


def _width() -> int:
    """Return the columns of the terminal behind standard error; 80 where it has none."""
    with contextlib.suppress(OSError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return 80


@dataclass
class Watch:
    """Shows how far a command has come, after two quiet seconds on a terminal, else with one line per minute.

    A log gets the first estimate of the answer as soon as there is one.

    The functions of clock, output and width are replaced by tests.
    """

    verb: str
    terminal: bool
    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = _write
    width: Callable[[], int] = _width
    _start: float = field(init=False)
    _quiet_until: float = field(init=False)
    _line_width: int = field(init=False, default=0)
    _has_estimate: bool = field(init=False, default=False)
    _step: tuple[str, int, int, float] = field(init=False, default=("", 0, 0, 0.0))
    _process: int = field(init=False, default_factory=os.getpid)
    _lock: threading.RLock = field(init=False, default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._start = self.clock()
        self._quiet_until = self._start + (PATIENCE_SECONDS if self.terminal else LOG_SECONDS)

    @property
    def line(self) -> str:
        """The work under way, and the time since the start."""
        progress = under_way()
        going_on = progress is not None and (progress.n_done < progress.total or not progress.total)
        text = f"{self.verb}: at work"
        if progress is not None and going_on:
            text = f"{line_of(progress)}{self._left(progress)}"
        known = f"so far {estimate}; " if (estimate := estimate_so_far()) else ""
        return f"{one_line(known + text)} ({duration(self.clock() - self._start)})"

    def _left(self, progress: Progressing) -> str:
        """Return how long the step under way will take, by what was done since it was first seen; empty before that."""
        now = self.clock()
        if (progress.work, progress.total) != self._step[:2] or progress.n_done < self._step[2]:
            self._step = progress.work, progress.total, progress.n_done, now
        n_done, seconds = progress.n_done - self._step[2], now - self._step[3]
        if progress.unit or isinstance(progress, Share) or not n_done or seconds < PATIENCE_SECONDS:
            return ""
        return f", about {duration(seconds * (progress.total - progress.n_done) / n_done)} left of this"

    def look(self) -> None:
        """Show the line, unless it is too early after the last one; called five times a second."""
        with self._lock:
            now = self.clock()
            is_first = not self._has_estimate and bool(estimate_so_far()) and now - self._start >= FIRST_SECONDS
            if now < self._quiet_until and not (is_first and not self.terminal):
                return
            self._has_estimate = bool(estimate_so_far())
            self._quiet_until = now + (DRAW_SECONDS if self.terminal else LOG_SECONDS)
            if self.terminal:
                self._draw(self.line)
            else:
                self.write(f"{self.line}\n")

    def _draw(self, text: str) -> None:
        """Put a text over the one that stands there, cut to the terminal's width."""
        from rich.cells import cell_len, set_cell_size

        room = max(1, self.width() - 1)
        line_text = text if cell_len(text) <= room else set_cell_size(text, room)
        self.write(f"\r{line_text}{' ' * (min(self._line_width, room) - cell_len(line_text))}")
        self._line_width = cell_len(line_text)

    def clear(self) -> None:
        """Take the line away, as something else is written or the command ends."""
        if not self.terminal or os.getpid() != self._process:
            return
        with self._lock:
            if self._line_width:
                self.write(f"\r{' ' * self._line_width}\r")
                self._line_width = 0
            self._quiet_until = self.clock() + PATIENCE_SECONDS


class _ProgressLine:
    """A flag for this process: a verb that another verb calls shows no line of its own."""

    is_shown = False


@contextmanager
def progress_line(watch: Watch) -> Iterator[None]:
    """Show how far a verb has come as long as the block takes, from a thread that looks every 0.2 seconds."""
    over = threading.Event()

    def keep_looking() -> None:
        while not over.wait(DRAW_SECONDS):
            watch.look()

    tell(None)
    thread = threading.Thread(target=keep_looking, daemon=True)
    _ProgressLine.is_shown = True
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        _ProgressLine.is_shown = False
        watch.clear()
        tell(None)


def shows_progress(function: Answers) -> Answers:
    """Return a verb as one that shows how far it has come, at a prompt and in a notebook, unless it is called `quiet`.

    The verbs that it calls itself show nothing of their own, and scripts without a terminal see nothing of it.
    """
    parameters = signature(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        quiet = parameters.bind_partial(*args, **kwargs).arguments.get("quiet", False)
        if quiet or _ProgressLine.is_shown or not (in_notebook() or sys.stderr.isatty()):
            return function(*args, **kwargs)
        write = _write_to_notebook if in_notebook() else _write
        with progress_line(Watch(function.__name__, terminal=True, write=write)):
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]  # the same parameters and the same answer


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    kernel = sys.modules.get("ipykernel.kernelapp")
    return kernel is not None and kernel.IPKernelApp.initialized()


def _write_to_notebook(text: str) -> None:
    """Write to standard error, which a notebook shows below the cell; a return begins its line anew there too."""
    sys.stderr.write(text)
    sys.stderr.flush()
