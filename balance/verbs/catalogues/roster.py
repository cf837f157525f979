"""`balance.roster`: a designer's own BattleScribe files as a table, ready to be mapped onto columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from balance.answers.form import Terms
from balance.answers.words.catalogues import roster as words
from balance.base.errors import CatalogueError, Fault, gathering
from balance.base.files import write_whole
from balance.base.numbers import show_many
from balance.catalogue.battlescribe.answer import Roster
from balance.catalogue.battlescribe.entry_table import (
    ENDINGS,
    EntryTable,
    entry_table,
    mapped_table,
    parse_columns,
    table_bytes,
    with_types,
)
from balance.catalogue.battlescribe.profiles import Library, read_battlescribe
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import Choices, Names, changes_of, check_new_file, names_of


@verb
def roster(
    *files: Annotated[
        str | Path,
        Parameter(
            "Your .cat, .gst or .ros files, zipped (.catz, .gstz, .rosz) or not: those that belong together.", "FILE..."
        ),
    ],
    types: Annotated[
        Names,
        Parameter(
            "Only profiles of this type, such as Unit; several separated by commas.",
            "TYPE",
            names=("--type",),
            of=list[str],
        ),
    ] = None,
    columns: Annotated[
        Choices,
        Parameter(
            "Only an id, the name and this column, under a name of yours, such as health=W; again for each.",
            "NEW=OLD",
            python="A mapping new -> old, or such texts.",
            names=("--column",),
            of=list[str],
        ),
    ] = None,
    out: Annotated[str | Path | None, Parameter("Write the table, in a new .csv or .xlsx file.", "FILE.csv")] = None,
) -> Result[Roster]:
    """Read your own BattleScribe catalogues or rosters as a table.

    Returns
    -------
    Result
        Its `value` has the table, such as `value.columns` and `value.rows`; its table is `rows`, all texts.

    Raises
    ------
    BalanceError
        A file cannot be read or holds no profile, a type or a column is unknown, or the table cannot be written.
    """
    paths, place, below = [Path(file) for file in files], Path(out) if out is not None else None, tuple[str, ...]()
    library, table = _read(paths, names_of(types) or (), changes_of(columns), place)
    if place is not None:
        write_whole(place, table_bytes(table, place.suffix.lower()))
        below = (f"Wrote {place}: {words.size_text(table)}",)
    answer = Roster(1, "roster", tuple(path.name for path in paths), library, table, bool(columns))
    return as_result("roster", answer, words.WORDS, Terms(), notes_of=partial(words.notes, answer), below=below)


def _read(
    files: list[Path], types: Sequence[str], columns: Sequence[str], out: Path | None
) -> tuple[Library, EntryTable]:
    """Return the files as a library, and the table of the requested types and columns; raise all faults at once."""
    faults, column_map = list[Fault](), dict[str, str]()
    library, table = None, None
    with gathering(faults):
        if out is not None:
            check_new_file(out, "§out", "a table", ENDINGS)
    with gathering(faults):
        column_map = parse_columns(columns)
    with gathering(faults):
        library = read_battlescribe(files)
    if library is not None and not library.entries:
        faults += _no_profile_faults(library, files)
    elif library is not None:
        entries = library.entries
        with gathering(faults):
            entries = with_types(entries, list(filter(None, types)))
        with gathering(faults):
            table = mapped_table(entries, column_map) if column_map else entry_table(entries)
    if faults or library is None or table is None:
        raise CatalogueError(faults)
    return library, table


def _no_profile_faults(library: Library, files: Sequence[Path]) -> Iterator[Fault]:
    """Yield the faults that explain an empty table: no entry has a profile, even through links."""
    tip = "a row is made of a profile; name the file that holds the profiles too"
    if missing := len(library.unresolved_links):
        tip += (
            f" ({show_many(missing, 'link')} to what is in none of these, such as {library.unresolved_links[0].found})"
        )
    places = "profiles on entries, groups, links and selections"
    names = ", ".join(str(path) for path in files)
    yield Fault("nothing in it has a profile, so that no row comes of it", names, allowed=places, tip=tip)
