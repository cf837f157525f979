"""Random legal armies: under a budget, within a unit limit, and with no more of a card than there are of it.

An army is a row of member numbers, `int16[n, k]`, -1 where nobody stands. It is *legal* if it keeps to all three, and
*full* if nobody could be added. Members are drawn one after another, each with the same chance among all that still
fit: who can be paid with what is left, and whose cards are not all taken. It ends when nobody fits, so that every army
drawn is full; and every full army can be drawn, with the sum, over the orders in which its units may have joined, of
the products of one over how many fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.meeting import meeting_kind
from balance.analysis.armies.random_armies import EMPTY
from balance.base.answers import Changes, Choices, Count, Digest, Doc, Form, GameName, Points, RulesVersion, Seed
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import Fault, UsageError
from balance.base.text import shorten
from balance.chance.rolls.choices import nth_true
from balance.chance.rolls.streams import stream
from balance.game.armies.armies import MOST_UNITS, Arena, army_text
from balance.game.armies.copies import Copies
from balance.game.loaded import LoadedGame

BATCH = 16_384
"""Armies drawn at a time, for the sake of memory."""
ROUNDING = 1 + 1e-9
"""What is left may be this much more: points that are not whole are rounded when they are added up."""
SPREAD = 0.2
"""Largest log of an army's budget over the one drawn, either way: wide enough to measure what a point is worth."""
MAX_MISSING = 2
"""By how many units at most an army may be smaller than its limit, of its own accord."""


def setting_at(
    game: LoadedGame,
    budget: float,
    limit: int | None = None,
    changes: Sequence[str] = (),
    choices: Sequence[tuple[str, str]] = (),
) -> ArmySetting:
    """Return a setting of one budget, in points; the unit limit defaults to what the rules pair with it, rounded down.

    `changes` are assignments such as `rules.faces=0-9`. Raise UsageError where armies of any members do not meet.
    """
    kind = meeting_kind(game)
    armies = game.definition.kinds[kind].armies
    if limit is None:
        scales = (armies.scales(game.catalogue) if armies is not None else ()) or ((1, MOST_UNITS),)
        limit = int(np.interp(budget, *np.array(scales, np.float64).T))
    return ArmySetting(kind, ((budget, limit),), tuple(changes), tuple(choices))


@dataclass(frozen=True)
class LegalArmy:
    """An army within budget, unit limit and copies of cards."""

    army: Annotated[str, Doc("As it is written in a question, such as `ant,ox:2`.")]
    cost_points: Annotated[Points, Doc("What it costs.")]
    units: Annotated[Count, Doc("How many units it has.")]


@dataclass(frozen=True)
class ArmyOrder:
    """What an army is to be."""

    kind: Annotated[str, Doc("The kind of question in which it meets others.")]
    budget: Annotated[Points, Doc("What it may cost.")]
    limit: Annotated[float, Doc("How many units it may have.")]
    changes: Changes
    choices: Choices


@dataclass(frozen=True)
class ArmyAnswer:
    """What was asked about armies."""

    schema: Form
    game: GameName
    verb: Literal["army"]
    seed: Seed
    setting: ArmyOrder
    rules_version: RulesVersion
    catalogue_sha256: Digest

    @classmethod
    def of(cls, game: LoadedGame, setting: ArmySetting, seed: int, **armies: Any) -> Self:
        """Return an answer about the first budget of a setting; `armies` are the fields of what it says."""
        order = ArmyOrder(setting.kind, *setting.budgets[0], setting.changes, dict(setting.choices))
        name, catalogue = game.definition.name, game.catalogue
        return cls(1, name, "army", seed, order, catalogue.rules_version, catalogue.sha256, **armies)


@dataclass(frozen=True, repr=False)
class RandomArmies(ArmyAnswer):
    """Random legal armies."""

    armies: Annotated[tuple[LegalArmy, ...], Doc("In the order in which they were drawn.")]

    def __repr__(self) -> str:
        """Return how many there are, and the first."""
        return f"RandomArmies({len(self.armies)}, the first {shorten(self.armies[0].army, 80)!r})"


def random_armies(game: LoadedGame, setting: ArmySetting, n: int, seed: int = 0) -> RandomArmies:
    """Return n random legal armies under the first budget and unit limit of a setting.

    Raise BalanceError where armies do not meet in this game, or nobody can be bought.
    """
    names = game.members_of(setting.kind)
    arena = game.arena(setting.kind, names, setting.changes, **dict(setting.choices))
    muster = Muster.of(arena, *setting.budgets[0], [float(game.cost_points(name)) for name in names])
    rows = muster.draw(n, stream(seed, "analysis/legal_armies", 0, "armies"))
    armies = tuple(LegalArmy(army_text(names, row.tolist()), *muster.measures(row)) for row in rows)
    return RandomArmies.of(game, setting, seed, armies=armies)


@dataclass(frozen=True)
class Muster:
    """What a legal army may be made of: at most `budget` points, `limit` units, and `copies` of each card.

    `costs` is `float64[m]`, in points.
    """

    budget: float
    limit: int
    costs: FloatArray
    copies: Copies

    @classmethod
    def of(cls, arena: Arena, budget: float, limit: float, costs: Sequence[float]) -> Muster:
        """Return the limits for armies of the first members of an arena, as many as `costs` (in points) has entries.

        Raise UsageError where the limit is not a possible number of units, or the budget is below the cheapest cost.

        >>> arena = Arena(("ant", "ox"), ("1", "2"), process=None)  # whom nothing limits, and who never meet
        >>> Muster.of(arena, 10, 3, [4.0, 9.0]).copies.per_unit.shape
        (2, 0)
        """
        if not 1 <= limit <= MOST_UNITS:
            fault = Fault("is no unit limit of an army", found=f"{limit:g}", allowed=f"1 to {MOST_UNITS}")
            raise UsageError(fault)
        cheapest = int(np.argmin(costs))
        if budget < costs[cheapest]:
            allowance = f"at least {costs[cheapest]:g}, for {arena.members[cheapest]}"
            raise UsageError(Fault("points buy nobody", found=f"{budget:g}", allowed=allowance))
        copies = arena.copies or Copies.of([[]] * len(arena.members))
        return cls(
            budget, int(limit), np.array(costs, np.float64), Copies(copies.available, copies.per_unit[: len(costs)])
        )

    def measures(self, army: IntArray) -> tuple[float, int]:
        """Return the cost in points and the number of units of an army, `int[k]`, -1 for nobody."""
        units = army[army != EMPTY]
        return float(self.costs[units].sum()), len(units)

    def draw(self, n: int, rng: np.random.Generator) -> IntArray:
        """Return n random legal armies that are full, `int16[n, limit]`."""
        return self.fill(np.full((n, self.limit), EMPTY, np.int16), rng)

    def fill(self, partial_armies: IntArray, rng: np.random.Generator) -> IntArray:
        """Return `partial_armies`, `int[n, w]`, filled up with random members, `int16[n, limit]`; its units stay."""
        n = len(partial_armies)
        return legal_armies(
            np.full(n, self.budget),
            np.full(n, self.limit),
            self.costs,
            self.copies.per_unit,
            self.copies.available,
            rng,
            partial_armies,
        )


def legal_armies(
    budgets: FloatArray,
    limits: IntArray,
    costs: FloatArray,
    uses: IntArray,
    copies: IntArray,
    rng: np.random.Generator,
    partial_armies: IntArray | None = None,
) -> IntArray:
    """Return random legal armies that are full, `int16[n, k]` with k the largest unit limit.

    `budgets` (points) and `limits` (units) are per army, `float64[n]` and `int[n]`; `costs` is `float64[m]`; a unit of
    a member takes `uses`, `int[m, c]`, of the `copies`, `int[c]`, of each card. `partial_armies`, `int16[n, k]`, are
    filled up.
    """
    k = int(limits.max(initial=1))
    armies = np.full((len(budgets), k), EMPTY, np.int16) if partial_armies is None else partial_armies.astype(np.int16)
    for first in range(0, len(armies), BATCH):
        rows = slice(first, first + BATCH)
        _fill(armies[rows], budgets[rows], limits[rows], costs, uses, copies, rng)
    return armies


def _fill(
    armies: IntArray,
    budgets: FloatArray,
    limits: IntArray,
    costs: FloatArray,
    uses: IntArray,
    copies: IntArray,
    rng: np.random.Generator,
) -> None:
    """Fill `int16[n, k]` armies in place: units move to the front, then random members join until nobody fits."""
    armies[:] = np.take_along_axis(armies, np.argsort(armies == EMPTY, axis=1, kind="stable"), axis=1)
    sizes = (armies != EMPTY).sum(axis=1)
    points = budgets.astype(np.float64) - np.append(costs, 0.0)[armies].sum(axis=1)
    spare = copies - np.append(uses, np.zeros_like(uses[:1]), axis=0)[armies].sum(axis=1)
    rows = np.arange(len(armies))
    n_used = range(1, int(uses.max(initial=0)) + 1)
    users = [(n, np.greater_equal(uses.T, n).astype(np.float32)) for n in n_used]
    while len(rows):
        fits = (costs <= points[rows, None] * ROUNDING) & (sizes[rows] < limits[rows])[:, None]
        for n, users_of_n in users:  # how many of its cards a member lacks, by a product: many times as fast as by card
            fits &= (spare[rows] < n).astype(np.float32) @ users_of_n == 0
        n_fit = fits.sum(axis=1)
        rows, fits, n_fit = rows[n_fit > 0], fits[n_fit > 0], n_fit[n_fit > 0]
        members = nth_true(fits, rng.integers(0, n_fit))
        armies[rows, sizes[rows]] = members
        sizes[rows] += 1
        points[rows] -= costs[members]
        spare[rows] -= uses[members]


def drawn_armies(
    budgets: FloatArray,
    limits: IntArray,
    costs: FloatArray,
    copies: Copies,
    rng: np.random.Generator,
    chances: FloatArray | None = None,
) -> IntArray:
    """Return random legal armies, `int16[n, k]`, each for a budget and of a size of its own, and full at that size.

    Budgets (`float64[n]`) differ so that battles tell what a point is worth, and sizes (`int[n]`, up to `MAX_MISSING`
    units below the limit) so that they tell what one more unit is: were all of one size, only differences between
    members would be known. The first unit is drawn by `chances`, `float64[m]` in proportion, by default one over the
    square of the cost, since errors of cheap ones weigh more beside what they cost; the others as in any random legal
    army.
    """
    n = len(budgets)
    funds = np.maximum(budgets * np.exp(rng.uniform(-SPREAD, SPREAD, n)), costs.min())  # an army of nobody is none
    sizes = np.maximum(limits - rng.integers(0, MAX_MISSING + 1, n), 1)
    partial_armies = np.full((n, int(sizes.max(initial=1))), EMPTY, np.int16)
    weights = costs**-2.0 if chances is None else chances
    first = rng.choice(len(costs), n, p=weights / weights.sum())
    partial_armies[:, 0] = np.where(costs[first] <= funds, first, EMPTY)
    return legal_armies(funds, sizes, costs, copies.per_unit, copies.available, rng, partial_armies)
