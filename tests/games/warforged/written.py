"""Battles whose actions and dice are written down, as in the rulebook's examples, through the very engine.

Luck goes by key. So dice are not put in: the key is searched whose dice show what is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import balance
from balance.base.arrays import IntArray
from balance.chance.rolls.board import bits_of
from balance.chance.rolls.keyed_rolls import KeyedRolls, Keys
from balance.chance.rolls.process import start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.game.question.narration import Narration
from balance.game.question.question import Question
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.map.battle_map import BattleMap
from balance.games.warforged.battle.map.ground import Ground
from balance.games.warforged.battle.play import battle_process
from balance.games.warforged.battle.story.battle import Teller
from balance.games.warforged.battle.turns.actions import ATTACK, END, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.terms import Battle

GAME = balance.load("warforged")
CODES = {"end": END, "attack": ATTACK, "move": MOVE, "jump": JUMP, "raise": RAISE, "overload": EXPLODE}
KEYS = np.arange(2**17, dtype=np.uint64)
Step = tuple[str, int, int]
"""What, by which unit of the army, and to which cell or at which enemy (-1: neither); "again" has no unit."""
Faces = Mapping[str, Sequence[int]]


def at(name: str) -> int:
    """Return the cell that the board calls so."""
    return 16 * (ord(name[0]) - ord("A")) + int(name[1:]) - 1


def luck_showing(dice: Mapping[int, Faces]) -> Keys:
    """Return a key, `uint64[1]`, whose dice show what is written: number of the attack -> name -> faces, 0 for any."""
    keys = KEYS
    for number, named in dice.items():
        for name, faces in named.items():
            rolls = KeyedRolls(keys, np.full(len(keys), number))
            shown = rolls.d(10 if name == "precision" else 6, len(faces), name)
            keys = keys[((shown == faces) | (np.array(faces) == 0)).all(axis=1)]
    assert len(keys), "no key shows these dice"
    return keys[:1]


@dataclass
class Written:
    """A player who does what is written, and fails where the engine does not list that."""

    steps: list[Step]

    def begin(self, position: Position) -> Written:
        """Return that it plays on."""
        return self

    def decide(self, position: Position) -> Action:
        """Return the next action."""
        action, rows = Action.turn_ends(1), np.array([0])
        what, unit, where = self.steps.pop(0) if self.steps else ("end", 0, -1)
        own, there = np.array([unit]), np.array([where])
        if what == "attack":
            assert position.attacks(0)[0, unit, where], f"unit {unit} cannot attack {where}"
            action.put(rows, ATTACK, own, slot=rows, target=there)
        elif what in ("move", "jump"):
            assert (position.may_move if what == "move" else position.may_jump)[0, unit]
            cells = (position.moves if what == "move" else position.jumps)(rows, own)
            assert bits_of(cells)[0, where], f"unit {unit} cannot {what} to {where}"
            action.put(rows, CODES[what], own, cell=there)
        elif what != "end":
            assert (position.may_raise if what == "raise" else position.may_explode)[0, unit]
            action.put(rows, CODES[what], own)
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return the next target of Rapid Fire, if one is written."""
        if not self.steps or self.steps[0][0] != "again":
            return np.array([-1])
        target = self.steps.pop(0)[2]
        weapon = position.battle.muster.slots[position.kinds[0, unit], slot]
        assert position.attacks_of(unit, weapon)[0, target]
        return np.array([target])


def on_map(asked: Question, field: BattleMap) -> tuple[Battle, AskedBattle]:
    """Return a battle as it is asked for, but on a map of one's own."""
    play: AskedBattle = asked.setup.play
    return replace(play.battle, ground=Ground(field, diagonal=True)), play


def written(
    asked: Question,
    field: BattleMap,
    a: list[Step],
    b: list[Step],
    dice: Mapping[int, Faces],
    cells: Mapping[tuple[int, int], str] | None = None,
) -> Narration:
    """Play a battle on a map of one's own as it is written, and return it told.

    Parameters
    ----------
    cells
        Where units stand at first, by side and place; by default on their bases.
    """
    battle, play = on_map(asked, field)
    teller = Teller(battle)
    armies = tuple(np.array([army], np.int16) for army in play.armies)
    players = Written(list(a)), Written(list(b))
    order = {"a": "ab", "b": "ba"}[play.first]
    process = battle_process(battle, (armies[0], armies[1]), np.array([play.limit]), players, order, teller.watch)
    state = start_state(process, 1, RandomRolls(0, "written", 0, 1))
    state["luck"] = luck_showing(dice)
    for unit, cell in (cells or {}).items():
        state["cell"][0][unit] = at(cell)
    return teller.story(process, state, RandomRolls(0, "written", 0, 1))
