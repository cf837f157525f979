"""Call a verb with the typed arguments, and print its result as text or JSON, with notes on standard error."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from balance.cli.process.exits import say_brief, say_json, say_notes

if TYPE_CHECKING:
    from balance.verbs.call.result import Result


def result_of(verb: Callable[..., Result[Any]], arguments: Mapping[str, Any]) -> Result[Any]:
    """Call a verb with those of the command's arguments that it has parameters for.

    `--no-cache` becomes `cache=False`, and --json and --brief turn off progress.
    """
    words = {name: value for name, value in arguments.items() if name in inspect.signature(verb).parameters}
    if arguments.get("no_cache"):
        words["cache"] = False
    if arguments.get("as_json") or arguments.get("brief"):
        words["quiet"] = True
    return verb(**words)


def say_result(result: Result[Any], more: bool, as_json: bool, brief: bool) -> None:
    """Print the first screen of a result, all of it with `more`, or its JSON object with `as_json` or `brief`."""
    if brief:
        say_brief(result.to_brief())
    elif as_json:
        say_json(result.to_dict())
    else:
        from balance.answers.media.terminal import say

        say(*result.screen(more))
    sys.stdout.flush()
    say_notes(result.notes)
