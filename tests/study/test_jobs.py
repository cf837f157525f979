"""What workers do: who won is read from the column that has that role, whatever it is called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from balance.base.errors import RulesError
from balance.engine.query import Query
from balance.engine.source import Source
from balance.engine.store import Expected
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.loading.load import load_study
from balance.study.match_ups import jobs
from balance.study.match_ups.jobs import Piece, Recipe, counts_of, distribution_of
from balance.study.match_ups.plan import MatchUpTask
from balance.study.run.run import run_study

SMALL = """
game = "skirmish"
entrants = ["knight", "ogre", "rat"]
metrics = ["match_ups"]
exact = "{exact}"
budget = {{ half_width = 0.03, cap = 4096 }}
"""


@pytest.mark.parametrize("exact", ["auto", "never"])
def test_a_study_is_the_same_whatever_the_column_of_the_winner_is_called(
    exact: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study.toml").write_text(SMALL.format(exact=exact), "utf-8")
    played = []
    for module in ("game", "renamed"):
        monkeypatch.setitem(GAMES, "skirmish", f"tests.toy.{module}:GAME")
        run_study(load_study(tmp_path / "study.toml"), tmp_path / module)
        played.append({path.stem: pl.read_parquet(path) for path in sorted((tmp_path / module).glob("tables/*"))})
    assert {"tasks", "outcomes"} <= set(played[0])
    assert played[0]["tasks"]["score"].is_between(0.01, 0.99).any()
    for name, frame in played[0].items():
        assert frame.equals(played[1][name]), name


@pytest.fixture
def skirmish(monkeypatch: pytest.MonkeyPatch) -> LoadedGame:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    return load("skirmish")


def first_task() -> MatchUpTask:
    return MatchUpTask("base", "", Query("duel", "rat", "knight", block=4), exact=False)


def test_what_kept_counts_can_hold_follows_from_the_recipe(skirmish: LoadedGame) -> None:
    kind, codes = skirmish.definition.kinds["duel"], (1, 2, 0)
    seatless = replace(kind, turn_orders=())
    one, two = (Recipe("k", ((0, first_task()),) * n, "literal") for n in (1, 2))
    pair = {"before_0": codes, "after_0": codes, "before_1": codes, "after_1": codes}
    assert counts_of(one, kind) == Expected({"a_first": codes, "b_first": codes}, 4)
    assert list(counts_of(two, kind).columns) == list(pair)
    assert counts_of(two, kind) == Expected(pair, 4)
    assert counts_of(one, seatless) == Expected({"game": codes}, 4)
    assert counts_of(two, seatless) == Expected({"before_0": codes, "after_0": codes}, 4)
    assert distribution_of(kind) == Expected({"seat": range(2), "winner": codes})
    assert distribution_of(seatless) == Expected({"seat": range(1), "winner": codes})


@pytest.mark.parametrize("n_sides", [1, 2])
def test_pieces_are_played_block_by_block_and_timed(
    n_sides: int, skirmish: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "perf_counter", iter([1.0, 3.0, 10.0, 15.0]).__next__)
    recipe = Recipe("key", ((0, first_task()),) * n_sides, "literal")
    pieces = [Piece(7, recipe, 0, 2), Piece(8, recipe, 2, 1)]
    found = jobs.play([Source.of(skirmish)], 5, pieces)
    assert [(one.index, one.seconds) for one in found] == [(7, 2.0), (8, 5.0)]
    assert [(one.tally.first_block, one.tally.n_blocks, one.tally.n_trials) for one in found] == [(0, 2, 8), (2, 1, 4)]
    monkeypatch.undo()
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    (whole,) = jobs.play([Source.of(skirmish)], 5, [Piece(0, recipe, 0, 3)])
    added = found[0].tally + found[1].tally
    assert added.counts == whole.tally.counts
    counts_of(recipe, skirmish.definition.kinds["duel"]).check(whole.tally)


def test_a_question_that_is_played_in_two_ways_cannot_be_a_pair(
    skirmish: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = skirmish.ask("duel", "rat", "knight", first="a")
    both = (*question.kind.processes(question.setup, "literal"),) * 2
    twice = replace(question, kind=replace(question.kind, processes=lambda setup, lane: both))
    with pytest.raises(RulesError) as error:
        jobs._process(twice, "literal")
    assert str(error.value) == "duel is played in 2 ways at random, which pairs cannot be"
