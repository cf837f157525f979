"""Do exact distributions and simulations agree? A random sample of match-ups is played with every die rolled.

For each sampled match-up the numbers of wins, losses and draws are compared with the exact distribution of the winner
(G-test), and so is everything else that a duel reports, together and column by column. Holm's procedure over all tests
keeps the chance of any false alarm at most `ALARM_LEVEL`; the share of the winners' p-values below 0.05 is reported
beside the 5 % to expect. The same samples are held against the distribution with the seats swapped, which is wrong
wherever going first matters: a check that could not find that would prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.chance.pmf.agreement import holm
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.question.question import Question, ask

ALARM_LEVEL = 0.01
"""Chance of any false alarm in a whole cross-check."""


def sample_pairs(names: Sequence[str], n_pairs: int, seed: int) -> list[tuple[str, str]]:
    """Return ordered pairs drawn without replacement, in the order of the names; all n^2 if there are no more.

    >>> sample_pairs(["a", "b"], 9, seed=0)
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
    """
    from balance.chance.rolls.streams import stream

    n = len(names)
    if n_pairs >= n * n:
        indices: npt.NDArray[np.int64] = np.arange(n * n)
    else:
        indices = np.sort(stream(seed, "analysis/checking", 0, "match-ups").choice(n * n, n_pairs, replace=False))
    return [(names[place // n], names[place % n]) for place in indices.tolist()]


def check_duels(
    runner: Runner, pairs: Sequence[tuple[str, str]], trials: int, seed: int = 0, changes: Sequence[str] = ()
) -> pl.DataFrame:
    """Simulate match-ups, the first named going first, with every die rolled; test them against exact distributions.

    The columns are `a`, `b`, `p_a` (exact), `n_trials`, `wins_a`, `low`, `high` (Wilson's 95 % interval of a's share of
    wins), `p_value` and `degrees` of the winner (0: the outcome is all but certain, nothing to test), `p_columns` of
    all that is reported, `adjusted`: the smaller of the two by Holm, and `p_control`, `adjusted_control`: the winner
    against the distribution with the seats swapped.
    """
    duel = runner.game.definition.name_about("winner")
    asks = [Query(duel, a, b, tuple(changes), "a") for a, b in pairs]
    rows = runner(asks, partial(measure_check, trials, seed), "cross-check", share=False)
    schema: dict[str, type[pl.DataType]] = {"a": pl.String, "b": pl.String, "p_a": pl.Float64, "n_trials": pl.Int64}
    schema |= {"wins_a": pl.Int64, "low": pl.Float64, "high": pl.Float64, "p_value": pl.Float64}
    schema |= {"degrees": pl.Int64, "p_columns": pl.Float64, "p_control": pl.Float64}
    records = [{"a": a, "b": b, **row} for (a, b), row in zip(pairs, rows, strict=True) if row is not None]
    frame = pl.DataFrame(records, schema=schema)
    p_holm = np.reshape(holm([*frame["p_value"], *frame["p_columns"]]), (2, -1))
    return frame.with_columns(
        pl.Series("adjusted", p_holm.min(axis=0), dtype=pl.Float64),
        pl.Series("adjusted_control", holm(frame["p_control"].to_list()), dtype=pl.Float64),
    )


def measure_check(trials: int, seed: int, question: Question) -> dict[str, float] | None:
    """Return a simulated duel's counts and p-values (G-test) against its distribution, for both turn orders.

    None where it has no exact distribution.
    """
    if question.why_no_distribution:
        return None
    sample = question.simulate(trials, seed=seed, lane="literal")
    winner = question.kind.winner
    counts = sample.distribution.marginal(winner)
    agreement = question.distribution.marginal(winner).agreement(counts)
    other_side = "b" if question.first == "a" else "a"
    changes = [f"{root}.{path}={text}" for root, path, text in question.overrides.entries]
    swapped_question = ask(question.game, question.kind.name, question.entrants, changes, other_side)
    low, high = sample.p_win_interval()["a"]
    return {
        "p_a": question.p_win()["a"],
        "n_trials": sample.n_trials,
        "wins_a": round(sample.p_win()["a"] * sample.n_trials),
        "low": low,
        "high": high,
        "p_value": agreement.p_value,
        "degrees": agreement.degrees,
        "p_columns": question.distribution.agreement(sample.distribution).p_value,
        "p_control": swapped_question.distribution.marginal(winner).agreement(counts).p_value,
    }
