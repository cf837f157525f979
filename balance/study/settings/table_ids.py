"""Tables of a study that come in lists, such as `[[battles]]`: each goes by an id of its own."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field

from balance.catalogue.toml_model import Frozen

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]


class TableWithId(Frozen):
    """One table of such a list; the id names it in results and messages."""

    id: Id


T = TypeVar("T", bound=TableWithId)


def check_unique_ids(tables: list[T]) -> list[T]:
    """Return the tables of a list; raises `ValueError` if an id comes twice.

    >>> len(check_unique_ids([TableWithId(id="one"), TableWithId(id="two")]))
    2
    """
    names = [table.id for table in tables]
    if duplicate := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"holds {duplicate!r} twice")
    return tables
