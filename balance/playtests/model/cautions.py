"""What to know before the ratings of a log are believed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.base.arrays import FloatArray
from balance.playtests.games import Games
from balance.playtests.model.answer import Caution

FEW_GAMES = 10
"""Games of one entrant below which hardly anything is known of it."""
LIKELY = 0.05
"""Chance of one side winning all even games of some evening, above which that is no oddity."""


def cautions_of(games: Games, left_out: str = "") -> tuple[Caution, ...]:
    """Return the cautions that the games call for; `left_out` is what `Games.within` left out, in words.

    >>> from balance.playtests.games import games_of
    >>> [caution.kind for caution in cautions_of(games_of(["elf"], ["orc"], [1]))]
    ['few games', 'unknown mover', 'no sessions']
    """
    cautions = []
    if left_out:
        cautions.append(Caution("many effects", f"there is too much to tell apart: {left_out}"))
    cautions += few_games(games.names, games.games_by_entrant)
    unknown = float(games.count[games.mover == 0].sum())
    if unknown:
        sentence = (
            "no game tells" if unknown == games.n_games else f"{unknown:g} of {games.n_games:g} games do not tell"
        )
        cautions.append(Caution("unknown mover", f"{sentence} who went first"))
    if games.knows_mover and (stuck_names := _one_seat(games)):
        sentence = (
            f"always in one seat, so going first and strength blur: {', '.join(stuck_names[:8])}{_more(stuck_names)}"
        )
        cautions.append(Caution("one seat", sentence))
    if games.session is None and games.whole:
        sentence = "without a column of evenings (session) intervals may be too short"
        cautions.append(Caution("no sessions", sentence))
    if games.session is not None and (sentence := _short_evenings(games)):
        cautions.append(Caution("short evenings", sentence))
    if not games.whole:
        cautions.append(Caution("shares", "scores are shares, so draws count as half a win each"))
    return tuple(cautions)


def few_games(names: Sequence[str], games: FloatArray) -> list[Caution]:
    """Return the caution that some entrants have few games, if some have; `games`: `float64[n]`."""
    few_names = [name for name, n_played in zip(names, games.tolist(), strict=True) if n_played < FEW_GAMES]
    text = f"fewer than {FEW_GAMES} games each: {', '.join(few_names[:8])}{_more(few_names)}"
    return [Caution("few games", text)] if few_names else []


def _short_evenings(games: Games) -> str:
    """Return a warning where one side winning all of the longest evening would not be significant; "" elsewhere."""
    if games.session is None or not games.session_names:
        return ""
    has_session = games.session >= 0
    evenings = np.bincount(games.session[has_session], games.count[has_session], len(games.session_names))
    if float((2 * 0.5**evenings).sum()) <= LIKELY:
        return ""
    return (
        f"the longest of {len(evenings)} evenings has {evenings.max():g} games: even that one side wins all of an "
        "evening may be chance, so a loaded evening may go unnamed"
    )


def _more(names: list[str]) -> str:
    return f" and {len(names) - 8} more" if len(names) > 8 else ""


def _one_seat(games: Games) -> list[str]:
    """Return the entrants that went first, or second, in all of their games that tell."""
    n = len(games.names)
    signed_games = games.count * games.mover * (games.side_a != games.side_b)
    seats = np.bincount(games.side_a, signed_games, n) - np.bincount(games.side_b, signed_games, n)
    games_with_mover = np.bincount(games.side_a, np.abs(signed_games), n) + np.bincount(
        games.side_b, np.abs(signed_games), n
    )
    return [games.names[at] for at in np.flatnonzero((np.abs(seats) == games_with_mover) & (games_with_mover > 0))]
