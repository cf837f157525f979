"""Moves told a second time: every way on the map, step by step, and what each costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tests.games.battlelore.adventure.reference_board import Board, neighbours, relative
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_landmarks import heal_in_pool, open_passage, trains, way_out
from tests.games.battlelore.adventure.reference_terms import Unit


class Way(NamedTuple):
    """Where a way has led so far.

    `along` are the terrains that all of its hexes have and that are free to walk along, such as ramparts; `clear` says
    that no hex on it forbids battle this turn; `goes_on` that nothing stopped it.
    """

    cell: int
    along: frozenset[str]
    clear: bool = True
    goes_on: bool = True


def begin(board: Board, cell: int) -> Way:
    return Way(cell, frozenset(terrain.id for terrain in board.terrain[cell] if terrain.free_along))


def step(board: Board, way: Way, cell: int, *, along_stops: bool, unstopped: frozenset[str] = frozenset()) -> Way:
    """Return a way that enters one more hex; terrains of `unstopped` do not stop it."""
    along = way.along & {terrain.id for terrain in board.terrain[cell]}
    clear = all(t.battle_on_entry or t.id in along for t in board.terrain[cell])
    excused = unstopped if along_stops else along | unstopped
    stops = any(t.stops and t.id not in excused for t in board.terrain[cell])
    return Way(cell, along, way.clear and clear, not stops)


def ways_of(game: Game, unit: Unit, most: int) -> list[tuple[int, Way]]:
    """Return all that a unit can reach within some steps over free hexes, with the number of steps."""
    reached, front = [(0, begin(game.board, unit.at))], [begin(game.board, unit.at)]
    seen = set(front)
    for n_steps in range(1, most + 1):
        ahead = []
        for way in front:
            for cell in neighbours(way.cell) if way.goes_on else ():
                further = step(game.board, way, cell, along_stops=game.rules.rampart_along == "stop")
                if game.free(cell) and further not in seen:
                    seen.add(further)
                    ahead.append(further)
        reached += [(n_steps, way) for way in ahead]
        front = ahead
    return reached


@dataclass(frozen=True)
class Goal:
    """Where a unit may go, whether it may battle then, or must since it has charged, and the tokens it pays."""

    cell: int
    may_battle: bool
    charged: bool
    toll: int = 0

    @property
    def quality(self) -> int:
        """What is better of two ways to the same hex."""
        return self.may_battle + (self.may_battle and not self.charged)


def goals(game: Game, unit: Unit) -> dict[int, Goal]:
    """Return every hex where a unit may end its move, its own among them, with the better way there."""
    card, effect = unit.fighter.unit, game.effect
    both = 2 if effect == "foot_onslaught" else 0
    with_battle, without = max(card.battle_move, both) + unit.speed, max(card.move, both) + unit.speed
    charge = unit.fighter.race.charge_hexes if unit.kind == "foot" else 0
    best = {unit.at: Goal(unit.at, may_battle=True, charged=False)}
    for n_steps, way in ways_of(game, unit, max(with_battle, without, charge))[1:]:
        offers = []
        if n_steps <= with_battle and way.clear:
            offers.append(Goal(way.cell, may_battle=True, charged=False))
        if n_steps <= charge and way.clear and game.enemy_is_beside(unit.side, way.cell):
            offers.append(Goal(way.cell, may_battle=True, charged=True))
        if n_steps <= without:
            offers.append(Goal(way.cell, may_battle=False, charged=False))
        for goal in offers:
            best[way.cell] = max(best.get(way.cell, goal), goal, key=lambda one: one.quality)
    exit_cell = way_out(game, unit)
    if exit_cell is not None and exit_cell not in best:
        best[exit_cell] = Goal(exit_cell, may_battle=True, charged=False, toll=game.terms.constants.lore.passage)
    return best


def move_all(game: Game) -> None:
    """Move the ordered units, one after another, in any order and each as far as its owner likes (BL-MOV-01)."""
    side = game.side
    while waiting := [unit for unit in game.army(side) if unit.ordered and not unit.done]:
        unit = game.decide("mover", side, {relative(side, unit.at): unit for unit in waiting})
        if trains(game, unit):
            continue
        open_passage(game, unit)
        options = {relative(side, cell): goal for cell, goal in goals(game, unit).items()}
        move(game, unit, game.decide("move", side, options))


def move(game: Game, unit: Unit, goal: Goal) -> None:
    unit.done, unit.moved = True, goal.cell != unit.at
    unit.may_battle, unit.charged = goal.may_battle, goal.charged
    if not unit.moved:
        return
    if unit.freed and game.rules.freed_unit == "move_or_battle":
        unit.may_battle = False
    unit.battles = min(unit.battles, 1)
    game.pay(unit.side, goal.toll)
    game.put(unit, goal.cell)
    heal_in_pool(game, unit)
    game.happened["charge" if goal.charged else "move" if goal.may_battle else "move without battle"] += 1
    game.settle()
