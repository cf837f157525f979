"""`balance rules`: which rules of the rulebook are proved by a test, level by level."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from balance.answers.media.screens import screen_of
from balance.answers.media.terminal import bar, line, say, table
from balance.base.errors import UsageError
from balance.base.numbers import show_many
from balance.cli.options import options
from balance.cli.process.exits import BROKEN_LIMIT

COVERAGE_FILE = "coverage.csv"
STRICT_LEVELS = ("A", "B")


def rules(
    game: options.GameName,
    strict: Annotated[
        bool, options.flag("--strict", help_text="End with status 1 if a rule of level A or B has no test.")
    ] = False,
    more: options.More = False,
) -> None:
    """Print every rule with the tests that cite it, and the coverage of each level."""
    from balance.catalogue import load_table
    from balance.game.registry import find_game, shipped_folder

    definition = find_game(game)
    if definition.file is not None:
        tip = f"what is wrong with it says balance check {definition.called}"
        raise UsageError("a game file has no list of rules: its steps are the rules", tip)
    folder = shipped_folder(definition)  # rule ids ship with the game, whatever catalogue is in use
    entries = load_table(definition.rule_ids, folder)
    tests_by_rule = read_coverage(folder / COVERAGE_FILE)
    levels = {rule: str(getattr(entry, "level", "")) for rule, entry in entries.items()}
    rows = [
        [rule, levels[rule], str(getattr(entry, "title", "")), _tests(tests_by_rule.get(rule, ()))]
        for rule, entry in entries.items()
    ]
    missing = [rule for rule, level in levels.items() if level in STRICT_LEVELS and rule not in tests_by_rule]
    parts: list[RenderableType] = []
    if missing:
        text = f"Without a test at levels {' and '.join(STRICT_LEVELS)}: {', '.join(missing)}"
        parts.append(line(text, "yellow", after=1))
    parts.append(table(["level", "rules", "proved", ""], _shares(levels, tests_by_rule), right=["rules", "proved"]))
    parts.append(table(["rule", "level", "title", "tests"], rows, whole=["rule"]))
    n_proved = sum(rule in tests_by_rule for rule in levels)
    sentence = f"{definition.title}: tests prove {n_proved} of the {show_many(len(levels), 'rule')} of the rulebook."
    say(*screen_of(sentence, parts, f"Rules and tests as they ship in {COVERAGE_FILE}", more))
    if missing and strict:
        raise typer.Exit(BROKEN_LIMIT)


def read_coverage(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the tests by rule from a file with columns `rule` and `tests` (names separated by spaces or `;`).

    Rules without tests are left out; a missing file covers nothing. Raise CatalogueError for a file of another form.
    """
    if not path.is_file():
        return {}
    from balance.catalogue.tables.files import read_rows

    tests_by_rule: dict[str, list[str]] = {}
    (_, head), *rows = read_rows(path, ("rule", "tests")).rows
    for _, cells in rows:
        row = dict(zip(head, cells, strict=False))
        if tests := row.get("tests", "").replace(";", " ").split():
            tests_by_rule.setdefault(row.get("rule", ""), []).extend(tests)
    return {rule: tuple(dict.fromkeys(tests)) for rule, tests in tests_by_rule.items()}


def _tests(tests: tuple[str, ...]) -> str:
    """Return the names of the first two tests without their paths, and how many more there are."""
    names = list(dict.fromkeys(test.rpartition("::")[2].partition("[")[0] for test in tests))
    names_text = ", ".join(names[:2])
    return f"{names_text} and {len(names) - 2} more" if len(names) > 2 else names_text or "none"


def _shares(levels: Mapping[str, str], tests_by_rule: Mapping[str, tuple[str, ...]]) -> list[list[object]]:

    rows: list[list[object]] = []
    for level in sorted(set(levels.values())):
        of_level = [rule for rule, rule_level in levels.items() if rule_level == level]
        n_proved = sum(rule in tests_by_rule for rule in of_level)
        rows.append([level, len(of_level), n_proved, bar(n_proved / len(of_level))])
    return rows
