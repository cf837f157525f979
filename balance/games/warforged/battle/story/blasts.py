"""The blasts of one action of one battle in words: what bursts, whom it hurts, who falls, and who was saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.game.question.board_story import Blast
from balance.games.warforged.battle.map.battle_map import NO_CELL
from balance.games.warforged.battle.story.board import BattleStep, Board
from balance.games.warforged.battle.story.dice import Unit
from balance.games.warforged.battle.turns.actions import ATTACK
from balance.games.warforged.battle.turns.strike import Wave

SAVES = {
    ("slim", True): "it dodges the blast",
    ("slim", False): "it does not dodge the blast",
    ("shield", True): "it takes the blast and stays up",
    ("shield", False): "it takes the blast and burns out",
}
"""Ability and whether it saved -> what came of it."""


@dataclass(frozen=True, eq=False)
class BlastsTold:
    """The blasts of a step on a board."""

    board: Board
    step: BattleStep

    def words(self) -> Iterator[str]:
        """Yield what bursts and who falls of it, wave by wave; an Overload by its own will has no name in front."""
        for wave in self.step.waves:
            bursts, is_first = _units(wave.centres[0]), wave.number == 0
            is_splash = is_first and self.step.action.verb[0] == ATTACK
            if not bursts or (is_splash and not wave.losses.any()):
                continue
            verb = "explode" if len(bursts) > 1 else "explodes"
            source = "overloads" if is_first else f"{self._names(bursts)} {verb}"
            yield f"{'splash' if is_splash else source}{self._harm(wave)}"
            if names := self._names(_units(wave.casualties[0] & (wave.losses[0] > 0))):
                yield f"{names} {'fall' if ' and ' in names else 'falls'}"

    def _names(self, units: Sequence[Unit]) -> str:
        return list_text([self.board.name(unit, self.step.side) for unit in units])

    def _harm(self, wave: Wave) -> str:
        """Return in words whom a wave hurts, units of equal damage together."""
        by_damage: dict[int, list[Unit]] = {}
        for unit in _units(wave.losses[0] > 0):
            by_damage.setdefault(int(wave.losses[0][unit]), []).append(unit)
        parts = [f"{damage} damage to {self._names(by_damage[damage])}" for damage in sorted(by_damage, reverse=True)]
        return f": {'; '.join(parts) or 'nobody is hurt'}"

    def drawn(self) -> tuple[Blast, ...]:
        """Return the bursts of all waves with their cells, as a page draws them."""
        ground = self.board.battle.ground
        return tuple(
            Blast(cell, tuple(reached for reached in cells if ground.map.ground[reached] != NO_CELL))
            for wave in self.step.waves
            for cell in map(self.step.cell, _units(wave.centres[0]))
            for cells in [np.flatnonzero(ground.near(wave.radius)[cell + 1, 1:]).tolist()]
        )

    def saves(self) -> tuple[str, ...]:
        """Return, as sentences, the dice that units throw against blasts: Slim (WF-Q4) and Supershields (WF-Q15)."""
        faces, names = self.board.battle.terms.special_faces, {"slim": "Slim", "shield": "Supershield"}
        rolled = [
            (number, unit, ability, int(shown[0][unit]), bool(saved[0][unit]))
            for number, wave in enumerate(self.step.waves)
            for ability, (shown, saved) in wave.saves.items()
            for unit in _units(shown[0] > 0)
        ]
        return tuple(
            f"D{faces} {names[ability]} of {self.board.name(unit, self.step.side)} {face}: {SAVES[ability, saved]}"
            for _, unit, ability, face, saved in sorted(rolled, key=lambda roll: roll[:2])
        )


def _units(flags: BoolArray | IntArray) -> list[Unit]:
    """Return the units that are set in `[2, K]`, by side and place."""
    return [(int(side), int(place)) for side, place in np.argwhere(flags)]


def list_text(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> list_text(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
