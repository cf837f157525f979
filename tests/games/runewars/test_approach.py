"""The approach: each rule of the table by hand, in millimetres, and whole approaches from side to side."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.games.runewars.ruleset import Lengths
from balance.games.runewars.table import moves
from balance.games.runewars.table.boxes import DEGREE, MM, Box
from balance.games.runewars.table.ground import Table, table_of
from balance.games.runewars.table.moves import ACTIONS, ENEMY, Deed, Order, Pose, is_engaged, shot_at
from balance.games.runewars.tables import Ground, TerrainPiece
from tests.games.runewars.plays import GAME, play, printed

LENGTHS = Lengths(tray_mm=50, band_mm=100, edge_gap_mm=50)
FIELD = Ground(id="field", name="Field", width_mm=2000, depth_mm=1000)
STILL = {f"{side}.{field}": "0" for side in "ab" for field in ("red", "blue", "white", "brutal", "regenerate")}


def table(*pieces: tuple[Any, ...], tokens: int = 0, overgrowth: Any = (), units: Any = ()) -> Table:
    """Return a table with pieces: kind, x, y, width, depth, and perhaps heading."""
    names = ("kind", "x_mm", "y_mm", "width_mm", "depth_mm", "heading_degrees")
    cards = [
        TerrainPiece(id=f"piece_{n}", ground="field", **dict(zip(names, (*piece, 0)[:6], strict=True)))
        for n, piece in enumerate(pieces)
    ]
    return table_of(FIELD, cards, LENGTHS, units, tokens, overgrowth, 45)


def pose(x: float, y: float, heading: float = 0, columns: int = 2, ranks: int = 2, terrain: int = 0) -> Pose:
    """Return a unit of trays of 50 mm."""
    numbers = (x * MM, y * MM, heading * DEGREE, terrain, columns * 25 * MM, ranks * 25 * MM, columns * ranks)
    return Pose(*(np.array([int(number)]) for number in numbers))


def act(
    on: Table, me: Pose, foe: Pose, action: str, bands: int = 0, wheel: int = 0, aim: Any = None, enters: bool = True
) -> Deed:
    """Return what comes of an order of side a; it aims at the enemy's centre unless said."""
    x, y = (foe.x, foe.y) if aim is None else (np.array([part * MM]) for part in aim)
    what, distance, most = (np.array([n]) for n in (ACTIONS.index(action), bands * 100 * MM, wheel * DEGREE))
    return moves.carried_out(on, me, foe, Order(what, distance, most, (x, y), enters, "a"))


def at(where: Pose) -> tuple[float, float, float, int]:
    """Return x, y, heading and terrain."""
    return where.x[0] / MM, where.y[0] / MM, where.heading[0] / DEGREE, int(where.terrain[0])


def lines(question: Any) -> list[list[dict[str, Any]]]:
    """Return the events of each line of one approach."""
    told = question.kind.tell(question.setup, RandomRolls(0, "told", 0, 1), 0)
    return [[*line.events] for line in told.lines]


@pytest.mark.rule("RW-MOV.1")
def test_a_march_goes_on_collides_and_then_realigns() -> None:
    far, foe = pose(0, -300), pose(0, 300, 180)
    assert at(act(table(), far, foe, "march", 2).pose) == (0, -100, 0, 0)
    stopped = act(table(), far, foe, "march", 9)
    assert (at(stopped.pose), stopped.meets[0], stopped.realigns[0]) == ((0, 200, 0, 0), True, False)
    askew = act(table(), pose(30, -100, 350), foe, "march", 9)
    assert askew.realigns[0] and askew.stopped_by[0] == ENEMY
    x, y, heading, _ = at(askew.pose)
    assert (y, heading) == (200, 0) and -50 < x < 50, "its front lies along the front that it struck"
    assert at(askew.stop)[2] == 350, "it collides before it turns"
    behind = act(table(), pose(0, -100), pose(0, 300, 0), "march", 9)
    assert (at(behind.pose)[:3], int(behind.edge[0])) == ((0, 200, 0), 2), "the rear is struck"
    flank = act(table(), pose(-400, 300, 80), pose(0, 300, 180), "march", 9, aim=(0, 300))
    assert (int(flank.edge[0]), at(flank.pose)[0], at(flank.pose)[2]) == (1, -100, 90), "so is its right"


@pytest.mark.rule("RW-MOV.2")
def test_a_friend_stops_a_move_even_if_realigning_would_clear_it() -> None:
    """A friend stands before the enemy's right half: the unit stops at it, though its left half would reach."""
    foe, friend = pose(0, 300, 180), ("unit_a", 60, 150, 60, 60)
    stopped = act(table(friend), pose(0, -100), foe, "march", 9)
    assert (at(stopped.pose)[1], int(stopped.stopped_by[0])) == (70, 0)
    beside = act(table(("unit_a", 118, 145, 60, 30)), pose(0, -100, 8), foe, "march", 9)
    assert beside.meets[0] and not beside.realigns[0], "flush with the enemy it would overlap its friend"
    assert at(beside.pose) == at(beside.stop)


def fixed(a: str, b: str, dials: str, changes: Any, game: Any = GAME) -> dict[str, int]:
    """Return what comes of an approach without luck in which these dials are set, a's and b's by turns."""
    question = game.ask("approach", a, b, {**STILL, "situation.round_limit": "1", **changes}, first="a")
    return play(question, dial=[f"{(a, b)[n % 2]}_{name}" for n, name in enumerate(dials.split())])


@pytest.mark.rule("RW-MOV.3", "RW-CARD.3")
def test_a_wheel_and_a_charge_go_together() -> None:
    """An aggressive unit's wheel is a charge as well; trumpets open wheels, and not those of charges."""
    beside = {"situation.gap_bands": "1", "a.heading_degrees": "45"}
    for aggressive, charger in (("true", 1), ("false", 0)):
        ends = fixed("spearmen", "rune_golems", "turn_3 melee", {**beside, "a.aggressive": aggressive})
        assert ends["first_charge"] == charger
    play_of = GAME.ask("approach", "spearmen", "spearmen", {"a.wheel_degrees": "30", "a.aggressive": "true"}).setup.play
    dial = {row.id: row for row in play_of.walkers["a"].settings}
    plain = {row.id: row for row in play_of.walkers["b"].settings}
    assert (dial["spearmen_turn_3"].turn_degrees, dial["spearmen_turn_3"].charge) == (75, True)
    assert (dial["spearmen_turning_charge_2"].turn_degrees, dial["spearmen_march_3"].charge) == (45, False)
    assert (plain["spearmen_turn_3"].turn_degrees, plain["spearmen_turn_3"].charge) == (45, False)


@pytest.mark.rule("RW-MOV.3")
def test_a_unit_wheels_about_its_front_corner_and_only_where_there_is_room() -> None:
    foe = pose(800, 0, 180)
    wheeled = act(table(), pose(0, 0), foe, "march", 1, wheel=90, aim=(500, 0))
    assert at(wheeled.pose) == (100, 100, 90, 0), "its right front corner, (50, 50), stays while it turns"
    assert at(act(table(), pose(0, 0), foe, "march", 1, wheel=45, aim=(500, 0)).pose)[2] == 45
    walled = act(table(("obstacle", -75, 50, 20, 20)), pose(0, 0), foe, "march", 1, wheel=45, aim=(500, 0))
    assert at(walled.pose) == (0, 100, 0, 0)


@pytest.mark.rule("RW-CARD.3")
def test_a_bonus_shift_comes_after_the_action_chosen() -> None:
    changes = {**STILL, "a.bonus_shift_bands": "1", "situation.round_limit": "1"}
    (_, own, *_) = lines(GAME.ask("approach", "spearmen", "rune_golems", changes, "a", policy_b="hold"))
    assert [(one["event"], one["from"][1], one["to"][1]) for one in own] == [("march", -256, 48), ("shift", 48, 124)]


@pytest.mark.rule("RW-REF.1")
def test_a_reform_turns_on_the_centre_without_new_contact() -> None:
    wide, foe = pose(0, 0, columns=4, ranks=1), pose(300, 0)
    assert at(act(table(), wide, foe, "reform").pose) == (0, 0, 90, 0)
    for beside in (("obstacle", 0, 110, 20, 20), ("obstacle", 0, 105, 10, 10)):
        assert at(act(table(beside), wide, foe, "reform").pose)[2] == 0, "it would overlap it, or touch it anew"
    square, close = pose(0, 0), pose(100, 0, 270)
    assert at(act(table(), square, close, "reform").pose)[2] == 90, "it touches whom it touched before"
    assert is_engaged(table(), square, close, "b")[0]


@pytest.mark.rule("RW-TER.2")
def test_terrain_that_stopped_a_march_stops_the_next_too() -> None:
    wood, foe = table(("blocking", 0, 200, 200, 100)), pose(0, 450, 180)
    first = act(wood, pose(0, 0), foe, "march", 3, enters=False)
    assert (at(first.pose), int(first.stopped_by[0])) == ((0, 100, 0, 0), 0)
    second = act(wood, first.pose, foe, "march", 3, enters=False)
    assert (at(second.pose), second.distance[0]) == ((0, 100, 0, 0), 0)
    assert at(act(wood, first.pose, foe, "march", 3).pose) == (0, 200, 0, 1), "unless it enters"
    rock = table(("obstacle", 0, 200, 200, 100))
    small, shift = table(("blocking", 0, 200, 99, 100)), act(wood, pose(0, 50), foe, "shift", 1)
    for stopped in (act(rock, pose(0, 0), foe, "march", 3), act(small, pose(0, 0), foe, "march", 3)):
        assert at(stopped.pose) == (0, 100, 0, 0), "rocks are never entered, nor what is too small"
    assert at(shift.pose) == (0, 100, 0, 0), "nor does a shift enter"


@pytest.mark.rule("RW-TER.3", "RW-CARD.3")
def test_whoever_collides_with_terrain_that_the_enemy_holds_does_not_realign() -> None:
    """All edges of the terrain are front edges of who stands in it."""
    wood, foe = table(("blocking", 0, 200, 200, 100)), pose(0, 200, 90, terrain=1)
    met = act(wood, pose(0, -100, 10), foe, "march", 9)
    assert (met.meets[0], met.realigns[0], met.enters[0], int(met.edge[0])) == (True, False, False, 0)
    assert at(met.pose)[2] == 10
    assert is_engaged(wood, met.pose, foe, "b")[0]


@pytest.mark.rule("RW-TER.4")
def test_leaving_terrain_is_the_whole_march_or_shift() -> None:
    wood, inside = table(("opening", 0, 0, 200, 100), ("obstacle", 0, 100, 20, 20)), pose(0, 0, 200, terrain=1)
    for action in ("march", "shift"):
        left = act(wood, inside, pose(900, 10), action, 3)
        assert left.leaves[0] and at(left.pose) == (150, 0, 90, 0), "by the edge that looks towards its aim"
    blocked = act(wood, inside, pose(30, 400), "march", 3)
    assert at(blocked.pose)[:3] == (150, 0, 90), "the front is blocked, the right looks a little that way"
    assert at(act(wood, inside, pose(0, 100, 180), "march", 3).pose)[3] == 1, "who is engaged stays"


@pytest.mark.rule("RW-TER.5")
def test_a_charge_that_enters_terrain_beside_the_enemy_attacks() -> None:
    hedge = {"width_mm": "112", "depth_mm": "112", "y_mm": "58"}
    game = printed({f"terrain.road_hedge.{field}": value for field, value in hedge.items()})
    away = {"situation.ground": "old_road", "situation.gap_bands": "3"}
    ends = fixed("spearmen", "reanimates", "charge_4 defend", away, game)
    assert (ends["first_charge"], ends["edge_struck"]) == (1, 1)
    stays = fixed("spearmen", "reanimates", "charge_4 defend", away | {"a.enters_terrain": "false"}, game)
    assert stays["first_charge"] == 0
    wood, foe = table(("blocking", 0, 100, 100, 100)), pose(0, 200, 180)
    entered = act(wood, pose(0, -100), foe, "march", 3)
    assert entered.enters[0] and at(entered.pose) == (0, 100, 0, 1)
    assert entered.pose.on(wood).touches(foe.on(wood))[0] and not entered.meets[0]


@pytest.mark.rule("RW-TER.1")
def test_terrain_without_a_legal_spot_is_left_out() -> None:
    """Too near an edge, on another piece, on a unit: none of these is placed; the last one is."""
    unit = Box(*(np.array([number]) for number in (0, -300 * MM, 50 * MM, 50 * MM, 0)))
    pieces = [("blocking", 960, 0, 50, 50), ("opening", 0, 0, 100, 100), ("agony", 60, 0, 100, 100)]
    laid = table(*pieces, ("obstacle", 20, -260, 50, 50), ("elevated", 120, 0, 100, 100), units=[unit])
    assert laid.not_placed == ("piece_0", "piece_2", "piece_3")
    assert [piece.id for piece in laid.pieces] == ["piece_1", "piece_4"]


@pytest.mark.rule("RW-TER.7")
def test_overgrowth_goes_on_terrain_one_each_the_first_player_first() -> None:
    woods = [("blocking", 100 * n, 0, 50, 50) for n in range(4)]
    laid = table(*woods[:2], ("unit_a", 200, 0, 50, 50), *woods[3:], overgrowth=[("b", 1), ("a", 4)])
    assert laid.overgrown == ("b", "a", "", "a")
    asked = GAME.ask("approach", "spearmen", "spearmen", {"situation.ground": "old_road", "a.overgrowth": "2"})
    assert asked.setup.play.table.overgrown == ("a", "a", "")


@pytest.mark.rule("RW-OBJ.1")
def test_tokens_without_a_spot_are_not_placed() -> None:
    """Spots are 200 mm apart, up to 950 mm from the middle, and none is on a piece."""
    assert table(tokens=3).tokens == ((0, 0), (200, 0), (-200, 0))
    laid = table(("obstacle", 0, 0, 50, 50), tokens=20)
    assert len(laid.tokens) == 8 and (0, 0) not in laid.tokens


@pytest.mark.rule("RW-LOS.1", "RW-LOS.2", "RW-LOS.3")
def test_sight_is_blocked_by_terrain_but_openings() -> None:
    me, foe = pose(0, -200), pose(0, 200, 180)
    for kind, sees in (("obstacle", False), ("blocking", False), ("agony", False), ("elevated", False),
                       ("opening", True), ("unit_a", False), ("unit_b", False)):  # fmt: skip
        assert shot_at(table((kind, 0, 0, 300, 20)), me, foe, 5, "b").sees[0] == sees, kind
    for kind in ("opening", "elevated", "blocking"):
        inside, place = pose(0, 200, 180, terrain=1), (kind, 0, 200, 100, 100)
        assert shot_at(table(place), me, inside, 5, "b").sees[0], "it can be shot there"
        assert not shot_at(table(place, ("blocking", 0, 0, 400, 20)), me, inside, 5, "b").sees[0], kind
    high = pose(0, -200, terrain=1)
    assert shot_at(table(("elevated", 0, -200, 100, 100), ("blocking", 0, 0, 400, 20)), high, foe, 5, "b").sees[0]
    narrow = shot_at(table(("blocking", 0, 0, 60, 20)), me, foe, 5, "b")
    assert narrow.sees[0] and narrow.blocked_by[0, 0], "one line that is clear will do"


@pytest.mark.rule("RW-LOS.4")
def test_whoever_is_covered_along_its_whole_front_shoots_nobody_else() -> None:
    me, foe = pose(0, -200), pose(-250, 100, 180)
    for x, sees in ((0, False), (1, True)):
        cover = ("unit_b", x, -130, 100, 40)
        assert shot_at(table(cover), me, foe, 5, "b").sees[0] == sees
        assert is_engaged(table(cover), me, foe, "b")[0]
        assert not is_engaged(table(cover), me, foe, "a")[0]


@pytest.mark.rule("RW-LOS.5")
def test_distances_are_the_same_from_either_end() -> None:
    for foe, band in ((pose(0, 300, 180), 2), (pose(0, 300.5, 180), 3), (pose(160, 180, 45), 2), (pose(0, 100), 1)):
        me = pose(0, 0)
        assert me.body.distance(foe.body)[0] == foe.body.distance(me.body)[0]
        shot = shot_at(table(), me, foe, 2, "b")
        assert (int(shot.band[0]), bool(shot.in_range[0])) == (band, band <= 2)


@pytest.mark.rule("RW-LOS.1", "RW-LOS.6")
def test_cards_let_a_unit_shoot_without_sight_or_while_engaged() -> None:
    """Heartseeker needs no sight, but its target in its arc; with Close Targets one shoots who is in contact."""
    wall = printed({"terrain.road_hedge.kind": "obstacle", "terrain.road_hedge.width_mm": "1400"})
    far = {"a.add_hits": "9", "situation.gap_bands": "4", "situation.ground": "old_road"}
    blind, turned = {"a.ignores_sight": "true"}, {"a.ignores_sight": "true", "a.heading_degrees": "180"}
    for more, wounds in (({}, 0), (blind, 8), (turned, 0)):
        ends = fixed("reanimate_archers", "spearmen", "shoot defend", far | more, wall)
        assert ends["a_shot_wounds"] == wounds, more
    for more, wounds in (({}, 0), ({"a.shoots_engaged": "true"}, 8)):
        close = {"a.add_hits": "9", "situation.gap_bands": "0"}
        assert fixed("reanimate_archers", "spearmen", "shoot defend", close | more)["a_shot_wounds"] == wounds


@pytest.mark.rule("RW-INFO.1")
def test_dials_are_set_before_either_is_shown() -> None:
    """What a side sees when it sets its dial does not hold what the other has set."""
    question = GAME.ask("approach", "spearmen", "reanimates", {"situation.gap_bands": "2"}, first="a")
    (process,) = question.kind.processes(question.setup, "literal")
    answers = set()
    for row in range(8):
        fixed_a = SimpleNamespace(choose=lambda *given, row=row: np.array([row]))
        bold, rolls = replace(process, policies={**process.policies, "a": fixed_a}), RandomRolls(0, "x", 0, 1)
        after = bold.step(1)(bold.step(0)(start_state(bold, 1), rolls), rolls)
        answers.add((int(after["a_dial"][0]) == row, int(after["b_dial"][0])))
    assert len(answers) == 1


@pytest.mark.parametrize(("turn", "struck", "threat"), [(0, 1, 4), (90, 2, 3), (180, 3, 4), (270, 2, 3)])
def test_whoever_is_struck_strikes_back_with_that_edge(turn: int, struck: int, threat: int) -> None:
    """Reanimates of four trays in three ranks: a hit wounds as many as the edge in contact has trays or ranks."""
    changes = {"situation.gap_bands": "2", "b.heading_degrees": str(turn), "situation.round_limit": "1"}
    ends = fixed(
        "spearmen",
        "reanimates",
        "charge_4 melee",
        {**changes, "b.add_hits": "1", "b.columns": "4", "b.ranks": "3", "b.initiative": "9"},
    )
    assert (ends["first_charge"], ends["edge_struck"], 8 - ends["a_figures"]) == (1, struck, threat)


@pytest.mark.rule("RW-TRAY.2")
def test_no_tray_is_added_onto_an_obstacle() -> None:
    """Two trays in a rank: with one more a second rank opens at the rear, 56 mm deep."""
    for y, trays in (("-354", 2), ("-355", 3)):
        place = {"x_mm": "0", "y_mm": y, "depth_mm": "30"}
        game = printed({f"terrain.crowd_left.{field}": value for field, value in place.items()})
        changes = {"a.trays_added": "1", "situation.ground": "crowded_line", "situation.gap_bands": "6"}
        ends = fixed("spearmen", "reanimates", "defend defend", changes, game)
        assert ends["a_trays"] == trays, y


@pytest.mark.parametrize("pair", [("charge", "hold"), ("flank", "advance"), ("advance", "stand_and_shoot")])
@pytest.mark.parametrize("ground", ["open_field", "ruined_farm", "crowded_line"])
def test_units_swapped_and_the_table_turned_are_the_same(pair: tuple[str, str], ground: str) -> None:
    """Without luck: every place with the other sign, every heading turned by half a turn, to the last micrometre."""
    units = ("oathsworn_cavalry+2x2", "reanimate_archers+3x2")
    changes = {**STILL, "situation.ground": ground, "situation.offset_mm": "120", "situation.round_limit": "6"}
    begin = []
    for order in ((0, 1), (1, 0)):
        first, second = order
        ways = {"policy_a": pair[first], "policy_b": pair[second]}
        question = GAME.ask("approach", units[first], units[second], changes, "ab"[order.index(0)], **ways)
        states = [line[-1]["after"]["units"] for line in lines(question)]
        begin.append([[state["ab"[order.index(k)]] for k in (0, 1)] for state in states])
    assert len(begin[0]) == len(begin[1]) > 6
    for one, turned in zip(*begin, strict=True):
        for here, there in zip(one, turned, strict=True):
            assert (here["x"], here["y"]) == (-there["x"], -there["y"])
            assert round((here["heading"] + 180) % 360, 3) == there["heading"]


def test_a_mirror_is_even() -> None:
    """Equal units that charge win equally often: within five standard errors, wrong once in a million times."""
    question = GAME.ask("approach", "spearmen+2x2", "spearmen+2x2")
    chance = question.p_win(question.simulate(4096, seed=1).distribution)
    assert abs(chance["a"] - chance["b"]) < 5 / 64
