"""Actions of a battle in words and as what a page draws of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from balance.base.numbers import show_many
from balance.chance.rolls.process import State
from balance.game.question.board_story import Act, Blast, Frame, cell_name
from balance.games.warforged.attack import BURNT_OUT
from balance.games.warforged.battle.map.battle_map import HEAVY, NO_CELL
from balance.games.warforged.battle.story.blasts import Strike, Unit, Wave, waves_of
from balance.games.warforged.battle.story.board import Board, Seen
from balance.games.warforged.battle.story.dice import ShotTold, said_of
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE
from balance.games.warforged.battle.turns.terms import Battle

__all__ = ["told_act", "way"]


def told_act(board: Board, seen: Seen, left: int) -> Frame:
    """Return the frame of an action other than the end of a turn, after which a side has some actions left."""
    text, act, dice = {MOVE: _move, JUMP: _jump, RAISE: _raise, EXPLODE: _explode, ATTACK: _attack}[
        int(seen.action.what[0])
    ](board, seen)
    return board.frame(seen, board.name(seen.unit), text, left, act, dice)


Told = tuple[str, Act, tuple[str, ...]]


def _move(board: Board, seen: Seen) -> Told:
    end = int(seen.action.cell[0])
    path = way(board.battle, seen.before, seen.unit, end)
    text = f"moves {show_many(len(path) - 1, 'cell')} to {cell_name(end)}"
    return text, Act("move", board.number[seen.unit], path), ()


def way(battle: Battle, state: State, unit: Unit, end: int) -> tuple[int, ...]:
    """Return a shortest way of a unit to a cell, both ends included (WF-ACT.3, WF-ABIL.3).

    Parameters
    ----------
    state
        One battle, `[1, ...]`.
    """
    begin, grid = int(state["cell"][0][unit]), battle.ground.grid
    taken = set() if battle.slim[state["kind"][0][unit]] else {int(cell) for cell in state["cell"][0].ravel()}
    passable = battle.ground.map.walkable - taken
    came_from, queue = {begin: begin}, deque([begin])
    while queue and end not in came_from:
        cell = queue.popleft()
        for other in grid.neighbours(cell):
            if other in passable and other not in came_from:
                came_from[other] = cell
                queue.append(other)
    path = [end]
    while path[-1] != begin:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


def _jump(board: Board, seen: Seen) -> Told:
    begin, end = seen.cell(seen.unit), int(seen.action.cell[0])
    line = _line(board.battle, begin, end)
    terrain = board.battle.ground.map.ground
    over = [] if not any(terrain[cell] == HEAVY for cell in line) else ["heavy cover"]
    over += [] if not any(terrain[cell] == NO_CELL for cell in line) else ["a gap"]
    over += [board.name(unit, seen.side) for unit in board.units if seen.cell(unit) in line]
    text = f"jumps {show_many(len(line) + 1, 'cell')} to {cell_name(end)}{' over ' if over else ''}{_listed(over)}"
    return text, Act("jump", board.number[seen.unit], (begin, end)), ()


def _line(battle: Battle, begin: int, end: int) -> list[int]:
    """Return the cells between two of a straight line."""
    ray = next(ray.tolist() for ray in battle.ground.grid.rays[:, begin] if end in ray)
    return [int(cell) for cell in ray[: ray.index(end)]]


def _raise(board: Board, seen: Seen) -> Told:
    return "raises its Supershield", Act("own", board.number[seen.unit], (seen.cell(seen.unit),)), ()


def _explode(board: Board, seen: Seen) -> Told:
    waves = list(waves_of(board.battle, seen.before, Strike(seen.side, seen.unit, attacks=False)))
    first = [f"overloads{_harm(board, seen, waves[0])}", *_fell(board, seen, waves[0])]
    text = "; ".join([*first, *_blasts_told(board, seen, waves[1:])])
    act = Act("own", board.number[seen.unit], (seen.cell(seen.unit),), "", _drawn(board, seen, waves))
    return text, act, _saves(board, seen, waves)


def _attack(board: Board, seen: Seen) -> Told:
    weapon = int(board.battle.muster.slots[seen.before["kind"][0][seen.unit], seen.action.slot[0]])
    said = said_of(seen.said)
    shot = ShotTold(board.battle, seen.before, seen.unit, seen.target, weapon, said)
    waves = list(waves_of(board.battle, _shield_after(seen, said), _strike(seen, said)))
    cells = seen.cell(seen.unit), seen.cell(seen.target)
    at = f"{board.name(seen.target)} ({cell_name(cells[1])})"
    begun = f"fires again at {at}" if seen.action.again else f"attacks {at} with {shot.card.name}"
    fell = ["it falls" for wave in waves if wave.number == 0 and seen.target in wave.fallen]
    what = [f"{begun}: {shot.words()}{_effects(board, seen, said)}", *fell, *_blasts_told(board, seen, waves)]
    act = Act("shot", board.number[seen.unit], cells, shot.result, _drawn(board, seen, waves))
    return "; ".join(what), act, (*shot.dice(), *_saves(board, seen, waves))


def _strike(seen: Seen, said: dict[str, int]) -> Strike:
    return Strike(seen.side, seen.target, attacks=True, damage=said["damage"], splash=said["splash"])


def _shield_after(seen: Seen, said: dict[str, int]) -> State:
    """Return the battle before an attack, but with the target's Supershield as it left that."""
    if not said["shield_lost"]:
        return seen.before
    shield = seen.before["shield"].copy()
    shield[0][seen.target] = BURNT_OUT
    return {**seen.before, "shield": shield}


def _effects(board: Board, seen: Seen, said: dict[str, int]) -> str:
    """Return what an attack leaves on a target that still stands."""
    if not seen.after["health"][0][seen.target]:
        return ""
    turns = int(seen.after["emp"][0][seen.target])
    disabled = f", disabled for {'its next turn' if turns == 1 else f'{turns} turns'}" if said["emp"] else ""
    return f"{', armour burned' if said['burn'] else ''}{disabled}"


def _blasts_told(board: Board, seen: Seen, waves: Iterable[Wave]) -> Iterator[str]:
    """Yield what bursts and who falls of it, wave by wave."""
    for wave in waves:
        if wave.bursts:
            if (is_splash := wave.number == 0 and seen.action.what[0] == ATTACK) and not wave.losses:
                continue
            who = "splash"
            if not is_splash:
                many = "explode" if len(wave.bursts) > 1 else "explodes"
                who = f"{_listed([board.name(unit, seen.side) for unit in wave.bursts])} {many}"
            yield f"{who}{_harm(board, seen, wave)}"
            yield from _fell(board, seen, wave)


def _harm(board: Board, seen: Seen, wave: Wave) -> str:
    """Return whom a wave hurts, by damage."""
    by_damage: dict[int, list[str]] = {}
    for unit, damage in sorted(wave.losses.items(), key=lambda item: (-item[1], board.number[item[0]])):
        by_damage.setdefault(damage, []).append(board.name(unit, seen.side))
    told = "; ".join(f"{damage} damage to {_listed(names)}" for damage, names in by_damage.items())
    return f": {told or 'nobody is hurt'}"


def _fell(board: Board, seen: Seen, wave: Wave) -> Iterator[str]:
    """Yield who fell of a blast."""
    names = [board.name(unit, seen.side) for unit in wave.fallen if unit in wave.losses]
    if names:
        yield f"{_listed(names)} {'fall' if len(names) > 1 else 'falls'}"


def _drawn(board: Board, seen: Seen, waves: Iterable[Wave]) -> tuple[Blast, ...]:
    """Return the explosions as a page draws them."""
    terrain = board.battle.ground.map.ground
    return tuple(
        Blast(seen.cell(unit), tuple(cell for cell in cells if terrain[cell] != NO_CELL))
        for wave in waves
        for unit, cells in zip(wave.bursts, wave.cells, strict=True)
    )


def _saves(board: Board, seen: Seen, waves: Iterable[Wave]) -> tuple[str, ...]:
    """Return the dice that units throw against blasts."""
    faces, words = board.battle.terms.special_faces, {"slim": "Slim", "shield": "Supershield"}
    kept = {
        ("slim", True): "it dodges the blast",
        ("slim", False): "it does not dodge the blast",
        ("shield", True): "it takes the blast and stays up",
        ("shield", False): "it takes the blast and burns out",
    }
    return tuple(
        f"D{faces} {words[what]} of {board.name(unit, seen.side)} {face}: {kept[what, saved]}"
        for wave in waves
        for unit, what, face, saved in wave.saves
    )


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> _listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
