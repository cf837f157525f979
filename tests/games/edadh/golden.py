"""Duels as they are drawn: what each kind of player comes to on the same dice, in `golden.json`.

Published tables stand on these draws, so they may change with the rules only: `python -m tests.games.edadh.golden`
writes the file anew, and a new rules version says why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import load

FILE = Path(__file__).with_name("golden.json")
N_DUELS = 10
LEARNING = ("angueth_learning", "huaos_dzaa_learning")
TERRAIN = ("angueth_terrain", "huaos_dzaa_terrain")
WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
MIXED = ("shieldsmen:1+archers:2/clanmaidens:2+shieldmaidens:1", "gunners:2+spears:1/blunderbuss:2/swords:1")
UNEVEN = ("archers:2+shieldmaidens/clanmaidens:3/shieldsmen", "gunners+spears")

CASES: dict[str, tuple[tuple[str, str], dict[str, Any], str, str]] = {
    "random": (MIXED, {}, "random", "random-noretire"),
    "low against high": (MIXED, {"a.mp": 20, "b.damage": 3}, "low", "high"),
    "a mix by name": (MIXED, {"b.mix": "middle", "b.shaken": True}, "cautious", "mix"),
    "cautious": (UNEVEN, {"a.mp": 14, "b.mp": 18}, "cautious", "cautious"),
    "aggressive": (UNEVEN, {"rules.combine_on_tie": True}, "aggressive", "aggressive"),
    "adaptive": (MIXED, {"a.mp": 20}, "adaptive", "cautious"),
    "watching each other": (UNEVEN, {"a.mp": 12, "b.mp": 15}, "adaptive", "adaptive"),
    "combining late": (UNEVEN, {"rules.combine_late": True}, "adaptive", "aggressive"),
    "swaps by taste": (TERRAIN, {}, "cautious", "aggressive"),
    "swaps of an adaptive player": (TERRAIN, {"b.front": "gunners,blunderbuss,spears"}, "random", "adaptive"),
    "all cards": (WARBANDS, {}, "adaptive", "random"),
    "all cards by taste": (WARBANDS, {"rules.champion_tie_damage": True}, "aggressive", "cautious"),
    "in turn": (MIXED, {"rules.eop3_order": "b_first", "rules.retire_at_30": "until_above"}, "random", "adaptive"),
}


def drawn(case: str, lane: Any) -> dict[str, list[int]]:
    """Return what a few duels report, by column."""
    entrants, changes, policy_a, policy_b = CASES[case]
    asked = load("edadh").ask("finish", *entrants, changes, policy_a=policy_a, policy_b=policy_b)
    played = simulate(asked.kind.processes(asked.setup, lane)[0], RandomRolls(7, case, 0, N_DUELS))
    return {name: np.asarray(values).tolist() for name, values in played.items()}


def write() -> None:
    """Write the file anew."""
    cases = []
    for case in CASES:
        rows = [f"  {json.dumps(name)}: {values}" for name, values in drawn(case, "literal").items()]
        cases.append(f"{json.dumps(case)}: {{\n" + ",\n".join(rows) + "\n}")
    FILE.write_text("{\n" + ",\n".join(cases) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write()
