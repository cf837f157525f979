"""The package against the second telling of the rules, duel by duel with the same choices, under every reading.

Each case plays whole duels with random choices; all ten outcome columns must be equal in every one of them.
"""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from tests.games.edadh import led, reference
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.faces import written_down
from tests.games.edadh.retold import Dice, led_side_of, side_of, table_of

GAME = balance.load("edadh")
N_DUELS = 12

LEARNING = ("angueth_learning", "huaos_dzaa_learning")
MIXED = ("shieldsmen:1+archers:2/clanmaidens:2+shieldmaidens:1", "gunners:2+spears:1/blunderbuss:2/swords:1")
SHORT = ("shieldsmen:2/shieldmaidens:2", "spears:3/swords:3")
LONG = ("archers:3/clanmaidens:3/shieldsmen:3", "gunners:1")
WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
NO_LEADERS = {"a.battle_master": "", "b.battle_master": ""}
TERRAIN = ("angueth_terrain", "huaos_dzaa_terrain")

CASES: dict[str, tuple[tuple[str, str], dict[str, Any], dict[str, str]]] = {
    "learning": (LEARNING, {}, {}),
    "nobody retires": (LEARNING, {}, {"policy_a": "random-noretire", "policy_b": "random-noretire"}),
    "low against high": (LEARNING, {}, {"policy_a": "low", "policy_b": "high"}),
    "mixed ranks": (MIXED, {"situation.terrain": "none"}, {}),
    "short fronts": (SHORT, {}, {}),
    "three against one": (LONG, {}, {}),
    "beaten already": (LEARNING, {"a.mp": 12, "b.damage": 20, "b.shaken": True}, {}),
    "short game": (LEARNING, {"situation.max_periods": 2}, {}),
    "dd of the defender": (MIXED, {"rules.dd_from": "defender"}, {}),
    "placed or turned": (LEARNING, {"rules.protection_list": "alternative"}, {}),
    "ties end": (LEARNING, {"rules.tie_protect": "ends_turn"}, {}),
    "ties bare": (LEARNING, {"rules.tie_protect": "never"}, {}),
    "no MP no duel": (LEARNING, {"rules.mp_zero_check": "immediate", "a.mp": 15, "b.mp": 9}, {}),
    "each move": (LEARNING, {"rules.instant_on": "each_move"}, {}),
    "refilled at once": (LEARNING, {"rules.refill": "at_once"}, {}),
    "smaller excess": (LEARNING, {"rules.both_defeated": "smaller_excess", "a.mp": 9, "b.mp": 9}, {}),
    "pooled": (LEARNING, {"rules.eop1_pooled": True, "a.mp": 9, "b.mp": 9}, {}),
    "no recheck": (MIXED, {"rules.recheck_after_retire": False, "a.mp": 25, "b.mp": 25}, {}),
    "until above": (MIXED, {"rules.retire_at_30": "until_above", "a.mp": 25}, {}),
    "a first": (LEARNING, {"rules.eop3_order": "a_first"}, {}),
    "b first": (LEARNING, {"rules.eop3_order": "b_first"}, {}),
    "lowest DV": (MIXED, {"rules.discard_choice": "lowest_dv"}, {}),
    "combined on ties": (SHORT, {"rules.combine_on_tie": True}, {}),
    "combined late": (SHORT, {"rules.combine_late": True}, {}),
    "combined late, on ties too": (LONG, {"rules.combine_late": True, "rules.combine_on_tie": True}, {}),
    "standard movement": (TERRAIN, {}, {}),
    "three ranks move": (("archers:2/clanmaidens:2/shieldsmen:1", TERRAIN[1]), {}, {}),
    "the last Charge Period": (TERRAIN, {"rules.swap_last_charge": False}, {}),
    "all cards": (WARBANDS, {}, {}),
    "masters": (WARBANDS, {**NO_LEADERS, "situation.level": "melee"}, {}),
    "masters hurt on ties": (WARBANDS, {**NO_LEADERS, "rules.champion_tie_damage": True}, {}),
    "masters do not count": (WARBANDS, {**NO_LEADERS, "rules.champion_in_pile": False}, {}),
    "masters and each move": (WARBANDS, {"rules.instant_on": "each_move"}, {}),
    "one standard": (LEARNING, {"b.standard": "banner"}, {}),
    "failed tactics block all": (WARBANDS, {"rules.failed_tactics": "both_sides"}, {}),
    "stratagems new each Period": (WARBANDS, {"rules.stratagem_budget": "new_only"}, {}),
    "stratagems of one Period": (WARBANDS, {"rules.stratagem_stay": "one_period"}, {}),
    "one leader": (LEARNING, {"a.battle_master": "warleader"}, {}),
    "stars hit": (TERRAIN, {"situation.level": "charge", "a.archers.charge.protection": 99}, {}),
    "stars protect": (
        TERRAIN,
        {"situation.level": "charge", "a.archers.charge.protection": 99, "rules.star_vs_star": "protected"},
        {},
    ),
    "ballistic": (TERRAIN, {"situation.level": "ballistic"}, {}),
    "no att unprotected": (LEARNING, {"situation.level": "ballistic", "rules.noatt_protect": False}, {}),
    "wood on the total": (TERRAIN, {"situation.level": "ballistic", "rules.terrain_on": "total"}, {}),
    "wood stops stars": (
        TERRAIN,
        {"situation.level": "charge", "rules.star_vs_terrain": "protected", "b.gunners.charge.piercing": 99},
        {},
    ),
}


@pytest.mark.rule(
    "WE-CARD.1", "WE-CARD.2", "WE-INIT.3", "WE-MP.1", "WE-MP.2", "WE-TROOP.1", "WE-TROOP.2", "WE-TROOP.3", "WE-PROT.1",
    "WE-PROT.2", "WE-PROT.3", "WE-DMG.1", "WE-DMG.2", "WE-XDMG.1", "WE-XDMG.2", "WE-DISC.1", "WE-DISC.2", "WE-EOP.0",
    "WE-EOP.1", "WE-EOP.2", "WE-EOP.3", "WE-RETIRE.1", "WE-SHAKE.1", "WE-SHAKE.2", "WE-SHAKE.3", "WE-WIN.1", "WE-WIN.2",
    "WE-WIN.3", "WE-FEW.1", "WE-FEW.2", "WE-FEW.3", "WE-FEW.4", "WE-TERR.1", "WE-TERR.2", "WE-TERR.3", "WE-NOATT.1",
    "WE-NOATT.2", "WE-LEVEL.1", "WE-SWAP.1", "WE-CM.1", "WE-CM.4", "WE-CM.5", "WE-STD.2", "WE-STD.3", "WE-STR.2",
    "WE-STR.5", "WE-STR.7", "WE-STR.8",
)  # fmt: skip
@pytest.mark.parametrize("case", CASES)
def test_duels_on_the_same_dice(case: str) -> None:
    play_both(case, range(N_DUELS))


@pytest.mark.slow("test_duels_on_the_same_dice")
@pytest.mark.parametrize("case", CASES)
def test_many_duels_on_the_same_dice(case: str) -> None:
    play_both(case, range(N_DUELS, 200))


def play_both(case: str, numbers: range) -> None:
    entrants, changes, choices = CASES[case]
    question = GAME.ask("finish", *entrants, changes, **{**AT_RANDOM, **choices})
    processes = {lane: question.kind.processes(question.setup, lane)[0] for lane in ("literal", "compiled")}
    for number in numbers:
        ours, faces = {}, dict[str, dict[str, list[int]]]()
        for lane, process in processes.items():
            played = simulate(written_down(process, faces.setdefault(lane, {})), RandomRolls(7, case, number, 1))
            ours[lane] = {name: int(values[0]) for name, values in played.items()}
        dice = Dice(faces["literal"])
        if question.setup.duel.is_led:
            theirs = led.duel(table_of(question), led_side_of(question, "a"), led_side_of(question, "b"), dice)
        else:
            theirs = reference.duel(table_of(question), side_of(question, "a"), side_of(question, "b"), dice)
        assert ours["literal"] == theirs
        assert ours["compiled"] == theirs


def test_every_reading_is_played() -> None:
    """Each switch of a turn or a Period is changed in some case."""
    changed = {path for _, changes, _ in CASES.values() for path in changes if path.startswith("rules.")}
    assert changed == {f"rules.{name}" for name in GAME.catalogue.rule_options if name != "mixed_units"}
