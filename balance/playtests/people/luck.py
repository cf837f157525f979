"""How lucky the dice of an evening were: results that people wrote down beside the exact laws of their dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from scipy.signal import convolve

from balance.base.answers import Chance, Count, Doc, Form
from balance.base.arrays import FloatArray
from balance.base.errors import BalanceError, CatalogueError, Fault
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, clean
from balance.chance.dice.odds import Odds, odds
from balance.playtests.log.sheets import read_sheet
from balance.playtests.words.results import number
from balance.playtests.words.vocabulary import word_set

Verdict: TypeAlias = Literal["unlucky", "lucky", "as dice fall"]
LIMIT = 1e-4
"""The p below which an evening is called lucky or unlucky: of 500 fair ones 1 in 20 series has one by chance."""
_EXPRESSION = word_set("expression espressione dice dadi die dado roll tiro lancio formula")
_RESULT = word_set("result results risultato risultati total totale esito outcome value valore rolled uscito")
_MOST_PLACES, _FINEST = 2**20, 1000
"""Places of a law at most, and of a standard deviation."""


@dataclass(frozen=True)
class RolledDice:
    """What some dice showed beside what they show on average."""

    dice: Annotated[str, Doc("The expression, or together: each result in standard deviations of its own dice.")]
    rolls: Count
    result: Annotated[float, Doc("The sum of all results.")]
    expected: Annotated[float, Doc("Its mean with fair dice.")]
    deviation: Annotated[float, Doc("Its standard deviation with fair dice.")]
    as_low: Annotated[Chance, Doc("Of a sum as low, exactly.")]
    as_high: Annotated[Chance, Doc("Of a sum as high, exactly.")]
    p: Annotated[Chance, Doc("Twice the smaller of both chances, at most 1.")]


@dataclass(frozen=True)
class RolledLuck:
    """How lucky the rolls in a file were."""

    schema: Form
    verb: Literal["dice"]
    file: Annotated[str, Doc("The file of rolls.")]
    verdict: Annotated[Verdict, Doc("Not as dice fall only where the p of all rolls is below 0.0001.")]
    rows: Annotated[tuple[RolledDice, ...], Doc("All rolls first, then those of each expression if there are several.")]


Rolls: TypeAlias = Mapping[str, Sequence[int]]
"""Expression -> the results rolled."""


def rolled_luck(rolls: Rolls, file: str = "") -> RolledLuck:
    """Return how lucky rolls were, all of them first.

    >>> rolled_luck({"d6": [1, 1, 1]}).rows[0].as_low == 1 / 6**3
    True
    """
    rows = [_row(text, {text: results}) for text, results in sorted(rolls.items())]
    whole = rows[0] if len(rows) == 1 else _row("together", rolls)
    verdict: Verdict = "as dice fall" if whole.p >= LIMIT else "unlucky" if whole.as_low < whole.as_high else "lucky"
    return RolledLuck(1, "dice", file, verdict, (whole, *(rows if len(rows) > 1 else ())))


def _row(name: str, rolls: Rolls) -> RolledDice:
    """Return what rolls of one expression showed; of several, each in its own standard deviations."""
    law, places = _law(tuple((text, len(results)) for text, results in rolls.items()))
    place = sum(places[text][result] for text, results in rolls.items() for result in results)
    low, high = (float(tail.sum() / law.sum()) for tail in (law[: place + 1], law[place:]))
    sums = np.zeros(3)
    for text, results in rolls.items():
        n, (mean, spread) = len(results), _moments(text)
        centre, unit = (0.0, 1.0) if len(rolls) == 1 else (mean, spread or 1.0)
        sums += (sum(results) - n * centre) / unit, n * (mean - centre) / unit, n * (spread / unit) ** 2
    numbers = float(sums[0]), float(sums[1]), sqrt(sums[2])
    return RolledDice(name, sum(map(len, rolls.values())), *numbers, low, high, min(1.0, 2 * min(low, high)))


@lru_cache(maxsize=256)
def _moments(text: str) -> tuple[float, float]:
    """Return the mean and the standard deviation of an expression."""
    return odds(text).mean(), odds(text).sd()


@lru_cache(maxsize=64)
def _law(parts: tuple[tuple[str, int], ...]) -> tuple[FloatArray, dict[str, dict[int, int]]]:
    """Return the law of a sum on a lattice, from expressions and how often each is rolled, and where values lie on it.

    Of one expression the lattice is its own; of several each value is rounded to a small part of a standard deviation.
    """
    laws = {text: odds(text).chances() for text, _ in parts}
    units = {text: float(np.gcd.reduce([value - min(law) for value in law])) or 1.0 for text, law in laws.items()}
    if len(parts) > 1:
        units = {text: _moments(text)[1] or 1.0 for text in laws}
    width = sum(times * (max(laws[text]) - min(laws[text])) / units[text] for text, times in parts)
    fine = min(1.0 if len(parts) == 1 else _FINEST, _MOST_PLACES / max(width, 1.0))
    total, places = np.ones(1), dict[str, dict[int, int]]()
    for text, times in parts:
        centre = min(laws[text]) if len(parts) == 1 else _moments(text)[0]
        at = np.rint([(value - centre) / units[text] * fine for value in laws[text]]).astype(np.int64)
        places[text] = dict(zip(laws[text], (at - at.min()).tolist(), strict=True))
        total = _sum(total, _power(np.bincount(at - at.min(), [*laws[text].values()]).astype(np.float64), times))
    return total, places


def _power(law: FloatArray, times: int) -> FloatArray:
    """Return the law of the sum of so many, by squaring."""
    if times == 1:
        return law
    half = _power(law, times // 2)
    return _sum(_sum(half, half), law) if times % 2 else _sum(half, half)


def _sum(law_a: FloatArray, law_b: FloatArray) -> FloatArray:
    """Return the law of the sum of two; what rounding leaves below 0 is 0."""
    return np.maximum(convolve(law_a, law_b), 0.0)


def read_rolls(path: Path) -> Rolls:
    """Read a file of rolls; raises `CatalogueError` with every fault, such as a 7 of a d6."""
    table = read_sheet(path, "", [*_EXPRESSION, *_RESULT]).table
    header = [slug(cell) for cell in (table.rows[0][1] if table.rows else ())]
    places = [next((at for at, cell in enumerate(header) if cell in words), -1) for words in (_EXPRESSION, _RESULT)]
    if -1 in places or len(table.rows) < 2:
        wants = "a row that names the columns expression and result, and a row for each roll"
        raise CatalogueError(Fault("holds no rolls that can be read", table.path, allowed=wants))
    rolls, faults, laws = defaultdict[str, list[int]](list), list[Fault](), dict[str, Odds | None]()
    for row, cells in table.rows[1:]:
        text, result = (clean(cells[place]) if place < len(cells) else "" for place in places)
        if text not in laws:
            laws[text] = _law_at(text, table.path, row, faults)
        if (law := laws[text]) is None:
            continue
        try:
            rolls[law.text].append(_result(result, law, table.comma))
        except BadCell as bad:
            faults.append(Fault(bad.message, table.path, row, "result", result or None, bad.allowed))
    if faults:
        raise CatalogueError(faults)
    return rolls


def _law_at(text: str, path: str, row: int, faults: list[Fault]) -> Odds | None:
    """Return the odds of an expression; None, with `faults` added, if it has no exact law of one number."""
    messages = ["has no exact odds of one number"]
    try:
        law = odds(text)
        if law.is_exact and law.columns == ("total",):
            return law
    except BalanceError as error:
        messages = [fault.message for fault in error.faults]
    faults += [Fault(message, path, row, "expression", text or None) for message in messages]
    return None


def _result(text: str, law: Odds, comma: bool) -> int:
    """Return the result of a roll; raises `BadCell` if the dice cannot show it."""
    values = sorted(law.weights_of())
    value = number(text, "result", comma, -1e15, 1e15)
    if value is None or value not in law.weights_of():
        is_dense = len(values) == values[-1] - values[0] + 1
        allowed = f"{values[0]} to {values[-1]}" if is_dense else ", ".join(map(str, values[:20]))
        raise BadCell(f"cannot be rolled with {law.text}" if text else "is empty", "", None, allowed)
    return int(value)
