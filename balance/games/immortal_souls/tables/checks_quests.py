"""What must hold of quests: rooms, keys, tokens and decisions that are there, and wares that may be bought."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from balance.base.errors import Fault, comma_list, suggestion
from balance.catalogue.tables.schema import CrossCheck, Tables
from balance.game.kit import names_known
from balance.games.immortal_souls.tables.board import Area, Encounter, parse_placed
from balance.games.immortal_souls.tables.items import Artefact
from balance.games.immortal_souls.tables.quests import Decision, Room, Search

EntryFault = tuple[str, str, Fault]
ALIGNMENTS = ("lawful", "neutral", "chaos")


def rooms_of(tables: Tables, quest: str) -> list[Room]:
    """Return the rooms of a quest in their order."""
    return [room for room in cast("dict[str, Room]", tables["rooms"]).values() if room.quest == quest]


def _quests(tables: Tables) -> Iterator[EntryFault]:
    """Yield quests without rooms or that end in a side room."""
    for name in tables["quests"]:
        rooms = rooms_of(tables, name)
        if not rooms:
            yield "quests", name, Fault("has no rooms", field="id", found=name, tip="add its rows to rooms")
        elif rooms[-1].side:
            tip = "let a room that must be entered be its last row"
            yield "rooms", rooms[-1].id, Fault(f"is the last room of {name}", field="side", found="true", tip=tip)


def _rooms(tables: Tables) -> Iterator[EntryFault]:
    """Yield rooms whose lock has no door or no key before it, whose key has no chest, or whose tokens are unknown."""
    tokens = {cast("Search", entry).token for entry in tables["searches"].values()}
    decisions = {cast("Decision", entry).decision for entry in tables["decisions"].values()}
    for name in tables["quests"]:
        keys: set[str] = set()
        for room in rooms_of(tables, name):
            faults: list[Fault] = []
            if room.lock and room.door == "none":
                faults.append(Fault("is a lock without a door", field="lock", found=room.lock, tip="give it a door"))
            if room.lock and room.lock not in keys:
                tip = "put the key of this colour into a room before it"
                faults.append(Fault("is a lock without a key", field="lock", found=room.lock, tip=tip))
            if room.key and room.key_place == "chest" and not room.chests:
                faults.append(Fault("is in a chest that is not there", field="key", found=room.key, tip="add a chest"))
            if room.decision and room.decision not in decisions:
                tip = suggestion(room.decision, decisions)
                faults.append(Fault("is not in decisions", field="decision", found=room.decision, tip=tip))
            faults += [Fault("is not in searches", field="searches", found=token, tip=suggestion(token, tokens))
                       for token in room.searches if token not in tokens]  # fmt: skip
            faults += _enemies(tables, room)
            keys |= {room.key} if room.key else set()
            yield from (("rooms", room.id, fault) for fault in faults)


def _enemies(tables: Tables, room: Room) -> Iterator[Fault]:
    """Yield enemies of a room that are nobody, or stand off the map of its encounter."""
    encounter = cast("Encounter | None", tables["encounters"].get(room.encounter or ""))
    areas = cast("dict[str, Area]", tables["areas"])
    for field in ("enemies", "enemies_many"):
        for enemy, area in map(parse_placed, getattr(room, field)):
            if enemy not in tables["enemies"]:
                tip = suggestion(enemy, tables["enemies"])
                yield Fault("is not in enemies", field=field, found=enemy, tip=tip)
            if encounter is None:
                yield Fault("stands in no encounter", field=field, found=enemy, tip="name the encounter of the room")
            elif area not in areas or areas[area].map != encounter.map:
                here = [name for name in areas if areas[name].map == encounter.map]
                tip = suggestion(area, here)
                yield Fault(f"is not an area of {encounter.map}", field=field, found=area, tip=tip)


def _decisions(tables: Tables) -> Iterator[EntryFault]:
    """Yield decisions that do not say once for each alignment what they bring (IS-ECO.13)."""
    alignments: dict[str, list[str]] = {}
    for name, entry in tables["decisions"].items():
        choice = cast("Decision", entry)
        told = alignments.setdefault(choice.decision, [])
        if choice.alignment in told:
            yield "decisions", name, Fault("is told twice", field="alignment", found=choice.alignment)
        told.append(choice.alignment)
    for name, entry in tables["decisions"].items():
        choice = cast("Decision", entry)
        told = alignments.pop(choice.decision, [*ALIGNMENTS])
        missing = [alignment for alignment in ALIGNMENTS if alignment not in told]
        if missing:
            tip = f"add its rows for {comma_list(missing)}"
            message = "does not say what every alignment brings"
            yield "decisions", name, Fault(message, field="decision", found=choice.decision, tip=tip)


def _searches(tables: Tables) -> Iterator[EntryFault]:
    """Yield results that a search token names twice (IS-ACT.17)."""
    results = set[tuple[str, str]]()
    for name, entry in tables["searches"].items():
        row = cast("Search", entry)
        if (row.token, row.result) in results:
            yield "searches", name, Fault(f"is a result that {row.token} has already", field="result", found=row.result)
        results.add((row.token, row.result))


def _wares(tables: Tables) -> Iterator[EntryFault]:
    """Yield wares that are neither armours nor artefacts, or that have charges."""
    for name in tables["wares"]:
        card = tables["armours"].get(name) or tables["artefacts"].get(name)
        if card is None:
            tip = suggestion(name, [*tables["armours"], *tables["artefacts"]])
            yield "wares", name, Fault("is no armour and no artefact", field="id", found=name, tip=tip)
        elif isinstance(card, Artefact) and card.charges:
            yield "wares", name, Fault("has charges", field="id", found=name, tip="name an artefact without charges")


QUEST_CHECKS: tuple[CrossCheck, ...] = (
    names_known("rooms", quest="quests", encounter="encounters"),
    _quests,
    _rooms,
    _decisions,
    _searches,
    _wares,
)
"""What must hold of quests."""
