"""Answers `balance dice`, however its words were read; loads nothing that an exact answer does not need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from balance.cli.exits import say_json, say_notes
from balance.dice.odds import check_request, rows_of
from balance.dice.parsing import parse_family
from balance.errors import BalanceError, Fault, UsageError, gathering
from balance.limits import MOST_DICE_LINES, MOST_DICE_ROWS

if TYPE_CHECKING:
    from pathlib import Path

    from balance.dice import Family, Odds

__all__ = ["answer"]

PAGES = {".html": "html", ".pdf": "pdf"}


def answer(
    texts: Sequence[str],
    trials: int | None = None,
    seed: int = 0,
    every: bool = False,
    picture: Path | None = None,
    page: Path | None = None,
    as_json: bool = False,
    more: bool = False,
) -> None:
    """Print the odds of all expressions, and write the picture and the page that are asked for."""
    families = _read(texts, _faults(trials, seed, picture, page))
    expressions = [row for family in families for row in family.rows]
    if trials is not None:
        from balance.dice.sampling import check_trials

        check_trials(expressions, trials, seed)
    found = [(family, rows_of(family, trials, seed, len(expressions))) for family in families]
    notes = list(dict.fromkeys(note for family in families for row in family.rows for note in row.notes))
    _say(found, trials, seed, notes, (every, as_json, more))
    _write(found, picture, page)
    say_notes(notes)


def _say(
    found: list[tuple[Family, list[Odds]]],
    trials: int | None,
    seed: int,
    notes: list[str],
    how: tuple[bool, bool, bool],
) -> None:
    """Print the odds: every total, as JSON, or more than the first screen; beside exact ones what trials gave."""
    every, as_json, more = how
    rows = [row for _, odds in found for row in odds]
    samples = [row.simulated(trials, seed) if trials is not None and row.is_exact else None for row in rows]
    if as_json:
        from balance.render.dice_json import as_document

        say_json(as_document([family for family, _ in found], rows, samples))
        return
    from balance.render.terminal import say

    if every and (most := max(len(row.law) for row in rows)) > MOST_DICE_LINES:
        raise UsageError(
            f"--every would print {most:,} lines", f"at most {MOST_DICE_LINES:,}; --json holds all of them"
        )
    if every or more:
        from balance.render.dice_text import blocks

        say(*blocks([family for family, _ in found], rows, samples, every))
        return
    from balance.render.dice_screen import screen

    say(*screen([family for family, _ in found], rows, samples, notes))


def _faults(trials: int | None, seed: int, picture: Path | None, page: Path | None) -> list[Fault]:
    """Return what is wrong with numbers, and with files that cannot be written, before the work begins."""
    faults: list[Fault] = []
    with gathering(faults):
        check_request(trials, seed)
    if picture is not None or page is not None:
        from balance.verbs.words import check_new_file

        with gathering(faults):
            check_new_file(picture, "--picture", "a picture", [".svg"]) if picture is not None else None
        with gathering(faults):
            check_new_file(page, "--page", "a page", tuple(PAGES)) if page is not None else None
    return faults


def _write(found: list[tuple[Family, list[Odds]]], picture: Path | None, page: Path | None) -> None:
    if picture is None and page is None:
        return
    from balance.files import write_whole
    from balance.report.dice import draw_dice, draw_page

    if picture is not None:
        write_whole(picture, draw_dice(found))
    if page is not None:
        write_whole(page, draw_page(found, PAGES[page.suffix.lower()]))


def _read(expressions: Sequence[str], beside: Sequence[Fault]) -> list[Family]:
    """Return all expressions as they were read, or tell what is wrong with each of them, and beside them."""
    found: list[Family] = []
    faults: list[Fault] = []
    for text in expressions:
        with gathering(faults):
            found.append(parse_family(text))
    if faults or beside:
        raise UsageError([*beside, *faults, *(_unquoted(expressions) if faults else ())])
    if (n_rows := sum(len(family.rows) for family in found)) > MOST_DICE_ROWS:
        raise UsageError(f"these expressions make {n_rows:,} rows", f"at most {MOST_DICE_ROWS}")
    return found


def _unquoted(expressions: Sequence[str]) -> list[Fault]:
    """Return what is to be done where one expression was typed as several words."""
    whole = " ".join(expressions)
    try:
        parse_family(whole)
    except BalanceError:
        return []
    return [Fault("these words are one expression", tip=f"put quotation marks around it: balance dice '{whole}'")]
