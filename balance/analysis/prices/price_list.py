"""What everything should cost, where armies of equal points meet, and what can be said of the prices as they are.

Fair costs of loadouts (`fair_costs`) are taken apart into costs of cards (`card_costs`) and judged (`price_verdicts`),
once for every way of playing near the top of the ladder: a verdict counts only if it is the same for all of them, else
it *depends on play*. Who is never worth taking is seen in duels, whatever it costs (`witnesses`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.armies.meeting import meeting_kind, priced_members
from balance.analysis.armies.play_ladder import NearTop, near_the_top
from balance.analysis.dominance.dominated_cards import dominated_cards
from balance.analysis.dominance.witnesses import witnesses
from balance.analysis.prices.card_costs import CardCosts, fit_card_costs
from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.fair_costs import N_BATTLES, FairCosts, fair_costs
from balance.analysis.prices.scale import Scale, price_scale
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE, PriceVerdict, PriceVerdicts, price_verdicts
from balance.analysis.scores.cards import find_card, priced_parts
from balance.analysis.scores.scores import read_scores
from balance.analysis.scores.tables import duel_table
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

DEPENDS_ON_PLAY = "depends on play"
TYPICAL_UNITS = ((4.0, 4.0), (10.0, 10.0))
"""Budgets for a game whose rules pair none: what so many typical members cost, and so many units."""
Columns = dict[str, pl.DataType | type[pl.DataType]]
PRICE_COLUMNS: Columns = {
    "label": pl.String,
    **dict.fromkeys(("cost_points", "fair_points", "low", "high"), pl.Float64),
    **dict.fromkeys(("verdict", "because"), pl.String),
    "dominated_by": pl.List(pl.String),
}
LOADOUTS: Columns = {"entrant": pl.String, **PRICE_COLUMNS}
CARDS: Columns = {"table": pl.String, "card": pl.String, **PRICE_COLUMNS}


@dataclass(frozen=True)
class PriceList:
    """Prices as they are and as they should be.

    Attributes
    ----------
    game, setting, seed
        Of which game, where, and how it was had.
    loadouts
        One row for each entrant: `entrant`, `label`, `cost_points`, `fair_points`, `low` and `high` (95 % for each
        alone), `verdict` and `because`, and `dominated_by`: who makes it never worth taking in duels, null for nobody.
    cards
        The same of every card, with its `table`.
    play
        How the ways of playing score against each other, and which are near the top.
    fair, card_costs
        By way of playing, the one in force first: what the verdicts rest on.
    tolerance
        By how much a cost may miss and be fair.
    """

    game: LoadedGame
    setting: ArmySetting
    seed: int
    loadouts: pl.DataFrame
    cards: pl.DataFrame
    play: NearTop
    fair: Mapping[str, FairCosts]
    card_costs: Mapping[str, CardCosts]
    tolerance: Tolerance = field(default_factory=Tolerance)

    def __repr__(self) -> str:
        """Return of how much it holds the prices: its frames and its game are long."""
        return f"PriceList({self.game.definition.name}, {len(self.cards)} cards, {len(self.loadouts)} loadouts)"

    @property
    def main(self) -> CardCosts:
        """What the way of playing in force comes to."""
        return next(iter(self.card_costs.values()))

    @cached_property
    def scale(self) -> Scale:
        """Whether a point is worth the same in what is dear as in what is cheap."""
        return price_scale(self.main.entries, bool((self.loadouts["verdict"] == "fair").all()))


def army_setting(
    game: LoadedGame,
    kind: str = "",
    changes: Sequence[str] = (),
    budgets: Sequence[tuple[float, float]] | None = None,
    *,
    names: Sequence[str] | None = None,
    buys_all: bool = True,
    option: str = "--budget ",
) -> ArmySetting:
    """Return where prices are judged: the first question kind in which armies meet, at budgets as the rules pair them.

    Parameters
    ----------
    names, buys_all, option
        Of whom armies are made, whether the prices of all of them are judged, and how budgets are given; see
        `check_budgets`.

    Raises
    ------
    UsageError
        Armies do not meet in this game, budgets are not rising or buy too little, or somebody costs nothing.
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
    n_battles: int = N_BATTLES,
    early: Callable[[FairCosts], None] | None = None,
) -> PriceList:
    """Return what every loadout and card should cost.

    Parameters
    ----------
    runner
        With the catalogue whose prices are judged.
    setting
        Where; by default as `army_setting` has it.
    entrants
        Those that armies are made of; all of the game by default.
    tolerance, keep
        As `price_verdicts` and `fit_card_costs` take them.
    n_battles
        As for `fair_costs`, for every way of playing.
    early
        As for `fair_costs`, for the way of playing in force, which comes first.

    Raises
    ------
    UsageError
        Armies do not meet in this game, or the prices are not of the kind that can be judged.
    """
    loaded_game, battle_setting = runner.game, setting or army_setting(runner.game)
    names = tuple(loaded_game.members_of(battle_setting.kind) if entrants is None else entrants)
    tolerance = tolerance or Tolerance.usual(costs_of(loaded_game, names).tolist())
    parts = priced_parts(loaded_game, names)
    cards = {part: card_of(loaded_game, part) for own_parts in parts for part in own_parts}
    costed_cards = known_cards(cards)
    play, fair = _by_play(runner, battle_setting, seed, names, n_battles, early)
    card_costs = {name: fit_card_costs(price_entries(fit, parts, costed_cards), keep) for name, fit in fair.items()}
    hidden_fields = unseen_fields(loaded_game, battle_setting.kind, dict(zip(names, parts, strict=True)), cards)
    verdicts = {
        name: price_verdicts(fit, parts, tolerance, fair[name].n_battles, hidden_fields)
        for name, fit in card_costs.items()
    }
    return PriceList(
        loaded_game, battle_setting, seed,
        *_frames(loaded_game, names, cards, verdicts, _dominators(runner, names, battle_setting)),
        play, fair, card_costs, tolerance,
    )  # fmt: skip


def _frames(
    game: LoadedGame,
    names: tuple[str, ...],
    cards: Mapping[str, tuple[str, str, float | None]],
    verdicts: Mapping[str, PriceVerdicts],
    dominators: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a row for each loadout and one for each card, with the verdicts that all ways of playing share.

    Parameters
    ----------
    cards
        Part of a loadout -> (table, label, cost).
    verdicts
        Way of playing -> its verdicts.
    dominators
        Loadout -> ids of what dominates it, and the same of cards.
    """
    alone = len(names) == 1
    common = _alone(game.label(names[0]), next(iter(verdicts.values()))) if alone else _common_verdicts(verdicts)
    of_loadouts, of_cards = dominators
    loadouts = [
        {"entrant": name, "label": game.label(name)} | _row(common.loadouts[name], of_loadouts.get(name))
        for name in names
    ]
    rows = [
        {"table": cards[name][0], "card": name, "label": cards[name][1]} | _row(fit, of_cards.get(name))
        for name, fit in common.cards.items()
    ]
    return pl.DataFrame(loadouts, schema=LOADOUTS), pl.DataFrame(rows, schema=CARDS)


def _by_play(
    runner: Runner,
    setting: ArmySetting,
    seed: int,
    names: tuple[str, ...],
    n_battles: int,
    early: Callable[[FairCosts], None] | None,
) -> tuple[NearTop, dict[str, FairCosts]]:
    """Return fair costs by every way of playing near the top; that in force comes first, so that it is known early."""
    main = fair_costs(runner, setting, seed, names, n_battles=n_battles, early=early)
    play = near_the_top(runner, setting, seed, names)
    return play, {
        name: main if at == setting else fair_costs(runner, at, seed, names, n_battles=n_battles)
        for name, at in play.settings.items()
    }


def card_of(game: LoadedGame, part: str) -> tuple[str, str, float | None]:
    """Return (table, name, cost) of a part; one that is no card is an entrant.

    Parameters
    ----------
    game
        The game with its catalogue.
    part
        Id of a part of an entrant.
    """
    table, name, cost = find_card(game, part)
    return (table, name, cost) if cost is not None else ("", game.label(part), float(game.cost_points(part)))


def known_cards(cards: Mapping[str, tuple[str, str, float | None]]) -> dict[str, Card]:
    """Return the cards that have a cost, as prices of loadouts are taken apart into theirs."""
    return {part: Card(table, cost) for part, (table, _, cost) in cards.items() if cost is not None}


def early_price(game: LoadedGame, fair: FairCosts, name: str) -> tuple[float, float, float]:
    """Return what a card or loadout of a price list should cost by fair costs so far, with its 95 % interval.

    Parameters
    ----------
    game
        The game with its catalogue.
    fair
        Fair costs after the rounds so far.
    name
        Id of a card or loadout.
    """
    parts = priced_parts(game, fair.entrants)
    costed_cards = known_cards({part: card_of(game, part) for own_parts in parts for part in own_parts})
    verdicts = price_verdicts(fit_card_costs(price_entries(fair, parts, costed_cards)), parts)
    own_parts = verdicts.cards[name] if name in verdicts.cards else verdicts.loadouts[name]
    return own_parts.fair, own_parts.low, own_parts.high


def _row(verdict: PriceVerdict, witness: Sequence[str] | None) -> dict[str, Any]:
    ends = {"cost_points": verdict.cost, "fair_points": verdict.fair, "low": verdict.low, "high": verdict.high}
    words = {"verdict": verdict.verdict, "because": verdict.because}
    return ends | words | {"dominated_by": list(witness) if witness is not None else None}


def _common_verdicts(verdicts: Mapping[str, PriceVerdicts]) -> PriceVerdicts:
    """Return the verdicts by the way of playing in force, where all others near the top say the same."""
    first, *rivals = verdicts.values()
    ways = list(verdicts)
    return PriceVerdicts(
        {name: _whatever_play(ways, [verdict, *(rival.loadouts[name] for rival in rivals)])
         for name, verdict in first.loadouts.items()},
        {name: _whatever_play(ways, [verdict, *(rival.cards[name] for rival in rivals)])
         for name, verdict in first.cards.items()},
    )  # fmt: skip


def _alone(label: str, verdicts: PriceVerdicts) -> PriceVerdicts:
    """Return the verdicts where nobody else has a price."""
    reason = f"{label} alone cannot be judged: points are only compared with those of another"
    only = partial(replace, verdict=NOT_MEASURABLE, because=reason)
    return PriceVerdicts(
        *({name: only(verdict) for name, verdict in by_name.items()} for by_name in (verdicts.loadouts, verdicts.cards))
    )


def _whatever_play(ways: Sequence[str], verdicts: Sequence[PriceVerdict]) -> PriceVerdict:
    """Return the first verdict if all agree; what is known by one way and not by another is not yet known."""
    words = {way: verdict.verdict for way, verdict in zip(ways, verdicts, strict=True)}
    if len(set(words.values())) == 1 or verdicts[0].verdict == NOT_KNOWN:
        return verdicts[0]
    sure = {way: word for way, word in words.items() if word != NOT_KNOWN}
    reason = "; ".join(f"{word} if both sides play {way}" for way, word in words.items())
    return replace(verdicts[0], verdict=DEPENDS_ON_PLAY if len(set(sure.values())) > 1 else NOT_KNOWN, because=reason)


def unseen_fields(
    game: LoadedGame,
    kind: str,
    entrants: Mapping[str, tuple[str, ...]],
    cards: Mapping[str, tuple[str, str, float | None]],
) -> dict[str, dict[str, object]]:
    """Return of every card and entrant what it has that this setting cannot see.

    Parameters
    ----------
    game
        The game with its catalogue.
    kind
        The kind of question in which armies meet.
    entrants
        Id -> ids of its parts.
    cards
        Id -> (table, name, cost).
    """
    armies = game.definition.kinds[kind].armies
    hidden = armies.irrelevant_fields if armies is not None else ()
    fields: dict[str, dict[str, object]] = {}
    for part, (table, _, _) in cards.items():
        entry = game.catalogue.tables[table][part].model_dump(mode="json") if table else {}
        fields[part] = dict(_hidden(entry, hidden))
    for name, parts in entrants.items():
        fields.setdefault(name, {
            f"{part} {label}" if len(parts) > len(set(map(_table_of(cards), parts))) else label: value
            for part in parts for label, value in fields[part].items()
        })  # fmt: skip
    return fields


def _table_of(cards: Mapping[str, tuple[str, str, float | None]]) -> Any:
    return lambda part: cards[part][0]


def _hidden(entry: Mapping[str, Any], hidden: Sequence[str]) -> list[tuple[str, object]]:
    """Return what an entry holds of the fields, or the values of fields, that cannot be seen."""
    fields: list[tuple[str, object]] = []
    for text in hidden:
        name, _, value = (part.strip() for part in text.partition(":"))
        if name in entry:
            fields.append((value or name.replace("_", " "), value in entry[name] if value else entry[name]))
    return fields


def _dominators(
    runner: Runner, names: Sequence[str], setting: ArmySetting
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Return who and what is never worth taking in duels under these rules, with the ids of the witness."""
    game = runner.game
    rules = [text for text in setting.changes if text.startswith("rules.")]
    scores = read_scores(duel_table(runner, names, rules))
    costs = [float(game.cost_points(name)) for name in names]
    cards = dominated_cards(game, scores, costs)
    return {name: witness.ids for name, witness in witnesses(scores, costs).items()}, {
        name: witness.ids for name, witness in cards.items()
    }
