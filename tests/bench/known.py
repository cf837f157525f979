"""The right answers of the tasks, as printed in their statement, and how an answer is held against them.

Warforged attacks have precision 7 and damage 4 against armour 3 without cover (T1), and against 12 health (T2). A pool
(T3) is BattleLore dice of a blue unit against blue foot: of six faces two hit, one is a flag, one is lore. A creature
(T4) is killed by a green helmet on the re-roll of a hit. In a duel (T5) both sides have T1's weapon and armour and 12
health, and strike in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

ONE_ATTACK = [3 / 10, 3 / 40, 9 / 40, 9 / 40, 7 / 40]
"""T1: P(damage = 0), ..., P(damage = 4)."""
KILLS = [0.005359375, 0.0911320312, 0.1831103613, 0.2115434180, 0.1837285521, 0.1335595858]
"""T2: P(dies on attack n) for n = 3 to 8."""
CREATURE = [35 / 324, 919 / 5832, 21455 / 104976]
"""T4: P(killed) with 2, 3 and 4 dice."""
DUEL = [0.57457997633]
"""T5: P(the one who strikes first wins)."""
SIGMAS = 6.0
"""How far a sampled count may lie from its expectation, in standard deviations."""


class WrongAnswerError(Exception):
    """A contender's answer is not the known one."""


def pool(n_dice: int) -> list[float]:
    """T3: the number of outcomes of (hits, flags, lore), and P(every die hits)."""
    return [float(comb(n_dice + 3, 3)), 3.0**-n_dice]


def check(name: str, answer: Sequence[float], known: Sequence[float]) -> None:
    """Raise WrongAnswerError unless an exact answer agrees with the known one to the digits that are known."""
    if len(answer) != len(known) or not np.allclose(answer, known, rtol=1e-9, atol=6e-11):
        found = [float(x) for x in answer]
        raise WrongAnswerError(f"{name} answers {found}, known is {[float(x) for x in known]}")


def check_counts(name: str, counts: npt.NDArray[np.int64], known: Sequence[float]) -> None:
    """Raise WrongAnswerError unless sampled counts, the `known` ones and all others together, fit the chances."""
    n = int(counts.sum())
    p = np.array([*known, max(0.0, 1.0 - sum(known))])
    found = np.append(counts[: len(known)], counts[len(known) :].sum())
    spread = SIGMAS * np.sqrt(n * p * (1 - p)) + 1e-6
    if (np.abs(found - n * p) > spread).any():
        raise WrongAnswerError(f"{name} draws {found.tolist()} in {n:,} trials, expected {(n * p).round(1).tolist()}")


def checker(check: Callable[..., None], answer: Sequence[float]) -> Callable[[str, Any], None]:
    """Return (name, found) -> the check of what was found against an answer."""
    return lambda name, found: check(name, found, answer)
