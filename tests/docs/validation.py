"""The page of validation, made from the tests: what they prove is told in their own words."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterator

from balance.game.registry import GAMES, find_game
from tests.coverage import published, rule_levels
from tests.docs.pages import DOCS, ROOT

PAGE = DOCS / "explanation" / "validation.md"
BEGIN, END = "<!-- validation -->", "<!-- end of validation -->"
TESTS = ROOT / "tests"
FACTS = {
    "Dice": ("chance/dice/test_published.py",),
    "Systems of wargames": (
        "rulebook/published/references/test_published_pools.py",
        "rulebook/published/references/test_published_rolls.py",
    ),
    "Ratings": ("playtests/test_published.py",),
}
"""What it is about -> modules of tests against numbers that others published, or that follow by hand."""
DATA_SETS = {
    "playtests/data/baseball_1987.csv": ("playtests/test_published.py", "baseball"),
    "playtests/engine_tests.csv": ("playtests/test_need_sprt.py", "LINES"),
}
"""File of data that others recorded -> the module of tests that reads it, and what there says what it is."""
SHAPES = ("playtests/test_shapes.py", "playtests/test_kinds_of_logs.py", "catalogue/test_battlescribe_shapes.py")
"""Modules of tests over files in the shapes that people keep, made up for the tests."""
SECOND = (
    "chance/dice/twin.py",
    "games/*/reference*.py",
    "games/*/*/reference*.py",
    "games/*/literal.py",
    "games/*/plain_*.py",
    "games/*/referee/referee.py",
    "rulebook/published/slow/game.py",
    "rulebook/published/references/*/[a-z]*.py",
    "analysis/known_truth/twin.py",
)
"""Where second implementations are."""
RATES = (
    "playtests/test_coverage.py",
    "chance/test_confidence.py",
    "chance/test_stopping.py",
    "analysis/known_truth/test_answers.py",
    "analysis/known_truth/test_noise.py",
)
"""Modules of tests that measure how often an interval or a verdict is right."""


def docstring(node: ast.Module | ast.FunctionDef) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())


def tree_of(name: str) -> ast.Module:
    """Return a module of the tests as it is written."""
    return ast.parse((TESTS / name).read_text("utf-8"))


def rules() -> Iterator[str]:
    """Yield a table of the games: how many rules their ledgers have, how many are proved, by how many examples too."""
    yield "| game | rules | proved by tests | worked examples of its rulebook |"
    yield "|---|---:|---:|---:|"
    for game in GAMES:
        proofs = published(game)
        proved = sum(1 for rule in rule_levels(game) if proofs.get(rule))
        yield f"| {find_game(game).title} | {len(rule_levels(game))} | {proved} | {len(examples(game))} |"


def examples(game: str) -> list[object]:
    """Return the examples of a rulebook that the tests of its game play through."""
    kept = json.loads((TESTS / "games" / game / f"{game}_examples.json").read_text("utf-8"))
    return list(kept["examples"] if isinstance(kept, dict) else kept)


def facts() -> Iterator[str]:
    """Yield each fact as its test tells it, by subject."""
    for subject, names in FACTS.items():
        tests = (node for name in names for node in ast.walk(tree_of(name)) if isinstance(node, ast.FunctionDef))
        told = [text for test in tests if test.name.startswith("test_") and (text := docstring(test))]
        yield from ("", f"**{subject}**", "", *(f"* {words(text)}" for text in told))


def data_sets() -> Iterator[str]:
    """Yield a line for each set of recorded data, and for each module over shapes of files."""
    for name, (reader, told_at) in DATA_SETS.items():
        with (TESTS / name).open(encoding="utf-8", newline="") as file:
            n_rows = sum(1 for _ in csv.DictReader(file))
        yield f"* `tests/{name}`, {n_rows} rows: {words(told(tree_of(reader), told_at))}"
    yield from (f"* `tests/{name}`: {words(docstring(tree_of(name)))}" for name in SHAPES)


def told(tree: ast.Module, name: str) -> str:
    """Return the documentation of a function of a module, or of a constant of it: the text that follows it."""
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        match node, after:
            case ast.FunctionDef(name=known), _ if known == name:
                return docstring(node)
            case ast.Assign(targets=[ast.Name(id=known)]), ast.Expr(ast.Constant(str(text))) if known == name:
                return " ".join(text.partition("\n\n")[0].split())
    raise LookupError(name)


def second() -> Iterator[str]:
    """Yield a line for each module of a second implementation, by folder."""
    found = {path for pattern in SECOND for path in TESTS.glob(pattern)}
    for folder in sorted({path.parent for path in found}):
        yield from ("", f"`{folder.relative_to(ROOT).as_posix()}`", "")
        named = [path for path in sorted(found) if path.parent == folder]
        yield from (f"* `{path.name}`: {words(docstring(tree_of(str(path.relative_to(TESTS)))))}" for path in named)


def words(text: str) -> str:
    """Return a text of a docstring as Markdown: no star in it marks anything."""
    return text.replace("*", r"\*")


def made() -> str:
    """Return the part of the page that is made."""
    parts = {
        "Rules": rules(),
        "Numbers that others published, or that follow by hand": facts(),
        "Data": data_sets(),
        "Second implementations": second(),
        "How often intervals and verdicts are right": (
            f"* `tests/{name}`: {words(docstring(tree_of(name)))}" for name in RATES
        ),
    }
    return "\n".join(line for head, body in parts.items() for line in (f"## {head}", "", *body, ""))


def page() -> str:
    """Return the page as the tests are now."""
    before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n\n{made()}\n{end}{after}"


def write() -> None:
    """Write the page anew."""
    PAGE.write_text(page(), "utf-8")
