"""What can be set of a question: complete, in range, under paths that set what they say, and idle where it says so."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from balance.base.errors import BalanceError
from balance.game.loaded import load
from balance.game.question.controls import Control, Settings, Value, controls_of
from balance.game.question.question import Question
from balance.game.registry import installed_games

SKIRMISHERS = str(Path(__file__).parents[1] / "bench" / "skirmishers.toml")


def asked(game: str, kind: str) -> Question:
    """Ask about the first who can take part."""
    loaded = load(game)
    if pairs := loaded.pairs_of(kind):
        return loaded.ask(kind, *loaded.pair(kind, pairs[0], None))
    return loaded.ask(kind, loaded.entrants_of(kind)[0], loaded.others_of(kind)[-1])


def every_kind() -> Iterator[tuple[str, str]]:
    for game in [*installed_games(), SKIRMISHERS]:
        yield from ((game, kind) for kind in load(game).definition.kinds)


def by_path(question: Question) -> dict[str, Control]:
    return {control.path: control for control in controls_of(question)}


@pytest.mark.parametrize(("game", "kind"), every_kind(), ids=lambda word: Path(word).name)
def test_every_control_is_sound(game: str, kind: str) -> None:
    question = asked(game, kind)
    controls = controls_of(question)
    assert len({control.path for control in controls}) == len(controls)
    assert len(controls) == len(set(controls))
    for control in controls:
        assert control.is_now(control.value)
        assert control.value is not None or control.is_optional
        assert len(control.meanings) in {0, 2 if control.kind == "switch" else len(control.options)}
        if control.kind == "number":
            assert is_in_range(control), control
        elif control.kind == "menu":
            assert control.value in {*control.options, None}, control
        elif control.kind == "text":
            assert isinstance(control.value, str | None), control
        elif control.kind == "several":
            assert {*cast("tuple[str, ...]", control.value or ())} <= {*control.options}
    assert {control.side for control in controls} == {"", *question.kind.sides}
    assert {control.group for control in controls} >= {"entrants", "rules"}


def is_in_range(control: Control) -> bool:
    low, high = control.reach
    within = control.low is None or control.low <= low
    below = control.high is None or high <= control.high
    inside = control.value is None or low <= cast("float", control.value) <= high
    return within and below and inside and low < high and control.step > 0


def test_an_attack_has_what_its_cards_say() -> None:
    controls = by_path(load("warforged").attack("nexus+assault_rifle", "colossus"))
    values = {path: control.value for path, control in controls.items()}
    unit, weapon = load("warforged").catalogue.tables["units"]["colossus"], "attacker.weapon.handling"
    assert values["defender.armour"] == vars(unit)["armour"]
    assert set(cast("tuple[str, ...]", values["defender.abilities"])) == set(vars(unit)["abilities"])
    assert (values["attacker"], values["defender"]) == ("nexus+assault_rifle", "colossus")
    assert list(controls["attacker.precision"].reach) == [1, 10]
    assert controls["defender.health"].high == 999
    assert controls["defender.health"].reach[1] < 100
    assert weapon in controls
    assert controls[weapon].name == "weapon handling"
    assert controls["attacker.range_cells"].unit == "cells"
    assert controls["rules.faces"].options == ("1-10", "0-9")
    assert all(controls["rules.faces"].meanings)
    assert "attacker.id" not in controls
    assert "attacker.name" not in controls


def test_what_makes_no_difference_is_said() -> None:
    controls = by_path(load("warforged").attack("nexus+assault_rifle", "trooper"))
    idle = {"attacker.health", "attacker.unit.cost_points", "situation.n_covers", "rules.laser_self", "rules.emp"}
    assert {path for path in idle if controls[path].matters} == set()
    felt = {"attacker.precision", "attacker.effects", "defender.armour", "situation.light_cover", "rules.faces"}
    assert {path for path in felt if not controls[path].matters} == set()


def test_what_does_not_matter_now_may_do_so_with_another_card() -> None:
    laser = by_path(load("warforged").attack("nexus+assault_rifle", "colossus", {"attacker.effects": "laser"}))
    assert laser["rules.laser_self"].matters


def other_values(control: Control, draw: random.Random) -> Value:
    if control.kind == "number":
        low, high = map(int, control.reach)
        return draw.randint(low, high)
    if control.kind == "switch":
        return not control.value
    if control.kind == "menu":
        return draw.choice(control.options)
    assert control.kind == "several"
    return tuple(option for option in control.options if draw.random() < 0.5)


@pytest.mark.parametrize(
    ("game", "kind"),
    [("warforged", "attack"), ("battlelore", "attack"), (SKIRMISHERS, "duel")],
    ids=lambda word: Path(word).name,
)
def test_a_control_that_does_not_matter_changes_no_number(game: str, kind: str) -> None:
    question, draw = asked(game, kind), random.Random(3)
    tried = 0
    for control in controls_of(question):
        if control.matters or control.kind == "text" or control.group == "entrants":
            continue
        try:
            other = Settings.of(question).with_values({control: other_values(control, draw)}).ask(question)
        except BalanceError:
            continue
        tried += 1
        assert other.distribution == question.distribution, control
    assert tried


def test_what_is_left_to_the_cards_is_told_by_what_the_game_makes_of_them() -> None:
    controls = by_path(load("immortal_souls").ask("duel", "ecarus", "green_gremlin"))
    values = {path: controls[path].value for path in ("a.health", "a.armour", "a.save", "a.damage_type", "b.focus")}
    # Ecarus at rank 1 in scale armour, by the printed tables; of no damage type does it matter here which it is
    assert values == {"a.health": 8, "a.armour": 1, "a.save": "SHD", "a.damage_type": None, "b.focus": None}
    assert all(controls[path].is_optional for path in values)


def test_weapons_that_differ_have_a_control_each() -> None:
    controls = by_path(load("warforged").duel("sentinel+smg_pistol+shotgun", "trooper+shotgun"))
    assert controls["a.weapon1.damage"].value != controls["a.weapon2.damage"].value
    assert controls["a.effects"].value == ()
    assert "b.damage" in controls


def test_a_card_in_an_id_is_set_under_its_name() -> None:
    controls = by_path(load("edadh").ask("turn", "spears", "shieldsmen"))
    assert controls["a.spears.melee_att"].value == vars(load("edadh").catalogue.tables["troops"]["spears"])["melee_att"]


def test_settings_ask_the_same_again() -> None:
    question = load("battlelore").ask(
        "duel", "red_foot", "blue_foot", {"a.unit.figures": 5, "situation.turn_limit": 4}, "b", a_flags="1"
    )
    again = Settings.of(question).ask(question)
    assert again.task_id == question.task_id
    assert Settings.of(question).choices == {"a_flags": "1"}


def test_settings_with_values_are_what_a_user_would_write() -> None:
    question = load("warforged").duel("nexus+shotgun", "trooper+shotgun", {"a.health": 9, "rules.faces": "0-9"}, "a")
    controls, settings = by_path(question), Settings.of(question)
    changed = settings.with_values(
        {controls["a.health"]: 10, controls["b.effects"]: ("emp", "laser"), controls["first"]: "b"}
    )
    assert changed.changes == {"a.health": 10, "rules.faces": "0-9", "b.effects": ("emp", "laser")}
    assert changed.first == "b"
    asked_again = changed.ask(question)
    assert asked_again.changes == ("a.health=10", "rules.faces=0-9", "b.effects=emp,laser")
    same = {control: control.value for control in controls.values()}
    assert settings.with_values(same) == settings


def test_with_another_card_nothing_is_left_of_what_was_set_of_it() -> None:
    question = load("warforged").duel("nexus+shotgun", "trooper+shotgun", {"a.health": 9, "b.armour": 3})
    controls = by_path(question)
    changed = Settings.of(question).with_values({controls["b"]: "whisper+sidearm", controls["b.health"]: 7})
    assert changed.changes == {"a.health": "9"}
    assert changed.entrants == {"a": "nexus+shotgun", "b": "whisper+sidearm"}


def test_a_value_goes_back_to_the_cards() -> None:
    question = load("battlelore").ask("attack", "red_foot", "blue_foot", {"attacker.figures": 2})
    figures = by_path(question)["attacker.figures"]
    assert (figures.value, figures.is_optional) == (2, True)
    assert Settings.of(question).with_values({figures: None}).changes == {}


def test_what_the_rules_forbid_is_refused_in_their_words() -> None:
    question = load("warforged").duel("nexus+shotgun", "trooper+shotgun")
    handling = by_path(question)["b.unit.handling"]
    with pytest.raises(BalanceError, match="too much handling"):
        Settings.of(question).with_values({handling: 0}).ask(question)
