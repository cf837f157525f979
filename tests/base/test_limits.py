"""What is published about limits is what is in force, and what ships keeps well within them."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from balance.base import limits

MB = 1024 * 1024
DATA = Path(__file__).parents[2] / "data"


def test_the_limits_are_those_that_were_agreed() -> None:
    """A limit is loosened or tightened on purpose, here and there."""
    assert {name: value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int)} == {
        "MOST_ANSWER_BYTES": 64 * MB,
        "MOST_BLOCK_BYTES": 16 * MB,
        "MOST_CATALOGUE_XML_BYTES": 32 * MB,
        "MOST_CELLS": 2_500_000,
        "MOST_CELL_CHARACTERS": 32_767,
        "MOST_DICE": 10_000,
        "MOST_DICE_CHARACTERS": 1000,
        "MOST_DICE_FACES": 10_000,
        "MOST_DICE_LINES": 20_000,
        "MOST_DICE_NESTING": 20,
        "MOST_DICE_OUTCOMES": 200_000,
        "MOST_DICE_ROLLS": 200_000_000,
        "MOST_DICE_ROWS": 200,
        "MOST_DICE_SAMPLE": 20_000_000,
        "MOST_DICE_STATES": 500_000,
        "MOST_DICE_SYMBOLS": 20,
        "MOST_DICE_TOTAL": 10**15,
        "MOST_DICE_VALUE": 1_000_000,
        "MOST_DICE_WORK": 8_000_000,
        "MOST_FAULTS": 1000,
        "MOST_LINK_STEPS": 5_000_000,
        "MOST_LIST_ROWS": 1_000_000,
        "MOST_LOG_EFFECTS": 1500,
        "MOST_LOG_NAMES": 1500,
        "MOST_LOG_ROWS": 100_000,
        "MOST_MANIFEST_BYTES": 16 * MB,
        "MOST_NAME_CHARACTERS": 80,
        "MOST_NAMED": 2000,
        "MOST_NESTING": 32,
        "MOST_OTHER_TAGS": 100_000,
        "MOST_PAGE_BYTES": 64 * MB,
        "MOST_PARQUET_BYTES": 4096 * MB,
        "MOST_PARTS": 2000,
        "MOST_PLANNED_GAMES": 100_000,
        "MOST_POINTS": 100,
        "MOST_ROWS": 1_048_576,
        "MOST_SCENES": 10_000,
        "MOST_SETTINGS": 200,
        "MOST_SHARED_BYTES": 256 * MB,
        "MOST_TABLE_BYTES": 32 * MB,
        "MOST_TABLE_QUESTIONS": 10_000,
        "MOST_TASKS": 1_000_000,
        "MOST_TEXTS": 500_000,
        "MOST_TOML_BYTES": MB,
        "MOST_UNPACKED_BYTES": 64 * MB,
        "MOST_WORKBOOK_BYTES": 16 * MB,
        "MOST_WORKBOOK_CELLS": 300_000,
        "MOST_XML_ATTRIBUTES": 64,
        "MOST_XML_DEPTH": 100,
        "MOST_XML_ELEMENTS": 400_000,
        "ROWS_PER_BYTE": 100,
    }


@pytest.mark.parametrize(("ending", "most"), [("*.toml", limits.MOST_TOML_BYTES), ("*.csv", limits.MOST_TABLE_BYTES)])
def test_what_ships_takes_no_tenth_of_a_limit(ending: str, most: int) -> None:
    sizes = [path.stat().st_size for path in DATA.rglob(ending)]
    assert sizes and max(sizes) <= most / 10


def test_libraries_are_told_to_use_one_thread() -> None:
    assert limits.ONE_THREAD == {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "POLARS_MAX_THREADS": "1",
    }


def test_a_process_is_ended_by_whichever_of_three_signals_the_system_has() -> None:
    known = {kind.name: kind for kind in signal.Signals}
    assert tuple(known[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in known) == limits.END_SIGNALS
