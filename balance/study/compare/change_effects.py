"""Whom a change affects: which cards it changes, who contains one, and whose standing changes without any of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any

import polars as pl

from balance.analysis.scores.cards import cards_of
from balance.base.answers import records_of
from balance.catalogue import Record
from balance.catalogue.tables.schema import leaf_columns
from balance.game.loaded import LoadedGame
from balance.study.compare.answer import Affected, CardChange, Standing
from balance.study.compare.standings import standing_table
from balance.study.settings.settings import Study

GLOBAL_TABLES = ("rules", "constants")


def affected_by(study: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame) -> Affected:
    """Return whom a change affects; `changes` is the table of `balance.study.compare.compare`."""
    cards = tuple(changed_cards(before, after))
    changed_ids = dict.fromkeys((card.table, card.card) for card in cards)
    table = standing_table(study, before, after, changes)
    contents = {name: cards_of(before, name) | cards_of(after, name) for name in table["entrant"]}
    changed = {name: [id for table, id in changed_ids if (table, id) in own] for name, own in contents.items()}
    moves = changes.filter(pl.col("touched") & (pl.col("difference") != 0)).select("a", "b").iter_rows()
    has_strays = any(not changed[a] and not changed[b] for a, b in moves)
    most_first = pl.col("difference").abs()
    standing = table.with_columns(cards=pl.Series(list(changed.values()), dtype=pl.List(pl.String))).sort(
        most_first, descending=True, nulls_last=True, maintain_order=True
    )
    everybody = has_strays or any(card.table in GLOBAL_TABLES for card in cards)
    return Affected.of(cards, everybody, records_of(Standing, standing.iter_rows(named=True)))


def changed_cards(before: LoadedGame, after: LoadedGame) -> Iterator[CardChange]:
    """Yield every value in which two catalogues of a game differ, in the order of the catalogue."""
    old, new = before.catalogue, after.catalogue
    for table, entries in old.tables.items():
        new_entries = new.tables.get(table, {})
        for card in dict.fromkeys([*entries, *new_entries]):
            label = str(getattr(entries.get(card) or new_entries[card], "name", card))
            yield from _values(table, card, label, entries.get(card), new_entries.get(card))
    yield from _values("rules", "", "Rules", old.rules, new.rules)
    yield from _values("constants", "", "Constants", old.constants, new.constants)
    if before.definition.file is not None and old.rules_version != new.rules_version:
        yield from _steps(before, after)


def _steps(before: LoadedGame, after: LoadedGame) -> Iterator[CardChange]:
    """Yield every rule, as a line of text, in which two game files differ."""
    from balance.rulebook.opening import rule_texts

    old, new = rule_texts(before.definition), rule_texts(after.definition)
    keys = [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key)]
    if not keys:
        yield CardChange("rules", "", "Rules", "rest of the rules", "as they were", "others")
    for key in keys:
        yield CardChange("rules", "", "Rules", key, old.get(key, "nothing"), new.get(key, "nothing"))


def _values(table: str, card: str, label: str, old: Record | None, new: Record | None) -> Iterator[CardChange]:
    if old is None or new is None:
        yield CardChange(table, card, label, "", None, "new" if old is None else "gone")
        return
    old_values, new_values = old.model_dump(mode="json"), new.model_dump(mode="json")
    for field in dict.fromkeys([*leaf_columns(type(old)), *leaf_columns(type(new))]):
        pair = [_value_at(values, field) for values in (old_values, new_values)]
        if pair[0] != pair[1]:
            yield CardChange(table, card, label, field, *pair)


def _value_at(values: dict[str, Any], field: str) -> Any:
    """Return a value by its dotted name; None where a record of another game file has no such field."""
    try:
        return reduce(getitem, field.split("."), values)
    except KeyError:
        return None
