"""How duels end, and the two rankings: what a duel's score does not say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from pydantic import ValidationError

from balance.analysis.scores.endings import Ending, EndingsOf, ending_table
from balance.base.errors import StudyError
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.study.frames.report_settings import load_settings
from tests.toy.game import GAME as TOY

FEW = ["giant_spider", "goblin_blue_foot+short_sword", "dwarf_red_foot+long_sword"]
ENDINGS = load_settings(load("battlelore")).endings


def test_every_duel_ends_once_and_for_whoever_lost_it() -> None:
    """A goblin that dies in flight is eliminated, not driven off as well."""
    game = load("battlelore")
    ends = (
        ending_table(Runner(game), FEW, ENDINGS)
        .group_by("entrant", maintain_order=True)
        .agg(pl.col("dealt", "met").sum())
    )
    distribution = {one: [game.ask("duel", one, other, first="random").p_win() for other in FEW] for one in FEW}
    for one, dealt, met in ends.select("entrant", "dealt", "met").iter_rows():
        assert dealt == pytest.approx(sum(p["a"] for p in distribution[one]) / 3)
        assert met == pytest.approx(sum(p["b"] for p in distribution[one]) / 3)


def test_a_spider_mostly_drives_off() -> None:
    """Its flags drive a foot unit away more often than its hits, and the poison its Lore buys, kill the last figure."""
    distribution = load("battlelore").ask("duel", "giant_spider", "green_foot+short_sword", first="random").distribution
    spider = ending_table(Runner(load("battlelore")), ["giant_spider", "green_foot+short_sword"], ENDINGS).rows(
        named=True
    )[:2]
    killed, driven = (float(distribution.p[distribution[f"b_{one.column}"] == one.value].sum()) for one in ENDINGS)
    mirror = load("battlelore").ask("duel", "giant_spider", "giant_spider", first="random").distribution
    assert [row["ending"] for row in spider] == ["eliminated", "driven off"]
    assert spider[0]["dealt"] == pytest.approx((killed + float(mirror.p[mirror["b_figures"] == 0].sum())) / 2)
    assert driven > 3 * killed


def test_an_ending_of_a_column_that_is_not_there_is_a_fault() -> None:
    ends = [Ending(label=one, column=one, value=0) for one in ("figure", "figures", "winner")]
    with pytest.raises(StudyError) as told:
        ending_table(Runner(load("battlelore")), FEW, ends)
    where, known = "report.toml, endings", "is no column of a side of a duel; allowed: figures, left"
    assert str(told.value) == f"{where}: 'figure' {known}; did you mean figures?\n{where}: 'winner' {known}"


def test_a_game_without_duels_has_no_ending() -> None:
    alone = load(replace(TOY, kinds={"attack": TOY.kinds["attack"]}))
    with pytest.raises(StudyError) as told:
        ending_table(Runner(alone), ["rat"], [Ending(label="dead", column="health", value=0)])
    assert str(told.value) == "report.toml, endings: 'health' is no column of a side of a duel"


def test_what_an_ending_is_called_has_a_letter_and_at_most_sixty() -> None:
    known = {"label": "out", "column": "figures", "value": 0}
    for name in ("label", "column"):
        for text, fits in (("", False), ("x", True), ("x" * 60, True), ("x" * 61, False)):
            if fits:
                assert Ending.model_validate({**known, name: text}).points == 0
            else:
                with pytest.raises(ValidationError, match=rf"^1 validation error for Ending\n{name}\n"):
                    Ending.model_validate({**known, name: text})


def test_the_first_ending_that_holds_is_the_one_met() -> None:
    """By hand, outcome by outcome; the last ending has nothing left but what the others left it."""
    question = load("battlelore").ask("duel", "giant_spider", FEW[1], ["situation.turn_limit=2"], "a")
    ends = (
        Ending(label="dead", column="figures", value=0),
        Ending(label="gone", column="left", value=1),
        Ending(label="there", column="left", value=0),
    )
    found, distribution = EndingsOf(ends)(question), question.distribution
    wanted = np.zeros((3, 2))
    for row, p in zip(distribution.outcomes.tolist(), distribution.p.tolist(), strict=True):
        values = dict(zip(distribution.columns, row, strict=True))
        for side, name in enumerate("ab"):
            met = next(at for at, one in enumerate(ends) if values[f"{name}_{one.column}"] == one.value)
            wanted[met, side] += p
    assert np.array(found) == pytest.approx(wanted)
    assert wanted.min() > 0
    assert wanted.sum(0) == pytest.approx([1, 1])
