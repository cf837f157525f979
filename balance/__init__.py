"""Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers.

>>> import balance
>>> warforged = balance.load("warforged")
>>> duel = warforged.duel("vanguard+smg_pistol", "trooper+shotgun", first="random")
>>> round(sum(duel.p_win().values()), 12)
1.0

Names are imported when they are first used, so that `import balance` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.pmf import Pmf, die, mixture, pool
    from balance.protocol.answer import Answer
    from balance.protocol.loaded import LoadedGame, load
    from balance.protocol.question import Question
    from balance.protocol.sample import Sample

__all__ = ["Answer", "LoadedGame", "Pmf", "Question", "Sample", "die", "load", "mixture", "pool"]
__version__ = "0.1.0"

_HOMES = {
    "Answer": "balance.protocol.answer",
    "LoadedGame": "balance.protocol.loaded",
    "Question": "balance.protocol.question",
    "Sample": "balance.protocol.sample",
    "load": "balance.protocol.loaded",
    "Pmf": "balance.pmf",
    "die": "balance.pmf",
    "mixture": "balance.pmf",
    "pool": "balance.pmf",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'balance' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
