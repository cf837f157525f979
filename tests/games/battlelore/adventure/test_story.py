"""An adventure that is told: who does what, by the names of the file; and it is one that the simulation plays."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.question.board_story import BoardStory, Frame
from balance.game.question.narration import Narration
from balance.game.question.question import Question
from balance.games.battlelore.adventure.story.words import REFILLS
from tests.games.battlelore.adventure.test_questions import asked

N_TRIALS = 3


@cache
def narrations(adventure: str) -> tuple[Narration, ...]:
    """Return the first trials of an adventure, told."""
    return tuple(told(asked(adventure), trial) for trial in range(N_TRIALS))


def told(question: Question, trial: int = 0) -> Narration:
    assert question.kind.tell is not None
    narration = question.kind.tell(question.setup, RandomRolls(3, "story", 0, N_TRIALS), trial)
    assert isinstance(narration, Narration)
    return narration


def story(narration: Narration) -> BoardStory:
    assert narration.board is not None
    return narration.board


def frames(adventure: str) -> list[Frame]:
    """Return what happens in all trials."""
    return [frame for narration in narrations(adventure) for frame in story(narration).frames]


@pytest.mark.parametrize("adventure", ["agincourt", "lore_duel", "ford_and_bridge"])
def test_what_is_told_ends_as_the_simulation_does(adventure: str) -> None:
    question = asked(adventure)
    (process,) = question.kind.processes(question.setup, "literal")
    columns = simulate(process, RandomRolls(3, "story", 0, N_TRIALS), in_order=True)
    for trial, narration in enumerate(narrations(adventure)):
        board, n_turns = story(narration), int(columns["turns"][trial])
        last = board.frames[-1]
        assert last.moment == f"Turn {n_turns}"
        assert narration.end.endswith(
            f"has won after {n_turns} turns: {columns['a_banners'][trial]} to {columns['b_banners'][trial]} banners."
        )
        figures = np.zeros(2, int)
        for token, standing in zip(board.tokens, last.standings, strict=True):
            figures[token.side] += standing.health
        assert figures.tolist() == [columns["a_figures"][trial], columns["b_figures"][trial]]


def test_units_are_called_what_the_file_calls_them() -> None:
    tokens = story(told(asked("agincourt", "a.more=red_foot+long_sword@A1"))).tokens
    assert [(token.label, token.name) for token in tokens if token.side == 0][4:] == [
        ("5G", "Human archers"),
        ("6B", "Human infantry"),
        ("7B", "Human infantry"),
        ("8B", "Human infantry"),
        ("9R", "Human heavy infantry"),
        ("10R", "Red foot + long sword"),
    ]
    actors = {frame.actor for frame in frames("agincourt")}
    assert "6B Human infantry" in actors
    assert not any("+" in actor for actor in actors)


@pytest.mark.slow("test_every_turn_but_the_last_ends_with_a_card_drawn")
def test_a_turn_is_of_the_side_whose_turn_it_is_whoever_strikes() -> None:
    sides = {(frame.moment, frame.side) for frame in frames("lore_duel")}
    assert sides == {("Start", -1)} | {(f"Turn {n}", (n + 1) % 2) for n in range(1, len(sides))}
    assert any("battles back" in frame.text and frame.act for frame in frames("agincourt"))
    last_first = told(asked("agincourt", first="b"))
    assert last_first.start.startswith("Agincourt: French begins. English (greedy) needs 4 banners.")
    assert {frame.side for frame in story(last_first).frames if frame.moment == "Turn 1"} == {1}


def test_every_turn_but_the_last_ends_with_a_card_drawn() -> None:
    cards = {card.name for card in asked().setup.play.battle.deck.cards}
    for narration in narrations("agincourt"):
        story_frames = story(narration).frames
        moments = list(dict.fromkeys(frame.moment for frame in story_frames))[1:]
        draws = [frame for frame in story_frames if frame.text.startswith("draws ")]
        assert [frame.moment for frame in draws] in (moments, moments[:-1])
        assert {part.removeprefix("draws ") for frame in draws for part in frame.text.split("; ")[:1]} <= cards


@pytest.mark.slow("test_every_turn_but_the_last_ends_with_a_card_drawn")
def test_refills_of_lore_are_told() -> None:
    refills = [frame for frame in frames("lore_duel") if frame.text.split("; ")[0] in REFILLS]
    assert {frame.actor for frame in refills} == {"South", "North"}
    assert len({frame.text for frame in refills}) > 1


def test_dice_that_no_attack_rolls_are_told_with_what_they_are_for() -> None:
    called_up = [frame for frame in frames("agincourt") if frame.dice and frame.dice[0].startswith("battlelore: ")]
    assert called_up
    assert all("plays BattleLore" in frame.text or "as BattleLore" in frame.text for frame in called_up)
    all_dice = [dice for name in ("agincourt", "lore_duel") for frame in frames(name) for dice in frame.dice]
    assert all(re.fullmatch(r"[\w ]+: \d+ [GBRSFL]( \d+ [GBRSFL])*", dice) for dice in all_dice)
    assert any(dice.startswith("lore dice: ") for dice in all_dice)
