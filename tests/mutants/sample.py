"""Mutants of `balance`, drawn at random: a line of code, a place on it, and one way to break that place."""

from __future__ import annotations

import ast
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.figures.trees import Module, code_line_numbers, modules

SET_ASIDE = Path(__file__).with_name("set_aside.toml")


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the line before and after, and the whole text after."""

    file: str
    line: int
    operator: str
    was: str
    becomes: str
    text: str

    def __str__(self) -> str:
        """Return where it is and what changed."""
        return f"{self.file}:{self.line}\n    - {self.was.strip()}\n    + {self.becomes.strip()}"


@dataclass(frozen=True)
class Aside:
    """Mutants that no test could or should notice: those of lines with a text, in files of a name, and the reason."""

    was: str
    reason: str
    file: str = "*"
    becomes: str = ""

    def holds(self, mutant: Mutant) -> bool:
        """Return whether a mutant is one of these."""
        return fnmatchcase(mutant.file, self.file) and self.was in mutant.was and self.becomes in mutant.becomes


def set_aside() -> list[Aside]:
    """Return what was set aside by hand."""
    return [Aside(**entry) for entry in tomllib.loads(SET_ASIDE.read_text("utf-8"))["mutants"]]


def draw(root: Path, n: int, seed: int, only: str = "*") -> Iterator[Mutant]:
    """Yield `n` mutants of files of a name, each of a line of code that is drawn anew; the same seed gives the same."""
    lines = [
        (module, line)
        for module in modules(root)
        if fnmatchcase(module.path.as_posix(), only)
        for line in sorted(code_line_numbers(module))
    ]
    generator = random.Random(seed)
    generator.shuffle(lines)
    made = (mutant for module, line in lines if (mutant := _mutant(module, line, generator)))
    yield from (mutant for _, mutant in zip(range(n), made, strict=False))


def _mutant(module: Module, line: int, generator: random.Random) -> Mutant | None:
    """Return a mutant of a line, or None where it offers nothing to break, or nothing that would still be Python."""
    if ways := _ways(module.text, line):
        place = generator.choice(sorted(ways))
        operator, index = generator.choice(ways[place])
        if _is_type(module.tree, place, operator):
            return None
        text = _broken(module.text, place, operator, index)
        if _is_other_code(module.tree, text):
            was, becomes = _change(module.text, text, line)
            return Mutant(module.path.as_posix(), line, operator, was, becomes, text)
    return None


# A place is a node: where it starts and ends. A way is an operator and which of its ways with that node.
Place = tuple[tuple[int, int], tuple[int, int]]
Way = tuple[str, int]


@cache
def _operators() -> dict[str, Any]:
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    return {name: provider[name]() for name in provider if not provider[name].arguments()}


def _ways(text: str, line: int) -> dict[Place, list[Way]]:
    from cosmic_ray.ast import ast_nodes, get_ast

    ways: dict[Place, list[Way]] = {}
    for node in ast_nodes(get_ast(text)):
        if node.start_pos[0] == line:
            for name, operator in _operators().items():
                for index, place in enumerate(operator.mutation_positions(node)):
                    ways.setdefault(place, []).append((name, index))
    return ways


def _broken(text: str, place: Place, name: str, index: int) -> str:
    """Return the text with one place broken in one way."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code

    before = 0
    for node in ast_nodes(get_ast(text)):
        places = list(_operators()[name].mutation_positions(node))
        if place in places and places[index:]:
            return str(mutate_code(text, _operators()[name], before + index))
        before += len(places)
    raise AssertionError(f"nothing of {name} at {place}")


def _is_type(tree: ast.AST, place: Place, operator: str) -> bool:
    """Return whether a place is the `|` of an annotation, which nothing evaluates."""
    return "Operator_BitOr_" in operator and any(
        (note.lineno, note.col_offset) <= place[0] < (note.end_lineno or 0, note.end_col_offset or 0)
        for node in ast.walk(tree)
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(note, ast.expr)
    )


def _is_other_code(tree: ast.AST, text: str) -> bool:
    try:
        return ast.dump(ast.parse(text)) != ast.dump(tree)
    except SyntaxError:
        return False


def _change(text: str, broken: str, line: int) -> tuple[str, str]:
    for was, becomes in zip_longest(text.splitlines()[line - 1 :], broken.splitlines()[line - 1 :], fillvalue=""):
        if was != becomes:
            return was, becomes
    return "", ""


def statement_lines(tree: ast.AST, line: int) -> Sequence[int]:
    """Return the lines of the smallest statement around a line, without the statements inside it."""
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and line in _lines(node)]
    return _lines(min(around, key=lambda node: len(_lines(node)))) if around else [line]


def _lines(node: ast.stmt) -> range:
    """Return the lines of a statement, or of the head of one that holds others, decorators among them."""
    first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", []))])
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if body and body[0].lineno > node.lineno else node.end_lineno or node.lineno
    return range(first, last + 1)


def runs_on_import(tree: ast.AST, line: int) -> bool:
    """Return whether a line is executed when its module is imported: it stands in the body of no function."""
    return not any(
        node.body[0].lineno <= line <= (node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
