"""What `dice` shows: everything of one expression, or a table that compares several; and how the odds were had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.bars import bar, distribution_line
from balance.answers.blocks.bins import Bin, bins_of
from balance.answers.blocks.lines import Paragraph, Title, plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.dice.sentence import (
    LONGEST_FRACTION,
    RESULT_NAMES,
    chance_text,
    interval_text,
    known_mean,
    number_text,
    quantile_texts,
    sentence,
    share_text,
    short_fraction,
)
from balance.base.errors import comma_list
from balance.base.numbers import show_count, show_fixed, show_probability
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.columns import ColumnNumbers, ContestResults
from balance.chance.dice.odds import QUANTILES, Odds, fraction_text
from balance.chance.swing import about_swing, show_swing, why_no_swing

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.blocks.document import Block

BAR = 24
"""Columns of a bar for a chance of 1."""
SPARKS = (13, 10)
"""Bars of a small picture of a distribution: one for each value up to so many, else at most fewer."""
MOST_TOTALS, MOST_CLASSES = 36, 24
"""Rows for single totals up to so many; else classes, at most so many."""
MOST_SHORT, FEWEST_SHORT = 17, 4
"""Classes on a first screen without notes and a foot, and however many there are."""
MOST_ROWS = 15
"""Rows of a table that surely have room on a first screen."""
MOST_SYMBOL_COLUMNS = 5
"""Columns of a table of symbols: none, 1, 2, 3, more."""
MOST_COLUMNS = 9
"""Totals that a table of several expressions has a column for."""
MOST_MODES = 3


def short(dice: DiceOdds, terms: Terms) -> Screen:
    """Return the sentence that answers and the table, in the room of a small terminal."""
    top: list[Block] = [_title(dice), plain(sentence(dice, terms), "strong", gap=True)]
    body, foot = _short_of_one(dice) if len(dice.rows) == 1 else _short_of_several(dice)
    return Screen(top, body, foot, dice.notes)


def full(dice: DiceOdds, terms: Terms) -> Iterator[Block]:
    """Yield everything, with classes of totals where there are many."""
    return _everything(dice, every=False)


def short_of_every_total(dice: DiceOdds, terms: Terms) -> Screen:
    """Return everything, with every total, however long that is."""
    return Screen([*_everything(dice, every=True)])


def full_of_every_total(dice: DiceOdds, terms: Terms) -> Iterator[Block]:
    """Yield everything, with every total."""
    return _everything(dice, every=True)


def _everything(dice: DiceOdds, every: bool) -> Iterator[Block]:
    yield _title(dice)
    yield from _all_of_one(dice, every) if len(dice.rows) == 1 else _comparison(dice, spreads=True)
    yield from _method(dice)
    totals = [odds for odds in dice.rows if odds.kind != "chance"]
    if totals and (len(dice.rows) == 1 or (any(odds.kind != "contest" for odds in totals) and not dice.grid)):
        signed = any(numbers.swing is None for odds in totals for numbers in odds.numbers)
        yield plain(about_swing(why_no_swing("totals") if signed else ""), "aside")


def _title(dice: DiceOdds) -> Title:
    odds = dice.rows[0]
    simulated = "some of it simulated" if len(dice.rows) > 1 else f"{odds.n_trials:,} trials of seed {odds.seed}"
    return Title(dice.title, ("exact" if dice.is_exact else simulated,))


def _method(dice: DiceOdds) -> list[Block]:
    """Return the limits of the numbers: where explosions are cut off, and why something is simulated."""
    texts = [f"Simulated: {reason}." for reason in dict.fromkeys(odds.reason for odds in dice.rows if odds.reason)]
    if tail := max(odds.tail for odds in dice.rows):
        texts = [
            "Explosions are followed until more of them have a chance below"
            f" {tail:.0e}, which is on the highest total.",
            *texts,
        ]
    return [plain(text, "aside") for text in texts]


# -- one expression ---------------------------------------------------------------------------------------------------


def _short_of_one(dice: DiceOdds) -> tuple[list[Block], list[Block]]:
    """Return the table of an expression, and what stands below it."""
    odds = dice.rows[0]
    foot = [*_beside(dice, gap=False), *_method(dice)]
    if odds.kind == "chance" or len(odds.weights) == 1:
        return [], foot
    if odds.kind == "symbols":
        return [_symbols(odds)], [*foot, _more("the distribution of every symbol")]
    numbers, about = odds.numbers[0], "finer classes" if len(odds.weights) > MOST_CLASSES else "quantiles"
    spread = f"Standard deviation {number_text(numbers.sd)}"
    if numbers.swing is not None:
        spread += f", {show_swing(numbers.swing)} of the mean (the swing)"
    foot += [plain(f"{spread}.", "aside"), _more(f"{about}, --every every total")]
    most = max(FEWEST_SHORT, MOST_SHORT - len(dice.notes) - len(foot))
    return [_totals(odds, "total", bins_of(odds.chances(), most, most))], foot


def _more(about: str) -> Paragraph:
    return plain(f"--more shows {about}.", "aside")


def _symbols(odds: Odds) -> Table:
    """Return a row for each symbol: its mean, and the chance of none, of 1, 2 and so on."""
    highest = max(max(odds.weights_of(name)) for name in odds.columns)
    most = min(MOST_SYMBOL_COLUMNS - 1, highest)
    rows = []
    for name in odds.columns:
        chances = odds.chances(name)
        shares = [*(chances.get(count, 0.0) for count in range(most)), odds.at_least(most, name)]
        mean = number_text(odds.mean(name))
        rows.append([name, mean, *(show_probability(share, 1) for share in shares)])
    heads = ["symbol", "mean", "none", *map(str, range(1, most)), f"{most} or more" if highest > most else str(most)]
    return grid(heads if most else heads[:3], rows, right=heads[1:])


def _all_of_one(dice: DiceOdds, every: bool) -> Iterator[Block]:
    odds = dice.rows[0]
    if odds.kind == "contest":
        yield _results(odds, dice.simulated)
    if odds.kind == "chance":
        yield plain(chance_text(odds), "strong", gap=True)
    else:
        yield _numbers(odds)
        if not odds.is_exact:
            means = comma_list(f"mean {known_mean(odds, name)}" for name in odds.columns)
            yield plain(f"Known: {means}.", gap=True)
        for name in odds.columns:
            yield _all_totals(odds, name, every)
    yield from _beside(dice, gap=True)


def _results(odds: Odds, simulated: Sequence[Odds]) -> Table:
    """Return the chance of each result of a contest, as a fraction too where that is exact and short."""
    longest = LONGEST_FRACTION if odds.is_exact and not odds.tail else 0
    rows: list[list[Cell | str]] = [
        [
            RESULT_NAMES[name],
            share_text(odds, round(share * odds.total)),
            bar(float(share), BAR),
            fraction_text(share, longest),
            *(show_probability(sample.results[name], 2) for sample in simulated),
        ]
        for name, share in odds.result_fractions.items()
    ]
    heads = ["result", "chance", "", "exactly" if any(row[3] for row in rows) else " ", "simulated"]
    return grid(heads[: len(rows[0])], rows, right=("chance", "exactly", "simulated"))


def _numbers(odds: Odds) -> Table:
    """Return one row for each column: mean, standard deviation, swing, mode and quantiles."""
    shows_modes = odds.is_exact or len(odds.weights) <= MOST_TOTALS  # which of very many came up most is an accident
    rows = [
        [
            numbers.column,
            number_text(numbers.mean),
            number_text(numbers.sd),
            show_swing(numbers.swing),
            _modes(numbers.mode) if shows_modes else "–",
            *quantile_texts(numbers),
        ]
        for numbers in odds.numbers
    ]
    mean = "mean margin" if odds.kind == "contest" else "mean"
    heads = ["symbol", mean, "deviation", "swing", "mode", *(f"{q}%" for q in QUANTILES)]
    first = 0 if odds.kind == "symbols" else 1
    return grid(heads[first:], [row[first:] for row in rows], right=heads[1:], in_parts=True)


def _modes(mode: Sequence[int]) -> str:
    return ", ".join(map(show_count, mode[:MOST_MODES])) + ("…" if len(mode) > MOST_MODES else "")


def _all_totals(odds: Odds, name: str, every: bool) -> Block:
    chances = odds.chances(name)
    if len(chances) == 1:
        return plain(f"Always {show_count(next(iter(chances)))}.", gap=True)
    return _totals(odds, name, [Bin(v, v) for v in chances] if every else bins_of(chances, MOST_TOTALS, MOST_CLASSES))


def _totals(odds: Odds, name: str, classes: Sequence[Bin]) -> Table:
    """Return every class of totals with its chance, a bar, and the chance of as much or more."""
    weights = _weights(odds.weights_of(name), classes)
    most, rest, rows = max(weights), odds.total, list[list[Cell | str]]()
    for span, weight in zip(classes, weights, strict=True):
        chance = show_probability(weight / odds.total, 2) if odds.is_exact else interval_text(odds, weight)
        exact = short_fraction(odds, span.low, name) if span.low == span.high and span.low is not None else ""
        rows.append([span.label, chance, bar(weight / most, BAR), show_probability(rest / odds.total, 2), exact])
        rest -= weight
    head = "margin" if odds.kind == "contest" else name
    heads = [head, "chance", "", "at least", "exactly"]
    keep = 5 if any(row[4] for row in rows) else 4
    return grid(heads[:keep], [row[:keep] for row in rows], right=(head, "chance", "at least", "exactly"))


def _weights(law: Mapping[int, int], classes: Sequence[Bin]) -> list[int]:
    """Return the weight of each class; classes and values are in rising order."""
    class_weights, place = [0] * len(classes), 0
    for value, weight in law.items():
        while value not in classes[place]:
            place += 1
        class_weights[place] += weight
    return class_weights


def _beside(dice: DiceOdds, gap: bool) -> Iterator[Block]:
    """Yield what a simulation of an expression gave, a line beside the exact answer."""
    for sample in dice.simulated:
        if sample.kind == "chance":
            told = f"chance {share_text(sample, sample.weights.get(1, 0))}"
        else:
            told = comma_list(f"{'mean' if n == 'total' else n} {known_mean(sample, n)}" for n in sample.columns)
        yield plain(f"Simulated, {sample.n_trials:,} trials of seed {sample.seed}: {told}.", gap=gap)


# -- several ----------------------------------------------------------------------------------------------------------


def _short_of_several(dice: DiceOdds) -> tuple[list[Block], list[Block]]:
    """Return the table that compares expressions, and what stands below it."""
    foot = _method(dice)
    if any(odds.kind in ("total", "symbols") for odds in dice.rows) or len(dice.rows) > MOST_ROWS:
        foot.append(_more("deviations, swings and whatever had no room"))
    return [*_comparison(dice, spreads=False)], foot


def _comparison(dice: DiceOdds, spreads: bool) -> Iterator[Block]:
    """Yield a grid for one expression over two families, else a table with a row each."""
    kinds = {odds.kind for odds in dice.rows}
    if dice.grid:
        yield from _one_number_each(dice.rows, *dice.grid.families)
    elif kinds == {"chance"}:
        rows = ((odds.text, share_text(odds, odds.weights.get(1, 0)), bar(odds.mean(), BAR)) for odds in dice.rows)
        yield grid(["expression", "chance", ""], rows, right=("chance",))
    elif kinds == {"contest"}:
        heads = ["contest", "win", "tie", "lose", "margin"]
        yield grid(heads, [_contest_row(odds) for odds in dice.rows], right=heads[1:])
    else:
        yield _laws(dice.rows, spreads)
        yield from _shares_at_least(dice.rows)


def _contest_row(odds: Odds) -> list[str]:
    return [odds.text, *(show_probability(share, 2) for share in odds.results.values()), number_text(odds.mean())]


def _laws(rows: Sequence[Odds], spreads: bool) -> Table:
    """Return mean, quantiles and shape for each expression and symbol; with `spreads` also deviation and swing."""
    cells = list[list[Cell | str]]()
    for odds in rows:
        for numbers in odds.numbers:
            spread = [show_fixed(numbers.sd, 3), show_swing(numbers.swing)] if spreads else []
            quantiles = map(str, (numbers.q5, numbers.q50, numbers.q95))
            picture = distribution_line(odds.chances(numbers.column), *SPARKS, tells=False)
            cells.append([numbers.label, number_text(numbers.mean), *spread, *quantiles, picture])
    heads = ["expression", "mean", *(["deviation", "swing"] if spreads else []), "5%", "50%", "95%", "odds"]
    return grid(heads, cells, right=heads[1:-1])


def _shares_at_least(rows: Sequence[Odds]) -> Iterator[Table]:
    """Yield a table of the chance of at least each total, where all expressions together have at most ten totals."""
    values = sorted({value for odds in rows for column in odds.columns for value in odds.weights_of(column)})
    if all(odds.columns == ("total",) for odds in rows) and 2 < len(values) <= MOST_COLUMNS + 1:
        heads = ["at least", *map(show_count, values[1:])]
        shares = [[odds.text, *(show_probability(odds.at_least(v), 1) for v in values[1:])] for odds in rows]
        yield grid(heads, shares, right=heads[1:], in_parts=True)


def _one_number_each(rows: Sequence[Odds], down: Sequence[int], across: Sequence[int]) -> Iterator[Block]:
    """Yield a grid of a chance, the share won, or a mean for each pair of values of two families."""
    label = {"chance": "Chance", "contest": "Chance that the first wins"}.get(rows[0].kind, "Mean")
    yield plain(f"{label}: the first family down, the second across.", gap=True)
    cells, width = [_one_number(odds) for odds in rows], len(across)
    heads = [" ", *map(show_count, across)]
    body = [[show_count(value), *cells[at * width : (at + 1) * width]] for at, value in enumerate(down)]
    yield grid(heads, body, right=heads, in_parts=True)


def _one_number(odds: Odds) -> str:
    if odds.kind == "total":
        return show_fixed(odds.mean(), 2)
    return show_probability(odds.results["win"] if odds.kind == "contest" else odds.mean(), 1)


# -- tables -----------------------------------------------------------------------------------------------------------


def tables(dice: DiceOdds) -> Mapping[str, Records | pl.DataFrame]:
    """Return every value with its chance, first where there is one distribution; numbers of columns; contests."""
    numbers = [numbers for odds in dice.rows for numbers in odds.numbers]
    contests = [odds.contest for odds in dice.rows if odds.contest]
    chances, rows = {"chances": _chances(dice.rows)}, {"rows": Records(ColumnNumbers, numbers)}
    results = {"results": Records(ContestResults, contests)} if contests else {}
    if len(contests) == len(dice.rows):
        return {**results, **chances, **rows}
    is_one = len(numbers) == 1 and dice.rows[0].kind != "chance"
    return {**chances, **rows} if is_one else {**rows, **chances, **results}


def _chances(rows: Sequence[Odds]) -> pl.DataFrame:
    """Return the chances of each value, and of as much or more, by expression and column where there are several."""
    import polars as pl

    parts = []
    for odds in rows:
        for name in odds.columns:
            chances, at_least = odds.chances(name), odds.tail_chances(name)
            frame = pl.DataFrame({"value": [*chances], "p": [*chances.values()], "at_least": [*at_least.values()]})
            parts.append(frame.select(pl.lit(odds.text).alias("expression"), pl.lit(name).alias("column"), pl.all()))
    if len(parts) == 1:
        return parts[0].drop("expression", "column").rename({"value": "total"})
    return pl.concat(parts)


WORDS = AnswerWords(sentence, short, full, tables)
EVERY_TOTAL = AnswerWords(sentence, short_of_every_total, full_of_every_total, tables)
