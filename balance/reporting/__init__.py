"""Reports: an immutable `Document` of blocks, drawn as one HTML file or as a print-quality PDF.

The author of a report imports the blocks from here, numbers as text from `balance.base.numbers`, pictures from
`balance.reporting.figures.figures`, and calls `write_report`. Nothing in this package computes a statistic.
"""

from __future__ import annotations

from balance.answers.blocks.document import (
    Attachment,
    Callout,
    Document,
    Figure,
    PageBreak,
    Picture,
    Section,
    Verdict,
    Verdicts,
)
from balance.answers.blocks.lines import Bullets, Facts, Paragraph
from balance.answers.blocks.tables import Cell, Column, HeatMap, Table, table
from balance.answers.blocks.text import literal
from balance.reporting.page.html import render_html
from balance.reporting.page.pdf import render_pdf
from balance.reporting.page.report_files import write_report

__all__ = [
    "Attachment",
    "Bullets",
    "Callout",
    "Cell",
    "Column",
    "Document",
    "Facts",
    "Figure",
    "HeatMap",
    "PageBreak",
    "Paragraph",
    "Picture",
    "Section",
    "Table",
    "Verdict",
    "Verdicts",
    "literal",
    "render_html",
    "render_pdf",
    "table",
    "write_report",
]
