"""Entrants and cards named in a study: by id or by pattern, and by an id that a game knows but does not list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from balance.base.errors import BalanceError, Fault, suggestion
from balance.game.loaded import LoadedGame

__all__ = ["named_entrants"]


def named_entrants(loaded: LoadedGame, listed: Sequence[str], texts: Sequence[str], faults: list[Fault]) -> list[str]:
    """Return the entrants that ids and patterns stand for, once each, in the order of the game.

    Parameters
    ----------
    listed
        Those that the game lists; an id that it knows beside them, such as a unit with two weapons, comes last.
    faults
        Grows by each text that means nobody.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> game, faults = load("warforged"), []
    >>> named_entrants(game, game.entrants, ["nexus+s*", "nexsus+shotgun"], faults)
    ['nexus+smg_pistol', 'nexus+sidearm', 'nexus+shotgun']
    >>> faults[0].tip
    'did you mean nexus+shotgun?'
    """
    found: dict[str, None] = {}
    for text in texts:
        matches = [name for name in listed if fnmatchcase(name, text)]
        if not matches and not set("*?[") & set(text):
            matches = _unlisted(loaded, listed, text, faults)
        elif not matches:
            faults.append(Fault("matches no entrant", found=text))
        found |= dict.fromkeys(matches)
    known = {name: place for place, name in enumerate(listed)}
    return sorted(found, key=lambda name: known.get(name, len(known)))


def _unlisted(loaded: LoadedGame, listed: Sequence[str], text: str, faults: list[Fault]) -> list[str]:
    """Return an id that the game does not list but knows."""
    try:
        loaded.label(text)
    except BalanceError as error:
        faults += [
            Fault(str(replace(fault, tip="")), tip=suggestion(text, listed, fault.tip)) for fault in error.faults
        ]
        return []
    return [text]
