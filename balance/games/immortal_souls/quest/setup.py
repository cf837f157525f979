"""From a party and a campaign, as they were asked, to a campaign that is ready to be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from balance.catalogue import Catalogue
from balance.game.armies.armies import Army
from balance.game.setup import Asked, Setup
from balance.games.immortal_souls.encounter.party.muster import MOST_RANK, Arsenal, party_of
from balance.games.immortal_souls.encounter.party.options import EncounterSituation
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.setup import encounter_setup
from balance.games.immortal_souls.quest.campaign import HOME, Campaign, Chapter, Deck, Heroes, Stage, chapter_of
from balance.games.immortal_souls.quest.ladder import Ladders
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.strike import FIRES
from balance.games.immortal_souls.ruleset import EconomyRule
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.board import Encounter
from balance.games.immortal_souls.tables.cards import Hero
from balance.games.immortal_souls.tables.characters import character_of
from balance.games.immortal_souls.tables.quests import Decision, Quest, Room, Search, Trap, Treasure
from balance.games.immortal_souls.tables.tables import constants_of, faces_of
from balance.games.immortal_souls.workshop import Workshop

NO_TRAP = Trap(id="none", name="None", radius=0, wounds=0, condition="none", copies=0)


@dataclass(frozen=True)
class RoomFight:
    """The encounter of a room as a side of a question about encounters; its enemies lose no activations at first."""

    card: Encounter
    lost_actions: int = 0

    def inputs(self) -> dict[str, Any]:
        """Return the card's fields as JSON values."""
        return self.card.model_dump(mode="json")


def quest_setup(question: Asked[Any, Any, Any]) -> Setup[Campaign]:
    """Prepare a campaign (ledger level D); raise RulesError for a room with too many miniatures at the start."""
    catalogue, constants = question.catalogue, constants_of(question.catalogue)
    party: Army[Side] = question.sides["heroes"]
    way, cards = question.choices["way"], [cast("Hero", side.character.card) for side in party.units]
    chapters = tuple(_chapter(catalogue, quest, way) for quest in question.sides["quest"].quests)
    rooms = [room for chapter in chapters for room in chapter.rooms]
    ladders = Ladders.of(catalogue, party.units, cards, constants.economy.forging)
    situation = EncounterSituation(
        round_limit=question.situation.round_limit, spawn_shift=question.situation.spawn_shift, rank_up=True,
        enemy_turns=question.situation.enemy_turns,
    )  # fmt: skip
    asked = replace(question, situation=situation)
    shop = Workshop.of(asked)
    deck = Deck(tuple(_copies(catalogue, Treasure)), (*_copies(catalogue, Trap), NO_TRAP))
    heroes = _heroes(shop, party.units, cards)
    marks = _marks(asked, rooms, heroes, deck)
    campaign = Campaign(
        heroes=heroes, chapters=chapters, stages=_stages(chapters), deck=deck,
        searches=_by(catalogue.entries(Search).values(), "token", "result"),
        decisions=_by(catalogue.entries(Decision).values(), "decision", "alignment"),
        colours=tuple(dict.fromkeys(room.key for room in rooms if room.key)),
        red=shop.faces["red"], blue=shop.faces["blue"], ladders=ladders, marks=marks, way=way,
        purse=question.choices["purse"], pony=_pony(constants.economy, catalogue),
        n_souls=question.situation.soul_points, n_crowns=question.situation.crowns, rules=question.rules,
        constants=constants, scene_of=lambda room, gear: _scene(asked, ladders, marks, room, gear),
    )  # fmt: skip
    return Setup(campaign, question.inputs())


def _chapter(catalogue: Catalogue, quest: Quest, way: str) -> Chapter:
    return chapter_of(quest, [room for room in catalogue.entries(Room).values() if room.quest == quest.id], way)


def _stages(chapters: Sequence[Chapter]) -> tuple[Stage, ...]:
    return tuple(Stage(number, room) for number, chapter in enumerate(chapters)
                 for room in (*range(len(chapter.rooms)), HOME))  # fmt: skip


def _copies(catalogue: Catalogue, kind: type[Any]) -> list[Any]:
    return [card for card in catalogue.entries(kind).values() for _ in range(card.copies)]


def _by(rows: Any, outer: str, inner: str) -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = {}
    for row in rows:
        table.setdefault(getattr(row, outer), {})[getattr(row, inner)] = row
    return table


def _heroes(shop: Workshop, units: Sequence[Side], cards: Sequence[Hero]) -> Heroes:
    results = tuple(side.value_or("save", card.save) for side, card in zip(units, cards, strict=True))
    faces = shop.faces["blue"]
    return Heroes(
        tuple(card.id for card in cards), tuple(card.alignment for card in cards), results,
        tuple(side.character.saves_dice for side in units),
        np.array([[result in face for face in faces] for result in results]),
        party_of(Arsenal(shop, [], [], [], [], []), units, MOST_RANK),
    )  # fmt: skip


def _marks(asked: Asked[Any, Any, Any], rooms: Sequence[Room], heroes: Heroes, deck: Deck) -> tuple[str, ...]:
    """Return which conditions, criticals and fire heroes may have in any room, by encounters and by traps."""
    names = {name for name, values in heroes.party.begins.items() if values.any()}
    for room in rooms:
        names |= set(encounter_setup(_asked(asked, room, asked.sides["heroes"])).play.marks["h"] if room.encounter
                     else ())  # fmt: skip
    for trap in deck.traps[:-1]:
        names |= {trap.condition if trap.condition in FIRES else trap.condition.rstrip("12")} - {"none"}
    names |= {"fire1"} if "fire2" in names else set()
    return tuple(name for name in (*CONDITIONS, *REDS, *FIRES, "hidden") if name in names)


def _asked(asked: Asked[Any, Any, Any], room: Room, party: Army[Side]) -> Asked[Any, Any, Any]:
    """Return the question about the encounter of a room."""
    card = asked.catalogue.entries(Encounter)[str(room.encounter)]
    if room.enemies:
        card = card.model_copy(update={"enemies": room.enemies, "enemies_many": room.enemies_many})
    return replace(asked, sides={"heroes": party, "encounter": RoomFight(card)})


def _scene(asked: Asked[Any, Any, Any], ladders: Ladders, marks: tuple[str, ...], room: Room, gear: int) -> Scene:
    """Return the scene of a room's encounter for a party with this gear."""
    party: Army[Side] = asked.sides["heroes"]
    outfits = ladders.outfits_at(gear)
    units = tuple(
        replace(side, character=character_of(asked.catalogue, outfit.text, side.stance.rank)) if gear else side
        for side, outfit in zip(party.units, outfits, strict=True)
    )
    scene = encounter_setup(_asked(asked, room, replace(party, members=units, counts=(1,) * len(units)))).play
    all_marks = {**scene.marks, "h": marks}
    weaponry = replace(scene.weaponry, marks=all_marks)
    return replace(scene, rank_up=False, marks=all_marks, weaponry=weaponry)


def _pony(rule: EconomyRule, catalogue: Catalogue) -> tuple[tuple[int, ...], int, int, str]:
    """Return faces that pay, the prize, the stake and the result that pays most on average (IS-ECO.10, IS-Q33)."""
    faces = faces_of(catalogue, rule.pony_die)
    paying = [tuple(number for number, face in enumerate(faces, 1) if result in face) for result in rule.pony_results]
    best = max(range(len(paying)), key=lambda place: len(paying[place]) * rule.pony_prizes[place])
    return paying[best], rule.pony_prizes[best], rule.pony_stake, rule.pony_results[best]
