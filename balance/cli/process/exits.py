"""The exit statuses, and how errors become lines on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.base.errors import as_typed
from balance.base.text import one_line

if TYPE_CHECKING:
    from balance.verbs.call.result import Result

SUCCESS, BROKEN_LIMIT, WRONG_INPUT, PARTIAL, OUR_BUG = 0, 1, 2, 3, 101
"""Done; a stated balance limit is broken; usage, catalogue or file error; interrupted or partial; our own bug."""


@dataclass
class Settings:
    """The options before the verb; `debug` prints tracebacks."""

    debug: bool = False


def say_line(text: object) -> None:
    """Print one line of an answer, to standard output."""
    sys.stdout.write(f"{one_line(text)}\n")
    sys.stdout.flush()


def say_json(document: Mapping[str, object]) -> None:
    """Print the object of --json, indented, to standard output."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def say_brief(document: Mapping[str, object]) -> None:
    """Print the object of --brief, on one line, to standard output."""
    sys.stdout.write(json.dumps(document, allow_nan=False) + "\n")


def say_errors(messages: Iterable[object]) -> None:
    """Print one line per fault to standard error."""
    for message in messages:
        sys.stderr.write(f"error: {one_line(as_typed(message))}\n")
    sys.stderr.flush()


def say_note(message: object) -> None:
    """Print one note, which is no error, to standard error."""
    sys.stderr.write(f"{one_line(as_typed(message))}\n")
    sys.stderr.flush()


def say_notes(messages: Iterable[object]) -> None:
    """Print one line per note on a sound answer to standard error."""
    for message in messages:
        say_note(f"note: {message}")


def say_result(result: Result[Any], more: bool, as_json: bool, brief: bool) -> None:
    """Print the first screen of a result, all of it with `more`, or its JSON object with `as_json` or `brief`."""
    if brief:
        say_brief(result.to_brief())
    elif as_json:
        say_json(result.to_dict())
    else:
        from balance.answers.media.terminal import say

        if more or not result.waits_for_more:
            say(*result.screen(more))
        for text in result.below:
            say_line(text)
    sys.stdout.flush()
    if result.kept_since:
        say_note(f"kept since {result.kept_since}; §fresh works it out anew")
    say_notes(result.notes)
