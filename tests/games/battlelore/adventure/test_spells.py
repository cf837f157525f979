"""What Lore cards do in adventures: beside the command card, in its place, in movement and in combat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.games.battlelore.adventure.map.adventure import Council
from balance.games.battlelore.adventure.turns.moves import move_units
from balance.games.battlelore.adventure.turns.spells import hasten
from balance.games.battlelore.adventure.turns.turn import take_turn
from tests.games.battlelore.adventure.lore_scenes import (
    ALL,
    ARCHERS,
    FOOT,
    RIDERS,
    SPIDER,
    N,
    cast,
    dice_thrown,
    rows_of_battles,
    staged,
)
from tests.games.battlelore.adventure.scenes import (
    POOL,
)

# -- beside the command card -------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-LORE-03", "BL-LORE-04", "BL-LORE-19")
def test_summon_lore_gives_tokens_as_far_as_there_are_any() -> None:
    made = cast(staged("wizard_1", n=3, councils=(Council(wizard=2), ALL)))
    assert made.state["tokens"][:, 0].tolist() == [30 - 1 + 4] * 3 and made.state["pool"].tolist() == [POOL - 4] * 3
    few = staged("wizard_1", n=3, councils=(Council(wizard=2), ALL))
    few.state["pool"][:] = 1
    assert cast(few).state["tokens"][:, 0].tolist() == [30] * 3


def test_pick_pocket_steals_what_there_is() -> None:
    made = staged("rogue_1", n=3, councils=(Council(rogue=3), ALL)).hold(1, tokens=3)
    assert cast(made).state["tokens"].tolist() == [[32, 0]] * 3
    rich = staged("rogue_1", n=3, councils=(Council(rogue=3), ALL)).hold(1, tokens=9)
    assert cast(rich).state["tokens"].tolist() == [[33, 5]] * 3


def test_healing_restores_figures() -> None:
    made = staged("cleric_10", n=3, a={"D5": FOOT, "A1": FOOT}).put("figures", 0, 1, 3)
    assert cast(made).state["figures"][:, 0].tolist() == [[4, 4]] * 3


def test_false_orders_change_a_command_card() -> None:
    made = staged("rogue_7", n=200)
    before = made.state["hand"][:, 1].copy()
    cast(made)
    assert (made.state["hand"][:, 1].sum(axis=1) == 4).all() and (made.state["discard"].sum(axis=1) == 1).all()
    assert (np.abs(made.state["hand"][:, 1] - before).sum(axis=1) <= 2).all()


@pytest.mark.rule("BL-LORE-17")
def test_a_fireball_burns_by_helmets_and_kills_by_any_lore_face() -> None:
    made = cast(staged("wizard_14", councils=(Council(wizard=3), ALL)))
    shown = made.throws("lore dice")
    for trial in range(N):
        left = 0 if shown[trial][5] else max(4 - shown[trial][1], 0)
        assert made.state["figures"][trial, 1, 0] == left
    assert dice_thrown(made, "lore dice") == {5} and (made.state["tokens"][:, 0] == 20).all()
    assert (made.state["banners"][:, 0] == (made.state["figures"][:, 1, 0] == 0)).all()


def test_a_fireball_checks_creatures_again() -> None:
    made = cast(staged("wizard_7", b={"E6": SPIDER}, councils=(Council(wizard=3), ALL)))
    shown, again = made.throws("lore dice"), made.throws("lore critical")
    for trial in range(N):
        dies = shown[trial][5] > 0 or (trial in again and again[trial][0] > 0)
        assert (made.at(1, 0)[trial] == "") is bool(dies)


def test_creeping_doom_reaches_every_unit_beside_its_target() -> None:
    units = {"E6": FOOT, "E7": ARCHERS, "G6": FOOT}
    made = staged("wizard_5", b=units, councils=(Council(wizard=2), ALL))
    owner = made.owner(0)
    owner.wishes = {"lore": ["wizard_5"]}
    cast(made)
    on_target = made.state["lore_unit"][:, 0] == 0
    assert on_target.any() and dice_thrown(made, "lore dice") == {4}
    throws = made.throws("lore dice")
    assert {int(throws[trial].sum()) for trial in np.flatnonzero(on_target).tolist()} == {12}, (
        "the target, its friend, my unit"
    )
    assert {int(throws[trial].sum()) for trial in np.flatnonzero(made.state["lore_unit"][:, 0] == 2).tolist()} == {4}
    assert (made.state["figures"][on_target, 0, 0] < 4).any()


def test_mists_frighten_all_and_the_fearless_none() -> None:
    friends = {"E6": "dwarf_blue_foot", "E5": FOOT, "E7": FOOT}
    made = cast(staged("cleric_6", b=friends))
    made.fight()
    assert set(made.asked(1)) <= {"retreat"}, "no flag is ignored, and nobody battles back"
    brave = staged("cleric_6", b=friends).hold(1, "warrior_4")
    owner = brave.owner(1)
    owner.wishes = {"lore": ["warrior_4"], "back": [1], "ignore": [9 - k for k in range(10)]}
    cast(brave).fight()
    assert "retreat" not in owner.asked and brave.where(1, 0) <= {"E6", ""} and brave.times("battle", kind="back")


def test_a_portal_takes_a_unit_elsewhere_ready_to_battle() -> None:
    made = staged("rogue_11", a={"A5": FOOT}, n=20, councils=(Council(rogue=3), ALL))
    owner = made.owner(0)
    owner.wishes = {"lore": ["rogue_11"], "lore_cell": ["D5"], "card": ["scout_left"], "battle": [0]}
    take_turn(made.turn)
    assert not made.state["moved"].any() and rows_of_battles(made) == set(range(20))
    assert "move" not in owner.offered, "it moves no more"
    assert "E5" in owner.offered["lore_cell"] and "F5" not in owner.offered["lore_cell"]


def test_a_bow_that_comes_out_of_a_portal_has_all_its_dice() -> None:
    """BL-Q48: what counts as a move is a move of the movement phase."""
    made = staged("rogue_11", a={"A5": ARCHERS}, n=20, councils=(Council(rogue=3), ALL))
    made.owner(0).wishes = {"lore": ["rogue_11"], "lore_cell": ["D5"], "card": ["scout_left"], "battle": [0]}
    take_turn(made.turn)
    assert dice_thrown(made) <= {2, 3}, "two, and one more by Leadership"


def test_an_enemy_goes_through_a_portal_to_where_its_own_player_likes() -> None:
    """BL-LORE-15."""
    made = staged("wizard_10", a={}, b={"E6": FOOT}, n=20, councils=(Council(wizard=1), ALL))
    cards = [card.model_copy(update={"target": "any_unit"}) for card in made.battle.lore_deck.cards]
    deck = replace(made.battle.lore_deck, cards=cards)
    made.turn = replace(made.turn, battle=replace(made.battle, lore_deck=deck))
    made.owner(1).wishes = {"lore_cell": ["H6"]}
    cast(made)
    assert made.where(1, 0) == {"H6"} and not made.asked(0).get("lore_cell")
    rogues = staged("rogue_11", a={}, b={"E6": FOOT}, n=20, councils=(Council(rogue=1), ALL))
    assert cast(rogues).where(1, 0) == {"E6"}, "that card is for own units alone"


# -- in place of it, and before units move -----------------------------------------------------------------------------


@pytest.mark.rule("BL-LORE-08")
def test_a_card_in_place_of_a_command_card_orders_units_and_brings_no_new_one() -> None:
    units = {f"B{n}": FOOT for n in range(2, 9)}
    made = staged("warrior_8", a=units, n=20, councils=(Council(warrior=2), ALL))
    before = made.state["hand"].copy()
    take_turn(made.turn)
    assert "card" not in made.asked(0) and (made.state["hand"] == before).all()
    ordered = [given["unit"] for what, _, _, given in made.events if what == "order"]
    assert {int(n) for n in ordered[0].sum(axis=1)} == {5}
    assert (made.state["bonus"].sum(axis=1) == 5).all() and not made.state["discard"].any()


@pytest.mark.rule("BL-LORE-10")
@pytest.mark.parametrize(("card", "speed"), [("warrior_5", [1, 0]), ("wizard_9", [1, 1])])
def test_units_that_have_not_moved_may_be_hastened(card: str, speed: list[int]) -> None:
    made = staged(card, a={"B5": FOOT, "B6": FOOT}, n=3)
    hasten(made.turn, np.arange(3))
    assert all(sorted(row, reverse=True) == speed for row in made.state["speed"].tolist())
    made.owner(0).wishes = {"move": ["E5", "E6"]}
    move_units(made.turn, np.arange(3))
    assert (made.where(0, 0) | made.where(0, 1)) & {"E5", "E6"}, "three hexes instead of two"


# -- in combat ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-LORE-11")
@pytest.mark.parametrize(("card", "melee", "ranged"), [("warrior_1", 3, 3), ("warrior_10", 4, 2), ("warrior_3", 2, 5)])
def test_cards_of_a_combat_give_dice_by_its_form(card: str, melee: int, ranged: int) -> None:
    near = staged(card, a={"D5": ARCHERS}).fight()
    far = staged(card, a={"C5": ARCHERS}, b={"E5": FOOT}).fight()
    assert (dice_thrown(near), dice_thrown(far)) == ({melee}, {ranged})


@pytest.mark.rule("BL-LORE-11")
def test_a_card_of_a_combat_covers_the_bonus_attack_too() -> None:
    made = staged("warrior_1", a={"D5": RIDERS}, b={"E6": FOOT, "E7": FOOT})
    owner = made.owner(0)
    owner.wishes = {"lore": ["warrior_1"], "gain": [1], "pursuit": ["E6"], "bonus": [1]}
    made.fight()
    assert made.times("battle", kind="bonus") and dice_thrown(made) == {4}


@pytest.mark.rule("BL-LORE-17")
def test_a_war_cry_makes_lore_faces_hit_and_consumes_them() -> None:
    made = staged("warrior_9").fight()
    shown, held_on = made.first_throw(), made.trials(F=0)
    wounds = np.minimum(shown[:, 1] + shown[:, 3] + shown[:, 5], 4)
    assert (made.state["figures"][held_on, 1, 0] == 4 - wounds[held_on]).all()
    assert (made.state["tokens"][:, 0] == 30 - 7).all()


def test_berserk_throws_a_die_more_for_each_bonus_strike() -> None:
    made = staged("warrior_7", councils=(Council(warrior=2), ALL)).fight()
    assert dice_thrown(made) == {5}
    more = made.throws("berserk")
    for trial, shown in enumerate(made.first_throw()):
        assert more.get(trial, np.zeros(6)).sum() == shown[3]
    held_on = [trial for trial in made.trials(F=0) if more.get(trial, np.zeros(6))[4] == 0]
    for trial in held_on:
        faces = made.first_throw()[trial] + more.get(trial, np.zeros(6, np.int64))
        assert made.state["figures"][trial, 1, 0] == max(4 - faces[1] - faces[3], 0)


@pytest.mark.rule("BL-LORE-12", "BL-LORE-14")
def test_agility_turns_a_helmet_of_this_roll() -> None:
    made = staged("wizard_12", side=1).fight()
    shown, held_on = made.first_throw(), made.trials(F=0)
    wounds = np.minimum(np.maximum(shown[:, 1] - 2, 0) + shown[:, 3], 4)
    assert (made.state["figures"][held_on, 1, 0] == 4 - wounds[held_on]).all()


@pytest.mark.rule("BL-LORE-12", "BL-MOR-06")
def test_the_fearless_ignore_every_flag() -> None:
    made = staged("warrior_4", side=1)
    owner = made.owner(1)
    owner.wishes = {"lore": ["warrior_4"], "ignore": [9 - k for k in range(10)], "back": [1]}
    made.fight()
    assert made.where(1, 0) <= {"E6", ""} and made.times("battle", kind="back")


@pytest.mark.rule("BL-LORE-12")
def test_a_parry_leaves_two_dice() -> None:
    made = staged("warrior_6", side=1, a={"D5": "red_foot"})
    made.state["bonus"][:] = 3
    assert dice_thrown(made.fight()) == {2}


@pytest.mark.rule("BL-LORE-12")
def test_a_shield_turns_helmets_and_flags_after_the_roll() -> None:
    made = staged("cleric_2", side=1).fight()
    assert made.where(1, 0) <= {"E6", ""}
    assert (made.state["figures"][:, 1, 0] == 4 - np.minimum(made.first_throw()[:, 3], 4)).all()


@pytest.mark.rule("BL-LORE-12")
@pytest.mark.parametrize("attacker", [FOOT, SPIDER])
def test_a_backstab_turns_bonus_strikes_on_the_attacker(attacker: str) -> None:
    made = staged("rogue_5", side=1, a={"D5": attacker})
    owner = made.owner(0)
    owner.wishes = {"power": [0]}
    made.fight().check()
    shown, held_on = made.first_throw(), made.trials(F=0)
    assert (made.state["figures"][held_on, 1, 0] == 4 - np.minimum(shown[held_on][:, 1], 4)).all()
    if attacker == FOOT:
        assert (made.state["figures"][:, 0, 0] == 4 - shown[:, 3]).all()
    else:
        dies = [trial for trial in range(N) if made.at(0, 0)[trial] == ""]
        critical = made.throws("critical")
        assert dies and all(critical[trial][0] for trial in dies)
