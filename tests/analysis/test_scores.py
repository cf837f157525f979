"""Score tables from any source: what is read from them, and that methods find what was planted and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance
from balance.analysis import (
    duel_matrix,
    duel_table,
    first_mover_advantage,
    never_worth_taking,
    rating_table,
    score_table,
)
from balance.analysis.scores.scores import Scores, known_costs, read_scores
from balance.base.errors import CatalogueError, UsageError
from balance.engine.runner import Runner

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
    assert found.either_seat[0, 1] == pytest.approx((0.7 + 0.7) / 2)
    assert found.either_seat[0, 2] == pytest.approx(0.8)  # told in one order only: the same from either seat
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
    duels = duel_table(Runner(balance.load("warforged")), ["nexus+shotgun", "trooper+shotgun"])
    found = read_scores(duels)
    run = pl.DataFrame({"a": ["x"], "b": ["y"], "score": [0.4], "low": [0.38], "high": [0.42], "n_pairs": [5000]})
    assert found.first[0, 1] == duels["p_a"][1] + duels["p_draw"][1] / 2
    assert read_scores(run).either_seat[1, 0] == pytest.approx(0.6)
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


def test_fewer_games_give_wider_intervals() -> None:
    def width(frame: pl.DataFrame) -> float:
        found = rating_table(frame)
        return float((found["high"] - found["low"]).sum())

    assert width(table(1, 30)) > 3 * width(table(1, 4000))
    assert width(table(1, 4000)) > width(table(None))


@pytest.mark.parametrize(("n", "most", "least"), [(8, 3, 3), pytest.param(40, 6, 21, marks=pytest.mark.slow)])
def test_ratings_hold_the_truth_and_too_narrow_ones_do_not(n: int, most: int, least: int) -> None:
    missed = narrow = 0
    for seed in range(n):
        found = rating_table(table(seed, 200), seed=seed).sort("entrant")
        low, high = found["low"].to_numpy(), found["high"].to_numpy()
        middle, half = (low + high) / 2, (high - low) / 2
        missed += bool((np.abs(THETA - middle) > half).any())
        narrow += bool((np.abs(THETA - middle) > half / 3).any())
    assert missed <= most  # 6 of 40 at 95 %: more come up once in a hundred such tests; 3 of 8: once in a thousand
    assert narrow >= least


def test_the_order_of_rows_and_the_names_change_nothing() -> None:
    frame, costs = table(3), FAIR | {"d": 60.0}
    plain = rating_table(frame).sort("entrant")
    turned = frame.with_columns(one="other", other="one", score=1 - pl.col("score")).reverse()
    assert rating_table(turned).sort("entrant").equals(plain)
    names = {name: f"Unit {100 - at}" for at, name in enumerate(NAMES)}
    renamed = rating_table(frame.with_columns(pl.col("one", "other").replace(names)))
    back = pl.col("entrant").replace({new: old for old, new in names.items()})
    assert renamed.with_columns(back).sort("entrant").equals(plain)
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
    plain = rating_table(frame, once=True)
    found = rating_table(more, once=True)
    numbers = pl.col(pl.Float64).round(6)
    assert found.filter(pl.col("entrant") != "d again").with_columns(numbers).equals(plain.with_columns(numbers))
    again, original = (found.filter(entrant=name).drop("entrant").row(0) for name in ("d again", "d"))
    assert again == original
    assert not rating_table(more).filter(pl.col("entrant") != "d again").with_columns(numbers).equals(plain)
    assert set(never_worth_taking(more, costs=costs | {"d again": 60.0})["entrant"]) - {"d again"} == set(
        never_worth_taking(frame, costs=costs)["entrant"]
    )


@pytest.mark.parametrize(("name", "n"), [("warforged", 3), ("battlelore", 3), ("edadh", 2)])
def test_every_game_has_ratings(name: str, n: int) -> None:
    loaded = balance.load(name)
    found = rating_table(loaded, loaded.entrants[:n])
    assert found.height == n
    assert found["rating"].is_sorted(descending=True)


def test_a_table_without_costs_is_told_so_and_whom_they_lack() -> None:
    with pytest.raises(UsageError, match="nobody said what these cost: b"):
        never_worth_taking(table(), ["a", "b"], costs={"a": 3})


ITALIAN = "\ufeffuno;altro;punteggio;partite\r\nElfi;Orchi;0,6;40\r\nOrchi;Troll;0,25;20\r\n"


def test_a_log_from_an_italian_spreadsheet_is_read(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(ITALIAN, "utf-8")
    found = read_scores(score_table(tmp_path / "log.csv"))
    assert found.names == ("Elfi", "Orchi", "Troll")
    assert found.either_seat[0, 1] == pytest.approx(0.6)
    assert found.either_seat[2, 1] == pytest.approx(0.75)
    assert rating_table(score_table(tmp_path / "log.csv"))["entrant"].to_list() == ["Troll", "Elfi", "Orchi"]


def test_a_log_with_faults_is_told_with_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("one,other,score,n\nelf,orc,much,3\n,orc,0.5,1.5\n", "utf-8")
    with pytest.raises(CatalogueError) as told:
        score_table(tmp_path / "log.csv")
    assert {(fault.row, fault.field) for fault in told.value.faults} >= {(2, "score"), (3, "n")}


def test_the_page_about_scores_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(balance.__file__).parents[1] / "docs" / "how-to" / "scores.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    (log,) = re.findall("```csv\n(.*?)```", page, re.DOTALL)
    (tmp_path / "log.csv").write_text(log, "utf-8")
    known: dict[str, pl.DataFrame] = {}
    for code in re.findall("```python\n(.*?)```", page, re.DOTALL):
        exec(code, known)
        if "log" in known:
            assert known["ratings"]["entrant"][0] in ("Giants", "blue_foot+short_sword", "red_foot+short_sword")
    assert known["beaten"].columns[0] == "entrant"


# -- the same scores by plain loops, and every word --------------------------------------------------------------------


@st.composite
def logs(draw: st.DrawFn) -> pl.DataFrame:
    """Return a log of games, some of them with errors, intervals or numbers, in which all met the first."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(2, 5))
    pairs = [("e0", f"e{k}") for k in range(1, n)]
    pairs += [(f"e{i}", f"e{j}") for i, j in rng.integers(0, n, (draw(st.integers(0, 8)), 2)).tolist()]
    rows = []
    for one, other in pairs:
        score, error = float(rng.uniform(0, 1)), float(rng.uniform(0.01, 0.1))
        row: dict[str, object] = {"one": one, "other": other, "score": score}
        form = rng.integers(0, 4)
        if form == 1:
            row["error"] = error
        if form == 2:
            row |= {"low": score - error, "high": score + 2 * error}
        if form == 3:
            row["n"] = int(rng.integers(-3, 50))  # none or fewer are not told
        if rng.integers(0, 2):
            row["weight"] = float(rng.uniform(0.1, 3))
        rows.append(row)
    kinds = dict.fromkeys(("score", "low", "high", "error", "n", "weight"), pl.Float64)
    return pl.DataFrame(rows, schema={"one": pl.String, "other": pl.String, **kinds})


def by_hand(log: pl.DataFrame) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Return (score, error, weight) of each ordered match-up that was told."""
    found: dict[tuple[str, str], list[dict[str, float | None]]] = {}
    for row in log.iter_rows(named=True):
        found.setdefault((row["one"], row["other"]), []).append(row)
    told = {}
    for pair, rows in found.items():
        games, own = [], []
        for row in rows:
            told_n = max(row["n"] or 0.0, 0.0)
            games.append(told_n or 1.0)
            low, high = row["low"], row["high"]
            if row["error"] is not None:
                own.append(row["error"])
            elif low is not None and high is not None:
                own.append((high - low) / 2 / 1.959963984540054)
        total = sum(games)
        score = sum(g * float(row["score"] or 0) for g, row in zip(games, rows, strict=True)) / total
        if len(own) == len(rows):
            error = sum((g * e) ** 2 for g, e in zip(games, own, strict=True)) ** 0.5 / total
        elif any((row["n"] or 0.0) > 0 for row in rows):
            share = (score * total + 2) / (total + 4)
            error = (share * (1 - share) / (total + 4)) ** 0.5
        else:
            error = 0.0
        weights = [1.0 if row["weight"] is None else row["weight"] for row in rows]
        told[pair] = (score, error, sum(weights) / len(rows))
    return told


@settings(max_examples=60, deadline=None)
@given(logs())
def test_a_log_is_read_as_a_plain_loop_reads_it(log: pl.DataFrame) -> None:
    told, found = by_hand(log), read_scores(log)
    assert set(found.names) == {name for pair in told for name in pair}
    for i, one in enumerate(found.names):
        for j, other in enumerate(found.names):
            there, back = told.get((one, other)), told.get((other, one))
            if there is None and back is None:
                wanted = (0.5, 0.0, 1.0 if i == j else 0.0)
            elif there is not None and back is not None:
                wanted = (there[0], there[1], (there[2] + back[2]) / 2)
            elif there is not None:
                wanted = (there[0], there[1] * 2**0.5, there[2])
            else:
                assert back is not None
                wanted = (1 - back[0], back[1] * 2**0.5, back[2])
            assert (found.first[i, j], found.error[i, j], found.weight[i, j]) == pytest.approx(wanted, abs=1e-12)
    assert found.share.tolist() == [1.0] * len(found.names)


def test_means_and_half_widths_are_what_they_say() -> None:
    rng = np.random.default_rng(1)
    first, error = rng.uniform(0, 1, (3, 3)), rng.uniform(0, 0.1, (3, 3))
    weight = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.5], [0.0, 0.5, 3.0]])
    found = Scores(("a", "b", "c"), first, error, weight, np.array([1.0, 0.5, 2.0]))
    for i in range(3):
        counts = [weight[i, j] * found.share[j] for j in range(3)]
        both = [(first[i, j] + 1 - first[j, i]) / 2 for j in range(3)]
        assert found.second[i].tolist() == [1 - first[j, i] for j in range(3)]
        assert found.either_seat[i] == pytest.approx(both)
        assert found.mean[i] == pytest.approx(sum(c * s for c, s in zip(counts, both, strict=True)) / sum(counts))
        wide = [5 * ((error[i, j] ** 2 + error[j, i] ** 2) / 4) ** 0.5 for j in range(3)]
        assert found.half_widths[i] == pytest.approx(wide)
    some = found.select(np.array([2, 0]))
    assert (some.names, some.share.tolist()) == (("c", "a"), [2.0, 1.0])
    for grid, whole in ((some.first, first), (some.error, error), (some.weight, weight)):
        assert grid.tolist() == [[whole[2, 2], whole[2, 0]], [whole[0, 2], whole[0, 0]]]


def equals(errors: np.ndarray | None = None) -> Scores:
    """Return scores of two alike and one better; the first two are told apart by an error at most."""
    first = np.array([[0.5, 0.5, 0.3], [0.5, 0.5, 0.3], [0.8, 0.8, 0.5]])
    return Scores(("a", "b", "c"), first, np.zeros((3, 3)) if errors is None else errors, np.ones((3, 3)), np.ones(3))


def test_a_settled_order_is_by_score_and_else_as_it_was() -> None:
    assert equals().in_score_order().names == ("a", "b", "c")
    assert equals().select(np.array([2, 1, 0])).in_score_order().names == ("b", "a", "c")


def test_copies_are_those_that_neither_scores_nor_errors_tell_apart() -> None:
    assert equals().copies().tolist() == [0, 0, 2]
    assert equals().counted_once().share.tolist() == [0.5, 0.5, 1.0]
    off = np.zeros((3, 3))
    off[1, 2] = 2e-8
    assert equals(off).copies().tolist() == [0, 1, 2]
    assert equals(off / 10).copies().tolist() == [0, 0, 2]
    turned = equals().select(np.array([2, 1, 0]))
    assert turned.copies().tolist() == [0, 1, 1]


def test_duels_by_simulation_have_the_error_of_so_many_trials() -> None:
    duels = pl.DataFrame(
        {
            "a": ["x", "x", "y", "y"],
            "b": ["x", "y", "x", "y"],
            "p_a": [0.5, 0.7, 0.2, 0.4],
            "p_draw": [0.0, 0.1, 0.2, 0.2],
        }
    )
    found = read_scores(duels.with_columns(n_trials=pl.Series([None, 100, 400, None], dtype=pl.Int64)))
    assert found.first == pytest.approx(np.array([[0.5, 0.75], [0.3, 0.5]]))
    assert found.error == pytest.approx(np.array([[0, 0.05], [0.025, 0]]))
    assert read_scores(duels).error.tolist() == [[0, 0], [0, 0]]
    assert duel_matrix(duels, ["y", "x"])["x"].to_list() == pytest.approx([0.275, 0.5])


def refused(what: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as told:
        what()
    return str(told.value)


ROW = {"one": "x", "other": "y", "score": 0.5}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [{"uno": "x", "score": 1}],
            "a score table needs the columns one, other, score; one, other is missing; its columns are uno, score",
        ),
        ([{**ROW, "score": 1.01}], "score table, row 1: is no score from 0 to 1"),
        ([ROW, {**ROW, "score": -0.01}], "score table, row 2: is no score from 0 to 1"),
        ([{**ROW, "low": 0.6, "high": 0.5}], "score table, row 1: is an interval the wrong way round"),
        ([{**ROW, "error": -1e-9}], "score table, row 1: has a negative error or weight"),
        ([{**ROW, "weight": -1e-9}], "score table, row 1: has a negative error or weight"),
        ([{**ROW, "one": None}], "score table, row 1: names nobody"),
        (
            [ROW, {**ROW, "other": None, "weight": -1.0}, {**ROW, "score": 7.0}],
            "score table, row 3: is no score from 0 to 1\nscore table, row 2: has a negative error or weight\n"
            "score table, row 2: names nobody",
        ),
        ([], "the score table is empty"),
        (
            [ROW, {**ROW, "one": "v", "other": "w"}],
            "x and v never met, nor did any that they met: nothing compares them; give each part of the table by "
            "itself, or play a match-up between them",
        ),
    ],
)
def test_why_a_table_is_refused_is_told(rows: list[dict[str, object]], words: str) -> None:
    kinds = {"one": pl.String, "other": pl.String, "score": pl.Float64}
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(schema=kinds)
    assert refused(lambda: read_scores(frame)) == words


def test_words_where_numbers_belong_are_told_in_one_line() -> None:
    frame = pl.DataFrame([{**ROW, "n": "many " * 100}])
    words = refused(lambda: read_scores(frame))
    assert words.startswith("a score table holds numbers: ")
    assert len(words) == len("a score table holds numbers: ") + 120


def test_the_limits_of_a_table_belong_to_it() -> None:
    rows = [
        {**ROW, "score": 0.0, "low": 0.0, "high": 0.0, "weight": 0.5, "error": 0.0},
        {**ROW, "other": "z", "score": 1.0, "low": 0.9, "high": 0.9, "weight": 1.0, "error": 0.0},
    ]
    assert read_scores(pl.DataFrame(rows)).first.tolist() == [[0.5, 0.0, 1.0], [1.0, 0.5, 0.5], [0.0, 0.5, 0.5]]


def test_names_and_seats_that_are_not_there_are_told() -> None:
    log = pl.DataFrame([ROW])
    assert refused(lambda: read_scores(log, ["x", "yy", "q"])) == (
        "'yy' is not in the scores; allowed: x, y; did you mean y?\n'q' is not in the scores; allowed: x, y"
    )
    assert refused(lambda: duel_matrix(log, first="c")) == "first must be one of a, b, random, found 'c'"


TIP = "give costs, a mapping from entrant to points; rating_table needs none"


def test_what_somebody_costs_is_told_known_or_asked_for() -> None:
    game, log = balance.load("warforged"), pl.DataFrame([ROW])
    names = ["nexus+shotgun", "trooper+sidearm"]
    assert known_costs(game, names, None) == [34.0, 15.0]
    assert known_costs(Runner(game), names, {"nexus+shotgun": 1}) == [1.0, 15.0]
    assert known_costs(log, ["x", "y"], {"x": 3, "y": 4}) == [3.0, 4.0]
    assert known_costs(log, ["x", "y"], None, 0.0) == [0.0, 0.0]
    assert refused(lambda: known_costs(log, ["x", "y"], None)) == f"nobody said what these cost: x, y; {TIP}"
    assert refused(lambda: known_costs(log, ["x", "y"], {"x": 3}, 0.0)) == f"nobody said what these cost: y; {TIP}"


@pytest.mark.parametrize(
    "header",
    [
        "one,other,score,low,high,error,n,weight",
        "a,b,score,low,high,error,games,weight",
        "uno,altro,punteggio,minimo,massimo,errore,partite,peso",
        "primo,secondo,risultato,minimo,massimo,errore,partite,peso",
    ],
)
def test_every_header_of_a_log_has_its_names(header: str, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(f"{header}\nelf,orc,0.25,0.2,0.3,0.01,7,0.5\norc,elf,1,,,,,\n", "utf-8")
    found = score_table(tmp_path / "log.csv")
    kinds = dict.fromkeys(("score", "low", "high", "error", "n", "weight"), pl.Float64)
    assert found.schema == pl.Schema({"one": pl.String, "other": pl.String, **kinds})
    assert found.rows() == [("elf", "orc", 0.25, 0.2, 0.3, 0.01, 7.0, 0.5), ("orc", "elf", 1.0, *[None] * 5)]


def test_a_log_of_a_header_alone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("one,other,score\n", "utf-8")
    with pytest.raises(CatalogueError) as told:
        score_table(str(path))
    assert str(told.value) == f"{path}: the table has a header but no rows"
