"""Score tables from any source: what is read from them, and that methods find what was planted and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis import (
    duel_matrix,
    duel_table,
    fair_prices,
    first_mover_advantage,
    never_worth_taking,
    rating_table,
    score_table,
)
from balance.analysis.scores import read_scores
from balance.errors import CatalogueError, UsageError

NAMES = tuple("abcdefghijkl")
THETA = np.linspace(-1.5, 1.5, len(NAMES))
FAIR = dict(zip(NAMES, np.exp(3.5 + 0.4 * THETA).tolist(), strict=True))


def table(seed: int | None = 0, games: int = 4000) -> pl.DataFrame:
    """Return scores of a ladder, each pair once, as so many games at a table would have them; exact without a seed."""
    rng = np.random.default_rng(seed)
    rows = []
    for i, one in enumerate(NAMES):
        for j in range(i + 1, len(NAMES)):
            p = 1 / (1 + np.exp(THETA[j] - THETA[i]))
            score = p if seed is None else rng.binomial(games, p) / games
            rows.append({"one": one, "other": NAMES[j], "score": score, "n": None if seed is None else games})
    return pl.DataFrame(rows, schema_overrides={"n": pl.Int64})


def test_rows_of_both_orders_of_one_and_repeated_ones() -> None:
    frame = pl.DataFrame(
        {
            "one": ["x", "y", "x", "z"],
            "other": ["y", "x", "y", "x"],
            "score": [0.5, 0.3, 0.8, 0.2],
            "n": [10, 40, 20, 5],
        }
    )
    found = read_scores(frame)
    assert found.names == ("x", "y", "z")
    assert found.first[0, 1] == pytest.approx((0.5 * 10 + 0.8 * 20) / 30)  # x first, pooled by games
    assert found.both[0, 1] == pytest.approx((0.7 + 0.7) / 2)
    assert found.both[0, 2] == pytest.approx(0.8)  # told in one order only: the same from either seat
    assert found.weight.tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 1]]
    assert duel_matrix(frame)["z"].to_list() == [pytest.approx(0.8), None, 0.5]
    assert first_mover_advantage(frame).filter(a="x", b="y")["advantage"].item() == pytest.approx(0.7 - 0.7)


def test_an_error_is_had_from_any_of_its_three_forms() -> None:
    forms: list[dict[str, float]] = [
        {"error": 0.05},
        {"low": 0.5 - 1.959964 * 0.05, "high": 0.5 + 1.959964 * 0.05},
        {"n": 96},
    ]
    for form in forms:
        found = read_scores(pl.DataFrame([{"one": "x", "other": "y", "score": 0.5, **form}]))
        assert found.half_widths[0, 1] / 5 == pytest.approx(0.05, abs=1e-6)
    assert read_scores(pl.DataFrame([{"one": "x", "other": "y", "score": 0.5}])).error.max() == 0
    certain = read_scores(pl.DataFrame([{"one": "x", "other": "y", "score": 1.0, "n": 3}]))
    assert certain.error[0, 1] > 0.1  # three wins of three are no certainty


def test_games_one_by_one_are_the_same_as_their_sum() -> None:
    won = [1.0, 1.0, 0.5, 0.0, 1.0]
    single = pl.DataFrame({"one": ["x"] * 5, "other": ["y"] * 5, "score": won, "n": [1] * 5})
    pooled = pl.DataFrame({"one": ["x"], "other": ["y"], "score": [0.7], "n": [5]})
    one, other = read_scores(single), read_scores(pooled)
    assert one.first == pytest.approx(other.first)
    assert one.error == pytest.approx(other.error)


def test_a_run_and_duels_are_score_tables_too() -> None:
    duels = duel_table(balance.load("warforged"), ["nexus+shotgun", "trooper+shotgun"])
    found = read_scores(duels)
    run = pl.DataFrame({"a": ["x"], "b": ["y"], "score": [0.4], "low": [0.38], "high": [0.42], "n_pairs": [5000]})
    assert found.first[0, 1] == duels["p_a"][1] + duels["p_draw"][1] / 2
    assert read_scores(run).both[1, 0] == pytest.approx(0.6)
    exact = run.with_columns(low=None, high=None, n_pairs=0)
    assert read_scores(exact).error.max() == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (pl.col("score").alias("points"), None),
        (pl.lit(1.2).alias("score"), "row 1: is no score from 0 to 1"),
        (pl.lit(None, pl.Float64).alias("score"), "row 1: is no score from 0 to 1"),
        (pl.lit(-0.1).alias("error"), "row 1: has a negative error"),
        (pl.lit("much").alias("score"), "a score table holds numbers"),
        (pl.lit(None, pl.String).alias("other"), "row 1: names nobody"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_by_row(change: pl.Expr, told: str | None) -> None:
    frame = pl.DataFrame({"one": ["x"], "other": ["y"], "score": [0.5]}).with_columns(change)
    if told is None:
        with pytest.raises(UsageError, match="score is missing"):
            read_scores(frame.drop("score"))
    else:
        with pytest.raises(UsageError, match=told):
            read_scores(frame)


def test_parts_that_never_met_are_not_compared() -> None:
    frame = pl.DataFrame({"one": ["x", "v"], "other": ["y", "w"], "score": [0.5, 0.6]})
    with pytest.raises(UsageError, match="x and v never met"):
        rating_table(frame)


def test_a_planted_fault_of_a_price_is_found_with_its_size_and_nothing_else() -> None:
    costs = FAIR | {"e": FAIR["e"] * 1.5, "i": FAIR["i"] / 1.5}
    frame = fair_prices(table(), costs=costs)
    words = dict(frame.select("entrant", "verdict").rows())
    assert (words.pop("e"), words.pop("i")) == ("overpriced", "underpriced")
    assert not {"overpriced", "underpriced"} & set(words.values())
    for name in "ei":
        row = frame.row(by_predicate=pl.col("entrant") == name, named=True)
        assert row["fair_points"] == pytest.approx(FAIR[name], rel=0.12)
        assert row["excess_low"] <= costs[name] - FAIR[name] <= row["excess_high"]


def test_a_fair_table_is_called_fair() -> None:
    wrong = fair = 0
    for seed in range(20):
        words = fair_prices(table(seed), costs=FAIR, seed=seed)["verdict"].to_list()
        wrong += any(word in ("overpriced", "underpriced") for word in words)
        fair += words.count("fair") > len(words) / 2
    assert wrong <= 3  # simultaneous intervals at 95 %: more than 3 of 20 come up once in sixty such tests
    assert fair >= 18


def test_fewer_games_give_wider_intervals() -> None:
    def width(frame: pl.DataFrame) -> float:
        found = fair_prices(frame, costs=FAIR)
        return float((found["fair_high"] - found["fair_low"]).sum())

    assert width(table(1, 30)) > 3 * width(table(1, 4000))
    assert width(table(1, 4000)) > width(table(None))


def test_ratings_hold_the_truth_and_too_narrow_ones_do_not() -> None:
    missed = narrow = 0
    for seed in range(40):
        found = rating_table(table(seed, 200), seed=seed).sort("entrant")
        low, high = found["low"].to_numpy(), found["high"].to_numpy()
        middle, half = (low + high) / 2, (high - low) / 2
        missed += bool((np.abs(THETA - middle) > half).any())
        narrow += bool((np.abs(THETA - middle) > half / 3).any())
    assert missed <= 6  # of 40 at 95 %: more come up once in a hundred such tests
    assert narrow > 20


def test_the_order_of_rows_and_the_names_change_nothing() -> None:
    frame, costs = table(3), FAIR | {"d": 60.0}
    plain = fair_prices(frame, costs=costs)
    turned = frame.with_columns(one="other", other="one", score=1 - pl.col("score")).reverse()
    assert fair_prices(turned, costs=costs).sort("entrant").equals(plain)
    names = {name: f"Unit {100 - at}" for at, name in enumerate(NAMES)}
    renamed = fair_prices(
        frame.with_columns(pl.col("one", "other").replace(names)), costs={names[k]: v for k, v in costs.items()}
    )
    assert renamed.with_columns(pl.col("entrant").replace({new: old for old, new in names.items()})).equals(plain)
    assert rating_table(turned).sort("entrant").equals(rating_table(frame).sort("entrant"))
    assert (
        never_worth_taking(turned, costs=costs)
        .sort("entrant")
        .equals(never_worth_taking(frame, costs=costs).sort("entrant"))
    )


def test_a_copy_of_an_entrant_changes_nothing_else_if_copies_count_once() -> None:
    frame, costs = table(None), FAIR | {"d": 60.0}
    copied = [
        row | {axis: "d again"} for row in frame.rows(named=True) for axis in ("one", "other") if row[axis] == "d"
    ]
    more = pl.concat(
        [frame, pl.DataFrame([*copied, {"one": "d", "other": "d again", "score": 0.5, "n": None}], frame.schema)]
    )
    plain = fair_prices(frame, costs=costs, once=True)
    found = fair_prices(more, costs=costs | {"d again": 60.0}, once=True)
    numbers = pl.col(pl.Float64).round(6)
    assert found.filter(pl.col("entrant") != "d again").with_columns(numbers).equals(plain.with_columns(numbers))
    again, original = (found.filter(entrant=name).drop("entrant").row(0) for name in ("d again", "d"))
    assert again == original
    assert not fair_prices(more, costs=costs | {"d again": 60.0}).head(12).with_columns(numbers).equals(plain)
    assert set(never_worth_taking(more, costs=costs | {"d again": 60.0})["entrant"]) - {"d again"} == set(
        never_worth_taking(frame, costs=costs)["entrant"]
    )


@pytest.mark.parametrize("game", ["battlelore", "edadh"])
def test_a_game_where_all_cost_the_same_has_ratings_and_no_prices(game: str) -> None:
    loaded = balance.load(game)
    with pytest.raises(UsageError, match=r"entrants cost \d+, so none can cost more") as told:
        fair_prices(loaded)
    assert "rating_table" in str(told.value)


def test_every_game_has_ratings() -> None:
    few = {"warforged": 3, "battlelore": 3, "edadh": 2}
    for name, n in few.items():
        loaded = balance.load(name)
        found = rating_table(loaded, loaded.entrants[:n])
        assert found.height == n
        assert found["rating"].is_sorted(descending=True)


def test_a_table_without_costs_is_told_so_and_whom_they_lack() -> None:
    with pytest.raises(UsageError, match="nobody said what these cost: b"):
        fair_prices(table(), ["a", "b"], costs={"a": 3})


ITALIAN = "\ufeffuno;altro;punteggio;partite\r\nElfi;Orchi;0,6;40\r\nOrchi;Troll;0,25;20\r\n"


def test_a_log_from_an_italian_spreadsheet_is_read(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(ITALIAN, "utf-8")
    found = read_scores(score_table(tmp_path / "log.csv"))
    assert found.names == ("Elfi", "Orchi", "Troll")
    assert found.both[0, 1] == pytest.approx(0.6)
    assert found.both[2, 1] == pytest.approx(0.75)
    assert rating_table(score_table(tmp_path / "log.csv"))["entrant"].to_list() == ["Troll", "Elfi", "Orchi"]


def test_a_log_with_faults_is_told_with_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("one,other,score,n\nelf,orc,much,3\n,orc,0.5,1.5\n", "utf-8")
    with pytest.raises(CatalogueError) as told:
        score_table(tmp_path / "log.csv")
    assert {(fault.row, fault.field) for fault in told.value.faults} >= {(2, "score"), (3, "n")}


def test_the_page_about_scores_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(balance.__file__).parents[1] / "docs" / "scores.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    (log,) = re.findall("```csv\n(.*?)```", page, re.DOTALL)
    (tmp_path / "log.csv").write_text(log, "utf-8")
    known: dict[str, pl.DataFrame] = {}
    for code in re.findall("```python\n(.*?)```", page, re.DOTALL):
        exec(code, known)
        if "log" in known:
            assert known["ratings"]["entrant"][0] in ("Giants", "blue_foot+short_sword", "red_foot+short_sword")
    assert "not yet known" in known["prices"]["verdict"]
    assert known["beaten"].columns[0] == "entrant"
