"""Answers that are kept: who asks the very same again reads what was worked out before, and is told of when it is.

What fixes an answer names it: the verb and all that it is asked, the game with its rules and its catalogue, the sources
of the program, and the libraries that count with it. Kept is what took more than a second, can be told in plain values,
and writes no file.
"""

from __future__ import annotations

import platform
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, wraps
from importlib.metadata import version
from inspect import BoundArguments, signature
from typing import TYPE_CHECKING, Any

from balance.base.errors import BalanceError
from balance.verbs.call.means import means_of, shared_answers
from balance.verbs.call.parameters import Function, parameters_of
from balance.verbs.call.result import Result, parts_of_result, result_of_parts
from balance.verbs.call.words import open_game

if TYPE_CHECKING:
    from balance.engine.answers import SharedAnswers
    from balance.game.loaded import LoadedGame

NO_RESULT = (TypeError, ValueError, LookupError, AttributeError)
"""What is raised for parts that make no result."""
WORTH_KEEPING = 1.0
"""Seconds from which the work for an answer is worth a file."""
LIBRARIES = ("numpy", "scipy", "polars")
"""Those that numbers may depend on."""


def keeps_answers(function: Function) -> Function:
    """Return a verb as one that keeps its answers, if it asks a game and takes `fresh`; any other as it is."""
    form = signature(function)
    if not {"game", "fresh"} <= form.parameters.keys():
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        place = _place_of(function, form.bind(*args, **kwargs))
        if place is None:
            return function(*args, **kwargs)
        return place.find() or place.add(lambda: function(*place.call.args, **place.call.kwargs))

    return call  # type: ignore[return-value]  # the same parameters and the same answer


@dataclass(frozen=True)
class _Place:
    """Where the answer to a call is kept; the game of the call is open."""

    store: SharedAnswers
    name: str
    game: LoadedGame
    call: BoundArguments

    def find(self) -> Result[Any] | None:
        """Return the answer that is kept, if there is one and nobody wants it anew."""
        rows = self.store.find(self.name, 1, self.game)
        try:
            return None if rows is None else result_of_parts(rows[0])
        except NO_RESULT as error:
            warnings.warn(f"{self.name}.json is damaged ({error}); it is asked again", stacklevel=2)
            return None

    def add(self, work: Callable[[], Result[Any]]) -> Result[Any]:
        """Work an answer out, and keep it if that is worth it and it comes back as it is."""
        start = time.perf_counter()
        result = work()
        if time.perf_counter() - start >= WORTH_KEEPING and not result.kept:
            now = datetime.now().isoformat(" ", "minutes")
            with suppress(*NO_RESULT, BalanceError):
                self._keep(replace(result, kept_since=now))
        return result

    def _keep(self, result: Result[Any]) -> None:
        from balance.engine.answers import pack, unpack

        rows = pack([parts_of_result(result)])
        again = result_of_parts(unpack(rows, self.game)[0])
        if again.to_dict() == result.to_dict() and again.sentence == result.sentence:
            self.store.add_packed(self.name, rows)


def _place_of(function: Function, call: BoundArguments) -> _Place | None:
    """Return where the answer to a call is kept; None where none is, as in a call that writes a file or is wrong."""
    call.apply_defaults()
    about, given = parameters_of(function), call.arguments
    outputs = {name: part.about for name, part in about.items() if part.about.is_output}
    if any(part.is_option or given[name] is not None for name, part in outputs.items()):  # by position: always a file
        return None
    try:
        means = means_of(1, cache=given["cache"], fresh=given["fresh"] or given["verify"] is not None)
        if means.shared is None:
            return None
        given["game"], given["catalogue"] = open_game(given["game"], given["catalogue"]), None
        facts = {name: given[name] for name, part in about.items() if not part.about.is_means and name != "game"}
        name = _name(function.__name__, given["game"], facts)
        store = shared_answers(means, "kept") if name else None
    except (BalanceError, TypeError, OSError):  # the verb itself says what is wrong
        return None
    return None if store is None or name is None else _Place(store, name, given["game"], call)


def _name(verb: str, game: LoadedGame, facts: Mapping[str, Any]) -> str | None:
    """Return the digest that names an answer; None for a game whose sources are not known, as in a notebook."""
    from balance.engine.answers import pack
    from balance.engine.query import digest
    from balance.engine.source import identity_of, package_of

    if not package_of(game.definition):
        return None
    file = game.definition.file
    text = "" if file is None else file.read_bytes().hex()
    words = [game.typed(), game.catalogue_text, text]
    return digest([*identity_of(game), *_libraries(), verb, words, pack(facts)])


@cache
def _libraries() -> tuple[str, ...]:
    return (platform.python_version(), *map(version, LIBRARIES))
