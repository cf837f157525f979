"""The second engine notices when the one that the game runs is wrong: each of these mistakes, planted, is caught."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from balance.games.warforged.battle.setup import battle_of
from tests.games import planting
from tests.games.warforged import test_battle_twins as twins

MUTANTS: list[list[str]] = tomllib.loads(Path(__file__).with_name("battle_mutants.toml").read_text("utf-8"))["mutants"]
"""Module in `balance`, what stands there, what is put in its place, and what that is."""
MODULES = sorted({mutant[0] for mutant in MUTANTS})


@contextmanager
def planted(name: str, old: str, new: str) -> Iterator[None]:
    """Run with one mistake in a module of `balance`, with battles that are set up by it."""
    try:
        with planting.planted(name, old, new):
            battle_of.cache_clear()  # whose tables were made without the mistake
            yield
    finally:
        battle_of.cache_clear()


def checks(what: str) -> list[Callable[[], None]]:
    """Return the comparisons of the default tests, those first that a mistake of this name speaks of."""
    named: list[tuple[str, Callable[[], None]]] = [
        ("chain Overload", twins.test_overloads_set_each_other_off_as_in_the_second_engine),
        ("rounds objective wins", twins.test_battles_end_as_in_the_second_engine),
        ("cover_stack", partial(twins.test_shots_over_several_covers_are_the_second_engines, "hex")),
        ("enter base", partial(twins.test_units_enter_late_as_in_the_second_engine, *twins.LATE)),
        ("", twins.test_battles_of_the_shipped_cards_are_the_second_engines),
        ("", partial(twins.test_battles_of_cards_that_no_catalogue_has_are_the_second_engines, *twins.WILD)),
        ("radius", partial(twins.test_battles_by_other_constants_are_the_second_engines, 0)),
        ("radius", partial(twins.test_battles_by_other_constants_are_the_second_engines, 1)),
    ]
    for name, value in twins.EVERY_OPTION:
        named.append((name, partial(twins.test_battles_by_every_other_reading_are_the_second_engines, name, value)))
    spoken = set(what.split())
    return [check for name, check in sorted(named, key=lambda pair: spoken.isdisjoint(pair[0].split()))]


@pytest.mark.slow("test_what_is_planted_is_taken_out_again")
@pytest.mark.parametrize(("name", "old", "new", "what"), MUTANTS, ids=[mutant[3] for mutant in MUTANTS])
def test_the_second_engine_notices(name: str, old: str, new: str, what: str) -> None:
    with planted(name, old, new):
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
    with planted(name, "import", "import"):
        checks("chain")[0]()


def test_what_is_planted_is_taken_out_again() -> None:
    name, old, new, _ = MUTANTS[0]
    module = import_module(f"balance.{name}")
    before = dict(vars(module))
    with planted(name, old, new):
        assert vars(module) != before
    assert vars(module) == before


def test_everything_to_be_broken_is_there() -> None:
    assert len(MUTANTS) >= 60
    for name, old, new, _ in MUTANTS:
        assert old in Path(str(import_module(f"balance.{name}").__file__)).read_text("utf-8") and new != old
