"""Every rule option that an encounter knows makes a difference there; what is set to its default makes none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from tests.games.immortal_souls.encounter.comparing import SOULS

PARTY = "ecarus,thorgar,shae"
BLOWS = {"heroes.effects": "ko@;stun@MAG;blind@ABI"}
HORDE = {"encounter.enemies": "gremlin_horde@village_9;red_bandit@village_2;red_gremlin@village_5"}
DIFFERS = [
    ("IS-Q9", "supremacy_of_area_attacks=each_area", "ambush", {"heroes.effects": "area1@"}),
    ("IS-Q14", "push_direction=defenders_way", "ambush", {"heroes.effects": "push1@"}),
    ("IS-Q14", "push_direction=away", "ambush", {"heroes.effects": "push1@"}),
    ("IS-Q15", "knocked_out_enemies_react=false", "ambush", BLOWS),
    ("IS-Q16", "blinded_enemies_react=true", "ambush", BLOWS),
    ("IS-Q18", "horde_attacks=each_mini", "ambush", HORDE),
    ("IS-Q19", "own_turn_token_ends=this_turn", "captain", {}),
    ("IS-Q22", "blinded_hero_saves=not_free_ones", "captain", HORDE | {"encounter.enemies": "red_bandit@crypt_5"}),
    ("IS-Q23", "scroll_distances=attack", "gorge_troll",
     {"encounter.start": "gorge_4", "encounter.enemies": "green_orc_shaman@gorge_12;troll@gorge_8"}),
    ("IS-Q24", "enemy_turn_after_death=true", "ambush", HORDE),
    ("IS-Q27", "ghosts_hold_ranks_back=false", "ambush",
     HORDE | {"situation.soul_points": "24", "situation.rank_up": "true", "heroes.rank": "4"}),
    ("IS-Q35", "critical_tokens=primary", "ambush", {"heroes.effects": "area1@;critical@"}),
    ("IS-Q40", "stunned_knocked_out_stands_up=true", "ambush", BLOWS),
    ("IS-Q45", "failed_save_turns_power=true", "captain",
     {"heroes.rank": "4", "encounter.enemies": "red_bandit@crypt_5;red_bandit@crypt_10"}),
]  # fmt: skip


def outcomes(encounter: str, sets: Mapping[str, str], party: str = PARTY, n: int = 256) -> State:
    asked = SOULS.ask("encounter", party, encounter, sets, policy="random")
    (process,) = asked.kind.processes(asked.setup, "literal")
    return simulate(process, RandomRolls(0, "options", 0, n), in_order=True)


def differ(one: State, other: State) -> bool:
    return any(not np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.slow("test_the_situation_makes_a_difference")
@pytest.mark.parametrize(("question", "option", "encounter", "sets"), DIFFERS)
def test_an_option_makes_a_difference(question: str, option: str, encounter: str, sets: Mapping[str, str]) -> None:
    name, _, value = option.partition("=")
    assert differ(outcomes(encounter, sets), outcomes(encounter, {**sets, f"rules.{name}": value})), question


@pytest.mark.parametrize(
    ("n", "limit"),
    [(32, {"situation.round_limit": "2"}), pytest.param(256, {}, marks=pytest.mark.slow)],
    ids=["32", "256"],
)
def test_whom_a_troll_knocked_out_drinks_lying_down_or_stands_up_first(n: int, limit: Mapping[str, str]) -> None:
    """IS-Q13: standing up comes with the Move, and a draught is drunk before it."""
    sets = {"heroes.rank": "5", "encounter.enemies": "troll@village_5", "encounter.enemies_many": "", **limit}
    party = ",".join(f"{hero}+healing_draught" for hero in PARTY.split(","))
    readings = [
        outcomes("ambush", sets | {"rules.knocked_out_hero_may_not": one}, party, n) for one in ("combat", "all")
    ]
    assert differ(*readings)


@pytest.mark.slow("test_the_situation_makes_a_difference")
def test_the_default_makes_none() -> None:
    assert not differ(outcomes("ambush", {}), outcomes("ambush", {"rules.push_direction": "attackers_way"}))


@pytest.mark.parametrize("setting", ["enemy_turns=once", "soul_points=9", "round_limit=3"])
def test_the_situation_makes_a_difference(setting: str) -> None:
    name, _, value = setting.partition("=")
    assert differ(outcomes("ambush", {}), outcomes("ambush", {f"situation.{name}": value}))
