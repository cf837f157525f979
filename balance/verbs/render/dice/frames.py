"""The odds of dice as polars frames."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.chance.dice.odds import QUANTILES, Odds


def frames_of(rows: Sequence[Odds]) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `chances` has each total with its chance `p`, and that of as much or more, `at_least`; of several expressions or
    symbols it has a row for each value of each. `rows` has a row for each expression and symbol, with its `mean`, `sd`,
    `swing`, quantiles and the values of a family. `results` has the chances of contests.
    """
    pairs = [(odds, name) for odds in rows for name in odds.columns]
    chances = {"chances": pl.concat([_chances(odds, name) for odds, name in pairs])}
    if len(pairs) == 1:
        chances = {"chances": chances["chances"].drop("expression", "column").rename({"value": "total"})}
    numbers = {"rows": pl.DataFrame([_row(odds, name) for odds, name in pairs], infer_schema_length=None)}
    contests = [odds for odds in rows if odds.kind == "contest"]
    results = {"results": _results(contests)} if contests else {}
    if contests and len(contests) == len(rows):
        return {**results, **chances, **numbers}
    one_law = len(pairs) == 1 and rows[0].kind != "chance"
    return {**chances, **numbers, **results} if one_law else {**numbers, **chances, **results}


def _row(odds: Odds, name: str) -> dict[str, object]:
    """Return the row of a column in `rows`; the mean of a comparison is the chance that it holds."""
    quantiles = zip(QUANTILES, odds.quantiles_of(QUANTILES, name), strict=True)
    return {
        "expression": str(odds.expression),
        "column": name,
        "mean": float(odds.mean_of(name)),
        "sd": odds.sd_of(name),
        "swing": odds.swing_of(name),
        **{f"q{per_cent}": value for per_cent, value in quantiles},
        **{f"value_{at}": value for at, value in enumerate(odds.expression.values, start=1)},
        "trials": odds.n_trials or None,
    }


def _chances(odds: Odds, name: str) -> pl.DataFrame:
    """Return the columns of values, their chances, and the chances of as much or more."""
    chances, at_least = odds.chances(name), odds.at_least_of(name)
    numbers = {"value": [*chances], "p": [*chances.values()], "at_least": [*at_least.values()]}
    names = [pl.lit(str(odds.expression)).alias("expression"), pl.lit(name).alias("column")]
    return pl.DataFrame(numbers).select(*names, "value", "p", "at_least")


def _results(contests: Sequence[Odds]) -> pl.DataFrame:
    return pl.DataFrame([{"expression": str(odds.expression), **odds.results} for odds in contests])
