"""The words every verb shares: its arguments and options, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from balance.cli import completing
from balance.errors import Fault, UsageError

__all__ = [
    "Budgets",
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
    "More",
    "PolicyA",
    "PolicyB",
    "Quiet",
    "Seed",
    "ShortOption",
    "TableName",
    "Trials",
    "argument",
    "entrant",
    "flag",
    "option",
    "parse_budgets",
    "parse_count",
    "short",
    "words",
]

LARGEST_EXPONENT = 40
MOST_POINTS, MOST_UNITS = 100_000.0, 64.0
MOST_JOBS = 256


def words(*texts: str) -> list[str]:
    """Return the words of texts, parted by commas.

    >>> words("a, b", "c")
    ['a', 'b', 'c']
    """
    return [word.strip() for text in texts for word in text.split(",")]


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


def parse_budgets(text: str) -> tuple[tuple[float, float], ...]:
    """Read budgets with their unit limits.

    Raises
    ------
    UsageError
        With one fault for each that is none.

    >>> parse_budgets("150:4,250:7.5")
    ((150.0, 4.0), (250.0, 7.5))
    """
    found, faults = [], []
    for part in text.split(","):
        points, _, units = part.partition(":")
        pair = _number(points, MOST_POINTS), _number(units, MOST_UNITS)
        found.append(pair)
        if 0.0 in pair:
            allowed = f"POINTS:UNITS, at most {MOST_POINTS:,.0f} points and {MOST_UNITS:.0f} units"
            faults.append(Fault("is no budget", "--budget", found=part, allowed=allowed, tip="such as 150:4,250:7"))
    if faults:
        raise UsageError(faults)
    return tuple(found)


def _number(text: str, most: float) -> float:
    """Return a number from 1 to `most`; 0 for anything else."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 1 <= number <= most else 0.0


def option(*names: str, metavar: str, told: str, **more: Any) -> Any:
    """Return an option whose default, if it has one, its help tells in words."""
    return typer.Option(*names, metavar=metavar, help=told, show_default=False, **more)


def flag(*names: str, told: str) -> Any:
    """Return an option that takes no value."""
    return option(*names, metavar="", told=told)


def argument(metavar: str, told: str, complete: Callable[[typer.Context], list[str]] | None = None) -> Any:
    """Return an argument; what `complete` returns a shell completes."""
    return typer.Argument(metavar=metavar, help=told, autocompletion=complete, show_default=False)


def entrant(metavar: str, told: str, side: int) -> Any:
    """Return the argument that names the entrant of one side."""
    return argument(metavar, told, completing.entrants(side))


@dataclass(frozen=True)
class ShortOption:
    """An option that is short for a field of the situation, what its value is called, and what that says."""

    field: str
    metavar: str
    told: str


def short(name: str, of: ShortOption) -> Any:
    """Return the annotation of an option that is short for a field of the situation."""
    told = f"{of.told} Short for --set situation.{of.field}={of.metavar}."
    return Annotated[
        str | None, option(f"--{name}", metavar=of.metavar, told=told, autocompletion=completing.shorts(name))
    ]


LaneName = Literal["literal", "compiled"]
GameName = Annotated[str, argument("GAME", "A game, as `balance games` lists it.", completing.games)]
TableName = Annotated[
    str, argument("[TABLE]", f"A table, {', '.join(completing.PAGES)}, or one entry's id.", completing.tables)
]
CatalogueFolder = Annotated[
    Path | None,
    option(
        "--catalogue",
        metavar="DIR",
        envvar="BALANCE_CATALOGUE",
        told="Folder of the catalogue; without it ./data/GAME if there is one, else the shipped one.",
    ),
]
Changes = Annotated[
    list[str] | None,
    option(
        "--set",
        metavar="PATH=VALUE",
        told="Change a value that `balance show GAME situation` lists, for this call; repeat for several. An empty "
        "value clears a list.",
        autocompletion=completing.paths,
    ),
]
Choices = Annotated[
    list[str] | None,
    option(
        "--choose",
        metavar="NAME=VALUE",
        told="Choose how a side plays, as `balance show GAME policies` lists it; repeat for several.",
        autocompletion=completing.choices,
    ),
]


Budgets = Annotated[
    str | None,
    option(
        "--budget",
        metavar="POINTS:UNITS[,...]",
        told="Budgets and unit limits of armies, rising; as the rules pair them without it.",
    ),
]


def _policy(side: str) -> Any:
    name, complete = f"policy_{side}", completing.options_of(f"policy_{side}")
    told = f"How side {side} plays: --choose {name}=NAME."
    return option(f"--policy-{side}", metavar="NAME", told=told, autocompletion=complete)


PolicyA = Annotated[str | None, _policy("a")]
PolicyB = Annotated[str | None, _policy("b")]
Trials = Annotated[
    int | None,
    option(
        "--trials",
        metavar="N",
        parser=parse_count,
        told="Simulate too, N times; 65,536 times by itself where no exact distribution can be had.",
    ),
]
HalfWidth = Annotated[
    float | None,
    option("--half-width", metavar="W", told="Simulate too, until each chance to win is known to within W."),
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
Json = Annotated[bool, flag("--json", told="Print one JSON object and nothing else.")]
More = Annotated[
    bool, flag("--more", told="Show everything: all distributions, settings, how it is played, what it cannot see.")
]
"""Without it a verb prints its first screen, see `balance.cli.screens`: a sentence, tables, at most 24 lines."""
Quiet = Annotated[bool, flag("--quiet", "-q", told="Show no progress.")]
