"""The record of one setting of a question, with what a control for it needs."""

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
    """A setting of a question, as a slider, switch, menu or the like shows it.

    * `group`: the part of the question that it belongs to.
    * `path`: what is set: a path for `set` such as "attacker.precision", "situation.light_cover" or "rules.faces"; of
      the group "entrants" the side, such as "attacker"; of "choices" the name of the choice; of "first" "first".
    * `kind`: the kind of control that fits it, such as "number", "switch", "menu" or "several".
    * `value`: its present value; None where the cards decide and their value is not known.
    * `low` and `high`: the smallest and largest allowed numbers, inclusive; None for no bound.
    * `reach`: range of a slider: all that is allowed if that is few steps, else that of the cards in the catalogue and
      as much again. It lies within what is allowed, and holds `value`.
    * `step`: 1 for whole numbers, else a hundredth of the reach.
    * `options` and `meanings`: allowed options of a menu or "several", and a few words on each in the same order, which
      may be empty.
    * `is_optional`: whether None is allowed, which leaves it to the cards.
    * `matters`: whether some other value is known to change the question as it is. A rule option that no card in play
      uses does not, nor does a price.
    * `unit` and `description`: the unit and the meaning, for people; may be empty.
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
        """The side that it belongs to; empty for none."""
        return self.path.partition(".")[0] if self.group in ("entrants", "side") else ""

    @property
    def name(self) -> str:
        """Its name for people without the side, such as "weapon handling"."""
        if self.group == "first":
            return "who goes first"
        has_root = self.group in ("side", "situation", "rules")
        words = self.path.partition(".")[2] if has_root else self.path
        return words.replace(".", " ").replace("_", " ")

    def is_now(self, value: Value) -> bool:
        """Return whether a value equals the present one; the order of several does not matter."""
        if isinstance(value, tuple) and isinstance(self.value, tuple):
            return set(value) == set(self.value)
        return value == self.value and isinstance(value, bool) == isinstance(self.value, bool)
