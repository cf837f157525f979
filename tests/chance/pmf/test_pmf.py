"""The distributions that distributions obey, each against a loop over all outcomes in fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf, die, mixture
from tests.chance.pmf.strategies import distributions, weights

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


COLUMN = "no column 'valu'; columns are value; did you mean value?"


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (
            lambda: Pmf.from_rows(["x"], [[1], [2]], [1]),
            "rows of shape (2, 1) do not fit 1 weights and columns ('x',)",
        ),
        (
            lambda: Pmf.from_rows(["x", "x"], [[1, 2]], [1]),
            "rows of shape (1, 2) do not fit 1 weights and columns ('x', 'x')",
        ),
        (lambda: Pmf.from_rows(["x"], [1], [1]), "rows of shape (1,) do not fit 1 weights and columns ('x',)"),
        (
            lambda: Pmf.from_rows(["x", "y"], [[1]], [1]),
            "rows of shape (1, 1) do not fit 1 weights and columns ('x', 'y')",
        ),
        (lambda: Pmf.from_rows(["x"], [[0.5]], [1]), "outcomes must be integers, found dtype float64"),
        (lambda: Pmf.from_rows(["x"], [["a"]], [1]), "outcomes must be integers, found dtype <U1"),
        (lambda: Pmf.from_rows(["x"], [[1]], [-1]), "weights must be finite, not negative, and not all zero"),
        (lambda: Pmf.from_rows(["x"], [[1], [2]], [-1, 2]), "weights must be finite, not negative, and not all zero"),
        (lambda: Pmf.from_rows(["x"], [[1]], [0]), "weights must be finite, not negative, and not all zero"),
        (lambda: Pmf.from_rows(["x"], [[1]], [float("nan")]), "weights must be finite, not negative, and not all zero"),
        (lambda: Pmf.from_rows(["x"], [[1]], [float("inf")]), "weights must be finite, not negative, and not all zero"),
        (
            lambda: Pmf.from_rows(["x"], np.zeros((0, 1), int), []),
            "weights must be finite, not negative, and not all zero",
        ),
        (lambda: Pmf.of([]), "outcomes must be one or more, each with a value for ('value',)"),
        (
            lambda: Pmf.of({(1, 2): 1, (1,): 1}, ["x", "y"]),
            "outcomes must be one or more, each with a value for ('x', 'y')",
        ),
        (lambda: Pmf.of([1], ["x", "y"]), "outcomes must be one or more, each with a value for ('x', 'y')"),
        (lambda: Pmf.from_faces([{}, {}]), "a die needs a face that carries a symbol"),
        (lambda: Pmf.from_faces([]), "a die needs a face that carries a symbol"),
        (lambda: die(0), "a die has at least 1 face, found 0"),
        (lambda: die(6)["valu"], COLUMN),
        (lambda: die(6).mean("valu"), COLUMN),
        (lambda: die(6).map(lambda valu: {"x": valu}), COLUMN),
        (lambda: die(2).joint(die(2, "b"))["zz"], "no column 'zz'; columns are value, b"),
        (lambda: die(6).quantile(1.5, "value"), "a quantile lies between 0 and 1, found 1.5"),
        (lambda: die(6).quantile(-0.1, "value"), "a quantile lies between 0 and 1, found -0.1"),
        (lambda: die(6).quantile(float("nan"), "value"), "a quantile lies between 0 and 1, found nan"),
        (lambda: die(6).where(lambda value: value > 6), "cannot condition on an event of probability 0"),
        (lambda: die(6).joint(die(6)), "both distributions have a column 'value'"),
        (
            lambda: die(2, "b").joint(die(2, "a")).joint(die(2, "b").joint(die(2, "a"))),
            "both distributions have a column 'a'",
        ),
        (lambda: mixture([]), "a mixture needs at least one distribution, and the same columns in each"),
        (lambda: mixture([(0, die(2))]), "a mixture needs at least one distribution, and the same columns in each"),
        (
            lambda: mixture([(1, die(2)), (1, die(2, "x"))]),
            "a mixture needs at least one distribution, and the same columns in each",
        ),
    ],
)
def test_mistakes_are_named(call: Callable[[], object], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert str(caught.value) == complaint


def table(distribution: Pmf) -> tuple[dict[str, list[object]], object]:
    """Return the whole of a distribution: its table and the kind of its weights."""
    assert distribution.outcomes.dtype == np.int64
    return distribution.to_dict(), distribution.weights.dtype


def test_every_maker_makes_whole_tables() -> None:
    rows = np.array([[3, -1], [0, 5], [3, -1]], np.int16)
    made = {"a": [0, 3], "b": [5, -1], "weight": [2, 5]}
    assert table(Pmf.from_rows(["a", "b"], rows, [1, 2, 4])) == (made, np.int64)
    assert table(Pmf.from_rows(("a", "b"), [[3, -1], [0, 5]], (w for w in (5, 2)))) == (made, np.int64)
    assert table(Pmf.of({(3, -1): 5, (0, 5): 2, (9, 9): 0}, ["a", "b"])) == (made, np.int64)
    assert table(Pmf.of([2, 1, (2,)], "x")) == ({"x": [1, 2], "weight": [1, 2]}, np.int64)
    assert table(Pmf.from_rows(["x"], [[True], [False]], [0.5, 1])) == ({"x": [0, 1], "weight": [1, 0.5]}, np.float64)
    assert table(die(1)) == ({"value": [1], "weight": [1]}, np.int64)
    assert table(die(3, "d")) == ({"d": [1, 2, 3], "weight": [1, 1, 1]}, np.int64)


def test_numbers_of_a_distribution_of_floats_are_those_of_a_loop() -> None:
    weights = {3: 0.5, -1: 0.25, 7: 2.25}
    distribution = Pmf.of(weights, "x")
    total = sum(weights.values())
    mean = sum(x * w for x, w in weights.items()) / total
    assert (distribution.total, distribution.is_exact, len(distribution)) == (3.0, False, 3)
    assert distribution.p.tolist() == [0.25 / 3, 0.5 / 3, 2.25 / 3]
    assert distribution.mean("x") == pytest.approx(mean, rel=1e-15)
    assert distribution.variance("x") == pytest.approx(sum(w * (x - mean) ** 2 for x, w in weights.items()) / total)
    assert distribution.weight(lambda x: x > 0) == 2.75
    assert distribution.chance(lambda x: x > 0) == 2.75 / 3
    assert distribution.fraction(lambda x: x > 0) == Fraction(11, 12)
    assert [distribution.quantile(q, "x") for q in (0, 0.25 / 3, 0.0834, 0.25, 0.26, 1)] == [-1, -1, 3, 3, 7, 7]


def test_a_quantile_of_floats_whose_sum_falls_short_is_the_last_value() -> None:
    tenths = Pmf.of(dict.fromkeys(range(10), 0.1), "x")
    assert tenths.quantile(1, "x") == 9
    short = Pmf(("x",), np.array([[0], [1]]), np.array([0.5, 0.25]))
    short.__dict__["total"] = 1.0
    assert short.quantile(1, "x") == 1


def test_exact_quantiles_lie_on_the_very_border() -> None:
    third = Pmf.of({1: 1, 2: 1, 3: 2}, "x")
    assert [third.quantile(q, "x") for q in (0, 0.25, 0.2500001, 0.5, 0.500001, 1)] == [1, 1, 2, 2, 3, 3]
    huge = Pmf.of({0: 2**80, 1: 2**80}, "x")
    assert [huge.quantile(q, "x") for q in (0.5, 0.5 + 2**-50)] == [0, 1]


def test_probabilities_of_very_large_weights_are_exact_quotients() -> None:
    huge = Pmf.of({0: 2**2000, 1: 3 * 2**2000}, "x")
    assert huge.p.tolist() == [0.25, 0.75]
    assert huge.p.dtype == np.float64 and die(3).p.dtype == np.float64
    assert (huge.mean("x"), huge.variance("x"), huge.chance(lambda x: x == 1)) == (0.75, 0.1875, 0.75)
    assert huge == Pmf.of({0: 1, 1: 3}, "x")


def test_equality_is_of_columns_outcomes_and_chances() -> None:
    one = Pmf.of({0: 1, 1: 3}, "x")
    assert one == Pmf.of({0: 2, 1: 6}, "x")
    assert one != Pmf.of({0: 1, 1: 3}, "y")
    assert one != Pmf.of({0: 1, 2: 3}, "x")
    assert one != Pmf.of({0: 1, 1: 2}, "x")
    assert one != Pmf.of({0: 1, 1: 3, 2: 1}, "x")
    assert Pmf.of({0: 0.5, 1: 1.5}, "x") == Pmf.of({0: 0.25, 1: 0.75}, "x")
    assert one != {0: 1, 1: 3}
    assert one.__eq__(3) is NotImplemented
    with pytest.raises(TypeError):
        hash(one)


def test_a_description_tells_columns_outcomes_and_weights() -> None:
    assert repr(die(2).joint(die(3, "b"))) == "Pmf(value, b: 6 outcomes, total 6)"
    assert repr(Pmf.of({0: 0.5, 1: 0.5}, "x")) == "Pmf(x: 2 outcomes, float weights)"


def test_functions_see_the_columns_they_name_and_no_others() -> None:
    pair = die(2, "a").joint(die(3, "b"))
    assert pair["b"].tolist() == [1, 2, 3, 1, 2, 3]
    seen = list[dict[str, object]]()

    def any_of(**columns: object) -> object:
        seen.append(columns)
        return columns["a"]

    def one_and_any(a: object, **columns: object) -> object:
        seen.append({"a": a} | columns)
        return a

    assert (pair.weight(any_of), pair.weight(one_and_any)) == (6, 6)
    assert [list(columns) for columns in seen] == [["a", "b"], ["a", "b"]]
    assert pair.weight(lambda b, c=5: b + c > 7) == 2
    assert pair.weight(lambda b, a=0: a + b > 4) == 1
    assert table(pair.map(lambda a: {"twice": 2 * a, "one": 1})) == (
        {"twice": [2, 4], "one": [1, 1], "weight": [3, 3]},
        np.int64,
    )


def test_composed_distributions_are_whole_tables() -> None:
    pair = Pmf.of({(0, 1): 1, (1, 0): 2}, ["a", "b"])
    assert table(pair.marginal("b")) == ({"b": [0, 1], "weight": [2, 1]}, np.int64)
    assert table(pair.where(lambda a: a == 1)) == ({"a": [1], "b": [0], "weight": [2]}, np.int64)
    assert table(pair + Pmf.of({(5,): 3}, "c")) == ({"a": [0, 1], "b": [1, 0], "c": [5, 5], "weight": [3, 6]}, np.int64)
    assert table(Pmf.of({(5, 7): 1}, ["c", "b"]) + pair) == (
        {"c": [5, 5], "b": [7, 8], "a": [1, 0], "weight": [2, 1]},
        np.int64,
    )
    assert table(pair.joint(Pmf.of({(5,): 3, (4,): 1}, "c"))) == (
        {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [4, 5, 4, 5], "weight": [1, 3, 2, 6]},
        np.int64,
    )
    assert table(pair.then(lambda a, b: Pmf.of({a + 2 * b: 1, 9: 1 + a}, "c"))) == (
        {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [2, 9, 1, 9], "weight": [3, 3, 4, 8]},
        np.int64,
    )


@pytest.mark.parametrize(("weight", "kind"), [(2**61, np.int64), (2**61 + 1, object)])
def test_products_and_mixtures_are_widened_only_beyond_2_to_the_62(weight: int, kind: type) -> None:
    large, two = Pmf.of({0: weight - 1, 1: 1}, "x"), Pmf.of({0: 1, 1: 1}, "y")
    made = {"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "weight": [weight - 1, weight - 1, 1, 1]}
    assert table(large.joint(two)) == (made, kind)
    assert table(large + two) == (made, kind)
    assert table(two + large)[1] == kind
    mixed = mixture([(1, large), (1, Pmf.of({2: weight}, "x"))])
    assert table(mixed) == ({"x": [0, 1, 2], "weight": [weight - 1, 1, weight]}, kind)


def test_a_mixture_takes_the_least_common_scale() -> None:
    mixed = mixture(iter([(2, die(2)), (0, die(5)), (3, die(3))]))
    assert table(mixed) == ({"value": [1, 2, 3], "weight": [12, 12, 6]}, np.int64)
    half = mixture([(0.5, die(2)), (1.5, die(4))])
    assert table(half) == ({"value": [1, 2, 3, 4], "weight": [0.625, 0.625, 0.375, 0.375]}, np.float64)
    floats = mixture([(1, die(2)), (1, Pmf.of({1: 0.5, 3: 1.5}))])
    assert table(floats) == ({"value": [1, 2, 3], "weight": [0.75, 0.5, 0.75]}, np.float64)
    large = Pmf.of({0: 2**80, 1: 2**80})
    assert table(mixture([(0.5, large), (1, die(1))])) == ({"value": [0, 1], "weight": [0.25, 1.25]}, np.float64)
    vast = mixture([(2**70, die(2)), (1, Pmf.of({2: 2**70, 3: 2**70}))])
    assert table(vast) == ({"value": [1, 2, 3], "weight": [2**140, 2**140 + 2**70, 2**70]}, object)


def test_moments_are_exact_where_their_sums_need_more_than_64_bits() -> None:
    for large in (10, 2**20, 2**40):
        law = Pmf.of({(large,): 2**21, (1,): 3}, ["value"])
        mean = Fraction(large * 2**21 + 3, 2**21 + 3)
        square = Fraction(large**2 * 2**21 + 3, 2**21 + 3)
        assert law.mean("value") == float(mean)
        assert law.variance("value") == float(square - mean**2)
