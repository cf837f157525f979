"""TOML files read into frozen models, with every fault told at once: file, row, field, found, allowed, nearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from balance.base.errors import CatalogueError, Fault, StudyError, unknown
from balance.base.foreign import is_file_name
from balance.base.limits import MOST_FAULTS
from balance.catalogue.tables.columns import Locate
from balance.catalogue.tables.toml_file import read_rules_file

M = TypeVar("M", bound="Frozen")


class Frozen(BaseModel):
    """Base of such models: frozen, strict about types, without unknown keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


def _checked_name(name: str) -> str:
    if not is_file_name(name):
        raise ValueError(f"{name[:40]!r} is no plain name of a file: letters, digits, _ - + and points inside")
    return name


FileName = Annotated[str, AfterValidator(_checked_name)]
"""A text that may become the name of a file."""


_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
_BOUNDS |= {"min_length": "at least this many entries or characters:", "max_length": "at most this many:"}
_TYPES = {
    "int_type": ("is not a whole number", "a whole number"),
    "int_from_float": ("is not a whole number", "a whole number"),
    "float_type": ("is not a number", "a number"),
    "string_type": ("is not a text", "a text in double quotes"),
    "bool_type": ("is neither true nor false", "true, false"),
    "list_type": ("is not a list", "a list in square brackets"),
    "model_type": ("is not a table", "a [table] of keys"),
    "model_attributes_type": ("is not a table", "a [table] of keys"),
    "dict_type": ("is not a table", "a [table] of keys"),
    "finite_number": ("is not a finite number", "a number"),
}


Content = Mapping[str, Any]


def read_model(model: type[M], path: Path, prepare: Callable[[Content], Content] = dict) -> M:
    """Read a TOML file into a pydantic model; `prepare` turns the content of the file into that of the model.

    `StudyError` if it cannot be read, is not TOML, or holds something that is not allowed; one fault for each.
    """
    try:
        data, locate = read_rules_file(path)
    except CatalogueError as error:
        raise StudyError(error.faults) from None
    return check_model(model, prepare(data), locate)


def check_model(model: type[M], data: object, locate: Locate) -> M:
    """Return data as a model; `locate` gives the place of a dotted key.

    `StudyError` with one fault for each thing that is not allowed, up to a limit.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults: dict[str, Fault] = {}
        for item in sorted(error.errors(include_url=False), key=lambda item: item["type"] != "too_long"):
            if len(faults) == MOST_FAULTS:
                message = f"after {MOST_FAULTS:,} faults the rest of the file was not looked at"
                faults[""] = Fault(message, locate("").path)
                break
            keys = [part for part in item["loc"] if isinstance(part, int) or _is_key(part)]
            path, numbered_path = ".".join(key for key in keys if isinstance(key, str)), ".".join(map(str, keys))
            place = locate(numbered_path)
            faults.setdefault(numbered_path, _fault(model, item, Fault("", place.path, place.row, path)))
        raise StudyError(list(faults.values())) from None


def _is_key(part: str) -> bool:
    """Return whether a part of pydantic's location is a key of the file, not the name of a member of a union."""
    return not (part in {"str", "constrained-str", "int", "bool", "float"} or part.startswith(("list[", "lit")))


def _fault(model: type[BaseModel], item: ErrorDetails, place: Fault) -> Fault:
    kind, input_text = item["type"], _show(item["input"])
    name = place.field.rpartition(".")[2]
    if kind == "missing":
        return Fault("is missing", place.path, place.row, place.field)
    if kind == "extra_forbidden":
        field_names = _fields_at(model, place.field.split(".")[:-1])
        return unknown(name, field_names, path=place.path, row=place.row, field=place.field)
    if kind in _TYPES:
        message, legal_text = _TYPES[kind]
        return Fault(message, place.path, place.row, place.field, input_text, legal_text)
    limits = [f"{words} {item.get('ctx', {})[key]}" for key, words in _BOUNDS.items() if key in item.get("ctx", {})]
    if limits:
        return Fault("is out of range", place.path, place.row, place.field, input_text, ", ".join(limits))
    legal_text = str(item.get("ctx", {}).get("expected", ""))
    message = "is not allowed" if legal_text else item["msg"].removeprefix("Value error, ")
    return Fault(message, place.path, place.row, place.field, input_text, legal_text)


def _fields_at(model: type[BaseModel], path: list[str]) -> list[str]:
    """Return the keys that the table at a path of keys may hold."""
    for word in path:
        inner = model.model_fields[word].annotation if word in model.model_fields else None
        args = [*getattr(inner, "__args__", ()), inner]
        model = next((part for part in args if isinstance(part, type) and issubclass(part, BaseModel)), model)
    return list(model.model_fields)


def _show(value: Any) -> str | None:
    return str(value)[:80] if isinstance(value, str | int | float | bool) else None
