"""Armies of equal points: the best that a search finds, and what would make all of them fair."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, UsageError
from balance.base.numbers import EVEN_BAND
from balance.base.progress import Forecast, tell
from balance.playtests.shares import Band, band_text, parse_band_around_half
from balance.verbs.call import parameters
from balance.verbs.call.means import ALL_CORES, means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    MOST_POINTS,
    MOST_UNITS,
    Names,
    budgets_of,
    changes_of,
    check_new_file,
    choices_of,
    names_of,
    open_game,
    parse_budgets,
)

if TYPE_CHECKING:
    from balance.analysis.armies.best_army import BestArmy
    from balance.analysis.armies.legal_armies import RandomArmies
    from balance.analysis.changes.tuning.answer import FewestChanges
    from balance.analysis.changes.tuning.score_forecast import Target


@verb
def army(
    game: parameters.Game,
    budget: Annotated[
        str | float | tuple[float, int],
        Parameter("What the army may cost; its unit limit may follow, as in §limit.", "POINTS[:UNITS]", is_option=True),
    ],
    *,
    limit: Annotated[
        int | None,
        Parameter(
            "Units that it may have, and actions per turn where those are a pool (default: as the rules pair it "
            "with the budget).",
            "UNITS",
        ),
    ] = None,
    against: Annotated[
        str | None, Parameter("The army that it should beat, legal or not (default: random legal armies).", "ARMY")
    ] = None,
    random: Annotated[
        int | None, Parameter("Print N random legal armies instead, one per line.", "N", low=1, high=100000)
    ] = None,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[BestArmy] | Result[RandomArmies]:
    """Find the best army for a budget, or draw random legal ones.

    Returns
    -------
    Result
        Its `value` has the armies, such as `value.best.army` and `value.best.score.low`, or of random ones
        `value.armies[0].cost_points`; its table is `armies`, the best first.

    Raises
    ------
    BalanceError
        The budget buys nobody, armies do not meet in this game, or a word makes no sense.

    Examples
    --------
    >>> import balance
    >>> balance.army("warforged", 20, random=1).to_polars().rows()
    [('trooper+sidearm', 15.0, 1)]
    """
    from balance.analysis.armies.best_army import best_army
    from balance.analysis.armies.legal_armies import random_armies, setting_at
    from balance.answers.form import Terms
    from balance.answers.words.armies import army as words
    from balance.answers.words.armies import random_armies as words_of_random
    from balance.chance.rolls.streams import check_seed

    check_seed(seed)
    if random is not None and against is not None:
        raise UsageError("§random draws armies and asks nothing of them, so §against is of no use beside it")
    points, units = _budget(budget, limit)
    opened_game = open_game(game, catalogue)
    setting = setting_at(opened_game, points, units, changes_of(set), tuple(choices_of(choose).items()))
    terms = Terms.of(opened_game, setting.kind)
    if random is not None:
        return as_result("army", random_armies(opened_game, setting, random, seed), words_of_random.WORDS, terms)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        return as_result("army", best_army(runner, setting, seed, against or ""), words.WORDS, terms)


def _budget(budget: str | float | tuple[float, int], limit: int | None) -> tuple[float, int | None]:
    """Return the points and the unit limit of a budget, the limit None where nobody named one.

    Raise UsageError for points or units outside what `parse_budgets` allows, or a limit that is named twice.
    """
    text = ":".join(f"{part:g}" for part in budget) if isinstance(budget, tuple) else str(budget)
    points, colon, _ = text.partition(":")
    whole: tuple[tuple[float, float], ...] = ()
    with suppress(UsageError):
        whole = parse_budgets(text if colon else f"{points}:1")
    if len(whole) != 1 or whole[0][1] != int(whole[0][1]):
        limits = f"at most {MOST_POINTS:,.0f} points and {MOST_UNITS:.0f} whole units"
        form = f"POINTS or POINTS:UNITS, {limits}"
        raise UsageError(Fault("is no budget of an army", "§budget", found=text, allowed=form, tip="such as 150:4"))
    if colon and limit is not None:
        raise UsageError(Fault("names a unit limit, and so does §limit", "§budget", found=text, tip="leave one out"))
    number = whole[0][0]
    return int(number) if number == int(number) else number, int(whole[0][1]) if colon else limit


# -- fewest changes ---------------------------------------------------------------------------------------------------


@verb
def tune(
    game: parameters.Game,
    *,
    band: Annotated[
        Band | None,
        Parameter(
            "The per cent between which every mean score should lie (default: as near to 45:55 as possible). A "
            "band that you name is a demand: if it is not met, nothing is written.",
            "LOW:HIGH",
        ),
    ] = None,
    first_mover: Annotated[
        float | None, Parameter("Another demand: going first adds at most this to the chance to win.", "P")
    ] = None,
    changes: Annotated[int, Parameter("How many numbers may change.", "K", low=1, high=20)] = 5,
    move: Annotated[
        Names,
        Parameter(
            "What may change: columns such as precision, paths such as weapons.*.cost_points, rules.* or "
            "constants.*; several separated by commas (default: all costs).",
            "FIELDS",
            of=list[str],
        ),
    ] = None,
    set: parameters.Set = None,
    budget: parameters.ArmyBudgets = None,
    out: Annotated[
        str | Path | None, Parameter("The patch to write.", "FILE.toml", is_served=False, is_output=True)
    ] = "tuned.toml",
    force: parameters.Force = False,
    nearest: Annotated[bool, Parameter("Write the nearest result where a demand is not met.")] = False,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[FewestChanges]:
    """Find the fewest and smallest changes that make armies of equal points fair, and write them as a patch.

    Returns
    -------
    Result
        Its `value` has what should change and what that does, such as `value.changes[0].to` and `value.after.spread`,
        and its `broken_limits` are demands that are not met; its tables are `scores` after and before, and `changes`.

    Raises
    ------
    BalanceError
        Armies do not meet in this game, a word makes no sense, or the patch cannot be written.
    """
    from balance.analysis.changes.tuning.duration import tune_parts
    from balance.analysis.changes.tuning.tune import tune as fewest_changes
    from balance.analysis.prices.asked import army_setting
    from balance.answers.form import Terms
    from balance.answers.words.armies import tune as words
    from balance.answers.words.changes.patches import written
    from balance.base.files import write_whole
    from balance.chance.rolls.streams import check_seed

    seed, target, file = check_seed(seed), _target(band, first_mover), None if out is None else Path(out)
    if file is not None:
        check_new_file(file, "§out", "a patch", [".toml"], force)
    opened_game = open_game(game, catalogue)
    setting = army_setting(opened_game, changes=changes_of(set), budgets=budgets_of(budget))
    forecast = Forecast(tune_parts(opened_game, setting), tell)
    fields = [word for word in names_of(move) or [] if word]
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet, forecast) as runner:
        answer = fewest_changes(runner, setting, target, changes, fields, seed).answer()
    demand = "" if band is None and first_mover is None else words.unmet_demand(answer)
    if file is not None and answer.changes and (nearest or not demand):
        write_whole(file, words.patch(answer, opened_game.definition.called).encode())
        patch = written(file, opened_game)
        answer = replace(answer, patch=patch.file, compare=patch.compare, apply=patch.apply, again=patch.again)
    terms = Terms.of(opened_game, setting.kind)
    return as_result("tune", answer, words.WORDS, terms, broken_limits=(demand,) if demand else ())


def _target(band: Band | None, first_mover: float | None) -> Target:
    """Return the band of every mean score, EVEN_BAND for None, with how much going first may add (a share, or None).

    Raise UsageError for a share that is not between 0 and 1.
    """
    from balance.analysis.changes.tuning.score_forecast import Target

    low, high = EVEN_BAND if band is None else parse_band_around_half(band_text(band))
    if first_mover is not None and not 0 < first_mover < 1:
        form = "a share between 0 and 1, such as 0.05"
        raise UsageError(Fault("is no chance to win", "§first_mover", found=f"{first_mover:g}", allowed=form))
    return Target(low, high, first_mover)
