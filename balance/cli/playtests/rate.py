"""`balance rate`: what a log of playtests says of who is strong, how sure that is, and what to play next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.process.exits import say_line

LogFile = Annotated[
    Path,
    options.argument(
        "LOG", "A log of games: .csv, .tsv, .xlsx, .json or .pgn; or the folder of a run, whose scores are rated."
    ),
]
Band = Annotated[
    str,
    typer.Option(
        "--band",
        metavar="LOW:HIGH",
        help="The chances against the field, in per cent, between which an entrant is fair.",
    ),
]
Column = Annotated[
    list[str] | None,
    options.option(
        "--column",
        metavar="WHAT=HEADER",
        help_text="Which column holds what, such as winner=Vinto or player_one=Host; repeat for several. No header "
        "leaves "
        "that out.",
    ),
]
Draw = Annotated[
    list[str] | None,
    options.option("--draw", metavar="WORD", help_text="A word of yours for a draw; repeat for several."),
]
LeaveOut = Annotated[
    list[str] | None,
    options.option(
        "--leave-out",
        metavar="WORD",
        help_text="A word of yours for what is no game, such as a bye: rows with it are left out; repeat for several.",
    ),
]
EachGame = Annotated[
    str,
    options.option(
        "--each-game",
        metavar="once|twice",
        help_text="How often the log records each game: once, or twice, from both sides (default: found out).",
    ),
]
SheetName = Annotated[
    str, options.option("--sheet", metavar="NAME", help_text="The sheet of a workbook (default: the first).")
]
FirstGoes = Annotated[
    str,
    options.option(
        "--first-goes",
        metavar="one|other",
        help_text="Who went first in every game: the first or the second name of a row.",
    ),
]
NoFirst = Annotated[bool, options.flag("--no-first", help_text="Ignore who went first.")]
Level = Annotated[
    float, typer.Option("--level", metavar="P", help="Chance that an interval holds the truth; 0.95 is 95 %.")
]
DrawModel = Annotated[str, typer.Option("--draws", metavar="MODEL", help="How draws come about: davidson, rao-kupper.")]
Prior = Annotated[
    str | None,
    options.option(
        "--prior",
        metavar="SCALE|none",
        help_text="How far strengths spread, in log-odds, by the weak prior; none for plain maximum likelihood.",
    ),
]
PageFiles = Annotated[
    list[Path] | None,
    options.option(
        "--page", metavar="FILE", help_text="Also write it as a page, in a new .html or .pdf file; repeatable."
    ),
]
TableFile = Annotated[
    Path | None,
    options.option("--table", metavar="FILE", help_text="Also write the ratings, in a new .csv or .xlsx file."),
]
Template = Annotated[
    bool,
    options.flag("--template", help_text="Write a log to fill in, with an example of games, as the new file LOG.csv."),
]


def rate(
    log: LogFile,
    band: Band = "45:55",
    column: Column = None,
    draw: Draw = None,
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
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Rate the entrants of a log of games."""
    from balance.verbs import playtests

    result = result_of(playtests.rate, locals())
    if template and not (as_json or brief):
        say_line(result.sentence)
    else:
        say_result(result, more, as_json, brief)
