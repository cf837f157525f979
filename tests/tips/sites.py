"""Every place in the code that builds a tip: the last part of an error, or advice beside an answer.

Places are found in the text of the code: what is passed on as `tip`, directly, through a variable or from a function,
and every call that names what may be meant. A place is named by its module, its function and its number there, so that
a line which moves renames nothing.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "balance"
NAMING = ("unknown", "suggestion", "did_you_mean")
"""Functions of `balance.base.errors` that name what may be meant."""
WORDS = (*(f"{name}(" for name in NAMING), "tip", "ault(", "Error(", "_has(")
"""Without one of these a file builds no tip."""
FAULT_TIP, ERROR_TIP = 6, 1
"""Where the tip stands among the arguments of a `Fault`, and of an error."""
PICTURES = "reporting"
"""The room where a tip is that of an arrow."""
KEPT = (ast.Call, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Return)
Point = tuple[int, int]
"""A line and a column."""


@dataclass(frozen=True)
class Site:
    """One place that builds a tip."""

    name: str
    path: str
    begin: Point
    end: Point


@dataclass
class _Function:
    """One function: its own nodes, without those of functions inside it."""

    module: str
    path: str
    name: str
    node: ast.FunctionDef | ast.Module
    nodes: list[ast.AST] = field(default_factory=list)

    @property
    def parameters(self) -> list[str]:
        """The names of its arguments, without `self`."""
        if isinstance(self.node, ast.Module):
            return []
        names = [argument.arg for argument in [*self.node.args.posonlyargs, *self.node.args.args]]
        return names[1:] if names[:1] in (["self"], ["cls"]) else names

    @property
    def returns_text(self) -> bool:
        """Whether it returns a text, or none."""
        returns = None if isinstance(self.node, ast.Module) else self.node.returns
        return returns is not None and ast.unparse(returns) in ("str", "str | None")

    def values_of(self, name: str) -> Iterator[ast.expr]:
        """Yield what a variable is set to."""
        for node in self.nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield from _assigned(target, value, name)
                case ast.AnnAssign(target=ast.Name(id=known), value=ast.expr() as value) if known == name:
                    yield value
                case ast.NamedExpr(target=ast.Name(id=known), value=value) if known == name:
                    yield value


def _assigned(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, part_value in zip(target.elts, value.elts, strict=True):
            yield from _assigned(part, part_value, name)


def tip_sites(package: Path = PACKAGE) -> list[Site]:
    """Return every place of a package that builds a tip, in the order of the files and lines."""
    return _Search(package).sites()


class _Search:
    """A search through the text of a package."""

    def __init__(self, package: Path) -> None:
        self.functions: list[_Function] = []
        self.measures: set[str] = set()
        for path in sorted(path for path in package.rglob("*.py") if PICTURES not in path.parts):
            text = path.read_text("utf-8")
            if any(word in text for word in WORDS):
                module = ".".join(path.relative_to(package.parent).with_suffix("").parts[1:])
                self._read(ast.parse(text), _Function(module, str(path), "", ast.Module([], [])))
        self.by_name: dict[str, list[_Function]] = defaultdict(list)
        for function in self.functions:
            self.by_name[function.name.rpartition(".")[2]].append(function)
        self.calls: dict[str, list[tuple[_Function, ast.Call]]] = defaultdict(list)
        for function in self.functions:
            for node in function.nodes:
                if isinstance(node, ast.Call):
                    self.calls[_called(node)].append((function, node))
        self.leaves: dict[tuple[str, Point, Point], _Function] = {}
        self.seen: set[tuple[int, str]] = set()

    def _read(self, node: ast.AST, owner: _Function) -> None:
        if isinstance(node, ast.Module):
            self.functions.append(owner)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                if isinstance(child, ast.ClassDef) and not _is_raised(child):
                    self.measures.add(child.name)
                name = f"{owner.name}.{child.name}".lstrip(".")
                inner = _Function(owner.module, owner.path, name, ast.Module([], []))
                if isinstance(child, ast.FunctionDef):
                    inner.node = child
                    self.functions.append(inner)
                self._read(child, inner)
            else:
                if isinstance(child, KEPT):
                    owner.nodes.append(child)
                self._read(child, owner)

    def sites(self) -> list[Site]:
        """Return the places, each with its name."""
        for function in self.functions:
            if function.module != "base.errors":
                for node in function.nodes:
                    if isinstance(node, ast.Call):
                        self._call(function, node)
                if "tip" in function.parameters:
                    self._variable(function, "tip")
        numbers: dict[str, int] = defaultdict(int)
        sites = []
        for (path, begin, end), function in sorted(self.leaves.items(), key=lambda leaf: leaf[0]):
            place = f"{function.module}:{function.name}"
            numbers[place] += 1
            sites.append(Site(f"{place}#{numbers[place]}", path, begin, end))
        return sites

    def _call(self, function: _Function, call: ast.Call) -> None:
        called = _called(call)
        if called in NAMING and not (called == "unknown" and isinstance(call.func, ast.Attribute)):
            self._leaf(function, call)
        for keyword in call.keywords:
            if keyword.arg == "tip":
                self._expand(function, keyword.value)
        is_error = called.endswith("Error") and called not in self.measures
        at = FAULT_TIP if called == "Fault" else ERROR_TIP if is_error else None
        if at is not None and len(call.args) > at:
            self._expand(function, call.args[at])

    def _expand(self, function: _Function, value: ast.expr) -> None:
        """Find the places behind one value that is a tip."""
        match value:
            case ast.IfExp(body=first, orelse=second):
                self._expand(function, first)
                self._expand(function, second)
            case ast.BoolOp(values=values):
                for part in values:
                    self._expand(function, part)
            case ast.NamedExpr(value=inner):
                self._expand(function, inner)
            case ast.Constant(value="" | None):
                pass
            case ast.Name(id=name) if not name.isupper():
                self._variable(function, name)
            case ast.Attribute():
                pass
            case ast.Call() if _called(value) in NAMING:
                self._leaf(function, value)
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(ast.Name("self"), called)) if self._texts_of(called):
                self._returned(called)
            case _:
                self._leaf(function, value)

    def _variable(self, function: _Function, name: str) -> None:
        if (id(function), name) in self.seen:
            return
        self.seen.add((id(function), name))
        for value in function.values_of(name):
            self._expand(function, value)
        if name in function.parameters:
            self._passed(function, name)

    def _passed(self, function: _Function, name: str) -> None:
        """Look at what callers pass on as a tip."""
        at = function.parameters.index(name)
        called = function.name.rpartition(".")[2]
        if called == "__init__":
            called = function.name.rpartition(".")[0].rpartition(".")[2]
        for caller, call in self.calls[called]:
            if caller.module != function.module and name != "tip":
                continue
            if len(call.args) > at and not any(isinstance(part, ast.Starred) for part in call.args):
                self._expand(caller, call.args[at])
            for keyword in call.keywords:
                if keyword.arg == name:
                    self._expand(caller, keyword.value)

    def _texts_of(self, name: str) -> list[_Function]:
        """Return the functions of that name that return a text."""
        return [function for function in self.by_name[name] if function.returns_text]

    def _returned(self, name: str) -> None:
        for function in self._texts_of(name):
            if (id(function), "return") not in self.seen:
                self.seen.add((id(function), "return"))
                for node in function.nodes:
                    if isinstance(node, ast.Return) and node.value is not None:
                        self._expand(function, node.value)

    def _leaf(self, function: _Function, leaf: ast.expr) -> None:
        end = leaf.end_lineno or 0, leaf.end_col_offset or 0
        self.leaves[function.path, (leaf.lineno, leaf.col_offset), end] = function


def _is_raised(node: ast.ClassDef) -> bool:
    """Tell an error by what its class is made from: one of another kind, such as numbers of a fit, builds no tip."""
    return any(ast.unparse(base).endswith(("Error", "Exception", "Warning")) for base in node.bases)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
