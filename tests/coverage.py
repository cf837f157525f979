"""Which rulebook rules are proved by which tests: read from the marks in the test sources.

A test cites a rule with `@pytest.mark.rule("WF-ATT.1", ...)`. `python -m tests.coverage` writes what it finds to
`data/<game>/coverage.csv`, which ships with the data so that `balance rules GAME` can print it anywhere.
"""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

from balance.protocol.registry import GAMES, find_game, shipped_folder

TESTS = Path(__file__).parent


def citations() -> dict[str, list[str]]:
    """Return rule id -> tests citing it, as `tests/path.py::name`, in the order of the sources."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for rule in (rule for mark in node.decorator_list for rule in _rules(mark)):
                    found.setdefault(rule, []).append(f"{path.relative_to(TESTS.parent).as_posix()}::{node.name}")
    return found


def _rules(mark: ast.expr) -> list[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
        return [str(ast.literal_eval(argument)) for argument in mark.args]
    return []


def coverage_csv(game: str) -> str:
    """Return the coverage table of a game as CSV: every rule id, and the tests citing it joined by spaces."""
    found = citations()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["rule", "tests"])
    for rule in rule_levels(game):
        writer.writerow([rule, " ".join(dict.fromkeys(found.get(rule, [])))])
    return out.getvalue()


def rule_levels(game: str) -> dict[str, str]:
    """Return rule id -> level (A to D) of a game's ledger."""
    path = shipped_folder(find_game(game)) / find_game(game).rule_ids.file
    return {row["id"]: row["level"] for row in csv.DictReader(io.StringIO(path.read_text("utf-8")))}


def main() -> None:
    """Write the coverage table of every game."""
    for game in GAMES:
        (shipped_folder(find_game(game)) / "coverage.csv").write_text(coverage_csv(game), "utf-8")


if __name__ == "__main__":
    main()
