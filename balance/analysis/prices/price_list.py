"""What everything should cost, where armies of equal points meet, and the verdicts on the prices as they are.

Fair costs of loadouts (`fair_costs`) are split into costs of cards (`card_costs`) and judged (`price_verdicts`) in
every *setting*: at each budget alone, for every way of playing near the top of the ladder, and for every way to count
actions that the rules leave open. One verdict follows for each loadout and card (`over_settings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.armies.meeting import meeting_kind, priced_members
from balance.analysis.armies.play_ladder import NearTop, near_the_top
from balance.analysis.dominance.worth_taking import never_worth_taking
from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price
from balance.analysis.prices.card_costs import CardCosts, check_kept, fit_card_costs
from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.fair_costs import FairCosts, fair_costs, usual_battles
from balance.analysis.prices.over_settings import PLAY, TOO_CHEAP, Facets, joint_price
from balance.analysis.prices.scale import Scale, price_scale
from balance.analysis.prices.verdicts import NOT_MEASURABLE, PriceVerdicts, price_verdicts
from balance.analysis.scores.cards import cards_of, find_card, priced_parts
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

BUDGET = "budget"
TYPICAL_UNITS = ((4.0, 4.0), (10.0, 10.0))
"""Budgets for a game whose rules pair none: what so many typical members cost, and so many units."""


@dataclass(frozen=True)
class PriceList:
    """Prices as they are and as they should be, with the fits that they rest on.

    * `loadouts` and `cards`: by id.
    * `play`: how the ways of playing score against each other, and which are near the top.
    * `fair` and `card_costs`: by setting, the one in force first: what the verdicts rest on. Settings are named by
      their way of playing, and by what else they change.
    * `facets`: the settings that verdicts hold over, each told by its facets.
    * `tolerance`: by how much a cost may miss and be fair.
    """

    game: LoadedGame
    setting: ArmySetting
    seed: int
    loadouts: Mapping[str, LoadoutPrice]
    cards: Mapping[str, CardPrice]
    play: NearTop
    fair: Mapping[str, FairCosts]
    card_costs: Mapping[str, CardCosts]
    facets: tuple[Facets, ...] = ()
    tolerance: Tolerance = field(default_factory=Tolerance)

    def __repr__(self) -> str:
        """Return the game and the numbers of cards and loadouts: the frames are long."""
        return f"PriceList({self.game.definition.name}, {len(self.cards)} cards, {len(self.loadouts)} loadouts)"

    @property
    def main(self) -> CardCosts:
        """Card costs by the way of playing in force."""
        return next(iter(self.card_costs.values()))

    @cached_property
    def scale(self) -> Scale:
        """Slope of log fair on log printed cost: whether a point is worth the same in dear and in cheap loadouts."""
        return price_scale(self.main.entries, all(price.verdict == "fair" for price in self.loadouts.values()))

    @property
    def n_battles(self) -> int:
        """Battles that were played in the setting in force."""
        return next(iter(self.fair.values())).n_battles


def army_setting(
    game: LoadedGame,
    kind: str = "",
    changes: Sequence[str] = (),
    budgets: Sequence[tuple[float, float]] | None = None,
    *,
    names: Sequence[str] | None = None,
    buys_all: bool = True,
    option: str = "§budget=",
) -> ArmySetting:
    """Return where prices are judged: the first question kind in which armies meet, at budgets as the rules pair them.

    `names`, `buys_all` and `option` are as in `check_budgets`. Raise UsageError where armies do not meet in this game,
    budgets are not rising or buy too little, or somebody costs nothing.
    """
    kind_name = kind or meeting_kind(game)
    armies = game.definition.kinds[kind_name].armies if kind_name in game.definition.kinds else None
    if armies is None:
        able = [name for name, question in game.definition.kinds.items() if question.armies is not None]
        tip = f"they do in {', '.join(able)}" if able else "prices need that"
        raise UsageError(f"armies of any members do not meet in {game.definition.name}'s {kind_name!r}", tip)
    costs = priced_members(game, kind_name)
    scales = [(float(points), float(units)) for points, units in budgets or armies.scales(game.catalogue)]
    if not scales:
        typical = float(np.median(list(costs.values())))
        scales = [(typical * points, units) for points, units in TYPICAL_UNITS]
        scales[-1] = (max(scales[-1][0], max(costs.values())), scales[-1][1])
    if any(later[0] <= sooner[0] for sooner, later in pairwise(scales)) or scales[0][0] <= 0:
        raise UsageError(f"budgets rise, found {', '.join(f'{points:g}' for points, _ in scales)}")
    check_budgets(game, kind_name, scales, names, buys_all=buys_all, option=option)
    return ArmySetting(kind_name, tuple(scales), tuple(changes))


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
    early: Callable[[FairCosts], None] | None = None,
) -> PriceList:
    """Return what every loadout and card should cost, by default in the setting of `army_setting` and for all entrants.

    `tolerance`, `keep` and `min_cost` are as in `price_verdicts` and `fit_card_costs`; `n_battles` is as in
    `fair_costs`, for every way of playing, and `early` for the one in force, which comes first. Raise UsageError where
    armies do not meet in this game, or the prices are not of the kind that can be judged.
    """
    loaded_game, battle_setting = runner.game, setting or army_setting(runner.game)
    names = tuple(loaded_game.members_of(battle_setting.kind) if entrants is None else entrants)
    tolerance = tolerance or Tolerance.usual(costs_of(loaded_game, names).tolist())
    parts = priced_parts(loaded_game, names)
    cards = {part: card_of(loaded_game, part) for own_parts in parts for part in own_parts}
    costed_cards = known_cards(cards)
    check_kept([card.table for card in costed_cards.values()], keep)
    main = fair_costs(runner, battle_setting, seed, names, n_battles=n_battles, early=early)
    play = near_the_top(runner, battle_setting, seed, names)
    fair = _by_setting(runner, main, play, n_battles)

    settings = list(_pieces(loaded_game, battle_setting, fair))
    fits = {id(fit): fit for fit in (*fair.values(), *(piece for _, piece in settings))}
    card_costs = {at: fit_card_costs(price_entries(fit, parts, costed_cards), keep, min_cost)
                  for at, fit in fits.items()}  # fmt: skip
    hidden_fields = unseen_fields(loaded_game, battle_setting.kind, dict(zip(names, parts, strict=True)), cards)

    def judged(fit: FairCosts) -> PriceVerdicts:
        return price_verdicts(card_costs[id(fit)], parts, tolerance, fit.n_battles, hidden_fields)

    in_force, verdicts = judged(main), [(facets, judged(piece)) for facets, piece in settings]
    if len(names) == 1:
        alone = _alone(loaded_game.label(names[0]), in_force)
        in_force, verdicts = alone, [({}, alone)]
    loadouts = {
        name: joint_price(loaded_game.label(name), in_force.loadouts[name], [
            (facets, verdict.loadouts[name]) for facets, verdict in verdicts
        ], tolerance)
        for name in names
    }  # fmt: skip
    card_prices = _card_prices(dict(zip(names, parts, strict=True)), loadouts, cards, in_force, verdicts, tolerance)
    beside = _witnesses(runner, main, loadouts)
    return PriceList(
        loaded_game, battle_setting, seed,
        {name: LoadoutPrice(**vars(price), **beside.get(name, {})) for name, price in loadouts.items()},
        {name: CardPrice(**vars(price), **beside.get(name, {}), table=cards[name][0])
         for name, price in card_prices.items()},
        play, fair, {name: card_costs[id(fit)] for name, fit in fair.items()},
        tuple(facets for facets, _ in settings), tolerance,
    )  # fmt: skip


def _card_prices(
    parts: Mapping[str, Sequence[str]],
    loadouts: Mapping[str, Price],
    cards: Mapping[str, tuple[str, str, float | None]],
    in_force: PriceVerdicts,
    settings: Sequence[tuple[Facets, PriceVerdicts]],
    tolerance: Tolerance,
) -> dict[str, Price]:
    """Return the price of each card over all settings; one of which all loadouts are fair is settled by that."""
    unsettled = {part for name, price in loadouts.items() if price.verdict != "fair" for part in parts[name]}
    return {
        name: joint_price(
            cards[name][1], verdict, [(facets, verdicts.cards[name]) for facets, verdicts in settings], tolerance,
            is_settled=name not in unsettled,
        )
        for name, verdict in in_force.cards.items()
    }  # fmt: skip


def _witnesses(runner: Runner, main: FairCosts, loadouts: Mapping[str, Price]) -> dict[str, dict[str, Any]]:
    """Return by whom each is dominated that is never worth taking, where that contradicts no verdict on its price."""
    pairs = np.column_stack([main.fighters, main.printed_costs])
    _, first, of = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    members, costs = [main.entrants[at] for at in first.tolist()], main.printed_costs[first]
    spared = [name for name, price in loadouts.items() if price.as_proposed in (TOO_CHEAP, NOT_MEASURABLE)]
    witnesses = never_worth_taking(runner, main.setting, members, costs, main.seed, spared=spared)
    by_entrant = zip(main.entrants, [members[at] for at in of.ravel().tolist()], strict=True)
    return {
        name: {"dominated_by": (by.witness,), "lead": by.lead, "lead_error": by.error}
        for name, member in by_entrant
        if name not in spared and (by := witnesses.get(member)) is not None
    }


def _by_setting(runner: Runner, main: FairCosts, play: NearTop, n_battles: int | None) -> dict[str, FairCosts]:
    """Return fair costs by every way of playing near the top, and by every other option that is open.

    Those of the setting in force come first; the others start from these, with half as many battles.
    """
    setting, n_beside = main.setting, -(-(n_battles or usual_battles(len(set(main.fighters.tolist())))) // 2)
    first, *others = play.settings.items()
    settings = dict(others) | {
        f"{path.rpartition('.')[2]} {value}": replace(setting, changes=(*setting.changes, f"{path}={value}"))
        for path, values in open_options(runner.game, setting)
        for value in values[1:]
    }
    return {first[0]: main} | {
        name: fair_costs(runner, at, main.seed, main.entrants, n_battles=n_beside, start=main)
        for name, at in settings.items()
    }


def open_options(game: LoadedGame, setting: ArmySetting) -> list[tuple[str, tuple[str, ...]]]:
    """Return (path, values) of options over which verdicts have to hold, without those that the setting has fixed.

    The value in force is first.

    >>> from balance.game.loaded import load
    >>> open_options(load("warforged"), ArmySetting("lineup", ()))
    [('situation.actions', ('pool', 'per_unit'))]
    """
    armies = game.definition.kinds[setting.kind].armies
    fixed = {text.partition("=")[0] for text in setting.changes}
    return [] if armies is None else [option for option in armies.verdicts_over if option[0] not in fixed]


def _pieces(
    game: LoadedGame, setting: ArmySetting, fair: Mapping[str, FairCosts]
) -> Iterator[tuple[Facets, FairCosts]]:
    """Yield the facets and fair costs of every setting, at each budget alone where there are several."""
    options, ways = open_options(game, setting), [name for name, fit in fair.items() if _changes_nothing(setting, fit)]
    for name, fit in fair.items():
        facets = {PLAY: name if name in ways else ways[0]} if len(ways) > 1 else {}
        for path, values in options:
            chosen = [value for value in values if f"{path}={value}" in fit.setting.changes]
            facets[path.rpartition(".")[2]] = (chosen or values)[0].replace("_", " ")
        for piece in fit.by_budget or (fit,):
            points = piece.setting.budgets[0][0]
            yield facets | ({BUDGET: f"{points:g} {game.words.points}"} if fit.by_budget else {}), piece


def _changes_nothing(setting: ArmySetting, fit: FairCosts) -> bool:
    """Return whether fair costs differ from the setting in nothing but the way of playing."""
    return fit.setting.changes == setting.changes


def card_of(game: LoadedGame, part: str) -> tuple[str, str, float | None]:
    """Return (table, name, cost) of a part; one that is no card with a cost is an entrant, in the table ""."""
    table, name, cost = find_card(game, part)
    return (table, name, cost) if cost is not None else ("", game.label(part), float(game.cost_points(part)))


def known_cards(cards: Mapping[str, tuple[str, str, float | None]]) -> dict[str, Card]:
    """Return the table and cost of each card that has a cost."""
    return {part: Card(table, cost) for part, (table, _, cost) in cards.items() if cost is not None}


def early_price(game: LoadedGame, fair: FairCosts, name: str) -> tuple[float, float, float]:
    """Return the fair cost of a card or loadout by the rounds so far, with the ends of its 95 % interval."""
    parts = priced_parts(game, fair.entrants)
    costed_cards = known_cards({part: card_of(game, part) for own_parts in parts for part in own_parts})
    verdicts = price_verdicts(fit_card_costs(price_entries(fair, parts, costed_cards)), parts)
    own_parts = verdicts.cards[name] if name in verdicts.cards else verdicts.loadouts[name]
    return own_parts.fair, own_parts.low, own_parts.high


def _alone(label: str, verdicts: PriceVerdicts) -> PriceVerdicts:
    """Return the verdicts on a single entrant, "not measurable here", as points are only compared with others'."""
    reason = f"{label} alone cannot be judged: points are only compared with those of another"
    return PriceVerdicts(
        *(
            {name: replace(verdict, verdict=NOT_MEASURABLE, because=reason) for name, verdict in by_name.items()}
            for by_name in (verdicts.loadouts, verdicts.cards)
        )
    )


def unseen_fields(
    game: LoadedGame,
    kind: str,
    entrants: Mapping[str, tuple[str, ...]],
    cards: Mapping[str, tuple[str, str, float | None]],
) -> dict[str, dict[str, object]]:
    """Return for every card and entrant its fields that this setting cannot see, with their values.

    `entrants` is id -> ids of its parts; `cards` is id -> (table, name, cost).
    """
    armies = game.definition.kinds[kind].armies
    hidden = armies.irrelevant_fields if armies is not None else ()
    fields: dict[str, dict[str, object]] = {}
    for part, (table, _, _) in cards.items():
        own = {(table, part)} if table else cards_of(game, part) if part in entrants else set()
        entries = [game.catalogue.tables[name][card].model_dump(mode="json") for name, card in sorted(own) if name]
        fields[part] = {label: value for entry in entries for label, value in _hidden(entry, hidden)}
    for name, parts in entrants.items():
        fields.setdefault(name, {
            f"{part} {label}" if len(parts) > len(set(map(_table_of(cards), parts))) else label: value
            for part in parts for label, value in fields[part].items()
        })  # fmt: skip
    return fields


def _table_of(cards: Mapping[str, tuple[str, str, float | None]]) -> Any:
    return lambda part: cards[part][0]


def _hidden(entry: Mapping[str, Any], hidden: Sequence[str]) -> list[tuple[str, object]]:
    """Return (field, value) of an entry's hidden fields; for a hidden "field: word", whether the list has the word."""
    fields: list[tuple[str, object]] = []
    for text in hidden:
        name, _, value = (part.strip() for part in text.partition(":"))
        if name in entry:
            fields.append((value or name.replace("_", " "), value in entry[name] if value else entry[name]))
    return fields
