"""Call a verb with what was typed, and print what it returned: as text or as JSON, with its notes on standard error."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from balance.cli.process.exits import say_brief, say_json, say_notes

if TYPE_CHECKING:
    from balance.verbs.call.result import Result


def result_of(verb: Callable[..., Result], arguments: Mapping[str, Any]) -> Result:
    """Call a verb with those of the words that were typed which it knows; the others say what is printed.

    `--no-cache` is `cache=False`, and with --json or --brief nothing is told of how far the work is.

    Parameters
    ----------
    verb
        The function of `balance.verbs` to be called.
    arguments
        Parameter -> value of the command, which may have more of them than the verb.
    """
    words = {name: value for name, value in arguments.items() if name in inspect.signature(verb).parameters}
    if arguments.get("no_cache"):
        words["cache"] = False
    if arguments.get("as_json") or arguments.get("brief"):
        words["quiet"] = True
    return verb(**words)


def say_result(result: Result, more: bool, as_json: bool, brief: bool) -> None:
    """Print a result: its first screen, everything if `more` is asked for, or the one object of --json or --brief.

    Parameters
    ----------
    result
        What a verb returned.
    more
        Whether everything is printed, instead of the first screen.
    as_json
        Whether the JSON object is printed instead.
    brief
        Whether the short JSON object is printed instead of all these.
    """
    if brief:
        say_brief(result.to_brief())
    elif as_json:
        say_json(result.to_dict())
    else:
        from balance.answers.media.terminal import say

        say(*result.screen(more))
    sys.stdout.flush()
    say_notes(result.notes)
