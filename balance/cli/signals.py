"""Ctrl-C and the other ways to ask a command to end: it stops cleanly, says so in one sentence, and has one status.

A terminal that is closed (SIGHUP) and a system or a scheduler that asks for an end (SIGTERM) are heeded like Ctrl-C;
what the command was started to ignore (`nohup`) stays ignored.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

from balance.limits import END_SIGNALS

__all__ = ["end_at_once", "heed", "interrupt"]

Handler = Callable[[int, FrameType | None], object]


def heed(handler: Handler) -> None:
    """Let a handler take every signal that asks for an end, but those that are ignored."""
    for kind in END_SIGNALS:
        if signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, handler)


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """End what is under way in order, as Python does for Ctrl-C."""
    raise KeyboardInterrupt


def end_at_once(status: int, words: bytes = b"") -> Handler:
    """Return a handler that ends the process where nothing is under way that would have to be put in order."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        try:
            os.write(2, words)
        finally:
            os._exit(status)

    return end
