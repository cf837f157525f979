"""Line-ups: mixed armies in line, and skirmishes as the line-ups of equal units."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance import Question
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.game.authoring.conformance import CHECKS
from balance.game.game import LANES
from balance.games.battlelore import GAME as BATTLELORE
from balance.games.battlelore.rules.encounter import Melee

GAME = balance.load(BATTLELORE)
UNITS = list(GAME.ids(BATTLELORE.kinds["duel"].takes[0]))
INFANTRY, ARCHERS, CAVALRY = "blue_foot+short_sword", "green_foot+common_bow", "red_mounted+long_sword"
SMALL = f"{INFANTRY},giant_spider", f"dwarf_blue_foot,{CAVALRY}"
MIXED = (f"{INFANTRY}:2,giant_spider", f"dwarf_blue_foot,{CAVALRY},goblin_blue_foot")


def lineup(one: str, other: str, changes: dict[str, Any] | None = None, first: str = "a", **choices: str) -> Question:
    return GAME.ask("lineup", one, other, changes or {}, first, **choices)


def skirmish(one: str, other: str, n: int, m: int, changes: dict[str, Any], first: str, **choices: str) -> Question:
    sizes = {"situation.a_units": n, "situation.b_units": m}
    return GAME.ask("skirmish", one, other, {**sizes, **changes}, first, **choices)


EQUAL: list[tuple[int, int, dict[str, Any], str, dict[str, str]]] = [
    (1, 1, {}, "a", {}),
    (2, 2, {}, "random", {}),
    (3, 2, {"situation.turn_limit": 5, "situation.adventure": "medieval"}, "b", {"a_flags": "0", "b_flags": "2"}),
    (1, 3, {"rules.battle_back_needs": "ignored_flag", "rules.bold_sources": "dwarves_only"}, "a", {}),
    (2, 3, {"a.bold": 1, "b.figures": 1, "situation.b_free_hexes": 0}, "random", {"battle_back": "no"}),
    (3, 3, {"situation.a_terrain": "hill", "situation.b_terrain": "rampart", "b.beside": "stronghold"}, "a", {}),
    (2, 1, {"situation.a_extra_dice": -9, "situation.b_extra_dice": -9}, "b", {}),
]  # fmt: skip


@pytest.mark.parametrize(("n", "m", "changes", "first", "choices"), EQUAL)
def test_a_skirmish_is_the_line_up_of_equal_units(
    n: int, m: int, changes: dict[str, Any], first: str, choices: dict[str, str]
) -> None:
    """All of the compendium against each other: the very same play, whatever is set or chosen."""
    for number, one in enumerate(UNITS):
        other = UNITS[7 * number % len(UNITS) - 1]
        line = lineup(f"{one}:{n}", f"{other}:{m}", changes, first, **choices)
        assert {line.setup.play} == {skirmish(one, other, n, m, changes, first, **choices).setup.play}


@pytest.mark.slow("test_a_skirmish_is_the_line_up_of_equal_units")
@pytest.mark.parametrize("first", ["a", "random"])
def test_a_skirmish_and_the_line_up_of_equal_units_end_alike_to_the_last_bit(first: str) -> None:
    """Exactly, and on the same dice, in which a unit may be written one by one."""
    told = skirmish("dwarf_blue_foot", CAVALRY, 2, 3, {}, first)
    line = lineup("dwarf_blue_foot,dwarf_blue_foot", f"{CAVALRY}:2,{CAVALRY}", {}, first)
    assert line.distribution == told.distribution
    assert line.p_win() == told.p_win()
    for lane in LANES:
        pairs = zip(line.kind.processes(line.setup, lane), told.kind.processes(told.setup, lane), strict=True)
        for one, other in pairs:
            ends = [simulate(process, RandomRolls(5, "same dice", 0, 3000)) for process in (one, other)]
            assert {name: values.tolist() for name, values in ends[0].items()} == {
                name: values.tolist() for name, values in ends[1].items()
            }


def test_one_against_one_is_a_duel() -> None:
    for first in ("a", "b"):
        duel = GAME.duel("goblin_blue_foot", CAVALRY, first=first).p_win()
        assert lineup("goblin_blue_foot", CAVALRY, {}, first).p_win() == pytest.approx(duel, abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other"),
    [SMALL, (f"{ARCHERS},{CAVALRY}", "giant_spider,goblin_red_foot"), (INFANTRY, f"dwarf_blue_foot,{ARCHERS}")],
)
@pytest.mark.parametrize("lane", LANES)
def test_both_lanes_agree_with_the_exact_distribution(one: str, other: str, lane: Any) -> None:
    asked = lineup(one, other, {"situation.turn_limit": 6}, "random", policy_a="focus", policy_b="spread")
    assert asked.simulate(30_000, seed=11, lane=lane).agreement.p_value > 1e-3


@pytest.mark.parametrize("policies", [("opposite", "focus"), ("spread", "opposite")])
def test_a_mixed_line_keeps_what_every_question_promises(policies: tuple[str, str]) -> None:
    """The same dice give the same end, a batch is the sum of its trials, sides mirror, orders are legal."""
    asked = lineup(*SMALL, {"situation.turn_limit": 4}, "a", policy_a=policies[0], policy_b=policies[1])
    assert [problem for check in CHECKS if check.__name__ != "_mirror" for problem in check(asked)] == []
    there = lineup(*SMALL[::-1], {"situation.turn_limit": 4}, "b", policy_a=policies[1], policy_b=policies[0])
    here = asked.p_win()
    assert there.p_win() == pytest.approx({"a": here["b"], "b": here["a"], "draw": here["draw"]}, abs=1e-12)


@pytest.mark.slow("test_both_lanes_agree_with_the_exact_distribution")
def test_an_army_too_large_to_solve_is_simulated() -> None:
    asked = lineup(f"{INFANTRY}:6", f"{ARCHERS}:3,{CAVALRY}:3")
    assert asked.why_no_distribution.endswith("more than 14,000,000 numbers")
    ends = asked.simulate(4000, seed=2).p_win()
    assert sum(ends.values()) == pytest.approx(1)
    assert 0.55 < ends["a"] < 0.75


@pytest.mark.rule("BL-MOR-07")
def test_the_order_written_is_the_order_of_the_line() -> None:
    """In the middle a spider, which nothing supports, has the place that infantry would hold longer."""
    lines = (f"giant_spider,{INFANTRY}:2", f"{INFANTRY},giant_spider,{INFANTRY}")
    held, lost = (
        lineup(line, f"{CAVALRY}:2", {"situation.turn_limit": 2}, "b").distribution.mean("a_units") for line in lines
    )
    assert held > lost + 0.1
    units = lineup(f"{ARCHERS},{INFANTRY}:2", CAVALRY).setup.play.a.units
    assert [unit.strikes[0].n_dice for unit in units] == [2, 3, 3]


@pytest.mark.rule("BL-DICE-01", "BL-DICE-04")
def test_each_unit_strikes_each_other_as_it_would_in_an_attack() -> None:
    """Dice by who strikes, hits and retreat by who is struck: nine strikes of three units on three others."""
    play = lineup(*MIXED).setup.play
    names = [INFANTRY, INFANTRY, "giant_spider"], ["dwarf_blue_foot", CAVALRY, "goblin_blue_foot"]
    for mine, theirs, line in ((*names, play.a), (*names[::-1], play.b)):
        for one, unit in zip(mine, line.units, strict=True):
            duels = [GAME.ask("duel", one, other, a_powers="chalice") for other in theirs]
            attacks = [duel.setup.play.a.encounter.strike for duel in duels]
            assert list(unit.strikes) == attacks
    assert [(unit.figures, unit.full, unit.bold, unit.supported_bold) for unit in play.b.units] == [
        (4, 4, 1, 2),
        (3, 3, 0, 1),
        (4, 4, 0, 1),
    ]


def test_strikes_that_are_alike_are_told_once_and_found_by_place() -> None:
    unit = lineup(INFANTRY, f"{ARCHERS},{CAVALRY},{ARCHERS}").setup.play.a.units[0]
    melee = Melee.of(unit.strikes)
    assert melee == Melee((unit.strikes[0], unit.strikes[1]), (0, 1, 0))


def test_what_is_set_of_an_army_is_set_of_its_units_and_of_its_ground() -> None:
    changes = {"a.figures": 2, "a.2.dice": 6, "b.1.race": "dwarf", "situation.b_terrain": "hill", "b.2.bold": 1}
    play = lineup(f"{INFANTRY},{ARCHERS}:2", f"{INFANTRY}:2,{ARCHERS}", changes).setup.play
    assert [(unit.figures, unit.full) for unit in play.a.units] == [(2, 4)] * 3
    assert [unit.strikes[0].n_dice for unit in play.a.units] == [2, 2, 2], "a hill allows two dice into it"
    assert [unit.bold for unit in play.b.units] == [1, 1, 1]
    flat = lineup(f"{INFANTRY},{ARCHERS}:2", INFANTRY, {"a.2.dice": 6}).setup.play
    assert [unit.strikes[0].n_dice for unit in flat.a.units] == [3, 6, 6]


@pytest.mark.rule("BL-MOR-07", "BL-POST-10", "BL-CRE-03")
@pytest.mark.parametrize(
    ("target", "attack", "back", "left", "banners"),
    [
        ("b2", {"with 1 battle": ["G", "S", "F", "L"]}, {"b back 1 with 1 battle": ["L", "L"]}, 3, 0),
        ("b1", {"with 1 battle": ["B", "B", "F", "L"]}, {}, 2, 0),
        ("b3", {"with 3 battle": ["S", "L", "L", "L"], "with 3 critical": [1]}, {}, 2, 1),
    ],
)  # fmt: skip
def test_a_written_fight_says_whom_a_unit_attacks_and_by_which_dice(
    target: str, attack: dict[str, list[int | str]], back: dict[str, list[str]], left: int, banners: int
) -> None:
    """Cavalry on two archers and a spider: dice are named with the first place of each sort of enemy.

    Archers with a friend on each side hold their hex and battle back, those at the end flee; a spider is hit again.
    """
    asked = lineup(CAVALRY, f"{ARCHERS}:2,giant_spider", {"situation.turn_limit": 1})
    (process,) = asked.kind.processes(asked.setup, "literal")
    quiet = {f"b attack {place} battle": ["L"] * 2 for place in (1, 2, 3)}
    dice = {f"a attack 1 {roll}": faces for roll, faces in attack.items()}
    ended = play_fixed(process, {"a target 1": [target], **dice, **back, **quiet})
    assert (ended["b_units"], ended["a_banners"]) == (left, banners)


def test_how_units_pick_their_targets_matters() -> None:
    """Against a wounded line it pays to finish the wounded off; whoever spreads takes longest."""
    hurt = {"b.1.figures": 1, "b.3.figures": 1}
    scores = [
        lineup(
            f"{ARCHERS}:2", f"{INFANTRY},{CAVALRY},{INFANTRY}", {**hurt, "situation.turn_limit": 2}, policy_a=aim
        ).distribution.mean("b_units")
        for aim in ("focus", "spread")
    ]
    assert scores[0] < scores[1]
