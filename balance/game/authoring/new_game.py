"""Start a new game as a Python package in one folder, from a template."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from balance.base.errors import Fault, OutputError, UsageError
from balance.base.files import settle, write_set
from balance.base.foreign import is_file_name
from balance.base.text import slug
from balance.game.registry import installed_games

TEMPLATE = Path(__file__).parent / "template"
LONGEST_NAME = 40


def write_game(name: str, place: Path) -> Path:
    """Write a new game package into a new folder NAME, and return that folder.

    Parameters
    ----------
    name
        The name of the game, a Python identifier.
    place
        Folder in which to create the package.

    Raises
    ------
    UsageError
        The name is none for a game, or is taken.
    OutputError
        The folder is already there, or cannot be written; nothing is left half-written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = write_game("sky_rats", Path(place))
    ...     folder.name, (folder / "game.py").is_file()
    ('sky_rats', True)
    """
    _check_form(name)
    folder = place / name
    if folder.is_dir():
        settle(folder)  # what a killed run left
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise OutputError(Fault("is already there", str(folder), tip="choose another name, or another folder"))
    _check_free(name)
    write_set(folder, _files(name))
    return folder


def _check_form(name: str) -> None:
    """Raise UsageError for a name that cannot name a game, its folder and its Python package."""
    if not _is_plain(name):
        near = slug(name)[: LONGEST_NAME - 3].strip("_")
        rule = f"small letters, digits and _, a letter first, at most {LONGEST_NAME} in all, no word of Python's own"
        tip = next((f"try {better}" for better in (near, f"my_{near}") if near and _is_plain(better)), "")
        raise UsageError(Fault("is no name for a game", found=name, allowed=rule, tip=tip))


def _is_plain(name: str) -> bool:
    short = re.fullmatch(rf"[a-z][a-z0-9_]{{0,{LONGEST_NAME - 1}}}", name)
    return short is not None and is_file_name(name) and not keyword.iskeyword(name)


def _check_free(name: str) -> None:
    """Raise UsageError for the name of a known game, or of a package that Python would import instead."""
    is_game, is_pythons = name in installed_games(), name in sys.stdlib_module_names
    if is_game or is_pythons or PathFinder.find_spec(name) is not None:
        taken_by = "a game" if is_game else "a Python package that is installed"
        raise UsageError(Fault(f"is taken by {taken_by}", found=name, tip=f"try my_{name}"))


def _files(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and contents of every template file, with the new name in its Python, title and command forms."""
    names = {
        "balance.game.authoring.template": name,
        "Skirmishers": name.replace("_", " ").capitalize(),
        "skirmishers": name,
    }
    name_pattern = re.compile("|".join(map(re.escape, names)))
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            text = name_pattern.sub(lambda match: names[match.group()], path.read_text("utf-8"))
            yield path.relative_to(TEMPLATE).as_posix(), text.encode()
