"""The arguments and options that verbs share, and how their texts are parsed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from balance.cli.options import completion
from balance.cli.options.verb_list import ShortOption
from balance.verbs.call.means import MOST_JOBS

LARGEST_EXPONENT = 40


def parse_count(text: str) -> int:
    """Return a number of trials as people write it: 100000, 100_000, 100,000 or 1e5.

    Raise typer.BadParameter if it is not a whole number.

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


def option(*names: str, metavar: str, help_text: str, **more: Any) -> Any:
    """Return a typer option without the automatic default in its help: `help_text` states it in words."""
    return typer.Option(*names, metavar=metavar, help=help_text, show_default=False, **more)


def flag(*names: str, help_text: str) -> Any:
    """Return a typer option that takes no value."""
    return option(*names, metavar="", help_text=help_text)


def argument(metavar: str, help_text: str, complete: Callable[[typer.Context], list[str]] | None = None) -> Any:
    """Return a typer argument; `complete` offers words to a shell, and brackets in `metavar` mark it optional."""
    return typer.Argument(metavar=metavar, help=help_text, autocompletion=complete, show_default=False)


def entrant(metavar: str, help_text: str, side: int) -> Any:
    """Return the argument for the entrant of a side, 0 or 1, with its ids as completion."""
    return argument(metavar, help_text, completion.entrants(side))


def short(name: str, of: ShortOption) -> Any:
    """Return the annotation of the option `--NAME` that is short for a field of the situation."""
    help_text = f"{of.meaning} Short for --set situation.{of.field}={of.metavar}."
    return Annotated[
        str | None, option(f"--{name}", metavar=of.metavar, help_text=help_text, autocompletion=completion.shorts(name))
    ]


LaneName = Literal["literal", "compiled"]
GameName = Annotated[str, argument("GAME", "A game, as `balance games` lists it.", completion.games)]
KindName = Annotated[str, argument("KIND", "What `balance games` says can be asked.", completion.kinds)]
One = Annotated[str, entrant("ONE", "One side.", 0)]
Other = Annotated[str, entrant("[OTHER]", "The other side; where ONE stands for both, as an adventure does, none.", 1)]
TableName = Annotated[
    str, argument("[TABLE]", f"A table, {', '.join(completion.PAGES)}, or one entry's id.", completion.tables)
]
CatalogueFolder = Annotated[
    Path | None,
    option(
        "--catalogue",
        metavar="DIR",
        envvar="BALANCE_CATALOGUE",
        help_text="Folder of the catalogue (default: ./data/GAME if there is one, else the shipped one).",
    ),
]
Changes = Annotated[
    list[str] | None,
    option(
        "--set",
        metavar="PATH=VALUE",
        help_text="Change a value that `balance show GAME situation` lists, for this call; repeat for several. An "
        "empty "
        "value clears a list.",
        autocompletion=completion.paths,
    ),
]
Choices = Annotated[
    list[str] | None,
    option(
        "--choose",
        metavar="NAME=VALUE",
        help_text="Choose how a side plays, as `balance show GAME policies` lists it; repeat for several.",
        autocompletion=completion.choices,
    ),
]


Budgets = Annotated[
    str | None,
    option(
        "--budget",
        metavar="POINTS:UNITS[,...]",
        help_text="Budgets and unit limits of armies, rising (default: as the rules pair them).",
    ),
]


def _policy(side: str) -> Any:
    name, complete = f"policy_{side}", completion.options_of(f"policy_{side}")
    help_text = f"How side {side} plays: --choose {name}=NAME."
    return option(f"--policy-{side}", metavar="NAME", help_text=help_text, autocompletion=complete)


PolicyA = Annotated[str | None, _policy("a")]
PolicyB = Annotated[str | None, _policy("b")]
Trials = Annotated[
    int | None,
    option(
        "--trials",
        metavar="N",
        parser=parse_count,
        help_text="Also simulate, N times; done anyway where there is no exact distribution, 65,536 times if quick.",
    ),
]
HalfWidth = Annotated[
    float | None,
    option("--half-width", metavar="W", help_text="Also simulate, until each chance to win is known to within W."),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="S", envvar="BALANCE_SEED", help="Same seed, same trials; 0 is a seed.")
]
Lane = Annotated[
    LaneName,
    typer.Option("--lane", help="literal plays every roll; compiled looks up finished results, which is faster."),
]
First = Annotated[
    str, typer.Option("--first", metavar="a|b|random", help="Who goes first.", autocompletion=completion.first)
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, max=MOST_JOBS, help="How many workers run at once.")
]
Json = Annotated[bool, flag("--json", help_text="Print one JSON object and nothing else.")]
Brief = Annotated[
    bool,
    flag("--brief", help_text="As --json, at most 10,000 bytes: the sentence, the main tables, what it cannot see."),
]
More = Annotated[
    bool,
    flag("--more", help_text="Show everything: all distributions, settings, how it is played, what it cannot see."),
]
"""Without it a verb prints its first screen (`balance.answers.media.screens`): a sentence, tables, at most 24 lines."""
Quiet = Annotated[bool, flag("--quiet", "-q", help_text="Show no progress.")]
