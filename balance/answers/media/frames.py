"""Tables of an answer as polars frames: the fields of a record are the columns, whatever rows there are."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import polars as pl

from balance.answers.telling import Records, Telling
from balance.base.answers import BEHIND, columns_of, key_of

T = TypeVar("T")
TYPES: Mapping[Any, pl.DataType | type[pl.DataType]] = {
    float: pl.Float64,
    int: pl.Int64,
    bool: pl.Boolean,
    str: pl.String,
}


def frame_of(records: Records) -> pl.DataFrame:
    """Return a table of an answer; null where a record has nothing, or what is no number."""
    keyed = isinstance(records.rows, Mapping)
    rows = records.rows.items() if isinstance(records.rows, Mapping) else (("", row) for row in records.rows)
    columns = ({records.key: pl.String} if keyed else {}) | dict(_columns(records.kind))
    cells = [({records.key: name} if keyed else {}) | columns_of(row) for name, row in rows]
    return pl.DataFrame([{column: row.get(column) for column in columns} for row in cells], schema=columns)


def frames_of_answer(telling: Telling[T], value: T) -> dict[str, pl.DataFrame]:
    """Return the tables of an answer by name, the one that matters most first."""
    return {name: frame_of(records) for name, records in telling.tables(value).items()}


def _columns(kind: type) -> Iterator[tuple[str, pl.DataType | type[pl.DataType]]]:
    """Yield the columns of records of a class, those of records inside it as `columns_of` has them."""
    hints = get_type_hints(kind)
    for part in fields(kind):
        name, hint = key_of(part.name), _without_none(hints[part.name])
        if part.metadata == BEHIND:
            continue
        if is_dataclass(hint):
            for key, dtype in _columns(hint):  # type: ignore[arg-type]
                yield name if key == "value" else f"{name}_{key}", dtype
        elif get_origin(hint) is tuple:
            yield name, pl.List(TYPES[get_args(hint)[0]])
        else:
            yield name, TYPES[str if get_origin(hint) is Literal else hint]


def _without_none(hint: Any) -> Any:
    """Return a type without the None that it may be."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(part for part in get_args(hint) if part is not types.NoneType)
    return hint
