"""Conformance: every game of the registry keeps its promises, and each broken promise is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from balance.core import Process, Rolls, State
from balance.games import check_game
from balance.protocol.asked import Asked
from balance.protocol.game import Column, EntrantKind
from balance.protocol.kit import WINNER
from balance.protocol.loaded import load
from balance.protocol.registry import GAMES, find_game, game_names
from tests.toy.game import GAME as SKIRMISH

COLUMNS = dict(SKIRMISH.kinds["duel"].columns)


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_keeps_its_promises(name: str) -> None:
    assert check_game(name, n_pairs=10) == ()


def test_a_sixth_game_needs_one_registry_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert "skirmish" in game_names()
    assert find_game("skirmish").title == "Skirmish"
    assert check_game("skirmish") == ()


def broken(kind: str, change: Callable[[Process], Process], **fields: Any) -> tuple[str, ...]:
    """Return what the check says of the toy game with one question kind's processes changed."""
    old = SKIRMISH.kinds[kind]
    new = replace(old, processes=lambda setup, lane: tuple(change(p) for p in old.processes(setup, lane)), **fields)
    return check_game(replace(SKIRMISH, kinds={**SKIRMISH.kinds, kind: new}), n_pairs=1)


def with_step(step: Callable[[Process, State, Rolls], State]) -> Callable[[Process], Process]:
    """Replace each step; the new one gets a process that has only the old step."""

    def change(process: Process) -> Process:
        alone = [replace(process, steps=(old,)) for old in process.steps]
        return replace(process, steps=tuple(partial(step, only) for only in alone))

    return change


def test_an_undeclared_column_is_found() -> None:
    problems = broken("attack", lambda p: replace(p, outcome=lambda s, steps: {**s, "extra": steps}))
    assert any("declares" in problem for problem in problems)


def test_a_column_of_the_wrong_type_is_found() -> None:
    problems = broken("attack", lambda p: replace(p, outcome=lambda s, steps: {"damage": s["damage"] * 1.0}))
    assert any("should be 100 integers" in problem for problem in problems)


def test_a_step_that_writes_into_its_input_is_found() -> None:
    def step(process: Process, state: State, rolls: Rolls) -> State:
        after = process.steps[0](state, rolls)
        state["damage"][:] = 9
        return after

    assert any("changes the state" in problem for problem in broken("attack", with_step(step)))


def test_a_rule_with_a_memory_of_its_own_is_found() -> None:
    calls: list[int] = []

    def step(process: Process, state: State, rolls: Rolls) -> State:
        calls.append(1)
        return {"damage": process.steps[0](state, rolls)["damage"] + len(calls)}

    assert any("same dice" in problem for problem in broken("attack", with_step(step)))


def test_a_rule_that_looks_at_the_whole_batch_is_found() -> None:
    def step(process: Process, state: State, rolls: Rolls) -> State:
        damage = process.steps[0](state, rolls)["damage"]
        return {"damage": damage - damage.min()}

    assert any("alone" in problem for problem in broken("attack", with_step(step)))


def test_a_duel_that_favours_a_side_is_found() -> None:
    def outcome(state: State, steps: Any) -> State:
        return {"winner": np.where(state["b"] <= 3, 1, 2), "strikes": steps}

    assert any("mirror" in problem for problem in broken("duel", lambda p: replace(p, outcome=outcome)))


def always(first: str) -> Callable[[Asked[Any, Any, Any]], Any]:
    """Return the setup of the toy game's duel with the same first striker whatever was asked."""
    return lambda asked: SKIRMISH.kinds["duel"].setup(replace(asked, first=first))


def harsher(setup: Any) -> Any:
    """Return a setup of the toy game in which fewer dice hit."""
    return replace(setup, play=replace(setup.play, rules=setup.play.rules.replace(hits_on="5-6")))


def duels_without_distribution(**fields: Any) -> tuple[str, ...]:
    """Return what the check says of the toy game's duel with a given first striker, told to have no exact
    distribution."""
    old = SKIRMISH.kinds["duel"]
    plain = {"turn_orders": (), "has_distribution": False, "setup": always("random"), "processes": old.processes}
    kind = replace(old, **{**plain, **fields})
    return check_game(replace(SKIRMISH, kinds={"duel": kind}), n_pairs=2)


def test_without_a_distribution_the_lanes_are_held_against_each_other() -> None:
    old = SKIRMISH.kinds["duel"]
    assert duels_without_distribution() == ()

    def processes(setup: Any, lane: str) -> tuple[Process, ...]:
        return old.processes(harsher(setup) if lane == "compiled" else setup, lane)  # type: ignore[arg-type]

    assert any("lane disagree about strikes" in problem for problem in duels_without_distribution(processes=processes))


def test_without_a_distribution_swapped_sides_are_held_against_each_other() -> None:
    assert any("does not mirror" in problem for problem in duels_without_distribution(setup=always("a")))


def test_dice_of_ones_own_are_found() -> None:
    generator = np.random.default_rng(0)

    def step(process: Process, state: State, rolls: Rolls) -> State:
        return {"damage": process.steps[0](state, rolls)["damage"] + generator.integers(0, 2, len(state["damage"]))}

    problems = broken("attack", with_step(step))
    assert any("same dice" in problem for problem in problems)


def test_a_distribution_that_is_not_what_is_played_is_found() -> None:
    old = SKIRMISH.kinds["attack"]

    def processes(setup: Any, lane: str) -> tuple[Process, ...]:
        return old.processes(harsher(setup) if lane == "compiled" else setup, "literal")

    unbounded = replace(old, processes=processes, unbounded=True)
    problems = check_game(replace(SKIRMISH, kinds={"attack": unbounded}), n_pairs=1)
    assert any("literal lane do not agree" in problem for problem in problems)


def test_a_false_declaration_is_found() -> None:
    attack = SKIRMISH.kinds["attack"]
    rats = replace(attack.takes[0], ids=lambda catalogue: ["rat", "rat"])
    twice = replace(SKIRMISH, kinds={"attack": replace(attack, takes=(rats, rats))})
    assert any("twice" in problem for problem in check_game(twice, n_pairs=1))
    misfiled = replace(SKIRMISH, kinds={"assault": SKIRMISH.kinds["attack"]})
    assert any("filed under" in problem for problem in check_game(misfiled, n_pairs=1))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"played": ""}, "does not say how it is played"),
        ({"cannot_see": ()}, "what it leaves out"),
        ({"columns": COLUMNS | {"strikes": WINNER}}, "two columns for one role"),
        ({"columns": COLUMNS | {"strikes": Column("strikes", names={0: "none"})}}, "strikes can be"),
        ({"columns": COLUMNS | {"winner": Column("", "winner", names={1: "a", 2: "b"})}}, "winner can be 0, which has"),
        ({"beside": "siege"}, "siege, which does not exist"),
    ],
)
def test_what_a_kind_must_say_of_itself_is_asked_for(fields: dict[str, Any], problem: str) -> None:
    def unbounded(process: Process) -> Process:
        return replace(process, max_steps=4)

    assert any(problem in found for found in broken("duel", unbounded, **fields))
    assert not any(problem in found for found in broken("duel", unbounded))


def test_every_code_of_every_game_has_a_name() -> None:
    kinds = {(name, kind.name): kind for name in game_names() for kind in find_game(name).kinds.values()}
    assert all(set(kind.categories.get(kind.winner, {}).values()) == set(kind.winners) for kind in kinds.values())
    assert kinds["edadh", "duel"].categories["a_lost"][2] == "rout"
    assert kinds["edadh", "turn"].categories["attacker"] == {0: "tie", 1: "a", 2: "b"}


def test_a_distribution_that_is_too_large_is_not_a_broken_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.core.enumeration.LARGEST_GRID", 3)
    monkeypatch.setattr("balance.core.chain.LARGEST_CHAIN", 3)
    assert load(SKIRMISH).attack("ogre", "rat").why_no_distribution
    assert check_game(SKIRMISH, n_pairs=2) == ()
    favours_a = replace(SKIRMISH.kinds["duel"], setup=always("a"))
    assert any("does not mirror" in found for found in check_game(replace(SKIRMISH, kinds={"duel": favours_a})))


@pytest.mark.parametrize(
    "fields",
    [{"label": lambda catalogue, entrant: ""}, {"cost_points": lambda catalogue, entrant: -1}],
    ids=["no label", "a negative cost"],
)
def test_every_entrant_has_a_label_and_a_cost(fields: dict[str, Any]) -> None:
    def changed(kind: EntrantKind) -> EntrantKind:
        return replace(kind, **fields)

    kinds = {
        name: replace(kind, takes=(changed(kind.takes[0]), changed(kind.takes[1])))
        for name, kind in SKIRMISH.kinds.items()
    }
    problems = check_game(replace(SKIRMISH, kinds=kinds), n_pairs=1)
    told = {problem for problem in problems if problem.endswith(": no label, or a negative cost")}
    assert told == {
        f"{entrant}: no label, or a negative cost" for entrant in load(SKIRMISH).catalogue.tables["fighters"]
    }
