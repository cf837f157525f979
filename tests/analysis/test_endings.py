"""How duels end, and the two rankings: what a duel's score does not say."""

from __future__ import annotations

import polars as pl
import pytest

from balance.analysis.endings import Ending, ending_table
from balance.errors import StudyError
from balance.protocol.loaded import load
from balance.study.report_settings import load_settings

FEW = ["giant_spider", "goblin_blue_foot+short_sword", "dwarf_red_foot+long_sword"]
ENDINGS = load_settings(load("battlelore")).endings


def test_every_duel_ends_once_and_for_whoever_lost_it() -> None:
    """A goblin that dies in flight is eliminated, not driven off as well."""
    game = load("battlelore")
    ends = ending_table(game, FEW, ENDINGS).group_by("entrant", maintain_order=True).agg(pl.col("dealt", "met").sum())
    distribution = {one: [game.ask("duel", one, other, first="random").p_win() for other in FEW] for one in FEW}
    for one, dealt, met in ends.select("entrant", "dealt", "met").iter_rows():
        assert dealt == pytest.approx(sum(p["a"] for p in distribution[one]) / 3)
        assert met == pytest.approx(sum(p["b"] for p in distribution[one]) / 3)


def test_a_spider_mostly_drives_off() -> None:
    distribution = load("battlelore").ask("duel", "giant_spider", "green_foot+short_sword", first="random").distribution
    spider = ending_table(load("battlelore"), ["giant_spider", "green_foot+short_sword"], ENDINGS).rows(named=True)[:2]
    killed, driven = (float(distribution.p[distribution[f"b_{one.column}"] == one.value].sum()) for one in ENDINGS)
    mirror = load("battlelore").ask("duel", "giant_spider", "giant_spider", first="random").distribution
    assert [row["ending"] for row in spider] == ["eliminated", "driven off"]
    assert spider[0]["dealt"] == pytest.approx((killed + float(mirror.p[mirror["b_figures"] == 0].sum())) / 2)
    assert driven > 4 * killed


def test_an_ending_of_a_column_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(StudyError, match="is no column of a side of a duel"):
        ending_table(load("battlelore"), FEW, [Ending(label="dead", column="figure", value=0)])
