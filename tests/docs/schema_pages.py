"""The reference of the objects that `--json` prints, as Markdown, and their schemas as files beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.answers.documents.brief import Brief, BriefTable
from balance.answers.documents.schemas import DOCUMENTS, about, schema, schema_of


def schemas_page() -> str:
    """Return one section for each verb, with the fields of each form that its object may have."""
    return "\n\n".join(verb_section(verb) for verb in DOCUMENTS)


def verb_section(verb: str) -> str:
    """Return the section of a verb.

    >>> verb_section("solve").splitlines()[4]
    'What a game is worth when both sides choose as well as they can: its value between bounds, and how it is played.'
    """
    heading = f'## `{verb}`\n\n<p><a href="schemas/{verb}.json">The schema as a file</a></p>'
    return "\n\n".join([heading, *map(_form, DOCUMENTS[verb])])


def brief_form() -> str:
    """Return the fields of the short form of every answer, and of its tables."""
    return f"{_form(Brief)}\n\n{_form(BriefTable)}"


def _form(form: Any) -> str:
    made = schema_of(form)
    rows = [
        f"| `{name}` | {_cell(_type(part))}{'' if name in made['required'] else ', optional'} "
        f"| {_cell(part.get('description', ''))} |"
        for name, part in made["properties"].items()
    ]
    return "\n".join([about(form), "", "| field | type | what it is |", "|---|---|---|", *rows])


def _type(part: dict[str, Any]) -> str:
    """Return in a few words what type a field has.

    >>> _type({"type": "array", "items": {"type": "string"}}), _type({"anyOf": [{"$ref": "#/$defs/Cost"}]})
    ('list of string', 'Cost')
    """
    if "anyOf" in part:
        return " or ".join(map(_type, part["anyOf"]))
    if "const" in part or "enum" in part:
        return " or ".join(json.dumps(value) for value in part.get("enum", [part.get("const")]))
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2].rpartition("__")[2]
    inner = part.get("items") or part.get("additionalProperties")
    if isinstance(inner, dict):
        return f"{'list of' if 'items' in part else 'name ->'} {_type(inner)}"
    return str(part.get("type", "anything"))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def schema_files() -> Iterator[tuple[Path, str]]:
    """Yield the files that lie beside the page when it is published: the schema of each verb."""
    for verb in DOCUMENTS:
        yield Path("reference", "schemas", f"{verb}.json"), json.dumps(schema(verb), indent=1) + "\n"
