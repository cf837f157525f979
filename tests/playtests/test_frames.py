"""A log in memory is read as the same log in a file, and ratings are drawn whole."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from balance.base.errors import BalanceError
from balance.playtests.log.frames import sheet_of_frame
from balance.playtests.log.log import log_of, read_log
from balance.reporting.playtests.plot import plot_ratings
from balance.verbs import playtests
from tests.playtests.stand_ins import whole_rating

COLUMNS = {
    "date": [dt.date(2026, 1, 9), dt.date(2026, 1, 9), dt.date(2026, 1, 16)],
    "army 1": ["Elves", "Orcs", "Trolls"],
    "army 2": ["Orcs", "Trolls", "Elves"],
    "vp 1": [10, None, 3],
    "vp 2": [7, None, 3],
    "starts": [True, False, None],
}
TEXT = "date,army 1,army 2,vp 1,vp 2,starts\n2026-01-09,Elves,Orcs,10,7,true\n2026-01-09,Orcs,Trolls,,,false\n"
TEXT += "2026-01-16,Trolls,Elves,3,3,\n"


@pytest.mark.parametrize(
    "frame", [pl.DataFrame(COLUMNS), pd.DataFrame(COLUMNS), pd.DataFrame(COLUMNS).convert_dtypes()]
)
def test_a_frame_is_read_as_the_file_it_would_be(frame: pl.DataFrame | pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(TEXT, "utf-8")
    in_memory, in_file = log_of(sheet_of_frame(frame)), read_log(path)
    assert in_memory.games.names == in_file.games.names
    assert in_memory.games.session_names == in_file.games.session_names == ("2026-01-09", "2026-01-16")
    for name in ("side_a", "side_b", "score", "mover", "rows"):
        assert np.array_equal(getattr(in_memory.games, name), getattr(in_file.games, name)), name
    assert in_memory.source.notes == in_file.source.notes == ("Left out: 1 row without a result.",)


def test_faults_of_a_frame_name_its_rows() -> None:
    frame = pl.DataFrame({"army 1": ["Elves"], "army 2": ["Orcs"], "winner": ["Trolls"]})
    with pytest.raises(BalanceError, match="the frame, row 2, winner: 'Trolls' is neither of the two"):
        playtests.rate(frame)
    with pytest.raises(BalanceError, match="name a new"):
        playtests.rate(frame, template=True)


def test_the_picture_of_ratings_has_every_name_and_the_band() -> None:
    """Also where a row says that more than 10,000 games would not tell."""
    answer = whole_rating()
    far = {
        name: replace(entrant, more_games=None, more_games_reason="more than 10,000: " * 9)
        for name, entrant in answer.ratings.items()
    }
    figure = plot_ratings(replace(answer, ratings=far))
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert sorted(labels) == sorted(far)
    assert axes.get_xlim() == (0, 100)
    assert any(patch.get_label() == "fair, 45 to 55 %" for patch in axes.patches)
