"""Studies from their files: a designer's own, the one that ships with a game, or the one beside a catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from balance.base.errors import BalanceError, CatalogueError, Fault, StudyError
from balance.catalogue.toml_model import read_model
from balance.game.game import Game
from balance.game.loaded import LoadedGame
from balance.game.local_games import is_game_file, is_path
from balance.game.registry import catalogue_folder, find_game, game_file, usual_place
from balance.study.loading.faults import study_faults
from balance.study.settings.settings import USUAL, Study, StudySettings


def load_study(path: Path | str, game: LoadedGame | None = None) -> Study:
    """Read and check a study, with its catalogue or with a game that is open already.

    Raises `StudyError` with all faults of the file that can be found at once, `CatalogueError` with those of its
    catalogue.
    """
    study = Study(read_model(StudySettings, Path(path), partial(_with_its_game, Path(path))), Path(path))
    try:
        game = game or study.open()
    except CatalogueError:
        raise
    except BalanceError as error:
        raise StudyError([Fault(fault.line(), str(path), field="game") for fault in error.faults]) from None
    if faults := list(study_faults(study, game, study.choose(game))):
        raise StudyError(faults)
    return study


def _with_its_game(path: Path, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the content of a study; a game file in the study's folder gets its path."""
    name = data.get("game")
    if not isinstance(name, str) or not is_path(name) or Path(name).exists() or not is_game_file(path.parent / name):
        return data
    return {**data, "game": str(path.parent / name)}


def shipped_study(game_name: str) -> Study:
    """Return the study that ships with a game, or the default study where none does.

    Raises `UsageError` if there is no such game.
    """
    game = find_game(game_name)
    return _study_in(game, catalogue_folder(game))


def study_beside(game: LoadedGame) -> Study:
    """Return the study of the catalogue in use: the one beside it, else the one that ships, else the default.

    Raises `StudyError` if it does not fit the catalogue.

    >>> from balance.game.loaded import load
    >>> study_beside(load("warforged")).path.parent.name
    'warforged'
    """
    return _study_in(game.definition, game.catalogue.path, game)


def _study_in(definition: Game, folder: Path, game: LoadedGame | None = None) -> Study:
    if path := game_file(definition, folder, USUAL):
        return load_study(path, game)
    place = Path(USUAL) if definition.file is None else usual_place(definition, USUAL)
    return Study(StudySettings(game=definition.called, title=f"Is {definition.title} fair?"), place)
