"""What may follow: every state after a turn, by the cards and the troops selected, and after the end of a Period.

The rules are those of `conflict` and `period`; here they are asked about every choice instead of one. Cells of a turn
come in three *blocks* of card pairs: side a is the Attacker, side b is, or neither. In a block each side has a list of
plays; plays that send alike cards from alike columns count once, and lists are filled up by repeating one of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.core.process import State, take_trials
from balance.core.rolls import FixedRolls
from balance.errors import Fault, RulesError
from balance.games.edadh.battle import Battle, Resolver
from balance.games.edadh.cards.fields import LEVELS
from balance.games.edadh.conflict import take_turn, troop_options
from balance.games.edadh.forces import Force
from balance.games.edadh.mastery import A_ATTACKS, B_ATTACKS, N_VALUES, TIE
from balance.games.edadh.period import defeat, relieved, settle
from balance.games.edadh.solving.endings import Endings, Rows, endings_of
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import N_COLUMNS, plays_of
from balance.games.edadh.view import SIDES
from balance.solvers import solve_matrix_games
from balance.solvers.games import Flags, Floats

__all__ = ["NO_DICE", "N_CARDS", "OWN", "WORTH", "Block", "Ends", "Moves", "selected"]

OWN = ("mp", "damage", "unit", "up", "pile", "relief", "shaken", "combine", "lost")
"""Columns of a side that matter for what is to come."""
MOST_PLAYS = 9
ROLES = {A_ATTACKS: (1, -1), B_ATTACKS: (-1, 1), TIE: (0, 0)}
"""Who attacks -> the role of side a and of side b."""
N_CARDS = 12
WORTH = np.array([0.5, 1.0, 0.0])
"""What a duel that has ended is worth to side a: a draw, side a has won, side b has won."""
NO_DICE = FixedRolls({})
"""What steps without chance are given."""

Plays = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Block:
    """The card pairs with one Attacker (c of them), and the states they lead to.

    Attributes
    ----------
    attacker
        TIE, A_ATTACKS or B_ATTACKS.
    cards
        Conflict values of side a and of side b, `int[1, c]` or `int[s, c]` each.
    plays
        Plays of side a `uint8[s, p]` and of side b `uint8[s, q]`.
    after
        The states, flattened from [s, c, p, q].
    """

    attacker: int
    cards: tuple[Rows, Rows]
    plays: tuple[Plays, Plays]
    after: State

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """States, card pairs, plays of a, plays of b."""
        return (len(self.plays[0]), self.cards[0].shape[1], self.plays[0].shape[1], self.plays[1].shape[1])


@dataclass(frozen=True, eq=False)
class Ends:
    """What the ends of a Period may lead to, for s states (k of them in all).

    Attributes
    ----------
    legal
        Which of its endings side a and side b have, `bool[s, m]` and `bool[s, n]`.
    cells
        State, ending of a and ending of b for each of k cells, `int[k]` each.
    after
        The states the cells lead to, `[k]`.
    """

    legal: tuple[Flags, Flags]
    cells: tuple[Rows, Rows, Rows]
    after: State


def _refused(battle: Battle) -> Iterator[Fault]:
    """Yield a fault for each field under which sides choose otherwise than solving and looking ahead know."""
    message = "can be neither looked ahead nor solved"
    rules = battle.rules
    if rules.combine_late:
        yield Fault(message, field="rules.combine_late", found="true", allowed="false")
    if rules.eop3_order != "simultaneous":
        yield Fault(message, field="rules.eop3_order", found=rules.eop3_order, allowed="simultaneous")
    if len(battle.levels) > 1 or battle.swaps:
        known = [LEVELS[level] for level in battle.levels.tolist()]
        found = known[0] if len(known) == 1 else "standard movement"
        yield Fault(message, field="situation.level", found=found, allowed="melee", tip="--set situation.level=melee")
    for side, command in zip(SIDES, battle.commands, strict=True):
        cards = {"combat_master": command.champion, "standard": command.standard, "battle_master": command.deck}
        for field in (name for name, card in cards.items() if card):
            yield Fault(f"card {message}", field=f"{side}.{field}", allowed="none", tip=f"--set {side}.{field}=")


@dataclass(frozen=True, eq=False)
class Moves:
    """The choices of a duel.

    Parameters
    ----------
    battle
        A duel at one combat level; its policies are not asked.
    resolve
        `TurnTable` or `resolve_literally`.

    Raises
    ------
    RulesError
        A reading under which choices come in another order than here.
    """

    battle: Battle
    resolve: Resolver

    def __post_init__(self) -> None:
        """Refuse readings that change who chooses when."""
        if faults := list(_refused(self.battle)):
            raise RulesError(faults)

    @cached_property
    def canonical(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """For each side, `int32[U * 8]`: of all (arrangement, mask) with alike columns the first, as u * 8 + mask."""
        one, other = (_canonical(force) for force in self.battle.arena.forces)
        return one, other

    @cached_property
    def _plays(self) -> tuple[Plays, Plays]:
        """For each side, `uint8[U * 8 * 3, 9]`: plays that differ, at (u * 8 + mask) * 3 + right."""
        one, other = (_different_plays(force) for force in self.battle.arena.forces)
        return one, other

    @cached_property
    def _n_plays(self) -> tuple[Ints, Ints]:
        """For each side, how many plays differ, at the same places."""
        one, other = ((table[:, 1:] != table[:, :-1]).sum(axis=1) + 1 for table in self._plays)
        return one, other

    def alike(self, me: int, unit: Ints) -> Ints:
        """Return the first arrangement with the same columns, in any order, all face up, `int16[n]`."""
        standing = self.battle.arena.forces[me].unit.standing.take(unit)
        return (self.canonical[me][unit.astype(np.intp) * 8 + standing] >> 3).astype(np.int16)

    def tidy(self, state: Mapping[str, Ints]) -> State:
        """Return states with alike columns in one order, so that states that only differ in it become the same."""
        tidied = dict(state)
        for side, canonical in zip(SIDES, self.canonical, strict=True):
            place = canonical[state[f"{side}_unit"].astype(np.intp) * 8 + state[f"{side}_up"]]
            tidied |= {f"{side}_unit": (place >> 3).astype(np.int16), f"{side}_up": (place & 7).astype(np.uint8)}
        return tidied

    def land(self, state: State) -> State:
        """Return states as they stand once EOP1 and EOP2 are done where no turn is left."""
        last, playing = state["turns"] == 0, state["over"] == 0
        after, checked, damage = dict(state), defeat(self.battle, state, NO_DICE), relieved(state)
        for name in ("a_lost", "b_lost", "over"):
            after[name] = np.where(last & playing, checked[name], state[name])
        for side in SIDES:
            after[f"{side}_damage"] = np.where(last, damage[f"{side}_damage"], state[f"{side}_damage"])
            for name in ("relief", "up", "combine"):
                column = state[f"{side}_{name}"]
                after[f"{side}_{name}"] = np.where(last, 0, column).astype(column.dtype)
        return self.tidy(after)

    def blocks(self, state: State) -> Iterator[Block]:
        """Yield what a turn may lead to, for s states that have one left."""
        initiative = self.battle.arena.mastery.initiative[1:N_VALUES, 1:N_VALUES]
        for attacker in ROLES:
            one, other = np.nonzero(initiative == attacker)
            yield self.block(state, attacker, (one[None] + 1, other[None] + 1))

    def options(self, state: State, attacker: int) -> tuple[Plays, Plays]:
        """Return the plays of either side that differ, with one Attacker, `uint8[s, p]` and `uint8[s, q]`."""
        one, other = (self._options(me, state, role) for me, role in enumerate(ROLES[attacker]))
        return one, other

    def block(
        self, state: State, attacker: int, cards: tuple[Rows, Rows], plays: tuple[Plays, Plays] | None = None
    ) -> Block:
        """Return what turns with one Attacker may lead to, for cards `int[s, c]` or `int[1, c]` of either side.

        All plays that differ are looked at, or those given.
        """
        plays = self.options(state, attacker) if plays is None else plays
        n_cards = cards[0].shape[1]
        shape = (len(state["turns"]), n_cards, plays[0].shape[1], plays[1].shape[1])
        row = np.broadcast_to(np.arange(shape[0])[:, None, None, None], shape).ravel()
        chosen = [np.broadcast_to(values[:, :, None, None], shape).ravel() for values in cards]
        one = np.broadcast_to(plays[0][:, None, :, None], shape).ravel()
        other = np.broadcast_to(plays[1][:, None, None, :], shape).ravel()
        after = take_turn(self.battle, self.resolve, take_trials(state, row), (chosen[0], chosen[1]), (one, other))
        return Block(attacker, cards, plays, self.land(after))

    def _options(self, me: int, state: State, role: int) -> Plays:
        n = len(state["turns"])
        mask, right = troop_options(self.battle, me, state, self.battle.level(state), np.full(n, role, np.int8))
        place = (state[f"{SIDES[me]}_unit"].astype(np.intp) * 8 + mask) * 3 + right
        plays = self._plays[me][place]
        longest = int(self._n_plays[me][place].max(initial=1))
        return np.asarray(plays[:, :longest])

    def endings(self, me: int, unit: Ints, damage: Ints, mp: Ints) -> Endings:
        """Return what a side may make of EOP3, for n situations after EOP2; see `endings_of`."""
        return endings_of(self.battle, me, partial(self.alike, me), unit, damage, mp)

    def ends(self, state: State) -> Ends:
        """Pair what either side may make of EOP3, for s states after EOP2, and settle the Period."""
        n = len(state["over"])
        own = [
            self.endings(me, *(state[f"{side}_{name}"] for name in ("unit", "damage", "mp")))
            for me, side in enumerate(SIDES)
        ]
        counts = [np.bincount(endings.row, minlength=n) for endings in own]
        legal = [np.arange(count.max(initial=1)) < count[:, None] for count in counts]
        row, one, other = np.nonzero(legal[0][:, :, None] & legal[1][:, None, :])
        after = take_trials(state, row)
        for endings, count, side, chosen in zip(own, counts, SIDES, (one, other), strict=True):
            place = (np.cumsum(count) - count)[row] + chosen
            for name in ("unit", "damage", "mp"):
                after[f"{side}_{name}"] = getattr(endings, name)[place]
            after[f"{side}_pile"] = after[f"{side}_pile"] + endings.gone[place]
        settled = self.tidy(settle(self.battle, after, NO_DICE))
        return Ends((legal[0], legal[1]), (row, one, other), settled)


def selected(attacker: int, cells: Floats) -> Floats:
    """Return what the open selection of troops is worth, by plays of a and of b `[..., p, q]` (WE-TROOP).

    >>> selected(A_ATTACKS, np.array([[3.0, 1.0], [2.0, 2.0]])), selected(B_ATTACKS, np.array([[3.0, 1.0], [2.0, 2.0]]))
    (array(2.), array(2.))
    """
    if attacker == A_ATTACKS:
        return np.asarray(cells.min(axis=-1).max(axis=-1))
    if attacker == B_ATTACKS:
        return np.asarray(cells.max(axis=-2).min(axis=-1))
    return tie_values(cells)


def tie_values(payoffs: Floats) -> Floats:
    """Return the values of small games `[..., p, q]`, most of which have a saddle point, `float64[...]`."""
    low, high = payoffs.min(axis=-1).max(axis=-1), payoffs.max(axis=-2).min(axis=-1)
    mixed = low < high
    if mixed.any():
        low = np.array(low)
        low[mixed] = solve_matrix_games(payoffs[mixed]).values
    return np.asarray(low)


def _columns_of(force: Force) -> Callable[[int, int], tuple[tuple[tuple[int, ...], bool], ...]]:
    """Return a function of (arrangement, face-up mask) that gives each column's cards, and whether it is face up."""
    arrangements = force.unit.arrangements
    return lambda u, mask: tuple((column, bool(mask >> c & 1)) for c, column in enumerate(arrangements[u]))


def _canonical(force: Force) -> npt.NDArray[np.int32]:
    columns, first = _columns_of(force), dict[object, int]()
    pairs = product(range(len(force.unit.arrangements)), range(8))
    return np.array([first.setdefault(tuple(sorted(columns(u, mask))), u * 8 + mask) for u, mask in pairs], np.int32)


def _different_plays(force: Force) -> Plays:
    table = [
        _padded(force, u, mask, right)
        for u, mask, right in product(range(len(force.unit.arrangements)), range(8), range(3))
    ]
    return np.array(table, np.uint8)


def _padded(force: Force, u: int, mask: int, right: int) -> list[int]:
    """Return the plays that differ in the cards sent and in what stands behind them, the last repeated up to nine."""
    cards = force.unit.arrangements[u]
    different: dict[object, int] = {}
    for play in plays_of(mask, right):
        helpers = sorted(cards[c] for c in range(N_COLUMNS) if play >> 2 >> c & 1)
        different.setdefault((cards[play & 3], tuple(helpers)), play)
    plays = list(different.values()) or [0]
    return plays + plays[-1:] * (MOST_PLAYS - len(plays))
