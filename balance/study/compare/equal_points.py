"""What a change does where armies of equal points meet: mean scores, the typical match-up, and verdicts on prices.

A duel asks nobody what it costs; so where armies are bought, this is what a change is judged by first.

What cards and entrants should cost has one verdict each over all settings of a study. In every setting armies of equal
points are played on the same seed on either side. A verdict is firm only if it is the same in all settings; the range
of a fair cost is that over all of them, and the fair cost that of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import polars as pl

from balance.analysis.armies.before_after import MatchUps, play_match_ups
from balance.analysis.armies.meeting import meeting_kind
from balance.analysis.prices.fair_costs import N_BATTLES
from balance.analysis.prices.over_settings import joint_word
from balance.analysis.prices.price_list import open_options, price_list
from balance.analysis.scores.cards import cards_of, priced_parts
from balance.base.answers import records_of
from balance.base.arrays import BoolArray
from balance.engine.answers import AnswerStore
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
        prices = compare_prices(study, economies, old, new)
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


def compare_prices(study: Study, economies: Sequence[Economy], before: Runner, after: Runner) -> pl.DataFrame:
    """Return what cards and entrants should cost on both sides of a change, one row for each judged on both.

    A card that is an entrant by itself comes once. Of `economies` the one in force comes first.
    """
    old, new = (
        prices_of(study, economies, runner).select("entrant", pl.col(PRICE_COLUMNS).name.suffix(f"_{side}"))
        for side, runner in zip(SIDES, (before, after), strict=True)
    )
    return old.join(new, on="entrant", how="inner", maintain_order="left")


def prices_of(study: Study, economies: Sequence[Economy], runner: Runner) -> pl.DataFrame:
    """Return what cards and entrants of one side should cost: `entrant` and the `PRICE_COLUMNS`.

    The fair cost is that of the first economy, its range and verdict are joint over all.
    """
    judged = judged_apart(study, economies, runner.game)
    tables = [_in_setting(study, economy, runner) for economy in judged]
    facets = facets_of(judged)
    words = [dict(table.select("entrant", "verdict").iter_rows()) for table in tables]
    names = tables[0]["entrant"].to_list()
    verdicts = [joint_word([(facet, word[name]) for facet, word in zip(facets, words, strict=True)]) for name in names]
    ends = pl.concat(tables).group_by("entrant").agg(pl.col("fair_low").min(), pl.col("fair_high").max())
    joint = tables[0].select("entrant", "cost", "fair").join(ends, on="entrant", maintain_order="left")
    return joint.with_columns(verdict=pl.Series(verdicts, dtype=pl.String))


def judged_apart(study: Study, economies: Sequence[Economy], game: LoadedGame) -> Sequence[Economy]:
    """Return the settings whose prices are asked one by one: a single one where a price list covers them all.

    Settings that are no more than the options over which a price list judges by itself are asked as `balance price`
    asks them. `economies` has the one in force first.
    """
    first = economies[0]
    bare = first.model_copy(update={"set": []})
    alike = [economy.model_copy(update={"id": first.id, "title": first.title, "set": []}) for economy in economies]
    options = open_options(game, meeting_of(bare, game, study.changes))
    covered = [[f"{path}={value}"] for path, values in options[:1] for value in values]
    is_covered = len(options) == 1 and covered == [economy.set for economy in economies]
    return (bare,) if is_covered and all(economy == bare for economy in alike) else economies


def _in_setting(study: Study, economy: Economy, runner: Runner) -> pl.DataFrame:
    setting, seed = meeting_of(economy, runner.game, study.changes), study.settings.seed
    prices = price_list(runner, setting, seed, entrants=study.choose(runner.game), n_battles=N_BATTLES)
    columns = dict(zip(PRICE_COLUMNS, ("cost", "fair", "low", "high", "verdict"), strict=True))
    judged = {**prices.cards, **prices.loadouts, **prices.cards}  # who is a card and a loadout is told as a card
    return pl.DataFrame([
        {"entrant": name} | {column: getattr(price, field) for column, field in columns.items()}
        for name, price in judged.items()
    ])  # fmt: skip


def facets_of(economies: Sequence[Economy]) -> list[dict[str, str]]:
    """Return what tells each setting from the others: field -> value as set or chosen there, else "setting" -> title.

    >>> ways = [Economy(id=way, title=way, set=[f"situation.actions={way}"]) for way in ("pool", "per_unit")]
    >>> facets_of(ways)
    [{'actions': 'pool'}, {'actions': 'per_unit'}]
    """
    facets = [_facets(economy) for economy in economies]
    names, values = {tuple(facet) for facet in facets}, {tuple(facet.values()) for facet in facets}
    told_apart = len(names) == 1 and names != {()} and len(values) == len(facets)
    return facets if told_apart else [{"setting": economy.title} for economy in economies]


def _facets(economy: Economy) -> dict[str, str]:
    """Return the assignments of a setting, by the last part of their path, and its choices."""
    pairs = [text.partition("=")[::2] for text in economy.set]
    return {path.strip().rpartition(".")[2]: value.strip() for path, value in pairs} | economy.choices
