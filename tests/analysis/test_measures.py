"""Numbers read off answers, each against the sum that it is, and measures as they are typed."""

from __future__ import annotations

import numpy as np
import pytest

from balance.analysis.scores.measures import Answer, Measure, parse_measure, read_off, share_of_points, usual_measure
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.game.loaded import load
from tests.toy.game import DUEL

WINNERS = {"a": 1, "b": 2, "draw": 0}
OUTCOMES = np.array([[0, 5, 1], [1, 6, 2], [1, 7, 4], [2, 5, 8]])
"""Who won, and two columns that count, of four outcomes in 10 trials: 1, 2, 3 and 4 times."""
WEIGHTS = [1, 2, 3, 4]
READ = [
    (Measure(mean="x"), 5.8, 5 * 0.1 + 6 * 0.2 + 7 * 0.3 + 5 * 0.4, [5, 6, 7, 5]),
    (Measure(mean="x", less="y"), None, 4 * 0.1 + 4 * 0.2 + 3 * 0.3 - 3 * 0.4, [4, 4, 3, -3]),
    (Measure(chance="x"), 1.0, 1.0, [1, 1, 1, 1]),
    (Measure(chance="x", at_least=6), 0.5, 0.5, [0, 1, 1, 0]),
    (Measure(wins="a"), 0.5, 0.5, [0, 1, 1, 0]),
    (Measure(wins="draw"), 0.1, 0.1, [1, 0, 0, 0]),
    (Measure(score="a"), 0.55, 0.55, [0.5, 1, 1, 0]),
    (Measure(score="b"), 0.45, 0.45, [0.5, 0, 0, 1]),
]


def answer(n_trials: int | None = None) -> Answer:
    weights = np.array(WEIGHTS) if n_trials else np.array(WEIGHTS) / 10
    return Answer(Pmf(("won", "x", "y"), OUTCOMES, weights), n_trials)


@pytest.mark.parametrize(("measure", "plain", "mean", "values"), READ, ids=lambda one: str(one))
def test_a_number_is_the_mean_of_its_variable(
    measure: Measure, plain: float | None, mean: float, values: list[float]
) -> None:
    exact, drawn = (read_off(measure, answer(n), WINNERS, "won") for n in (None, 10))
    assert exact.is_exact
    assert exact.value == drawn.value == pytest.approx(mean)
    assert plain is None or mean == pytest.approx(plain)
    error = (np.average(np.square(values), weights=WEIGHTS) - mean**2) ** 0.5 / 10**0.5
    assert drawn.error == pytest.approx(error, abs=1e-8)
    assert (drawn.n_trials, drawn.how) == (10, "simulated")
    twin = Estimate.of_share(drawn.value, 10) if measure.mean is None else Estimate.of_mean(drawn.value, error, 10)
    assert (drawn.low, drawn.high) == pytest.approx((twin.low, twin.high))


@pytest.mark.parametrize("n_trials", [None, 10])
def test_a_number_for_each_point_is_the_number_times_what_they_pay_for(n_trials: int | None) -> None:
    measure = Measure(mean="x", less="y", per_points=10)
    plain, scaled = (read_off(measure, answer(n_trials), WINNERS, "won", scale) for scale in (1.0, 0.25))
    for name in ("value", "low", "high", "error"):
        assert getattr(scaled, name) == pytest.approx(0.25 * getattr(plain, name)), name


def test_points_are_those_of_the_first_side_and_cannot_be_none() -> None:
    game, measure = load("runewars"), Measure(mean="wounds", per_points=10)
    assert share_of_points(measure, game, "spearmen+3x2+honed_blades") == pytest.approx(10 / 44)
    assert share_of_points(Measure(mean="wounds"), load("immortal_souls"), "ecarus") == 1
    with pytest.raises(UsageError) as error:
        share_of_points(measure, load("immortal_souls"), "ecarus")
    assert str(error.value) == "Ecarus, White Rose Knight costs nothing, so there is no mean wounds per 10 points"


def test_where_nobody_can_draw_a_score_is_a_chance_to_win() -> None:
    assert read_off(Measure(score="a"), answer(), {"a": 1, "b": 2}, "won").value == 0.5


@pytest.mark.parametrize(
    ("told", "words", "columns", "result", "is_share"),
    [
        ({"mean": "x"}, "mean x", ("x",), None, False),
        ({"mean": "x", "less": "y"}, "mean x less y", ("x", "y"), None, False),
        ({"mean": "x", "less": "x"}, "mean x less x", ("x",), None, False),
        ({"mean": "x", "per_points": 10}, "mean x per 10 points", ("x",), None, False),
        ({"mean": "x", "less": "y", "per_points": 5}, "mean x less y per 5 points", ("x", "y"), None, False),
        ({"chance": "x"}, "chance of x >= 1", ("x",), None, True),
        ({"chance": "x", "at_least": 3}, "chance of x >= 3", ("x",), None, True),
        ({"wins": "a"}, "wins of a", ("won",), "a", True),
        ({"score": "b"}, "score of b", ("won",), "b", True),
    ],
)
def test_a_measure_says_what_it_needs(
    told: dict[str, object], words: str, columns: tuple[str, ...], result: str | None, is_share: bool
) -> None:
    measure = Measure.model_validate(told)
    assert (str(measure), measure.columns("won")) == (words, columns)
    assert (measure.result, measure.is_share) == (result, is_share)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("score=a", Measure(score="a")),
        ("wins=draw", Measure(wins="draw")),
        ("mean=strikes", Measure(mean="strikes")),
        (" mean = strikes , less = strikes", Measure(mean="strikes", less="strikes")),
        ("mean=strikes, per_points=10", Measure(mean="strikes", per_points=10)),
        ("chance=strikes", Measure(chance="strikes", at_least=1)),
        ("chance=strikes,at_least=-2", Measure(chance="strikes", at_least=-2)),
    ],
)
def test_a_measure_is_typed_with_the_words_of_a_report_table(text: str, measure: Measure) -> None:
    assert parse_measure(text, DUEL) == measure


TIP = "such as score=a, mean=COLUMN, mean=COLUMN,less=COLUMN or chance=COLUMN,at_least=2"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(
            (text, f"measure: {text!r} is no measure; {TIP}")
            for text in (
                "",
                "score",
                "score=",
                "score=a,wins=a",
                "wins=a,wins=b",
                "less=strikes",
                "median=strikes",
                "chance=strikes,at_least=two",
                "chance=strikes,at_least=1.5",
                "chance=strikes,per_points=10",
                "mean=strikes,per_points=0",
            )
        ),
        ("mean=strike", "measure: 'strike' is no column of duel; allowed: winner, strikes; did you mean strikes?"),
        ("score=c", "measure: 'c' is no result of duel; allowed: a, b, draw"),
        (
            "mean=winner",
            "measure: 'winner' holds codes, which have no mean and no order; "
            "a result such as wins or score can be shown",
        ),
    ],
)
def test_what_is_no_measure_is_refused_with_what_would_be(text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_measure(text, DUEL)
    assert str(error.value) == told


def test_what_is_usual_is_the_score_of_the_first_side_or_what_it_is_about() -> None:
    kinds = load("warforged").definition.kinds
    told = {name: str(usual_measure(kinds[name])) for name in ("attack", "kill", "duel")}
    assert told == {"attack": "mean damage", "kill": "mean actions", "duel": "score of a"}
    assert str(usual_measure(load("edadh").definition.kinds["turn"])) == "mean a_mp"  # the first column holds codes
