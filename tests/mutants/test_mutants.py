"""The tool that breaks `balance` breaks it, tells what it did, and knows which tests mirror a file."""

from __future__ import annotations

import ast
import importlib.util
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.mutants import sample
from tests.mutants.__main__ import able, mirrored
from tests.mutants.reach import Reach
from tests.mutants.sample import Aside, Mutant
from tests.mutants.workshop import ROOT, Workshop

needs_cosmic_ray = pytest.mark.skipif(
    importlib.util.find_spec("cosmic_ray") is None, reason="`make mutants` installs cosmic-ray"
)
CODE = '''"""A module."""

LIMIT = 3


@dataclass(frozen=True)
class Low:
    def least(
        self, first: int | None = 1
    ) -> int | None:
        """Return the least."""
        if first > LIMIT:
            return first
        return sum(
            n
            for n in range(2)
        )
'''


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("balance/games/edadh/rules/turn.py", {"tests/games/edadh/test_turn.py::test_a"}),
        ("balance/reporting/sections/front.py", {"tests/reporting/test_front.py::test_b"}),
        ("balance/base/files.py", {"tests/base/test_files.py::test_c", "balance/base/files.py::balance.base.files"}),
        ("balance/base/errors.py", {"tests/base/test_files.py::test_c"}),
    ],
)
def test_tests_mirror_the_folder_or_a_module_of_the_top(file: str, tests: set[str]) -> None:
    every = {
        "tests/games/edadh/test_turn.py::test_a",
        "tests/games/test_too_large.py::test_d",
        "tests/reporting/test_front.py::test_b",
        "tests/base/test_files.py::test_c",
        "balance/base/files.py::balance.base.files",
    }
    assert mirrored(file, every) == tests


@pytest.mark.parametrize(
    ("line", "around", "on_import"),
    [(3, [3], True), (6, [6, 7], True), (9, [8, 9, 10, 11], True), (12, [12], False), (16, [14, 15, 16, 17], False)],
)
def test_a_line_belongs_to_its_statement(line: int, around: list[int], on_import: bool) -> None:
    tree = ast.parse(CODE)
    assert [n for n in sample.statement_lines(tree, line) if n != 11] == [n for n in around if n != 11]
    assert sample.runs_on_import(tree, line) == on_import


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "balance").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "balance/low.py").write_text(CODE, "utf-8")
    (tmp_path / "balance/high.py").write_text("from balance.low import LIMIT\n", "utf-8")
    return tmp_path


def test_those_who_execute_the_statement_are_able_to_notice(checkout: Path) -> None:
    near, far, other = "tests/test_low.py::test_a", "tests/chance/test_b.py::test_b", "tests/chance/test_b.py::test_c"
    lines = {"balance/low.py": {12: {near, far}, 14: {far}}, "balance/high.py": {1: {other}}}
    known = Reach(
        {file: {n: frozenset(tests) for n, tests in by.items()} for file, by in lines.items()},
        {near: 1.0, far: 1.0, other: 1.0},
    )
    assert able(Mutant("balance/low.py", 12, "", "", "", ""), known, checkout) == ({near}, {far})
    assert able(Mutant("balance/low.py", 16, "", "", "", ""), known, checkout) == (set(), {far})
    assert able(Mutant("balance/low.py", 3, "", "", "", ""), known, checkout) == ({near}, {far, other})


@needs_cosmic_ray
def test_a_draw_is_seeded_and_each_mutant_is_other_code(checkout: Path) -> None:
    drawn, again = (list(sample.draw(checkout, 100, 1)) for _ in range(2))
    assert drawn == again
    assert drawn != list(sample.draw(checkout, 100, 2))
    assert {mutant.line for mutant in drawn} == {3, 6, 9, 12, 16}
    for mutant in drawn:
        assert mutant.was != mutant.becomes
        assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(CODE))
        assert "| None" in mutant.becomes or "| None" not in mutant.was


def test_what_is_set_aside_says_why_and_is_still_there() -> None:
    for aside in sample.set_aside():
        assert aside.reason.endswith(".")
        assert any(aside.was in path.read_text("utf-8") for path in ROOT.glob("balance/**/*.py") if _named(path, aside))


def _named(path: Path, aside: Aside) -> bool:
    return fnmatch(path.relative_to(ROOT).as_posix(), aside.file)


def test_an_aside_holds_what_it_names() -> None:
    mutant = Mutant("balance/chance/rolls/streams.py", 3, "NumberReplacer", "BLOCK = 4", "BLOCK = 5", "")
    assert Aside("BLOCK =", "It only tunes.", "balance/chance/*").holds(mutant)
    assert not Aside("BLOCK =", "It only tunes.", "balance/chance/pmf/*").holds(mutant)
    assert not Aside("BLOCK =", "It only tunes.", becomes="3").holds(mutant)


def test_a_file_is_mutated_for_a_while(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path)
    workshop.checkout.mkdir()
    (workshop.checkout / "a.py").write_text("1\n", "utf-8")
    with workshop.mutated("a.py", "2\n"):
        assert (workshop.checkout / "a.py").read_text("utf-8") == "2\n"
    assert (workshop.checkout / "a.py").read_text("utf-8") == "1\n"
