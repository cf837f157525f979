"""What a newcomer meets: rooms and what stands in them, public names, parameters without a word on them."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.figures.trees import Function, Module

DEEP_IMPORT = re.compile(r"^\s*(?:>>> )?(?:from|import) +(balance(?:\.\w+)+)", re.MULTILINE)
NOT_GIVEN = {"self", "cls"}
"""Parameters that whoever calls a method does not give."""


def entries(modules: Sequence[Module]) -> dict[str, int]:
    """Return how many entries each package has: its modules but for `__init__`, and the packages right inside it."""
    inside: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        parts = module.path.with_suffix("").parts
        for depth in range(1, len(parts)):
            if parts[depth] != "__init__":
                inside["/".join(parts[:depth])].add(parts[depth])
    return {package: len(names) for package, names in inside.items()}


def public_names(root: Path) -> list[str]:
    """Return the names that `import balance` offers: its `__all__`."""
    for node in ast.parse((root / "balance/__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [*map(str, ast.literal_eval(node.value))]
    return []


def deep_imports(root: Path) -> list[str]:
    """Return the modules inside `balance` that README, documents and notebooks import."""
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    texts = [path.read_text("utf-8") for path in pages] + [_code(path) for path in root.glob("notebooks/*.ipynb")]
    return sorted({name for text in texts for name in DEEP_IMPORT.findall(text)})


def _code(notebook: Path) -> str:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def public_functions(modules: Sequence[Module]) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield where each public function or method of more than one parameter is, and the function."""
    for module in modules:
        for node in _public(module.tree.body):
            parameters = [word for word in ast.walk(node.args) if isinstance(word, ast.arg)]
            if sum(word.arg not in NOT_GIVEN for word in parameters) > 1:
                yield f"{module.path.as_posix()}:{node.lineno} {node.name}", node


def _public(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node.body)


def explains_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a docstring has numpydoc's section `Parameters`."""
    return re.search(r"^Parameters\n-{4,}$", ast.get_docstring(function) or "", re.MULTILINE) is not None
