"""How much of a result is luck, as tables of a run: one set of rows for each `[[luck]]` of the study.

* `luck_fields`: what was asked of a field: what is changed and chosen, `entrants` (and `others`, where sides are of
  different kinds), of how many they were drawn, their `ways` of playing, how many duels were looked at and how many
  trials those took that had to be simulated, and what going first adds to a score.
* `luck_shares`: the `share` of the variance of a score that each `part` brings, with its 95 % interval; parts that
  cannot be, such as the seat where nobody goes first, are left out. `balance.analysis.luck.field.PARTS` says what they
  are.
* `luck_pairs`: of each pair (those that are `named`, or the most even ones of the field) the `mean` of the `result`
  with its standard deviation and `swing`, the share that no source settles alone (`together`), and how it goes, with
  standard errors (see `balance.analysis.luck.texture`; the times are in `unit`).
* `luck_sources`: of each pair what every die, card or choice settles `alone`, with its interval, and what its rolls
  bring (`when_rolled`), where that is known.
* `luck_ends`: of each pair what is `counted` when it is over, of the winner and of the loser on average (what was
  wasted has one mean, over all).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from balance.analysis.luck.end_totals import AtEnd
from balance.analysis.luck.field import MOST_DRAWN, FieldLuck, applies, check_choices, check_size, luck_of_field
from balance.analysis.luck.question import luck, result_of
from balance.analysis.luck.texture import NUMBERS
from balance.base.errors import BalanceError, Fault
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query, override
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question, which_has
from balance.study.frames.army_prices import DIGITS
from balance.study.settings.entrants import named_entrants
from balance.study.settings.luck import LuckStudy
from balance.study.settings.settings import Study

__all__ = ["LUCK_TABLES", "AskedLuck", "PairLuck", "asked_luck", "luck_faults", "luck_frames"]

Row = dict[str, Any]
Rows = dict[str, list[Row]]
Schema = dict[str, pl.DataType | type[pl.DataType]]
SETTING: Schema = {"setting": pl.String, "kind": pl.String}
PAIR: Schema = dict.fromkeys(("one", "other", "one_label", "other_label"), pl.String)


def _numbers(*names: str) -> Schema:
    return dict.fromkeys(names, pl.Float64)


LUCK_TABLES: dict[str, Schema] = {
    "luck_fields": SETTING
    | {"title": pl.String}
    | dict.fromkeys(("changes", "choices", "entrants", "others", "ways"), pl.List(pl.String))
    | {"n_entrants": pl.Int64, "n_cells": pl.Int64, "n_trials": pl.Int64, "first_mover": pl.Float64, "seed": pl.Int64},
    "luck_shares": SETTING | {"part": pl.String} | _numbers("share", "low", "high"),
    "luck_pairs": SETTING
    | {"title": pl.String, **PAIR, "named": pl.Boolean}
    | {"changes": pl.List(pl.String), "choices": pl.List(pl.String), "result": pl.String}
    | _numbers("mean", "low", "high", "sd", "swing", "together", "together_low", "together_high")
    | {"unit": pl.String, "largest_of": pl.String}
    | _numbers(*NUMBERS, *(f"{name}_error" for name in NUMBERS), "half_settled")
    | {"n_games": pl.Int64, "seed": pl.Int64, "why_simulated": pl.String},
    "luck_sources": SETTING
    | {**PAIR, "source": pl.String}
    | _numbers("alone", "alone_low", "alone_high", "when_rolled"),
    "luck_ends": SETTING
    | {**PAIR, "counted": pl.String}
    | _numbers("winner", "winner_low", "winner_high", "loser", "loser_low", "loser_high"),
}


def luck_frames(study: Study, runner: Runner) -> dict[str, pl.DataFrame]:
    """Return the tables of all `[[luck]]` of a study; none where it has none."""
    found: Rows = {name: [] for name in LUCK_TABLES}
    for told in study.settings.luck:
        asked = asked_luck(told, study, runner.game)
        for name, rows in _rows(asked, runner).items():
            found[name] += [{"setting": told.id, "kind": asked.kind.name, "title": told.title} | row for row in rows]
    if not study.settings.luck:
        return {}
    return {
        name: pl.DataFrame([{column: row.get(column) for column in schema} for row in found[name]], schema=schema)
        .with_columns(pl.col(pl.Float64).round(DIGITS) + 0.0)
        for name, schema in LUCK_TABLES.items()
    }  # fmt: skip


# -- what is asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AskedLuck:
    """One table with its names looked up.

    Attributes
    ----------
    field
        Who is in it; nobody stands for everybody, of whom some are drawn, and None for no field at all.
    n_listed
        Entrants of the first side that are drawn from; 0 where they were named.
    """

    told: LuckStudy
    kind: QuestionKind
    changes: tuple[str, ...]
    field: tuple[str, ...] | None
    n_listed: int
    pairs: tuple[tuple[str, str], ...]
    seed: int

    def query(self, one: str, other: str) -> Query:
        """Return the question about two, either going first."""
        return Query(self.kind.name, one, other, self.changes, None, self.choices)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What sides choose, (name, value)."""
        return tuple(self.told.choices.items())

    @property
    def about(self) -> Row:
        """What is changed and chosen, as columns."""
        return {"changes": list(self.changes), "choices": [f"{name}={value}" for name, value in self.choices]}


def asked_luck(told: LuckStudy, study: Study, loaded: LoadedGame, faults: list[Fault] | None = None) -> AskedLuck:
    """Return a table with its names looked up.

    Raises
    ------
    BalanceError
        The game has no such kind of question.
    """
    faults = [] if faults is None else faults
    kind = loaded.kind(told.kind or loaded.game.name_about("winner") or next(iter(loaded.game.kinds)))
    field, listed = None, study.among(loaded, loaded.ids(kind.takes[0]))
    if kind.winner and (told.among or not told.pairs):
        field = _field(told, study, loaded, kind, faults)
    pairs = tuple((one, other) for one, other in told.pairs)
    changes = override(study.changes(kind.name), told.set)
    return AskedLuck(told, kind, changes, field, 0 if told.among else len(listed), pairs, study.settings.seed)


def _field(
    told: LuckStudy, study: Study, loaded: LoadedGame, kind: QuestionKind, faults: list[Fault]
) -> tuple[str, ...]:
    """Return who is in the field; nobody where it is everybody, of whom some are drawn."""
    if told.among:
        known = [name for taken in kind.takes[: 2 if kind.has_factions else 1] for name in loaded.ids(taken)]
        return tuple(named_entrants(loaded, known, told.among, faults))
    listed = loaded.ids(kind.takes[0])
    chosen = study.among(loaded, listed)
    return () if chosen == listed else drawn_by_seed(chosen, MOST_DRAWN, study.settings.seed, "luck/field")


def luck_faults(told: LuckStudy, study: Study, loaded: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for everything in a `[[luck]]` table that the game does not know."""
    faults = list[Fault]()
    try:
        asked = asked_luck(told, study, loaded, faults)
        result_of(asked.kind)
    except BalanceError as error:
        yield from error.faults
        return
    yield from (replace(fault, field="among") for fault in faults)
    if not asked.kind.winner and not asked.pairs:
        yield Fault(f"nobody wins in {asked.kind.name}, so there is no field", field="kind", tip="name pairs")
    if not asked.kind.winner and told.among:
        yield Fault(f"nobody wins in {asked.kind.name}", field="among", tip=which_has(loaded.game, "winner"))
    if told.play and not asked.kind.habits:
        yield Fault(f"nobody chooses how to play in {asked.kind.name}", field="play", tip="leave it out")
    yield from _of_size(asked) if not faults else ()
    if wrong := list(_of_choices(asked)):
        yield from wrong
        asked = replace(asked, told=told.model_copy(update={"choices": {}}))
    ones, others = (loaded.ids(taken) for taken in asked.kind.takes)
    meeting = [("pairs", *pair) for pair in asked.pairs]
    if others and not asked.kind.has_factions:
        meeting += [("among", name, others[-1]) for name in asked.field or ()]
    for field, one, other in meeting:
        yield from (replace(fault, path="", field=field) for fault in _refused(loaded, asked, one, other))
    usual = [(ones[0], others[-1])] if ones and others else []
    for one, other in [*usual, *(pair for _, *pair in meeting)]:
        if not _refused(loaded, asked, one, other):
            yield from _refused(loaded, asked, one, other, asked.changes)


def _of_choices(asked: AskedLuck) -> Iterator[Fault]:
    """Yield why sides cannot choose as they are said to."""
    try:
        check_choices(asked.kind, asked.choices, asked.told.play and asked.field is not None)
    except BalanceError as error:
        yield from (replace(fault, path="", field="choices") for fault in error.faults)


def _refused(
    loaded: LoadedGame, asked: AskedLuck, one: str, other: str, changes: tuple[str, ...] = ()
) -> tuple[Fault, ...]:
    """Return why two may not meet, with or without what is changed; nothing if they may."""
    try:
        replace(asked, changes=changes).query(one, other).to(loaded)
    except BalanceError as error:
        return error.faults
    return ()


def _of_size(asked: AskedLuck) -> Iterator[Fault]:
    """Yield why a field is too small or too large; one of two kinds of entrants is known only when it is drawn."""
    if asked.field is None or asked.kind.has_factions:
        return
    n = len(asked.field) or min(asked.n_listed, MOST_DRAWN)
    if n < 2:
        yield Fault(f"a field has two entrants or more, found {n}", field="among", tip="name another one")
    try:
        check_size(asked.kind, [n, n], asked.told.play)
    except BalanceError as error:
        yield from (replace(fault, field="among") for fault in error.faults)


# -- what is found ---------------------------------------------------------------------------------------------------


def _rows(asked: AskedLuck, runner: Runner) -> Rows:
    rows: Rows = {name: [] for name in LUCK_TABLES}
    pairs = asked.pairs
    if asked.field is not None:
        found = luck_of_field(
            runner, asked.kind.name, asked.field, asked.changes,
            choices=asked.choices, play=asked.told.play, seed=asked.seed,
        )  # fmt: skip
        rows["luck_fields"].append(_of_field(found, asked))
        rows["luck_shares"] += _of_shares(found)
        pairs = pairs or tuple(_most_even(found, asked.told.even))
    measure, label = PairLuck(asked.seed, asked.told.groups), runner.game.label
    told = runner([asked.query(*pair) for pair in pairs], measure, "luck of pairs", share=False)
    about = {"named": bool(asked.pairs), **asked.about}
    for (one, other), row in zip(pairs, told, strict=True):
        if row is not None:
            names = {"one": one, "other": other, "one_label": label(one), "other_label": label(other)}
            rows["luck_pairs"].append(names | about | row["pair"])
            rows["luck_sources"] += [names | source for source in row["sources"]]
            rows["luck_ends"] += [names | end for end in row["ends"]]
    return rows


def _of_field(found: FieldLuck, asked: AskedLuck) -> Row:
    return {
        **asked.about,
        "entrants": list(found.entrants[0]),
        "others": list(found.entrants[-1]) if len(found.entrants) > 1 else [],
        "ways": list(found.ways[0]) if found.ways else [],
        "n_entrants": asked.n_listed or len(found.entrants[0]),
        "n_cells": found.n_cells,
        "n_trials": found.n_trials,
        "first_mover": found.first_mover,
        "seed": asked.seed,
    }


def _of_shares(found: FieldLuck) -> Iterator[Row]:
    for part, share in found.shares.items():
        if applies(found, part):
            error = found.errors[part]
            known = Estimate.of_mean(share, error, found.n_trials) if found.n_trials else Estimate.exact(share)
            yield {"part": part, "share": share, "low": known.low, "high": known.high}


def _most_even(found: FieldLuck, most: int) -> Iterator[tuple[str, str]]:
    """Yield the most even pairs, everybody in one of them at most; two who score alike against all are one fighter."""
    scores = {pair: round(score, 9) for pair, score in found.scores.items()}
    alike = {name: tuple(scores[name, other] for other in found.entrants[-1]) for name in found.entrants[0]}
    pairs = [pair for pair in scores if alike[pair[0]] != alike.get(pair[1])]
    met = set[str]()
    for one, other in sorted(pairs, key=lambda pair: abs(scores[pair] - 0.5)):
        if len(met) < 2 * most and not met & {one, other}:
            met |= {one, other}
            yield one, other


@dataclass(frozen=True)
class PairLuck:
    """A measure for `Runner`: question -> its luck and its texture, as plain rows."""

    seed: int
    groups: int

    def __call__(self, question: Question) -> dict[str, Any]:
        """Work out where the variance comes from."""
        found = luck(question, seed=self.seed, n_groups=self.groups)
        pair = {"result": found.result, **_ends("", found.mean, "mean"), "sd": found.sd, "swing": found.swing}
        pair |= _ends("together_", found.together, "together")
        if found.texture is not None:
            goes = found.texture
            pair |= {name: getattr(goes, name) for name in NUMBERS} | {"half_settled": goes.half_settled}
            pair |= {f"{name}_error": goes.errors.get(name, 0.0) for name in NUMBERS}
            pair |= {"largest_of": goes.largest_of}
        pair |= {"unit": question.kind.column("duration") or "rounds", "seed": self.seed}
        pair |= {"n_games": found.n_games, "why_simulated": found.why_simulated}
        sources = [
            {"source": one.name, **_ends("alone_", one.alone, "alone"), "when_rolled": one.when_rolled}
            for one in found.sources
        ]
        ends = [] if found.texture is None else list(map(_end, found.texture.at_end))
        return {"pair": pair, "sources": sources, "ends": ends}


def _end(told: AtEnd) -> dict[str, Any]:
    loser = {} if told.loser is None else _ends("loser_", told.loser, "loser")
    return {"counted": told.name} | _ends("winner_", told.winner, "winner") | loser


def _ends(prefix: str, known: Estimate, name: str) -> dict[str, float]:
    return {name: known.value, f"{prefix}low": known.low, f"{prefix}high": known.high}
