"""A report on disk: all formats are drawn first, then each file appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from balance.answers.blocks.document import Attachment, Block, Document, Section
from balance.base.errors import Fault, UsageError
from balance.base.files import write_set


def _html(document: Document) -> bytes:
    from balance.reporting.page.html import render_html

    return render_html(document).encode()


def _pdf(document: Document) -> bytes:
    from balance.reporting.page.pdf import render_pdf

    return render_pdf(document)


_WRITERS: dict[str, tuple[str, Callable[[Document], bytes]]] = {
    "html": ("index.html", _html),
    "pdf": ("report.pdf", _pdf),
}
FORMATS = tuple(_WRITERS)


def draw_report(document: Document, formats: Sequence[str] = FORMATS) -> list[tuple[str, bytes]]:
    """Return (name, bytes) of a report's file in each format, `html` or `pdf`, and of each attachment.

    Raises `UsageError` for no format, or one we cannot write.

    >>> from balance.answers.blocks.document import Document, Paragraph
    >>> [name for name, _ in draw_report(Document("Fair?", "", (Paragraph("Yes."),)), ["html"])]
    ['index.html']
    """
    unknown = [name for name in formats if name not in _WRITERS]
    if unknown or not formats:
        faults = [Fault("is not a report format", found=name, allowed=", ".join(FORMATS)) for name in unknown]
        raise UsageError(faults or f"no report format was asked for; allowed: {', '.join(FORMATS)}")
    files = [(name, draw(document)) for name, draw in (_WRITERS[format_name] for format_name in dict.fromkeys(formats))]
    return files + [(file.name, file.content) for file in _attachments(document.blocks)]


def _attachments(blocks: Iterable[Block]) -> Iterator[Attachment]:
    for block in blocks:
        if isinstance(block, Section):
            yield from _attachments(block.blocks)
        elif isinstance(block, Attachment):
            yield block


def write_report(
    document: Document, folder: str | os.PathLike[str], formats: Sequence[str] = FORMATS
) -> tuple[Path, ...]:
    """Write ``index.html`` and ``report.pdf`` into a folder, made if need be, and return their paths.

    All formats, `html` and `pdf`, are drawn before the first byte is written, and all files are replaced or none.
    Raises `UsageError` for no format, or one we cannot write, and `OutputError` if the folder or a file cannot be
    written; what was there before still is.
    """
    return write_set(Path(folder), draw_report(document, formats))
