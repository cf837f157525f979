"""War for Edadh solved: the value of a duel when both sides play optimally (levels A to C).

Small duels are solved exactly: every state is found (`exact`), and backward induction over the Periods ends with a
certificate, for `max_periods` of them (WE-Q19). Good play of larger ones is learnt, and answered in play
(`approximate`), so that how far it can be exploited is known from below only.
"""

from __future__ import annotations

from balance.chance.solvers import solve_rounds
from balance.game.solution import Method, Solution
from balance.games.edadh.duel.duel_state import DuelSetup
from balance.games.edadh.solving.approximate import solve_approximately
from balance.games.edadh.solving.exact import DuelStates, KnownWorth
from balance.games.edadh.solving.look_ahead import LookAhead
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import (
    DRAW,
    Players,
    against_players,
    mixing_table,
    opening_table,
    skill_table,
    stat_table,
    useless_table,
)
from balance.games.edadh.solving.training import moves_of

__all__ = ["moves_of", "solve", "solve_approximately", "solve_exactly"]

FEW_STATES = 400
"""Up to so many states, the duel is solved again with every number of every troop raised by one."""


def solve(setup: DuelSetup, method: Method, seed: int) -> Solution:
    """Solve a duel by "exact" or "approximate", as `QuestionKind.solve` does, with the players that the duel has.

    Raises `RulesError` if the duel is too large, or has parts that solving does not know.
    """
    solving = solve_exactly if method == "exact" else solve_approximately
    return solving(moves_of(setup.duel), setup.players, seed)


def solve_exactly(moves: Moves, players: Players, seed: int) -> Solution:
    """Solve a small duel, and certify it; the seed is for duels against the players there are."""
    states, duel = DuelStates.of(moves), moves.duel
    solution = solve_rounds(states, duel.max_periods, DRAW)
    value, n_states = float(solution.values[0]), sum(states.layer_sizes)
    player, opening = LookAhead(worth=KnownWorth(moves, states, solution.values)), opening_table(states, solution)
    skill = skill_table(against_players(moves, player, players, seed), value)
    tables = [opening, useless_table(opening), mixing_table(solution), skill]
    if n_states <= FEW_STATES:
        tables.append(stat_table(duel, value))
    return Solution(
        kind="exact",
        method=f"Every state was solved, from the last of {duel.max_periods} Periods to the first.",
        value=value,
        lower=float(solution.lower[0]),
        upper=float(solution.upper[0]),
        exploitability=solution.exploitability,
        converged=solution.converged,
        iterations=solution.rounds,
        n_states=n_states,
        tables=tuple(tables),
    )
