"""What must hold of what an encounter lays on its map: walls, fire, gates and stories name what is there, and fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from balance.base.errors import Fault, suggestion
from balance.catalogue.tables.schema import Tables
from balance.games.immortal_souls.tables.board import Area, Encounter, Event
from balance.games.immortal_souls.tables.ground import parse_fire, parse_opening, parse_shadow, parse_story, parse_wall

__all__ = ["grounds", "walked"]


def grounds(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield what does not fit of what encounters lay on their maps."""
    areas = {area_id: cast("Area", entry) for area_id, entry in tables["areas"].items()}
    events = {event_id: cast("Event", entry) for event_id, entry in tables["events"].items()}
    for name, entry in tables["encounters"].items():
        encounter = cast("Encounter", entry)
        own = {area_id: area for area_id, area in areas.items() if area.map == encounter.map}
        faults = [_elsewhere(encounter, own), _stories(encounter, events), _shadows(encounter, events)]
        if encounter.start in own:
            faults += [_walls(encounter, own), _gates(encounter, own)]
        yield from (("encounters", name, fault) for some in faults for fault in some)


def _places(encounter: Encounter) -> Iterator[tuple[str, str]]:
    """Yield every area that is named, with its field."""
    for text in encounter.walls:
        yield from (("walls", area) for area in parse_wall(text))
    yield from (("fires", parse_fire(text)[0]) for text in encounter.fires)
    yield from (("gates", parse_opening(text).area) for text in encounter.gates)
    yield from (("stories", parse_story(text)[1]) for text in encounter.stories)
    yield from (("shadows", parse_shadow(text)[0]) for text in encounter.shadows)


def _elsewhere(encounter: Encounter, own: Mapping[str, Area]) -> Iterator[Fault]:
    for field, area in _places(encounter):
        if own and area not in own:
            tip = suggestion(area, own)
            yield Fault(f"is not an area of {encounter.map}", field=field, found=area, tip=tip)


def _walls(encounter: Encounter, own: Mapping[str, Area]) -> Iterator[Fault]:
    """IS-TERR.7: a wall parts neighbours, and leaves a way to every area."""
    for text in encounter.walls:
        one, other = parse_wall(text)
        if one in own and other in own and other not in own[one].neighbours:
            yield Fault(f"is no neighbour of {one}", field="walls", found=other)
    cut = sorted(walked(own, encounter.start) - walked(own, encounter.start, encounter.walls))
    if cut:
        found = ", ".join(encounter.walls)
        yield Fault(f"leaves no way from {encounter.start} to {cut[0]}", field="walls", found=found)


def _gates(encounter: Encounter, own: Mapping[str, Area]) -> Iterator[Fault]:
    """IS-SPAWN.5: what opens and closes is a gate, and told once."""
    told = [parse_opening(text).area for text in encounter.gates]
    for place, area in enumerate(told):
        if area in own and own[area].gate is None:
            yield Fault("has no gate", field="gates", found=area)
        if area in told[:place]:
            yield Fault("is told twice when it is open", field="gates", found=area)


def _stories(encounter: Encounter, events: Mapping[str, Event]) -> Iterator[Fault]:
    """IS-EVT.3: what lies on the map is a story, which lasts no longer than its telling; one in an area."""
    told = [parse_story(text) for text in encounter.stories]
    for place, (name, area) in enumerate(told):
        event = events.get(name)
        if event is None:
            yield Fault("is not in events", field="stories", found=name, tip=suggestion(name, events))
        elif event.kind != "story":
            yield Fault(f"is a {event.kind} event, which is drawn from the deck", field="stories", found=name)
        elif event.hero_hits or event.enemy_hits:
            yield Fault("changes attacks, which only an event from the deck does", field="stories", found=name)
        if area in [where for _, where in told[:place]]:
            yield Fault("has two stories", field="stories", found=area, tip="one is told in an area")


def _shadows(encounter: Encounter, events: Mapping[str, Event]) -> Iterator[Fault]:
    """IS-ENE.13, IS-ENE.17: one Shadow in an area; a quest enemy is in the deck, and a quest moment is a story."""
    told = [parse_shadow(text)[0] for text in encounter.shadows]
    for place, area in enumerate(told):
        if area in told[:place]:
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


def walked(areas: Mapping[str, Area], start: str, walls: Collection[str] = ()) -> set[str]:
    """Return the areas that can be reached on foot."""
    parted = [{*parse_wall(text)} for text in walls]
    reached, edge = {start}, [start]
    while edge:
        here = edge.pop()
        new = {other for other in areas[here].neighbours if other in areas and {here, other} not in parted}
        new -= {*areas[here].barriers, *reached}
        reached |= new
        edge += new
    return reached
