"""A hint for an unknown word names a word that fits its place: the true one for most slips of a finger, in every game.

A slip is one letter dropped, doubled or swapped with the next. Whatever a hint names must be known where it is named.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import openpyxl
import pytest

from balance.base.errors import BalanceError, CatalogueError
from balance.catalogue import columns_of, export_workbook, import_workbook, leaf_columns, load_catalogue
from balance.catalogue.tables.files import read_text
from balance.cli.main import main
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.loaded import load as load_game
from balance.game.registry import GAMES, game_meant, game_names

LEAST_TRUE = 0.9
"""Share of hints that name the true word. The slips are fixed by their seeds, so that this is no chance."""
SHORTEST = 3
"""Letters of a word that is spoilt; of a shorter one a slip leaves nothing to go by."""


load = cache(load_game)


def slip(word: str, dice: random.Random) -> str:
    """Return a word with one slip of a finger, never the word itself."""
    while True:
        at = dice.randrange(len(word) - 1)
        one, two = word[at], word[at + 1]
        found = word[:at] + dice.choice([two, one + one + two, two + one]) + word[at + 2 :]
        if found != word and found.strip("_.") and "__" not in found:
            return found


def hints(asked: Callable[[str], object], word: str) -> list[str]:
    """Return what the faults of a word ask whether it is meant; none where it is known."""
    try:
        asked(word)
    except BalanceError as error:
        found = [re.search(r"did you mean (.+?)\?", fault.tip) for fault in error.faults]
        return [match[1] for match in found if match]
    return []


def shares(words: Sequence[str], asked: Callable[[str], object], known: Sequence[str]) -> tuple[int, int]:
    """Ask about a slip of each word; return how many hints name it, of how many; none may name what is not known."""
    true = total = 0
    dice = random.Random(42)
    for word in [word for word in dict.fromkeys(words) if len(word) >= SHORTEST]:
        spoilt = slip(word, dice)
        if spoilt in known:
            continue
        named = hints(asked, spoilt)
        assert set(named) <= {*known}, (word, spoilt, named)
        true, total = true + (word in named), total + 1
    return true, total


def mostly_true(words: Sequence[str], asked: Callable[[str], object], known: Sequence[str] | None = None) -> None:
    """Assert that hints name what is known, and mostly what was meant."""
    true, total = shares(words, asked, [*(words if known is None else known)])
    assert true >= min(LEAST_TRUE * total, total - 1), (true, total)


def setting(loaded: LoadedGame, kind: QuestionKind, change: str, name: str) -> object:
    """Ask about the first entrant and the last, which fits every kind, with a change that has a place for a name."""
    one, other = loaded.ids(kind.takes[0])[0], loaded.ids(kind.takes[1])[-1]
    return loaded.ask(kind.name, one, other, [change.format(name)])


def choosing(loaded: LoadedGame, kind: QuestionKind, choice: str, option: str) -> object:
    """Ask about the same with something chosen."""
    one, other = loaded.ids(kind.takes[0])[0], loaded.ids(kind.takes[1])[-1]
    return loaded.ask(kind.name, one, other, **{choice: option})


def _reading(replaced: Callable[..., object], rule: str, reading: str) -> object:
    """Return rules with another reading of one."""
    return replaced(**{rule: reading})


def kinds() -> Iterator[tuple[str, str]]:
    """Yield each game and each kind of question that it has."""
    for game in GAMES:
        yield from ((game, kind) for kind in load(game).definition.kinds)


@pytest.mark.parametrize(("game", "kind"), [*kinds()])
class TestOfAQuestion:
    def test_a_field_of_a_side_is_one_of_that_side(self, game: str, kind: str) -> None:
        loaded = load(game)
        found = loaded.definition.kinds[kind]
        for side, taken, stance in zip(found.sides, found.takes, found.stances, strict=True):
            own = [*leaf_columns(stance)]
            cards = [
                f"{part}.{name}" if part else name
                for part, record in taken.fields.items()
                if not part.isupper()
                for name in leaf_columns(record)
            ]
            bare = [path.rpartition(".")[2] for path in cards]  # of which a hint may say whose it is
            known = [*own, *cards, *bare, *(f"unit.{name} or weapon.{name}" for name in bare), "unit", "weapon", "id"]
            headers = [column.header for record in taken.fields.values() for column in columns_of(record)]
            mostly_true(own, partial(setting, loaded, found, f"{side}.{{}}=1"), [*known, *headers])

    def test_a_side_a_rule_and_a_setting_of_the_situation(self, game: str, kind: str) -> None:
        loaded = load(game)
        found = loaded.definition.kinds[kind]
        roots = [*found.sides, "situation", "rules"]
        mostly_true(roots, partial(setting, loaded, found, "{}.zzz=1"), roots)
        for root, names in (("situation", leaf_columns(found.situation)), ("rules", loaded.catalogue.rule_options)):
            mostly_true([*names], partial(setting, loaded, found, f"{root}.{{}}=1"))

    def test_a_policy_is_one_of_that_decision(self, game: str, kind: str) -> None:
        loaded = load(game)
        found = loaded.definition.kinds[kind]
        mostly_true([*found.choices], lambda name: choosing(loaded, found, name, "zzz"))
        for name, options in found.choices.items():
            mostly_true(options, partial(choosing, loaded, found, name))

    def test_a_kind_is_one_of_that_game(self, game: str, kind: str) -> None:
        loaded = load(game)
        assert set(hints(loaded.kind, slip(kind, random.Random(7)))) <= {*loaded.definition.kinds}
        assert kind in hints(loaded.kind, kind + kind[-1])


@pytest.mark.parametrize("game", GAMES)
class TestOfACatalogue:
    def test_an_entry_is_one_of_that_table(self, game: str) -> None:
        catalogue = load(game).catalogue
        for table, entries in catalogue.tables.items():
            mostly_true([*entries], partial(catalogue.find, table))

    def test_a_reading_is_one_of_that_rule(self, game: str) -> None:
        rules = load(game).catalogue.rules
        replaced: Callable[..., object] = cast("Any", rules).replace
        for column in columns_of(type(rules)):
            mostly_true([*column.choices], partial(_reading, replaced, column.name))

    def test_a_game_is_one_that_is_there(self, game: str) -> None:
        for seed in range(5):
            assert game_meant(slip(game, random.Random(seed))) == f"did you mean {game}?"
        assert game in game_names()


def test_a_weapon_is_one_that_the_unit_can_use() -> None:
    warforged, battlelore = load("warforged"), load("battlelore")
    assert hints(warforged.label, "nexus+rotary_cannom") == []
    assert hints(warforged.label, "colossus+rotary_cannom") == ["rotary_cannon"]
    assert hints(battlelore.label, "giant_spider+bit") == ["bite"]
    assert hints(battlelore.label, "green_foot+bit") == []


def test_what_a_hero_or_an_enemy_holds_is_for_him() -> None:
    souls = load("immortal_souls")
    assert hints(souls.label, "ecarus+great_ax") == ["great_axe"]
    assert hints(souls.label, "ecarus+knife_rde") != ["knife_red"]  # which only enemies have
    assert hints(souls.label, "red_bandit+knife_rde") == ["knife_red"]


def test_a_field_that_both_cards_have_says_whose() -> None:
    warforged = load("warforged")

    def shot(path: str) -> object:
        return warforged.ask("attack", "nexus+shotgun", "trooper", [f"attacker.{path}=1"])

    assert hints(shot, "handlign") == ["unit.handling or weapon.handling"]
    assert hints(shot, "weapon.handlign") == ["weapon.handling"]
    assert hints(shot, "wepon.handling") == ["weapon"]


def test_a_stance_is_named_beside_the_fields_of_the_card() -> None:
    battlelore = load("battlelore")

    def melee(path: str) -> object:
        return battlelore.ask("attack", "green_foot+short_sword", "giant_spider", [f"attacker.{path}=1"])

    assert hints(melee, "supprted") == ["supported"]
    assert hints(melee, "weapn.swords_vs_foot") == ["weapon.swords_vs_foot"]


def test_a_missing_file_is_one_of_its_kind(tmp_path: Path) -> None:
    for name in ("results.csv", "results_of_may.toml", "unitss.csv"):
        (tmp_path / name).write_text("x")

    def tip(name: str, others: Sequence[str] = ()) -> str:
        with pytest.raises(CatalogueError) as error:
            read_text(tmp_path / name, other_names=others)
        return error.value.faults[0].tip

    assert tip("reslts.csv") == tip("results.cvs") == "is results.csv meant?"
    assert tip("results_of_may.csv") == "is results.csv meant?"
    assert tip("results_of_june.toml") == "is results_of_may.toml meant?"
    assert tip("units.csv") == "is unitss.csv meant?"
    assert tip("units.csv", ["unitss.csv"]) == tip("wholly_else.csv") == ""


@pytest.mark.slow("test_a_verb_is_one_that_the_named_game_has")
def test_a_missing_sheet_is_none_of_another_table(tmp_path: Path) -> None:
    game = load("runewars")
    path = tmp_path / "runewars.xlsx"
    export_workbook(game.catalogue, path)
    book = openpyxl.load_workbook(path)
    book["units"].title = "unitz"
    del book["runes"]
    book.save(path)
    with pytest.raises(CatalogueError) as error:
        import_workbook(game.definition.spec, path)
    tips = {fault.field: fault.tip for fault in error.value.faults if fault.message == "the sheet is missing"}
    assert tips == {"units": "is the sheet unitz meant?", "runes": ""}


def test_an_unknown_header_is_a_column_that_is_not_there_yet(tmp_path: Path) -> None:
    game = load("warforged")
    shutil.copytree(game.catalogue.path, tmp_path / "mine")
    units = tmp_path / "mine" / "units.csv"
    units.write_text(units.read_text("utf-8").replace("health", "helth", 1), "utf-8")
    with pytest.raises(CatalogueError) as error:
        load_catalogue(game.definition.spec, tmp_path / "mine")
    assert [fault.tip for fault in error.value.faults if fault.found == "helth"] == ["did you mean health?"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("atack warforged", "attack"),
        ("encunter immortal_souls", "encounter"),
        ("battel warforged", "battle"),
        ("combt battlelore", "combat"),
        ("pirce warforged", "price"),
        ("stabilty runewars", "stability"),
        ("tunr edadh", "turn"),  # beside `tune`
    ],
)
def test_a_verb_is_one_that_the_named_game_has(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(typed.split()) == 2
    assert f"Did you mean '{meant}'?" in capsys.readouterr().err


def test_a_kind_of_another_game_is_no_verb_for_this_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encunter", "warforged", "x", "y"]) == 2
    assert "encounter" not in capsys.readouterr().err
