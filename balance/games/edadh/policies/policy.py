"""How a side plays: frozen parameters, (view, luck) -> orders.

A policy decides which card to play (WE-INIT.1), which troop to select (WE-TROOP), which to discard (WE-EOP.3) and which
to retire (WE-RETIRE); at level D also who changes places (WE-SWAP) and what the cards behind the Unit do. `luck` is a
die the engine has thrown for it: a policy that randomises reads it, one that does not ignores it. How many dice are
thrown never depends on the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from balance.games.edadh.policies.any_command import AnyCommand
from balance.games.edadh.strike import Ints
from balance.games.edadh.swaps import SWAP_FACES
from balance.games.edadh.unit import NOBODY, PLAY_FACES, PLAYS
from balance.games.edadh.view import View

__all__ = ["LOSS_FACES", "STAY", "CardMix", "Dealt", "Policy", "Uniform", "any_column", "any_play"]

STAY = 3
"""The answer to "retire which column?" that means none."""
LOSS_FACES = 12
"""Faces of the die that chooses a column, or a column or none: 1 to 4 options divide it evenly."""


class Policy(Protocol):
    """What the engine asks of a side.

    Attributes
    ----------
    card_faces
        Faces of the die that `card` is given.
    reacts
        Whether the troop chosen as Defender depends on the Attacker's; the engine then asks twice.
    memory
        Private columns with their first values; see `remember`.
    """

    @property
    def card_faces(self) -> int:
        """Faces of the card die."""
        ...

    @property
    def reacts(self) -> bool:
        """Whether it answers the Attacker's troop."""
        ...

    @property
    def memory(self) -> Mapping[str, int]:
        """Private columns at the start."""
        ...

    def card(self, view: View, luck: Ints) -> Ints:
        """Return the CV to play, 1 to 12."""
        ...

    def play(self, view: View, luck: Ints) -> Ints:
        """Return the play: a column of `view.legal`, with helpers if `view.right` allows."""
        ...

    def discard(self, view: View, luck: Ints) -> Ints:
        """Return the column of `view.legal` to discard from."""
        ...

    def retire(self, view: View, luck: Ints) -> Ints:
        """Return the column of `view.legal` to retire from, or STAY."""
        ...

    def swap(self, view: View, column: int, choices: Ints, n: Ints, luck: Ints) -> Ints:
        """Return which of `choices` (arrangements `int16[n_trials, most]`, the first `n` of each) a column is to be."""
        ...

    def second(self, view: View, luck: Ints) -> Ints:
        """Return what to play beside the mastery card; this and what follows as in `AnyCommand`."""
        ...

    def bonus(self, view: View, luck: Ints) -> Ints:
        """Return the bonus of the combat master."""
        ...

    def shield(self, view: View, damage: Ints, luck: Ints) -> Ints:
        """Return whether to use the standard against damage."""
        ...

    def steady(self, view: View, luck: Ints) -> Ints:
        """Return whether to use the standard's resolve."""
        ...

    def remove(self, view: View, places: Ints, luck: Ints) -> Ints:
        """Return which stratagems in play to take back."""
        ...

    def stratagems(self, view: View, legal: Ints, luck: Ints) -> Ints:
        """Return which set of stratagems to take."""
        ...

    def remember(self, view: View) -> Mapping[str, Ints]:
        """Return the private columns after a turn, in which both cards were seen."""
        ...


def _retirements() -> npt.NDArray[np.uint8]:
    table = np.full((8, LOSS_FACES), STAY, np.uint8)
    for mask in range(1, 8):
        options = [STAY, *(column for column in range(3) if mask >> column & 1)]
        table[mask] = np.repeat(options, LOSS_FACES // len(options))
    return table.ravel()


def _columns() -> npt.NDArray[np.uint8]:
    table = np.full((8, LOSS_FACES), STAY, np.uint8)
    for mask in range(1, 8):
        options = [column for column in range(3) if mask >> column & 1]
        table[mask] = np.repeat(options, LOSS_FACES // len(options))
    return table.ravel()


COLUMN_OF, RETIREMENT_OF, PLAY_OF = _columns(), _retirements(), PLAYS.ravel()


def any_play(legal: Ints, right: Ints, luck: Ints, fixed: Ints = NOBODY) -> Ints:
    """Return a legal play, each as likely as every other; `luck` shows a die of PLAY_FACES.

    A `fixed` column has been selected already (see `balance.games.edadh.unit.plays_of`).

    >>> any_play(np.array([0b110], np.uint8), np.array([0]), np.array([36])).tolist()
    [2]
    """
    place = (np.asarray(right, np.int16) * 8 + legal) * 4 + fixed  # small whole numbers: four times as fast
    return PLAY_OF.take(place * PLAY_FACES + luck - 1)


def any_column(legal: Ints, luck: Ints) -> Ints:
    """Return a column of a mask, each as likely as every other; `luck` shows a die of LOSS_FACES.

    >>> any_column(np.array([0b110], np.uint8), np.array([6])).tolist()
    [1]
    """
    return COLUMN_OF.take(legal.astype(np.intp) * LOSS_FACES + luck - 1)


@dataclass(frozen=True)
class CardMix:
    """A fixed mix of cards: CV v + 1 is played with probability weights[v] / sum(weights).

    >>> CardMix((1,) * 6 + (0,) * 6).faces
    6
    """

    weights: tuple[int, ...] = (1,) * 12
    _cards: npt.NDArray[np.int16] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Turn the weights into a die: each face is a card."""
        object.__setattr__(self, "_cards", np.repeat(np.arange(1, 13, dtype=np.int16), self.weights))

    @property
    def faces(self) -> int:
        """Faces of the die that chooses."""
        return len(self._cards)

    def __call__(self, luck: Ints) -> Ints:
        """Return the card for each throw."""
        return self._cards.take(luck - 1)


@dataclass(frozen=True)
class Dealt(AnyCommand):
    """What policies share that draw cards from a fixed mix and never look back.

    Attributes
    ----------
    mix
        How cards are drawn.
    """

    mix: CardMix = field(default_factory=CardMix)

    @property
    def card_faces(self) -> int:
        """Faces of the die that draws from the mix."""
        return self.mix.faces

    @property
    def reacts(self) -> bool:
        """It does not look at the Attacker's troop."""
        return False

    @property
    def memory(self) -> Mapping[str, int]:
        """It remembers nothing."""
        return {}

    def card(self, view: View, luck: Ints) -> Ints:
        """Return the CV to play."""
        return self.mix(luck)

    def remember(self, view: View) -> Mapping[str, Ints]:
        """Return nothing."""
        return {}


@dataclass(frozen=True)
class Uniform(Dealt):
    """Cards from a fixed mix; everything else any legal choice, each as likely as every other.

    Attributes
    ----------
    retires
        Whether it ever retires a troop.
    """

    retires: bool = True

    def play(self, view: View, luck: Ints) -> Ints:
        """Return any legal play."""
        return any_play(view.legal, view.right, luck, view.fixed)

    def discard(self, view: View, luck: Ints) -> Ints:
        """Return any legal column."""
        return any_column(view.legal, luck)

    def retire(self, view: View, luck: Ints) -> Ints:
        """Return none, or any legal column: each as likely as every other."""
        if not self.retires:
            return np.full(len(luck), STAY, np.int16)
        return RETIREMENT_OF.take(view.legal.astype(np.intp) * LOSS_FACES + luck - 1)

    def swap(self, view: View, column: int, choices: Ints, n: Ints, luck: Ints) -> Ints:
        """Return any choice."""
        return (luck - 1).astype(np.int64) * n // SWAP_FACES
