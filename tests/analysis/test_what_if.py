"""What a page holds around two cards: which settings, that each is what the question says, and what is read at all."""

from __future__ import annotations

import random
from itertools import product

import pytest

from balance.analysis.what_if.answers import WhatIf, _read_somewhere, held_answer, held_settings, what_if
from balance.analysis.what_if.dials import Dial, Setting, dials_of, values_of
from balance.base.errors import BalanceError
from balance.engine.runner import Runner
from balance.game.authoring.new_file import TEMPLATES
from balance.game.loaded import load
from balance.game.question.controls import Settings, Value, controls_of
from balance.game.question.question import Question

SKIRMISHERS = "tests/bench/skirmishers.toml"
CASES = [
    ("warforged", "nexus+assault_rifle", "trooper+shotgun", ("attack", "kill", "duel")),
    ("battlelore", "green_foot+common_bow", "blue_foot+short_sword", ("attack",)),
    ("immortal_souls", "ecarus", "blue_gremlin", ("attack",)),
    ("runewars", "spearmen+2x1", "spearmen+2x2", ("attack",)),
    ("edadh", "angueth_learning", "huaos_dzaa_learning", ("turn",)),
    (SKIRMISHERS, "scout", "soldier", ("attack", "duel")),
]


FORBIDDING = ("battlelore", "green_foot+short_sword", "blue_foot", ("attack",))


def asked(game: str, one: str, other: str, kinds: tuple[str, ...]) -> dict[str, Question]:
    loaded = load(game)
    return {kind: loaded.ask(kind, one, other) for kind in kinds}


def held_by(game: str, one: str, other: str, kinds: tuple[str, ...], answers: int = 200, reach: int = 1) -> WhatIf:
    questions = asked(game, one, other, kinds)
    return what_if(Runner(load(game)), questions, answers, reach)


def dial(n: int) -> Dial:
    return Dial(str(n), "side", 0, "", "", "", tuple(range(n + 1)), 0, "", {})


@pytest.mark.parametrize("room", [0, 10, 37, 100, 1_000])
def test_the_settings_held_are_those_that_fit(room: int) -> None:
    dials = [dial(n) for n in (3, 1, 2, 4)]
    ranked = [2, 0, 3, 1]
    settings = held_settings(ranked, dials, room)
    assert len(settings) == len(set(settings))
    assert {setting for setting in settings if len(setting) < 2} == {
        (),
        *(((place, value),) for place in ranked for value in dials[place].other_places),
    }
    for n_turned in (2, 3, 4):
        turned = {tuple(place for place, _ in setting) for setting in settings if len(setting) == n_turned}
        first = {place for places in turned for place in places}
        assert first == set(ranked[: len(first)])  # those that matter most
        for places in turned:
            values = {setting for setting in settings if tuple(place for place, _ in setting) == places}
            assert len(values) == len(list(product(*(dials[place].other_places for place in places))))
    assert len(settings) <= max(room, 11)
    if room == 1_000:
        assert len(settings) == 4 * 2 * 3 * 5


@pytest.mark.slow("test_what_is_held_is_what_a_file_game_says")
@pytest.mark.parametrize(("game", "one", "other", "kinds"), CASES[:-1], ids=[case[0] for case in CASES[:-1]])
def test_what_is_held_is_what_the_question_says(game: str, one: str, other: str, kinds: tuple[str, ...]) -> None:
    same_as_asked(game, one, other, kinds)


def test_what_is_held_is_what_a_file_game_says() -> None:
    same_as_asked(*CASES[-1], 60, 40)


def same_as_asked(
    game: str, one: str, other: str, kinds: tuple[str, ...], answers: int = 200, n_settings: int = 400
) -> None:
    """Turn all dials at random; of what the page holds, every number is that of the question asked so."""
    held, questions, luck = held_by(game, one, other, kinds, answers), asked(game, one, other, kinds), random.Random(48)
    assert held.dials
    n_held = dict.fromkeys(kinds, 0)
    for _ in range(n_settings):
        setting = drawn(held, luck)
        for kind in kinds:
            held_row = held.turns[kind].answer(setting)
            if held_row is None:
                continue
            n_held[kind] += 1
            settings = Settings.of(questions[kind]).with_values(values_of(setting, held.dials, kind))
            assert held_row == held_answer(settings.ask(questions[kind])), (kind, setting)
    assert min(n_held.values()) > 10


def drawn(held: WhatIf, luck: random.Random) -> Setting:
    places = sorted(luck.sample(range(len(held.dials)), luck.randint(0, min(3, len(held.dials)))))
    return tuple((place, luck.choice(held.dials[place].other_places)) for place in places)


def test_what_is_read_only_beside_another_setting_is_no_less_read(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked("warforged", "nexus+assault_rifle", "trooper", ("attack",))["attack"]
    dials = dials_of({"attack": question}, 1)
    assert "0.effects=laser" in [dial.key for dial in dials]
    by_path = {control.path: control for control in controls_of(question)}

    def is_read(path: str, *values: Value) -> bool:
        alone = Dial(path, "", None, "", "", "", values, 0, "", {"attack": by_path[path]})
        return bool([*_read_somewhere(question, [*dials, alone], [len(dials)], 0)])

    assert is_read("rules.laser_self", False, True)  # of a rifle that a dial makes a laser
    assert not is_read("attacker.health", by_path["attacker.health"].value, 1)
    assert not is_read("situation.n_covers", 1, 2)  # no dial has several covers count
    monkeypatch.setattr("balance.analysis.what_if.answers.BACKGROUNDS", 0)
    assert not is_read("rules.laser_self", False, True)  # who looks at the cards alone misses it


def test_what_one_kind_of_question_reads_another_may_not() -> None:
    held = held_by("warforged", "nexus+assault_rifle", "trooper", ("attack", "kill"), 60)
    health = [dial.key for dial in held.dials].index("1.health")
    assert health not in held.turns["attack"].read
    assert health in held.turns["kill"].read
    setting = ((health, held.dials[health].other_places[0]),)
    assert held.turns["attack"].answer(setting) == held.turns["attack"].answer(())
    assert held.turns["kill"].answer(setting) != held.turns["kill"].answer(())


def test_abilities_turned_together_are_set_together() -> None:
    questions = asked("warforged", "nexus+assault_rifle", "trooper", ("attack",))
    dials = dials_of(questions, 1)
    emp, laser = (
        next(n for n, dial in enumerate(dials) if dial.key == f"0.effects={name}") for name in ("emp", "laser")
    )
    setting = tuple(sorted([(emp, 1), (laser, 1)]))
    changed = Settings.of(questions["attack"]).with_values(values_of(setting, dials, "attack"))
    before = dict(questions["attack"].inputs["attacker"]["weapons"][0])["effects"]
    assert set(changed.changes) == {"attacker.effects"}
    assert set(changed.ask(questions["attack"]).inputs["attacker"]["weapons"][0]["effects"]) == {
        *before,
        "emp",
        "laser",
    }


def test_what_the_rules_forbid_is_said_in_their_words() -> None:
    held = held_by(*FORBIDDING, 1)
    turns = held.turns["attack"]
    assert turns.forbidden
    for setting, reason in turns.forbidden.items():
        settings = Settings.of(turns.question).with_values(values_of(setting, held.dials, "attack"))
        with pytest.raises(BalanceError) as error:
            settings.ask(turns.question)
        assert str(error.value) == reason


def test_what_is_forbidden_only_when_it_is_played_is_told_too() -> None:
    saga = str(TEMPLATES / "hit-wound-save.toml")
    turns = held_by(saga, "raiders", "guard", ("attack",), 1).turns["attack"]
    assert any("cannot be divided by" in reason for reason in turns.forbidden.values())
    assert not {*turns.forbidden} & {*turns.places}
    assert {*turns.places.values()} == {*range(len(turns.answers))}
    assert all("mean" in row for row in turns.answers)


def test_what_is_forbidden_of_one_setting_is_not_said_of_later_ones() -> None:
    turns = held_by(str(TEMPLATES / "hit-wound-save.toml"), "raiders", "guard", ("duel",), 1).turns["duel"]
    assert len(turns.forbidden) < len(turns.places)
    assert all(setting and "me.size = 0" in reason for setting, reason in turns.forbidden.items())
