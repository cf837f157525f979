"""Stories interrupt a Move and cover the Event deck; events bring enemies by number, and gates open and close."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.attacks.candidates import lasting_hits
from balance.games.immortal_souls.encounter.board.decks import NO_CARD, ON_MAP, OUT
from tests.games.immortal_souls.encounter.comparing import Case, areas_of, states_of

PARTY = "ecarus,thorgar"
FAR = {"encounter.enemies": "green_gremlin@village_12", "encounter.enemies_many": ""}
"""Three areas from the heroes, by village_10 and village_11."""
ROUND = 6
"""Steps of a round of two heroes."""


def enemies(state: State) -> set[int]:
    """Return how many enemies are in play in any trial."""
    return {*(state["e_card"] >= 0).sum(axis=1).tolist()}


@pytest.mark.rule("IS-EVT.3", "IS-ACT.3", "IS-ACT.21")
def test_a_story_interrupts_a_move_which_then_goes_on() -> None:
    """The gremlin is activated when Ecarus enters village_10: it meets him there and attacks, and once more when he
    goes on; he ends his Move where it was when he set out. Thorgar, who comes there later, is told nothing."""
    laid = {**FAR, "encounter.stories": "sparks@village_10", "heroes.2.movement": "1", "heroes.2.actions": "0"}
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), 4)
    before, told, after = states[1], states[2], states[4]
    assert set(before["event_deck"][:, -1]) == {ON_MAP} and set(told["event_deck"][:, -1]) == {OUT}
    assert set(told["enemy_attacks"]) == {2} and set(told["stories"]) == {1}
    assert areas_of(scene, told, "h_area", 0) == {"village_12"}
    assert areas_of(scene, told, "e_area", 0) == {"village_10"}
    assert "village_10" in areas_of(scene, after, "h_area", 1) and set(after["stories"]) == {1}


@pytest.mark.rule("IS-ACT.21", "IS-EVT.3")
def test_an_enemy_that_acts_in_a_hero_turn_may_end_the_move() -> None:
    """Who dies is a ghost where the story was told, and neither goes on nor attacks."""
    weak = {"heroes.1.health": "1", "heroes.1.defence_dice": "0", "heroes.1.armour": "0", "heroes.1.shields": "0"}
    laid = {**FAR, **weak, "encounter.stories": "sparks@village_10"}
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), 2, n=64)
    told = states[2]
    dead = told["h_ghost"][:, 0]
    assert (dead & (told["enemy_attacks"] == 1)).sum() > 10
    assert set(told["h_area"][dead, 0]) == {scene.area_names.index("village_10")}
    assert not told["hero_attacks"][dead].any()
    assert set(told["h_area"][~dead, 0]) <= {scene.area_names.index("village_12")}


@pytest.mark.rule("IS-EVT.3", "IS-SPAWN.5")
def test_a_story_may_bring_an_enemy() -> None:
    """The Alarm Bell brings one, by the only gate that is open, which is where the Move ends."""
    closed = "village_1@50;village_4@50;village_9@50"
    laid = {**FAR, "encounter.stories": "alarm_bell@village_11", "encounter.gates": closed}
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), 2)
    assert (enemies(states[1]), enemies(states[2])) == ({1}, {2})
    lives = ~states[2]["h_ghost"][:, 0]
    assert set(states[2]["h_area"][lives, 0]) == {scene.area_names.index("village_12")}
    assert states[2]["enemy_attacks"].min() >= 2


@pytest.mark.rule("IS-EVT.3", "IS-ENE.15")
def test_an_enemy_that_a_story_brings_is_assigned_from_the_active_hero_on() -> None:
    """Each hero has an enemy; the new one, of another kind, goes to Thorgar, who came upon the story."""
    laid = {
        "encounter.enemies": "green_gremlin@village_12;green_bandit@village_9", "encounter.enemies_many": "",
        "encounter.deck": "gargoyle", "encounter.stories": "mill_gives_way@village_10",
        "heroes.1.movement": "0", "heroes.1.actions": "0",
    }  # fmt: skip
    _, states = states_of(Case(PARTY, "ambush", "nearest", laid), 4)
    before, told = states[3], states[4]
    assert set(before["event_deck"][:, -1]) == {ON_MAP} and set(told["event_deck"][:, -1]) == {OUT}
    assert before["e_owner"][:, :3].tolist() == [[0, 1, -1]] * 16
    assert told["e_owner"][:, 2:4].tolist() == [[1, 1]] * 16, "a second gargoyle goes to the owner of the first"


@pytest.mark.rule("IS-EVT.3", "IS-HP.5", "IS-TERR.4")
def test_who_dies_on_entering_is_told_nothing() -> None:
    """gorge_6 is deadly: Ecarus dies as he enters, and a ghost triggers nothing."""
    laid = {"encounter.start": "gorge_5", "encounter.enemies": "troll@gorge_7", "encounter.enemies_many": "",
            "encounter.stories": "hoofbeats@gorge_6", "heroes.1.health": "1"}  # fmt: skip
    scene, states = states_of(Case(PARTY, "gorge_troll", "nearest", laid), 2)
    assert states[2]["h_ghost"][:, 0].all() and areas_of(scene, states[2], "h_area", 0) == {"gorge_6"}
    assert set(states[2]["event_deck"][:, -1]) == {ON_MAP}


@pytest.mark.rule("IS-EVT.3", "IS-EVT.1", "IS-EVT.2")
@pytest.mark.parametrize(("event", "hits", "spawned"), [("war_drums", 1, 0), ("mill_gives_way", 0, 2)])
def test_a_story_on_the_deck_suspends_the_event_and_gives_time(event: str, hits: int, spawned: int) -> None:
    """The event is open from round 1 on; in round 2 a hero comes upon a story, and it is suspended. The Event Phase
    discards the story alone: the event holds again, nobody is spawned again, and only that of round 3 discards it."""
    slow = {"heroes.movement": "1", "heroes.actions": "0", "situation.enemy_turns": "once"}
    laid = {**FAR, **slow, "encounter.stories": "hoofbeats@village_11", "encounter.events": event}
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), 3 * ROUND, n=256)
    revealed, before, told = states[ROUND], states[ROUND + 1], states[ROUND + 2]
    comes = (before["event_deck"][:, 1] == ON_MAP) & (told["event_deck"][:, 1] == OUT)
    assert comes.sum() > 5

    def open_in(state: State) -> set[tuple[int, int, int]]:
        adds = lasting_hits(scene, state, "e")
        return {
            *zip(state["face_up"][comes].tolist(), state["stories"][comes].tolist(), adds[comes].tolist(), strict=True)
        }

    assert open_in(revealed) == open_in(before) == {(0, 0, hits)}
    assert open_in(told) == {(0, 1, 0)}
    discarded = states[2 * ROUND]
    assert open_in(discarded) == {(0, 0, hits)} and not discarded["failed"][comes].any()
    assert open_in(states[3 * ROUND]) == {(NO_CARD, 0, 0)} and states[3 * ROUND]["failed"][comes].all()
    for phase, more in ((1, spawned), (2, 0), (3, 0)):
        around = [(states[phase * ROUND + k]["e_card"][comes] >= 0).sum(axis=1) for k in (-1, 0)]
        assert set((around[1] - around[0]).tolist()) == {more}


@pytest.mark.rule("IS-EVT.3")
def test_a_story_pulled_from_the_deck_is_resolved_at_once() -> None:
    """Sparks: the areas burn again, and an enemy acts in the Event Phase."""
    laid = {"encounter.events": "sparks", "encounter.fires": "village_3:2", "encounter.stories": ""}
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), ROUND, n=64)
    before, after = states[ROUND - 1], states[ROUND]
    assert [state["a_fire2"][0, 2] for state in (states[0], before, after)] == [1, 0, 1]
    assert set(after["face_up"]) == {0} and set(after["stories"]) == {0}
    assert (after["enemy_attacks"] > before["enemy_attacks"]).sum() > 20
    assert set((after["enemy_attacks"] - before["enemy_attacks"]).tolist()) <= {0, 1, 2}
    assert scene.events.of_map == (0, 0) and scene.events.of_deck == (0, 1)


@pytest.mark.rule("IS-SPAWN.5", "IS-SPAWN.3")
def test_gates_open_and_close_by_quest_rules() -> None:
    """In round 1 no gate is open, so nobody is spawned; in round 3 one is, and all enter there."""
    gates = "village_1@50;village_4@1-2;village_9@3-3;village_12@4"
    laid = {**FAR, "encounter.gates": gates.replace("1-2", "2-2"), "encounter.events": "onslaught;onslaught",
            "situation.spawn_shift": "2", "heroes.movement": "0", "heroes.actions": "0"}  # fmt: skip
    scene, states = states_of(Case(PARTY, "ambush", "nearest", laid), 3 * ROUND)
    for phase, expected in ((1, set[str]()), (2, set[str]()), (3, {"village_9"})):
        before, after = states[phase * ROUND - 1], states[phase * ROUND]
        rows, bodies = np.nonzero((after["e_card"] >= 0) & (before["e_card"] < 0))
        assert {scene.area_names[area] for area in after["e_area"][rows, bodies]} == expected
    always = {**laid, "encounter.gates": ""}
    _, states = states_of(Case(PARTY, "ambush", "nearest", always), ROUND)
    assert enemies(states[ROUND]) == {5}


@pytest.mark.rule("IS-TERR.7")
def test_walls_turn_a_move_and_block_sight() -> None:
    """A wall between village_10 and village_11: Ecarus goes another way, and who shot across it sees nobody."""
    wall = {**FAR, "encounter.walls": "village_10/village_11"}
    ends = [
        areas_of(*(found[0], found[1][2]), "h_area", 0)
        for found in (states_of(Case(PARTY, "ambush", "nearest", sets), 2) for sets in (FAR, wall))
    ]
    assert ends == [{"village_12"}, {"village_4"}]
    shot = {**FAR, "encounter.enemies": "green_gremlin@village_10", "heroes.movement": "0", "heroes.actions": "0"}
    attacks = [
        states_of(Case("laegon_archer,thorgar", "ambush", "nearest", sets), 2)[1][2]["hero_attacks"].max()
        for sets in (shot, {**shot, "encounter.walls": "village_10/village_6"})
    ]
    assert attacks[0] > 0 == attacks[1]
