"""Battles of three and four: order, alliances, victory points, elimination, and what symmetry makes of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from balance.analysis.changes.handicaps.remedies import around, remedies
from balance.base.arrays import IntArray
from balance.base.errors import BalanceError
from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.game.question.replay import replay
from balance.games.warforged.battle.map.battle_map import views
from balance.games.warforged.battle.map.maps import map_of, read_map
from balance.games.warforged.battle.play import battle_process, player_of
from balance.games.warforged.battle.seats import orders_of
from balance.games.warforged.battle.setup import armies_of
from balance.games.warforged.battle.turns.table import Table

GAME = load("warforged")
TROOPERS, DRONES, BOMBS = "trooper+shotgun:3", "whisper+sidearm:3,nexus+assault_rifle", "detonator+sidearm:3"
SHIELDS = "aegis+grenade_launcher,trooper+laser_carbine:2"


def ask(*armies: str, first: str | None = None, choices: dict[str, str] | None = None, **situation: Any) -> Question:
    changes = {f"situation.{name}": value for name, value in situation.items() if value != ""}
    asked = GAME.ask("seats", armies[0], " / ".join(armies[1:]), changes, first, **(choices or {}))
    return replace(asked, kind=replace(asked.kind, block_trials=50))  # a replay deploys a block


def process_of(asked: Question) -> Process:
    (process,) = asked.kind.processes(asked.setup, "literal")
    return process


def played(process: Process, n: int, key: str = "seats") -> tuple[State, State]:
    """Return the states of n battles at the start and at the end, all turns played, whoever has won."""
    rolls = RandomRolls(5, key, 0, n)
    state = start = start_state(process, n, rolls)
    for number in range(process.max_steps):
        state = process.step(number)(state, rolls)
        if process.over(state).all():
            break
    return start, state


def events_of(asked: Question, trial: int) -> list[dict[str, Any]]:
    told = replay(asked, trial)
    return [dict(event) for line in told.lines for event in line.events or ()]


# -- order and alliances -----------------------------------------------------------------------------------------------


@pytest.mark.rule("WF-MULTI.1")
@pytest.mark.parametrize("n_sides", [3, 4])
def test_every_order_of_play_is_as_likely_as_any_other(n_sides: int) -> None:
    """Chi-square with 5 or 23 degrees of freedom: beyond the limit once in 10,000 seeds; this one is fixed."""
    n = 4096
    asked = ask(*[TROOPERS] * n_sides)
    seats = start_state(process_of(asked), n, RandomRolls(1, "orders", 0, n))["seat"]
    counts = Counter(map(tuple, seats.tolist()))
    orders = list(permutations(range(n_sides)))
    assert set(counts) == set(orders)
    expected = n / len(orders)
    assert sum((counts[order] - expected) ** 2 / expected for order in orders) < {3: 25.7, 4: 56.2}[n_sides]


@pytest.mark.rule("WF-MULTI.1")
def test_an_order_may_be_fixed_and_is_kept_in_every_round() -> None:
    assert orders_of(3, "others") == ("bac", "bca", "cab", "cba")
    turns = [event["who"] for event in events_of(ask(*[TROOPERS] * 4, order="cadb"), 2) if event["event"] == "turn"]
    assert turns[:4] == list("cadb") and len(turns) > 8
    assert all((list("cadb").index(b) - list("cadb").index(a)) % 4 for a, b in pairwise(turns))
    for trial in range(3):
        assert events_of(ask(*[TROOPERS] * 3, first="a"), trial)[0]["who"] == "a"


@pytest.mark.rule("WF-MULTI.1")
@pytest.mark.parametrize("rounds", [0, 2])
def test_allies_do_not_attack_each_other_while_their_alliance_lasts(rounds: int) -> None:
    armies = TROOPERS, DRONES, SHIELDS, BOMBS
    asked = ask(*armies, alliances="ab.cd", alliance_rounds=rounds, choices={"policy_a": "random"})
    among_allies = 0
    for trial in range(6):
        number, has_ended = 1, False
        for event in events_of(asked, trial):
            number += event["event"] == "round_ends"
            has_ended = has_ended or event["event"] == "alliance_ends"
            lasts = not rounds or number <= rounds
            assert not (lasts and has_ended)
            if event["event"] == "attack":
                is_ally = {event["unit"][0], event["target"][0]} in ({"a", "b"}, {"c", "d"})
                assert not (is_ally and lasts)
                among_allies += is_ally
    assert bool(among_allies) == bool(rounds)


@pytest.mark.rule("WF-MULTI.1")
def test_allies_win_together_and_count_together() -> None:
    alliance = Table(4, ((0, 2),))
    state = ended(alliance, victory=[[2, 4, 3, 1]], health=[[1, 1, 1, 1]])
    alliance.on_points(state, np.array([0]), health_decides=True)
    assert (state["victors"].tolist(), state["winner"].tolist()) == ([[True, False, True, False]], [1])
    asked = ask(TROOPERS, TROOPERS, TROOPERS, alliances="bc")
    _, end = played(process_of(asked), 200)
    assert (end["victors"][:, 1] == end["victors"][:, 2]).all() and end["victors"][:, 1].mean() > 0.6
    assert (end["ended"] == 1).mean() > 0.9, "allies alone on the board have won at once"
    assert (asked.fair_share, ask(*[TROOPERS] * 3, alliances="ab").fair_share) == (1 / 3, 2 / 3)


@pytest.mark.parametrize("spares", [True, False])
def test_blasts_hurt_allies_as_friends(spares: bool) -> None:
    changes = {"rules.friendly_fire": not spares, "situation.alliances": "ab", "situation.map": "trefoil_open"}
    asked = GAME.ask("seats", BOMBS, f"{BOMBS} / {TROOPERS}", changes)
    asked = replace(asked, kind=replace(asked.kind, block_trials=50))
    hurt = set[tuple[str, str]]()
    for trial in range(12):
        events = events_of(asked, trial)
        for event in events:
            for unit in event.get("damage", {}) if event["event"] == "overload" else ():
                hurt |= {(source[0], unit[0]) for source in event["units"]}
    assert bool(hurt & {("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")}) != spares
    assert hurt & {("a", "c"), ("b", "c")}


# -- victory points and the end ----------------------------------------------------------------------------------------


def ended(table: Table, victory: list[list[int]], health: list[list[int]]) -> State:
    """Return states at the round limit, of one unit a side."""
    n = len(victory)
    state = {**table.begin(n, tuple(range(table.n_sides))), "victory": np.array(victory)}
    return {**state, "health": np.array(health)[:, :, None], "round": np.ones(n), "winner": np.zeros(n, np.int16)}


@pytest.mark.rule("WF-MULTI.2")
def test_at_the_limit_points_decide_then_health_and_equals_draw() -> None:
    table = Table(3)
    victory, health = (
        [[3, 1, 2], [2, 2, 1], [2, 2, 2], [0, 9, 1], [0, 0, 0]],
        [[1, 9, 9], [4, 5, 9], [3, 3, 1], [2, 0, 1], [5, 5, 5]],
    )
    state = ended(table, victory, health)
    table.on_points(state, np.arange(5), health_decides=True)
    assert state["victors"].astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert state["winner"].tolist() == [1, 2, 3, 2, 3]
    state = ended(table, victory, health)
    table.on_points(state, np.arange(5), health_decides=False)
    assert state["winner"].tolist() == [1, 3, 3, 2, 3]


@pytest.mark.rule("WF-MULTI.2")
@pytest.mark.parametrize("alliances", ["", "bc"])
def test_points_are_those_of_enemies_destroyed_in_an_own_turn_and_of_cells_held(alliances: str) -> None:
    values: dict[str, Any] = {
        "victory_per_unit": 3,
        "victory_per_control": 2,
        "victory_per_objective": 7,
        "objective_rounds": 1,
    }
    asked = ask(BOMBS, SHIELDS, TROOPERS, map="trefoil_objective", alliances=alliances, **values)
    friends = [set(alliances)] if alliances else []
    kinds = Counter[str]()
    for trial in range(10):
        told, sums, expected = replay(asked, trial), Counter[str](), Counter[str]()
        state: dict[str, Any] = dict(told.begin or {})
        objectives = set((told.record or {})["map"]["objectives"])
        units = {name: dict(unit) for name, unit in state["units"].items()}
        held = dict(state["held"])
        for line in told.lines:
            for event in line.events or ():
                if event["event"] == "destroyed" and not any({event["by"], event["unit"][0]} <= f for f in friends):
                    expected[event["by"]] += 3 * (event["by"] != event["unit"][0])
                if event["event"] == "points":
                    sums[event["who"]] += event["points"]
                    kinds[event["why"]] += 1
                after = event.get("after", {})
                for name, changes in after.get("units", {}).items():
                    units[name] |= changes
                held |= after.get("held", {})
            if any(event["event"] == "round_ends" for event in line.events or ()):
                for unit in units.values():
                    expected[unit["side"]] += 2 * (unit["cell"] in objectives)
                for event in line.events or ():
                    if event["event"] == "points" and event["why"] == "objective":
                        expected[event["who"]] += 7
                        assert held[event["who"]] == 0
        assert +sums == +expected
    assert kinds["units"] and kinds["control"] and kinds["objective"]


def test_a_replay_ends_as_the_trial_of_the_simulation_and_its_changes_lead_there() -> None:
    asked = ask(TROOPERS, SHIELDS, DRONES, BOMBS, objective="hold", map="corners_objective", rounds=5)
    names = {1: "annihilation", 2: "objective", 3: "round limit"}
    process, n = process_of(asked), asked.block_trials
    rolls = RandomRolls(0, asked.task().key, 0, n)
    start = start_state(process, n, rolls)
    for trial in (0, 7, 40):
        state = {name: values[trial : trial + 1] for name, values in start.items()}
        for number in range(process.max_steps):
            state = process.step(number)(state, rolls)
            if process.over(state)[0]:
                break
        last = events_of(asked, trial)[-1]
        assert (last["event"], last["why"]) == ("end", names[int(state["ended"][0])])
        assert last["winners"] == ["abcd"[side] for side in np.flatnonzero(state["victors"][0])]
        assert process.outcome(state, np.array([0]))["winner"][0] == (
            0 if not last["winners"] else 1 + ("a" not in last["winners"])
        )


# -- elimination -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WF-MULTI.3")
def test_who_has_no_units_is_out_has_no_turn_and_holds_nothing() -> None:
    asked, outs = ask(TROOPERS, "whisper+sidearm", DRONES, SHIELDS, map="corners_objective", objective="hold"), 0
    for trial in range(8):
        out = list[str]()
        for event in events_of(asked, trial):
            assert event.get("who") not in out
            if event["event"] == "out":
                out.append(event["who"])
            if out and (held := event.get("after", {}).get("held", {})):
                assert not any(held.get(side) for side in out)
        outs += len(out)
        assert len(out) == len(set(out))
    assert outs >= 8


@pytest.mark.rule("WF-MULTI.3")
def test_the_first_out_is_told_by_side_and_by_seat() -> None:
    process = process_of(ask(TROOPERS, "whisper+sidearm", DRONES, order="cab"))
    _, end = played(process, 300)
    columns = process.outcome(end, np.zeros(300, int))
    assert np.isin(columns["out_side"], (0, 1, 2, 3)).all() and (columns["out_side"] == 2).mean() > 0.5
    seats = {0: 0, 1: 2, 2: 3, 3: 1}
    assert columns["out_seat"].tolist() == [seats[side] for side in columns["out_side"].tolist()]
    table = Table(3)
    state = {**table.begin(1, (2, 0, 1)), "round": np.ones(1), "health": np.array([[[0], [3], [0]]])}
    table.end_turn(state, 1, np.array([[1, 0, 1]]))
    assert (state["out"].tolist(), state["victory"].tolist()) == ([[2, 0, 1]], [[0, 2, 0]])


@pytest.mark.rule("WF-BUILD.2")
@pytest.mark.parametrize(("scale", "points"), [("tactical", 125), ("medium", 200), ("large", 300)])
@pytest.mark.parametrize("n_sides", [3, 4])
def test_war_points_are_those_of_three_and_four_players(scale: str, points: int, n_sides: int) -> None:
    rest = ["trooper+sidearm"] * (n_sides - 1)
    asked = ask(f"random:{points}", *rest, scale=scale)
    assert asked.inputs["a"]["cost_points"] == points
    with pytest.raises(BalanceError, match=f"at most {points}"):
        ask(f"random:{points + 1}", *rest, scale=scale)
    with pytest.raises(BalanceError, match=f"at most {points}"):
        ask("trooper+sidearm", *rest[1:], f"random:{points + 1}", scale=scale)


# -- symmetry ----------------------------------------------------------------------------------------------------------


def victors(asked: Question, places: list[int], policy: str, n: int) -> IntArray:
    """Return who wins n battles of armies moved to other sides, and their order with them; by place moved from."""
    plan, letters = asked.setup.play, "abcd"
    armies = armies_of(plan)
    assert isinstance(armies, tuple)
    moved, order = list(armies), "".join(letters[places[side]] for side in range(len(places)))
    for old, new in enumerate(places):
        moved[new] = armies[old]
    players = (player_of(policy, "leader"),) * len(places)
    _, end = played(battle_process(plan.battle, tuple(moved), np.array([plan.limit]), players, order), n)
    return np.asarray(end["victors"][:, places] * 2 + (end["health"].sum(axis=2)[:, places] > 2))


TURNED = [("trefoil", [1, 2, 0]), ("corners_objective", [1, 0, 3, 2]), ("crossroads", [1, 2, 3, 0])]


@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize(("name", "places"), TURNED)
def test_armies_in_turned_seats_fare_as_before(name: str, places: list[int], policy: str) -> None:
    asked = ask(*[TROOPERS, DRONES, SHIELDS, BOMBS][: len(places)], map=name, rounds=1 if policy == "lookahead" else 4)
    n = 2 if policy == "lookahead" else 60
    here, there = victors(asked, list(range(len(places))), policy, n), victors(asked, places, policy, n)
    assert here.tolist() == there.tolist()


@pytest.mark.slow("test_armies_in_turned_seats_fare_as_before")
@pytest.mark.parametrize("policy", ["kite", "lookahead"])
@pytest.mark.parametrize(("name", "places"), TURNED)
def test_so_they_do_however_they_play(name: str, places: list[int], policy: str) -> None:
    test_armies_in_turned_seats_fare_as_before(name, places, policy)


def test_a_mirror_of_three_gives_each_a_third() -> None:
    """Off by more than 4 standard errors of 2,000 battles in one of 8,000 seeds for each side; the seed is fixed."""
    _, end = played(process_of(ask(*[TROOPERS] * 3, rounds=4)), 2000)
    share = end["victors"].mean(axis=0) + (~end["victors"].any(axis=1)).mean() / 3
    assert np.abs(share - 1 / 3).max() < 4 * (2 / 9 / 2000) ** 0.5


def test_a_map_is_even_if_a_symmetry_joins_its_bases() -> None:
    field = map_of(None, "trefoil")
    rows = "\n".join(field.drawing).replace("#", ".", 1)
    spoiled = read_map(f"title: X\ngrid: hex\n\n{rows}\n")
    assert (views(spoiled), spoiled.is_mirrored) == (None, False)
    with pytest.raises(BalanceError, match="side c has no base"):
        read_map("title: X\ngrid: square\n\nA.B\n..D\n")


# -- what is even, and what is refused ---------------------------------------------------------------------------------


def test_a_handicap_looks_for_a_fair_share() -> None:
    assert around(1 / 3, (0.4, 0.6)) == pytest.approx((1 / 3 - 0.1, 1 / 3 + 0.1))
    query = Query("seats", "trooper+shotgun:2", "trooper+shotgun:2 / trooper+shotgun:2", first="random")
    assert remedies(Runner(GAME), query, ["lost_actions"]).is_even


def test_what_is_set_of_others_is_set_of_each_and_with_a_letter_of_one() -> None:
    changes = {"others.armour": 3, "others.c.armour": 4, "others.lost_actions": 1}
    asked = GAME.ask("seats", TROOPERS, f"{TROOPERS} / {TROOPERS}", changes)
    armies = asked.inputs["others"]["armies"]
    assert [armies[side]["members"][0]["unit"]["armour"] for side in "bc"] == [3, 4]
    assert asked.setup.play.lost_actions == (0, 1, 1)


@pytest.mark.parametrize(
    ("others", "situation", "message"),
    [
        (TROOPERS, {}, "two or three, with / between them"),
        ("trooper+shotgun / troper", {}, "others.c: 'troper'"),
        ("trooper+shotgun / nexus", {}, "c: 'nexus' has no weapon"),
        (f"{TROOPERS} / {TROOPERS}", {"alliances": "az"}, "are no alliances"),
        (f"{TROOPERS} / {TROOPERS}", {"alliances": "ab.bc"}, "are no alliances"),
        (f"{TROOPERS} / {TROOPERS}", {"alliances": "abc"}, "leaves nobody to fight"),
        (f"{TROOPERS} / {TROOPERS}", {"order": "abd"}, "each of a, b, c once"),
        (f"{TROOPERS} / {TROOPERS}", {"map": "ledger"}, "has 2 bases for 3 players"),
    ],
)
def test_faults_are_told(others: str, situation: dict[str, Any], message: str) -> None:
    with pytest.raises(BalanceError, match=message):
        GAME.ask("seats", TROOPERS, others, {f"situation.{name}": value for name, value in situation.items()})
