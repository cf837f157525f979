"""Level A: one turn, by the rulebook's examples, by hand, and on written dice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.trials.lockstep import play_fixed
from balance.games.edadh.cards.records import STAR, MasteryValue
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, TIE, Mastery, effective_value
from balance.games.edadh.rules.strike import NO_ATT, Ground, Profile, RuleOptions, strike
from balance.games.edadh.rules.turn import Outcome, resolve_turn
from tests.games.edadh.at_random import AT_RANDOM

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example for example in json.loads(Path(__file__).with_name("edadh_examples.json").read_text("utf-8"))
}
GAME = balance.load("edadh")
LEARNING = ("angueth_learning", "huaos_dzaa_learning")
CARDS = GAME.catalogue.entries(MasteryValue)
MASTERY = Mastery.of(CARDS)
SHIELDSMEN = Profile(3, 1, 3, 1, 5, 6, 4, 2, 4)
SPEARS = Profile(3, 1, 1, 2, 7, 5, 5, 2, 4)
SWORDS = Profile(4, 2, 2, 1, 6, 6, 4, 2, 4)
NAMES = {TIE: "tie", A_ATTACKS: "own", B_ATTACKS: "opponent"}


def of_kind(*kinds: str) -> list[str]:
    return [name for name, example in EXAMPLES.items() if example["kind"] in kinds]


def turn(a: int, b: int, one: Profile[int] = SHIELDSMEN, other: Profile[int] = SPEARS, **readings: Any) -> Outcome:
    return resolve_turn(MASTERY, (a, b), (one, other), RuleOptions(**readings))


def whole(pair: Sequence[Any]) -> list[int]:
    return [int(value) for value in pair]


@pytest.mark.rule("WE-CARD.1")
def test_a_card_has_two_ends() -> None:
    ends = EXAMPLES["WE-E01"]["expect"]["values"]
    assert [ends[0], CARDS[str(ends[0])].other_end] == ends
    assert sorted({tuple(sorted((int(cv), card.other_end))) for cv, card in CARDS.items()}) == [
        (1, 7), (2, 8), (3, 9), (4, 10), (5, 11), (6, 12)
    ]  # fmt: skip


@pytest.mark.rule("WE-CARD.2", "WE-INIT.1", "WE-INIT.2", "WE-INIT.3")
@pytest.mark.parametrize("name", of_kind("initiative", "initiative_set"))
def test_initiative_examples(name: str) -> None:
    shown, expect = EXAMPLES[name]["dice_or_cards"], EXAMPLES[name]["expect"]
    own = shown["own"]
    for foe in shown.get("opponents", [shown.get("opponent")]):
        assert effective_value(CARDS, own, foe) == expect["own_effective"]
        assert effective_value(CARDS, foe, own) == expect.get("opponent_effective", foe)
        assert NAMES[int(MASTERY.initiative[own, foe])] == expect["attacker"]


@pytest.mark.rule("WE-INIT.2", "WE-INIT.3")
def test_initiative_is_a_ring_of_twelve() -> None:
    letters = {TIE: "T", A_ATTACKS: "W", B_ATTACKS: "L"}
    rows = ["".join(letters[int(who)] for who in row[1:]) for row in MASTERY.initiative[1:]]
    assert rows == EXAMPLES["WE-V13"]["expect"]["rows_by_own_value_1_to_12"]
    values = np.arange(1, 13)
    ahead = (values[:, None] - values) % 12
    assert np.array_equal(MASTERY.initiative[1:, 1:] == A_ATTACKS, (ahead >= 1) & (ahead <= 5))
    assert np.array_equal(MASTERY.initiative[1:, 1:] == TIE, ahead % 6 == 0)


@pytest.mark.rule("WE-MP.1", "WE-MP.2")
@pytest.mark.parametrize("name", of_kind("mp_cost"))
def test_costs(name: str) -> None:
    shown, expect = EXAMPLES[name]["dice_or_cards"], EXAMPLES[name]["expect"]
    assert {int(MASTERY.cost[shown["own"], foe]) for foe in shown["opponents"]} == {expect["cost"]}


@pytest.mark.rule("WE-MP.1", "WE-MP.3")
def test_both_pay_and_higher_values_cost_more() -> None:
    assert whole(turn(12, 6).cost) == [10, 4], "a tie is paid for too"
    assert whole(turn(3, 11).cost) == [1, 1]
    full = [CARDS[str(cv)].mp_cost for cv in range(1, 13)]
    assert full == sorted(full)
    steps = {after - before for before, after in pairwise(full[2:])}
    assert steps == {EXAMPLES["WE-E29"]["expect"]["extra_mp_cost"]}


@pytest.mark.rule("WE-CARD.3")
def test_cards_come_back() -> None:
    """The same two cards in all three turns of a Period: each is paid for three times."""
    asked = GAME.ask("finish", *LEARNING, {"situation.max_periods": 1}, policy_a="random-noretire", policy_b="random")
    played = play_fixed(asked.kind.processes(asked.setup, "literal")[0], {"a card": [11] * 3, "b card": [7] * 3})
    assert played["a_mp"] == 50 + 3 * (-10 + 1)
    assert played["b_mp"] == 50 + 3 * (-6 + 1)


@pytest.mark.rule("WE-TROOP.3", "WE-SETUP.3")
def test_bonus_stops_at_the_cap() -> None:
    example = EXAMPLES["WE-E17"]
    given, expect = example["given"], example["expect"]
    start = given["mp_after_cost"] + 1  # CV 1 costs 1
    changes = {"a.mp": start, "a.shieldsmen.melee.mp_bonus": given["mp_bonus"]}
    asked = GAME.ask("turn", *LEARNING, changes, **AT_RANDOM)
    played = play_fixed(asked.kind.processes(asked.setup, "literal")[0], {"a card": [0], "b card": [3]})
    assert start + played["a_mp"] == expect["mp"]


@pytest.mark.rule("WE-PROT.1", "WE-PROT.2", "WE-PROT.3")
def test_protection() -> None:
    open_gate, closed = turn(5, 4, SHIELDSMEN, SWORDS), turn(12, 8, SHIELDSMEN, SWORDS)
    assert (whole(open_gate.damage), whole(closed.damage)) == ([0, 0], [0, 5]), "ML 4 beats 3 if 4 protects from 5"
    assert whole(turn(5, 4, SWORDS, SHIELDSMEN).damage) == [0, 0], "protection 3 beats piercing 1"
    equal = Profile(3, 1, 2, 1, 5, 6, 4, 2, 4)
    assert whole(turn(5, 4, SPEARS, equal).damage) == [0, 5], "equal protection is not enough"
    assert not open_gate.is_discarded[1]


@pytest.mark.rule("WE-PROT.2")
def test_an_asterisk_beats_any_value() -> None:
    starred, shield = SPEARS._replace(piercing=STAR), SHIELDSMEN._replace(protection=STAR)
    assert not strike(starred, SHIELDSMEN._replace(protection=98), True, 0, RuleOptions()).is_protected
    assert strike(SPEARS._replace(piercing=98), shield, True, 0, RuleOptions()).is_protected
    assert not strike(starred, shield, True, 0, RuleOptions()).is_protected
    assert strike(starred, shield, True, 0, RuleOptions(star_protects_from_star=True)).is_protected


@pytest.mark.rule("WE-DMG.1", "WE-XDMG.1")
def test_damage() -> None:
    assert whole(turn(8, 6, SPEARS, SHIELDSMEN._replace(protection=0)).damage) == [0, 5], "7 > 6: offensive"
    assert whole(turn(8, 6, SPEARS, SHIELDSMEN._replace(protection=0, defence=7)).damage) == [0, 2], "equal: defensive"
    assert whole(turn(12, 9, SHIELDSMEN, SPEARS).damage) == [0, 2 + 3], "extra damage is added to either"
    assert whole(turn(12, 9, SHIELDSMEN, SPEARS, dd_from_defender=True).damage) == [0, 2 + 3]
    other = SPEARS._replace(dd=1)
    assert whole(turn(12, 9, SHIELDSMEN, other, dd_from_defender=True).damage) == [0, 1 + 3]


@pytest.mark.rule("WE-DMG.2", "WE-XDMG.2")
def test_both_strike_on_a_tie() -> None:
    assert EXAMPLES["WE-E18"]["expect"]["order"] == [["A", "attacks", "H"], ["H", "attacks", "A"]]
    assert whole(turn(12, 12).damage) == [5 + 3, 2 + 3], "each adds the modifier of the own card"
    assert whole(turn(6, 12).damage) == [5 + 3, 2], "12 ties with its other end; no card protects from 12 but 10, 11"
    equal = Profile(3, 1, 9, 0, 7, 5, 5, 2, 4)
    assert whole(turn(3, 3, equal, equal).damage) == [0, 0], "each protects from the other"
    first = SPEARS._replace(protection=0)
    assert whole(turn(3, 3, first, equal, tie_protect="per_strike").damage) == [5, 0]
    assert whole(turn(3, 3, first, equal, tie_protect="ends_turn").damage) == [0, 0]
    assert whole(turn(3, 3, equal, equal, tie_protect="never").damage) == [5, 5]


@pytest.mark.rule("WE-DISC.1")
def test_immediate_discard() -> None:
    for name in ("WE-V05", "WE-V06"):
        given, expect = EXAMPLES[name]["given"], EXAMPLES[name]["expect"]
        attacker = SPEARS._replace(od=given["turn_damage"], piercing=9)
        outcome = turn(5, 4, attacker, SHIELDSMEN._replace(dv=given["DV"]))
        assert int(outcome.damage[1]) == given["turn_damage"]
        assert int(outcome.is_discarded[1]) == expect["pile_after_turn"]
    both = turn(12, 12, SPEARS, SPEARS)
    assert whole(both.is_discarded) == [1, 1], "on a tie it goes for both"
    split = turn(12, 9, SPEARS._replace(od=4), SHIELDSMEN, discard_on_each_move=True)
    assert (int(split.damage[1]), bool(split.is_discarded[1])) == (4 + 3, False), "4 and 3 apart are not more than 4"


@pytest.mark.rule("WE-TROOP.1", "WE-DISC.2", "WE-CARD.3")
def test_each_turn_takes_another_troop() -> None:
    """The three front troops are told apart by their MP bonus; each is selected once in a Period."""
    changes = {"a.front": "shieldsmen,shieldmaidens,archers", "a.archers.melee.mp_bonus": 8,
               "a.shieldsmen.melee.mp_bonus": 4, "a.mp": 40, "situation.max_periods": 1}  # fmt: skip
    asked = GAME.ask("finish", *LEARNING, changes, **AT_RANDOM)
    process = asked.kind.processes(asked.setup, "literal")[0]
    cards = {"a card": [1] * 3, "b card": [4] * 3}  # numbers count from 0
    for troops in ([0, 0, 0], [2, 1, 0], [1, 0, 0]):
        played = play_fixed(process, {**cards, "a answer": troops})
        assert played["a_mp"] == 40 - 3 * 1 + (4 + 2 + 8)


@pytest.mark.rule("WE-TROOP.2")
def test_a_tie_takes_the_lowest_mastery_level() -> None:
    changes = {"a.front": "shieldmaidens,archers,archers", "a.shieldmaidens.melee.mp_bonus": 9}
    asked = GAME.ask("turn", *LEARNING, changes, **AT_RANDOM)
    process = asked.kind.processes(asked.setup, "literal")[0]
    for number in (0, 1):
        played = play_fixed(process, {"a card": [2], "b card": [2], "a troop": [number]})
        assert played["a_mp"] == -1 + 1, "ML 2, not 4"
    free = {n: play_fixed(process, {"a card": [2], "b card": [3], "a answer": [n]})["a_mp"] for n in (0, 2)}
    assert free == {0: -1 + 9, 2: -1 + 1}, "as Defender any may be chosen"


def test_no_attack_is_not_a_number() -> None:
    assert NO_ATT < 0
    helped = strike(SPEARS._replace(att=NO_ATT), SHIELDSMEN, False, 0, RuleOptions(), helpers_att=20)
    assert (int(helped.damage), int(helped.mp_loss)) == (0, 5), "helpers do not help whoever has no att"


def test_the_distribution_of_a_turn_is_exact() -> None:
    """Twelve cards against twelve: 5/12 each way, 1/6 ties; and the table of turns gives the same distribution."""
    asked = GAME.ask("turn", *LEARNING, **AT_RANDOM)
    distribution = asked.distribution
    assert distribution.is_exact
    assert distribution.marginal("attacker").p.tolist() == pytest.approx([1 / 6, 5 / 12, 5 / 12])
    assert asked.simulate(20_000, seed=1, lane="literal").agreement.p_value > 1e-3


@pytest.mark.rule("WE-FEW.2", "WE-FEW.3")
@pytest.mark.parametrize("sides", [("shieldsmen", "gunners"), ("shieldsmen+archers", "gunners"),
                                   ("shieldsmen+archers+shieldmaidens", "gunners+spears")])  # fmt: skip
def test_combining_late_has_an_exact_distribution_too(sides: tuple[str, str]) -> None:
    """Whoever combines at random does it as often before the Defender's choice as after it (WE-Q18)."""
    early, late = (
        GAME.ask("turn", *sides, {"rules.combine_late": reading}, **AT_RANDOM).distribution for reading in (False, True)
    )
    assert late.columns == early.columns
    assert late.outcomes.tolist() == early.outcomes.tolist()
    assert late.p.tolist() == pytest.approx(early.p.tolist(), abs=1e-12)


def test_ground_defaults_to_nothing() -> None:
    assert Ground() == (0, 0)
