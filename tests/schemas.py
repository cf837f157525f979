"""Whether what `--json` prints is what its published schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from balance.answers.documents.schemas import name_of, schema


@cache
def _validator(verb: str) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema(verb))
    return Draft202012Validator(schema(verb))


def is_valid(document: Mapping[str, Any]) -> bool:
    """Return whether an object is what the schema of its verb says."""
    return bool(_validator(name_of(document["verb"])).is_valid(document))


def check(document: Mapping[str, Any]) -> None:
    """Fail, with the deepest reasons, unless an object is what the schema of its verb says."""
    whole = json.loads(json.dumps(document))
    if is_valid(whole):
        return
    errors = list(_validator(name_of(document["verb"])).iter_errors(whole))
    reasons = [reason for error in errors for reason in (error.context or [error])]
    deepest = sorted(reasons, key=lambda reason: -len(reason.absolute_path))[:4]
    told = [f"{'/'.join(map(str, reason.absolute_path))}: {reason.message[:200]}" for reason in deepest]
    raise AssertionError(f"{document['verb']} is not as its schema says: {'; '.join(told)}")


def check_printed(printed: str) -> None:
    """Check what a command printed, if that is one object of a verb."""
    if printed.startswith(("{\n", '{"schema"')) and "verb" in (document := json.loads(printed)):
        check(document)
