"""How much is luck: what decides a result before the first die, and what is left to chance."""

from __future__ import annotations

from balance.analysis.luck.field import PARTS
from balance.base.numbers import show_fixed, show_probability
from balance.reporting import Figure, literal
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.sections.common.columns import Row
from balance.reporting.sections.common.words import Pages

SHORT = {
    "entrants": "what each brings",
    "match-up": "whom it meets",
    "play": "how each plays",
    "seat": "who goes first",
    "together": "several of these",
}


def luck_findings(pages: Pages) -> list[str]:
    """Return a marked sentence for each field on the share of chance; [] where no field was asked about."""
    fields = pages.table("luck_fields")
    rows = [] if fields is None else fields.iter_rows(named=True)
    return [f"**Luck ({literal(row['title'])}).** {_verdict(pages, row)}" for row in rows]


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


def luck_chart(pages: Pages) -> Figure:
    """Return the picture of what decides a result in each field."""
    fields = pages.run.table("luck_fields")
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


def _share(row: Row) -> str:
    """Return a share with its 95 % interval."""
    if row["low"] == row["high"]:
        return f"{show_probability(row['share'])} (exact)"
    low, high = (show_fixed(100 * row[end], 1) for end in ("low", "high"))
    return f"{show_probability(row['share'])} (95%: {low} to {high}%)"
