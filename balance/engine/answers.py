"""Answers kept on disk, until what needed them is finished or for the next who asks: plain values in checked files.

Each file holds the answers to a few queries, `unfinished/<first two letters>/<name>.json`; the name is a digest of the
queries, the measure and the program, so an answer is found again only by who asks the very same. Files are written
whole or not at all. Nothing in them is run when they are read: they hold JSON, and the few types in `pack`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from balance.base.errors import BalanceError, OutputError
from balance.base.files import write_whole
from balance.base.foreign import lies_in, read_at_most
from balance.base.limits import MOST_ANSWER_BYTES, MOST_SHARED_BYTES
from balance.chance.pmf import Pmf
from balance.engine.store import remove_all
from balance.game.open_game import OpenGame
from balance.game.question.question import Question, ask


@dataclass(frozen=True)
class AnswerStore:
    """Answers kept in `folder/name` while a run is unfinished."""

    folder: Path
    name: str = "unfinished"
    _new_paths: list[Path] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def home(self) -> Path:
        """The folder of the files, which lie in subfolders named after their first two letters."""
        return self.folder / self.name

    def _place(self, name: str) -> Path:
        return self.home / name[:2] / f"{name}.json"

    def add(self, name: str, rows: Sequence[object]) -> None:
        """Keep one answer per question under `name`, a hash of the questions; skip what `pack` refuses or is too large.

        `OutputError` if the folder cannot be written.
        """
        with suppress(TypeError):
            self.add_packed(name, pack(list(rows)))

    def add_packed(self, name: str, rows: object) -> None:
        """Keep answers as `add` does, after `pack`."""
        body = json.dumps([name, rows], separators=(",", ":"))
        content = json.dumps([_sum(body), body]).encode()
        if len(content) <= MOST_ANSWER_BYTES:
            write_whole(self._place(name), content)
            self._new_paths.append(self._place(name))

    def forget(self) -> None:
        """Remove what was added since this store was opened."""
        remove_all(self._new_paths)

    def drop(self, names: Iterable[str]) -> None:
        """Remove what is kept under some names."""
        remove_all([self._place(name) for name in names])

    def for_unfinished(self) -> AnswerStore:
        """Return the store of what is finished of answers that are not whole: this one, which is cleared with them."""
        return self

    def find(self, name: str, n_rows: int, game: OpenGame | None = None) -> list[Any] | None:
        """Return the `n_rows` answers kept under a name, or None; a damaged file is None with a `UserWarning`.

        `game` is the one that is asked by questions among them.
        """
        path = self._place(name)
        try:
            total, body = json.loads(read_at_most(path, MOST_ANSWER_BYTES))
            if total != _sum(body):
                raise ValueError("its checksum does not match")
            stored_name, packed_rows = json.loads(body)
            rows = unpack(packed_rows, game)
            if stored_name != name or not isinstance(rows, list) or len(rows) != n_rows:
                raise ValueError("it belongs to other questions")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError as error:
            self._closed(error)
            return None
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError, OSError, BalanceError) as error:
            warnings.warn(f"{path.name} is damaged ({str(error)[:100]}); its questions are asked again", stacklevel=2)
            return None
        return rows

    def _closed(self, error: PermissionError) -> None:
        """Warn that the folder may not be read."""
        warnings.warn(f"what is kept in {self.home} may not be read: {error.strerror}", stacklevel=3)

    def clear(self) -> None:
        """Remove all answers and the folders that this leaves empty, and nothing else."""
        if not lies_in(self.home, self.folder):
            return
        for path in [*self.home.glob("??/*.json"), *self.home.glob("??/.*.part")]:
            with suppress(OSError):
                path.unlink()
        for folder in [*self.home.glob("??"), self.home]:
            with suppress(OSError):
                folder.rmdir()  # which only takes an empty one


class SharedAnswers(AnswerStore):
    """Answers that commands leave to each other in a cache: they only save time.

    A cache that cannot be read or written is given up, with a warning, and no run clears it; `tidy` does. One that is
    `fresh` finds only what was added since it was opened.
    """

    given_up, fresh = False, False

    def add_packed(self, name: str, rows: object) -> None:
        """Keep answers as `AnswerStore` does; give the cache up, with a warning, where it cannot be written."""
        if self.given_up:
            return
        try:
            super().add_packed(name, rows)
        except OutputError as error:
            warnings.warn(f"the cache is not used any more: {error}", stacklevel=3)
            self.given_up = True

    def find(self, name: str, n_rows: int, game: OpenGame | None = None) -> list[Any] | None:
        """Return the answers kept under a name, marked as used just now for `tidy`; None if there are none."""
        is_old = self.fresh and self._place(name) not in self._new_paths
        rows = None if self.given_up or is_old else super().find(name, n_rows, game)
        if rows is not None:
            with suppress(OSError):
                os.utime(self._place(name))
        return rows

    def for_unfinished(self) -> SharedAnswers:
        """Return a store beside this one, trimmed, for what is finished of answers that are not whole."""
        store = SharedAnswers(self.folder)
        store.fresh, store.given_up = self.fresh, self.given_up
        store.tidy()
        return store

    def _closed(self, error: PermissionError) -> None:
        """Give the cache up, with a warning."""
        warnings.warn(f"the cache is not used: {error.filename}: {error.strerror}", stacklevel=4)
        self.given_up = True

    def clear(self) -> None:
        """Keep everything, as other commands may use it."""

    def tidy(self, max_bytes: int = MOST_SHARED_BYTES) -> None:
        """Remove the answers that were least recently used until the rest takes at most `max_bytes`."""
        if not lies_in(self.home, self.folder):
            return
        files, paths = list[tuple[float, int, Path]](), list[Path]()
        with suppress(PermissionError):  # of another user's cache nothing can be told, nor need be
            paths += self.home.glob("??/*.json")
        for path in paths:
            with suppress(OSError):
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        n_bytes = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if n_bytes <= max_bytes:
                break
            with suppress(OSError):
                path.unlink()
            n_bytes -= size


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def pack(value: object) -> Any:
    """Return a value in plain JSON from which `unpack` makes it again; a function or a model only by its name.

    `TypeError` for what plain text cannot identify, such as a function within a function.

    >>> pack(({"wins": 0.5}, None)), unpack(pack(({"wins": 0.5}, None)))
    ({'tuple': [{'dict': [['wins', 0.5]]}, None]}, ({'wins': 0.5}, None))
    """
    match value:
        case np.generic():
            return value.item()
        case np.ndarray() if value.dtype.kind in "biuf":
            return {"array": [base64.b64encode(value.tobytes()).decode(), value.dtype.str, value.shape]}
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [pack(part) for part in value]
        case tuple():
            return {"tuple": [pack(part) for part in value]}
        case dict():
            return {"dict": [[pack(key), pack(part)] for key, part in value.items()]}
        case Pmf():
            return {"law": [value.columns, value.outcomes.tolist(), value.weights.tolist(), value.weights.dtype.str]}
        case partial():
            return {"call": [pack(part) for part in (value.func, value.args, value.keywords)]}
        case FunctionType() | BuiltinFunctionType() if "<" not in value.__qualname__:
            return {"call": f"{value.__module__}:{value.__qualname__}"}
        case Question():
            return {"question": [pack(part) for part in value.__reduce__()[1][1:]]}
    if (dump := getattr(value, "model_dump_json", None)) and not isinstance(value, type):
        return {"call": [_name_of(type(value)), dump()]}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: pack(getattr(value, part.name)) for part in fields(value) if part.init}
        return {"record": [_name_of(type(value)), parts]}
    raise TypeError(f"cannot be kept: {type(value).__name__}")


def unpack(plain: Any, game: OpenGame | None = None) -> Any:
    """Return what was packed; a record only if its class is one of this package, a question only with its `game`.

    `ValueError`, `TypeError`, `LookupError` or `AttributeError` for anything that `pack` does not make.
    """
    if isinstance(plain, list):
        return [unpack(part, game) for part in plain]
    if not isinstance(plain, dict):
        return plain
    ((kind, parts),) = plain.items()
    return _MAKERS[kind](parts, game)


def _distribution(parts: Sequence[Any], _: OpenGame | None) -> Pmf:
    columns, outcomes, weights, kind = parts
    rows = np.array(outcomes, np.int64).reshape(len(weights), len(columns))
    distribution = Pmf.from_rows(columns, rows, np.array(weights, np.dtype(kind)))
    if not np.array_equal(distribution.outcomes, rows):
        raise ValueError("its rows are not in order")
    return distribution


def _record(parts: Sequence[Any], game: OpenGame | None) -> object:
    name, values = parts
    record_type = ours(name)
    if not isinstance(record_type, type) or not is_dataclass(record_type):
        raise ValueError(f"{name} is no record of ours")
    return record_type(**{part: unpack(value, game) for part, value in values.items()})


def ours(name: str) -> Any:
    """Return what a module of this package calls so, such as "balance.chance.pmf:Pmf"; `ValueError` for another's."""
    module, _, word = name.partition(":")
    if not module.startswith("balance.") or "__" in module:
        raise ValueError(f"{name} is not ours")
    try:
        return getattr(import_module(module), word)
    except ImportError as error:
        raise ValueError(str(error)) from None


def _array(parts: Sequence[Any], _: OpenGame | None) -> Any:
    content, kind, shape = parts
    return np.frombuffer(base64.b64decode(content), np.dtype(kind)).reshape(shape).copy()


def _question(parts: Sequence[Any], game: OpenGame | None) -> Question:
    if game is None:
        raise ValueError("it asks of a game that is not known here")
    return ask(game, *unpack(parts, game))


_MAKERS: dict[str, Callable[[Any, OpenGame | None], Any]] = {
    "tuple": lambda parts, game: tuple(unpack(parts, game)),
    "dict": lambda parts, game: {unpack(key, game): unpack(part, game) for key, part in parts},
    "array": _array,
    "law": _distribution,
    "record": _record,
    "question": _question,
}


def _name_of(kind: type) -> str:
    if "<" in kind.__qualname__:
        raise TypeError(f"cannot be named: {kind.__qualname__}")
    return f"{kind.__module__}:{kind.__qualname__}"
