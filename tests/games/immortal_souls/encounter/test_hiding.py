"""Hidden heroes, step by step through the encounter that is played."""

from __future__ import annotations

import pytest

from tests.games.immortal_souls.encounter.steps import Table, alike

PARTY = "shae+veil_of_shadows,ecarus"
GREMLIN = {"encounter.enemies": "green_gremlin@gorge_10", "encounter.enemies_many": "", "encounter.goal": "kill_all"}
STILL = {"heroes.movement": "0", "heroes.combat_activities": "0"}


@pytest.mark.rule("IS-AI.18")
def test_a_hidden_hero_is_no_target() -> None:
    """The gremlin strikes at nobody in its area, and goes for the hero who is not hidden."""
    table = Table(PARTY, "gorge_troll", GREMLIN)
    alone = {"h_area": "gorge_10", "h_ghost_1": True, "h_health_1": 0}
    struck = table.enemy_turn(0, table.start(**alone), "Skirmish")
    assert alike(struck["enemy_attacks"]) == 1
    spared = table.enemy_turn(0, table.start(**alone, h_hidden_0=1), "Skirmish")
    assert alike(spared["enemy_attacks"]) == 0
    assert alike(spared["e_area"][:, 0]) == table.scene.area_names.index("gorge_10")
    other = table.enemy_turn(0, table.start(h_area_0="gorge_10", h_area_1="gorge_12", h_hidden_0=1), "Skirmish")
    assert alike(other["e_area"][:, 0]) == table.scene.area_names.index("gorge_12")
    assert alike(other["h_health"][:, 0]) == 7


@pytest.mark.rule("IS-AI.18", "IS-SUP.5")
@pytest.mark.parametrize(("columns", "attacks"), [({"h_hidden_0": 1}, 0), ({"h_ghost_0": True}, 1)])
def test_a_hidden_hero_counts_for_control(columns: dict[str, int], attacks: int) -> None:
    """Two heroes dominate the area of a gremlin, so that one leaves it unhurt; with a ghost there he does not."""
    weak = {"encounter.enemies": "green_gremlin@gorge_10;blue_gremlin@gorge_11", "heroes.combat_activities": "0"}
    table = Table(PARTY, "gorge_troll", GREMLIN | weak)
    after = table.hero_turn(1, table.start(h_area="gorge_10", e_health_1=1, **columns))
    assert alike(after["enemy_attacks"]) == attacks
    assert (after["h_area"][:, 1] == table.scene.area_names.index("gorge_11")).any()


@pytest.mark.rule("IS-AI.18")
@pytest.mark.parametrize(("start", "hidden"), [("gorge_9", 1), ("gorge_10", 0)])
def test_evading_ends_hiding_and_a_move_does_not(start: str, hidden: int) -> None:
    """Shae goes for a weak gremlin two areas away, out of the area of another one, or not."""
    weak = {"encounter.enemies": "red_gremlin@gorge_10;blue_gremlin@gorge_12", "heroes.combat_activities": "0"}
    table = Table(PARTY, "gorge_troll", GREMLIN | weak | {"heroes.actions": "0"})
    before = table.start(h_area=start, e_area_0=start, e_health_1=1, h_hidden_0=1)
    if hidden:
        before["e_area"][:, 0] = table.scene.area_names.index("gorge_1")
    after = table.hero_turn(0, before)
    assert (after["h_area"][:, 0] != before["h_area"][:, 0]).all()
    assert alike(after["h_hidden"][:, 0]) == hidden


@pytest.mark.rule("IS-AI.18")
def test_an_attack_ends_hiding() -> None:
    table = Table(PARTY, "gorge_troll", GREMLIN)
    after = table.hero_turn(0, table.start(h_area="gorge_10", h_hidden_0=1))
    assert (after["hero_attacks"] >= 1).all()
    assert alike(after["h_hidden"][:, 0]) == 0


@pytest.mark.rule("IS-AI.18", "IS-MAST.10")
def test_the_threat_passes_from_a_hidden_hero() -> None:
    """To another hero at level I; where all are hidden it stays."""
    table = Table(PARTY, "gorge_troll", {})
    for columns, token in (({"h_hidden_0": 1}, (1, 1)), ({"h_hidden": 1}, (0, 2))):
        after = table.enemy_turn(0, table.start(h_area="gorge_1", holder=0, level=2, **columns), "Master Assault")
        assert (alike(after["holder"]), alike(after["level"])) == token


@pytest.mark.rule("IS-AI.18")
@pytest.mark.parametrize(
    ("sets", "hidden"),
    [({"heroes.actions": "1"}, 1), ({"heroes.actions": "0"}, 0)],
)
def test_a_hero_hides_with_an_action_that_is_left(sets: dict[str, str], hidden: int) -> None:
    table = Table(PARTY, "gorge_troll", GREMLIN | STILL | sets)
    after = table.hero_turn(0, table.start())
    assert after["h_hidden"].tolist() == [[hidden, 0]] * table.n
    assert table.hero_turn(1, table.start())["h_hidden"].sum() == 0, "Ecarus has no veil"
