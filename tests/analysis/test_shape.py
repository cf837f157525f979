"""Arms, groups and curves, of tables small enough to work out by hand."""

from __future__ import annotations

import polars as pl
import pytest

from balance.analysis.scores.shape import arm_table, choose_curves, group_matrix, mean_advantage

ENTRANTS = pl.DataFrame(
    [
        ("a+x", "a", "x", "X", 4.0),
        ("b+x", "b", "x", "X", 6.0),
        ("a+y", "a", "y", "Y", 0.0),
        ("b+z", "b", "z", "Z", 9.0),
    ],
    ["entrant", "group", "arm", "arm_label", "arm_cost"],
    orient="row",
)


def attacks(more: float) -> pl.DataFrame:
    """Return attacks on two targets; b does so much more with x than a."""
    rows = [("a+x", "s", 1.0), ("a+x", "t", 2.0), ("b+x", "s", 1.0), ("b+x", "t", 2.0 + more)]
    rows += [("a+y", "s", 1.0), ("a+y", "t", 1.0), ("b+z", "s", 2.0), ("b+z", "t", 1.0)]
    return pl.DataFrame(rows, ["attacker", "target", "figures"], orient="row")


def test_an_arm_is_what_all_its_carriers_do_with_it() -> None:
    found = arm_table(ENTRANTS, attacks(2.0), "figures")
    assert found.columns == [
        "arm", "arm_label", "arm_cost", "attacker", "n_carriers", "gain", "shared", "gain_per_point", "on_front"
    ]  # fmt: skip
    assert found.rows() == [
        ("x", "X", 5.0, "a+x", 2, 2.0, False, 0.4, True),
        ("y", "Y", 0.0, "a+y", 1, 1.0, True, None, True),
        ("z", "Z", 9.0, "b+z", 1, 1.5, True, pytest.approx(1 / 6), False),
    ]
    assert arm_table(ENTRANTS, attacks(0.4938271560504), "figures")["gain"][0] == 1.623456789013
    assert arm_table(ENTRANTS, attacks(0.0), "figures")["shared"].to_list() == [True] * 3
    assert arm_table(ENTRANTS, attacks(1e-11), "figures")["shared"].to_list() == [False, True, True]
    assert arm_table(ENTRANTS, attacks(1e-13), "figures")["shared"].to_list() == [True] * 3


def test_groups_meet_as_their_members_do_on_average() -> None:
    names = ENTRANTS["entrant"].to_list()
    p = [[0.5, 0.2, 0.9, 0.4], [0.7, 0.5, 0.8, 0.6], [0.3, 0.1, 0.5, 0.2], [0.9, 0.4, 0.7, 0.5]]
    duels = pl.DataFrame(
        [(a, b, p[i][j], 0.0) for i, a in enumerate(names) for j, b in enumerate(names)],
        ["a", "b", "p_a", "p_draw"], orient="row",
    )  # fmt: skip
    both = [[(p[i][j] + 1 - p[j][i]) / 2 for j in range(4)] for i in range(4)]
    ab = sum(both[i][j] for i in (0, 2) for j in (1, 3)) / 4
    found = group_matrix(ENTRANTS, duels)
    assert found.select("group", "opponent").rows() == [("b", "b"), ("b", "a"), ("a", "b"), ("a", "a")]
    assert found["score"].to_list() == pytest.approx([0.5, 1 - ab, ab, 0.5])
    assert found.schema == pl.Schema({"group": pl.String, "opponent": pl.String, "score": pl.Float64})


def kills(n: int, able: list[bool]) -> pl.DataFrame:
    """Return what n arms need for three targets of different toughness, which the middling one shows to some."""
    rows = [(f"u+{k}", t, mean) for k in range(n) for t, mean in (("tough", 9.0), ("soft", 1.0), ("mid", 4.0))]
    return pl.DataFrame(rows, ["attacker", "target", "mean_actions"], orient="row").with_columns(
        mean_actions=pl.when(pl.col("attacker").is_in([f"u+{k}" for k in range(n) if able[k]])).then("mean_actions")
    )


def arms(costs: list[float]) -> pl.DataFrame:
    return pl.DataFrame({"attacker": [f"u+{k}" for k in range(len(costs))], "arm_cost": costs})


def test_curves_are_of_six_arms_from_the_cheapest_to_the_dearest() -> None:
    costs = [7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0, 9.0, 8.0, 10.0]
    found = choose_curves(arms(costs), kills(11, [True] * 11))
    assert [costs[int(name.removeprefix("u+"))] for name, _ in found] == [0, 2, 4, 6, 8, 10]
    assert {target for _, target in found} == {"mid"}
    few = choose_curves(arms(costs[:3]), kills(3, [True] * 3))
    assert [name for name, _ in few] == ["u+1", "u+2", "u+0"]


def test_curves_leave_out_who_cannot_hurt_and_whom_nobody_can() -> None:
    assert choose_curves(arms([1.0, 2.0, 3.0]), kills(3, [True, False, True])) == [("u+0", "mid"), ("u+2", "mid")]
    assert choose_curves(arms([1.0, 2.0]), kills(2, [False, False])) == []
    two = kills(1, [True]).filter(pl.col("target") != "tough")
    assert choose_curves(arms([1.0]), two) == [("u+0", "mid")]
    alone = pl.DataFrame({"attacker": ["u+0", "u+1"], "target": ["s", "s"], "mean_actions": [None, 2.0]})
    assert choose_curves(arms([1.0, 2.0]), alone) == [("u+1", "s")]


def test_the_advantage_of_going_first_is_over_different_entrants_where_there_are_such() -> None:
    rows = [("x", "x", 0.9), ("x", "y", 0.1), ("x", "z", -0.3), ("y", "z", 0.5000123456784)]
    moves = pl.DataFrame(rows, ["a", "b", "advantage"], orient="row")
    assert mean_advantage(moves) == {"mean": 0.100004115226, "least": -0.3, "largest": 0.500012345678}
    assert mean_advantage(moves.head(1)) == {"mean": 0.9, "least": 0.9, "largest": 0.9}
