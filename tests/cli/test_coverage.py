"""rules: what the tests prove of the rulebook, in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.answers.games.rules import LevelTests, RuleCoverage, RuleTests, read_coverage
from balance.answers.words.games.rules import _tests
from balance.base.errors import CatalogueError
from balance.catalogue import load_table
from balance.game.registry import find_game, shipped_folder
from tests.cli.conftest import Command


def test_the_first_two_tests_are_named_and_the_others_counted() -> None:
    one, two, three = "tests/x.py::test_one[a]", "tests/x.py::C::test_two", "tests/y.py::test_three"
    assert _tests(()) == "none"
    assert _tests((one, "tests/x.py::test_one[b]")) == "test_one"
    assert _tests((one, two)) == "test_one, test_two"
    assert _tests((one, two, three)) == "test_one, test_two and 1 more"
    assert _tests((one, two, three, "tests/y.py::test_four")) == "test_one, test_two and 2 more"


def test_each_level_has_a_share() -> None:
    rules = [RuleTests(rule, "B", "", ()) for rule in ("R3", "R4", "R5")]
    coverage = RuleCoverage(1, "rules", "x", (RuleTests("R1", "B", "", ("x",)), RuleTests("R2", "A", "", ()), *rules))
    assert coverage.levels == (LevelTests("A", 1, 0), LevelTests("B", 4, 1))
    assert coverage.missing == ("R2", "R3", "R4", "R5")


def test_what_is_no_coverage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "coverage.csv"
    path.write_bytes(b"rule,tests\nR1,\xff\n")
    with pytest.raises(CatalogueError) as caught:
        read_coverage(path)
    assert str(caught.value).partition("; allowed: ")[0] == (
        f"{path}, row 2: the text is not UTF-8 (perhaps Windows-1252)"
    )


def test_rows_that_are_cut_short_or_empty_prove_nothing(tmp_path: Path) -> None:
    path = tmp_path / "coverage.csv"
    path.write_text("rule,tests\nR1,x.py::a;x.py::b x.py::a\nR2\nR3,\nR1,x.py::c\n")
    assert read_coverage(path) == {"R1": ("x.py::a", "x.py::b", "x.py::c")}
    assert read_coverage(tmp_path / "none.csv") == {}


def test_rules_are_listed_with_their_tests_and_those_without_are_named(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game("warforged")
    entries = load_table(game.rule_ids, shipped_folder(game))
    levels = {rule: str(vars(entry)["level"]) for rule, entry in entries.items()}
    strict = [rule for rule, level in levels.items() if level in "AB"]
    proved = dict.fromkeys(strict[2:], ("tests/x.py::test_it",))
    monkeypatch.setattr("balance.answers.games.rules.read_coverage", lambda path: proved)
    monkeypatch.setenv("COLUMNS", "300")
    lax, done = balance("rules", "warforged", "--more"), balance("rules", "warforged", "--strict", "--more")
    assert (lax.status, done.status) == (0, 1)
    assert lax.out == done.out
    assert (lax.err, done.err) == ("", f"error: Without a test at levels A and B: {strict[0]}, {strict[1]}\n")
    lines = done.out.splitlines()
    assert lines[0] == "  Warforged, table edition: tests prove 21 of the 42 rules of the rulebook."
    head = next(at for at, line in enumerate(lines) if line.startswith("  rule "))
    rows = [line.split() for line in lines[head + 2 : head + 2 + len(levels)]]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        (rule, level, "test_it" if rule in proved else "none") for rule, level in levels.items()
    ]
    assert lines[2] == f"  Without a test at levels A and B: {strict[0]}, {strict[1]}"
    missing = {"only": ("x",), **dict.fromkeys(strict, ("x",))}
    monkeypatch.setattr("balance.answers.games.rules.read_coverage", lambda path: missing)
    assert balance("rules", "warforged", "--strict").status == 0
