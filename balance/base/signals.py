"""Ctrl-C and the other ways to ask a command to end: it stops cleanly, says so in one sentence, and has one status.

Work that keeps what is finished first lets what is under way finish, for `GRACE_SECONDS` at most. Threads cannot be
interrupted: those of a pool that nobody waits for any more end at the next step of the trials that they play.

A terminal that is closed (SIGHUP) and a system or a scheduler that asks for an end (SIGTERM) are heeded like Ctrl-C;
what the command was started to ignore (`nohup`) stays ignored.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from balance.base.errors import Interruption
from balance.base.limits import END_SIGNALS

Handler = Callable[[int, FrameType | None], object]

GRACE_SECONDS = 1.0
"""How long what is under way may take to finish after Ctrl-C; on Windows, which has no alarm, until a second one."""
STOPPING = b"\nStopping after the trials under way; press Ctrl-C again to stop at once.\n"


def heed(handler: Handler) -> None:
    """Let a handler take SIGINT, SIGTERM and SIGHUP, except those that the process was started to ignore."""
    for kind in END_SIGNALS:
        if signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, handler)


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Raise `KeyboardInterrupt` for a signal, as Python does for Ctrl-C."""
    raise KeyboardInterrupt


def end_at_once(status: int, words: bytes = b"") -> Handler:
    """Return a handler that writes `words` on stderr and exits the process with `status`, without any clean-up."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        try:
            os.write(2, words)
        finally:
            os._exit(status)

    return end


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether the user or the system has asked for an end.

    A second request, or the end of the time that is left to finish in, interrupts as usual.
    """
    is_pressed = threading.Event()

    def note(signum: int, frame: FrameType | None) -> None:
        if is_pressed.is_set():
            raise KeyboardInterrupt
        is_pressed.set()
        with contextlib.suppress(OSError):
            os.write(2, STOPPING)  # the only way to write that is safe inside a signal handler
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)

    if threading.current_thread() is not threading.main_thread():
        yield is_pressed.is_set
        return
    kinds = (*END_SIGNALS, signal.SIGALRM) if hasattr(signal, "setitimer") else END_SIGNALS
    before = {kind: signal.getsignal(kind) for kind in kinds}
    heed(note)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, interrupt)
    try:
        yield is_pressed.is_set
    finally:
        if is_pressed.is_set() and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in before.items():
            signal.signal(kind, handler)


# -- threads ----------------------------------------------------------------------------------------------------------


class _Thread(threading.local):
    """Whether the work of the current thread is abandoned."""

    is_abandoned: Callable[[], bool] = bool


_THREAD = _Thread()


def work_until(is_abandoned: Callable[[], bool]) -> None:
    """Let the trials of the current thread end at their next step once `is_abandoned` returns true."""
    _THREAD.is_abandoned = is_abandoned


def end_if_abandoned() -> None:
    """Raise `Interruption` if the work of the current thread is abandoned (`work_until`)."""
    if _THREAD.is_abandoned():
        raise Interruption
