"""The sides of a solved game, by short names."""

from __future__ import annotations

from dataclasses import dataclass

from balance.answers.blocks.text import shorten

NAME_LIMIT = 18


@dataclass(frozen=True)
class Sides:
    """Short, different names of the sides a and b of a solved question, plain."""

    a: str
    b: str

    @classmethod
    def of(cls, first: str, second: str) -> Sides:
        """Return names for two sides: without what they share, or by their order if they share the whole name.

        >>> Sides.of("Angueth, learning game", "Huaos-Dzaa, learning game")
        Sides(a='Angueth', b='Huaos-Dzaa')
        >>> Sides.of("Spears:2", "Spears:2")
        Sides(a='Spears (first)', b='Spears (second)')
        """
        a, b = (shorten(name, NAME_LIMIT) for name in _where_they_differ(first, second))
        return cls(f"{a} (first)", f"{b} (second)") if a == b else cls(a, b)

    def name(self, side: str) -> str:
        """Return the name of side "a" or "b"; any other text as it is."""
        return {"a": self.a, "b": self.b}.get(side, side)


def _where_they_differ(first: str, second: str) -> tuple[str, str]:
    """Return two names without the part, before or behind a comma or colon, that both have."""
    for mark in (", ", ":"):
        (head, _, end), (other_head, _, other_end) = first.partition(mark), second.partition(mark)
        if end and end == other_end:
            return head, other_head
        if mark == ", " and head == other_head and end and other_end:
            return end[0].upper() + end[1:], other_end[0].upper() + other_end[1:]
    return first, second
