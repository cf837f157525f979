"""Solvers for games of simultaneous choices: arrays in, strategies out, each with its measured gap.

* `solve_matrix_games`: exact, thousands of small games at once; `strategy_ranges`: how far optimal strategies may
  differ.
* `solve_rounds`: games over many states, which may return to earlier ones, for a limited number of rounds.
"""

from balance.chance.solvers.games import GAP_TOLERANCE, MatrixSolutions
from balance.chance.solvers.matrix_games import MatrixSolution, solve_matrix_game, solve_matrix_games
from balance.chance.solvers.ranges import StrategyRanges, strategy_ranges
from balance.chance.solvers.rounds import RoundsSolution, solve_rounds
from balance.chance.solvers.stages import StagedGame

__all__ = [
    "GAP_TOLERANCE",
    "MatrixSolution",
    "MatrixSolutions",
    "RoundsSolution",
    "StagedGame",
    "StrategyRanges",
    "solve_matrix_game",
    "solve_matrix_games",
    "solve_rounds",
    "strategy_ranges",
]
