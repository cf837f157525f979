"""The folder of a run on disk: switched from the old to the new all at once, and read back with its checksums."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from balance.base import __version__
from balance.base.errors import Fault, StudyError
from balance.base.files import place_of, read_current, settle, write_set, write_whole
from balance.base.foreign import lies_in, read_at_most
from balance.base.limits import MOST_MANIFEST_BYTES, MOST_PARQUET_BYTES, ROWS_PER_BYTE
from balance.game.loaded import LoadedGame
from balance.game.registry import shipped_folder
from balance.game.words import FILE
from balance.study.frames.report_settings import GameSettings, settings_path
from balance.study.run.manifest import AGAIN, SCHEMA, read_manifest
from balance.study.settings.settings import Study

MANIFEST, TABLES, RESUME = "manifest.json", "tables", "unfinished.txt"
MOST_COMMAND_BYTES = 10_000


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, and the manifest with what was asked, which versions, and the summary."""

    folder: Path
    manifest: Mapping[str, Any] = field(repr=False)
    _cache: dict[str, pl.DataFrame] = field(default_factory=dict, repr=False, compare=False)

    @property
    def summary(self) -> dict[str, Any]:
        """What the run found, in a few numbers."""
        return dict(self.manifest["summary"])

    @property
    def broken_limits(self) -> tuple[str, ...]:
        """One sentence for each limit of the study that is broken."""
        return tuple(self.manifest["summary"]["broken_limits"])

    @cached_property
    def settings(self) -> GameSettings:
        """What the game's report should show; settings that this version does not know are left out."""
        entries = self.manifest["report_settings"].items()
        return GameSettings.model_validate(
            {name: value for name, value in entries if name in GameSettings.model_fields}
        )

    def play_text(self, kind: str) -> str:
        """Return how a kind of question is played, as the game said when the run was made."""
        return str(self.manifest["rungs"].get(kind, {}).get("played", ""))

    def cannot_see(self, kind: str) -> tuple[str, ...]:
        """Return what answers to a kind of question leave out, as the game said when the run was made."""
        return tuple(self.manifest["rungs"].get(kind, {}).get("cannot_see", ()))

    def has(self, name: str) -> bool:
        """Return whether the run has a table of that name."""
        return name in self.manifest["tables"]

    def table(self, name: str) -> pl.DataFrame:
        """Return a table, read once; raises `StudyError` if it is missing, damaged, or its checksum differs."""
        if name not in self._cache:
            path = self.folder / TABLES / f"{name}.parquet"
            if name not in self.manifest["tables"]:
                raise StudyError(Fault("the run has no such table", str(path), tip=AGAIN))
            self._cache[name] = _read_table(path, self.folder, self.manifest["tables"][name])
        return self._cache[name]


def _read_table(path: Path, folder: Path, checksum: str) -> pl.DataFrame:
    """Return a table of a run; raises `StudyError` for a link elsewhere, a wrong checksum or a huge expansion."""
    if not lies_in(place_of(folder, f"{TABLES}/{path.name}"), folder):
        raise StudyError(Fault("leads out of the folder of the run", str(path), tip=AGAIN))
    content = _read(folder, f"{TABLES}/{path.name}", MOST_PARQUET_BYTES)
    if hashlib.sha256(content).hexdigest() != checksum:
        raise StudyError(Fault("the table was changed after the run", str(path), tip=AGAIN))
    try:
        rows = pl.scan_parquet(content).select(pl.len()).collect().item()
        if rows > ROWS_PER_BYTE * len(content):
            raise StudyError(Fault(f"holds {rows:,} rows in {len(content):,} bytes", str(path), tip=AGAIN))
        return pl.read_parquet(content)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise StudyError(Fault(f"is not a table in Parquet ({reason})", str(path), tip=AGAIN)) from None


def _read(folder: Path, name: str, max_bytes: int) -> bytes:
    try:
        return read_current(folder, name, max_bytes)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"cannot be read: {reason[:1].lower()}{reason[1:]}"
        raise StudyError(Fault(message, str(folder / name), tip=AGAIN)) from None


def load_run(folder: Path | str) -> Run:
    """Open the folder of a finished run.

    Raises `StudyError` if it is not such a folder, or its manifest holds what no run writes.
    """
    path = Path(folder) / MANIFEST
    settle(Path(folder))
    if not place_of(Path(folder), MANIFEST).is_file():
        raise StudyError(_fault_without_manifest(Path(folder)))
    return Run(Path(folder), read_manifest(path, _read(Path(folder), MANIFEST, MOST_MANIFEST_BYTES)))


def begin_run(out: Path, study: Study) -> None:
    """Leave in a folder the command that continues its run, until that is finished.

    Raises `OutputError` if the folder cannot be written.
    """
    words = ["balance", "run", str(study.path), "--out", str(out)]
    if study.is_shipped:
        words = ["balance", "report", study.settings.game, "--out", str(out)]
    write_whole(out / RESUME, os.fsencode(f"{shlex.join(words)}\n"))


def _fault_without_manifest(folder: Path) -> Fault:
    """Return why a folder without a manifest cannot be read: an unfinished run, or none at all.

    A command is repeated only if it is one of ours and quoted throughout: the folder may be anybody's.
    """
    try:
        command = os.fsdecode(read_at_most(folder / RESUME, MOST_COMMAND_BYTES)).strip()
        words = shlex.split(command)
    except (OSError, ValueError):
        words = []
    if words[:1] != ["balance"] or shlex.join(words) != command:
        return Fault("is not the folder of a run: it has no manifest.json", str(folder))
    return Fault("is unfinished", str(folder), tip=f"continue with: {command}")


def sweep_run(out: Path) -> None:
    """Finish or remove what a killed writer left, and delete tables of earlier runs.

    Only the process that holds the lock of the folder may call this.
    """
    settle(out)
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        table_names = json.loads(read_at_most(out / MANIFEST, MOST_MANIFEST_BYTES))["tables"]
        for path in (out / TABLES).glob("*.parquet"):
            if path.stem not in table_names and lies_in(path.parent, out):
                path.unlink()
                path.with_suffix(".csv").unlink(missing_ok=True)  # what its report offered to download


def write_run(
    out: Path,
    study: Study,
    game: LoadedGame,
    settings: GameSettings,
    frames: Mapping[str, pl.DataFrame],
    summary: Mapping[str, Any],
) -> None:
    """Write the tables and the manifest of a run, which names every table's checksum; all of them or none.

    Raises `OutputError` if the folder cannot be written; what was there before still is.
    """

    def files() -> Iterator[tuple[str, bytes]]:
        sums = {}
        for name, frame in sorted(frames.items()):
            content = parquet_bytes(frame)
            sums[name] = hashlib.sha256(content).hexdigest()
            yield f"{TABLES}/{name}.parquet", content
        yield MANIFEST, manifest_of(study, game, settings, summary, sums)

    write_set(out, files())
    (out / RESUME).unlink(missing_ok=True)
    sweep_run(out)


def _own_settings_checksum(game: LoadedGame) -> dict[str, str]:
    """Return the sha256 of a `report.toml` that differs from the shipped one, as an entry of the manifest; else {}."""
    path, shipped_path = settings_path(game), shipped_folder(game.definition) / FILE
    content = path.read_bytes() if path else b""
    is_shipped = not content or (shipped_path.is_file() and shipped_path.read_bytes() == content)
    return {} if is_shipped else {"report_toml_sha256": hashlib.sha256(content).hexdigest()}


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """Return a table as Parquet in memory, as polars itself cannot write to every path that the system knows."""
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd", statistics=False)
    return content.getvalue()


def manifest_of(
    study: Study, game: LoadedGame, settings: GameSettings, summary: Mapping[str, Any], sums: Mapping[str, str]
) -> bytes:
    """Return the manifest of a run: what fixes the results, without times, machines or paths of this one.

    `sums` holds the sha256 of each table.
    """
    from balance.catalogue import show_value
    from balance.chance.trials.collect import BLOCK_TRIALS

    catalogue = game.catalogue
    words = study.settings.model_dump(mode="json")
    in_force = {name: show_value(getattr(catalogue.rules, name)) for name in catalogue.rule_options}
    manifest = {
        "schema": SCHEMA,
        "game": game.definition.name,
        "game_title": game.definition.title,
        "title": study.settings.title or f"Is {game.definition.title} fair?",
        "balance_version": __version__,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
        "seed": study.settings.seed,
        "block_trials": BLOCK_TRIALS,
        "study": words,
        "rules": in_force,
        "rungs": {
            name: {"played": kind.played, "cannot_see": list(kind.cannot_see)}
            for name, kind in game.definition.kinds.items()
        },
        "report_settings": settings.model_dump(mode="json"),
        **_own_settings_checksum(game),
        "summary": dict(summary),
        "tables": dict(sums),
    }
    return (json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
