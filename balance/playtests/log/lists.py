"""The lists of a log's games, unit by unit: a row for each entry, a column for each unit, or a list as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import CatalogueError, Fault, comma_list
from balance.base.limits import MOST_FAULTS, MOST_LIST_ROWS
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.playtests.games import Games
from balance.playtests.log.frames import is_frame, read_parquet, sheet_of_frame
from balance.playtests.log.sheets import Sheet, read_sheet
from balance.playtests.words.results import fold_name
from balance.playtests.words.vocabulary import key_of, role_of, side_of, word_set

_UNIT = word_set("unit units unita unit_name nome_unita card carta entry voce truppa")
_MODELS = word_set("models modelli model_count n_models size count n qty quantity quantita number numero copies copie")
_LIST = word_set("list army_list roster lista esercito lista_esercito")
_SIDE = word_set("side lato parte seat")
_COSTS = r"(?i)\s*[(\[]?\s*\b(points?|pts?|punti|cost|costo)\b\.?\s*[)\]]?\s*$"
_MOST_MODELS = 20
"""The median up to which the cells of a column for each unit are numbers of models; costs are more."""
_TIP = "give columns game, side, unit and cost; game, side and a column for each unit; or game, side and list"
_ENTRIES = re.compile(r"[\n;|]|,(?!\d)(?![^(]*\))")
_ENTRY = re.compile(
    r"(?:(\d+)\s*[x×]\s*|(\d+)\s+)?(\S.*?)(?:\s+[x×]\s*(\d+))?"
    r"(?:[\s:–-]*[(\[]\s*([\d.]+)[^\d)\]]*[)\]]|[\s:–-]+([\d.]+)\s*(?:pts?|points?|punti)\.?)?",
    re.IGNORECASE,
)
_LINE = "line of the file"


@dataclass(frozen=True)
class Lists:
    """What stood on both sides, a row for each unit of a list; its copies are summed.

    * `game`: `int64[k]`, rows of the `Games`; `side`: 0 for its `side_a`, 1 for `side_b`.
    * `unit`: `int64[k]`, places in the `names`, which are sorted.
    * `amount`: `float64[k]`: hundreds of cost, models or copies: one `measure` is what effects are told per.
    * `cost`: `float64[k]`, NaN where the lists tell none.
    """

    game: IntArray
    side: IntArray
    unit: IntArray
    amount: FloatArray
    cost: FloatArray
    names: tuple[str, ...]
    measure: str = "100 points"
    notes: tuple[str, ...] = ()


def read_lists(lists: Path | str | Any, games: Games) -> Lists:
    """Return the lists of games from a file (CSV, TSV, workbook, JSON, Parquet) or a frame of polars or pandas.

    Raises `CatalogueError` with every fault: file, row, column, what was found, what is allowed, a tip.
    """
    reader = _Reader(_sheet_of(lists), games)
    entries = reader.numbered(reader.placed(reader.entries()))
    if reader.faults:
        raise CatalogueError(reader.faults[:MOST_FAULTS])
    return reader.summed(entries)


def _sheet_of(lists: Any) -> Sheet:
    if is_frame(lists):
        return sheet_of_frame(lists, MOST_LIST_ROWS)
    path = Path(lists)
    return (
        read_parquet(path, MOST_LIST_ROWS) if path.suffix == ".parquet" else read_sheet(path, max_rows=MOST_LIST_ROWS)
    )


def _texts_of(sheet: Sheet) -> pl.DataFrame:
    """Return the cells as texts, the line of each row first."""
    rows = [(at, cells) for at, cells in sheet.table.rows if any(cells)] or [(1, ("",))]
    names = [cell.strip() for cell in rows[0][1]]
    header = [name if name and name not in names[:at] else f"{name} column {at + 1}" for at, name in enumerate(names)]
    cells = [(line, *(*row, *[""] * len(header))[: len(header)]) for line, row in rows[1:]]
    table = pl.DataFrame(cells, {_LINE: pl.Int64(), **dict.fromkeys(header, pl.String())}, orient="row")
    text = pl.col(pl.String).str.strip_chars()
    return table.with_columns(text.str.replace(r"^(-?\d+),(\d+)$", "$1.$2") if sheet.table.comma else text)


def _number(text: pl.Expr) -> pl.Expr:
    return text.str.replace(_COSTS, "").cast(pl.Float64, strict=False)


def _entries_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (unit, models or copies, cost) of each entry of a list as text.

    >>> list(_entries_of("2x Spearmen (240), Captain 150 pts; 20 Archers"))
    [('Spearmen', '2', '240'), ('Captain', '1', '150'), ('Archers', '20', '')]
    """
    for part in filter(None, map(str.strip, _ENTRIES.split(text))):
        if (entry := _ENTRY.fullmatch(part)) is not None:
            copies, models, unit, times, cost, bare_cost = entry.groups(default="")
            yield unit, copies or models or times or "1", cost or bare_cost


class _Reader:
    def __init__(self, sheet: Sheet, games: Games) -> None:
        self.table, self.path, self.notes, self.games = _texts_of(sheet), sheet.path, [*sheet.notes], games
        self.faults: list[Fault] = []
        self.headers = self.table.columns[1:]
        self.game = next((name for name in self.headers if key_of(name) == "game"), "")
        self.unit, self.models, self.list = (self._named(words) for words in (_UNIT, _MODELS, _LIST))
        roles = {name: role_of(name) for name in self.headers}
        self.cost = next((name for name, role in roles.items() if role and role.kind in ("cost", "points")), "")
        texts = [name for name in self.headers if self.table.select(_number(pl.col(name)).is_null().any()).item()]
        names = [name for name, role in roles.items() if role and role.kind in ("name", "player") and not role.side]
        others = {self.game, self.unit, self.list, side := self._named(_SIDE)}
        self.sides = [*filter(None, [side]), *(name for name in names if name in texts and name not in others)]

    def _named(self, words: frozenset[str]) -> str:
        return next((name for name in self.headers if slug(name) in words), "")

    def _blame(self, rows: pl.DataFrame, field: str, found: str, message: str, allowed: str, tip: str = "") -> None:
        """Note a fault for the first row of each text that is wrong, the column `found` of these rows."""
        for line, text in rows.unique(found, keep="first", maintain_order=True).select(_LINE, found).iter_rows():
            self.faults.append(Fault(message, self.path, line, field, text, allowed, tip))

    def entries(self) -> pl.DataFrame:
        """Return line, game, sides, unit, models and cost of each entry as texts, from any of the three shapes."""
        if not self.game or not self.sides:
            found, lacks = comma_list(self.headers), "side" if self.game else "game"
            raise CatalogueError(Fault(f"names no {lacks} in its header", self.path, 1, "", found, "", _TIP))
        if self.unit:
            models, cost = (pl.col(name) if name else pl.lit("") for name in (self.models, self.cost))
            rows = self.table.with_columns(pl.col(self.unit).alias("unit"), models.alias("models"), cost.alias("cost"))
        else:
            rows = self._rosters() if self.list else self._columns()
        if not len(rows):
            raise CatalogueError(Fault("holds no lists", self.path, tip=_TIP))
        game, sides = pl.col(self.game).str.replace(r"\.0$", ""), pl.concat_list(self.sides)
        return rows.select(_LINE, game.alias("game"), sides.alias("sides"), "unit", "models", "cost")

    def _columns(self) -> pl.DataFrame:
        """Return the entries of lists with a column for each unit."""
        index = [_LINE, self.game, *self.sides]
        units = [name for name in self.headers if name not in index]
        cells = self.table.unpivot(units, index=index, variable_name="unit", value_name="cell").cast(
            {"cell": pl.String}
        )
        cells = cells.filter((pl.col("cell") != "") & (_number(pl.col("cell")).fill_null(1) != 0))
        said = 2 * sum(bool(re.search(_COSTS, name)) for name in units) > len(units)
        median = cells.select(_number(pl.col("cell")).median()).item() or 0
        are_costs = said or median > _MOST_MODELS
        why = "as their headers say" if said else f"as their median is {median:g}"
        self.notes.append(f"The cells are taken as {'costs' if are_costs else 'numbers of models or copies'}, {why}.")
        kinds = {"models": not are_costs, "cost": are_costs}
        values = [(pl.col("cell") if kind else pl.lit("")).alias(name) for name, kind in kinds.items()]
        return cells.with_columns(pl.col("unit").str.replace(_COSTS, ""), *values)

    def _rosters(self) -> pl.DataFrame:
        texts = self.table[self.list].to_list()
        rows = [(at, *entry) for at, text in enumerate(texts) for entry in _entries_of(text)]
        kinds = {"at": pl.UInt32(), **dict.fromkeys(("unit", "models", "cost"), pl.String())}
        parts = pl.DataFrame(rows, kinds, orient="row")
        if (parts["cost"] != "").any():
            n_free = parts["cost"].to_list().count("")
            self.notes.append("A cost beside several copies, such as 2x Spearmen (240), is that of all of them.")
            self.notes += [f"{show_many(n_free, 'entry', 'entries')} without a cost left out."] if n_free else []
            parts = parts.filter(pl.col("cost") != "")
        return self.table.with_row_index("at").join(parts, "at", maintain_order="left")

    def placed(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with the place of their game and their side, 0 or 1; notes faults for those without."""
        ids = self.games.game_ids
        if ids is None:
            ids = tuple(map(str, (self.games.rows - self.games.rows.min() + 1).tolist()))
            self.notes.append("The log names no games: game 1 of the lists is its first, and each row counts.")
        place_of = {game.strip(): at for at, game in enumerate(ids)}
        pairs = rows.select("game", "sides").unique()
        lost = rows.filter(~pl.col("game").is_in(list(place_of)))
        if lost["game"].n_unique() * 2 > rows["game"].n_unique():
            n, tip = lost["game"].n_unique(), "give both files a column game with the same names"
            few = comma_list([*ids[:3], "..."])
            self.faults.append(
                Fault(f"{n:,} of its games are not in the log", self.path, None, self.game, None, few, tip)
            )
            return rows.clear().with_columns(place=pl.lit(0), side=pl.lit(0))
        tip = "leave out lists of games that the log does not hold"
        self._blame(lost, self.game, "game", "is no game of the log", comma_list([*ids[:3], "..."]), tip)
        known = [
            (game, sides, place_of[game], self._side(sides, place_of[game]))
            for game, sides in pairs.iter_rows()
            if game in place_of
        ]
        schema = {"game": pl.String(), "sides": pl.List(pl.String), "place": pl.Int64(), "side": pl.Int64()}
        rows = rows.join(pl.DataFrame(known, schema, orient="row"), ["game", "sides"], "left", maintain_order="left")
        unknown = rows.filter(pl.col("side") < 0).with_columns(pl.col("sides").list.join(", ").alias("text"))
        tip = "where both sides have the same name, say a or b"
        self._blame(unknown, self.sides[0], "text", "names no side of its game", "a, b, or the name of one side", tip)
        return rows

    def _side(self, texts: list[str], place: int) -> int:
        """Return which side of a game the first text that names one means; -1 if none does."""
        for text in texts:
            sides = [side for side, names in enumerate(self._names[place]) if fold_name(text) in names]
            word = {"one": 0, "other": 1}.get(side_of(text), -1)
            if len(sides) == 1 or word >= 0:
                return sides[0] if len(sides) == 1 else word
        return -1

    @cached_property
    def _names(self) -> list[list[set[str]]]:
        """For each game, the names that either side goes by: its army's and its player's."""
        games, players = self.games, self.games.players
        armies = [fold_name(name) for name in games.names]
        people = [*(fold_name(name) for name in games.player_names), ""]
        pairs = np.full((len(games.rows), 2), -1) if players is None else players
        both = np.stack([games.side_a, games.side_b], axis=1)
        return [
            [{armies[a], people[p]} - {""} for a, p in zip(*row, strict=True)]
            for row in zip(both.tolist(), pairs.tolist(), strict=True)
        ]

    def numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with models and cost as numbers; notes faults for what is none, or not above 0."""
        has_costs = bool((rows["cost"] != "").any())
        for name, header in (("models", self.models), ("cost", self.cost)):
            value, must = _number(pl.col(name)), has_costs and name == "cost"
            right = ((value > 0) & value.is_finite()).fill_null(False) | (pl.lit(not must) & (pl.col(name) == ""))
            tip = "write thousands without a separator, and no list without all its costs" if must else ""
            self._blame(rows.filter(~right), header or self.list, name, "is no such number", "a number above 0", tip)
        self._blame(rows.filter(pl.col("unit") == ""), self.unit, "unit", "names no unit", "a name")
        return rows.with_columns(_number(pl.col("models")), _number(pl.col("cost")))

    def summed(self, rows: pl.DataFrame) -> Lists:
        """Return a row for each unit of a list, in an order that is not that of the file."""
        spelling = pl.col("unit").str.replace_all(r"\s+", " ")
        rows = rows.with_columns(spelling.min().over(spelling.str.to_lowercase()).alias("unit"))
        has_costs, has_models = (bool(rows[name].is_not_null().any()) for name in ("cost", "models"))
        measure = "100 points" if has_costs else "model or copy" if has_models else "copy"
        amounts = pl.col("cost") / 100 if has_costs else pl.col("models").fill_null(1)
        total = pl.col("cost").sum() if has_costs else pl.lit(np.nan)
        keys = ["place", "side", "unit"]
        sums = rows.group_by(keys).agg(amounts.sum().alias("amount"), total.alias("cost")).sort(keys)
        n_sides = sums.group_by("place").agg(pl.col("side").n_unique())["side"]
        n_half = int((n_sides == 1).sum())
        self.notes += [f"{show_many(n_half, 'game')} with the list of one side only count with that."] if n_half else []
        if not has_costs:
            self.notes.append(f"The lists tell no costs: effects are told per {measure}, not per 100 points.")
        names = tuple(sums["unit"].unique().sort().to_list())
        unit = np.searchsorted(np.array(names), sums["unit"].to_numpy().astype(str))
        place, side, amount, cost = (sums[name].to_numpy() for name in ("place", "side", "amount", "cost"))
        return Lists(place, side, unit, amount, cost, names, measure, tuple(self.notes))
