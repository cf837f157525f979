"""What each field of a record may be, told as one line: what it is if nothing is said, and from where to where."""

from __future__ import annotations

from typing import Any

from balance.catalogue import Record

__all__ = ["fields_of"]

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
