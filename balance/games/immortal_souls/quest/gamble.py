"""A game at the Rising Pony: pay, name a result, roll, and be paid if the die shows it (IS-ECO.10, IS-Q33)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.base.errors import Fault, UsageError, comma_list, suggestion
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.game.game import Column
from balance.game.kit import once
from balance.game.setup import Asked, AskedSide, EntrantKind, Setup
from balance.games.immortal_souls.rules.effects import RESULTS
from balance.games.immortal_souls.rules.results import die_of
from balance.games.immortal_souls.tables.tables import constants_of, faces_of

GAMBLE_COLUMNS: Mapping[str, Column] = {"crowns": Column("crowns won, less the stake", "effect", per="game")}


@dataclass(frozen=True)
class Wager:
    """The result of the die that a player bets on."""

    result: str

    def inputs(self) -> dict[str, Any]:
        """Return the result named, as id and name."""
        return {"id": self.result, "name": self.result}


def _read(side: AskedSide[Any, Any]) -> Wager:
    """Return the result that is named, one of all six; one without a prize only loses the stake."""
    result = side.text
    if result not in RESULTS:
        tip = suggestion(result.upper(), RESULTS)
        raise UsageError(
            Fault("is no result of a die", side.root, found=side.text, allowed=comma_list(RESULTS), tip=tip)
        )
    return Wager(result)


WAGER = EntrantKind(
    "wager",
    ids=lambda catalogue: list(RESULTS),
    label=lambda catalogue, text: text,
    cost_points=lambda catalogue, text: 0,
    read=_read,
    written="the result that is named",
    cards=lambda catalogue, text: (),
)


@dataclass(frozen=True)
class Game:
    """A game, ready to be played; the die's only symbol is the result named, and stake and prize are in crowns."""

    die: SymbolDie
    stake: int
    prize: int


def gamble_setup(question: Asked[Any, Any, Any]) -> Setup[Game]:
    """Prepare a game at the Rising Pony; a result without a prize pays 0."""
    rule, result = constants_of(question.catalogue).economy, question.sides["wager"].result
    prizes = dict(zip(rule.pony_results, rule.pony_prizes, strict=True))
    die = die_of(faces_of(question.catalogue, rule.pony_die), [result], rest=False)
    return Setup(Game(die, rule.pony_stake, prizes.get(result, 0)), question.inputs())


def gamble_processes(setup: Setup[Game], lane: str = "literal") -> tuple[Process, ...]:
    """Return the one process of a game, the same in every lane."""
    game = setup.play

    def roll(state: State, rolls: Rolls) -> State:
        (successes,) = rolls.pool(game.die, 1, "pony").values()
        return {"crowns": np.where(successes > 0, game.prize - game.stake, -game.stake).astype(np.int16)}

    return (once({"crowns": 0}, [roll], GAMBLE_COLUMNS),)
