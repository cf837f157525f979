"""What would even a field of one cost: against scores worked out duel by duel, and fields whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import balance
from balance.analysis.changes.handicaps.even_field import (
    ALONE,
    LINE,
    READING,
    EvenField,
    EvenFieldQuestion,
    Group,
    Move,
    Setting,
    even_field,
)
from balance.analysis.changes.handicaps.even_tables import EVEN_TABLES, even_field_tables
from balance.engine.runner import Runner

GAME = balance.load("battlelore")
GREEN, BLUE, RED = (f"{colour}_foot+short_sword" for colour in ("green", "blue", "red"))
TWIN = "goblin_red_foot+short_sword"
DWARF = "dwarf_blue_foot+short_sword"
FIELD: tuple[Group, ...] = ((GREEN,), (BLUE,), (RED, TWIN))
LINES: dict[str, Any] = {"line": "skirmish", "units": ("situation.a_units", "situation.b_units")}


def found_in(groups: tuple[Group, ...], fields: tuple[str, ...] = ("dice",), **more: Any) -> EvenField:
    return even_field(Runner(GAME), EvenFieldQuestion(groups, fields, "duel", **more))


def score(one: str, other: str, changes: Mapping[str, Any], kind: str = "duel") -> float:
    chances = GAME.ask(kind, one, other, changes, "random").p_win()
    return chances["a"] + chances["draw"] / 2


def by_hand(group: Group, dice: Mapping[str, int]) -> float:
    """Return the mean score of a group against all, itself included, each with the dice it has."""
    total = 0.0
    for other in (name for one in FIELD for name in one):
        own, its = dice.get(group[0]), dice.get(RED if other == TWIN else other)
        changes = {"a.dice": own} if own else {}
        total += 0.5 if other in group else score(group[0], other, changes | ({"b.dice": its} if its else {}))
    return total / 4


@pytest.mark.slow("test_an_even_field_needs_no_change")
def test_scores_are_those_of_all_duels_one_by_one() -> None:
    found = found_in(FIELD, most_changes=1)
    assert [scores for (scores,) in found.before.values()] == pytest.approx([by_hand(group, {}) for group in FIELD])
    (group,) = found.moves
    move = found.moves[group]
    tries = {dice: by_hand(group, {group[0]: dice}) for dice in range(1, 7)}
    assert int(move.new) == min(tries, key=lambda dice: abs(tries[dice] - 0.5))
    assert found.alone[group] == pytest.approx(tries[int(move.new)])
    for other in FIELD:
        assert found.after[other][0] == pytest.approx(by_hand(other, {group[0]: int(move.new)}))


def test_the_one_farthest_from_one_half_is_changed_first() -> None:
    """Green foot is farther below than the two red ones are above."""
    found = found_in(FIELD, most_changes=1)
    far = max(FIELD, key=lambda group: abs(found.before[group][0] - 0.5))
    assert list(found.moves) == [far] == [(GREEN,)]


def test_all_changes_hold_together() -> None:
    """Each score then is that of a field in which all are in force, and no other single change is nearer."""
    found = found_in(FIELD, most_changes=3)
    dice = {group[0]: int(move.new) for group, move in found.moves.items()}
    spread = [abs(scores[0] - 0.5) for scores in found.after.values()]
    assert max(spread) < 0.065 < max(abs(scores[0] - 0.5) for scores in found.before.values())
    assert len(dice) == len(found.moves) <= 3


def test_no_change_turns_too_cheap_into_too_dear() -> None:
    """One dwarf would come nearer to one half than two, from below: 44 % against 58 %."""
    scores = {n: (0.5 + score(DWARF, BLUE, {"a.figures": n})) / 2 for n in (1, 2, 3, 4)}
    assert min(scores, key=lambda n: abs(scores[n] - 0.5)) == 1
    assert scores[1] < 0.45
    found = found_in(((DWARF,), (BLUE,)), fields=("figures",), most_changes=1)
    assert {group: move.new for group, move in found.moves.items()} == {(DWARF,): "2"}
    assert found.alone[DWARF,] == pytest.approx(scores[2])


def test_nobody_undervalued_is_made_stronger_and_nobody_fair_is_changed() -> None:
    before = {group: scores[0] for group, scores in found_in(FIELD, most_changes=1).before.items()}
    found = found_in(FIELD, most_changes=3, undervalued=frozenset({GREEN}))
    assert before[GREEN,] < 0.45
    assert set(found.moves) == {group for group, score in before.items() if score > 0.55}


def test_an_even_field_needs_no_change() -> None:
    found = found_in(((RED,), (TWIN,)))
    assert found.moves == {}
    assert found.before == found.after
    assert all(found.verdict(scores) == ("fair", ()) for scores in found.before.values())


@pytest.mark.slow("test_an_even_field_needs_no_change")
def test_those_who_play_alike_weigh_as_many_as_they_are() -> None:
    """Twins told apart and twins in one group say the same of everybody else."""
    apart, together = found_in(((GREEN,), (RED,), (TWIN,)), most_changes=1), found_in(((GREEN,), (RED, TWIN)))
    assert apart.before[GREEN,] == pytest.approx(together.before[GREEN,])
    assert apart.before[RED,] == pytest.approx(together.before[RED, TWIN])


@pytest.mark.slow("test_an_even_field_needs_no_change")
def test_who_costs_two_meets_two() -> None:
    field: tuple[Group, ...] = ((DWARF,), (RED,), (BLUE,))
    found = found_in(field, fields=("hexes_per_flag",), most_cost=2, most_changes=1, **LINES)
    assert found.moves == {(DWARF,): Move("", "1", "2", 1, 2)}
    meets_two = {"situation.a_units": 1, "situation.b_units": 2}
    expected = (0.5 + sum(score(DWARF, other, meets_two, "skirmish") for other in (RED, BLUE))) / 3
    assert found.alone[DWARF,] == pytest.approx(expected)


@pytest.mark.slow("test_a_verdict_is_firm_only_if_every_setting_has_it")
def test_settings_that_change_nothing_are_left_out() -> None:
    """Of the readings only that on battling back touches these two; in line they support each other."""
    found = found_in(((DWARF,), (RED,)), most_changes=1, **LINES)
    readings = [setting for setting in found.settings if setting.name == READING]
    assert [setting.name for setting in found.settings[:2]] == [ALONE, LINE]
    assert [setting.changes for setting in readings] == [("rules.battle_back_needs=ignored_flag",)]
    two = {"situation.a_units": 2, "situation.b_units": 2}
    assert found.before[DWARF,][1] == pytest.approx((0.5 + score(DWARF, RED, two, "skirmish")) / 2)
    other = {"rules.battle_back_needs": "ignored_flag"}
    assert found.before[DWARF,][2] == pytest.approx((0.5 + score(DWARF, RED, other)) / 2)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ((0.6, 0.7), ("too cheap", ())),
        ((0.3, 0.44), ("too dear", ())),
        ((0.45, 0.55), ("fair", ())),
        ((0.6, 0.55), ("depends", (LINE,))),
        ((0.5, 0.56), ("depends", (LINE,))),
        ((0.44, 0.56), ("depends", (LINE,))),
    ],
)
def test_a_verdict_is_firm_only_if_every_setting_has_it(
    scores: tuple[float, ...], verdict: tuple[str, tuple[str, ...]]
) -> None:
    found = EvenField((Setting(ALONE), Setting(LINE, 2)), {}, {}, {}, {}, (0.45, 0.55))
    assert found.verdict(scores) == verdict


@pytest.mark.slow("test_an_even_field_needs_no_change")
def test_tables_say_what_was_found() -> None:
    found = found_in(FIELD, most_changes=2)
    tables = even_field_tables(found)
    assert {name: frame.schema for name, frame in tables.items()} == {
        name: balance_schema(schema) for name, schema in EVEN_TABLES.items()
    }
    field, changes = tables["even_field"], tables["even_changes"]
    assert field["score"].to_list() == sorted((scores[0] for scores in found.before.values()), reverse=True)
    for row in field.iter_rows(named=True):
        scores = found.before[tuple(row["entrants"])]
        assert (row["low"], row["high"]) == (min(scores), max(scores))
    assert [tuple(row) for row in changes["entrants"].to_list()] == list(found.moves)
    assert changes["new"].to_list() == [move.new for move in found.moves.values()]


def balance_schema(schema: Mapping[str, Any]) -> Any:
    import polars as pl

    return pl.DataFrame(schema=schema).schema
