"""Studies from their files: a designer's own, the one that ships with a game, or the one beside a catalogue.

What of a study its game does not know is found before anything is played, each thing once, by its place in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from balance.base.errors import BalanceError, CatalogueError, Fault, StudyError, suggestion, unknown
from balance.catalogue.toml_model import read_model
from balance.game.game import Game
from balance.game.loaded import LoadedGame
from balance.game.local_games import is_game_file, is_path
from balance.game.registry import catalogue_folder, find_game, game_file, usual_place
from balance.study.settings.entrants import named_entrants
from balance.study.settings.grid import Scene, scenes
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
    """
    return _study_in(game.definition, game.catalogue.path, game)


def _study_in(definition: Game, folder: Path, game: LoadedGame | None = None) -> Study:
    if path := game_file(definition, folder, USUAL):
        return load_study(path, game)
    place = Path(USUAL) if definition.file is None else usual_place(definition, USUAL)
    return Study(StudySettings(game=definition.called, title=f"Is {definition.title} fair?"), place)


def study_faults(study: Study, game: LoadedGame, entrants: tuple[str, ...]) -> Iterator[Fault]:
    """Yield a fault for each kind of question, assignment, situation or policy that the game does not know."""
    path = str(study.path)
    for kind in study.settings.situation:
        if (main := game.definition.main_of(kind)) != kind:
            yield Fault("has no situation of its own", path, field="situation", found=kind, tip=f"say situation.{main}")
        elif kind not in game.definition.kinds:
            tip = suggestion(kind, game.definition.kinds)
            yield Fault("is not a kind of question", path, field="situation", found=kind, tip=tip)
    level = study.settings.level
    levels = [name for name, kind in game.definition.kinds.items() if kind.winners]
    if level not in levels:
        yield Fault("is not a level of this game", path, field="level", found=level, allowed=", ".join(levels))
    else:
        yield from _once(_of_scenes(study, game, entrants), path)
    if "cards" in study.metrics and not _takes_the_usual(study, game):
        tip = f"leave it out, or play level = {game.definition.name_about('winner')!r}"
        yield Fault(f"cannot be had of what a {level} takes", path, field="metrics", found="cards", tip=tip)
    elif "cards" in study.metrics and study.has_factions(game):
        message, tip = f"cannot be had of a {level}: its sides are of different kinds", 'say "match_ups" or "sections"'
        yield Fault(message, path, field="metrics", found="cards", tip=tip)
    yield from _once(_of_changes(study, game, entrants), path)
    yield from _once(_of_armies(study, game), path)
    yield from _once(_of_battles(study, game), path)
    yield from _once(_of_asked(study, game), path)


def _takes_the_usual(study: Study, game: LoadedGame) -> bool:
    """Return whether the level takes the game's own entrants, not armies of them, so that it can be told of cards."""
    return game.entrants_of(study.settings.level) == game.entrants


def _of_changes(study: Study, game: LoadedGame, entrants: tuple[str, ...]) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for assignments of the study that its duels and attacks refuse."""
    entrant = entrants[0] if _takes_the_usual(study, game) else game.entrants[0]
    winner = game.definition.name_about("winner")
    opponents = {winner: _opponent(game, winner, entrant), game.definition.name_about("effect"): game.targets[0]}
    for kind, opponent in opponents.items():
        if kind and study.changes(kind):
            for fault in _refusal(partial(game.ask, kind, entrant, opponent, list(study.changes(kind)))):
                yield f"situation.{kind}" if "situation" in fault.path else "rules", fault


def _of_armies(study: Study, game: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each `[[armies]]` in which armies cannot meet."""
    tables = study.settings.armies or []
    kind = next((kind for kind in game.definition.kinds.values() if kind.armies is not None), None)
    if tables and kind is None:
        yield "armies", Fault("armies of any members do not meet in this game", tip="leave them out")
    elif kind is not None:
        names = game.entrants_of(kind.name)
        free = [name for name in names if float(game.cost_points(name)) <= 0]
        if tables and free:
            yield "armies", Fault("costs nothing, and points are compared as ratios", found=free[0])
        for table in tables:
            at = table.kind or game.definition.priced_in or kind.name
            meet = partial(game.arena, at, names[:1], list(table.set), **table.choices)
            yield from ((f"armies.{table.id}", fault) for fault in _refusal(meet))


def _of_battles(study: Study, game: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each scene of `[[battles]]` that cannot be played."""
    from balance.analysis.play.playing import ways_of
    from balance.study.frames.battles import meeting, scenes

    for battle in study.settings.battles:
        try:
            setting = meeting(battle, game, study)
            ways = ways_of(game.definition.kinds[setting.kind], battle.ways)
            scene_list = scenes(battle, game, setting, ways)
        except BalanceError as error:
            yield from ((f"battles.{battle.id}", fault) for fault in error.faults)
            continue
        names = game.members_of(setting.kind)[:1]
        for scene in scene_list:
            at = scene.setting
            meet = partial(game.arena, at.kind, names, list(at.changes), **dict(at.choices))
            yield from ((f"battles.{battle.id}", fault) for fault in _refusal(meet))


def _of_asked(study: Study, game: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for the tables `[[luck]]`, `[[neighbours]]` and `[even_field]`, and metrics without one."""
    from balance.study.frames.luck import luck_faults
    from balance.study.frames.neighbours import neighbour_faults
    from balance.study.settings.settings import OPTIONAL_TABLES

    for luck in study.settings.luck:
        yield from ((f"luck.{luck.id}", fault) for fault in luck_faults(luck, study, game))
    for cards in study.settings.neighbours:
        yield from ((f"neighbours.{cards.id}", fault) for fault in neighbour_faults(cards, study, game))
    yield from (("even_field", fault) for fault in even_field_faults(study, game))
    for name in study.settings.metrics or ():
        if name in OPTIONAL_TABLES and not getattr(study.settings, name):
            yield "metrics", Fault(f"asks for [[{name}]], and there is none", found=name)


def even_field_faults(study: Study, game: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for everything in `[even_field]` that the game does not know."""
    from balance.analysis.changes.handicaps.settable import plain_numbers

    settings, kinds = study.settings.even_field, game.definition.kinds
    if settings is None:
        return
    winner = game.definition.name_about("winner")
    if not winner or "cards" not in study.metrics:
        yield Fault("needs duels of all against all", tip="leave it out")
        return
    if len({game.cost_points(name) for name in study.choose(game)}) > 1:
        yield Fault("is for games in which everybody costs the same", tip="leave it out: costs can even the field")
    known = list(dict.fromkeys(place.field for place in plain_numbers(kinds[winner])))
    for name in settings.fields:
        if name not in known:
            yield unknown(name, known, "is no number of a side", field="fields")
    if settings.line and settings.line not in kinds:
        yield unknown(settings.line, kinds, "is not a kind of question", field="line")
    faults: list[Fault] = []
    named_entrants(game, game.entrants, settings.undervalued, faults)
    yield from (replace(fault, field="undervalued") for fault in faults)


def _of_scenes(study: Study, game: LoadedGame, entrants: tuple[str, ...]) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each situation, value of the grid and policy, tried one at a time."""
    settings = study.settings
    grid = [{name: [value]} for name, values in settings.grid.items() for value in values]
    policies = [{name: [text]} for name, texts in settings.policies.items() for text in texts]
    scenes_by_field: dict[str, list[Scene]] = {
        "situations": [*scenes(settings.situations, {}, {})],
        "grid": [scene for axis in grid for scene in scenes([], axis, {})],
        "policies": [scene for axis in policies for scene in scenes([], {}, axis)],
    }
    for place, scene_list in scenes_by_field.items():
        for scene in scene_list:
            sides = _some_sides(game, settings.level, entrants)
            ask = partial(game.ask, settings.level, *sides, scene.changes, **dict(scene.choices))
            yield from ((place, fault) for fault in _refusal(ask))


def _some_sides(game: LoadedGame, kind: str, entrants: tuple[str, ...]) -> tuple[str, str]:
    """Return two who may meet, for trying a question: the first and the last entrant, or a listed pair."""
    pairs = [game.pair(kind, pair, "") for pair in game.pairs_of(kind)]
    if pairs:
        return next((sides for sides in pairs if set(sides) <= set(entrants)), pairs[0])
    return entrants[0], _opponent(game, kind, entrants[-1])


def _opponent(game: LoadedGame, kind: str, entrant: str) -> str:
    """Return a possible opponent for trying a question: the entrant itself, or the last of the other faction."""
    return game.others_of(kind)[-1] if kind and game.definition.kinds[kind].has_factions else entrant


def _refusal(ask: Callable[[], object]) -> tuple[Fault, ...]:
    """Return the faults with which a question is refused; () if it can be asked."""
    try:
        ask()
    except BalanceError as error:
        return error.faults
    return ()


def _once(faults: Iterable[tuple[str, Fault]], path: str) -> Iterator[Fault]:
    """Yield each fault with its field in the study file at `path`, equal ones once."""
    texts = set[str]()
    for place, fault in faults:
        if str(fault) not in texts:
            texts.add(str(fault))
            field = f"{place}.{fault.field}" if fault.field else place
            yield replace(fault, path=path, row=None, field=field)


def game_beside(study: Path) -> str | None:
    """Return the game of a study if it is one in a local folder, else None; runs none of its code."""
    from balance.catalogue.tables.toml_file import read_rules_file
    from balance.game.local_games import local_games
    from balance.game.registry import installed_games

    game_name = read_rules_file(study)[0].get("game")
    return game_name if game_name in local_games() and game_name not in installed_games() else None
