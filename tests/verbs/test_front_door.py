"""Every verb of the command is a function with the same words, the same defaults and the same answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.cli.main import main
from balance.verbs.call.parameters import parameters_of
from balance.verbs.call.result import Result
from balance.verbs.verb_list import VERBS

LOG = str(Path(__file__).parents[1] / "playtests" / "data" / "baseball_1987.csv")
Call = Callable[[], Result[Any]]
CALLS: dict[str, tuple[str, Call]] = {
    "attack": (
        "attack warforged nexus+assault_rifle whisper --set attacker.precision=8",
        lambda: balance.attack("warforged", "nexus+assault_rifle", "whisper", set={"attacker.precision": 8}),
    ),
    "kill": (
        "kill warforged nexus+assault_rifle whisper",
        lambda: balance.kill("warforged", "nexus+assault_rifle", "whisper"),
    ),
    "duel": (
        "duel warforged vanguard+shotgun aegis+laser_carbine --first b --trials 2000 --seed 7",
        lambda: balance.duel("warforged", "vanguard+shotgun", "aegis+laser_carbine", first="b", trials=2000, seed=7),
    ),
    "lineup": (
        "lineup runewars spearmen+2x1:2 reanimates+2x2 --trials 500",
        lambda: balance.lineup("runewars", "spearmen+2x1:2", "reanimates+2x2", trials=500),
    ),
    "battle": (
        "battle warforged nexus+assault_rifle trooper+shotgun:2 --trials 64 --policy-a kite_hold",
        lambda: balance.battle(
            "warforged", "nexus+assault_rifle", "trooper+shotgun:2", trials=64, policy_a="kite_hold"
        ),
    ),
    "encounter": (
        "encounter immortal_souls ecarus+great_axe,auriel ambush --trials 64",
        lambda: balance.encounter("immortal_souls", "ecarus+great_axe,auriel", "ambush", trials=64),
    ),
    "ask": (
        "ask battlelore combat red_mounted+long_sword blue_foot",
        lambda: balance.ask("battlelore", "combat", "red_mounted+long_sword", "blue_foot"),
    ),
    "army": (
        "army warforged --budget 60:3 --random 5 --seed 3 --set situation.actions=per_unit",
        lambda: balance.army("warforged", (60, 3), random=5, seed=3, set={"situation.actions": "per_unit"}),
    ),
    "card": (
        "card warforged trooper+shotgun --among nexus+assault_rifle,aegis+sidearm --set a.health=5 --jobs 2",
        lambda: balance.card(
            "warforged",
            "trooper+shotgun",
            among=["nexus+assault_rifle", "aegis+sidearm"],
            set={"a.health": 5},
            cache=False,
        ),
    ),
    "dice": (
        "dice 3d6 {1..2}d8 --trials 100 --seed 3",
        lambda: balance.dice("3d6", "{1..2}d8", trials=100, seed=3),
    ),
    "need": (
        "need --difference 20pp --band 40:60 --power 80% --evenings 10 --runs 500 --seed 4",
        lambda: balance.need(difference=0.2, band=(0.4, 0.6), power=0.8, evenings=10, runs=500, seed=4),
    ),
    "rate": (
        f"rate {LOG} --band 40:60 --column player_first= --first-goes one",
        lambda: balance.rate(LOG, band=(0.4, 0.6), column={"player_first": ""}, first_goes="one"),
    ),
    "solve": (
        "solve edadh spears shieldsmen --set a.mp=1 --set b.mp=1",
        lambda: balance.solve("edadh", "spears", "shieldsmen", set={"a.mp": 1, "b.mp": 1}),
    ),
    "tune": ("tune toy", lambda: balance.tune("toy")),
    "price": ("price toy --no-cache", lambda: balance.price("toy", cache=False)),
    "handicap": (
        "handicap warforged nexus+assault_rifle trooper+shotgun --field health --band 40:60",
        lambda: balance.handicap(
            "warforged", "nexus+assault_rifle", "trooper+shotgun", field=["health"], band=(0.4, 0.6)
        ),
    ),
    "play": (
        "play warforged lineup --ways focus,spread --budget 100:4,150:4 --pairs 24",
        lambda: balance.play(
            "warforged", "lineup", ways=["focus", "spread"], budget=[(100, 4), (150, 4)], pairs=24, jobs=1
        ),
    ),
    "stability": (
        "stability warforged lineup --ways focus --over situation.actions=pool,per_unit --budget 150:4 --battles 2048",
        lambda: balance.stability(
            "warforged",
            "lineup",
            ways=["focus"],
            over={"situation.actions": ["pool", "per_unit"]},
            budget="150:4",
            battles=2048,
        ),
    ),
    "replay": (
        "replay immortal_souls encounter ecarus,auriel ambush --trial 3 --seed 1",
        lambda: balance.replay("immortal_souls", "encounter", "ecarus,auriel", "ambush", trial=3, seed=1),
    ),
    "compare": ("compare warforged --patch new", lambda: balance.compare("warforged", patch="new")),
    "report": ("report warforged", lambda: balance.report("warforged")),
    "tornado": (
        "tornado warforged duel nexus+shotgun trooper+shotgun --over units --at-least .6",
        lambda: balance.tornado("warforged", "duel", "nexus+shotgun", "trooper+shotgun", over=["units"], at_least=0.6),
    ),
    "luck": (
        "luck warforged attack nexus+assault_rifle trooper --set attacker.precision=8",
        lambda: balance.luck("warforged", "attack", "nexus+assault_rifle", "trooper", set={"attacker.precision": 8}),
    ),
    "show": ("show warforged units", lambda: balance.show("warforged", "units")),
    "rules": ("rules warforged", lambda: balance.rules("warforged")),
    "schema": ("schema price", lambda: balance.schema("price")),
}
"""Verb -> a command, and the call that asks the same."""
ASKED = [verb for verb in CALLS if verb not in ("price", "tune", "compare", "report")]


@pytest.mark.parametrize("verb", list(CALLS))
def test_every_word_of_a_verb_says_what_it_is(verb: str) -> None:
    function = getattr(balance, verb)
    is_kind = verb not in VERBS or not VERBS[verb].home
    words = parameters_of(balance.ask if is_kind else function)
    assert {*inspect.signature(function).parameters} == {*words} - ({"kind"} if is_kind else set())
    assert all(part.about.text.endswith(".") for part in words.values())


@pytest.mark.up_to(0.6)
@pytest.mark.parametrize("verb", ASKED)
def test_a_verb_gives_the_answer_of_the_command(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, call = CALLS[verb]
    assert main([*words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(call().to_dict()))
