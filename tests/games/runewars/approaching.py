"""Two units of Runewars face to face, as the solver takes them, and as plain recursion does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from scipy.optimize import linprog

import balance
from balance.base.arrays import FloatArray
from balance.games.runewars import GAME
from balance.games.runewars.table.solve import Meeting, meeting_of
from balance.games.runewars.tables import Dial, Unit

RUNEWARS = balance.load(GAME)


def meeting(a: str, b: str, gap: int, rounds: int, first: str = "random", **changes: str) -> Meeting:
    """Return two units so many bands apart; changes are written `a_field="value"`."""
    settings = {name.replace("_", ".", 1): value for name, value in changes.items()}
    settings |= {"situation.gap_bands": str(gap), "situation.round_limit": str(rounds)}
    return meeting_of(RUNEWARS.ask("approach", a, b, settings, first).setup.play)


def matrix_value(payoffs: FloatArray) -> float:
    """Return the value of a game to the row player, by one linear program."""
    m, n = payoffs.shape
    bounds = [(0, None)] * m + [(None, None)]
    above = np.hstack([-payoffs.T, np.ones((n, 1))])
    whole = [[1.0] * m + [0.0]]
    return -float(np.asarray(linprog([0] * m + [-1], above, [0] * n, whole, [1], bounds).fun))


FULL = 2
"""Wounds that both units can take at the start."""


@dataclass(frozen=True)
class Recursion:
    """The same game in plain Python, of small units without runes; wounds come from the verb `attack`."""

    a: str
    b: str
    gap: int
    first: int
    changes: Mapping[str, Mapping[str, str]] = field(hash=False)

    def dials(self, side: int) -> list[tuple[Dial, int]]:
        """Return each dial of a side with the bands that it goes."""
        unit = (self.a, self.b)[side].split("+")[0]
        rows = [dial for dial in RUNEWARS.catalogue.entries(Dial).values() if dial.unit == unit]
        back = [(dial, -dial.distance_bands) for dial in rows if dial.action == "shift"]
        return [(dial, dial.distance_bands) for dial in rows] + back

    def strike(
        self, side: int, kind: str, health: tuple[int, int], dials: tuple[Dial, Dial]
    ) -> list[tuple[int, float]]:
        """Return wounds with their probabilities."""
        names, own = (self.a, self.b), dials[side]
        settings = {f"attacker.{name}": value for name, value in self.changes["ab"[side]].items()}
        settings |= {f"defender.{name}": value for name, value in self.changes["ab"[1 - side]].items()}
        settings |= {"attacker.add_hits": str(own.add_hits), "attacker.add_mortal_strikes": str(own.add_mortal_strikes)}
        settings |= {"attacker.wounds_suffered": str(FULL - health[side]), "situation.attack": kind}
        settings |= {"defender.wounds_suffered": str(FULL - health[1 - side])}
        defence = int(RUNEWARS.catalogue.find("units", names[1 - side].split("+")[0]).defence)  # type: ignore[attr-defined]
        settings |= {"defender.defence": str(defence + int(dials[1 - side].defend))}
        return wounds_of(names[side], names[1 - side], tuple(settings.items()))

    def value(self, gap: int, a: int, b: int, rounds: int) -> float:
        """Return what a state is worth to side a with so many rounds to go."""
        if not a or not b:
            return float(a > 0)
        return matrix_value(self.payoffs(gap, a, b, rounds)) if rounds else 0.5

    @cache  # noqa: B019
    def _value(self, gap: int, a: int, b: int, rounds: int) -> float:
        return self.value(gap, a, b, rounds)

    def payoffs(self, gap: int, a: int, b: int, rounds: int) -> FloatArray:
        """Return the value of each pair of dials."""
        return np.array([[self.pair(gap, (a, b), rounds, i, j) for j in self.dials(1)] for i in self.dials(0)])

    def pair(self, gap: int, health: tuple[int, int], rounds: int, i: tuple[Dial, int], j: tuple[Dial, int]) -> float:
        """Return the value once both dials are shown."""
        order = (i[0].initiative, self.first), (j[0].initiative, 1 - self.first)
        sides = [0, 1] if order[0] < order[1] else [1, 0]
        return self.turns(gap, health, rounds, (i, j), sides)

    def turns(
        self, gap: int, health: tuple[int, int], rounds: int, chosen: tuple[tuple[Dial, int], ...], sides: list[int]
    ) -> float:
        """Return the value before the turns of these sides."""
        if not sides or 0 in health:
            return self._value(gap, *health, rounds - 1)
        side, *later = sides
        dial, bands = chosen[side]
        names = (self.a, self.b)
        unit = RUNEWARS.catalogue.find("units", names[side].split("+")[0])
        assert isinstance(unit, Unit)
        kind = ""
        if gap > 0:
            after = min(self.gap, max(0, gap - bands))
            kind = "melee" if dial.charge and after == 0 else ""
            kind = "ranged" if dial.action == "shoot" and gap <= unit.range_bands else kind
            gap = after
        elif dial.action == "melee":
            kind = "melee"
        if not kind:
            return self.turns(gap, health, rounds, chosen, later)
        total = 0.0
        for wounds, p in self.strike(side, kind, health, (chosen[0][0], chosen[1][0])):
            left = (health[0], health[1] - wounds) if side == 0 else (health[0] - wounds, health[1])
            total += p * self.turns(gap, left, rounds, chosen, later)
        return total


@cache
def wounds_of(attacker: str, defender: str, settings: tuple[tuple[str, str], ...]) -> list[tuple[int, float]]:
    """Return the wounds of one attack with their probabilities, as the verb `attack` has them."""
    distribution = RUNEWARS.ask("attack", attacker, defender, dict(settings)).distribution.marginal("wounds")
    return list(zip(distribution["wounds"].tolist(), distribution.p.tolist(), strict=True))
