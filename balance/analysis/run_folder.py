"""The folder of a run on disk: written beside its place first, then moved there; read back with its checksums."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from balance.analysis.settings import GameSettings
from balance.analysis.study_file import Study
from balance.errors import Fault, OutputError, StudyError
from balance.games.question import LoadedGame

__all__ = ["Run", "load_run", "sweep_run", "write_run"]

SCHEMA = 1
MANIFEST, TABLES = "manifest.json", "tables"


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes
    ----------
    folder
        Where it lies.
    manifest
        What was asked, with which versions, and the summary.
    """

    folder: Path
    manifest: Mapping[str, Any]
    _cache: dict[str, pl.DataFrame] = field(default_factory=dict, repr=False, compare=False)

    @property
    def summary(self) -> dict[str, Any]:
        """What it found, in a few numbers."""
        return dict(self.manifest["summary"])

    @property
    def broken_limits(self) -> tuple[str, ...]:
        """One sentence for each limit of the study that is broken."""
        return tuple(self.manifest["summary"]["broken_limits"])

    @cached_property
    def settings(self) -> GameSettings:
        """What the game's report should show; without settings that a version before this one had."""
        kept = self.manifest["report_settings"].items()
        return GameSettings.model_validate({name: value for name, value in kept if name in GameSettings.model_fields})

    def played(self, rung: str) -> str:
        """Return how a kind of question is played, as the game said when the run was made."""
        return str(self.manifest.get("rungs", {}).get(rung, {}).get("played", ""))

    def cannot_see(self, rung: str) -> tuple[str, ...]:
        """Return what answers to a kind of question leave out, likewise."""
        return tuple(self.manifest.get("rungs", {}).get(rung, {}).get("cannot_see", ()))

    def has(self, name: str) -> bool:
        """Return whether the run has a table of that name."""
        return name in self.manifest["tables"]

    def table(self, name: str) -> pl.DataFrame:
        """Return a table.

        Raises
        ------
        StudyError
            It is missing, or its bytes are not those that were written.
        """
        if name not in self._cache:
            path = self.folder / TABLES / f"{name}.parquet"
            content = _read(path)
            if hashlib.sha256(content).hexdigest() != self.manifest["tables"].get(name):
                raise StudyError(Fault("the table was changed after the run", str(path), tip="run the study again"))
            self._cache[name] = pl.read_parquet(content)
        return self._cache[name]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StudyError(Fault(f"cannot be read: {reason}", str(path), tip="run the study again")) from None


def load_run(folder: Path | str) -> Run:
    """Open the folder of a finished run.

    Raises
    ------
    StudyError
        It is not such a folder.
    """
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise StudyError(Fault("is not the folder of a run: it has no manifest.json", str(folder)))
    try:
        manifest = json.loads(_read(path))
        known = manifest["schema"] == SCHEMA and isinstance(manifest["tables"], dict) and "summary" in manifest
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise StudyError(Fault(f"is not a manifest of schema {SCHEMA}", str(path), tip="run the study again"))
    return Run(Path(folder), manifest)


def sweep_run(out: Path) -> None:
    """Remove what a writer that was killed left half-written; only for who holds the folder."""
    for left in out.glob(".run.*.part"):
        shutil.rmtree(left, ignore_errors=True)


def write_run(
    out: Path,
    study: Study,
    loaded: LoadedGame,
    settings: GameSettings,
    frames: Mapping[str, pl.DataFrame],
    summary: Mapping[str, Any],
) -> None:
    """Write the tables and the manifest of a run; the manifest, which names every table's checksum, comes last.

    Raises
    ------
    OutputError
        The folder cannot be written; what was there before still is.
    """
    temporary: Path | None = None
    try:
        out.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".run.", suffix=".part", dir=out))
        sums = {
            name: _write_table(temporary / TABLES / f"{name}.parquet", frame) for name, frame in sorted(frames.items())
        }
        manifest = _manifest(study, loaded, settings, summary, sums)
        text = json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        _write_bytes(temporary / MANIFEST, text.encode())
        _move_in(temporary, out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        tip = "choose another folder with --out, or free some space"
        raise OutputError(Fault(f"cannot be written: {reason}", path=str(out), tip=tip)) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def _write_table(path: Path, frame: pl.DataFrame) -> str:
    path.parent.mkdir(exist_ok=True)
    frame.write_parquet(path, compression="zstd", statistics=False)
    content = path.read_bytes()
    _write_bytes(path, content)
    return hashlib.sha256(content).hexdigest()


def _write_bytes(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _move_in(temporary: Path, out: Path) -> None:
    """Put the new tables and manifest in the place of the old; an interruption leaves a manifest that does not fit."""
    old = temporary / "old"
    if (out / TABLES).exists():
        (out / TABLES).replace(old)
    try:
        (temporary / TABLES).replace(out / TABLES)
    except OSError:
        with contextlib.suppress(OSError):
            old.replace(out / TABLES)
        raise
    (temporary / MANIFEST).replace(out / MANIFEST)


def _manifest(
    study: Study, loaded: LoadedGame, settings: GameSettings, summary: Mapping[str, Any], sums: Mapping[str, str]
) -> dict[str, Any]:
    """Return what fixes the results, without times, machines or paths of this one."""
    import balance
    from balance.catalogue import show_value
    from balance.core import BLOCK_TRIALS

    catalogue = loaded.catalogue
    words = study.settings.model_dump(mode="json")
    in_force = {name: show_value(getattr(catalogue.rules, name)) for name in catalogue.switches}
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "game_title": loaded.game.title,
        "title": study.settings.title or f"Is {loaded.game.title} fair?",
        "balance_version": balance.__version__,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
        "seed": study.settings.seed,
        "block_trials": BLOCK_TRIALS,
        "study": words,
        "rules": in_force,
        "rungs": {
            name: {"played": rung.played, "cannot_see": list(rung.cannot_see)}
            for name, rung in loaded.game.rungs.items()
        },
        "report_settings": settings.model_dump(mode="json"),
        "summary": dict(summary),
        "tables": dict(sums),
    }
