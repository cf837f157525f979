"""What a game is and what can be asked of it; knows no game and runs no work.

What somebody needs who writes a game can be imported from here:

>>> from balance.protocol import Game, Process, Rolls, cards_of
>>> cards_of.__module__
'balance.protocol.kit'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.catalogue import Catalogue, CatalogueSpec, EntryId, Name, Record, Rules, Tables, TableSpec
    from balance.core import Policy, Process, Rolls, State
    from balance.core.choices import Legal
    from balance.core.process import BoolArray
    from balance.errors import Fault
    from balance.pmf.arrays import IntArray
    from balance.protocol.asked import Asked, AskedSide, Setup
    from balance.protocol.game import Column, EntrantKind, Game, Lane, PolicyKind, Rung
    from balance.protocol.kit import (
        TURN_ORDERS,
        WINNER,
        CardSide,
        cards_of,
        each_side,
        once,
        orders,
        per_side,
        tables_of,
    )

__all__ = [
    "TURN_ORDERS",
    "WINNER",
    "Asked",
    "AskedSide",
    "BoolArray",
    "CardSide",
    "Catalogue",
    "CatalogueSpec",
    "Column",
    "EntrantKind",
    "EntryId",
    "Fault",
    "Game",
    "IntArray",
    "Lane",
    "Legal",
    "Name",
    "Policy",
    "PolicyKind",
    "Process",
    "Record",
    "Rolls",
    "Rules",
    "Rung",
    "Setup",
    "State",
    "TableSpec",
    "Tables",
    "cards_of",
    "each_side",
    "once",
    "orders",
    "per_side",
    "tables_of",
]

_HOMES = {
    "balance.catalogue": ("Catalogue", "CatalogueSpec", "EntryId", "Name", "Record", "Rules", "TableSpec", "Tables"),
    "balance.core": ("Policy", "Process", "Rolls", "State"),
    "balance.core.process": ("BoolArray",),
    "balance.core.choices": ("Legal",),
    "balance.errors": ("Fault",),
    "balance.pmf.arrays": ("IntArray",),
    "balance.protocol.asked": ("Asked", "AskedSide", "Setup"),
    "balance.protocol.game": ("Column", "EntrantKind", "Game", "Lane", "PolicyKind", "Rung"),
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module 'balance.protocol' has no attribute {name!r}")
    from importlib import import_module

    home = next((module for module, names in _HOMES.items() if name in names), "balance.protocol.kit")
    return getattr(import_module(home), name)
