"""What can be asked, set and chosen is explained: every column, every field and every option, for every game."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from balance.answers.games import questions as kinds
from balance.answers.games import show
from balance.answers.games.tables import plain_value
from balance.answers.words.games.show import _text
from balance.catalogue import leaf_columns
from balance.game.game import Column, QuestionKind
from balance.game.registry import GAMES, find_game
from balance.verbs.catalogues.games import PAGES
from tests.cli.conftest import Command

EXPLAINED = ("questions", "situation", "policies")
SHIPPED = tuple(GAMES)


@pytest.fixture(params=[*SHIPPED, "skirmish"])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    return str(request.param)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", EXPLAINED)
@pytest.mark.parametrize("width", [80, 120])
def test_pages_fit_the_terminal(
    game: str, page: str, width: int, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    done = balance("show", game, page)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= width
    assert "…" not in done.out


def test_every_column_of_every_question_is_told_with_what_it_cannot_see(
    game: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    out = words(balance("show", game, "questions").out)
    for kind in find_game(game).kinds.values():
        assert f"balance {kind.name} {game} {' '.join(kind.sides).upper()}" in out
        assert words(kind.played) in out
        assert all(words(sentence) in out for sentence in kind.cannot_see)
        for name, column in kind.columns.items():
            assert re.search(rf"\b{name} ([a-z ]+ )?{re.escape(words(column.meaning))}", out), name
            assert all(str(name) in out for name in column.names.values())


def test_every_field_that_can_be_set_is_told_with_what_it_may_be(
    game: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    out = words(balance("show", game, "situation").out)
    for kind in find_game(game).kinds.values():
        for record in (kind.situation, *kind.stances):
            for name, column in leaf_columns(record).items():
                assert column.description, f"{game}: nobody says what {name} is"
                one = r"an id( of \w+)?" if column.kind == "id" else re.escape(words(column.allowed))
                allowed = f"a list, each {one}" if column.kind == "id" and column.is_list else one
                assert re.search(rf"\b{name} \S+ {allowed} {re.escape(words(column.description))}", out), name


def test_ids_that_can_be_set_name_their_table_where_it_is_known(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    said = words(balance("show", "battlelore", "situation").out)
    assert "target_terrain countryside a list, each an id of terrains Terrain of the target's hex." in said
    assert "mix – an id The mix of cards" in words(balance("show", "edadh", "situation").out)


def test_every_option_is_told_with_what_it_does(game: str, balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    out = words(balance("show", game, "policies").out)
    policies = [policy for kind in find_game(game).kinds.values() for policy in kind.policies.values()]
    assert policies or "Nobody chooses anything in this game." in out
    for policy in policies:
        usual, *_ = policy.options
        assert f"{usual} default {words(policy.options[usual])}" in out
        assert all(f"{option} {words(does)}" in out for option, does in policy.options.items() if option != usual)


def test_what_a_policy_reads_is_named_for_both_sides(balance: Command) -> None:
    assert "reads a|b.mix" in words(balance("show", "edadh", "policies").out)


EXAMPLE = re.compile(r"^  Example: balance (.*)$", re.M)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    for asked in (cast("dict[str, QuestionKind]", find_game(name).kinds) for name in GAMES):
        for name, kind in list(asked.items()):
            monkeypatch.setitem(asked, name, replace(kind, usual_trials=2048))
    monkeypatch.setattr("balance.game.question.habits.TRIALS", 256)


@pytest.mark.usefixtures("quick")
def test_an_example_of_every_question_works_as_it_stands(game: str, balance: Command) -> None:
    examples = EXAMPLE.findall(balance("show", game, "questions").out)
    assert [example.split()[:2] for example in examples] == [[kind, game] for kind in find_game(game).kinds]
    for example in examples:
        kind, _, *sides = shlex.split(example)  # an adventure is one name
        done = balance(*shlex.split(example))
        assert (done.status, done.err, len({*sides})) == (0, "", len(sides))
        first = next(name for name in GAMES if kind in find_game(name).kinds)
        if kind not in ("attack", "duel") and game == first:
            assert f"Example: balance {example}" in words(balance(kind, "--help").out)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("page", ["situation", "policies"])
def test_an_example_of_what_is_set_or_chosen_works_as_it_stands(game: str, page: str, balance: Command) -> None:
    examples = EXAMPLE.findall(balance("show", game, page).out)
    assert len(examples) == ((game, page) != ("skirmish", "situation"))
    for example in examples:
        *asked, option, value = shlex.split(example)
        assert option == {"situation": "--set", "policies": "--choose"}[page]
        assert (balance(*asked, option, value).status, option) == (0, option)


def test_the_help_of_a_kind_whose_catalogue_has_faults_has_no_example(balance: Command, elsewhere: Path) -> None:
    (elsewhere / "data" / "edadh").mkdir(parents=True)
    (elsewhere / "data" / "edadh" / "rules.toml").write_text("no toml")
    done = balance("turn", "--help")
    assert (done.status, done.err) == (0, "")
    assert "Example" not in done.out


def test_fields_of_cards_are_set_as_it_says(balance: Command) -> None:
    assert "SIDE.weapon.FIELD=VALUE a field of weapons" in words(balance("show", "warforged", "situation").out)
    asked = "attack warforged nexus+shotgun trooper --set attacker.weapon.precision=8 --set defender.unit.armour=2"
    assert balance(*shlex.split(asked)).status == 0


def test_the_fields_of_a_record_are_told_once(balance: Command) -> None:
    out = balance("show", "battlelore", "situation").out
    assert "The fields of attack, and these:" in out
    assert len(re.findall(r"^  target_terrain ", out, re.M)) == 1
    assert len(re.findall(r"^  free_hexes ", out, re.M)) == 1


def test_a_page_misspelt_is_named(balance: Command) -> None:
    done = balance("show", "warforged", "situaton")
    assert done.status == 2
    assert "did you mean situation?" in done.err


def test_every_page_that_help_names_is_there(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert tuple(show.PAGES) == PAGES
    assert all(balance("show", "warforged", page).status == 0 for page in PAGES)
    assert ", ".join(PAGES) in " ".join(balance("show", "--help").out.split())
    assert "`balance show GAME questions` explains every kind." in balance("games").out


def test_values_are_shown_as_they_would_be_typed_or_as_nothing() -> None:
    assert [_text(plain_value(value)) for value in (None, "", (), ("a", "b"), 7, True)] == [
        *("–", "–", "none"),
        *("a, b", "7", "true"),
    ]
    assert kinds._sentence("who wins.") == kinds._sentence("who wins") == "Who wins."
    assert kinds._sentence("") == "."


def test_codes_are_told_by_name_unless_the_meaning_tells_them() -> None:
    def counted(meaning: str) -> str:
        return kinds._count_text(Column(meaning, names={2: "b", 1: "a"}))

    assert counted("who wins") == "who wins: 1 a, 2 b"
    assert counted("1 for a, 2 for b") == "1 for a, 2 for b"
    assert counted("1 for a") == "1 for a: 1 a, 2 b"
