"""`balance handicap --cost` and `--bid`: in the game's own unit, and with the seed that they were simulated with."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command

PAIR = ("giant_spider", "red_foot+short_sword")


def screen(balance: Command, *words: str) -> str:
    done = balance("handicap", *words, "--quiet", "--more")
    assert (done.status, done.err) == (0, "")
    return " ".join(done.out.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.slow("test_the_seed_is_told_on_the_screen")
def test_costs_are_told_in_the_units_of_the_game_and_one_is_no_plural(balance: Command) -> None:
    told = screen(balance, "battlelore", *PAIR, "--cost")
    assert "banners, now 1: " in told
    assert "At 1 banner each, armies of giant_spider score " in told
    assert "At 1 banner it scores " in told
    assert "at budgets of 4, 10 banners, " in told
    assert "point" not in told


@pytest.mark.parametrize(
    "words",
    [
        ("battlelore", *PAIR, "--cost"),
        ("battlelore", *PAIR, "--bid", "points"),
        ("edadh", "spears", "shieldsmen", "--field", "damage"),
    ],
)
def test_the_seed_is_told_on_the_screen(balance: Command, words: tuple[str, ...]) -> None:
    assert ", seed 3; " in screen(balance, *words, "--seed", "3")
