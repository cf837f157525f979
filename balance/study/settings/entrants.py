"""Entrants and cards named in a study: by id or by pattern, and by an id that a game knows but does not list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from balance.base.errors import BalanceError, Fault, suggestion
from balance.game.loaded import LoadedGame


def named_entrants(game: LoadedGame, entrants: Sequence[str], texts: Sequence[str], faults: list[Fault]) -> list[str]:
    """Return the entrants that ids and patterns (`*`, `?`, `[...]`) stand for, once each, in the order of the game.

    An id that the game knows but does not list in `entrants`, such as a unit with two weapons, comes last; `faults`
    grows by each text that means nobody.

    >>> from balance.game.loaded import load
    >>> game, faults = load("warforged"), []
    >>> named_entrants(game, game.entrants, ["nexus+s*", "nexsus+shotgun"], faults)
    ['nexus+smg_pistol', 'nexus+sidearm', 'nexus+shotgun']
    >>> faults[0].tip
    'did you mean nexus+shotgun?'
    """
    names: dict[str, None] = {}
    for text in texts:
        matches = [name for name in entrants if fnmatchcase(name, text)]
        if not matches and not set("*?[") & set(text):
            matches = _unlisted_id(game, entrants, text, faults)
        elif not matches:
            faults.append(Fault("matches no entrant", found=text))
        names |= dict.fromkeys(matches)
    places = {name: place for place, name in enumerate(entrants)}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def _unlisted_id(game: LoadedGame, entrants: Sequence[str], text: str, faults: list[Fault]) -> list[str]:
    """Return an id that the game knows without listing it, as a list; [] with a fault if it does not."""
    try:
        game.label(text)
    except BalanceError as error:
        faults += [
            Fault(replace(fault, tip="").line(), tip=suggestion(text, entrants, fault.tip)) for fault in error.faults
        ]
        return []
    return [text]
