"""Balance questions over whole catalogues: polars tables in, polars tables out; knows no game by name.

>>> from balance.engine.runner import Runner
>>> import balance
>>> from balance.analysis import attack_table
>>> runner = Runner(balance.load("warforged"))
>>> table = attack_table(runner, ["nexus+shotgun", "nexus+laser_carbine"], ["trooper", "bulwark"])
>>> table.columns[:2], len(table)
(['attacker', 'target'], 4)

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.analysis.claims.items import with_and_without
    from balance.analysis.claims.rule_options import rule_readings
    from balance.analysis.dominance.undominated import never_worth_taking
    from balance.analysis.scores.field import rating_table
    from balance.analysis.scores.scores import duel_matrix, first_mover_advantage, score_table
    from balance.analysis.scores.tables import (
        attack_table,
        duel_table,
        kill_table,
        pareto_front,
        survival_table,
        sweep_table,
    )

__all__ = [
    "attack_table",
    "duel_matrix",
    "duel_table",
    "first_mover_advantage",
    "kill_table",
    "never_worth_taking",
    "pareto_front",
    "rating_table",
    "rule_readings",
    "score_table",
    "survival_table",
    "sweep_table",
    "with_and_without",
]

_HOMES = {
    "duel_matrix": "balance.analysis.scores.scores",
    "first_mover_advantage": "balance.analysis.scores.scores",
    "never_worth_taking": "balance.analysis.dominance.undominated",
    "rating_table": "balance.analysis.scores.field",
    "score_table": "balance.analysis.scores.scores",
    "rule_readings": "balance.analysis.claims.rule_options",
    "with_and_without": "balance.analysis.claims.items",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), so that the package loads quickly."""
    if name not in __all__:
        raise AttributeError(f"module 'balance.analysis' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "balance.analysis.scores.tables")), name)


def __dir__() -> list[str]:
    """Return the public names, imported or not."""
    return sorted(__all__)
