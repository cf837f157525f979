"""Every configuration of a duel: what lies on the table but mastery points, listed by turns left and by cards.

Where cards and damage may go does not depend on mastery points (MP), but for who has lost by them and who may retire;
so the configurations of a duel of six cards a side are few enough to be listed (320,000 in the learning game), while
its states are some thousand times as many. Cards only leave: a Period that begins with so many cards a side leads to
Periods with as many or fewer. So configurations are listed in *groups* of the cards that their Period began with, the
fewest first, and a group leads to itself and to those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import State, take_trials
from balance.games.edadh.duel.duel_state import Duel, end_codes
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import CAP
from balance.games.edadh.solving.moves import CHUNK_STATES, Moves, Rows, at_mp, chunks, not_at_one_level, parts
from balance.games.edadh.solving.numbering import Layers

CONFIGURATION = ("damage", "unit", "up", "pile", "relief", "shaken", "combine")
"""The columns of a side that tell a configuration, beside the turns left."""
MOST_CONFIGURATIONS = 430_000
"""Configurations that may be listed: some half an hour of solving on two cores, and their worths in 31 bits."""
GRADES = (0.7, 1.0)
"""The configurations of the first grade, and those up to the second, have so great a share of all visits to their
group; to those of the third no duel came."""
LONG = 30
"""Periods after which a duel may as well go on for ever: hardly any is that long."""
ENOUGH_TO_RETIRE_ALL = -10_000
"""With so few MP any number of cards may be retired."""


@dataclass(frozen=True)
class Group:
    """The configurations of Periods that began with so many cards on side a and on side b.

    `rows`: for 0, 1 ... turns left: their slice of all configurations with so many. `grades`: the same in parts, those
    most visited by duels first. One part while visits are not known. `recurrent`: the start of each part: those that
    Periods start with, or from which some choice leads back to a Period with as many cards. The values of all others
    follow from groups before, and change no more after the first sweep.
    """

    cards: tuple[int, int]
    rows: tuple[slice, ...]
    grades: tuple[tuple[slice, ...], ...]
    recurrent: tuple[tuple[slice, ...], ...]

    def parts(self, turns: int, grade: int, max_size: int) -> list[slice]:
        """Return the configurations of a grade, from 0, in slices of at most `max_size`, recurrent ones first."""
        grade_rows, first = self.grades[turns][grade], self.recurrent[turns][grade]
        return [*parts(first, max_size), *parts(slice(first.stop, grade_rows.stop), max_size)]


@dataclass(frozen=True, eq=False)
class Configurations:
    """The configurations of a duel: states without their MP.

    `columns`: for 0, 1 ... turns left: the columns of the configurations with so many; MP in them have no meaning.
    `groups`: those with the fewest cards first.
    """

    moves: Moves
    columns: tuple[State, ...]
    groups: tuple[Group, ...]
    _layers: Layers
    _place: tuple[Rows, ...]
    _returns: tuple[BoolArray, ...]

    def rows(self, state: State, mask: BoolArray) -> Rows:
        """Return the rows of states, tidied, among the configurations with as many turns left, `int[n]`.

        -1 where a state is none of them, or outside the mask.
        """
        numbers = self._layers.find(state, mask)
        rows = np.full(len(mask), -1, np.intp)
        for turns, place in enumerate(self._place):
            index = np.flatnonzero((numbers >= 0) & (state["turns"] == turns))
            rows[index] = place[numbers[index]]
        return rows

    def damage(self, turns: int, rows: slice | Rows) -> tuple[IntArray, IntArray]:
        """Return the damage on side a and on side b in some of the configurations with so many turns left."""
        columns = self.columns[turns]
        return columns["a_damage"][rows], columns["b_damage"][rows]

    def in_grades(self, visits: Sequence[FloatArray]) -> Configurations:
        """Return the same configurations, each group sorted by visits and cut into grades.

        `visits` are, for 0, 1 ... turns left, how often a duel comes to each configuration, `float64[n]`.
        """
        orders, grades = list[Rows](), list[list[tuple[slice, ...]]]()
        for turns, often in enumerate(visits):
            orders.append(np.concatenate([_by_visits(often, group.rows[turns]) for group in self.groups]))
            grades.append([_grades(often[orders[-1]], group.rows[turns]) for group in self.groups])
        return self._in_order(orders, grades)

    def _in_order(self, orders: list[Rows], grades: list[list[tuple[slice, ...]]]) -> Configurations:
        """Return the same configurations permuted by turns left, but recurrent ones first in each grade.

        Orders and grades are given by turns left, grades by group and by which they are.
        """
        columns, places, returns = list[State](), list[Rows](), list[BoolArray]()
        for turns, (order, group_grades) in enumerate(zip(orders, grades, strict=True)):
            for rows in chain.from_iterable(group_grades):
                order[rows] = order[rows][np.argsort(~self._returns[turns][order[rows]], kind="stable")]
            now = np.empty(len(order), np.intp)
            now[order] = np.arange(len(order))
            columns.append(take_trials(self.columns[turns], order))
            places.append(now[self._place[turns]])
            returns.append(self._returns[turns][order])
        groups = tuple(
            replace(group, grades=group_grades, recurrent=tuple(map(_first, group_grades, returns)))
            for group, group_grades in zip(self.groups, zip(*grades, strict=True), strict=True)
        )
        return Configurations(self.moves, tuple(columns), groups, self._layers, tuple(places), tuple(returns))

    def rows_in(self, target: Configurations, turns: int) -> Rows:
        """Return the row in `target`, the same list in another order, of each configuration with so many turns left."""
        rows = np.empty(len(self._place[turns]), np.intp)
        rows[self._place[turns]] = target._place[turns]
        return rows

    @classmethod
    def of(cls, moves: Moves, max_number: int = MOST_CONFIGURATIONS) -> Configurations:
        """List every configuration that a duel can come to, whatever its sides' MP.

        More than `max_number` (the error says how many were found, and what would help), or a reading under which MP
        decide where cards go, raise `RulesError`.
        """
        if faults := list(_table_faults(moves.duel)):
            raise RulesError(faults)
        layers, starts = _search(moves, max_number)
        columns = [layers.columns(turns) for turns in sorted(layers.sizes)]
        cards = [_group(moves, item) for item in columns]
        orders = [np.argsort(item, kind="stable") for item in cards]
        groups = _groups([item[order] for item, order in zip(cards, orders, strict=True)])
        as_met = [np.arange(len(item)) for item in cards]  # what leads back is told before groups stand together
        plain = cls(moves, tuple(columns), tuple(groups), layers, tuple(as_met), ())
        begins = [np.isin(item, starts[turns]) for turns, item in enumerate(as_met)]
        grades = [[group.grades[turns] for group in groups] for turns in range(len(columns))]
        return replace(plain, _returns=tuple(_recurrent(plain, begins)))._in_order(orders, grades)


def _table_faults(duel: Duel) -> Iterator[Fault]:
    """Yield a fault for each field under which cards and MP do not separate, so that no grid of MP holds the values."""
    message, rules = "leaves no table of positions by mastery points", duel.rules
    yield from not_at_one_level(duel, message, "§set=situation.level=melee")
    if rules.mp_zero_check == "immediate":
        yield Fault(message, field="rules.mp_zero_check", found="immediate", allowed="eop")
    if rules.both_defeated == "smaller_excess":
        yield Fault(message, field="rules.both_defeated", found="smaller_excess", allowed="draw")
    if rules.eop1_pooled:
        yield Fault(message, field="rules.eop1_pooled", found="true", allowed="false")
    if (cap := duel.arena.read.mp_cap) > CAP:
        yield Fault(message, field="constants.score.mp_cap", found=str(cap), allowed=f"at most {CAP}")
    if duel.max_periods < LONG:
        value, bound = str(duel.max_periods), f"at least {LONG}"
        tip = "a small duel can be solved by the method exact"
        yield Fault(message, field="situation.max_periods", found=value, allowed=bound, tip=tip)


def _search(moves: Moves, max_number: int) -> tuple[Layers, dict[int, npt.NDArray[np.int64]]]:
    """Follow every choice from the start of the duel, whatever the MP; return what was found.

    The second item has, by turns left, the numbers of those that Periods start with.
    """
    full = moves.duel.arena.read.mp_cap
    start = at_mp(moves.start(), full)
    layers = Layers(start, CONFIGURATION)
    first = layers.number(start, np.ones(1, bool))
    starts = {turns: first[start["turns"] == turns] for turns in layers.sizes}
    for turns, state in layers.pending():
        for chunk in chunks(state):
            if turns:
                after = moves.turns(chunk).after
            else:
                after = moves.ends(at_mp(chunk, ENOUGH_TO_RETIRE_ALL), with_mp=full).after
            is_on = end_codes(after) < 0
            numbers = layers.number(after, is_on)
            if not turns:
                for turns_left, start_numbers in starts.items():
                    starts[turns_left] = np.union1d(start_numbers, numbers[is_on & (after["turns"] == turns_left)])
        if (n_found := sum(layers.sizes.values())) > max_number:
            raise RulesError(
                f"this duel is too large for a table of its positions: {n_found:,} arrangements of cards and damage "
                f"were found, and {layers.n_pending:,} of them still lead to others; {max_number:,} are allowed",
                "fewer cards, or fewer kinds of troop in a Unit: ranks of one kind make few",
            )
    return layers, starts


def _group(moves: Moves, columns: State) -> npt.NDArray[np.int64]:
    """Return the cards that the Period began with, as 1000 * of both sides together + those of side a."""
    start_cards = [
        force.unit.n_cards.take(columns[f"{side}_unit"].astype(np.intp)) + columns[f"{side}_pile"].astype(np.int64)
        for force, side in zip(moves.duel.arena.forces, SIDES, strict=True)
    ]
    return np.asarray((start_cards[0] + start_cards[1]) * 1000 + start_cards[0], np.int64)


def _groups(group_numbers: list[npt.NDArray[np.int64]]) -> list[Group]:
    groups = []
    for number in np.unique(np.concatenate(group_numbers)).tolist():
        total, a_cards = divmod(number, 1000)
        ends = [np.searchsorted(item, [number, number + 1]).tolist() for item in group_numbers]
        rows = tuple(slice(first, last) for first, last in ends)
        groups.append(Group((a_cards, total - a_cards), rows, tuple((item,) for item in rows), ()))
    return groups


def _recurrent(configurations: Configurations, begins: list[BoolArray]) -> list[BoolArray]:
    """Return, by turns left, which configurations Periods start with, or can lead back to a Period with as many cards.

    From those of which cards have left no choice does.
    """
    recurrent = list[BoolArray]()
    for turns, columns in enumerate(configurations.columns):
        whole = np.flatnonzero((columns["a_pile"] == 0) & (columns["b_pile"] == 0))
        recurrent.append(begins[turns])
        for chunk in (whole[part] for part in parts(slice(0, len(whole)), CHUNK_STATES)):
            state = take_trials(columns, chunk)
            recurrent[-1][chunk] |= (
                _turns_return(configurations, state, recurrent[turns - 1])
                if turns
                else _ends_return(configurations, state)
            )
    return recurrent


def _turns_return(configurations: Configurations, state: State, returns: BoolArray) -> BoolArray:
    """Return whether some turn leads to a recurrent configuration with one turn less, `[n]`."""
    turns = configurations.moves.turns(at_mp(state, configurations.moves.duel.arena.read.mp_cap))
    rows = configurations.rows(turns.after, end_codes(turns.after) < 0)
    back = (rows >= 0) & returns[rows]
    by_attacker = [back[block.place].any(axis=(1, 2, 3)) for block in turns.blocks]
    return np.asarray(np.any(by_attacker, axis=0))


def _ends_return(configurations: Configurations, state: State) -> BoolArray:
    """Return whether some end of the Period keeps all cards, so that the group leads to itself, `[n]`."""
    moves, back = configurations.moves, np.zeros(len(state["over"]), bool)
    ends = moves.ends(at_mp(state, ENOUGH_TO_RETIRE_ALL), with_mp=moves.duel.arena.read.mp_cap)
    row, goes_on = ends.cells[0], end_codes(ends.after) < 0
    back[row[goes_on & (_group(moves, ends.after) == _group(moves, state)[row])]] = True
    return back


def _first(grades: tuple[slice, ...], flags: BoolArray) -> tuple[slice, ...]:
    """Return the leading part of each grade, as long as there are flags in it."""
    return tuple(slice(rows.start, rows.start + int(flags[rows].sum())) for rows in grades)


def _by_visits(visits: FloatArray, rows: slice) -> Rows:
    """Return the rows of a slice sorted by visits, most first."""
    return np.asarray(rows.start + np.argsort(-visits[rows], kind="stable"))


def _grades(visits: FloatArray, rows: slice) -> tuple[slice, ...]:
    """Return slices of configurations sorted by visits, cut where each of the cumulative shares `GRADES` is reached."""
    cumulative = np.cumsum(visits[rows])
    if not len(cumulative) or not cumulative[-1]:
        return (*((slice(rows.start, rows.start),) * len(GRADES)), rows)
    cuts = rows.start + np.searchsorted(cumulative, np.array(GRADES) * cumulative[-1]) + 1
    ends = [rows.start, *cuts.tolist(), rows.stop]
    return tuple(slice(first, last) for first, last in pairwise(ends))
