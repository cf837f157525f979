"""How much we take from a file or a command that others wrote: far more than anybody needs, far less than does harm.

What breaks a limit is refused with an error that tells it. Each stands here with the reason for its size. What the
system is asked to do for us is named here too.
"""

from __future__ import annotations

import signal

# -- tables and workbooks --------------------------------------------------------------------------------------------

MOST_TABLE_BYTES = 32 * 2**20
"""Of a text table: 300,000 rows of 100 characters; it is held in memory some times over."""
MOST_CELLS = 2_500_000
"""Cells of one table or sheet, empty ones too: 150,000 entries of 16 columns."""
MOST_ROWS = 1_048_576
"""Rows of one sheet: what a spreadsheet can hold."""
MOST_CELL_CHARACTERS = 32_767
"""Of one cell: what a spreadsheet can hold, so that every catalogue fits into a workbook."""
MOST_FAULTS = 1000
"""Faults told of one table or TOML file: nobody mends more before looking again."""
MOST_WORKBOOK_BYTES = 16 * 2**20
"""Of an .xlsx file."""
MOST_WORKBOOK_CELLS = 300_000
"""Cells of all its sheets, each read twice where there are formulas: 60,000 games of five columns, in 4 s."""
MOST_UNPACKED_BYTES = 64 * 2**20
"""Of all the parts of an .xlsx file together, unpacked: a million cells."""
MOST_PARTS = 2000
"""Parts of an .xlsx file: ours have one for each sheet and ten more."""
MOST_TEXTS = 500_000
"""Texts that the cells of an .xlsx file share."""
MOST_OTHER_TAGS = 100_000
"""Styles, merged cells, checks of cells and the like in an .xlsx file: ours have some hundred, and each takes time."""

MOST_CATALOGUE_XML_BYTES = 32 * 2**20
"""Of a BattleScribe file, unpacked: the largest known have 10 MB."""
MOST_XML_ELEMENTS = 400_000
"""Elements of it: the largest known have 100,000."""
MOST_XML_DEPTH = 100
"""Elements of it within each other: known ones have 20."""
MOST_XML_ATTRIBUTES = 64
"""Attributes of one of its elements: known ones have 12."""
MOST_LINK_STEPS = 5_000_000
"""Entries, groups and links that are looked at for all the rows together: a few for each row."""
# -- logs of games ---------------------------------------------------------------------------------------------------

MOST_LOG_ROWS = 100_000
"""Rows of a log of games: a convention's, year after year; each is looked at in words."""
MOST_LIST_ROWS = 1_000_000
"""Rows of the lists of its games, one for each unit: a convention's log with ten units a side is half as many."""
MOST_LOG_NAMES = 1500
"""Entrants of a log: a rating of them works on the square of their number, in 8 seconds and 500 MB for so many of five
games each. Players and sessions may be ten times as many."""
MOST_LOG_EFFECTS = 1500
"""Entrants, players and scenarios whose effects are told apart in a log; of more, the players of most games."""
MOST_NAME_CHARACTERS = 80
"""Of a name in a log: what fits a row of a table."""

# -- rules, studies, reports and patches -----------------------------------------------------------------------------

MOST_TOML_BYTES = 2**20
"""Of a TOML file: ours have 40 kB, and its reader is slow."""
MOST_POINTS = 100
"""Points in one key of a TOML file: each is a table within a table, and its reader takes the square of their number."""
MOST_NESTING = 32
"""Lists and tables within each other in a TOML file."""
MOST_SETTINGS = 200
"""Settings of one kind in a study, a report or a patch, such as the rules it changes."""
MOST_NAMED = 2000
"""Entrants that a study names one by one, or values that a patch changes."""
MOST_SCENES = 10_000
"""Situations of a study times its grid times its policies."""
MOST_TASKS = 1_000_000
"""Match-ups of a study, in all its situations and on all its sides: a day's work for a cluster."""
MOST_TABLE_QUESTIONS = 10_000
"""Cells of a table that a report declares: a page shows some hundred."""

MOST_PLANNED_GAMES = 100_000
"""Games of a plan for playtests by hand: fifty years of evenings."""

# -- runs ------------------------------------------------------------------------------------------------------------

MOST_MANIFEST_BYTES = 16 * 2**20
"""Of the manifest of a run: ours have 40 kB."""
MOST_PAGE_BYTES = 64 * 2**20
"""Of the page of a report that an overview reads: ours have 2 MB."""
MOST_BLOCK_BYTES = 16 * 2**20
"""Of a file of finished blocks: ours have 1 kB."""
MOST_ANSWER_BYTES = 64 * 2**20
"""Of a file of answers that are kept for a resume: ours have 100 kB."""
MOST_SHARED_BYTES = 256 * 2**20
"""Of all answers in a user's cache: those of one catalogue are 3 MB."""
MOST_PARQUET_BYTES = 4 * 2**30
"""Of the file of one table of a run: two hundred million rows."""
ROWS_PER_BYTE = 100
"""Rows of a table of a run for each byte of its file: more come from no run but from a bomb."""

# -- expressions of dice ---------------------------------------------------------------------------------------------

MOST_DICE_CHARACTERS = 1000
"""Of one expression: a designer's longest has a line."""
MOST_DICE_NESTING = 20
"""Brackets within each other."""
MOST_DICE = 10_000
"""Dice in one pool."""
MOST_DICE_FACES = 10_000
"""Faces of one die."""
MOST_DICE_VALUE = 1_000_000
"""A number in an expression, either way from 0."""
MOST_DICE_TOTAL = 10**15
"""A total, either way from 0: what a table of numbers holds with room to square it in a floating-point number."""
MOST_DICE_SYMBOLS = 20
"""Kinds of symbols in an expression, and symbols on one face."""
MOST_DICE_ROWS = 200
"""Rows that the families of an expression may ask for, or that one command may print."""
MOST_DICE_WORK = 8_000_000
"""Steps for an exact distribution, estimated before they are done: each takes a quarter of a millionth of a second."""
MOST_DICE_ROLLS = 200_000_000
"""Rolls of single dice, or terms of trials, in one command: some ten seconds; without a number of trials, a tenth of
it."""
MOST_DICE_LINES = 20_000
"""Totals that are printed: each takes a tenth of a thousandth of a second to lay out."""
MOST_DICE_OUTCOMES = 200_000
"""Different outcomes of an expression: each takes some hundred bytes, and as much again to print."""
MOST_DICE_STATES = 500_000
"""States of dice, or values of several results together, that an exact answer remembers at once: each takes some 300
bytes."""
MOST_DICE_SAMPLE = 20_000_000
"""Rolls that Python code gets as one array: 160 MB."""

# -- the system ------------------------------------------------------------------------------------------------------

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
"""What the environment says to libraries that are to use one thread."""
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C and the other ways to ask a process to end."""
