"""Where the numbers behind the results come from: stated by the rulebook, inferred, assumed, or nobody said."""

from __future__ import annotations

import polars as pl

from balance.game.loaded import LoadedGame

STATUSES = ("stated", "inferred", "assumed", "unknown")


def provenance_table(game: LoadedGame) -> pl.DataFrame:
    """Return one row per value of the catalogue.

    Returns
    -------
    polars.DataFrame
        `table`, `id`, `field`, `status` (one of `STATUSES`) and `where`; the rule options and the constants of the
        rules file are the tables `rules` and `constants`.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> table = provenance_table(load("warforged"))
    >>> table.filter(id="nexus", field="cost_points")["status"].item()
    'assumed'
    """
    from balance.catalogue.tables.sources import known_values

    catalogue = game.catalogue
    rows = []
    for table, entries in known_values(catalogue.spec, catalogue.tables).items():
        for entry, names in entries.items():
            for name in names:
                source = catalogue.source_of(table, entry, name)
                status, place = (source.status, source.where) if source else ("unknown", "")
                rows.append({"table": table, "id": entry, "field": name, "status": status, "where": place})
    return pl.DataFrame(rows, schema=dict.fromkeys(("table", "id", "field", "status", "where"), pl.String))


def count_assumed(cards: pl.DataFrame, provenance: pl.DataFrame) -> pl.DataFrame:
    """Add to a table of cards how many values each has, and how many of them nobody stated.

    Parameters
    ----------
    cards
        With columns `table` and `card`.
    provenance
        As `provenance_table` returns it.

    Returns
    -------
    polars.DataFrame
        The same with `n_values` and `n_assumed` (assumed, or of unknown origin).

    Examples
    --------
    >>> cards = pl.DataFrame({"table": ["units"], "card": ["rat"]})
    >>> sources = pl.DataFrame({"table": ["units"] * 2, "id": ["rat"] * 2, "status": ["stated", "assumed"]})
    >>> count_assumed(cards, sources).row(0)
    ('units', 'rat', 2, 1)
    """
    counts = provenance.group_by("table", "id").agg(
        pl.len().cast(pl.Int64).alias("n_values"),
        pl.col("status").is_in(["assumed", "unknown"]).sum().cast(pl.Int64).alias("n_assumed"),
    )
    frame = cards.join(counts, left_on=["table", "card"], right_on=["table", "id"], how="left", maintain_order="left")
    return frame.with_columns(pl.col("n_values", "n_assumed").fill_null(0))
