"""Local games: a folder with a `pyproject.toml` is a game as soon as it exists, and so is a game file.

A folder NAME, the current one or one directly in it, is the game NAME if its `pyproject.toml` says so with the lines
that would also register it if it were installed:

    [project.entry-points."balance.games"]
    NAME = "NAME.game:GAME"

Looking for games reads those files and runs nothing. The code of a folder runs when that game is named, and its errors
are reported by file and line. A game that ships or is installed keeps its name: no folder takes its place.

A game file `NAME.toml` holds units and steps of a game as text, see `balance.rulebook`. It is named by its path, or by
NAME alone where it lies in the current folder and nothing else has that name.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import re
import sys
import tomllib
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from balance.base.errors import BalanceError, Fault, GameError
from balance.base.foreign import is_file_name, read_at_most, real_path
from balance.base.limits import MOST_TOML_BYTES
from balance.base.text import slug

PROJECT = "pyproject.toml"
LARGEST_PROJECT = 2**20
FILE_ENDING = ".toml"
_GAME_LINE = re.compile(
    rb"^[ \t]*(\[[ \t]*(attack|units)[ \t]*[\].]|(units|health)[ \t]*=|(units|attack)[ \t]*\.)", re.MULTILINE
)
_STUDY_LINE = re.compile(rb"^[ \t]*game[ \t]*=", re.MULTILINE)
_TITLE_LINE = re.compile(rb"^[ \t]*title[ \t]*=[ \t]*\"([^\"\n]*)\"", re.MULTILINE)
_LINE = re.compile(r'File "(.+)", line (\d+)')


@dataclass(frozen=True)
class LocalGame:
    """A game in a local folder: that folder, its title, and the place of its object (`"package.module:NAME"`)."""

    folder: Path
    title: str
    place: str


def local_games() -> dict[str, LocalGame]:
    """Return the games of the current folder and of the folders in it, by name; runs none of their code."""
    games, names = {}, list[str]()
    with contextlib.suppress(OSError):  # a folder that is gone, or may not be read
        names = [Path.cwd().name, *sorted(path.name for path in Path.cwd().iterdir())]
    for name in names:
        with contextlib.suppress(GameError):
            if (game := local_game(name)) is not None:
                games[name] = game
    return games


def local_game(name: str) -> LocalGame | None:
    """Return the game of this name in the current folder or one in it; None if there is none; runs no code.

    Raise GameError where the `pyproject.toml` of the folder cannot be read.
    """
    if not (name.isidentifier() and is_file_name(name)):
        return None
    try:
        folder = Path.cwd()
    except OSError:
        return None
    folders = [folder / name, *([folder] if folder.name == name else [])]
    return next((game for folder in folders if (game := _registered_game(folder)) is not None), None)


def is_path(name: str) -> bool:
    """Return whether a name is the path of a game file, by its ending, and not the name of a game.

    >>> is_path("iron.toml"), is_path("warforged")
    (True, False)
    """
    return name.casefold().endswith(FILE_ENDING)


def is_game_file(path: Path) -> bool:
    """Return whether a path is that of a game file, maybe with faults, and not of a study, another .toml or nothing."""
    return is_path(path.name) and _head_of(path) is not None


def local_files() -> dict[str, Path]:
    """Return the game files in the current folder by the names of their games; of two files the first counts."""
    paths = list[Path]()
    with contextlib.suppress(OSError):
        paths = sorted(path for path in Path().iterdir() if is_game_file(path))
    return {slug(path.stem): path for path in reversed(paths)}


def title_of_file(path: Path) -> str:
    """Return the title in a game file, or else its name, without parsing the rest."""
    title = _TITLE_LINE.search(_head_of(path) or b"")
    return title[1].decode(errors="replace") if title else path.stem


def _head_of(path: Path) -> bytes | None:
    """Return the text of a game file, read as bytes with UTF-16 zeros removed; None for any other file."""
    try:
        if not path.is_file():
            return None
        text = read_at_most(path, MOST_TOML_BYTES).replace(b"\0", b"").replace(b"\r", b"\n")
    except OSError:
        return None
    before_sections = re.split(rb"^[ \t]*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    return text if _GAME_LINE.search(text) and not _STUDY_LINE.search(before_sections) else None


def _registered_game(folder: Path) -> LocalGame | None:
    """Return the game that a folder's `pyproject.toml` registers under the folder's name; None if it registers none.

    Raise GameError if the file cannot be read.
    """
    path = folder / PROJECT
    try:
        if not path.is_file():
            return None
        project = tomllib.loads(read_at_most(path, LARGEST_PROJECT).decode()).get("project", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GameError(Fault(f"cannot be read: {error}", str(path))) from error
    try:
        place = project["entry-points"]["balance.games"][folder.name]
        title = str(project.get("description") or folder.name)
    except (LookupError, TypeError, AttributeError):
        return None
    inside = isinstance(place, str) and place.startswith(f"{folder.name}.") and place.count(":") == 1
    return LocalGame(folder, title, place) if inside else None


def import_from(place: str, folder: Path) -> object:
    """Import an object ("package.module:GAME") of the package in a folder anywhere, without changing `sys.path`.

    Raise GameError, with file and line, where its code fails.
    """
    module, _, attribute = place.partition(":")
    try:
        _open_package(folder)
        attribute_value: object = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:
        if isinstance(error, GameError):
            raise
        for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
            del sys.modules[name]  # half of it must not be taken for all
        raise GameError(fault_in_code(error, [folder]) or Fault(_error_text(error), str(folder))) from error
    return attribute_value


def _open_package(folder: Path) -> None:
    """Import a folder as a package of its name, once; raise GameError if the name is in use or it is no package."""
    package = folder.name
    if package in sys.modules:
        if str(folder) not in getattr(sys.modules[package], "__path__", ()):
            raise GameError(Fault("has the name of a Python package that is in use", str(folder), tip="rename it"))
        return
    spec = PathFinder.find_spec(package, [str(folder.parent)])
    if spec is None or spec.loader is None:
        raise GameError(Fault("is no Python package", str(folder), tip="put a file __init__.py into it"))
    sys.modules[package] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[package])


def fault_in_code(error: BaseException, folders: Iterable[Path]) -> Fault | None:
    """Return an error as a fault at the last line of code in these folders that it passed through; None for no such.

    An error from another process has its traceback as text, from which the lines are read.

    >>> fault_in_code(ValueError("ours"), [Path("nowhere")]) is None
    True
    """
    roots = [real_path(folder) for folder in folders]
    for path, line in reversed(_LINE.findall("".join(traceback.format_exception(error)))):
        if any(real_path(Path(path)).is_relative_to(root) for root in roots):
            return Fault(_error_text(error), f"{path}, line {line}", tip="that is the code of your game")
    return None


def _error_text(error: BaseException) -> str:
    if isinstance(error, BalanceError):
        return str(error)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def folders_of(places: Mapping[str, str]) -> list[Path]:
    """Return the folders of the modules that have been imported, of places such as `"package.module:NAME"`."""
    modules = [sys.modules.get(place.partition(":")[0]) for place in places.values()]
    return [Path(module.__file__).parent for module in modules if module is not None and module.__file__]
