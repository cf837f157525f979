"""Read the words back out of a rendered report and out of its document, to compare them."""

from __future__ import annotations

import re
import zlib
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from typing import Any

from balance.answers.blocks.text import clean, plain

MARKED = {"text", "items", "sentence", "caption", "note", "tip"}
UNSHOWN = {"better", "picture", "anchor", "kind", "palette", "align", "language", "sort", "shades", "alt"}
UNSHOWN |= {"low", "high", "unit", "source", "numbers", "files", "role"}
"""What a page holds and shows nobody, or shows in other words."""


def squeeze(text: str) -> str:
    """Return text without the spaces that a line break may swallow or add."""
    return re.sub(r"[\s\u200b]+", "", text)


def words_of(node: Any, marked: bool = False) -> set[str]:
    """Return every text a reader of the document must find."""
    if isinstance(node, str):
        return {squeeze(plain(node) if marked else clean(node))} - {""}
    if is_dataclass(node):
        cell = type(node).__name__ == "Cell"
        parts = [(f.name, getattr(node, f.name)) for f in fields(node) if f.name not in UNSHOWN]
        return {word for name, value in parts for word in words_of(value, name in MARKED and not cell)}
    if isinstance(node, tuple):
        return {word for value in node for word in words_of(value, marked)}
    return set()


class Reader(HTMLParser):
    """Keeps the text, tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def named(self, *tags: str) -> list[tuple[str, dict[str, str | None]]]:
        return [(tag, attrs) for tag, attrs in self.tags if tag in tags]


def _stream(body: bytes) -> bytes:
    return zlib.decompress(body[body.index(b"stream\n") + 7 : body.rindex(b"\nendstream")])


def _codes(body: bytes) -> dict[int, str]:
    rows = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>\n", _stream(body))
    return {int(code, 16): bytes.fromhex(text.decode()).decode("utf-16-be") for code, text in rows}


_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def _unescape(literal: bytes) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        found = match[1]
        return bytes([int(found, 8)]) if found.isdigit() else _ESCAPES.get(found, found)

    return re.sub(rb"\\([0-7]{1,3}|.)", one, literal, flags=re.S)


def pdf_pages(paper: bytes) -> list[str]:
    """Return the text of each page of a PDF that our compiler made, in the order it is drawn."""
    bodies = {int(m[1]): m[2] for m in re.finditer(rb"\n(\d+) 0 obj\s(.*?)\nendobj", paper, re.S)}
    pages = []
    for body in bodies.values():
        if not re.search(rb"/Type/Page\b", body):
            continue
        resources = bodies[int(re.search(rb"/Resources (\d+)", body)[1])]
        fonts = {}
        for name, number in re.findall(rb"/(f\d+) (\d+) 0 R", resources):
            unicode = re.search(rb"/ToUnicode (\d+)", bodies[int(number)])
            fonts[name] = _codes(bodies[int(unicode[1])]) if unicode else {}
        content = _stream(bodies[int(re.search(rb"/Contents (\d+)", body)[1])])
        pages.append(_drawn(content, fonts))
    return pages


def _drawn(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    text, codes = [], {}
    pattern = re.compile(rb"/(f\d+) [\d.]+ Tf|\(((?:\\.|[^()\\])*)\)|<([0-9A-Fa-f]+)>(?=[^>]*\]?\s*T[jJ])", re.S)
    for font, literal, digits in pattern.findall(content):
        if font:
            codes = fonts[font]
            continue
        raw = bytes.fromhex(digits.decode()) if digits else _unescape(literal)
        pairs = [raw[place] * 256 + raw[place + 1] for place in range(0, len(raw) - 1, 2)]
        text.append("".join(codes.get(pair, "") for pair in pairs))
    return "".join(text)
