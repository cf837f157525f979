"""How much we take from a file or a command that others wrote: far more than anybody needs, far less than does harm.

Every limit is told in the error of what breaks it, and stands here with the reason for its size.
"""

from __future__ import annotations

__all__ = [
    "MOST_BLOCK_BYTES",
    "MOST_CELLS",
    "MOST_CELL_CHARACTERS",
    "MOST_DOTS",
    "MOST_LINES",
    "MOST_MANIFEST_BYTES",
    "MOST_PARQUET_BYTES",
    "MOST_SCENES",
    "MOST_TABLE_BYTES",
    "MOST_TASKS",
    "MOST_TOML_BYTES",
    "MOST_UNPACKED_BYTES",
    "MOST_WORKBOOK_BYTES",
    "ROWS_PER_BYTE",
]

MOST_TABLE_BYTES = 64 * 2**20
"""Of a text table: a million rows of 60 characters; it is held in memory some times over."""
MOST_TOML_BYTES = 2 * 2**20
"""Of a rules, study, report or patch file: ours have 40 kB, and the reader of TOML is slow."""
MOST_LINES = 1_000_000
"""Rows of one table."""
MOST_CELLS = 5_000_000
"""Cells of one table or sheet, empty ones too."""
MOST_CELL_CHARACTERS = 32_767
"""Of one cell: what a spreadsheet can hold, so that every catalogue fits into a workbook."""
MOST_DOTS = 200
"""Parts of a dotted key, and brackets or braces within each other, in a TOML or JSON file."""
MOST_WORKBOOK_BYTES = 64 * 2**20
"""Of an .xlsx file."""
MOST_UNPACKED_BYTES = 256 * 2**20
"""Of all the parts of an .xlsx file together, unpacked; it is read part by part."""
MOST_MANIFEST_BYTES = 16 * 2**20
"""Of the manifest of a run: ours have 40 kB."""
MOST_BLOCK_BYTES = 16 * 2**20
"""Of a file of finished blocks: ours have 1 kB."""
MOST_PARQUET_BYTES = 4 * 2**30
"""Of the file of one table of a run: two hundred million rows."""
ROWS_PER_BYTE = 100
"""Rows of a table of a run for each byte of its file: more do not come from a run but from a bomb."""
MOST_SCENES = 10_000
"""Situations of a study times their grid times their policies."""
MOST_TASKS = 1_000_000
"""Match-ups of a study in all their situations on all its sides, and the duels for its cards."""
