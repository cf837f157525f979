"""A field as a matrix: every pair is what the question says by itself."""

from __future__ import annotations

from functools import partial

import pytest

import balance
from balance.base.errors import BalanceError

FIELD = ["nexus+assault_rifle", "trooper+shotgun", "whisper+sidearm"]


def test_each_cell_is_the_score_of_the_duel() -> None:
    matrix = balance.matchups("warforged", among=FIELD, cache=False).to_polars()
    assert matrix.columns == ["one", *FIELD]
    for one, *scores in matrix.iter_rows():
        for other, score in zip(FIELD, scores, strict=True):
            p_win = dict(balance.duel("warforged", one, other).to_polars().rows())
            assert score == pytest.approx(p_win["a"] + p_win["draw"] / 2, abs=1e-12)


def test_rows_and_columns_of_a_field_add_up_to_one() -> None:
    table = balance.matchups("warforged", among=FIELD, cache=False).to_pandas().set_index("one")
    assert (table + table.T).to_numpy() == pytest.approx(1.0)


def test_a_mean_is_read_off_where_nobody_wins() -> None:
    attacks = partial(
        balance.matchups, "warforged", "attack", among=FIELD[:2], against=["nexus", "whisper"], cache=False
    )
    matrix = attacks().to_polars()
    shot = balance.attack("warforged", FIELD[1], "whisper").value.exact
    assert shot is not None
    assert matrix["whisper"][1] == shot.mean("damage")
    hits = attacks(measure="hit").to_polars()
    assert hits["whisper"][1] == shot.mean("hit")


def test_simulated_scores_come_with_an_interval() -> None:
    table = balance.matchups("edadh", among=["spears", "shieldsmen"], trials=512, cache=False).to_polars("matchups")
    for score, low, high in table.select("mean", "low", "high").iter_rows():
        assert low < score < high
        assert high - low <= 2 * 1.96 * 0.5 / 512**0.5 + 1e-9  # no score varies more than a fair coin


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_number_depends_on_the_processes(jobs: int) -> None:
    table = balance.matchups("edadh", among=["spears", "shieldsmen"], trials=512, jobs=jobs, cache=False).to_polars()
    assert table["spears"][0] is not None
    alone = balance.matchups("edadh", among=["spears", "shieldsmen"], trials=512, cache=False).to_polars()
    assert table.equals(alone)


def test_armies_in_a_list_keep_their_commas() -> None:
    armies = ["trooper+shotgun:2,whisper+sidearm", "nexus+assault_rifle"]
    matrix = balance.matchups("warforged", "lineup", among=armies, trials=64, cache=False).to_polars()
    assert matrix.columns == ["one", *armies]


def test_what_is_wrong_is_told_with_a_tip() -> None:
    with pytest.raises(BalanceError, match="did you mean damage"):
        balance.matchups("warforged", "attack", measure="damge")
    with pytest.raises(BalanceError, match="nexsu"):
        balance.matchups("warforged", among=["nexsu+assault_rifle"])
