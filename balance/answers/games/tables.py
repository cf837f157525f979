"""The pages about a catalogue: tables, single entries, rules, constants, sources, fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter

from balance.answers.games.page import Part, Value
from balance.base.errors import comma_list
from balance.base.numbers import show_many
from balance.catalogue import Catalogue, Column, TableSpec, columns_of, leaf_columns, show_value
from balance.catalogue.new_entries import NewEntries
from balance.catalogue.tables.sources import Source
from balance.catalogue.writer import table_csv
from balance.game.open_game import OpenGame

STATUSES = ("stated", "public", "inferred", "assumed")
UNKNOWN = "unknown"


def plain_value(value: object) -> Value:
    """Return a value of a catalogue as JSON has it; None for an empty text.

    >>> plain_value(("heavy", "jump")), plain_value(4), plain_value("")
    (('heavy', 'jump'), 4, None)
    """
    if isinstance(value, tuple | list):
        return tuple(item if isinstance(item, int | float) else show_value(item) for item in value)
    return value if value is None or isinstance(value, int | float) else str(value) or None


def overview_sentence(game: OpenGame) -> str:
    """Return what a game can be asked, and how many can take the field."""
    count, names = show_many(len(game.entrants), "entrant"), comma_list(game.definition.kinds)
    return f"{game.definition.title} can be asked: {names}. {count} can take the field."


def overview(game: OpenGame) -> Iterator[Part]:
    """Yield what a game can be asked, its tables with their numbers of entries, and what its answers tell."""
    catalogue, kinds = game.catalogue, game.definition.kinds.values()
    others = [name for name, option in catalogue.rule_options.items() if _reading(catalogue, name) != option.allowed[0]]
    origins = Counter[str](source.origin for source in catalogue.sources)
    statuses = [f"{origins[status]} {status}" for status in STATUSES if origins[status] or status != "public"]
    yield Part(
        columns=("question", "about", "tells"),
        rows=tuple((kind.name, " against ".join(kind.sides), kind.asks) for kind in kinds),
    )
    yield Part(
        columns=("table", "entries", "where"),
        rows=(
            ("entrants", len(game.entrants), "everything that can take the field"),
            (
                "rules",
                len(catalogue.rule_options),
                f"{catalogue.spec.rules_file}, {len(others)} not as by default",
            ),
            ("sources", len(catalogue.sources), ", ".join(statuses)),
            *((spec.name, len(catalogue.tables[spec.name]), spec.file) for spec in catalogue.spec.tables),
        ),
    )
    yield Part(columns=("answer", "columns"), rows=tuple((kind.name, tuple(kind.columns)) for kind in kinds))


def _reading(catalogue: Catalogue, name: str) -> str:
    return show_value(getattr(catalogue.rules, name))


def _is_sourced(catalogue: Catalogue) -> bool:
    """Return whether a catalogue says where its values come from; a game file does not."""
    return catalogue.spec.read is None


def _origin(catalogue: Catalogue, table: str, entry: str, field: str) -> tuple[str, str]:
    """Return the status of a value, and where it comes from."""
    source = catalogue.source_of(table, entry, field)
    return (source.origin, source.where) if source else (UNKNOWN, "")


def table_of(catalogue: Catalogue, spec: TableSpec) -> Iterator[Part]:
    """Yield every entry of a table."""
    columns = [column for column in columns_of(spec.record) if column.name != spec.key]
    entries = catalogue.tables[spec.name]
    yield Part(
        columns=(spec.key, *(column.header for column in columns)),
        rows=tuple(
            (entry, *(plain_value(getattr(record, column.name)) for column in columns))
            for entry, record in entries.items()
        ),
        origins=tuple(
            ("", *(_origin(catalogue, spec.name, entry, column.header)[0] for column in columns)) for entry in entries
        )
        if _is_sourced(catalogue)
        else (),
        layout="wide",
    )


def entry_of(catalogue: Catalogue, spec: TableSpec, entry: str) -> Iterator[Part]:
    """Yield the fields of the entry of this id, each with its source."""
    record = catalogue.tables[spec.name][entry]
    n_columns = 4 if _is_sourced(catalogue) else 2
    rows = [
        (
            column.header,
            plain_value(getattr(record, column.name)),
            *_origin(catalogue, spec.name, entry, column.header),
        )[:n_columns]
        for column in columns_of(spec.record)
        if column.name != spec.key
    ]
    heads = ("field", "value", "status", "where it comes from")[:n_columns]
    yield Part(title=entry, details=f"one of {spec.name}, {spec.file}", columns=heads, rows=tuple(rows))


def _rules(game: OpenGame) -> Iterator[Part]:
    catalogue = game.catalogue
    for name, option in catalogue.rule_options.items():
        now, usual = _reading(catalogue, name), option.allowed[0]
        yield Part(
            title=name,
            details=f"{option.ambiguity}, level {option.level}: {option.meaning}"
            if _is_sourced(catalogue)
            else option.meaning,
            columns=("reading", "is", "meaning"),
            rows=tuple(
                (reading, ", ".join(["in force"] * (reading == now) + ["default"] * (reading == usual)), sentence)
                for reading, sentence in option.readings
            ),
            layout="list",
        )
    is_open = catalogue.rule_options or _is_sourced(catalogue)
    tip = "Try another reading with --set rules.OPTION=READING"
    yield Part(rows=(), below=(tip if is_open else "This game file leaves no rule open: it has no section [options].",))


def _constants(game: OpenGame) -> Iterator[Part]:
    catalogue, constants = game.catalogue, leaf_columns(game.catalogue.spec.constants)
    values = {path: plain_value(attrgetter(path)(catalogue.constants)) for path in constants}
    if not _is_sourced(catalogue):
        yield Part(columns=("number", "value"), rows=tuple(values.items()))
        return
    yield Part(
        columns=("constant", "value", "what it is"),
        rows=tuple((path, values[path], column.description) for path, column in constants.items()),
        origins=tuple(("", _origin(catalogue, "constants", path, "value")[0], "") for path in constants),
    )


def _sources(game: OpenGame) -> Iterator[Part]:
    rows = tuple(
        (source.table, source.id, source.field, source.origin, source.where) for source in game.catalogue.sources
    )
    yield Part(columns=("table", "id", "field", "status", "where it comes from"), rows=rows)


def _fields(game: OpenGame) -> Iterator[Part]:
    """Yield, for each table, the columns that a new entry needs, what they allow, and rows to start from."""
    catalogue, needs = game.catalogue, NewEntries(game.catalogue)
    tables = {spec.name: (spec.file, spec.record) for spec in catalogue.spec.tables}
    if _is_sourced(catalogue):
        tables["sources"] = (catalogue.spec.sources_file, Source)
    for name, (file, record) in tables.items():
        has_example = name in catalogue.tables and _is_sourced(catalogue)  # a game file is no table of rows
        below, lines = _example(needs, name) if has_example else ((), ())
        rows = [
            (
                column.header,
                ", ".join(sorted(column.spellings() - {column.header})),
                "yes" if column.is_required else "",
                _may_hold(column, needs.named_by(name, column.name)),
            )
            for column in columns_of(record)
        ]
        heads = ("header", "or", "needed", "holds")
        yield Part(title=name, details=file, columns=heads, rows=tuple(rows), below=below, lines=lines)


def _example(needs: NewEntries, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tables that refer to a table, and rows for a new entry that pass every check."""
    referrers = [f"{reference.table} ({reference.column})" for reference in needs.references if reference.names == name]
    named = [f"Its ids are named in {comma_list(referrers)}."] if referrers else []
    example = needs.example(name)
    if not example.rows:
        return (*named, f"No entry can be added by itself: {example.refusal}."), ()
    records = {spec.name: spec for spec in needs.catalogue.spec.tables}
    lines = [
        f"    {records[place].file}: {text}"
        for place, entries in example.rows.items()
        for text in table_csv(records[place].record, entries).splitlines()[1:]
    ]
    alone = "Rows" if len(lines) > 1 else "A row"
    return (*named, f"{alone} to start from, with cells in the order of the headers:"), tuple(lines)


def _may_hold(column: Column, names: Sequence[str] = ()) -> str:
    """Return the values that a column allows, with synonyms of its choices; of ids, the tables they come from."""
    if names:
        empty = ", or nothing" if column.is_list or column.nullable else ""
        return f"{'ids' if column.is_list else 'an id'} of {comma_list(names)}{empty}"
    synonyms = [f"{word} for {choice}" for word, choice in column.words]
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.allowed}{unit}" + (f"; also {', '.join(synonyms)}" if synonyms else "")


PAGES: Mapping[str, Callable[[OpenGame], Iterator[Part]]] = {
    "rules": _rules,
    "constants": _constants,
    "sources": _sources,
    "fields": _fields,
}
"""Name of a page -> what it yields."""
