"""Exact answers of game files are bounded: states are counted before they are made, and what is too large is rolled."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from balance.base.errors import BalanceError, DistributionError
from balance.chance.budget import exact_budget, spend
from balance.game.loaded import LoadedGame, load
from balance.rulebook.opening import open_file
from tests.rulebook.games import write

POOLS = """
health = "wounds"
[units.reds]
attacks = {attacks}
wounds = {wounds}
[attack]
hits = "me.attacks d6 count 4+"
"foe.wounds" = "foe.wounds - hits"
[choices.effort]
steady = {{}}
all_out = {{ hits = "+ 1" }}
"""
SECONDS, BYTES = 8, 400 * 2**20


def pools(folder: Path, attacks: int, wounds: int) -> LoadedGame:
    return load(open_file(write(folder, POOLS.format(attacks=attacks, wounds=wounds))))


@pytest.mark.parametrize(("attacks", "wounds"), [(2, 5), (4, 12)])
def test_what_is_small_stays_exact(tmp_path: Path, attacks: int, wounds: int) -> None:
    game = pools(tmp_path, attacks, wounds)
    for kind in ("attack", "kill", "duel"):
        assert game.ask(kind, "reds", "reds").why_no_distribution == ""
    assert game.ask("duel", "reds", "reds").solve().converged


@pytest.mark.slow("test_what_is_small_stays_exact")
@pytest.mark.parametrize(("attacks", "wounds"), [(40, 2000), (9999, 9999)])
def test_what_is_too_large_is_refused_before_it_is_made(tmp_path: Path, attacks: int, wounds: int) -> None:
    game = pools(tmp_path, attacks, wounds)
    tracemalloc.start()
    began = time.process_time()
    why = game.ask("duel", "reds", "reds").why_no_distribution
    with pytest.raises(BalanceError, match="ask it with policies instead of solving it"):
        game.ask("duel", "reds", "reds").solve()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "an exact answer would" in why
    assert time.process_time() - began < 4 * SECONDS, "tracing takes three quarters of it"
    assert peak < BYTES


def test_a_budget_within_another_is_the_same_one() -> None:
    spend(1e12, 1e12)  # without a budget everything is allowed
    with exact_budget():
        spend(15e6)
        with (
            exact_budget(),
            pytest.raises(DistributionError, match=r"more than 16,000,000 steps of work; simulate: add"),
        ):
            spend(2e6)
    with exact_budget(), pytest.raises(DistributionError, match="would keep more than 14,000,000 numbers"):
        spend(0, 15e6)


@pytest.mark.parametrize("grid", [750_000, 40])
def test_a_duel_listed_in_parts_has_the_same_chances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grid: int
) -> None:
    whole = pools(tmp_path, 3, 6).ask("duel", "reds", "reds", first="a")
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", grid)
    monkeypatch.setattr("balance.rulebook.play.script_laws.MOST_WAYS", grid)
    (tmp_path / "parts").mkdir()
    parts = pools(tmp_path / "parts", 3, 6).ask("duel", "reds", "reds", first="a")
    assert parts.p_win(parts.distribution) == pytest.approx(whole.p_win(whole.distribution), abs=1e-12)
    assert parts.solve().value == pytest.approx(whole.solve().value, abs=1e-9)


@pytest.mark.parametrize(("n", "text"), [(2, "any of the 2"), (3, "any of the 3"), (9, "any of the 9")])
def test_options_that_are_equally_good_are_all_best(tmp_path: Path, n: int, text: str) -> None:
    options = "\n".join(f"colour_{number} = {{}}" for number in range(n))
    rules = POOLS.format(attacks=1, wounds=2).partition("[choices")[0]
    duel = load(open_file(write(tmp_path, f"{rules}[choices.colour]\n{options}\n"))).ask("duel", "reds", "reds")
    (opening,) = duel.solve().tables
    expected = text if n > 3 else " or ".join(f"colour_{number}" for number in range(n))
    assert {row[-1] for row in opening.rows} == {expected}


def test_what_never_falls_is_told(tmp_path: Path) -> None:
    from balance.game.question.answer import answer

    wall = load(open_file(write(tmp_path, POOLS.format(attacks=0, wounds=3).partition("[choices")[0])))
    assert answer(wall.ask("kill", "reds", "reds")).sentence == "Reds against Reds: never done within 10,000 attacks."


@pytest.mark.parametrize(
    ("weapon", "words"),
    [
        ("sidearm", "always 0 damage in this attack, though not in later ones, down in 12.1 actions on average"),
        ("pulse_pistol", "damage on average, down in "),
    ],
)
def test_an_attack_that_a_shield_stops_says_that_later_ones_do_damage(weapon: str, words: str) -> None:
    from balance.game.question.answer import answer

    assert words in answer(load("warforged").attack(f"nexus+{weapon}", "aegis+sidearm")).sentence
