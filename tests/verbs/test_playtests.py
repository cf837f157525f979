"""`balance.rate` and `balance.need`: their tables, their files, and the short forms of what they return."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import balance
from balance.base.errors import BalanceError
from balance.playtests.log.template import LogTemplate
from balance.playtests.model.answer import RatingAnswer


@pytest.fixture
def league(tmp_path: Path) -> Path:
    made = balance.rate(tmp_path / "league.csv", template=True)
    assert made.sentence.startswith(f"Wrote {tmp_path / 'league.csv'}: put your own games")
    assert len(made.to_polars()) > 20
    assert isinstance(made.value, LogTemplate)
    return Path(made.value.template)


def test_ratings_are_the_first_table_the_strongest_on_top(league: Path) -> None:
    rated = balance.rate(league)
    assert [*rated.tables][:3] == ["ratings", "matrix", "pairs"]
    best = rated.to_polars().row(0, named=True)
    assert isinstance(rated.value, RatingAnswer)
    elves = rated.value.ratings[best["entrant"]]
    assert (best["entrant"], best["chance"], best["chance_low"]) == ("Elves", elves.chance, elves.chance_low)
    assert (best["rating"], best["rating_low"]) == (elves.rating, elves.rating_low)
    assert max(len(repr(rated)), len(repr(rated.value))) < 200
    assert rated.plot().axes[0].get_xlabel().startswith("chance in per cent, 95 % intervals")


def test_each_against_each_is_a_square(league: Path) -> None:
    matrix = balance.rate(league).to_polars("matrix")
    names = matrix["entrant"].to_list()
    chances = matrix.select(names).to_numpy()
    assert chances.diagonal() == pytest.approx(0.5)
    assert chances + chances.T == pytest.approx(1.0)
    assert balance.rate(league).plot("matrix").axes[0].get_images()


def test_pages_and_tables_are_written(league: Path, tmp_path: Path) -> None:
    rated = balance.rate(str(league), page=[tmp_path / "a.html"], table=tmp_path / "a.csv")
    assert b"Elves" in (tmp_path / "a.html").read_bytes()
    assert pl.read_csv(tmp_path / "a.csv")["entrant"].to_list() == rated.to_polars()["entrant"].to_list()
    with pytest.raises(BalanceError, match="is already there"):
        balance.rate(league, table=tmp_path / "a.csv")


def test_needs_are_a_row_for_each_plan_the_chosen_first(tmp_path: Path) -> None:
    need = balance.need(difference=0.2, evenings=3, plan="sequential", runs=200, out=tmp_path / "looks.csv")
    assert need.to_polars().select("plan", "games").rows() == [("sequential", 60), ("fixed", 51), ("sprt", 200)]
    assert need.to_polars("after")["games"].to_list() == [12]
    looks = need.to_polars("looks").filter(plan="sequential")
    assert looks["games"].to_list() == pl.read_csv(tmp_path / "looks.csv")["games"].to_list()
    assert max(len(repr(need)), len(repr(need.value))) < 200
    assert need.plot().axes[0].get_xlabel() == "games"


def test_what_makes_no_sense_is_told_whole() -> None:
    with pytest.raises(BalanceError) as caught:
        balance.need(difference=0.9, power="most", plan="fixd", evenings=0)
    assert len(caught.value.faults) == 4
