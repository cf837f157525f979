"""Lines on the two streams: one for each thing said, printable, and written out at once."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from balance.cli.process.exits import say_errors, say_json, say_line, say_note, say_notes


class Stream:
    """Remembers what is written, and where it was flushed."""

    def __init__(self) -> None:
        self.said = list[str]()

    def write(self, text: str) -> None:
        self.said.append(text)

    def flush(self) -> None:
        self.said.append("<flushed>")


@pytest.mark.parametrize(
    ("say", "stream", "said"),
    [
        (lambda: say_line("  a\nb\x1b"), "stdout", ["a b\ufffd\n", "<flushed>"]),
        (lambda: say_errors(["a\nb", 7]), "stderr", ["error: a b\n", "error: 7\n", "<flushed>"]),
        (lambda: say_note("a\tb"), "stderr", ["a b\n", "<flushed>"]),
        (lambda: say_notes(["a", "b"]), "stderr", ["note: a\n", "<flushed>", "note: b\n", "<flushed>"]),
        (lambda: say_json({"b": [1.5], "a": "é"}), "stdout", ['{\n  "b": [\n    1.5\n  ],\n  "a": "\\u00e9"\n}\n']),
    ],
)
def test_what_is_said_goes_to_its_stream_line_by_line(
    say: Callable[[], None], stream: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = {name: Stream() for name in ("stdout", "stderr")}
    for name, one in streams.items():
        monkeypatch.setattr(sys, name, one)
    say()
    monkeypatch.undo()
    assert {name: one.said for name, one in streams.items() if one.said} == {stream: said}


def test_no_number_that_json_lacks_is_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        say_json({"mean": float("nan")})
