"""The figures are what they say: counted on a small checkout, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures import trees
from tests.figures.__main__ import LONGEST, cpu_seconds, figures, passed

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


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    package = tmp_path / "balance"
    package.mkdir()
    for name, text in {"top": TOP, "low": LOW, "ground": "ground = 1\n", "__main__": MAIN, "__init__": ""}.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    return tmp_path


def test_lines_are_those_of_code(checkout: Path) -> None:
    counts = {module.name: trees.code_lines(module) for module in trees.modules(checkout)}
    assert counts == {"balance": 0, "balance.__main__": 11, "balance.ground": 1, "balance.low": 3, "balance.top": 6}


def test_a_function_is_as_long_as_what_it_does(checkout: Path) -> None:
    lengths = {where.split()[-1]: length for length, where in trees.function_lengths(trees.modules(checkout))}
    assert lengths == {"pool": 2, "low": 2, "near": 2, "far": 2, "run": 3}


def test_floors_are_the_longest_chain(checkout: Path) -> None:
    assert trees.floors(trees.modules(checkout)) == 3


def test_an_alias_of_any_is_any(checkout: Path) -> None:
    assert trees.mentions_of_any(trees.modules(checkout)) == 2 + 1 + 2


def test_what_a_game_touches_of_the_toolkit(checkout: Path) -> None:
    top = trees.Module(checkout, checkout / "balance/top.py")
    assert trees.imports_of(top) == {"Low", "low"}
    assert trees.slots_of(top) == {"Low[0]", "Low.b"}
    assert trees.classes_of_a_request([top]) == ["Chance"]


def test_a_command_passes_what_is_called_after_its_modules_are_loaded(checkout: Path) -> None:
    assert passed(checkout) == (1, 3, False)
    assert 0 < cpu_seconds(checkout, runs=1) < 5


@pytest.mark.slow("test_a_command_passes_what_is_called_after_its_modules_are_loaded")
def test_figures_of_this_checkout_are_told() -> None:
    root = Path(__file__).parents[2]
    told = dict(zip(range(3), figures(root, "tests/toy/game.py"), strict=False))
    assert int(told[0][1].replace(",", "")) > 10_000


@pytest.mark.slow("test_a_function_is_as_long_as_what_it_does")
def test_no_function_of_balance_is_longer_than_a_page() -> None:
    root = Path(__file__).parents[2]
    assert [where for length, where in trees.function_lengths(trees.modules(root)) if length > LONGEST] == []
