"""Standard output and error in any state: full, closed from the start, or without a reader.

The exit status states the result, whoever reads. When a reader goes away (`| head -1`), the rest is silently dropped.
An answer that cannot be delivered for another reason is an error, reported once at the end.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import ClassVar, TextIO

_PLAIN = {
    "\u2212": "-",
    "\u2013": "-",
    "\u00a0": " ",
    "\u00b1": "+-",
    "\u221e": "inf",
    "\u2026": "...",
    "\u2588": "#",
    "\u258c": ":",
    "\u2500": "-",
    "\u2265": ">=",
    **dict(zip("▁▂▃▄▅▆▇", "._-~=+*", strict=True)),
}
"""Characters that some terminals lack -> what they are spelt as there."""


class Channel(io.TextIOWrapper):
    """A text stream that never fails: `write_error` keeps its first error but a broken pipe; later text is dropped."""

    write_error: OSError | None = None
    before: ClassVar[Callable[[], None] | None] = None
    """Called before anything is written, to take away what stands on the terminal for a while."""

    def write(self, text: str, /) -> int:
        """Write a text, or drop it once the stream has failed."""
        if Channel.before is not None:
            Channel.before()
        try:
            return super().write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        """Send what is written, or drop it once the stream has failed."""
        try:
            super().flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Keep the error, unless it is a broken pipe, and redirect the stream to the null device."""
        if self.write_error is None and not isinstance(error, BrokenPipeError):
            self.write_error = error
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())


def open_streams() -> tuple[Channel, Channel]:
    """Replace standard output and error by channels and return them, also if they were closed.

    A closed standard output is opened so that writing to it fails, as the GNU tools do; otherwise the next file to be
    opened would take its number, and answers would be written into it.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    sys.stdout = out = _channel(sys.stdout, 1)
    sys.stderr = err = _channel(sys.stderr, 2)
    return out, err


def _channel(stream: TextIO | None, number: int) -> Channel:
    """Return a channel with the encoding of a stream; characters that it lacks are spelt in plain ones."""
    codecs.register_error("balance_plain", _spell_plainly)
    encoding = stream.encoding if stream is not None else "utf-8"
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    is_console = type(raw).__name__ == "_WindowsConsoleIO"  # bytes written past it are taken for another code page
    file = raw if raw is not None and is_console else io.FileIO(number, "w", closefd=False)
    return Channel(io.BufferedWriter(file), encoding, "balance_plain", line_buffering=file.isatty() or number == 2)


def _spell_plainly(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks by plain ones; an error handler for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end
