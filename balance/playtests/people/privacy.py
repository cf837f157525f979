"""Answers without the names of people: each stands as a number instead, the same one in every answer on a log."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

Answer = TypeVar("Answer")
_WORDS_OF_OURS = ("kind", "what", "verdict", "verdict_without", "schema", "verb")
"""Fields whose words are ours, though somebody may be called so."""


def without_people(answer: Answer, people: Collection[str]) -> Answer:
    """Return an answer with "player 1" and so on in place of each of these names, in keys, names and sentences.

    The numbers follow digests of the names, so that neither the alphabet nor the strength of players shows in them.

    >>> without_people({"Ada": ("Ada beat Bo.", 3)}, ["Ada", "Bo"])
    {'player 1': ('player 1 beat player 2.', 3)}
    """
    if not people:
        return answer
    order = sorted(people, key=lambda name: hashlib.sha256(name.encode()).digest())
    codes = {name: f"player {at}" for at, name in enumerate(order, start=1)}
    longest_first = sorted(map(re.escape, codes), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")

    def hide(value: Any) -> Any:
        if isinstance(value, str):
            return codes.get(value) or pattern.sub(lambda match: codes[match[0]], value)
        if is_dataclass(value) and not isinstance(value, type):
            parts = [part.name for part in fields(value) if part.name not in _WORDS_OF_OURS]
            return replace(value, **{name: hide(getattr(value, name)) for name in parts})
        if isinstance(value, Mapping):
            return {hide(key): hide(part) for key, part in value.items()}
        return type(value)(map(hide, value)) if isinstance(value, list | tuple) else value

    hidden: Answer = hide(answer)
    return hidden
