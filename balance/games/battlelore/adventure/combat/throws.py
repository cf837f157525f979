"""Battle dice on the board: the rules ask for them, and each throw is one moment of luck (BL-DIE-01)."""

from __future__ import annotations

from typing import cast

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import RollsError
from balance.chance.rolls.dice import Pool
from balance.chance.rolls.requests import Answer, Request
from balance.chance.rolls.rolls import Rolls
from balance.games.battlelore.adventure.luck import dice_of, moment
from balance.games.battlelore.adventure.terms.turn import Turn


class Throws(Rolls):
    """The dice that the player of a side throws in trials, each once; the watch is told what they show.

    No dice take no moment of luck.
    """

    def __init__(self, turn: Turn, side: int, rows: IntArray) -> None:
        self.n, self._turn, self._side, self._rows = len(rows), turn, side, rows

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer requests for pools of dice, however many in each trial; raise `RollsError` for any other."""
        if not isinstance(request, Pool) or request.n_dice is None:
            raise RollsError(f"the board cannot answer {type(request).__name__} {request.name!r}")
        turn, is_thrown, name = self._turn, request.n_dice > 0, request.name.strip()
        rolls = moment(turn.state, self._rows, dice_of(self._side), is_thrown)
        shown = rolls.pool(request.die, request.k, name, request.n_dice)
        if turn.watch is not None:
            faces = np.stack(list(shown.values()), axis=1).astype(np.int8)[is_thrown]
            turn.report("throw", self._side, self._rows[is_thrown], name=name, faces=faces, n=request.n_dice[is_thrown])
        return cast("Answer", shown)
