"""Which rules of the rulebook a test proves, level by level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from balance.base.answers import Count, Doc, Form, GameName, formula
from balance.base.errors import UsageError
from balance.catalogue import load_table
from balance.catalogue.tables.files import read_rows
from balance.game.game import Game, RuleId
from balance.game.registry import shipped_folder

COVERAGE_FILE = "coverage.csv"
STRICT_LEVELS = ("A", "B")


@dataclass(frozen=True)
class RuleTests:
    """A rule of the rulebook, and the tests that cite it."""

    rule: str
    level: Annotated[str, Doc("How much depends on it: A most.")]
    title: str
    tests: Annotated[tuple[str, ...], Doc("The tests that prove it, each FILE::NAME.")]
    not_played: Annotated[str, Doc("Why the game does not play it; empty if it does.")] = ""


@dataclass(frozen=True)
class LevelTests:
    """How many rules of a level tests prove."""

    level: str
    rules: Count
    proved: Count


@dataclass(frozen=True)
class RuleCoverage:
    """Which rules of the rulebook the tests prove."""

    schema: Form
    verb: Literal["rules"]
    game: GameName
    rules: tuple[RuleTests, ...]

    @formula
    def levels(self) -> tuple[LevelTests, ...]:
        """Count the rules of each level."""
        rules_by_level = {
            level: [rule for rule in self.rules if rule.level == level]
            for level in sorted({rule.level for rule in self.rules})
        }
        return tuple(
            LevelTests(level, len(rules), sum(bool(rule.tests) for rule in rules))
            for level, rules in rules_by_level.items()
        )

    @formula
    def missing(self) -> Annotated[tuple[str, ...], Doc("The rules of levels A and B that no test proves.")]:
        """Return the ids of rules that want a test."""
        return tuple(rule.rule for rule in self.rules if rule.level in STRICT_LEVELS and not rule.tests)


def rule_coverage(game: Game) -> RuleCoverage:
    """Return the rules that ship with a game, whatever catalogue is in use, with their tests.

    Raise UsageError for a game file, which has no list of rules.
    """
    if game.file is not None:
        tip = f"what is wrong with it says balance check {game.called}"
        raise UsageError("a game file has no list of rules: its steps are the rules", tip)
    folder = shipped_folder(game)
    tests = read_coverage(folder / COVERAGE_FILE)
    rules = (
        RuleTests(rule, entry.level, entry.title, tests.get(rule, ()), entry.not_played)
        for rule, entry in load_table(game.rule_ids, folder).items()
        if isinstance(entry, RuleId)
    )
    return RuleCoverage(1, "rules", game.name, tuple(rules))


def read_coverage(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the tests by rule from a file with columns `rule` and `tests` (names separated by spaces or `;`).

    Rules without tests are left out; a missing file covers nothing. Raise CatalogueError for a file of another form.
    """
    if not path.is_file():
        return {}
    tests_by_rule: dict[str, list[str]] = {}
    (_, head), *rows = read_rows(path, ("rule", "tests")).rows
    for _, cells in rows:
        row = dict(zip(head, cells, strict=False))
        if tests := row.get("tests", "").replace(";", " ").split():
            tests_by_rule.setdefault(row.get("rule", ""), []).extend(tests)
    return {rule: tuple(dict.fromkeys(tests)) for rule, tests in tests_by_rule.items()}
