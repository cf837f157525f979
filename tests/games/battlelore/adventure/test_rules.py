"""What the rulebook says of the board, of orders and moves, in positions staged for one rule each."""

from __future__ import annotations

import pytest

from tests.games.battlelore.adventure.staging import CENTRE, Stage, any_battle, cell, play, to

ALL_SECTIONS = {"E2": "blue_foot", "D4": "blue_foot", "E7": "blue_foot", "D9": "blue_foot", "E12": "blue_foot"}
"""Units on the right, on a line, in the centre, on the other line, and on the left."""


# orders


@pytest.mark.rule("BL-CMD-02", "BL-CMD-08", "BL-CMD-10")
@pytest.mark.parametrize(
    ("card", "ordered"),
    [
        ("attack_right", {"E2", "D4"}),
        ("attack_centre", {"D4", "E7", "D9"}),
        ("attack_left", {"D9", "E12"}),
        ("forward_all", set(ALL_SECTIONS)),
        ("surround", {"E2", "D4", "D9", "E12"}),
    ],
)
def test_a_section_card_orders_units_of_its_sections_and_surplus_orders_are_lost(card: str, ordered: set[str]) -> None:
    assert play(Stage(a=ALL_SECTIONS, card=card)).orders() == ordered


@pytest.mark.rule("BL-CMD-02", "BL-CMD-08")
def test_a_unit_on_a_line_uses_the_order_that_nobody_else_can() -> None:
    stage = Stage(a={"E1": "blue_foot", "E2": "blue_foot", "D4": "blue_foot"}, card="on_the_march")
    played = play(stage, order=to("D4"))
    assert len(played.orders()) == 2 and "D4" in played.orders()
    played = play(stage, order=to("E1"))
    assert played.orders() == {"E1", "D4"}
    assert played.script.offered("order", "unit") == [{"E1", "E2", "D4"}]


@pytest.mark.rule("BL-CMD-04")
@pytest.mark.parametrize("hand", [1, 3, 5])
def test_equal_to_command_counts_the_card_being_played(hand: int) -> None:
    assert len(play(Stage(a=CENTRE, card="advance_centre", hand=hand)).orders()) == hand
    assert len(play(Stage(a=CENTRE, card="blue_banners", hand=hand)).orders()) == hand


@pytest.mark.rule("BL-CMD-01", "BL-CMD-05", "BL-CMD-12", "BL-CMD-13")
def test_without_a_unit_to_order_a_card_is_discarded_and_another_drawn() -> None:
    played = play(Stage(a={"E7": "blue_foot"}, card="attack_left", hand=4))
    assert not played.orders() and not played.script.offers
    assert played.state["hand"].sum(axis=2).tolist() == [[4, 4]]
    assert played.state["discard"].sum() == 1 and played.state["deck"].sum() == 40 - 9
    assert [what for what, _ in played.reports] == ["begin", "card", "order", "discard", "draw", "turn"]


@pytest.mark.rule("BL-CMD-12")
def test_an_empty_deck_is_made_of_the_discards() -> None:
    played = play(Stage(a={"E7": "blue_foot"}, card="attack_left", hand=2, copies=5), turns=4)
    assert played.state["hand"].sum(axis=2).tolist() == [[2, 2]]
    assert (played.state["deck"].sum(), played.state["discard"].sum()) in ((0, 1), (1, 0))
    played = play(Stage(a={"E7": "blue_foot"}, card="attack_left", hand=2, copies=4), turns=3)
    assert played.state["hand"].sum(axis=2).tolist() == [[2, 2]]
    assert played.state["deck"].sum() == played.state["discard"].sum() == 0


@pytest.mark.rule("BL-CMD-03", "BL-CMD-14", "BL-TRP-05")
@pytest.mark.parametrize(
    ("card", "ordered"),
    [
        ("mounted_charge", {"E6"}),
        ("foot_onslaught", {"A5", "A6"}),
        ("green_banners", {"A5", "E8"}),
        ("blue_banners", {"A6", "E6"}),
        ("red_banners", {"I1"}),
        ("darken_the_sky", {"A5"}),
    ],
)
def test_tactic_cards_order_what_they_name_anywhere_and_creatures_only_by_colour(card: str, ordered: set[str]) -> None:
    army = {"A5": "human_archers", "A6": "blue_foot", "I1": "red_foot", "E6": "human_cavalry", "E8": "giant_spider"}
    played = play(Stage(a=army, b={"I13": "red_foot"}, card=card, hand=5), order=lambda option: option["unit"] != "I1")
    assert played.orders() == ordered


@pytest.mark.rule("BL-CMD-03")
def test_darken_the_sky_is_for_shooters_out_of_contact_who_shoot_twice_where_they_stand() -> None:
    army = {"E4": "human_archers", "E6": "human_archers", "E9": "human_archers"}
    stage = Stage(a=army, b={"E3": "red_foot", "G6": "red_foot", "F9": "red_foot"}, card="darken_the_sky")
    played = play(stage, battle=any_battle)
    assert played.orders() == {"E6"} and len(played.thrown()) == 2
    moving = play(stage, move=to("E7"), battle=any_battle)
    assert moving.orders() == {"E6"} and len(moving.thrown()) == 1


@pytest.mark.rule("BL-CMD-03", "BL-DICE-06", "BL-DICE-07")
@pytest.mark.parametrize(
    ("card", "unit", "terrain", "dice"),
    [
        ("mounted_charge", "blue_mounted", "countryside", 4),
        ("mounted_charge", "blue_mounted", "forest", 3),
        ("leadership", "blue_foot", "countryside", 4),
        ("attack_centre", "blue_mounted", "countryside", 3),
    ],
)
def test_dice_of_cards_come_after_caps(card: str, unit: str, terrain: str, dice: int) -> None:
    stage = Stage(a={"E6": unit}, b={"E7": "red_foot"}, terrain={"E7": (terrain,)}, card=card)
    assert play(stage, battle=any_battle).thrown()[0] == dice


@pytest.mark.rule("BL-CMD-03", "BL-CMD-06")
def test_foot_onslaught_orders_a_group_that_may_go_two_hexes_and_battle() -> None:
    army = {"E4": "red_foot", "E5": "blue_foot", "E6": "green_foot", "E9": "red_foot"}
    played = play(Stage(a=army, card="foot_onslaught", hand=4), order=to("E4"))
    assert played.orders() == {"E4", "E5", "E6"}
    assert played.goals("E4")["G4"] and play(Stage(a=army), order=to("E4")).goals("E4").get("G4") is None


@pytest.mark.rule("BL-CMD-03")
def test_counter_attack_is_the_enemys_last_card_with_left_and_right_swapped() -> None:
    stage = Stage(a=ALL_SECTIONS, b={"E2": "red_foot", "E12": "red_foot"}, card="counter_attack")
    assert len(play(stage).orders()) == 1
    battle = stage.battle()
    ids = [card.id for card in battle.deck.cards]
    for last, copy in (("attack_right", "attack_left"), ("scout_left", "scout_right"), ("surround", "surround")):
        assert ids[battle.deck.mirror[ids.index(last)]] == copy


@pytest.mark.rule("BL-CMD-03")
def test_a_scout_draws_two_cards_and_keeps_one() -> None:
    stage = Stage(a={"E7": "blue_foot"}, card="scout_centre", hand=2, copies=5, other_cards={"surround": 5}, n=20)
    played = play(stage, card=lambda option: option["card"] == "scout_centre")
    kept = played.script.offered("keep", "card")
    assert kept and all(cards == {"scout_centre", "surround"} for cards in kept)
    assert (played.state["hand"].sum(axis=2) == 2).all()
    assert set(played.state["discard"].sum(axis=1).tolist()) == {1, 2}


@pytest.mark.rule("BL-CMD-03")
def test_battlelore_orders_by_dice_and_shuffles_all_cards() -> None:
    army = {"E4": "green_foot", "E6": "blue_foot", "E8": "red_foot"}
    played = play(Stage(a=army, b={"E5": "red_foot"}, card="battlelore", hand=6, n=40), battle=any_battle)
    faces = next(said["faces"] for what, said in played.reports if what == "throw" and said["name"] == "battlelore")
    for dice, ordered in zip(faces.tolist(), played.state["ordered"].tolist(), strict=True):
        helmets, swords = dice[:3], dice[3]
        assert sum(ordered[:3]) == min(3, sum(min(1, n) for n in helmets) + swords)
    assert (played.state["discard"].sum(axis=1) == 0).all()
    assert (played.state["bonus"][played.state["ordered"]] == 1).all()


@pytest.mark.rule("BL-CMD-07", "BL-CMD-09", "BL-CMD-11", "BL-MOV-01")
def test_only_ordered_units_act_once_each_and_none_has_to() -> None:
    stage = Stage(a=CENTRE, b={"F5": "red_foot", "F8": "red_foot"}, card="patrol_centre")
    played = play(stage, order=lambda option: option["unit"] in ("E5", "E8"), battle=any_battle)
    assert played.orders() == {"E5", "E8"} and len(played.thrown()) >= 2
    assert [sorted(units) for units in played.script.offered("mover", "unit")] == [["E5", "E8"]]
    assert {unit for unit, _ in played.targets()} == {"E5", "E8"}
    idle = play(stage, order=lambda option: option["unit"] in ("E5", "E8"))
    assert idle.thrown() == [] and idle.state["cell"][0, 0].tolist() == [cell(name) for name in CENTRE]


# moves


@pytest.mark.rule("BL-MOV-02", "BL-MOV-03", "BL-MOV-08", "BL-CRE-02", "BL-MOV-05")
@pytest.mark.parametrize(
    ("unit", "with_battle", "without"),
    [
        ("green_foot", 18, 0),
        ("blue_foot", 6, 12),
        ("red_foot", 6, 0),
        ("green_mounted", 60, 0),
        ("blue_mounted", 36, 0),
        ("red_mounted", 18, 0),
        ("giant_spider", 60, 0),
        ("goblin_blue_foot", 6, 12),
    ],
)
def test_units_move_as_far_as_their_colour_and_kind_allow(unit: str, with_battle: int, without: int) -> None:
    goals = play(Stage(a={"E7": unit}, b={"A1": "red_foot"})).goals("E7")
    assert (sum(goals.values()) - 1, len(goals) - sum(goals.values())) == (with_battle, without)


@pytest.mark.rule("BL-MOV-04", "BL-TER-04", "BL-TRP-06")
def test_nobody_enters_or_crosses_a_unit_or_water() -> None:
    wall = {"A2": "red_foot", "B1": "red_foot"}
    assert play(Stage(a={"A1": "green_mounted"}, b=wall)).goals("A1") == {"A1": True}
    assert play(Stage(a={"A1": "green_mounted"} | wall), order=to("A1")).goals("A1") == {"A1": True}
    water = {"A2": ("watercourse",), "B1": ("watercourse",)}
    assert play(Stage(a={"A1": "green_mounted"}, b={"I1": "red_foot"}, terrain=water)).goals("A1") == {"A1": True}


@pytest.mark.rule("BL-MOV-05", "BL-MOV-06")
def test_units_cross_sections_and_stay_on_the_board() -> None:
    goals = play(Stage(a={"E9": "green_mounted"}, b={"A1": "red_foot"})).goals("E9")
    assert "E13" in goals and "E5" in goals
    for name in ("A1", "A13", "B12", "I13"):
        goals = play(Stage(a={name: "green_mounted"}, b={"E6": "red_foot"})).goals(name)
        assert all(int(goal[1:]) <= 13 - "ABCDEFGHI".index(goal[0]) % 2 for goal in goals)


@pytest.mark.rule("BL-MOV-07", "BL-TER-02", "BL-TER-04", "BL-TER-05", "BL-TER-06", "BL-LMK-01", "BL-LMK-13")
@pytest.mark.parametrize(
    ("terrain", "beyond", "battle"),
    [
        ("countryside", True, True),
        ("hill", True, True),
        ("forest", False, True),
        ("ford", False, True),
        ("bridge", True, True),
        ("landmark", False, False),
        ("rampart", False, False),
    ],
)
def test_terrain_stops_who_enters_and_may_forbid_battle(terrain: str, beyond: bool, battle: bool) -> None:
    """The hex is a gap in a wall of water."""
    wall = {f"E{place}": ("watercourse",) for place in range(1, 14)} | {"E7": (terrain,)}
    goals = play(Stage(a={"D7": "green_foot"}, b={"A1": "red_foot"}, terrain=wall)).goals("D7")
    assert goals["E7"] is battle
    assert ("F6" in goals) is ("F7" in goals) is beyond


@pytest.mark.rule("BL-LMK-13")
@pytest.mark.parametrize(("reading", "goes_on"), [("free", True), ("stop", False)])
def test_from_rampart_to_rampart_nothing_stops_and_battle_is_allowed(reading: str, goes_on: bool) -> None:
    water = dict.fromkeys(("D6", "D7", "F6", "F7", "D8", "F8", "D5", "F5", "D9", "F9"), ("watercourse",))
    ramparts = {"E6": ("rampart",), "E7": ("rampart",), "E8": ("rampart",)}
    stage = Stage(a={"E6": "green_mounted"}, terrain=water | ramparts, rules={"rampart_along": reading})
    goals = play(stage).goals("E6")
    assert goals["E7"] and goals.get("E8", False) is goes_on
    assert goals.get("E9") is (True if goes_on else None)


@pytest.mark.rule("BL-GOB-01", "BL-GOB-02")
@pytest.mark.parametrize("unit", ["goblin_blue_foot", "goblin_red_foot"])
def test_goblin_foot_charge_two_hexes_next_to_an_enemy_and_must_battle_it(unit: str) -> None:
    stage = Stage(a={"E5": unit}, b={"E8": "red_foot"})
    goals = play(stage).goals("E5")
    assert goals["E7"] and not goals.get("F6", False)
    played = play(stage, move=to("E7"), battle=any_battle)
    assert played.script.offered("battle", "target") == [] and len(played.thrown()) >= 1
    human = play(Stage(a={"E5": unit.removeprefix("goblin_")}, b={"E8": "red_foot"})).goals("E5")
    assert not human.get("E7", False)


@pytest.mark.rule("BL-GOB-01")
def test_who_has_charged_battles_before_anybody_may_end() -> None:
    stage = Stage(
        a={"E5": "goblin_blue_foot", "G9": "blue_foot"}, b={"E8": "red_foot", "F7": "red_foot", "H9": "red_foot"}
    )
    played = play(stage, move=lambda option: option["cell"] in ("E7", "G9"), order=lambda option: True)
    assert played.script.offered("battle", "target")[0] == {"E8", "F7"}
