"""A question can be asked again, a little differently, and by another process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

import balance
from balance.base.errors import DistributionError, UsageError
from balance.chance.pmf import Pmf
from balance.chance.trials.stopping import FixedTrials, HalfWidth
from balance.game.game import LANES, which_has
from balance.game.question.question import Question
from tests.toy.game import GAME as TOY

COMBAT = ("combat", "blue_mounted", "dwarf_blue_foot", {"situation.target_terrain": "hill"})


def test_it_is_asked_again_with_one_thing_changed() -> None:
    asked = balance.load("battlelore").ask(*COMBAT, follow_up="stay")
    assert asked.again().task_id == asked.task_id
    other = asked.again(follow_up="gain_ground")
    assert dict(other.choices) == {**dict(asked.choices), "follow_up": "gain_ground"}
    assert other.changes == asked.changes == ("situation.target_terrain=hill",)
    assert asked.again({}).changes == ()
    with pytest.raises(UsageError, match="did you mean stay"):
        asked.again(follow_up="sta")


def test_the_side_that_goes_first_is_kept_unless_another_is_said() -> None:
    duel = balance.load("warforged").duel("nexus+assault_rifle", "trooper+shotgun", first="b")
    assert (duel.again({"a.armour": 1}).first, duel.again(first="a").first) == ("b", "a")


@pytest.mark.parametrize("asked", [("battlelore", COMBAT), ("edadh", ("turn", "spears", "shieldsmen", {"a.mp": 9}))])
def test_another_process_asks_the_same(asked: tuple[str, tuple[str, ...]]) -> None:
    game, words = asked
    question = balance.load(game).ask(*words)
    sent = pickle.loads(pickle.dumps(question))
    assert (sent.task_id, sent.inputs, sent.choices) == (question.task_id, question.inputs, question.choices)


def test_what_was_asked_is_told_resolved() -> None:
    inputs = balance.load("battlelore").ask(*COMBAT).inputs
    assert inputs["set"] == ["situation.target_terrain=hill"]
    assert inputs["situation"]["target_terrain"] == ["hill"]


TOYS = balance.load(TOY)
DUEL = TOYS.duel("knight", "rat", {"b.health": 9}, first="a")
WINNERS = {"a": 1, "b": 2, "draw": 0}


def test_what_fixes_an_answer_is_in_its_id_and_nothing_else() -> None:
    same = TOYS.ask("duel", "knight", "rat", ["b.health=9"], "a", a_effort="steady")
    assert same.task_id == DUEL.task_id
    two = DUEL.again({"b.health": 9, "a.dice": 2}), DUEL.again({"a.dice": 2, "b.health": 9})
    assert two[0].task_id == two[1].task_id
    smaller = replace(DUEL, kind=replace(DUEL.kind, block_trials=64))
    others = [DUEL.again(first="b"), DUEL.again({}), DUEL.again(a_effort="bold"), two[0], smaller]
    others += [TOYS.duel("rat", "knight", {"b.health": 9}, first="a"), TOYS.attack("knight", "rat")]
    others += [replace(DUEL, game=replace(TOYS, definition=replace(TOY, name="other")))]
    cards = TOYS.catalogue
    others += [replace(DUEL, game=replace(TOYS, catalogue=replace(cards, rules_version="2")))]
    assert len({DUEL.task_id, *(other.task_id for other in others)}) == len(others) + 1
    assert len(DUEL.task_id) == 64


def test_trials_have_streams_of_their_own_unless_others_are_named() -> None:
    shot = TOYS.attack("knight", "rat")
    assert [shot.task(lane).key for lane in LANES] == [f"{lane}/{shot.task_id}" for lane in LANES]
    assert shot.task("literal", "mine").key == "mine"
    assert shot.task().key == shot.task("literal").key
    with pytest.raises(UsageError) as found:
        shot.task("fast")  # type: ignore[arg-type]
    assert str(found.value) == "a lane is one of literal, compiled, found 'fast'"


@pytest.mark.parametrize("asked", [DUEL, TOYS.attack("knight", "rat")], ids=["a chain", "one throw"])
def test_both_lanes_play_what_is_exact(asked: Question) -> None:
    for lane in LANES:
        sample = asked.simulate(20_000, seed=1, lane=lane)
        assert (sample.lane, sample.n_trials) == (lane, 20_000)
        assert sample.agreement.p_value > 1e-4
    assert asked.known_distribution() == (asked.distribution, None)


def test_who_wins_is_exact_or_simulated_or_as_in_a_distribution_that_is_given() -> None:
    exact = DUEL.distribution.marginal("winner")
    assert DUEL.p_win() == {
        name: float(exact.weight(lambda winner, at=at: winner == at) / exact.total) for name, at in WINNERS.items()
    }
    assert DUEL.p_win(Pmf.of({1: 1, 2: 3}, "winner")) == {"a": 0.25, "b": 0.75, "draw": 0.0}
    assert TOYS.attack("knight", "rat").p_win() == {}
    duel = balance.load("edadh").ask("duel", "spears", "shieldsmen")
    known, n_trials = duel.known_distribution(512, seed=3)
    assert (known, n_trials) == (duel.simulate(512, seed=3).distribution, 512)


def test_why_there_is_no_exact_distribution_is_said() -> None:
    duel = balance.load("edadh").ask("duel", "spears", "shieldsmen")
    assert duel.why_no_distribution == "duel has no exact distribution"
    with pytest.raises(DistributionError) as found:
        _ = duel.distribution
    assert str(found.value) == "duel has no exact distribution; simulate it: say a number of trials"
    assert DUEL.why_no_distribution == ""


def test_several_processes_are_as_likely_as_each_other() -> None:
    mixed = TOYS.duel("knight", "rat", first="random").distribution
    each = [TOYS.duel("knight", "rat", first=side).distribution for side in "ab"]
    for column in mixed.columns:
        assert mixed.mean(column) == pytest.approx(sum(one.mean(column) for one in each) / 2)


def test_trials_begin_at_once_unless_a_way_of_playing_must_be_learnt() -> None:
    duel = balance.load("edadh").ask("duel", "spears", "shieldsmen")
    assert duel.is_quick
    assert not duel.again(policy_b="lookahead").is_quick
    assert balance.load("battlelore").ask(*COMBAT).is_quick


@pytest.mark.parametrize(
    ("asked", "method", "told"),
    [
        (DUEL, "exact", "skirmish duel leaves no side a choice to solve"),
        (
            balance.load("edadh").ask("duel", "spears", "shieldsmen"),
            "guess",
            "a method is one of exact, approximate, found 'guess'",
        ),
    ],
)
def test_what_cannot_be_solved_is_told(asked: Question, method: str, told: str) -> None:
    with pytest.raises(UsageError) as found:
        asked.solve(method)  # type: ignore[arg-type]
    assert str(found.value) == told


@pytest.mark.parametrize(
    ("asked", "budget", "told"),
    [
        (DUEL, (None, None), "say either a number of trials or a half-width"),
        (DUEL, (10, 0.1), "say either a number of trials or a half-width"),
        (
            TOYS.attack("knight", "rat"),
            (None, 0.1),
            "a half-width is for the probability to win, and attack has no winner; in skirmish, duel can have one",
        ),
    ],
)
def test_a_rule_to_stop_by_that_makes_no_sense_is_told(
    asked: Question, budget: tuple[int | None, float | None], told: str
) -> None:
    with pytest.raises(UsageError) as found:
        asked.stop_rule(*budget)
    assert str(found.value) == told
    rules = DUEL.stop_rule(64, None), DUEL.stop_rule(None, 0.02)
    assert rules[0] == FixedTrials(64)
    assert isinstance(rules[1], HalfWidth) and len(rules[1].events) == 3


def test_the_kinds_of_question_that_have_something_are_named() -> None:
    assert which_has(TOY, "turn_orders") == "in skirmish, duel can have one"
    assert which_has(TOY, "solve") == "nothing that skirmish is asked has one"
