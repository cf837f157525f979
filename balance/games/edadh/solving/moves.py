"""Successor states: all that a turn, by the cards and troops selected, or the end of a Period may lead to.

The rules are those that are played, `conflict.fight` and `period.lose_cards`, with every option of every choice; those
that send or lose alike cards of alike columns count once. Cells of a turn come in three *blocks* of card pairs: side a
is the Attacker, side b is, or neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import Fault, RulesError
from balance.chance.exact.tree import Branches, every_option
from balance.chance.rolls.process import State, take_trials
from balance.chance.rolls.rolls import FixedRolls, Rolls
from balance.chance.solvers import solve_matrix_games
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.duel.conflict import fight
from balance.games.edadh.duel.duel_state import Duel, Resolver, start_of
from balance.games.edadh.duel.period import LOSS_COLUMNS, damage_after_relief, defeat, lose_cards, settle
from balance.games.edadh.rules.forces import Force
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, N_CARDS, N_VALUES, TIE
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.options import Options

POSITION_COLUMNS = ("mp", "damage", "unit", "up", "pile", "relief", "shaken", "combine", "lost")
"""Columns of a side that matter for what is to come."""
WORTH = np.array([0.5, 1.0, 0.0])
"""What a duel that has ended is worth to side a: a draw, side a has won, side b has won."""
CHUNK_STATES = 400
"""States followed together."""
NO_DICE = FixedRolls({})
"""What steps without chance are given."""
REQUESTS = {A_ATTACKS: ("troop", "answer"), B_ATTACKS: ("answer", "troop"), TIE: ("troop", "troop")}
"""Who attacks -> what side a and side b are asked when they select a troop."""

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Block:
    """The c card pairs with one Attacker (TIE, A_ATTACKS or B_ATTACKS), and where their successor states stand.

    `cards`: conflict values of side a and of side b, `int[c]` each. `place`: where in `Turns.after` each state stands,
    `int[s, c, p, q]`, by the plays of a and of b that differ; where a state has fewer of them, the last stands again.
    `plays`: how many of them side a and side b have, `int[s]` each.
    """

    attacker: int
    cards: tuple[Rows, Rows]
    place: Rows
    plays: tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class Turns:
    """The successors of s states that have a turn left: states `after` it, and blocks that say where each stands."""

    blocks: tuple[Block, ...]
    after: State


@dataclass(frozen=True, eq=False)
class Endings:
    """What a side may make of the end of a Period, listed for n situations (k of them in all).

    `row`: which situation, `[k]`, rising. `columns`: by name, what of the side has changed by then, `[k]` each.
    `first`: which option that differs is taken first on a way there, `[k]`.
    """

    row: Rows
    columns: State
    first: IntArray


@dataclass(frozen=True, eq=False)
class Ends:
    """What the ends of a Period may lead to, for s states (k of them in all).

    `legal`: which of its endings side a and side b have, `bool[s, m]` and `bool[s, n]`. `cells`: state, ending of a and
    ending of b for each of k cells, `int[k]` each. `after`: the states the cells lead to, `[k]`.
    """

    legal: tuple[BoolArray, BoolArray]
    cells: tuple[Rows, Rows, Rows]
    after: State
    endings: tuple[Endings, Endings]


def _choice_faults(duel: Duel) -> Iterator[Fault]:
    """Yield a fault for each rule option or card that changes the order of choices, which solving does not follow."""
    message = "can be neither looked ahead nor solved"
    rules = duel.rules
    if rules.combine_late:
        yield Fault(message, field="rules.combine_late", found="true", allowed="false")
    if rules.eop3_order != "simultaneous":
        yield Fault(message, field="rules.eop3_order", found=rules.eop3_order, allowed="simultaneous")
    for side, command in zip(SIDES, duel.commands, strict=True):
        cards = {"combat_master": command.champion, "standard": command.standard, "battle_master": command.deck}
        for field in (name for name, card in cards.items() if card):
            yield Fault(f"card {message}", field=f"{side}.{field}", allowed="none", tip=f"§set={side}.{field}=")


def not_at_one_level(duel: Duel, message: str, tip: str) -> Iterator[Fault]:
    """Yield a fault where Periods are fought at several combat levels, or cards change places between them."""
    if len(duel.levels) > 1 or duel.swaps:
        level_names = [LEVELS[level] for level in duel.levels.tolist()]
        value = level_names[0] if len(level_names) == 1 else "standard movement"
        yield Fault(message, field="situation.level", found=value, allowed="melee", tip=tip)


@dataclass(frozen=True, eq=False)
class Moves:
    """The choices of a duel, whose policies are not asked; `resolve` is a `TurnTable` or `resolve_literally`.

    A reading under which choices come in another order than here raises `RulesError`.
    """

    duel: Duel
    resolve: Resolver

    def __post_init__(self) -> None:
        """Raise `RulesError` for readings that change who chooses when, and for cards behind a Unit."""
        if faults := list(_choice_faults(self.duel)):
            raise RulesError(faults)

    @cached_property
    def canonical(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """For each side, `int32[U * 8]`: of all (arrangement, mask) with alike columns the first, as u * 8 + mask."""
        side_a, side_b = (canonical_places(force) for force in self.duel.arena.forces)
        return side_a, side_b

    @cached_property
    def position_columns(self) -> tuple[str, ...]:
        """The columns by which positions are told apart: both sides', turns left, and `period` where levels change."""
        names = [f"{side}_{name}" for side in SIDES for name in POSITION_COLUMNS]
        return (*names, "turns", *(["period"] if len(self.duel.levels) > 1 else []))

    @cached_property
    def options(self) -> tuple[Options, Options]:
        """For each side, one option of each set that sends, or loses, alike cards."""
        side_a, side_b = (Options.of(force.unit.arrangements) for force in self.duel.arena.forces)
        return side_a, side_b

    @cached_property
    def pairs(self) -> dict[int, Rows]:
        """Pairs of cards by who attacks, as 12 * a's card + b's, both from 0."""
        initiative = self.duel.arena.mastery.initiative[1:N_VALUES, 1:N_VALUES].ravel()
        return {attacker: np.flatnonzero(initiative == attacker) for attacker in REQUESTS}

    def canonical_unit(self, side_index: int, unit: IntArray) -> IntArray:
        """Return the first arrangement with the same columns in any order, all face up, `int16[n]`."""
        standing_mask = self.duel.arena.forces[side_index].unit.front_mask.take(unit)
        return np.asarray(self.canonical[side_index][unit.astype(np.intp) * 8 + standing_mask] >> 3, np.int16)

    def tidy(self, state: Mapping[str, IntArray]) -> State:
        """Return states with alike columns in canonical order, so that those that differ only in it become the same."""
        tidy_state = dict(state)
        for side, canonical in zip(SIDES, self.canonical, strict=True):
            place = canonical[state[f"{side}_unit"].astype(np.intp) * 8 + state[f"{side}_up"]]
            tidy_state |= {f"{side}_unit": (place >> 3).astype(np.int16), f"{side}_up": (place & 7).astype(np.uint8)}
        return tidy_state

    def start(self) -> State:
        """Return the state that the duel begins with, as one trial in canonical order."""
        return self.tidy({name: np.array([value], np.int16) for name, value in start_of(self.duel).items()})

    def land(self, state: State) -> State:
        """Return states in canonical order, EOP1 and EOP2 done where no turn is left, as EOP3 finds them."""
        last, in_play = state["turns"] == 0, state["over"] == 0
        after, after_defeat, damage = dict(state), defeat(self.duel, state, NO_DICE), damage_after_relief(state)
        for name in ("a_lost", "b_lost", "over"):
            after[name] = np.where(last & in_play, after_defeat[name], state[name])
        for side in SIDES:
            after[f"{side}_damage"] = np.where(last, damage[f"{side}_damage"], state[f"{side}_damage"])
            for name in ("relief", "up", "combine"):
                column = state[f"{side}_{name}"]
                after[f"{side}_{name}"] = np.where(last, 0, column).astype(column.dtype)
        return self.tidy(after)

    def turns(self, state: State) -> Turns:
        """Return the successors of s states that have a turn left; where it was the last, they `land`."""
        branches = every_option(self._turn, state)
        pair = branches.choices["a", "card"] * N_CARDS + branches.choices["b", "card"]
        counts = np.bincount(branches.origin * N_CARDS**2 + pair, minlength=len(state["turns"]) * N_CARDS**2)
        counts = counts.reshape(-1, N_CARDS**2)
        first = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
        blocks = []
        for attacker, pairs in self.pairs.items():
            plays = _plays(branches, attacker, (first + counts - 1)[:, pairs[0]])
            a_cards, b_cards = np.divmod(pairs, N_CARDS)
            blocks.append(Block(attacker, (a_cards + 1, b_cards + 1), _places(attacker, first[:, pairs], plays), plays))
        return Turns(tuple(blocks), branches.state)

    def selections(self, state: State, attacker: int) -> tuple[Rows, State]:
        """Return where the successors of s states stand, `int[s, p, q]`, and these; cards are known (`Options.only`).

        `attacker` is TIE, A_ATTACKS or B_ATTACKS in all of them; p and q are the plays of a and of b, as in `Block`.
        """
        branches = every_option(self._turn, state)
        counts = np.bincount(branches.origin, minlength=len(state["turns"]))
        first = np.cumsum(counts) - counts
        plays = _plays(branches, attacker, first + counts - 1)
        return _places(attacker, first[:, None], plays)[:, 0], branches.state

    def _turn(self, state: State, rolls: Rolls) -> State:
        return self.land(fight(self.duel, self.resolve, state, Options.only(self.options, rolls)))

    def endings(self, side_index: int, state: State) -> Endings:
        """Return what a side may make of EOP3, for n situations after EOP2; each different result once."""
        side = SIDES[side_index]
        names = [f"{side}_{name}" for name in LOSS_COLUMNS]

        def lose(state: State, rolls: Rolls) -> State:
            return lose_cards(self.duel, side_index, state, Options.only(self.options, rolls))

        branches = every_option(lose, {name: state[name] for name in (*names, "period")})
        unit, *rest = (branches.state[name] for name in names)
        table = np.stack([branches.origin, self.canonical_unit(side_index, unit), *rest]).astype(np.int64)
        (row, *columns), index = np.unique(table, axis=1, return_index=True)
        after = {name: values.astype(np.int16) for name, values in zip(names, columns, strict=True)}
        return Endings(row, after, branches.choices[side, "loss 1"][index])

    def ends(self, state: State) -> Ends:
        """Pair what either side may make of EOP3, for s states after EOP2, and settle the Period."""
        n, endings = len(state["over"]), (self.endings(0, state), self.endings(1, state))
        counts = [np.bincount(side_endings.row, minlength=n) for side_endings in endings]
        legal = [np.arange(count.max(initial=1)) < count[:, None] for count in counts]
        row, a_ending, b_ending = np.nonzero(legal[0][:, :, None] & legal[1][:, None, :])
        after = take_trials(state, row)
        for side_endings, count, ending in zip(endings, counts, (a_ending, b_ending), strict=True):
            after |= take_trials(side_endings.columns, (np.cumsum(count) - count)[row] + ending)
        after_period = self.tidy(settle(self.duel, after, NO_DICE))
        return Ends((legal[0], legal[1]), (row, a_ending, b_ending), after_period, endings)


def chunks(state: State) -> Iterator[State]:
    """Yield states in parts of `CHUNK_STATES`, which bounds the memory that their successors take."""
    for first in range(0, len(state["over"]), CHUNK_STATES):
        yield take_trials(state, slice(first, first + CHUNK_STATES))


def _plays(branches: Branches, attacker: int, last: Rows) -> tuple[IntArray, IntArray]:
    """Return how many plays side a and side b have, `int[s]` each, from the row of each state's last successor."""
    options = [branches.choices.get((side, name)) for side, name in zip(SIDES, REQUESTS[attacker], strict=True)]
    a_plays, b_plays = (np.ones_like(last) if option is None else option[last] + 1 for option in options)
    return a_plays, b_plays


def _places(attacker: int, first: Rows, plays: tuple[IntArray, IntArray]) -> Rows:
    """Return the rows of successors by plays of a and of b, `int[s, c, p, q]`; with fewer the last stands again.

    They are ordered by the option of whoever selects first (side a on a tie), then of the other, from row `first`,
    `int[s, c]`, on; `plays` says how many side a and side b have, `int[s]` each.
    """
    a_place, b_place = (np.minimum(np.arange(n_plays.max(initial=1)), n_plays[:, None] - 1) for n_plays in plays)
    if attacker == B_ATTACKS:
        b_place = b_place * plays[0][:, None]
    else:
        a_place = a_place * plays[1][:, None]
    return np.asarray(first[:, :, None, None] + a_place[:, None, :, None] + b_place[:, None, None, :])


def selection_values(attacker: int, cells: FloatArray) -> FloatArray:
    """Return the values to side a of the open selection of troops (WE-TROOP), from cells by plays `[..., p, q]`.

    They are maximin where side a attacks, minimax where side b does, and on a tie the value of the matrix game.
    """
    if attacker == A_ATTACKS:
        return np.asarray(cells.min(axis=-1).max(axis=-1))
    if attacker == B_ATTACKS:
        return np.asarray(cells.max(axis=-2).min(axis=-1))
    return tie_values(cells)


def tie_values(payoffs: FloatArray) -> FloatArray:
    """Return the values of small matrix games `[..., p, q]`, solving only those without a saddle point, `[...]`."""
    low, high = payoffs.min(axis=-1).max(axis=-1), payoffs.max(axis=-2).min(axis=-1)
    mixed = low < high
    if mixed.any():
        low = np.array(low)
        low[mixed] = solve_matrix_games(payoffs[mixed]).values
    return np.asarray(low)


def canonical_places(force: Force) -> npt.NDArray[np.int32]:
    """Return for each (arrangement, mask), as u * 8 + mask, the first of all with alike columns, `int32[U * 8]`."""
    first = dict[object, int]()
    places = [
        first.setdefault(tuple(sorted((column, bool(mask >> c & 1)) for c, column in enumerate(cards))), u * 8 + mask)
        for u, cards in enumerate(force.unit.arrangements)
        for mask in range(8)
    ]
    return np.array(places, np.int32)
