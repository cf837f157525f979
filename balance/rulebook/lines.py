"""The lines of a game file, wherever they stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from balance.game.game import Game
from balance.rulebook.opening import rulebook_of
from balance.rulebook.text import Line


def rule_texts(game: Game) -> dict[str, str]:
    """Return all that the rules of a game file say, as texts by key, such as `attack.hits`.

    Parameters
    ----------
    game
        A game that was opened from a file.
    """
    rulebook = rulebook_of(game)
    texts = {line.key: line.text or line.python for line in all_lines(rulebook)}
    texts |= {f"tokens.{name}": str(value) for name, value in rulebook.tokens.items()}
    texts |= {table.line.key: str(table) for table in rulebook.tables.values()}
    for section in ("turns", "ends", "armies"):
        values = vars(getattr(rulebook, section))
        texts |= {f"{section}.{name}": str(value) for name, value in values.items() if isinstance(value, str | int)}
    return texts


def all_lines(part: object) -> Iterator[Line]:
    """Yield every expression of a rulebook, or of a part of it.

    Parameters
    ----------
    part
        The rulebook, one of its records, or a tuple or mapping of them.
    """
    if isinstance(part, Line):
        yield from [part] if part.text or part.python else []
    elif isinstance(part, Mapping | tuple):
        for inner in part.values() if isinstance(part, Mapping) else part:
            yield from all_lines(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from all_lines(getattr(part, field.name))
