"""What the source says of itself: lines, functions, imports, names; nothing of it is run."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module:
    """One source file of a checkout: its path from the root, its text, its tree."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path.relative_to(root)
        self.text = path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text)

    @property
    def name(self) -> str:
        """The name it is imported by."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @cached_property
    def imported(self) -> set[str]:
        """The modules and names it imports when it runs (not for types alone)."""
        return set(_imported(self.tree))


def modules(root: Path, folder: str = "balance") -> list[Module]:
    """Return the modules under a folder of a checkout, by path."""
    return [Module(root, path) for path in sorted((root / folder).rglob("*.py"))]


def code_line_numbers(module: Module) -> set[int]:
    """Return which lines hold code: no blank lines, comments or docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(module.text).readline)
    lines = {n for token in tokens if token.type not in SILENT for n in range(token.start[0], token.end[0] + 1)}
    return lines - set(_text_lines(module.tree))


def code_lines(module: Module) -> int:
    """Return how many lines hold code."""
    return len(code_line_numbers(module))


def _text_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else []:
            if _is_text(part):
                yield from range(part.lineno, part.end_lineno + 1)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def function_lengths(modules: Sequence[Module]) -> list[tuple[int, str]]:
    """Return (lines from `def` to the end without the docstring, where), shortest first."""
    found = []
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                text = node.body[0] if _is_text(node.body[0]) else None
                spoken = _last_line(text) - text.lineno + 1 if text else 0
                length = _last_line(node) - node.lineno + 1 - spoken
                found.append((length, f"{module.path.as_posix()}:{node.lineno} {node.name}"))
    return sorted(found)


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def running_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it, but for what is there for types alone."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from running_nodes(child)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in running_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (str(node.module), *(f"{node.module}.{name.name}" for name in node.names))
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def imports_of(module: Module, package: str = "balance") -> set[str]:
    """Return the names a module imports from a package."""
    return {
        name.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == package
        for name in node.names
    }


def slots_of(module: Module, package: str = "balance") -> set[str]:
    """Return what a module fills in of the records it imports: `Game.name`, `Process[0]`."""
    imported = {name for name in imports_of(module, package) if name[0].isupper()}
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    records = [(ast.unparse(call.func), call) for call in calls if ast.unparse(call.func) in imported]
    places = {f"{name}[{n}]" for name, call in records for n in range(len(call.args))}
    return places | {f"{name}.{word.arg}" for name, call in records for word in call.keywords}
