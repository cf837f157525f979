"""The player `lookahead`: it learns what positions of its duel are worth before its first card, and plays by them.

It is the policy that `balance solve --method approximate` measures, learnt in a shorter time and always from the same
seed, so that the same duel meets the same player. It is no equilibrium: how much it concedes is for `solve` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from balance.core.process import State
from balance.games.edadh.battle import Battle
from balance.games.edadh.look_up import TurnTable, literally
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import Effort, learn
from balance.solvers.games import Floats

__all__ = ["LOOK_AHEAD", "LearntWorth", "moves_of", "with_look_ahead"]

LOOK_AHEAD = "lookahead"
"""The player's name among the choices of a duel."""
EFFORT = Effort(duels=400, generations=6, window=20_000)
"""About half a minute for six cards a side."""
SEED = 0


@dataclass(frozen=True, eq=False)
class LearntWorth:
    """Worths that are learnt when they are first asked for."""

    moves: Moves

    @cached_property
    def estimate(self) -> Estimate:
        """What was learnt."""
        return learn(self.moves, SEED, EFFORT)

    def __call__(self, state: State) -> Floats:
        """Return what states are worth to side a, `float64[n]`."""
        return self.estimate(state)


def moves_of(battle: Battle) -> Moves:
    """Return the choices of a duel, with its turns as a look-up where that is small enough."""
    arena = battle.arena
    return Moves(battle, TurnTable.of(arena) if TurnTable.fits(arena) else literally(arena))


def with_look_ahead(battle: Battle, chosen: Sequence[str]) -> Battle:
    """Return a duel with the player `lookahead` on the sides that chose it; the other policies stay.

    Parameters
    ----------
    chosen
        Names of the players of side a and of side b.

    Raises
    ------
    RulesError
        A duel with parts that the player does not know.
    """
    if LOOK_AHEAD not in chosen:
        return battle
    player = LookAhead(worth=LearntWorth(moves_of(battle)))
    one, other = (
        player if name == LOOK_AHEAD else policy for name, policy in zip(chosen, battle.policies, strict=True)
    )
    return replace(battle, policies=(one, other))
