"""Notebooks are stored with what they show, and that is what the code shows now."""

from __future__ import annotations

import json
import math
import re
from itertools import zip_longest
from typing import Any

import pytest

from tests.packaging.checkout import ROOT
from tests.packaging.notebooks import NOTEBOOKS, execute

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
MACHINE = re.compile(r"/home/|/root/|/work/|/tmp/|/usr/|[A-Z]:\\|0x[0-9a-f]{6,}")
SHOWN = ("text/plain", "text/markdown")


def stored(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def text_of(part: str | list[str]) -> str:
    return part if isinstance(part, str) else "".join(part)


def texts(notebook: Any) -> list[str]:
    """Return the texts that a notebook shows, one for each output."""
    outputs = [output for cell in code(notebook) for output in cell["outputs"]]
    return [
        text_of(output["text"]) if "text" in output else "\n".join(
            text_of(output["data"][kind]) for kind in SHOWN if kind in output["data"]
        ) for output in outputs
    ]  # fmt: skip


def same(one: str, other: str) -> bool:
    """Return whether two texts agree in their words exactly, and in their numbers but for the last digits."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-7) for a, b in pairs)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_stored_with_sound_outputs(name: str) -> None:
    notebook = stored(name)
    cells = code(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not any(cell["metadata"] for cell in notebook["cells"])
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "display_data", "stream"}
    assert all(output.get("name", "stdout") == "stdout" for output in outputs)
    assert not MACHINE.findall(json.dumps(outputs))
    assert set(notebook["metadata"]["language_info"]) == {"name"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_has_plots_that_are_small(name: str) -> None:
    outputs = [output for cell in code(stored(name)) for output in cell["outputs"]]
    plots = [
        text_of(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})
    ]
    assert len(plots) >= 3
    assert max(map(len, plots)) < 100_000


def check(name: str) -> None:
    then, now = texts(stored(name)), texts(execute(name))
    apart = [(a, b) for a, b in zip_longest(then, now, fillvalue="") if not same(a, b)]
    assert not apart, f"{name} shows something else now; run `make notebooks`: {apart[0]}"


def test_the_first_notebook_shows_what_is_stored() -> None:
    check(NOTEBOOKS[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS[1:])
def test_the_others_show_what_is_stored(name: str) -> None:
    check(name)


def test_another_output_is_told_apart() -> None:
    assert same("mean 0.1234567891, n = 12", "mean 0.1234567892, n = 12")
    assert not same("mean 0.1235", "mean 0.1234")
    assert not same("mean 0.1235", "mode 0.1235")
    assert MACHINE.search("/home/me/x.py") and not MACHINE.search("wins and/or draws")
