"""The second engine notices when the one that the game runs is wrong: each of these mistakes, planted, is caught."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from tests.games.battlelore.adventure import test_lore_twins as lore
from tests.games.battlelore.adventure import test_twins as twins
from tests.games.battlelore.adventure.random_adventures import LORE_OPTIONS
from tests.games.planting import planted

MUTANTS: list[list[str]] = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))["mutants"]
"""Module of the engine, what stands there, what is put in its place, and what that is."""
GAME = "games.battlelore"
MODULES = sorted({mutant[0] for mutant in MUTANTS})


def module_of(name: str) -> str:
    """Return where a module of the rules or the adventures is in `balance`."""
    return f"{GAME}.{name}" if name.startswith("rules.") else f"{GAME}.adventure.{name}"


def checks(what: str) -> list[Callable[[], object]]:
    """Return the comparisons of the default tests, those first that a mistake of this name speaks of."""
    named: list[tuple[str, Callable[[], object]]] = [
        ("board", twins.test_the_board_is_the_second_engines),
        ("sight", partial(twins.test_lines_of_sight_are_the_second_engines, 0)),
        ("creature", twins.test_creatures_in_a_corner_fare_as_in_the_second_engine),
        ("shooter", twins.test_shooters_among_enemies_fare_as_in_the_second_engine),
        ("rider", twins.test_riders_pursue_as_in_the_second_engine),
        ("deck", twins.test_small_decks_are_dealt_and_shuffled_as_in_the_second_engine),
        ("lore", lore.test_lore_adventures_are_the_second_engines),
        ("lore", lore.test_a_small_lore_deck_is_made_of_its_discards_as_in_the_second_engine),
        ("power", lore.test_powers_of_creatures_are_the_second_engines),
        ("landmark", lore.test_landmarks_are_the_second_engines),
        ("", twins.test_adventures_of_the_shipped_units_are_the_second_engines),
        ("", twins.test_adventures_of_units_that_no_catalogue_has_are_the_second_engines),
    ]
    for name, value in twins.EVERY_OPTION:
        named.append((name, partial(twins.test_adventures_by_every_other_reading_are_the_second_engines, name, value)))
    for name, values in LORE_OPTIONS.items():
        check = lore.test_lore_adventures_by_every_other_reading_are_the_second_engines
        named.append((name, partial(check, name, values[0])))
    spoken = set(what.split())
    return [check for name, check in sorted(named, key=lambda pair: pair[0] not in spoken)]


@pytest.mark.slow("test_what_is_planted_is_taken_out_again")
@pytest.mark.parametrize(("name", "old", "new", "what"), MUTANTS, ids=[mutant[3] for mutant in MUTANTS])
def test_the_second_engine_notices(name: str, old: str, new: str, what: str) -> None:
    with planted(module_of(name), old, new):
        for check in checks(what):
            try:
                check()
            except Exception as error:  # any: what is broken may also break down
                assert str(error)
                return
    pytest.fail(f"nobody noticed: {what}")


@pytest.mark.slow("test_what_is_planted_is_taken_out_again")
@pytest.mark.parametrize("name", MODULES)
def test_a_module_planted_as_it_is_changes_nothing(name: str) -> None:
    with planted(module_of(name), "import", "import"):
        checks("creature")[0]()


def test_what_is_planted_is_taken_out_again() -> None:
    name, old, new, _ = MUTANTS[0]
    module = import_module(f"balance.{module_of(name)}")
    before = dict(vars(module))
    with planted(module_of(name), old, new):
        assert vars(module) != before
    assert vars(module) == before


def test_everything_to_be_broken_is_there() -> None:
    assert len(MUTANTS) >= 60
    assert len({what for _, _, _, what in MUTANTS}) == len(MUTANTS)
    for name, old, new, _ in MUTANTS:
        assert old in Path(str(import_module(f"balance.{module_of(name)}").__file__)).read_text("utf-8") and new != old
