"""Duels, and worths without any sense on a node at every number of MP, for what is worked out of worths."""

from __future__ import annotations

import math

import numpy as np

from balance.chance.rolls.process import State, take_trials
from balance.chance.solvers.team import shared
from balance.game.loaded import load
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate import value_iteration
from balance.games.edadh.solving.approximate.decisions import EQUAL, Equilibria
from balance.games.edadh.solving.approximate.grid import CAP, LOW, Grid, Worths
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.on_grid import OnGrid
from balance.games.edadh.solving.approximate.periods import GradeWorths, Period
from balance.games.edadh.solving.approximate.prediction import Prediction
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.every_node import EVERY

DUELS = [
    ("shieldsmen+archers", "spears/swords", ()),
    ("shieldmaidens:2", "gunners", ("a.mp=60", "b.mp=59")),
    ("archers:2", "spears+gunners", ("situation.level=ballistic", "a.mp=58", "b.mp=9")),
    ("archers+shieldsmen", "spears", ("rules.combine_on_tie=true", "rules.refill=at_once", "rules.dd_from=defender")),
]


def moves(a: str, b: str, *changes: str) -> Moves:
    """Return the choices of a duel."""
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


def best_responses(
    worth: GridWorth, reach: Reach, precision: value_iteration.Precision, say: value_iteration.Say = lambda text: None
) -> tuple[GridWorth, GridWorth]:
    """Return values to side a where side a plays by `worth` against a best response, and where side b does.

    The play mixes as its value function says at every node of another grid; the response is a decision process there.
    """
    finer, grid = value_iteration._finer(reach, precision, 1), precision.grid
    lists, starts = TurnLists.of(worth.configurations), Starts.of(worth.configurations)
    start_worths, answers = (
        shared(worth.begins(starts)),
        value_iteration._Answers(starts, precision.answer_limits(1), say),
    )

    def answer(period: Period) -> None:
        below = [start_worths, *(worth.spread(period.number, turns) for turns in range(len(period.turns) - 1))]
        on = finer(period, start_worths, Equilibria(EQUAL)) if grid is None else OnGrid(period, (grid,))
        answers.add(on, value_iteration._mixed(on, below, precision.gap[1]), start_worths)

    value_iteration._each_group(lists, starts, answer)
    return answers.worths(worth.configurations)


def reached(listed: Configurations, seed: int = 0) -> Reach:
    """Return where duels come in which any card is played."""
    return Reach.of(listed, [Uniform()], seed)


def in_grades(listed: Configurations, seed: int = 0) -> Configurations:
    """Return the same configurations in three grades, as if duels came to a few of them most often, and to some not."""
    rng = np.random.default_rng(seed)
    often = [rng.random(len(columns["over"])) for columns in listed.columns]
    return listed.in_grades([np.where(each > 0.3, each**4, 0) for each in often])


def told_from(grid: Grid, turns: int, seed: int) -> Prediction:
    """Return a prediction without any sense of worths at the nodes of a grid from those at three of them."""
    rng, n, points = np.random.default_rng(seed), math.prod(grid.shape(turns)), np.array([5, 0, 3])
    weights, level = rng.normal(0, 0.3, (3, n)), rng.random(n)
    weights[:, points], level[points] = np.eye(3), 0.0
    return Prediction(points, weights.astype(np.float32), level.astype(np.float32))


def any_worth(listed: Configurations, seed: int) -> GridWorth:
    """Return worths without any sense, another at every node."""
    rng, values = np.random.default_rng(seed), []
    for group in listed.groups:
        own = list[GradeWorths]()
        for turns, grades in enumerate(group.grades):
            own.append(tuple(_any_at_nodes(listed, turns, rows, rng) for rows in grades))
        values.append(tuple(own))
    return GridWorth(listed, ((EVERY,),) * len(listed.groups), tuple(values))


def _any_at_nodes(listed: Configurations, turns: int, rows: slice, rng: np.random.Generator) -> Worths:
    """Return worths at every node; those of nodes that lie at the same MP are the same."""
    n = rows.stop - rows.start
    every = rng.random((n, CAP - LOW + 1, CAP - LOW + 1), np.float32)
    one, other = (mp - LOW for mp in EVERY.mp(turns, listed.damage(turns, rows)))
    return np.asarray(every[np.arange(n)[:, None, None], one, other])


def at_some_mp(listed: Configurations, turns: int, rows: slice, n: int, rng: np.random.Generator) -> State:
    """Return n of some configurations at MP of all kinds, none of which is a defeat already."""
    state = take_trials(listed.columns[turns], rng.integers(rows.start, rows.stop, n))
    for side in SIDES:
        low = state[f"{side}_damage"] + LOW if turns else np.zeros(n, np.int16)
        state[f"{side}_mp"] = rng.integers(low, CAP + 1).astype(np.int16)
    return state
