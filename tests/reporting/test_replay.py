"""The page of a trial says all that was told of it, and draws what was left."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.answers.blocks.document import Callout, Figure, Section
from balance.answers.blocks.lines import Bullets, Paragraph
from balance.answers.blocks.tables import Table
from balance.game.loaded import load
from balance.game.question.narration import Line, Narration
from balance.game.question.question import Question
from balance.reporting import replay as pages
from balance.reporting.figures.lines import Series
from balance.reporting.page.html import render_html
from balance.reporting.replay import replay_document
from tests.reporting.battle_story import trial_of

LINES = (
    Line("Round 1", "Ecarus", "moves to `a_1`", {"Ecarus": 8, "all": 5}),
    Line("Round 2", "Event (Day)", "", {"Ecarus": 8, "all": 4}),
)
TOLD = Narration("Enemies: **two**", LINES, "The heroes have won: so it is.", {"Ecarus": 8, "all": 6})


@pytest.fixture(scope="module")
def asked() -> Question:
    """Return an encounter."""
    changes = {"heroes.rank": "2"}
    return load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush", changes, policy="guard")


def sections(asked: Question, told: Narration) -> list[Section]:
    return [part for part in replay_document(asked, trial_of(asked, told, 2049, 7)).blocks if isinstance(part, Section)]


def test_whose_trial_it_is_and_where_its_numbers_come_from(asked: Question) -> None:
    page = replay_document(asked, trial_of(asked, TOLD, 2049, 7))
    assert page.title == "Ecarus, White Rose Knight, Auriel, Light Mage against Ambush in the Village"
    assert page.subtitle == "Immortal Souls: trial 2,049 of the simulation with seed 7"
    assert page.facts == (
        ("Game", "Immortal Souls"),
        ("Rules version", asked.game.catalogue.rules_version),
        ("Catalogue", asked.game.catalogue.sha256[:16]),
        ("Seed", "7"),
        ("Trial", "2,049"),
        ("Made with", f"balance {balance.__version__}"),
    )


def test_how_it_ended_is_said_first_and_that_one_trial_is_no_evidence(asked: Question) -> None:
    ended, drawn, began, warned = sections(asked, TOLD)[0].blocks
    assert ended == Callout("key", "The heroes have won: so it is", "Round 2, after 2 turns.")
    assert isinstance(drawn, Figure)
    assert isinstance(began, Paragraph)
    assert isinstance(warned, Callout)
    assert warned.title == "One trial is no evidence"
    assert "<p>Enemies: **two**.</p>" in render_html(replay_document(asked, trial_of(asked, TOLD, 0, 0)))


@pytest.mark.slow("test_how_it_ended_is_said_first_and_that_one_trial_is_no_evidence")
def test_every_turn_is_in_the_table_and_what_was_left_is_drawn(
    asked: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []
    draw = pages.plot_lines
    monkeypatch.setattr(
        pages, "plot_lines", lambda *given, steps: kept.append((*given, steps)) or draw(*given, steps=steps)
    )
    summary, turns, *_ = sections(asked, TOLD)
    figure, (table,) = summary.blocks[1], turns.blocks
    assert isinstance(figure, Figure)
    assert isinstance(table, Table)
    assert figure.alt == "Health left after each turn: Ecarus from 8 to 8, all from 6 to 4."
    assert kept == [
        (
            [Series("Ecarus", (0, 1, 2), (8.0, 8.0, 8.0)), Series("all", (0, 1, 2), (6.0, 5.0, 4.0))],
            "turn",
            "health left",
            True,
        )
    ]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1", "Round 1", "Ecarus", "moves to `a_1`"],
        ["2", "Round 2", "Event (Day)", "nothing else"],
    ]


def test_a_trial_in_which_nothing_happens_has_a_page(asked: Question) -> None:
    short, turns, _ = sections(asked, Narration("Enemies: none", (), "The heroes have won.", {"Ecarus": 8}))
    assert short.blocks[0] == Callout("key", "The heroes have won", "Before anybody's turn.")
    assert turns.blocks == (Paragraph("It is over before anybody's turn."),)


def test_how_it_is_played_changed_and_chosen(asked: Question) -> None:
    played, changed, chose, _, unseen = sections(asked, TOLD)[2].blocks
    assert isinstance(unseen, Bullets)
    assert len(unseen.items) == len(asked.kind.cannot_see)
    assert (changed, chose) == (Paragraph("Changed: heroes.rank=2."), Paragraph("Chosen: policy guard."))
    assert isinstance(played, Paragraph)
    assert played.text.startswith("Round by round:")
