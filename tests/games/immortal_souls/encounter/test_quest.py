"""What an encounter lays on its map is found there, and asked for no oftener than it can happen."""

from __future__ import annotations

import pytest

from balance.games.immortal_souls.encounter.board.decks import IN_DECK, ON_MAP
from balance.games.immortal_souls.encounter.kind import ENCOUNTER
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.comparing import SOULS

FOUR = "ecarus,thorgar,shae,laegon"


def scene_of(encounter: str, sets: dict[str, str]) -> Scene:
    play: Scene = SOULS.ask("encounter", FOUR, encounter, sets).setup.play
    return play


def test_the_mill_burns() -> None:
    scene = scene_of("burning_mill", {})
    place = scene.area_names.index
    assert {name: tokens.nonzero()[0].tolist() for name, tokens in scene.fires.items()} == {
        "fire1": [place("village_11")],
        "fire2": [place("village_5"), place("village_10"), place("village_11")],
    }
    assert scene.board.walls == ((place("village_2"), place("village_6")),)
    names = [scene.area_names[area] for area in scene.gate_areas]
    assert dict(zip(names, scene.gate_rounds.tolist(), strict=True)) == {
        "village_1": [1, 99], "village_4": [2, 99], "village_9": [3, 4], "village_12": [1, 6],
    }  # fmt: skip
    told = {scene.area_names[area]: scene.events.names[card] for area, card in enumerate(scene.story_at) if card >= 0}
    assert told == {"village_10": "The Alarm Bell", "village_11": "Hoofbeats"}
    assert scene.events.starts.tolist() == [IN_DECK] * 9 + [ON_MAP] * 2
    assert all({"fire1", "fire2"} <= set(marks) for marks in scene.marks.values())


def test_events_bring_so_many_at_most() -> None:
    """By formula 4 heroes, and 2 of the mill that gives way, 1 of the bell; two act by the bell, one by the sparks."""
    scene = scene_of("burning_mill", {})
    assert (scene.events.of_deck, scene.events.of_map) == ((6, 1), (1, 2))
    assert scene.n_bodies == 8, "5 enemies at the start, or 4 by formula, and 3 by number"
    assert scene.events.spawns.tolist() == [0] * 7 + [2, 0, 1, 0, 0]
    assert scene.events.rekindles.tolist() == [False] * 8 + [True, False, False, False]
    more = scene_of("burning_mill", {"situation.spawn_shift": "2"})
    assert (more.events.of_deck, more.events.of_map, more.n_bodies) == ((8, 1), (1, 2), 9)
    none = scene_of("burning_mill", {"encounter.events": "lull", "encounter.stories": ""})
    assert (none.events.of_deck, none.events.of_map) == ((0, 0), (0, 0))


def test_an_encounter_without_quest_rules_has_none_of_it() -> None:
    scene = scene_of("ambush", {})
    assert (scene.fires, scene.n_stories, scene.board.walls) == ({}, 0, ())
    assert scene.events.of_deck == (4, 0) and set(scene.events.starts.tolist()) == {IN_DECK}
    assert "fire2" not in scene.marks["e"]


def test_its_stories_are_among_its_cards() -> None:
    assert ENCOUNTER.cards is not None
    events = [name for table, name in ENCOUNTER.cards(SOULS.catalogue, "burning_mill") if table == "events"]
    assert {"alarm_bell", "hoofbeats", "sparks"} <= {*events} and len(events) == 11


@pytest.mark.parametrize(("field", "typed", "kept"), [
    ("walls", "Village 2 / village_6", ("village_2/village_6",)),
    ("fires", "village_3 : 2;Village 3:1", ("village_3:2", "village_3:1")),
    ("gates", "Village 4 @ 3 - 3;village_9@2-99;village_1@5", ("village_4@3-3", "village_9@2", "village_1@5")),
    ("stories", "Alarm Bell@Village 3", ("alarm_bell@village_3",)),
])  # fmt: skip
def test_what_is_laid_is_kept_as_it_is_written(field: str, typed: str, kept: tuple[str, ...]) -> None:
    asked = SOULS.ask("encounter", FOUR, "ambush", {f"encounter.{field}": typed})
    assert asked.inputs["encounter"][field] == list(kept)


@pytest.mark.parametrize(("field", "typed"), [
    ("walls", "village_2"), ("walls", "village_2/"), ("walls", "village_2/village_6/village_7"),
    ("fires", "village_3"), ("fires", ":1"), ("fires", "village_3:0"), ("fires", "village_3:I"),
    ("gates", "village_4"), ("gates", "@3"), ("gates", "village_4@"), ("gates", "village_4@-3"),
    ("gates", "village_4@3-"), ("gates", "village_4@100"), ("gates", "village_4@4-3"), ("gates", "village_4@0"),
    ("stories", "@village_3"), ("stories", "alarm_bell@"),
])  # fmt: skip
def test_what_cannot_be_read_is_refused(field: str, typed: str) -> None:
    with pytest.raises(Exception, match=f"{field}: '{typed}'.*; allowed: "):
        SOULS.ask("encounter", FOUR, "ambush", {f"encounter.{field}": typed})
