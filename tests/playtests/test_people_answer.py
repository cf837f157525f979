"""The answer of `rate` on a log of scores: as planted, without names of people where they are hidden, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import balance
from balance import BalanceError
from balance.playtests.people.privacy import without_people
from tests.docs.pages import ROOT, blocks, text_of

TOURNAMENTS = ROOT / "tests/playtests/data/tournaments"
PLAYERS = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gaia", "Hugo", "Ines", "Leo", "Mara", "Nino")
ARMIES = ("Dwarves", "Elves", "Orcs", "Trolls")


def tournament(n_games: int = 360, seed: int = 5, army_points: float = 3.0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a log of three months, and lists: Elves are so much stronger, Ada the best, Leo the worst by 5 points."""
    rng = np.random.default_rng(seed)
    players = np.array([rng.choice(len(PLAYERS), 2, False) for _ in range(n_games)])
    armies = rng.integers(0, len(ARMIES), players.shape)
    bows = rng.integers(0, 4, players.shape) * 50
    skill = np.zeros(len(PLAYERS))
    skill[[0, 9]] = 5, -5
    strength = skill[players] + army_points * (armies == 1)
    score = np.clip(np.rint(10 + strength @ [0.5, -0.5] + rng.normal(0, 3, n_games)), 0, 20).astype(int)
    month = np.sort(rng.integers(1, 4, n_games))
    log = pl.DataFrame(
        {
            "game": [f"g{at}" for at in range(n_games)],
            "month": [f"2026-0{at}" for at in month],
            "event": [f"cup {at % 12} of {one}" for at, one in enumerate(month)],
            **{f"player_{side}": np.array(PLAYERS)[players[:, at]] for at, side in enumerate("ab")},
            **{f"army_{side}": np.array(ARMIES)[armies[:, at]] for at, side in enumerate("ab")},
            "score_a": score,
            "score_b": 20 - score,
        }
    )
    lists = [
        {"game": f"g{at}", "side": side, "unit": unit, "cost": cost}
        for at in range(n_games)
        for place, side in enumerate("ab")
        for unit, cost in (("Bows", int(bows[at, place])), ("Spears", 200 - int(bows[at, place])))
        if cost
    ]
    return log, pl.DataFrame(lists)


def rate(log: pl.DataFrame, **options: Any) -> Any:
    """Return the result of `rate`, whose answer is of either model."""
    return balance.rate(log, **options)


def test_what_was_planted_is_named_and_nothing_else() -> None:
    log, lists = tournament()
    result = rate(log, lists=lists, by="month")
    answer = result.value
    assert [name for name, rating in answer.ratings.items() if rating.named and rating.points > 0] == ["Elves"]
    assert answer.ratings["Elves"].low < 3 * 0.75 / 2 < answer.ratings["Elves"].high
    assert "Elves" in result.sentence and "surely stronger" in result.sentence
    assert {row.verdict for row in answer.by} == {"not yet known"} and "By month: no entrant can be" in str(result)
    assert not answer.lists.tells and {unit.verdict for unit in answer.lists.units} == {"not yet known"}
    assert sum(source.share for source in answer.sources) == pytest.approx(1)
    assert sum(result.to_polars("levels")["share"]) == pytest.approx(0.5 + answer.levels[0].share / 2, abs=0.01)
    assert {*result.tables} == {"ratings", "units", "by", "sources", "edges", "levels", "forecasts"}


def test_a_fair_log_names_nobody_and_says_how_many_games_it_would_take() -> None:
    result = rate(tournament(army_points=0.0)[0])
    assert not any(rating.named for rating in result.value.ratings.values())
    assert f"takes about {result.value.games_until:,} games" in result.sentence


def test_mirrored_games_tell_of_players_and_scores_can_be_ignored() -> None:
    log, _ = tournament()
    n_mirrored = log.filter(pl.col("army_a") == pl.col("army_b")).height
    scores, ladder = rate(log), rate(log, scores="ignored")
    assert scores.value.log.n_games == log.height
    assert ladder.value.log.n_games == log.height - n_mirrored
    assert (scores.sentence != ladder.sentence) and ladder.value.ratings["Elves"].chance > 0.5


def test_no_name_of_a_person_stands_on_a_page(tmp_path: Path) -> None:
    log, lists = tournament(120)
    (tmp_path / "patches.csv").write_text("patch,from\n1.0,2026-01\n1.1,2026-03\n")
    page = tmp_path / "page.html"
    rated = rate(log, lists=lists, patches=tmp_path / "patches.csv", by="patch", page=page)
    assert {row.value for row in rated.value.by} == {"1.0", "1.1"}
    assert {unit.patch for unit in rated.value.lists.units} == {"1.0", "1.1"}
    assert not any(name in page.read_text() for name in PLAYERS)


@pytest.mark.parametrize("people", ["", "hidden", "shown"])
def test_people_who_are_rated_are_hidden_on_a_page_unless_shown(people: str, tmp_path: Path) -> None:
    league, page, table = tournament(120)[0].drop("army_a", "army_b"), tmp_path / "page.html", tmp_path / "table.csv"
    rated = rate(league, people=people, page=page, table=table)
    assert [name in page.read_text() for name in PLAYERS] == [people == "shown"] * len(PLAYERS)
    assert all((name in text) is (people != "hidden") for name in PLAYERS for text in (str(rated), table.read_text()))


def test_a_name_that_is_a_word_of_ours_hides_only_the_name() -> None:
    log = pl.DataFrame({"player_1": ["fair", "Bo"] * 9, "player_2": ["Bo", "fair"] * 9, "winner": ["1", "2"] * 9})
    answer = without_people(rate(log).value, ["fair", "Bo"])
    assert {*answer.ratings} == {"player 1", "player 2"}
    assert {rating.verdict for rating in answer.ratings.values()} <= {"fair", "overpowered", "underpowered"} | {
        "not yet known"
    }


def test_a_later_log_is_foretold_frozen_and_month_by_month() -> None:
    log, _ = tournament(700)
    early, late = log.filter(pl.col("month") < "2026-03"), log.filter(pl.col("month") == "2026-03")
    forecasts = rate(early, later=late).to_polars("forecasts").filter(players="all")
    assert forecasts["month"].to_list()[0] == "later, from the earlier log alone"
    assert forecasts["games"].to_list() == [late.height, late.height]
    assert (forecasts["r2"] > 0.2).all() and (forecasts["right_side"] > 0.6).all()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"scores": "maybe"}, "used, ignored"),
        ({"people": "some"}, "shown, hidden"),
        ({"scores": "ignored", "by": "month"}, "exclude each other"),
        ({"by": "colour"}, "colour"),
    ],
)
def test_words_that_make_no_sense_are_refused(options: dict[str, str], problem: str) -> None:
    with pytest.raises(BalanceError, match=problem):
        rate(tournament(60)[0], **options)


@pytest.mark.slow
def test_the_how_to_says_what_the_tournaments_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python runs, and its figures are those of the data."""
    page = text_of("how-to/people.md")
    for name in ("games.parquet", "lists.parquet"):
        (tmp_path / name).write_bytes((TOURNAMENTS / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    exec("\n".join(blocks(page, "python")), known)
    rated = known["rated"]
    assert rated.sentence in page and rated.value.lists.text in page
    whole = rated.value.forecasts[0]
    row = (
        f"{whole.r2:.3f} | {whole.right_side:.3f} | {whole.slope:.2f} ({whole.slope_low:.2f} to {whole.slope_high:.2f})"
    )
    assert row.replace("0.", ".") in page
