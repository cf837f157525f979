"""`balance.dice`: the odds of dice; imports nothing that an exact answer does not need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from balance.base.errors import BalanceError, Fault, OutputError, UsageError, gathering
from balance.base.limits import MOST_DICE_LINES
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.odds import check_request, rows_of
from balance.chance.dice.text.parsing import check_rows, parse_families, parse_family
from balance.verbs.call import parameters
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import PAGES, check_new_drawing, check_new_file

if TYPE_CHECKING:
    from balance.chance.dice import Family
    from balance.playtests.people.luck import RolledLuck


LIVE_PAGE = "index.html"
"""The page in the folder that --page names."""
EXAMPLES = (
    "3d6 keep 2",
    "5d10 count >=7",
    "2d6 >= 7",
    "3d6 keep 2 vs 2d8",
    "4d{hit,hit,flag,-,hit+flag}",
    "{1..5}d6 count 5-6",
    "2d20 keep lowest 1",
    "3d6 reroll 1",
    "2d6!",
    "10d6 count 3+ then d6 count 4+",
    "(2d6, d8) keep 2",
    "max(1d8, 2d4) + 1",
    "if(2d6 >= 7, d6, 0)",
    "a = 3d6; (a count 6) - (a count 1)",
)
"""Expressions that show the language in such a page; it begins with the first if none is named."""


@verb
def dice(
    *expressions: Annotated[
        str,
        Parameter(
            "Dice, each expression in quotation marks; `docs/reference/dice.md` describes the whole language.",
            "EXPRESSION...",
            of=list[str],
        ),
    ],
    trials: Annotated[
        int | None,
        Parameter("Also simulate, N times; what is too large to be exact is simulated anyway.", "N", is_count=True),
    ] = None,
    seed: parameters.Seed = 0,
    every: Annotated[bool, Parameter("Print every total, even where there are many.", is_served=False)] = False,
    rolled: Annotated[
        str | Path | None,
        Parameter(
            "Tell how lucky the rolls in a file were: .csv, .tsv or .xlsx, with the columns expression and result.",
            "FILE",
            is_served=False,
        ),
    ] = None,
    picture: Annotated[
        str | Path | None, Parameter("Draw the odds, in a new file.", "FILE.svg", is_served=False)
    ] = None,
    page: Annotated[
        str | Path | None,
        Parameter(
            "Also write a page, in a new .html or .pdf file; in a folder, one that answers what you type.",
            "FILE.html",
            is_served=False,
        ),
    ] = None,
    quiet: parameters.Quiet = False,
) -> Result[DiceOdds] | Result[RolledLuck]:
    """Tell the odds of dice, exact, or simulated where they are too large for that; or how lucky rolls were.

    Returns
    -------
    Result
        The `rows` of its `value` are an `Odds` for each expression, such as `result.value.rows[0].mean()`. Its tables
        are `rows`, a row for each expression and column, and `chances` of every value, which is the first of one
        distribution; and `results` of contests. Of a file of rolls it is a `RolledLuck` with its `verdict`, and the
        table `rows`: all rolls, and those of each expression.

    Raises
    ------
    BalanceError
        An expression makes no sense or is too large, or a file cannot be written.

    Examples
    --------
    >>> import balance
    >>> balance.dice("3d6 keep 2").to_polars().tail(1).rows()
    [(12, 0.07407407407407407, 0.07407407407407407)]
    """
    if rolled is not None:
        return _of_rolls(Path(rolled), any((*expressions, trials, seed, every, picture, page)))
    places = Path(picture) if picture is not None else None, Path(page) if page is not None else None
    is_live = page is not None and not Path(page).suffix
    families = _read(expressions or EXAMPLES[:1] * is_live, _faults(trials, seed, *places))
    read = [row for family in families for row in family.rows]
    if trials is not None:
        from balance.chance.dice.rolling.sampling import check_trials

        check_trials(read, trials, seed)
    rows = [odds for family in families for odds in rows_of(family, trials, seed, len(read))]
    if every and (max_lines := max(len(row.weights) for row in rows)) > MOST_DICE_LINES:
        tip = f"at most {MOST_DICE_LINES:,}; --json holds all of them"
        raise UsageError(f"§every would print {max_lines:,} lines", tip)
    answer = DiceOdds.of(families, rows, [row.simulate(trials, seed) for row in rows if trials and row.is_exact])
    _write(answer, *places)
    files = tuple(f"Wrote {file if file.suffix else file / LIVE_PAGE}" for file in places if file is not None)
    from balance.answers.form import Terms
    from balance.answers.words.dice import screens as words

    return as_result(
        "dice",
        answer,
        words.EVERY_TOTAL if every else words.WORDS,
        Terms(),
        notes_of=partial(tuple, answer.notes),
        below=() if quiet else files,
        explorer=partial(_explore, tuple(family.text for family in families)),
    )


def _of_rolls(rolled: Path, has_more: bool) -> Result[RolledLuck]:
    """Return how lucky the rolls in a file were; raise BalanceError for a file with faults, or anything beside it."""
    from balance.answers.form import Terms
    from balance.answers.words.dice.rolled import WORDS
    from balance.playtests.people.luck import read_rolls, rolled_luck

    if has_more:
        raise UsageError("§rolled asks about the rolls in a file", "leave out everything beside it")
    return as_result("dice", rolled_luck(read_rolls(rolled), str(rolled)), WORDS, Terms())


def _explore(expressions: tuple[str, ...], result: Result[Any]) -> Any:
    from balance.verbs.call.explore.dice_subject import DiceSubject
    from balance.verbs.call.explore.opening import explore

    return explore(result, partial(DiceSubject, expressions, dice))


def _faults(trials: int | None, seed: int, picture: Path | None, page: Path | None) -> Iterator[Fault]:
    """Yield the faults of trials and seed, and of files that cannot be written, before the work begins."""
    faults: list[Fault] = []
    with gathering(faults):
        check_request(trials, seed)
    if picture is not None or page is not None:
        with gathering(faults):
            check_new_drawing(picture, "§picture", "a picture", [".svg"]) if picture is not None else None
        with gathering(faults):
            _check_page(page) if page is not None else None
    yield from faults


def _check_page(page: Path) -> None:
    """Raise OutputError or UsageError for a page that cannot be made.

    Without an ending it names the folder of a live page.
    """
    if page.suffix:
        check_new_drawing(page, "§page", "a page")
    elif page.exists() and not page.is_dir():
        raise OutputError(Fault("is a file", str(page), tip="name a folder, or end the page in .html or .pdf"))
    else:
        check_new_file(page / LIVE_PAGE, "§page", "a page", tuple(PAGES))


def _write(answer: DiceOdds, picture: Path | None, page: Path | None) -> None:
    """Write the picture, and the page: a file of these odds, or a live page in a folder."""
    if picture is None and page is None:
        return
    from balance.base.files import write_set, write_whole
    from balance.reporting.dice import draw_dice, draw_page

    if picture is not None:
        write_whole(picture, draw_dice(answer))
    if page is not None and page.suffix:
        write_whole(page, draw_page(answer, PAGES[page.suffix.lower()]))
    if page is not None and not page.suffix:
        from balance import __version__
        from balance.reporting.live.odds import odds_page

        write_set(
            page,
            [(LIVE_PAGE, odds_page([family.text for family in answer.expressions], EXAMPLES, __version__).encode())],
        )


def _read(expressions: Sequence[str], beside: Iterable[Fault]) -> list[Family]:
    """Return all expressions as parsed; raise UsageError with the faults of each of them, and those in `beside`."""
    other_faults, faults = list(beside), list[Fault]()
    if not expressions:
        raise UsageError("there is nothing to tell the odds of", 'name an expression, such as "3d6 keep 2"')
    with gathering(faults):
        families = parse_families(expressions)
    if faults or other_faults:
        raise UsageError([*other_faults, *faults, *(_quotation_faults(expressions) if faults else ())])
    check_rows(families)
    return families


def _quotation_faults(expressions: Sequence[str]) -> list[Fault]:
    """Return a fault with the quoted command where words typed apart make one expression."""
    whole = " ".join(expressions)
    try:
        parse_family(whole)
    except BalanceError:
        return []
    return [Fault("these words are one expression", tip=f"put quotation marks around it: balance dice '{whole}'")]
