"""Where the data that ships with balance lies, and paths as people read them."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return the folder that holds one folder of tables per game.

    A wheel carries `data/` inside the package. A checkout, and an editable install of it, use the `data/` of the
    checkout, so that an edited table counts at once.

    >>> data_folder().name
    'data'
    """
    package = Path(__file__).resolve().parents[1]
    package_data = package / "data"
    return package_data if package_data.is_dir() else package.parent / "data"


def short_path(path: Path) -> str:
    """Return a path relative to the working directory if it lies below it, else unchanged."""
    whole = Path(path).absolute()
    return os.fspath(whole.relative_to(Path.cwd())) if whole.is_relative_to(Path.cwd()) else os.fspath(whole)
