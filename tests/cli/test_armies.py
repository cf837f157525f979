"""`balance army`: what it prints can be asked again; its texts and refusals are in transcripts/armies.txt."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.best_army import ArmyScore, BestArmy, ScoredArmy, SearchSize
from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.terminal import say
from balance.answers.words.armies.army import WORDS
from balance.game.loaded import load
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command

TROOPERS = ScoredArmy("trooper+shotgun:2", 44.0, 2, ArmyScore(0.8, 0.7804, 0.8196, 5000), 0.84)
DRONE = ScoredArmy("whisper+sidearm", 17.0, 1, ArmyScore(0.5, 0.4804, 0.5196, 5000), 0.52)
CHANGED = ArmySetting("lineup", ((50, 3),), ("situation.actions=per_unit",), (("policy_a", "spread"),))


def test_the_examples_search_and_draw(balance: Command) -> None:
    search, random = VERBS["army"].examples
    assert search == "balance army warforged --budget 150"
    done = balance(*shlex.split(random)[1:])
    assert (done.status, done.err, len(done.out.splitlines())) == (0, "", 3)


def test_random_armies_are_one_a_line_as_a_line_up_takes_them(balance: Command) -> None:
    words = ["army", "warforged", "--budget", "34", "--limit", "2", "--random", "2", "--seed", "5"]
    armies = balance(*words).out.splitlines()
    asked = balance(
        "lineup", "warforged", *armies, "--set", "situation.legal=true", "--set", "situation.budget=34", "--json"
    )
    assert [json.loads(asked.out)["inputs"][side]["id"] for side in "ab"] == armies
    assert [one["army"] for one in json.loads(balance(*words, "--json").out)["armies"]] == armies


@pytest.mark.parametrize("options", [("--seed", "-1"), ("--choose", "policy_a"), ("--jobs", "0")])
def test_what_makes_no_sense_is_refused_before_anything_is_played(balance: Command, options: tuple[str, ...]) -> None:
    done = balance("army", "warforged", "--budget", "150", *options)
    assert (done.status, done.out) == (2, "")


def shown(capsys: pytest.CaptureFixture[str], **changes: Any) -> list[str]:
    game, setting, more = load("warforged"), changes.pop("setting", CHANGED), changes.pop("more", True)
    given = {"against": None, "best": TROOPERS, "runners_up": (), "search": SearchSize(1, 1234)}
    best = BestArmy.of(game, setting, 3, **given | changes)
    say(*screen_of_answer(WORDS, best, Terms.of(game, "lineup"), more))
    return capsys.readouterr().out.splitlines()


def test_all_that_was_asked_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, runners_up=(DRONE,), against="nexus+shotgun") == [
        "Warforged, table edition: army for 50 war points  at most 3 units",
        "  The best army found scores 80.0% (78.0% to 82.0%) against nexus+shotgun:",
        "1. trooper+shotgun:2",
        "2. whisper+sidearm",
        "",
        "  army   units   points   score   95% interval     promised",
        " ───────────────────────────────────────────────────────────",
        "     1       2       44   80.0%   78.0% to 82.0%      84.0%",
        "     2       1       17   50.0%   48.0% to 52.0%      52.0%",
        "",
        "  Score: simulated against nexus+shotgun, going first in half of 5,000 new",
        "  battles; a draw counts one half. Promised: what it scored in the battles that",
        "  chose it.",
        "  With situation.actions=per_unit, policy_a=spread.",
        "  Searched: 1 army in 1,234 battles, seed 3; a better one may be left.",
        "See it fight: balance lineup warforged trooper+shotgun:2 nexus+shotgun "
        "--set situation.actions=per_unit --choose policy_a=spread",
    ]


def test_the_first_screen_shows_the_best_alone_and_counts_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    as_good = ScoredArmy("whisper+sidearm", 17.0, 1, ArmyScore(0.79, 0.7704, 0.8096, 5000), 0.52)
    told = shown(capsys, runners_up=(as_good, DRONE), more=False)
    assert told[1:3] == [
        "  The best army found scores 80.0% (78.0% to 82.0%) against random legal armies",
        "  of the same budget and limit:",
    ]
    assert told[3:5] == ["trooper+shotgun:2", ""]
    assert "  2 others came next, 1 as good for all that is known: --more lists them." in told
    assert told[-1].startswith("See it fight: balance lineup warforged trooper+shotgun:2 whisper+sidearm ")
    assert len(told) <= 24


def test_an_army_alone_fights_itself(capsys: pytest.CaptureFixture[str]) -> None:
    plain = ArmySetting("lineup", ((50, 1),))
    assert (
        shown(capsys, setting=plain)[-1] == "See it fight: balance lineup warforged trooper+shotgun:2 trooper+shotgun:2"
    )


@pytest.mark.parametrize(
    "typed", ["x", "", "150:x", "150:", ":4", "150:4.5", "150:4,250:7", "0", "1e9", "150:65", "nan"]
)
def test_a_budget_that_is_none_of_an_army_is_told_in_our_words(balance: Command, typed: str) -> None:
    done = balance("army", "warforged", f"--budget={typed}", "--random", "1")
    assert done.status == 2
    allowed = "allowed: POINTS or POINTS:UNITS, at most 100,000 points and 64 whole units; such as 150:4"
    assert done.err == f"error: --budget: {typed!r} is no budget of an army; {allowed}\n"


def test_a_budget_may_say_its_unit_limit_as_other_verbs_have_it(balance: Command) -> None:
    one, other = (
        balance("army", "warforged", *words, "--random", "3")
        for words in (("--budget", "150:2"), ("--budget", "150", "--limit", "2"))
    )
    assert (one.status, one.out) == (0, other.out)
    both = balance("army", "warforged", "--budget", "150:2", "--limit", "2")
    assert (both.status, both.err) == (
        2, "error: --budget: '150:2' names a unit limit, and so does --limit; leave one out\n"
    )  # fmt: skip
