"""`balance rate`: what a log of playtests says of who is strong, how sure that is, and what to play next."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from balance.cli import options
from balance.cli.exits import say_json, say_line
from balance.errors import Fault, UsageError, gathering, unknown
from balance.files import write_whole
from balance.render.terminal import say
from balance.verbs.shares import parse_band_around_half
from balance.verbs.words import check_new_file

if TYPE_CHECKING:
    from balance.playtests.log import Log, LogSettings
    from balance.playtests.rated import Rated, RateSettings
    from balance.playtests.sheets import Sheet

__all__ = ["rate"]

PAGES = {".html": "html", ".pdf": "pdf"}
MOST_SCALE = 100.0
TABLES = (".csv", ".xlsx")

LogFile = Annotated[
    Path,
    options.argument(
        "LOG", "A log of games: .csv, .tsv, .xlsx, .json or .pgn; or the folder of a run, whose scores are rated."
    ),
]
Band = Annotated[
    str,
    typer.Option(
        "--band", metavar="LOW:HIGH", help="Between which chances against the field, in per cent, one is fair."
    ),
]
Columns = Annotated[
    list[str] | None,
    options.option(
        "--column",
        metavar="WHAT=HEADER",
        told="Which column holds what, such as winner=Vinto or player_one=Host; repeat for several. No header leaves "
        "that out.",
    ),
]
DrawWords = Annotated[
    list[str] | None, options.option("--draw", metavar="WORD", told="A word of yours for a draw; repeat for several.")
]
LeaveOut = Annotated[
    list[str] | None,
    options.option(
        "--leave-out",
        metavar="WORD",
        told="A word of yours for what is no game, such as a bye: rows with it are left out; repeat for several.",
    ),
]
EachGame = Annotated[
    str,
    options.option(
        "--each-game",
        metavar="once|twice",
        told="How often the log tells each game: once, or twice, from both sides; found out without it.",
    ),
]
SheetName = Annotated[str, options.option("--sheet", metavar="NAME", told="Of a workbook, the sheet; else the first.")]
FirstGoes = Annotated[
    str,
    options.option(
        "--first-goes", metavar="one|other", told="Who went first in every game: the first or the second name of a row."
    ),
]
NoFirst = Annotated[bool, options.flag("--no-first", told="Leave out who went first.")]
Level = Annotated[
    float, typer.Option("--level", metavar="P", help="Chance with which an interval holds the truth; 0.95 is 95 %.")
]
DrawModel = Annotated[str, typer.Option("--draws", metavar="MODEL", help="How draws come about: davidson, rao-kupper.")]
Prior = Annotated[
    str | None,
    options.option(
        "--prior",
        metavar="SCALE|none",
        told="How far strengths spread, in log-odds, by the weak prior; none for plain maximum likelihood.",
    ),
]
PageFiles = Annotated[
    list[Path] | None,
    options.option("--page", metavar="FILE", told="Write it as a page too, in a new .html or .pdf file; repeatable."),
]
TableFile = Annotated[
    Path | None, options.option("--table", metavar="FILE", told="Write the ratings too, in a new .csv or .xlsx file.")
]
Template = Annotated[
    bool, options.flag("--template", told="Write a log to fill in, with an example of games, as the new file LOG.csv.")
]


def rate(
    log: LogFile,
    band: Band = "45:55",
    columns: Columns = None,
    draw_words: DrawWords = None,
    leave_out: LeaveOut = None,
    each_game: EachGame = "",
    sheet: SheetName = "",
    first_goes: FirstGoes = "",
    no_first: NoFirst = False,
    level: Level = 0.95,
    draws: DrawModel = "davidson",
    prior: Prior = None,
    seed: options.Seed = 0,
    page: PageFiles = None,
    table: TableFile = None,
    template: Template = False,
    more: options.More = False,
    as_json: options.Json = False,
) -> None:
    """Rate the entrants of a log of games."""
    if template:
        _write_template(log)
        return
    from balance.playtests.rating import rate as rate_games
    from balance.render.rating_json import as_object
    from balance.render.rating_text import blocks

    faults = _file_faults(page or (), table)
    settings = _settings(faults, band, level, draws, prior, seed)
    how, how_faults = _how(columns, sheet, first_goes, no_first, each_game)
    how = replace(how, draws=tuple(draw_words or ()), leave_out=tuple(leave_out or ()))
    read = _read(faults, log, how, how_faults)
    rated = rate_games(read.games, settings)
    say_json(as_object(read, rated)) if as_json else say(*blocks(read, rated, more))
    for file in page or ():
        from balance.report.ratings import draw_ratings

        write_whole(file, draw_ratings(read, rated, PAGES[file.suffix.lower()]))
    if table is not None:
        write_whole(table, _as_table(rated, table.suffix.lower().removeprefix(".")))


# -- what was asked ---------------------------------------------------------------------------------------------------


def _file_faults(pages: Sequence[Path], table: Path | None) -> list[Fault]:
    """Return what is wrong with the files to be written."""
    faults: list[Fault] = []
    for file in pages:
        with gathering(faults):
            check_new_file(file, "--page", "a page", tuple(PAGES))
    if table is not None:
        with gathering(faults):
            check_new_file(table, "--table", "a table", TABLES)
    return faults


def _settings(faults: list[Fault], band: str, level: float, draws: str, prior: str | None, seed: int) -> RateSettings:
    """Return the settings; what is wrong is added to the faults, all of it."""
    from balance.core.streams import check_seed
    from balance.playtests.rated import Draws, RateSettings

    settings = RateSettings()
    with gathering(faults):
        settings = replace(settings, seed=check_seed(seed))
    share = level / 100 if level > 1 else level
    if 0.5 <= share < 1:
        settings = replace(settings, level=share)
    else:
        faults.append(Fault("is no level", "--level", found=f"{level:g}", allowed="a chance from 0.5 to below 1"))
    model: Any = draws.replace("-", "_").casefold()
    if model in get_args(Draws):
        settings = replace(settings, draws=model)
    else:
        known = [name.replace("_", "-") for name in get_args(Draws)]
        faults.append(unknown(draws, known, "is no model of draws", "--draws"))
    with gathering(faults):
        settings = replace(settings, band=parse_band_around_half(band))
    if prior is not None:
        with gathering(faults):
            settings = replace(settings, prior=_scale(prior))
    return settings


def _scale(text: str) -> float | None:
    """Return the scale of the prior, None for no prior."""
    if text.casefold() == "none":
        return None
    with suppress(ValueError):
        if 0 < (scale := float(text.replace(",", "."))) <= MOST_SCALE:
            return scale
    allowed = f"a number above 0, at most {MOST_SCALE:g}, or none"
    raise UsageError(Fault("is no scale of a prior", "--prior", found=text, allowed=allowed))


def _how(
    columns: list[str] | None, sheet: str, first_goes: str, no_first: bool, each_game: str
) -> tuple[LogSettings, list[Fault]]:
    """Return how the log is to be read, and what is wrong with that."""
    from balance.playtests.log import LogSettings

    told, faults = dict[str, str](), list[Fault]()
    for text in columns or ():
        role, equals, header = text.partition("=")
        if not equals:
            faults.append(Fault("is no WHAT=HEADER", "--column", found=text, tip="such as winner=Vinto"))
        told[role.strip()] = header.strip()
    if no_first and first_goes:
        faults.append(Fault("and --no-first exclude each other", "--first-goes", tip="give one of them"))
    words: Any = {"": "", "one": "one", "first": "one", "1": "one", "other": "other", "second": "other", "2": "other"}
    if first_goes.casefold() not in words:
        faults.append(Fault("is no side", "--first-goes", found=first_goes, allowed="one, other"))
    goes: Any = "nobody" if no_first else words.get(first_goes.casefold(), "")
    times: Any = {"": "", "once": "once", "1": "once", "twice": "twice", "2": "twice"}.get(each_game.casefold())
    if times is None:
        faults.append(Fault("is no number of times", "--each-game", found=each_game, allowed="once, twice"))
    return LogSettings(told, sheet=sheet, first=goes, each_game=times or ""), faults


# -- reading -----------------------------------------------------------------------------------------------------------


def _read(faults: list[Fault], path: Path, how: LogSettings, how_faults: list[Fault]) -> Log:
    """Return the log, or tell what is wrong: with it, too, unless it was not said how to read it."""
    from balance.playtests.log import log_of, read_log

    faults, log = [*faults, *how_faults], None
    if not how_faults or not path.exists():
        with gathering(faults):
            log = log_of(_of_run(path), how) if path.is_dir() else read_log(path, how)
    if faults or log is None:
        raise UsageError(faults)
    return log


def _of_run(folder: Path) -> Sheet:
    """Return the scores of a run's match-ups as the rows of a log."""
    from balance.catalogue.cells import show_value
    from balance.catalogue.files import RawTable
    from balance.playtests.sheets import Sheet
    from balance.study import load_run

    run = load_run(folder)
    frame = run.table("tasks")
    rows = [frame.columns, *frame.iter_rows()]
    texts = tuple((line, tuple(map(show_value, row))) for line, row in enumerate(rows, start=1))
    return Sheet(RawTable(f"{folder}, table tasks", texts), str(folder), run.manifest["tables"]["tasks"])


def _as_table(rated: Rated, fmt: str) -> bytes:
    """Return the ratings as a table for a spreadsheet, in which no name computes anything."""
    import polars as pl

    from balance.study.export import table_bytes

    return table_bytes("ratings", pl.DataFrame([asdict(one) for one in rated.ratings], infer_schema_length=None), fmt)


def _write_template(log: Path) -> None:
    from balance.playtests.template import TEMPLATE

    check_new_file(log, "LOG", "a log", (".csv",))
    write_whole(log, TEMPLATE.encode())
    say_line(f"Wrote {log}: put your own games in place of those in it, then: balance rate {log}")
