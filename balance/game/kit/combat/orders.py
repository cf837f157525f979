"""Two armies that meet, and the order in which their sides act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from balance.chance.rolls.process import Process
from balance.game.armies.armies import Army
from balance.game.game import Lane
from balance.game.kit import orders
from balance.game.setup import Asked, HasInputs

MemberT = TypeVar("MemberT", bound=HasInputs)

OPPONENT = {"a": "b", "b": "a"}
"""Side -> the side that it fights."""


def turns(order: str) -> tuple[tuple[str, str], ...]:
    """Return (side, opponent) for each turn of a round, in order.

    >>> turns("ba")
    (('b', 'a'), ('a', 'b'))
    """
    return tuple((side, OPPONENT[side]) for side in order)


@dataclass(frozen=True)
class Meeting(Generic[MemberT]):
    """Two armies that meet, as asked for.

    * `members`: the members of both armies, each once.
    * `armies`: indices into `members` for the units of side a and of side b, in written order.
    * `first`: who goes first: "a", "b" or "random".
    * `lost_actions`: actions that side a and side b lose at the start.
    """

    members: tuple[MemberT, ...]
    armies: tuple[tuple[int, ...], ...]
    first: str
    lost_actions: tuple[int, ...]

    @classmethod
    def of(cls, question: Asked[Any, Any, Army[MemberT]]) -> Meeting[MemberT]:
        """Return the meeting of the two armies of a question."""
        armies = [army.units for army in question.sides.values()]
        members = tuple(dict.fromkeys(unit for units in armies for unit in units))
        numbers = tuple(tuple(map(members.index, units)) for units in armies)
        lost_actions = tuple(army.lost_actions or 0 for army in question.sides.values())
        return cls(members, numbers, question.first, lost_actions)

    def processes(self, play: Callable[..., Process], lane: Lane) -> tuple[Process, ...]:
        """Return the processes of the meeting, one for each order of play that is equally likely.

        `play`: function of the two armies, `int16[1, k]` each, and of `lane`, `order` and `lost_actions` by name, to
        the process.
        """
        a, b = (np.array([army], np.int16) for army in self.armies)
        return tuple(play(a, b, lane=lane, order=order, lost_actions=self.lost_actions) for order in orders(self.first))
