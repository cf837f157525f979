"""All parties of a size: who may go together, in which order they act, and that no name decides anything."""

from __future__ import annotations

import csv
import re
from itertools import combinations
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import cast

import pytest

from balance.base.errors import RulesError
from balance.catalogue import Catalogue
from balance.game.loaded import LoadedGame, load
from balance.games.immortal_souls.encounter.party.parties import parties_of, party_identity, party_name
from balance.games.immortal_souls.tables.cards import Hero
from balance.study.scaling import frames
from balance.study.scaling.frames import Wins
from tests.games.immortal_souls.plays import GAME

CATALOGUE = GAME.catalogue
ROWS = list(csv.DictReader(Path("data/immortal_souls/heroes.csv").read_text("utf-8").splitlines()))


def catalogue_of(heroes: list[Hero]) -> Catalogue:
    """Return what holds these heroes and nothing else."""
    return cast("Catalogue", SimpleNamespace(entries=lambda kind: {hero.id: hero for hero in heroes}))


def renamed(hero: Hero, persons: dict[str, str]) -> Hero:
    """Return a hero with another id, another name and his person called otherwise."""
    return hero.model_copy(
        update={"id": f"x_{hero.id[::-1]}", "name": f"Somebody, {hero.id}", "person": persons[hero.person]}
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_all_parties_of_a_size_are_those_of_the_sheet(size: int) -> None:
    """A twin that reads the sheet: nobody twice, and never lawful and chaos."""
    expected = {
        frozenset(row["id"] for row in rows)
        for rows in combinations(ROWS, size)
        if len({row["person"] for row in rows}) == size
        and not {"lawful", "chaos"} <= {row["alignment"] for row in rows}
    }
    parties = parties_of(CATALOGUE, size)
    assert {frozenset(party.split(",")) for party in parties} == expected
    assert len(parties) == len(expected)


def test_what_is_listed_may_be_asked_about_and_nothing_else() -> None:
    listed = {frozenset(party.split(",")) for party in parties_of(CATALOGUE, 2)}
    for pair in [("ecarus", "auriel_enchantress"), ("laegon", "laegon_archer"), ("shae", "laegon_archer")]:
        if frozenset(pair) in listed:
            assert GAME.ask("encounter", ",".join(pair), "ambush").entrants[0] == ",".join(pair)
        else:
            with pytest.raises(RulesError):
                GAME.ask("encounter", ",".join(pair), "ambush")


def test_neither_names_nor_rows_decide_who_acts_when() -> None:
    heroes = list(CATALOGUE.entries(Hero).values())
    persons = {person: f"p{number}" for number, person in enumerate(sorted({hero.person for hero in heroes}))}
    changed = catalogue_of([renamed(hero, persons) for hero in reversed(heroes)])
    for size in (2, 3, 4, 5):
        identities = [party_identity(CATALOGUE, party) for party in parties_of(CATALOGUE, size)]
        assert [party_identity(changed, party) for party in parties_of(changed, size)] == identities
        assert len(set(identities)) == len(identities)


def test_a_hero_who_is_another_makes_another_party() -> None:
    heroes = list(CATALOGUE.entries(Hero).values())
    faster = catalogue_of([hero.model_copy(update={"movement": 5}) if hero.id == "ecarus" else hero for hero in heroes])
    party = "thorgar,ecarus"
    assert party_identity(faster, party) != party_identity(CATALOGUE, party)
    assert party_identity(faster, "thorgar,shae") == party_identity(CATALOGUE, "thorgar,shae")


def test_a_party_is_called_by_its_classes() -> None:
    assert party_name(CATALOGUE, "shae_assassin,ecarus") == "Assassin, White Rose Knight"


def test_the_dice_of_a_party_are_named_by_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same trials, whatever stands in the sheet as names; others for another purpose."""
    keys = list[str]()
    question = GAME.ask("encounter", "shae_assassin,ecarus_black_rose", "ambush")
    counts = SimpleNamespace(weight=lambda wins: 7)
    monkeypatch.setattr(type(question), "task", lambda self, key: keys.append(key))
    monkeypatch.setattr(frames, "collect", lambda task, stop, seed: SimpleNamespace(counts=counts))
    for purpose in ("today", "today", "confirmation"):
        assert Wins(64, 0, purpose)(question) == 7
    assert keys[0] == keys[1] != keys[2]
    assert party_identity(CATALOGUE, question.entrants[0]) not in question.entrants


def renamed_game(folder: Path) -> LoadedGame:
    """Return the game with every hero called otherwise, in a sheet upside down."""
    copytree("data/immortal_souls", folder)
    ids = sorted((row["id"] for row in ROWS), key=len, reverse=True)
    for sheet in folder.glob("*.csv"):
        if sheet.stem in ("SOURCES", "coverage", "rule_ids"):
            continue
        text = sheet.read_text("utf-8")
        for name in ids:
            text = re.sub(rf"(?<![a-z0-9_]){name}(?=[,;\n])", f"h_{name[::-1]}", text)
        if sheet.stem == "heroes":
            head, *rows = text.splitlines()
            text = "\n".join([head, *reversed(rows)]) + "\n"
        sheet.write_text(text, "utf-8")
    return load("immortal_souls", folder)


@pytest.mark.filterwarnings("ignore::balance.base.errors.SourceWarning")
@pytest.mark.slow("test_neither_names_nor_rows_decide_who_acts_when")
def test_heroes_called_otherwise_win_as_often(tmp_path: Path) -> None:
    """Not about as often: trial by trial the same."""
    wins = []
    for game in (GAME, renamed_game(tmp_path / "renamed")):
        groups = game.definition.kinds["encounter"].takes[0].groups
        assert groups is not None
        parties = groups.of_size(game.catalogue, 5)
        wins.append([Wins(64, 0, "today")(game.ask("encounter", party, "ambush")) for party in parties])
    assert wins[0] == wins[1]
    assert len(set(wins[0])) > 1
