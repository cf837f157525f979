"""What a change does where armies of equal points meet: mean scores, the typical match-up, and verdicts on prices.

A duel asks nobody what it costs; so where armies are bought, this is what a change is judged by first.

What cards and entrants should cost is judged as `balance price` judges it, in the game as its rulebook prints it, on
the same seed on either side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import polars as pl

from balance.analysis.armies.before_after import MatchUps, play_match_ups
from balance.analysis.armies.meeting import meeting_kind
from balance.analysis.prices.asked import leading_setting
from balance.analysis.prices.price_list import price_list
from balance.analysis.scores.cards import cards_of, priced_parts
from balance.base.answers import records_of
from balance.base.arrays import BoolArray
from balance.engine.answers import AnswerStore
from balance.engine.query import override
from balance.engine.runner import Engine, Runner
from balance.game.loaded import LoadedGame
from balance.study.compare.answer import ArmyScore, CardChange, EqualPoints, PriceChange, TypicalChange
from balance.study.compare.change_effects import GLOBAL_TABLES, changed_cards
from balance.study.compare.standings import shared_entrants
from balance.study.frames.army_prices import economies_of, held_out, meeting_of
from balance.study.settings.economies import Economy
from balance.study.settings.settings import Study

SCORE_COLUMNS = ("before", "after", "difference", "low", "high")
SIDES = ("before", "after")
PRICE_COLUMNS = ("cost", "fair", "fair_low", "fair_high", "verdict")
"""What is said of a card or entrant on either side."""


def compare_armies(
    study: Study,
    before: LoadedGame,
    after: LoadedGame,
    engine: Engine | None = None,
    answers: AnswerStore | None = None,
) -> EqualPoints | None:
    """Return what a change does where armies of equal points meet, in every setting of a study.

    None where armies are not made of the study's entrants, where somebody costs nothing, or where nothing changes. Fair
    costs are kept in `answers`, nowhere without it.
    """
    economies, names = economies_of(study, before), shared_entrants(study, before, after)
    changes = tuple(changed_cards(before, after))
    if not changes or not _has_armies(study, before, after, economies, names):
        return None
    with Runner(before, engine, answers=answers) as old, Runner(after, engine, answers=answers) as new:
        concerns_all = _concerns_all(changes, before, after, names)
        match_ups = [_play(study, economy, old, new, names, concerns_all) for economy in economies]
        prices = compare_prices(study, old, new)
    scores = _scores(study, economies, match_ups, _groups(before, after, names))
    return EqualPoints(
        records_of(ArmyScore, scores.iter_rows(named=True)),
        tuple(_typical(economies, match_ups)),
        records_of(PriceChange, prices.iter_rows(named=True)),
    )


def _has_armies(
    study: Study, before: LoadedGame, after: LoadedGame, economies: Sequence[Economy], names: Sequence[str]
) -> bool:
    if not economies or len(names) < 2 or not {*names} <= {*before.members_of(meeting_kind(before))}:
        return False
    return all(game.cost_points(name) > 0 for game in (before, after) for name in study.choose(game))


def _concerns_all(changes: Sequence[CardChange], before: LoadedGame, after: LoadedGame, names: Sequence[str]) -> bool:
    """Return whether a change touches a rule, or a value of a card that no entrant contains.

    Whole cards that come or go concern nobody else.
    """
    own_cards = {card for game in (before, after) for name in names for card in cards_of(game, name)}
    return any(
        change.table in GLOBAL_TABLES or (bool(change.field) and (change.table, change.card) not in own_cards)
        for change in changes
    )


def _play(
    study: Study, economy: Economy, before: Runner, after: Runner, names: Sequence[str], concerns_all: bool
) -> MatchUps:
    setting = meeting_of(economy, before.game, study.changes)
    checked = replace(setting, budgets=held_out(economy, setting))
    return play_match_ups(before, after, checked, names, study.settings.seed, touches_all=concerns_all)


def _groups(before: LoadedGame, after: LoadedGame, names: Sequence[str]) -> dict[str, BoolArray]:
    """Return masks `bool[n]` of the entrants: of each card, those with it on both sides, then each entrant alone."""
    parts = [{*old} & {*new} for old, new in zip(*(priced_parts(game, names) for game in (before, after)), strict=True)]
    cards = dict.fromkeys(sorted(set().union(*parts)))
    groups = {card: np.array([card in own_parts for own_parts in parts]) for card in cards}
    return groups | {name: np.array([name == member for member in names]) for name in names}


def _scores(
    study: Study, economies: Sequence[Economy], match_ups: Sequence[MatchUps], groups: dict[str, BoolArray]
) -> pl.DataFrame:
    members = np.array(list(groups.values()))
    changes = [each.mean_scores(members) for each in match_ups]
    n_open = sum(int((change.errors > 0).sum()) for change in changes)
    width = NormalDist().inv_cdf(1 - (1 - study.settings.confidence) / 2 / max(n_open, 1))
    frames = []
    for economy, change in zip(economies, changes, strict=True):
        ends = [
            np.where(change.errors > 0, change.difference + sign * width * change.errors, np.nan) for sign in (-1, 1)
        ]
        columns = (change.before, change.after, change.difference, *ends)
        rows = {"setting": [economy.id] * len(groups), "entrant": list(groups)}
        frames.append(pl.DataFrame(rows | dict(zip(SCORE_COLUMNS, columns, strict=True))))
    return pl.concat(frames).with_columns(pl.col(SCORE_COLUMNS).fill_nan(None).round(12))


def _typical(economies: Sequence[Economy], match_ups: Sequence[MatchUps]) -> Iterator[TypicalChange]:
    for economy, each in zip(economies, match_ups, strict=True):
        off, errors = (values.tolist() for values in each.off())
        yield TypicalChange(economy.id, economy.title, *off, *errors)


def compare_prices(study: Study, before: Runner, after: Runner) -> pl.DataFrame:
    """Return what cards and entrants should cost on both sides of a change, one row for each judged on both.

    A card that is an entrant by itself comes once.
    """
    old, new = (
        prices_of(study, runner).select("entrant", pl.col(PRICE_COLUMNS).name.suffix(f"_{side}"))
        for side, runner in zip(SIDES, (before, after), strict=True)
    )
    return old.join(new, on="entrant", how="inner", maintain_order="left")


def prices_of(study: Study, runner: Runner) -> pl.DataFrame:
    """Return what cards and entrants of one side should cost, in the setting that leads: `entrant`, `PRICE_COLUMNS`."""
    leading = leading_setting(runner.game)
    setting = replace(leading, changes=override(study.changes(leading.kind), leading.changes))
    prices = price_list(runner, setting, study.settings.seed, entrants=study.choose(runner.game))
    columns = dict(zip(PRICE_COLUMNS, ("cost", "fair", "low", "high", "verdict"), strict=True))
    judged = {**prices.cards, **prices.loadouts, **prices.cards}  # who is a card and a loadout is told as a card
    return pl.DataFrame([
        {"entrant": name} | {column: getattr(price, field) for column, field in columns.items()}
        for name, price in judged.items()
    ])  # fmt: skip
