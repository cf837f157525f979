"""The turns of every configuration of a duel: where each pair of cards leads, listed once.

What a turn costs and gives does not depend on how many mastery points (MP) a side has, but for the cap. So the rules
are asked twice, far from the cap and at it, and what they say holds at every MP; tests compare it with the rules there.
In whatever order configurations stand later, their tables (`card_tables`) are read off these lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.chance.solvers.team import Team, n_processes, shares
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import LOW
from balance.games.edadh.solving.approximate.lists.card_tables import CardTable, CardTables, Pairs, Shift, table_size
from balance.games.edadh.solving.approximate.lists.configurations import Configurations, Group
from balance.games.edadh.solving.moves import CHUNK_STATES, Rows, at_mp, parts, places

PLENTY = 30
"""MP far from the cap, and from none."""
NO_ROWS = slice(0, 0)


class Transitions(NamedTuple):
    """Where the turns of n configurations lead, `[k]` in all: those of each by its pairs of cards, then by plays.

    `plays`: numbers of plays of side a and of side b that differ, by who attacks (as in `Moves.pairs`), `int8[n, 3,
    2]`. `leads`: rows among the configurations with one turn less, 0 where the duel has ended, `int32[k]`. `shifts`:
    how the MP of side a and of side b change.
    """

    plays: IntArray
    leads: IntArray
    shifts: tuple[Shift, Shift]


@dataclass(frozen=True, eq=False)
class TurnLists:
    """The turns of every configuration.

    * `as_listed` and `configurations`: the configurations, in the order in which their turns were listed, and in that
      in which they stand now.
    * `transitions`: for 1, 2 ... turns left: where the turns of configurations lead, in the order in which these were
      listed.
    * `first`: where in that the turns of each configuration begin, `[n]` each.
    * `before`: how many pairs of cards, by who attacks, come before each pair, `int[3, 144]`.
    * `origin` and `place`: for 0, 1 ... turns left: where each configuration stood when it was listed, and where it
      stands now.
    """

    as_listed: Configurations
    configurations: Configurations
    transitions: tuple[Transitions, ...]
    first: tuple[Rows, ...]
    before: Rows
    origin: tuple[Rows, ...]
    place: tuple[Rows, ...]

    @classmethod
    def of(cls, configurations: Configurations) -> TurnLists:
        """List the turns of every configuration on all cores, asking the rules at two numbers of MP."""
        row_parts = [parts(slice(0, len(columns["over"])), CHUNK_STATES) for columns in configurations.columns[1:]]
        tasks = [
            partial(_transitions, configurations, turns, part)
            for turns, members in enumerate(row_parts, 1)
            for part in members
        ]
        results = iter(shares(tasks, n_processes()))
        transitions = tuple(_concatenate([next(results) for _ in members]) for members in row_parts)
        pair = np.arange(N_CARDS**2)
        attacks = np.stack([np.isin(pair, members) for members in configurations.moves.pairs.values()]).astype(np.intp)
        counts = [item.plays.prod(axis=2, dtype=np.intp) @ attacks.sum(axis=1) for item in transitions]
        first, before = tuple(np.cumsum(item) - item for item in counts), np.cumsum(attacks, axis=1) - attacks
        return cls(configurations, configurations, transitions, first, before, (), ()).in_order(configurations)

    def in_order(self, configurations: Configurations) -> TurnLists:
        """Return the same turns for the same configurations in another order; nothing is listed anew."""
        turns = range(len(configurations.columns))
        origin = tuple(configurations.rows_in(self.as_listed, n_turns) for n_turns in turns)
        place = tuple(self.as_listed.rows_in(configurations, n_turns) for n_turns in turns)
        return replace(self, configurations=configurations, origin=origin, place=place)

    def table(self, group: Group, turns: int, selection: slice | Rows, rows: slice = NO_ROWS) -> CardTable:
        """Return the turns of a selection of rows among all configurations with as many turns left.

        `rows` are where their worths stand in their grade.
        """
        moves, transitions, origin_rows = (
            self.configurations.moves,
            self.transitions[turns - 1],
            self.origin[turns][selection],
        )
        plays, first = transitions.plays[origin_rows].astype(np.intp), group.rows[turns - 1].start
        begin = self.first[turns - 1][origin_rows][:, None] + plays.prod(axis=2) @ self.before
        pairs = []
        for number, (attacker, cards) in enumerate(moves.pairs.items()):
            place = places(attacker, begin[:, cards], (plays[:, number, 0], plays[:, number, 1])).transpose(2, 3, 1, 0)
            leads = np.maximum(self.place[turns - 1][transitions.leads[place]] - first, 0).astype(np.int32)
            a_shift, b_shift = (shift.at(place) for shift in transitions.shifts)
            pairs.append(Pairs(attacker, cards, leads, (a_shift, b_shift)))
        return CardTable(rows, self.configurations.damage(turns, selection), tuple(pairs), moves.duel.arena.read.mp_cap)

    def tables(self, group: Group, team: Team) -> tuple[tuple[CardTables, ...], ...]:
        """Return this process's share of a group's tables: for 0 (none), 1 ... turns left, by grade."""

        def of_grade(turns: int, grade: int, rows: slice) -> CardTables:
            row_parts = enumerate(group.parts(turns, grade, table_size(rows)) if turns else ())
            return {
                number: self.table(group, turns, part, slice(part.start - rows.start, part.stop - rows.start))
                for number, part in row_parts
                if team.is_own(grade + number)
            }

        return tuple(
            tuple(of_grade(turns, grade, rows) for grade, rows in enumerate(grades))
            for turns, grades in enumerate(group.grades)
        )


def _transitions(configurations: Configurations, turns: int, part: slice) -> Transitions:
    """Return where the turns of some configurations lead, among all with one turn less."""
    moves, cap, states = (
        configurations.moves,
        configurations.moves.duel.arena.read.mp_cap,
        take_trials(configurations.columns[turns], part),
    )
    far, full = (moves.turns(at_mp(states, mp), with_landing=False) for mp in (PLENTY, cap))
    landing = moves.land(at_mp(full.after, cap))
    leads = np.maximum(configurations.rows(landing, end_codes(landing) < 0), 0).astype(np.int32)
    plays = np.stack([np.stack(block.plays, axis=1) for block in full.blocks], axis=1).astype(np.int8)
    a_shift, b_shift = (_shift(far.after, full.after, side, cap, last=turns == 1) for side in SIDES)
    return Transitions(plays, leads, (a_shift, b_shift))


def _shift(far: State, full: State, side: str, cap: int, *, last: bool) -> Shift:
    """Return the changes of a side's MP, `[n]`, from successors of states far from the cap, and of states at it.

    They are clipped to what matters: from the cap to so far below 0 that nothing changes any more. `last` tells whether
    it is a Period's last turn.
    """
    net, at_cap = far[f"{side}_mp"] - PLENTY, full[f"{side}_mp"] - cap
    is_capped = net > at_cap
    gain, loss = np.where(is_capped, net - at_cap, net), np.where(is_capped, -at_cap, 0)
    gain, loss = (np.clip(change, LOW - cap, cap - LOW).astype(np.int8) for change in (gain, loss))
    return Shift(gain, loss, full[f"{side}_damage"].astype(np.int16) if last else None)


def _concatenate(batches: Sequence[Transitions]) -> Transitions:
    plays, leads = np.concatenate([item.plays for item in batches]), np.concatenate([item.leads for item in batches])
    a_shift, b_shift = (_joined_shift(item) for item in zip(*(item.shifts for item in batches), strict=True))
    return Transitions(plays, leads, (a_shift, b_shift))


def _joined_shift(shifts: Sequence[Shift]) -> Shift:
    gain, loss = np.concatenate([shift.gain for shift in shifts]), np.concatenate([shift.loss for shift in shifts])
    min_mp = [shift.min_mp for shift in shifts if shift.min_mp is not None]
    return Shift(gain, loss, np.concatenate(min_mp) if min_mp else None)
