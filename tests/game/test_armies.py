"""Armies as entrants: how they are written, what is set of whom, and what they meet in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.base.errors import BalanceError, UsageError
from balance.catalogue import Overrides
from balance.chance.rolls.rolls import FixedRolls
from balance.game.armies.armies import Arena, Army, ArmyKind, AskedArena, ChangedMember, army_of, army_text, parse_army
from balance.game.kit import CardSide, cards_of, once, read_asked
from balance.game.loaded import LoadedGame, load
from tests.toy.game import GAME, Fighter

FIGHTER = GAME.kinds["duel"].takes[0]
CHOSEN = {"a_effort": "steady", "b_effort": "bold"}
ARMY = army_of(FIGHTER)
WAR = replace(GAME.kinds["duel"], name="war", takes=(ARMY, ARMY), armies=ArmyKind(FIGHTER, lambda asked: opened(asked)))
TOY = load(replace(GAME, kinds={**GAME.kinds, "war": WAR}))


def opened(asked: AskedArena[Any, Any, CardSide[Any]]) -> Arena:
    dice = np.array([*(side.card.dice for side in asked.members.values()), 0])

    def process(a: Any, b: Any, limits: Any = None) -> Any:
        return once({"a": 0}, [lambda state, rolls: {"a": dice[a].sum(axis=1)}], ["a"])

    return Arena(tuple(asked.members), tuple(asked.members), process)


def army(text: str, *fields: tuple[str, str]) -> Army[CardSide[Any]]:
    entries = tuple(("a", path, value) for path, value in fields)
    side: Army[CardSide[Any]] = read_asked(WAR, TOY.catalogue, (text, "rat"), Overrides(entries), "a", CHOSEN).sides[
        "a"
    ]
    return side


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("rat", (("rat", 1),)),
        ("rat:3", (("rat", 3),)),
        ("rat:2,knight,rat", (("rat", 2), ("knight", 1), ("rat", 1))),
        ("rat:63,knight", (("rat", 63), ("knight", 1))),
    ],
)
def test_an_army_is_its_members_in_the_order_written(text: str, members: tuple[tuple[str, int], ...]) -> None:
    assert parse_army(text) == members


def test_an_army_of_numbers_is_written_as_it_is_read() -> None:
    text = army_text(["rat", "knight", "ogre"], [2, 0, -1, 0, 2, 2, -1])
    assert text == "rat:2,ogre:3"
    assert parse_army(text) == (("rat", 2), ("ogre", 3))
    assert army_text(["rat"], [0]) == "rat"


NUMBERS = "1 to 64"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a: '' names no member of an army; allowed: MEMBER[:COUNT][,MEMBER[:COUNT]...]"),
        ("rat:0", f"a, rat: '0' is no number of units; allowed: {NUMBERS}; leave out whom the army does not have"),
        ("rat:", f"a, rat: '' is no number of units; allowed: {NUMBERS}; such as rat:2"),
        ("rat:-1", f"a, rat: '-1' is no number of units; allowed: {NUMBERS}; such as rat:2"),
        ("rat:two", f"a, rat: 'two' is no number of units; allowed: {NUMBERS}; such as rat:2"),
        ("rat:1:2", f"a, rat: '1:2' is no number of units; allowed: {NUMBERS}; such as rat:2"),
        ("rat:²", f"a, rat: '²' is no number of units; allowed: {NUMBERS}; such as rat:2"),
        ("rat:64,knight", f"a: '65' units are too many for an army; allowed: {NUMBERS}"),
        (
            ":3,rat:0",
            "a: ':3' names no member of an army; allowed: MEMBER[:COUNT][,MEMBER[:COUNT]...]\n"
            f"a, rat: '0' is no number of units; allowed: {NUMBERS}; leave out whom the army does not have",
        ),
        (
            "rot,knite:2",
            "a.1: 'rot' is not in fighters; allowed: rat, knight, ogre; did you mean rat?\n"
            "a.2: 'knite' is not in fighters; allowed: rat, knight, ogre; did you mean knight?",
        ),
    ],
)
def test_an_army_that_makes_no_sense_is_refused(text: str, said: str) -> None:
    with pytest.raises(BalanceError) as error:
        army(text)
    assert str(error.value) == said


def test_an_army_has_the_name_the_cost_and_the_cards_of_its_members() -> None:
    text = "rat:2,knight"
    assert (ARMY.label(TOY.catalogue, text), ARMY.cost_points(TOY.catalogue, text)) == ("2 Rat, Knight", 30)
    assert ARMY.cards is not None
    assert list(ARMY.cards(TOY.catalogue, text)) == [("fighters", "rat"), ("fighters", "knight")]
    assert (ARMY.name, ARMY.parts(text)) == ("army", (text,))
    assert list(ARMY.ids(TOY.catalogue)) == list(FIGHTER.ids(TOY.catalogue))
    assert (TOY.label(text), TOY.cost_points(text), TOY.kind_of("rat").name) == ("2 Rat, Knight", 30, FIGHTER.name)


def test_the_cards_that_a_kind_of_member_tells_are_told_of_the_army() -> None:
    cards = army_of(replace(FIGHTER, cards=lambda catalogue, one: [("fighters", one), ("boxes", "base")])).cards
    assert cards is not None
    assert cards(TOY.catalogue, "rat:3") == [("fighters", "rat"), ("boxes", "base")]


def test_what_is_set_of_an_army_is_set_of_every_member_or_of_one_by_its_number() -> None:
    found = army("rat:2,knight", ("health", "9"), ("2.dice", "7"), ("2.health", "4"))
    assert [(one.card.id, one.card.health, one.card.dice) for one in found.units] == [
        ("rat", 9, 1),
        ("rat", 9, 1),
        ("knight", 4, 7),
    ]
    assert army("rat", ("1.health", "5")).members[0].card.health == 5


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ((("3.dice", "1"),), "set a: '3.dice' is no member of this army; allowed: 1 to 2, and a field after it"),
        ((("0.dice", "1"),), "set a: '0.dice' is no member of this army; allowed: 1 to 2, and a field after it"),
        ((("1", "1"),), "set a: '1' is no member of this army; allowed: 1 to 2, and a field after it"),
        (
            (("dise", "1"),),
            "set a.1: 'dise' is not a field; allowed: id, name, cost_points, dice, health; did you mean dice?\n"
            "set a.2: 'dise' is not a field; allowed: id, name, cost_points, dice, health; did you mean dice?",
        ),
        ((("2.dice", "0"),), "set a.2, dice: '0' is out of range; allowed: a whole number from 1 to 9"),
    ],
)
def test_a_field_or_a_member_that_does_not_exist_is_refused(fields: tuple[tuple[str, str], ...], said: str) -> None:
    with pytest.raises(BalanceError) as error:
        army("rat:2,knight", *fields)
    assert str(error.value) == said


def test_inputs_tell_every_member_once_with_its_number_and_what_all_cost_now() -> None:
    told = army("rat:2,knight", ("2.cost_points", "20"), ("1.dice", "3")).inputs()
    rat, knight = (TOY.catalogue.find("fighters", one).model_dump(mode="json") for one in ("rat", "knight"))
    assert told == {
        "id": "rat:2,knight",
        "name": "2 Rat, Knight",
        "cost_points": 2 * rat["cost_points"] + 20,
        "members": [{**rat, "dice": 3, "count": 2}, {**knight, "cost_points": 20, "count": 1}],
    }


def test_members_without_a_price_of_their_own_cost_what_their_kind_says() -> None:
    class Silent(CardSide[Any]):
        def inputs(self) -> dict[str, Any]:
            return {}

    fighter = replace(cards_of("fighters", Fighter), read=lambda side: Silent(side.text, side.stance))
    kind = replace(WAR, takes=(army_of(fighter), ARMY))
    found = read_asked(kind, TOY.catalogue, ("rat:2,knight", "rat"), Overrides(), "a", CHOSEN).sides["a"]
    assert found.inputs()["cost_points"] == ARMY.cost_points(TOY.catalogue, "rat:2,knight")


def test_an_arena_is_opened_under_the_rules_and_plays_the_armies_of_every_trial() -> None:
    arena = TOY.arena("war", ["rat", "knight"], {"rules.hits_on": "5-6"}, a_effort="bold")
    assert arena.members == ("rat", "knight")
    process = arena.process(np.array([[0, 0], [1, -1]]), np.array([[0], [1]]))
    dice = {one: TOY.catalogue.find("fighters", one).model_dump()["dice"] for one in ("rat", "knight")}
    state = process.step(0)({"a": np.zeros(2, np.int16)}, FixedRolls({}))
    assert state["a"].tolist() == [2 * dice["rat"], dice["knight"]]


def test_a_member_whose_cards_are_printed_otherwise_fights_so_beside_itself_as_it_is() -> None:
    better, dearer = (ChangedMember("rat", (("fighters.rat." + field, "9"),)) for field in ("dice", "cost_points"))
    arena = TOY.arena("war", ["rat", better, "knight", dearer])
    assert arena.members == ("rat", "rat with fighters.rat.dice=9", "knight", "rat with fighters.rat.cost_points=9")
    process = arena.process(np.array([[0], [1], [3]]), np.zeros((3, 1), int))
    state = process.step(0)({"a": np.zeros(3, np.int16)}, FixedRolls({}))
    dice = TOY.catalogue.find("fighters", "rat").model_dump()["dice"]
    assert state["a"].tolist() == [dice, 9, dice]


@pytest.mark.parametrize(
    ("game", "kind", "said"),
    [
        (TOY, "duel", "armies do not meet in 'duel'; they do in war"),
        (TOY, "wor", "armies do not meet in 'wor'; they do in war"),
        (load(GAME), "duel", "armies do not meet in 'duel'; in skirmish they never do"),
    ],
)
def test_where_armies_do_not_meet_no_arena_is_opened(game: LoadedGame, kind: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        game.arena(kind, ["rat"])
    assert str(error.value) == said


BAD_DICE = "fighters, fighters.rat.dice: 'x' is not a number; allowed: a whole number from 1 to 9"


@pytest.mark.parametrize(
    ("members", "changes", "choices", "said"),
    [
        (["rot"], {}, {}, "member: 'rot' is not in fighters; allowed: rat, knight, ogre; did you mean rat?"),
        ([ChangedMember("rat", (("fighters.rat.dice", "x"),))], {}, {}, BAD_DICE),
        (["rat"], {"a.dice": 3}, {}, "set: 'a' is not something to set here; allowed: situation, rules"),
        (["rat"], {}, {"a_effort": "wild"}, "'wild' is not a choice of a_effort; allowed: steady, bold, finisher"),
    ],
)
def test_an_arena_that_makes_no_sense_is_refused(
    members: list[str | ChangedMember], changes: dict[str, Any], choices: dict[str, str], said: str
) -> None:
    with pytest.raises(BalanceError) as error:
        TOY.arena("war", members, changes, **choices)
    assert str(error.value) == said
