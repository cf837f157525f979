"""How much of a duel is decided before the first die: by what one brings, whom one meets, how one plays, who begins.

Two entrants of a field are drawn, each side's way of playing too, and who goes first; then they fight. The variance of
what a side scores is divided over these draws as in a factorial experiment (an analysis of variance of all cells, each
known exactly or simulated): main effects, their interactions, and what is left within a cell, which is chance. The
parts are orthogonal and add up to the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from math import prod
from typing import Annotated, Literal

import numpy as np

from balance.analysis.luck.question import result_of
from balance.base.answers import BEHIND, Choices, Count, Digest, Doc, Form, GameName, RulesVersion, Seed
from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError, unknown
from balance.chance.rolls.streams import drawn_by_seed, stream
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.game import QuestionKind, which_has
from balance.game.loaded import LoadedGame
from balance.game.question.choices import choose
from balance.game.question.question import Question

MOST_DRAWN = 24
"""Entrants of a field of which nobody said who is meant; more are drawn from by the seed."""
MOST_CELLS = 200_000
CELL_TRIALS = 4096
"""Trials of a duel that has no exact distribution: what they add to the parts is below one in 4,000 of the whole."""
N_MOVED = 200
"""Times that every simulated mean is moved by its error."""
PARTS: Mapping[str, str] = {
    "entrants": "what each side brings, whoever it meets",
    "match-up": "whom it happens to meet: rock, paper, scissors",
    "play": "how each side plays",
    "seat": "who goes first",
    "together": "several of these together",
    "chance": "chance, once all that is known",
}
"""What the variance comes from -> what that is."""
_FACTORS = ("entrant a", "entrant b", "play a", "play b", "seat")


@dataclass(frozen=True, repr=False)
class FieldLuck:
    """How much of a duel of two of a field is decided before the first die."""

    schema: Form
    game: GameName
    verb: Literal["luck"]
    kind: Annotated[str, Doc("The kind of question.")]
    played: Annotated[str, Doc("How it is played, in words.")]
    entrants: Annotated[tuple[tuple[str, ...], ...], Doc("Of either side; one list where both sides are of one field.")]
    choices: Annotated[Choices, Doc("What sides choose in every duel.")]
    ways: Annotated[tuple[tuple[str, ...], ...], Doc("The ways of playing of each side; empty where nobody chooses.")]
    shares: Annotated[
        Mapping[str, Estimate | None],
        Doc("By part of the variance; they add up to 1. Null where a part does not apply."),
    ]
    first_mover: Annotated[
        float | None,
        Doc(
            "How much more a side scores going first than going second, on average over all two that differ; null "
            "where nobody does."
        ),
    ]
    n_cells: Annotated[Count, Doc("Duels asked.")]
    n_trials: Annotated[Count, Doc("Trials of those that were simulated.")]
    seed: Seed
    rules_version: RulesVersion
    catalogue_sha256: Digest
    scores: Mapping[tuple[str, str], float] = field(metadata=BEHIND)
    """(a, b) -> what a scores against b, the mean over ways of playing and over who goes first."""
    could_choose: bool = field(metadata=BEHIND)
    """Whether sides have ways of playing that may be drawn."""

    def __repr__(self) -> str:
        """Return the kind of question and the shares of all parts that apply in one line."""
        shares = ", ".join(f"{part} {share.value:.3g}" for part, share in self.shares.items() if share is not None)
        return f"<FieldLuck of {self.kind}: {shares}>"


def luck_of_field(
    runner: Runner,
    kind: str,
    entrants: Sequence[str] = (),
    changes: Sequence[str] = (),
    *,
    choices: Sequence[tuple[str, str]] = (),
    play: bool = False,
    seed: int = 0,
) -> FieldLuck:
    """Return where the variance of a duel between two of a field comes from.

    Without entrants the field is all, or 24 drawn by the seed. `choices`, (name, value), fix how sides choose; with
    `play` each side draws its way of playing from those that are quick, and these cannot be chosen. Raise UsageError
    where nobody wins, somebody is not in the field, something cannot be chosen, or there are too many duels.
    """
    question_kind = runner.game.kind(kind)
    if not question_kind.winner:
        raise UsageError(f"nobody wins in {kind}, so nothing is decided", which_has(runner.game.definition, "winner"))
    check_choices(question_kind, choices, play)
    fields = fields_of(runner.game, question_kind, entrants, seed)
    ways = tuple(question_kind.habits.values()) if play else ()
    seats = question_kind.mirrored_orders or ("",)
    sides = fields if len(fields) == 2 else (fields[0], fields[0])
    axes = (*sides, *(ways if len(ways) == 2 else (("",), ("",))), seats)
    n_cells = check_size(question_kind, [len(side) for side in sides], play)
    names = tuple(question_kind.habits)
    queries = [
        Query(kind, side_a, side_b, tuple(changes), first or None, (*choices, *_choices(names, (way_a, way_b))))
        for side_a, side_b, way_a, way_b, first in product(*axes)
    ]
    rows = [row for row in runner(queries, partial(measure_score, seed), "duels") if row is not None]  # none is illegal
    shape = tuple(len(axis) for axis in axes)
    mean, within, trials = (np.array([row[at] for row in rows], np.float64).reshape(shape) for at in (0, 1, 2))
    advantage = _seat_gain(mean, len(fields) == 1) if len(seats) == 2 else None
    scores = dict(zip(product(*sides), mean.mean(axis=(2, 3, 4)).ravel().tolist(), strict=True))
    catalogue, n_trials = runner.game.catalogue, int(trials.sum())
    shares, errors = _shares(mean, float(within.mean())), _errors(mean, within, trials, seed)
    left_out = {"seat": advantage is None, "play": not ways}
    return FieldLuck(
        schema=1,
        game=runner.game.definition.name,
        verb="luck",
        kind=kind,
        played=question_kind.played,
        entrants=fields,
        choices=dict(choices),
        ways=ways,
        shares={part: None if left_out.get(part) else _share(x, errors[part], n_trials) for part, x in shares.items()},
        first_mover=advantage,
        n_cells=n_cells,
        n_trials=n_trials,
        seed=seed,
        rules_version=catalogue.rules_version,
        catalogue_sha256=catalogue.sha256,
        scores=scores,
        could_choose=bool(question_kind.habits),
    )


def _share(value: float, error: float, n_trials: int) -> Estimate:
    return Estimate.of_mean(value, error, n_trials) if n_trials else Estimate.exact(value)


def check_choices(kind: QuestionKind, choices: Sequence[tuple[str, str]], play: bool = False) -> None:
    """Raise UsageError, one fault each, for choices that nobody has and ways of playing that `play` draws."""
    choose(kind, dict(choices))
    drawn_choices = [name for name, _ in choices if play and name in kind.habits]
    if drawn_choices:
        raise UsageError([Fault("is drawn where play is, and cannot be chosen", found=name) for name in drawn_choices])


def check_size(kind: QuestionKind, sizes: Sequence[int], play: bool = False) -> int:
    """Return how many duels it takes if either side is drawn from so many entrants, and with `play` its way of playing.

    Raise UsageError for more than `MOST_CELLS`.
    """
    ways = [len(names) for names in kind.habits.values()] if play else []
    n_cells = prod([*sizes, *(ways if len(ways) == 2 else ()), max(1, len(kind.mirrored_orders))])
    if n_cells > MOST_CELLS:
        raise UsageError(f"that is {n_cells:,} duels, more than {MOST_CELLS:,}", "name fewer entrants")
    return n_cells


def _choices(names: Sequence[str], ways: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, way) for name, way in zip(names, ways, strict=False) if way)


def fields_of(game: LoadedGame, kind: QuestionKind, entrants: Sequence[str], seed: int) -> tuple[tuple[str, ...], ...]:
    """Return who may be drawn for each side, everybody without entrants; one list where both are of one field.

    Raise UsageError for entrants that are not in the field, or for fewer than two of them.
    """
    if entrants and not kind.has_factions:
        fields: tuple[tuple[str, ...], ...] = (tuple(dict.fromkeys(entrants)),)
    else:
        sides = [game.ids(side_input) for side_input in (kind.takes if kind.has_factions else kind.takes[:1])]
        names = sorted({name for ids in sides for name in ids})
        if faults := [unknown(name, names, "is not in the field") for name in entrants if name not in names]:
            raise UsageError(faults)
        selections = [[name for name in ids if name in entrants] or ids for ids in sides]
        fields = tuple(
            drawn_by_seed(ids, MOST_DRAWN, seed, "luck/field", place) for place, ids in enumerate(selections)
        )
    if len(fields) == 1 and len(fields[0]) < 2:
        raise UsageError(f"a field has two entrants or more, found {len(fields[0])}", "name another one")
    return fields


def measure_score(seed: int, question: Question) -> tuple[float, float, int]:
    """Return mean and variance of what side a scores, and the number of trials; 0 where both are exact."""
    distribution, n_trials = question.known_distribution(CELL_TRIALS, seed)
    winner = question.kind.winner
    scores = result_of(question.kind)[1]({winner: distribution[winner]})
    mean = float(distribution.p @ scores)
    return mean, float(distribution.p @ (scores - mean) ** 2), n_trials or 0


def _seat_gain(mean: FloatArray, one_field: bool) -> float:
    """Return the mean score of going first less going second, without mirror matches in a shared field."""
    gains = (mean[..., 0] - mean[..., -1]).mean(axis=(2, 3))
    return float(gains[~np.eye(len(gains), dtype=bool)].mean() if one_field else gains.mean())


def _shares(mean: FloatArray, within: float) -> dict[str, float]:
    """Return the parts of the variance as shares of it (analysis of variance); all cells of `mean` weigh the same."""
    parts = dict.fromkeys(PARTS, 0.0)
    effects: dict[frozenset[int], float] = {frozenset(): 0.0}
    for size in range(1, mean.ndim + 1):
        for factors in map(frozenset, combinations(range(mean.ndim), size)):
            rest = tuple(set(range(mean.ndim)) - factors)
            effects[factors] = float(np.var(mean.mean(axis=rest))) - sum(
                v for subset, v in effects.items() if subset < factors
            )
            parts[_part(factors)] += max(effects[factors], 0.0)
    parts["chance"] = within
    whole = sum(parts.values())
    return {part: share / whole if whole > 0 else 0.0 for part, share in parts.items()}


def _errors(mean: FloatArray, within: FloatArray, trials: FloatArray, seed: int) -> dict[str, float]:
    """Return the standard errors of the shares by a parametric bootstrap: every mean is moved by its own error.

    The variance of a win or a loss moves with its mean, by 1 - 2 p.
    """
    if not trials.any():
        return dict.fromkeys(PARTS, 0.0)
    spread = np.sqrt(np.divide(within, trials, out=np.zeros_like(within), where=trials > 0))
    moves = spread * stream(seed, "luck/field/errors", 0, "means").standard_normal((N_MOVED, *mean.shape))
    samples = [_shares(mean + move, float((within + (1 - 2 * mean) * move).mean())) for move in moves]
    return {part: float(np.std([shares[part] for shares in samples], ddof=1)) for part in PARTS}


def _part(factors: frozenset[int]) -> str:
    """Return the name in `PARTS` under which an effect of some factors is reported."""
    names = {_FACTORS[at] for at in factors}
    if names == {"seat"}:
        return "seat"
    if names <= {"play a", "play b"}:
        return "play"
    if names == {"entrant a", "entrant b"}:
        return "match-up"
    return "entrants" if len(names) == 1 else "together"
