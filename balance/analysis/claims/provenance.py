"""Where the numbers behind the results come from: stated by the rulebook, inferred, assumed, or nobody said."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from balance.game.loaded import LoadedGame

STATUSES = ("stated", "inferred", "assumed", "unknown")


def provenance_table(game: LoadedGame, asked: Collection[str] = ()) -> pl.DataFrame:
    """Return one row per value of the catalogue that any of the kinds of question in `asked`, by default all, reads.

    The columns are `table`, `id`, `field`, `status` (one of `STATUSES`) and `where`; the rule options and the constants
    of the rules file are the tables `rules` and `constants`.
    """
    from balance.catalogue.tables.sources import known_values

    catalogue, kinds = game.catalogue, game.definition.kinds.values()
    unread = {table for kind in kinds if asked and kind.name not in asked for table in kind.reads}
    values = known_values(catalogue.spec, catalogue.tables)
    rows = []
    for table, entries in ((table, entries) for table, entries in values.items() if table not in unread):
        for entry, names in entries.items():
            for name in names:
                source = catalogue.source_of(table, entry, name)
                status, place = (source.status, source.where) if source else ("unknown", "")
                rows.append({"table": table, "id": entry, "field": name, "status": status, "where": place})
    return pl.DataFrame(rows, schema=dict.fromkeys(("table", "id", "field", "status", "where"), pl.String))
