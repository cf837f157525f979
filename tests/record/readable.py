"""Tables, pages and files as lines of text, so that what differs can be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path

import polars as pl

UNSEEN = ("script", "style")
"""Parts of a page that show nothing; its checksum stands for them."""


def table_text(frame: pl.DataFrame) -> str:
    """Return a table as CSV, its first line the columns with their types; a text stands in quotes, nothing is null."""
    rows = [", ".join(json.dumps(cell, ensure_ascii=False, default=str) for cell in row) for row in frame.iter_rows()]
    return "\n".join([", ".join(f"{name}: {kind}" for name, kind in frame.schema.items()), *rows])


def html_text(text: str) -> str:
    """Return HTML with every element on a line of its own."""
    return text.replace("><", ">\n<")


def file_text(path: Path, digest: str) -> str:
    """Return the size and the checksum of a file, and what it says where that can be read."""
    read = READERS.get(path.suffix)
    size = f"{path.stat().st_size:,} bytes, sha256 {digest[:16]}"
    return size if read is None else f"{size}\n{read(path)}"


class _Page(HTMLParser):
    """Gathers the words of a page, and what its pictures show in words."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen = tag if tag in UNSEEN else self.unseen
        self.words += [f"[{name}] {value}" for name, value in attrs if name in ("alt", "aria-label", "title") and value]

    def handle_endtag(self, tag: str) -> None:
        self.unseen = "" if tag == self.unseen else self.unseen

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.unseen:
            self.words.append(" ".join(data.split(" ")).strip("\n"))


def page_text(path: Path) -> str:
    """Return what a page says, in its order."""
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return "\n".join(page.words)


def _plain(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


READERS: Mapping[str, Callable[[Path], str]] = {
    **dict.fromkeys((".csv", ".ipynb", ".json", ".md", ".py", ".svg", ".toml", ".txt"), _plain),
    ".html": page_text,
    ".parquet": lambda path: table_text(pl.read_parquet(path)),
}
"""How files are read, by the end of their names."""
