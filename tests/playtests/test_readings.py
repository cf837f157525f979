"""How a log was read is told column by column before anything is rated, and tables of a catalogue are no logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.paths import data_folder
from balance.playtests.readings import log_reading


def test_each_column_and_how_rows_make_games_is_told(tmp_path: Path) -> None:
    path = tmp_path / "evenings.csv"
    path.write_text(
        "season,game_id,faction,points,goes first,weather\n2025,1,Elves,3,yes,rain\n2025,1,Orcs,2,no,rain\n"
        "2026,1,Elves,1,no,sun\n2026,1,Orcs,4,yes,sun\n",
        "utf-8",
    )
    reading = log_reading(path)
    assert reading is not None
    assert reading.kind == "log of games"
    assert reading.summary.startswith("2 games of 2 entrants, one row per player")
    told = {piece.text: piece.meaning for piece in reading.readings}
    assert told["season"] == "the season, league or group in which numbers begin anew"
    assert told["game_id"] == "the number of the game"
    assert told["faction"] == "the name of the side that the row tells of"
    assert told["goes first"] == "who went first"
    assert told["weather"] == "not used"
    assert reading.readings[-1].meaning == "Who went first stands under starts."


def test_a_log_that_cannot_be_read_tells_its_columns_and_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "doubles.csv"
    path.write_text("home1,home2,away1,away2,result\nAnn,Ben,Cal,Dan,Eve\n", "utf-8")
    reading = log_reading(path)
    assert reading is not None
    assert {piece.text: piece.meaning for piece in reading.readings}["home2"] == "a further name on one side"
    assert "neither of the two" in str(reading.faults[0])


@pytest.mark.parametrize(
    "table", sorted(data_folder().rglob("*.csv")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_table_of_a_catalogue_is_no_log(table: Path) -> None:
    assert log_reading(table) is None
