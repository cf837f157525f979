"""The texture of games whose courses cannot be listed, from repeated continuations of every state after a round.

The expected result after each round of a game is the mean of such continuations. It has an error, by which it may cross
thresholds that the true chance does not cross; so every number is twice what all continuations say less what halves of
them say, which takes away the part of the bias that falls as one over their number (the jackknife: Quenouille, "Notes
on bias in estimation", Biometrika 43, 1956).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.analysis.luck.end_totals import at_end
from balance.analysis.luck.texture import BEHIND, DECISION, LEAD, NUMBERS, Texture
from balance.base.arrays import FloatArray, IntArray
from balance.chance.exact.course import Value
from balance.chance.rolls.keyed_rolls import KeyRequest
from balance.chance.rolls.process import Process, State, flat_columns, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.together import play_processes
from balance.game.game import QuestionKind

N_TRIALS = 256
"""Games that are followed."""
N_REPLAYS = 128
"""Continuations from each of their states: a chance has a standard error of 4.4 points at most."""
LEAST_COUNT = 1.5
"""What happened in none of n games, or in all, has at least this over n as its error: the rule of three, halved."""
MOST_COPIES = 2**14
"""Copies of states after several rounds that are played on in one run; more hold memory and save no time."""


_OF_WINNERS = ("comebacks", "one_sided")
_COUNTS = ("lead_changes", *_OF_WINNERS)


def replayed_texture(
    kind: QuestionKind,
    process: Process,
    value: Value,
    rolls: RandomRolls,
    n_replays: int = N_REPLAYS,
    report: Callable[[int, int], None] | None = None,
) -> Texture:
    """Return the texture of `rolls.n` games, as well as `n_replays` continuations of each state (even) can tell.

    `value` gives what side a scores; `report` is called with the rounds done and their total.
    """
    games = _play_games(kind, process, value, rolls.child("games", rolls.n))
    results = list[FloatArray]()
    for looks in _runs(games.looks, MOST_COPIES // n_replays if process.key else 0):
        results += _replay(process, value, looks, rolls, n_replays)
        if report:
            report(len(results), len(games.looks))
    chances = np.stack([_pool(*pair, process.key) for pair in zip(results, games.looks, strict=True)], axis=1)
    halves = [_mean_of(chances[..., start::2], games) for start in (0, 1)]
    raw = _game_numbers(games, _mean_of(chances, games))
    corrections = raw - np.mean([_game_numbers(games, half) for half in halves], axis=0)
    means, errors = dict[str, float](), dict[str, float]()
    for name, plain, correction in zip(NUMBERS, raw, corrections, strict=True):
        mask = games.scores != 0.5 if name in _OF_WINNERS else np.ones(rolls.n, bool)
        means[name], error = _mean_without_bias(plain[mask], correction[mask])
        errors[name] = max(error, LEAST_COUNT / max(int(mask.sum()), 1)) if name in _COUNTS else error
    ends = at_end(kind, [(np.ones(rolls.n), games.scores, games.outcome)], rolls.n)
    return Texture(
        **means,
        settled=_settled_shares(games, results),
        errors=errors,
        n_trials=rolls.n,
        largest_of="round",
        at_end=ends,
    )


def _mean_without_bias(plain: FloatArray, corrections: FloatArray) -> tuple[float, float]:
    """Return a mean after its jackknife correction, and a standard error that includes the size of this."""
    if len(plain) < 2:
        return 0.0, 0.0
    values = plain + corrections
    return max(float(values.mean()), 0.0), float(
        np.hypot(values.std(ddof=1) / np.sqrt(len(values)), corrections.mean())
    )


@dataclass(frozen=True, eq=False)
class _Look:
    """Games that go on after a round: their rows, their states, and how many steps have been made."""

    rows: IntArray
    state: State
    steps: int


@dataclass(frozen=True, eq=False)
class _Games:
    """Games that were followed, n of them.

    `looks`: at the start, after each round, and when the last one has ended: r in all. `times` and `soon`: what time it
    was then and one step later, or when the game was over, `float64[n, r]`. `scores`: what side a scored, `float64[n]`.
    `outcome`: the outcome columns, `[n]`.
    """

    looks: list[_Look]
    times: FloatArray
    soon: FloatArray
    scores: FloatArray
    outcome: State


def _play_games(kind: QuestionKind, process: Process, value: Value, rolls: RandomRolls) -> _Games:
    n, column = rolls.n, kind.column("duration")
    outcome = {name: np.zeros(n, np.int64) for name in kind.columns}
    state, rows, steps = start_state(process, n, rolls), np.arange(n), 0
    looks, time = [_Look(rows, state, 0)], np.zeros(n)
    times, soon = [time.copy()], list[FloatArray]()
    while len(rows):
        state = process.step(steps)(state, rolls)
        steps += 1
        columns = process.outcome(state, np.full(len(rows), steps, np.int16))
        time[rows] = columns[column] if column else steps / len(process.steps)
        if len(soon) < len(looks):
            soon.append(time.copy())
        is_open = ~process.over(state) & (steps < process.max_steps)
        for name, values in outcome.items():
            values[rows] = columns[name]
        if not is_open.all():
            state, rows = take_trials(state, is_open), rows[is_open]
            rolls.keep(np.flatnonzero(is_open))
        if steps % len(process.steps) == 0 or not len(rows):
            looks.append(_Look(rows, state, steps))
            times.append(time.copy())
    soon.append(time)
    scores = np.asarray(value(outcome), np.float64)
    return _Games(looks, np.stack(times, axis=1), np.stack(soon, axis=1), scores, outcome)


def _runs(looks: Sequence[_Look], most_rows: int) -> Iterator[list[_Look]]:
    """Yield the looks whose games are played on together: so many games at most, or those of one look."""
    run = list[_Look]()
    for look in looks:
        if run and sum(len(other.rows) for other in [*run, look]) > most_rows:
            yield run
            run = []
        run.append(look)
    yield run


def _replay(
    process: Process, value: Value, looks: Sequence[_Look], rolls: RandomRolls, n_replays: int
) -> Iterator[FloatArray]:
    """Yield for each look the results of continuations of each game, `float64[n, n_replays]`; NaN once it is over."""
    going = [look for look in looks if len(look.rows)]
    dice = [rolls.child(f"on from {look.steps}, 0", len(look.rows) * n_replays) for look in going]
    onward = [_from_here(process, look, own_rolls) for look, own_rolls in zip(going, dice, strict=True)]
    outcomes = iter(play_processes(onward, dice))
    for look in looks:
        scores = np.full((rolls.n, n_replays), np.nan)
        if len(look.rows):
            scores[look.rows] = value(next(outcomes)).reshape(-1, n_replays)
        yield scores


def _from_here(process: Process, look: _Look, rolls: RandomRolls) -> Process:
    """Return the process continued from the states of a look, repeated to fill the trials of `rolls`, on fresh luck."""
    copies = take_trials(look.state, np.repeat(np.arange(len(look.rows)), rolls.n // len(look.rows)))
    if process.key:
        copies[process.key] = rolls.answer(KeyRequest("luck", ()))
    return replace(
        process,
        start=lambda _, n: copies,
        outcome=lambda final_state, n_steps: process.outcome(final_state, n_steps + np.int16(look.steps)),
        max_steps=process.max_steps - look.steps,
    )


def _pool(results: FloatArray, look: _Look, key: str) -> FloatArray:
    """Return results in which games in the same state share the mean of their continuations."""
    if not len(look.rows):
        return results
    state = {name: values for name, values in look.state.items() if name != key}
    _, place, count = np.unique(np.stack(flat_columns(state)), axis=1, return_inverse=True, return_counts=True)
    sums = np.zeros((len(count), results.shape[1]))
    np.add.at(sums, place, results[look.rows])
    pooled_results = results.copy()
    pooled_results[look.rows] = (sums / count[:, None])[place]
    return pooled_results


def _mean_of(chances: FloatArray, games: _Games) -> FloatArray:
    """Return the mean of continuations, `float64[n, r]`; the score of a game that is over."""
    return np.where(np.isnan(chances[..., 0]), games.scores[:, None], chances.mean(axis=-1))


def _game_numbers(games: _Games, chances: FloatArray) -> FloatArray:
    """Return the six numbers `NUMBERS` of each game, `float64[6, n]`, from its chances `float64[n, r]`."""
    changes, last = np.zeros(len(chances)), np.zeros(len(chances))
    for now in np.where(chances >= LEAD, 1, np.where(chances <= 1 - LEAD, -1, 0)).T:
        changes += now * last < 0
        last = np.where(now == 0, last, now)
    of_winner = np.where(games.scores[:, None] == 0, 1 - chances, chances)
    low = of_winner.min(axis=1)
    decision_times = np.zeros(len(chances))
    for chance, soon in zip(of_winner.T, games.soon.T, strict=True):
        decision_times = np.where(chance < DECISION, soon, decision_times)
    largest = np.abs(np.diff(chances, axis=1)).max(axis=1, initial=0)
    return np.stack([changes, low <= BEHIND, low > 1 - LEAD, decision_times, games.times[:, -1], largest])


def _settled_shares(games: _Games, results: list[FloatArray]) -> dict[int, float]:
    """Return by round the share of the variance that is settled by its end: 1 less what continuations still vary."""
    variance = float(games.scores.var())
    remaining = np.array([np.nan_to_num(scores.var(axis=-1, ddof=1)).mean() for scores in results])
    share = 1 - remaining / variance if variance > 0 else np.zeros(len(remaining))
    times = [
        round(float(games.times[look.rows, place].mean())) if len(look.rows) else None
        for place, look in enumerate(games.looks)
    ]
    last = round(float(games.times.max(initial=0)))
    return {last if time is None else time: float(value) for time, value in zip(times, share, strict=True)}
