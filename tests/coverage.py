"""Which rulebook rules are proved by which tests: cited by a mark, and proved through code that the game runs.

A test cites a rule with `@pytest.mark.rule("WF-ATT.1", ...)`. The mark counts if the test calls something that the
game's own record leads to: a function that only tests call proves nothing of the game. `python -m tests.coverage GAME`
runs the tests that cite rules, and writes what they prove to `data/<game>/coverage.csv`, which ships with the data so
that `balance rules GAME` can print it anywhere.
"""

from __future__ import annotations

import ast
import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

import pytest

from balance.game.registry import GAMES, find_game, shipped_folder
from tests.figures.trees import Module, modules

TESTS = Path(__file__).parent
ROOT = TESTS.parent


@cache
def citations() -> dict[str, list[str]]:
    """Return rule id -> tests citing it, as `tests/path.py::name`, in the order of the sources."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text if "pytest.mark.rule(" in text else "")):
            if isinstance(node, ast.FunctionDef):
                for rule in (rule for mark in node.decorator_list for rule in _rules(mark)):
                    found.setdefault(rule, []).append(f"{path.relative_to(TESTS.parent).as_posix()}::{node.name}")
    return found


def _rules(mark: ast.expr) -> list[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
        return [str(ast.literal_eval(argument)) for argument in mark.args]
    return []


def coverage_csv(game: str, proofs: dict[str, set[str]]) -> str:
    """Return the coverage table of a game as CSV: every rule id, and the tests that prove it joined by spaces."""
    found = citations()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["rule", "tests"])
    for rule in rule_levels(game):
        tests = dict.fromkeys(found.get(rule, []))
        writer.writerow([rule, " ".join(test for test in tests if test in proofs.get(rule, ()))])
    return out.getvalue()


@cache
def published(game: str) -> dict[str, set[str]]:
    """Return rule id -> tests that prove it, as the shipped table of a game has them."""
    return {row["rule"]: set(row["tests"].split()) for row in csv.DictReader(io.StringIO(shipped(game)))}


def shipped(game: str) -> str:
    """Return the shipped coverage table of a game."""
    return (shipped_folder(find_game(game)) / "coverage.csv").read_text("utf-8")


def rule_levels(game: str) -> dict[str, str]:
    """Return rule id -> level (A to D) of a game's ledger."""
    return {row["id"]: row["level"] for row in _ledger(game)}


def not_played(game: str) -> dict[str, str]:
    """Return rule id -> why the game does not play it, empty if it does."""
    return {row["id"]: row.get("not_played", "") for row in _ledger(game)}


def _ledger(game: str) -> list[dict[str, str]]:
    path = shipped_folder(find_game(game)) / find_game(game).rule_ids.file
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


@cache
def run_by(game: str) -> frozenset[tuple[str, str]]:
    """Return (file, name) of every function and class of a game's package that its record `GAME` leads to."""
    package = f"balance.games.{game}"
    parts = {module.name: _Names(module, package) for module in modules(ROOT, package.replace(".", "/"))}
    led_to: set[tuple[str, str]] = set()
    ahead = {(package, "GAME")}
    while ahead:
        led_to |= ahead
        ahead = {name for place in ahead if place[0] in parts for name in parts[place[0]].used(place[1])} - led_to
    return frozenset((str(ROOT / parts[module].path), name) for module, name in led_to if module in parts)


class _Names:
    """What the names of one module stand for, and which others each of them uses."""

    def __init__(self, module: Module, package: str) -> None:
        self.name, self.path = module.name, module.path
        self.made: dict[str, list[ast.stmt]] = {}
        for node in module.tree.body:
            for name in _made(node):
                self.made.setdefault(name, []).append(node)
        self.imported = {
            alias.asname or alias.name: (str(node.module), alias.name)
            for node in ast.walk(module.tree)
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(package)
            for alias in node.names
        }

    def used(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the module and name of all that a name of this module uses, or stands for."""
        if name not in self.made and name in self.imported:
            yield self.imported[name]
        for node in (node for made in self.made.get(name, []) for node in ast.walk(made)):
            if isinstance(node, ast.Name):
                yield self.name, node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = self.imported.get(node.value.id)
                if module:
                    yield ".".join(module), node.attr


def _made(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    else:
        yield from (
            part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        )


class Watch:
    """Notices whether something that a game runs is called."""

    def __init__(self, run: frozenset[tuple[str, str]]) -> None:
        self.run = run
        self.proved = False

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch for a while, or until something is noticed."""
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Take one event of `sys.setprofile`."""
        code = frame.f_code
        if event == "call" and (code.co_filename, code.co_qualname.partition(".")[0]) in self.run:
            self.proved = True
            sys.setprofile(None)


def rules_of(item: pytest.Item) -> list[str]:
    """Return the rules that a test cites."""
    return [str(rule) for mark in item.iter_markers("rule") for rule in mark.args]


def test_of(item: pytest.Item) -> str:
    """Return a test as the coverage table has it, whatever its parameters are."""
    return item.nodeid.partition("[")[0]


def watch_for(rules: list[str]) -> Watch:
    """Return what notices whether the games of some rules are run."""
    games = [game for game in GAMES if not set(rules).isdisjoint(rule_levels(game))]
    return Watch(frozenset().union(*map(run_by, games)))


def proved_as_published(item: pytest.Item, proved: bool) -> None:
    """Fail a test whose proofs are not those of the shipped tables."""
    known = {rule: tests for game in GAMES for rule, tests in published(game).items()}
    wrong = [rule for rule in rules_of(item) if (test_of(item) in known.get(rule, set())) != proved]
    if wrong and proved:
        pytest.fail(f"{', '.join(wrong)}: proved here, but not in coverage.csv; run `python -m tests.coverage`")
    if wrong:
        pytest.fail(f"{', '.join(wrong)}: nothing that the game runs is called here; run `python -m tests.coverage`")


class Proofs:
    """A plugin of pytest that collects which rules each passing test proves."""

    def __init__(self) -> None:
        self.found: dict[str, set[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run what cites rules, the slow tests too, and nothing else."""
        items[:] = [item for item in items if rules_of(item)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test."""
        watch = watch_for(rules_of(item))
        with watch.on():
            yield
        for rule in rules_of(item) if watch.proved else []:
            self.found.setdefault(rule, set()).add(test_of(item))


def main() -> None:
    """Run the tests that cite rules, write the coverage tables, and tell what is cited but not proved.

    Of the games that are named on the command line, of all without a name.
    """
    games = sys.argv[1:] or list(GAMES)
    rules = {rule for game in games for rule in rule_levels(game)}
    proofs, found = Proofs(), {rule: tests for rule, tests in citations().items() if rule in rules}
    files = sorted({test.partition("::")[0] for tests in found.values() for test in tests})
    if pytest.main(["-q", "--noconftest", "-o", "addopts=--import-mode=importlib", *files], plugins=[proofs]) != 0:
        sys.exit("a test fails; nothing was written")
    for game in games:
        (shipped_folder(find_game(game)) / "coverage.csv").write_text(coverage_csv(game, proofs.found), "utf-8")
    for rule, tests in sorted(found.items()):
        if missing := set(tests) - proofs.found.get(rule, set()):
            word = "still proved" if rule in proofs.found else "PROVED BY NOTHING"
            print(f"{rule} ({word}) is cited, but not proved, by {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
