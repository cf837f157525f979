"""How a verb takes a log of games: what its columns and words mean, said once, and reading it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from balance.base.errors import Fault, UsageError, gathering
from balance.verbs.call.parameters import Parameter

if TYPE_CHECKING:
    from balance.playtests.log.log import Log, LogSettings
    from balance.playtests.log.sheets import Sheet

Words = str | Iterable[str] | None
"""A word of a log, or several."""
Files = str | Path | Iterable[str | Path] | None
Frame: TypeAlias = Any
"""A table of pandas or polars."""
Columns = Mapping[str, str] | Sequence[str] | str | None

LogFile = Annotated[
    str | Path | Frame,
    Parameter(
        "A log of games: .csv, .tsv, .xlsx, .parquet, .json or .pgn; or the folder of a run, to rate its scores.",
        "LOG",
    ),
]
Column = Annotated[
    Columns,
    Parameter(
        "Which column holds what, such as winner=Vinto or player_one=Host; repeat for several. No header "
        "leaves that out.",
        "WHAT=HEADER",
        of=list[str],
    ),
]
DrawWord = Annotated[Words, Parameter("A word of yours for a draw; repeat for several.", "WORD", of=list[str])]
LeaveOut = Annotated[
    Words,
    Parameter(
        "A word of yours for what is no game, such as a bye: rows with it are left out; repeat for several.",
        "WORD",
        of=list[str],
    ),
]
EachGame = Annotated[
    str,
    Parameter(
        "How often the log records each game: once, or twice, from both sides (default: found out).", "once|twice"
    ),
]
SheetName = Annotated[str, Parameter("The sheet of a workbook (default: the first).", "NAME")]
FirstGoes = Annotated[
    str, Parameter("Who went first in every game: the first or the second name of a row.", "one|other")
]
NoFirst = Annotated[bool, Parameter("Ignore who went first.")]
Level = Annotated[float, Parameter("Chance that an interval holds the truth; 0.95 is 95 %.", "P")]


def read_games(
    faults: Sequence[Fault],
    log: str | Path | Frame,
    column: Columns = None,
    draw: Words = None,
    leave_out: Words = None,
    each_game: str = "",
    sheet: str = "",
    first_goes: str = "",
    no_first: bool = False,
) -> Log:
    """Return a log read as the options of these names say; raise UsageError with all `faults`, its own too."""
    from balance.playtests.log.frames import is_frame
    from balance.playtests.options import log_settings

    column_faults = list[Fault]()
    columns = [f"{role}={header}" for role, header in column.items()] if isinstance(column, Mapping) else column
    settings = log_settings(column_faults, as_words(columns), first_goes, no_first, each_game)
    settings = replace(settings, sheet=sheet, draws=as_words(draw), leave_out=as_words(leave_out))
    return _read(faults, log if is_frame(log) else Path(log), settings, column_faults)


def as_words(words: Files | Words) -> tuple[str, ...]:
    """Return one word, several or none (None) as a tuple of texts."""
    return () if words is None else (str(words),) if isinstance(words, str | Path) else tuple(map(str, words))


def _read(faults: Sequence[Fault], place: Path | Frame, settings: LogSettings, settings_faults: list[Fault]) -> Log:
    """Return the log of a file, a frame, or the folder of a run; raise UsageError with all faults, old and new.

    With faults in how to read it, the log itself is not read.
    """
    from balance.playtests.log.frames import sheet_of_frame
    from balance.playtests.log.log import log_of, read_log

    faults, log = [*faults, *settings_faults], None
    if not settings_faults or (isinstance(place, Path) and not place.exists()):
        with gathering(faults):
            if not isinstance(place, Path):
                log = log_of(sheet_of_frame(place), settings)
            else:
                log = log_of(_of_run(place), settings) if place.is_dir() else read_log(place, settings)
    if faults or log is None:
        raise UsageError(faults)
    return log


def _of_run(folder: Path) -> Sheet:
    """Return the table `tasks` of a run, its simulated match-ups, as rows of a log."""
    from balance.catalogue.tables.cells import show_value
    from balance.catalogue.tables.columns import RawTable
    from balance.playtests.log.sheets import Sheet
    from balance.study import load_run

    run = load_run(folder)
    frame = run.table("tasks")
    rows = [frame.columns, *frame.iter_rows()]
    texts = tuple((line, tuple(map(show_value, row))) for line, row in enumerate(rows, start=1))
    return Sheet(RawTable(f"{folder}, table tasks", texts), str(folder), run.manifest["tables"]["tasks"])
