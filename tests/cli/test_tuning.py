"""`balance tune`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.analysis.changes.tuning.answer import (
    Change,
    EntrantScore,
    FewestChanges,
    FirstMoverAdvantage,
    TuneScores,
    TuneSetting,
    TuneTarget,
)
from balance.analysis.changes.tuning.verdict import Headline, Verdict
from balance.answers.form import Terms
from balance.answers.media.answer import drawn
from balance.answers.media.notebook import as_text
from balance.answers.words.armies import tune as words
from balance.base.answers import Budget
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.study.settings.patch import load_patch
from tests.cli.conftest import Command
from tests.tug import write_catalogue

COSTS, STRENGTHS = (10, 12, 14, 16, 12), (1000, 1200, 1400, 1600, 1800)
TUNE = ("tune", "tug", "--catalogue", "cards", "--jobs", "1", "--quiet")


@pytest.fixture(autouse=True)
def cards(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [(f"b{at}", cost, strength) for at, (cost, strength) in enumerate(zip(COSTS, STRENGTHS, strict=True))]
    write_catalogue(elsewhere / "cards", bodies, [("rope", 0, 100)])


def test_one_wrong_cost_is_told_and_written(balance: Command, elsewhere: Path) -> None:
    done = balance(*TUNE)
    assert (done.status, done.err) == (0, "")
    heading, told, *_ = done.out.splitlines()
    assert heading == "Tug of war: tuned  1 change of 5 allowed"
    assert told == "  Reached: 1 change, and all 5 mean scores lie in 45% to 55% for certain."
    assert "  bodies.b4.cost_points   12.0   18       +6   too cheap\n" in done.out
    assert "  mean scores in 45% to 55%          4 of 5          5 of 5\n" in done.out
    assert " at equal points, from 100 to 200, a draw counted half" in " ".join(done.out.split())
    command = "balance compare tug --base cards --patch tuned.toml"
    assert done.out.endswith(
        f"\nWrote tuned.toml. What it does to everything: {command}\n"
        "To apply it: balance export tug tuned_catalogue --catalogue cards --patch tuned.toml\n"
        "To judge what that wrote: balance price tug --catalogue tuned_catalogue\n"
    )
    assert (elsewhere / "tuned.toml").read_text() == (
        "# Found by balance tune tug, seed 0: Reached: 1 change, and all 5 mean scores lie in 45% to 55% for certain.\n"
        '\ntitle = "Tuned to 45% to 55%"\n'
        '\n[set]\n"bodies.b4.cost_points" = 18  # was 12.0\n'
    )
    assert load_patch(elsewhere / "tuned.toml").assignments == {"bodies.b4.cost_points": "18"}


def test_the_object_says_the_same_and_more(balance: Command) -> None:
    found = json.loads(balance(*TUNE, "--json", "--out", "other.toml").out)
    assert list(found) == [
        "schema", "game", "verb", "seed", "target", "headline", "verdict", "foretold", "n_changes", "power", "changes",
        "setting", "before", "after", "outside", "moved_out", "not_measurable_here", "patch", "rules_version",
        "catalogue_sha256", "n_numbers", "left_alone", "compare", "apply", "again",
    ]  # fmt: skip
    assert found["target"] == {"low": 0.45, "high": 0.55, "first_mover": None, "changes": 5}
    assert (found["verdict"], found["foretold"], found["patch"]) == ("reached", True, "other.toml")
    assert (found["n_numbers"], found["left_alone"]) == (6, [])
    assert found["compare"] == "balance compare tug --base cards --patch other.toml"
    assert (found["headline"], found["n_changes"], found["power"]) == ("reached", 1, None)
    assert found["changes"] == [
        {
            "path": "bodies.b4.cost_points",
            "from": "12.0",
            "to": "18",
            "by": "itself",
            "verdict": "too cheap",
            "points": 6,
            "is_cost": True,
        }
    ]
    assert (found["outside"], found["moved_out"]) == ([], [])
    assert found["setting"]["budgets"] == [{"points": 100, "units": 4}, {"points": 200, "units": 8}]
    assert (found["before"]["in_band"], found["after"]["in_band"]) == (4, 5)
    one = found["after"]["entrants"]["b4+rope"]
    assert one["cost"] == 18
    assert one["low"] < one["score"] < one["high"]
    scores = [one["score"] for one in found["after"]["entrants"].values()]
    assert (found["after"]["lowest"], found["after"]["highest"]) == (min(scores), max(scores))


@pytest.fixture
def two_off(elsewhere: Path) -> tuple[str, ...]:
    """Return the words that ask for one change where two costs are wrong, as a demand."""
    bodies = [(f"b{at}", cost, 100 * fair) for at, (cost, fair) in enumerate([(10, 10), (12, 12), (21, 14), (11, 18)])]
    write_catalogue(elsewhere / "two_off", bodies, [("rope", 0, 100)])
    words = ("--catalogue", "two_off", "--jobs", "1", "--quiet", "--band", "45:55", "--changes", "1")
    return ("tune", "tug", *words, "--move", "bodies.b3.cost_points")


def test_a_band_that_is_not_reached_is_refused_and_nothing_written(
    balance: Command, elsewhere: Path, two_off: tuple[str, ...]
) -> None:
    done = balance(*two_off)
    assert done.status == 1
    said = " ".join(done.out.split())
    assert said.startswith(
        "Tug of war: tuned 1 change of 1 allowed Better: with 1 change the typical distance of a mean score from 50% "
    )
    assert " outside 45% to 55%: B2 with Rope (" in said
    assert done.out.endswith("\nNothing was written.\n")
    assert done.err.startswith("error: not met by 1 change of 1 numbers: ")
    assert done.err.endswith(
        " of 4 mean scores lie in 45% to 55%; allow more with --changes, let other numbers move with --move, "
        "or take the nearest with --nearest\n"
    )
    assert not (elsewhere / "tuned.toml").exists()


def test_the_nearest_is_written_if_it_is_asked_for(balance: Command, elsewhere: Path, two_off: tuple[str, ...]) -> None:
    assert balance(*two_off, "--nearest").status == 1
    assert list(load_patch(elsewhere / "tuned.toml").assignments) == ["bodies.b3.cost_points"]


def test_where_nothing_shows_nothing_is_written(balance: Command, elsewhere: Path) -> None:
    done = balance(*TUNE, "--move", "pulls")
    assert (done.status, done.err) == (0, "")
    assert "Not found: nothing that may move brings mean scores nearer, with " in done.out
    assert "Nothing here shows what 1 other number would do: constants.pulls." in " ".join(done.out.split())
    assert not (elsewhere / "tuned.toml").exists()


EVEN, OFF = EntrantScore(12, 0.5, 0.48, 0.52, "B0"), EntrantScore(12, 0.4, 0.38, 0.42, "B1")
DEARER = Change("bodies.b1.cost_points", "12", "18", "itself", "too cheap", 6.0, is_cost=True)


def answer(headline: Headline, verdict: Verdict, n_off: int, *changes: Change, gain: float = 0.0) -> FewestChanges:
    """Return an answer about two entrants, of whom so many lie outside the band before and after."""
    entrants = {"b0": EVEN, "b1": OFF if n_off else EVEN}
    lowest = min(score.score for score in entrants.values())
    scores = TuneScores(2 - n_off, 2, 0.1, FirstMoverAdvantage(gain, 0.01), 400, entrants, lowest, 0.5)
    return FewestChanges(
        1, "tug", "tune", 0, TuneTarget(0.45, 0.55, 0.05, 1), headline, verdict, False, len(changes), None, changes,
        TuneSetting("lineup", (Budget(100, 4),), ()), scores, scores, ("b1",) * n_off, (), ("constants.pulls",), None,
        "1", "0" * 64, 6, (), None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (answer("reached", "reached", 0), "Already in the band: all 2 mean scores lie in 45% to 55% for certain; "
            "nothing has to change."),
        (answer("reached", "not yet known", 0, DEARER), "Reached: 1 change, and all 2 mean scores lie in 45% to 55%, "
            "though not yet for certain."),
        (answer("better", "not yet known", 0, DEARER), "Better: with 1 change the typical distance of a mean score "
            "from 50% falls from 10.0 to 10.0\N{NO-BREAK SPACE}pp."),
        (answer("not found", "not yet known", 0), "Not found: no change is sure to bring mean scores nearer, with "
            "all of them in the band."),
        (answer("not found", "not reached", 1), "Not found: nothing that may move brings mean scores nearer, with "
            "1 mean score of 2 outside 45% to 55%: B1 (40.0%)."),
    ],
)  # fmt: skip
def test_a_sentence_says_what_the_changes_reach(told: FewestChanges, sentence: str) -> None:
    assert words.sentence(told, Terms.of(load("warforged"), "lineup")) == sentence


def test_how_far_scores_lie_from_half_is_left_to_the_whole_answer() -> None:
    terms, better = Terms.of(load("warforged"), "lineup"), answer("better", "not yet known", 1, DEARER)
    screens = words.short(better, terms).top, words.full(better, terms)
    short, whole = (" ".join(as_text(drawn(blocks)).split()) for blocks in screens)
    assert "spread" not in short
    assert " spread of mean scores 10.0% 10.0% " in whole
    assert whole.count("The spread is the root mean square from 50%, without what dice add.") == 1


def test_a_demand_that_is_not_met_says_why() -> None:
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    start = "not met by 1 change of 6 numbers:"
    assert words.unmet_demand(answer("better", "not yet known", 1, DEARER)) == ""
    assert words.unmet_demand(answer("better", "not reached", 1, DEARER, gain=-0.1)) == (
        f"{start} 1 of 2 mean scores lie in 45% to 55%, "
        f"going first adds −10.0\N{NO-BREAK SPACE}pp, more than 5.0%; {tip}"
    )
    assert words.unmet_demand(answer("better", "not reached", 0, DEARER)) == (
        f"{start} some mean score lies outside 45% to 55% for certain; {tip}"
    )


BAND = "allowed: LOW:HIGH in per cent around 50; such as 45:55"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--band", "55:45"), f"--band: '55:45' is no band; {BAND}"),
        (("--band", "fair"), f"--band: 'fair' is no band; {BAND}"),
        (("--band", "60:70"), f"--band: '60:70' is no band; {BAND}"),
        (
            ("--first-mover", "2"),
            "--first-mover: '2' is no chance to win; allowed: a share between 0 and 1, such as 0.05",
        ),
        (
            ("--budget", "many"),
            "--budget: 'many' is no budget; allowed: POINTS:UNITS, at most 100,000 points and 64 units; "
            "such as 150:4,250:7",
        ),
        (("--budget", "200:4,100:2"), "budgets rise, found 200, 100"),
        (("--out", "tuned.txt"), "--out: 'tuned.txt' is not a name for a patch; end it in .toml"),
        (
            ("--out", "cards/rules.toml"),
            "cards/rules.toml: is already there; name another file, or replace it with --force",
        ),
        (
            ("--move", "speed"),
            "--move: 'speed' names no number that may move; allowed: cost_points, strength, pulls",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], said: str, balance: Command, elsewhere: Path) -> None:
    before = sorted(elsewhere.rglob("*"))
    done = balance(*TUNE, *words)
    assert (done.status, done.out, done.err) == (2, "", f"error: {said}\n")
    assert sorted(elsewhere.rglob("*")) == before


def test_a_folder_that_is_a_file_is_refused_before_anything_is_played(balance: Command, elsewhere: Path) -> None:
    (elsewhere / "full").write_text("")
    done = balance(*TUNE, "--out", "full/tuned.toml")
    assert done.status == 2
    assert done.err == f"error: {elsewhere}/full: is not a folder; choose another folder with --out\n"
