"""How much is luck: what decides a result before the first die, and what is left to chance."""

from __future__ import annotations

import polars as pl

from balance.analysis.luck.field import PARTS
from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import show_count, show_many, show_probability, show_probability_change
from balance.reporting import Callout, Cell, Column, Figure, Paragraph, Section, literal
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.sections.common.columns import Row, TableColumn, frame_table, plain
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.fights.luck_pairs import asked_with, pair_blocks, share_interval

LUCK_TITLE = "How much is luck"
SHORT = {
    "entrants": "what each brings",
    "match-up": "whom it meets",
    "play": "how each plays",
    "seat": "who goes first",
    "together": "several of these",
}
BY = {
    "entrants": "by what each side brings",
    "match-up": "by whom it happens to meet",
    "play": "by how each side plays",
    "seat": "by who goes first",
    "together": "by several of these together",
}


def luck_section(pages: Pages) -> Section | None:
    """Return the section on what decides results; None where the run did not ask for it."""
    fields, pairs = pages.table("luck_fields"), pages.table("luck_pairs")
    if fields is None and pairs is None:
        return None
    blocks: list[Block] = []
    if fields is not None:
        blocks += [Paragraph(_meaning_of_fields()), *(_callout(pages, row) for row in fields.iter_rows(named=True))]
        blocks += [_field_figure(pages, fields), _field_table(pages, fields)]
    if pairs is not None:
        blocks += pair_blocks(pages, pairs)
    return Section(LUCK_TITLE, "luck", tuple(blocks))


def luck_findings(pages: Pages) -> list[str]:
    """Return a marked sentence for each field on the share of chance; [] where no field was asked about."""
    fields = pages.table("luck_fields")
    rows = [] if fields is None else fields.iter_rows(named=True)
    return [f"**Luck ({literal(row['title'])}).** {_verdict(pages, row)}" for row in rows]


# -- a field ---------------------------------------------------------------------------------------------------------


def _meaning_of_fields() -> str:
    return (
        "Two of a field are drawn, and who goes first; then they fight. The variance of what a side scores is cut up "
        "into what is known before the first die is rolled, and **chance**, which is what is left. The shares add up "
        "to 100%."
    )


def _callout(pages: Pages, row: Row) -> Callout:
    return Callout("key", row["title"][:1].upper() + row["title"][1:], f"{_verdict(pages, row)} {_rest(pages, row)}")


def _shares(pages: Pages, setting: str) -> dict[str, Row]:
    rows = pages.run.table("luck_shares").filter(setting=setting).iter_rows(named=True)
    return {row["part"]: row for row in rows}


def _verdict(pages: Pages, row: Row) -> str:
    """Return whether chance is surely more or less than half of the variance, with its share."""
    chance, result = _shares(pages, row["setting"])["chance"], f"how a {literal(row['kind'])} ends"
    sentence = f"{_share(chance)} of {result} is chance"
    if chance["low"] > 0.5:
        return f"**Most is chance:** {sentence}."
    if chance["high"] < 0.5:
        return f"**Most is decided before the first die:** {sentence}."
    return f"**Whether most is chance is not yet known:** {sentence}."


def _rest(pages: Pages, row: Row) -> str:
    """Return sentences on the shares known before the first die, largest first, and on the sample asked."""
    parts = [share_row for part, share_row in _shares(pages, row["setting"]).items() if part in BY]
    parts.sort(key=lambda share_row: -share_row["share"])
    (top, *rest) = [(show_probability(max(share_row["share"], 0.0)), BY[share_row["part"]]) for share_row in parts]
    text = list_words([f"{top[0]} are decided {top[1]}", *(f"{share} {by}" for share, by in rest)])
    way = "as it was chosen" if row.get("choices") else "as by default"
    skill = "" if row["ways"] else f" Everybody plays {way}: what skill is worth is not measurable here."
    return f"Before the first die {text}.{_seat_text(pages, row)} {_draw_text(pages, row)}{skill}"


def _seat_text(pages: Pages, row: Row) -> str:
    """Return what going first adds to a score; "" if the section of the first move has it for the same duels."""
    first, is_told = row["first_mover"], row["kind"] == "duel" and pages.table("first_mover") is not None
    if first is None or (is_told and not row.get("choices") and not row["changes"]):
        return ""
    return f" Going first rather than second adds {show_probability_change(first)} on average."


def _draw_text(pages: Pages, row: Row) -> str:
    entrant, entrants = pages.words.entrant, pages.words.entrants
    sides = [row["entrants"], *([row["others"]] if row["others"] else [])]
    counts = " against ".join(show_count(len(ids)) for ids in sides)
    sample = (
        f"one of {counts}" if row["others"] else f"any two of {counts} {entrants if len(sides[0]) != 1 else entrant}"
    )
    source = f", drawn from {show_count(row['n_entrants'])}" if row["n_entrants"] > len(sides[0]) else ""
    ways = f", each side in any of {list_words(row['ways'])}" if row["ways"] else ""
    trials = f"{show_many(row['n_trials'], 'trial')}" if row["n_trials"] else "all exact"
    text = f"Asked of {sample}{source}{ways}: {show_many(row['n_cells'], row['kind'])}, {trials}, seed {row['seed']}"
    return f"{literal(text)}{asked_with(row)}."


def _field_figure(pages: Pages, fields: pl.DataFrame) -> Figure:
    by_title = {title: _shares(pages, setting) for setting, title in fields.select("setting", "title").iter_rows()}
    parts = [part for part in PARTS if any(part in shares for shares in by_title.values())]
    rows = [[shares[part]["share"] if part in shares else 0.0 for part in parts] for shares in by_title.values()]
    text = "; ".join(
        f"{title}: "
        + ", ".join(f"{part} {show_probability(max(share_row['share'], 0.0))}" for part, share_row in shares.items())
        for title, shares in by_title.items()
    )
    names = [SHORT.get(part, part) for part in parts]
    return Figure(
        plot_shares(list(by_title), names, rows, "share of the variance of the score"),
        f"What decides a result. {text}.",
        "What decides a result, in shares of its variance; the parts from left to right in the order of the key.",
        "luck_shares",
    )


def _field_table(pages: Pages, fields: pl.DataFrame) -> Block:
    titles = dict(fields.select("setting", "title").iter_rows())
    frame = pages.run.table("luck_shares")
    columns = [
        *([plain("Of", lambda row: titles[row["setting"]])] if len(titles) > 1 else []),
        plain("What the score hangs on", lambda row: PARTS[row["part"]]),
        TableColumn(Column("Share", "right"), lambda row: Cell(show_probability(max(row["share"], 0.0)), row["share"])),
        TableColumn(Column("95% interval", "right"), lambda row: share_interval(row["low"], row["high"])),
    ]
    note = "Intervals are of the trials that were played; of other fields the shares are others."
    return frame_table(
        frame, columns, "What decides a result before the first die, and what is left to chance.", note, "luck_shares"
    )


def _share(row: Row) -> str:
    """Return a share with its 95 % interval."""
    if row["low"] == row["high"]:
        return f"{show_probability(row['share'])} (exact)"
    return f"{show_probability(row['share'])} (95%: {share_interval(row['low'], row['high'])})"
