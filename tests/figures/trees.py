"""What the source says of itself: lines, functions, imports, names; nothing of it is run."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
Function = ast.FunctionDef | ast.AsyncFunctionDef
COMMENTS = {
    ".js": r"(?s:/\*.*?\*/)|(?m:^\s*//.*$)",
    ".css": r"(?s)/\*.*?\*/",
    ".j2": r"(?s)\{#.*?#\}|<!--.*?-->",
    ".typ": r"(?m)^\s*//.*$",
}
"""The files of pages, by the ends of their names, and what is a comment in them."""


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

    @property
    def length(self) -> int:
        """How many lines it has, with blanks, comments and docstrings."""
        return len(self.text.splitlines())


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


def page_lines(root: Path, folder: str = "balance") -> int:
    """Return how many lines the scripts, styles and templates under a folder have, without blanks and comments."""
    paths = (path for path in (root / folder).rglob("*") if path.suffix in COMMENTS)
    texts = (re.sub(COMMENTS[path.suffix], "", path.read_text("utf-8")) for path in paths)
    return sum(not line.isspace() for text in texts for line in text.splitlines() if line)


def typed_dicts(modules: Sequence[Module]) -> list[str]:
    """Return the names of every `TypedDict`, called or written as a class, and of classes that extend one; sorted."""
    nodes = [node for module in modules for node in ast.walk(module.tree)]
    classes = [(node.name, {*map(_last_name, node.bases)}) for node in nodes if isinstance(node, ast.ClassDef)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and _last_name(node.func) == "TypedDict"]
    kinds, before = {"TypedDict"}, 0
    while len(kinds) > before:
        before = len(kinds)
        kinds |= {name for name, bases in classes if bases & kinds}
    return sorted(
        [ast.literal_eval(call.args[0]) for call in calls] + [name for name, bases in classes if bases & kinds]
    )


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _text_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else []:
            if _is_text(part):
                yield from range(part.lineno, part.end_lineno + 1)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def function_lengths(modules: Sequence[Module]) -> list[tuple[int, str]]:
    """Return (lines of what it does, without signature and docstring, where), shortest first."""
    return sorted(
        (1 + node.body[-1].end_lineno - body[0].lineno, f"{module.path.as_posix()}:{node.lineno} {node.name}")
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
        and (body := node.body[1:] if _is_text(node.body[0]) else node.body)
        and node.body[-1].end_lineno is not None
    )


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
