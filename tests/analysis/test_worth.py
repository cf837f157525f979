"""What single changes are worth: against match-ups asked by hand, what a number is worth in itself, and nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import balance
from balance.analysis.changes.handicaps import worth as module
from balance.analysis.changes.handicaps.worth import Worths, single_changes, worths
from balance.base.errors import UsageError
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Engine, Runner
from balance.game.game import Step
from balance.game.loaded import load
from balance.game.question.question import Question

PAIR = Query("duel", "nexus+assault_rifle", "trooper+shotgun", first="random")
SWAPPED = Query("duel", PAIR.side_b, PAIR.side_a, first="random")


def score_of(*changes: str) -> float:
    chances = load("warforged").ask(PAIR.kind, PAIR.side_a, PAIR.side_b, changes, PAIR.first).p_win()
    return chances["a"] + chances["draw"] / 2


def steps_of(found: Worths) -> dict[str, float | None]:
    return {part.change: None if part.worth is None else part.worth.value for part in found.worths}


def curve_of(found: Worths) -> dict[float, Estimate]:
    return {point.change: point.effect for point in found.curve}


@pytest.fixture(scope="module")
def health() -> Worths:
    return worths(Runner(load("warforged")), PAIR, "b.health")


@pytest.mark.slow("test_a_planted_change_is_worth_what_lies_between_two_values_asked_by_hand")
def test_effects_are_those_asked_by_hand_and_the_largest_is_first(health: Worths) -> None:
    assert health.score == Estimate.exact(score_of())
    for part in health.worths:
        assert part.score == Estimate.exact(score_of(part.change))
        assert part.effect.value == pytest.approx(score_of(part.change) - score_of(), abs=1e-12)
    sizes = [abs(part.effect.value) for part in health.worths]
    assert sizes == pytest.approx(sorted(sizes, reverse=True), abs=1e-9)


def test_one_more_of_the_number_itself_is_worth_one(health: Worths) -> None:
    found = steps_of(health)
    assert (found["b.health=6"], found["b.health=4"]) == (1.0, -1.0)
    assert all(effect.value == pytest.approx(score_of(f"b.health={5 + change:g}") - score_of())
               for change, effect in curve_of(health).items())  # fmt: skip


def test_a_planted_change_is_worth_what_lies_between_two_values_asked_by_hand(health: Worths) -> None:
    less, more, planted = (score_of(change) for change in ("b.health=8", "b.health=9", "a.lost_actions=1"))
    assert less > planted > more
    assert steps_of(health)["a.lost_actions=1"] == pytest.approx(3 + (less - planted) / (less - more), abs=1e-9)


def test_swapping_the_sides_swaps_what_changes_are_worth(health: Worths) -> None:
    swapped = worths(Runner(load("warforged")), SWAPPED, "a.health")
    turned = {f"{'b' if name[0] == 'a' else 'a'}{name[1:]}": steps for name, steps in steps_of(swapped).items()}
    assert turned == {name: steps if steps is None else pytest.approx(steps, abs=1e-6)
                      for name, steps in steps_of(health).items()}  # fmt: skip


def test_what_does_nothing_is_not_measurable_and_neither_is_anything_in_a_number_that_does_nothing(
    health: Worths,
) -> None:
    nothing = {part.change for part in health.worths if not part.measurable}
    assert nothing == {f"{side}.{field}" for side, fields in (
        ("a", ("range_cells=5", "range_cells=7", "speed_cells=3", "speed_cells=5")),
        ("b", ("range_cells=2", "range_cells=4", "speed_cells=3", "speed_cells=5"))) for field in fields}  # fmt: skip
    assert all(part.worth is None for part in health.worths if not part.measurable)
    flat = worths(Runner(load("warforged")), PAIR, "a.range_cells")
    assert not flat.measurable
    assert set(steps_of(flat).values()) == {None}
    assert [part.effect.value for part in flat.worths] == [part.effect.value for part in health.worths]


def test_what_is_more_than_a_number_can_do_is_beyond_its_last_value() -> None:
    """Armour of b cannot fall below 0, so whatever helps a is beyond that; what helps b is not."""
    found = worths(Runner(load("warforged")), replace(PAIR, changes=("b.armour=0",)), "b.armour")
    assert min(curve_of(found)) == 0.0
    for part in found.worths:
        if part.measurable:
            helps_a = part.effect.value > 0
            assert (part.beyond, part.worth is None) == (0.0 if helps_a else None, helps_a)


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate 8,192 trials even where all is known exactly."""
    monkeypatch.setattr(Question, "why_no_distribution", "it is simulated here")
    yield


@pytest.mark.slow("test_one_more_of_the_number_itself_is_worth_one")
@pytest.mark.usefixtures("simulated")
def test_simulated_effects_hold_the_exact_ones_and_the_number_itself_is_worth_one(health: Worths) -> None:
    """26 effects within 4.5 standard errors: a false alarm in 1 of 5,600 runs; and no trial differs in 8 of them."""
    one, two = (
        worths(Runner(load("warforged"), Engine(executor, n_jobs)), PAIR, "b.health", seed=3)
        for executor, n_jobs in (("serial", 1), ("threads", 2))
    )
    assert one == two
    truth = {part.change: part.effect.value for part in health.worths}
    assert one.score.n_trials == 8192
    assert {part.change for part in one.worths} == set(truth)
    for part in one.worths:
        assert abs(part.effect.value - truth[part.change]) <= 4.5 * (part.effect.error or 0.0) + 1e-9
        apart = (part.score.error or 0.0) ** 2 + (one.score.error or 0.0) ** 2
        assert (part.effect.error or 0.0) ** 2 < 1.5 * apart
    found = steps_of(one)
    assert found["b.health=6"] == pytest.approx(1.0)
    assert found["b.health=4"] in (None, pytest.approx(-1.0))
    assert all(found[change] is None for change, effect in truth.items() if abs(effect) < 1e-9)


def test_changes_that_a_kind_lists_are_played_as_far_as_the_rules_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(question: Any) -> Iterator[Step]:
        yield Step("", "first", "random", "b", "b begins")
        yield Step("a", "health", "8", "9")
        yield Step("a", "health", "8", "-1")

    game = load("warforged")
    kind = replace(game.kind("duel"), single_changes=listed)
    monkeypatch.setitem(game.definition.kinds, "duel", kind)
    found = worths(Runner(game), PAIR, "b.health")
    assert {(part.name, part.change) for part in found.worths} == {
        ("b begins", "first=b"),
        ("a.health=9", "a.health=9"),
    }
    chances = game.ask("duel", PAIR.side_a, PAIR.side_b, (), "b").p_win()
    (begins,) = [part for part in found.worths if part.field == "first"]
    assert begins.score.value == pytest.approx(chances["a"] + chances["draw"] / 2)


@pytest.mark.slow("test_one_more_of_the_number_itself_is_worth_one")
def test_an_adventure_is_measured_in_banners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHARE", 128)
    monkeypatch.setattr(module, "MOST_STEPS", 1)
    game = load("battlelore")
    query = Query("battle", *game.pair("battle", "agincourt", ""), ("situation.turn_limit=14",))
    question = query.to(game)
    two_steps = [step for step in single_changes(question) if step.new == "G2" or (step.side, step.new) == ("b", "3")]
    kind = replace(question.kind, single_changes=lambda question: iter(two_steps))
    monkeypatch.setitem(game.definition.kinds, "battle", kind)
    found = worths(Runner(game), query, "b.banners")
    names = {part.name for part in found.worths}
    assert names == {"b without human_heavy_cavalry@G2", "b.banners=3", "b.cards=3"}
    assert found.score.n_trials == 64
    assert list(curve_of(found)) == [-1.0, 0.0, 1.0]
    (fewer,) = [part for part in found.worths if part.field == "banners"]
    assert fewer.effect == curve_of(found)[-1.0]
    assert fewer.effect.value < 0 < curve_of(found)[1.0].value
    assert fewer.worth is None or fewer.worth.value == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("sides", "options", "messages"),
    [
        ((PAIR.side_a, PAIR.side_b), {"worth": "health"}, ["allowed: a.health, b.health"]),
        (
            (PAIR.side_a, PAIR.side_b),
            {"worth": "b.luck", "field": "helth", "band": "40:60"},
            ["is no number of one side", "field= is about", "band= is about what is even"],
        ),
        (
            (),
            {"worth": "b.health", "bid": "health"},
            ["worth= is about two sides", "bid= and worth= are two questions"],
        ),
        (
            (PAIR.side_a, PAIR.side_b),
            {"worth": "b.health", "cost": True, "bid": "points"},
            ["three questions", "all but one"],
        ),
    ],
    ids=["no side", "no number", "no sides", "three"],
)
def test_what_makes_no_sense_is_told_all_at_once(sides: tuple[str, ...], options: Any, messages: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        balance.handicap("warforged", *sides, **options, cache=False)
    assert all(message in str(error.value) for message in messages), str(error.value)


def test_nobody_wins_an_attack() -> None:
    with pytest.raises(UsageError, match="nobody wins in attack"):
        worths(Runner(load("warforged")), Query("attack", "nexus+shotgun", "trooper"), "a.damage")


def test_the_verb_answers_in_a_sentence_as_json_and_as_a_table() -> None:
    result = balance.handicap("warforged", PAIR.side_a, PAIR.side_b, worth="b.health", cache=False)
    assert "Of 26 single changes a.lost_actions=1 is worth most" in " ".join(str(result).split())
    frame = result.to_polars("worths")
    assert frame["change"][0] == "a.lost_actions=1"
    assert frame["worth"][0] == pytest.approx(3.346, abs=1e-3)
    document = result.to_dict()
    assert document["worths"][0]["worth"]["value"] == frame["worth"][0]
    assert [row["change"] for row in document["curve"]] == result.to_polars("curve")["change"].to_list()
