"""The second engine of whole battles by itself: positions worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from balance.catalogue import load_catalogue
from balance.games.warforged.cards import SPEC, Loadout, constants_of, parse_loadout
from tests.games.warforged.reference_attack import GONE, UP, Readings
from tests.games.warforged.reference_battle import ATTACK, END, JUMP, MOVE, OVERLOAD, RAISE, Action, Battle, Legal
from tests.games.warforged.reference_board import Board
from tests.games.warforged.reference_luck import STEP, below, face, mix, stream, word
from tests.games.warforged.reference_play import Greedy, Step, compare_trace, play, random_policy, values_of

DATA = Path(__file__).parents[3] / "data" / "warforged"
CATALOGUE = load_catalogue(SPEC, DATA)
AS_LEDGER = Readings()
OPEN_9X9 = ["." * 9] * 9


def sure(text: str, **changes: Any) -> Loadout:
    """A loadout whose weapons cannot miss (and are critical on a 10), with what else is changed on its weapons."""
    unit, *weapons = text.split("+")
    cards = parse_loadout(CATALOGUE, unit).unit, [CATALOGUE.find("weapons", name, "") for name in weapons]
    armed = [weapon.model_copy(update={"precision": 10, **changes}) for weapon in cards[1]]
    return Loadout(cards[0], tuple(armed))  # type: ignore[arg-type]


def set_up(
    rows: Sequence[str],
    a: Sequence[tuple[Loadout | str, tuple[int, int]]],
    b: Sequence[tuple[Loadout | str, tuple[int, int]]],
    read: Readings = AS_LEDGER,
    *,
    shape: str = "hex",
    **terms: Any,
) -> Battle:
    """A battle of units on cells (column, row), a to act."""
    armies = [[one if isinstance(one, Loadout) else sure(one) for one, _ in side] for side in (a, b)]
    battle = Battle(Board(shape, list(rows)), armies, read, **{"key": 1, "unit_limit": 9, **terms})
    for seat, side in enumerate((a, b)):
        for piece, (_, (column, row)) in zip(battle.pieces[seat], side, strict=True):
            battle.put(piece, 16 * column + row)
    return battle


def legal(battle: Battle, what: int) -> set[Action]:
    return {action for action in Legal(battle).listed() if action.what == what}


def key_with(**dice: int) -> int:
    """The first key whose first attack shows these dice."""

    def shows(key: int) -> bool:
        faces = {"precision": 10}
        return all(face(stream(key, 0), faces.get(name, 6), name) == shown for name, shown in dice.items())

    return next(key for key in range(100_000) if shows(key))


def armour_dice(key: int, n: int) -> list[int]:
    return [face(stream(key, 0), 6, "armour", j) for j in range(n)]


def test_the_mixer_is_the_published_one() -> None:
    assert mix(STEP) == 0xE220A8397B1DCDAF  # the first output of splitmix64 from 0
    assert below(2**64 - 1, 6) == 5
    shown = [face(stream(7, count), 6, "armour", j) for count in range(200) for j in range(6)]
    assert {shown.count(die) > 150 for die in range(1, 7)} == {True}
    assert word(7, 0, "slim") != word(7, 0, "slim", 1) != word(7, 1, "slim", 1)


def test_a_hex_has_six_neighbours_and_odd_columns_stand_lower() -> None:
    board = Board("hex", OPEN_9X9)
    around = {tuple(divmod(cell, 16)) for cell in board.neighbours(16 * 4 + 4)}
    assert around == {(4, 3), (4, 5), (3, 3), (3, 4), (5, 3), (5, 4)}
    around = {tuple(divmod(cell, 16)) for cell in board.neighbours(16 * 3 + 4)}
    assert around == {(3, 3), (3, 5), (2, 4), (2, 5), (4, 4), (4, 5)}


@pytest.mark.parametrize("shape", ["hex", "square"])
def test_distances_are_steps_and_lines_go_straight(shape: str) -> None:
    board = Board(shape, OPEN_9X9)
    for start in board.terrain:
        steps = {start: 0}
        for here in (queue := [start]):
            for there in board.neighbours(here):
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        assert steps == {cell: board.distance(start, cell) for cell in board.terrain}
        for target, line in board.lines[start].items():
            assert line.distance == steps[target]
            assert board.lines[target][start].between == line.between[::-1]
    n_lines = len(board.lines[16 * 4 + 4])
    assert n_lines == (16 if shape == "square" else 8 + 4 * 4)


@pytest.mark.parametrize(("row", "given"), [(1, 0), (2, 1), (3, 1)])
def test_cover_counts_for_the_unit_that_is_no_farther_from_it(row: int, given: int) -> None:
    column = ["."] * 9
    column[row] = "+"
    rows = [mark + "." * 8 for mark in column]
    battle = set_up(rows, [("trooper+sidearm", (0, 0))], [("trooper+sidearm", (0, 4))])
    gun = battle.pieces[0][0].guns[0]
    assert battle.cover(gun, battle.board.lines[0][4]) == given
    assert battle.cover(gun._replace(laser=True), battle.board.lines[0][4]) == 0


def test_several_covers_give_one_die_or_one_each() -> None:
    rows = [mark + "." * 8 for mark in "..+++...."]
    for reading, dice in (("one", 1), ("each", 3)):
        read = replace(AS_LEDGER, cover_stack=reading)
        battle = set_up(rows, [("trooper+sidearm", (0, 0))], [("trooper", (0, 5))], read)
        line = battle.board.lines[0][5]  # covers 2, 3 and 4 steps from the attacker, 3, 2 and 1 from the target
        assert battle.cover(battle.pieces[0][0].guns[0], line) == dice - (1 if reading == "each" else 0)


def test_heavy_cover_blocks_all_but_lasers() -> None:
    rows = [mark + "." * 8 for mark in "..#......"]
    a, b = [("trooper+smg_pistol+laser_carbine", (0, 0))], [("trooper", (0, 4))]
    assert legal(set_up(rows, a, b), ATTACK) == {Action(ATTACK, 0, 1, 0)}
    assert not legal(set_up(rows, a, b, replace(AS_LEDGER, laser_heavy=False)), ATTACK)


def test_range_and_straight_lines_limit_attacks_and_units_block_only_if_so_read() -> None:
    a = [("trooper+sidearm", (4, 4)), ("trooper", (4, 5))]
    b = [("trooper", (4, 7)), ("trooper", (4, 8)), ("trooper", (6, 4)), ("trooper", (6, 3))]
    assert {act.target for act in legal(set_up(OPEN_9X9, a, b), ATTACK)} == {0, 3}
    blocked = set_up(OPEN_9X9, a, b, replace(AS_LEDGER, units_block=True))
    assert {act.target for act in legal(blocked, ATTACK)} == {3}


def test_walks_pass_light_cover_but_do_not_end_there_and_slim_units_pass_others() -> None:
    rows = ["#########", ".+..#....", "#########"]
    walk = set_up(rows, [("trooper", (0, 1))], [("trooper", (8, 1))], shape="square")
    assert {act.cell >> 4 for act in legal(walk, MOVE)} == {2, 3}
    other = [("trooper", (2, 1))]
    assert not legal(set_up(rows, [("trooper", (0, 1))], other, shape="square"), MOVE)
    slim = set_up(rows, [("whisper", (0, 1))], other, shape="square")
    assert {act.cell >> 4 for act in legal(slim, MOVE)} == {3}


def test_a_unit_moves_twice_at_most_and_then_may_jump() -> None:
    battle = set_up(OPEN_9X9, [("vanguard", (0, 4))], [("trooper", (8, 8))])
    for row in (3, 4):
        battle.act(Action(MOVE, 0, cell=row))
    assert not legal(battle, MOVE)
    assert legal(battle, JUMP)
    battle.end_turn()
    battle.end_turn()
    assert legal(battle, MOVE)


def test_the_rulebooks_jump_over_a_wall() -> None:
    rows = ["....#....", "....#....", "....#....", "....#....", "....#...."]
    battle = set_up(rows, [("vanguard+smg_pistol", (2, 2))], [("trooper", (0, 1))])
    battle.act(Action(ATTACK, 0, 0, 0))  # the SMG Pistol first, then over the wall
    beyond = {act.cell for act in legal(battle, JUMP) if act.cell >> 4 > 4}
    assert beyond == {16 * 5 + 0, 16 * 5 + 3, 16 * 6 + 0, 16 * 6 + 4}
    battle.act(Action(JUMP, 0, cell=16 * 6 + 4))
    assert Legal(battle).listed() == [Action(END)]
    exact = set_up(rows, [("vanguard", (2, 2))], [("trooper", (0, 0))], replace(AS_LEDGER, jump_exact=True))
    assert {act.cell for act in legal(exact, JUMP)} == {16 * 6 + 0, 16 * 6 + 4}


def test_a_jump_goes_over_units_and_where_no_cells_are() -> None:
    rows = ["#########", "..~......", "#########"]
    battle = set_up(rows, [("vanguard", (0, 1))], [("trooper", (3, 1))], shape="square")
    assert {act.cell >> 4 for act in legal(battle, JUMP)} == {1, 4}
    assert {act.cell >> 4 for act in legal(battle, MOVE)} == {1}


def test_armour_and_cover_dice_lower_a_normal_hit_but_not_a_critical() -> None:
    for precision, cover, piercing in product((2, 10), (0, 1), (False, True)):
        key = key_with(precision=precision)
        rows = [mark + "." * 8 for mark in (".+......." if cover else ".........")]
        effects = ("piercing",) if piercing else ()
        a, b = [(sure("trooper+shotgun", effects=effects), (0, 0))], [("bulwark", (0, 2))]
        battle = set_up(rows, a, b, key=key)
        battle.act(Action(ATTACK, 0, 0, 0))
        blocked = 0 if piercing or precision == 10 else sum(3 <= die <= 5 for die in armour_dice(key, 4 + cover))
        assert battle.pieces[1][0].health == 14 - max(1, 5 - blocked)


def test_a_shield_absorbs_and_may_burn_out() -> None:
    for die, state in ((4, GONE), (5, UP)):
        battle = set_up(
            OPEN_9X9, [("trooper+shotgun", (4, 4))], [("aegis", (4, 5))], key=key_with(precision=3, shield=die)
        )
        battle.pieces[1][0].shield = UP
        battle.act(Action(ATTACK, 0, 0, 0))
        assert (battle.pieces[1][0].health, battle.pieces[1][0].shield) == (7, state)
        battle.end_turn()
        assert not legal(battle, RAISE)


def test_slim_units_dodge_a_hit_and_its_effects() -> None:
    battle = set_up(
        OPEN_9X9, [("trooper+emp_projector", (4, 4))], [("whisper", (4, 5))], key=key_with(precision=3, slim=1)
    )
    battle.act(Action(ATTACK, 0, 0, 0))
    assert (battle.pieces[1][0].health, battle.pieces[1][0].emp) == (4, 0)


def test_emp_takes_the_next_turn_and_no_more() -> None:
    battle = set_up(OPEN_9X9, [("trooper+emp_projector", (4, 4))], [("trooper", (4, 6)), ("trooper", (8, 8))])
    battle.act(Action(ATTACK, 0, 0, 0))
    battle.act(Action(ATTACK, 0, 0, 0))
    assert battle.pieces[1][0].emp == 1
    battle.end_turn()
    assert {act.unit for act in Legal(battle).listed()} == {-1, 1}
    assert battle.left == 9
    battle.end_turn()
    battle.end_turn()
    assert {act.unit for act in Legal(battle).listed()} == {-1, 0, 1}


def test_cumulative_emp_takes_a_turn_for_each_hit() -> None:
    read = replace(AS_LEDGER, emp="cumulative")
    battle = set_up(OPEN_9X9, [("trooper+emp_projector", (4, 4))], [("trooper", (4, 6))], read)
    battle.act(Action(ATTACK, 0, 0, 0))
    battle.act(Action(ATTACK, 0, 0, 0))
    tokens = []
    for _ in range(3):
        tokens.append(battle.pieces[1][0].emp)
        battle.end_turn()
        battle.end_turn()
    assert tokens == [2, 1, 0]


def test_a_burn_lasts_two_attacks_misses_included() -> None:
    battle = set_up(
        OPEN_9X9,
        [(sure("trooper+laser_carbine", damage=0), (4, 4)), (sure("trooper+sidearm", damage=0), (4, 6))],
        [("bulwark", (4, 5))],
        key=key_with(precision=3, burn=3),
    )
    left = [battle.pieces[1][0].armour_left()]
    for unit in (0, 1, 1):
        battle.act(Action(ATTACK, unit, 0, 0))
        left.append(battle.pieces[1][0].armour_left())
    assert left == [4, 1, 1, 4]


def test_burns_beyond_the_armour_are_not_kept() -> None:
    battle = set_up(
        OPEN_9X9, [("trooper+laser_carbine", (4, 4))], [("nexus", (4, 5))], key=key_with(precision=3, burn=3)
    )
    battle.act(Action(ATTACK, 0, 0, 0))
    assert battle.pieces[1][0].burns == [0, 2]


def test_high_explosive_hurts_friends_and_shooter_but_not_twice_the_target() -> None:
    places = [("trooper+grenade_launcher", (4, 4)), ("trooper", (4, 6)), ("trooper", (8, 8))]
    for fire, lost in ((True, [1, 1, 0]), (False, [0, 0, 0])):
        battle = set_up(
            OPEN_9X9,
            places,
            [("bulwark", (4, 5)), ("trooper", (3, 4)), ("trooper", (8, 0))],
            replace(AS_LEDGER, friendly_fire=fire),
            key=key_with(precision=10),
        )
        battle.act(Action(ATTACK, 0, 0, 0))
        assert [5 - piece.health for piece in battle.pieces[0]] == lost
        assert [piece.health for piece in battle.pieces[1]] == [14 - 3, 4, 5]


def test_a_shooter_that_its_own_splash_fells_shoots_no_more() -> None:
    rapid = sure("trooper+assault_rifle", effects=("high_explosive", "rapid_fire"))
    for health, again in ((2, True), (1, False)):
        battle = set_up(OPEN_9X9, [(rapid, (4, 4)), ("trooper", (0, 0))], [("bulwark", (4, 5))])
        battle.pieces[0][0].health = health
        battle.act(Action(ATTACK, 0, 0, 0))
        assert (battle.rapid == (0, 0, 1), battle.pieces[0][0].cell >= 0) == (again, again)


def test_rapid_fire_may_go_on_at_another_target_or_stop() -> None:
    b = [("whisper", (4, 6)), ("bulwark", (4, 2)), ("trooper", (8, 0))]
    battle = set_up(OPEN_9X9, [("trooper+assault_rifle", (4, 4))], b)
    battle.act(Action(ATTACK, 0, 0, 1))
    assert set(Legal(battle).listed()) == {Action(END), Action(ATTACK, 0, 0, 0), Action(ATTACK, 0, 0, 1)}
    assert battle.left == 8
    battle.act(Action(ATTACK, 0, 0, 0))
    assert (battle.left, battle.rapid, battle.events, battle.choices) == (8, None, 2, 2)


CHAIN = [("detonator", (4, 4)), ("detonator", (4, 6)), ("bulwark", (4, 8))]
"""The first explodes two cells from the second, and that one two cells from the third."""


@pytest.mark.parametrize(("chain", "explosions"), [("hostile", 1), ("none", 1), ("any", 2)])
def test_friendly_overloads_go_on_only_if_any_damage_sets_them_off(chain: str, explosions: int) -> None:
    read = replace(AS_LEDGER, overload_chain=chain)
    battle = set_up(OPEN_9X9, [("trooper+marksman_rifle", (4, 0))], CHAIN, read)
    battle.pieces[1][1].health = 3
    battle.act(Action(ATTACK, 0, 0, 0))
    assert [piece.health for piece in battle.pieces[1]] == [0, 0, 14 - 3 * (explosions - 1)]
    assert battle.happened["explosion in wave 2"] == explosions - 1


@pytest.mark.parametrize(("chain", "health"), [("hostile", 11), ("none", 14), ("any", 11)])
def test_an_overload_on_purpose_sets_off_enemies(chain: str, health: int) -> None:
    read = replace(AS_LEDGER, overload_chain=chain)
    battle = set_up(OPEN_9X9, [CHAIN[0], ("trooper", (0, 0))], [CHAIN[1], CHAIN[2]], read)
    battle.pieces[1][0].health = 3
    battle.act(Action(OVERLOAD, 0))
    assert battle.pieces[0][0].health == battle.pieces[1][0].health == 0
    assert battle.pieces[1][1].health == health
    assert battle.events == 1


def test_blasts_of_one_wave_add_up_and_fall_at_once() -> None:
    a, b = [("trooper+rocket_battery", (4, 0)), ("nexus", (6, 4))], [("detonator", (4, 4)), ("detonator", (4, 5))]
    battle = set_up(OPEN_9X9, a, b, key=key_with(precision=10))
    battle.pieces[1][1].health = 1  # the shot fells the first, its splash the second: both explode in the next wave
    battle.act(Action(ATTACK, 0, 0, 0))
    assert [piece.health for piece in battle.pieces[0]] == [5, 2]
    assert battle.winner == 1


def test_slim_units_and_shields_save_from_blasts_only_if_so_read() -> None:
    def after(**readings: Any) -> tuple[int, int, int]:
        battle = set_up(
            OPEN_9X9, [("detonator", (4, 4))], [("whisper", (4, 5)), ("aegis", (4, 3))], replace(AS_LEDGER, **readings)
        )
        whisper, aegis = battle.pieces[1]
        aegis.shield = UP
        start = stream(1, 0)
        dodged = face(start, 6, "blast 0 slim", whisper.cell) == 1
        kept = face(start, 6, "blast 0 shield", aegis.cell) >= 5
        battle.act(Action(OVERLOAD, 0))
        assert whisper.health == (4 if readings.get("slim_vs_splash") and dodged else 1)
        return aegis.health, aegis.shield, UP if kept else GONE

    assert after()[:2] == (4, UP)
    health, shield, expected = after(slim_vs_splash=True, shield_vs_splash=True)
    assert (health, shield) == (7, expected)


def test_last_units_that_fall_together_draw() -> None:
    battle = set_up(OPEN_9X9, [("detonator", (4, 4))], [("trooper", (4, 5))])
    battle.pieces[1][0].health = 3
    battle.act(Action(OVERLOAD, 0))
    assert battle.winner == 3


def waiting_battle() -> Battle:
    army = [sure("trooper+sidearm")] * 3
    board = Board("hex", ["A.......B", "A.......B"])
    return Battle(board, [army, army], AS_LEDGER, key=5, unit_limit=3)


def test_units_that_find_no_room_enter_when_the_base_is_free() -> None:
    battle = waiting_battle()
    assert [sum(piece.cell >= 0 for piece in army) for army in battle.pieces] == [2, 2]
    late = next(piece for piece in battle.pieces[0] if piece.cell < 0)
    assert late.rank == 2
    assert late.place not in {act.unit for act in Legal(battle).listed()}
    mover = next(piece for piece in battle.pieces[0] if piece.cell == battle.bases[0][1])
    battle.act(Action(MOVE, mover.place, cell=16 * 2))
    battle.end_turn()
    assert late.cell == -1
    battle.end_turn()
    assert (late.cell, battle.left) == (battle.bases[0][1], 3)


def test_a_side_whose_units_all_wait_is_not_lost() -> None:
    battle = waiting_battle()
    for piece in [one for one in battle.pieces[1] if one.cell >= 0]:
        battle._remove(piece)
    battle.act(Action(MOVE, next(one.place for one in battle.pieces[0] if one.cell >= 0), cell=16 * 2))
    assert battle.winner == 0
    battle.end_turn()
    assert sum(piece.cell >= 0 for piece in battle.pieces[1]) == 1


def test_holding_the_objective_for_some_rounds_wins() -> None:
    battle = set_up(["*....", "....*"], [("trooper", (0, 0))], [("trooper", (2, 0))], hold=True, objective_rounds=2)
    held = []
    for turn in range(8):
        if turn == 2:
            battle.put(battle.pieces[1][0], 16 * 4 + 1)  # both stand on one
        if turn == 4:
            battle.put(battle.pieces[1][0], 16 * 2)
        battle.end_turn()
        held.append(list(battle.held))
    assert held[1::2] == [[1, 0], [0, 0], [1, 0], [2, 0]]
    assert battle.winner == 1


@pytest.mark.parametrize(
    ("health", "reading", "winner"),
    [
        (([5, 5], [5, 0]), "destroyed_then_health", 1),
        (([1, 1], [5, 0]), "destroyed_then_health", 1),
        (([5, 4], [5, 3]), "destroyed_then_health", 1),
        (([5, 4], [5, 5]), "destroyed_then_health", 2),
        (([5, 4], [5, 5]), "destroyed", 3),
        (([5, 4], [4, 5]), "destroyed_then_health", 3),
    ],
)
def test_who_wins_when_the_rounds_run_out(health: tuple[list[int], list[int]], reading: str, winner: int) -> None:
    a, b = [("trooper", (0, 0)), ("trooper", (0, 2))], [("trooper", (8, 0)), ("trooper", (8, 2))]
    battle = set_up(OPEN_9X9, a, b, replace(AS_LEDGER, limit_score=reading), rounds=2)
    for army, left in zip(battle.pieces, health, strict=True):
        for piece, points in zip(army, left, strict=True):
            if points:
                piece.health = points
            else:
                battle._remove(piece)
    for _ in range(4):
        assert battle.winner == 0
        battle.end_turn()
    assert (battle.winner, battle.round) == (winner, 2)


def recorded(battle: Battle, how: Any) -> list[Step]:
    """Play a battle and note every action with the state before and after."""
    steps = []
    while not battle.winner:
        if battle.turn_over:
            battle.end_turn()
            continue
        listed, again = Legal(battle), battle.rapid is not None
        action, side, before = how(battle, battle.side, listed), battle.side, battle.state()
        battle.act(action)
        steps.append(Step(side, action, before, battle.state(), again, frozenset(listed.listed())))
    return steps


def some_battle(key: int) -> Battle:
    rows = ["A.......B", "A..+#...B", "A...+...B", "A..#....B"]
    names = ["nexus+assault_rifle", "detonator+sidearm", "vanguard+smg_pistol", "trooper+laser_carbine", "aegis"]
    army = [parse_loadout(CATALOGUE, name) for name in names]
    return Battle(Board("hex", rows), [army, army[::-1]], AS_LEDGER, key=key, unit_limit=5, rounds=4)


def test_a_battle_played_along_is_the_same_and_what_differs_is_told() -> None:
    steps = recorded(some_battle(3), random_policy)
    assert compare_trace(some_battle(3), steps) == []
    after: dict[str, Any] = {**steps[5].after, "health": [[9] * 5, [9] * 5]}
    wrong = compare_trace(some_battle(3), [*steps[:5], steps[5]._replace(after=after)])
    assert "health of unit 0 of a (nexus+assault_rifle) is 9" in wrong[0]
    fewer = steps[0]._replace(legal=steps[0].legal and steps[0].legal - {Action(END)})
    assert "only the reference allows END" in compare_trace(some_battle(3), [fewer])[0]


def test_greedy_beats_random_and_every_battle_ends() -> None:
    armies = [one.loadout for one in some_battle(0).pieces[0]]
    greedy = Greedy(values_of([armies], AS_LEDGER))
    winners = [play(some_battle(key), (greedy, random_policy)).winner for key in range(40)]
    assert winners.count(1) >= 34
    assert 0 not in winners


def test_the_readings_of_the_catalogue_are_those_of_the_ledger() -> None:
    assert Readings.of(CATALOGUE.rules, constants_of(CATALOGUE)) == AS_LEDGER  # type: ignore[arg-type]
