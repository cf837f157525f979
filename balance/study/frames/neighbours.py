"""What every small change of a card does, as tables of a run: one set of rows for each card of each `[[neighbours]]`.

* `neighbour_cards`: each card as it is printed: who of its `holders` were looked at and whom they met (`field`), its
  `score` with a 95 % interval, the actions it takes to kill one of them (`kills`), and those that it stands (`stands`).
* `neighbours`: each change of a field from `old` to `new` (`word`: what comes or goes, where it is a word), and by how
  much score, `kills` and `stands` grow with it; with `points`, what it is worth in them where armies can tell. Of a
  change that the rules refuse nothing is known, and one that is not `seen` changes nothing at all.
* `neighbour_pairs`: every two abilities: what each does alone, both together, and what is `beyond` the sum of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import polars as pl

from balance.analysis.changes.neighbours.neighbour_points import InPoints, neighbour_points
from balance.analysis.changes.neighbours.neighbours import FIELD, Neighbour, Neighbourhood, neighbourhood
from balance.analysis.prices.price_list import army_setting
from balance.analysis.scores.cards import find_card
from balance.base.errors import BalanceError, Fault, UsageError, unknown
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query, override
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import DIGITS
from balance.study.settings.entrants import named_entrants
from balance.study.settings.neighbours import NeighbourStudy
from balance.study.settings.settings import Study

__all__ = ["NEIGHBOUR_TABLES", "neighbour_faults", "neighbour_frames", "whom_it_meets"]

Row = dict[str, Any]
Schema = dict[str, pl.DataType | type[pl.DataType]]
CARD: Schema = {"setting": pl.String, "card": pl.String}
SCORE: Schema = dict.fromkeys(("score", "low", "high"), pl.Float64)
ACTIONS: Schema = dict.fromkeys(("kills", "stands"), pl.Float64)
POINTS: Schema = dict.fromkeys(("points", "points_low", "points_high"), pl.Float64)

NEIGHBOUR_TABLES: dict[str, Schema] = {
    "neighbour_cards": CARD
    | dict.fromkeys(("kind", "label", "title"), pl.String)
    | dict.fromkeys(("holders", "held_by", "field", "changes"), pl.List(pl.String))
    | SCORE
    | ACTIONS
    | {"points_in": pl.String, "seed": pl.Int64},
    "neighbours": CARD
    | dict.fromkeys(("change", "field", "old", "new", "word"), pl.String)
    | SCORE
    | ACTIONS
    | POINTS
    | {"seen": pl.Boolean, "refused": pl.Boolean},
    "neighbour_pairs": CARD
    | dict.fromkeys(("one", "other"), pl.String)
    | dict.fromkeys(
        ("first", "second", "together", "together_low", "together_high", "beyond", "beyond_low", "beyond_high"),
        pl.Float64,
    ),
}


def neighbour_frames(study: Study, runner: Runner) -> dict[str, pl.DataFrame]:
    """Return the tables of all `[[neighbours]]` of a study; none where it has none."""
    rows: dict[str, list[Row]] = {name: [] for name in NEIGHBOUR_TABLES}
    cards = [(told, card) for told in study.settings.neighbours for card in told.cards]
    if not cards:
        return {}
    for done, (told, card) in enumerate(cards, start=1):
        with runner.quietly():
            found = _rows(told, card, study, runner)
        runner.engine.tell("neighbourhoods of cards", done, len(cards))
        for name in NEIGHBOUR_TABLES:
            rows[name] += [{"setting": told.id, "card": card} | row for row in found[name]]
    return {
        name: pl.DataFrame(rows[name], schema=schema).with_columns(pl.col(pl.Float64).round(DIGITS) + 0.0)
        for name, schema in NEIGHBOUR_TABLES.items()
    }


def _rows(told: NeighbourStudy, card: str, study: Study, runner: Runner) -> dict[str, list[Row]]:
    kind, seed = _kind(runner.game), study.settings.seed
    field, changes = whom_it_meets(told, study, runner.game)
    found = neighbourhood(runner, card, field, changes, seed)
    worth = neighbour_points(runner, found, seed) if told.points else InPoints()
    printed = {
        "kind": kind.name,
        "label": _label(runner.game, card, kind),
        "title": told.title,
        "holders": list(found.holders),
        "held_by": list(map(runner.game.label, found.holders)),
        "field": list(found.field),
        "changes": list(changes),
        "kills": found.kills,
        "stands": found.stands,
        "points_in": worth.kind or None,
        "seed": seed,
    }
    return {
        "neighbour_cards": [printed | _score(found.score)],
        "neighbours": [*(_of_change(one, worth) for one in found.neighbours), *_refused(found)],
        "neighbour_pairs": list(_of_pairs(found)),
    }


def _of_change(one: Neighbour, worth: InPoints) -> Row:
    change = one.change
    told = {"change": str(change), "field": change.field, "old": change.old, "new": change.new, "word": change.word}
    actions = {"kills": one.kills, "stands": one.stands}
    known = worth.points.get(change)
    points = {} if known is None else {"points": known.value, "points_low": known.low, "points_high": known.high}
    return told | _score(one.score) | actions | points | {"seen": one.seen, "refused": False}


def _refused(found: Neighbourhood) -> Iterator[Row]:
    for one in found.refused:
        yield {"change": str(one), "field": one.field, "old": one.old, "new": one.new, "word": one.word} | {
            "seen": False, "refused": True,
        }  # fmt: skip


def _of_pairs(found: Neighbourhood) -> Iterator[Row]:
    for pair in found.pairs:
        one, other = pair.words
        row: Row = {"one": one, "other": other, "first": pair.alone[0].value, "second": pair.alone[1].value}
        for name in ("together", "beyond"):
            known: Estimate = getattr(pair, name)
            row |= {name: known.value, f"{name}_low": known.low, f"{name}_high": known.high}
        yield row


def _score(known: Estimate) -> Row:
    return {"score": known.value, "low": known.low, "high": known.high}


# -- what is asked ---------------------------------------------------------------------------------------------------


def _kind(loaded: LoadedGame) -> QuestionKind:
    return loaded.kind(loaded.game.name_about("winner"))


def _changes(told: NeighbourStudy, study: Study, kind: QuestionKind) -> tuple[str, ...]:
    return override(study.changes(kind.name), told.set)


def whom_it_meets(told: NeighbourStudy, study: Study, loaded: LoadedGame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom cards meet (nobody where that is everybody, of whom some are drawn), and what is changed."""
    kind = _kind(loaded)
    return _field(told, study, loaded, kind, []), _changes(told, study, kind)


def _field(
    told: NeighbourStudy, study: Study, loaded: LoadedGame, kind: QuestionKind, faults: list[Fault]
) -> tuple[str, ...]:
    """Return whom a card meets; nobody where that is everybody, of whom some are drawn."""
    listed = loaded.ids(kind.takes[1])
    if told.among:
        return tuple(named_entrants(loaded, listed, told.among, faults))
    chosen = study.among(loaded, listed)
    return () if chosen == listed else drawn_by_seed(chosen, FIELD, study.settings.seed, "remedies")


def _label(loaded: LoadedGame, card: str, kind: QuestionKind) -> str:
    return loaded.label(card) if card in loaded.ids(kind.takes[0]) else find_card(loaded, card)[1]


def _points_faults(loaded: LoadedGame) -> Iterator[Fault]:
    try:
        army_setting(loaded, buys_all=False)
    except UsageError as error:
        yield from (Fault(fault.message, field="points", tip="leave it out") for fault in error.faults)


def neighbour_faults(told: NeighbourStudy, study: Study, loaded: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for everything in a `[[neighbours]]` table that the game does not know."""
    if not loaded.game.name_about("winner"):
        yield Fault("nobody wins in this game, so that a card has no neighbourhood", tip="leave it out")
        return
    kind, faults = _kind(loaded), list[Fault]()
    if told.points:
        yield from _points_faults(loaded)
    names = loaded.ids(kind.takes[0])
    known = dict.fromkeys([*(part for name in names for part in loaded.parts(name)), *names])
    for card in told.cards:
        if card not in known:
            fault = unknown(card, known, "is no card that somebody holds, and no entrant", field="cards")
            yield Fault(fault.message, field="cards", found=card, tip=fault.tip)
    field = _field(told, study, loaded, kind, faults)
    yield from (replace(fault, field="among") for fault in faults)
    for one, other in product(names[:1], field or loaded.ids(kind.takes[1])[:1]):
        try:
            Query(kind.name, one, other, _changes(told, study, kind)).to(loaded)
        except BalanceError as error:
            yield from error.faults
