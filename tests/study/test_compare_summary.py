"""A comparison in a few numbers, from a table of changes written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.base.answers import as_plain
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.compare.answer import ChangeSummary
from balance.study.compare.change_effects import affected_by
from balance.study.compare.compare import SCHEMA
from balance.study.compare.summary import broken_limits, summarise_changes
from balance.study.settings.patch import Patch, PatchLimits, PatchSettings
from balance.study.settings.settings import Study, StudySettings
from tests.study.comparisons import NOBODY, SUMMARY


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def study(**more: Any) -> Study:
    return Study(StudySettings.model_validate({"game": "skirmish"} | more), Path("study.toml"))


def dearer(game: LoadedGame) -> LoadedGame:
    """The same game with a knight that costs more."""
    change = PatchSettings.model_validate({"set": {"fighters.knight.cost_points": 40}})
    return Patch("dearer", change, Path("dearer.toml")).apply(game)


def row(a: str, b: str, before: Any, after: Any, scene: str = "", touched: bool = True, **more: Any) -> dict[str, Any]:
    """One match-up: a number, or a number with its ends, on either side."""
    told: dict[str, Any] = {"situation": scene, "a": a, "b": b, "policies": "", "touched": touched, "n_pairs": 100}
    told |= {"method": "sampled" if isinstance(before, tuple) else "exact"}
    for name, value in (("before", before), ("after", after)):
        whole = value if isinstance(value, tuple) else (value, None, None)
        told |= dict(zip((name, f"{name}_low", f"{name}_high"), whole, strict=True))
    return told | {"verdict_before": "fair", "verdict_after": "fair", "effect": "none"} | more


def summary(rows: list[dict[str, Any]], after: LoadedGame | None = None, **more: Any) -> dict[str, Any]:
    return dict(as_plain(numbers(rows, after, **more)))


def numbers(rows: list[dict[str, Any]], after: LoadedGame | None = None, **more: Any) -> ChangeSummary:
    game = load("skirmish")
    changes = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return summed_up(study(**more), game, after or game, changes)


def summed_up(asked: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame) -> ChangeSummary:
    standing = affected_by(asked, before, after, changes).standing
    return summarise_changes(asked, before, after, changes, standing)


ROWS = [
    row("rat", "knight", 0.1, 0.2, effect="changed", verdict_before="unfair", difference=0.1),
    row("rat", "ogre", 0.1, 0.1, touched=False, verdict_after="unfair", difference=0.0),
    row(
        *("knight", "ogre", (0.2, 0.1, 0.3), (0.4, 0.3, 0.5)),
        effect="small",
        difference=-0.2,
        difference_low=-0.3,
        difference_high=-0.125,
        advantage_before=0.1,
        advantage_before_low=0.05,
        advantage_before_high=0.15,
        advantage_after=0.3,
        advantage_after_low=0.2,
        advantage_after_high=0.4,
    ),
]


def test_match_ups_are_counted_by_what_became_of_them() -> None:
    found = summary(ROWS)
    assert (found["n_match_ups"], found["n_touched"], found["n_not_touched"]) == (3, 2, 1)
    assert (found["n_exact"], found["n_pairs"]) == (2, 300)
    assert (found["n_exact_touched"], found["n_pairs_touched"]) == (1, 200)
    assert found["effects"] == {"none": 1, "small": 1, "changed": 1, "not yet known": 0}
    assert found["effects_touched"] == {"none": 0, "small": 1, "changed": 1, "not yet known": 0}
    assert (found["newly_unfair"], found["no_longer_unfair"]) == (1, 1)
    counted = {"fair": 2, "unfair": 1, "even": 0, "one-sided": 0, "not yet known": 0}
    assert found["verdicts"] == {"before": counted, "after": counted}
    assert found["verdicts_touched"] == {"before": counted | {"fair": 1}, "after": counted | {"unfair": 0}}


def test_the_largest_change_that_is_certain_is_the_near_end_of_its_interval() -> None:
    assert summary(ROWS)["largest_certain_change"] == 0.125
    assert summary(ROWS[:2])["largest_certain_change"] == 0.1
    assert summary(ROWS[1:2])["largest_certain_change"] == 0.0
    open_ended = row("rat", "ogre", 0.1, 0.1, difference=0.0, difference_low=-0.1, difference_high=0.1)
    assert summary([open_ended])["largest_certain_change"] == 0.0


def test_means_of_going_first_are_over_those_that_have_it() -> None:
    exact = row("rat", "ogre", 0.1, 0.1, touched=False, advantage_before=0.2, advantage_after=0.2)
    found = summary([*ROWS, exact])
    assert found["first_mover"] == pytest.approx(
        {"before": 0.15, "before_low": 0.125, "before_high": 0.175, "after": 0.25, "after_low": 0.2, "after_high": 0.3}
    )
    assert found["first_mover_touched"]["before_low"] == 0.05
    nobody = summary(ROWS[:2])["first_mover"]
    assert nobody == dict.fromkeys(f"{side}{end}" for side in ("before", "after") for end in ("", "_low", "_high"))


ALONE = [row("rat", "knight", 0.1, 0.6), row("rat", "ogre", 0.1, 0.6), row("knight", "ogre", 0.4, 0.4)]
"""A rat, which costs least, becomes better than both others."""


def test_who_is_never_worth_taking_any_more_is_told_with_who_dominates() -> None:
    became = {"knight": ["rat"], "ogre": ["rat"]}
    counts = {"by_a_mixture": {"before": 0, "after": 0}, "shares": {"became": {}, "no_longer": {}}}
    assert summary(ALONE)["dominated"] == {"became": became, "no_longer": {}, "before": 0, "after": 2} | counts
    turned = [one | {"before": one["after"], "after": one["before"]} for one in ALONE]
    assert summary(turned)["dominated"] == {"became": {}, "no_longer": became, "before": 2, "after": 0} | counts


MIXED = [row("rat", "knight", 0.4, 0.46), row("rat", "ogre", 0.4, 0.4), row("knight", "ogre", 0.44, 0.44)]
"""Half the rat and half the ogre cost what the knight does, and from now on gain at least 0.01 on it."""


def test_who_is_dominated_by_a_mixture_is_told_with_its_parts_and_counts_as_dominated() -> None:
    became, shares = {"knight": ["rat", "ogre"]}, {"knight": [0.5, 0.5]}
    assert summary(MIXED)["dominated"] == {
        "became": became, "no_longer": {}, "before": 0, "after": 1, "by_a_mixture": {"before": 0, "after": 1},
        "shares": {"became": shares, "no_longer": {}},
    }  # fmt: skip
    turned = [one | {"before": one["after"], "after": one["before"]} for one in MIXED]
    assert summary(turned)["dominated"] == {
        "became": {}, "no_longer": became, "before": 1, "after": 0, "by_a_mixture": {"before": 1, "after": 0},
        "shares": {"became": {}, "no_longer": shares},
    }  # fmt: skip
    stays = [one | {"before": one["after"]} for one in MIXED]
    assert summary(stays)["dominated"] == {
        "became": {}, "no_longer": {}, "before": 1, "after": 1, "by_a_mixture": {"before": 1, "after": 1},
        "shares": {"became": {}, "no_longer": {}},
    }  # fmt: skip


def test_a_match_up_is_read_from_either_side() -> None:
    turned = [row(one["b"], one["a"], 1 - one["before"], 1 - one["after"]) for one in ALONE]
    assert summary(turned)["dominated"] == summary(ALONE)["dominated"]


def test_one_situation_in_which_it_is_better_is_reason_enough() -> None:
    other = [one | {"situation": "other", "after": one["before"]} for one in ALONE]
    assert summary([*ALONE, *other])["dominated"]["became"] == {}


def test_what_is_not_certain_dominates_nobody() -> None:
    loose = [
        one | {"before_low": 0.0, "before_high": 1.0, "after_low": one["after"] - 0.3, "after_high": one["after"] + 0.3}
        for one in ALONE
    ]
    assert summary(loose)["dominated"]["became"] == {}
    tight = [one | {"after_low": one["after"] - 0.01, "after_high": one["after"] + 0.01} for one in ALONE]
    assert summary(tight)["dominated"]["after"] == 2


def test_with_policies_nobody_is_said_to_be_dominated() -> None:
    told = summary(ALONE, policies={"a_effort": ["bold"]})["dominated"]
    assert (told["became"], told["no_longer"], told["before"], told["after"]) == ({}, {}, 0, 0)


def test_costs_that_change_and_entrants_that_come_or_go_are_named() -> None:
    after = dearer(load("skirmish"))
    assert summary(ROWS, after)["costs"] == {"knight": [20, 40]}
    cheap = summary(ROWS[1:2], after, max_cost_points=36)
    assert (cheap["entrants_added"], cheap["entrants_removed"], cheap["costs"]) == ([], ["knight"], {})
    turned = summed_up(
        study(max_cost_points=36), after, load("skirmish"), pl.DataFrame(ROWS[1:2], schema=SCHEMA, orient="row")
    )
    assert (turned.entrants_added, turned.entrants_removed) == (("knight",), ())


def test_unfair_counts_what_the_change_can_touch_and_what_a_cost_makes_unfair() -> None:
    unfair: dict[str, Any] = {"verdict_before": "unfair", "verdict_after": "unfair"}
    stays = row("rat", "ogre", 0.1, 0.1, touched=False, **unfair)
    turned = row("knight", "ogre", 0.1, 0.1, touched=False, **unfair | {"verdict_before": "one-sided"})
    rest = row("knight", "rat", 0.5, 0.5, touched=False, verdict_before="even")
    known = row("rat", "knight", 0.1, 0.2, **unfair)
    assert [summary([one])["unfair_touched"] for one in (stays, turned, rest, known)] == [0, 1, 0, 1]
    assert summary([stays, turned, rest, known])["verdicts"]["after"]["unfair"] == 3


def test_match_ups_that_the_change_cannot_touch_break_no_limit() -> None:
    first: dict[str, Any] = {f"advantage_{side}": 0.5 for side in ("before", "after")}
    stays = row("rat", "ogre", 0.9, 0.9, touched=False, difference=0.0, verdict_before="unfair", **first)
    rows = [stays | {"verdict_after": "unfair"}]
    strict = PatchLimits.model_validate(dict.fromkeys(LIMITS, 0))
    assert broken_limits(strict, numbers(rows)) == ()
    assert broken_limits(strict, numbers([rows[0] | {"touched": True}])) == (
        "max_unfair is 0, found 1",
        "max_first_mover_advantage is 0, found 0.5",
    )


BROKEN = replace(
    SUMMARY,
    first_mover_touched=replace(SUMMARY.first_mover_touched, before_high=0.25, after_low=0.375),
    unfair_touched=3,
    newly_unfair=2,
    dominated=replace(NOBODY, became={"a": (), "b": ()}),
    largest_certain_change=0.5,
)
LIMITS = {
    "max_unfair": 3,
    "max_newly_unfair": 2,
    "max_newly_dominated": 2,
    "max_change": 0.5,
    "max_first_mover_advantage": 0.375,
    "max_first_mover_increase": 0.125,
}


@pytest.mark.parametrize(("name", "value"), LIMITS.items())
def test_a_limit_is_broken_only_when_it_is_passed(name: str, value: float) -> None:
    assert set(LIMITS) == set(PatchLimits.model_fields)
    below = value - (1 if isinstance(value, int) else 0.0625)
    hair = value - (1 if isinstance(value, int) else 5e-13)
    assert broken_limits(PatchLimits.model_validate({name: value}), BROKEN) == ()
    assert bool(broken_limits(PatchLimits.model_validate({name: hair}), BROKEN)) == isinstance(value, int)
    assert broken_limits(PatchLimits.model_validate({name: below}), BROKEN) == (
        f"{name} is {below:g}, found {value:.4g}",
    )


@pytest.mark.parametrize("lost", ["before_high", "after_low"])
def test_where_nobody_goes_first_no_limit_of_that_is_broken(lost: str) -> None:
    first = replace(BROKEN.first_mover_touched, **{lost: None})
    none = PatchLimits(max_first_mover_advantage=0.0, max_first_mover_increase=0.0)
    told = ("max_first_mover_advantage is 0, found 0.375",) if lost == "before_high" else ()
    assert broken_limits(none, replace(BROKEN, first_mover_touched=first)) == told
