"""Level D, the cards behind a Unit: combat masters, standards, battle masters and stratagems."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.exact.tree import every_option
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, Rolls
from balance.games.edadh.cards.command_cards import BattleMaster, CombatMaster, Stratagem
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel
from balance.games.edadh.duel.leadership import BONUSES, fight_led, may_play_second
from balance.games.edadh.duel.period import settle
from balance.games.edadh.duel.stratagems import advance, legal_hands, muster, rally, steady
from balance.games.edadh.rules.commands import IN_DECK, IN_PLAY, IN_PROMOTION, LOCKED, MST, OUT_OF_GAME, TCTS, Command
from balance.games.edadh.rules.look_up import literally
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.faces import Faces

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example for example in json.loads(Path(__file__).with_name("edadh_examples.json").read_text("utf-8"))
}
GAME = balance.load("edadh")
LEARNING = ("angueth_learning", "huaos_dzaa_learning")
MASTERS = {"a.combat_master": "champion", "b.combat_master": "champion"}
STANDARDS = {"a.standard": "banner", "b.standard": "banner"}
LEADERS = {"a.battle_master": "warleader", "b.battle_master": "warleader"}
CHAMPION = GAME.catalogue.entries(CombatMaster)["champion"]
DECK = GAME.catalogue.entries(Stratagem)
UP, DOWN, PROMOTION = 1, 2, 3
PLAY_MST = 6
BONUS = {"mp_bonus": 1, "ml": 5, "att": 9, "defence": 13, "damage": 17}
"""A face of the Attacker's bonus die for each bonus."""
DEFENDER_BONUS = {"mp_bonus": 1, "ml": 6, "att": 11, "defence": 16}


def duel_of(*changes: dict[str, Any]) -> Duel:
    made = {path: value for each in changes for path, value in each.items()}
    duel: Duel = GAME.ask("duel", *LEARNING, made, **AT_RANDOM).setup.duel
    return duel


def state_of(duel: Duel, **columns: int) -> State:
    state = start_state(duel_process(duel, literally(duel.arena)), 1)
    return {**state, **{name: np.array([value], np.int16) for name, value in columns.items()}}


def turn(duel: Duel, a: int, b: int, state: State | None = None, **dice: int) -> State:
    """Play a turn with these cards; dice are named with underscores, such as `a_second=6`."""
    rolled = {name.replace("_", " "): [face] for name, face in {"a_card": a, "b_card": b, **dice}.items()}
    # whatever is not given shows its highest face: nothing for a standard, and what `a_second` says for the rest
    start = state_of(duel) if state is None else state
    return fight_led(duel, start, Faces({"a second": [1], "b second": [1], **rolled}, fill=2))


def told(state: State, *names: str) -> tuple[int, ...]:
    return tuple(int(state[name][0]) for name in names)


def no_dice() -> FixedRolls:
    return FixedRolls({})


@pytest.mark.rule("WE-CM.1", "WE-CM.2", "WE-CM.3")
def test_a_combat_master_gives_one_bonus() -> None:
    """Shieldsmen attack Spears, 12 against 9: 5 is not more than 5, so 2 and 3 damage."""
    duel = duel_of(MASTERS)
    assert told(turn(duel, 12, 9), "b_damage", "a_champion") == (2 + 3, UP)
    for bonus, change in {"att": 2, "damage": CHAMPION.damage, "ml": 0, "defence": 0, "mp_bonus": 0}.items():
        after = turn(duel, 12, 9, a_second=PLAY_MST, a_bonus=BONUS[bonus])
        more = CHAMPION.mp if bonus == "mp_bonus" else 0
        expected = (5 + change, 50 - 10 + 1 + more, DOWN)
        assert told(after, "b_damage", "a_mp", "a_champion") == expected, bonus


@pytest.mark.rule("WE-CM.1", "WE-CM.4")
def test_the_bonuses_of_a_defender() -> None:
    duel = duel_of(MASTERS)
    plain = turn(duel, 5, 4)  # 4 protects from 5, but protection 1 is not more than piercing 1
    assert told(plain, "b_damage") == (2,)
    assert told(turn(duel, 5, 4, b_second=PLAY_MST, b_bonus=DEFENDER_BONUS["ml"]), "b_damage") == (0,), "ML 4"
    strong = duel_of(MASTERS, {"a.shieldsmen.melee.att": 6})
    assert told(turn(strong, 5, 4), "b_damage") == (4,)
    assert told(turn(strong, 5, 4, b_second=PLAY_MST, b_bonus=DEFENDER_BONUS["defence"]), "b_damage") == (2,)
    both: dict[str, Any] = {
        "a_second": PLAY_MST,
        "b_second": PLAY_MST,
        "a_bonus": BONUS["att"],
        "b_bonus": DEFENDER_BONUS["defence"],
    }
    assert told(turn(strong, 5, 4, **both), "b_damage") == (4,), "8 against 7"


def test_who_may_name_damage() -> None:
    duel = duel_of(MASTERS)
    state = state_of(duel, a_second=MST, b_second=MST)
    step = partial(fight_led, duel)
    tree = every_option(step, {**state, "turns": np.ones(1, np.int16)})
    said = {name: np.unique(tree.choices["a", name]).tolist() for name in ("bonus", "answer bonus")}
    assert said == {"bonus": [0, 1, 2, 3, 4], "answer bonus": [0, 1, 2, 3]}
    assert len(BONUSES) == 6


@pytest.mark.rule("WE-CM.4")
def test_a_tie_with_one_master_and_with_both() -> None:
    duel = duel_of(MASTERS)
    mine: dict[str, Any] = {"a_second": PLAY_MST, "a_bonus": DEFENDER_BONUS["att"]}
    assert told(turn(duel, 12, 12), "b_damage") == (2 + 3,)
    assert told(turn(duel, 12, 12, **mine), "b_damage", "a_champion") == (4 + 3, DOWN), "7 against 5"
    both = turn(duel, 12, 12, **mine, b_second=PLAY_MST)
    assert told(both, "b_damage", "a_champion") == (2 + 3, 0), "no bonuses; the 5 + 3 it takes fell it"
    harmful = duel_of(MASTERS, {"rules.champion_tie_damage": True})
    assert told(turn(harmful, 12, 12, a_second=PLAY_MST, a_bonus=BONUS["damage"]), "b_damage") == (2 + 3 + 2,)


def echoes(rolls: Rolls, request: Request[Any]) -> Any:
    """As Defender, side b names the bonus that the Attacker has named, if it is not damage."""
    if isinstance(request, Choose) and (request.side, request.name) == ("b", "answer bonus"):
        return np.clip(request.view.facts["foe_bonus"], 1, 4) - 1
    return rolls.answer(request)


@pytest.mark.rule("WE-CM.4")
def test_the_defender_hears_the_attackers_bonus() -> None:
    duel = duel_of(MASTERS, {"a.shieldsmen.melee.att": 5})
    for bonus, gain in (("ml", 0), ("mp_bonus", CHAMPION.mp)):
        faces = {
            "a second": [PLAY_MST],
            "b second": [PLAY_MST],
            "a bonus": [BONUS[bonus]],
            "a card": [5],
            "b card": [4],
        }
        after = fight_led(duel, state_of(duel), ProxyRolls(Faces(faces, fill=2), echoes))
        assert told(after, "b_mp") == (50 - 2 + 1 + gain,), "ML, not MP; then MP"


@pytest.mark.rule("WE-CM.5")
def test_a_master_falls_for_his_troop() -> None:
    both: dict[str, Any] = {"a_second": PLAY_MST, "b_second": PLAY_MST, "a_bonus": BONUS["damage"], "b_bonus": 1}
    duel = duel_of(MASTERS)
    after = turn(duel, 12, 9, **both)
    assert told(after, "b_damage", "b_champion", "b_pile", "b_relief", "b_unit") == (7, 0, 1, 5, 0), "7 > DV 5"
    alone = turn(duel, 12, 9, a_second=PLAY_MST, a_bonus=BONUS["damage"])
    assert told(alone, "b_damage", "b_champion", "b_pile", "b_relief") == (7, UP, 1, 4), "the troop, as always"
    less = turn(duel, 12, 9, **{**both, "a_bonus": BONUS["ml"]})
    assert told(less, "b_damage", "b_champion", "b_pile", "b_relief") == (5, DOWN, 1, 4), "5 is not more than 5"
    uncounted = turn(duel_of(MASTERS, {"rules.champion_in_pile": False}), 12, 9, **both)
    assert told(uncounted, "b_champion", "b_pile", "b_relief") == (0, 0, 0)


@pytest.mark.rule("WE-CM.2", "WE-CM.3", "WE-STR.6")
def test_the_secondary_card_has_two_sides() -> None:
    duel = duel_of(MASTERS, LEADERS)
    cases = {(UP, UP): MST + TCTS, (DOWN, UP): TCTS, (UP, DOWN): MST, (UP, PROMOTION): MST, (0, 0): 0}
    for (champion, leader), legal in cases.items():
        state = state_of(duel, a_champion=champion, a_leader=leader)
        assert may_play_second(duel, 0, state).tolist() == [legal]
    blocked = duel_of(MASTERS, LEADERS, {"rules.failed_tactics": "both_sides"})
    assert may_play_second(blocked, 0, state_of(blocked, a_leader=DOWN)).tolist() == [0]
    assert may_play_second(duel, 0, state_of(duel, turns=0)).tolist() == [0]
    again = rally(duel, state_of(duel, a_champion=DOWN, b_leader=DOWN), no_dice())
    assert told(again, "a_champion", "b_leader") == (UP, UP)


@pytest.mark.rule("WE-STD.1", "WE-STD.2")
def test_a_standard_against_damage() -> None:
    duel = duel_of(STANDARDS)
    after = turn(duel, 12, 9, b_standard=1)
    assert told(after, "b_damage", "b_standard", "b_pile") == (5 - 3, 0, 0), "2 is not more than DV 4"
    assert told(turn(duel, 12, 9, after, b_standard=1), "b_damage") == (2 + 5,), "once in a game"
    spared = turn(duel, 12, 9, b_standard=2)
    assert told(spared, "b_damage", "b_standard") == (5, 1)
    unhurt = turn(duel, 12, 9, a_standard=1)
    assert told(unhurt, "a_standard") == (1,), "nothing to take away"


@pytest.mark.rule("WE-STD.1", "WE-STD.3")
def test_a_standards_resolve() -> None:
    given, expect = EXAMPLES["WE-E25"]["given"], EXAMPLES["WE-E25"]["expect"]
    duel = duel_of(STANDARDS)
    state = state_of(duel, a_pile=given["own_pile"], b_pile=given["opponent_pile"], a_shaken=1)
    held = steady(duel, state, Faces({"a resolve": [1], "b resolve": [2]}))
    assert told(held, "a_pile", "a_standard", "b_standard") == (expect["own_count"], 0, 1)
    assert told(settle(duel, held, no_dice()), "a_shaken", "a_lost") == (int(expect["shaken"]), 0)
    not_held = steady(duel, state, Faces({"a resolve": [2], "b resolve": [2]}))
    assert told(settle(duel, not_held, no_dice()), "a_lost") == (LOSS_CODES["rout"],)


@pytest.mark.rule("WE-BM.1", "WE-BM.2", "WE-STR.1")
def test_a_battle_master_has_a_deck() -> None:
    leader, duel = GAME.catalogue.entries(BattleMaster)["warleader"], duel_of(LEADERS)
    for command in duel.commands:
        assert command.tactical_ml == leader.land
        assert [card.id for card in command.deck] == list(DECK), "one of each"
    assert {"counter", "retreat"} <= set(DECK)
    assert Command().is_empty
    assert not duel_of(STANDARDS).commands[0].deck


def places(state: State, side: str = "a") -> dict[str, int]:
    found = {card: int(state[f"{side}_s_{card}"][0]) for card in DECK}
    return {card: place for card, place in found.items() if place != IN_DECK}


def hands(duel: Duel, state: State, me: int = 0) -> set[frozenset[str]]:
    """Return the sets of stratagems a side may take, by id."""
    command = duel.commands[me]
    legal = legal_hands(duel, me, state)[0]
    return {frozenset(command.deck[i].id for i in hand) for hand, ok in zip(command.hands, legal, strict=True) if ok}


@pytest.mark.rule("WE-STR.2")
def test_what_the_tactical_ml_pays_for() -> None:
    duel = duel_of(LEADERS)
    found = hands(duel, state_of(duel))
    assert frozenset({"shield_wall", "volley", "war_cry"}) in found, "1 + 1 + 1"
    assert frozenset({"shield_wall", "ambush"}) in found, "1 + 2"
    assert frozenset({"palisade"}) in found, "* is the whole tactical ML"
    assert frozenset() in found
    assert not any(len(hand) > 1 and "palisade" in hand for hand in found)
    costs = {card.id: duel.commands[0].cost(card) for card in duel.commands[0].deck}
    assert all(sum(costs[card] for card in hand) <= 3 for hand in found)
    spent = state_of(duel, a_s_ambush=LOCKED)
    assert hands(duel, spent) == {
        frozenset(),
        *(frozenset({c}) for c in ("shield_wall", "volley", "war_cry", "counter")),
    }
    new_only = duel_of(LEADERS, {"rules.stratagem_budget": "new_only"})
    assert frozenset({"shield_wall", "volley", "war_cry"}) in hands(new_only, spent)


@pytest.mark.rule("WE-BM.2", "WE-STR.2")
def test_cards_that_cost_nothing() -> None:
    """A free card is taken but once, and a card of cost * is taken alone, whatever else costs."""
    duel = duel_of(LEADERS)
    free = replace(duel.commands[0], deck=tuple(
        card.model_copy(update={"cost": 0}) if card.id == "volley" else card for card in duel.commands[0].deck
    ))  # fmt: skip
    duel = replace(duel, commands=(free, duel.commands[1]))
    found = hands(duel, state_of(duel))
    assert frozenset({"volley", "shield_wall", "ambush"}) in found
    assert frozenset({"palisade"}) in found
    assert frozenset({"palisade", "volley"}) not in found
    for place in (IN_PLAY, OUT_OF_GAME):
        assert not any("volley" in hand for hand in hands(duel, state_of(duel, a_s_volley=place)))


@pytest.mark.rule("WE-STR.1", "WE-STR.8")
def test_what_may_not_be_taken() -> None:
    duel = duel_of(LEADERS)
    assert not any("volley" in hand for hand in hands(duel, state_of(duel, b_s_volley=IN_PLAY))), "X"
    assert any("volley" in hand for hand in hands(duel, state_of(duel, b_s_volley=LOCKED))), "face down: unknown"
    assert any("shield_wall" in hand for hand in hands(duel, state_of(duel, b_s_shield_wall=IN_PLAY))), "no X"
    assert not any("counter" in hand for hand in hands(duel, state_of(duel, a_s_counter=OUT_OF_GAME)))


@pytest.mark.rule("WE-STR.3")
def test_where_taken_cards_go() -> None:
    duel = duel_of(LEADERS)
    seen = set()
    for face in range(1, 30_001, 500):
        after = muster(duel, state_of(duel), Faces({"a stratagems": [face], "b stratagems": [1]}))
        assert all(place == (LOCKED if DECK[card].secondary else IN_PLAY) for card, place in places(after).items())
        assert places(after, "b") == {}, "the empty set comes first"
        seen.add(frozenset(places(after)))
    assert seen == hands(duel, state_of(duel)), "every set has its faces"


@pytest.mark.rule("WE-STR.1", "WE-STR.4")
def test_a_stratagem_works_in_play_at_its_levels() -> None:
    duel = duel_of(LEADERS)
    for place, damage in ((IN_PLAY, 2), (LOCKED, 4), (IN_DECK, 4), (IN_PROMOTION, 4)):
        strong = duel_of(LEADERS, {"a.shieldsmen.melee.att": 6})  # 6 > 5, but not > 5 + 1
        assert told(turn(strong, 5, 4, state_of(strong, b_s_shield_wall=place)), "b_damage") == (damage,)
    ballistic = state_of(duel, a_s_volley=IN_PLAY)
    assert duel.commands[0].boost(ballistic, "a", 0).att.tolist() == [1]
    assert duel.commands[0].boost(ballistic, "a", 2).att.tolist() == [0]
    wood = state_of(duel, a_s_palisade=IN_PLAY)
    assert duel.commands[0].boost(wood, "a", 1).ground.tolist() == [DECK["palisade"].amount]
    hidden = state_of(duel, a_s_ambush=IN_PLAY)
    assert told(turn(duel, 12, 9, hidden), "b_damage") == (2 + 3 + 1,)


@pytest.mark.rule("WE-STR.5")
def test_unlocking() -> None:
    duel = duel_of(LEADERS)
    state = state_of(duel, a_s_ambush=LOCKED, b_s_war_cry=LOCKED)
    tries: dict[str, Any] = {"a_second": PLAY_MST}  # without a combat master the die's upper half is tcts
    won = turn(duel, 12, 9, state, **tries)
    assert (told(won, "a_leader"), places(won)) == ((PROMOTION,), {"ambush": IN_PROMOTION})
    for a, b in ((9, 12), (12, 12)):
        lost = turn(duel, a, b, state, **tries)
        assert (told(lost, "a_leader"), places(lost)) == ((DOWN,), {"ambush": LOCKED})
    protected = turn(duel_of(LEADERS, {"b.spears.melee.protection": 9}), 5, 4, state, **tries)
    assert (told(protected, "b_damage"), told(protected, "a_leader")) == ((0,), (PROMOTION,)), "the Attacker has won"
    assert places(won, "b") == {"war_cry": LOCKED}


def advanced(duel: Duel, state: State, **dice: list[int]) -> State:
    kept = {"a remove": [2] * len(DECK), "b remove": [2] * len(DECK)}
    return advance(duel, state, Faces({**kept, **{name.replace("_", " "): d for name, d in dice.items()}}))


@pytest.mark.rule("WE-STR.7")
def test_eop0_step_by_step() -> None:
    duel = duel_of(LEADERS)
    promoted = advanced(duel, state_of(duel, a_s_ambush=IN_PROMOTION, a_leader=PROMOTION, b_s_war_cry=LOCKED))
    assert (places(promoted), told(promoted, "a_leader")) == ({"ambush": IN_PLAY}, (UP,)), "1: into play"
    assert places(promoted, "b") == {}, "2: locked cards return to the deck"
    twins = advanced(duel, state_of(duel, a_s_volley=IN_PLAY, b_s_volley=IN_PLAY, a_s_shield_wall=IN_PLAY,
                                      b_s_shield_wall=IN_PLAY))  # fmt: skip
    assert places(twins) == places(twins, "b") == {"shield_wall": IN_PLAY}, "3: X cards leave both sides"
    healed = advanced(duel, state_of(duel, a_s_retreat=IN_PLAY, a_damage=7, b_damage=7))
    assert (told(healed, "a_damage", "b_damage"), places(healed)) == ((7 - 3, 7), {}), "4: instant"
    taken = advanced(duel, state_of(duel, a_s_shield_wall=IN_PLAY), a_remove=[1] * len(DECK))
    assert places(taken) == {}, "6: taken back"


@pytest.mark.rule("WE-STR.1", "WE-STR.7")
def test_a_counter_discards_the_dearest_card_with_a_c() -> None:
    duel = duel_of(LEADERS)
    state = state_of(duel, a_s_counter=IN_PLAY, b_s_shield_wall=IN_PLAY, b_s_ambush=IN_PLAY, b_s_war_cry=IN_PLAY)
    after = advanced(duel, state)
    assert places(after) == {}, "it returns to the deck"
    assert places(after, "b") == {"shield_wall": IN_PLAY, "ambush": OUT_OF_GAME, "war_cry": IN_PLAY}
    immune = advanced(duel, state_of(duel, a_s_counter=IN_PLAY, b_s_war_cry=IN_PLAY))
    assert places(immune, "b") == {"war_cry": IN_PLAY}, "no C"


@pytest.mark.rule("WE-STR.1", "WE-STR.7")
def test_a_restriction_that_fails() -> None:
    """Needs spears; once they have all left the Unit the card is removed, and cannot be taken."""
    duel = duel_of(LEADERS)
    deck = tuple(c.model_copy(update={"needs_troop": "spears"} if c.id == "shield_wall" else {}) for c in DECK.values())
    needy = replace(duel, commands=(duel.commands[0], replace(duel.commands[1], deck=deck)))
    unit = needy.arena.forces[1].unit
    swords_only = unit.arrangements.index(((1,), (1,), (1,)))
    for where, kept in ((0, {"shield_wall": IN_PLAY}), (swords_only, {})):
        state = state_of(needy, b_s_shield_wall=IN_PLAY, b_unit=where)
        assert places(advanced(needy, state), "b") == kept
        fresh = state_of(needy, b_unit=where)
        assert any("shield_wall" in hand for hand in hands(needy, fresh, 1)) == bool(kept)


@pytest.mark.rule("WE-STR.4")
def test_how_long_stratagems_stay() -> None:
    for reading, kept in (("until_removed", {"shield_wall": IN_PLAY}), ("one_period", {})):
        duel = duel_of(LEADERS, {"rules.stratagem_stay": reading})
        assert places(advanced(duel, state_of(duel, a_s_shield_wall=IN_PLAY))) == kept


def test_locked_cards_are_hidden() -> None:
    duel = duel_of(LEADERS)
    view = duel.view(1, state_of(duel, a_s_ambush=LOCKED, a_s_volley=IN_PLAY), 2)
    assert view.foe_column("s_ambush").tolist() == [IN_DECK]
    assert view.foe_column("s_volley").tolist() == [IN_PLAY]


def test_duels_with_all_cards_end() -> None:
    sample = GAME.ask("duel", "angueth_warband", "huaos_dzaa_warband", **AT_RANDOM).simulate(2_000, seed=1)
    assert sum(sample.p_win().values()) == pytest.approx(1)
    assert 2 < sample.distribution.mean("periods") < 8
