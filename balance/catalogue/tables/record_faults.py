"""What pydantic finds wrong with a record, as faults."""

from __future__ import annotations

from pydantic import ValidationError

from balance.base.errors import Fault, suggestion
from balance.catalogue.tables.cells import BadCell, show_value
from balance.catalogue.tables.schema import Record, columns_of, leaf_columns

_MESSAGES = {
    "greater_than_equal": "is out of range",
    "less_than_equal": "is out of range",
    "string_too_long": "is too long",
    "string_too_short": "is empty",
    "literal_error": "is not a known choice",
    "finite_number": "is not a finite number",
    "int_type": "is not a whole number",
    "float_type": "is not a number",
    "string_type": "is not a text",
    "bool_type": "is neither true nor false",
    "tuple_type": "is not a list",
    "missing": "is missing",
}


def faults_of(error: ValidationError, record: type[Record], place: Fault, *, missing: bool = False) -> list[Fault]:
    """Return pydantic's findings on one record as faults, with the path and row of `place`.

    Missing fields are left out unless `missing`, where the header has not been checked before.
    """
    faults = []
    leaves = leaf_columns(record)
    headers = {column.name: column for column in columns_of(record)}
    for item in error.errors():
        if item["type"] == "missing" and not missing:
            continue
        words = [str(word) for word in item["loc"] if isinstance(word, str)]
        column = leaves.get(".".join(words)) or (headers.get(words[0]) if words else None)
        message, tip = _MESSAGES.get(item["type"], item["msg"].removeprefix("Value error, ")), ""
        if item["type"] == "extra_forbidden":
            message, tip = "is unknown", suggestion(".".join(words), leaves)
        bare = isinstance(item["input"], str | int | float | bool | tuple) and item["type"] != "extra_forbidden"
        field = ".".join([*words[:-1], column.header]) if column and words else ".".join(words)
        legal_text = column.allowed if column else ""
        if isinstance(bad := item.get("ctx", {}).get("error"), BadCell):
            message, tip, legal_text = bad.message, bad.tip, bad.allowed or legal_text
        input_text = show_value(item["input"]) if bare else None
        faults.append(Fault(message, place.path, place.row, field, input_text or None, legal_text, tip))
    return faults
