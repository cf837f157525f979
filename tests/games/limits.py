"""What each field of a record may be, told as one line: what it is if nothing is said, and from where to where."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from balance.catalogue import Record

BOUNDS = ("minimum", "maximum", "minItems", "maxItems")


def fields_of(record: type[Record]) -> dict[str, tuple[Any, ...]]:
    """Return (default, bounds ...) of each field that has a default or bounds; "-" for no default.

    The bounds are the least and the most of a number, or of how many a list holds and then of each.
    """
    schema = record.model_json_schema()
    found: dict[str, tuple[Any, ...]] = {}
    for name, field in schema["properties"].items():
        kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
        kinds += [kind["items"] for kind in kinds if "items" in kind]
        bounds = [kind[bound] for kind in kinds for bound in BOUNDS if bound in kind]
        if "default" in field or bounds:
            found[name] = (field.get("default", "-"), *bounds)
    return found


def own_fields_of(record: type[Record], known: Collection[type[Record]]) -> dict[str, tuple[Any, ...]]:
    """Return `fields_of` a record without those that it has of another one that is known."""
    inherited = [field for base in record.__bases__ if base in known for field in fields_of(base)]
    return {name: told for name, told in fields_of(record).items() if name not in inherited}
