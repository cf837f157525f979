"""Five hundred spoilt logs: each is read or refused with its faults, and every planted fault is found in its row."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from balance.base.errors import CatalogueError
from balance.playtests.log.log import Log, LogSettings, read_log
from tests.hostile.mutations import CSV, ZIP, mutate

HEAD = ["evening", "army 1", "army 2", "player 1", "player 2", "starts", "winner", "points 1", "points 2", "n"]
ARMIES, PLAYERS = ("Elves", "Orcs", "Dwarves", "Città"), ("Ada", "Bo", "Carla")


def sound_rows(chance: random.Random, n: int) -> list[list[str]]:
    rows = [HEAD]
    for _ in range(n):
        one, other = chance.sample(ARMIES, 2)
        players = chance.sample(PLAYERS, 2)
        points = chance.choice([("3", "1"), ("1", "3"), ("2", "2")])
        winner = {"3": one, "1": other, "2": "draw"}[points[0]]
        day = f"2026-01-{chance.randrange(1, 28):02}"
        rows.append([day, one, other, *players, chance.choice([one, other, ""]), winner, *points, "1"])
    return rows


def as_csv(rows: list[list[str]], separator: str = ",") -> bytes:
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def as_workbook(rows: list[list[str]]) -> bytes:
    book, content = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(content)
    return content.getvalue()


def spoilt(seed: int) -> tuple[str, bytes]:
    """Return the name and the bytes of a spoilt log; the same for the same seed."""
    chance = random.Random(seed)
    rows = sound_rows(chance, 12)
    if seed % 10 == 0:
        return "log.xlsx", mutate(as_workbook(rows), ZIP, chance)
    return "log.csv", mutate(as_csv(rows), CSV, chance)


def read_or_faults(path: Path) -> Log | CatalogueError:
    try:
        return read_log(path, LogSettings())
    except CatalogueError as error:
        return error


@pytest.mark.parametrize("n_logs", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_spoilt_logs_are_read_or_refused_with_their_faults(n_logs: int, tmp_path: Path) -> None:
    n_read = n_refused = 0
    for seed in range(n_logs):
        name, content = spoilt(seed)
        (tmp_path / name).write_bytes(content)
        found = read_or_faults(tmp_path / name)
        if isinstance(found, Log):
            n_read += 1
            found.games.check()
            assert all(name == " ".join(name.split()) for name in found.games.names), seed
            continue
        n_refused += 1
        assert found.faults, seed
        for fault in found.faults:
            assert fault.message, seed
            assert fault.path.startswith(str(tmp_path / name)), (seed, fault)
            assert fault.row is None or 0 < fault.row <= content.count(b"\n") + content.count(b"\r") + 2, (seed, fault)
    assert n_read + n_refused == n_logs
    assert min(n_read, n_refused) > n_logs // 10  # the mutations are neither all harmless nor all deadly


PLANTED = {
    1: ("", "x" * 81, "El\x07ves"),
    2: ("", "\x1b[31m"),
    5: ("Trolls", "3"),
    6: ("Trolls", "2026-01-02", "1e9"),
    7: ("x", "1,5,", "#N/A", "03-apr"),
    9: ("", "0.5", "-1", "many", "1e400"),
}
"""Column -> what is wrong in it, one fault each."""


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_every_planted_fault_is_told_in_its_row_and_no_other(form: str, tmp_path: Path) -> None:
    chance = random.Random(f"planted {form}")
    for trial in range(60 if form == "csv" else 15):
        rows = sound_rows(chance, 30)
        wrong = {}
        for row in chance.sample(range(1, 31), chance.randrange(1, 9)):
            column = chance.choice(list(PLANTED))
            text = chance.choice(PLANTED[column])
            if form == "xlsx" and any(ord(c) < 32 for c in text):
                continue  # which no workbook can hold
            rows[row][column] = text
            wrong[row + 1] = HEAD[column]
        content = as_workbook(rows) if form == "xlsx" else as_csv(rows, "\t")
        (tmp_path / f"log.{form}").write_bytes(content)
        found = read_or_faults(tmp_path / f"log.{form}")
        told = {} if isinstance(found, Log) else {fault.row: fault.field for fault in found.faults}
        assert told == wrong, (trial, found)
        assert isinstance(found, Log) or len(found.faults) == len(wrong)


def test_the_sound_logs_are_read_for_what_they_are(tmp_path: Path) -> None:
    """The control: unspoilt, every one of them is read, and nothing in it is lost."""
    chance = random.Random(1)
    for _ in range(20):
        rows = sound_rows(chance, 30)
        (tmp_path / "log.csv").write_bytes(as_csv(rows))
        log = read_log(tmp_path / "log.csv")
        expected = [{"draw": 0.5, row[1]: 1.0}.get(row[6], 0.0) for row in rows[1:]]
        np.testing.assert_array_equal(log.games.score, expected)
        movers = [{"": 0, row[1]: 1}.get(row[5], -1) for row in rows[1:]]
        np.testing.assert_array_equal(log.games.mover, movers)
