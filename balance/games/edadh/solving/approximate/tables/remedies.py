"""Which single number, changed by how much, makes a duel even when both sides play as was found.

A duel that begins with other mastery points (MP) or with damage is a position of the same game. So both sides play it
as was found for it, and the best responses that were worked out answer them there, too. A changed card makes another
game: there both sides see the change one choice ahead, and judge what follows by the cards as they were. They do not
learn to make the most of it, so what such a change does when they have is not known.

Changes are tried in few duels, and the smallest that seems to do is played in many, on other dice, and the next if it
does not; one is told only if the score then lies in the band with its whole interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from pydantic import ValidationError

from balance.base.numbers import EVEN_BAND
from balance.chance.rolls.process import Policy, State, take_trials
from balance.chance.solvers.team import n_processes, shares
from balance.game.solution import CHANGE, Cell, SolutionTable
from balance.games.edadh.cards.records import Troop
from balance.games.edadh.rules.forces import compile_force
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.tables.in_play import MIN_GAIN, NearWorth, NumberGain, UnknownPositionError
from balance.games.edadh.solving.choices import Opponent, Worth
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import half_of, number_column, precision_of
from balance.games.edadh.solving.training import moves_of

MOST_CARD_NUMBERS, MOST_STEPS = 4, 5
"""Numbers of cards that are tried, those with the smallest steps, and by how much they are changed at most."""
NEARBY = 8
"""How much less damage positions may count as having that a duel comes to only with a changed card."""
MOST_TRIES = 3
"""Changes of a number that are played in many duels, at most."""
TRY_SHARE = 4
"""A change is tried in one duel for so many that tell what comes of it."""
START = ("mp", "damage")
START_COLUMNS = ("side", "number", "from", "to", "a scores", "a is held to", "b concedes", CHANGE)
CARD_COLUMNS = ("side", "troop", "number", "from", "to", "a scores", CHANGE)


@dataclass(frozen=True, eq=False)
class Change:
    """One number of one side, changed.

    * `side_index`: 0 for side a, 1 for side b.
    * `number`: "mp" or "damage" of the start, or a number of a card.
    * `moves`: the duel with the changed number.
    * `worth`: the value function by which both sides look ahead there.
    * `troop`: the card; None for a number of the start.
    """

    side_index: int
    number: str
    old: int
    new: int
    moves: Moves
    worth: Worth
    troop: Troop | None = None

    @property
    def assignment(self) -> str:
        """The change as `--set` takes it; it also names the dice of its duels."""
        side = SIDES[self.side_index]
        if self.troop is None:
            return f"{side}.{self.number}={self.new}"
        return f"{side}.{self.troop.id}.{number_column(self.moves.duel, self.number)}={self.new}"

    def score(self, n: int, seed: int, policies: tuple[Policy, Policy] | None = None, name: str = "") -> float | None:
        """Return what side a scores in n duels then; None where they come to positions without a worth.

        Both sides look ahead by `worth` unless policies are given; `name` tells these duels' dice from others with the
        change.
        """
        player = LookAhead(worth=self.worth)
        try:
            return score(self.moves, policies or (player, player), n, seed, f"with {self.assignment} {name}")
        except UnknownPositionError:
            return None


@dataclass(frozen=True)
class Remedy:
    """A change that makes the duel even, and what side a scores then."""

    change: Change
    score: float


@dataclass(frozen=True, eq=False)
class ChangedWorth:
    """The value function of a duel with a changed card: that of the cards as they were."""

    moves: Moves
    near: NearWorth

    def __call__(self, state: State) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """Return the values of n states to side a, 0 to 1, `float64[n]`."""
        return self.near(state)


@dataclass(frozen=True, eq=False)
class RemedySearch:
    """Looks for changes that make a duel even: that bring its score, `value` by the play found, into the band `even`.

    `worth` is the value function of that play; a score is the mean of `duels` duels.
    """

    worth: GridWorth
    value: float
    duels: int
    seed: int
    even: tuple[float, float] = field(default=EVEN_BAND)

    @property
    def moves(self) -> Moves:
        """The duel without any change."""
        return self.worth.moves

    @property
    def ahead(self) -> int:
        """The side that scores more than half, 0 for side a and 1 for side b."""
        return 0 if self.value > 0.5 else 1

    def is_even(self, score: float) -> bool:
        """Return whether the whole 95 % interval of a score lies in the band."""
        half = half_of(self.duels)
        return self.even[0] + half <= score <= self.even[1] - half

    # -- numbers of the start --

    def of_start(self) -> list[Remedy]:
        """Return the smallest change of each side's MP and damage at the start that makes the duel even, if any."""
        ways = [(side, number, -1 if (side == self.ahead) == (number == "mp") else 1)
                for side in (self.ahead, 1 - self.ahead) for number in START]  # fmt: skip
        return self.best([self._start_changes(*way) for way in ways])

    def _start_changes(self, side: int, number: str, step: int) -> list[Change]:
        """Return changes of a number of the start around the first with an even predicted score, the smallest first."""
        old = getattr(self.moves.duel, number)[side]
        low, high = (1, self.moves.duel.constants.score.mp_cap) if number == "mp" else (0, self.moves.duel.mp[side])
        values = np.arange(old, (high if step > 0 else low) + step, step)
        start = take_trials(self.moves.start(), np.zeros(len(values), np.intp))
        start |= {f"{SIDES[side]}_{number}": values.astype(np.int16)}
        worths = self.worth(self.moves.tidy(start))
        promised = worths + (self.value - worths[0])
        hopeful = [at for at, score in enumerate(promised.tolist()) if at and self.is_even(score)]
        return [self._with_start(side, number, int(values[at])) for at in _around(hopeful, len(values))
                if np.isfinite(promised[at])]  # fmt: skip

    def _with_start(self, side: int, number: str, new: int) -> Change:
        duel = self.moves.duel
        old = duel.mp if number == "mp" else duel.damage
        begins = (new, old[1]) if side == 0 else (old[0], new)
        duel = replace(duel, mp=begins) if number == "mp" else replace(duel, damage=begins)
        return Change(side, number, old[side], new, Moves(duel, self.moves.resolve), self.worth)

    # -- numbers of a card --

    def of_cards(self, gains: Sequence[NumberGain]) -> list[Remedy]:
        """Return the smallest even change of each card number whose first-order gain predicts one.

        Only the `MOST_CARD_NUMBERS` with the fewest predicted steps are tried.
        """
        foretold = [(self._foretold(gain.mean), gain) for gain in gains if gain.mean > MIN_GAIN]
        room = self.even[1] - 0.5
        hopeful = [((steps, off), gain) for (steps, off), gain in foretold if steps <= MOST_STEPS and off < room]
        smallest = sorted(hopeful, key=lambda pair: pair[0])[:MOST_CARD_NUMBERS]
        return self.best([self._card_changes(gain, steps) for (steps, _), gain in smallest])

    def _foretold(self, gain: float) -> tuple[int, float]:
        """Return by how many steps of `gain` the score comes nearest to one half, and how far off it still is."""
        steps = max(1, round(abs(self.value - 0.5) / gain))
        return steps, abs(abs(self.value - 0.5) - steps * gain)

    def _card_changes(self, gain: NumberGain, steps: int) -> list[Change]:
        """Return changes of a number of a card by about the predicted steps, the smallest first."""
        sign = -1 if gain.side_index == self.ahead else 1
        changes = (self._with_card(gain.side_index, gain.troop, gain.number, sign * by)
                   for by in _around([steps], MOST_STEPS + 1) if by)  # fmt: skip
        return [change for change in changes if change is not None]

    def _with_card(self, side: int, troop: Troop, number: str, by: int) -> Change | None:
        """Return a change of a number of one card; None where a card may not have the new value."""
        duel, name = self.moves.duel, number_column(self.moves.duel, number)
        force, old = duel.arena.forces[side], getattr(troop, name)
        try:
            changed = Troop.model_validate(troop.model_dump() | {name: old + by})
        except ValidationError:
            return None
        troops = tuple(changed if each == troop else each for each in force.troops)
        forces = list(duel.arena.forces)
        forces[side] = compile_force(troops, force.unit.arrangements[0])
        moves = moves_of(replace(duel, arena=replace(duel.arena, forces=(forces[0], forces[1]))))
        worth = ChangedWorth(moves, NearWorth(self.worth, NEARBY))
        return Change(side, number, old, old + by, moves, worth, troop)

    # -- in duels --

    def best(self, changes_by_number: Sequence[Sequence[Change]]) -> list[Remedy]:
        """Return of each number the smallest change that makes the duel even, if any; they come smallest first."""
        lists = [changes for changes in changes_by_number if changes]
        results = shares([partial(self._smallest_even, changes) for changes in lists], n_processes())
        found = zip(lists, results, strict=True)
        return [Remedy(changes[result[0]], result[1]) for changes, result in found if result is not None]

    def _smallest_even(self, changes: Sequence[Change]) -> tuple[int, float] | None:
        """Return the index of an even change and its score, or None: each is tried in few duels, the best in many."""
        n = -(-self.duels // TRY_SHARE)
        trials = [(at, change.score(n, self.seed, None, "tried")) for at, change in enumerate(changes)]
        off = [(0.0 if self.is_even(told) else abs(told - 0.5), at) for at, told in trials if told is not None]
        for distance, at in sorted(off)[:MOST_TRIES]:
            told = changes[at].score(self.duels, self.seed) if distance < self.even[1] - 0.5 + half_of(n) else None
            if told is not None and self.is_even(told):
                return at, told
        return None

    def answers(self, remedy: Remedy, answers: Sequence[Worth]) -> tuple[float, float]:
        """Return what side a scores at a changed start against a best response to its play, and to side b's.

        `answers` are the value functions of these responses.
        """
        fixed = LookAhead(worth=self.worth)
        pairs = []
        for side, worth in enumerate(answers):
            answer = LookAhead(worth=worth, against=Opponent(side, self.worth))
            pairs.append((fixed, answer) if side == 0 else (answer, fixed))
        works = [partial(remedy.change.score, self.duels, self.seed, pair, f"answered {side}")
                 for side, pair in enumerate(pairs)]  # fmt: skip
        held, conceded = shares(works, n_processes())
        return float(held or 0.0), float(conceded or 0.0)


def _around(hopeful: Sequence[int], end: int) -> list[int]:
    """Return the first hopeful index and its neighbours that lie between 0 and `end`; nothing without one.

    >>> _around([3, 4], 6), _around([1], 9), _around([], 9)
    ([2, 3, 4], [1, 2], [])
    """
    return [at for at in range(hopeful[0] - 1, hopeful[0] + 2) if 0 < at < end] if hopeful else []


def remedy_tables(
    search: RemedySearch, answers: Sequence[Worth], gains: Sequence[NumberGain]
) -> Iterator[SolutionTable]:
    """Yield what would make a duel even, numbers of its start and numbers of cards; nothing where it is even.

    `answers` are the value functions of best responses to side a's play and to side b's; `gains` first-order gains.
    """
    if search.is_even(search.value) or not search.is_even(sum(search.even) / 2):
        return  # nothing is to change, or no score of so few duels could lie in the band with its interval
    low, high = (round(100 * end) for end in search.even)
    text = f"{precision_of(search.duels).capitalize()}; even is a score of {low} to {high} % with its whole interval"
    if starts := search.of_start():
        rows = tuple(_start_cells(remedy, search.answers(remedy, answers)) for remedy in starts)
        title = (
            "Which single number of the start makes the duel even: what side a scores then by the play that was found, "
            f"which knows all starts, and where a decision process answers it. {text}."
        )
        yield SolutionTable("even_starts", title, START_COLUMNS, rows)
    if cards := search.of_cards(gains):
        title = (
            "Which single number of a card makes the duel even: what side a scores then. Both sides see the change one "
            "choice ahead and judge what follows by the cards as they were; they do not learn to make the most of it. "
            f"{text}."
        )
        yield SolutionTable("even_cards", title, CARD_COLUMNS, tuple(map(_card_cells, cards)))


def _start_cells(remedy: Remedy, bracket: tuple[float, float]) -> tuple[Cell, ...]:
    change = remedy.change
    side = SIDES[change.side_index]
    return side, change.number, change.old, change.new, remedy.score, *bracket, change.assignment


def _card_cells(remedy: Remedy) -> tuple[Cell, ...]:
    change, troop = remedy.change, remedy.change.troop
    name = troop.name if troop else ""
    return SIDES[change.side_index], name, change.number, change.old, change.new, remedy.score, change.assignment
