"""Solving games of simultaneous choices: arrays in, strategies out, each with its measured gap. Knows no game.

* `solve_matrix_games`: exact, thousands of small games at once; `approximate_matrix_games`: for large ones.
* `solve_layers`, `solve_sweeps`: games over many states, without and with a way back; `certify`, `best_response`;
  `solve_rounds`: with a way back, for a limited number of rounds.
* `solve_logit_games`: players who err; `strategy_ranges`: how far optimal strategies may differ.
"""

from balance.solvers.best_response import Certificate, Response, best_response, certify
from balance.solvers.games import GAP_TOLERANCE, MatrixSolutions
from balance.solvers.logit import LogitSolutions, solve_logit_games
from balance.solvers.matrix_games import MatrixSolution, solve_matrix_game, solve_matrix_games
from balance.solvers.ranges import StrategyRanges, strategy_ranges
from balance.solvers.regret import approximate_matrix_games
from balance.solvers.rounds import RoundsSolution, solve_rounds
from balance.solvers.stages import ArrayGame, Stage, StagedGame
from balance.solvers.stochastic import StagedSolution, solve_layers, solve_sweeps

__all__ = [
    "GAP_TOLERANCE",
    "ArrayGame",
    "Certificate",
    "LogitSolutions",
    "MatrixSolution",
    "MatrixSolutions",
    "Response",
    "RoundsSolution",
    "Stage",
    "StagedGame",
    "StagedSolution",
    "StrategyRanges",
    "approximate_matrix_games",
    "best_response",
    "certify",
    "solve_layers",
    "solve_logit_games",
    "solve_matrix_game",
    "solve_matrix_games",
    "solve_rounds",
    "solve_sweeps",
    "strategy_ranges",
]
