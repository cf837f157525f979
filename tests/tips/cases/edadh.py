"""Tips of War for Edadh: its Units and tables, and duels that are solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from balance.games.edadh.solving.approximate import Effort, solve_approximately
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import LearningEffort, moves_of
from tests.tips.cases.games import ask, game, mend
from tests.tips.following import Case

FEW, PLENTY = 100, 10_000
"""How many positions may be listed."""
LOW = {"a.mp": 2, "b.mp": 2}
CHARGE = {"situation.level": "charge"}
FOUR_KINDS = "shieldsmen:3/shieldmaidens:3/archers:3/clanmaidens:3"


def asked(one: str, other: str, changes: Mapping[str, object]) -> Moves:
    return moves_of(game("edadh").ask("duel", one, other, dict(changes)).setup.duel)


def listed(one: str, other: str, changes: Mapping[str, object], most: int = PLENTY) -> Callable[[], object]:
    """Return the deed that an exact solution begins with: every position of a duel is listed."""

    def positions() -> object:
        DuelStates.of(asked(one, other, changes), most)
        return None

    return positions


def learnt(one: str, other: str, changes: Mapping[str, object]) -> Callable[[], object]:
    """Return the deed of solving a duel approximately, with hardly any effort."""

    def solution() -> object:
        solve_approximately(asked(one, other, changes), {}, 0, Effort(LearningEffort(4, 1, 100), 4))
        return None

    return solution


UNITS = [
    Case(
        ask("edadh", "duel", "nonsense", "spears"),
        "or write a Unit out: shieldsmen:3/shieldmaidens:3",
        ask("edadh", "duel", "shieldsmen:3/shieldmaidens:3", "shieldsmen"),
    ),
    Case(
        ask("edadh", "duel", "angueth_learnin", "shieldsmen"),
        "did you mean angueth_learning?",
        ask("edadh", "duel", "angueth_learning", "shieldsmen"),
    ),
    Case(
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.amage": 1}),
        "did you mean damage?",
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.damage": 0}),
    ),
    Case(
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.xyzzy": 1}),
        "a troop's value is TROOP.FIELD",
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.shieldsmen.melee_att": 1}),
    ),
    Case(
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.shieldsmn.melee_att": 1}),
        "did you mean shieldsmen?",
        ask("edadh", "duel", "shieldsmen", "shieldsmen", {"a.shieldsmen.melee_att": 1}),
    ),
    Case(
        ask("edadh", "duel", "shieldsmen/spears", "spears"),
        "with set=rules.mixed_units=true factions may mix",
        ask("edadh", "duel", "shieldsmen/spears", "spears", {"rules.mixed_units": True}),
    ),
    Case(
        ask("edadh", "duel", "spears/spears:2", "shieldsmen"),
        "fill the front first",
        ask("edadh", "duel", "spears:2/spears", "shieldsmen"),
    ),
    *(
        Case(
            ask("edadh", "duel", FOUR_KINDS, "spears", CHARGE),
            "fewer ranks, or fewer kinds of troop in a column",
            ask("edadh", "duel", fewer, "spears", CHARGE),
        )
        for fewer in ("shieldsmen:3/shieldmaidens:3/archers:3", "shieldsmen:3/shieldsmen:3/archers:3/archers:3")
    ),
    mend(
        "edadh",
        "armies.csv",
        "angueth,shieldsmen;shieldsmen;shieldsmen,",
        "angueth,shieldsmen;shieldsmen;shieldsmn,",
        "did you mean shieldsmen?",
    ),
    mend("edadh", "players.csv", "Anything,even,", "Anything,evn,", "did you mean even?"),
]

TOO_LARGE = "fewer troops, lower MP (a.mp, b.mp), or the method approximate"
NO_CHAMPION = "set=a.combat_master="
ONE_LEVEL = "set=situation.level=melee"

SOLVED = [
    *(
        Case(listed("archers:2", "gunners", LOW, FEW), TOO_LARGE, right)
        for right in (
            listed("archers", "gunners", LOW, FEW),
            listed("archers:2", "gunners", {"a.mp": 1, "b.mp": 1}, FEW),
            learnt("archers:2", "gunners", LOW),
        )
    ),
    Case(
        listed("archers", "gunners", {**LOW, "a.combat_master": "champion"}),
        NO_CHAMPION,
        listed("archers", "gunners", {**LOW, "a.combat_master": ""}),
    ),
    *(
        Case(
            listed("archers/shieldsmen", "gunners", {**LOW, **CHARGE}), f"{ONE_LEVEL}, or the method approximate", right
        )
        for right in (
            listed("archers/shieldsmen", "gunners", {**LOW, "situation.level": "melee"}),
            learnt("archers/shieldsmen", "gunners", {**LOW, **CHARGE}),
        )
    ),
]

CASES = [*UNITS, *SOLVED]
