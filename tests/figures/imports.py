"""Which module imports which, and the circles among them: nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set

from tests.figures.trees import Module, running_nodes

Graph = Mapping[str, Set[str]]


def import_graph(modules: Sequence[Module], types: bool = False) -> dict[str, set[str]]:
    """Return which of some modules each imports: at its top, inside functions, or when a name is first used.

    Imports for types alone count where `types` says so. To import a module of a package is not to import what the
    package's `__init__` resolves on first use; nor is to ask a package for its `__version__`.
    """
    known = {module.name for module in modules}
    return {
        module.name: {*_imported(module, known, types), *_resolved(module, known)} - {module.name} for module in modules
    }


def _imported(module: Module, known: Set[str], types: bool) -> Iterator[str]:
    for node in ast.walk(module.tree) if types else running_nodes(module.tree):
        if isinstance(node, ast.ImportFrom):
            package = str(node.module)
            for alias in node.names:
                if f"{package}.{alias.name}" in known:
                    yield f"{package}.{alias.name}"
                elif package in known and not _special(alias.name):
                    yield package
        elif isinstance(node, ast.Import):
            yield from (
                alias.name for alias in node.names if alias.name in known and not _special(*_taken(module, alias))
            )


def _special(*names: str) -> bool:
    return all(name.startswith("__") for name in names)


def _taken(module: Module, alias: ast.alias) -> set[str]:
    """Return the attributes that a module takes of one that it imports whole."""
    name = alias.asname or alias.name
    attributes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute))
    return {node.attr for node in attributes if ast.unparse(node.value) == name}


def _resolved(module: Module, known: Set[str]) -> Set[str]:
    """Return the modules that strings of a module with a `__getattr__` (PEP 562) name, whole or below it."""
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in module.tree.body):
        return set()
    texts = {str(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Constant)}
    return known & {*texts, *(f"{module.name}.{text}" for text in texts)}


def circles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that import each other, by whatever way round; the largest first."""
    below = {name: _below(graph, name) for name in graph}
    groups = {frozenset(under for under in below[name] if name in below[under]) for name in graph}
    return sorted((sorted(group) for group in groups if group), key=lambda group: (-len(group), group))


def _below(graph: Graph, name: str) -> set[str]:
    """Return all that a module imports, and what they import, and so on."""
    below: set[str] = set()
    ahead = [*graph[name]]
    while ahead:
        module = ahead.pop()
        if module not in below:
            below.add(module)
            ahead += graph[module]
    return below
