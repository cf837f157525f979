"""The request for a choice: which options are legal, what the side may know, and who may answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import RollsError
from balance.chance.rolls.requests import Request, Source, Weighting, WrittenExample, one_of

Legal: TypeAlias = BoolArray | IntArray | int
"""Which options a choice has: `bool[n, m]`, or their number (int, or `int[n]`), where options 0, 1, ... are legal."""


@dataclass(frozen=True, eq=False)
class Choose(Request[IntArray]):
    """A choice of `side` among its legal options, knowing `view`: the number of an option, `int[n]`.

    Chance does not answer it: a policy does, a written example, or all options in turn.
    """

    side: str
    legal: Legal
    view: Any
    options: Sequence[str] = ()

    def at_random(self, source: Source) -> IntArray:
        """Raise RollsError: a choice is not left to chance."""
        raise self.no_policy_error()

    def no_policy_error(self) -> RollsError:
        """Return the error that this side has no policy."""
        return RollsError(
            f"nobody chooses {self.name!r} for side {self.side!r}",
            f"bind a policy to the process: policies={{{self.side!r}: ...}}",
        )

    def as_written(self, fixed_rolls: WrittenExample) -> IntArray:
        """Return the next option of this name, given by its number or its name, `int64[1]`."""
        return np.array([one_of(fixed_rolls, self.name, self.options, np.flatnonzero(self.flags()).tolist())])

    def n_ways(self) -> int | IntArray:
        """Return the number of legal options, for each trial or for all."""
        if isinstance(self.legal, int):
            return self.legal
        return np.asarray(self.legal.sum(axis=1) if self.legal.ndim == 2 else self.legal, np.int64)

    def way(self, number: IntArray) -> IntArray:
        """Return the number of the nth legal option, counted from 0, in each trial."""
        is_list = isinstance(self.legal, int) or self.legal.ndim == 1
        return number if is_list else nth_true(self.flags(), number)

    def weigh(self, number: IntArray) -> Weighting:
        """Return weight 1 of 1 for every option, since options have no probability."""
        return None, 1

    def flags(self) -> BoolArray:
        """Return which options are legal, `bool[n, m]` (`bool[1, m]` if all trials have the same)."""
        if not isinstance(self.legal, int) and self.legal.ndim == 2:
            return np.asarray(self.legal, bool)
        return np.asarray(np.arange(np.max(self.legal, initial=0)) < np.atleast_1d(self.legal)[:, None])

    def check(self, answers: IntArray, chooser: object) -> IntArray:
        """Return what was chosen, `int[n]`; the fault names the policy `chooser`.

        Raises `RollsError` if an option is not legal in its trial, or there is not one integer for each trial.
        """
        answers = np.asarray(answers)
        if answers.ndim != 1 or answers.dtype.kind not in "iu":
            raise RollsError(
                f"{chooser} answers {self.name!r} with {answers.dtype}{list(answers.shape)}", "choose int[n]"
            )
        legal = self.legal
        if isinstance(legal, int) or legal.ndim == 1:
            good = answers < legal
        else:
            good = (answers >= 0) & (answers < legal.shape[1])
            good &= legal[np.arange(len(answers)), np.where(good, answers, 0)]
        if answers.min(initial=0) < 0 or not good.all():
            raise self._illegal(answers, np.flatnonzero(~good | (answers < 0)), chooser)
        return answers

    def _illegal(self, answers: IntArray, rows: IntArray, chooser: object) -> RollsError:
        flags, row = self.flags(), int(rows[0])
        legal = np.flatnonzero(flags[row if len(flags) > 1 else 0]).tolist()
        legal_texts = [f"{n} ({self.options[n]})" if n < len(self.options) else str(n) for n in legal]
        return RollsError(
            f"{chooser} chooses option {int(answers[row])} of {self.name!r} for side {self.side!r}, which is not legal "
            f"(trial {row}, and {len(rows) - 1} more)",
            f"legal there: {', '.join(legal_texts) or 'nothing'}",
        )


def nth_true(flags: BoolArray, nth: IntArray) -> IntArray:
    """Return the index of the nth (`int[n]`, from 0) flag that is set in each row of `bool[n, m]`.

    >>> nth_true(np.array([[False, True, True], [True, False, True]]), np.array([0, 1])).tolist()
    [1, 2]
    """
    running_count = flags.cumsum(axis=1, dtype=np.int16 if flags.shape[1] < 2**15 else np.int64)
    return np.asarray((running_count > np.asarray(nth)[:, None]).argmax(axis=1))
