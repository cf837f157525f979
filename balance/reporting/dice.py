"""The odds of dice as a picture and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from balance.answers.blocks.document import Block, Document, Figure, Picture, Section
from balance.answers.blocks.lines import Paragraph
from balance.answers.blocks.tables import Column, Table, table
from balance.answers.blocks.text import literal
from balance.base.numbers import show_count, show_fixed, show_probability
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.odds import QUANTILES, Odds
from balance.chance.swing import about_swing, show_swing, why_no_swing
from balance.reporting.figures.canvas import with_dark
from balance.reporting.figures.figures import Series, plot_bars, plot_intervals, plot_lines
from balance.reporting.page.html import render_html
from balance.reporting.page.pdf import render_pdf

HIDDEN = 5e-4
"""Chance at either end of a law that a picture leaves out."""
MOST_LINES = 24
MOST_DOTS = 60
MOST_ROWS = 400


def draw_dice(dice: DiceOdds) -> bytes:
    """Return a picture as SVG: bars of a single law, else the chance of at least each value, for each of several."""
    return with_dark(_picture(dice.rows)[0].wide).encode()


def draw_page(dice: DiceOdds, kind: str) -> bytes:
    """Return the page of one or more expressions as `html` or `pdf`."""
    document = _document(dice)
    return render_pdf(document) if kind == "pdf" else render_html(document).encode()


# -- the picture ------------------------------------------------------------------------------------------------------


def _picture(rows: Sequence[Odds]) -> tuple[Picture, str]:
    """Return a picture and its text alternative."""
    kinds = {odds.kind for odds in rows}
    if len(rows) > 1 and kinds <= {"chance", "contest"}:
        return _chances(rows)
    if len(rows) == 1 and rows[0].kind != "symbols":
        return _bars(rows[0])
    lines = [line for odds in rows for line in _lines(odds)][:MOST_LINES]
    return plot_lines(lines, "at least", "chance", percent=True), "the chance of at least so much"


def _bars(odds: Odds) -> tuple[Picture, str]:
    chances = _without_thin_ends(odds.chances())
    label = f"{odds.text}{', margin' if odds.kind == 'contest' else ''}"
    return plot_bars(list(chances), list(chances.values()), label, "chance"), "the chance of each total"


def _without_thin_ends(chances: dict[int, float]) -> dict[int, float]:
    """Return a law without the ends that hold almost no probability."""
    below, above, kept_chances = 0.0, 1.0, dict[int, float]()
    for value, chance in chances.items():
        below, above = below + chance, 1 - below
        if below > HIDDEN and above > HIDDEN:
            kept_chances[value] = chance
    return kept_chances or chances


def _lines(odds: Odds) -> Iterator[Series]:
    for name in odds.columns:
        shares = {value: share for value, share in odds.tail_chances(name).items() if share > HIDDEN}
        label = odds.text if name == "total" else f"{odds.text}: {name}"
        yield Series(label, tuple(map(float, shares)), tuple(shares.values()))


def _chances(rows: Sequence[Odds]) -> tuple[Picture, str]:
    dots = rows[:MOST_DOTS]
    shares = [100 * (odds.results["win"] if odds.kind == "contest" else odds.mean()) for odds in dots]
    quantity = "chance that the first wins" if dots[0].kind == "contest" else "chance"
    picture = plot_intervals([odds.text for odds in dots], shares, shares, shares, f"{quantity}, in per cent")
    return picture, f"the {quantity} of each row"


# -- the page ---------------------------------------------------------------------------------------------------------


def _document(dice: DiceOdds) -> Document:
    rows, blocks = dice.rows, [Section("In short", "short", tuple(_short(dice)))]
    if len(rows) == 1 and rows[0].kind != "chance":
        totals = [_totals(rows[0], name) for name in rows[0].columns]
        blocks.append(Section("Every total", "totals", tuple(totals)))
    return Document(dice.title, "The odds of dice", tuple(blocks), tuple(_facts(dice)))


def _short(dice: DiceOdds) -> Iterator[Block]:
    rows = dice.rows
    picture, quantity = _picture(rows)
    yield Paragraph(" ".join(_sentences(dice)))
    names = ", ".join(odds.text for odds in rows[:3])
    yield Figure(picture, f"The odds of {names}: {quantity}.", f"{quantity[0].upper()}{quantity[1:]}.")
    yield _numbers(rows)


def _sentences(dice: DiceOdds) -> Iterator[str]:
    yield "Exact, by counting all ways the dice can fall." if dice.is_exact else "Simulated."
    for odds in dice.rows[:MOST_LINES]:
        if odds.kind == "chance":
            yield f"**{literal(odds.text)}** has a chance of {show_probability(odds.chance(1), 2)}."
        if odds.kind == "contest":
            win, tie, lose = (show_probability(share, 2) for share in odds.results.values())
            yield f"In **{literal(odds.text)}** the first wins {win}, the second {lose}; {tie} tie."


def _numbers(rows: Sequence[Odds]) -> Table:
    heads = ["Mean", "Deviation", "Swing", *(f"{q}%" for q in QUANTILES)]
    cells: list[list[str | tuple[str, float]]] = [
        [
            numbers.label,
            (show_fixed(numbers.mean, 4), numbers.mean),
            (show_fixed(numbers.sd, 4), numbers.sd),
            (show_swing(numbers.swing), -1.0 if numbers.swing is None else numbers.swing),
            *((show_count(value), float(value)) for value in numbers.quantiles),
        ]
        for odds in rows
        for numbers in odds.numbers
    ]
    columns = [Column("Expression"), *(Column(head, "right") for head in heads)]
    return table(columns, cells, "Mean, standard deviation, swing and quantiles", about_swing(why_no_swing("totals")))


def _totals(odds: Odds, name: str) -> Table:
    law, at_least = odds.chances(name), odds.tail_chances(name)
    values = [value for value in law if law[value] > 1e-6][:MOST_ROWS]
    rows = [
        [
            (show_count(v), float(v)),
            (show_probability(law[v], 3), law[v]),
            (show_probability(at_least[v], 3), at_least[v]),
        ]
        for v in values
    ]
    columns = [Column(name.capitalize(), "right"), Column("Chance", "right"), Column("At least", "right")]
    return table(columns, rows, f"The chance of each {literal(name)}, and of at least as much")


def _facts(dice: DiceOdds) -> Iterator[tuple[str, str]]:
    yield "Method", "exact" if dice.is_exact else f"simulated, seed {dice.seed}"
    if tail := max(odds.tail for odds in dice.rows):
        yield "Explosions cut off", f"a chance below {tail:.0e}"
