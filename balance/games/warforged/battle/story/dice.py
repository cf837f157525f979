"""The dice of one attack in words, in the order in which they are looked at (ledger, reference order of one attack).

The faces are asked of the same luck by the same names as the engine asks; what came of them, the engine has said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.keyed_rolls import KeyedRolls
from balance.chance.rolls.process import State
from balance.game.question.board_story import Result
from balance.games.warforged.attack import UP
from balance.games.warforged.battle.turns.position import burnt
from balance.games.warforged.battle.turns.terms import Battle
from balance.games.warforged.cards import Weapon

Unit: TypeAlias = tuple[int, int]
"""A unit by its side and its place in the army."""


@dataclass(frozen=True, eq=False)
class ShotTold:
    """One attack in one battle, `[1, ...]`, as it stands before.

    `weapon` is the number of the weapon, and `outcome` what came of the dice, by column of `attack.COLUMNS`.
    """

    battle: Battle
    state: State
    attacker: Unit
    target: Unit
    weapon: int
    outcome: Mapping[str, int]

    @property
    def card(self) -> Weapon:
        """The card of the weapon, which `weapon` numbers."""
        return self.battle.muster.weapons[self.weapon]

    @property
    def d10(self) -> int:
        """The face of the precision die, 0 to 9 under that reading of WF-Q1."""
        return self._faces("precision", self.battle.terms.read.precision_faces, 1)[0] - (
            1 - self.battle.terms.read.lowest_d10
        )

    @property
    def is_dodged(self) -> bool:
        """Whether it would have hit, had the target not been Slim."""
        return self.d10 <= self.card.precision and not self.outcome["hit"]

    @property
    def shielded(self) -> bool:
        """Whether it hit, and an active Supershield took it."""
        return bool(self.outcome["hit"]) and self._is_up

    @property
    def result(self) -> Result:
        """Hit, critical or miss."""
        return "critical" if self.outcome["critical"] else "hit" if self.outcome["hit"] else "miss"

    def words(self) -> str:
        """Return what came of it: "hit, 2 damage"."""
        if not self.outcome["hit"]:
            return "dodged" if self.is_dodged else "miss"
        text = "critical hit" if self.outcome["critical"] else "hit"
        if self.shielded:
            text += f", but the Supershield takes it and {'burns out' if self.outcome['shield_lost'] else 'stays up'}"
        if self.outcome["damage"] or not self.shielded:
            text += f", {self.outcome['damage']} damage"
        return text

    def dice(self) -> Iterator[str]:
        """Yield each throw that mattered in words, with its faces and what came of it."""
        yield self._precision()
        if self.d10 <= self.card.precision and self.battle.slim[self._kind]:
            yield f"D{self._special} Slim {self._face('slim')}: {'dodged' if self.is_dodged else 'not dodged'}"
        if self._is_up and (self.outcome["hit"] or self.battle.terms.read.shield_rolls_always):
            shield_text = "burns out" if self.outcome["shield_lost"] else "stays up"
            yield f"D{self._special} Supershield {self._face('shield')}: it {shield_text}"
        armour = [self._armour()] if self.outcome["hit"] and not (self.outcome["critical"] or self.shielded) else []
        burn = [self._burn()] if self._has_effects and "laser" in self.card.effects else []
        yield from burn + armour if self.battle.terms.read.burn_helps_itself else armour + burn

    def throws(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the same throws as plain data: what for, and the faces."""
        read, hit = self.battle.terms.read, bool(self.outcome["hit"])
        yield "precision", [self.d10]
        if self.d10 <= self.card.precision and self.battle.slim[self._kind]:
            yield "slim", [self._face("slim")]
        if self._is_up and (hit or read.shield_rolls_always):
            yield "shield", [self._face("shield")]
        n_dice = sum(self._n_armour()) if "piercing" not in self.card.effects else 0
        rolls_armour = hit and not (self.outcome["critical"] or self.shielded) and n_dice > 0
        armour = [("armour", self._faces("armour", self._special, n_dice))] if rolls_armour else []
        burn = [("burn", [self._face("burn")])] if self._has_effects and "laser" in self.card.effects else []
        yield from burn + armour if read.burn_helps_itself else armour + burn

    @property
    def _has_effects(self) -> bool:
        """Whether the weapon's effects come about: on a hit, by the readings of WF-Q7 and WF-Q11."""
        read = self.battle.terms.read
        is_barred = (self.outcome["critical"] and not read.crits_have_effects) or (
            self.shielded and not read.effects_through_shield
        )
        return bool(self.outcome["hit"]) and not is_barred

    @property
    def _kind(self) -> int:
        return int(self.state["kind"][0][self.target])

    @property
    def _is_up(self) -> bool:
        return bool(self.state["shield"][0][self.target] == UP)

    @property
    def _special(self) -> int:
        return self.battle.terms.special_faces

    def _faces(self, name: str, faces: int, k: int) -> list[int]:
        rolls = KeyedRolls(self.state["luck"], self.state["events"])
        return [int(face) for face in rolls.d(faces, k, name)[0]]

    def _face(self, name: str) -> int:
        return self._faces(name, self._special, 1)[0]

    def _precision(self) -> str:
        face, precision = self.d10, self.card.precision
        miss_or_hit = f"below {precision}, a hit" if face < precision else f"above {precision}, a miss"
        text = f"equals {precision}, a critical hit" if face == precision else miss_or_hit
        return f"D{self.battle.terms.read.precision_faces} precision {face}: {text}"

    def _armour(self) -> str:
        """Return in words what the armour dice of a hit show, and block."""
        base = self.card.damage
        if "piercing" in self.card.effects:
            return f"Piercing, no armour dice: damage {base}"
        armour, cover = self._n_armour()
        if not armour + cover:
            return f"no armour dice: damage {base}"
        faces = self._faces("armour", self._special, armour + cover)
        read = self.battle.terms.read
        blocking_faces = read.blocking_faces if read.blocking_faces is not None else range(1, armour + 1)
        n_blocks = sum(face in blocking_faces for face in faces)
        dice = "D" if len(faces) == 1 else f"{len(faces)}D"
        parts_text = f" ({armour} armour, {cover} cover)" if cover else ""
        damage = self.outcome["damage"] - (self.outcome["splash"] if self.battle.terms.read.splash_hits_primary else 0)
        comparison = ", at least" if base - n_blocks < damage else " ="
        return (
            f"{dice}{self._special} armour {' '.join(map(str, faces))}{parts_text}: {n_blocks} blocked, "
            f"damage {base} - {n_blocks}{comparison} {damage}"
        )

    def _n_armour(self) -> tuple[int, int]:
        """Return the armour dice, less what burns have taken, and the dice of cover, 0 for a Laser."""
        lost_armour = int(burnt(self.state["burn"][0][self.target][None])[0])
        lost_armour += self.outcome["burn"] if self.battle.terms.read.burn_helps_itself else 0
        cells = (int(self.state["cell"][0][unit]) + 1 for unit in (self.attacker, self.target))
        cover = 0 if "laser" in self.card.effects else int(self.battle.cover_table[tuple(cells)])
        return max(int(self.battle.armour[self._kind]) - lost_armour, 0), cover

    def _burn(self) -> str:
        face, attacks = self._face("burn"), self.battle.terms.read.burn_attacks
        lasts = f"armour {face} less for the next {show_many(attacks, 'attack')} at it"
        return f"D{self._special} burn {face}: {lasts if self.outcome['burn'] else 'nothing burns'}"


def said_of(outcome: State) -> dict[str, int]:
    """Return the outcome columns of one attack, `[1]` each, as plain numbers."""
    return {name: int(np.asarray(values)[0]) for name, values in outcome.items()}
