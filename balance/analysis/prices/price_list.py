"""What everything should cost, where armies of equal points meet, and the verdicts on the prices as they are.

Fair costs of loadouts are sought by battles (`fair_costs` at equal points, `battle_prices` on a board) in the *setting*
that leads: the game as its rulebook prints it, by every way of playing that counts (`ways`). From these follow the
fewest changes of cards (`fewest_costs`) and verdicts (`verdicts`), one for each loadout and card (`over_settings`).
Abstractions, such as a line-up without a board, and house rules stand beside: they turn no verdict, but what holds in
them, too, and however a loadout's cost is split, holds in every setting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.meeting import leading_kind
from balance.analysis.dominance.strictly_worse import strictly_worse
from balance.analysis.dominance.worth_taking import never_worth_taking
from balance.analysis.play.ways import CountedWays, counted_ways
from balance.analysis.prices.answer import CardPrice, ElsewherePrice, LoadoutPrice, Price
from balance.analysis.prices.asked import card_of, known_cards, leading_setting, unseen_fields
from balance.analysis.prices.card_costs import CardCosts, check_kept, fit_card_costs
from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.fewest_costs import FewestCosts, fewest_costs
from balance.analysis.prices.fits.battle_prices import N_BATTLES, BattlePrices, battle_prices
from balance.analysis.prices.fits.fair_costs import FEW_MEMBERS, FairCosts, fair_costs, usual_battles
from balance.analysis.prices.over_settings import PLAY, Facets, joint_price
from balance.analysis.prices.scale import Scale, price_scale
from balance.analysis.prices.verdicts import (
    FIT_ERROR,
    NOT_MEASURABLE,
    OFF_VERDICTS,
    TOO_CHEAP,
    PriceVerdict,
    PriceVerdicts,
    price_verdicts,
)
from balance.analysis.scores.cards import priced_parts
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.errors import UsageError
from balance.base.numbers import SURE
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

MOST_TIMES = 4.0
"""How many times the usual battles are fought at most, without being asked, to settle what is not yet known."""
FIRST_LOOK = 4096
"""Battles on a board after which a first estimate is told, where they are some for each member."""
FRESH = 0x5EED
"""Makes the seed of a second look."""
Fit = FairCosts | BattlePrices
"""Fair costs by battles at equal points, or by battles of legal armies."""


@dataclass(frozen=True)
class PriceList:
    """Prices as they are and as they should be, with the fits that they rest on.

    * `loadouts` and `cards`: by id.
    * `ways`: the ways of playing, and which count.
    * `fair`, `card_costs` and `fewest`: by way of playing that counts, the one in force first: what the verdicts rest
      on, and the least squares of all cards beside it.
    * `beside`: name -> the setting of each abstraction and house rule that was asked.
    * `tolerance`: by how much a cost may miss and be fair.
    """

    game: LoadedGame
    setting: ArmySetting
    seed: int
    loadouts: Mapping[str, LoadoutPrice]
    cards: Mapping[str, CardPrice]
    ways: CountedWays
    fair: Mapping[str, Fit]
    card_costs: Mapping[str, CardCosts]
    fewest: Mapping[str, FewestCosts]
    beside: Mapping[str, ArmySetting] = field(default_factory=dict)
    tolerance: Tolerance = field(default_factory=Tolerance)

    def __repr__(self) -> str:
        """Return the game and the numbers of cards and loadouts: the frames are long."""
        return f"PriceList({self.game.definition.name}, {len(self.cards)} cards, {len(self.loadouts)} loadouts)"

    @property
    def main(self) -> CardCosts:
        """Card costs by the way of playing in force."""
        return next(iter(self.card_costs.values()))

    @property
    def facets(self) -> tuple[Facets, ...]:
        """The settings that verdicts hold in, each told by its way of playing."""
        return tuple(_facets(name) for name in self.fair)

    @cached_property
    def scale(self) -> Scale:
        """Slope of log fair on log printed cost: whether a point is worth the same in dear and in cheap loadouts."""
        fewest = next(iter(self.fewest.values()))
        return price_scale(fewest.entries, all(price.verdict == "fair" for price in self.loadouts.values()))

    @property
    def n_battles(self) -> int:
        """Battles that were played in the setting in force."""
        return next(iter(self.fair.values())).n_battles


def price_list(
    runner: Runner,
    setting: ArmySetting | None = None,
    seed: int = 0,
    *,
    entrants: Sequence[str] | None = None,
    tolerance: Tolerance | None = None,
    keep: str | None = None,
    min_cost: float = 1.0,
    n_battles: int | None = None,
    beside: Mapping[str, ArmySetting] | None = None,
    early: Callable[[Fit], None] | None = None,
) -> PriceList:
    """Return what every loadout and card should cost, by default in the setting that leads and for all entrants.

    `keep` and `min_cost` are as in `fit_card_costs`; `n_battles` is for each loadout, for every way of playing;
    `beside` names settings of which is told what they say, none by default; `early` is as in `fair_costs`, for the
    first way; on a board it is called once, with what few battles say, before ways of playing are compared.
    Raise UsageError where armies do not meet in this game, every battle ends in a stand-off, or the prices are not of
    the kind that can be judged.
    """
    at = setting or leading_setting(runner.game)
    names = tuple(runner.game.members_of(at.kind) if entrants is None else entrants)
    desk = _Desk.of(runner, names, seed, tolerance, keep, min_cost, n_battles)
    if early is not None and at.is_legal and 16 * len(names) <= FIRST_LOOK:
        early(battle_prices(runner, at, seed, names, n_battles=FIRST_LOOK))
    ways = counted_ways(runner, at, seed, names)
    if not ways.settings:
        raise UsageError(
            f"not measurable: {100 * (ways.undecided or 0):.0f}% of battles end undecided, whatever way sides play",
            "name a way by §choose, more rounds or another map by §set",
        )
    fair = desk.fits(ways.settings, early)
    views = {name: desk.view(fit) for name, fit in fair.items()}
    if n_battles is None and not at.is_legal and (needed := desk.needed(views)):
        longer = replace(desk, n_battles=needed, seed=desk.seed ^ FRESH)  # dice that the first look has not seen
        fair = longer.fits(ways.settings, starts=fair)
        views = {name: longer.view(fit) for name, fit in fair.items()}
    others = {name: desk.view(desk.fit(other)) for name, other in (beside or {}).items()}
    main = next(iter(fair.values()))
    loadouts = {name: desk.price(name, "loadouts", views) for name in names}
    cards = {name: desk.price(name, "cards", views) for name in desk.cards}
    worse, seen = strictly_worse(runner.game, at.kind, names), {"loadouts": loadouts, "cards": cards}
    witnesses = {} if at.is_legal else _witnesses(runner, main, loadouts)

    def further(what: str, name: str, price: Price) -> dict[str, Any]:
        elsewhere = tuple(_elsewhere(title, view, what, name) for title, view in others.items())
        everywhere = price.verdict in OFF_VERDICTS and all(
            view.holds(what, name, price.verdict, desk.tolerance) for view in (*views.values(), *others.values())
        )
        return {"elsewhere": elsewhere, "in_every_setting": everywhere, "strictly_worse": worse.get(name)}

    rows = {
        what: {name: vars(price) | further(what, name, price) | witnesses.get(name, {}) for name, price in by.items()}
        for what, by in seen.items()
    }
    return PriceList(
        runner.game, at, seed,
        {name: LoadoutPrice(**row) for name, row in rows["loadouts"].items()},
        {name: CardPrice(**row, table=desk.cards[name][0]) for name, row in rows["cards"].items()},
        ways, fair, {name: view.additive for name, view in views.items()},
        {name: view.fewest for name, view in views.items()}, beside or {}, desk.tolerance,
    )  # fmt: skip


@dataclass(frozen=True)
class _View:
    """What one setting says: the fewest changes, the least squares of all cards, and the verdicts."""

    fewest: FewestCosts
    additive: CardCosts
    verdicts: PriceVerdicts

    def holds(self, what: str, name: str, word: str, tolerance: Tolerance) -> bool:
        """Return whether a verdict stands here, of a card at both ends of every free split as well."""
        verdict = self.of(what, name)
        if verdict is None or verdict.verdict == NOT_MEASURABLE:
            return verdict is not None
        is_same = verdict.verdict == word
        return is_same and (what == "loadouts" or all(word == end for end in self.at_ends(name, tolerance)))

    def of(self, what: str, name: str) -> PriceVerdict | None:
        """Return the verdict on a loadout or card, None where this setting has none."""
        by_name: Mapping[str, PriceVerdict] = getattr(self.verdicts, what)
        return by_name.get(name)

    def at_ends(self, name: str, tolerance: Tolerance) -> list[str]:
        """Return what is said of a card by the least squares, at each end of what is free in the split."""
        entries = self.additive.entries
        place = int(entries.card_of[entries.cards.index(name)])
        cost, words = float(entries.card_printed[place]), list[str]()
        for rule, costs in self.additive.by_rule.items():
            half = SURE * float(self.additive.draws[rule][:, place].std(ddof=1))
            words.append(tolerance.judge(cost, costs[place] - half, costs[place] + half))
        return words


def _elsewhere(title: str, view: _View, what: str, name: str) -> ElsewherePrice:
    verdict = view.of(what, name)
    if verdict is None:
        raise KeyError(name)
    return ElsewherePrice(title, verdict.verdict, verdict.fair, verdict.low, verdict.high)


@dataclass(frozen=True)
class _Desk:
    """What is asked about prices, in any setting.

    `parts`: the cards of each of `names`. `cards`: id -> (table, name, cost). `n_battles`: for each loadout.
    """

    runner: Runner
    names: tuple[str, ...]
    parts: list[tuple[str, ...]]
    cards: Mapping[str, tuple[str, str, float | None]]
    known: Mapping[str, Card]
    seed: int
    tolerance: Tolerance
    keep: str | None
    min_cost: float
    n_battles: int | None

    @classmethod
    def of(
        cls,
        runner: Runner,
        names: tuple[str, ...],
        seed: int,
        tolerance: Tolerance | None,
        keep: str | None,
        min_cost: float,
        n_battles: int | None,
    ) -> _Desk:
        """Return what is asked; raise UsageError where `keep` is no table."""
        parts = priced_parts(runner.game, names)
        cards = {part: card_of(runner.game, part) for own_parts in parts for part in own_parts}
        known = known_cards(cards)
        check_kept([card.table for card in known.values()], keep)
        usual = Tolerance.usual([card.cost for card in known.values()] or costs_of(runner.game, names).tolist())
        margin = tolerance or usual
        if margin.points is None:
            margin = replace(margin, grid=usual.grid)
        return cls(runner, names, parts, cards, known, seed, margin, keep, min_cost, n_battles)

    def fits(
        self,
        settings: Mapping[str, ArmySetting],
        early: Callable[[Fit], None] | None = None,
        starts: Mapping[str, Fit] | None = None,
    ) -> dict[str, Fit]:
        """Return fair costs by every way of playing; those that follow the first start from it."""
        fair: dict[str, Fit] = {}
        for name, setting in settings.items():
            start = (starts or {}).get(name) or next(iter(fair.values()), None)
            fair[name] = self.fit(setting, start, None if fair else early)
        return fair

    def fit(
        self,
        setting: ArmySetting,
        start: Fit | None = None,
        early: Callable[[Fit], None] | None = None,
    ) -> Fit:
        """Return fair costs in a setting, sought from `start` where armies of equal points meet."""
        if setting.is_legal:
            n_battles = N_BATTLES if self.n_battles is None else self.n_battles * len(self.names)
            return battle_prices(self.runner, setting, self.seed, self.names, n_battles=n_battles)
        first = start if isinstance(start, FairCosts) else None
        return fair_costs(
            self.runner, setting, self.seed, self.names, n_battles=self.n_battles, start=first, early=early
        )

    def needed(self, views: Mapping[str, _View]) -> int:
        """Return how many battles of each loadout should settle what is not yet known, if that is not too many."""
        wanted = [
            verdict.battles
            for view in views.values()
            for by_name in (view.verdicts.loadouts, view.verdicts.cards)
            for verdict in by_name.values()
        ]
        n = len({*next(iter(views.values())).fewest.entries.fighter.tolist()})
        most = MOST_TIMES * usual_battles(n) if n <= FEW_MEMBERS else 0
        return max((battles for battles in wanted if battles <= most), default=0)

    def view(self, fit: Fit) -> _View:
        """Return what a setting says of all loadouts and cards."""
        game, kind = self.runner.game, fit.setting.kind
        entries = price_entries(fit, self.parts, self.known)
        fewest = fewest_costs(entries, self.tolerance, self.min_cost, self.keep)
        typical = replace(entries, middle=fewest.entries.middle)  # so that both are told in the same points
        additive = fit_card_costs(typical, self.keep, self.min_cost)
        hidden = unseen_fields(game, kind, dict(zip(self.names, self.parts, strict=True)), self.cards)
        missed = 0.0 if fit.setting.is_legal else FIT_ERROR
        verdicts = price_verdicts(fewest, self.parts, self.tolerance, self._per_loadout(fit), hidden, missed)
        return _View(fewest, additive, self._alone(verdicts) if len(self.names) == 1 else verdicts)

    def _per_loadout(self, fit: Fit) -> int:
        """Return the `--battles` by which a setting was judged."""
        if self.n_battles is not None:
            return self.n_battles
        n = len(set(fit.fighters.tolist()))
        return -(-N_BATTLES // n) if fit.setting.is_legal else usual_battles(n)

    def _alone(self, verdicts: PriceVerdicts) -> PriceVerdicts:
        """Return the verdicts on a single entrant, "not measurable here", as points are only compared with others'."""
        label = self.runner.game.label(self.names[0])
        reason = f"{label} alone cannot be judged: points are only compared with those of another"
        return PriceVerdicts(
            *(
                {name: replace(verdict, verdict=NOT_MEASURABLE, because=reason) for name, verdict in by_name.items()}
                for by_name in (verdicts.loadouts, verdicts.cards)
            )
        )

    def price(self, name: str, what: str, views: Mapping[str, _View]) -> Price:
        """Return the price of a loadout or card over the settings that count."""
        label = self.runner.game.label(name) if what == "loadouts" else self.cards[name][1]
        settings = [
            (_facets(way), verdict) for way, view in views.items() if (verdict := view.of(what, name)) is not None
        ]
        return joint_price(label, settings, self.tolerance)


def _facets(way: str) -> Facets:
    return {PLAY: way} if way else {}


def _witnesses(runner: Runner, main: Fit, loadouts: Mapping[str, Price]) -> dict[str, dict[str, Any]]:
    """Return by whom each is dominated that is never worth taking, where that contradicts no verdict on its price."""
    pairs = np.column_stack([main.fighters, main.printed_costs])
    _, first, of = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    members, costs = [main.entrants[at] for at in first.tolist()], main.printed_costs[first]
    spared = [name for name, price in loadouts.items() if price.verdict in (TOO_CHEAP, NOT_MEASURABLE)]
    fair = {name for name, price in loadouts.items() if price.verdict == "fair"}
    witnesses = never_worth_taking(runner, main.setting, members, costs, main.seed, spared=spared)
    by_entrant = zip(main.entrants, [members[at] for at in of.ravel().tolist()], strict=True)
    return {
        name: {"dominated_by": (by.witness,), "lead": by.lead, "lead_error": by.error}
        for name, member in by_entrant
        if name not in spared and (by := witnesses.get(member)) is not None and not {name, by.witness} <= fair
    }


def settings_beside(game: LoadedGame, setting: ArmySetting) -> dict[str, ArmySetting]:
    """Return name -> setting of every abstraction and house rule that stands beside the one that leads.

    Of a setting that is asked by itself only the house rules of its kind stand beside.

    >>> from balance.game.loaded import load
    >>> game = load("warforged")
    >>> list(settings_beside(game, leading_setting(game)))
    ['lineup', 'lineup, actions per unit']
    """
    beside: dict[str, ArmySetting] = {}
    is_leading = setting.kind == leading_kind(game) and not setting.changes
    for kind, question in game.definition.kinds.items():
        if question.armies is None or (kind != setting.kind and not is_leading):
            continue
        at = setting
        if kind != setting.kind:
            at = ArmySetting(kind, setting.budgets, is_legal=question.armies.is_legal)
            beside[kind] = at
        fixed = {text.partition("=")[0] for text in at.changes}
        for path, values in question.armies.house_rules:
            for value in values[1:] if path not in fixed else ():
                name = f"{kind}, {path.rpartition('.')[2]} {value.replace('_', ' ')}"
                beside[name] = replace(at, changes=(*at.changes, f"{path}={value}"))
    return beside


def early_prices(game: LoadedGame, fair: Fit) -> PriceVerdicts:
    """Return fair costs of cards and loadouts by the rounds so far, with 95 % intervals; no verdict counts yet."""
    parts = priced_parts(game, fair.entrants)
    cards = known_cards({part: card_of(game, part) for own_parts in parts for part in own_parts})
    return price_verdicts(fewest_costs(price_entries(fair, parts, cards), Tolerance()), parts)
