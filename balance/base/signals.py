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
    """Let a handler take every signal that asks for an end, but those that are ignored."""
    for kind in END_SIGNALS:
        if signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, handler)


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """End what is under way in order, as Python does for Ctrl-C.

    Parameters
    ----------
    number
        Number of the signal.
    frame
        Where the process was.
    """
    raise KeyboardInterrupt


def end_at_once(status: int, words: bytes = b"") -> Handler:
    """Return a handler that ends the process where nothing is under way that would have to be put in order.

    Parameters
    ----------
    status
        Exit status of the process.
    words
        What is written on stderr first.
    """

    def end(number: int, frame: FrameType | None) -> NoReturn:
        try:
            os.write(2, words)
        finally:
            os._exit(status)

    return end


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether an end was asked for, as by Ctrl-C.

    A second one, or the end of the time that is left to finish in, interrupts as usual.
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
    """What this thread works for."""

    is_abandoned: Callable[[], bool] = bool


_THREAD = _Thread()


def work_until(is_abandoned: Callable[[], bool]) -> None:
    """Let what this thread plays end at its next step once nobody waits for it any more."""
    _THREAD.is_abandoned = is_abandoned


def end_if_abandoned() -> None:
    """Raise `Interruption` in a thread whose work nobody waits for any more."""
    if _THREAD.is_abandoned():
        raise Interruption
