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

from balance.analysis.changes.neighbours.card_changes import InPoints
from balance.analysis.changes.neighbours.neighbour_points import neighbour_points
from balance.analysis.changes.neighbours.neighbours import FIELD, Change, Neighbour, Neighbourhood, neighbourhood
from balance.analysis.prices.asked import army_setting
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
    cards = [(settings, card) for settings in study.settings.neighbours for card in settings.cards]
    if not cards:
        return {}
    for n_done, (settings, card) in enumerate(cards, start=1):
        with runner.quietly():
            card_rows = _rows(settings, card, study, runner)
        runner.engine.tell("neighbourhoods of cards", n_done, len(cards))
        for name in NEIGHBOUR_TABLES:
            rows[name] += [{"setting": settings.id, "card": card} | row for row in card_rows[name]]
    return {
        name: pl.DataFrame(rows[name], schema=schema).with_columns(pl.col(pl.Float64).round(DIGITS) + 0.0)
        for name, schema in NEIGHBOUR_TABLES.items()
    }


def _rows(settings: NeighbourStudy, card: str, study: Study, runner: Runner) -> dict[str, list[Row]]:
    kind, seed = _kind(runner.game), study.settings.seed
    field, changes = whom_it_meets(settings, study, runner.game)
    neighbours = neighbourhood(runner, card, field, changes, seed)
    worth = neighbour_points(runner, neighbours, seed) if settings.points else InPoints()
    printed_row = {
        "kind": kind.name,
        "label": _label(runner.game, card, kind),
        "title": settings.title,
        "holders": list(neighbours.holders),
        "held_by": list(map(runner.game.label, neighbours.holders)),
        "field": list(neighbours.field),
        "changes": list(changes),
        "kills": neighbours.kills,
        "stands": neighbours.stands,
        "points_in": worth.kind,
        "seed": seed,
    }
    return {
        "neighbour_cards": [printed_row | _score(neighbours.score)],
        "neighbours": [
            *(_of_change(neighbour, worth) for neighbour in neighbours.neighbours),
            *_refusal_rows(neighbours),
        ],
        "neighbour_pairs": list(_of_pairs(neighbours)),
    }


def _of_change(neighbour: Neighbour, worth: InPoints) -> Row:
    change = neighbour.change
    row = _of_any(change)
    actions = {"kills": neighbour.kills, "stands": neighbour.stands}
    value = worth.points.get(change)
    points = {} if value is None else {"points": value.value, "points_low": value.low, "points_high": value.high}
    return row | _score(neighbour.score) | actions | points | {"seen": neighbour.has_effect, "refused": False}


def _refusal_rows(neighbours: Neighbourhood) -> Iterator[Row]:
    for refusal in neighbours.refusals:
        yield _of_any(refusal) | {"seen": False, "refused": True}


def _of_any(change: Change) -> Row:
    texts = {"change": change.change, "field": change.field, "old": change.from_, "new": change.to}
    return texts | {"word": change.word or ""}


def _of_pairs(neighbours: Neighbourhood) -> Iterator[Row]:
    for pair in neighbours.pairs:
        change_a, change_b = pair.changes
        row: Row = {"one": change_a, "other": change_b, "first": pair.alone[0].value, "second": pair.alone[1].value}
        for name in ("together", "beyond"):
            number = getattr(pair, name)
            row |= {name: number.value, f"{name}_low": number.low, f"{name}_high": number.high}
        yield row


def _score(estimate: Estimate) -> Row:
    return {"score": estimate.value, "low": estimate.low, "high": estimate.high}


# -- what is asked ---------------------------------------------------------------------------------------------------


def _kind(game: LoadedGame) -> QuestionKind:
    return game.kind(game.definition.name_about("winner"))


def _changes(settings: NeighbourStudy, study: Study, kind: QuestionKind) -> tuple[str, ...]:
    return override(study.changes(kind.name), settings.set)


def whom_it_meets(settings: NeighbourStudy, study: Study, game: LoadedGame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of whom cards meet, () for everybody, of whom some are drawn; and the changes in every duel."""
    kind = _kind(game)
    return _field(settings, study, game, kind, []), _changes(settings, study, kind)


def _field(
    settings: NeighbourStudy, study: Study, game: LoadedGame, kind: QuestionKind, faults: list[Fault]
) -> tuple[str, ...]:
    """Return the ids of whom a card meets; () where it is everybody, of whom some are drawn later."""
    all_names = game.ids(kind.takes[1])
    if settings.among:
        return tuple(named_entrants(game, all_names, settings.among, faults))
    study_names = study.among(game, all_names)
    return () if study_names == all_names else drawn_by_seed(study_names, FIELD, study.settings.seed, "remedies")


def _label(game: LoadedGame, card: str, kind: QuestionKind) -> str:
    return game.label(card) if card in game.ids(kind.takes[0]) else find_card(game, card)[1]


def _points_faults(game: LoadedGame) -> Iterator[Fault]:
    try:
        army_setting(game, buys_all=False)
    except UsageError as error:
        yield from (Fault(fault.message, field="points", tip="leave it out") for fault in error.faults)


def neighbour_faults(settings: NeighbourStudy, study: Study, game: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for everything in a `[[neighbours]]` table that the game does not know."""
    if not game.definition.name_about("winner"):
        yield Fault("nobody wins in this game, so that a card has no neighbourhood", tip="leave it out")
        return
    kind, faults = _kind(game), list[Fault]()
    if settings.points:
        yield from _points_faults(game)
    names = game.ids(kind.takes[0])
    parts = dict.fromkeys([*(part for name in names for part in game.parts(name)), *names])
    for card in settings.cards:
        if card not in parts:
            fault = unknown(card, parts, "is no card that somebody holds, and no entrant", field="cards")
            yield Fault(fault.message, field="cards", found=card, tip=fault.tip)
    field = _field(settings, study, game, kind, faults)
    yield from (replace(fault, field="among") for fault in faults)
    for side_a, side_b in product(names[:1], field or game.ids(kind.takes[1])[:1]):
        try:
            Query(kind.name, side_a, side_b, _changes(settings, study, kind)).to(game)
        except BalanceError as error:
            yield from error.faults
