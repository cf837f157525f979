"""Records as plain objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")


def record_json(record: Record) -> Record:
    """Return a record as a dictionary of its fields; the type stays that of the record, so that checkers know its keys.

    >>> from balance.base.errors import Fault
    >>> record_json(Fault("is no seed", "--seed"))["message"]
    'is no seed'
    """
    fields: Any = asdict(record)
    return cast("Record", fields)
