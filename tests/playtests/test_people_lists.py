"""Lists of armies are read alike from an entry a row, a column a unit and text; what does not fit is told at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from balance.base.errors import CatalogueError
from balance.playtests.games import Games, games_of
from balance.playtests.log.lists import Lists, read_lists

LONG = pl.DataFrame({
    "Partita": ["g1", "g1", "g1", "g1", "g2"],
    "lato": ["a", "a", "a", "b", "Orcs"],
    "unità": ["Spearmen", "spearmen ", "Captain", "Boar", "Boar"],
    "modelli": [20, 20, 1, None, 5],
    "costo": [120.0, 120, 150, 200.5, 240],
})  # fmt: skip
WIDE = (
    "game;army;Spearmen (points);Captain (points);Boar (points)\ng1;Elves;240;150;\ng1;Orcs;0;;200,5\ng2;Orcs;;;240\n"
)
TEXT = "match,player,list\n"
TEXT += 'g1,Ada,"2x Spearmen (240), Captain 150 pts"\ng1,Bo,"Boar [200.5 pts]"\ng2,Bo,Boar - 240 points\n'


def a_log(**named: object) -> Games:
    players = [("Ada", "Bo"), ("Bo", "Ada")]
    arguments = {"players": players, "game_ids": ["g1", "g2"]} | named
    return games_of(["Elves", "Orcs"], ["Orcs", "Elves"], [1, 0], **arguments)  # type: ignore[arg-type]


def written(folder: Path, text: str, name: str = "lists.csv") -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def entries(lists: Lists) -> list[tuple[int, int, str, float]]:
    names = [lists.names[at].casefold() for at in lists.unit]
    return list(zip(lists.game.tolist(), lists.side.tolist(), names, lists.amount.tolist(), strict=True))


def test_three_shapes_and_every_kind_of_file_say_the_same(tmp_path: Path) -> None:
    log = a_log()
    LONG.write_parquet(tmp_path / "lists.parquet")
    LONG.write_csv(tmp_path / "lists.tsv", separator="\t")
    (tmp_path / "lists.json").write_text(LONG.write_json(), "utf-8")
    in_pandas = pd.DataFrame(LONG.to_dict(as_series=False))
    in_pandas.to_excel(tmp_path / "lists.xlsx", index=False)
    files = [tmp_path / f"lists.{kind}" for kind in ("parquet", "tsv", "json", "xlsx")]
    texts = [written(tmp_path, WIDE, "wide.csv"), written(tmp_path, TEXT, "text.csv")]
    frames = [LONG, in_pandas, LONG.sample(fraction=1.0, shuffle=True, seed=3)]
    every = [read_lists(source, log) for source in (*frames, *files, *texts)]
    assert all(entries(lists) == entries(every[0]) for lists in every)
    assert entries(every[0])[:2] == [(0, 0, "captain", 1.5), (0, 0, "spearmen", 2.4)]
    assert every[0].notes == ("1 game with the list of one side only count with that.",)
    assert "The cells are taken as costs, as their headers say." in every[-2].notes


def test_without_costs_effects_are_told_per_copy_or_model() -> None:
    log = a_log(game_ids=None)
    wide = pl.DataFrame({"game": [1, 1, 2, 2], "side": [1, 2, 1, 2], "Bow": [2, 0, 1, None], "Boar": [0, 3, 1, 1]})
    lists = read_lists(wide, log)
    assert lists.measure == "model or copy"
    assert lists.amount.tolist() == [2, 3, 1, 1, 1]
    assert np.isnan(lists.cost).all()
    assert sum("median is 1" in note or "log names no games" in note for note in lists.notes) == 2
    names = pl.DataFrame({"game": [1, 1], "side": [1, 1], "unit": ["Bow", "Bow"]})
    assert entries(read_lists(names, log)) == [(0, 0, "bow", 2.0)]
    assert read_lists(names, log).measure == "copy"


def test_all_faults_are_told_at_once_with_file_row_and_column(tmp_path: Path) -> None:
    rows = ["g1,a,Bow,100", "g1,c,Bow,100", "g1,b,Bow,0", "g2,a,Bow,", "g2,a,,10", "g9,a,Bow,10", "g2,b,Bow,many"]
    path = written(tmp_path, "\n".join(["game,side,unit,cost", *rows]))
    with pytest.raises(CatalogueError) as error:
        read_lists(path, a_log())
    faults = {(fault.row, fault.field, fault.found) for fault in error.value.faults}
    assert faults == {(7, "game", "g9"), (3, "side", "c"), (4, "cost", "0"), (5, "cost", ""), (6, "unit", ""),
                      (8, "cost", "many")}  # fmt: skip
    assert {fault.path for fault in error.value.faults} == {str(path)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game,side,unit,cost\nx1,a,Bow,1\nx2,a,Bow,1\ng1,a,Bow,1\n", "2 of its games are not in the log"),
        ("game,unit,cost\ng1,Bow,10\n", "names no side in its header"),
        ("side,unit,cost\na,Bow,10\n", "names no game in its header"),
        ("game,side,list\ng1,a,\n", "holds no lists"),
        ("game,army,unit,cost\ng1,Elves,Bow,10\n", "names no side of its game"),
    ],
)
def test_lists_that_fit_no_log_are_refused(tmp_path: Path, text: str, message: str) -> None:
    mirror = games_of(["Elves", "Elves"], ["Elves", "Orcs"], [1, 0], game_ids=["g1", "g2"])
    with pytest.raises(CatalogueError, match=message):
        read_lists(written(tmp_path, text), mirror)
