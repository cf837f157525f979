"""The odds of dice as the one JSON object that --json prints; docs/reference/dice.md tells its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from balance.chance.dice.odds import QUANTILES

if TYPE_CHECKING:
    from balance.answers.documents import dice
    from balance.chance.dice import Family, Odds

SCHEMA: Final = 1
LEVEL = 0.95
MOST_DIGITS = 15
"""Of the denominator of fractions that are told beside the chances."""


def as_document(
    families: Sequence[Family], rows: Sequence[Odds], samples: Sequence[Odds | None]
) -> dice.Dice | dice.DiceTable:
    """Return the object: of one expression its odds, of several or of a family a list of `rows`.

    `samples` has a simulation for each of the odds, or None.
    """
    documents = [_row(row, sample) for row, sample in zip(rows, samples, strict=True)]
    head: dice.DiceHead = {"schema": SCHEMA, "verb": "dice"}
    if len(families) == 1 and not families[0].families:
        alone: dice.Dice = {**head, **documents[0]}
        return alone
    expressions: list[dice.DiceExpression] = [
        {"text": family.text, "families": [list(values) for values in family.families]} for family in families
    ]
    several: dice.DiceTable = {**head, "expressions": expressions, "rows": documents}
    return several


def _row(odds: Odds, sample: Odds | None) -> dice.OddsRow:
    document: dice.OddsRow = {
        "expression": str(odds.expression),
        "kind": odds.kind,
        "notes": list(odds.expression.notes),
    }
    if odds.expression.values:
        document["values"] = list(odds.expression.values)
    if odds.is_exact:
        document["exact"] = {**_shape(odds), "tail": odds.tail}
    else:
        document["too_large"], sample = odds.reason, odds
    if sample is not None:
        document["simulated"] = {
            **_shape(sample),
            "trials": sample.n_trials,
            "seed": sample.seed,
            "interval": _ends(sample),
        }
    return document


def _shape(odds: Odds) -> dice.OddsShape:
    """Return odds as JSON: by column chances, mean, deviation, swing, mode, quantiles, and fractions if exact."""
    columns = odds.columns
    shape: dice.OddsShape = {
        "pmf": {name: _text_keys(odds.chances(name)) for name in columns},
        "at_least": {name: _text_keys(odds.at_least_of(name)) for name in columns},
        "mean": {name: float(odds.mean_of(name)) for name in columns},
        "sd": {name: odds.sd_of(name) for name in columns},
        "swing": {name: odds.swing_of(name) for name in columns},
        "mode": {name: list(odds.mode_of(name)) for name in columns},
        "quantiles": {
            name: dict(zip(map(str, QUANTILES), odds.quantiles_of(QUANTILES, name), strict=True)) for name in columns
        },
    }
    if odds.kind == "contest":
        shape["pmf"]["result"] = odds.results
    if odds.kind == "chance":
        shape["chance"] = odds.chance(1)
    if odds.kind == "symbols":
        joint = [[*outcome, weight / odds.weight] for outcome, weight in odds.law.items()]
        shape["joint"] = {"columns": [*columns, "p"], "rows": joint}
    if odds.is_exact and not odds.tail and odds.weight < 10**MOST_DIGITS:
        shape["fractions"] = {name: _fractions(odds, name) for name in columns}
    return shape


def _text_keys(chances: dict[int, float]) -> dict[str, float]:
    return {str(value): chance for value, chance in chances.items()}


def _fractions(odds: Odds, name: str) -> dict[str, str]:
    return {str(value): str(odds.fraction(value, name)) for value in odds.column(name)}


def _ends(sample: Odds) -> dice.OddsIntervals:
    """Return the ends of the 95 % intervals of the means, and of the chances of a contest or comparison."""
    from balance.chance.trials.stopping import normal_width, wilson_interval

    z, n = normal_width(LEVEL), sample.n_trials
    intervals: dice.OddsIntervals = {"level": LEVEL, "mean": {}}
    for name in sample.columns:
        mean, half = float(sample.mean_of(name)), z * sample.mean_error(name)
        intervals["mean"][name] = [mean - half, mean + half]
    if sample.kind == "chance":
        intervals["chance"] = list(wilson_interval(sample.law.get(1, 0), n, LEVEL))
    if sample.kind == "contest":
        intervals["result"] = {
            name: list(wilson_interval(round(share * n), n, LEVEL)) for name, share in sample.result_fractions.items()
        }
    return intervals
