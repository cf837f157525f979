"""A report holds one verdict a card: whatever tables say it, and whatever settings they tell of, they agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.answers.blocks.document import Block
from balance.reporting import Cell, Column, Document, Section, Table
from balance.reporting.build import build_document
from balance.study.run.folder import load_run

REPORTS = Path(__file__).parents[2] / "reports"


def tables(blocks: tuple[Block, ...]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Section):
            yield from tables(block.blocks)


def contradictions(document: Document) -> dict[str, set[str]]:
    """Return whoever has several verdicts, with all of them; two columns of one table count as well as two tables."""
    words: dict[str, set[str]] = {}
    for table in tables(document.blocks):
        places = [at for at, column in enumerate(table.columns) if column.name.startswith("Verdict")]
        for row in table.rows if places else ():
            words.setdefault(row[0].text, set()).update(row[at].text for at in places)
    return {name: found for name, found in words.items() if len(found) > 1}


def table(*rows: tuple[str, ...], columns: tuple[str, ...] = ("Card", "Verdict")) -> Table:
    return Table(tuple(map(Column, columns)), tuple(tuple(map(Cell, row)) for row in rows), "x")


@pytest.mark.slow("test_a_planted_contradiction_is_seen")
@pytest.mark.parametrize("game", ["warforged", "runewars", "battlelore"])
def test_no_card_of_a_published_report_has_two_verdicts(game: str) -> None:
    document = build_document(load_run(REPORTS / game))
    assert contradictions(document) == {}


def test_a_planted_contradiction_is_seen() -> None:
    """In one table with a column for each setting, and between two tables; who is told twice alike is none."""
    by_setting = table(("Ox", "fair", "too dear"), columns=("Card", "Verdict", "Verdict, board"))
    first, second = table(("Ox", "fair"), ("Ant", "too dear")), table(("Ox", "too dear"), ("Ant", "too dear"))
    for blocks in ((by_setting,), (Section("A", "a", (first,)), Section("B", "b", (second,)))):
        assert contradictions(Document("T", "", blocks)) == {"Ox": {"fair", "too dear"}}
    assert contradictions(Document("T", "", (first, first))) == {}
