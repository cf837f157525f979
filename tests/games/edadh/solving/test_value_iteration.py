"""Worths on grids: at every node they are the exact solution, and answers find what there is to find, and no more.

Twins: solved on every node against backward induction over every state; what the best responses claim against best
responses over every state, to the very same mixes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from balance.base.arrays import BoolArray, FloatArray
from balance.chance.rolls.process import State
from balance.chance.solvers import MatrixSolutions, solve_matrix_games, solve_rounds
from balance.game.loaded import load
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate import chosen_grids, decisions, value_iteration
from balance.games.edadh.solving.approximate.grid import Nodes, Worths
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.card_tables import table_size
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.periods import Grids
from balance.games.edadh.solving.approximate.solver import Effort, found_play
from balance.games.edadh.solving.approximate.value_iteration import Precision, iterate
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.solution_tables import DRAW
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.every_node import precisely
from tests.games.edadh.solving.worths import best_responses, moves, reached

SMALL = [
    ("shieldsmen", "spears", 9, 8),
    ("archers/shieldsmen", "gunners", 3, 6),
    pytest.param("shieldsmen+archers", "spears", 3, 4, marks=pytest.mark.slow),
]
TWO_EACH = pytest.param("spears:2", "shieldsmen:2", 10, 10, marks=pytest.mark.slow)
CLOSE = 0.005
"""A claimed gap is the true one up to this."""


@pytest.mark.parametrize(("a", "b", "a_mp", "b_mp"), [*SMALL, TWO_EACH])
def test_with_a_node_at_every_number_it_is_the_exact_solution(a: str, b: str, a_mp: int, b_mp: int) -> None:
    """At every state, and its play cannot be exploited."""
    duel, precision = moves(a, b, f"a.mp={a_mp}", f"b.mp={b_mp}"), precisely(max(a_mp, b_mp) + 7)
    states, listed = DuelStates.of(duel), Configurations.of(duel)
    exact, reach = solve_rounds(states, 60, 0.5), reached(listed)
    play = iterate(listed, reach, precision)
    columns = {name: np.concatenate([part[name] for part in states.columns]) for name in states.columns[0]}
    assert play.worth(columns) == pytest.approx(exact.values, abs=5e-4)
    held, conceded = (float(each(duel.start())[0]) for each in best_responses(play.worth, reach, precision))
    for bounds in ((held, conceded), play.bounds):
        assert bounds == pytest.approx((exact.values[0],) * 2, abs=0.002)


class Seen(decisions.Equilibria):
    """Remembers who mixed: where several ways are as good, answers to them differ."""

    made: ClassVar[list[Seen]] = []

    def __init__(self, gap: float, mixes: dict[object, tuple[Worths, Worths]] | None = None) -> None:
        super().__init__(gap, mixes)
        self.made.append(self)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """Return those who will have mixed, one for each group where nodes are not to be chosen, all in this process."""
    monkeypatch.setattr(value_iteration, "n_processes", lambda: 1)
    monkeypatch.setattr(Seen, "made", [])
    monkeypatch.setattr(value_iteration, "Equilibria", Seen)
    return Seen.made


def as_it_looks_ahead(states: DuelStates, worth: GridWorth) -> list[tuple[FloatArray, FloatArray]]:
    """Return how both sides mix in every state where they solve it at the very MP they have, by layer."""
    known = np.concatenate([worth(columns) for columns in states.columns])
    found = [
        solve_matrix_games(states.payoffs(layer, known), *states.legal(layer)) for layer in range(len(states.columns))
    ]
    return [(each.row_strategies, each.column_strategies) for each in found]


def mixed(
    states: DuelStates, worth: GridWorth, grids: tuple[Grids, ...], seen: list[Seen]
) -> list[tuple[FloatArray, FloatArray]]:
    """Return how both sides mixed in every state, by layer; where there is no node, as they look ahead."""
    layers = as_it_looks_ahead(states, worth)
    assert len(seen) == len(worth.configurations.groups)
    for columns, mixes in zip(states.columns[:-1], layers[:-1], strict=True):
        _write_mixed(columns, mixes, worth.configurations, grids, seen)
    return layers


def _write_mixed(
    columns: State,
    mixes: tuple[FloatArray, FloatArray],
    listed: Configurations,
    grids: tuple[Grids, ...],
    seen: list[Seen],
) -> None:
    turns, rows = int(columns["turns"][0]), listed.rows(columns, np.ones(len(columns["over"]), bool))
    found = 0
    for number, group in enumerate(listed.groups):
        for grade, own in enumerate(group.grades[turns]):
            nodes = grids[number][min(grade, len(grids[number]) - 1)].nodes[turns]
            for at in np.flatnonzero((rows >= own.start) & (rows < own.stop)).tolist():
                mp = [int(columns[f"{side}_mp"][at]) - int(columns[f"{side}_damage"][at]) for side in SIDES]
                i, j = (_place(max(x, each[0]), each) for x, each in zip(mp, nodes, strict=True))
                if min(i, j) >= 0:
                    parts = enumerate(group.parts(turns, grade, table_size(own)))
                    table, part = next((k, part) for k, part in parts if rows[at] < part.stop)
                    place = (i * len(nodes[1]) + j) * (part.stop - part.start) + int(rows[at]) - part.start
                    for mix, noted in zip(mixes, seen[number].mixes[turns, grade, table], strict=True):
                        mix[at] = noted[:, place]
                    found += 1
    assert found > 0.5 * len(rows), "most states are at nodes"


def _place(mp: int, nodes: Nodes) -> int:
    """Return which node it is, -1 if none."""
    return nodes.index(mp) if mp in nodes else -1


def against_every_state(states: DuelStates, mixes: list[tuple[FloatArray, FloatArray]], side: int) -> float:
    """Return what side a scores at the start where one side mixes so and is answered best in every state."""
    sizes = np.cumsum([0, *states.layer_sizes])
    values = np.full(sizes[-1], 0.5)
    for _ in range(60):
        for layer in reversed(range(len(mixes))):
            values[sizes[layer] : sizes[layer + 1]] = _answered(
                states.payoffs(layer, values), states.legal(layer)[1 - side], mixes[layer][side], side
            )
    return float(values[0])


def _answered(payoffs: FloatArray, legal: BoolArray | None, mix: FloatArray, side: int) -> FloatArray:
    paid = np.einsum("si,sij->sj" if side == 0 else "sj,sij->si", mix, payoffs)
    if side == 0:
        return np.asarray(np.where(True if legal is None else legal, paid, np.inf).min(axis=1))
    return np.asarray(np.where(True if legal is None else legal, paid, -np.inf).max(axis=1))


@pytest.mark.slow("test_what_is_found_of_a_duel_that_can_be_solved_exactly")
@pytest.mark.parametrize(("a", "b", "a_mp", "b_mp"), SMALL)
def test_the_gap_that_is_claimed_is_the_true_one(a: str, b: str, a_mp: int, b_mp: int, seen: list[Seen]) -> None:
    """Play by worths that are wrong, with noise in them."""
    precision = precisely(max(a_mp, b_mp) + 7)
    assert precision.grid is not None
    duel = moves(a, b, f"a.mp={a_mp}", f"b.mp={b_mp}")
    states, listed = DuelStates.of(duel), Configurations.of(duel)
    reach = reached(listed)
    coarse, rng, gaps = iterate(listed, reach, Precision(max_full_positions=0)).worth, np.random.default_rng(6), []
    for noise in (0.02, 0.1):
        worth, begun = noisy(coarse, noise, rng), len(seen)
        claimed = [float(each(duel.start())[0]) for each in best_responses(worth, reach, precision)]
        mixes = mixed(states, worth, ((precision.grid,),) * len(listed.groups), seen[begun:])
        true = [against_every_state(states, mixes, side) for side in (0, 1)]
        assert claimed == pytest.approx(true, abs=CLOSE)
        gaps.append(true[1] - true[0])
    assert max(gaps) > 0.01, "there is something to find"


def noisy(worth: GridWorth, noise: float, rng: np.random.Generator) -> GridWorth:
    """Return worths with noise in them, inside of 0 and 1."""

    def one(values: Worths) -> Worths:
        moved = values + noise * rng.standard_normal(values.shape, np.float32)
        return np.asarray(0.5 + 0.49 * np.tanh(2 * (moved - 0.5)), np.float32)

    values = tuple(tuple(tuple(one(each) for each in graded) for graded in own) for own in worth.values)
    return replace(worth, values=values)


SOLVED_EXACTLY = [
    *SMALL[:2],
    ("shieldsmen+archers", "spears", 3, 4),
    ("spears", "shieldsmen", 9, 8),
    ("spears", "shieldsmen+archers", 4, 3),
    ("gunners", "archers", 6, 6),
    pytest.param("spears", "shieldsmen", 60, 60, marks=pytest.mark.slow),
    TWO_EACH,
]
BRACKETED = 5e-4
"""Bounds claimed on grids are right up to this: duels are called draws now and then, and worths settle slowly."""


@pytest.mark.parametrize(("a", "b", "a_mp", "b_mp"), SOLVED_EXACTLY)
def test_what_is_found_of_a_duel_that_can_be_solved_exactly(
    a: str, b: str, a_mp: int, b_mp: int, seen: list[Seen]
) -> None:
    """As `balance solve` finds it: bounds are about the exact value, and the gap that is claimed is the true one.

    True is what best responses over every state find, against the very mixes at the nodes and against the play that
    looks ahead by the worths that were found.
    """
    setup = load("edadh").ask("duel", a, b, [f"a.mp={a_mp}", f"b.mp={b_mp}"]).setup
    duel = moves_of(setup.duel)
    states = DuelStates.of(duel)
    exact = float(solve_rounds(states, setup.duel.max_periods, DRAW).values[0])
    found = found_play(duel, setup.players, 0, Effort())
    worth, bounds = found.worth, found.bounds
    assert isinstance(worth, GridWorth) and bounds is not None
    assert bounds == pytest.approx((exact, exact), abs=CLOSE)
    assert bounds[0] <= exact + BRACKETED and exact - BRACKETED <= bounds[1]
    assert bounds[0] <= bounds[1] + 1e-6
    for mixes in (mixed(states, worth, worth.grids, seen), as_it_looks_ahead(states, worth)):
        true = [against_every_state(states, mixes, side) for side in (0, 1)]
        assert true == pytest.approx(bounds, abs=CLOSE)
        assert true[0] <= exact + 1e-6 and exact - 1e-6 <= true[1], "the answer is a best one"


@pytest.mark.slow("test_what_is_found_of_a_duel_that_can_be_solved_exactly")
@pytest.mark.parametrize(
    ("a", "b", "a_mp", "b_mp", "many", "waits"),
    [
        ("shieldsmen", "spears", 5, 5, chosen_grids.POINTS_FROM, True),
        ("spears", "shieldsmen", 9, 8, chosen_grids.POINTS_FROM, True),
        ("shieldsmen+archers", "spears", 3, 4, 20, True),
        ("spears", "shieldsmen", 60, 60, chosen_grids.POINTS_FROM, False),
    ],
)
def test_play_on_chosen_nodes_cannot_be_exploited_either(
    a: str, b: str, a_mp: int, b_mp: int, many: int, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By best responses over every state; nor does whoever is ahead wait, which play that does not tire does.

    With mastery points to spare nobody waits in either way of playing. Also where so many configurations that no duel
    came to have worths at a few points only.
    """
    monkeypatch.setattr(chosen_grids, "POINTS_FROM", many)
    setup = load("edadh").ask("duel", a, b, [f"a.mp={a_mp}", f"b.mp={b_mp}"]).setup
    duel = moves_of(setup.duel)
    states = DuelStates.of(duel)
    exact = float(solve_rounds(states, setup.duel.max_periods, DRAW).values[0])

    def conceded(tires: float) -> list[float]:
        found = found_play(duel, setup.players, 0, Effort(precision=Precision(max_full_positions=0, draw_chance=tires)))
        assert isinstance(found.worth, GridWorth)
        assert any(told for grids in found.worth.grids for grid in grids for told in grid.predictions) == (many < 100)
        mixes = as_it_looks_ahead(states, found.worth)
        return [abs(against_every_state(states, mixes, side) - exact) for side in (0, 1)]

    assert max(conceded(Precision().draw_chance)) < CLOSE
    assert (max(conceded(0.0)) > 0.05) == waits


def test_mixes_are_kept_while_they_are_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that have moved by less than the gap are not solved anew; those that have moved by more are."""
    solved = list[int]()

    def counted(payoffs: FloatArray, tolerance: float) -> MatrixSolutions:
        solved.append(len(payoffs))
        return solve_matrix_games(payoffs, tolerance=tolerance)

    monkeypatch.setattr(decisions, "solve_matrix_games", counted)
    rng, decide = np.random.default_rng(3), decisions.Equilibria(0.01)
    games = rng.random((4, 5, 30), np.float32)
    exact = solve_matrix_games(games.transpose(2, 0, 1)).values
    assert decide("some", games) == pytest.approx(exact, abs=0.01)
    assert 0 < solved[0] <= 30, "a game with a saddle point needs no solving"
    assert decide("some", games + np.float32(1e-4)) == pytest.approx(exact + 1e-4, abs=0.01)
    assert len(solved) == 1
    moved = games.copy()
    moved[:, :, 7] = rng.random((4, 5), np.float32) * 9
    assert decide("some", moved)[7] == pytest.approx(solve_matrix_games(moved[None, :, :, 7]).values[0], abs=0.01)
    assert solved[1:] == [1]
    decide("others", games)
    assert solved[2:] == solved[:1], "other games have mixes of their own"


def checked_nodes(listed: Configurations, reach: Reach) -> int:
    """Return how many nodes there are at every number, after a look at when these are all given."""
    every = value_iteration._fixed_grids(listed, reach, Precision())
    n_nodes = sum(
        (rows.stop - rows.start) * grid.shape(turns)[0] * grid.shape(turns)[1]
        for group, (grid,) in zip(listed.groups, every, strict=True)
        for turns, rows in enumerate(group.rows)
    )
    assert value_iteration._fixed_grids(listed, reach, Precision(max_full_positions=n_nodes)) == every
    assert value_iteration._fixed_grids(listed, reach, Precision(max_full_positions=n_nodes - 1)) == []
    return int(n_nodes)


def test_nodes_are_at_every_number_unless_these_are_too_many() -> None:
    listed = Configurations.of(moves("shieldsmen", "spears", "a.mp=5", "b.mp=5"))
    assert checked_nodes(listed, reached(listed)) > 1


@pytest.mark.slow("test_nodes_are_at_every_number_unless_these_are_too_many")
def test_a_duel_whose_positions_are_too_many_for_every_node_has_them_chosen() -> None:
    """Fewer of them than there would be at every number."""
    listed = Configurations.of(moves("shieldsmen+archers", "spears", "a.mp=30", "b.mp=30"))
    reach = reached(listed)
    n_nodes = checked_nodes(listed, reach)
    chosen = iterate(listed, reach, Precision(max_full_positions=n_nodes - 1, price=(1e-8, 1e-8)))
    assert chosen.worth.n_nodes < n_nodes / 4
    assert len(set(chosen.worth.grids)) == len(listed.groups), "each group has nodes of its own"


@pytest.mark.parametrize(
    ("rounds", "by_process"),
    [
        (2, [False, True]),
        pytest.param(1, [True], marks=pytest.mark.slow),
        pytest.param(3, [False, False, True], marks=pytest.mark.slow),
    ],
)
def test_before_the_last_two_rounds_answers_look_one_choice_ahead(
    monkeypatch: pytest.MonkeyPatch, rounds: int, by_process: list[bool]
) -> None:
    """By the play's own worths; duels played against them show where the next round's nodes are to be."""
    listed, meet = Configurations.of(moves("spears", "shieldsmen", "a.mp=2", "b.mp=2")), value_iteration._reach_of_play
    told = list[list[bool]]()

    def met(worth: GridWorth, answers: tuple[GridWorth, GridWorth], number: int) -> Reach:
        told.append([answer is not worth for answer in answers])
        return meet(worth, answers, number)

    monkeypatch.setattr(value_iteration, "_reach_of_play", met)
    play = iterate(listed, reached(listed), Precision(max_full_positions=0, rounds=rounds))
    assert told == [[each, each] for each in by_process]
    assert all(answer is not play.worth for answer in play.answers), "the last is answered by decision processes"


def test_answers_are_gone_through_twice_as_long_as_play() -> None:
    """On the first nodes and on those chosen: until they change by half as much, and at most twice as often."""
    precision = Precision(change=(0.5, 0.25), max_steps=(3, 7), draw_chance=0.06)
    for step, (change, most) in enumerate([(0.5, 3), (0.25, 7)]):
        assert precision.sweep_limits(step) == (change, most, 0.06)
        assert precision.answer_limits(step) == (change / 2, 2 * most, 0.06)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
@pytest.mark.parametrize("few", [pytest.param(0, marks=pytest.mark.slow), 3_000_000])
@pytest.mark.parametrize(
    ("sides", "numbers"),
    [
        (("shieldsmen", "spears", "a.mp=2", "b.mp=2"), (1, 2)),
        pytest.param(("shieldsmen+archers", "spears", "a.mp=3", "b.mp=4"), (1, 2, 3), marks=pytest.mark.slow),
    ],
    ids=["2", "3"],
)
def test_processes_that_solve_together_find_what_one_does(
    monkeypatch: pytest.MonkeyPatch, sides: tuple[str, str, str, str], numbers: tuple[int, ...], few: int
) -> None:
    """To the bit: worths, and answers to them, on chosen nodes and at points, and on every node."""
    monkeypatch.setattr(chosen_grids, "POINTS_FROM", 20)
    monkeypatch.setattr(value_iteration, "LARGE", 30)
    listed = Configurations.of(moves(*sides))
    found = list[list[Worths]]()
    for n in numbers:
        monkeypatch.setattr(value_iteration, "n_processes", lambda n=n: n)
        reach, said = reached(listed), list[str]()
        play = iterate(listed, reach, Precision(max_full_positions=few), said.append)
        answers = best_responses(play.worth, reach, Precision(max_full_positions=few))
        worths = (play.worth, *play.answers, *answers)
        found.append([own for worth in worths for group in worth.values for graded in group for own in graded])
        assert len(said) == len(listed.groups) * (3 if few else 1 + 3 + 3), "one of them tells of each group"
    for other in found[1:]:
        assert all(np.array_equal(*pair) for pair in zip(found[0], other, strict=True))
