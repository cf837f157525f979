"""What is finished of an answer that is not whole: kept every few seconds, so that an interruption costs no more."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Any

from balance.engine.answers import AnswerStore

SECONDS = 2.0
"""How much work a kill may cost; Ctrl-C costs none that is finished."""


class Journal:
    """Results by the name of the work and their place in it, in a store of its own; without a store nothing is kept."""

    def __init__(self, store: AnswerStore | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._pending: dict[str, dict[int, Any]] = {}
        self._last_time = clock()
        self.names: set[str] = set()

    def find(self, name: str) -> dict[int, Any]:
        """Return the results that an earlier run has left of some work; empty where there are none."""
        rows = None if self._store is None else self._store.find(name, 1)
        self.names |= {name} if rows else set()
        return dict(rows[0]) if rows else {}

    def note(self, name: str, results: dict[int, Any]) -> None:
        """Take the results that there are of some work by now; all that were taken are written every `SECONDS`."""
        if self._store is not None:
            self._pending[name] = results
            self.names.add(name)
            if self._clock() - self._last_time >= SECONDS:
                self.flush()

    def flush(self) -> None:
        """Write what was taken since the last time."""
        for name, results in self._pending.items():
            if self._store is not None:
                self._store.add(name, [results])
        self._pending.clear()
        self._last_time = self._clock()

    def clear(self, but: Collection[str] = ()) -> None:
        """Remove what this run has written or found, but some names, as what needed the others is finished."""
        names = self.names.difference(but)
        self.names -= names
        self._pending = {name: results for name, results in self._pending.items() if name not in names}
        if self._store is not None:
            self._store.drop(names)
