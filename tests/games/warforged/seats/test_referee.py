"""Battles of three and four are refereed by the rules and their record alone: nothing in them is suspicious."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
from tests.games.warforged.seats.games import SHIPPED, maps, random_catalogue, random_game, refereed

N_PARTS = 20


def report(numbers: range, catalogue: Path = SHIPPED) -> list[str]:
    """Return what is suspicious in random battles, in words."""
    return [
        f"battle {number}, line {suspicion.frame}, {suspicion.rule}: {suspicion.sentence}"
        for number in numbers
        for suspicion in refereed(random_game(number, catalogue))
    ]


@pytest.mark.rule("WF-MULTI.1")
@pytest.mark.rule("WF-MULTI.2")
@pytest.mark.rule("WF-MULTI.3")
def test_a_few_battles_raise_no_suspicion(tmp_path: Path) -> None:
    assert report(range(1)) == []
    assert report(range(1, 4), random_catalogue(0, tmp_path / "cards")) == []


@pytest.mark.slow("test_a_few_battles_raise_no_suspicion")
@pytest.mark.parametrize("part", range(N_PARTS))
def test_two_thousand_battles_raise_no_suspicion(part: int, tmp_path: Path) -> None:
    assert report(range(100 * part, 100 * part + 50)) == []
    assert report(range(100 * part + 50, 100 * part + 100), random_catalogue(part, tmp_path / "cards")) == []


def share_of_a(n: int, board: str, policy: str, trials: int) -> float:
    """Return the score of side a where all of `n` players have the same army, play alike, and luck orders them."""
    armies = ["trooper+shotgun:2,nexus+assault_rifle"] * n
    settings = {"situation.map": board}
    answer = balance.seats(
        balance.load("warforged"), armies[0], " / ".join(armies[1:]), set=settings, trials=trials,
        policy_a=policy, choose={"policy_others": policy},
    )  # fmt: skip
    won, _, drawn = answer.to_polars()["simulated"]
    return float(won + drawn / n)


def test_a_mirror_of_three_gives_each_a_third() -> None:
    """Off by four standard errors by chance once in 16,000 seeds."""
    assert abs(share_of_a(3, "trefoil", "greedy", 400) - 1 / 3) < 4 * (2 / 9 / 400) ** 0.5


@pytest.mark.slow("test_a_mirror_of_three_gives_each_a_third")
@pytest.mark.parametrize("policy", ["greedy", "kite"])
@pytest.mark.parametrize(("n", "board"), [(n, board) for n in (3, 4) for board in maps(SHIPPED, n)])
def test_a_mirror_gives_each_a_fair_share(n: int, board: str, policy: str) -> None:
    """Some of the 14 is off by four standard errors by chance once in 1,100 seeds."""
    share, fair = share_of_a(n, board, policy, 1500), 1 / n
    assert abs(share - fair) < 4 * (fair * (1 - fair) / 1500) ** 0.5
