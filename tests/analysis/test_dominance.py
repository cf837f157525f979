"""What is never worth taking: against a plain search, whatever the order, the names and the copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance
from balance.analysis.dominance.twins import fighter_twins
from balance.analysis.dominance.undominated import dominance_table, never_worth_taking
from balance.analysis.dominance.witnesses import find_dominators, score_bounds, single_witnesses, witnesses_between
from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.scores import Scores, read_scores
from balance.analysis.scores.tables import duel_table
from balance.engine.runner import Runner
from tests.analysis.test_witnesses import ladder
from tests.toy.game import GAME as TOY

Field = tuple[list[str], list[float], np.ndarray]


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Return a field with few costs and few scores, so that ties are common."""
    n = draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    upper = np.triu(rng.integers(0, 5, (n, n)) / 4, 1)
    scores = upper + np.tril(1 - upper.T, -1)
    np.fill_diagonal(scores, 0.5)
    return [f"e{i}" for i in range(n)], rng.integers(1, 4, n).astype(float).tolist(), scores


def made(names: list[str], scores: np.ndarray, off: float = 0.0) -> Scores:
    """Return scores over both seats, each known to within `off`."""
    errors = np.full_like(scores, off * 2**0.5 / 5)
    return Scores(tuple(names), scores, errors, np.ones_like(scores), np.ones(len(names)))


def search(names: list[str], costs: list[float], scores: np.ndarray) -> dict[str, set[str]]:
    """Return who dominates whom, as the definition reads."""
    n, found = len(names), dict[str, set[str]]()
    for a in range(n):
        for b in range(n):
            gains = [scores[b, k] - scores[a, k] for k in range(n)]
            if a != b and costs[b] <= costs[a] and min(gains) >= -TIE and (costs[b] < costs[a] or max(gains) > TIE):
                found.setdefault(names[a], set()).add(names[b])
    return found


def told(names: list[str], costs: list[float], scores: np.ndarray) -> dict[str, tuple[Any, ...]]:
    """Return what the table says of each entrant that a single one dominates outright."""
    frame = dominance_table(made(names, scores), costs, 0.02).filter(pl.col("outright"), pl.col("shares").is_null())
    return {
        row["entrant"]: (set(row["witnesses"]), row["witness_cost"], row["mean_gain"], row["least_gain"])
        for row in frame.iter_rows(named=True)
    }


def check_against_a_plain_search(field: Field) -> None:
    wanted, found = search(*field), told(*field)
    assert set(found) == set(wanted)
    assert all(witnesses <= wanted[name] for name, (witnesses, *_) in found.items())


@settings(max_examples=12, deadline=None)
@given(fields())
def test_it_is_what_a_plain_search_finds(field: Field) -> None:
    check_against_a_plain_search(field)


@pytest.mark.slow("test_it_is_what_a_plain_search_finds")
@settings(max_examples=150, deadline=None)
@given(fields())
def test_it_is_what_a_plain_search_finds_in_150_fields(field: Field) -> None:
    check_against_a_plain_search(field)


def check_another_order(field: Field, random: Any) -> None:
    names, costs, scores = field
    order = list(range(len(names)))
    random.shuffle(order)
    new = {name: f"x{len(names) - place}" for place, name in enumerate(names)}
    moved = told([new[names[i]] for i in order], [costs[i] for i in order], scores[np.ix_(order, order)])
    assert moved == {
        new[name]: ({new[other] for other in witnesses}, *rest)
        for name, (witnesses, *rest) in told(names, costs, scores).items()
    }


@settings(max_examples=12, deadline=None)
@given(fields(), st.randoms(use_true_random=False))
def test_order_and_names_change_nothing(field: Field, random: Any) -> None:
    check_another_order(field, random)


@pytest.mark.slow("test_order_and_names_change_nothing")
@settings(max_examples=100, deadline=None)
@given(fields(), st.randoms(use_true_random=False))
def test_order_and_names_change_nothing_in_100_fields(field: Field, random: Any) -> None:
    check_another_order(field, random)


def check_a_copy(field: Field, data: st.DataObject) -> None:
    names, costs, scores = field
    twice = data.draw(st.integers(0, len(names) - 1))
    order = [*range(len(names)), twice]
    found = told([*names, "copy"], [costs[i] for i in order], scores[np.ix_(order, order)])
    copied = found.pop("copy", None)
    assert copied == found.get(names[twice])
    assert {name: ({*one[0]} - {"copy"}, *one[1:]) for name, one in found.items()} == told(names, costs, scores)


@settings(max_examples=12, deadline=None)
@given(fields(), st.data())
def test_a_copy_changes_nothing(field: Field, data: st.DataObject) -> None:
    check_a_copy(field, data)


@pytest.mark.slow("test_a_copy_changes_nothing")
@settings(max_examples=100, deadline=None)
@given(fields(), st.data())
def test_a_copy_changes_nothing_in_100_fields(field: Field, data: st.DataObject) -> None:
    check_a_copy(field, data)


def test_a_planted_one_is_found_with_the_witness_that_gains_most() -> None:
    rng = np.random.default_rng(3)
    theta = np.array([0.0, 1.0, -1.0, 0.5, 2.0])
    scores = 1 / (1 + np.exp(-np.subtract.outer(theta, theta)))
    names = ["a", "b", "planted", "better", "best"]
    found = told(names, [10, 30, 20, 20, 20.0 + rng.integers(1, 9)], scores)
    assert set(found) == {"planted", "b"}
    assert found["planted"][0] == {"better"}
    assert found["b"][0] == {"best"}


def test_what_is_a_little_worse_somewhere_is_told_apart() -> None:
    scores = np.array([[0.5, 0.3, 0.61], [0.7, 0.5, 0.6], [0.39, 0.4, 0.5]])
    frame = dominance_table(made(["a", "b", "c"], scores), [10, 10, 1], 0.02)
    assert frame.select("entrant", "outright", "least_gain").rows() == [("a", False, -0.01)]
    assert dominance_table(made(["a", "b", "c"], scores), [10, 10, 1], 0.0).is_empty()


def test_nothing_simulated_is_said_to_be_dominated_as_long_as_it_is_not_certain() -> None:
    scores = np.array([[0.5, 0.4], [0.6, 0.5]])
    for off, found in ((0.0, 1), (0.04, 1), (0.06, 0)):
        assert dominance_table(made(["a", "b"], scores, off), [10, 10], 0.0).height == found
    duels = pl.DataFrame({"a": ["x"], "b": ["x"], "p_a": [0.5], "p_draw": [0.0], "n_trials": [10_000]})
    assert read_scores(duels).half_widths == pytest.approx(np.sqrt(0.5) * 0.025)


NAMES = [f"{unit}+{arm}" for unit in ("trooper", "sentinel", "nexus") for arm in ("shotgun", "smg_pistol")]


@pytest.mark.parametrize(("cells", "pairs"), [(2, [("trooper", "sentinel")]), (12, [])])
def test_twins_are_the_same_fighter_only_where_no_duel_tells_them_apart(cells: int, pairs: list[Any]) -> None:
    """At 2 cells nobody walks; at 12 the Trooper is there sooner."""
    game = balance.load("warforged")
    duels = duel_table(
        Runner(game), [*NAMES, "sentinel+rail_lance"], (f"situation.distance_cells={cells}",), marks=True
    )
    found = fighter_twins(game, duels)
    assert found.select("card", "twin").rows() == pairs
    for row in found.iter_rows(named=True):
        assert (row["n_pairs"], row["n_only"], row["n_twin_only"]) == (2, 0, 1)
        assert {"speed_cells", "handling", "abilities"} <= set(row["differ"])


# -- intervals, several situations, and every number of a row ----------------------------------------------------------


def search_in_situations(
    costs: list[float], low: np.ndarray, high: np.ndarray, imbalance: float
) -> dict[int, tuple[int, ...]]:
    """Return who dominates whom, as the definition reads, over situations and with intervals."""
    found: dict[int, tuple[int, ...]] = {}
    cells = [(s, k) for s in range(low.shape[0]) for k in range(low.shape[1])]
    for a in range(len(costs)):
        by = []
        for b in range(len(costs)):
            gaps = [gap for s, k in cells if not np.isnan(gap := low[s, b, k] - high[s, a, k])]
            if b == a or not gaps or min(gaps) < -(imbalance + TIE) or costs[b] > costs[a]:
                continue
            if costs[b] < costs[a] or max(gaps) > imbalance + TIE:
                by.append(b)
        if by:
            found[a] = tuple(by)
    return found


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_several_situations_intervals_and_gaps_are_searched_as_the_definition_reads(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_situations = int(rng.integers(1, 6)), int(rng.integers(1, 3))
    low = rng.integers(0, 6, (n_situations, n, n)) / 10
    high = low + rng.integers(0, 2, low.shape) / 10
    unplayed = rng.random(low.shape) < 0.1
    low[unplayed] = high[unplayed] = np.nan
    costs, imbalance = rng.integers(1, 4, n).astype(float).tolist(), float(rng.choice([0.0, 0.1, 0.25]))
    names = [f"e{k}" for k in range(n)]
    found = find_dominators(names, costs, low, high, imbalance)
    wanted = search_in_situations(costs, low, high, imbalance)
    assert found == {names[a]: tuple(names[b] for b in by) for a, by in wanted.items()}
    assert find_dominators(names, costs, low, high) == find_dominators(names, costs, low, high, 0.0)


def test_a_row_says_how_much_the_witness_gains_on_whom() -> None:
    """Against five opponents, the last a copy of the fourth: b gains most on a, and d as much at a higher price."""
    scores = np.array([
        [0.5, 0.2, 0.4, 0.2, 0.3, 0.3],
        [0.8, 0.5, 0.5, 0.5, 0.7, 0.7],
        [0.6, 0.5, 0.5, 0.4, 0.3, 0.3],
        [0.8, 0.5, 0.6, 0.5, 0.6, 0.6],
        [0.7, 0.3, 0.7, 0.4, 0.5, 0.5],
        [0.7, 0.3, 0.7, 0.4, 0.5, 0.5],
    ])  # fmt: skip
    frame = dominance_table(made(list("abcdef"), scores), [9, 8, 7, 9, 10, 10], 0.0)
    row = frame.row(by_predicate=pl.col("entrant") == "a", named=True)
    gains = {b: [scores[k, j] - scores[0, j] for j in range(5)] for b, k in zip("bcd", (1, 2, 3), strict=True)}
    assert {b: round(sum(gain) / 5, 9) for b, gain in gains.items()} == {"b": 0.28, "c": 0.14, "d": 0.28}
    assert row == {
        "entrant": "a", "cost_points": 9.0, "outright": True, "witnesses": ["b"], "witness_cost": 8.0,
        "mean_gain": 0.28, "least_gain": 0.1, "largest_gain": 0.4, "n_dominating": 3,
        "shares": None, "error": 0.0,
    }  # fmt: skip
    assert frame["entrant"].to_list()[0] == "a"


@pytest.mark.parametrize(("off", "mean"), [(0.0, 0.8 / 3), (2e-9, 0.8 / 3), (2e-8, 0.25)])
def test_opponents_told_apart_by_nothing_are_one(off: float, mean: float) -> None:
    """c and d do alike, but for so much; b gains 0.3 on a in the first two columns, and 0.2 in those of c and d."""
    scores = np.array([
        [0.5, 0.2, 0.4, 0.4 - off],
        [0.8, 0.5, 0.6, 0.6],
        [0.6, 0.4, 0.5, 0.5],
        [0.6 + off, 0.4, 0.5, 0.5],
    ])  # fmt: skip
    row = dominance_table(made(list("abcd"), scores), [2, 1, 9, 9], 0.0).row(
        by_predicate=pl.col("entrant") == "a", named=True
    )
    assert (row["witnesses"], row["mean_gain"]) == (["b"], pytest.approx(mean, abs=1e-7))


@pytest.mark.parametrize(("n", "n_kinds"), [(3, 3), pytest.param(25, 4, marks=pytest.mark.slow)])
def test_mixtures_are_further_rows_after_the_single_witnesses_and_those_that_overlook_something_last(
    n: int, n_kinds: int
) -> None:
    rng, kinds = np.random.default_rng(23), set()
    for _ in range(n):
        names, costs, scores = ladder(rng, 9)
        frame = dominance_table(made(names, scores), costs, 0.03)
        single, mixed = (frame.filter(pl.col("shares").is_null() == alone) for alone in (True, False))
        bounds = score_bounds(made(names, scores))
        assert set(single["entrant"]) == set(single_witnesses(names, costs, bounds, 0.03))
        outright, nearly = (witnesses_between(names, costs, bounds, slack) for slack in (0.0, 0.03))
        for row in mixed.iter_rows(named=True):
            witness = outright.get(row["entrant"]) or nearly[row["entrant"]]
            assert list(zip(row["witnesses"], row["shares"], strict=True)) == list(witness.parts)
            told = [row[name] for name in ("witness_cost", "least_gain", "mean_gain", "largest_gain", "error")]
            known = [witness.cost, witness.margin, witness.mean_gain, witness.largest_gain, witness.error]
            assert (told, row["outright"], row["n_dominating"]) == (known, witness.outright, 0)
        assert set(mixed["entrant"]) == {
            *(name for name, witness in outright.items() if witness.is_mixture),
            *(name for name, witness in nearly.items() if witness.is_mixture),
        }
        order = [
            (not row[0], row[1] is not None, -row[2]) for row in frame.select("outright", "shares", "mean_gain").rows()
        ]
        assert order == sorted(order)
        kinds |= {told[:2] for told in order}
    assert n_kinds <= len(kinds) <= 4


def test_gains_are_told_to_nine_digits() -> None:
    scores = np.array([[0.5, 0.3123456789123], [0.6876543210877, 0.5]])
    row = dominance_table(made(["a", "b"], scores), [1, 1], 0.0).row(0, named=True)
    assert (row["least_gain"], row["largest_gain"], row["mean_gain"]) == (0.187654321, 0.187654321, 0.187654321)


def test_an_opponent_never_met_tells_nothing_of_who_dominates() -> None:
    rows = [("x", "y", 0.6), ("y", "z", 0.6), ("x", "w", 0.6), ("y", "w", 0.5), ("z", "w", 0.4), ("v", "x", 0.5)]
    log = pl.DataFrame(rows, ["one", "other", "score"], orient="row")
    found = {row["entrant"]: row for row in never_worth_taking(log).iter_rows(named=True)}
    assert {name: (row["witnesses"], row["n_dominating"]) for name, row in found.items()} == {
        "z": (["x"], 3), "w": (["x", "v"], 2), "y": (["x", "v"], 2)
    }  # fmt: skip


# -- twins -------------------------------------------------------------------------------------------------------------


def marked(names: list[str], marks: np.ndarray) -> pl.DataFrame:
    pairs = [(a, b) for a in names for b in names]
    return pl.DataFrame({"a": [a for a, _ in pairs], "b": [b for _, b in pairs], "mark": marks.ravel()})


TWINS = ["table", "card", "twin", "label", "twin_label", "cost_points", "twin_cost", "n_pairs", "n_only", "n_twin_only"]


def test_cards_are_twins_if_no_mark_differs_and_the_cheaper_one_comes_first() -> None:
    game, same = balance.load(TOY), np.full((3, 3), 0.5)
    found = fighter_twins(game, marked(["ogre", "rat", "knight"], same))
    ogre, rat, knight = ("ogre", "Ogre <b>of</b> Ys", 35.0), ("rat", "Rat", 5.0), ("knight", "Knight", 20.0)
    assert found.select(TWINS).rows() == [
        ("fighters", one[0], other[0], one[1], other[1], one[2], other[2], 1, 0, 0)
        for one, other in ((rat, ogre), (knight, ogre), (rat, knight))
    ]
    assert found["differ"].to_list() == [["dice", "health"]] * 3
    for at, n in (((0, 2), 0), ((2, 2), 1), ((2, slice(None)), 1), ((slice(None), 2), 1)):
        for off, n_twins in ((2e-11, n), (0.5e-11, 3), (-2e-11, n)):
            other_marks = same.copy()
            other_marks[at] += off
            assert fighter_twins(game, marked(["ogre", "rat", "knight"], other_marks)).height == n_twins


def test_only_cards_of_one_table_are_twins() -> None:
    game = balance.load(TOY)
    assert fighter_twins(game, marked(["ghost", "rat", "ghoul"], np.full((3, 3), 0.5))).is_empty()
    assert fighter_twins(game, marked(["rat"], np.full((1, 1), 0.5))).columns == [*TWINS, "differ"]


@given(fields(), st.integers(0, 127))
@settings(max_examples=60, deadline=None)
def test_who_is_withheld_is_an_opponent_and_nothing_else(field: Field, mask: int) -> None:
    names, costs, scores = field
    withheld = {name for at, name in enumerate(names) if mask >> at & 1}
    frame = dominance_table(made(names, scores), costs, 0.0, withheld).filter(pl.col("shares").is_null())
    found = {row["entrant"]: row["n_dominating"] for row in frame.iter_rows(named=True)}
    whole = search(names, costs, scores)
    named = {name: by - withheld for name, by in whole.items() if name not in withheld}
    assert found == {name: len(by) for name, by in named.items() if by}
