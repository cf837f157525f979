"""What a rating says in sentences: true of the numbers, and different where they differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from balance.playtests import said
from balance.playtests.rated import Rated
from tests.playtests.stand_ins import small_log, whole_rating

RATED = whole_rating()


def with_verdicts(**verdicts: str) -> Rated:
    changed = [replace(one, verdict=verdicts.get(one.name, one.verdict)) for one in RATED.ratings]  # type: ignore[arg-type]
    return replace(RATED, ratings=tuple(changed))


def test_the_headline_names_every_verdict() -> None:
    assert said.headline(RATED) == "Overpowered: Elves; underpowered: Undead; fair: Orcs; not yet known: Dwarves."
    assert (
        said.headline(with_verdicts(Dwarves="fair")) == "Overpowered: Elves; underpowered: Undead; fair: Dwarves, Orcs."
    )
    unknown = with_verdicts(Elves="not yet known", Undead="not yet known", Orcs="not yet known")
    assert said.headline(unknown) == "Of none of the 4 is it yet known whether it is fair."
    two = with_verdicts(Orcs="not yet known")
    assert said.headline(two).endswith("; not yet known: the other 2.")


def test_what_to_play_next_is_the_nearest_verdict(tmp_path: Path) -> None:
    games = small_log(tmp_path).games
    assert said.play_next(RATED, games) == (
        "Play Dwarves next, first against Elves, whom it never met: about 12 more games of it (1 session like these) "
        "would tell, if it is as it looks now."
    )
    far = replace(RATED, ratings=tuple(replace(one, more_games=one.more_games and 700) for one in RATED.ratings))
    assert said.play_next(far, games).startswith("No verdict is near: the next, on Dwarves, would take about 700 more")
    never = replace(RATED, ratings=tuple(replace(one, more_games=None) for one in RATED.ratings))
    assert said.play_next(never, games).startswith("More playtests like these would not settle the rest")
    assert said.play_next(with_verdicts(Dwarves="fair"), games).startswith("Every verdict is reached")


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        ("overpowered", "too much"),
        ("fair", "within the band"),
        ("underpowered", "going second is too good"),
        ("not yet known", "not yet known whether that is within the band"),
    ],
)
def test_going_first_is_told_in_points(verdict: str, word: str) -> None:
    found = replace(RATED.first_mover, verdict=verdict)  # type: ignore[arg-type]
    told = said.first_mover_said(found)
    assert told == f"Going first is worth +10.0 points of chance against an equal (5.0 to 15.0, from 48 games): {word}."


def test_going_first_is_never_0_where_nobody_told_it() -> None:
    found = replace(RATED.first_mover, verdict="not measurable here", value=0.0, games=0.0)
    assert said.first_mover_said(found).startswith("What going first is worth is not measurable here")


def test_an_odd_evening_is_told_with_its_size_and_what_it_does() -> None:
    evening, player = RATED.oddities
    assert said.oddity_said(evening) == (
        "Session 2: Elves won 8 of 8, 3.9 were expected (p < 0.001). Without these games: Elves: not yet known (with "
        "them overpowered)."
    )
    assert said.oddity_said(player) == (
        "Player Ada: who went first won 0 of 9, 4.5 were expected (p = 0.020). Without these games not all could be "
        "compared."
    )
    kept = replace(evening, changes=tuple(replace(one, verdict_without=one.verdict) for one in evening.changes))
    assert said.oddity_said(kept).endswith("Without these games every verdict stays.")


def test_a_cycle_is_told_by_name_with_its_interval() -> None:
    assert said.cycle_said(RATED.cycles[0]) == (
        "Elves over Dwarves, Dwarves over Orcs, Orcs over Elves: +0.50 log-odds a step (+0.20 to +0.90) beyond any "
        "ladder, from 30 games."
    )
    assert said.also_said(RATED) == (
        "Ratings do not tell all: there is a cycle, Elves over Dwarves over Orcs over Elves and 2 odd groups of games."
    )
    quiet = replace(RATED, cycles=RATED.cycles[1:], oddities=())
    assert said.also_said(quiet) == ""
    assert said.cycles_looked_at(quiet).startswith("No three beat each other")
    assert said.oddities_looked_at(quiet).startswith("No session, player, pair or scenario")


def test_the_method_tells_prior_level_and_fit() -> None:
    told = " ".join(said.method(RATED))
    for part in ("first mover and draws", "Random effects: session", "scale", "95%", "45% to 55%", "30.5 on 35"):
        assert part in told
    plain = " ".join(said.method(replace(RATED, settings=replace(RATED.settings, prior=None))))
    assert "No prior: maximum likelihood." in plain


def test_more_games_are_a_number_a_bound_or_nothing() -> None:
    more = {one.name: said.more_said(one) for one in RATED.ratings}
    assert more == {"Elves": "", "Dwarves": "12", "Orcs": "", "Undead": ""}
    assert said.more_said(replace(RATED.ratings[0], more_games=None)) == ">10,000"
