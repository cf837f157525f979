"""Conformance: every game of the registry keeps its promises, and each broken promise is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.base.errors import DistributionError, Fault, UsageError
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.authoring import conformance
from balance.game.game import Column, Game
from balance.game.kit import WINNER
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.game.registry import GAMES, find_game, game_names, shipped_folder
from balance.game.setup import Asked, EntrantKind
from balance.games import check_game
from tests.toy.game import GAME as SKIRMISH

COLUMNS = dict(SKIRMISH.kinds["duel"].columns)


LONG = ("encounter", "battle", "turn", "finish")
"""Kinds of question of which one pair takes seconds."""


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_keeps_its_promises_with_two_entrants(name: str) -> None:
    game = find_game(name)
    short = {kind: asked for kind, asked in game.kinds.items() if kind not in LONG}
    assert check_game(replace(game, kinds=short), n_pairs=1) == ()


@pytest.mark.slow("test_every_game_keeps_its_promises_with_two_entrants")
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_keeps_its_promises(name: str) -> None:
    assert check_game(name, n_pairs=10) == ()


@pytest.mark.slow("test_every_game_keeps_its_promises_with_two_entrants")
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


def more(process: Process, state: State, rolls: Rolls) -> State:
    """Make the old step, and report a column that was not there before."""
    return {**process.steps[0](state, rolls), "extra": np.zeros(rolls.n, int)}


def written_into(process: Process, state: State, rolls: Rolls) -> State:
    """Make the old step, then spoil what it was given."""
    after = process.steps[0](state, rolls)
    state["damage"][:] = 9
    return after


def remembered(calls: list[int], process: Process, state: State, rolls: Rolls) -> State:
    """Make the old step, and add how often this was called before."""
    calls.append(1)
    return {"damage": process.steps[0](state, rolls)["damage"] + len(calls)}


def above_the_least(process: Process, state: State, rolls: Rolls) -> State:
    """Make the old step, and look at the whole batch."""
    damage = process.steps[0](state, rolls)["damage"]
    return {"damage": damage - damage.min()}


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        (
            lambda p: replace(p, outcome=lambda s, steps: {**s, "extra": steps}),
            ["reports ('damage', 'extra'), declares ('damage',)"] * 2,
        ),
        (
            lambda p: replace(p, outcome=lambda s, steps: {"damage": s["damage"] * 1.0}),
            ["column damage is float64[100], should be 100 integers"] * 2,
        ),
        (
            lambda p: replace(p, outcome=lambda s, steps: {"damage": s["damage"] > 1}),
            ["column damage is bool[100], should be 100 integers"] * 2,
        ),
        (with_step(more), ["a step turns columns ['damage'] into ['damage', 'extra']"]),
        (with_step(written_into), ["a step changes the state it was given"] * 2),
        (
            with_step(partial(remembered, [])),
            [
                *["the same dice give different results"] * 2,
                "a trial in a batch differs from the same trial alone",
                "counting dice and listing every die give different distributions",
                "4096 trials of literal play do not agree with the exact distribution (p = 0.0e+00)",
            ],
        ),
        (with_step(above_the_least), ["a trial in a batch differs from the same trial alone"]),
        (lambda p: p, []),
    ],
    ids=["undeclared", "real", "true or false", "added", "written into", "remembered", "whole batch", "honest"],
)
def test_each_broken_promise_of_a_step_is_told(change: Callable[[Process], Process], problems: list[str]) -> None:
    assert broken("attack", change) == tuple(f"attack rat rat: {problem}" for problem in problems)


def test_a_duel_that_favours_a_side_is_found() -> None:
    def outcome(state: State, steps: Any) -> State:
        return {"winner": np.where(state["b"] <= 3, 1, 2), "strikes": steps}

    won = "{'a': 1.0, 'b': 0.0, 'draw': 0.0}"
    assert broken("duel", lambda p: replace(p, outcome=outcome)) == (
        f"duel rat rat: swapping the sides does not mirror the result: {won} against {won}",
    )


def test_what_cannot_be_asked_is_told_for_each_pair() -> None:
    def refuse(asked: object) -> None:
        raise UsageError(Fault("is not ready", "the duel", tip="wait"))

    duel = replace(SKIRMISH.kinds["duel"], setup=refuse)
    assert check_game(replace(SKIRMISH, kinds={"duel": duel}), n_pairs=2) == (
        "duel rat rat: cannot be asked: the duel: is not ready; wait",
        "duel knight knight: cannot be asked: the duel: is not ready; wait",
    )


def test_entrants_are_paired_from_all_over_the_catalogue() -> None:
    def listed(kind: EntrantKind, names: str) -> EntrantKind:
        return replace(kind, ids=lambda catalogue: list(names))

    kind = SKIRMISH.kinds["attack"]
    kind = replace(kind, takes=(listed(kind.takes[0], "abcdefghi"), listed(kind.takes[1], "vwxyz")))
    loaded = load(replace(SKIRMISH, kinds={"attack": kind}))
    assert conformance._pairs(loaded, kind, 4) == [("a", "y"), ("c", "v"), ("e", "x"), ("g", "z")]
    assert conformance._pairs(loaded, kind, 1) == [("a", "y")]
    assert [one for one, _ in conformance._pairs(loaded, kind, 99)] == list("abcdefghi")


def test_how_many_trials_are_played_for_one_pair() -> None:
    """As many as every check says, and as often, in the literal and in the compiled lane."""
    played: list[int] = []

    def step(process: Process, state: State, rolls: Rolls) -> State:
        played.append(rolls.n)
        return process.steps[0](state, rolls)

    assert broken("attack", with_step(step)) == ()
    assert [(n, len(list(times))) for n, times in groupby(played)] == PLAYED


# Columns, inputs, the same dice, batches (each row alone), both lanes; the weights and the distributions; the sample.
PLAYED = [
    *[(100, 2), (64, 4), (200, 4), (24, 1), (1, 24), (24, 2), (1, 24), (24, 1)],
    *[(1, 1), (3, 1), (1, 1), (3, 1), (1, 1), (3, 1), (1, 1), (36, 1)],
    *[(3, 1), (4096, 1)],  # what was asked for the last time is guessed, so that nothing is planned
]


@pytest.mark.parametrize(
    ("weights", "denominator", "told"),
    [
        ([1, 2, 1], 4, []),
        ([1, 2, 2], 4, ["the weights of a step sum to [5], not to 4"]),
        ([1, 2, 0], 4, ["the weights of a step sum to [3], not to 4"]),
        ([2**70] * 3, 3 * 2**70 + 1, [f"the weights of a step sum to [{3 * 2**70}], not to {3 * 2**70 + 1}"]),
        ([0.25, 0.5, 0.25 + 1e-14], 1, []),
        ([0.25, 0.5, 0.25 + 1e-11], 1, ["the weights of a step sum to [1.00000000001], not to 1"]),
        ([0.25, 0.5, 0.25 - 1e-11], 1, ["the weights of a step sum to [0.99999999999], not to 1"]),
    ],
)
def test_the_weights_of_a_step_sum_to_its_denominator(
    weights: list[Any], denominator: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def expand(*about: object) -> tuple[Any, ...]:
        return np.zeros(3, int), {"damage": np.arange(3)}, np.array(weights), denominator

    monkeypatch.setattr(conformance, "expand", expand)
    (found, *again) = list(conformance._weights(load(SKIRMISH).attack("knight", "rat"))) or [""]
    assert [found] * len(told) == told
    assert again == told  # once for each lane


def test_a_distribution_in_which_trials_are_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(*weights: float) -> list[str]:
        distribution = Pmf(("damage",), np.arange(2)[:, None], np.array(weights))
        monkeypatch.setattr(Question, "distribution", property(lambda self: distribution))
        return list(conformance._exactness(load(SKIRMISH).attack("knight", "rat")))

    assert told(0.5, 0.5) == []
    assert told(0.5, 0.25) == ["the exact distribution sums to 0.75: some trials never end"]


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

    assert duels_without_distribution(processes=processes) == (
        "duel rat rat: literal and compiled play disagree about strikes (p = 2.3e-248)",
        "duel knight knight: literal and compiled play disagree about strikes (p = 0.0e+00)",
    )


def test_without_a_distribution_swapped_sides_are_held_against_each_other() -> None:
    assert duels_without_distribution(setup=always("a")) == (
        "duel rat rat: swapping the sides does not mirror the result (p = 2.4e-53)",
        "duel knight knight: swapping the sides does not mirror the result (p = 3.3e-113)",
    )


def test_dice_of_ones_own_are_found() -> None:
    generator = np.random.default_rng(0)

    def step(process: Process, state: State, rolls: Rolls) -> State:
        return {"damage": process.steps[0](state, rolls)["damage"] + generator.integers(0, 2, len(state["damage"]))}

    assert "attack rat rat: the same dice give different results" in broken("attack", with_step(step))


def test_a_distribution_that_is_not_what_is_played_is_found() -> None:
    old = SKIRMISH.kinds["attack"]

    def processes(setup: Any, lane: str) -> tuple[Process, ...]:
        return old.processes(harsher(setup) if lane == "compiled" else setup, "literal")

    unbounded = replace(old, processes=processes, unbounded=True)
    assert check_game(replace(SKIRMISH, kinds={"attack": unbounded}), n_pairs=1) == (
        "attack rat rat: 4096 trials of literal play do not agree with the exact distribution (p = 2.2e-129)",
    )


def test_a_record_that_is_false_is_told() -> None:
    attack = SKIRMISH.kinds["attack"]

    def with_ids(*names: str) -> Game:
        taken = replace(attack.takes[0], ids=lambda catalogue: list(names))
        return replace(SKIRMISH, kinds={"attack": replace(attack, takes=(taken, taken))})

    assert check_game(with_ids("rat", "rat"), n_pairs=1) == ("has no card, or names one twice",)
    assert check_game(with_ids(), n_pairs=1) == ("has no card, or names one twice",)
    assert check_game(with_ids("rat", "ogre"), n_pairs=1) == ()
    assert check_game(replace(SKIRMISH, kinds={"assault": attack}), n_pairs=1) == (
        "question kind 'attack' is filed under 'assault'",
        "attack rat rat: cannot be asked: skirmish has no 'attack'; it has assault",
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("id,level,lines,title\n", ": the table has a header but no entries"),
        ("id,level,lines,title\nTOY-1,E,1,One\n", ", row 2, level: 'E' is not a known choice; allowed: A, B, C, D"),
    ],
)
def test_a_table_of_rules_that_cannot_be_read_is_told(text: str, fault: str, tmp_path: Path) -> None:
    folder = Path(copytree(shipped_folder(SKIRMISH), tmp_path / "data"))
    (folder / "rule_ids.csv").write_text(text, "utf-8")
    assert check_game(replace(SKIRMISH, folder=folder, kinds={})) == (f"{folder}/rule_ids.csv{fault}",)


UNSAID = "duel: does not say how it is played (`played`) or what it leaves out (`cannot_see`)"
NAMELESS = "duel rat rat: strikes can be 3, 4, which has no name"


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({}, []),
        ({"played": ""}, [UNSAID]),
        ({"cannot_see": ()}, [UNSAID]),
        ({"columns": COLUMNS | {"strikes": WINNER}}, ["duel: declares two columns for one role", NAMELESS]),
        ({"columns": COLUMNS | {"strikes": Column("strikes", names={0: "none"})}}, [NAMELESS]),
        ({"columns": COLUMNS | {"strikes": Column("strikes", names={3: "three", 4: "four", 5: "five"})}}, []),
        (
            {"columns": COLUMNS | {"strikes": Column("strikes", names={3: "some", 4: "some"})}},
            ["duel rat rat: two codes of strikes have one name"],
        ),
        (
            {"columns": COLUMNS | {"winner": Column("", "winner", names={1: "a", 2: "b"})}},
            ["duel rat rat: winner can be 0, which has no name"],
        ),
        ({"beside": "siege"}, ["duel: is to be answered beside siege, which does not exist"]),
        ({"beside": "attack"}, []),
    ],
)
def test_what_a_kind_must_say_of_itself_is_asked_for(fields: dict[str, Any], problems: list[str]) -> None:
    def cut_short(process: Process) -> Process:
        return replace(process, max_steps=4)

    assert broken("duel", cut_short, **fields) == tuple(problems)


def test_every_code_of_every_game_has_a_name() -> None:
    kinds = {(name, kind.name): kind for name in game_names() for kind in find_game(name).kinds.values()}
    assert all(set(kind.categories.get(kind.winner, {}).values()) == set(kind.winners) for kind in kinds.values())
    assert kinds["edadh", "duel"].categories["a_lost"][2] == "rout"
    assert kinds["edadh", "turn"].categories["attacker"] == {0: "tie", 1: "a", 2: "b"}


def test_a_distribution_that_is_too_large_is_not_a_broken_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 3)
    monkeypatch.setattr("balance.chance.exact.chain.LARGEST_CHAIN", 3)
    assert load(SKIRMISH).attack("ogre", "rat").why_no_distribution
    assert check_game(SKIRMISH, n_pairs=2) == ()
    favours_a = replace(SKIRMISH.kinds["duel"], setup=always("a"))
    assert check_game(replace(SKIRMISH, kinds={"duel": favours_a}), n_pairs=1) == (
        "duel rat rat: swapping the sides does not mirror the result (p = 8.4e-68)",
    )


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
    assert problems[:3] == tuple(f"{entrant}: no label, or a negative cost" for entrant in ("rat", "knight", "ogre"))


def test_a_process_that_is_too_large_to_list_hides_none_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def exact(process: str, each_die: bool = False) -> str:
        if process == "large" and each_die:
            raise DistributionError("too large")
        return "by die" if each_die else "by number"

    kind = SimpleNamespace(unbounded=False, processes=lambda setup, lane: ("large", "wrong"))
    question: Any = SimpleNamespace(distribution=Pmf.of({1: 1}, "x"), kind=kind, setup=None)
    monkeypatch.setattr(conformance, "exact_distribution", exact)
    assert list(conformance._exactness(question)) == [
        "counting dice and listing every die give different distributions"
    ]
