"""Notebooks are stored with what they show, and that is what the code shows now."""

from __future__ import annotations

import json
import math
import re
from itertools import zip_longest
from typing import Any

import pytest

from tests.docs.pages import blocks
from tests.packaging.checkout import ROOT
from tests.packaging.notebooks import NOTEBOOKS, execute

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
MACHINE = re.compile(r"/home/|/root/|/work/|/tmp/|/usr/|[A-Z]:\\|0x[0-9a-f]{6,}")
SHOWN = ("text/plain", "text/markdown")
PICTURES = ("image/png", "image/svg+xml")
LONGEST_REPR = 200
DEEPER = re.compile(r"^\s*(?:from|import) +balance\.|\bbalance\.[a-z_]+\.[A-Za-z_]", re.MULTILINE)
"""What imports a module inside `balance`, or reaches into one."""


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
    data = [
        {kind: part for kind, part in output.get("data", output).items() if kind != "image/png"} for output in outputs
    ]
    assert not MACHINE.findall(json.dumps(data))
    assert set(notebook["metadata"]["language_info"]) == {"name"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_has_plots_that_are_small(name: str) -> None:
    outputs = [output for cell in code(stored(name)) for output in cell["outputs"]]
    plots = [text_of(output["data"][kind]) for output in outputs for kind in PICTURES if kind in output.get("data", {})]
    assert len(plots) >= 3
    assert max(map(len, plots)) < 100_000


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_imports_nothing_deeper_than_the_front_door(name: str) -> None:
    written = "\n".join(text_of(cell["source"]) for cell in code(stored(name)))
    assert re.search(r"^import balance$", written, re.MULTILINE)
    assert DEEPER.findall(written) == []


def test_the_readme_imports_nothing_deeper_than_the_front_door() -> None:
    written = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")
    assert DEEPER.findall("\n".join(written)) == []


def test_what_reaches_deeper_is_seen() -> None:
    for deep in (
        "from balance.analysis.luck import x",
        "import balance.chance.pmf",
        "    from balance.x import y",
        "balance.analysis.luck.run()",
    ):
        assert DEEPER.search(deep), deep
    for front in (
        "import balance",
        "from balance import load",
        "balance.luck(game)",
        "x = balance.Pmf",
        "balance.load(1)",
    ):
        assert not DEEPER.search(front), front


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_a_notebook_shows_is_short(name: str) -> None:
    """A table is known by its HTML, which is no answer's: that begins with its sentence and has a short form too."""
    shown = [output["data"] for cell in code(stored(name)) for output in cell["outputs"] if "data" in output]
    short = [text_of(data["text/plain"]) for data in shown if "<table" not in text_of(data.get("text/html", ""))]
    short += [text for data in shown if (text := text_of(data["text/plain"])).startswith("<")]
    assert [text for text in short if len(text) >= LONGEST_REPR] == []


def check(name: str) -> None:
    then, now = texts(stored(name)), texts(execute(name))
    apart = [(a, b) for a, b in zip_longest(then, now, fillvalue="") if not same(a, b)]
    assert not apart, f"{name} shows something else now; run `make notebooks`: {apart[0]}"


@pytest.mark.slow("test_a_notebook_is_stored_with_sound_outputs")
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
