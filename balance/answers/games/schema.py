"""The JSON Schema of what verbs print, as an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from balance.base.answers import ASKED_FOR, Doc, Form


@dataclass(frozen=True)
class VerbSchema:
    """The JSON Schema of what a verb prints, or the verbs that have one."""

    schema: Form
    verb: Literal["schema"]
    of: Annotated[str, Doc("The verb; empty where all are listed.")]
    verbs: Annotated[tuple[str, ...], Doc("The verbs that print an object.")]
    json_schema: Annotated[Mapping[str, Any] | None, Doc("The schema of its object.")] = field(
        default=None, metadata=ASKED_FOR
    )
