"""The package asked about a combat that the twin tells: two of its units, and how the combat goes on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import balance
from balance.games.battlelore import GAME
from tests.games.battlelore import reference
from tests.games.battlelore.reference import DEFAULT, Unit, distribution_of

Case = tuple[Unit, Unit, dict[str, Any]]
"""Attacker, target, and how the combat goes on: melee, backs, pursues, ambush, u, readings."""

BATTLELORE = balance.load(GAME)
POWERS = {
    "": "chalice",
    "web": "web",
    "poison": "poison",
    "poison web": "poison_or_web",
    "firm web poison": "web_or_poison",
}
READINGS = {
    "BL-Q12": ("battle_back_needs", "ignored_flag"),
    "BL-Q13": ("battle_back_on_bonus", "false"),
    "BL-Q16": ("bonus_target", "other"),
    "BL-Q53": ("battle_back_caps", "none"),
    "BL-Q32": ("trample", "all_adjacent"),
    "BL-Q33": ("trample_clears_way", "false"),
    "BL-Q38": ("webbed_flags", "taken_hit"),
    "BL-Q41": ("poison_lore", "collected"),
}


def name_of(one: Unit) -> str:
    if one["kind"] == "creature":
        return "giant_spider"
    race = "" if one["race"] == "human" else f"{one['race']}_"
    return f"{race}{one['colour']}_{one['kind']}+{one['weapon']}"


def ask(case: Case) -> balance.Question:
    """Ask the package about a case."""
    a, t, how = case
    u: Unit | None = how.get("u")
    changes = {
        "attacker.figures": a["figures"], "attacker.supported": a["supported"], "attacker.moved": a["moved"],
        "attacker.stored_lore": a["stored"], "attacker.poisoned": a["poisoned"], "defender.figures": t["figures"],
        "defender.supported": t["supported"], "defender.stored_lore": t["stored"], "defender.poisoned": t["poisoned"],
        "defender.webbed": t["webbed"], "situation.adjacent": how.get("melee", True),
        "situation.extra_dice": a["extra"], "situation.defender_extra_dice": t["extra"],
        "situation.attacker_terrain": a["terrain"], "situation.target_terrain": t["terrain"],
        "situation.free_hexes": t["free"], "situation.attacker_free_hexes": a["free"],
        "situation.blockers": t["blockers"], "situation.blocker_figures": t["blocker_figures"],
        "situation.ambush": how.get("ambush", False),
    }  # fmt: skip
    if u:
        changes |= {"situation.other": name_of(u)}
        for ours, its in (
            ("figures", "figures"),
            ("terrain", "terrain"),
            ("supported", "supported"),
            ("free_hexes", "free"),
        ):
            changes[f"situation.other_{ours}"] = u[its]
    changes |= {f"rules.{name}": value for name, value in map(READINGS.__getitem__, how.get("readings", DEFAULT))}
    choices = {"battle_back": "yes" if how.get("backs", True) else "no", "follow_up": "gain_ground"}
    choices |= {"attacker_powers": POWERS[a["power"]], "defender_powers": POWERS[t["power"]]}
    if how.get("pursues"):
        choices["follow_up"] = "bonus_other" if u else "bonus_same"
    return BATTLELORE.ask("combat", name_of(a), name_of(t), changes, **choices)


def our_distribution(case: Case) -> dict[tuple[int, ...], Fraction]:
    """Return the package's distribution of a case."""
    distribution = ask(case).distribution
    rows = zip(map(tuple, distribution.outcomes.tolist()), distribution.weights.tolist(), strict=True)
    return {row: Fraction(weight, distribution.total) for row, weight in rows}


def twin_distribution(case: Case, most_ways: int = 10**9) -> dict[tuple[int, ...], Fraction]:
    """Return the twin's distribution of a case, by every way the dice can fall; empty if they fall in more ways."""
    a, t, how = case
    u = how.get("u")

    def play(die: reference.Die) -> dict[str, int]:
        return reference.combat(dict(a), dict(t), die, **how | {"u": dict(u) if u else None})

    return distribution_of(play, most_ways)
