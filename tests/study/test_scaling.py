"""All parties of all sizes as tables of a run: their numbers are planted, and worked out again in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median, variance
from typing import Any, cast

import polars as pl
import pytest

from balance.base.errors import Fault
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.study.frames.report_settings import load_settings
from balance.study.scaling.frames import Wins, scaling_frames
from balance.study.scaling.settings import ReportScaling, scaling_faults

GAME = load("immortal_souls")
SHIPPED = load_settings(GAME).scaling[0]
TRIALS = 512
LEVEL = {2: 0.58, 3: 0.78, 4: 0.36, 5: 0.61}
"""The planted chance of each size in the ambush today."""
STEPS = {"at the start, one Green Bandit less": 0.22, "at the start, one Green Bandit more": -0.18}
"""What the changes come to; others come to nothing."""
NO_STEP = dict.fromkeys(STEPS, 0.0)


class PlantedRunner:
    """Stands for a runner: the chance of a party is its size's, and more or less by who is in it."""

    def __init__(self, level: dict[int, float], steps: dict[str, float]) -> None:
        """Keep what is planted."""
        self.game, self.level = GAME, level
        self.steps = {
            f"{path}={value}": steps.get(change.says, 0.0)
            for change in SHIPPED.changes for path, value in change.set.items()
        }  # fmt: skip

    def __call__(
        self, queries: Sequence[Query], measure: Wins, work: str, *, skip_illegal: bool = False, share: bool = True
    ) -> list[int]:
        """Return what each party wins."""
        return [round(measure.trials * self.chance(query)) for query in queries]

    def chance(self, query: Query) -> float:
        """Return the planted chance."""
        heroes = query.side_a.split(",")
        who = mean(len(hero) % 7 - 3 for hero in heroes) / 40
        more = sum(self.steps.get(change, 0.0) for change in query.changes)
        return min(max(self.level[len(heroes)] + who + more, 0.01), 0.99)


def planted(level: dict[int, float] = LEVEL, steps: dict[str, float] = STEPS) -> dict[str, pl.DataFrame]:
    """Return the tables of the shipped question over planted chances."""
    return scaling_frames(cast("Runner", PlantedRunner(level, steps)), [SHIPPED])


FRAMES = planted()


def shrunk(wins: Sequence[int]) -> list[float]:
    """Return the chances of parties without what the dice add, as the definition has it."""
    rates = [won / TRIALS for won in wins]
    noise, middle = mean(rate * (1 - rate) for rate in rates) / (TRIALS - 1), mean(rates)
    dice_share = min(1.0, noise / variance(rates))
    return [middle + (1 - dice_share) ** 0.5 * (rate - middle) for rate in rates]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_number_of_a_size_follows_from_its_parties(size: int) -> None:
    groups = FRAMES["scaling_groups"]
    for case in SHIPPED.cases:
        part = groups.filter(case=case.label, size=size, change="")
        row = FRAMES["scaling_sizes"].row(
            by_predicate=(pl.col("case") == case.label) & (pl.col("size") == size), named=True
        )
        chances = shrunk(part["wins"].to_list())
        assert part["chance"].to_list() == pytest.approx(chances)
        assert (row["worst"], row["median"], row["best"]) == pytest.approx(
            (min(chances), median(chances), max(chances))
        )
        assert row["low"] <= row["median"] <= row["high"]
        assert row["best_name"] == part["name"][chances.index(max(chances))]
        assert row["n_groups"] == part.height == {2: 28, 3: 32, 4: 18, 5: 4}[size]
        assert row["choices"] == ["policy=focus"]


def test_the_sizes_that_lie_apart_are_changed_by_what_helps() -> None:
    changes = FRAMES["scaling_changes"]
    assert dict(changes.select("size", "change").iter_rows()) == {
        2: "", 3: "at the start, one Green Bandit more", 4: "at the start, one Green Bandit less", 5: "",
    }  # fmt: skip
    for row in changes.iter_rows(named=True):
        changed = FRAMES["scaling_groups"].filter(size=row["size"], change=row["change"], case=SHIPPED.cases[0].label)
        assert row["then_median"] == pytest.approx(median(changed["chance"].to_list()))
    assert not any(changes["sure_today"])
    assert all(sure > 0.9 for sure in changes["sure"])


def test_sizes_that_are_alike_are_left_alone() -> None:
    changes = planted(dict.fromkeys(LEVEL, 0.6))["scaling_changes"]
    assert changes["change"].to_list() == [""] * 4
    assert changes["tried"].sum() == 0
    assert all(sure > 0.9 for sure in changes["sure_today"])


def test_what_helps_nothing_is_not_advised() -> None:
    changes = planted(LEVEL, NO_STEP)["scaling_changes"]
    assert changes["change"].to_list() == [""] * 4
    assert changes.filter(size=4)["tried"][0] == 3
    assert changes["then_median"].to_list() == changes["median"].to_list()


def test_a_planted_change_moves_its_own_size_alone() -> None:
    changes = planted({**LEVEL, 2: 0.9})["scaling_changes"]
    before, after = FRAMES["scaling_changes"], changes
    assert after.filter(size=2)["median"][0] > before.filter(size=2)["median"][0] + 0.25
    assert after.filter(pl.col("size") > 2)["median"].to_list() == before.filter(pl.col("size") > 2)["median"].to_list()


@pytest.mark.slow("test_what_helps_nothing_is_not_advised")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rung": "duel"}, "is not a kind of question in which groups win"),
        ({"sizes": [5, 6]}, "is the size of no group"),
        ({"cases": [{"id": "a", "label": "A", "other": "no_such_encounter"}]}, "no_such_encounter"),
    ],
)
def test_what_cannot_be_asked_is_said_and_left_out(change: dict[str, Any], message: str) -> None:
    wanted = ReportScaling.model_validate(SHIPPED.model_dump() | change)
    faults: list[Fault] = list(scaling_faults(wanted, GAME))
    assert any(message in str(fault) for fault in faults)
    assert not list(scaling_faults(SHIPPED, GAME))


def test_a_panel_plays_otherwise_today_and_changed() -> None:
    ways = FRAMES["scaling_ways"]
    assert ways["choices"].to_list() == ["policy=spend_for_kill"] * 4
    assert ways["n_groups"].to_list() == [6, 6, 6, 4]
    moved = dict(ways.select("size", pl.col("then_median") - pl.col("median")).iter_rows())
    assert moved == pytest.approx({2: 0.0, 3: -0.18, 4: 0.22, 5: 0.0}, abs=0.01)
    for size, middle in ways.select("size", "median").iter_rows():
        assert middle == pytest.approx(FRAMES["scaling_changes"].filter(size=size)["median"][0], abs=0.03)


def test_nothing_is_asked_where_nothing_is_wanted() -> None:
    assert scaling_frames(cast("Runner", PlantedRunner(LEVEL, STEPS)), []) == {}
