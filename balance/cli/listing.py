"""`balance games` and `balance show`: what there is to ask about, and where every value comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.cli import options

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from balance.catalogue import Catalogue, Column, TableSpec
    from balance.protocol.game import Game
    from balance.protocol.loaded import LoadedGame

__all__ = ["games", "show"]

MARKS = {"stated": "S", "inferred": "I", "assumed": "A"}
HOW_TO_ASK = "Ask by `balance KIND GAME` and who takes part; `balance show GAME questions` explains every kind."
LEGEND = "  S stated by the rulebook, I inferred from it, A assumed, ? nobody said"


def games() -> None:
    """List the games, what each can be asked, and the catalogue that would be used."""
    from balance.cli.terminal import line, say, table
    from balance.paths import short_path
    from balance.protocol.local_games import local_games
    from balance.protocol.registry import find_game, installed_games

    installed = installed_games()
    found = [find_game(name) for name in installed]
    rows = [[game.name, game.title, ", ".join(game.kinds), _catalogue_of(game)] for game in found]
    for name, local in local_games().items():
        if name not in installed:  # its code runs only when it is named
            rows.append([name, local.title, f"balance show {name}", short_path(local.folder)])
    say(table(["game", "title", "can be asked", "catalogue"], rows), line(HOW_TO_ASK, "dim"))


def _catalogue_of(game: Game) -> str:
    """Return the folder of the catalogue that would be used, if it lies here or is none that ships: those lie deep."""
    from balance.paths import short_path
    from balance.protocol.registry import catalogue_folder, shipped_folder

    folder = catalogue_folder(game)
    path = Path(short_path(folder))
    return "as shipped" if path.is_absolute() and folder == shipped_folder(game) else str(path).replace(" ", "\u00a0")


def show(game: options.GameName, table: options.TableName = "", catalogue: options.CatalogueFolder = None) -> None:
    """Show a game, one of its tables, or one entry."""
    from balance.cli.terminal import say
    from balance.protocol.loaded import load

    loaded = load(game, catalogue)
    say(*_page(loaded, table))


def _page(loaded: LoadedGame, name: str) -> Iterator[RenderableType]:
    """Yield what `show GAME NAME` prints."""
    from balance.catalogue import slug
    from balance.cli.explaining import PAGES
    from balance.errors import UsageError, suggestion

    catalogue = loaded.catalogue
    tables = {table.name: table for table in catalogue.spec.tables}
    pages = {"rules": _rules, "constants": _constants, "sources": _sources, "fields": _fields}
    explained = {"entrants": _entrants, **PAGES}
    homes = {entry: table for table in catalogue.spec.tables for entry in catalogue.tables[table.name]}
    wanted = slug(name)
    if not name:
        return _overview(loaded)
    if wanted in tables:
        return _table(catalogue, tables[wanted])
    if wanted in pages:
        return pages[wanted](catalogue)
    if wanted in explained:
        return explained[wanted](loaded)
    if wanted in homes:
        return _entry(catalogue, homes[wanted], wanted)
    known = [*tables, *pages, *explained]
    tip = suggestion(wanted, [*known, *homes], f"tables are {', '.join(known)}; or name one entry")
    raise UsageError(f"{loaded.game.name} has no table and no entry {name!r}", tip)


def _overview(loaded: LoadedGame) -> Iterator[RenderableType]:
    from balance.cli.terminal import table, title
    from balance.paths import short_path

    catalogue, game = loaded.catalogue, loaded.game
    yield title(game.title, f"{short_path(catalogue.path)} ({catalogue.sha256[:12]}), rules {catalogue.rules_version}")
    rows = [[spec.name, len(catalogue.tables[spec.name]), spec.file] for spec in catalogue.spec.tables]
    other = [
        option for name, option in catalogue.rule_options.items() if _reading(catalogue, name) != option.allowed[0]
    ]
    rows.append(["rules", len(catalogue.rule_options), f"{catalogue.spec.rules_file}, {len(other)} not as by default"])
    rows.append(["sources", len(catalogue.sources), ", ".join(f"{n} {status}" for status, n in _statuses(catalogue))])
    rows.append(["entrants", len(loaded.entrants), "everything that can take the field"])
    yield table(["table", "entries", "where"], rows, right=["entries"])
    sides = [[kind.name, " against ".join(kind.sides), ", ".join(kind.columns)] for kind in game.kinds.values()]
    yield table(["question", "about", "tells"], sides)


def _statuses(catalogue: Catalogue) -> list[tuple[str, int]]:
    from collections import Counter

    counts = Counter(source.status for source in catalogue.sources)
    return [(status, counts[status]) for status in MARKS]  # type: ignore[index]  # the keys are the statuses


def _reading(catalogue: Catalogue, name: str) -> str:
    from balance.catalogue import show_value

    return show_value(getattr(catalogue.rules, name))


def _mark(catalogue: Catalogue, table: str, entry: str, field: str) -> str:
    source = catalogue.source_of(table, entry, field)
    return MARKS[source.status] if source else "?"


def _marked(catalogue: Catalogue, table: str, entry: str, field: str, value: object) -> Text:
    """Return a value with the letter that says where it comes from; what is assumed stands out."""
    from rich.text import Text

    from balance.catalogue import show_value
    from balance.cli.exits import one_line

    mark = _mark(catalogue, table, entry, field)
    shown = one_line(show_value(value).replace(";", ", ")) or "none"
    return Text.assemble(shown, (f"\u00a0{mark}", "dim" if mark in "SI" else "yellow"))


def _table(catalogue: Catalogue, spec: TableSpec) -> Iterator[RenderableType]:
    from rich.text import Text

    from balance.catalogue import columns_of
    from balance.cli.terminal import table_in_parts

    columns = [column for column in columns_of(spec.record) if column.name != spec.key]
    rows: list[list[object]] = [
        [entry, *(_marked(catalogue, spec.name, entry, c.header, getattr(record, c.name)) for c in columns)]
        for entry, record in catalogue.tables[spec.name].items()
    ]
    heads = [column.header for column in columns]
    numbers = [head for head, column in zip(heads, columns, strict=True) if column.kind in ("integer", "number")]
    yield from table_in_parts([spec.key, *heads], rows, right=numbers)
    yield Text(LEGEND, "dim")


def _entry(catalogue: Catalogue, spec: TableSpec, entry: str) -> Iterator[RenderableType]:
    from balance.catalogue import columns_of
    from balance.cli.terminal import table, title

    record = catalogue.tables[spec.name][entry]
    rows: list[Sequence[object]] = []
    for column in columns_of(spec.record):
        if column.name == spec.key:
            continue
        source = catalogue.source_of(spec.name, entry, column.header)
        where = (source.status, source.where) if source else ("unknown", "")
        value = _value(getattr(record, column.name))
        rows.append([column.header, value, *where])
    yield title(entry, f"one of {spec.name}, {spec.file}")
    yield table(["field", "value", "status", "where it comes from"], rows)


def _value(value: object) -> str:
    from balance.catalogue import show_value

    return show_value(value).replace(";", ", ") or "none"


def _printable(text: str) -> str:
    """Return a text with what must not reach a terminal replaced, its indent kept."""
    from balance.cli.exits import one_line

    return " " * (len(text) - len(text.lstrip(" "))) + one_line(text)


def _rules(catalogue: Catalogue) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    from balance.cli.terminal import title

    for name, option in catalogue.rule_options.items():
        now = _reading(catalogue, name)
        yield title(name, f"{option.ambiguity}, level {option.level}: {option.meaning}")
        shown = Table.grid(padding=(0, 2))
        for reading, sentence in option.readings:
            style = "" if reading == now else "dim"
            default = "default" if reading == option.allowed[0] else ""
            cells = (f"{'  *' if reading == now else '   '} {reading}", default, sentence)
            shown.add_row(*(Text(cell, style) for cell in map(_printable, cells)))
        yield shown
        yield Text()
    yield Text("  * the reading in force; try another with --set rules.OPTION=READING", "dim")


def _constants(catalogue: Catalogue) -> Iterator[RenderableType]:
    from functools import reduce

    from rich.text import Text

    from balance.catalogue import leaf_columns
    from balance.cli.terminal import table

    rows = [
        [
            dotted,
            _marked(catalogue, "constants", dotted, "value", reduce(getattr, dotted.split("."), catalogue.constants)),
            column.description,
        ]
        for dotted, column in leaf_columns(catalogue.spec.constants).items()
    ]
    yield table(["constant", "value", "what it is"], rows)
    yield Text(LEGEND, "dim")


def _sources(catalogue: Catalogue) -> Iterator[RenderableType]:
    from balance.cli.terminal import table

    rows = [[s.table, s.id, s.field, s.status, s.where] for s in catalogue.sources]
    yield table(["table", "id", "field", "status", "where it comes from"], rows)


def _fields(catalogue: Catalogue) -> Iterator[RenderableType]:
    """Yield what the columns of each table may hold, and what else their headers may be called."""
    from balance.catalogue import columns_of
    from balance.catalogue.sources import Source
    from balance.cli.terminal import table, title

    tables = {spec.name: (spec.file, spec.record) for spec in catalogue.spec.tables}
    tables["sources"] = (catalogue.spec.sources_file, Source)
    for name, (file, record) in tables.items():
        yield title(name, file)
        rows = [
            [column.header, ", ".join(sorted(column.spellings() - {column.header})), _may_hold(column)]
            for column in columns_of(record)
        ]
        yield table(["header", "or", "holds"], rows)


def _may_hold(column: Column) -> str:
    """Return what a column may hold, with the other words for its choices."""
    others = [f"{word} for {choice}" for word, choice in column.words]
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.allowed}{unit}" + (f"; also {', '.join(others)}" if others else "")


def _entrants(loaded: LoadedGame) -> Iterator[RenderableType]:
    """Yield who can be named in a question, each kind of entrant with where it takes part and how its id is written."""
    from balance.cli.terminal import line, table, title

    points, catalogue = loaded.words.points, loaded.catalogue
    for taken in loaded.game.entrant_kinds:
        parts = [
            f"{kind.name} ({', '.join(sides)})"
            for kind in loaded.game.kinds.values()
            if (sides := [side for side, of in zip(kind.sides, kind.takes, strict=True) if of == taken])
        ]
        yield title(taken.name, taken.written)
        yield line(f"Takes part in {', '.join(parts)}.", after=1)
        rows = [[one, taken.label(catalogue, one), taken.cost_points(catalogue, one)] for one in loaded.ids(taken)]
        yield table([taken.name, "name", points], rows, right=[points])
