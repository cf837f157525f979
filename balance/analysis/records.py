"""Records of answers as rows of polars frames: their parts are the columns, whatever rows there are."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import polars as pl

from balance.base.answers import inner_column, parts_of, row_of

DType = pl.DataType | type[pl.DataType]
TYPES: Mapping[Any, DType] = {float: pl.Float64, int: pl.Int64, bool: pl.Boolean, str: pl.String}


def frame_of(kind: type, rows: Mapping[str, Any] | Sequence[Any], key: str = "") -> pl.DataFrame:
    """Return a frame with a row for each record of a class, null where a record has nothing, or what is no number.

    Rows by id have these in a first column, `key`.
    """
    columns, cells = dict(types_of(kind)), list(map(row_of, rows.values() if isinstance(rows, Mapping) else rows))
    if isinstance(rows, Mapping):
        if key in columns:
            raise TypeError(f"{kind.__name__}.{key}: the column of ids has that name")
        columns = {key: pl.String} | columns
        cells = [{key: name} | row for name, row in zip(rows, cells, strict=True)]
    return pl.DataFrame([{column: row.get(column) for column in columns} for row in cells], schema=columns)


def types_of(kind: type) -> Iterator[tuple[str, DType]]:
    """Yield the columns of records of a class, those of records inside it as `row_of` has them."""
    for key, part in parts_of(kind).items():
        hint = _bare(part.hint)
        if is_dataclass(hint):
            yield from ((inner_column(key, inner), dtype) for inner, dtype in types_of(hint))  # type: ignore[arg-type]
        elif get_origin(hint) is tuple:
            inner = _bare(get_args(hint)[0])
            columns = dict(types_of(inner)) if is_dataclass(inner) else {"value": TYPES[inner]}  # type: ignore[arg-type]
            yield key, pl.List(columns.get("value", pl.String))
        else:
            yield key, TYPES[str if get_origin(hint) is Literal else hint]


def _bare(hint: Any) -> Any:
    """Return a type without what is said beside it, and without the None that it may be."""
    if get_origin(hint) is Annotated:
        return _bare(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return _bare(next(part for part in get_args(hint) if part is not types.NoneType))
    return hint
