"""Worths on a grid: its tables hold the rules, at every node it is the exact solution, and answers find what they can.

Twins: the tables against the rules at the same mastery points; solved on every node against backward induction over
every state; what the best responses claim against best responses over every state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from balance.core import State
from balance.core.process import take_trials
from balance.games.edadh.solving import value_iteration
from balance.games.edadh.solving.card_tables import PART, card_tables
from balance.games.edadh.solving.choices import EndChoices, TurnChoices
from balance.games.edadh.solving.configurations import Configurations
from balance.games.edadh.solving.end_tables import Starts
from balance.games.edadh.solving.grid import CAP, COARSE, LOW, Worths
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.states import DuelStates
from balance.games.edadh.solving.training import moves_of
from balance.games.edadh.solving.value_iteration import GridWorth, Precision, best_responses, iterate
from balance.games.edadh.view import SIDES
from balance.protocol.loaded import load
from balance.solvers import solve_matrix_games, solve_rounds
from balance.solvers.games import Floats
from tests.games.edadh.solving.every_node import EVERY, LESS, precisely


def moves(a: str, b: str, *changes: str) -> Moves:
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


def any_worth(listed: Configurations, seed: int) -> GridWorth:
    """Return worths without any sense, another at every node."""
    rng, values = np.random.default_rng(seed), []
    for turns, columns in enumerate(listed.columns):
        n = len(columns["over"])
        every = rng.random((n, CAP - LOW + 1, CAP - LOW + 1), np.float32)
        one, other = (EVERY.mp(turns, columns[f"{side}_damage"]) - LOW for side in SIDES)
        values.append(every[np.arange(n)[:, None, None], one[:, :, None], other[:, None, :]])
    return GridWorth(listed, EVERY, tuple(values))


DUELS = [
    ("shieldsmen+archers", "spears/swords", ()),
    ("shieldmaidens:2", "gunners", ("a.mp=60", "b.mp=59")),
    ("archers:2", "spears+gunners", ("situation.level=ballistic", "a.mp=58", "b.mp=9")),
    ("archers+shieldsmen", "spears", ("rules.combine_on_tie=true", "rules.refill=at_once", "rules.dd_from=defender")),
]


def at_some_mp(listed: Configurations, turns: int, rows: slice, n: int, rng: np.random.Generator) -> State:
    """Return n of some configurations at MP of all kinds, none of which is a defeat already."""
    state = take_trials(listed.columns[turns], rng.integers(rows.start, rows.stop, n))
    for side in SIDES:
        low = state[f"{side}_damage"] + LOW if turns else np.zeros(n, np.int16)
        state[f"{side}_mp"] = rng.integers(low, CAP + 1).astype(np.int16)
    return state


@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
def test_tables_of_turns_hold_the_rules_at_any_mastery_points(a: str, b: str, changes: tuple[str, ...]) -> None:
    """The cap (WE-SETUP.3) and defeats by damage (WE-EOP.1) among them."""
    duel = moves(a, b, *changes)
    listed = Configurations.of(duel)
    worth, rng, k = any_worth(listed, 2), np.random.default_rng(1), len(EVERY.nodes[1])
    for group in listed.groups:
        for turns in range(1, len(listed.columns)):
            below = worth.values[turns - 1][group.rows[turns - 1]]
            columns = take_trials(listed.columns[turns - 1], group.rows[turns - 1])
            spread = EVERY.spread(turns - 1, below, (columns["a_damage"], columns["b_damage"]))
            for table in card_tables(listed, group, turns):
                payoffs = table.payoffs(EVERY, spread).reshape(12, 12, -1, k, k)
                first = group.rows[turns].start
                part = slice(first + table.rows.start, first + table.rows.stop)
                state = at_some_mp(listed, turns, part, 20, rng)
                row = listed.rows(state, np.ones(20, bool)) - part.start
                one, other = (state[f"{side}_mp"] - state[f"{side}_damage"] - LOW for side in SIDES)
                told = TurnChoices(duel, state).payoffs(worth).transpose(1, 2, 0)
                assert payoffs[:, :, row, one, other] == pytest.approx(told, abs=2e-6)


@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
def test_tables_of_ends_hold_the_rules_at_any_mastery_points(a: str, b: str, changes: tuple[str, ...]) -> None:
    """What must be discarded, who may retire (WE-RETIRE.1), rout (WE-SHAKE.1), and who has lost (WE-WIN.1)."""
    duel = moves(a, b, *changes)
    listed = Configurations.of(duel)
    starts, worth = Starts.of(listed), any_worth(listed, 3)
    spread = starts.spread()
    for turns, place in enumerate(starts.place):
        mine, columns = np.flatnonzero(place >= 0), listed.columns[turns]
        damage = columns["a_damage"][mine], columns["b_damage"][mine]
        spread[place[mine]] = EVERY.spread(turns, worth.values[turns][mine], damage)
    rng, k = np.random.default_rng(1), CAP + 1
    for table in (table for tables in starts.tables for table in tables):
        games = list(table.payoffs(EVERY, starts.endings, k, spread))
        state = at_some_mp(listed, 0, table.rows, 20, rng)
        rows = listed.rows(state, np.ones(20, bool)) - table.rows.start
        for number, row in enumerate(rows.tolist()):
            one = take_trials(state, [number])
            at = (row * k + int(one["a_mp"][0])) * k + int(one["b_mp"][0])
            (ours,) = (payoffs[:, :, where == at] for where, payoffs in games if (where == at).any())
            told = EndChoices(duel, one).payoffs(worth)
            assert np.sort(ours.ravel()) == pytest.approx(np.sort(told.ravel()), abs=2e-6)
            value = solve_matrix_games(told).values
            assert solve_matrix_games(ours.transpose(2, 0, 1)).values == pytest.approx(value, abs=2e-6)


SMALL = [
    ("shieldsmen", "spears", 9, 8),
    ("shieldsmen+archers", "spears", 3, 4),
    ("archers/shieldsmen", "gunners", 3, 6),
]
TWO_EACH = pytest.param("spears:2", "shieldsmen:2", 10, 10, marks=pytest.mark.slow)


@pytest.mark.parametrize(("a", "b", "a_mp", "b_mp"), [*SMALL, TWO_EACH])
def test_with_a_node_at_every_number_it_is_the_exact_solution(a: str, b: str, a_mp: int, b_mp: int) -> None:
    """At every state, and its play cannot be exploited."""
    duel = moves(a, b, f"a.mp={a_mp}", f"b.mp={b_mp}")
    states = DuelStates.of(duel)
    exact = solve_rounds(states, 60, 0.5)
    worth = iterate(Configurations.of(duel), precisely(max(a_mp, b_mp) + 7))
    columns = {name: np.concatenate([part[name] for part in states.columns]) for name in states.columns[0]}
    assert worth(columns) == pytest.approx(exact.values, abs=5e-4)
    held, conceded = (float(each(duel.begun())[0]) for each in best_responses(worth, precisely(max(a_mp, b_mp) + 7)))
    assert held == pytest.approx(exact.values[0], abs=0.002)
    assert conceded == pytest.approx(exact.values[0], abs=0.002)


class Seen(value_iteration._Equilibria):
    """Remembers how both sides mixed: where several ways are as good, answers to them differ."""

    mixes_of: ClassVar[dict[object, tuple[Worths, Worths]]] = {}

    def __call__(self, which: object, payoffs: Worths) -> Worths:
        values = super().__call__(which, payoffs)
        self.mixes_of[which] = self.mixes[which]
        return values


def mixed(listed: Configurations, state: State, side: int, k: int) -> Floats:
    """Return how a side mixed its cards in states with a turn left, `float64[s, 12]`."""
    (turns,) = set(state["turns"].tolist())
    rows = listed.rows(state, np.ones(len(state["over"]), bool))
    nodes = [np.maximum(state[f"{name}_mp"] - state[f"{name}_damage"] + LESS, 0) for name in SIDES]
    mixes = np.empty((len(rows), 12))
    for at, row in enumerate(rows.tolist()):
        first = next(group.rows[turns].start for group in listed.groups if group.rows[turns].stop > row)
        part = (row - first) // PART * PART
        place = ((row - first - part) * k + int(nodes[0][at])) * k + int(nodes[1][at])
        mixes[at] = Seen.mixes_of[turns, first + part][side][:, place]
    return mixes


def against_every_state(listed: Configurations, states: DuelStates, worth: GridWorth, side: int, k: int) -> float:
    """Return what side a scores at the start where one side mixes by `worth` and is answered best in every state."""
    sizes, last = np.cumsum([0, *states.layer_sizes]), len(states.columns) - 1
    known = np.concatenate([worth(columns) for columns in states.columns])
    found = solve_matrix_games(states.payoffs(last, known), *states.legal(last))
    mixes = [mixed(listed, columns, side, k) for columns in states.columns[:-1]]
    mixes.append(found.row_strategies if side == 0 else found.column_strategies)
    values = np.full(sizes[-1], 0.5)
    for _ in range(60):
        for layer in reversed(range(len(mixes))):
            values[sizes[layer] : sizes[layer + 1]] = _answered(
                states.payoffs(layer, values), states.legal(layer)[1 - side], mixes[layer], side
            )
    return float(values[0])


def _answered(payoffs: Floats, legal: npt.NDArray[np.bool_] | None, mix: Floats, side: int) -> Floats:
    paid = np.einsum("si,sij->sj" if side == 0 else "sj,sij->si", mix, payoffs)
    if side == 0:
        return np.asarray(np.where(True if legal is None else legal, paid, np.inf).min(axis=1))
    return np.asarray(np.where(True if legal is None else legal, paid, -np.inf).max(axis=1))


@pytest.mark.parametrize(("a", "b", "a_mp", "b_mp"), SMALL)
def test_the_gap_that_is_claimed_is_the_true_one(
    a: str, b: str, a_mp: int, b_mp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play by worths that are wrong, with noise in them."""
    monkeypatch.setattr(value_iteration, "_Equilibria", Seen)
    precision = precisely(max(a_mp, b_mp) + 7)
    k = len(precision.grids[0].nodes[1])
    duel = moves(a, b, f"a.mp={a_mp}", f"b.mp={b_mp}")
    states, listed = DuelStates.of(duel), Configurations.of(duel)
    coarse, rng, gaps = iterate(listed, Precision((COARSE,), 1e-4, (40,))), np.random.default_rng(6), []
    for noise in (0.02, 0.1):
        noisy = (each + noise * rng.standard_normal(each.shape, np.float32) for each in coarse.values)
        inside = tuple((0.5 + 0.49 * np.tanh(2 * (each - 0.5))).astype(np.float32) for each in noisy)
        worth = replace(coarse, values=inside)
        claimed = [float(each(duel.begun())[0]) for each in best_responses(worth, precision)]
        true = [against_every_state(listed, states, worth, side, k) for side in (0, 1)]
        assert claimed == pytest.approx(true, abs=0.005)
        gaps.append(true[1] - true[0])
    assert max(gaps) > 0.01, "there is something to find"
