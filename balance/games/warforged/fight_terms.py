"""What a line-up and a battle on a board are both fought under: rule options and constants of attacks and blasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.games.warforged.attack import RuleOptions
from balance.games.warforged.ruleset import Constants, WarforgedRules
from balance.games.warforged.setup import readings


@dataclass(frozen=True, kw_only=True)
class FightTerms:
    """The part of the terms that hangs on the rules alone.

    * `read`: what an attack needs to know of the rule options.
    * `overload`, `overload_radius`, `splash_radius`, `special_faces`, `dodge_faces`, `keep_faces`: damage of an
      Overload; cells that blasts reach; faces of the special die, and those of which save from a blast and keep a
      shield.
    * `friendly_fire`, `overload_chain`, `slim_dodges`, `shield_stops`: readings of blasts: WF-Q8, WF-Q12, WF-Q4,
      WF-Q15.
    * `emp_turns` and `emp_adds_up`: own turns lost to an EMP token, and whether tokens add up (WF-Q13).
    * `health_decides`: whether health decides at the round limit where as many were destroyed on both sides (WF-Q18).
    """

    read: RuleOptions
    round_limit: int
    overload: int
    overload_radius: int
    splash_radius: int
    special_faces: int
    dodge_faces: tuple[int, ...]
    keep_faces: tuple[int, ...]
    friendly_fire: bool
    overload_chain: str
    slim_dodges: bool
    shield_stops: bool
    emp_turns: int
    emp_adds_up: bool
    health_decides: bool


def fight_terms(rules: WarforgedRules, constants: Constants) -> dict[str, Any]:
    """Return the fields of `FightTerms`, but for the round limit, which is agreed."""
    return {
        "read": readings(rules, constants),
        "overload": constants.overload.damage,
        "overload_radius": constants.overload.radius_cells,
        "splash_radius": constants.splash.radius_cells,
        "special_faces": constants.dice.special_faces,
        "dodge_faces": constants.slim.miss_faces,
        "keep_faces": constants.supershield.keep_faces,
        "friendly_fire": rules.friendly_fire,
        "overload_chain": rules.overload_chain,
        "slim_dodges": rules.slim_vs_splash,
        "shield_stops": rules.shield_vs_splash,
        "emp_turns": constants.emp.turns,
        "emp_adds_up": rules.emp == "cumulative",
        "health_decides": rules.limit_score == "destroyed_then_health",
    }
