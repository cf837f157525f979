"""Whole quests: encounters in them are encounters, replays add up, and money and ways of playing matter."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.question.question import Question
from balance.games.immortal_souls.quest.fight import play_scene
from balance.games.immortal_souls.quest.replay import tell
from balance.games.immortal_souls.quest.state import starts_at
from tests.games.immortal_souls.encounter.comparing import SOULS
from tests.games.immortal_souls.quest.scenes import campaign_of

PAIR, ROAD = "ecarus,thorgar", "gremlin_road"


def _process(asked: Question) -> Process:
    (process,) = asked.kind.processes(asked.setup, "literal")
    return process


def test_a_campaign_has_the_names_of_its_quests_and_no_cost() -> None:
    assert SOULS.label(f"{ROAD},old_crypt") == "The Gremlin Road, The Old Crypt"
    assert SOULS.cost_points(f"{ROAD},old_crypt") == 0


def test_the_encounter_of_a_room_is_the_encounter() -> None:
    """Heroes who come fresh to an encounter play it as if it were asked about, on the same dice."""
    asked = SOULS.ask("encounter", PAIR, "ambush", {"situation.rank_up": "true"})
    scene = asked.setup.play
    campaign = replace(campaign_of(PAIR, ROAD), marks=scene.marks["h"])
    end = play_scene(campaign, scene, starts_at(campaign, 16), RandomRolls(3, "twin", 0, 16))
    alone = simulate(_process(asked), RandomRolls(3, "twin", 0, 16), in_order=True)
    for name in asked.kind.columns:
        np.testing.assert_array_equal(end[name], alone[name], name)


def test_wounds_ranks_ghosts_and_souls_go_into_an_encounter() -> None:
    campaign = campaign_of(PAIR, ROAD)
    (room, *_), begins = campaign.chapters[0].rooms, starts_at(campaign, 32)
    begins["h_wounds"][:, 0], begins["h_rank"][:, 1], begins["pool"][:] = 7, 3, 5
    begins["h_ghost"][:16, 0] = True
    end = play_scene(campaign, campaign.scene(room, 0), begins, RandomRolls(3, "in", 0, 32))
    fresh = play_scene(campaign, campaign.scene(room, 0), starts_at(campaign, 32), RandomRolls(3, "in", 0, 32))
    assert (end["h_rank"][:, 1] >= 2).all()
    assert end["points"].sum() > fresh["points"].sum()
    assert end["h_ghost"][:16, 0].mean() < 1  # some are resurrected at the altar, with the points that there are
    assert end["deaths"][16:].sum() > fresh["deaths"][16:].sum()


@pytest.mark.parametrize(("way", "purse"), [("greedy", "gamble"), ("careful", "cards")])
def test_a_replay_is_its_trial_and_its_events_add_up(way: str, purse: str) -> None:
    quests, choose = f"{ROAD},old_crypt", {"way": way, "purse": purse}
    setup = SOULS.ask("quest", PAIR, quests, {"heroes.rank": "3"}, None, **choose).setup
    story = tell(setup, RandomRolls(0, "told", 0, 4), 2)
    record = json.loads(json.dumps(story.record))
    state, events = deepcopy(dict(story.begin or {})), [event for line in story.lines for event in line.events or ()]
    for event in events:
        for name, value in event["after"].items():
            if name != "heroes":
                state[name] = value
        for name, fields in event["after"].get("heroes", {}).items():
            state["heroes"][name] |= fields
        assert all(hero["wounds"] >= 0 <= hero["crowns"] for hero in state["heroes"].values())
        assert all(len(hero["treasures"]) <= record["heroes"][name]["carry"]
                   for name, hero in state["heroes"].items())  # fmt: skip
    assert events[0]["event"] == "room"
    assert events[-1]["event"] in ("failed", "home", "item_lost")


def _means(**choices: Any) -> dict[str, float]:
    asked = SOULS.ask("quest", PAIR, ROAD, {"heroes.rank": "2"}, None, **choices)
    columns = simulate(_process(asked), RandomRolls(0, "ways", 0, 512), in_order=True)
    return {name: float(values.mean()) for name, values in columns.items()}


def test_the_greedy_bring_more_home_and_meet_more_traps() -> None:
    """With 512 quests each, an effect of 0.8 crowns or 0.1 traps would show; both differ by many times that."""
    hasty, greedy = _means(way="hasty"), _means(way="greedy")
    assert greedy["crowns_home"] > hasty["crowns_home"] + 10
    assert greedy["treasures_home"] > hasty["treasures_home"]
    assert greedy["traps"] > hasty["traps"] + 1
    assert hasty["rooms"] <= 3
