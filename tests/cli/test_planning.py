"""What a study will cost, told before it is run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.notebook import as_text
from balance.answers.words.dry_run import WORDS
from balance.study.run.answer import DryRun
from balance.study.run.forecast import Forecast

SMALL = Forecast(n_tasks=1234, n_exact=1000, n_duels=0, pairs=56789, seconds=100.0, size=999_999)


def told(costs: Forecast) -> str:
    """Return what is printed of a forecast with three workers."""
    return as_text(screen_of_answer(WORDS, DryRun(1, "run", True, costs, 3), Terms(), more=False))


def test_a_study_of_match_ups_tells_how_many_are_played() -> None:
    assert told(SMALL).splitlines() == [
        "  dry run",
        " " + "─" * 53,
        "  match-ups                1,234",
        "  of them exact            1,000",
        "  mirrored pairs to play   about 56,789",
        "  time                     about 2 min with 3 workers",
        "  size                     about 1,000 kB",
    ]


def test_what_takes_longer_than_can_be_known_takes_at_least_so_long() -> None:
    whole = replace(SMALL, n_exact=1234, n_duels=2000, n_tables=3, n_solutions=4, n_conclusions=5, size=1_250_000)
    assert told(whole).splitlines() == [
        "  dry run",
        " " + "─" * 62,
        "  match-ups                      1,234",
        "  of them exact                  1,234",
        "  duels to solve for the cards   2,000",
        "  tables the report declares     3",
        "  games to solve for it          4",
        "  conclusions to test            5",
        "  time                           at least 2 min with 3 workers",
        "  size                           about 1.2 MB",
    ]


@pytest.mark.parametrize(
    "more", [*({name: 1} for name in ("n_duels", "n_tables", "n_solutions", "n_conclusions", "n_battles")), {}]
)
def test_each_work_of_unknown_length_says_at_least(more: dict[str, int]) -> None:
    cards = replace(SMALL, n_tasks=0, n_exact=0, pairs=0, size=1_000_000, **more)
    rows = told(cards).splitlines()[2:]
    assert f"{'at least' if more else 'about'} 2 min with 3 workers" in rows[-2]
    assert rows[-1].endswith("about 1.0 MB")
    assert len(rows) == 2 + len(more)


@pytest.mark.parametrize("name", ["n_luck", "n_cards"])
def test_what_is_tried_before_is_in_the_time(name: str) -> None:
    assert "time  " in told(replace(SMALL, **{name: 3}))
    assert "about 2 min with 3 workers" in told(replace(SMALL, **{name: 3}))
