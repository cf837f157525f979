"""The tables of an answer about luck as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.luck.field import PARTS, FieldLuck, applies
from balance.analysis.luck.question import Luck
from balance.analysis.luck.texture import NUMBERS, Texture
from balance.chance.trials.estimate import Estimate

OF_SOURCES = {
    "source": pl.String,
    "when_rolled": pl.Float64,
    "alone": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
OF_ENDS = {"counted": pl.String, "winner": pl.Float64, "loser": pl.Float64}


def frames_of(luck: Luck) -> Mapping[str, pl.DataFrame]:
    """Return the tables of the luck of two sides.

    `sources` holds the share of the variance that each source brings when it is rolled, and that it settles alone with
    the ends of its interval; `texture` how a fight develops, and `at_end` what is left at its end, where somebody wins.
    """
    rows = [
        {"source": source.name, "when_rolled": source.when_rolled, "alone": source.alone.value, **_ends(source.alone)}
        for source in luck.sources
    ]
    frames = {"sources": pl.DataFrame(rows, schema=OF_SOURCES)}
    return frames if luck.texture is None else {**frames, **_texture(luck.texture)}


def _texture(texture: Texture) -> dict[str, pl.DataFrame]:
    numbers = [(name, texture.estimate(name)) for name in NUMBERS]
    goes = [{"number": name, "value": number.value, **_ends(number)} for name, number in numbers]
    ends = [
        {"counted": end.name, "winner": end.winner.value, "loser": None if end.loser is None else end.loser.value}
        for end in texture.at_end
    ]
    return {"texture": pl.DataFrame(goes), "at_end": pl.DataFrame(ends, schema=OF_ENDS)}


def frames_of_field(field_luck: FieldLuck) -> Mapping[str, pl.DataFrame]:
    """Return the tables of the luck of a field.

    `shares` holds what the score depends on, with standard errors; `scores` what each scores against each, a row a
    match-up, and `matrix` the same as a square: a row for each that scores, a column for each that it meets.
    """
    parts = [part for part in PARTS if applies(field_luck, part)]
    shares = [{"part": part, "share": field_luck.shares[part], "error": field_luck.errors[part]} for part in parts]
    scores = pl.DataFrame([{"a": a, "b": b, "score": score} for (a, b), score in field_luck.scores.items()])
    matrix = scores.pivot("b", index="a", values="score")
    return {"shares": pl.DataFrame(shares), "scores": scores, "matrix": matrix}


def _ends(number: Estimate) -> dict[str, float]:
    return {"low": number.low, "high": number.high}
