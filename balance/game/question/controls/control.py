"""One thing that can be set of a question, as whoever draws it needs to know it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ControlKind: TypeAlias = Literal["number", "switch", "menu", "several", "text"]
"""A slider; on or off; one of some options; any of some options; whatever is typed."""
Group: TypeAlias = Literal["entrants", "first", "side", "situation", "rules", "choices"]
"""Who takes part; who goes first; a card and what a side brings; the situation; rule options; how sides play."""
Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""By kind: a number, true or false, an option, a tuple of options, a text. None: as the cards and the rules say."""


@dataclass(frozen=True)
class Control:
    """One thing that can be set.

    Attributes
    ----------
    group
        What it belongs to.
    path
        What is set: a path for `set` such as "attacker.precision", "situation.light_cover" or "rules.faces"; of the
        group "entrants" the side, such as "attacker"; of "choices" the name of the choice; of "first" "first".
    kind
        The kind of control that fits it.
    value
        What it is now; None where it is left to the cards and what they say cannot be told.
    low, high
        The least and the most that is allowed, inclusive; None where there is no such bound. Numbers only.
    reach
        From where to where a slider goes: all that is allowed where that is few steps, else as far as the cards of the
        catalogue and as much again. It lies within what is allowed, and holds `value`.
    step
        1 for what has to be whole, else a hundredth of the reach.
    options, meanings
        What it may be, and in the same order a few words on each, which may be empty. Menus and "several" only.
    is_optional
        Whether it may be left to the cards, so that None is a value of it.
    matters
        Whether some other value is known to make a difference to the question as it stands. A rule option that no card
        in play calls on makes none, nor does a price.
    unit, description
        For people; may be empty.
    """

    group: Group
    path: str
    kind: ControlKind
    value: Value
    low: float | None = None
    high: float | None = None
    reach: tuple[float, float] = (0.0, 0.0)
    step: float = 1.0
    options: tuple[str, ...] = ()
    meanings: tuple[str, ...] = field(default=(), repr=False)
    is_optional: bool = False
    matters: bool = True
    unit: str = ""
    description: str = field(default="", repr=False)

    @property
    def side(self) -> str:
        """Whose it is; empty for what is no side's."""
        return self.path.partition(".")[0] if self.group in ("entrants", "side") else ""

    @property
    def name(self) -> str:
        """What it is called without whose it is, for people, such as "weapon handling"."""
        if self.group == "first":
            return "who goes first"
        has_root = self.group in ("side", "situation", "rules")
        words = self.path.partition(".")[2] if has_root else self.path
        return words.replace(".", " ").replace("_", " ")

    def is_now(self, value: Value) -> bool:
        """Return whether a value is the present one; the order of several does not matter.

        Parameters
        ----------
        value
            What it may be set to.
        """
        if isinstance(value, tuple) and isinstance(self.value, tuple):
            return set(value) == set(self.value)
        return value == self.value and isinstance(value, bool) == isinstance(self.value, bool)
