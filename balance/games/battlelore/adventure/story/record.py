"""What is brought to the table of an adventure, as plain data: what a referee must know before the first event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.story.board import SIDES, Board


def record_of(board: Board, first: int, policies: tuple[str, str]) -> dict[str, Any]:
    """Return what does not change while an adventure is played: sides, units, cards and the values in force."""
    battle, adventure = board.battle, board.battle.adventure
    record: dict[str, Any] = {
        "lore": battle.lore,
        "masters_landmarks": adventure.masters_landmarks,
        "first": SIDES[first],
        "turn_limit": battle.terms.turn_limit,
        "sides": {side: _side(board, number, policies[number]) for number, side in enumerate(SIDES)},
        "units": dict(_units(board)),
        "banner_hexes": [
            {"hex": cell_name(b.cell), "side": SIDES[b.side], "banners": b.banners, "held": b.held}
            for b in adventure.blazons
        ],
        "command_cards": {card.id: card.model_dump(mode="json", exclude={"id"}) for card in battle.deck.cards},
    }
    if battle.lore:
        record["lore_cards"] = dict(_lore_cards(board))
    return record


def _side(board: Board, number: int, policy: str) -> dict[str, Any]:
    force, terms = board.battle.adventure.forces[number], board.battle.terms
    told = {"name": board.sides[number], "camp": force.camp, "banners": terms.banners[number]}
    told |= {"cards": terms.cards[number], "policy": policy}
    return told | ({"council": asdict(force.council)} if board.battle.lore else {})


def _units(board: Board) -> Iterator[tuple[str, dict[str, Any]]]:
    for label, (side, slot) in board.by_label.items():
        fighter, (_, cell) = board.fighters[side, slot], board.battle.members[side][slot]
        unit, race = fighter.unit, "" if fighter.is_creature else fighter.race.id
        told = {"side": SIDES[side], "unit": board.battle.adventure.forces[side].units[slot].unit, "race": race}
        told |= {"kind": unit.kind, "colour": unit.colour, "weapon": fighter.weapon.id}
        yield label, {**told, "figures": unit.figures, "hex": cell_name(cell)}


def _lore_cards(board: Board) -> Iterator[tuple[str, dict[str, Any]]]:
    deck = board.battle.lore_deck
    for number, card in enumerate(deck.cards):
        told = card.model_dump(mode="json", exclude={"id"})
        told["price"] = {side: int(deck.cost[which, number]) for which, side in enumerate(SIDES)}
        told["strength"] = {side: int(deck.value[which, number]) for which, side in enumerate(SIDES)}
        yield card.id, told
