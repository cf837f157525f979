"""The distributions that distributions obey, each against a loop over all outcomes in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.errors import UsageError
from balance.pmf import Pmf, die, mixture
from tests.pmf.strategies import distributions, weights

xs, xys = distributions("x"), distributions("x", "y")


def fractions(distribution: Pmf) -> dict[tuple[int, ...], Fraction]:
    """Return the probability of each outcome, exactly."""
    pairs = zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True)
    return {tuple(row): Fraction(weight, distribution.total) for row, weight in pairs}


def gathered(pairs: Sequence[tuple[tuple[int, ...], Fraction]]) -> dict[tuple[int, ...], Fraction]:
    """Add up the chances of equal outcomes."""
    total: dict[tuple[int, ...], Fraction] = {}
    for outcome, chance in pairs:
        total[outcome] = total.get(outcome, Fraction(0)) + chance
    return total


@given(xys, xys, xys)
def test_adding_is_associative_and_commutative(a: Pmf, b: Pmf, c: Pmf) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a


@given(xys, xys)
def test_a_sum_is_what_a_double_loop_says(a: Pmf, b: Pmf) -> None:
    pairs = product(fractions(a).items(), fractions(b).items())
    expected = gathered([((x[0] + y[0], x[1] + y[1]), p * q) for (x, p), (y, q) in pairs])
    assert fractions(a + b) == expected


@given(xs, distributions("y"))
def test_a_missing_column_counts_nothing(a: Pmf, b: Pmf) -> None:
    assert a + b == a.joint(b)


@given(xs, distributions("y"))
def test_a_marginal_of_a_joint_is_the_part(a: Pmf, b: Pmf) -> None:
    both = a.joint(b)
    assert both.marginal("x") == a
    assert both.marginal("y") == b
    assert fractions(both) == {x + y: p * q for (x, p), (y, q) in product(fractions(a).items(), fractions(b).items())}


@given(xys)
def test_a_marginal_reorders_columns(distribution: Pmf) -> None:
    assert distribution.marginal("y", "x").marginal("x", "y") == distribution


@given(xys)
def test_map_gathers_equal_results(distribution: Pmf) -> None:
    expected = gathered([((abs(x), max(x, y)), p) for (x, y), p in fractions(distribution).items()])
    mapped = distribution.map(lambda x, y: {"size": np.abs(x), "most": np.maximum(x, y)})
    assert fractions(mapped) == expected


@given(xs)
def test_then_is_the_chain_rule(distribution: Pmf) -> None:
    joint = distribution.then(lambda x: Pmf.of({0: 1, abs(x): 1 + abs(x)}, "y"))
    pairs: list[tuple[tuple[int, ...], Fraction]] = [
        ((x, y), p * q)
        for (x,), p in fractions(distribution).items()
        for (y,), q in fractions(Pmf.of({0: 1, abs(x): 1 + abs(x)}, "y")).items()
    ]
    assert fractions(joint) == gathered(pairs)
    assert joint.marginal("x") == distribution


@given(st.lists(st.tuples(weights, xs), min_size=1, max_size=4))
def test_a_mixture_is_a_weighted_mean(parts: list[tuple[int, Pmf]]) -> None:
    total = sum(weight for weight, _ in parts)
    pairs = [
        (x, Fraction(weight, total) * p) for weight, distribution in parts for x, p in fractions(distribution).items()
    ]
    mixed = mixture(parts)
    assert fractions(mixed) == gathered(pairs)
    assert mixed.total == sum(mixed.weights.tolist())


@given(xys)
def test_where_is_conditional_probability(distribution: Pmf) -> None:
    kept = {outcome: p for outcome, p in fractions(distribution).items() if outcome[0] >= 0}
    if not kept:
        with pytest.raises(UsageError, match="probability 0"):
            distribution.where(lambda x: x >= 0)
        return
    whole = sum(kept.values())
    assert fractions(distribution.where(lambda x: x >= 0)) == {outcome: p / whole for outcome, p in kept.items()}
    assert distribution.fraction(lambda x: x >= 0) == whole


@given(xs)
def test_moments_are_exact_sums(distribution: Pmf) -> None:
    mean = sum(x * p for (x,), p in fractions(distribution).items())
    variance = sum(x * x * p for (x,), p in fractions(distribution).items()) - mean * mean
    assert distribution.mean("x") == float(mean)
    assert distribution.variance("x") == float(variance)


@given(xs, st.floats(0, 1))
def test_a_quantile_is_the_first_value_that_reaches_it(distribution: Pmf, q: float) -> None:
    value = distribution.quantile(q, "x")
    assert distribution.fraction(lambda x: x <= value) >= Fraction(q)
    assert distribution.fraction(lambda x: x < value) < Fraction(q) or value == distribution["x"].min()


@given(xys)
def test_probabilities_sum_to_one_and_order_is_lexicographic(distribution: Pmf) -> None:
    assert distribution.p.sum() == pytest.approx(1.0, abs=1e-12)
    rows = [tuple(row) for row in distribution.outcomes.tolist()]
    assert rows == sorted(set(rows))


@given(xs, st.integers(1, 2**70))
def test_equality_looks_at_probabilities_not_at_the_scale_of_weights(distribution: Pmf, factor: int) -> None:
    scaled = Pmf.from_rows(
        distribution.columns, distribution.outcomes, [int(w) * factor for w in distribution.weights.tolist()]
    )
    assert scaled == distribution
    if len(distribution) > 1:
        changed = [int(w) * 3 for w in distribution.weights.tolist()]
        changed[0] += 1
        assert Pmf.from_rows(distribution.columns, distribution.outcomes, changed) != distribution


def test_weights_beyond_64_bits_stay_exact() -> None:
    huge = Pmf.of({0: 2**62, 1: 1})
    assert (huge + huge).fraction(lambda value: value == 2) == Fraction(1, (2**62 + 1) ** 2)
    assert huge.joint(Pmf.of({0: 2**62, 1: 1}, "other")).total == (2**62 + 1) ** 2


def test_float_weights_are_kept_apart() -> None:
    distribution = Pmf.of({0: 0.25, 1: 0.75}, "x")
    assert not distribution.is_exact
    assert distribution.mean("x") == 0.75
    assert distribution.variance("x") == pytest.approx(0.1875)
    assert distribution.quantile(0.5, "x") == 1
    assert not (distribution + die(2, "x")).is_exact
    assert mixture([(1, distribution), (1, distribution)]).chance(lambda x: x == 1) == pytest.approx(0.75)


def test_symbols_of_faces_are_counted_and_equal_faces_merge() -> None:
    distribution = Pmf.from_faces([{"hit": 1}, {"flag": 2}, {}, {"hit": 1}])
    assert distribution.to_dict() == {"hit": [0, 0, 1], "flag": [0, 2, 0], "weight": [1, 1, 2]}


def test_functions_take_the_columns_they_name_or_all() -> None:
    distribution = die(3, "a").joint(die(2, "b"))
    assert distribution.weight(lambda b: b == 1) == 3
    assert distribution.weight(lambda **columns: columns["a"] == columns["b"]) == 2
    assert distribution.weight(lambda a, b, missing=0: a > missing) == 6


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: Pmf.from_rows(["x"], [[1], [2]], [1]), "do not fit"),
        (lambda: Pmf.from_rows(["x", "x"], [[1, 2]], [1]), "do not fit"),
        (lambda: Pmf.from_rows(["x"], [[0.5]], [1]), "must be integers"),
        (lambda: Pmf.from_rows(["x"], [[1]], [-1]), "not negative"),
        (lambda: Pmf.from_rows(["x"], [[1]], [0]), "not all zero"),
        (lambda: Pmf.from_rows(["x"], [[1]], [float("nan")]), "finite"),
        (lambda: Pmf.from_rows(["x"], [[1]], [float("inf")]), "finite"),
        (lambda: Pmf.of([]), "one or more"),
        (lambda: Pmf.of({(1, 2): 1, (1,): 1}, ["x", "y"]), "a value for"),
        (lambda: Pmf.from_faces([{}, {}]), "carries a symbol"),
        (lambda: Pmf.from_faces([]), "carries a symbol"),
        (lambda: die(0), "at least 1 face"),
        (lambda: die(6)["valu"], "did you mean value"),
        (lambda: die(6).map(lambda valeu: {"x": valeu}), "did you mean value"),
        (lambda: die(6).quantile(1.5, "value"), "between 0 and 1"),
        (lambda: die(6).joint(die(6)), "both distributions have a column 'value'"),
        (lambda: mixture([]), "at least one distribution"),
        (lambda: mixture([(1, die(2)), (1, die(2, "x"))]), "same columns"),
    ],
)
def test_mistakes_are_named(call: object, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        call()  # type: ignore[operator]
