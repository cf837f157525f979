"""What the rulebook says of range, sight, turns and banners, in positions staged for one rule each."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.battlelore.adventure.map.adventure import Blazon
from tests.games.battlelore.adventure.staging import CENTRE, Stage, any_battle, cell, hex_name, play, to, yes

# range and line of sight


def seen(target: str, *, shooter: str = "human_archers", at: str = "E3", **changes: Any) -> bool:
    stage = Stage(**{"a": {at: shooter}, "b": {target: "red_foot"}, "card": "green_banners", **changes})
    return (at, target) in play(stage).targets() or bool(play(stage, battle=any_battle).thrown())


@pytest.mark.rule("BL-RNG-01", "BL-RNG-04", "BL-RNG-05", "BL-RNG-10")
@pytest.mark.parametrize(("weapon", "reach"), [("common_bow", 4), ("crossbow", 3), ("long_sword", 1)])
def test_range_counts_the_target_and_not_the_shooter(weapon: str, reach: int) -> None:
    for distance in (1, 2, 3, 4, 5):
        assert seen(f"E{3 + distance}", shooter=f"green_foot+{weapon}") is (distance <= reach)


@pytest.mark.rule("BL-RNG-03", "BL-RNG-02")
def test_a_shooter_next_to_an_enemy_battles_an_adjacent_one_or_nobody() -> None:
    played = play(Stage(a={"E5": "human_archers"}, b={"E6": "red_foot", "F5": "red_foot", "E8": "red_foot"}))
    assert played.targets() == {("E5", "E6"), ("E5", "F5")}


@pytest.mark.rule("BL-RNG-06", "BL-RNG-07", "BL-RNG-08", "BL-CRE-01")
def test_units_and_woods_between_hide_a_target_and_its_own_hex_does_not() -> None:
    assert seen("E6")
    assert not seen("E6", terrain={"E4": ("forest",)}) and not seen("E6", terrain={"E5": ("rampart",)})
    assert seen("E6", terrain={"E4": ("watercourse",), "E5": ("bridge",)})
    assert seen("E6", terrain={"E6": ("forest",)}) and seen("E6", terrain={"E3": ("forest",)})
    for unit in ("blue_foot", "giant_spider"):
        assert not seen("E7", a={"E3": "human_archers", "E5": unit}, card="forward_all")


@pytest.mark.rule("BL-RNG-07", "BL-TER-03")
@pytest.mark.parametrize(("reading", "over"), [("over_adjacent", True), ("target_only", False)])
def test_who_stands_on_a_hill_looks_over_the_hill_beside(reading: str, over: bool) -> None:
    rules = {"hill_sight": reading}
    assert seen("E5", terrain={"E3": ("hill",), "E4": ("hill",)}, rules=rules) is over
    assert not seen("E5", terrain={"E4": ("hill",)}, rules=rules)
    assert not seen("E6", terrain={"E3": ("hill",), "E5": ("hill",)}, rules=rules)
    assert seen("E5", terrain={"E3": ("hill",), "E5": ("hill",)}, rules=rules)


@pytest.mark.rule("BL-RNG-09")
def test_a_line_along_edges_is_free_unless_both_sides_of_it_are_obstacles() -> None:
    """From D5 straight down: between E5 and E6, through F5, between G5 and G6."""
    left, right = {"E5": ("forest",)}, {"E6": ("forest",)}
    assert seen("F5", at="D5", terrain=left) and seen("F5", at="D5", terrain=right)
    assert not seen("F5", at="D5", terrain=left | right)
    crossed = left | {"G6": ("forest",)}
    assert not seen("H5", at="D5", terrain=crossed)
    assert seen("H5", at="D5", terrain=crossed, rules={"edge_sight": "same_edge"})
    assert not seen("C1", at="A1", terrain={"B1": ("forest",)})  # the half hex at the rim is the other


# the turn, and what wins


@pytest.mark.rule("BL-TURN-01", "BL-TURN-02")
def test_all_moves_come_before_the_first_combat_and_the_draw_comes_last() -> None:
    stage = Stage(a=CENTRE, b={"G5": "red_foot", "G9": "red_foot"}, n=5)
    played = play(stage, move=lambda option: option["cell"][0] == "F", battle=any_battle)
    order = ["card", "order", "move", "battle", "draw", "turn"]
    told = [order.index(what) for what, said in played.reports if what in order]
    assert told == sorted(told) and set(told) == set(range(6))


@pytest.mark.rule("BL-TURN-03", "BL-SETUP-03", "BL-CMD-13")
def test_players_alternate_with_hands_as_the_adventure_says() -> None:
    stage = Stage(a=CENTRE, b={"G5": "red_foot"}, hand=3)
    assert stage.begin()["hand"].sum(axis=2).tolist() == [[3, 3]]
    played = play(stage, turns=4)
    assert [said["side"] for what, said in played.reports if what == "turn"] == [0, 1, 0, 1]
    assert played.state["turn"].tolist() == [4]


@pytest.mark.rule("BL-SETUP-02", "BL-DIE-02")
def test_lore_faces_are_misses_in_a_medieval_adventure() -> None:
    stage = Stage(a={"E5": "giant_spider"}, b={"E6": "red_foot"}, card="green_banners", n=50)
    played = play(stage, battle=any_battle)
    assert any(said["faces"][:, 5].any() for what, said in played.reports if what == "throw")
    assert not played.state["tokens"].any() and not played.state["stored"].any()
    assert not [name for name, _ in played.script.offers if name == "power"]


@pytest.mark.rule("BL-WIN-01", "BL-WIN-02", "BL-WIN-04", "BL-TRP-04")
def test_an_adventure_ends_with_the_last_banner_at_once() -> None:
    army = {"E5": "red_foot", "E8": "red_foot"}
    enemy = {"E6": "green_foot", "E9": "green_foot", "I1": "green_foot"}
    stage = Stage(a=army, b=enemy, banners=(1, 9), figures={"E6": 1, "E9": 1}, n=60)
    played = play(stage, battle=any_battle)
    won = played.state["winner"] == 1
    assert 20 < won.sum() < 60
    assert (played.state["banners"][:, 0] == won).all()
    assert (played.state["hand"][:, 0].sum(axis=1) == ~won).all()  # nothing is drawn any more


@pytest.mark.rule("BL-WIN-04", "BL-POST-10")
def test_the_other_side_may_win_by_battling_back() -> None:
    stage = Stage(
        a={"E5": "blue_foot"}, b={"E6": "dwarf_red_foot", "I1": "red_foot"}, banners=(9, 1), figures={"E5": 1}, n=60
    )
    played = play(stage, enemy={"back": yes}, battle=any_battle)
    assert (played.state["winner"] == 2).sum() > 15
    assert (played.state["hand"][played.state["winner"] == 2, 0].sum() == 0).all()


@pytest.mark.rule("BL-WIN-03")
def test_a_banner_hex_is_earned_for_good_or_counts_while_it_is_held() -> None:
    for held in (False, True):
        blazons = (Blazon(0, cell("F6"), 2, held),)
        stage = Stage(a={"E6": "blue_foot"}, b={"A1": "red_foot"}, blazons=blazons)
        there = play(stage, move=to("F6"))
        assert there.state["banners"].tolist() == [[2, 0]]
        gone = play(
            stage, turns=3, move=lambda option: option["cell"] in ("F6", "G6") and option["unit"] != option["cell"]
        )
        assert hex_name(gone.state["cell"][0, 0, 0]) != "F6"
        assert gone.state["banners"].tolist() == [[0 if held else 2, 0]]


@pytest.mark.rule("BL-WIN-03", "BL-WIN-04")
def test_a_banner_hex_may_end_an_adventure_in_the_middle_of_the_moves() -> None:
    stage = Stage(a={"E6": "blue_foot", "E9": "blue_foot"}, blazons=(Blazon(0, cell("F6")),), banners=(1, 9))
    played = play(stage, mover=to("E6"), move=to("F6"))
    assert played.state["winner"].tolist() == [1]
    assert [said["rows"].size for what, said in played.reports if what == "move"] == [1]
