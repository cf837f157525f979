"""Progress of every verb, and warnings on one line each."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from balance.base.errors import SourceWarning
from balance.cli.process.exits import say_note
from balance.cli.process.streams import Channel
from balance.verbs.call.watch import Watch, progress_line

UNWATCHED = ("serve",)
"""Verbs that have no end to come near to."""


def with_progress(verb: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the function of a verb to show its progress, unless --quiet or JSON is asked for."""

    @wraps(function)
    def call(**kwargs: Any) -> Any:
        with plain_warnings():
            if verb in UNWATCHED or kwargs.get("quiet") or kwargs.get("as_json") or kwargs.get("brief"):
                return function(**kwargs)
            watch = Watch(verb, sys.stderr.isatty())
            Channel.before = watch.clear  # its line goes away before anything else is written
            try:
                with progress_line(watch):
                    return function(**kwargs)
            finally:
                Channel.before = None

    return call


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print each Python warning as one line on standard error, once."""
    past_texts = set[str]()

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        if (text := str(message)) not in past_texts:
            past_texts.add(text)
            say_note(f"{'note' if issubclass(category, SourceWarning) else 'warning'}: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
