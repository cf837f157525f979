"""`balance roster`: a designer's own BattleScribe files as a table, ready to be mapped onto columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.answers.media.terminal import line, say, table, title
from balance.base.answers import as_plain
from balance.base.errors import CatalogueError, Fault, gathering
from balance.base.files import write_whole
from balance.base.numbers import show_count, show_many
from balance.cli.options import options
from balance.cli.process.exits import say_brief, say_json, say_line, say_notes
from balance.verbs.call.words import check_new_file

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.documents.brief import Brief
    from balance.catalogue.battlescribe.entry_table import EntryTable
    from balance.catalogue.battlescribe.profiles import Library

MOST_SHOWN, MOST_TOLD, WIDEST = 20, 5, 8
"""Rows, unresolved links and columns that a screen shows."""

Files = Annotated[
    list[Path],
    options.argument(
        "FILE", "Your .cat, .gst or .ros files, zipped (.catz, .gstz, .rosz) or not: those that belong together."
    ),
]
Types = Annotated[
    list[str] | None,
    options.option(
        "--type", metavar="TYPE", help_text="Only profiles of this type, such as Unit; several separated by commas."
    ),
]
Columns = Annotated[
    list[str] | None,
    options.option(
        "--column",
        metavar="NEW=OLD",
        help_text="Only an id, the name and this column, under a name of yours, such as health=W; again for each.",
    ),
]
Out = Annotated[
    Path | None, options.option("--out", metavar="FILE.csv", help_text="Write the table, in a new .csv or .xlsx file.")
]


def roster(
    files: Files,
    types: Types = None,
    columns: Columns = None,
    out: Out = None,
    as_json: options.Json = False,
    brief: options.Brief = False,
) -> None:
    """Read BattleScribe files as a table."""
    from balance.catalogue.battlescribe.answer import Roster
    from balance.catalogue.battlescribe.entry_table import table_bytes

    library, roster_table = _read(files, types or (), columns or (), out)
    if out is not None:
        write_whole(out, table_bytes(roster_table, out.suffix.lower()))
    if brief:
        say_brief(_in_brief(library, roster_table))
    elif as_json:
        say_json(as_plain(Roster.of(library, roster_table)))
    else:
        say(*_blocks(library, roster_table, files, is_mapped=bool(columns)))
        if out is not None:
            size = f"{show_many(len(roster_table.rows), 'row')}, {show_many(len(roster_table.headers), 'column')}"
            say_line(f"Wrote {out}: {size}")
        say_notes(_notes(library, roster_table))


def _read(
    files: list[Path], types: Sequence[str], columns: Sequence[str], out: Path | None
) -> tuple[Library, EntryTable]:
    """Return the files as a library, and the table of the requested types and columns; raise all faults at once."""
    from balance.catalogue.battlescribe.entry_table import ENDINGS, entry_table, mapped_table, parse_columns, with_types
    from balance.catalogue.battlescribe.profiles import read_battlescribe

    faults, column_map = list[Fault](), dict[str, str]()
    library, roster_table = None, None
    with gathering(faults):
        if out is not None:
            check_new_file(out, "--out", "a table", ENDINGS)
    with gathering(faults):
        column_map = parse_columns(columns)
    with gathering(faults):
        library = read_battlescribe(files)
    if library is not None and not library.entries:
        faults += _no_profile_faults(library, files)
    elif library is not None:
        entries = library.entries
        with gathering(faults):
            entries = with_types(entries, [name for text in types for name in text.split(",") if name.strip()])
        with gathering(faults):
            roster_table = mapped_table(entries, column_map) if column_map else entry_table(entries)
    if faults or library is None or roster_table is None:
        raise CatalogueError(faults)
    return library, roster_table


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


def _blocks(library: Library, roster_table: EntryTable, files: list[Path], is_mapped: bool) -> Iterator[RenderableType]:
    """Yield the screen from top to bottom; `is_mapped` says that the user named the columns."""
    names = ", ".join(path.name for path in files)
    yield title("BattleScribe", names)
    types = library.profile_types
    counts = [(name, show_count(count), _traits(library, name)) for name, count in types.items()]
    yield table(["type of profile", "rows", "characteristics and costs"], counts, right=("rows",))
    columns = _visible_columns(roster_table, is_mapped)
    rows = [
        ["" if row[place] is None else str(row[place]) for place in columns] for row in roster_table.rows[:MOST_SHOWN]
    ]
    yield table([roster_table.headers[place] for place in columns], rows)
    if len(roster_table.rows) > len(rows):
        yield line(f"{show_many(len(roster_table.rows) - len(rows), 'more row')}: --out FILE.csv writes all.", "dim", 1)


def _visible_columns(roster_table: EntryTable, is_mapped: bool) -> list[int]:
    """Return the indices of columns that fit a screen: all named ones, else traits of one type, or what entries are."""
    types = (
        {row[roster_table.headers.index("profile type")] for row in roster_table.rows}
        if "profile type" in roster_table.headers
        else set()
    )
    hidden = () if is_mapped else (*_LONG, "type", "profile", "profile type") if len(types) == 1 else _LONG
    places = [place for place, header in enumerate(roster_table.headers) if header not in hidden]
    costs = [place for place in places if roster_table.headers[place] in roster_table.costs][: WIDEST - 2]
    other_places = [place for place in places if roster_table.headers[place] not in roster_table.costs][
        : WIDEST - len(costs)
    ]
    return sorted((*costs, *other_places))


_LONG = ("id", "categories", "holds", "rules", "file", "line")


def _traits(library: Library, name: str) -> str:
    """Return the names of the characteristics and costs of a type of profile, separated by commas."""
    entries = [entry for entry in library.entries if entry.profile_type == name]
    return ", ".join(dict.fromkeys(trait for entry in entries for trait in (*entry.characteristics, *entry.costs)))


def _notes(library: Library, roster_table: EntryTable) -> Iterator[object]:
    """Yield the notes of the files and of the table, and the first links that lead to none of the files."""
    yield from library.notes
    yield from roster_table.notes
    yield from library.unresolved_links[:MOST_TOLD]
    if (more := len(library.unresolved_links) - MOST_TOLD) > 0:
        yield f"{show_many(more, 'more link')} to what is in none of the files; --json lists each"


def _in_brief(library: Library, roster_table: EntryTable) -> Brief:
    """Return the one object that --brief prints."""
    import polars as pl

    from balance.answers.media.brief import brief_of
    from balance.catalogue.battlescribe.answer import Roster

    sizes = f"{show_many(len(roster_table.rows), 'row')}, {show_many(len(roster_table.headers), 'column')}"
    columns = zip(roster_table.headers, zip(*roster_table.rows, strict=True), strict=True)
    frame = pl.DataFrame({name: ["" if cell is None else str(cell) for cell in cells] for name, cells in columns})
    notes = list(map(str, _notes(library, roster_table)))
    document = as_plain(Roster.of(library, roster_table))
    return brief_of(document, f"A table of {sizes}.", {"rows": frame}, notes=notes)
