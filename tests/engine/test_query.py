"""Queries: one text, one id, and dice that do not change with the rules."""

from __future__ import annotations

import pickle
from dataclasses import replace
from hashlib import sha256

import pytest

import balance
from balance.engine.query import Query, digest, override
from balance.game.loaded import LoadedGame
from tests.toy.game import GAME as TOY

ASKED = Query("duel", "nexus+shotgun", "trooper+shotgun", ("situation.distance_cells=2", "rules.faces=0-9"), "a")
OTHERS = [
    replace(ASKED, kind="kill"),
    replace(ASKED, side_a="aegis+shotgun"),
    replace(ASKED, side_b="aegis+shotgun"),
    replace(ASKED, changes=("situation.distance_cells=3", "rules.faces=0-9")),
    replace(ASKED, first="b"),
    replace(ASKED, first=None),
    replace(ASKED, choices=(("policy_a", "random"),)),
    replace(ASKED, block=512),
]


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def with_sha(loaded: LoadedGame, sha256: str, **more: str) -> LoadedGame:
    """Return a game with a catalogue as if its content had another checksum."""
    catalogue = replace(loaded.catalogue, **more)  # type: ignore[arg-type]
    catalogue.__dict__["sha256"] = sha256
    return LoadedGame(loaded.definition, catalogue)


@pytest.mark.parametrize("other", OTHERS)
def test_everything_that_is_asked_is_in_the_names(other: Query, warforged: LoadedGame) -> None:
    assert other.text != ASKED.text
    assert other.id(warforged) != ASKED.id(warforged)
    assert other.pairing_key(warforged.definition) != ASKED.pairing_key(warforged.definition)


def test_rules_and_catalogue_are_in_the_id_and_leave_the_dice(warforged: LoadedGame) -> None:
    plain = replace(ASKED, changes=ASKED.changes[:1])
    softer = with_sha(warforged, "0" * 64)
    assert len({plain.id(warforged), plain.id(softer), ASKED.id(warforged)}) == 3
    assert plain.pairing_key(warforged.definition) == ASKED.pairing_key(warforged.definition)


def test_a_query_travels_and_is_a_key() -> None:
    assert pickle.loads(pickle.dumps(ASKED)) == ASKED
    assert {ASKED: 1}[replace(ASKED)] == 1


def test_a_query_becomes_its_question(warforged: LoadedGame) -> None:
    question = replace(ASKED, side_b="trooper+smg_pistol").to(warforged)
    assert (question.kind.name, question.entrants, question.first) == (
        "duel",
        ("nexus+shotgun", "trooper+smg_pistol"),
        "a",
    )
    assert ("situation", "distance_cells", "2") in question.overrides.entries


def test_ids_are_those_under_which_blocks_were_kept_before(warforged: LoadedGame) -> None:
    """Both formats are a contract: published tables hold the id, and published dice follow from the key."""
    fixed = with_sha(warforged, "ab", rules_version="1")
    query = Query("duel", "a", "b", ("rules.x=1", "a.y=2"), None, (("policy_a", "p"),), 512)
    assert query.id(fixed) == "400b79f0019d5f9611f7ce8a0bc32ba0bb19153905a6f51ae2a26da3680cfc96"
    assert query.pairing_key(fixed.definition) == "1bf074ef46118e7558cd76d0e8916382a5d92b1467e6c80a4098312fa9068514"


def test_a_query_in_plain_text_leaves_out_only_who_goes_first() -> None:
    asked = Query("duel", "a", "b", ("rules.x=1",), None, (("policy_a", "p"),), 512)
    assert asked.text == '["duel","a","b",["rules.x=1"],[["policy_a","p"]],512]'
    assert replace(asked, first="b").text == '["duel","a","b",["rules.x=1"],[["policy_a","p"]],512,"b"]'
    assert Query("duel", "a", "b").text == '["duel","a","b",[],[],null]'
    assert digest(["\u00fc", None]) == sha256(b'["\\u00fc",null]').hexdigest()


def test_what_is_chosen_reaches_the_question() -> None:
    asked = Query("duel", "rat", "ogre", (), "b", (("a_effort", "bold"), ("b_effort", "steady")))
    question = asked.to(balance.load(TOY))
    assert (dict(question.choices), question.first) == ({"a_effort": "bold", "b_effort": "steady"}, "b")


@pytest.mark.parametrize(
    ("changes", "later", "found"),
    [
        ((), (), ()),
        (("a.x=1", "b.x=2"), (), ("a.x=1", "b.x=2")),
        (("a.x=1", "b.x=2"), ("a.x=3=4", "c.x=5"), ("b.x=2", "a.x=3=4", "c.x=5")),
        (("a.x=1", "a.xy=2"), ("a.x=3",), ("a.xy=2", "a.x=3")),
    ],
)
def test_later_changes_take_the_place_of_others_to_the_same_path(
    changes: tuple[str, ...], later: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert override(changes, later) == found
