"""What is drawn of the actions of a battle, over and under the units: ways, shots, explosions, losses.

An action is never told by its colour alone: a move is a whole line with a head, a jump a broken arc, a shot a straight
line with a ring around who is hit, a miss a broken one with a cross, and each shot says in a word how it ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from balance.chance.rolls.board import OFF_BOARD
from balance.game.question.board_story import Act, BoardStory
from balance.reporting.board.drawing import INK, PAPER, SIDES, SIZE, TOKEN, BoardLayout, draw_token, token_shape
from balance.reporting.page.svg import Point, layer_group, pill, place, points_around, stroke, tag

SHOT, GAIN, BLAST = "#b3122c", "#226331", "#f07f13"
PLACES = (0.5, 0.36, 0.64, 0.24, 0.76)
"""Where along a line its number may stand, the best first."""
ROOM = 19.0
"""What a number wants around its middle."""


def draw_under(plan: BoardLayout, story: BoardStory, number: int) -> str:
    """Return what is under the units of a frame: explosions, paths and shots, rings around who acts and is hit.

    Frame `number` counts from 0; the picture is empty before the first action.
    """
    act = story.frames[number].act
    if act is None:
        return ""
    side = story.tokens[act.unit].side
    blasts = "".join(_blast(plan, blast.cells) for blast in act.blasts)
    ring = token_shape(side, TOKEN + 2.6, fill="none", stroke=INK, stroke_width=3)
    acts = layer_group((ring,), plan.centre(act.path[0 if act.kind == "shot" else -1]))
    way = _rings(plan, act) + _line(plan, act) if act.kind == "shot" else _way(plan, act, side)
    return blasts + way + acts


def draw_over(plan: BoardLayout, story: BoardStory, number: int) -> str:
    """Return what is over the units of a frame: results of shots, centres of explosions, changes of health, the fallen.

    Frame `number` counts from 0; health changes are since the frame before it.
    """
    act = story.frames[number].act
    picture = ""
    if act is not None:
        picture += "".join(_burst(plan.centre(blast.centre)) for blast in act.blasts)
        picture += (
            pill(_free_place(_beside(plan, act), _units(plan, story, number)), act.result, SHOT) if act.result else ""
        )
    return picture + (_changes(plan, story, number) if number else "")


def draw_ways(plan: BoardLayout, story: BoardStory, numbers: Sequence[int]) -> tuple[str, str]:
    """Return the paths and shots of several frames, rising, in one picture, and the frames' numbers as labels.

    Equal actions share a line and a label.
    """
    alike = dict[tuple[str, tuple[int, ...], int], list[tuple[int, Act]]]()
    for number in numbers:
        if act := story.frames[number].act:
            alike.setdefault((act.kind, act.path, act.unit), []).append((number, act))
    obstacles = _units(plan, story, max(0, min(numbers, default=1) - 1))
    lines, labels = "", ""
    for steps in alike.values():
        best = next((act for _, act in steps if act.result != "miss"), steps[0][1])
        lines += "".join(_blast(plan, blast.cells) for blast in best.blasts)
        lines += _line(plan, best) if best.kind == "shot" else _way(plan, best, story.tokens[best.unit].side)
        spot = _free_place(_along(plan, best), obstacles)
        labels += pill(spot, numbers_in_short([number for number, _ in steps]), INK, 10)
        obstacles.append(spot)
    return lines, labels


def _units(plan: BoardLayout, story: BoardStory, number: int) -> list[Point]:
    """Return the middles of the tokens on the board after a frame."""
    return [_token_middle(plan.centre(unit.cell)) for unit in story.frames[number].standings if unit.cell != OFF_BOARD]


def numbers_in_short(numbers: Sequence[int]) -> str:
    """Return rising numbers with runs of three or more as ranges.

    >>> numbers_in_short([3, 4, 5, 8]), numbers_in_short([3, 4])
    ('3-5 8', '3 4')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)


def _along(plan: BoardLayout, act: Act) -> list[Point]:
    """Return points on the path of an action where its number may go, the best first."""
    points = [plan.centre(cell) for cell in act.path]
    if act.kind == "own":
        x, y = points[0]
        return [(x - 17, y + 5), (x + 17, y + 5), (x - 15, y - 13), (x + 15, y - 13)]
    if act.kind == "jump":
        return [_on_arc(points[0], points[-1], share) for share in PLACES]
    return [_on_path(points, share) for share in PLACES]


def _free_place(places: Sequence[Point], obstacles: Iterable[Point], min_room: float = ROOM) -> Point:
    """Return the first point farther than `min_room` from all obstacles, or else the one farthest from them."""
    points = list(obstacles)
    rooms = [min((math.dist(spot, point) for point in points), default=math.inf) for spot in places]
    wide = (spot for spot, room in zip(places, rooms, strict=True) if room > min_room)
    return next(wide, places[rooms.index(max(rooms))])


def _on_path(points: Sequence[Point], share: float) -> Point:
    """Return the point at a share, 0 to 1, of the length of a polyline."""
    distance = share * sum(math.dist(*pair) for pair in pairwise(points))
    for start, end in pairwise(points):
        length = math.dist(start, end)
        if 0 < length >= distance:
            return _between(start, end, distance / length)
        distance -= length
    return points[-1]


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _short_of(start: Point, end: Point, gap: float) -> Point:
    """Return the point `gap` before the end of a segment; its start if it is shorter."""
    length = math.dist(start, end)
    return _between(start, end, max(0.0, length - gap) / length) if length else start


def _on_arc(start: Point, end: Point, share: float) -> Point:
    """Return a point of the quadratic Bezier curve of a jump, at parameter `share` from 0 to 1."""
    top = _top(start, end)
    return _between(_between(start, top, share), _between(top, end, share), share)


def _top(start: Point, end: Point) -> Point:
    """Return the control point of a jump's curve: above its middle, or right of it for a jump straight up or down."""
    x, y = _between(start, end, 0.5)
    bend = 0.35 * math.dist(start, end)
    return (x + bend, y) if abs(end[0] - start[0]) < SIZE / 2 else (x, y - bend)


def _way(plan: BoardLayout, act: Act, side: int) -> str:
    """Return the line of a move or arc of a jump, from a ghost of the token to an arrow head; else ""."""
    points = [plan.centre(cell) for cell in act.path]
    if act.kind == "move":
        before = points[-2]
        tip = _short_of(before, points[-1], TOKEN + 4)
        path, dashes = f"M{place(*points[:-1], tip)}", "none"
    elif act.kind == "jump":
        before = _top(points[0], points[-1])
        tip = _short_of(before, points[-1], TOKEN + 4)
        path, dashes = f"M{place(points[0])}Q{place(before)} {place(tip)}", "7 4"
    else:
        return ""
    ghost = token_shape(side, TOKEN - 2, fill="none", stroke=SIDES[side], stroke_width=1.2, stroke_dasharray="3 3")
    line = stroke(path, SIDES[side], 3.2, PAPER, stroke_dasharray=dashes, stroke_linejoin="round")
    return layer_group((ghost,), points[0]) + line + _head(before, tip, SIDES[side])


def _head(before: Point, tip: Point, colour: str) -> str:
    """Return an arrow head at `tip`, turned away from `before`."""
    turn = round(math.degrees(math.atan2(tip[1] - before[1], tip[0] - before[0])), 1)
    transform = f"translate({place(tip)}) rotate({turn + 0.0:g})"
    return tag("path", d="M-5 -6.5L5 0L-5 6.5z", transform=transform, fill=colour, stroke=PAPER)


def _line(plan: BoardLayout, act: Act) -> str:
    """Return the line of a shot, from edge to edge of the two tokens; a miss is broken and ends in a cross."""
    start, end = (_token_middle(plan.centre(cell)) for cell in (act.path[0], act.path[-1]))
    first, last = _short_of(end, start, TOKEN), _short_of(start, end, TOKEN + 4)
    if act.result == "miss":
        return stroke(f"M{place(first, last)}", SHOT, 2.4, PAPER, stroke_dasharray="4 3") + _cross(last, 4.5, 2.4)
    return stroke(f"M{place(first, last)}", SHOT, 2.4, PAPER) + _head(start, last, SHOT)


def _token_middle(point: Point) -> Point:
    """Return the middle of a token on a cell with this middle: 3 units higher."""
    return point[0], point[1] - 3


def _rings(plan: BoardLayout, act: Act) -> str:
    """Return a ring around the target of a hit, two of a critical one, none of a miss."""
    x, y = _token_middle(plan.centre(act.path[-1]))
    radii = {"hit": (17,), "critical": (17, 21)}.get(act.result, ())
    return "".join(tag("circle", cx=x, cy=y, r=reach, fill="none", stroke=SHOT, stroke_width=2) for reach in radii)


def _beside(plan: BoardLayout, act: Act) -> list[Point]:
    """Return points for the word of a shot, above or right of its line, the best first."""
    start, end = (plan.centre(cell) for cell in (act.path[0], act.path[-1]))
    length = math.dist(start, end) or 1.0
    aside, up = abs(start[1] - end[1]) / length, abs(end[0] - start[0]) / length
    falls = (end[0] - start[0]) * (end[1] - start[1]) < 0
    gap = 10 + 2.6 * len(act.result) * aside
    middles = (_between(start, end, share) for share in PLACES)
    return [(x + gap * (-aside if falls else aside), y - gap * up) for x, y in middles]


def _cross(middle: Point, reach: float, width: float) -> str:
    corners = points_around(middle, reach * math.sqrt(2), 4, 45)
    return stroke(f"M{place(corners[0], corners[2])}M{place(corners[1], corners[3])}", SHOT, width, PAPER)


def _blast(plan: BoardLayout, cells: Sequence[int]) -> str:
    """Return the shaded outlines of the cells that an explosion reaches."""
    path = "".join(plan.outline(cell, 1.2) for cell in cells)
    rim = stroke(path, BLAST, 2, stroke_dasharray="6 2")
    return tag("path", d=path, fill=BLAST, fill_opacity=".3") + rim


def _burst(middle: Point) -> str:
    """Return the rays at the middle of an explosion, outside the token there."""
    inner, outer = (points_around(_token_middle(middle), reach, 12, 15) for reach in (16, 23))
    rays = "".join(f"M{place(*pair)}" for pair in zip(inner, outer, strict=True))
    return stroke(rays, SHOT, 2.4, PAPER)


def _changes(plan: BoardLayout, story: BoardStory, number: int) -> str:
    """Return crosses over the units that fell since the frame before, and the change of health of each."""
    before, after = story.frames[number - 1].standings, story.frames[number].standings
    picture = ""
    for token, old, new in zip(story.tokens, before, after, strict=True):
        cell = new.cell if new.cell != OFF_BOARD else old.cell
        if new.health == old.health or cell == OFF_BOARD:
            continue
        x, y = plan.centre(cell)
        if new.health <= 0:
            picture += layer_group((draw_token(token, 0),), (x, y), opacity=0.4) + _cross(
                _token_middle((x, y)), 10, 3.5
            )
        change = f"{new.health - old.health:+d}".replace("-", "−")
        picture += pill((x + 17, y + 3), change, SHOT if new.health < old.health else GAIN, 9)
    return picture
