"""Notebooks are committed without outputs, so that a change of one is a change of its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.checkout import ROOT, own_files

NOTEBOOKS = [name for name in own_files("notebooks") if name.endswith(".ipynb")]


def leftovers(path: Path) -> list[int]:
    """Return the numbers, from 1, of the cells that hold an output or were numbered by a run."""
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [n for n, cell in enumerate(cells, 1) if cell.get("outputs") or cell.get("execution_count") is not None]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_holds_no_output(name: str) -> None:
    assert leftovers(ROOT / name) == []


def test_an_output_is_found(tmp_path: Path) -> None:
    text = {"cell_type": "markdown", "source": ["# Title"]}
    clean = {"cell_type": "code", "source": ["1"], "outputs": [], "execution_count": None}
    shown = clean | {"outputs": [{"output_type": "stream", "name": "stdout", "text": ["1"]}]}
    numbered = clean | {"execution_count": 3}
    path = tmp_path / "run.ipynb"
    path.write_text(json.dumps({"cells": [text, clean, shown, numbered]}), encoding="utf-8")
    assert leftovers(path) == [3, 4]
