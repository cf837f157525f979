"""Odds of dice at once: `balance dice EXPRESSION...` past the reader of the command line, which takes longer than they.

typer reads every value through pydantic, and loading that takes a tenth of a second; a designer who tries one pool
after the other waits for nothing else. Whatever has any other option than a plain flag goes the usual way.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

__all__ = ["answered_at_once"]

FLAGS = ("--json", "--every", "--more")


def answered_at_once(arguments: Sequence[str]) -> bool:
    """Answer if these are the odds of dice asked with plain flags at most; return whether it was so.

    >>> answered_at_once(["dice", "2d6", "--seed", "1"])
    False
    """
    if arguments[:1] != ["dice"] or "BALANCE_SEED" in os.environ:
        return False
    flags = [word for word in arguments[1:] if word in FLAGS]
    expressions = [word for word in arguments[1:] if word not in FLAGS]
    if not expressions or any(word.startswith("-") for word in expressions):
        return False
    from balance.cli.options.results import say_result
    from balance.verbs.rolls import dice

    say_result(dice(*expressions, every="--every" in flags, quiet=True), "--more" in flags, "--json" in flags)
    return True
