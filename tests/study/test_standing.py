"""Where entrants stand before and after a change, held against plain loops over tables written by hand."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from balance.analysis.scores.scores import read_scores
from balance.answers.form import Records
from balance.answers.media.frames import frame_of
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.compare.answer import Standing
from balance.study.compare.compare import SCHEMA, compare_catalogues
from balance.study.compare.standings import STANDING_COLUMNS, score_grids, shared_entrants, standing_table
from balance.study.settings.patch import Patch, PatchSettings
from balance.study.settings.settings import Study, StudySettings

NAMES = ("rat", "knight", "ogre")


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def study(**more: Any) -> Study:
    return Study(StudySettings.model_validate({"game": "skirmish"} | more), Path("study.toml"))


def patched(game: LoadedGame, **values: int) -> LoadedGame:
    told = {f"fighters.{path.replace('__', '.')}": value for path, value in values.items()}
    return Patch("patch", PatchSettings.model_validate({"set": told}), Path("patch.toml")).apply(game)


def random_changes(seed: int, scenes: int = 3, unplayed: float = 0.2) -> pl.DataFrame:
    """Every match-up in every situation: exact, simulated or not played, and also of each with itself."""
    rng, rows = np.random.default_rng(seed), []
    for scene in range(scenes):
        for a, b in [*combinations(NAMES, 2), *((name, name) for name in NAMES)]:
            row: dict[str, Any] = {"situation": f"s{scene // 2}", "policies": f"p{scene % 2}", "a": a, "b": b}
            row |= {"touched": bool(rng.random() < 0.5), "method": "exact", "n_pairs": 0, "effect": "none"}
            if rng.random() >= unplayed:
                before, after = rng.random(2).tolist()
                found = {"before": before, "after": after, "difference": after - before}
                row |= found
                if rng.random() < 0.5:
                    for name, value in found.items():
                        row |= {f"{name}_low": value - rng.random() / 10, f"{name}_high": value + rng.random() / 10}
            rows.append(row)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def by_hand(changes: pl.DataFrame, name: str, column: str) -> tuple[float, float, float] | None:
    """Return the mean of a column for one entrant with its ends, row by row; None if nothing of it was played."""
    least = -1.0 if column == "difference" else 0.0
    scenes = {(row["situation"], row["policies"]) for row in changes.to_dicts()}
    middle = 0.0 if column == "difference" else 0.5
    values, lows, highs = ([middle] * len(scenes) for _ in range(3))
    for row in changes.to_dicts():
        if row["a"] == row["b"] or name not in (row["a"], row["b"]):
            continue
        if row[column] is None:
            lows.append(least)
            highs.append(1.0)
            continue
        value, low, high = row[column], row[f"{column}_low"], row[f"{column}_high"]
        low, high = (value if low is None else low), (value if high is None else high)
        if name == row["b"]:
            value, low, high = (2 * middle - number for number in (value, high, low))
        values.append(value)
        lows.append(low)
        highs.append(high)
    found = (sum(values) / len(values), sum(lows) / len(lows), sum(highs) / len(highs))
    return found if len(values) > len(scenes) else None


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("unplayed", [0.0, 0.2, 0.8])
def test_a_mean_score_is_over_everybody_in_every_situation(seed: int, unplayed: float) -> None:
    game, changes = load("skirmish"), random_changes(seed, unplayed=unplayed)
    standing = standing_table(study(policies={"a_effort": ["bold"]}), game, game, changes)
    assert dict(standing.schema) == STANDING_COLUMNS
    assert standing["entrant"].to_list() == list(NAMES)
    for row in standing.iter_rows(named=True):
        for column in ("before", "after", "difference"):
            told, expected = (
                [row[f"{column}{end}"] for end in ("", "_low", "_high")],
                by_hand(changes, row["entrant"], column),
            )
            if expected is None:
                assert told == [None, None, None]
            elif expected[1] == pytest.approx(expected[2]):
                assert told == [pytest.approx(expected[0]), None, None]
            else:
                assert told == pytest.approx(list(expected))
                assert told[1] <= told[0] <= told[2]


def test_touched_match_ups_are_counted_for_both_sides() -> None:
    game, changes = load("skirmish"), random_changes(3)
    standing = standing_table(study(), game, game, changes)
    touched = [{row["a"], row["b"]} for row in changes.to_dicts() if row["touched"]]
    assert standing["n_touched"].to_list() == [sum(name in both for both in touched) for name in NAMES]
    none = standing_table(study(), game, game, changes.with_columns(touched=pl.lit(value=False)))
    assert none["n_touched"].to_list() == [0, 0, 0]


def test_a_mean_score_is_that_of_the_report() -> None:
    before = load("skirmish")
    after = patched(before, knight__health=9, ogre__cost_points=40)
    affected = compare_catalogues(study(), before, after).affected
    standing = frame_of(Records(Standing, affected.standing)).sort("entrant")
    for side, game in (("before", before), ("after", after)):
        scores = read_scores(game)
        told = dict(zip(scores.names, scores.mean.tolist(), strict=True))
        assert dict(standing.select("entrant", side).iter_rows()) == pytest.approx(told, abs=1e-9)
    costs = standing.select("entrant", "cost_before", "cost_after").rows()
    assert costs == [("knight", 20.0, 20.0), ("ogre", 35.0, 40.0), ("rat", 5.0, 5.0)]
    assert standing["difference_low"].null_count() == 3


def test_a_fighter_alone_scores_one_half_and_what_is_not_there_is_not_compared() -> None:
    game, alone = load("skirmish"), study(entrants=["knight"])
    changes = random_changes(0, unplayed=0.0).filter(pl.col("a") == pl.col("b"), pl.col("a") == "knight")
    row = standing_table(alone, game, game, changes).row(0, named=True)
    assert (row["before"], row["after"], row["difference"], row["difference_low"]) == (0.5, 0.5, 0.0, None)
    dear = patched(game, ogre__cost_points=99)
    assert shared_entrants(study(max_cost_points=50), game, dear) == ["rat", "knight"]
    assert shared_entrants(study(max_cost_points=50), dear, game) == ["rat", "knight"]


def exact(rows: list[tuple[str, str, float, float]]) -> pl.DataFrame:
    told = [
        {"situation": "", "policies": "", "a": a, "b": b, "touched": True}
        | {"before": before, "after": after, "difference": after - before}
        for a, b, before, after in rows
    ]
    return pl.DataFrame(told, schema=SCHEMA, orient="row")


ALONE = exact([("rat", "knight", 0.1, 0.6), ("rat", "ogre", 0.1, 0.6), ("knight", "ogre", 0.4, 0.4)])
"""A rat, which costs least, becomes better than both others."""
DOMINATED = ("dominated_before", "dominated_after", "dominated_by_before", "dominated_by_after")


def test_who_is_dominated_is_told_with_the_witness() -> None:
    game = load("skirmish")
    table = standing_table(study(), game, game, ALONE)
    assert table.select("entrant", *DOMINATED).rows() == [
        ("rat", False, False, None, None),
        ("knight", False, True, None, ["rat"]),
        ("ogre", False, True, None, ["rat"]),
    ]
    with_policies = standing_table(study(policies={"a_effort": ["bold"]}), game, game, ALONE)
    assert with_policies.select(DOMINATED).rows() == [(None,) * 4] * 3


def test_costs_of_either_side_decide_who_is_dominated() -> None:
    game = load("skirmish")
    dear = patched(game, rat__cost_points=30)
    table = standing_table(study(), dear, game, ALONE.with_columns(before=pl.col("after")))
    assert table.select("entrant", *DOMINATED).rows() == [
        ("rat", False, False, None, None),
        ("knight", False, True, None, ["rat"]),
        ("ogre", True, True, ["rat"], ["rat"]),
    ]


MIXED = exact([("rat", "knight", 0.6, 0.46), ("rat", "ogre", 0.5, 0.4), ("knight", "ogre", 0.44, 0.44)])
"""Half the rat and half the ogre cost what the knight does, and from now on gain at least 0.01 on it."""


def test_who_is_dominated_by_a_mixture_is_told_with_its_shares() -> None:
    game, shares = load("skirmish"), ("shares_before", "shares_after")
    table = standing_table(study(), game, game, MIXED)
    assert table.select("entrant", *DOMINATED, *shares).rows() == [
        ("rat", False, False, None, None, None, None),
        ("knight", True, True, ["rat"], ["rat", "ogre"], None, [0.5, 0.5]),
        ("ogre", True, False, ["rat"], None, None, None),
    ]
    dear = patched(game, ogre__cost_points=36)
    dearer = standing_table(study(), game, dear, MIXED).filter(entrant="knight")
    assert dearer.select("dominated_by_after", "shares_after").rows() == [(["rat", "ogre"], [0.6, 0.4])]


def test_what_one_gains_the_other_loses() -> None:
    grids = score_grids(ALONE, NAMES, "difference")
    assert grids.value.shape == (1, 3, 3)
    assert np.allclose(grids.value[0], [[0, 0.5, 0.5], [-0.5, 0, 0.0], [-0.5, 0.0, 0]])
    assert np.allclose(grids.low, -np.swapaxes(grids.high, 1, 2))


def test_across_factions_a_mean_score_is_over_those_whom_one_meets() -> None:
    """A mean score of a hero is over the enemies, one of an enemy over the heroes; nobody is dominated."""
    study = Study(StudySettings(game="immortal_souls", entrants=["ecarus", "shae"]), Path("study.toml"))
    loaded = study.open()
    field = study.field(loaded)
    scores = {("ecarus", foe): 0.75 for foe in field[2:]} | {("shae", foe): 0.25 for foe in field[2:]}
    rows = [
        {"situation": "", "policies": "", "a": a, "b": b, "touched": a == "shae"}
        | {f"{name}{end}": 0.0 if name == "difference" else score for name in ("before", "after", "difference")
           for end in ("", "_low", "_high")}
        for (a, b), score in scores.items()
    ]  # fmt: skip
    table = standing_table(study, loaded, loaded, pl.DataFrame(rows))
    assert table["entrant"].to_list() == list(field)
    assert table["before"].to_list() == [0.75, 0.25] + [0.5] * (len(field) - 2)
    assert table["dominated_before"].null_count() == len(field)
    assert table["n_touched"].to_list() == [0, len(field) - 2] + [1] * (len(field) - 2)
