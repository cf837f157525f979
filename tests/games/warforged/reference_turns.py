"""Turns, rounds and the end of a battle, told a second time: who stands where, who is to act, who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from balance.games.warforged.cards import Loadout
from tests.games.warforged.reference_attack import Piece, Readings
from tests.games.warforged.reference_board import Board
from tests.games.warforged.reference_luck import word

DRAW = 3


class Turns:
    """A battle between two armies, action by action aside; `winner` is 0 while it is open (1 a, 2 b, 3 draw)."""

    def __init__(
        self,
        board: Board,
        armies: Sequence[Sequence[Loadout]],
        readings: Readings,
        *,
        key: int,
        unit_limit: int,
        rounds: int = 10,
        first: int = 0,
        hold: bool = False,
        objective_rounds: int = 3,
        stances: Sequence[Sequence[str]] = ((), ()),
    ) -> None:
        self.board, self.read, self.key = board, readings, key
        self.unit_limit, self.rounds, self.first = unit_limit, rounds, first
        self.hold, self.objective_rounds = hold and bool(board.objectives), objective_rounds
        self.pieces = [
            [Piece(seat, i, one, readings, *stances[seat][i : i + 1]) for i, one in enumerate(army)]
            for seat, army in enumerate(armies)
        ]
        self.on: dict[int, Piece] = {}
        self.events = self.choices = self.winner = self.ended = 0
        self.round, self.held, self.left = 1, [0, 0], 0
        self.side, self.turn_over = first, False
        self.rapid: tuple[int, int, int] | None = None
        self.happened: Counter[str] = Counter()
        self.attacks, self.leads = [0, 0], list[int]()
        self.bases = [self._deployed(seat) for seat in (0, 1)]
        self.start_turn()

    def _deployed(self, seat: int) -> list[int]:
        """Draw the order of a side's units and base cells, and place as many as there is room for (WF-BUILD.5)."""
        name = "first" if seat == self.first else "second"
        army = sorted(self.pieces[seat], key=lambda piece: word(self.key, 0, f"units {name}", piece.place))
        cells = sorted(
            self.board.bases[seat], key=lambda cell: word(self.key, 0, f"base {name}", self.board.seen_from(seat, cell))
        )
        for rank, piece in enumerate(army):
            piece.rank = rank
        for piece, cell in zip(army, cells, strict=False):
            self.put(piece, cell)
        return cells

    def put(self, piece: Piece, cell: int) -> None:
        """Set a unit on a cell."""
        if piece.cell >= 0:
            del self.on[piece.cell]
        piece.cell = cell
        self.on[cell] = piece

    def start_turn(self) -> None:
        """Let waiting units enter, and give the side its actions and its units their moves."""
        mine = self.pieces[self.side]
        waiting = sorted((one for one in mine if one.health > 0 and one.cell < 0), key=lambda piece: piece.rank)
        if waiting:
            free = [cell for cell in self.bases[self.side] if cell not in self.on]
            for piece, cell in zip(waiting, free, strict=False):
                self.put(piece, cell)
                self.happened["late entry"] += 1
        for piece in mine:
            piece.moves, piece.done = 0, False
            self.happened["turn lost to EMP"] += piece.emp > 0 and piece.cell >= 0
        self.left, self.turn_over, self.rapid = self.unit_limit, False, None

    def end_turn(self) -> None:
        """Take one EMP token from each unit of the side, end the round after both turns, and start the next turn."""
        self._note_lead()
        for piece in self.pieces[self.side]:
            piece.emp = max(0, piece.emp - 1)
        if self.side != self.first:
            self._end_round()
        if not self.winner:
            self.round += self.side != self.first
            self.side = 1 - self.side
            self.start_turn()

    def _end_round(self) -> None:
        if self.hold:
            there = {self.on[cell].seat for cell in self.board.objectives if cell in self.on}
            self.held = [self.held[seat] + 1 if there == {seat} else 0 for seat in (0, 1)]
            for seat in (0, 1):
                if self.held[seat] >= self.objective_rounds:
                    self.winner, self.ended = seat + 1, 2
                    self.happened["objective win"] += 1
        if not self.winner and self.round >= self.rounds:
            self.winner, self.ended = self._score(), 3
            self.happened["limit draw" if self.winner == DRAW else "limit win"] += 1

    def points(self) -> list[int]:
        """Return the war points of the units that each side has left."""
        return [sum(piece.loadout.cost_points for piece in army if piece.health) for army in self.pieces]

    def _note_lead(self) -> None:
        a, b = self.points()
        self.leads.append(a - b)

    def _score(self) -> int:
        """Return who has won at the round limit (WF-Q18)."""
        lost = [sum(piece.health == 0 for piece in army) for army in self.pieces]
        if lost[0] != lost[1]:
            return 1 if lost[0] < lost[1] else 2
        if self.read.limit_score == "destroyed":
            return DRAW
        left = [sum(piece.health for piece in army) for army in self.pieces]
        self.happened["limit by health"] += left[0] != left[1]
        return DRAW if left[0] == left[1] else 1 if left[0] > left[1] else 2

    def state(self) -> dict[str, Any]:
        """Return the battle as lists, side a first, with the names of the fast engine's arrays."""
        of = {"cell": "cell", "health": "health", "shield": "shield", "emp": "emp", "burn": "burns"}
        of |= {"moves": "moves", "done": "done", "order": "rank"}
        fields: dict[str, Any] = {
            name: [[getattr(piece, own) for piece in army] for army in self.pieces] for name, own in of.items()
        }
        fields["burn"] = [[list(burns) for burns in army] for army in fields["burn"]]
        fields |= {"base": [list(cells) for cells in self.bases], "luck": self.key, "held": list(self.held)}
        return fields | {name: getattr(self, name) for name in ("events", "choices", "round", "winner")}
