"""A field of a card is a column, an annotation and what a rule does with it: it can then be shown, set and moved."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from pydantic import Field

import balance
from balance.game import Game, Rolls, Setup, State, kit
from balance.game.question.controls.listing import controls_of
from tests.toy import game as toy


class Fighter(toy.Fighter):
    """A fighter that throws may glance off."""

    armour: Annotated[int, Field(ge=0, le=5, description="How many hits it shrugs off.")] = 0


def attack(setup: Setup[Any], lane: str) -> Any:
    """As in the toy, but armour takes from the hits."""

    def step(state: State, rolls: Rolls) -> State:
        hits = toy.throw(setup, "attacker", "throw", rolls)
        return {"damage": np.maximum(hits - setup.play.sides["defender"].card.armour, 0)}

    return (kit.once({"damage": 0}, [step], ["damage"]),)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    assert toy.GAME.folder is not None
    data = shutil.copytree(toy.GAME.folder, tmp_path / "data")
    head, *rows = (data / "fighters.csv").read_text("utf-8").splitlines()
    text = "\n".join([f"{head},armour", *(f"{row},{place % 2}" for place, row in enumerate(rows))])
    (data / "fighters.csv").write_text(text + "\n", "utf-8")
    fighters = kit.cards_of("fighters", Fighter)
    return replace(
        toy.GAME,
        folder=data,
        spec=kit.tables_of("skirmish", toy.SkirmishRules, toy.Constants, fighters=Fighter),
        kinds={"attack": replace(toy.ATTACK, takes=(fighters, fighters), processes=attack)},
    )


def test_a_field_is_read_shown_set_and_moved(game: Game) -> None:
    opened = balance.load(game)
    cards: Any = opened.catalogue.tables["fighters"]
    plain, armoured = opened.ids(game.kinds["attack"].takes[0])[:2]
    assert [cards[name].armour for name in (plain, armoured)] == [0, 1]
    questions = [opened.ask("attack", "ogre", plain, {"defender.armour": armour}) for armour in range(5)]
    means = [question.distribution.mean("damage") for question in questions]
    assert means == [2, 17 / 16, 6 / 16, 1 / 16, 0]  # the mean of max(hits - armour, 0), of 4 dice that hit by one half
    question = opened.ask("attack", plain, armoured)
    assert "defender.armour" in {control.path for control in controls_of(question)}
