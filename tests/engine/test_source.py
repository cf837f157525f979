"""Where the code of a game lies, which workers compare."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from balance.engine.source import fingerprint, package_of
from balance.protocol.registry import find_game, game_names


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
