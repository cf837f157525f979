"""Games: the protocol they follow, the registry, the questions they answer, and the check they must pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.game.authoring.conformance import check_game

__all__ = ["check_game"]


def __getattr__(name: str) -> Any:
    """Import the check on first use, so that importing a game stays light."""
    if name != "check_game":
        raise AttributeError(f"module 'balance.games' has no attribute {name!r}")
    from balance.game.authoring.conformance import check_game

    return check_game
