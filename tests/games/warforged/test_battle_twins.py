"""Whole battles by two engines: the game's, and one in plain Python that was written from the rulebook alone.

After every action the state is the same, and so is what is legal next; the greedy policy chooses the same, and the end
is reported the same. Cards, maps, rule options and constants are drawn by luck, for rare meetings of rules come about
nowhere else; each test says which events it has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from balance.games.warforged.battle.map.maps import map_of
from balance.games.warforged.cards import Loadout
from balance.games.warforged.setup import DuelStance, Side
from tests.games.warforged.battle_twins import OPTIONS, Meeting, random_cards, random_map, shipped_loadouts, values_in
from tests.games.warforged.reference_play import Greedy, compare_trace, walk

RANDOM, GREEDY = ("random", "random"), ("greedy", "greedy")
WILD = (range(10, 15), 20, ["shooter fell between shots", "explosion in wave 2", "rapid fire stopped", "shield_lost"])
"""Seeds of battles of any cards, how many of each, and what happens in them."""
LATE = (4, 20)
"""Battles in which units enter late, and how many do so at least."""
EVERY_OPTION = [(name, value) for name, values in OPTIONS.items() for value in values]
CONSTANTS: dict[str, tuple[Any, ...]] = {
    "constants.rapid_fire.attacks": (1, 3),
    "constants.emp.turns": (2, 3),
    "constants.laser.duration_attacks": (1, 3),
    "constants.limits.max_moves": (1, 3),
    "constants.overload.damage": (1, 5),
    "constants.overload.radius_cells": (1, 3),
    "constants.splash.damage": (2, 3),
    "constants.splash.radius_cells": (2, 3),
    "constants.cover.extra_dice": (2,),
    "constants.armour.min_damage": (0, 2),
}


def compared(meeting: Meeting) -> Counter[str]:
    """Play a batch in both engines and return what happened in it; fail with what differs first."""
    fast, trace, outcome = meeting.played()
    _, read = meeting.asked()
    board = meeting.board()
    greedy = Greedy(values_in(fast)) if "greedy" in meeting.policies else None
    players = tuple(greedy if name == "greedy" else None for name in meeting.policies)
    happened: Counter[str] = Counter()
    for i, (luck, steps) in enumerate(trace.steps.items()):
        battle = meeting.reference(board, read, luck, trace.starts[luck])
        final = {name: values[i] for name, values in outcome.items()}
        wrong = compare_trace(battle, steps, final, (players[0], players[1]))
        assert not wrong, "\n".join([f"battle {i} of {meeting}", *wrong[:3]])
        happened += battle.happened
        happened["battle"] += 1
        happened["action"] += len(steps)
    return happened


def drawn_meeting(
    seed: int, n: int, *, wild: bool, policies: tuple[str, str], most: int = 5, small: bool = True, **changes: Any
) -> Meeting:
    """A batch of n battles of which everything is drawn by luck but what is said."""
    rng = Random(f"twins {seed}")
    loadouts = random_cards(rng, 5, 4 if "greedy" in policies else 8) if wild else _one_of_each_unit(rng)
    sides = list(
        dict.fromkeys(Side(one, DuelStance(shield=rng.choice(("raise", "raise", "up", "never")))) for one in loadouts)
    )
    hold = rng.random() < 0.4
    shape, rows = random_map(rng, hold, small=small)
    situation: dict[str, Any] = {"rounds": rng.choice((2, 4, 6, 9))}
    if hold:
        situation |= {"objective": "hold", "objective_rounds": rng.choice((1, 2, 3))}
    armies = [tuple(rng.choices(range(len(sides)), k=rng.randint(1, most)) for _ in "ab") for _ in range(n)]
    limits = [rng.randint(1, 6) for _ in range(n)]
    terms = {"shape": shape, "rows": rows, "situation": situation, "limits": limits, "first": rng.randrange(2)}
    return Meeting(**{**terms, "sides": sides, "armies": armies, "policies": policies, "seed": seed, **changes})


def _one_of_each_unit(rng: Random) -> list[Loadout]:
    units: dict[str, list[Loadout]] = {}
    for one in shipped_loadouts():
        units.setdefault(one.unit.id, []).append(one)
    return [rng.choice(loadouts) for loadouts in units.values()]


def some_options(rng: Random, chance: float) -> dict[str, Any]:
    return {name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < chance}


def all_seen(happened: Counter[str], *events: str) -> None:
    assert not [event for event in events if not happened[event]], happened


@pytest.mark.slow("test_battles_by_other_constants_are_the_second_engines")
@pytest.mark.rule("WF-UNIT.2", "WF-ATT.1", "WF-ATT.2", "WF-ARM.1", "WF-COV.1", "WF-COV.2", "WF-COV.3")
@pytest.mark.rule("WF-ABIL.0", "WF-ABIL.2", "WF-ABIL.3", "WF-ABIL.4", "WF-ABIL.5")
@pytest.mark.rule("WF-EFF.0", "WF-EFF.1", "WF-EFF.2", "WF-EFF.3", "WF-EFF.4", "WF-EFF.5")
@pytest.mark.rule("WF-ACT.1", "WF-ACT.2", "WF-ACT.3", "WF-ACT.4", "WF-MAP.1", "WF-TURN.1", "WF-WIN.1")
def test_battles_of_the_shipped_cards_are_the_second_engines() -> None:
    happened: Counter[str] = Counter()
    for seed, policies in enumerate((RANDOM, RANDOM, GREEDY, ("greedy", "random"), ("kite_hold", "greedy"))):
        happened += compared(drawn_meeting(seed, 16, wild=False, policies=policies, most=6, small=seed != 4))
    all_seen(happened, "hit", "critical", "missed", "dodged", "blocked", "cover dice", "shot through heavy cover")
    all_seen(happened, "jump", "second move", "shield raised", "absorbed", "voluntary overload", "explosion in wave 1")
    all_seen(happened, "splash", "friendly blast", "further shot", "burn", "burnt target hit", "turn lost to EMP")
    all_seen(happened, "unit lost", "side gone", "limit win")


@pytest.mark.rule("WF-ABIL.2", "WF-ABIL.3", "WF-ABIL.4", "WF-ABIL.5", "WF-EFF.2", "WF-EFF.3", "WF-EFF.4", "WF-EFF.5")
@pytest.mark.parametrize(
    ("seeds", "n", "seen"), [([10], 6, ["shield_lost"]), pytest.param(*WILD, marks=pytest.mark.slow)], ids=["1", "5"]
)
def test_battles_of_cards_that_no_catalogue_has_are_the_second_engines(
    seeds: Sequence[int], n: int, seen: list[str]
) -> None:
    happened: Counter[str] = Counter()
    for seed in seeds:
        policies = GREEDY if seed % 3 == 0 else RANDOM
        happened += compared(drawn_meeting(seed, n, wild=True, policies=policies, most=7))
    all_seen(happened, *seen)


@pytest.mark.parametrize(("name", "value"), EVERY_OPTION, ids=lambda value: str(value))
@pytest.mark.rule("WF-ATT.1", "WF-ARM.1", "WF-ARM.2", "WF-COV.1", "WF-COV.3", "WF-ABIL.2", "WF-ABIL.3", "WF-ABIL.4")
@pytest.mark.rule("WF-ABIL.5", "WF-EFF.2", "WF-EFF.4", "WF-EFF.5", "WF-WIN.1")
def test_battles_by_every_other_reading_are_the_second_engines(name: str, value: Any) -> None:
    seed = 100 + EVERY_OPTION.index((name, value))
    shape: dict[str, Any] = {"shape": "square"} if name == "square_radius" else {}
    for wild in (False, True):
        rules = {**some_options(Random(seed), 0.2 if wild else 0.0), name: value}
        meeting = drawn_meeting(seed, 8, wild=wild, policies=RANDOM, most=6, rules=rules, **shape)
        assert compared(meeting)["battle"] == 8


@pytest.mark.rule("WF-COV.1")
@pytest.mark.parametrize("shape", ["hex", "square"])
def test_shots_over_several_covers_are_the_second_engines(shape: str) -> None:
    rows = ["A.++.++.B", "A.++.++.B", "A.++.++.B", "A.++.++.B"]
    changes: dict[str, Any] = {"shape": shape, "rows": rows, "rules": {"cover_stack": "each"}}
    happened = compared(drawn_meeting(203, 24, wild=False, policies=("greedy", "random"), **changes))
    assert happened["dice of several covers"] >= 10


@pytest.mark.rule("WF-ACT.3", "WF-EFF.2", "WF-EFF.3", "WF-EFF.4", "WF-EFF.5", "WF-ABIL.5")
@pytest.mark.parametrize("which", [0, 1])
def test_battles_by_other_constants_are_the_second_engines(which: int) -> None:
    for seed in (300, 301):
        rules = {name: values[which % len(values)] for name, values in CONSTANTS.items()}
        meeting = drawn_meeting(seed, 16, wild=True, policies=RANDOM, rules=rules | some_options(Random(seed), 0.3))
        all_seen(compared(meeting), "hit")


@pytest.mark.rule("WF-MAP.1", "WF-MAP.2", "WF-COV.2", "WF-COV.3")
@pytest.mark.parametrize("name", ["chasm", "dense", "squares", "random:1", "random:2"])
def test_battles_on_the_maps_of_the_game_are_the_second_engines(name: str) -> None:
    field = map_of(None, name)
    rows: dict[str, Any] = {"shape": field.grid.shape, "rows": field.drawing, "situation": {"rounds": 8}}
    meeting = drawn_meeting(700, 4, wild=False, policies=("greedy", "random"), limits=[6], **rows)
    all_seen(compared(meeting), "hit", "second move")
    board = meeting.board()
    walks = walk(board.roads, board.bases[0][0])
    assert all(cell in walks for base in board.bases for cell in base)
    assert {"+", "#"} <= set(board.terrain.values()) or not name.startswith("random")


@pytest.mark.rule("WF-BUILD.5", "WF-ACT.1")
@pytest.mark.parametrize(("n", "entries"), [(1, 2), pytest.param(*LATE, marks=pytest.mark.slow)])
def test_units_enter_late_as_in_the_second_engine(n: int, entries: int) -> None:
    rng = Random("late")
    happened: Counter[str] = Counter()
    rows = [
        "A.....+.....B",
        "A..#..+..#..B",
        "A.....+.....B",
        ".............",
        "A...........B",
        "A..#..+..#..B",
        "AA....+....BB",
    ]
    for seed, policies in ((400, RANDOM), (401, ("greedy", "random"))):
        armies = [tuple(rng.choices(range(8), k=rng.randint(8, 12)) for _ in "ab") for _ in range(n)]
        changes: dict[str, Any] = {"armies": armies, "limits": [12], "situation": {"rounds": 5}}
        happened += compared(drawn_meeting(seed, n, wild=False, policies=policies, shape="hex", rows=rows, **changes))
    assert happened["late entry"] > entries


@pytest.mark.slow("test_battles_by_other_constants_are_the_second_engines")
@pytest.mark.rule("WF-WIN.1", "WF-TURN.2")
def test_battles_end_as_in_the_second_engine() -> None:
    happened: Counter[str] = Counter()
    rows = ["A...*...B", "A...+...B", "A.*...*.B", "A...+...B"]
    for rounds, objective_rounds, policies in ((8, 2, RANDOM), (12, 3, RANDOM), (9, 3, ("hold", "hold"))):
        situation = {"rounds": rounds, "objective": "hold", "objective_rounds": objective_rounds}
        changes: dict[str, Any] = {"shape": "square" if rounds == 9 else "hex", "rows": rows, "situation": situation}
        happened += compared(drawn_meeting(500 + rounds, 30, wild=True, policies=policies, most=3, **changes))
    all_seen(happened, "objective win", "limit win", "limit draw", "limit by health", "side gone")


@pytest.mark.slow("test_battles_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("WF-ABIL.5")
def test_overloads_set_each_other_off_as_in_the_second_engine() -> None:
    happened: Counter[str] = Counter()
    rows = ["AA.BB", "AA.BB", "AA.BB", "AA.BB"]
    for chain in ("hostile", "none", "any"):
        for friendly_fire in (True, False):
            rules = {"overload_chain": chain, "friendly_fire": friendly_fire, "slim_vs_splash": chain == "any"}
            meeting = drawn_meeting(603, 16, wild=True, policies=RANDOM, rows=rows, most=8, rules=rules)
            loud = [_loud(side) for side in meeting.sides]
            meeting.sides = list(dict.fromkeys(loud))
            meeting.armies = [
                tuple([number % len(meeting.sides) for number in army] for army in pair)  # type: ignore[misc]
                for pair in meeting.armies
            ]
            happened += compared(meeting)
    all_seen(happened, "explosion in wave 1", "explosion in wave 2", "explosion in wave 3", "both gone")


def _loud(side: Side[DuelStance]) -> Side[DuelStance]:
    """The same with Overload and little health."""
    unit = side.loadout.unit
    abilities = tuple(sorted({*unit.abilities, "overload"}))
    loud = unit.model_copy(update={"abilities": abilities, "health": min(unit.health, 3)})
    return Side(type(side.loadout)(loud, side.loadout.weapons), side.stance)


@pytest.mark.slow("test_battles_by_other_constants_are_the_second_engines")
@pytest.mark.parametrize("part", range(5))
def test_two_thousand_battles_are_the_second_engines(part: int) -> None:
    happened: Counter[str] = Counter()
    for seed in range(1000 + 20 * part, 1020 + 20 * part):
        rng = Random(seed)
        policies = rng.choice(
            (RANDOM, RANDOM, GREEDY, ("greedy", "random"), ("kite_hold", "greedy"), ("focus", "kite"))
        )
        changes: dict[str, Any] = {
            "rules": some_options(rng, 0.25),
            "most": rng.choice((3, 6, 12)),
            "small": seed % 3 == 0,
        }
        happened += compared(drawn_meeting(seed, 20, wild=seed % 2 == 1, policies=policies, **changes))
    assert happened["battle"] == 400
    all_seen(happened, "jump", "explosion in wave 2", "turn lost to EMP", "burnt target hit", "absorbed", "late entry")
    all_seen(happened, "cover dice", "friendly blast", "objective win", "limit win", "limit draw", "side gone")
