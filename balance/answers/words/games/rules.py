"""What `rules` says: which rules of the rulebook the tests prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.answers.blocks.bars import bar
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.games.rules import COVERAGE_FILE, STRICT_LEVELS, LevelTests, RuleCoverage, RuleTests
from balance.base.numbers import show_many


def sentence(coverage: RuleCoverage, terms: Terms) -> str:
    """Return how many rules are proved, and how many are not played."""
    n_proved, n_rules = sum(level.proved for level in coverage.levels), len(coverage.rules)
    n_not_played = sum(bool(rule.not_played) for rule in coverage.rules)
    not_played = f"; {n_not_played} {'is' if n_not_played == 1 else 'are'} not played" if n_not_played else ""
    return f"{terms.title}: tests prove {n_proved} of the {show_many(n_rules, 'rule')} of the rulebook{not_played}."


def missing_text(coverage: RuleCoverage) -> str:
    """Return which important rules lack a test."""
    return f"Without a test at levels {' and '.join(STRICT_LEVELS)}: {', '.join(coverage.missing)}"


def body(coverage: RuleCoverage, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what lacks a test, the share of each level, what is not played, and every rule with its tests."""
    if coverage.missing:
        yield plain(missing_text(coverage), gap=True)
    shares = [
        (level.level, str(level.rules), str(level.proved), bar(level.proved / level.rules)) for level in coverage.levels
    ]
    yield grid(["level", "rules", "proved", ""], shares, right=["rules", "proved"])
    reasons = [(rule.rule, rule.title, rule.not_played) for rule in coverage.rules if rule.not_played]
    if reasons:
        yield grid(["not played", "title", "why"], reasons, whole=["not played"])
    rows = [(rule.rule, rule.level, rule.title, _tests(rule.tests)) for rule in coverage.rules]
    yield grid(["rule", "level", "title", "tests"], rows, whole=["rule"])


def _tests(tests: tuple[str, ...]) -> str:
    """Return the names of the first two tests without their paths, and how many more there are."""
    names = list(dict.fromkeys(test.rpartition("::")[2].partition("[")[0] for test in tests))
    names_text = ", ".join(names[:2])
    return f"{names_text} and {len(names) - 2} more" if len(names) > 2 else names_text or "none"


def basis(coverage: RuleCoverage, terms: Terms) -> str:
    """Return where this stands."""
    return f"Rules and tests as they ship in {COVERAGE_FILE}"


def tables(coverage: RuleCoverage) -> Mapping[str, Records]:
    """Return the levels and the rules."""
    return {"levels": Records(LevelTests, coverage.levels), "rules": Records(RuleTests, coverage.rules)}


WORDS = AnswerWords.alike(sentence, body, basis, tables)
