"""Looking ahead at every combat level (WE-LEVEL.1), and cards that change places between Periods (WE-SWAP.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.base.errors import RulesError
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import start_of
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.solving import training
from balance.games.edadh.solving.approximate import Effort, solve_approximately
from balance.games.edadh.solving.estimate import phase_of
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solve import solve_exactly
from balance.games.edadh.solving.training import LearningEffort, learn, moves_of

QUICK = LearningEffort(duels=40, generations=2, window=2000)
SIGMAS = 4.5
"""A right answer fails one of these tests about once in 100,000 seeds; the seeds are fixed."""


def moves(a: str, b: str, *changes: str) -> Moves:
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


STANDARD = moves("angueth_terrain", "huaos_dzaa_terrain")
BALLISTIC = moves("archers/clanmaidens", "gunners/blunderbuss", "a.mp=14", "b.mp=14", "situation.level=ballistic")


def test_positions_are_told_apart_by_the_level_they_are_fought_at() -> None:
    """Two Periods at Ballistic level, one at Charge, all others at Melee; one level throughout has one phase a turn."""
    assert STANDARD.duel.levels.tolist() == [0, 0, 1, 2]
    state: State = {"turns": np.array([3, 0, 2, 1, 3]), "period": np.array([1, 2, 3, 4, 9])}
    assert phase_of(STANDARD.duel, state).tolist() == [3, 4, 10, 13, 15]
    assert phase_of(BALLISTIC.duel, state).tolist() == state["turns"].tolist()
    assert ("period" in STANDARD.position_columns, "period" in BALLISTIC.position_columns) == (True, False)


@dataclass(frozen=True, eq=False)
class Likes:
    """Worths by how many cards of one kind stand in front of either Unit."""

    moves: Moves
    kinds: tuple[int, int]

    def __call__(self, state: State) -> FloatArray:
        worth = np.full(len(state["over"]), 0.5)
        for me, (side, sign) in enumerate((("a", 0.25), ("b", -0.25))):
            arrangements = self.moves.duel.arena.forces[me].unit.arrangements
            front = np.array([sum(bool(c) and c[0] == self.kinds[me] for c in cards) / 3 for cards in arrangements])
            worth += sign * front[state[f"{side}_unit"].astype(np.intp)]
        return worth


def regrouped(duels: Moves, kinds: tuple[int, int], period: int) -> list[set[int]]:
    """Return which kinds of card stand in front of either Unit once both sides may have changed their places."""
    player = LookAhead(worth=Likes(duels, kinds))
    duel = replace(duels.duel, policies=(player, player))
    state: State = {name: np.array([value], np.int16) for name, value in start_of(duel).items()}
    process = duel_process(duel, duels.resolve)
    after = process.step(len(process.steps) - 1)({**state, "period": np.array([period])}, RandomRolls(1, "swaps", 0, 1))
    units = [int(after[f"{side}_unit"][0]) for side in "ab"]
    return [
        {cards[0] for cards in force.unit.arrangements[u] if cards}
        for force, u in zip(duel.arena.forces, units, strict=True)
    ]


@pytest.mark.parametrize("kinds", [(0, 0), (1, 1), (0, 1), (1, 0)])
def test_cards_change_places_where_that_is_worth_more(kinds: tuple[int, int]) -> None:
    """Each side by its own lights, in every column; at Melee level cards stay as they stand."""
    assert regrouped(BALLISTIC, kinds, 2) == [{kind} for kind in kinds]
    assert regrouped(STANDARD, kinds, 3) == [{kind} for kind in kinds]
    assert regrouped(STANDARD, kinds, 6) == [{0}, {0}]


@pytest.mark.slow("test_positions_are_told_apart_by_the_level_they_are_fought_at")
def test_orders_are_legal_and_duels_end_at_every_level() -> None:
    worth = learn(STANDARD, 0, LearningEffort(duels=30, generations=0, window=2000))
    player = LookAhead(worth=worth)
    duel = replace(STANDARD.duel, policies=(player, player))
    ends = simulate(duel_process(duel, STANDARD.resolve), RandomRolls(0, "levels", 0, 20))
    assert len(ends["winner"]) == 20
    assert worth.weights is not None and len(worth.weights) == 16
    met = [bool(np.abs(weights).sum() > 0) for weights in worth.weights]
    assert all(met[:3]) and met[3] and all(met[4:15]), "every number of turns left, at every level"


@pytest.mark.slow("test_cards_change_places_where_that_is_worth_more")
@pytest.mark.parametrize("side", [0, 1])
def test_who_looks_ahead_beats_who_plays_anything(side: int) -> None:
    weak, player = Uniform(), LookAhead(worth=learn(BALLISTIC, 0, QUICK))
    even = score(BALLISTIC, (weak, weak), 1000, 1, "even")
    mine = score(BALLISTIC, (player, weak) if side == 0 else (weak, player), 1000, 1, "mine")
    assert (mine - even if side == 0 else even - mine) > SIGMAS * 0.5 * (2 / 1000) ** 0.5


def test_solved_exactly_it_is_refused_by_field() -> None:
    for duel, found in ((STANDARD, "standard movement"), (BALLISTIC, "ballistic")):
        with pytest.raises(RulesError) as refused:
            solve_exactly(duel, {}, 0)
        (fault,) = refused.value.faults
        assert (fault.field, fault.found, fault.allowed) == ("situation.level", found, "melee")
        assert "set=situation.level=melee" in fault.tip and "approximate" in fault.tip


@pytest.mark.slow(
    "tests/games/edadh/solving/test_approximate.py::test_the_best_answers_that_were_found_are_scored_anew"
)
def test_approximately_it_is_learnt() -> None:
    solution = solve_approximately(BALLISTIC, {}, 0, Effort(learning=QUICK, duels=40))
    assert solution.kind == "approximate" and not solution.converged
    assert "learnt in 2 generations" in solution.method
    assert [table.name for table in solution.tables] == ["opening", "answers", "skill"]


@pytest.mark.slow("test_positions_are_told_apart_by_the_level_they_are_fought_at")
def test_it_can_be_chosen_as_a_player_at_every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "EFFORT", LearningEffort(duels=20, generations=0, window=500))
    for armies in (("angueth_terrain", "huaos_dzaa_terrain"), ("archers:2/clanmaidens", "gunners")):
        assert load("edadh").ask("duel", *armies, policy_a="lookahead").simulate(20, seed=0).n_trials == 20
