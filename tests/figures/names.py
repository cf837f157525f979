"""Which names the code binds, and which of them are dialect: a bare participle, pronoun or determiner.

A name is dialect when the whole of it is such a word (`found`, `_told`, `Others`); `cost_paid` is not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.figures.trees import Module

WORDS = Path(__file__).with_name("words.txt")
NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*NAMED, ast.Lambda, *COMPREHENSIONS)
CUSTOMARY = re.compile("self|cls|__.*__|_+")
"""Names that Python chooses, not whoever writes the code."""


@dataclass(frozen=True)
class Binding:
    """One name that the code binds: in which file and line, in which class or function, and the name."""

    path: str
    line: int
    scope: str
    name: str

    @property
    def dialect(self) -> bool:
        """Whether the whole name is a word of the list, or the plural of one (`others`, but not `standings`)."""
        word = bare(self.name)
        return word in words() or (word.removesuffix("s") in words() and not word.endswith("ings"))

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.scope} {self.name}"


def bare(name: str) -> str:
    """Return a name in small letters, without underscores around it and digits at its end."""
    return re.sub(r"[_\d]+$", "", name.lstrip("_")).casefold()


@cache
def words() -> frozenset[str]:
    """Return the words that say nothing when they are a whole name: those of `words.txt` without its comments."""
    return frozenset(word for line in WORDS.read_text("utf-8").splitlines() for word in line.partition("#")[0].split())


def bindings(modules: Sequence[Module]) -> list[Binding]:
    """Return every name that modules bind, each once a scope, by module and line.

    A scope is a module, class, function, lambda or comprehension. An attribute set on `self` belongs to its class.
    The name of a module counts once, and an imported name only where `as` changes it.
    """
    return [binding for module in modules for binding in sorted(_of_module(module), key=lambda binding: binding.line)]


def _of_module(module: Module) -> list[Binding]:
    path, file = module.path.as_posix(), module.name.rpartition(".")[2]
    places: dict[tuple[ast.AST | None, str], Binding] = {(None, file): Binding(path, 1, "<file>", file)}
    for scopes, node, name in _bound([module.tree], module.tree):
        if not CUSTOMARY.fullmatch(name):
            place = ".".join(scope.name for scope in scopes if isinstance(scope, NAMED)) or "<module>"
            places.setdefault((scopes[-1], name), Binding(path, getattr(node, "lineno", 1), place, name))
    return list(places.values())


def _bound(scopes: list[ast.AST], node: ast.AST) -> Iterator[tuple[list[ast.AST], ast.AST, str]]:
    """Yield (scopes around it, node, name) of every name bound at a node or below it."""
    name = _name_of(node)
    if name:
        yield _scopes_of(scopes, node), node, name
    inner = [*scopes, node] if isinstance(node, SCOPES) else scopes
    for child in [node.value] if isinstance(node, ast.NamedExpr) else ast.iter_child_nodes(node):
        yield from _bound(inner, child)


def _name_of(node: ast.AST) -> str | None:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.ExceptHandler():
            return node.name
        case ast.MatchAs() | ast.MatchStar():
            return node.name
        case ast.MatchMapping():
            return node.rest
        case ast.arg():
            return node.arg
        case ast.alias():
            return node.asname
        case ast.Name(id=name, ctx=ast.Store()) | ast.NamedExpr(target=ast.Name(id=name)):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            return name
    return None


def _scopes_of(scopes: list[ast.AST], node: ast.AST) -> list[ast.AST]:
    """Return the scopes around the name that a node binds: `self.x` is its class's, `x := 1` no comprehension's."""
    while len(scopes) > 1 and (
        (isinstance(node, ast.NamedExpr) and isinstance(scopes[-1], COMPREHENSIONS))
        or (isinstance(node, ast.Attribute) and not isinstance(scopes[-1], ast.ClassDef))
    ):
        scopes = scopes[:-1]
    return scopes
