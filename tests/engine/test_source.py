"""Where the code of a game lies, which workers compare."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from balance.engine.source import fingerprint, package_of
from balance.protocol.registry import GAMES, find_game, game_names
from tests.toy.game import GAME as TOY


@pytest.mark.parametrize("name", game_names())
def test_the_package_of_a_game_holds_its_code(name: str) -> None:
    package = package_of(find_game(name))
    assert package == f"balance.games.{name}"
    assert fingerprint(package) != fingerprint()


def test_a_function_with_some_arguments_filled_in_lies_where_it_was_written() -> None:
    game = find_game("warforged")
    first, *others = game.kinds
    kind = game.kinds[first]
    filled = replace(game, kinds={first: replace(kind, processes=partial(kind.processes))} | {
        name: game.kinds[name] for name in others
    })  # fmt: skip
    assert package_of(filled) == package_of(game)


def test_a_registered_game_lies_where_it_was_found_wherever_its_first_rule_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a change of its other modules would leave results in the cache that no longer hold."""

    def written_below(*told: object) -> tuple[()]:
        return ()

    written_below.__module__ = "tests.toy.rules.attacks"
    kinds = {name: replace(kind, processes=written_below) for name, kind in TOY.kinds.items()}
    spread = replace(TOY, kinds=kinds)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert package_of(spread) == "tests.toy.rules"
    monkeypatch.setattr("tests.toy.game.GAME", spread)
    assert package_of(spread) == "tests.toy"
