"""`balance.price` and `balance.card`: fair costs of cards, and what every small change of a card does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, UsageError, gathering
from balance.base.numbers import show_interval, show_probability
from balance.base.paths import short_path
from balance.base.progress import Forecast, tell, tell_estimate
from balance.verbs.call import parameters
from balance.verbs.call.means import ALL_CORES, means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    Budgets,
    Choices,
    Names,
    budgets_of,
    changes_of,
    check_new_file,
    choices_of,
    names_of,
    open_game,
    parse_tolerance,
    who_is_nobody,
)

if TYPE_CHECKING:
    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.changes.neighbours.card_changes import CardChanges
    from balance.analysis.changes.neighbours.price_card import PriceOfCard
    from balance.analysis.prices.answer import Prices
    from balance.analysis.prices.price_list import Fit, PriceList
    from balance.analysis.scores.usual_prices import Tolerance
    from balance.answers.form import Terms
    from balance.engine.runner import Runner
    from balance.game.loaded import LoadedGame
    from balance.game.question.choices import Changes

MOST_EARLY = 3
"""Costs that are told before all is worked out: those that seem to be furthest off."""


@verb
def price(
    game: parameters.Game,
    card: Annotated[
        str, Parameter("A card or a loadout (default: all of them, in brief).", "[CARD]", offers="priced_entries")
    ] = "",
    *,
    kind: Annotated[
        str,
        Parameter(
            "The kind of question in which armies meet (default: the game as its rulebook prints it).",
            "KIND",
            offers="meetings",
        ),
    ] = "",
    among: parameters.Loadouts = None,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    budget: parameters.ArmyBudgets = None,
    battles: Annotated[
        int | None,
        Parameter(
            "Battles for each loadout in a round (default: 300, more where there are few loadouts).",
            "N",
            low=100,
            high=1000000,
        ),
    ] = None,
    changes: Annotated[
        int | None,
        Parameter("How many costs a proposal may change at most (default: as many as are off).", "K", low=1, high=20),
    ] = None,
    tolerance: parameters.PriceTolerance = None,
    keep: Annotated[
        str | None,
        Parameter(
            "The table whose costs stay, such as units, where a loadout's cost is split between its cards "
            "(default: the costs of all cards change as little as can be).",
            "TABLE",
        ),
    ] = None,
    min_cost: Annotated[int, Parameter("The least cost of a card.", "POINTS", low=0, high=1000000)] = 1,
    patch: Annotated[
        str | Path | None,
        Parameter(
            "Write the costs proposed as a patch, if there are any.", "FILE.toml", is_served=False, is_output=True
        ),
    ] = None,
    force: parameters.Force = False,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Prices] | Result[PriceOfCard]:
    """Work out what every card and loadout should cost, or one of them, by playing armies of equal points.

    Returns
    -------
    Result
        Its `value` has prices by id, such as `value.cards["shotgun"].fair`, or of one card its `value.price`; its
        tables are `cards` and `loadouts`, or of one card `alternatives`, `steps` and `readings`.

    Raises
    ------
    BalanceError
        There is no such card, armies do not meet in this game, or a word makes no sense.
    """
    from balance.analysis.armies.meeting import leading_kind
    from balance.analysis.changes.neighbours.price_card import other_numbers, price_card
    from balance.analysis.changes.neighbours.priced_item import check_priced
    from balance.analysis.changes.tuning.duration import price_parts
    from balance.analysis.changes.tuning.movable import cost_paths
    from balance.analysis.prices.price_list import price_list, settings_beside
    from balance.analysis.prices.proposals import answer_of, cost_proposal
    from balance.answers.form import Terms
    from balance.answers.words.prices import card_price
    from balance.answers.words.prices import price_list as words
    from balance.chance.rolls.streams import check_seed

    seed, margin = check_seed(seed), parse_tolerance(tolerance)
    _check_words(card, among, changes, patch)
    file = _new_patch(patch, force)
    opened_game = open_game(game, catalogue)
    field = field_of(opened_game, among)
    setting = meeting_of(opened_game, kind or leading_kind(opened_game), budget, set, choose, names=field)
    paths = {} if file is None else cost_paths(opened_game, field or opened_game.members_of(setting.kind))
    if card:
        check_priced(opened_game, setting.kind, card)
    terms = Terms.of(opened_game, setting.kind)
    forecast = Forecast(price_parts(opened_game, setting, bool(card), field), tell)
    early = partial(_tell_early, opened_game, card)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet, forecast) as runner:
        prices = price_list(
            runner, setting, seed, entrants=field, tolerance=margin, keep=keep, min_cost=min_cost, n_battles=battles,
            beside=settings_beside(opened_game, setting), early=early,
        )  # fmt: skip
        if card:
            bench = _bench(runner, prices, margin, min_cost)
            return as_result("price", price_card(runner, bench, card, seed, leading=prices), card_price.WORDS, terms)
        proposal = cost_proposal(runner, prices, min_cost, changes)
        numbers = other_numbers(runner, prices, partial(_bench, runner, prices, margin, min_cost), seed)
    answer = replace(answer_of(prices, proposal), other_numbers=numbers)
    return as_result("price", _with_patch(answer, file, paths, opened_game, terms), words.WORDS, terms)


def _bench(runner: Runner, prices: PriceList, margin: Tolerance | None, min_cost: float) -> PriceList:
    """Return the list in whose setting changes of cards are tried: these prices, or those of armies of equal points."""
    from balance.analysis.armies.meeting import meeting_kind
    from balance.analysis.prices.price_list import price_list

    if not prices.setting.is_legal:
        return prices
    setting = meeting_of(runner.game, meeting_kind(runner.game), None, None, None)
    names = tuple(prices.loadouts)
    return price_list(runner, setting, prices.seed, entrants=names, tolerance=margin, min_cost=min_cost)


def _new_patch(patch: str | Path | None, force: bool) -> Path | None:
    """Return the file of a patch that is to be written; raise OutputError or UsageError where it cannot be."""
    if patch is not None:
        check_new_file(Path(patch), "§patch", "a patch", [".toml"], force)
    return None if patch is None else Path(patch)


def _with_patch(prices: Prices, file: Path | None, paths: Mapping[str, str], game: LoadedGame, terms: Terms) -> Prices:
    """Write the costs proposed, if there are any, into a file, if one is asked for; `paths` says where each stands."""
    from balance.analysis.prices.answer import PatchFile
    from balance.answers.words.changes.patches import cost_patch, proposed_costs, written
    from balance.answers.words.prices.price_list import sentence
    from balance.base.files import write_whole

    if file is None:
        return prices
    if not proposed_costs(prices):
        return replace(prices, patch=PatchFile(short_path(file), None, None, None))
    write_whole(file, cost_patch(prices, paths, sentence(prices, terms), terms).encode())
    return replace(prices, patch=written(file, game))


def _check_words(card: str, among: Names, changes: int | None, patch: str | Path | None) -> None:
    """Raise UsageError for --changes, --patch or --among, which are about many cards, beside one card."""
    for word, value in (("changes", changes), ("patch", patch)):
        if card and value is not None:
            raise UsageError(f"§{word} is about all cards together, found {card!r} beside it", "leave one of them out")
    if card and among is not None:
        raise UsageError(f"§among prices a part of the game, found {card!r} beside it", "leave one of them out")


def field_of(game: LoadedGame, among: Names) -> list[str] | None:
    """Return the ids of a field, each once, None for None; raise UsageError for names that are nobody's.

    >>> from balance.game.loaded import load
    >>> field_of(load("warforged"), "nexus+shotgun, trooper+shotgun, nexus+shotgun")
    ['nexus+shotgun', 'trooper+shotgun']
    """
    names = names_of(among)
    if names is None:
        return None
    if faults := who_is_nobody(game, names):
        raise UsageError(faults)
    return list(dict.fromkeys(names))


def _tell_early(game: LoadedGame, card: str, fair: Fit) -> None:
    """Tell first estimates of the fair cost of a card, or of those furthest off, by the rounds that are finished.

    A cost hangs on those of all others, so that no round can do with fewer members; but the first rounds are short.
    """
    from balance.analysis.prices.price_list import early_prices
    from balance.analysis.prices.verdicts import show_cost

    prices = early_prices(game, fair)
    of = prices.cards | prices.loadouts if card else prices.loadouts
    off = sorted(prices.loadouts, key=lambda name: -abs(math.log(of[name].fair / of[name].cost)))
    costs = (
        f"{name} {show_cost(of[name].fair)} ({show_interval(of[name].dice_low, of[name].dice_high, show_cost)})"
        for name in ([card] if card else off[:MOST_EARLY])
    )
    tell_estimate(f"{', '.join(costs)}, {fair.n_battles:,} battles")


@verb
def card(
    game: parameters.Game,
    card: Annotated[str, Parameter("A card, or an entrant that holds several.", "CARD", offers="priced_entries")],
    *,
    among: Annotated[
        Names, Parameter("Its opponents, separated by commas (default: 12 drawn by the seed).", "IDS")
    ] = None,
    set: parameters.Set = None,
    points: Annotated[
        bool, Parameter("Also show what each change is worth in points; this takes a minute or more.")
    ] = False,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[CardChanges]:
    """Work out what every small change of a card does, and what two abilities do together.

    Returns
    -------
    Result
        Its `value` has the changes, such as `value.changes[0].score.low`; its tables are `changes`, the best first, and
        `pairs` of abilities where there are any.

    Raises
    ------
    BalanceError
        There is no such card, or somebody of the field is nobody.

    Examples
    --------
    >>> import balance
    >>> changes = balance.card("warforged", "trooper+shotgun", among="aegis+sidearm", cache=False).to_polars()
    >>> changes["change"][0]
    'with rapid_fire'
    """
    from balance.analysis.changes.neighbours.card_changes import answer_of
    from balance.analysis.changes.neighbours.neighbours import neighbourhood
    from balance.answers.form import Terms
    from balance.answers.words.prices import card as words
    from balance.chance.rolls.streams import check_seed

    faults, opened_game, field = list[Fault](), None, names_of(among) or []
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        opened_game = open_game(game, catalogue)
        faults += _unknown(opened_game, card, field)
    if faults or opened_game is None:
        raise UsageError(faults)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        around = neighbourhood(runner, card, field, changes_of(set), seed)
        score = around.score
        interval = show_interval(score.low, score.high, show_probability)
        tell_estimate(f"{card} scores {show_probability(score.value)} ({interval})")
        worth = None
        if points:
            from balance.analysis.changes.neighbours.neighbour_points import neighbour_points  # loads what battles need

            worth = neighbour_points(runner, around, seed)
    terms = Terms.of(opened_game, opened_game.definition.name_about("winner"))
    return as_result("card", answer_of(opened_game, around, worth, seed), words.WORDS, terms)


def _unknown(game: LoadedGame, card: str, field: Sequence[str]) -> list[Fault]:
    """Return the faults of a card that no entrant holds, and of members of a field that are no entrants."""
    from balance.analysis.changes.neighbours.neighbours import holders_of

    faults = list[Fault]()
    with gathering(faults):
        holders_of(game, card, 0)
    return [*faults, *who_is_nobody(game, field)]


def meeting_of(
    game: LoadedGame,
    kind: str,
    budget: Budgets,
    changes: Changes | str,
    choices: Choices,
    *,
    names: Sequence[str] | None = None,
    buys_all: bool = True,
) -> ArmySetting:
    """Return where armies meet, in the first kind with armies where `kind` is empty; raise UsageError with all faults.

    Without a budget, points and unit limits are as the rules pair them; `names` and `buys_all` say what they have to
    buy, as `check_budgets` takes them.
    """
    from balance.analysis.prices.asked import army_setting

    faults, budgets, setting, choice_values = list[Fault](), None, None, dict[str, str]()
    with gathering(faults):
        budgets = budgets_of(budget)
    with gathering(faults):
        choice_values = choices_of(choices)
    with gathering(faults):
        setting = army_setting(game, kind, changes_of(changes), budgets, names=names, buys_all=buys_all)
        setting = replace(setting, choices=tuple(choice_values.items()))
        try_meeting(game, setting)
    if faults or setting is None:
        raise UsageError(faults)
    return setting


def try_meeting(game: LoadedGame, setting: ArmySetting) -> None:
    """Open an arena of one member with a setting, which raises BalanceError at once for all that is wrong with it."""
    game.arena(setting.kind, game.members_of(setting.kind)[:1], setting.changes, **dict(setting.choices))
