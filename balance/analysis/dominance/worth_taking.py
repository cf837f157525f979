"""Who is never worth taking at equal points: another, the witness, does at least as well against everybody.

Armies of one member each meet at equal points, at the budgets at which prices are judged. *Never worth taking* is a
member that its witness beats, against which the witness leads over the whole field by more than dice explain, and that
scores certainly more than its witness against nobody. Nothing is fitted. That says nothing of its own cost: what is
fair is never worth taking either beside a witness that is too cheap.

Of m members m (m - 1) pairs are looked at, so the lead has to be `SURE_LEAD` standard errors above what is worth caring
about: of ten equal members one is named in fewer than one run of a hundred.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.equal_points import alike_scores
from balance.base.arrays import FloatArray
from balance.engine.runner import Runner

MOST_MEMBERS = 24
"""Members up to which each is played against each: of more, too few battles are left for a pair."""
BATTLES = 24_000
"""Battles of all match-ups together, about."""
MIN_BATTLES, MAX_BATTLES = 16, 400
"""Battles of a match-up at a budget."""
CARE = 0.02
"""The smallest difference of scores worth caring about."""
SURE_LEAD, SURE_OPPONENT = 4.0, 2.0
"""Standard errors above which a lead is sure, and beyond which an opponent speaks for the one that is beaten."""


@dataclass(frozen=True)
class NeverWorth:
    """The witness of a member that is never worth taking.

    `lead` and `error`: what the witness scores more on average against all others, and its standard error. `least`:
    what it scores more against the opponent at which it leads least; below 0 within what dice explain.
    """

    witness: str
    lead: float
    error: float
    least: float


def never_worth_taking(
    runner: Runner,
    setting: ArmySetting,
    members: Sequence[str],
    costs: FloatArray,
    seed: int = 0,
    *,
    spared: Collection[str] = (),
) -> dict[str, NeverWorth]:
    """Return who is never worth taking, each with the witness that leads most; of many members, or of two, nobody.

    `members` each play differently, and cost so many points, `float64[m]`; those `spared`, such as those that cost too
    little, are not looked at.
    """
    m = len(members)
    if not 3 <= m <= MOST_MEMBERS:
        return {}
    n_each = BATTLES // (m * (m - 1) // 2 * len(setting.budgets))
    n_battles = 2 * (int(np.clip(n_each, MIN_BATTLES, MAX_BATTLES)) // 2)
    grid, match_ups = alike_scores(runner, setting, members, costs, n_battles, seed)
    variances = np.zeros((m, m))
    variances[np.triu_indices(m, 1)] = match_ups.variances
    found = witnesses_in(grid, variances + variances.T)
    return {members[at]: NeverWorth(members[by], *numbers) for at, (by, *numbers) in found.items()
            if members[at] not in spared}  # fmt: skip


def witnesses_in(grid: FloatArray, variances: FloatArray) -> dict[int, tuple[int, float, float, float]]:
    """Return (witness, lead, error, least) of each member that is never worth taking, by its place.

    `grid` and `variances` are `float64[m, m]`: what the row scores against the column, and its variance from the dice.
    """
    results: dict[int, tuple[int, float, float, float]] = {}
    m = len(grid)
    for member in range(m):
        for witness in range(m):
            others = [at for at in range(m) if at not in (member, witness)]
            if witness == member or not others:
                continue
            gaps = grid[witness, others] - grid[member, others]
            noise = variances[witness, others] + variances[member, others]
            lead, error = float(gaps.mean()), float(np.sqrt(noise.sum()) / len(others))
            beats = grid[witness, member] - 0.5 > CARE + SURE_LEAD * np.sqrt(variances[witness, member])
            nobody_speaks = bool((gaps >= -CARE - SURE_OPPONENT * np.sqrt(noise)).all())
            is_witness = beats and nobody_speaks and lead > CARE + SURE_LEAD * error
            if is_witness and (member not in results or lead > results[member][1]):
                results[member] = witness, lead, error, float(gaps.min())
    return results
