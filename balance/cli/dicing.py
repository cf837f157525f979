"""`balance dice`: the odds of expressions such as `3d6 keep 2`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.cli import options
from balance.cli.exits import say_json, say_notes
from balance.errors import BalanceError, Fault, UsageError, gathering
from balance.limits import MOST_DICE_ROWS

if TYPE_CHECKING:
    from balance.dice import Family, Odds

__all__ = ["dice"]

PAGES = {".html": "html", ".pdf": "pdf"}

Expressions = Annotated[
    list[str],
    options.argument(
        "EXPRESSION...", "Dice, each expression in quotation marks; `docs/dice.md` tells the whole language."
    ),
]
Trials = Annotated[
    int | None,
    options.option(
        "--trials",
        metavar="N",
        parser=options.parse_count,
        told="Simulate too, N times; what is too large to be exact is simulated by itself.",
    ),
]
PictureFile = Annotated[
    Path | None, options.option("--picture", metavar="FILE.svg", told="Draw the odds, in a new file.")
]
Page = Annotated[
    Path | None, options.option("--page", metavar="FILE.html", told="Write a page too, in a new .html or .pdf file.")
]
Every = Annotated[bool, options.flag("--every", told="Print every total, also where there are many.")]


def dice(
    expressions: Expressions,
    trials: Trials = None,
    seed: options.Seed = 0,
    every: Every = False,
    picture: PictureFile = None,
    page: Page = None,
    as_json: options.Json = False,
) -> None:
    """Tell the odds of dice."""
    from balance.dice.odds import check_request, rows_of

    check_request(trials, seed)
    _check_files(picture, page)
    families = _read(expressions)
    found = [(family, rows_of(family, trials, seed)) for family in families]
    _say(found, trials, seed, every, as_json)
    _write(found, picture, page)
    say_notes(dict.fromkeys(note for family in families for row in family.rows for note in row.notes))


def _say(found: list[tuple[Family, list[Odds]]], trials: int | None, seed: int, every: bool, as_json: bool) -> None:
    """Print the odds; beside exact ones what so many trials gave."""
    rows = [row for _, odds in found for row in odds]
    samples = [row.simulated(trials, seed) if trials is not None and row.is_exact else None for row in rows]
    if as_json:
        from balance.cli.dice_json import as_document

        say_json(as_document([family for family, _ in found], rows, samples))
        return
    from balance.cli.dice_text import blocks
    from balance.cli.terminal import say

    say(*blocks([family for family, _ in found], rows, samples, every))


def _check_files(picture: Path | None, page: Path | None) -> None:
    """Refuse what cannot be written before the work begins."""
    if picture is None and page is None:
        return
    from balance.cli.playing import check_new_file

    if picture is not None:
        check_new_file(picture, "--picture", "a picture", [".svg"])
    if page is not None:
        check_new_file(page, "--page", "a page", tuple(PAGES))


def _write(found: list[tuple[Family, list[Odds]]], picture: Path | None, page: Path | None) -> None:
    if picture is None and page is None:
        return
    from balance.files import write_whole
    from balance.report.dice import draw_dice, draw_page

    if picture is not None:
        write_whole(picture, draw_dice(found))
    if page is not None:
        write_whole(page, draw_page(found, PAGES[page.suffix.lower()]))


def _read(expressions: list[str]) -> list[Family]:
    """Return all expressions as they were read, or tell what is wrong with each of them."""
    from balance.dice import parse_family

    found: list[Family] = []
    faults: list[Fault] = []
    for text in expressions:
        with gathering(faults):
            found.append(parse_family(text))
    if faults:
        raise UsageError([*faults, *_unquoted(expressions)])
    if (n_rows := sum(len(family.rows) for family in found)) > MOST_DICE_ROWS:
        raise UsageError(f"these expressions make {n_rows:,} rows", f"at most {MOST_DICE_ROWS}")
    return found


def _unquoted(expressions: list[str]) -> list[Fault]:
    """Return what is to be done where one expression was typed as several words."""
    from balance.dice import parse_family

    whole = " ".join(expressions)
    try:
        parse_family(whole)
    except BalanceError:
        return []
    return [Fault("these words are one expression", tip=f"put quotation marks around it: balance dice '{whole}'")]
