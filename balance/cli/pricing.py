"""`balance price`: what cards should cost where armies of equal points meet, and what one could change instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from balance.cli import completing, options
from balance.cli.exits import say_json
from balance.cli.playing import Cache, Executor, Means, NoCache, Scheduler, answering
from balance.cli.studies import ALL_CORES
from balance.cli.terminal import say
from balance.errors import Fault, UsageError, gathering
from balance.numbers import show_interval
from balance.progress import Forecast, tell

if TYPE_CHECKING:
    from balance.analysis.battles import ArmySetting
    from balance.analysis.fair_costs import FairCosts
    from balance.analysis.price_card import CardPrice
    from balance.analysis.price_list import PriceList
    from balance.analysis.prices import Tolerance
    from balance.protocol.loaded import LoadedGame

__all__ = ["TolerableText", "meeting_of", "parse_tolerance", "price", "try_meeting"]

_NUMBER = r"(\d{1,6}(?:[.,]\d{1,6})?)"
_TOLERANCE = re.compile(rf"{_NUMBER}\s*%?\s*:\s*{_NUMBER}", re.ASCII)
Card = Annotated[
    str, options.argument("[CARD]", "A card or a loadout; without it, all of them in brief.", completing.priced)
]
Most = Annotated[
    int | None,
    options.option(
        "--changes",
        metavar="K",
        told="Say too which whole costs of at most K cards to change, so that all come nearest to fair.",
        min=1,
        max=20,
    ),
]
TolerableText = Annotated[
    str | None,
    options.option(
        "--tolerance",
        metavar="PERCENT:POINTS",
        told="By how much of its cost a price may miss and be fair, and by how many points at least; 10:2 without it.",
    ),
]


def price(
    game: options.GameName,
    card: Card = "",
    changes: options.Changes = None,
    choices: options.Choices = None,
    budget: options.Budgets = None,
    most: Most = None,
    tolerance: TolerableText = None,
    more: options.More = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what everything should cost, or one card, and what could change instead."""
    from balance.analysis.foreseen import price_parts
    from balance.analysis.price_card import price_card
    from balance.analysis.price_list import price_list
    from balance.analysis.priced import check_priced
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    seed, allowed = check_seed(seed), parse_tolerance(tolerance)
    if card and most is not None:
        raise UsageError(f"--changes is about all cards together, found {card!r} beside it", "leave one of them out")
    loaded = load(game, catalogue)
    setting = meeting_of(loaded, "", budget, changes, choices)
    if card:
        check_priced(loaded, setting.kind, card)
    forecast = Forecast(price_parts(loaded, setting, bool(card)), tell)
    early = partial(_tell_early, forecast, loaded, card) if card and not (quiet or as_json) else None
    with answering(loaded, Means(jobs, executor, scheduler, cache, no_cache), quiet or as_json, forecast) as runner:
        prices = price_list(runner, setting, seed, tolerance=allowed, early=early)
        found = price_card(runner, prices, card, seed) if card else None
    _show(prices, found, most, more, as_json)


def _show(prices: PriceList, found: CardPrice | None, most: int | None, more: bool, as_json: bool) -> None:
    """Print the price of a card, or of all where there is none, with the few changes that were asked for."""
    from balance.analysis.price_changes import price_changes
    from balance.cli import price_json, price_text

    few = price_changes(prices, most) if most is not None else None
    if as_json:
        say_json(price_json.of_card(found, prices) if found is not None else price_json.of_list(prices, few))
    else:
        say(*(price_text.of_list(prices, few, more) if found is None else price_text.of_card(found, prices, more)))


def _tell_early(forecast: Forecast, loaded: LoadedGame, card: str, fair: FairCosts) -> None:
    """Let the line of progress say what a card should cost as far as it is known, long before all of it is done.

    Its cost hangs on those of all others, so that no round can do with fewer members; but the first rounds are short.
    """
    from balance.analysis.price_list import early_price
    from balance.analysis.price_verdicts import shown

    cost, low, high = early_price(loaded, fair, card)
    forecast.answer = f"about {shown(cost)} ({show_interval(low, high, shown)}) after {fair.n_battles:,} battles"


def parse_tolerance(text: str | None) -> Tolerance | None:
    """Read by how much a price may miss and be fair; None where nothing is said.

    Raises
    ------
    UsageError
        It is none.

    >>> parse_tolerance("10:2"), parse_tolerance("2,5%:1")
    (Tolerance(share=0.1, points=2.0), Tolerance(share=0.025, points=1.0))
    """
    from balance.analysis.prices import Tolerance

    if text is None:
        return None
    match = _TOLERANCE.fullmatch(text.strip())
    share, points = (float(word.replace(",", ".")) for word in match.groups()) if match else (0.0, 0.0)
    if match is None or share > 100 or points > options.MOST_POINTS:
        allowed = f"PERCENT:POINTS, up to 100 per cent and {options.MOST_POINTS:,.0f} points"
        raise UsageError(Fault("is no tolerance", "--tolerance", found=text, allowed=allowed, tip="such as 10:2"))
    return Tolerance(share / 100, points)


def meeting_of(
    loaded: LoadedGame,
    kind: str,
    budget: str | None,
    changes: list[str] | None,
    choices: list[str] | None,
    *,
    names: Sequence[str] | None = None,
    everybody: bool = True,
) -> ArmySetting:
    """Return where armies meet, checked before the long work begins; `kind` may be empty for the first that can.

    `names` and `everybody` say what the budgets have to buy, as `check_budgets` takes them.
    """
    from balance.analysis.price_list import army_setting
    from balance.cli.asking import chosen

    faults, budgets, found, picked = list[Fault](), None, None, dict[str, str]()
    with gathering(faults):
        budgets = options.parse_budgets(budget) if budget is not None else None
    with gathering(faults):
        picked = chosen(choices)
    with gathering(faults):
        found = army_setting(loaded, kind, tuple(changes or ()), budgets, names=names, everybody=everybody)
        found = replace(found, choices=tuple(picked.items()))
        try_meeting(loaded, found)
    if faults or found is None:
        raise UsageError(faults)
    return found


def try_meeting(loaded: LoadedGame, setting: ArmySetting) -> None:
    """Open an arena, so that whatever is wrong with a setting is said at once."""
    loaded.arena(setting.kind, loaded.members_of(setting.kind)[:1], setting.changes, **dict(setting.choices))
