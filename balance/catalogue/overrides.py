"""Values changed for one question, such as `attacker.precision=7`.

The first word of a path is a *root* (who or what is changed), the rest a field of that root's record. Any record can be
overridden, nested ones too, and the result is held to the same ranges as the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import ValidationError

from balance.base.errors import Fault, UsageError, unknown
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, clean, parse_cell
from balance.catalogue.tables.columns import Column
from balance.catalogue.tables.record_faults import faults_of
from balance.catalogue.tables.schema import Record, leaf_columns

R = TypeVar("R", bound=Record)
NO_VALUE = "is empty, which would leave it as it is without §set"
NOTHING = {"integer": ("0",), "number": ("0",), "choice": ("none",), "text": ("none", "0")}
"""What may mean none of it, by the kind of a field; whether it does there, the record says."""


@dataclass(frozen=True)
class Overrides:
    """Texts to put into fields, by root; `entries` holds (root, field path, text) in the order given."""

    entries: tuple[tuple[str, str, str], ...] = ()

    def roots(self) -> tuple[str, ...]:
        """Return the roots that are changed, each once."""
        return tuple(dict.fromkeys(root for root, _, _ in self.entries))

    def take(self, root: str) -> dict[str, str]:
        """Return field path -> text for one root; empty if it is unchanged.

        >>> Overrides((("attacker", "precision", "7"),)).take("attacker")
        {'precision': '7'}
        """
        return {path: text for entry_root, path, text in self.entries if entry_root == root}


def _path(text: str) -> str:
    return ".".join(slug(word) for word in text.split("."))


def parse_assignments(changes: Iterable[str | tuple[str, str]], roots: Sequence[str] | None = None) -> Overrides:
    """Read assignments such as `defender.armour=3`, of which all after the first `=` is the value, or (path, value).

    `UsageError` with one fault per assignment that is malformed, repeats a path, or has a root that is not in `roots`,
    where None allows any.

    >>> parse_assignments(["rules.faces=0-9"], roots=["attacker", "rules"]).take("rules")
    {'faces': '0-9'}
    """
    entries: dict[tuple[str, str], str] = {}
    faults = []
    for change in changes:
        target, equals, value = change.partition("=") if isinstance(change, str) else (change[0], "=", change[1])
        root, dot, path = _path(target).partition(".")
        if not equals or not dot or not root or not all(path.split(".")):
            tip = "such as §set=attacker.precision=7"
            faults.append(
                Fault(
                    "is not an assignment",
                    "§set",
                    found=f"{target}{equals}{value}",
                    allowed="ROOT.FIELD=VALUE",
                    tip=tip,
                )
            )
        elif roots is not None and root not in roots:
            faults.append(unknown(root, roots, "is not something to set here", "§set"))
        elif (root, path) in entries:
            faults.append(Fault("is set twice", "§set", found=f"{root}.{path}"))
        else:
            entries[root, path] = clean(value)
    if faults:
        raise UsageError(faults)
    return Overrides(tuple((root, path, value) for (root, path), value in entries.items()))


@cache
def field_paths(record: type[Record]) -> Mapping[str, tuple[str, Column]]:
    """Return accepted path -> (dotted name, column) of a record; the other names a file may use are accepted too."""
    columns: dict[str, tuple[str, Column]] = {}
    for path, column in leaf_columns(record).items():
        parent = path.rpartition(".")[0]
        for spelling in sorted(column.spellings()):
            columns.setdefault(f"{parent}.{spelling}" if parent else spelling, (path, column))
    return columns | {path: (path, column) for path, column in leaf_columns(record).items()}


def is_readable(record: type[Record], path: str, text: str) -> bool:
    """Return whether a record has a field at this path that the text can be read as; ranges are left to the record.

    >>> class Gun(Record):
    ...     damage: int
    >>> is_readable(Gun, "damage", "4"), is_readable(Gun, "damage", "often"), is_readable(Gun, "weight", "4")
    (True, False, False)
    """
    if (place := field_paths(record).get(_path(path))) is None:
        return False
    try:
        parse_cell(place[1], text, comma=True)
    except BadCell:
        return False
    return True


def _put(values: dict[str, Any], path: str, value: object) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        values = values[parent]
    values[last] = value


def _says_nothing(record: Record, path: str) -> bool:
    """Return whether a field is None in a record without required fields, which leaves it to the cards."""
    value: Any = record
    for name in path.split("."):
        value = getattr(value, name)
    return value is None and not any(column.is_required for column in leaf_columns(type(record)).values())


def _instead_of_nothing(record: Record, path: str, column: Column) -> str:
    """Return a tip on what to type instead of an empty value, such as the word for none."""
    for word in NOTHING.get(column.kind, ()):
        try:
            apply(record, {path: word})
        except UsageError:
            continue
        return f"say {word} for none of it, or leave it out"
    return f"say {'true or false' if column.kind == 'flag' else 'a value'}, or leave it out"


def apply(record: R, fields: Mapping[str, str], place: str = "§set", beside: Iterable[str] = ()) -> R:
    """Return a record with some fields changed, field path -> text, validated as if it came from a file.

    Empty text clears a list, and a field of a card that may be empty. `UsageError` has one fault per value that is not
    allowed or field that does not exist, with the nearest that does, also of the names in `beside`; it names `place`.

    >>> class Gun(Record):
    ...     damage: int
    >>> apply(Gun(damage=3), {"damage": "4"})
    Gun(damage=4)
    """
    if not fields:
        return record
    columns = field_paths(type(record))
    values = record.model_dump()
    faults: list[Fault] = []
    for path, text in fields.items():
        if path not in columns:
            faults.append(unknown(path, [*leaf_columns(type(record)), *beside], "is not a field", place))
            continue
        field_path, column = columns[path]
        if not text and column.nullable and not column.is_list and _says_nothing(record, field_path):
            tip = _instead_of_nothing(record, field_path, column)
            faults.append(Fault(NO_VALUE, place, None, path, None, column.allowed, tip))
            continue
        try:
            _put(values, field_path, parse_cell(column, text, comma=True))
        except BadCell as bad:
            faults.append(Fault(bad.message, place, None, path, bad.word or text or None, column.allowed, bad.tip))
    try:
        changed_record = type(record).model_validate(values)
    except ValidationError as error:
        faults += faults_of(error, type(record), Fault("", place))
    if faults:
        raise UsageError(faults)
    return changed_record
