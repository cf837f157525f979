"""Duels, and worths without any sense on a node at every number of MP, for what is worked out of worths."""

from __future__ import annotations

import numpy as np

from balance.core import State
from balance.core.process import take_trials
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.solving.configurations import Configurations
from balance.games.edadh.solving.grid import CAP, LOW, Worths
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.nodes import Reach
from balance.games.edadh.solving.training import moves_of
from balance.games.edadh.solving.value_iteration import GridWorth
from balance.games.edadh.view import SIDES
from balance.protocol.loaded import load
from tests.games.edadh.solving.every_node import EVERY

__all__ = ["DUELS", "any_worth", "at_some_mp", "moves", "reached"]

DUELS = [
    ("shieldsmen+archers", "spears/swords", ()),
    ("shieldmaidens:2", "gunners", ("a.mp=60", "b.mp=59")),
    ("archers:2", "spears+gunners", ("situation.level=ballistic", "a.mp=58", "b.mp=9")),
    ("archers+shieldsmen", "spears", ("rules.combine_on_tie=true", "rules.refill=at_once", "rules.dd_from=defender")),
]


def moves(a: str, b: str, *changes: str) -> Moves:
    """Return the choices of a duel."""
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


def reached(listed: Configurations, seed: int = 0) -> Reach:
    """Return where duels come in which any card is played."""
    return Reach.of(listed, [Uniform()], seed)


def any_worth(listed: Configurations, seed: int) -> GridWorth:
    """Return worths without any sense, another at every node."""
    rng, values = np.random.default_rng(seed), []
    for group in listed.groups:
        own = list[Worths]()
        for turns, rows in enumerate(group.rows):
            n = rows.stop - rows.start
            every = rng.random((n, CAP - LOW + 1, CAP - LOW + 1), np.float32)
            one, other = (mp - LOW for mp in EVERY.mp(turns, listed.damage(turns, rows)))
            own.append(every[np.arange(n)[:, None, None], one[:, :, None], other[:, None, :]])
        values.append(tuple(own))
    return GridWorth(listed, (EVERY,) * len(listed.groups), tuple(values))


def at_some_mp(listed: Configurations, turns: int, rows: slice, n: int, rng: np.random.Generator) -> State:
    """Return n of some configurations at MP of all kinds, none of which is a defeat already."""
    state = take_trials(listed.columns[turns], rng.integers(rows.start, rows.stop, n))
    for side in SIDES:
        low = state[f"{side}_damage"] + LOW if turns else np.zeros(n, np.int16)
        state[f"{side}_mp"] = rng.integers(low, CAP + 1).astype(np.int16)
    return state
