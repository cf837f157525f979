"""What is left to the long suite: each test that is named as a short form is there, and runs by default."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@cache
def nodes(file: str) -> list[ast.AST]:
    """Return all parts of a file."""
    return [*ast.walk(ast.parse((TESTS.parent / file).read_text("utf-8")))]


@cache
def functions(file: str) -> dict[str, bool]:
    """Return the tests of a file: name -> whether all cases of it are marked `slow`."""
    return {
        node.name: any("mark.slow" in ast.unparse(mark) and "parametrize" not in ast.unparse(mark) for mark in marks)
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef) and (marks := node.decorator_list) is not None
    }


def named() -> Iterator[tuple[str, str]]:
    """Yield each short form that a mark names, with the file of the mark."""
    for path in sorted(TESTS.rglob("test_*.py")):
        file = path.relative_to(TESTS.parent).as_posix()
        for node in nodes(file) if "pytest.mark.slow(" in path.read_text("utf-8") else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "slow":
                yield file, str(ast.literal_eval(node.args[0]))


def complaint(file: str, name: str) -> str:
    """Return why a test cannot be the short form of one in a file; nothing if it can."""
    where, _, test = name.rpartition("::")
    where = where or file
    if not (TESTS.parent / where).is_file() or test not in functions(where):
        return f"{file}: {name} does not exist"
    return f"{file}: {name} is slow itself" if functions(where)[test] else ""


def test_short_forms_are_there_and_run_by_default() -> None:
    found = list(named())
    assert len(found) > 50
    assert [told for one in found if (told := complaint(*one))] == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("test_nothing_of_the_kind", "does not exist"),
        ("tests/test_nowhere.py::test_nothing", "does not exist"),
        ("tests/chance/dice/test_peers.py::test_a_peer_counts_the_same", "is slow itself"),
        ("test_short_forms_are_there_and_run_by_default", ""),
    ],
)
def test_a_name_that_is_wrong_is_told(name: str, told: str) -> None:
    found = complaint("tests/test_suites.py", name)
    assert found.endswith(told) and bool(found) == bool(told)
