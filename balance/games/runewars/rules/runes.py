"""Runes: two-sided tokens that are thrown together, and on which some amounts hang."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.cells import RUNES, Amount


def rune_kinds(amounts: Iterable[Amount]) -> tuple[str, ...]:
    """Return the kinds of rune that some amount names, in the order of `RUNES`."""
    kinds = {amount.rune for amount in amounts}
    return tuple(kind for kind in RUNES if kind in kinds)


@dataclass(frozen=True)
class Runes:
    """The rune tokens, all thrown together; a token is what its two sides show, such as ("blank", "stable").

    `kinds` are those that some amount in play names; if there are none, nothing is thrown.
    """

    tokens: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]

    @cached_property
    def counts(self) -> IntArray:
        """How often each side of each token shows each kind, `int64[tokens, 2, kinds]`."""
        return np.array(
            [[[side.split("+").count(kind) for kind in self.kinds] for side in token] for token in self.tokens]
        )

    def max_runes(self, kind: str) -> int:
        """Return the most runes of a kind, one of `kinds`, that a throw can show."""
        return int(self.counts[:, :, self.kinds.index(kind)].max(axis=1).sum())

    def throw(self, state: State, rolls: Rolls) -> State:
        """Throw the tokens, and write the runes of each kind that matters into its column, `int16[n]`."""
        if not self.kinds:
            return state
        sides = rolls.d(2, len(self.tokens), "runes")
        counts = sum(self.counts[place, side - 1] for place, side in enumerate(sides.T))
        counts = np.asarray(counts, np.int16).reshape(n_trials(state), -1)
        return {**state, **{kind: counts[:, place] for place, kind in enumerate(self.kinds)}}
