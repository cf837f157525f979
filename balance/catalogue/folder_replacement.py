"""An import over a folder that somebody edited by hand: what would be lost is kept, and it is said where.

`.last_import` in the folder holds the checksums of what the last import wrote. A file that differs from it was edited
since. A workbook says which catalogue it was exported from: if that is what the folder still holds, the edits are in
the workbook and nothing is lost.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path

from balance.base.errors import BalanceError, Fault, OutputError
from balance.base.files import read_current, write_set
from balance.base.limits import MOST_TABLE_BYTES
from balance.catalogue.loading import Catalogue, load_catalogue
from balance.catalogue.tables.schema import CatalogueSpec
from balance.catalogue.writer import folder_files

RECORD = ".last_import"


def replace_folder(
    catalogue: Catalogue, folder: Path, exported_sha256: str = "", now: datetime | None = None
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Write a catalogue into a folder in one step; return its files and the copies of files edited by hand.

    `exported_sha256` is that of the catalogue which its workbook was exported from, if known; `now` names the folder of
    the copies. `OutputError` if any file cannot be written; then none is.
    """
    files = {name: text.encode() for name, text in folder_files(catalogue).items()}
    edited_files = _edited_files(catalogue.spec, folder, files, exported_sha256)
    place = f"edited_{now or datetime.now():%Y-%m-%d_%H%M%S}"
    kept_files = {f"{place}/{name}": content for name, content in edited_files.items()}
    record = json.dumps({name: _sum(content) for name, content in files.items()}, indent=1).encode()
    written_paths = write_set(folder, [*files.items(), *kept_files.items(), (RECORD, record)])
    return written_paths[: len(files)], written_paths[len(files) : len(files) + len(kept_files)]


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _edited_files(spec: CatalogueSpec, folder: Path, new: dict[str, bytes], exported_sha256: str) -> dict[str, bytes]:
    """Return the files that an import would change and that neither the last import nor the export wrote."""
    old_files = {name: content for name in new if (content := _read(folder, name)) is not None}
    import_sums = _last_import(folder)
    edited_files = {
        name: content
        for name, content in old_files.items()
        if content != new[name] and import_sums.get(name) != _sum(content)
    }
    return {} if edited_files and _is_export_of(spec, folder, old_files, exported_sha256) else edited_files


def _read(folder: Path, name: str) -> bytes | None:
    try:
        return read_current(folder, name, MOST_TABLE_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = error.strerror or str(error)
        tip = "nothing was changed; move it away first"
        raise OutputError(
            Fault(f"cannot be kept: {reason[:1].lower()}{reason[1:]}", str(folder / name), tip=tip)
        ) from error


def _last_import(folder: Path) -> dict[str, str]:
    try:
        record = json.loads(_read(folder, RECORD) or b"{}")
    except (ValueError, RecursionError, OutputError):
        return {}
    return record if isinstance(record, dict) else {}


def _is_export_of(spec: CatalogueSpec, folder: Path, old_files: dict[str, bytes], exported_sha256: str) -> bool:
    """Return whether a folder holds just what was exported, without comments, which a workbook does not carry."""
    try:
        old_catalogue = load_catalogue(spec, folder)
    except BalanceError:
        return False
    plain = {name: text.encode() for name, text in folder_files(old_catalogue).items()}
    return old_catalogue.sha256 == exported_sha256 and all(
        plain[name] == content for name, content in old_files.items()
    )
