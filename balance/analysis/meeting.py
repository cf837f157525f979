"""Where armies of equal points meet: the kind of question in which any members may, or what to ask instead."""

from __future__ import annotations

from balance.errors import UsageError
from balance.numbers import show_points
from balance.protocol.armies import WRITTEN
from balance.protocol.loaded import LoadedGame

__all__ = ["meeting_kind"]


def meeting_kind(loaded: LoadedGame) -> str:
    """Return the first question kind in which any armies meet.

    Raises
    ------
    UsageError
        There is none; says why, and what can be asked instead.

    >>> from balance.protocol.loaded import load
    >>> meeting_kind(load("warforged"))
    'lineup'
    """
    found = next((name for name, kind in loaded.game.kinds.items() if kind.armies is not None), "")
    if not found:
        told = f"armies are not bought for points in {loaded.game.title}: {_why(loaded)}"
        raise UsageError(
            f"{told}; so there is no price to judge and no best army to search for",
            f"ask instead: {', or '.join(_instead(loaded))}",
        )
    return found


def _why(loaded: LoadedGame) -> str:
    costs = {float(loaded.cost_points(name)) for name in loaded.entrants}
    if len(costs) == 1:
        return f"every {loaded.words.entrant} costs {show_points(costs.pop(), loaded.words.points)}"
    return "no kind of question sets armies of any members against each other"


def _instead(loaded: LoadedGame) -> list[str]:
    """Return commands, each with what it answers: of armies where they are written out, else who wins; the report."""
    game = loaded.game
    able = {name: kind for name, kind in game.kinds.items() if kind.winners}
    named = [name for name, kind in able.items() if WRITTEN in kind.takes[0].written] or list(able)
    asked = [f"balance {name} {game.name} A B ({able[name].asks or 'who wins'})" for name in named[:1]]
    return [*asked, f"balance report {game.name} (who is stronger, and who is never worth taking)"]
