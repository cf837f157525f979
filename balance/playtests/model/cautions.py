"""What to know before the ratings of a log are believed."""

from __future__ import annotations

import numpy as np

from balance.playtests.games import Games
from balance.playtests.model.answer import Caution

__all__ = ["cautions_of"]

FEW_GAMES = 10
"""Games of one entrant below which hardly anything is known of it."""
LIKELY = 0.05
"""Chance of one side winning all even games of some evening, above which that is no oddity."""


def cautions_of(games: Games, left_out: str = "") -> tuple[Caution, ...]:
    """Return the cautions that the games call for, and what of them was left out (`Games.within`).

    >>> from balance.playtests.games import games_of
    >>> [caution.kind for caution in cautions_of(games_of(["elf"], ["orc"], [1]))]
    ['few games', 'unknown mover', 'no sessions']
    """
    found = []
    if left_out:
        found.append(Caution("many effects", f"there is too much to tell apart: {left_out}"))
    if few := [name for name, played in zip(games.names, games.played, strict=True) if played < FEW_GAMES]:
        found.append(Caution("few games", f"fewer than {FEW_GAMES} games each: {', '.join(few[:8])}{_more(few)}"))
    unknown = float(games.count[games.mover == 0].sum())
    if unknown:
        told = "no game tells" if unknown == games.n_games else f"{unknown:g} of {games.n_games:g} games do not tell"
        found.append(Caution("unknown mover", f"{told} who went first"))
    if games.knows_mover and (stuck := _one_seat(games)):
        told = f"always in one seat, so going first and strength blur: {', '.join(stuck[:8])}{_more(stuck)}"
        found.append(Caution("one seat", told))
    if games.session is None and games.whole:
        told = "without a column of evenings (session) intervals may be too short"
        found.append(Caution("no sessions", told))
    if games.session is not None and (told := _short_evenings(games)):
        found.append(Caution("short evenings", told))
    if not games.whole:
        found.append(Caution("shares", "scores are shares, so draws count as half a win each"))
    return tuple(found)


def _short_evenings(games: Games) -> str:
    """Return what is to be said where an evening of even games that one side won throughout would be no oddity."""
    if games.session is None or not games.session_names:
        return ""
    known = games.session >= 0
    evenings = np.bincount(games.session[known], games.count[known], len(games.session_names))
    if float((2 * 0.5**evenings).sum()) <= LIKELY:
        return ""
    return (
        f"the longest of {len(evenings)} evenings has {evenings.max():g} games: even that one side wins all of an "
        "evening may be chance, so a loaded evening may go unnamed"
    )


def _more(names: list[str]) -> str:
    return f" and {len(names) - 8} more" if len(names) > 8 else ""


def _one_seat(games: Games) -> list[str]:
    """Return who went first, or second, in all of its games that tell."""
    n = len(games.names)
    moved = games.count * games.mover * (games.one != games.other)
    seats = np.bincount(games.one, moved, n) - np.bincount(games.other, moved, n)
    known = np.bincount(games.one, np.abs(moved), n) + np.bincount(games.other, np.abs(moved), n)
    return [games.names[at] for at in np.flatnonzero((np.abs(seats) == known) & (known > 0))]
