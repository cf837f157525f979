"""What `balance dice` prints: one expression with its picture, or a table that compares several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.cli.bins import Bin, bins_of
from balance.cli.terminal import bar, distribution_line, line, table, table_in_parts, title
from balance.dice.odds import QUANTILES, fraction_text
from balance.errors import listed
from balance.numbers import SURE, show_count, show_fixed, show_interval, show_many, show_probability
from balance.swing import about_swing, show_swing, why_no_swing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.dice import Family, Odds

__all__ = ["blocks"]

MOST_TOTALS, MOST_CLASSES = 36, 24
"""Rows for single totals up to so many; else classes, at most so many."""
MOST_COLUMNS = 9
"""Totals that a table of several expressions has a column for."""
LONGEST_FRACTION = 9
LARGE = 10_000
MOST_MODES = 3
SPARKS = (13, 10)
"""Bars of a small picture of a law: one for each value up to so many, else at most fewer."""
BAR = 24
Cells = list[object]


def blocks(
    families: Sequence[Family], rows: Sequence[Odds], samples: Sequence[Odds | None], every: bool
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    if len(rows) == 1:
        yield from _one(rows[0], samples[0], every)
    else:
        yield from _several(families, rows)
    several = {odds.kind for odds in rows} - {"chance", "contest"} and not _is_grid(families, rows)
    yield from _how(rows, len(rows) == 1 or bool(several))


# -- one expression ---------------------------------------------------------------------------------------------------


def _one(odds: Odds, sample: Odds | None, every: bool) -> Iterator[RenderableType]:
    yield title(str(odds.expression), "exact" if odds.is_exact else f"{odds.n_trials:,} trials of seed {odds.seed}")
    if odds.kind == "contest":
        yield _results(odds, sample)
    if odds.kind == "chance":
        yield line(_chance(odds), "bold", after=1)
    else:
        yield from _numbers(odds)
        if not odds.is_exact:
            yield line(f"Known: {listed(f'mean {_known(odds, name)}' for name in odds.columns)}.", after=1)
        for name in odds.columns:
            yield from _totals(odds, name, every)
    if sample is not None:
        yield line(_beside(odds, sample), after=1)


def _chance(odds: Odds) -> str:
    """Return the chance that a comparison holds."""
    exact = _fraction(odds, 1)
    return f"Chance {_share(odds, odds.column().get(1, 0))}{f', {exact}' if exact else ''}."


def _share(odds: Odds, weight: int) -> str:
    """Return a chance, with its interval where it is simulated."""
    told = show_probability(weight / odds.weight, 2)
    return told if odds.is_exact else f"{told} ({_wilson(odds, weight)})"


def _wilson(odds: Odds, weight: int) -> str:
    from balance.core import wilson_interval

    return show_interval(*wilson_interval(weight, odds.n_trials), show=lambda p: show_probability(p, 2))


def _results(odds: Odds, sample: Odds | None) -> RenderableType:
    """Return who wins; the total of a contest is by how much."""
    names = {"win": "the first wins", "tie": "tie", "lose": "the second wins"}
    sure = odds.is_exact and not odds.tail
    rows: list[Cells] = []
    for name, share in odds.result_fractions.items():
        exact = fraction_text(share, LONGEST_FRACTION) if sure else ""
        row: Cells = [names[name], _share(odds, round(share * odds.weight)), bar(float(share), BAR), exact]
        rows.append([*row, show_probability(sample.results[name], 2)] if sample is not None else row)
    heads = ["result", "chance", "", "exactly" if any(row[3] for row in rows) else " "]
    return table([*heads, "simulated"] if sample is not None else heads, rows, right=("chance", "exactly", "simulated"))


def _numbers(odds: Odds) -> Iterator[RenderableType]:
    """Yield one row for each column: mean, standard deviation, swing, mode and quantiles."""
    quantiles = [f"{q}%" for q in QUANTILES]
    heads = ["mean margin" if odds.kind == "contest" else "mean", "deviation", "swing", "mode", *quantiles]
    if odds.kind == "symbols":
        rows = [[name, *_summary(odds, name)] for name in odds.columns]
        yield from table_in_parts(["symbol", *heads], rows, right=heads)
    else:
        yield from table_in_parts(heads, [_summary(odds, "total")], right=heads)


def _summary(odds: Odds, name: str) -> Cells:
    mode = odds.mode_of(name)
    modes = ", ".join(map(show_count, mode[:MOST_MODES])) + ("…" if len(mode) > MOST_MODES else "")
    if not odds.is_exact and len(odds.law) > MOST_TOTALS:
        modes = "–"  # which of very many totals came up most is an accident
    quantiles = map(show_count, odds.quantiles_of(QUANTILES, name))
    return [_mean(odds, name), _shown(odds.sd_of(name)), show_swing(odds.swing_of(name)), modes, *quantiles]


def _mean(odds: Odds, name: str) -> str:
    return _shown(float(odds.mean_of(name)))


def _shown(number: float) -> str:
    """Return a number with four places, a large one with fewer."""
    return show_fixed(number, 4 if abs(number) < LARGE else 0)


def _known(odds: Odds, name: str) -> str:
    """Return a simulated mean with how well it is known."""
    return f"{_mean(odds, name)} ± {_shown(SURE * odds.mean_error(name))}"


def _totals(odds: Odds, name: str, every: bool) -> Iterator[RenderableType]:
    """Yield every total, or classes of them, with its chance, a bar, and the chance of at least as much."""
    law, chances = odds.column(name), odds.chances(name)
    if len(law) == 1:
        yield line(f"Always {show_count(next(iter(law)))}.", after=1)
        return
    classes = [Bin(v, v) for v in law] if every else bins_of(chances, MOST_TOTALS, MOST_CLASSES)
    weights = [sum(weight for value, weight in law.items() if value in found) for found in classes]
    most, rest, rows = max(weights), odds.weight, list[Cells]()
    for found, weight in zip(classes, weights, strict=True):
        chance, least = show_probability(weight / odds.weight, 2), show_probability(rest / odds.weight, 2)
        exact = _fraction(odds, found.low, name) if found.low == found.high and found.low is not None else ""
        shown = chance if odds.is_exact else _wilson(odds, weight)
        rows.append([found.label, shown, bar(weight / most, BAR), least, exact])
        rest -= weight
    head = "margin" if odds.kind == "contest" else name
    heads = [head, "chance", "", "at least", "exactly"]
    keep = 5 if any(row[4] for row in rows) else 4
    yield table(heads[:keep], [row[:keep] for row in rows], right=(head, "chance", "at least", "exactly"))


def _fraction(odds: Odds, value: int, name: str | None = None) -> str:
    """Return a chance as a fraction where it is short and nothing was cut off."""
    if not odds.is_exact or odds.tail:
        return ""
    return odds.short_fraction(value, name, LONGEST_FRACTION)


def _beside(odds: Odds, sample: Odds) -> str:
    """Return what a simulation gave beside the exact answer."""
    begin = f"Simulated, {sample.n_trials:,} trials of seed {sample.seed}: "
    if odds.kind == "chance":
        return f"{begin}chance {_share(sample, sample.column().get(1, 0))}."
    means = [f"{'mean' if name == 'total' else name} {_known(sample, name)}" for name in sample.columns]
    return f"{begin}{listed(means)}."


# -- several ----------------------------------------------------------------------------------------------------------


def _several(families: Sequence[Family], rows: Sequence[Odds]) -> Iterator[RenderableType]:
    alone = families[0] if len(families) == 1 else None
    how = "exact" if all(odds.is_exact for odds in rows) else "some of it simulated"
    yield title(" ".join(alone.text.split()) if alone else show_many(len(rows), "expression"), how)
    if alone and _is_grid(families, rows):
        yield from _grid(alone, rows)
        return
    names = [str(odds.expression) for odds in rows]
    kinds = {odds.kind for odds in rows}
    if kinds == {"chance"}:
        cells = [
            [name, _share(odds, odds.column().get(1, 0)), bar(odds.mean, BAR)]
            for name, odds in zip(names, rows, strict=True)
        ]
        yield table(["expression", "chance", ""], cells, right=("chance",))
    elif kinds == {"contest"}:
        yield _contests(names, rows)
    else:
        yield from _laws(names, rows)


def _is_grid(families: Sequence[Family], rows: Sequence[Odds]) -> bool:
    """Whether the rows are a grid of two families, with one number in each cell."""
    totals = all(odds.columns == ("total",) for odds in rows)
    return len(families) == 1 and len(families[0].families) == 2 and totals


def _contests(names: Sequence[str], rows: Sequence[Odds]) -> RenderableType:
    cells = [
        [name, *(show_probability(share, 2) for share in odds.results.values()), _mean(odds, "total")]
        for name, odds in zip(names, rows, strict=True)
    ]
    heads = ["contest", "win", "tie", "lose", "margin"]
    return table(heads, cells, right=heads[1:])


def _laws(names: Sequence[str], rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield a row for each expression (and symbol), and what at least so much has for a chance."""
    cells = list[Cells]()
    for name, odds in zip(names, rows, strict=True):
        for column in odds.columns:
            label = name if column == "total" else f"{name}: {column}"
            low, middle, high = odds.quantiles_of((5, 50, 95), column)
            drawn = distribution_line(odds.chances(column), *SPARKS, tells=False)
            spread = show_fixed(odds.sd_of(column), 3), show_swing(odds.swing_of(column))
            cells.append([label, _mean(odds, column), *spread, low, middle, high, drawn])
    heads = ["expression", "mean", "deviation", "swing", "5%", "50%", "95%", "law"]
    yield table(heads, cells, right=heads[1:-1])
    values = sorted({value for odds in rows for column in odds.columns for value in odds.column(column)})
    if all(odds.columns == ("total",) for odds in rows) and 2 < len(values) <= MOST_COLUMNS + 1:
        heads = ["at least", *map(show_count, values[1:])]
        shares = [
            [name, *(show_probability(odds.at_least(v), 1) for v in values[1:])]
            for name, odds in zip(names, rows, strict=True)
        ]
        yield from table_in_parts(heads, shares, right=heads[1:])


def _grid(family: Family, rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield one cell for each pair of values: a chance, the share won, or a mean."""
    down, across = family.families
    kind = rows[0].kind
    what = {"chance": "Chance", "contest": "Chance that the first wins"}.get(kind, "Mean")
    yield line(f"{what}: the first family down, the second across.", after=1)
    cells = [_cell(odds) for odds in rows]
    heads = [" ", *map(show_count, across)]
    body = [[show_count(value), *cells[at * len(across) : (at + 1) * len(across)]] for at, value in enumerate(down)]
    yield from table_in_parts(heads, body, right=heads)


def _cell(odds: Odds) -> str:
    if odds.kind == "chance":
        return show_probability(odds.mean, 1)
    return show_probability(odds.results["win"], 1) if odds.kind == "contest" else show_fixed(odds.mean, 2)


# -- how it was had ---------------------------------------------------------------------------------------------------


def _how(rows: Sequence[Odds], swings: bool) -> Iterator[RenderableType]:
    """Yield what is not exact, and what swing is where it is shown."""
    if tail := max(odds.tail for odds in rows):
        told = (
            f"Explosions are followed until more of them have a chance below {tail:.0e}, which is on the highest total."
        )
        yield line(told, "dim")
    for reason in dict.fromkeys(odds.reason for odds in rows if odds.reason):
        yield line(f"Simulated: {reason}.", "dim")
    totals = [odds for odds in rows if odds.kind != "chance"]
    if totals and swings:
        signed = any(odds.swing_of(name) is None for odds in totals for name in odds.columns)
        yield line(about_swing(why_no_swing("totals") if signed else ""), "dim")
