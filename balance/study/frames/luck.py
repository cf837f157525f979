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

from balance.analysis.luck.end_totals import EndTotals
from balance.analysis.luck.field import MOST_DRAWN, FieldLuck, check_choices, check_size, luck_of_field
from balance.analysis.luck.question import luck, result_of
from balance.analysis.luck.texture import NUMBERS
from balance.base.errors import BalanceError, Fault
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query, override
from balance.engine.runner import Runner
from balance.game.game import QuestionKind, which_has
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.study.frames.army_prices import DIGITS
from balance.study.settings.entrants import named_entrants
from balance.study.settings.luck import LuckStudy
from balance.study.settings.settings import Study

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
    table_rows: Rows = {name: [] for name in LUCK_TABLES}
    for luck_study in study.settings.luck:
        plan = asked_luck(luck_study, study, runner.game)
        for name, rows in _rows(plan, runner).items():
            table_rows[name] += [
                {"setting": luck_study.id, "kind": plan.kind.name, "title": luck_study.title} | row for row in rows
            ]
    if not study.settings.luck:
        return {}
    return {
        name: pl.DataFrame([{column: row.get(column) for column in schema} for row in table_rows[name]], schema=schema)
        .with_columns(pl.col(pl.Float64).round(DIGITS) + 0.0)
        for name, schema in LUCK_TABLES.items()
    }  # fmt: skip


# -- what is asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AskedLuck:
    """One `[[luck]]` table with its names looked up.

    `field`: ids of who is in it; () stands for everybody, of whom some are drawn, and None for no field at all.
    `n_listed`: entrants of the first side that are drawn from; 0 where they were named.
    """

    luck_study: LuckStudy
    kind: QuestionKind
    changes: tuple[str, ...]
    field: tuple[str, ...] | None
    n_listed: int
    pairs: tuple[tuple[str, str], ...]
    seed: int

    def query(self, side_a: str, side_b: str) -> Query:
        """Return the question about two, with the turn order left open."""
        return Query(self.kind.name, side_a, side_b, self.changes, None, self.choices)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """(name, value) of what sides choose, such as policies."""
        return tuple(self.luck_study.choices.items())

    @property
    def about(self) -> Row:
        """Changes and choices as columns of a table, `NAME=VALUE` each."""
        return {"changes": list(self.changes), "choices": [f"{name}={value}" for name, value in self.choices]}


def asked_luck(luck_study: LuckStudy, study: Study, game: LoadedGame, faults: list[Fault] | None = None) -> AskedLuck:
    """Return a table with its names looked up; unknown ones are added to `faults`.

    Raises `BalanceError` if the game has no such kind of question.
    """
    faults = [] if faults is None else faults
    kind = game.kind(luck_study.kind or game.definition.name_about("winner") or next(iter(game.definition.kinds)))
    field, all_names = None, study.among(game, game.ids(kind.takes[0]))
    if kind.winner and (luck_study.among or not luck_study.pairs):
        field = _field(luck_study, study, game, kind, faults)
    pairs = tuple((side_a, side_b) for side_a, side_b in luck_study.pairs)
    changes = override(study.changes(kind.name), luck_study.set)
    return AskedLuck(
        luck_study, kind, changes, field, 0 if luck_study.among else len(all_names), pairs, study.settings.seed
    )


def _field(
    luck_study: LuckStudy, study: Study, game: LoadedGame, kind: QuestionKind, faults: list[Fault]
) -> tuple[str, ...]:
    """Return the ids of the field; () where it is everybody, of whom some are drawn later."""
    if luck_study.among:
        names = [
            name for entrant_kind in kind.takes[: 2 if kind.has_factions else 1] for name in game.ids(entrant_kind)
        ]
        return tuple(named_entrants(game, names, luck_study.among, faults))
    all_names = game.ids(kind.takes[0])
    study_names = study.among(game, all_names)
    return () if study_names == all_names else drawn_by_seed(study_names, MOST_DRAWN, study.settings.seed, "luck/field")


def luck_faults(luck_study: LuckStudy, study: Study, game: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for everything in a `[[luck]]` table that the game does not know or forbids."""
    faults = list[Fault]()
    try:
        plan = asked_luck(luck_study, study, game, faults)
        result_of(plan.kind)
    except BalanceError as error:
        yield from error.faults
        return
    yield from (replace(fault, field="among") for fault in faults)
    if not plan.kind.winner and not plan.pairs:
        yield Fault(f"nobody wins in {plan.kind.name}, so there is no field", field="kind", tip="name pairs")
    if not plan.kind.winner and luck_study.among:
        yield Fault(f"nobody wins in {plan.kind.name}", field="among", tip=which_has(game.definition, "winner"))
    if luck_study.play and not plan.kind.habits:
        yield Fault(f"nobody chooses how to play in {plan.kind.name}", field="play", tip="leave it out")
    yield from _of_size(plan) if not faults else ()
    if wrong := list(_of_choices(plan)):
        yield from wrong
        plan = replace(plan, luck_study=luck_study.model_copy(update={"choices": {}}))
    names_a, names_b = (game.ids(entrant_kind) for entrant_kind in plan.kind.takes)
    meeting = [("pairs", *pair) for pair in plan.pairs]
    if names_b and not plan.kind.has_factions:
        meeting += [("among", name, names_b[-1]) for name in plan.field or ()]
    for field, side_a, side_b in meeting:
        yield from (replace(fault, path="", field=field) for fault in _question_faults(game, plan, side_a, side_b))
    usual = [(names_a[0], names_b[-1])] if names_a and names_b else []
    for side_a, side_b in [*usual, *(pair for _, *pair in meeting)]:
        if not _question_faults(game, plan, side_a, side_b):
            yield from _question_faults(game, plan, side_a, side_b, plan.changes)


def _of_choices(plan: AskedLuck) -> Iterator[Fault]:
    """Yield a fault for each choice that the kind of question does not offer."""
    try:
        check_choices(plan.kind, plan.choices, plan.luck_study.play and plan.field is not None)
    except BalanceError as error:
        yield from (replace(fault, path="", field="choices") for fault in error.faults)


def _question_faults(
    game: LoadedGame, plan: AskedLuck, side_a: str, side_b: str, changes: tuple[str, ...] = ()
) -> tuple[Fault, ...]:
    """Return why two may not meet under some changes, by default none of the study's; () if they may."""
    try:
        replace(plan, changes=changes).query(side_a, side_b).to(game)
    except BalanceError as error:
        return error.faults
    return ()


def _of_size(plan: AskedLuck) -> Iterator[Fault]:
    """Yield a fault if a field has fewer than two entrants or too many match-ups.

    With factions the size is known only when the field is drawn, so that nothing is checked.
    """
    if plan.field is None or plan.kind.has_factions:
        return
    n = len(plan.field) or min(plan.n_listed, MOST_DRAWN)
    if n < 2:
        yield Fault(f"a field has two entrants or more, found {n}", field="among", tip="name another one")
    try:
        check_size(plan.kind, [n, n], plan.luck_study.play)
    except BalanceError as error:
        yield from (replace(fault, field="among") for fault in error.faults)


# -- what is found ---------------------------------------------------------------------------------------------------


def _rows(plan: AskedLuck, runner: Runner) -> Rows:
    rows: Rows = {name: [] for name in LUCK_TABLES}
    pairs = plan.pairs
    if plan.field is not None:
        field_luck = luck_of_field(
            runner, plan.kind.name, plan.field, plan.changes,
            choices=plan.choices, play=plan.luck_study.play, seed=plan.seed,
        )  # fmt: skip
        rows["luck_fields"].append(_of_field(field_luck, plan))
        rows["luck_shares"] += _of_shares(field_luck)
        pairs = pairs or tuple(_most_even(field_luck, plan.luck_study.even))
    measure, label = PairLuck(plan.seed, plan.luck_study.groups), runner.game.label
    pair_rows = runner([plan.query(*pair) for pair in pairs], measure, "luck of pairs", share=False)
    about = {"named": bool(plan.pairs), **plan.about}
    for (side_a, side_b), row in zip(pairs, pair_rows, strict=True):
        if row is not None:
            names = {"one": side_a, "other": side_b, "one_label": label(side_a), "other_label": label(side_b)}
            rows["luck_pairs"].append(names | about | row["pair"])
            rows["luck_sources"] += [names | source for source in row["sources"]]
            rows["luck_ends"] += [names | end for end in row["ends"]]
    return rows


def _of_field(field_luck: FieldLuck, plan: AskedLuck) -> Row:
    return {
        **plan.about,
        "entrants": list(field_luck.entrants[0]),
        "others": list(field_luck.entrants[-1]) if len(field_luck.entrants) > 1 else [],
        "ways": list(field_luck.ways[0]) if field_luck.ways else [],
        "n_entrants": plan.n_listed or len(field_luck.entrants[0]),
        "n_cells": field_luck.n_cells,
        "n_trials": field_luck.n_trials,
        "first_mover": field_luck.first_mover,
        "seed": plan.seed,
    }


def _of_shares(field_luck: FieldLuck) -> Iterator[Row]:
    for part, share in field_luck.shares.items():
        if share is not None:
            yield {"part": part, **_ends("", share, "share")}


def _most_even(field_luck: FieldLuck, n_pairs: int) -> Iterator[tuple[str, str]]:
    """Yield up to `n_pairs` pairs of the field by distance of their score from 1/2, each entrant in one pair only.

    Two with the same scores against all are one fighter, and no pair.
    """
    scores = {pair: round(score, 9) for pair, score in field_luck.scores.items()}
    alike = {name: tuple(scores[name, side_b] for side_b in field_luck.entrants[-1]) for name in field_luck.entrants[0]}
    pairs = [pair for pair in scores if alike[pair[0]] != alike.get(pair[1])]
    names_in_use = set[str]()
    for side_a, side_b in sorted(pairs, key=lambda pair: abs(scores[pair] - 0.5)):
        if len(names_in_use) < 2 * n_pairs and not names_in_use & {side_a, side_b}:
            names_in_use |= {side_a, side_b}
            yield side_a, side_b


@dataclass(frozen=True)
class PairLuck:
    """A measure for `Runner`: question -> its luck and its texture, as plain rows."""

    seed: int
    groups: int

    def __call__(self, question: Question) -> dict[str, Any]:
        """Return where the variance comes from, and how a game goes, as plain rows."""
        pair_luck = luck(question, seed=self.seed, n_groups=self.groups)
        pair = {
            "result": pair_luck.result,
            **_ends("", pair_luck.mean, "mean"),
            "sd": pair_luck.sd,
            "swing": pair_luck.swing,
        }
        pair |= _ends("together_", pair_luck.together, "together")
        if pair_luck.texture is not None:
            goes = pair_luck.texture
            pair |= {name: getattr(goes, name) for name in NUMBERS} | {"half_settled": goes.half_settled}
            pair |= {f"{name}_error": goes.errors.get(name, 0.0) for name in NUMBERS}
            pair |= {"largest_of": goes.largest_of}
        pair |= {"unit": question.kind.column("duration") or "rounds", "seed": self.seed}
        pair |= {"n_games": pair_luck.n_games, "why_simulated": pair_luck.why_simulated or ""}
        sources = [
            {"source": source.name, **_ends("alone_", source.alone, "alone"), "when_rolled": source.when_rolled}
            for source in pair_luck.sources
        ]
        ends = [] if pair_luck.texture is None else list(map(_end, pair_luck.texture.at_end))
        return {"pair": pair, "sources": sources, "ends": ends}


def _end(totals: EndTotals) -> dict[str, Any]:
    loser = {} if totals.loser is None else _ends("loser_", totals.loser, "loser")
    return {"counted": totals.name} | _ends("winner_", totals.winner, "winner") | loser


def _ends(prefix: str, estimate: Estimate, name: str) -> dict[str, float]:
    return {name: estimate.value, f"{prefix}low": estimate.low, f"{prefix}high": estimate.high}
