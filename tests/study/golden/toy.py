"""The toy as the golden studies play it: its duels have no exact distribution, and somebody says how to play them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from balance.base.errors import RulesError
from balance.game.setup import AskedSide, HasInputs
from balance.game.solution import Method, Solution, SolutionTable
from tests.toy.game import DUEL, FIGHTER
from tests.toy.game import GAME as TOY


def solve(setup: Any, method: Method, seed: int) -> Solution:
    """Stand in for a solver: numbers that tell what it was asked."""
    one, other = (side.card for side in setup.play.sides.values())
    if one.id == "ogre":
        raise RulesError("too large to solve exactly", "take fewer cards")
    value = one.health / (one.health + other.health)
    if method == "exact":
        opening = SolutionTable(
            "opening", "How often", ("effort", "share"), (("steady", 0.75), ("bold", 0.25)), ("share",)
        )
        return Solution("exact", "by hand", value, value, value, 1e-12, True, 3, 10, (opening,))
    return Solution("approximate", f"by guess {seed}", value, value - 0.05, value + 0.05, 0.1, False, 30, 10)


def read(side: AskedSide[Any, Any]) -> HasInputs:
    """Read a captain as the fighter that it is."""
    return FIGHTER.read(replace(side, text=side.text.removeprefix("captain_")))


CAPTAIN = replace(
    FIGHTER,
    name="captain",
    ids=lambda catalogue: ["captain_knight", "captain_rat"],
    label=lambda catalogue, entrant: f"Captain {FIGHTER.label(catalogue, entrant.removeprefix('captain_'))}",
    cost_points=lambda catalogue, entrant: 1,
    read=read,
)
SLOW = replace(DUEL, has_distribution=False, solve=solve)
BOUT = replace(DUEL, name="bout", takes=(CAPTAIN, CAPTAIN))
GAME = replace(TOY, kinds={**TOY.kinds, "duel": SLOW, "bout": BOUT})
