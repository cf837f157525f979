"""The approach of two units solved: its value, how dials are set, and what initiative, speed and range change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.errors import Fault, RulesError
from balance.chance.solvers import MatrixSolutions
from balance.chance.solvers.rounds import Passes
from balance.chance.solvers.stages import layer_slices
from balance.game.kit import orders as turn_orders
from balance.game.setup import Setup
from balance.game.solution import Cell, Method, Solution, SolutionTable
from balance.games.runewars.cells import parse_amount
from balance.games.runewars.duellist import Duellist
from balance.games.runewars.rules.dials import ADDS
from balance.games.runewars.rules.exchange import Exchange
from balance.games.runewars.rules.runes import Runes
from balance.games.runewars.table.dial_game import DialGame, Laws, Order, Player
from balance.games.runewars.table.walker import Approach, Walker
from balance.games.runewars.tables import Dial

ADDED = tuple(f"added_{icon}" for icon in ADDS)
"""What dials add to an attack, by its name in the context."""
DRAW = 0.5
TOLERANCE = 1e-6
"""Up to which exploitability a solution counts as certified."""
MIN_SHARE = 1e-6
"""From which share on an order counts as chosen."""
CHANGES: dict[str, dict[str, int]] = {
    "acts 1 sooner": {"initiative": -1},
    "marches 1 band further": {"march": 1},
    "shoots 1 band further": {"reach": 1},
}


@dataclass(frozen=True, eq=False)
class SolvedOrder:
    """One turn order solved: the game on the way and in contact, each with its passes, one a round."""

    games: tuple[DialGame, DialGame]
    passes: tuple[Passes, Passes]

    def gaps(self) -> Iterator[tuple[DialGame, int, MatrixSolutions, FloatArray]]:
        """Yield for each gap its game, its layer there, solutions, and values with both bounds, `float64[3, s]`."""
        for game, passes in zip(self.games, self.passes, strict=True):
            for layer, place in enumerate(layer_slices(game)[:-1]):
                yield game, layer, passes.solutions[layer], passes.worth[:, place]


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two players, how far apart they begin, for how many rounds, and who acts first on equal initiative.

    `contact`: by who that is, the passes in contact, and its values between rounds after each of them.
    """

    laws: Laws
    players: tuple[Player, Player]
    gap: int
    rounds: int
    first: str
    contact: dict[int, tuple[Passes, list[FloatArray]]] = field(default_factory=dict)

    @cached_property
    def solved(self) -> tuple[SolvedOrder, ...]:
        """Each turn order that is equally likely, solved; one alone where no two initiatives are equal."""
        a, b = ({order.initiative for order in player.orders} for player in self.players)
        sides = ["ab".index(order[0]) for order in turn_orders(self.first)]
        return tuple(map(self._solve, sides if a & b else sides[:1]))

    def _solve(self, first: int) -> SolvedOrder:
        contact = DialGame(self.laws, self.players, (0,), first)
        walk = replace(contact, gaps=tuple(range(self.gap, 0, -1)))
        if first not in self.contact:
            passes, between = Passes(contact, np.full((3, sum(contact.layer_sizes)), DRAW)), []
            for _ in range(self.rounds):
                passes.go()
                between.append(passes.worth[:, -contact.layer_sizes[-1] :].copy())
            self.contact[first] = passes, between
        size = sum(walk.layer_sizes)
        on_the_way = Passes(walk, np.full((3, size + contact.layer_sizes[-1]), DRAW))
        for values in self.contact[first][1]:
            on_the_way.worth[:, size:] = values
            on_the_way.go()
        return SolvedOrder((walk, contact), (on_the_way, self.contact[first][0]))

    def values(self, bound: int = 1) -> FloatArray:
        """Return lower bounds (0), values (1) or upper bounds (2) at full strength by gap, the start first."""
        by_order = [
            [game.at_start_strength(layer, worth[bound]) for game, layer, _, worth in order.gaps()]
            for order in self.solved
        ]
        return np.asarray(np.mean(by_order, axis=0))

    def shares(self, side: int) -> tuple[FloatArray, FloatArray]:
        """Return how often each order of a side is set at full strength by gap, and the most anywhere, `[orders]`."""
        at_start = np.zeros((self.gap + 1, len(self.players[side].orders)))
        most = np.zeros(at_start.shape[1])
        for order in self.solved:
            for place, (game, layer, solutions, _) in enumerate(order.gaps()):
                mixes = (solutions.row_strategies, solutions.column_strategies)[side]
                choices = list(self.players[side].choices(game.gaps[layer]))
                at_start[place, choices] += game.at_start_strength(layer, mixes) / len(self.solved)
                most[choices] = np.maximum(most[choices], mixes.max(axis=0))
        return at_start, most

    def with_change(self, side: int, change: dict[str, int]) -> Meeting:
        """Return it with initiative, march or range of a side changed; contact stays as it is without the first."""
        players = [player.changed(**change) if at == side else player for at, player in enumerate(self.players)]
        contact = {} if "initiative" in change else self.contact
        return replace(self, players=(players[0], players[1]), contact=dict(contact))


def solve_approach(setup: Setup[Approach], method: Method, seed: int) -> Solution:
    """Solve an approach exactly, whatever the method; raise RulesError for what is not solved."""
    return solve_meeting(meeting_of(setup.play))


def meeting_of(approach: Approach) -> Meeting:
    """Return two units face to face in the open; raise RulesError for what is not solved."""
    duel, sides = approach.duel, approach.duel.sides
    tip = "solved are units face to face in the open, without what a fight changes beside wounds"
    if faults := [Fault("is not solved", of, field=name, tip=tip) for of, name, is_so in _unsolved(approach) if is_so]:
        raise RulesError(faults)
    a, b = (_player(approach.walkers[name], sides[foe]) for name, foe in (("a", "b"), ("b", "a")))
    laws = Laws((a, b), _throws(duel.runes))
    return Meeting(laws, (a, b), approach.gap_bands, duel.round_limit, duel.first)


def _unsolved(approach: Approach) -> Iterator[tuple[str, str, bool]]:
    """Yield side, name and whether it is there of what an approach may have that is not solved."""
    places = approach.places
    yield "", "ground", bool(approach.table.pieces)
    yield "", "offset_mm", places["a_x"] != places["b_x"]
    yield "", "morale", approach.duel.deck is not None
    for name, walker in approach.walkers.items():
        duellist, stance = walker.duellist, walker.stance
        attacks = [exchange for exchange in (duellist.melee, duellist.ranged) if exchange]
        abilities = [one for exchange in attacks for one in exchange.attack.strike.purchase.abilities]
        matter = {one.condition for one in abilities}
        matter |= {card for exchange in attacks for card, more in exchange.attack.target.conditions if more}
        yield name, "heading_degrees", stance.heading_degrees != 0
        yield name, "bonus_shift_bands", stance.bonus_shift_bands > 0
        yield name, "shoots_engaged", stance.shoots_engaged
        yield name, "lost_actions", duellist.lost_actions > 0
        yield name, "trays_added", duellist.trays_added > 0
        yield name, "upgrade with a figure", duellist.upgrade > 0
        yield name, "upgrade that is exhausted", any(any(one.attack.strike.when_ready) for one in attacks)
        yield name, "condition that changes its attacks", bool(matter & {one.effect for one in abilities})
        yield name, "policy best", any(part[0] == "left" for exchange in attacks for part in exchange.varies)


def _player(walker: Walker, foe: Duellist) -> Player:
    duellist, formation = walker.duellist, walker.duellist.formation
    attacks = {"melee": duellist.melee} | ({"ranged": duellist.ranged} if duellist.ranged else {})
    return Player(
        orders=tuple(order for dial in walker.settings for order in _of_dial(dial)),
        formation=formation,
        health=formation.trays * formation.figures_per_tray * formation.wound_threshold,
        begins=duellist.health,
        range_bands=walker.range_bands,
        attacks={kind: _face_to_face(exchange) for kind, exchange in attacks.items()},
        defence=foe.melee.attack.target.defence,
        regenerate=duellist.regenerate,
        conditions={name: int(has) for name, has in duellist.conditions},
    )


def _face_to_face(exchange: Exchange) -> Exchange:
    """Return an attack with its front, of which all differs that does but what dials bring."""
    varies = (part for part in exchange.varies if part[0] not in ("threat", "defend", *ADDED))
    return replace(exchange, varies=tuple(varies))


def _of_dial(dial: Dial) -> Iterator[Order]:
    """Yield what a dial has a unit do; a shift may be towards the enemy, or away from him."""
    icons, defend = (dial.add_hits, dial.add_mortal_strikes, dial.add_surges), parse_amount(dial.defend)
    order = Order(dial.name, dial.action, dial.initiative, dial.distance_bands, dial.charge, icons, defend)
    yield order
    if dial.action == "shift":
        yield order._replace(name=f"{dial.name}, back", bands=-dial.distance_bands)


def _throws(runes: Runes) -> tuple[tuple[float, dict[str, int]], ...]:
    """Return each throw of runes that can be, with its probability."""
    chances: dict[tuple[int, ...], float] = {}
    for sides in product((0, 1), repeat=len(runes.tokens) if runes.kinds else 0):
        counts = tuple(runes.counts[range(len(sides)), sides].sum(axis=0).tolist()) if sides else ()
        chances[counts] = chances.get(counts, 0.0) + 0.5 ** len(sides)
    return tuple((p, dict(zip(runes.kinds, counts, strict=True))) for counts, p in chances.items())


def solve_meeting(meeting: Meeting) -> Solution:
    """Return the value of the approach, certified, with its tables."""
    lower, value, upper = (float(meeting.values(bound)[0]) for bound in range(3))
    gains = [float(np.max(worth[2] - worth[0])) for order in meeting.solved for _, _, _, worth in order.gaps()]
    return Solution(
        kind="exact",
        method=f"Every state was solved, from the last of {meeting.rounds} rounds to the first.",
        value=value,
        lower=lower,
        upper=upper,
        exploitability=max(gains),
        converged=max(gains) <= TOLERANCE,
        iterations=meeting.rounds,
        n_states=sum(sum(game.layer_sizes) for order in meeting.solved for game in order.games),
        tables=(_mixes(meeting), _never(meeting), _worth(meeting, value), _by_gap(meeting)),
    )


def _gaps(meeting: Meeting) -> list[str]:
    """Return the words for each gap, the start first."""
    return [*(f"gap {gap}" for gap in range(meeting.gap, 0, -1)), "contact"]


def _by_gap(meeting: Meeting) -> SolutionTable:
    values = zip(_gaps(meeting), meeting.values().tolist(), strict=True)
    rows = tuple((gap, value, 1 - value) for gap, value in values)
    return SolutionTable("by_gap", "What it is worth at each gap, in bands, at full strength.", ("gap", "a", "b"), rows)


def _mixes(meeting: Meeting) -> SolutionTable:
    """Return how often each order is set, by gap; of orders that do the same there, it is the first."""
    rows: list[tuple[Cell, ...]] = []
    for side, name in enumerate("ab"):
        by_gap, orders = meeting.shares(side)[0], meeting.players[side].orders
        chosen = np.flatnonzero(by_gap.max(axis=0) > MIN_SHARE)
        rows += [(name, orders[number].name, *by_gap[:, number].tolist()) for number in chosen]
    title = "How often each order is set at full strength, by the gap in bands."
    return SolutionTable("mixes", title, ("side", "order", *_gaps(meeting)), tuple(rows))


def _never(meeting: Meeting) -> SolutionTable:
    rows: list[tuple[Cell, ...]] = []
    for side, name in enumerate("ab"):
        orders = zip(meeting.players[side].orders, meeting.shares(side)[1], strict=True)
        rows.append((name, ", ".join(order.name for order, most in orders if most <= MIN_SHARE) or "none"))
    title = "Orders that the play found never sets: at no gap, however many wounds both have taken."
    return SolutionTable("never", title, ("side", "orders"), tuple(rows))


def _worth(meeting: Meeting, value: float) -> SolutionTable:
    """Return what each of `CHANGES` is worth to its side; range only where it shoots."""
    rows: list[tuple[Cell, ...]] = []
    for side, name in enumerate("ab"):
        shoots = "ranged" in meeting.players[side].attacks
        for label, change in ((label, change) for label, change in CHANGES.items() if shoots or "reach" not in change):
            gain = float(meeting.with_change(side, change).values()[0]) - value
            rows.append((name, label, -gain if side else gain))
    title = "What it is worth to a side that every order of its dial acts sooner, or goes or shoots further."
    return SolutionTable("worth", title, ("side", "step", "gain"), tuple(rows), differences=("gain",))
