"""Two units face to face with command dials, as a game over states that `chance.solvers` solves.

A state is the gap in bands, the wounds that either side can still take, and the runes that lie. Both sides set a dial
at once; the lower initiative acts first. What units do to each other is drawn from the exact distributions of their
attacks, as in a duel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.solvers.stages import Legal, layer_slices
from balance.games.runewars.cells import Amount
from balance.games.runewars.rules.exchange import Exchange, case_of, stack_of
from balance.games.runewars.rules.formation import Formation, figures_of, trays_of
from balance.games.runewars.rules.harm import amount_at
from balance.games.runewars.rules.walk import collides, gap_after, in_range


class Order(NamedTuple):
    """What one setting of a dial has a unit do face to face.

    `bands`: how far it moves towards the enemy, negative if away; `icons`: hits, mortal strikes and surges that join
    its attack.
    """

    name: str
    action: str
    initiative: int
    bands: int
    charges: bool
    icons: tuple[int, int, int]
    defend: Amount

    def acts(self, gap: int, range_bands: int, max_gap: int) -> tuple[int, str]:
        """Return the gap after this order, and "melee", "ranged" or "" for the attack that it brings.

        A charge to which the enemy was sooner comes to nothing; nobody goes back beyond `max_gap`.

        >>> charge = Order("", "march", 4, 3, True, (0, 0, 0), Amount(0))
        >>> [charge.acts(gap, 0, 9) for gap in (0, 3, 4)]
        [(0, ''), (0, 'melee'), (1, '')]
        """
        if self.action == "shoot":
            return gap, "ranged" if in_range(gap, range_bands) else ""
        strikes = not gap if self.action == "melee" else self.charges and collides(gap, self.bands)
        return min(int(gap_after(gap, self.bands)), max_gap) if gap else 0, "melee" if strikes else ""

    def role(self, gap: int) -> tuple[object, ...]:
        """Return all that matters of it at a gap: orders with the same role are one choice."""
        if not gap:
            return self.defend, (self.initiative, self.icons) if self.acts(0, 0, 0)[1] else ()
        kind = self.action if self.action in ("melee", "shoot") else ""
        acts_at = self.initiative if kind or self.bands else 0
        return self.defend, acts_at, kind, self.bands, self.charges, self.icons


@dataclass(frozen=True)
class Player:
    """One side of a dial game, with all that its orders need.

    `health` and `begins`: wounds that it can take when it is whole, and at the start; `attacks`: "melee" and, if it
    shoots, "ranged"; `conditions`: context of attacks on it that does not change; `regenerate`: as in `Duellist`.
    """

    orders: tuple[Order, ...]
    formation: Formation
    health: int
    begins: int
    range_bands: int
    attacks: Mapping[str, Exchange]
    defence: Amount
    regenerate: Amount
    conditions: Mapping[str, int]

    def regrown(self, lying: Mapping[str, IntArray]) -> IntArray:
        """Return the wounds that it can take after figures came back, `int[health + 1]`."""
        health, formation = np.arange(self.health + 1), self.formation
        room = trays_of(formation, health) * formation.figures_per_tray - figures_of(formation, health)
        return np.asarray(health + np.minimum(amount_at(self.regenerate, lying), room) * formation.wound_threshold)

    def choices(self, gap: int) -> tuple[int, ...]:
        """Return the orders that differ at a gap, by number."""
        roles: dict[object, int] = {}
        for number, order in enumerate(self.orders):
            roles.setdefault(order.role(gap), number)
        return tuple(roles.values())

    def changed(self, initiative: int = 0, march: int = 0, reach: int = 0) -> Player:
        """Return it with this added to the initiative of all orders, to the bands of marches, and to its range."""
        orders = (o._replace(initiative=o.initiative + initiative) for o in self.orders)
        orders = (o._replace(bands=o.bands + march * (o.action == "march")) for o in orders)
        return replace(self, orders=tuple(orders), range_bands=self.range_bands + reach)


class Blow(NamedTuple):
    """An attack of side 0 or 1, with what its dial adds and what the dial of its foe adds to the defence."""

    side: int
    attack: str
    icons: tuple[int, int, int]
    defend: Amount


Plan: TypeAlias = tuple[int, tuple[Blow, ...]]
"""What two orders come to: the gap after them, and the blows in turn."""


@dataclass(frozen=True, eq=False)
class Laws:
    """What attacks of two players do; `throws` of runes have each that can be with its probability."""

    players: tuple[Player, Player]
    throws: tuple[tuple[float, Mapping[str, int]], ...]
    kernels: dict[object, FloatArray] = field(default_factory=dict)

    @cached_property
    def chances(self) -> FloatArray:
        """The probability of each throw."""
        return np.array([p for p, _ in self.throws])

    def lying(self, throw: int) -> dict[str, IntArray]:
        """Return the runes that lie after a throw, by kind."""
        return {kind: np.asarray([n]) for kind, n in self.throws[throw][1].items()}

    def kernel(self, blow: Blow, throw: int) -> FloatArray:
        """Return the chance of each end of the foe from each beginning, `float64[trays, ends, beginnings]`."""
        if (blow, throw) not in self.kernels:
            player, foe, lying = self.players[blow.side], self.players[1 - blow.side], self.lying(throw)
            exchange = _with_icons(player.attacks[blow.attack], *blow.icons)
            defence = np.maximum(amount_at(foe.defence, lying) + amount_at(blow.defend, lying), 1)
            fixed = {**lying, **{name: np.array([value]) for name, value in foe.conditions.items()}}
            trays = range(1, player.formation.trays + 1)
            contexts = ({**fixed, "trays": np.array([n])} for n in trays)
            self.kernels[blow, throw] = np.stack([_law(exchange, c, defence, foe.health) for c in contexts])
        return self.kernels[blow, throw]


def _with_icons(exchange: Exchange, hits: int, mortal_strikes: int, surges: int) -> Exchange:
    strike = exchange.attack.strike
    more = np.add(strike.more_icons, (hits, surges, 0, mortal_strikes, 0)).tolist()
    return replace(exchange, attack=replace(exchange.attack, strike=replace(strike, more_icons=tuple(more))))


def _law(exchange: Exchange, context: Mapping[str, IntArray], defence: IntArray, health: int) -> FloatArray:
    """Return the chance that an attack leaves a foe so many wounds, `float64[ends, beginnings]`."""
    pmf = stack_of(exchange).distributions[int(case_of(exchange, context)[0])]
    columns = dict(zip(pmf.columns, pmf.outcomes.T, strict=True))
    wounds = np.asarray(columns["mortal_strikes"] + columns["damage"] // defence, np.intp)
    law = np.zeros((health + 1, health + 1))
    for before in range(health + 1):
        np.add.at(law[:, before], np.maximum(before - wounds, 0), pmf.p)
    return law


@dataclass(frozen=True, eq=False)
class DialGame:
    """The game at some gaps (`balance.chance.solvers.StagedGame`): on the way, or in contact, which nobody leaves.

    Layers are gaps, the widest first; the last stands between two rounds, runes yet to be thrown. On the way the values
    of contact between two rounds come after those of all layers. `players` are as in `laws`, but for initiatives, moves
    and ranges; of equal initiatives that of side `first`, 0 or 1, is the earlier.
    """

    laws: Laws
    players: tuple[Player, Player]
    gaps: tuple[int, ...]
    first: int

    @cached_property
    def states(self) -> dict[int, tuple[IntArray, IntArray]]:
        """For each gap, and contact: wounds that a and b can still take, `int[s]` each."""
        return {gap: self._states_at(gap) for gap in dict.fromkeys((*self.gaps, 0))}

    def _states_at(self, gap: int) -> tuple[IntArray, IntArray]:
        a, b = (
            np.arange(1, side.health + 1) if not gap or "ranged" in foe.attacks else np.array([side.begins])
            for side, foe in zip(self.players, self.players[::-1], strict=True)
        )
        return np.repeat(a, len(b)), np.tile(b, len(a))

    @cached_property
    def layer_sizes(self) -> tuple[int, ...]:
        """States by gap and throw of runes, then all of them before the throw."""
        sizes = [len(self.states[gap][0]) for gap in self.gaps]
        return (*(size * len(self.laws.throws) for size in sizes), sum(sizes))

    def legal(self, layer: int) -> Legal:
        """Return None twice: all orders that differ at a gap may be chosen."""
        return None, None

    def payoffs(self, layer: int, values: FloatArray) -> FloatArray:
        """Return the value to side a of each pair of orders; between rounds the mean over the throws of runes."""
        if layer == len(self.gaps):
            layers = (values[place].reshape(len(self.laws.throws), -1) for place in layer_slices(self)[:-1])
            return np.concatenate([self.laws.chances @ part for part in layers])[:, None, None]
        worth, parts = self._worth(values[sum(self.layer_sizes[:-1]) :]), []
        plans, places = self.plans[layer]
        for throw in range(len(self.laws.throws)):
            a, b = (side.regrown(self.laws.lying(throw)) for side in self.players)
            known: dict[Plan, FloatArray] = {(gap, ()): values[a[:, None], b] for gap, values in worth.items()}
            cells = [self._value(known, plan, throw)[self.states[self.gaps[layer]]] for plan in plans]
            parts.append(np.stack(cells, axis=1)[:, places])
        return np.concatenate(parts)

    def _worth(self, values: FloatArray) -> dict[int, FloatArray]:
        """Return values by gap, `float64[wounds of a, of b]` from 0 on; NaN for what never comes about."""
        worth, ends = {}, np.cumsum([len(axes[0]) for axes in self.states.values()])
        for (gap, axes), end in zip(self.states.items(), ends, strict=True):
            worth[gap] = np.full((self.players[0].health + 1, self.players[1].health + 1), np.nan)
            worth[gap][:, 0], worth[gap][0] = 1.0, 0.0
            worth[gap][axes] = values[end - len(axes[0]) : end]
        return worth

    @cached_property
    def plans(self) -> tuple[tuple[tuple[Plan, ...], IntArray], ...]:
        """For each gap all plans, and the number of that of each choice of a, row, and of b, column."""
        plans = []
        for gap in self.gaps:
            rows, columns = (player.choices(gap) for player in self.players)
            numbers: dict[Plan, int] = {}
            places = [[numbers.setdefault(self._plan(gap, i, j), len(numbers)) for j in columns] for i in rows]
            plans.append((tuple(numbers), np.array(places)))
        return tuple(plans)

    def _plan(self, gap: int, i: int, j: int) -> Plan:
        orders = self.players[0].orders[i], self.players[1].orders[j]
        behind = orders[0].initiative - orders[1].initiative
        sooner, blows = int(behind > 0) if behind else self.first, list[Blow]()
        for side in (sooner, 1 - sooner):
            gap, attack = orders[side].acts(gap, self.players[side].range_bands, self.gaps[0])
            blows += [Blow(side, attack, orders[side].icons, orders[1 - side].defend)] if attack else []
        return gap, tuple(blows)

    def _value(self, known: dict[Plan, FloatArray], plan: Plan, throw: int) -> FloatArray:
        """Return values before the blows of a plan; `known` has those that were worked out so far."""
        if plan not in known:
            gap, (blow, *later) = plan
            after = self._value(known, (gap, tuple(later)), throw)
            kernel = self.laws.kernel(blow, throw)
            known[plan] = struck(after.T, kernel).T if blow.side else struck(after, kernel)
        return known[plan]

    def at_start_strength(self, layer: int, rows: FloatArray) -> FloatArray:
        """Return the mean over throws of runes of a layer's `rows`, `[s, ...]`, with both units as they begin."""
        a, b = self.states[self.gaps[layer]]
        place = int(np.argmax((a == self.players[0].begins) & (b == self.players[1].begins)))
        by_throw = rows.reshape(len(self.laws.throws), len(a), *rows.shape[1:])[:, place]
        return np.asarray(self.laws.chances @ by_throw)


def struck(value: FloatArray, kernel: FloatArray) -> FloatArray:
    """Return values before a blow from those after it, `float64[wounds of the attacker, of the foe]` each.

    Rows of the attacker that stand on as many trays share a matrix of `kernel`, as `Laws.kernel` has it.
    """
    blocks = value[1:].reshape(len(kernel), -1, value.shape[1])
    return np.concatenate([value[:1], (blocks @ kernel).reshape(-1, value.shape[1])])
