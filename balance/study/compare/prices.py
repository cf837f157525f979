"""What cards and entrants should cost before and after a change, over all settings of a study, with one verdict each.

In every setting armies of equal points are played on the same seed on either side. A verdict is firm only if it is the
same in all settings; the range of a fair cost is that over all of them, and the fair cost that of the first.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.analysis.prices.fair_costs import N_BATTLES
from balance.analysis.prices.over_settings import joint_word
from balance.analysis.prices.price_list import open_options, price_list
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import meeting_of
from balance.study.settings.economies import Economy
from balance.study.settings.settings import Study

SIDES = ("before", "after")
PRICE_COLUMNS = ("cost", "fair", "fair_low", "fair_high", "verdict")
"""What is said of a card or entrant on either side."""


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
