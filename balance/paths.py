"""Where the data that ships with balance lies: in the package once installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_folder"]


def data_folder() -> Path:
    """Return the folder that holds one folder of tables per game.

    A wheel carries `data/` inside the package. A checkout, and an editable install of it, use the `data/` of the
    checkout, so that an edited table counts at once.

    >>> data_folder().name
    'data'
    """
    package = Path(__file__).resolve().parent
    packaged = package / "data"
    return packaged if packaged.is_dir() else package.parent / "data"
