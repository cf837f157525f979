"""A page as its reader has it: sentences, each with its section, and tables with the numbers behind their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

TEXTS = {"p", "li", "figcaption", "dd", "h1", "h2", "h3"}
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“])")


@dataclass
class PageTable:
    """A table: its section, its heads with their units, and rows of cells, each a text and the number behind it."""

    section: str
    heads: list[tuple[str, str]] = field(default_factory=list)
    rows: list[list[tuple[str, float | None]]] = field(default_factory=list)

    def column(self, start: str) -> int | None:
        """Return the place of the first column whose head starts so."""
        return next((at for at, (head, _) in enumerate(self.heads) if head.startswith(start)), None)


class PageReader(HTMLParser):
    """Reads `sentences`, pairs of a section and a sentence, and `tables`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sentences: list[tuple[str, str]] = []
        self.tables: list[PageTable] = []
        self.sections: list[str] = []
        self.open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.unit, self.is_head = "", False
        self.feed(page)

    @property
    def section(self) -> str:
        return self.sections[0] if self.sections else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "section":
            self.sections.append(values.get("id") or "")
        elif tag == "table":
            self.tables.append(PageTable(self.section))
            self.unit = values.get("data-unit") or ""
        elif tag in ("thead", "tbody"):
            self.is_head = tag == "thead"
        elif tag == "tr" and self.is_head:
            self.tables[-1].heads = []
        elif tag == "tr" and self.tables:
            self.tables[-1].rows.append([])
        if tag in TEXTS | {"td", "th", "script", "style", "svg"}:
            self.open.append((tag, values, []))

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1][2].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "section":
            self.sections.pop()
        if not self.open or self.open[-1][0] != tag:
            return
        _, values, parts = self.open.pop()
        text = " ".join("".join(parts).split())
        if tag in ("td", "th") and self.tables:
            self._cell(text, values)
        elif tag in TEXTS:
            self.sentences += [(self.section, sentence) for sentence in SENTENCE_END.split(text) if sentence]

    def _cell(self, text: str, values: dict[str, str | None]) -> None:
        table = self.tables[-1]
        if self.is_head:
            own = values.get("data-unit")
            table.heads.append((text, own or (self.unit if own is None and table.heads else "")))
        elif table.rows:
            number = values.get("data-sort")
            table.rows[-1].append((text, None if number is None else float(number)))

    def tables_of(self, section: str) -> Iterator[PageTable]:
        return (table for table in self.tables if table.section == section)
