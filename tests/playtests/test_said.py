"""What a rating says in sentences: true of the numbers, and different where they differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.answers.words.playtests import sentences as said
from balance.playtests.model.answer import GoodnessOfFit, Rating, RatingAnswer
from tests.playtests.stand_ins import whole_rating

RATED = whole_rating()


def with_verdicts(**verdicts: str) -> RatingAnswer:
    ratings = {name: replace(one, verdict=verdicts.get(name, one.verdict)) for name, one in RATED.ratings.items()}  # type: ignore[arg-type]
    return replace(RATED, ratings=ratings)


def with_elves(elves: Rating) -> RatingAnswer:
    return replace(RATED, ratings={"Elves": elves} | {name: RATED.ratings[name] for name in ("Orcs", "Undead")})


def test_the_headline_names_every_verdict() -> None:
    assert said.headline(RATED) == "Overpowered: Elves; underpowered: Undead; fair: Orcs; not yet known: Dwarves."
    assert (
        said.headline(with_verdicts(Dwarves="fair")) == "Overpowered: Elves; underpowered: Undead; fair: Dwarves, Orcs."
    )
    unknown = with_verdicts(Elves="not yet known", Undead="not yet known", Orcs="not yet known")
    assert said.headline(unknown) == "None of the 4 can be judged yet."
    two = with_verdicts(Orcs="not yet known")
    assert said.headline(two).endswith("; not yet known: the other 2.")


def test_what_to_play_next_is_the_nearest_verdict() -> None:
    assert said.play_next(RATED) == (
        "Play Dwarves next, first against Elves, whom it never met: about 12 more games (1 session like these) "
        "should settle it, if the trend holds."
    )
    far = replace(
        RATED, ratings={name: replace(one, more_games=one.more_games and 700) for name, one in RATED.ratings.items()}
    )
    assert said.play_next(far).startswith("No verdict is near: the next, on Dwarves, would take about 700 more")
    never = replace(RATED, ratings={name: replace(one, more_games=None) for name, one in RATED.ratings.items()})
    assert said.play_next(never).startswith("More playtests like these would not settle the rest")
    assert said.play_next(with_verdicts(Dwarves="fair")).startswith("Every verdict is reached")


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        ("overpowered", "too much"),
        ("fair", "that is fair"),
        ("underpowered", "going second is too good"),
        ("not yet known", "not yet known whether that is fair"),
    ],
)
def test_going_first_is_told_in_points(verdict: str, word: str) -> None:
    found = replace(RATED.first_mover, verdict=verdict)  # type: ignore[arg-type]
    told = said.first_mover_text(found)
    assert (
        told == f"Between equal sides, going first adds +10.0 percentage points (5.0 to 15.0, from 48 games): {word}."
    )


def test_going_first_is_never_0_where_nobody_told_it() -> None:
    found = replace(RATED.first_mover, verdict="not measurable here", value=0.0, games=0.0)
    assert said.first_mover_text(found).startswith("What going first is worth is not measurable here")


def test_an_odd_evening_is_told_with_its_size_and_what_it_does() -> None:
    evening, player = RATED.oddities
    assert said.oddity_text(evening) == (
        "Session 2: Elves won 8 of 8, 3.9 were expected (<0.1% by chance). Without these games: Elves: not yet known "
        "(with them overpowered)."
    )
    assert said.oddity_text(player) == (
        "Player Ada: who went first won 0 of 9, 4.5 were expected (2.0% by chance). Without these games not all could "
        "be compared."
    )
    kept = replace(evening, changes=tuple(replace(one, verdict_without=one.verdict) for one in evening.changes))
    assert said.oddity_text(kept).endswith("Without these games every verdict stays.")


def test_a_cycle_is_told_by_name_with_its_interval() -> None:
    assert said.cycle_text(RATED.cycles[0]) == (
        "Elves over Dwarves, Dwarves over Orcs, Orcs over Elves: each beats the next in about 62% (55% to 71%), where "
        "strength alone gives 50% round a circle; from 30 games."
    )
    assert said.beyond_ratings_text(RATED) == (
        "Ratings do not tell all: there is a cycle, Elves over Dwarves over Orcs over Elves and 2 odd groups of games."
    )
    quiet = replace(RATED, cycles=RATED.cycles[1:], oddities=())
    assert said.beyond_ratings_text(quiet) == ""
    assert said.cycles_looked_at(quiet).startswith("No three beat each other")
    assert said.oddities_looked_at(quiet).startswith("No session, player, pair or scenario")


def test_the_method_tells_prior_level_and_fit() -> None:
    told = " ".join(said.method(RATED))
    for part in ("first mover and draws", "Random effects: session", "scale", "95%", "45% to 55%", "30.5 on 35"):
        assert part in told
    plain = " ".join(said.method(replace(RATED, settings=replace(RATED.settings, prior=None))))
    assert "No prior: maximum likelihood." in plain


def test_the_method_has_no_fit_where_nothing_is_left_to_compare() -> None:
    told = " ".join(said.method(replace(RATED, fit=GoodnessOfFit(None, 0, 1.0, 1, "not measurable here"))))
    assert "Goodness of fit: not measurable here" in told
    assert "degrees of freedom" not in told


def test_the_raw_score_stands_beside_what_the_model_makes_of_it() -> None:
    elves = replace(RATED.ratings["Elves"], score=0.54, games=733.0, chance=0.61)
    assert said.raw_text(with_elves(elves)) == "Elves scored 54% of 733 games; against all others equally often 61%."
    assert said.raw_text(with_elves(replace(elves, games=3.0))).endswith(
        "61%: scores of few games are drawn towards 50%."
    )


@pytest.mark.parametrize(
    ("edge", "chance", "why"),
    [
        (-0.4, 0.61, "as its players were weaker than those they met"),
        (0.4, 0.5, "as its players were stronger than those they met"),
        (0.4, 0.61, "which allows for who played, whom it met and who went first"),
        (0.01, 0.5, "which allows for who played, whom it met and who went first"),
    ],
)
def test_where_players_are_known_the_difference_is_explained(edge: float, chance: float, why: str) -> None:
    elves = replace(RATED.ratings["Elves"], score=0.54, games=733.0, chance=chance, skill_edge=edge)
    assert (
        said.raw_text(with_elves(elves))
        == f"Elves scored 54% of 733 games; between equal players {100 * chance:.0f}%, {why}."
    )


def test_more_games_are_a_number_a_bound_or_nothing() -> None:
    more = {name: said.more_games_text(one) for name, one in RATED.ratings.items()}
    assert more == {"Elves": "", "Dwarves": "12", "Orcs": "", "Undead": ""}
    assert said.more_games_text(replace(RATED.ratings["Dwarves"], more_games=None)) == ">10,000"
