"""The pages of `balance show GAME` about a catalogue: tables, single entries, rules, constants, sources, fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from balance.answers.media.screens import screen_of
from balance.answers.media.terminal import line, table, table_in_parts, title
from balance.base.errors import comma_list
from balance.base.numbers import show_many
from balance.base.paths import short_path
from balance.base.text import one_line
from balance.catalogue import Catalogue, Column, TableSpec, columns_of, leaf_columns, show_value
from balance.catalogue.new_entries import NewEntries
from balance.catalogue.tables.sources import Source
from balance.catalogue.writer import table_csv
from balance.game.loaded import LoadedGame

MARKS = {"stated": "S", "public": "P", "inferred": "I", "assumed": "A"}
LEGEND = "  S stated by the rulebook, I inferred from it, A assumed, ? nobody said"
PUBLIC_LEGEND = "  S stated by the rulebook, P from a public source, I inferred, A assumed"
"""Below pages that show a value from a public source."""


def overview(game: LoadedGame, more: bool = True) -> Iterator[RenderableType]:
    """Yield what a game can be asked, and its tables with their numbers of entries; a first screen unless `more`."""
    catalogue, definition = game.catalogue, game.definition
    rows: list[list[object]] = [
        [spec.name, len(catalogue.tables[spec.name]), spec.file] for spec in catalogue.spec.tables
    ]
    other_options = [
        option for name, option in catalogue.rule_options.items() if _reading(catalogue, name) != option.allowed[0]
    ]
    last: list[list[object]] = [
        ["entrants", len(game.entrants), "everything that can take the field"],
        ["rules", len(catalogue.rule_options), f"{catalogue.spec.rules_file}, {len(other_options)} not as by default"],
        ["sources", len(catalogue.sources), ", ".join(f"{n} {status}" for status, n in _statuses(catalogue))],
    ]
    heads = ["table", "entries", "where"]
    names = comma_list(list(definition.kinds))
    sentence = (
        f"{definition.title} can be asked: {names}. {show_many(len(game.entrants), 'entrant')} can take the field."
    )
    place = f"{short_path(catalogue.path)} ({catalogue.sha256[:12]}), rules {catalogue.rules_version}"
    if more:
        sides = [
            [kind.name, " against ".join(kind.sides), ", ".join(kind.columns)] for kind in definition.kinds.values()
        ]
        yield title(definition.title, place)
        yield table(heads, [*rows, *last], right=["entries"])
        yield table(["question", "about", "tells"], sides)
        return
    asks = [[kind.name, " against ".join(kind.sides), kind.asks] for kind in definition.kinds.values()]
    parts = [table(["question", "about", "tells"], asks), table(heads, [*last, *rows], right=["entries"])]
    foot = [line(f"One of them: balance show {definition.called} NAME", "dim")]
    yield from screen_of(sentence, parts, place, more, foot=foot)


def _statuses(catalogue: Catalogue) -> list[tuple[str, int]]:
    counts = Counter[str](source.origin for source in catalogue.sources)
    return [(status, counts[status]) for status in MARKS if counts[status] or status != "public"]


def _reading(catalogue: Catalogue, name: str) -> str:
    return show_value(getattr(catalogue.rules, name))


def _mark(catalogue: Catalogue, table: str, entry: str, field: str) -> str:
    source = catalogue.source_of(table, entry, field)
    return MARKS[source.origin] if source else "?"


def _with_mark(catalogue: Catalogue, table: str, entry: str, field: str, value: object) -> Text:
    """Return a value with the letter of its source's status; assumed and unknown ones stand out."""
    text = one_line(show_value(value).replace(";", ", ")) or "none"
    if catalogue.spec.read is not None:  # a game file tells no sources
        return Text(text)
    mark = _mark(catalogue, table, entry, field)
    return Text.assemble(text, (f"\u00a0{mark}", "dim" if mark in "SPI" else "yellow"))


def table_of(catalogue: Catalogue, spec: TableSpec) -> Iterator[RenderableType]:
    """Yield every entry of a table, each value with the letter of its source's status."""
    columns = [column for column in columns_of(spec.record) if column.name != spec.key]
    rows: list[list[object]] = [
        [entry, *(_with_mark(catalogue, spec.name, entry, c.header, getattr(record, c.name)) for c in columns)]
        for entry, record in catalogue.tables[spec.name].items()
    ]
    heads = [column.header for column in columns]
    numbers = [head for head, column in zip(heads, columns, strict=True) if column.kind in ("integer", "number")]
    yield from table_in_parts([spec.key, *heads], rows, right=numbers)
    if catalogue.spec.read is None:
        yield Text(_legend(catalogue, spec.name), "dim")


def _legend(catalogue: Catalogue, table: str) -> str:
    """Return the meanings of the letters beside the values of a table."""
    is_public = any(source.table == table and source.origin == "public" for source in catalogue.sources)
    return PUBLIC_LEGEND if is_public else LEGEND


def entry_of(catalogue: Catalogue, spec: TableSpec, entry: str) -> Iterator[RenderableType]:
    """Yield the fields of the entry of this id, each with its source."""
    record = catalogue.tables[spec.name][entry]
    rows: list[Sequence[object]] = []
    for column in columns_of(spec.record):
        if column.name == spec.key:
            continue
        source = catalogue.source_of(spec.name, entry, column.header)
        origin = (source.origin, source.where) if source else ("unknown", "")
        value = _value(getattr(record, column.name))
        rows.append([column.header, value, *(origin if catalogue.spec.read is None else ())])
    yield title(entry, f"one of {spec.name}, {spec.file}")
    yield table(["field", "value", "status", "where it comes from"][: len(rows[0])], rows)


def _value(value: object) -> str:
    return show_value(value).replace(";", ", ") or "none"


def _printable(text: str) -> str:
    """Return a text with control characters replaced and its indent kept."""
    return " " * (len(text) - len(text.lstrip(" "))) + one_line(text)


def _rules(catalogue: Catalogue) -> Iterator[RenderableType]:
    for name, option in catalogue.rule_options.items():
        now = _reading(catalogue, name)
        meaning = f"{option.ambiguity}, level {option.level}: {option.meaning}"
        yield title(name, meaning if catalogue.spec.read is None else option.meaning)
        grid = Table.grid(padding=(0, 2))
        for reading, sentence in option.readings:
            style = "" if reading == now else "dim"
            default = "default" if reading == option.allowed[0] else ""
            cells = (f"{'  *' if reading == now else '   '} {reading}", default, sentence)
            grid.add_row(*(Text(cell, style) for cell in map(_printable, cells)))
        yield grid
        yield Text()
    if catalogue.rule_options or catalogue.spec.read is None:
        yield Text("  * the reading in force; try another with --set rules.OPTION=READING", "dim")
    else:
        yield Text("  This game file leaves no rule open: it has no section [options].", "dim")


def _constants(catalogue: Catalogue) -> Iterator[RenderableType]:
    rows = [
        [
            path,
            _with_mark(catalogue, "constants", path, "value", attrgetter(path)(catalogue.constants)),
            column.description,
        ]
        for path, column in leaf_columns(catalogue.spec.constants).items()
    ]
    if catalogue.spec.read is not None:
        yield table(["number", "value"], [row[:2] for row in rows])
        return
    yield table(["constant", "value", "what it is"], rows)
    yield Text(_legend(catalogue, "constants"), "dim")


def _sources(catalogue: Catalogue) -> Iterator[RenderableType]:
    rows = [[s.table, s.id, s.field, s.origin, s.where] for s in catalogue.sources]
    yield table(["table", "id", "field", "status", "where it comes from"], rows)


def _fields(catalogue: Catalogue) -> Iterator[RenderableType]:
    """Yield, for each table, the columns that a new entry needs, what they allow, and rows to start from."""
    needs = NewEntries(catalogue)
    tables = {spec.name: (spec.file, spec.record) for spec in catalogue.spec.tables}
    if catalogue.spec.read is None:
        tables["sources"] = (catalogue.spec.sources_file, Source)
    for name, (file, record) in tables.items():
        yield title(name, file)
        rows = [
            [
                column.header,
                ", ".join(sorted(column.spellings() - {column.header})),
                "yes" if column.is_required else "",
                _may_hold(column, needs.named_by(name, column.name)),
            ]
            for column in columns_of(record)
        ]
        yield table(["header", "or", "needed", "holds"], rows)
        if name in catalogue.tables and catalogue.spec.read is None:  # a game file is no table of rows
            yield from _example(needs, name)


def _example(needs: NewEntries, name: str) -> Iterator[RenderableType]:
    """Yield the tables that refer to a table, and rows for a new entry that pass every check."""
    if referrers := [
        f"{reference.table} ({reference.column})" for reference in needs.references if reference.names == name
    ]:
        yield line(f"Its ids are named in {comma_list(referrers)}.")
    example = needs.example(name)
    if not example.rows:
        yield line(f"No entry can be added by itself: {example.refusal}.", after=1)
        return
    records = {spec.name: spec for spec in needs.catalogue.spec.tables}
    alone = "Rows" if sum(map(len, example.rows.values())) > 1 else "A row"
    yield line(f"{alone} to start from, with cells in the order of the headers:")
    for place, entries in example.rows.items():
        for text in table_csv(records[place].record, entries).splitlines()[1:]:
            yield Text(f"    {records[place].file}: {text}", no_wrap=True, overflow="ignore")
    yield Text()


def _may_hold(column: Column, names: Sequence[str] = ()) -> str:
    """Return the values that a column allows, with synonyms of its choices; of ids, the tables they come from."""
    if names:
        empty = ", or nothing" if column.is_list or column.nullable else ""
        return f"{'ids' if column.is_list else 'an id'} of {comma_list(names)}{empty}"
    synonyms = [f"{word} for {choice}" for word, choice in column.words]
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.allowed}{unit}" + (f"; also {', '.join(synonyms)}" if synonyms else "")


PAGES: Mapping[str, Callable[[Catalogue], Iterator[RenderableType]]] = {
    "rules": _rules,
    "constants": _constants,
    "sources": _sources,
    "fields": _fields,
}
"""Name of a page -> what it yields."""
