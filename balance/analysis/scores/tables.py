"""Tables of attacks, kills and duels of many entrants at once, exact where possible, one row each.

Every function takes a `LoadedGame` (or a `Runner`, to use several processes) and returns a polars frame. The
distributions are exact, so no column carries an interval. Where one is not available, trials are played instead, and
the table has a column `n_trials` with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.scores.equivalence import distribution_mark
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.question.question import Question

KILL_LIMITS = (1, 2, 3)
"""Numbers of actions within which `kill_table` says how likely a kill is."""
KILL_NAMES = ("mean_actions", *(f"p_within_{n}" for n in KILL_LIMITS), "mean_overkill")
N_TRIALS = "n_trials"
"""The column that a table has where some of its distributions are too large to be had: trials played instead, else
null."""
DECIMALS, NOISE = 10, 1e-13
"""Decimals that tables keep, and below what a number is none: processors differ by some 1e-15 in long sums."""
LONGEST_CURVE = 20
"""Actions at which a survival curve ends."""


def round_floats(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table rounded to ten decimals, as processors differ in the last digits of long sums; no zero is -0.

    A chance too small for so many decimals keeps one digit: what is rare is not what never happens.

    >>> round_floats(pl.DataFrame({"p": [1 / 3, 4.321e-12, -1e-15], "n": [1, 2, 3]})).rows()
    [(0.3333333333, 1), (4e-12, 2), (0.0, 3)]
    """
    number = pl.col(pl.Float64)
    size = number.abs()
    small = pl.when(size < NOISE).then(size * 0.0).otherwise(number.round_sig_figs(1))
    return frame.with_columns(pl.when(size < 0.5 * 10.0**-DECIMALS).then(small).otherwise(number.round(DECIMALS)))


def attack_table(
    runner: Runner,
    attackers: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    changes: Sequence[str] = (),
) -> pl.DataFrame:
    """Return one row per attacker and target: the expected value of every column of one Attack action.

    Ids are by default all of the game's; `changes` are made in every question. The columns are `attacker`, `target`,
    and one Float64 column per outcome column (such as `damage`): its mean.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> attack_table(Runner(load("warforged")), ["nexus+shotgun"], ["trooper"])["damage"].item()
    3.65
    """
    pairs = _pairs(runner, attackers, targets)
    attack = runner.game.definition.name_about("effect")
    rows = runner([Query(attack, *pair, tuple(changes)) for pair in pairs], measure_means, "attacks")
    return _frame(("attacker", "target"), pairs, rows)


def sweep_table(
    runner: Runner,
    path: str,
    values: Sequence[object],
    attackers: Sequence[str],
    target: str,
    changes: Sequence[str] = (),
) -> pl.DataFrame:
    """Return `attack_table` against one target for each value of the field at a path, such as `defender.armour`.

    The columns are `attacker`, `value` (the text assigned) and the mean of each outcome column; `changes`, such as
    `rules.faces=0-9`, are made in every question.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> runner = Runner(load("warforged"))
    >>> sweep_table(runner, "defender.armour", [0, 2], ["nexus+shotgun"], "trooper")["damage"].to_list()
    [4.0, 3.3]
    """
    pairs = [(attacker, str(value)) for attacker in attackers for value in values]
    attack = runner.game.definition.name_about("effect")
    asks = [Query(attack, attacker, target, (*changes, f"{path}={value}")) for attacker, value in pairs]
    return _frame(("attacker", "value"), pairs, runner(asks, measure_means, "sweeps"))


def kill_table(
    runner: Runner,
    attackers: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    changes: Sequence[str] = (),
) -> pl.DataFrame:
    """Return one row per attacker and target, by default all: how many actions until the target falls.

    `changes`, such as `rules.faces=0-9`, are made in every question. The columns are `attacker`, `target`,
    `mean_actions`, `p_within_1` to `p_within_3` and `mean_overkill` (damage beyond what was needed); null where the
    attacker cannot hurt the target at all.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> round(kill_table(Runner(load("warforged")), ["nexus+shotgun"], ["trooper"])["mean_actions"].item(), 3)
    1.797
    """
    pairs = _pairs(runner, attackers, targets)
    kill = runner.game.definition.name_about("duration")
    rows = runner(
        [Query(kill, *pair, tuple(changes)) for pair in pairs], measure_kill, "actions to kill", skip_illegal=True
    )
    return _frame(("attacker", "target"), pairs, rows, KILL_NAMES)


def survival_table(runner: Runner, pairs: Sequence[tuple[str, str]], changes: Sequence[str] = ()) -> pl.DataFrame:
    """Return the chance that a target still stands after so many actions: `attacker`, `target`, `actions`, `p_stands`.

    Each pair is (attacker, target); `changes`, such as `rules.faces=0-9`, are made in every question.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> survival_table(Runner(load("warforged")), [("nexus+shotgun", "trooper")])["p_stands"][0]
    1.0
    """
    kill = runner.game.definition.name_about("duration")
    curves = runner(
        [Query(kill, *pair, tuple(changes)) for pair in pairs], measure_survival, "survival", skip_illegal=True
    )
    rows = [
        {"attacker": attacker, "target": target, "actions": n, "p_stands": p}
        for (attacker, target), curve in zip(pairs, curves, strict=True)
        for n, p in enumerate(curve or [1.0] * (LONGEST_CURVE + 1))
    ]
    schema = {"attacker": pl.String, "target": pl.String, "actions": pl.Int64, "p_stands": pl.Float64}
    return pl.DataFrame(rows, schema=schema)


def duel_table(
    runner: Runner, entrants: Sequence[str] | None = None, changes: Sequence[str] = (), marks: bool = False
) -> pl.DataFrame:
    """Return one row per ordered pair, the first named going first if anyone does; an entrant meets its own kind too.

    `changes`, such as `rules.faces=0-9`, are made in every question. The columns are `a`, `b`, `p_a`, `p_b`, `p_draw`
    (with a going first) and `mean_rounds`; n squared rows for n entrants. With `marks` also `mark`, which tells
    distributions apart (see `equivalence`).

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> duel_table(Runner(load("warforged")), ["trooper+sidearm"]).height
    1
    """
    names = tuple(runner.game.entrants if entrants is None else entrants)
    pairs = [(a, b) for a in names for b in names]
    duel = runner.game.definition.kind_about("winner")
    name, first = ("", None) if duel is None else (duel.name, "a" if "a" in duel.turn_orders else None)
    rows = runner([Query(name, a, b, tuple(changes), first) for a, b in pairs], measure_duel, "duels")
    frame = _frame(("a", "b"), pairs, rows)
    return frame if marks else frame.drop("mark", strict=False)


def pareto_front(costs: Iterable[float], gains: Iterable[float]) -> list[bool]:
    """Return which points no other beats: none costs no more and gains no less, with one of the two strictly better.

    >>> pareto_front([3, 6, 6, 9], [1.0, 2.0, 1.5, 2.0])
    [True, True, False, False]
    """
    points = list(zip(costs, gains, strict=True))
    return [not any(c <= cost and g >= gain and (c < cost or g > gain) for c, g in points) for cost, gain in points]


# -- measures: module-level, so that other processes find them -------------------------------------------------------


def measure_means(question: Question) -> dict[str, float]:
    """Return the mean of each outcome column that is a number, and the number of trials if they were simulated."""
    distribution, n_trials = question.known_distribution()
    names = [name for name in distribution.columns if name not in question.kind.categories]
    return {name: distribution.mean(name) for name in names} | _trial_count(n_trials)


def measure_kill(question: Question) -> dict[str, float]:
    """Return the columns of `kill_table` for one attacker and target."""
    distribution, n_trials = question.known_distribution()
    duration, waste = question.kind.column("duration") or "", question.kind.column("waste")
    within = {f"p_within_{n}": float(distribution.p[distribution[duration] <= n].sum()) for n in KILL_LIMITS}
    mean_waste = distribution.mean(waste) if waste is not None else 0.0
    return {"mean_actions": distribution.mean(duration), **within, "mean_overkill": mean_waste} | _trial_count(n_trials)


def measure_survival(question: Question) -> list[float]:
    """Return the chance that the target stands after 0, 1, 2... actions, up to `LONGEST_CURVE`."""
    distribution, _ = question.known_distribution()
    actions, p = distribution[question.kind.column("duration") or ""], distribution.p
    return [1.0 - float(p[actions <= n].sum()) for n in range(LONGEST_CURVE + 1)]


def measure_duel(question: Question) -> dict[str, float]:
    """Return the chances of both sides and of a draw, the mean rounds, and the mark of the distribution."""
    distribution, n_trials = question.known_distribution()
    chance = question.p_win(distribution)
    values = {"p_a": chance["a"], "p_b": chance["b"], "p_draw": chance.get("draw", 0.0)}
    rounds = {"mean_rounds": distribution.mean("rounds")} if "rounds" in distribution.columns else {}
    return values | rounds | {"mark": distribution_mark(distribution)} | _trial_count(n_trials)


def _trial_count(n_trials: int | None) -> dict[str, float]:
    return {} if n_trials is None else {N_TRIALS: n_trials}


# -- small helpers ---------------------------------------------------------------------------------------------------


def _pairs(runner: Runner, attackers: Sequence[str] | None, targets: Sequence[str] | None) -> list[tuple[str, str]]:
    attacker_names = runner.game.entrants if attackers is None else attackers
    target_names = runner.game.targets if targets is None else targets
    return [(attacker, target) for attacker in attacker_names for target in target_names]


def _frame(
    keys: tuple[str, str],
    pairs: Sequence[tuple[str, str]],
    rows: Sequence[Mapping[str, Any] | None],
    column_names: Sequence[str] = (),
) -> pl.DataFrame:
    """Return a frame of two key columns and float columns: those `column_names`, or else those of the first row."""
    columns: dict[str, list[Any]] = {keys[0]: [pair[0] for pair in pairs], keys[1]: [pair[1] for pair in pairs]}
    names = [name for name in column_names or (rows[0] or {} if rows else {}) if name != N_TRIALS]
    values = {name: [None if row is None else row[name] for row in rows] for name in names}
    schema: dict[str, type[pl.DataType]] = {keys[0]: pl.String, keys[1]: pl.String}
    trials = [None if row is None else row.get(N_TRIALS) for row in rows]
    if any(trials):
        columns[N_TRIALS], schema[N_TRIALS] = trials, pl.Int64
    return pl.DataFrame(columns | values, schema=schema | dict.fromkeys(names, pl.Float64))
