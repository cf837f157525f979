"""Tables about a solved duel: openings, how mixed play is, what skill is worth, and what +1 of a number is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from balance.base.errors import RulesError
from balance.base.numbers import SURE
from balance.chance.rolls.process import Policy
from balance.chance.solvers import MatrixSolutions, RoundsSolution, solve_matrix_game, solve_rounds, strategy_ranges
from balance.game.solution import Cell, SolutionTable
from balance.games.edadh.cards.records import LEVELS, Troop
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.forces import compile_force
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import moves_of

DRAW = 0.5
MIN_SHARE = 1e-6
"""From which share on an option counts as used."""
MOST_VARIED = 1_000
"""States that a duel may have that is solved again with one number raised; with a higher MP bonus it may have many."""
STATS = ("ml", "mp_bonus", "protection", "piercing", "att", "def", "od", "dd")
CARD_STATS = ("discard_value", "psyche")
"""Numbers of a troop: by combat level, and once for the card."""
DUELS = 1000
"""Duels that a score is the mean of."""
OPENING = ("card", "a plays", "b plays")
Players = Mapping[str, Policy]


def opening_of_play(solution: MatrixSolutions) -> SolutionTable:
    """Return how often each mastery card opens a duel, by the mixes of a solved first turn."""
    shares = zip(range(1, 13), solution.row_strategies[0].tolist(), solution.column_strategies[0].tolist(), strict=True)
    return SolutionTable(
        "opening",
        "First mastery card: how often each value is played by the play that was found.",
        OPENING,
        tuple(shares),
    )


def against_players(
    moves: Moves, player: LookAhead, players: Players, seed: int, duels: int = DUELS
) -> dict[str, tuple[float, float]]:
    """Return what side a scores where it plays `player` against each policy, and where each policy plays against that.

    A score is the mean of `duels` duels.
    """
    return {
        name: (
            score(moves, (player, weaker), duels, seed, f"a against {name}"),
            score(moves, (weaker, player), duels, seed, f"b against {name}"),
        )
        for name, weaker in players.items()
    }


def skill_table(
    scores: Mapping[str, tuple[float, float]], value: float, duels: int = DUELS, half_width: float = 0.0
) -> SolutionTable:
    """Return what each side scores by this play against other players, and how much that is above the value.

    `scores` have, by player, what side a scores where it plays so, and where side b does; `half_width` is that of the
    value, 0 where the play is solved.
    """
    rows: list[tuple[Cell, ...]] = []
    for name, (a, a_against_b) in scores.items():
        b = 1 - a_against_b
        rows.append((name, a, a - value, b, b - (1 - value)))
    play, precision = "Solved play", precision_of(duels).capitalize()
    if half_width:
        play = "The play that was found"
        precision += f"; gains, to about {100 * math.hypot(half_of(duels), half_width):.1f} pp"
    title = f"{play} against players by rule: scores, and the gain on its own value. {precision}."
    columns = ("against", "a scores", "a gains", "b scores", "b gains")
    return SolutionTable("skill", title, columns, tuple(rows), differences=("a gains", "b gains"))


def half_of(duels: int) -> float:
    """Return half a 95 % interval of a mean of so many scores from 0 to 1, at its widest."""
    return SURE * 0.5 / math.sqrt(duels)


def precision_of(duels: int) -> str:
    """Return how well a mean of so many scores from 0 to 1 is known, at 95 %, in words and percentage points.

    >>> precision_of(1000)
    'means of 1,000 duels, each right to about 3.1 pp'
    """
    return f"means of {duels:,} duels, each right to about {100 * half_of(duels):.1f} pp"


def opening_table(states: DuelStates, solution: RoundsSolution) -> SolutionTable:
    """Return how often each mastery card opens the duel, and the least and most that any optimal strategy plays it."""
    payoffs = states.payoffs(0, solution.values)[0]
    game, ranges = solve_matrix_game(payoffs), strategy_ranges(payoffs)
    a_columns = (game.row_strategy, ranges.row_low, ranges.row_high)
    columns = (*a_columns, game.column_strategy, ranges.column_low, ranges.column_high)
    rows = tuple((cv, *(float(np.clip(column[cv - 1], 0, 1)) for column in columns)) for cv in range(1, 13))
    names = ("card", "a plays", "a least", "a most", "b plays", "b least", "b most")
    title = "First mastery card: how often each value is played, and the least and most over all optimal ways to play."
    return SolutionTable("opening", title, names, rows)


def never_played(opening: SolutionTable, side: str) -> tuple[int, ...]:
    """Return the mastery values that no optimal way to open plays, by an `opening_table`, for side "a" or "b".

    >>> table = SolutionTable("opening", "", ("card", "a most"), ((1, 0.5), (2, 0.0)))
    >>> never_played(table, "a")
    (2,)
    """
    column = opening.columns.index(f"{side} most")
    return tuple(int(row[0]) for row in opening.rows if float(row[column]) <= MIN_SHARE)


def useless_table(opening: SolutionTable) -> SolutionTable:
    """Return the mastery values that neither side ever opens with, in any optimal way to play."""
    rows = tuple((side, ", ".join(map(str, never_played(opening, side))) or "none") for side in SIDES)
    return SolutionTable(
        "useless", "Mastery values not worth opening with: in no optimal play.", ("side", "cards"), rows
    )


def mixing_table(solution: RoundsSolution) -> SolutionTable:
    """Return how mixed optimal play is: how many cards have a positive probability, over all states of each turn."""
    rows: list[tuple[Cell, ...]] = []
    for turn, (a_policy, b_policy) in enumerate(
        zip(solution.row_policies[:-1], solution.column_policies[:-1], strict=True), 1
    ):
        for side, policy in zip(SIDES, (a_policy, b_policy), strict=True):
            cards = (policy > MIN_SHARE).sum(axis=1)
            rows.append((turn, side, len(cards), float(np.mean(cards == 1)), f"{cards.mean():.2f}", int(cards.max())))
    title = "How mixed play is: states of each turn of a Period, the share where one card is enough, and cards needed."
    return SolutionTable("mixing", title, ("turn", "side", "states", "one card", "cards", "most"), tuple(rows))


def stat_table(duel: Duel, value: float) -> SolutionTable:
    """Return how +1 of every number of every troop changes the value for its side, by solving each duel again."""
    rows: list[tuple[Cell, ...]] = []
    for side_index, troop, stat, variant in raised_by_one(duel):
        try:
            states = DuelStates.of(moves_of(variant), MOST_VARIED)
        except RulesError:
            continue
        gain = float(solve_rounds(states, duel.max_periods, DRAW).values[0]) - value
        rows.append((SIDES[side_index], troop.name, stat, gain if side_index == 0 else -gain))
    title = "What one more of a number is worth to its side (a draw counts half); none where that makes it too large."
    return SolutionTable("stats", title, ("side", "troop", "number", "gain"), tuple(rows), differences=("gain",))


def raised_by_one(duel: Duel) -> Iterator[tuple[int, Troop, str, Duel]]:
    """Yield (side, troop, number, the duel with +1 of it), leaving out values that a card may not have."""
    for side_index, force in enumerate(duel.arena.forces):
        for kind, troop in enumerate(force.troops):
            for stat in (*STATS, *CARD_STATS):
                name = number_column(duel, stat)
                if getattr(troop, name) is None:
                    continue
                variant = troop.model_copy(update={name: getattr(troop, name) + 1})
                troops = (*force.troops[:kind], variant, *force.troops[kind + 1 :])
                forces = list(duel.arena.forces)
                forces[side_index] = compile_force(troops, force.unit.arrangements[0])
                yield side_index, troop, stat, replace(duel, arena=replace(duel.arena, forces=(forces[0], forces[1])))


def number_column(duel: Duel, number: str) -> str:
    """Return the column of `troops` with one of `STATS` or `CARD_STATS`, at the one combat level of a duel."""
    return number if number in CARD_STATS else f"{LEVELS[duel.levels.item()]}_{number}"
