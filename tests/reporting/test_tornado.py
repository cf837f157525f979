"""The picture of a tornado says what was found: every bar is drawn between its ends, the widest on top."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from balance.analysis.claims.conclusion import Claim
from balance.analysis.claims.robustness import robustness
from balance.analysis.scores.measures import Measure
from balance.base.errors import UsageError
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.reporting.figures import tornado
from balance.reporting.figures.tornado import plot_tornado
from tests.analysis.coins import written

TOSS = Query("toss", "ann", "bob")


def plotted(monkeypatch: pytest.MonkeyPatch, game: LoadedGame, *asked: Any) -> tuple[Any, ...]:
    """Return what is handed on to be drawn."""
    kept: list[Any] = []
    monkeypatch.setattr(tornado, "plot_intervals", lambda *given, reference: kept.append((*given, reference)))
    plot_tornado(robustness(Runner(game), *asked))
    (found,) = kept
    return tuple(found)


def test_each_bar_lies_between_the_ends_in_per_cent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, base, lows, highs, label, reference = plotted(monkeypatch, written(tmp_path), TOSS)
    assert names[:2] == ["faces.a_1.results: HIT", "faces.a_2.results: HIT"]
    assert len(names) == 12
    assert base == pytest.approx([75.0] * 12)
    assert (lows[0], highs[0], lows[5], highs[5]) == pytest.approx((800 / 12, 75.0, 75.0, 1000 / 12))
    assert (label, reference) == ("score of a, in per cent", 50.0)


def test_a_mean_has_no_unit_and_only_what_moves_it_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, hits = written(tmp_path), Measure(mean="hits")
    names, base, lows, _, label, reference = plotted(monkeypatch, game, TOSS, hits, Claim("at_most", 0.9))
    assert len(names) == 6
    assert (base[0], lows[0]) == pytest.approx((5 / 6, 4 / 6))
    assert (label, reference) == ("mean hits", 0.9)
    assert plotted(monkeypatch, game, TOSS, hits)[-1] is None


def test_the_widest_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tornado, "MOST_ROWS", 2)
    assert plotted(monkeypatch, written(tmp_path), TOSS)[0] == ["faces.a_1.results: HIT", "faces.a_2.results: HIT"]


def test_nothing_that_moves_is_no_picture(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path)), TOSS, over=["players"])
    assert found.spans == ()
    with pytest.raises(UsageError) as error:
        plot_tornado(found)
    assert str(error.value) == "no move changes the score of a, so there is nothing to draw"
