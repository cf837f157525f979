"""What must hold of what an encounter lays on its map: walls, fire, gates and stories name what is there, and fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from balance.base.errors import Fault, suggestion
from balance.catalogue.tables.schema import Tables
from balance.games.immortal_souls.tables.board import Area, Encounter, Event
from balance.games.immortal_souls.tables.ground import parse_fire, parse_opening, parse_shadow, parse_story, parse_wall


def grounds(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield (table, entry, fault) for what encounters lay on their maps and does not fit there."""
    areas = {area_id: cast("Area", entry) for area_id, entry in tables["areas"].items()}
    events = {event_id: cast("Event", entry) for event_id, entry in tables["events"].items()}
    for name, entry in tables["encounters"].items():
        encounter = cast("Encounter", entry)
        map_areas = {area_id: area for area_id, area in areas.items() if area.map == encounter.map}
        faults = [_off_map(encounter, map_areas), _stories(encounter, events), _shadows(encounter, events)]
        if encounter.start in map_areas:
            faults += [_walls(encounter, map_areas), _gates(encounter, map_areas)]
        yield from (("encounters", name, fault) for group in faults for fault in group)


def _places(encounter: Encounter) -> Iterator[tuple[str, str]]:
    """Yield (field, area) for every area that is named."""
    for text in encounter.walls:
        yield from (("walls", area) for area in parse_wall(text))
    yield from (("fires", parse_fire(text)[0]) for text in encounter.fires)
    yield from (("gates", parse_opening(text).area) for text in encounter.gates)
    yield from (("stories", parse_story(text)[1]) for text in encounter.stories)
    yield from (("shadows", parse_shadow(text)[0]) for text in encounter.shadows)


def _off_map(encounter: Encounter, map_areas: Mapping[str, Area]) -> Iterator[Fault]:
    for field, area in _places(encounter):
        if map_areas and area not in map_areas:
            tip = suggestion(area, map_areas)
            yield Fault(f"is not an area of {encounter.map}", field=field, found=area, tip=tip)


def _walls(encounter: Encounter, map_areas: Mapping[str, Area]) -> Iterator[Fault]:
    """IS-TERR.7: a wall parts neighbours, and leaves a way to every area."""
    for text in encounter.walls:
        first, second = parse_wall(text)
        if first in map_areas and second in map_areas and second not in map_areas[first].neighbours:
            yield Fault(f"is no neighbour of {first}", field="walls", found=second)
    cut = sorted(
        reachable_areas(map_areas, encounter.start) - reachable_areas(map_areas, encounter.start, encounter.walls)
    )
    if cut:
        walls = ", ".join(encounter.walls)
        yield Fault(f"leaves no way from {encounter.start} to {cut[0]}", field="walls", found=walls)


def _gates(encounter: Encounter, map_areas: Mapping[str, Area]) -> Iterator[Fault]:
    """IS-SPAWN.5: an area that opens and closes has a gate, and its rounds are given once."""
    gate_areas = [parse_opening(text).area for text in encounter.gates]
    for place, area in enumerate(gate_areas):
        if area in map_areas and map_areas[area].gate is None:
            yield Fault("has no gate", field="gates", found=area)
        if area in gate_areas[:place]:
            yield Fault("is told twice when it is open", field="gates", found=area)


def _stories(encounter: Encounter, events: Mapping[str, Event]) -> Iterator[Fault]:
    """IS-EVT.3: an event on the map is a story without lasting effect; an area has at most one."""
    stories = [parse_story(text) for text in encounter.stories]
    for place, (name, area) in enumerate(stories):
        event = events.get(name)
        if event is None:
            yield Fault("is not in events", field="stories", found=name, tip=suggestion(name, events))
        elif event.kind != "story":
            yield Fault(f"is a {event.kind} event, which is drawn from the deck", field="stories", found=name)
        elif event.hero_hits or event.enemy_hits:
            yield Fault("changes attacks, which only an event from the deck does", field="stories", found=name)
        if area in [story_area for _, story_area in stories[:place]]:
            yield Fault("has two stories", field="stories", found=area, tip="one is told in an area")


def _shadows(encounter: Encounter, events: Mapping[str, Event]) -> Iterator[Fault]:
    """IS-ENE.13, IS-ENE.17: at most one Shadow in an area; a quest enemy is in the deck, a quest moment a story."""
    shadow_areas = [parse_shadow(text)[0] for text in encounter.shadows]
    for place, area in enumerate(shadow_areas):
        if area in shadow_areas[:place]:
            yield Fault("has two Shadows", field="shadows", found=area, tip="one lies in an area")
    if encounter.quest_enemy and encounter.quest_enemy not in encounter.deck:
        yield Fault("is not in the deck", field="quest_enemy", found=encounter.quest_enemy)
    moment = encounter.quest_moment
    if moment and moment not in events:
        yield Fault("is not in events", field="quest_moment", found=moment, tip=suggestion(moment, events))
    elif moment and events[moment].kind != "story":
        yield Fault(f"is a {events[moment].kind} event; a story is told", field="quest_moment", found=moment)
    elif moment and (events[moment].hero_hits or events[moment].enemy_hits):
        yield Fault("changes attacks, which only an event from the deck does", field="quest_moment", found=moment)


def reachable_areas(areas: Mapping[str, Area], start: str, walls: Collection[str] = ()) -> set[str]:
    """Return the ids of areas that can be reached on foot; barriers and `walls`, each AREA/AREA, block the way."""
    wall_sides = [{*parse_wall(text)} for text in walls]
    visited, edge = {start}, [start]
    while edge:
        area = edge.pop()
        new = {
            neighbour
            for neighbour in areas[area].neighbours
            if neighbour in areas and {area, neighbour} not in wall_sides
        }
        new -= {*areas[area].barriers, *visited}
        visited |= new
        edge += new
    return visited
