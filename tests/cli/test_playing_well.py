"""`balance play` and `balance stability`."""

from __future__ import annotations

import json
import shlex

import pytest

from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command

FEW = ("--budget", "100:4,150:4", "--pairs", "24", "--no-cache", "--quiet", "--jobs", "1")


@pytest.mark.slow("test_play_as_json_holds_every_cell_and_is_the_same_again")
def test_play_tells_the_ladder_and_the_matrix(balance: Command) -> None:
    done = balance("play", "warforged", "lineup", *FEW, "--more")
    assert (done.status, done.err) == (0, "")
    assert "there are" in done.out
    for word in ("focus", "spread", "behind", "goes in circles", "432 battles"):
        assert word in " ".join(done.out.split())


def test_play_as_json_holds_every_cell_and_is_the_same_again(balance: Command) -> None:
    told = balance("play", "warforged", "lineup", "--ways", "focus,spread", *FEW, "--json")
    found = json.loads(told.out)
    assert [found["verb"], found["settings"]["kind"], found["settings"]["battles"]] == ["play", "lineup", 192]
    assert {(cell["first"], cell["second"]) for cell in found["matrix"]} == {
        (one, other) for one in ("focus", "spread") for other in ("focus", "spread")
    }
    both = {(cell["first"], cell["second"]): cell["both_seats"] for cell in found["matrix"]}
    assert both["focus", "spread"] + both["spread", "focus"] == pytest.approx(1)
    assert both["focus", "focus"] == 0.5
    assert found["ladder"][0]["behind"] == 0
    assert found["ladder"][0]["stand_offs"] is None
    assert balance("play", "warforged", "lineup", "--ways", "spread,focus", *FEW, "--json").status == 0
    assert balance("play", "warforged", "lineup", "--ways", "focus,spread", *FEW, "--json").out == told.out


@pytest.mark.slow("test_play_as_json_holds_every_cell_and_is_the_same_again")
def test_battles_tell_how_many_are_stand_offs(balance: Command) -> None:
    done = balance("play", "warforged", "battle", "--ways", "greedy,hold", *FEW, "--json")
    ladder = {row["play"]: row for row in json.loads(done.out)["ladder"]}
    assert ladder["hold"]["stand_offs"] > 0.5 > ladder["greedy"]["stand_offs"]


@pytest.mark.slow("test_play_as_json_holds_every_cell_and_is_the_same_again")
def test_stability_tells_what_holds_and_what_depends(balance: Command) -> None:
    words = ("--ways", "focus,spread", "--over", "situation.actions=pool,per_unit", "--battles", "4096")
    told = ("--budget", "150:4,200:5", "--no-cache", "--quiet", "--jobs", "1")
    done = balance("stability", "warforged", "lineup", *words, *told)
    assert (done.status, done.err) == (0, "")
    text = " ".join(done.out.split())
    for word in ("lineup, 4 settings", "over all", "22 cards:", "spread, per unit", "seed 0", "(--tolerance 10:2)"):
        assert word in text
    assert len(done.out.splitlines()) <= 24
    more = " ".join(balance("stability", "warforged", "lineup", *words, *told, "--more").out.split())
    for word in ("correlation", "were not fitted", "(--tolerance 10:2)"):
        assert word in more
        assert "correlation" not in text
    found = json.loads(balance("stability", "warforged", "lineup", *words, *told, "--json").out)
    assert [one["facets"] for one in found["settings"]] == [
        {"play": way, "actions": actions} for way in ("focus", "spread") for actions in ("pool", "per_unit")
    ]
    assert found["play"] is None
    assert len(found["loadouts"]) == len(found["settings"][0]["handicaps"]) == found["agreement"][0]["loadouts"]
    row = found["cards"]["shotgun"]
    assert row["low"] <= row["fair"] <= row["high"]
    assert row["tolerance"] == 2.0
    assert len(found["settings"][0]["calibration"]) == 10


def test_what_makes_no_sense_is_refused_before_anything_is_played(balance: Command) -> None:
    for arguments, told in (
        (("play", "warforged", "duel"), "armies of any members do not meet in warforged's 'duel'"),
        (("play", "warforged", "--ways", "focsu"), "'focsu' is no way of playing"),
        (("play", "warforged", "--set", "situation.size=1"), "size"),
        (("stability", "warforged", "--over", "situation.actions"), "'situation.actions' is nothing to hold over"),
        (("stability", "warforged", "--over", "situation.actions=pool,often"), "often"),
        (("stability", "warforged", "--scales", "150"), "'150' is no budget"),
        (("play", "edadh"), "armies are not bought for points"),
    ):
        done = balance(*arguments)
        assert done.status == 2, arguments
        assert told in done.err, (arguments, done.err)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["play", "stability"])
def test_the_examples_work(verb: str, balance: Command) -> None:
    for example in VERBS[verb].examples:
        done = balance(*shlex.split(example)[1:], "--quiet")
        assert (done.status, done.err) == (0, "")
