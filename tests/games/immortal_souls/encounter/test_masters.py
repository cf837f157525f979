"""Masters, step by step through the encounter that is played: their two sides, their style, and who provokes them."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.immortal_souls.encounter.board.decks import OUT
from tests.games.immortal_souls.encounter.steps import Table, alike

STILL = {"heroes.movement": "0", "heroes.combat_activities": "0", "heroes.actions": "1"}
QUEEN = {"encounter.enemies": "witch_queen@gorge_10;green_gremlin@gorge_4", "encounter.enemies_many": ""}
TROLL = {"encounter.enemies": "troll@gorge_10;green_gremlin@gorge_3", "encounter.enemies_many": ""}


@pytest.mark.rule("IS-MAST.1")
def test_a_masters_card_is_turned_over_with_little_health_left() -> None:
    """At 14 of 24 health or less it is the other side: wounds stay, scroll, weapon and powers are the other's."""
    table = Table("ecarus,thorgar", "gorge_troll", QUEEN | {"heroes.movement": "0"}, n=256)
    scene = table.scene
    before = table.start(h_area="gorge_10", e_health_0=15, e_shields=0, e_charges=0)
    after = table.hero_turn(0, before)
    turned = scene.kind_of[after["e_card"][:, 0]] == scene.bestiary.names.index("Witch Queen in Wrath")
    assert 0 < turned.sum() < len(turned)
    assert (turned == (after["e_health"][:, 0] < 15)).all(), "whoever wounds it turns it over"
    own, held = after["e_powers"][turned, 0], before["e_powers"][turned, 0]
    cards = held & ~scene.bestiary.powers[0]
    bits = {name: 1 << number for number, name in enumerate(scene.powers.ids)}
    assert (own == (cards | bits["dark_blood"] | bits["berserker_1"])).all(), "its Enemy Power card stays"
    assert (cards > 0).all()
    assert (own & bits["curse_1"] == 0).all()
    assert alike(after["e_charges"][turned, 0]) == 1
    assert (after["power_owner"][turned] == after["e_card"][turned, :1]).sum(axis=1).tolist() == [1] * turned.sum()
    assert (after["kills"] == 0).all()
    assert (after["enemy_deck"][np.arange(len(turned)), after["e_card"][:, 0]] == OUT).all()


@pytest.mark.rule("IS-MAST.1")
def test_its_other_side_has_an_ai_of_its_own() -> None:
    """Two areas away the queen stays and shoots; in wrath it comes, and at the threatening hero (IS-MAST.11)."""
    table = Table("ecarus,thorgar", "gorge_troll", QUEEN)
    heroes = {"h_area_0": "gorge_12", "h_area_1": "gorge_11", "h_health_1": 3, "e_area_1": "gorge_4"}
    calm = table.enemy_turn(0, table.start(**heroes), "Master Assault")
    wrath = table.start(**heroes)
    wrath["e_card"][:, 0] = table.scene.other_side[wrath["e_card"][:, 0]]
    wrath = table.enemy_turn(0, wrath, "Master Assault")
    areas = table.scene.area_names
    assert alike(calm["e_area"][:, 0]) == areas.index("gorge_10")
    assert alike(wrath["e_area"][:, 0]) == areas.index("gorge_12")
    assert (calm["h_health"][:, 0] == 8).all()
    assert (wrath["h_health"][:, 1] == 3).all()
    assert (wrath["h_health"][:, 0] < 8).any()


def test_a_master_that_is_killed_at_once_is_not_turned_over() -> None:
    table = Table("ecarus,thorgar", "gorge_troll", QUEEN | {"heroes.sure": "20", "heroes.movement": "0"})
    after = table.hero_turn(0, table.start(h_area="gorge_10", e_health_0=15))
    assert alike(after["kills"]) == 1
    assert alike(after["gained"]) == 11
    assert alike(after["e_card"][:, 0]) == -1
    assert alike(after["winner"]) == 1


@pytest.mark.rule("IS-MAST.3")
@pytest.mark.parametrize(
    ("card", "acts"), [("Cunning", [True, True]), ("Brawn", [True, False]), ("Sorcery", [True, False]),
                       ("Zeal", [True, False])],
)  # fmt: skip
def test_a_jolly_master_acts_with_every_style(card: str, acts: list[bool]) -> None:
    table = Table("ecarus,thorgar", "gorge_troll", TROLL)
    before = table.start(h_area="gorge_12")
    after = table.enemy_turn(0, before, card)
    assert alike(after["e_area"][:, :2] != before["e_area"][:, :2]) == acts


@pytest.mark.rule("IS-MAST.3", "IS-COND.14")
@pytest.mark.parametrize(("place", "stunned"), [(0, 0), (1, 1)])
def test_a_master_with_the_icon_is_never_stunned(place: int, stunned: int) -> None:
    """Of a hero who stuns with every attack the gremlin is stunned, the troll is not."""
    table = Table("ecarus,thorgar", "gorge_troll", TROLL | {"heroes.effects": "stun@", "heroes.movement": "0"})
    before = table.start(h_area="gorge_9", e_area="gorge_1", e_health=40)
    before["h_area"][:, 0] = before["e_area"][:, place] = table.scene.area_names.index("gorge_5")
    after = table.hero_turn(0, before)
    assert (after["hero_attacks"] >= 1).all()
    assert alike(after["e_stun"][:, place]) == stunned


@pytest.mark.rule("IS-ACT.18", "IS-MAST.8")
@pytest.mark.parametrize(
    ("columns", "sets", "token"),
    [
        ({"level": 2}, {}, (0, 1)),
        ({"level": 1}, {}, (1, 1)),
        ({"level": 2}, {"heroes.actions": "3"}, (0, 1)),
        ({"level": 1}, {"heroes.actions": "0"}, (0, 1)),
        ({"level": 2}, {"heroes.actions": "0"}, (0, 2)),
        ({"level": 1, "h_area_1": "gorge_4"}, {}, (0, 1)),
        ({"level": 1, "h_health_0": 9}, {}, (0, 1)),
        ({"level": 2, "h_stun_1": 1}, {}, (0, 2)),
    ],
    ids=["lowers", "takes", "once_a_turn", "is_an_action", "as_to_lower", "in_sight", "healthier", "unless_stunned"],
)
def test_a_hero_provokes_a_master(columns: dict[str, int], sets: dict[str, str], token: tuple[int, int]) -> None:
    """Thorgar, who has no Taunt, draws the troll off a hero who has less health left than he has."""
    table = Table("shae,thorgar", "gorge_troll", TROLL | STILL | sets)
    after = table.hero_turn(1, table.start(**{"h_area": "gorge_11", "h_health_1": 8, "holder": 0, **columns}))
    assert (alike(after["holder"]), alike(after["level"])) == token


@pytest.mark.rule("IS-ACT.18")
def test_who_provokes_has_no_action_left_to_hide_with() -> None:
    table = Table("ecarus,shae+veil_of_shadows", "gorge_troll", TROLL | STILL)
    for health, hidden in ((8, 1), (2, 0)):
        after = table.hero_turn(1, table.start(h_area="gorge_11", h_health_0=health, holder=0, level=1))
        assert alike(after["h_hidden"][:, 1]) == hidden


@pytest.mark.rule("IS-ENE.10")
@pytest.mark.parametrize(("lost", "left", "charges"), [(1, 0, 1), (2, 0, 0), (3, 0, 0), (5, 2, 0)])
def test_the_scrolls_power_is_used_before_a_card_that_is_similar(lost: int, left: int, charges: int) -> None:
    """Dark Blood of the queen's scroll heals 1, her card Second Wind 2 for a charge that it need not spend for 1."""
    table = Table("ecarus,thorgar", "gorge_troll", QUEEN)
    ids, full = table.scene.powers.ids, int(table.scene.bestiary.health[0])
    bits = sum(1 << ids.index(name) for name in ("dark_blood", "second_wind"))
    before = table.start(h_area="gorge_1", e_powers_0=bits, e_charges_0=1, e_health_0=full - lost)
    after = table.enemy_turn(0, before, "Master Assault")
    assert alike(after["e_health"][:, 0]) == full - left
    assert alike(after["e_charges"][:, 0]) == charges
