"""What of a study a game does not know: found before anything is played, each thing once, by its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from balance.base.errors import BalanceError, Fault, suggestion
from balance.game.loaded import LoadedGame
from balance.study.settings.grid import Scene, scenes

if TYPE_CHECKING:
    from balance.study.settings.settings import Study

__all__ = ["study_faults"]


def study_faults(study: Study, loaded: LoadedGame, entrants: tuple[str, ...]) -> Iterator[Fault]:
    """Yield a fault for each kind of question, assignment, situation or policy that the game does not know."""
    path = str(study.path)
    for kind in study.settings.situation:
        if (main := loaded.game.main_of(kind)) != kind:
            yield Fault("has no situation of its own", path, field="situation", found=kind, tip=f"say situation.{main}")
        elif kind not in loaded.game.kinds:
            tip = suggestion(kind, loaded.game.kinds)
            yield Fault("is not a kind of question", path, field="situation", found=kind, tip=tip)
    level = study.settings.level
    levels = [name for name, kind in loaded.game.kinds.items() if kind.winners]
    if level not in levels:
        yield Fault("is not a level of this game", path, field="level", found=level, allowed=", ".join(levels))
    else:
        yield from _once(_of_scenes(study, loaded, entrants), path)
    if "cards" in study.metrics and not _takes_the_usual(study, loaded):
        tip = f"leave it out, or play level = {loaded.game.name_about('winner')!r}"
        yield Fault(f"cannot be had of what a {level} takes", path, field="metrics", found="cards", tip=tip)
    elif "cards" in study.metrics and study.has_factions(loaded):
        told, tip = f"cannot be had of a {level}: its sides are of different kinds", 'say "match_ups" or "sections"'
        yield Fault(told, path, field="metrics", found="cards", tip=tip)
    yield from _once(_of_changes(study, loaded, entrants), path)
    yield from _once(_of_armies(study, loaded), path)
    yield from _once(_of_battles(study, loaded), path)
    yield from _once(_of_asked(study, loaded), path)


def _takes_the_usual(study: Study, loaded: LoadedGame) -> bool:
    """Return whether the level takes the entrants whose cards a report is about, not armies of them."""
    return loaded.entrants_of(study.settings.level) == loaded.entrants


def _of_changes(study: Study, loaded: LoadedGame, entrants: tuple[str, ...]) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for what the study changes in all questions of a kind."""
    one = entrants[0] if _takes_the_usual(study, loaded) else loaded.entrants[0]
    winner = loaded.game.name_about("winner")
    asked = {winner: _opponent(loaded, winner, one), loaded.game.name_about("effect"): loaded.targets[0]}
    for kind, other in asked.items():
        if kind and study.changes(kind):
            for fault in _refused(partial(loaded.ask, kind, one, other, list(study.changes(kind)))):
                yield f"situation.{kind}" if "situation" in fault.path else "rules", fault


def _of_armies(study: Study, loaded: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each setting in which armies are to meet."""
    told = study.settings.armies or []
    kind = next((kind for kind in loaded.game.kinds.values() if kind.armies is not None), None)
    if told and kind is None:
        yield "armies", Fault("armies of any members do not meet in this game", tip="leave them out")
    elif kind is not None:
        names = loaded.entrants_of(kind.name)
        free = [name for name in names if float(loaded.cost_points(name)) <= 0]
        if told and free:
            yield "armies", Fault("costs nothing, and points are compared as ratios", found=free[0])
        for one in told:
            meet = partial(loaded.arena, kind.name, names[:1], list(one.set), **one.choices)
            yield from ((f"armies.{one.id}", fault) for fault in _refused(meet))


def _of_battles(study: Study, loaded: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each setting in which battles are to be fought."""
    from balance.analysis.play.matrix import ways_of
    from balance.study.frames.battles import meeting, scenes

    for told in study.settings.battles:
        try:
            setting = meeting(told, loaded, study)
            ways = ways_of(loaded.game.kinds[setting.kind], told.ways)
            found = scenes(told, loaded, setting, ways)
        except BalanceError as error:
            yield from ((f"battles.{told.id}", fault) for fault in error.faults)
            continue
        names = loaded.members_of(setting.kind)[:1]
        for scene in found:
            at = scene.setting
            meet = partial(loaded.arena, at.kind, names, list(at.changes), **dict(at.choices))
            yield from ((f"battles.{told.id}", fault) for fault in _refused(meet))


def _of_asked(study: Study, loaded: LoadedGame) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for whose luck and which cards are asked about."""
    from balance.study.frames.luck import luck_faults
    from balance.study.frames.neighbours import neighbour_faults
    from balance.study.settings.settings import OPTIONAL_TABLES

    for luck in study.settings.luck:
        yield from ((f"luck.{luck.id}", fault) for fault in luck_faults(luck, study, loaded))
    for cards in study.settings.neighbours:
        yield from ((f"neighbours.{cards.id}", fault) for fault in neighbour_faults(cards, study, loaded))
    for name in study.settings.metrics or ():
        if name in OPTIONAL_TABLES and not getattr(study.settings, name):
            yield "metrics", Fault(f"asks for [[{name}]], and there is none", found=name)


def _of_scenes(study: Study, loaded: LoadedGame, entrants: tuple[str, ...]) -> Iterator[tuple[str, Fault]]:
    """Yield (place, fault) for each situation, value of the grid and policy, tried by itself."""
    settings = study.settings
    grid = [{name: [value]} for name, values in settings.grid.items() for value in values]
    policies = [{name: [text]} for name, texts in settings.policies.items() for text in texts]
    tried: dict[str, list[Scene]] = {
        "situations": [*scenes(settings.situations, {}, {})],
        "grid": [scene for one in grid for scene in scenes([], one, {})],
        "policies": [scene for one in policies for scene in scenes([], {}, one)],
    }
    for place, found in tried.items():
        for scene in found:
            other = _opponent(loaded, settings.level, entrants[-1])
            ask = partial(loaded.ask, settings.level, entrants[0], other, scene.changes, **dict(scene.choices))
            yield from ((place, fault) for fault in _refused(ask))


def _opponent(loaded: LoadedGame, kind: str, other: str) -> str:
    """Return somebody whom the first side may meet: another entrant, or one of the other faction."""
    return loaded.others_of(kind)[-1] if kind and loaded.game.kinds[kind].has_factions else other


def _refused(ask: Callable[[], object]) -> tuple[Fault, ...]:
    """Return why a question cannot be asked; nothing if it can."""
    try:
        ask()
    except BalanceError as error:
        return error.faults
    return ()


def _once(found: Iterable[tuple[str, Fault]], path: str) -> Iterator[Fault]:
    """Yield each fault at its place in the study, the first time that it comes up."""
    told = set[str]()
    for place, fault in found:
        if str(fault) not in told:
            told.add(str(fault))
            field = f"{place}.{fault.field}" if fault.field else place
            yield replace(fault, path=path, row=None, field=field)
