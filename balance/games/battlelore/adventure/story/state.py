"""An adventure's state as plain data: what a replay tells of it, whole or as far as it has changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.battle import DRAW
from balance.game.question.board_story import cell_name
from balance.game.question.narration import changed_parts
from balance.games.battlelore.adventure.map.adventure import COUNTRYSIDE, hexes
from balance.games.battlelore.adventure.story.board import SIDES, Board

WINNERS = {0: None, 1: "a", 2: "b", DRAW: "draw"}
"""Who has won, by number."""


@dataclass(eq=False)
class Record:
    """The state of one trial as plain data, kept so that only changes need to be stored."""

    board: Board
    last: dict[str, Any] = field(default_factory=dict)

    def begin(self, state: State) -> dict[str, Any]:
        """Return the whole state, against which the next changes are computed."""
        self.last = self._whole(state)
        return self.last

    def changes(self, state: State) -> dict[str, Any]:
        """Return the parts of the state that differ from the last call."""
        before, self.last = self.last, self._whole(state)
        return changed_parts(before, self.last)

    def _whole(self, state: State) -> dict[str, Any]:
        whole = {
            "units": {label: self._unit(state, unit) for label, unit in self.board.by_label.items()},
            "banners": _by_side(state["banners"][0]),
            "hand": {side: self._commands(state["hand"][0, number]) for number, side in enumerate(SIDES)},
            "deck": int(state["deck"][0].sum()),
            "discard": int(state["discard"][0].sum()),
            "ground": self._ground(state),
            "owners": self._owners(state),
            "winner": WINNERS[int(state["winner"][0])],
        }
        return whole | (self._lore(state) if self.board.battle.lore else {})

    def _unit(self, state: State, unit: tuple[int, int]) -> dict[str, Any]:
        cell = int(state["cell"][0][unit])
        colour = self.board.battle.muster.fighters[int(state["kind"][0][unit])].unit.colour
        told = {"hex": cell_name(cell) if cell >= 0 else None, "figures": int(state["figures"][0][unit])}
        told["colour"] = colour
        if self.board.battle.lore:
            told |= {name: bool(state[name][0][unit]) for name in ("webbed", "poisoned")}
            told["stored"] = int(state["stored"][0][unit])
        return told

    def _lore(self, state: State) -> dict[str, Any]:
        return {
            "lore_hand": {side: self._lore_cards(state["lore_hand"][0, number]) for number, side in enumerate(SIDES)},
            "lore_deck": int(state["lore_deck"][0].sum()),
            "lore_discard": int(state["lore_discard"][0].sum()),
            "chalice": _by_side(state["tokens"][0]),
            "pool": int(state["pool"][0]),
            "on_cards": _by_side(state["lore_paid"][0]),
        }

    def _commands(self, counts: IntArray) -> list[str]:
        return sorted(self.board.command_ids(counts))

    def _lore_cards(self, counts: IntArray) -> list[str]:
        return sorted(self.board.lore_ids(counts))

    def _ground(self, state: State) -> dict[str, list[str]]:
        """Return hex -> terrains of hexes that are, or were, more than countryside."""
        before = self.last.get("ground", {})
        if "ground" not in state and before:
            return before  # type: ignore[no-any-return]
        codes = state["ground"][0] if "ground" in state else self.board.battle.field.ground
        names = [[terrain.id for terrain in ground.terrains] for ground in self.board.battle.field.grounds]
        ids = {cell_name(cell): names[codes[cell + 1]] for cell in hexes()}
        return {name: list(there) for name, there in ids.items() if there != [COUNTRYSIDE] or name in before}

    def _owners(self, state: State) -> dict[str, str]:
        owners = state["owner"][0] if "owner" in state else self.board.battle.field.owner
        return {cell_name(cell): SIDES[owners[cell + 1]] for cell in hexes() if owners[cell + 1] >= 0}


def _by_side(numbers: IntArray) -> dict[str, int]:
    return {side: int(number) for side, number in zip(SIDES, numbers, strict=True)}
