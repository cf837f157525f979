"""Tables of a study that come in lists, such as `[[battles]]`: each goes by an id of its own."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field

from balance.catalogue.toml_model import Frozen

__all__ = ["Id", "Identified", "one_each"]

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]


class Identified(Frozen):
    """One table of such a list."""

    id: Id


T = TypeVar("T", bound=Identified)


def one_each(found: list[T]) -> list[T]:
    """Return the tables of a list, if no id comes twice.

    Raises
    ------
    ValueError
        One does.

    >>> len(one_each([Identified(id="one"), Identified(id="two")]))
    2
    """
    names = [one.id for one in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"holds {twice!r} twice")
    return found
