"""A page over the reports of a folder: each with its question, its first finding, its first picture and its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from balance.base.files import write_whole
from balance.base.limits import MOST_PAGE_BYTES
from balance.reporting.page.html import plain_colours, template, with_policy

PAGE, PAPER = "index.html", "report.pdf"
SHORTEST_FINDING = 60
"""Characters that a finding has at least, where the page says more: its first words alone may be a heading."""
_PICTURE = re.compile(r"data:image/svg\+xml;base64,[A-Za-z0-9+/]+=*")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")


@dataclass(frozen=True)
class Entry:
    """A report as the overview shows it.

    `title` and `subtitle`: what it asks, and of what it is a report. `finding`: the first sentence of its summary;
    empty where it has none. `picture`: its first picture, as a phone is shown it, as a data URL; empty where it has
    none. `has_paper`: whether there is a PDF beside the page.
    """

    folder: str
    title: str
    subtitle: str
    finding: str
    picture: str
    has_paper: bool


class _Reader(HTMLParser):
    """Parses the page of a report for the parts that an overview shows."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.picture, self.place, self.in_summary = "", "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note which part of the entry the text after a tag belongs to, and take the first picture."""
        attributes = dict(attrs)
        if tag == "section":
            self.in_summary = attributes.get("id") == "summary"
        if tag == "h1":
            self.place = "title"
        elif tag == "p" and attributes.get("class") == "subtitle":
            self.place = "subtitle"
        elif self.in_summary and (tag, attributes.get("class")) in (("p", None), ("li", None)):
            self.place = "finding"
        elif tag in ("source", "img") and not self.picture:
            address = attributes.get("srcset" if tag == "source" else "src") or ""
            self.picture = address if _PICTURE.fullmatch(address) else ""
        if self.place in self.texts and tag in ("h1", "p", "li"):
            self.place = ""  # the first of each counts

    def handle_endtag(self, tag: str) -> None:
        """End the part of the entry that the tag has begun."""
        if tag in ("h1", "p", "li"):
            self.place = ""

    def handle_data(self, data: str) -> None:
        """Add a text to the part of the entry that it belongs to."""
        if self.place:
            self.texts[self.place] = self.texts.get(self.place, "") + data


def entries_of(folder: Path) -> Iterator[Entry]:
    """Yield the reports in the subfolders of a folder, by their names; pages that are no report are skipped."""
    for page in sorted(folder.glob(f"*/{PAGE}")):
        if page.stat().st_size > MOST_PAGE_BYTES:
            continue
        reader = _Reader()
        reader.feed(page.read_text("utf-8", errors="replace"))
        texts = {name: " ".join(text.split()) for name, text in reader.texts.items()}
        if {"title", "subtitle"} <= set(texts):
            finding = _first_sentence(texts.get("finding", ""))
            has_paper = page.with_name(PAPER).is_file()
            yield Entry(page.parent.name, texts["title"], texts["subtitle"], finding, reader.picture, has_paper)


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text, with the next ones while it is short.

    >>> _first_sentence("Alone. A hero wins 5 of 6 duels against the weakest of all enemies. More.")
    'Alone. A hero wins 5 of 6 duels against the weakest of all enemies.'
    """
    sentence = ""
    for part in _SENTENCE_END.split(text):
        sentence = f"{sentence} {part}".strip()
        if len(sentence) >= SHORTEST_FINDING:
            break
    return sentence


def overview_page(folder: Path) -> str:
    """Return the page over the reports in the folders of a folder; the same reports give the same text."""
    from markupsafe import Markup

    colours = plain_colours()
    entries = list(entries_of(folder))
    page = template("overview.html.j2").render(entries=entries, page=PAGE, paper=PAPER, colours=Markup(colours)) + "\n"
    return with_policy(page, "img-src data:")


def write_overview(folder: Path) -> Path:
    """Write the page over the reports of a folder into it, and return its path; raises `OutputError` if it cannot."""
    path = folder / PAGE
    write_whole(path, overview_page(folder).encode())
    return path
