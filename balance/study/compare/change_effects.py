"""Whom a change affects: which cards it changes, who contains one, and whose standing changes without any of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import reduce
from operator import getitem
from typing import Any

import polars as pl

from balance.analysis.scores.cards import cards_of
from balance.catalogue import Record
from balance.catalogue.tables.schema import leaf_columns
from balance.game.loaded import LoadedGame
from balance.study.compare.standings import standing_table
from balance.study.settings.settings import Study

GLOBAL_TABLES = ("rules", "constants")
CONTAINS = pl.col("cards").list.len() > 0
CHANGES_DOMINANCE = (pl.col("dominated_before") != pl.col("dominated_after")).fill_null(value=False)
_CHANGES_COST_OR_DOMINANCE = CHANGES_DOMINANCE | (pl.col("cost_before") != pl.col("cost_after"))
_LOW, _HIGH = (pl.coalesce(f"difference_{end}", "difference") for end in ("low", "high"))
SCORES_ELSE = (_LOW > 0).fill_null(value=False) | (_HIGH < 0).fill_null(value=False)
"""Whose mean score certainly changes."""
MOVES = SCORES_ELSE | _CHANGES_COST_OR_DOMINANCE
"""Whose mean score certainly changes, or who costs something else, or is dominated from now on or no longer."""
STAYS = (_LOW == 0).fill_null(value=False) & (_HIGH == 0).fill_null(value=False) & ~_CHANGES_COST_OR_DOMINANCE
"""Whose mean score, cost and dominance are certainly as they were."""


@dataclass(frozen=True)
class CardChange:
    """One value that a change replaces.

    Attributes
    ----------
    table, card, label
        Where it stands: table, entry and its name; "rules" or "constants", with neither, for what concerns everybody.
    field
        Which value; empty for a whole entry.
    before, after
        The value as JSON has it; of a whole entry None and "new" or "gone".
    """

    table: str
    card: str
    label: str
    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class ChangeEffects:
    """Whom a change affects.

    `cards`: what is changed, value by value, in the order of the catalogue. `concerns_all`: whether it concerns
    everybody: a rule or a number of the rules changes, or what entrants without a changed card score against each
    other. `standings`: the table of `standing_table` with `cards`: ids of the changed cards that an entrant contains;
    those whose mean score moves most come first.
    """

    cards: tuple[CardChange, ...]
    concerns_all: bool
    standings: pl.DataFrame

    @property
    def entrants(self) -> pl.DataFrame:
        """The rows of entrants that contain a changed card, or of all that move where the change concerns everybody."""
        return self.standings.filter(MOVES if self.concerns_all else CONTAINS)

    @property
    def listed_entrants(self) -> pl.DataFrame:
        """The rows of `entrants` but for those that certainly keep their score and dominance."""
        return self.entrants.filter(~STAYS)

    @property
    def other_entrants(self) -> pl.DataFrame:
        """The rows of entrants that certainly move without a changed card, first those that gain or lose dominance."""
        moves = self.standings.filter(~CONTAINS & MOVES & (not self.concerns_all))
        return moves.sort(CHANGES_DOMINANCE, descending=True, maintain_order=True)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON values."""
        tables = {"entrants": self.entrants.to_dicts(), "others": self.other_entrants.to_dicts()}
        return {"everybody": self.concerns_all, "cards": [asdict(card) for card in self.cards]} | tables


def effects_of(study: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame) -> ChangeEffects:
    """Return whom a change affects; `changes` is the table of `balance.study.compare.compare`."""
    cards = tuple(changed_cards(before, after))
    changed_ids = dict.fromkeys((card.table, card.card) for card in cards)
    standings = standing_table(study, before, after, changes)
    cards_by_entrant = {name: cards_of(before, name) | cards_of(after, name) for name in standings["entrant"]}
    changed_by_entrant = {
        name: [id for table, id in changed_ids if (table, id) in contents]
        for name, contents in cards_by_entrant.items()
    }
    moves = changes.filter(pl.col("touched") & (pl.col("difference") != 0)).select("a", "b").iter_rows()
    has_strays = any(not changed_by_entrant[a] and not changed_by_entrant[b] for a, b in moves)
    column = pl.Series("cards", list(changed_by_entrant.values()), pl.List(pl.String))
    standings_by_change = standings.with_columns(column).sort(
        pl.col("difference").abs(), descending=True, nulls_last=True, maintain_order=True
    )
    return ChangeEffects(cards, has_strays or any(card.table in GLOBAL_TABLES for card in cards), standings_by_change)


def changed_cards(before: LoadedGame, after: LoadedGame) -> Iterator[CardChange]:
    """Yield every value in which two catalogues of a game differ, in the order of the catalogue.

    >>> from balance.base.paths import data_folder
    >>> from balance.game.loaded import load
    >>> from balance.study.settings.patch import load_patch
    >>> game = load("warforged")
    >>> patched = load_patch(data_folder() / "warforged" / "patch_example.toml").apply(game)
    >>> [(card.label, card.field, card.before, card.after) for card in changed_cards(game, patched)]
    [('Shotgun', 'precision', 8, 7), ('Rail Lance', 'cost_points', 24, 28)]
    """
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
    from balance.rulebook import rule_texts

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
