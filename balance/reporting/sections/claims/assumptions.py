"""What rests on assumed numbers: how many values nobody stated, and which conclusions stand on them."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.reporting import Callout, literal
from balance.reporting.sections.common.words import Pages
from balance.study.frames.report_tables import frame_name

LARGE_SHARE = 1 / 3
"""Share of values from which on nothing should be concluded without saying that they are assumed."""
MOST_TABLES = 4
STATUS_WORDS = {"stated": "stated", "inferred": "inferred", "assumed": "assumed", "unknown": "without a source"}


def assumed_callout(pages: Pages) -> Block:
    """Return how much is assumed, as a box: a caution where that is a large share, or where it is costs."""
    sources = pages.run.table("provenance")
    total = sources.height or 1
    counts = dict(sources["status"].value_counts().iter_rows())
    parts = [f"{counts[word]} {text}" for word, text in STATUS_WORDS.items() if counts.get(word)]
    sentences = [f"Of {total} values in the catalogue and the rules, {list_words(parts)}."]
    if costs := _costs(pages, sources):
        sentences.append(costs)
    if large := sum(counts.get(word, 0) for word in ("assumed", "unknown")) >= LARGE_SHARE * total:
        rests = f" {list_words(conclusions)}" if (conclusions := _conclusions(pages)) else " every number here"
        sentences.append(f"**{_largest_tables_text(sources)}** On these values rests what is said under:{rests}.")
    title = "What rests on assumed numbers" if counts.get("assumed") else "Where the numbers come from"
    return Callout("caution" if costs or large else "note", title, " ".join(sentences))


def _costs(pages: Pages, sources: pl.DataFrame) -> str:
    """Return sentences on costs that nobody stated; "" where no prices are judged or all costs have a source."""
    costs = sources.filter(pl.col("field").str.contains("cost"))
    if not pages.has_prices or all(pages.table(name) is None for name in ("prices", "fair_costs")):
        return ""
    sentences, assumed_costs = [], costs.filter(status="assumed")
    if assumed_costs.height:
        source = assumed_costs["where"].value_counts(sort=True)["where"][0]
        sentences.append(
            f"**{assumed_costs.height} of {costs.height} costs are assumed** (SOURCES: {literal(source)}), so every "
            "verdict on price rests on assumed costs: put in your own, and say so in SOURCES, before acting on one."
        )
    if unknown := costs.filter(status="unknown").height:
        sentences.append(
            f"**{unknown} of {costs.height} costs name no source**; the verdicts on price take them as they are."
        )
    return " ".join(sentences)


def _largest_tables_text(sources: pl.DataFrame) -> str:
    """Return a sentence on the tables with the most values that nobody stated."""
    unsure = pl.col("status").is_in(["assumed", "unknown"])
    tables = sources.group_by("table", maintain_order=True).agg(unsure.sum().alias("n"), pl.len().alias("of"))
    top = tables.filter(pl.col("n") > 0).sort("n", descending=True, maintain_order=True).head(MOST_TABLES)
    names = [f"{literal(name.replace('_', ' '))} ({n} of {of})" for name, n, of in top.iter_rows()]
    is_any_assumed = (sources["status"] == "assumed").any()
    return f"{'Assumed' if is_any_assumed else 'Without a source'} are above all {list_words(names)}."


_SUBJECTS = {"prices": "who wins", "fair_costs": "prices", "tasks": "match-ups"}
"""Table of a run -> what is concluded from it."""


def _conclusions(pages: Pages) -> list[str]:
    """Return what this run concludes: subjects such as prices, and the titles of what the game declares and shows."""
    settings = pages.run.settings
    subjects = [name for table, name in _SUBJECTS.items() if pages.table(table) is not None]
    sections = [
        entry
        for entry in settings.sections
        if entry.shown and any(pages.table(frame_name(part)) is not None for part in entry.tables)
    ]
    solutions = pages.table("solutions")
    ids = [] if solutions is None else solutions["id"].to_list()
    played = settings.scaling if pages.table("scaling_sizes") is not None else []
    titles = [entry.title for entry in played] + [entry.title for entry in sections]
    titles += [entry.title for entry in settings.solutions if entry.id in ids]
    return [*subjects, *(f"“{literal(title)}”" for title in titles)]
