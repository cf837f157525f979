"""The figures are what they say: counted on a small checkout, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.figures import imports, running, surface, trees
from tests.figures.__main__ import LONGEST_FUNCTION, figures, rooms

ROOT = Path(__file__).parents[2]
TOP = '''"""A text.

Of three lines.
"""

from typing import Any

from balance.low import Low, low

Ints = Any  # a comment


class Chance:
    """Dice."""

    def pool(self, die: Ints, k: int, name: str) -> Ints:
        """Say nothing.

        At length.
        """
        return low(Low(1, b=2))
'''
LOW = "from balance.ground import ground\n\n\ndef low(a):\n    return ground\n"
MAIN = """import sys

def near():
    return [far(x) for x in (1, 2)]

def far(x):
    return x

def run():
    near()
    sys.exit(0)

far(0)
if __name__ == "__main__":
    run()
"""
INIT = """__all__ = ["load"]


class Game:
    def __repr__(self):
        return "Game('warforged')"


def load(name):
    return Game()
"""
CIRCLES = {
    "balance/__init__": "def __getattr__(name):\n    return import_module({'load': 'balance.exact.load'}[name])\n",
    "balance/exact/__init__": "from balance import __version__\n",
    "balance/exact/load": "def load():\n    from balance.exact import chain\n",
    "balance/exact/chain": "import balance\n\nprint(balance.load)\n",
    "balance/exact/course": "import balance as toolkit\n\nprint(toolkit.__version__)\n",
    "balance/exact/types": "from balance.exact.uses import use\n",
    "balance/exact/uses": "if TYPE_CHECKING:\n    import balance.exact.types\nfrom balance.exact import load\n",
}
SECTIONS = '''
def explained(a, b):
    """Say it.

    Parameters
    ----------
    a, b
        Two numbers.
    """

def short(a):
    """Take one."""

class Public:
    def method(self, a, *, b):
        """Take two."""

    def getter(self, a):
        """Take one."""

def _private(a, b):
    """Take two."""
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {"top": TOP, "low": LOW, "ground": "ground = 1\n", "__main__": MAIN, "__init__": INIT}
    return written(tmp_path, {f"balance/{name}": text for name, text in files.items()})


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_lines_are_those_of_code(checkout: Path) -> None:
    counts = {module.name: trees.code_lines(module) for module in trees.modules(checkout)}
    assert counts == {"balance": 6, "balance.__main__": 11, "balance.ground": 1, "balance.low": 3, "balance.top": 6}


def test_a_function_is_as_long_as_what_it_does(checkout: Path) -> None:
    lengths = {where.split()[-1]: length for length, where in trees.function_lengths(trees.modules(checkout))}
    assert lengths == {"pool": 2, "low": 2, "near": 2, "far": 2, "run": 3, "__repr__": 2, "load": 2}


def test_an_entry_is_a_module_or_a_package(tmp_path: Path) -> None:
    assert surface.entries(trees.modules(written(tmp_path, CIRCLES))) == {"balance": 1, "balance/exact": 5}


def test_a_circle_leads_through_functions_and_names_found_on_first_use(tmp_path: Path) -> None:
    """But not through types, nor through a package that is asked for a module or its version alone."""
    graph = imports.import_graph(trees.modules(written(tmp_path, CIRCLES)))
    assert graph == {
        "balance": {"balance.exact.load"},
        "balance.exact": set(),
        "balance.exact.load": {"balance.exact.chain"},
        "balance.exact.chain": {"balance"},
        "balance.exact.course": set(),
        "balance.exact.types": {"balance.exact.uses"},
        "balance.exact.uses": {"balance.exact.load"},
    }
    assert imports.circles(graph) == [["balance", "balance.exact.chain", "balance.exact.load"]]


def test_circles_come_by_size() -> None:
    graph = {"a": {"b"}, "b": {"a"}, "c": {"d", "a"}, "d": {"e"}, "e": {"c"}, "f": {"a", "c"}}
    assert imports.circles(graph) == [["c", "d", "e"], ["a", "b"]]


def test_parameters_are_explained_in_a_section_of_their_own(tmp_path: Path) -> None:
    functions = dict(surface.public_functions(trees.modules(written(tmp_path, {"balance/doc": SECTIONS}))))
    explained = {place.split()[-1]: surface.explains_parameters(node) for place, node in functions.items()}
    assert explained == {"explained": True, "method": False}


def test_what_documents_and_notebooks_import(checkout: Path) -> None:
    cells = [{"cell_type": "code", "source": ["import balance\n", "from balance.analysis.luck import run"]}]
    for folder in ("docs/how-to", "notebooks"):
        (checkout / folder).mkdir(parents=True)
    (checkout / "README.md").write_text(">>> import balance\n>>> import balance.chance.pmf\n", "utf-8")
    (checkout / "docs/how-to/dice.md").write_text("    from balance.chance.dice.exact.expressions import x\n", "utf-8")
    (checkout / "notebooks/one.ipynb").write_text(json.dumps({"cells": cells}), "utf-8")
    assert surface.deep_imports(checkout) == [
        "balance.analysis.luck",
        "balance.chance.dice.exact.expressions",
        "balance.chance.pmf",
    ]
    assert surface.public_names(checkout) == ["load"]


def test_what_a_game_touches_of_the_toolkit(checkout: Path) -> None:
    top = trees.Module(checkout, checkout / "balance/top.py")
    assert trees.imports_of(top) == {"Low", "low"}
    assert trees.slots_of(top) == {"Low[0]", "Low.b"}


def test_a_command_passes_what_is_called_after_its_modules_are_loaded(checkout: Path) -> None:
    assert running.attack_path(checkout) == (1, 3, False)
    assert 0 < running.cpu_seconds(checkout, runs=1) < 5
    assert running.repr_length(checkout) == len("Game('warforged')")


def test_rooms_of_a_checkout(checkout: Path) -> None:
    assert dict(rooms(trees.modules(checkout))) == {
        "lines of code of balance/": "27",
        "modules": "5",
        "entries of a package at most": "4 in balance",
        "packages of more than 12 entries": "0 of 1",
        "modules over 300 lines (the longest)": "0 (21, balance/top.py)",
        "import circles (modules in them)": "0 (0)",
    }


@pytest.mark.slow("test_rooms_of_a_checkout")
def test_figures_of_this_checkout() -> None:
    table = dict(figures(ROOT, count_tests=True))
    assert int(table["lines of code of balance/"].replace(",", "")) > 10_000
    assert int(table["tests of the default run"].replace(",", "")) > 1_000


@pytest.mark.slow("test_a_function_is_as_long_as_what_it_does")
def test_no_function_of_balance_is_longer_than_a_page() -> None:
    lengths = trees.function_lengths(trees.modules(ROOT))
    assert [where for length, where in lengths if length > LONGEST_FUNCTION] == []
