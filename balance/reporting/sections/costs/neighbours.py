"""What one step of a card does: each of its fields a step up and down, the most telling changes first."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.errors import first_of
from balance.base.numbers import show_many, show_number, show_probability, show_probability_change, show_signed
from balance.reporting import Cell, Column, Paragraph, Section, Table, literal
from balance.reporting.sections.common.columns import Row, TableColumn, frame_table, number, plain
from balance.reporting.sections.common.words import Pages

NEIGHBOUR_TITLE = "What one step of a card does"
MOST_ROWS = 12
"""Changes of a card that a page shows."""
MOST_NAMED = 8
TOLERANCE = 1e-6


def neighbour_section(pages: Pages) -> Section | None:
    """Return what every small change of some cards does; None where the run did not ask for it."""
    cards = pages.table("neighbour_cards")
    if cards is None:
        return None
    blocks: list[Block] = [Paragraph(_meaning(pages))]
    for row in cards.iter_rows(named=True):
        blocks += _of_card(pages, row)
    return Section(NEIGHBOUR_TITLE, "neighbours", tuple(blocks))


def neighbour_findings(pages: Pages) -> list[str]:
    """Return a marked sentence for each card on its most telling changes; [] where none was asked about."""
    cards = pages.table("neighbour_cards")
    return (
        []
        if cards is None
        else [_largest_change_text(row, visible_changes(pages, row)) for row in cards.iter_rows(named=True)]
    )


def _meaning(pages: Pages) -> str:
    win = literal(pages.words.win)
    return (
        "Each number of a card is moved one step up and down (by its tenth where it need not be whole), each ability "
        f"put on or taken off; those it meets stay as printed. Told is by how much the chance to {win} grows (a draw "
        "counts half), and by how many actions killing one of them takes longer, or being killed. What changes no "
        "number is not measurable here."
    )


def _changes(pages: Pages, row: Row) -> pl.DataFrame:
    return pages.run.table("neighbours").filter(setting=row["setting"], card=row["card"])


def visible_changes(pages: Pages, row: Row) -> pl.DataFrame:
    """Return the changes of a card that have an effect, largest score first; `row` is of `neighbour_cards`."""
    sizes = [pl.col(name).abs().fill_null(0.0) for name in ("score", "kills", "stands")]
    return _changes(pages, row).filter("seen").sort(sizes, descending=True, maintain_order=True)


def _of_card(pages: Pages, row: Row) -> list[Block]:
    changes = _changes(pages, row)
    visible = visible_changes(pages, row)
    pairs = pages.run.table("neighbour_pairs").filter(setting=row["setting"], card=row["card"])
    text = " ".join(filter(None, (_largest_change_text(row, visible), _pair(pairs), _printed_text(row))))
    return [Paragraph(text), *([_table(row, visible, changes)] if visible.height else [])]


def _largest_change_text(row: Row, visible: pl.DataFrame) -> str:
    """Return a sentence on the changes that surely help and hurt a card most, or that none surely does."""
    head = f"**{literal(row['label'])}.**"
    up, down = (visible.filter(end).to_dicts() for end in (pl.col("low") > TOLERANCE, pl.col("high") < -TOLERANCE))
    if not up and not down:
        reason = (
            "no change can be told to do anything"
            if visible.height
            else "no change does anything that can be seen here"
        )
        return f"{head} Against {_field(row)}, {reason}."
    ways = (("most for it", up), ("most against it", down))
    return f"{head} Against {_field(row)}, {'; '.join(_foremost(rows, direction) for direction, rows in ways if rows)}."


def _foremost(rows: Sequence[Row], direction: str) -> str:
    """Return the largest change in one direction, with those not told apart from it, as a clause."""
    top = rows[0]
    level = [row for row in rows if row["low"] <= top["high"] + TOLERANCE and row["high"] >= top["low"] - TOLERANCE]
    names = list_words(first_of([f"**{literal(in_words(row['change']))}**" for row in level], MOST_NAMED))
    if len(level) == 1:
        return f"{names} does {direction}: {_change(top)}"
    return f"{names} do {direction}, {'the same each' if _is_exact(top) else 'not told apart'}: {_change(top)}"


def _pair(pairs: pl.DataFrame) -> str:
    """Return a sentence on the two abilities with the largest sure interaction; "" where none is sure."""
    sure = pairs.filter((pl.col("beyond_low") > TOLERANCE) | (pl.col("beyond_high") < -TOLERANCE))
    if not sure.height:
        return ""
    top = sure.sort(pl.col("beyond").abs(), descending=True, maintain_order=True).row(0, named=True)
    more = "more" if top["beyond"] > 0 else "less"
    size = show_probability_change(abs(top["beyond"])).lstrip("+")
    joint_change, (one, other) = (
        show_probability_change(top["together"]),
        (in_words(top[end]) for end in ("one", "other")),
    )
    return (
        f"Two together: **{literal(one)}** and **{literal(other)}** do {joint_change}, {size} {more} "
        "than the sum of both alone."
    )


def _printed_text(row: Row) -> str:
    """Return a sentence on the score and durability of a card as printed, and who held it."""
    score = "exact" if row["low"] == row["high"] else f"95%: {_ends(row)}"
    texts = [f"scores {show_probability(row['score'])} ({score})"]
    texts += [f"kills in {show_number(row['kills'])} actions"] if row["kills"] is not None else []
    texts += [f"stands {show_number(row['stands'])}"] if row["stands"] is not None else []
    by = "" if row["holders"] == [row["card"]] else f", held by {literal(list_words(row['held_by']))}"
    changes = f" (`{literal(', '.join(row['changes']))}`)" if row["changes"] else ""
    return f"As printed it {', '.join(texts)}{by}{changes}; seed {row['seed']}."


def _ends(row: Row) -> str:
    return f"{show_probability(row['low'])} to {show_probability(row['high'])}"


def _field(row: Row) -> str:
    return show_many(len(row["field"]), "opponent")


def _is_exact(row: Row) -> bool:
    return bool(row["low"] == row["high"])


def in_words(change: str) -> str:
    """Return a change without the underscores of a field's name.

    >>> in_words("hexes_per_flag 1 to 0")
    'hexes per flag 1 to 0'
    """
    return change.replace("_", " ")


def _change(row: Row) -> str:
    """Return a change of the score with its 95 % interval."""
    change = show_probability_change(row["score"])
    if _is_exact(row):
        return f"{change} (exact)"
    return f"{change} (95%: {show_probability_change(row['low'])} to {show_probability_change(row['high'])})"


def _table(row: Row, visible: pl.DataFrame, changes: pl.DataFrame) -> Table:
    heads = {"kills": "Actions to kill", "stands": "Actions it stands"}
    is_simulated = visible.filter(pl.col("low") != pl.col("high")).height > 0
    columns = [
        plain("Change", lambda row: in_words(row["change"])),
        number("Score", "score", show_probability_change),
        *([TableColumn(Column("±", "right", "half of the 95% interval, in points"), _half)] if is_simulated else []),
        *(number(heads[name], name, _steps) for name in heads if not visible[name].is_null().all()),
        *([TableColumn(Column("Points", "right", _in_points(row)), _points)] if row["points_in"] is not None else []),
    ]
    selection = (
        f"the {MOST_ROWS} of {visible.height} changes that do most" if visible.height > MOST_ROWS else "every change"
    )
    caption = f"{literal(row['label'])}: {selection}."
    return frame_table(visible.head(MOST_ROWS), columns, caption, _note(visible, changes), "neighbours")


def _half(row: Row) -> Cell:
    half = 50 * (row["high"] - row["low"])
    return Cell(show_number(half, 2), half)


def _in_points(row: Row) -> str:
    kind = literal(row["points_in"])
    return (
        f"what it is worth in {kind}s, all printed costs taken as fair, with half of the 95% interval; – not measurable"
    )


def _points(row: Row) -> Cell:
    if row["points"] is None:
        return Cell("–")
    half = (row["points_high"] - row["points_low"]) / 2
    return Cell(
        f"{show_signed(row['points'], 2)} ± {show_number(half, 2)}",
        row["points"],
        row["points_low"],
        row["points_high"],
    )


def _steps(value: float) -> str:
    return show_signed(value, 2) if abs(value) > TOLERANCE else "0"


def _note(visible: pl.DataFrame, changes: pl.DataFrame) -> str:
    """Return a note on changes left out, those without a visible effect, and those that the rules refuse."""
    sentences = ["All are in the run's table `neighbours`."] if visible.height > MOST_ROWS else []
    for words, rows in (
        ("Not measurable here, as nothing changes:", changes.filter(~pl.col("seen") & ~pl.col("refused"))),
        ("Refused by the rules:", changes.filter("refused")),
    ):
        if names := list(map(in_words, rows["change"])):
            sentences.append(f"{words} {literal(list_words(first_of(names, MOST_NAMED)))}.")
    return " ".join(sentences)
