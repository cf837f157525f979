"""Finished blocks on disk: append-only, written whole or not at all, checked when read.

A store is a folder. The counts of a range of blocks of one task are one small JSON file, `blocks/<first two
letters>/<stream id>/<first>-<last>.json`, that names its own SHA-256. It is written under another name, flushed to the
disk, and renamed, so a kill at any moment leaves either the whole file or none. A file that does not match its
checksum, or holds what its stream cannot hold, is moved to `damaged/`, with a warning, and its blocks count as not
done. Files of several runs with the same stream id (task, seed, lane) hold the same numbers, so a store can be shared
as a cache.

One process writes to a run's folder at a time: `locked` holds a lock file for as long as it works.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from balance.base.errors import BalanceError, OutputError
from balance.base.files import write_whole
from balance.base.foreign import read_at_most
from balance.base.limits import MOST_BLOCK_BYTES
from balance.chance.pmf import Pmf
from balance.chance.trials.tally import Tally

SCHEMA = 1


@dataclass(frozen=True)
class Expected:
    """What the tally of a stream can hold, whatever its file says.

    `columns`: column -> the values it may hold. `per_block`: trials in a block; None for an exact distribution, where
    the weights at each value of the first column sum to 1.
    """

    columns: Mapping[str, Collection[int]]
    per_block: int | None = None

    def check(self, tally: Tally) -> None:
        """Raise `ValueError` if a tally has other columns, values or numbers of trials."""
        counts = tally.counts
        if counts.columns != tuple(self.columns):
            raise ValueError(f"its columns are not {', '.join(self.columns)}")
        for name, values in self.columns.items():
            if not np.isin(counts[name], list(values)).all():
                raise ValueError(f"its column {name} holds other values than {', '.join(map(str, sorted(values)))}")
        if self.per_block is not None and (not counts.is_exact or tally.n_trials != tally.n_blocks * self.per_block):
            raise ValueError(f"it does not hold {self.per_block:,} trials in each block")
        if self.per_block is None and not self._is_distribution(tally):
            raise ValueError("its chances do not add up to 1")

    def _is_distribution(self, tally: Tally) -> bool:
        first, values = next(iter(self.columns.items()))
        sums = [tally.counts.weights[tally.counts[first] == value].sum() for value in values]
        return (tally.first_block, tally.n_blocks) == (0, 1) and bool(np.allclose(sums, 1, rtol=0, atol=1e-6))


class _Body(BaseModel):
    """The JSON object in a file of blocks; numbers are below 2**53, which JSON readers keep exactly."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    schema_: Annotated[Literal[1], Field(alias="schema")]
    stream: str
    first_block: Annotated[int, Field(ge=0, lt=2**53)]
    n_blocks: Annotated[int, Field(ge=1, lt=2**53)]
    columns: Annotated[list[str], Field(min_length=1)]
    outcomes: list[list[Annotated[int, Field(ge=-(2**53), le=2**53)]]]
    counts: list[Annotated[int, Field(gt=0)] | Annotated[float, Field(gt=0)]]


@contextmanager
def locked(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold a folder for one process; the system lets go when the process ends, however it ends.

    `wait` for another process that holds it, else `OutputError`, as for a folder that cannot be written to.
    """
    import filelock

    lock = filelock.FileLock(folder / ".lock", blocking=wait)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except filelock.Timeout:
        raise OutputError(f"another run is at work in {folder}", "wait for it, or choose another folder") from None
    except OSError as error:
        raise OutputError(f"cannot write in {folder}: {error.strerror or error}", "choose another folder") from None
    try:
        yield
    finally:
        lock.release()


@dataclass(frozen=True)
class BlockStore:
    """A folder of finished blocks."""

    folder: Path
    _new_paths: list[Path] = field(default_factory=list, init=False, repr=False, compare=False)

    def _home(self, stream_id: str) -> Path:
        return self.folder / "blocks" / stream_id[:2] / stream_id

    def add(self, stream_id: str, tally: Tally) -> None:
        """Write the tally of a range of blocks to a file of its own."""
        content = encode_tally(stream_id, tally)
        last = tally.first_block + tally.n_blocks - 1
        path = self._home(stream_id) / f"{tally.first_block:08d}-{last:08d}.json"
        write_whole(path, content)
        self._new_paths.append(path)

    def forget(self) -> None:
        """Remove what was added since this store was opened."""
        remove_all(self._new_paths)

    def ranges(self, stream_id: str, expected: Expected | None = None) -> list[Tally]:
        """Return every range kept for a stream, which may overlap: by first block, the longest first.

        A range cannot be cut, so whoever needs exactly the first n blocks chooses among them. A file that is damaged or
        not as `expected` is set aside with a `UserWarning`, and its blocks will be computed again.
        """
        home = self._home(stream_id)
        paths = sorted(home.glob("*.json")) if home.is_dir() else []
        tallies = [self._read(stream_id, path, expected) for path in paths]
        return sorted((t for t in tallies if t is not None), key=lambda tally: (tally.first_block, -tally.n_blocks))

    def sweep(self) -> None:
        """Remove what killed writers left half-written; only for the holder of the folder (`locked`)."""
        for path in self.folder.glob("blocks/*/*/.*.part"):
            with suppress(OSError):
                path.unlink()

    def _read(self, stream_id: str, path: Path, expected: Expected | None) -> Tally | None:
        try:
            tally = decode_tally(stream_id, read_at_most(path, MOST_BLOCK_BYTES))
            if expected is not None:
                expected.check(tally)
        except (ValueError, OSError) as error:
            aside = self.folder / "damaged" / f"{stream_id}-{path.name}"
            with suppress(OSError):
                aside.parent.mkdir(parents=True, exist_ok=True)
                path.replace(aside)
            warnings.warn(f"{path.name} is damaged ({error}); set aside, its blocks run again", stacklevel=2)
            return None
        return tally


class SharedStore(BlockStore):
    """A cache of blocks, which only saves time: one that cannot be read or written is given up, with a warning."""

    given_up = False

    def ranges(self, stream_id: str, expected: Expected | None = None) -> list[Tally]:
        """Return every range kept for a stream as `BlockStore.ranges` does; none if the cache may not be read."""
        if self.given_up:
            return []
        try:
            return super().ranges(stream_id, expected)
        except OSError as error:
            warnings.warn(f"the cache is not used: {error.filename}: {error.strerror}", stacklevel=2)
            self.given_up = True
            return []

    def add(self, stream_id: str, tally: Tally) -> None:
        """Keep the tally of a range of blocks; give the cache up, with a warning, where it cannot be written."""
        if self.given_up:
            return
        try:
            super().add(stream_id, tally)
        except OutputError as error:
            warnings.warn(f"the cache is not used any more: {error}", stacklevel=2)
            self.given_up = True


def remove_all(paths: list[Path]) -> None:
    """Remove files, as far as they exist, and empty the list in place."""
    while paths:
        with suppress(OSError):
            paths.pop().unlink()


def encode_tally(stream_id: str, tally: Tally) -> bytes:
    """Return the file of a range of blocks: one JSON object with its own SHA-256."""
    body = {
        "schema": SCHEMA,
        "stream": stream_id,
        "first_block": tally.first_block,
        "n_blocks": tally.n_blocks,
        "columns": list(tally.counts.columns),
        "outcomes": tally.counts.outcomes.tolist(),
        "counts": tally.counts.weights.tolist(),
    }
    return json.dumps(body | {"sha256": _digest(body)}, separators=(",", ":")).encode()


def decode_tally(stream_id: str, content: bytes) -> Tally:
    """Return the tally of a file; `ValueError` for a wrong checksum, another stream, or no tally at all."""
    try:
        document = json.loads(content)
        if not isinstance(document, dict) or document.pop("sha256", None) != _digest(document):
            raise ValueError("its checksum does not match")
        body = _Body.model_validate(document)
        if body.stream != stream_id:
            raise ValueError("it belongs to another task")
        rows = np.array(body.outcomes, np.int64).reshape(len(body.counts), len(body.columns))
        return Tally(Pmf.from_rows(body.columns, rows, body.counts), body.first_block, body.n_blocks)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (RecursionError, BalanceError) as error:
        raise ValueError(str(error)[:200]) from None


def _digest(body: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
