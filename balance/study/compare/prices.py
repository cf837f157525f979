"""What entrants should cost before and after a change, side by side: a seam for whoever knows how to tell a fair cost.

A *pricing* is told one side of a change and returns one row per setting and entrant that it can judge: the id of the
`setting`, `entrant`, `cost` as printed, `fair` with `fair_low` and `fair_high` in points (null where it cannot be
told), and `verdict` in words. Cards may be among them by their ids; a card that is an entrant by itself is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import polars as pl

from balance.analysis.armies.meeting import meeting_kind
from balance.analysis.prices.price_list import price_list
from balance.engine.answers import AnswerStore
from balance.engine.runner import Engine, Runner
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import economies_of, meeting_of
from balance.study.settings.economies import Economy
from balance.study.settings.settings import Study

N_BATTLES = 400
"""Battles for each member: two sides are judged, and their errors move together."""
Pricing: TypeAlias = Callable[[LoadedGame], pl.DataFrame]
KEY = "setting", "entrant"
PRICE_COLUMNS = ("cost", "fair", "fair_low", "fair_high", "verdict")
"""What is told of an entrant on either side."""


def army_prices(
    study: Study, sides: Sequence[LoadedGame], engine: Engine | None = None, answers: AnswerStore | None = None
) -> Pricing | None:
    """Return the pricing by armies of equal points, in every setting of a study, on the same seed for each side.

    What was found is kept in `answers`, if there are such. None where armies are not made of the study's entrants, or
    where somebody costs nothing.

    Parameters
    ----------
    study
        The study whose economies and entrants are judged.
    sides
        The game before and after the change.
    engine
        Plays the battles; this process alone does without it.
    answers
        Where answers are kept; nowhere without it.
    """
    economies, kinds = economies_of(study, sides[0]), sides[0].definition.kinds
    names = [study.choose(side) for side in sides]
    if not economies or len(names[0]) < 2 or len(names[1]) < 2:
        return None
    armies = kinds[meeting_kind(sides[0])].armies
    if armies is None or armies.member != kinds[study.settings.level].takes[0]:
        return None
    if any(side.cost_points(name) <= 0 for side, entrants in zip(sides, names, strict=True) for name in entrants):
        return None
    return partial(_by_armies, study, economies, engine, answers)


def _by_armies(
    study: Study, economies: Sequence[Economy], engine: Engine | None, answers: AnswerStore | None, game: LoadedGame
) -> pl.DataFrame:
    with Runner(game, engine, answers=answers) as runner:
        return pl.concat([_in_setting(study, economy, runner) for economy in economies])


def _in_setting(study: Study, economy: Economy, runner: Runner) -> pl.DataFrame:
    setting, seed = meeting_of(economy, runner.game, study.changes), study.settings.seed
    prices = price_list(runner, setting, seed, entrants=study.choose(runner.game), n_battles=N_BATTLES)
    columns = {"cost_points": "cost", "fair_points": "fair", "low": "fair_low", "high": "fair_high"}
    sides = [prices.cards.rename({"card": "entrant", **columns}), prices.loadouts.rename(columns)]
    tables = [frame.select(pl.lit(economy.id).alias("setting"), "entrant", *PRICE_COLUMNS) for frame in sides]
    return pl.concat(tables).unique("entrant", maintain_order=True)


def compare_prices(pricing: Pricing, before: LoadedGame, after: LoadedGame) -> pl.DataFrame:
    """Return what entrants should cost on both sides of a change.

    Parameters
    ----------
    pricing
        Tells of one side what entrants should cost.
    before
        The game before the change.
    after
        The game after it.

    Returns
    -------
    polars.DataFrame
        `setting`, `entrant`, then `cost_before`, `fair_before`, `fair_low_before`, `fair_high_before`,
        `verdict_before` and the same with `_after`: one row per setting and entrant that is judged on both sides, in
        the order of the first.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> game = load("warforged")
    >>> def as_printed(loaded):
    ...     cost = float(loaded.cost_points("nexus+shotgun"))
    ...     row = {"entrant": "nexus+shotgun", "cost": cost, "fair": cost, "fair_low": cost, "fair_high": cost}
    ...     return pl.DataFrame([row | {"setting": "pool", "verdict": "fair"}])
    >>> compare_prices(as_printed, game, game).select("entrant", "fair_before", "verdict_after").row(0)
    ('nexus+shotgun', 34.0, 'fair')
    """
    old, new = (
        pricing(game).select(*KEY, pl.col(PRICE_COLUMNS).name.suffix(f"_{side}"))
        for side, game in (("before", before), ("after", after))
    )
    return old.join(new, on=KEY, how="inner", maintain_order="left")
