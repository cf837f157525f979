"""Points, labels and the names of games are read beside the results, from tournaments and from small logs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from balance.base.errors import CatalogueError
from balance.playtests.games import Games, games_of
from balance.playtests.log.frames import sheet_of_frame
from balance.playtests.log.log import log_of, read_log
from balance.playtests.readings import log_reading

TOURNAMENTS = Path(__file__).parent / "data" / "tournaments" / "games.parquet"
HEAD = "date,army 1,army 2,vp 1,vp 2,map\n"


def read(text: str, folder: Path) -> Games:
    path = folder / "log.csv"
    path.write_text(text, "utf-8")
    return read_log(path).games


def test_tournaments_keep_points_labels_and_who_went_first(tmp_path: Path) -> None:
    path, table = tmp_path / "games.parquet", pl.read_parquet(TOURNAMENTS).tail(500)
    table.write_parquet(path)
    log = read_log(path)
    games = log.games
    rows = table[(games.rows - 2).tolist()]
    assert games.points is not None and games.cost is not None
    assert np.array_equal(games.points, rows["score_a", "score_b"].to_numpy())
    assert games.game_ids == tuple(rows["game"].cast(pl.String))
    assert np.array_equal(games.mover, rows["first"].replace_strict({"a": 1, "b": -1}, default=0))
    assert np.array_equal(np.isnan(games.cost), rows["army_points_a", "army_points_b"].to_numpy() == 0)
    for label in ("month", "event", "deployment", "map"):
        names = np.array([*games.labels[label].names, ""])[games.labels[label].places]
        assert names.tolist() == rows[label].fill_null("").to_list()
    assert not any("Not used" in note for note in log.source.notes)
    reading = log_reading(path)
    assert reading is not None
    told = {piece.text: piece.meaning for piece in reading.readings}
    assert [told[name] for name in ("game", "month", "map")] == ["the number of the game", "the month", "the map"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("army 1,army 2,result\na,b,15-5\nb,a,12 : 8\n", [[15, 5], [12, 8]]),
        ("winner,loser,vp winner,vp loser\na,b,15,5\nb,a,12,8\n", [[15, 5], [12, 8]]),
        ("army 1,army 2,winner,vp 1,vp 2\na,b,a,15,5\nb,a,b,,\nb,a,b,9,3\n", [[15, 5], None, [9, 3]]),
        ("army 1,army 2,result\na,b,1-0\nb,a,½-½\n", None),
        ("army 1,army 2,winner\na,b,a\n", None),
    ],
)  # fmt: skip
def test_points_stand_beside_the_result_unless_they_only_repeat_it(
    text: str, points: list[list[float] | None] | None, tmp_path: Path
) -> None:
    games = read(text, tmp_path)
    if points is None:
        assert games.points is None
    else:
        np.testing.assert_array_equal(games.points, [pair or [np.nan, np.nan] for pair in points])


def test_days_make_months_and_spellings_are_one(tmp_path: Path) -> None:
    rows = "9/1/2026,a,b,3,1,Ford\n16/01/2026,b,a,4,1, ford \n2/2/2026,a,b,9,3,-\n,b,a,0,2,Ford\n"
    labels = read(HEAD + rows, tmp_path).labels
    assert labels["date"].names == ("2026-01-09", "2026-01-16", "2026-02-02")
    assert labels["date"].places.tolist() == [0, 1, 2, -1]
    assert (labels["month"].names, labels["month"].places.tolist()) == (("2026-01", "2026-02"), [0, 0, 1, -1])
    assert (labels["map"].names, labels["map"].places.tolist()) == (("Ford",), [0, 0, -1, 0])
    evenings = read("evening,army 1,army 2,winner\n2026-01-09,a,b,a\n2026-02-16,b,a,a\n", tmp_path).labels
    assert evenings["month"].names == ("2026-01", "2026-02")


def test_some_rows_keep_their_points_and_labels_and_equal_games_are_pooled_by_points() -> None:
    games = games_of(
        ["b", "a", "b"], ["a", "b", "a"], [1, 0, 1], points=[(9, 1), (1, 9), (8, 2)], labels={"map": ["m", None, "n"]},
        game_ids=["1", "2", "3"],
    )  # fmt: skip
    few = games.select_rows(np.array([False, True, True]))
    assert few.game_ids == ("2", "3")
    assert few.labels["map"].places.tolist() == [-1, 1]
    pooled = games.group_equal()
    assert pooled.points is not None
    assert (pooled.points.tolist(), pooled.count.tolist()) == ([[2, 8], [1, 9]], [1, 2])


def test_a_parquet_file_is_read_as_its_frame_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    frame = pl.DataFrame({"army 1": ["a", "b"], "army 2": ["b", "a"], "winner": ["a", "a"]})
    frame.write_parquet(path)
    np.testing.assert_equal(vars(read_log(path).games), vars(log_of(sheet_of_frame(frame)).games))
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(CatalogueError, match="no Parquet file, or is damaged"):
        read_log(path)
