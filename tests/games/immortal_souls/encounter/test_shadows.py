"""Shadows, step by step through the encounter that is played: where they lie, when they are seen, what they are."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, IN_DECK, NO_CARD, OUT
from balance.games.immortal_souls.encounter.board.shadow_pool import ShadowPool
from tests.games.immortal_souls.encounter.steps import Table, alike

PARTY = "ecarus,thorgar"
FAR = {"encounter.enemies": "green_gremlin@village_1", "encounter.enemies_many": "", "encounter.start": "village_12"}
ONE = FAR | {"encounter.shadows": "village_3", "heroes.combat_activities": "0"}
"""One Shadow, which heroes see from village_8 and not from village_12, where they start."""


def pool(table: Table) -> ShadowPool:
    assert table.scene.shadows is not None
    return table.scene.shadows


def laid(table: Table, name: str, **columns: object) -> State:
    """Return the start with all Shadows of this name, so that the pool lacks one."""
    state = table.start(**columns)
    token = pool(table).names.index(name)
    state["shadow"][...] = token
    state["shadow_pool"][...] = IN_DECK
    state["shadow_pool"][:, token] = OUT
    return state


def kinds(table: Table, state: State, row: int) -> list[str]:
    """Return the enemies in play in one trial, with their areas."""
    scene = table.scene
    return [f"{scene.bestiary.names[scene.kind_of[card]]} {scene.area_names[area]}"
            for card, area in zip(state["e_card"][row], state["e_area"][row], strict=True) if card >= 0]  # fmt: skip


def passing(table: Table, name: str, **columns: object) -> State:
    """Return the state after Ecarus has gone from village_12 past village_8, from where the Shadow is seen."""
    before = laid(table, name, h_area="village_12", e_area_0="village_7", e_stun_0=1, **columns)
    after = table.hero_turn(0, before)
    assert alike(after["h_area"][:, 0]) == table.scene.area_names.index("village_7")
    assert alike(after["h_from"][:, 0]) == table.scene.area_names.index("village_8")
    return after


@pytest.mark.rule("IS-ENE.14")
@pytest.mark.parametrize(
    ("party", "spots"), [(PARTY, 2), ("ecarus,thorgar,shae", 3), ("ecarus,thorgar,shae,laegon", 4)]
)
def test_the_printed_number_is_the_least_heroes_for_a_shadow(party: str, spots: int) -> None:
    """Tokens are drawn from the pool without replacement; those that are seen at once are discarded."""
    table = Table(party, "haunted_lane", {}, n=128)
    state = table.start()
    areas = [table.scene.area_names[area] for area in pool(table).areas]
    assert areas == ["village_3", "village_9", "village_11", "village_12"][:spots]
    gone = (state["shadow_pool"] != IN_DECK).sum(axis=1)
    assert alike(gone) == spots
    for row in range(table.n):
        lying = [token for token in state["shadow"][row] if token != NO_CARD]
        assert len(set(lying)) == len(lying)
        assert (state["shadow_pool"][row, lying] == OUT).all()
    assert alike(state["shadow"][:, 1]) == NO_CARD, "village_9 is seen from village_6, where they start"
    assert (state["shadow"][:, 0] != NO_CARD).all(), "village_3 is not"


@pytest.mark.rule("IS-ENE.13", "IS-ENE.14")
def test_quest_tokens_are_in_the_pool_only_where_the_quest_says_so() -> None:
    plain = {"encounter.quest_enemy": "", "encounter.quest_moment": ""}
    usual = (
        ("Citizen (man)",) * 3 + ("Citizen (woman)",) * 2 + ("Enemy",) * 5 + ("Champion",) * 2 + ("Two Enemies",) * 2
    )
    assert pool(Table(PARTY, "haunted_lane", plain)).names == usual
    assert pool(Table(PARTY, "haunted_lane", {})).names == (*usual, "Quest Enemy", "Quest")


@pytest.mark.rule("IS-ENE.14")
def test_an_empty_pool_is_filled_from_the_discards() -> None:
    """Nightfall lays a Shadow where none lies; all other tokens are in the pool again."""
    table = Table(PARTY, "haunted_lane", FAR | {"encounter.events": "nightfall;nightfall;nightfall"})
    state = table.start(e_area_0="village_1", shadow=NO_CARD, shadow_pool=DISCARD_PILE, stories=0)
    after = table.event_phase(state)
    assert alike((after["shadow"] != NO_CARD).sum(axis=1)) == 1
    assert alike(after["shadow"][:, 0] != NO_CARD), "the first area without one"
    assert alike((after["shadow_pool"] == IN_DECK).sum(axis=1)) == 15
    assert len(np.unique(after["shadow"][:, 0])) > 5
    full = table.event_phase(table.start(shadow=2, stories=0))
    assert alike(full["shadow"]) == [2, NO_CARD], "where one lies none is laid, and village_9 is seen"


@pytest.mark.rule("IS-ENE.12", "IS-ENE.13")
def test_a_citizen_is_only_discarded_and_the_hero_goes_on() -> None:
    table = Table(PARTY, "haunted_lane", ONE | {"heroes.actions": "0"})
    before = passing(table, "Citizen (man)")
    assert before["shadow"].tolist() == [[NO_CARD]] * table.n
    assert alike(before["shadow_pool"][:, 0]) == DISCARD_PILE
    assert alike((before["shadow_pool"] == IN_DECK).sum(axis=1)) == pool(table).n_tokens - 1
    assert [kinds(table, before, row) for row in range(table.n)] == [["Green Gremlin village_7"]] * table.n


@pytest.mark.rule("IS-ENE.12")
def test_a_shadow_that_nobody_sees_stays() -> None:
    """From village_11 and 10, on the way the other way round, village_1 is not in sight."""
    table = Table(PARTY, "haunted_lane", ONE | {"heroes.actions": "0", "encounter.shadows": "village_1"})
    before = laid(table, "Enemy", h_area="village_12", e_area_0="village_10", e_stun_0=1)
    after = table.hero_turn(0, before)
    assert alike(after["h_area"][:, 0]) != table.scene.area_names.index("village_12")
    assert (after["shadow"] == before["shadow"]).all()


@pytest.mark.rule("IS-ENE.13")
@pytest.mark.parametrize(("name", "more", "cards"), [("Enemy", 1, 0), ("Champion", 1, 1), ("Two Enemies", 2, 0)])
def test_enemies_come_out_of_a_shadow(name: str, more: int, cards: int) -> None:
    """Where it lay, with the powers of their icons, and one more if it is a champion."""
    table = Table(
        PARTY, "haunted_lane", ONE | {"encounter.deck": "green_gremlin;green_bandit", "encounter.quest_enemy": ""}
    )
    after = passing(table, name)
    for row in range(table.n):
        found = kinds(table, after, row)
        assert len(found) == 1 + more
        assert {one.split()[-1] for one in found[1:]} == {"village_3"}
        assert (after["enemy_deck"][row, after["e_card"][row, : 1 + more]] == OUT).all()
        assert (after["power_owner"][row] == after["e_card"][row, 1]).sum() == cards
        assert (after["power_owner"][row] != NO_CARD).sum() == cards


@pytest.mark.rule("IS-ENE.13")
def test_a_champion_with_two_powers_gets_no_third() -> None:
    two = {"encounter.deck": "blue_gremlin", "encounter.quest_enemy": ""}
    table = Table(PARTY, "haunted_lane", ONE | two)
    for icons in (0, 1, 2):
        table.scene.bestiary.icons[1] = icons
        after = passing(table, "Champion")
        assert alike((after["power_owner"] != NO_CARD).sum(axis=1)) == min(icons + 1, 2)


@pytest.mark.rule("IS-ENE.13", "IS-ENE.17")
def test_the_quest_enemy_is_looked_for_in_the_deck() -> None:
    """What lies before it is discarded; if it is among the discards only, they are shuffled with the whole deck."""
    table = Table(PARTY, "haunted_lane", ONE, n=256)
    red = pool(table).quest_cards
    for where in (IN_DECK, DISCARD_PILE):
        after = passing(table, "Quest Enemy", enemy_deck=IN_DECK, **{f"enemy_deck_{np.flatnonzero(red)[0]}": where})
        discarded = (after["enemy_deck"] == DISCARD_PILE).sum(axis=1)
        assert {kinds(table, after, row)[1] for row in range(table.n)} == {"Red Gremlin village_3"}
        assert alike((after["enemy_deck"][:, red] == OUT).all(axis=1))
        assert sorted(set(discarded.tolist())) == list(range(len(red)))
    none = passing(table, "Quest Enemy", enemy_deck=IN_DECK, **{f"enemy_deck_{np.flatnonzero(red)[0]}": OUT})
    assert alike((none["e_card"] != NO_CARD).sum(axis=1)) == 1
    assert (none["enemy_deck"] == DISCARD_PILE).sum() == 0


@pytest.mark.rule("IS-ENE.13", "IS-EVT.3")
def test_a_quest_moment_is_a_story() -> None:
    """It covers the event that lies open, and an enemy appears at a gate; the hero goes on."""
    table = Table(PARTY, "haunted_lane", ONE)
    after = passing(table, "Quest")
    assert alike(after["stories"]) == 1
    assert alike((after["e_card"] != NO_CARD).sum(axis=1)) == 2
    gates = {table.scene.area_names[area] for area in table.scene.gate_areas}
    assert {kinds(table, after, row)[1].split()[-1] for row in range(table.n)} == gates


@pytest.mark.rule("IS-ENE.16")
def test_without_a_card_a_shadow_is_just_discarded() -> None:
    table = Table(PARTY, "haunted_lane", ONE)
    after = passing(table, "Two Enemies", enemy_deck=OUT)
    assert alike((after["e_card"] != NO_CARD).sum(axis=1)) == 1
    assert alike(after["shadow"]) == [NO_CARD]


@pytest.mark.rule("IS-ENE.12", "IS-ACT.6")
def test_who_comes_out_of_a_shadow_reacts_as_the_hero_goes_on() -> None:
    """From village_2 the hero sees village_3; he passes the enemy that comes out there on his way to village_4."""
    table = Table(PARTY, "haunted_lane", ONE | {"encounter.start": "village_6"})
    way: dict[str, object] = {"e_area_0": "village_4", "e_stun_0": 1}
    after = table.hero_turn(0, laid(table, "Enemy", **way))
    assert alike(after["shadow"]) == [NO_CARD]
    assert alike(after["enemy_attacks"]) == 1
    quiet = table.hero_turn(0, laid(table, "Citizen (man)", **way))
    assert alike(quiet["h_area"][:, 0]) == table.scene.area_names.index("village_4")
    assert alike(quiet["enemy_attacks"]) == 0


@pytest.mark.rule("IS-ENE.12")
def test_the_last_shadow_is_looked_for_before_all_are_killed() -> None:
    """Without an enemy in play a hero goes where the nearest Shadow lies; after a citizen there the heroes have won."""
    table = Table(PARTY, "haunted_lane", ONE)
    before = laid(table, "Citizen (woman)", h_area="village_12", e_card=NO_CARD)
    still = table.process.step(0)(before, table.rolls())
    assert alike(still["winner"]) == 0
    after = table.hero_turn(0, before)
    assert alike(after["h_area"][:, 0]) == table.scene.area_names.index("village_3")
    assert alike(after["winner"]) == 1


@pytest.mark.rule("IS-ENE.12")
@pytest.mark.parametrize(
    ("columns", "left"), [({}, NO_CARD), ({"h_ghost": True}, 3), ({"e_card_0": 0, "e_area_0": "village_8"}, 3)]
)
def test_what_comes_into_sight_in_another_phase_is_turned_over_then(columns: dict[str, object], left: int) -> None:
    """A Shadow in line with village_12 beyond village_8: as the Time Phase ends, if no enemy stands between."""
    goal = {"encounter.shadows": "village_4", "encounter.goal": "survive", "encounter.rounds": "9"}
    table = Table(PARTY, "haunted_lane", ONE | goal)
    before = laid(table, "Citizen (woman)", **{"h_area": "village_12", "e_card": NO_CARD, **columns})
    after = table.process.step(0)(before, table.rolls())
    assert alike(after["shadow"]) == [left]


@pytest.mark.rule("IS-ENE.12")
@pytest.mark.parametrize(("ghost", "left"), [(False, NO_CARD), (True, 3)])
def test_a_companion_sees_no_shadow(ghost: bool, left: int) -> None:
    """Fenrir stands where the Shadow lies; only with his owner beside him, who is no ghost, it is turned over."""
    alone = {"encounter.shadows": "village_4", "encounter.goal": "survive", "encounter.rounds": "9"}
    table = Table("ecarus,laegon+call_fenrir_1", "haunted_lane", FAR | alone)
    before = laid(table, "Citizen (woman)", h_area="village_9", e_card=NO_CARD)
    before["h_area"][:, 1:] = table.scene.area_names.index("village_4")
    before["h_ghost"][:, 1:] = [ghost, False]
    before["h_health"][:, 2] = 5
    before["shadow"][...] = 3
    after = table.process.step(0)(before, table.rolls())
    assert not after["h_ghost"][:, 2].any()
    assert alike(after["shadow"]) == [left]
