"""The words every verb shares: its arguments and options, and how their texts are read."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from balance.cli import completing

__all__ = [
    "CatalogueFolder",
    "Changes",
    "Choices",
    "First",
    "GameName",
    "HalfWidth",
    "Jobs",
    "Json",
    "Lane",
    "LaneName",
    "PolicyA",
    "PolicyB",
    "Quiet",
    "Seed",
    "TableName",
    "Trials",
    "entrant",
    "parse_count",
]

LARGEST_EXPONENT = 40
MOST_JOBS = 256


def parse_count(text: str) -> int:
    """Read a number of trials as people write it: 100000, 100_000, 100,000 or 1e5.

    Raises
    ------
    typer.BadParameter
        It is not a whole number.

    >>> parse_count("1e5"), parse_count("100_000"), parse_count("-3")
    (100000, 100000, -3)
    """
    try:
        number = Decimal(str(text).replace("_", "").replace(",", ""))
        whole = number.is_finite() and number.adjusted() <= LARGEST_EXPONENT and number == number.to_integral_value()
    except InvalidOperation:
        whole = False
    if not whole:
        raise typer.BadParameter(f"{text!r} is not a number of trials, such as 100000 or 1e5")
    return int(number)


def entrant(metavar: str, help_text: str, side: int) -> Any:
    """Return the argument that names the entrant of one side."""
    complete = completing.entrants(side)
    return typer.Argument(metavar=metavar, help=help_text, autocompletion=complete, show_default=False)


LaneName = Literal["literal", "compiled"]
GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, as `balance games` lists it.", autocompletion=completing.games),
]
TableName = Annotated[
    str,
    typer.Argument(
        metavar="[TABLE]",
        help=f"A table, {', '.join(completing.PAGES)}, or one entry's id.",
        autocompletion=completing.tables,
        show_default=False,
    ),
]
CatalogueFolder = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        metavar="DIR",
        envvar="BALANCE_CATALOGUE",
        help="Folder of the catalogue; without it ./data/GAME if there is one, else the shipped one.",
        show_default=False,
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change a value that `balance show GAME situation` lists, for this call; repeat for several. An empty "
        "value clears a list.",
        autocompletion=completing.paths,
        show_default=False,
    ),
]
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--choose",
        metavar="NAME=VALUE",
        help="Choose how a side plays, as `balance show GAME policies` lists it; repeat for several.",
        autocompletion=completing.choices,
        show_default=False,
    ),
]
PolicyA = Annotated[
    str | None,
    typer.Option(
        "--policy-a",
        metavar="NAME",
        help="How side a plays: --choose policy_a=NAME.",
        autocompletion=completing.options_of("policy_a"),
        show_default=False,
    ),
]
PolicyB = Annotated[
    str | None,
    typer.Option(
        "--policy-b",
        metavar="NAME",
        help="How side b plays: --choose policy_b=NAME.",
        autocompletion=completing.options_of("policy_b"),
        show_default=False,
    ),
]
Trials = Annotated[
    int | None,
    typer.Option(
        "--trials",
        metavar="N",
        parser=parse_count,
        help="Simulate too, N times; 65,536 times by itself where no exact distribution can be had.",
        show_default=False,
    ),
]
HalfWidth = Annotated[
    float | None,
    typer.Option(
        "--half-width",
        metavar="W",
        help="Simulate too, until each chance to win is known to within W.",
        show_default=False,
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="S", envvar="BALANCE_SEED", help="Same seed, same trials; 0 is a seed.")
]
Lane = Annotated[
    LaneName,
    typer.Option("--lane", help="literal plays every roll; compiled looks finished results up, which is faster."),
]
First = Annotated[
    str, typer.Option("--first", metavar="a|b|random", help="Who goes first.", autocompletion=completing.first)
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, max=MOST_JOBS, help="How many to work at once.")]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else.", show_default=False, metavar="")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.", show_default=False, metavar="")]
