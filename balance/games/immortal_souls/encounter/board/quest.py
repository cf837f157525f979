"""The setting of an encounter from its card: map, gates, altars, events, and what quest rules lay on the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.games.immortal_souls.encounter.board.activation import Call, Cards
from balance.games.immortal_souls.encounter.board.areas import Board
from balance.games.immortal_souls.encounter.board.decks import IN_DECK, NO_CARD, ON_MAP
from balance.games.immortal_souls.encounter.board.events import NO_SPAWN, EventCards, EventLimits, Gates
from balance.games.immortal_souls.rules.strike import FIRES
from balance.games.immortal_souls.tables.board import Area, Encounter, Event, parse_line
from balance.games.immortal_souls.tables.ground import LAST_ROUND, parse_fire, parse_opening, parse_story, parse_wall


def board_of(catalogue: Catalogue, encounter: Encounter, rule: Any) -> tuple[Board, list[str]]:
    """Return the map of an encounter with its wall tokens, and the ids of its areas; `rule` is the `BoardRule`."""
    areas = _areas(catalogue, encounter)
    names = [area.id for area in areas]
    sides = {
        tuple(sorted((names.index(area.id), names.index(neighbour)))) for area in areas for neighbour in area.neighbours
    }
    return Board(
        len(areas),
        tuple((low, high) for low, high in sorted(sides)),
        barriers=tuple((names.index(area.id), names.index(neighbour)) for area in areas for neighbour in area.barriers),
        difficult=tuple(number for number, area in enumerate(areas) if area.difficult),
        deadly=tuple(number for number, area in enumerate(areas) if area.deadly),
        lines=tuple((names.index(area.id), *map(names.index, parse_line(text)))
                    for area in areas for text in area.lines),
        sight_areas=rule.sight_areas,
        difficult_cost=rule.difficult_cost,
        walls=tuple((names.index(area), names.index(neighbour))
                    for area, neighbour in map(parse_wall, encounter.walls)),
    ), names  # fmt: skip


def _areas(catalogue: Catalogue, encounter: Encounter) -> list[Area]:
    return [area for area in catalogue.entries(Area).values() if area.map == encounter.map]


def places_of(
    catalogue: Catalogue, encounter: Encounter, names: list[str], die: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Return the fields of a `Scene` that are places, by name: gates, altars, stories, fires and the heroes' start.

    Areas are numbers in `names`, their ids; `die` is the results on the faces of the die that picks a gate.
    """
    areas = _areas(catalogue, encounter)
    gates = [area for area in areas if area.gate]
    opens = {opening.area: (opening.first, opening.last) for opening in map(parse_opening, encounter.gates)}
    return {
        "gates": Gates(tuple(str(area.gate) for area in gates), tuple(map(tuple, die))) if gates else None,
        "gate_areas": np.array([names.index(area.id) for area in gates]),
        "gate_rounds": np.array([opens.get(area.id, (1, LAST_ROUND)) for area in gates]).reshape(-1, 2),
        "story_at": stories_of(encounter, names),
        "fires": fires_of(encounter, names),
        "altars": np.array([names.index(area.id) for area in areas if area.altar], np.int64),
        "start_area": names.index(encounter.start),
    }


def events_of(catalogue: Catalogue, encounter: Encounter, n_heroes: int, shift: int) -> EventCards:
    """Return the event cards, those of the deck and then stories, with `shift` added to each printed spawn number."""
    stories = [parse_story(text)[0] for text in encounter.stories]
    stories += [encounter.quest_moment] if encounter.quest_moment else []
    cards = [catalogue.entries(Event)[name] for name in (*encounter.events, *stories)]
    n_deck = len(encounter.events)

    def column(values: Sequence[int]) -> IntArray:
        return np.array([*values, 0], np.int16)

    def spawn(value: int | None) -> int:
        return NO_SPAWN if value is None else value + shift

    spawn_few = np.array([*(spawn(card.spawn_few) for card in cards), NO_SPAWN], np.int16)
    spawn_many = np.array([*(spawn(card.spawn_many) for card in cards), NO_SPAWN], np.int16)
    return EventCards(
        names=tuple(card.name for card in cards),
        set_aside=np.array([*(card.kind in ("night", "day") for card in cards), False]),
        spawn_few=spawn_few,
        spawn_many=spawn_many,
        hero_hits=column([card.hero_hits for card in cards]),
        enemy_hits=column([card.enemy_hits for card in cards]),
        power_turns=column([card.powers_turned for card in cards]),
        spawns=column([card.spawns for card in cards]),
        rekindles=column([card.rekindles for card in cards]) > 0,
        shadows=column([card.shadows for card in cards]),
        calls=Cards(tuple(Call("any", card.activates) for card in cards), (None,) * len(cards), (False,) * len(cards)),
        starts=np.array([IN_DECK] * n_deck + [ON_MAP] * len(stories), np.int8),
        of_deck=_limits(cards[:n_deck], n_heroes + max(0, spawn_few.max(), spawn_many.max())),
        of_map=_limits(cards[n_deck:], n_heroes + max(0, spawn_few.max(), spawn_many.max())),
    )


def _limits(cards: Sequence[Event], by_formula: int) -> EventLimits:
    """Return the most that any of the cards spawns and activates, if the spawn formula brings at most `by_formula`."""
    formula = by_formula * any(card.spawn_few is not None or card.spawn_many is not None for card in cards)
    return EventLimits(
        int(formula) + max((card.spawns for card in cards), default=0),
        max((card.activates for card in cards), default=0),
    )


def stories_of(encounter: Encounter, names: Sequence[str]) -> IntArray:
    """Return which event card lies in each area, `int[areas + 1]`; NO_CARD where none does (IS-EVT.3)."""
    cards = np.full(len(names) + 1, NO_CARD)
    for place, text in enumerate(encounter.stories):
        cards[names.index(parse_story(text)[1])] = len(encounter.events) + place
    return cards


def fires_of(encounter: Encounter, names: Sequence[str]) -> dict[str, IntArray]:
    """Return fire tokens of areas, "fire1" and "fire2", `int[areas]` each; empty if no area burns (IS-FIRE.3)."""
    tokens: dict[str, IntArray] = {name: np.zeros(len(names), np.int16) for name in FIRES}
    for area, side in map(parse_fire, encounter.fires):
        tokens[f"fire{side}"][names.index(area)] += 1
    return tokens if encounter.fires else {}
