"""Catalogues of known truth: what `balance price` says of each, in its first sentence, and what it must not say.

In tug of war a body's fair cost is in proportion to its strength (see `tests.tug`). All bodies of `TRUE` are fair as
they are written; every case plants what is off. A false name comes up in fewer than one run of twenty by chance: seeds
are fixed, and every case is its own negative control for the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance
from balance.analysis.prices.answer import Proposal
from balance.game.registry import GAMES
from balance.verbs.call.result import Result
from tests.tug import write_catalogue

TRUE = {"mole": 12, "stoat": 18, "lynx": 23, "boar": 31, "yak": 44, "bison": 57, "rhino": 70}
ROPE = {"rope": (0.0, 100)}
TOOLS = {"rope": (4.0, 100), "chain": (6.0, 130), "belt": (5.0, 115)}
BUDGET = "150:4,300:8"


@pytest.fixture(autouse=True)
def tug(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    yield


def priced(
    folder: Path,
    costs: dict[str, float] | None = None,
    *,
    extra: tuple[tuple[str, float, int], ...] = (),
    budget: str = BUDGET,
    seed: int = 0,
    n: int | None = None,
) -> Result[Any]:
    """Price the true bodies, some of them at other costs; strengths are nine times the true costs."""
    bodies = [(name, (costs or {}).get(name, cost), 9 * cost) for name, cost in TRUE.items()]
    catalogue = write_catalogue(folder, [*bodies, *extra], [(name, *numbers) for name, numbers in ROPE.items()])
    return balance.price(
        "tug", catalogue=catalogue, budget=budget, battles=n, seed=seed, cache=False, jobs=1, quiet=True
    )


def off(result: Result[Any]) -> dict[str, tuple[str, float]]:
    """Return the bodies that are called too dear or too cheap, and the fair cost of each."""
    rows = result.to_polars("cards").filter(pl.col("verdict").is_in(["too dear", "too cheap"]))
    return {row["card"]: (row["verdict"], row["fair"]) for row in rows.iter_rows(named=True)}


def proposal(result: Result[Any]) -> Proposal:
    """Return what is proposed of costs, which is something."""
    found: Proposal = result.value.proposal
    return found


def unless_not_known(result: Result[Any]) -> set[str]:
    return set(result.to_polars("cards")["verdict"]) - {"not yet known"}


def test_a_fair_catalogue_has_nothing_to_change(tmp_path: Path) -> None:
    result = priced(tmp_path)
    assert off(result) == {}
    assert unless_not_known(result) == {"fair"}
    assert (result.value.is_fair, result.value.proposal) == ("yes", None)
    assert result.sentence.startswith("Yes: all 7 ")


@pytest.mark.parametrize(("by", "word", "cost"), [(1.25, "too dear", 55.0), (0.75, "too cheap", 33.0)])
def test_one_card_off_is_the_only_one_named_with_its_fair_cost(
    tmp_path: Path, by: float, word: str, cost: float
) -> None:
    result = priced(tmp_path, {"yak": 44 * by})
    assert list(off(result)) == ["yak"]
    said, fair = off(result)["yak"]
    assert said == word
    assert fair == pytest.approx(44, rel=0.03)
    assert result.sentence.startswith(
        f"No: 1 of 7 entrants is {word} and 6 fair; farthest off is Yak with Rope, which costs {cost:g} "
    )
    assert result.to_polars("cards").filter(card="yak")["proposed_cost"].item() in (43, 44, 45)
    assert list(proposal(result).costs) == ["yak"]
    assert proposal(result).after.square < 0.5 * proposal(result).before.square


@pytest.mark.slow("test_of_ten_identical_units_the_dear_one_is_named")
def test_two_cards_off_are_both_named(tmp_path: Path) -> None:
    result = priced(tmp_path, {"lynx": 30, "bison": 43})
    assert {name: said for name, (said, _) in off(result).items()} == {"lynx": "too dear", "bison": "too cheap"}
    assert result.value.is_fair == "no"
    assert {card: round(cost / TRUE[card], 1) for card, cost in proposal(result).costs.items()} == {
        "lynx": 1,
        "bison": 1,
    }


@pytest.mark.slow("test_of_ten_identical_units_the_dear_one_is_named")
def test_costs_to_the_power_one_half_are_a_scale_error(tmp_path: Path) -> None:
    result = priced(tmp_path, {name: round(5 * cost**0.5, 1) for name, cost in TRUE.items()}, budget="100:4,200:8")
    assert result.value.scale.verdict == "dear too cheap"
    assert result.value.scale.slope == pytest.approx(2, rel=0.05)
    assert off(result) == {}
    assert result.value.is_fair == "no"
    assert proposal(result).power == pytest.approx(2, abs=0.1)


@pytest.mark.slow("test_of_ten_identical_units_the_dear_one_is_named")
def test_all_doubled_changes_no_verdict_with_the_budgets_and_names_nobody_without(tmp_path: Path) -> None:
    doubled = {name: 2.0 * cost for name, cost in TRUE.items()}
    once, twice = priced(tmp_path / "a"), priced(tmp_path / "b", doubled, budget="300:4,600:8")
    assert once.to_polars("cards")["fair"].to_list() == pytest.approx((twice.to_polars("cards")["fair"] / 2).to_list())
    assert off(twice) == {} == off(priced(tmp_path / "c", doubled))


@pytest.mark.slow("test_of_ten_identical_units_the_dear_one_is_named")
def test_a_clone_is_judged_as_its_original_and_moves_nobody(tmp_path: Path) -> None:
    alone = priced(tmp_path / "a", {"yak": 55})
    both = priced(tmp_path / "b", {"yak": 55}, extra=(("yak_again", 55.0, 396),))
    assert list(off(both)) == ["yak", "yak_again"]
    fair = dict(both.to_polars("cards").select("card", "fair").iter_rows())
    assert fair["yak"] == pytest.approx(fair["yak_again"])
    assert fair["yak"] == pytest.approx(off(alone)["yak"][1])


def test_of_ten_identical_units_the_dear_one_is_named(tmp_path: Path) -> None:
    bodies = [(f"n{at}", 26.0 if at == 6 else 20.0, 180) for at in range(10)]
    catalogue = write_catalogue(tmp_path, bodies, [("rope", 0.0, 100)])
    result: Result[Any] = balance.price("tug", catalogue=catalogue, budget=BUDGET, cache=False, jobs=1, quiet=True)
    assert list(off(result)) == ["n6"]
    assert (off(result)["n6"][0], round(off(result)["n6"][1], 9)) == ("too dear", 20.0)
    assert result.sentence.startswith(
        "No: 1 of 10 entrants is too dear and 9 fair; farthest off is N6 with Rope, which costs 26 "
    )
    assert proposal(result).costs == {"n6": 20}


@pytest.mark.slow("test_of_ten_identical_units_the_dear_one_is_named")
def test_names_and_rows_change_nothing_else(tmp_path: Path) -> None:
    first = priced(tmp_path / "a", {"yak": 55})
    bodies = [(f"z_{name}", 55.0 if name == "yak" else float(cost), 9 * cost) for name, cost in reversed(TRUE.items())]
    catalogue = write_catalogue(tmp_path / "b", bodies, [("rope", 0.0, 100)])
    other = balance.price("tug", catalogue=catalogue, budget=BUDGET, cache=False, jobs=1, quiet=True)
    rows = {row["card"]: row for row in first.to_polars("cards").iter_rows(named=True)}
    for row in other.to_polars("cards").iter_rows(named=True):
        kept = rows[row["card"].removeprefix("z_")]
        assert [row[name] for name in ("fair", "low", "high", "verdict")] == [
            kept[name] for name in ("fair", "low", "high", "verdict")
        ]


@pytest.mark.slow("test_a_fair_catalogue_has_nothing_to_change")
@pytest.mark.parametrize("budget", ["150:4", "300:8"])
def test_the_range_holds_what_each_budget_says_alone(tmp_path: Path, budget: str) -> None:
    """Dice of another seed, one budget alone, three times the battles: its interval reaches into the range."""
    whole = priced(tmp_path / "a", {"yak": 55}).to_polars("cards")
    alone = priced(tmp_path / "b", {"yak": 55}, budget=budget, seed=9, n=24_000).to_polars("cards")
    truth = alone.join(whole, on="card", suffix="_whole").filter(pl.col("card") != "rope")
    assert ((truth["dice_high"] >= truth["low_whole"]) & (truth["dice_low"] <= truth["high_whole"])).all()
