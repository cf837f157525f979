"""What a newcomer meets: rooms and what stands in them, public names, parameters explained to nobody outside."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from tests.figures.trees import Function, Module

DEEP_IMPORT = re.compile(r"^\s*(?:>>> )?(?:from|import) +(balance(?:\.\w+)+)", re.MULTILINE)
PARAMETERS = re.compile(r"^Parameters\n-{4,}$", re.MULTILINE)
GAME, CHANCE, COMMANDS = "balance/game/", "balance/chance/", "balance/cli/"
FOR_AUTHORS = ("balance/game/kit/", "balance/game/authoring/")
AUTHORS = "balance/game/authoring/template/"
Definition = Function | ast.ClassDef


def entries(modules: Sequence[Module]) -> dict[str, int]:
    """Return how many entries each package has: its modules but for `__init__`, and the packages right inside it."""
    inside: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        parts = module.path.with_suffix("").parts
        for depth in range(1, len(parts)):
            if parts[depth] != "__init__":
                inside["/".join(parts[:depth])].add(parts[depth])
    return {package: len(names) for package, names in inside.items()}


def public_names(root: Path, package: str = "balance") -> list[str]:
    """Return the names that a package offers, its `__all__`; none if there is no such package."""
    path = root / package / "__init__.py"
    for node in ast.parse(path.read_text("utf-8")).body if path.is_file() else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [*map(str, ast.literal_eval(node.value))]
    return []


def old_answers(modules: Sequence[Module]) -> list[str]:
    """Return where verbs make a `Result` of a screen, an object and frames, or a command prints by itself.

    New ones make it of one record and its words; `serve` answers an assistant, and prints nothing.
    """
    return [
        f"{module.path.as_posix()}:{node.lineno}"
        for module in modules
        if module.path.parts[:2] == ("balance", "verbs") and module.path.name != "result.py"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and _is_old(ast.unparse(node))
    ]


def _is_old(call: str) -> bool:
    return call.startswith("Result(") or (call.startswith("VerbEntry('cli.") and "serve" not in call)


def deep_imports(root: Path) -> list[str]:
    """Return the modules inside `balance` that README, documents and notebooks import."""
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    texts = [path.read_text("utf-8") for path in pages] + [_code(path) for path in root.glob("notebooks/*.ipynb")]
    return sorted({name for text in texts for name in DEEP_IMPORT.findall(text)})


def _code(notebook: Path) -> str:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def parameter_sections(root: Path, modules: Sequence[Module]) -> list[str]:
    """Return where a docstring outside the public face has numpydoc's section `Parameters`.

    The public face is what somebody outside reads: the functions and classes that `import balance` offers, and the
    public methods of these classes and of those they inherit from; in `balance/game` what it offers to authors of
    games, and the public names of its `kit` and `authoring`; the public classes of `balance/chance` and their public
    methods. The game that authors start from is theirs, and not counted.
    """
    offered = _with_bases({*public_names(root)}, modules)
    of_games = _with_bases({*public_names(root, GAME)}, modules) | offered
    return [
        f"{place}:{node.lineno} {'.'.join(part.name for part in (*scopes, node))}"
        for module in modules
        if not (place := module.path.as_posix()).startswith(AUTHORS)
        for scopes, node in _definitions(module.tree, ())
        if PARAMETERS.search(ast.get_docstring(node) or "")
        and not _is_public(place, (*scopes, node), of_games if place.startswith(GAME) else offered)
    ]


def _with_bases(names: Set[str], modules: Sequence[Module]) -> set[str]:
    """Return names of definitions with those of all classes that the classes among them inherit from."""
    bases: dict[str, set[str]] = defaultdict(set)
    for node in (node for module in modules for node in module.tree.body if isinstance(node, ast.ClassDef)):
        bases[node.name] |= {ast.unparse(base).partition("[")[0] for base in node.bases}
    reached, rest = set[str](), [*names]
    while rest:
        if (name := rest.pop()) not in reached:
            reached.add(name)
            rest += bases.get(name, ())
    return reached


def _definitions(tree: ast.AST, scopes: tuple[Definition, ...]) -> Iterator[tuple[tuple[Definition, ...], Definition]]:
    """Yield the classes and functions around each class and function below a node, and itself."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield scopes, node
            yield from _definitions(node, (*scopes, node))
        else:
            yield from _definitions(node, scopes)


def _is_public(place: str, path: Sequence[Definition], offered: Set[str]) -> bool:
    """Return whether a definition, the last of those that lead to it, belongs to the public face."""
    *scopes, node = path
    if not all(isinstance(scope, ast.ClassDef) for scope in scopes) or any(part.name.startswith("_") for part in path):
        return False
    if place.startswith(FOR_AUTHORS) or (place.startswith(CHANCE) and (scopes or isinstance(node, ast.ClassDef))):
        return True
    return path[0].name in offered and not place.startswith(COMMANDS)
