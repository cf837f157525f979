"""The tables of a change: the changed cards, those whose standing they move, and the prices that they turn."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.reporting.changes.sentences import Name, before_after, card_row, show_cost, standing_words
from balance.reporting.document.document import Cell, Column, Table, table
from balance.reporting.document.text import literal
from balance.reporting.sections.common.columns import Row, TableColumn, ends, frame_table, number, plain
from balance.reporting.sections.common.price_verdicts import VERDICT_TEXTS
from balance.study.compare.change_effects import ChangeEffects
from balance.study.compare.compare import Comparison

SCORE = "The score is the mean over the whole field and both turn orders, a draw counting half."


def affected_tables(
    comparison: Comparison, name: Name, max_rows: Sequence[int] = (16, 18, 8), brief: bool = False
) -> list[Table]:
    """Return what comes first: what is changed, who contains it, and who else stands elsewhere.

    Parameters
    ----------
    comparison
        The catalogues before and after, compared.
    name
        Turns the id of an entrant into the name that people read.
    max_rows
        Rows of each; `compare.json` holds all.
    brief
        Whether to say in a word who is dominated, for narrow places.
    """
    effects, words = comparison.effects, comparison.words
    cards, entrants, other_rows = effects.cards, effects.listed_entrants, effects.other_entrants
    plural = literal(words.entrants)
    tables = []
    if cards:
        rows = [card_row(card) for card in cards[: max_rows[0]]]
        heads: list[Column | str] = ["Card", "Value", Column("Before", "right"), Column("After", "right")]
        tables.append(table(heads, rows, "What is changed.", _left_out(len(cards) - max_rows[0])))
    if entrants.height:
        heading = (
            f"The {plural} whose standing changes"
            if effects.concerns_all
            else f"The {plural} that contain a changed card"
        )
        stay = effects.entrants.height - entrants.height
        stays = show_many(stay, "more contains one and stays as it was", "more contain one and stay as they were")
        still = f" {stays}." if stay else ""
        columns = _columns(entrants, words.entrant.capitalize(), name, brief)
        note = _left_out(entrants.height - max_rows[1]) + still
        tables.append(frame_table(entrants.head(max_rows[1]), columns, f"{heading}. {SCORE}", note.strip()))
    if other_rows.height:
        caption = f"Other {plural}, without a changed card, whose standing changes all the same."
        columns = _columns(other_rows, f"Other {words.entrant}", name, brief)
        tables.append(
            frame_table(other_rows.head(max_rows[2]), columns, caption, _left_out(other_rows.height - max_rows[2]))
        )
    if comparison.prices is not None and (prices := _listed_prices(effects, comparison.prices)).height:
        tables += _price_tables(comparison, prices, name, max_rows[1], brief)
    return tables


def _left_out(n: int) -> str:
    return f"{show_count(n)} more {'is' if n == 1 else 'are'} in `compare.json`." if n > 0 else ""


def _columns(rows: pl.DataFrame, heading: str, name: Name, brief: bool) -> list[TableColumn]:
    """Return the columns of a table of entrants: what they cost and score, and whether they are worth taking."""
    columns = [
        plain(heading, lambda row: name(row["entrant"])),
        TableColumn(Column("Cost", "right"), lambda row: Cell(show_cost(row), row["cost_after"])),
        number("Before", "before", show_probability),
        number("After", "after", show_probability),
        number("Change", "difference", show_probability_change),
    ]
    if rows["difference_low"].null_count() < rows.height:
        head, show = ("Interval, pp", _in_points) if brief else ("Interval", show_probability_change)
        columns.append(ends(head, "difference_low", "difference_high", show, without="exact"))
    if not rows["dominated_after"].null_count():
        full = plain("Never worth taking", lambda row: standing_words(row, name))
        columns.append(plain("Dominated", _in_a_word) if brief else full)
    return columns


def _price_tables(comparison: Comparison, prices: pl.DataFrame, name: Name, max_rows: int, brief: bool) -> list[Table]:
    """Return the prices of so many cards and entrants in every setting: one table, in narrow places one for each."""
    words, settings = comparison.words, prices["setting"].unique(maintain_order=True).to_list()
    plural, points, heading = literal(words.entrants), literal(words.points), f"Card or {words.entrant}"
    caption = f"What cards and {plural} should cost, in {points}: those above and those whose verdict turns."
    names = prices["entrant"].unique(maintain_order=True)
    rows, note = (
        prices.filter(pl.col("entrant").is_in(names.head(max_rows).implode())),
        _left_out(len(names) - max_rows),
    )
    if len(settings) < 2:
        return [frame_table(rows, _price_columns(heading, name, brief), caption, note)]
    if brief:
        heads = {setting: _price_columns(_setting(setting).capitalize(), name, brief) for setting in settings}
        return [frame_table(rows.filter(setting=setting), columns, caption, note) for setting, columns in heads.items()]
    columns = _price_columns(heading, name, brief)
    columns.insert(1, plain("Setting", lambda row: _setting(row["setting"])))
    titles = [
        f"{_setting(setting).capitalize()}: {literal(comparison.setting_titles.get(setting, ''))}."
        for setting in settings
    ]
    return [frame_table(rows, columns, " ".join([caption, *titles]), note)]


def _setting(setting: str) -> str:
    return setting.replace("_", " ")


def _listed_prices(effects: ChangeEffects, prices: pl.DataFrame) -> pl.DataFrame:
    """Return the prices of changed cards, of those listed above, then of those whose verdict is another."""
    other_verdicts = set(prices.filter(pl.col("verdict_before").ne_missing(pl.col("verdict_after")))["entrant"])
    other_entrants = [name for name in effects.standings["entrant"] if name in other_verdicts]
    first = [*(card.card for card in effects.cards), *effects.listed_entrants["entrant"], *other_entrants]
    order = pl.DataFrame({"entrant": list(dict.fromkeys(first))}, schema={"entrant": pl.String})
    return order.join(prices, on="entrant", how="inner", maintain_order="left_right")


def _price_columns(heading: str, name: Name, brief: bool) -> list[TableColumn]:
    """Return the columns of a table of prices: what each costs and should cost, and what is said of that."""
    return [
        plain(heading, lambda row: name(row["entrant"])),
        TableColumn(Column("Cost", "right"), lambda row: Cell(show_cost(row), row["cost_after"])),
        TableColumn(Column("Fair before", "right"), lambda row: _fair(row, "before", brief)),
        TableColumn(Column("Fair after", "right"), lambda row: _fair(row, "after", brief)),
        plain(
            "Verdict",
            lambda row: before_after(_verdict_text(row["verdict_before"]), _verdict_text(row["verdict_after"])),
        ),
    ]


def _verdict_text(verdict: str | None) -> str:
    """Return a verdict as tables of prices have it."""
    return "–" if verdict is None else VERDICT_TEXTS.get(verdict, verdict).removesuffix(" here")


def _fair(row: Row, side: str, brief: bool) -> Cell:
    """Return what an entrant should cost on one side; in narrow places its interval alone."""
    fair, low, high = (row[f"{name}_{side}"] for name in ("fair", "fair_low", "fair_high"))
    if fair is None:
        return Cell("–")
    best = show_fixed(fair, 1)
    if low is None:
        return Cell(best, fair)
    ends = show_interval(low, high, lambda cost: show_fixed(cost, 0 if brief else 1))
    return Cell(ends if brief else f"{best} ({ends})", fair)


def _in_points(share: float) -> str:
    return show_fixed(100 * share, 1)


def _in_a_word(row: Row) -> str:
    words = {(True, True): "still", (False, True): "now", (True, False): "no longer"}
    return words.get((row["dominated_before"], row["dominated_after"]), "–")
