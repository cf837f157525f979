"""Sections of steps played on arrays: each step drawn from its laws or rolled, or the whole from its joint law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import GameError
from balance.chance.budget import SIMULATE, spend
from balance.chance.dice.rolling.laws import LawArrays, LawTable, Results, StepLaws, Values
from balance.chance.exact.enumeration import TooManyWays
from balance.chance.pmf.arrays import WeightArray, merge_columns
from balance.chance.rolls.rolls import Rolls
from balance.rulebook.play.script import Deed, Function, Script, beyond

Env: TypeAlias = dict[str, Values]
"""Name -> its number for all trials, or for each, `int[n]`."""
ROW = "·row"
"""The name of the number of a row whose law is worked out."""
MOST_WAYS = 600_000
"""Ways in which the dice of a section may fall that are held at once: each needs some hundred bytes."""


def step_laws(deed: Deed) -> StepLaws | None:
    """Return the laws of a step, which are kept with it; None where it has no dice of its own or is a function."""
    if deed.step is None:
        return None
    laws: StepLaws = deed.store.get("laws") or deed.store.setdefault("laws", StepLaws(deed.law))
    return laws


def script_laws(script: Script) -> ScriptLaws | None:
    """Return the laws of all that a script sets together, kept with it; None where a Python function takes part."""
    if not script.results:
        return None
    laws: ScriptLaws = script.store.get("laws") or script.store.setdefault("laws", ScriptLaws(script))
    return laws


class ScriptLaws(LawTable):
    """The joint law of everything that a section sets.

    Names that no later step needs are summed out on the way (marginalised), which keeps the number of ways small.
    """

    def __init__(self, script: Script) -> None:
        super().__init__(script.name, script.results, script.needs)
        self._deeds = script.deeds

    def get_ready(self, rows: Sequence[tuple[int, ...]]) -> None:
        """Do nothing, as each step prepares its own laws."""

    def work_out(self, rows: Sequence[tuple[int, ...]], most_each: int = MOST_WAYS) -> LawArrays:
        """Return the law of the results, in floating point, for each row of values of the names needed.

        Rows with more than `MOST_WAYS` ways together are worked out in halves; `DistributionError` if a single row has
        more than `most_each`.
        """
        try:
            return self._worked_out(rows, most_each)
        except TooManyWays:
            if len(rows) < 2:
                raise
        half = len(rows) // 2
        return self.work_out(rows[:half], most_each).with_more(self.work_out(rows[half:], most_each))

    def _worked_out(self, rows: Sequence[tuple[int, ...]], most_each: int) -> LawArrays:
        columns = np.array(rows, np.int64).reshape(len(rows), len(self.uses)).T
        ways: Env = {**dict(zip(self.uses, columns, strict=True)), ROW: np.arange(len(rows))}
        chances = np.ones(len(rows))
        for number, deed in enumerate(self._deeds):
            later = {name for other in self._deeds[number + 1 :] for name in other.uses}
            ways, chances = _after(deed, ways, chances, later | {*self.columns, ROW}, most_each)
        results = [np.asarray(ways[name]) for name in (ROW, *self.columns)]
        first_rows, chances = merge_columns(results, chances)
        spend(0, len(chances) * (3 + len(self.columns) / 2))
        row, *values = (column[first_rows] for column in results)
        sizes = np.bincount(row, minlength=len(rows))
        outcomes = np.stack(values, axis=1, dtype=np.int16)
        return LawArrays(sizes.cumsum() - sizes, sizes, outcomes, chances, np.bincount(row, chances, len(rows)))


def _after(deed: Deed, rows: Env, chances: WeightArray, later: set[str], most_each: int) -> tuple[Env, WeightArray]:
    """Return the ways after one step, one row each, with the names still needed, and the chance of each way.

    Rows that agree in those names are merged; `TooManyWays` for more than `most_each` of one row whose law is asked.
    """
    laws = step_laws(deed)
    if laws is None:
        return rows, chances
    values = [rows[name] for name in deed.uses]
    if laws.step.formula is not None:
        numbers = dict(zip(laws.uses, values, strict=True))
        rows = rows | {laws.columns[0]: laws.formula_values(numbers, len(chances))}
    else:
        places = np.broadcast_to(np.asarray(laws.places(values)), len(chances))
        arrays = laws.arrays
        sizes = arrays.sizes[places]
        n_ways = int(sizes.sum())
        if n_ways > min(MOST_WAYS, most_each) and (
            n_ways > MOST_WAYS or np.bincount(np.asarray(rows[ROW]), sizes).max() > most_each
        ):
            raise TooManyWays(f"{n_ways:,} ways in which dice may fall are too many to list", SIMULATE)
        spend(n_ways * (2 + len(rows) / 2))
        origin = np.arange(len(chances)).repeat(sizes)
        index = arrays.begins[places][origin] + np.arange(len(origin)) - (sizes.cumsum() - sizes)[origin]
        rows = {name: np.asarray(values)[origin] for name, values in rows.items()}
        rows |= zip(laws.columns, arrays.outcomes[index].T, strict=True)
        chances = chances[origin] * arrays.p[index]
    if deed.line.assigns:
        rows |= _set(deed.line.name, rows[deed.line.name])
    rows = {name: values for name, values in rows.items() if name in later}
    first_rows, weights = merge_columns([np.asarray(values, np.int64) for values in rows.values()], chances)
    return {name: np.asarray(values)[first_rows] for name, values in rows.items()}, weights


def _set(name: str, value: Values) -> Env:
    """Return a value that was set, clipped at 0, and under the name `beyond` as it would be without clipping."""
    return {beyond(name): value, name: max(0, value) if isinstance(value, int) else np.maximum(0, value)}


def value(script: Script, env: Env) -> Values:
    """Return an expression without dice: an integer for all trials, or `int[n]`."""
    return play(script, env, NO_ROLLS, "", None, is_rolled=False)[script.deeds[-1].line.name]


def draw(script: Script, env: Env, rolls: Rolls, place: str, is_active: BoolArray | None) -> Env:
    """Return all names after the section, drawn from its joint law if it has one, else as `play` does.

    `place` names who acts, and `is_active`, `bool[n]`, the trials in which anything is done; None for all.
    """
    laws = script_laws(script)
    if laws is None or not script.has_dice:
        return play(script, env, rolls, place, is_active, is_rolled=False)
    places = laws.places([env[name] for name in laws.uses], is_active)
    results = rolls.answer(Results(f"{place} {laws.name}", laws, places, rolls.n, is_rolled=False))
    return {**env, **results}


def play(script: Script, env: Env, rolls: Rolls, place: str, is_active: BoolArray | None, *, is_rolled: bool) -> Env:
    """Return all names after the steps, each step rolled, or drawn from its law unless `is_rolled`.

    `place` names who acts; `is_active`, `bool[n]`, has the trials that count, None for all, and values of the
    others mean nothing. `GameError` if a step makes no sense for the values of some trial; it names the line and
    the values.
    """
    env = dict(env)
    for deed in script.deeds:
        if deed.function is not None:
            env[deed.line.name] = _call(deed, deed.function, env, rolls)
            continue
        if (laws := step_laws(deed)) is None:
            continue
        env |= _results(laws, [env[name] for name in deed.uses], rolls, place, is_active, is_rolled)
        if deed.line.assigns:
            env |= _set(deed.line.name, env[deed.line.name])
    return env


class _NoRolls(Rolls):
    """Stands in for rolls where an expression has no dice; any request is a bug."""

    n = 1

    def answer(self, request: object) -> object:  # type: ignore[override]
        raise NotImplementedError


NO_ROLLS = _NoRolls()


def _results(
    laws: StepLaws, values: Sequence[Values], rolls: Rolls, place: str, is_active: BoolArray | None, is_rolled: bool
) -> Mapping[str, Values]:
    """Return result -> values of a step: a request to `rolls` where it has dice, else computed at once."""
    sizes = [len(value) for value in values if not isinstance(value, int)]
    if laws.step.formula is not None and sizes:
        numbers = dict(zip(laws.uses, values, strict=True))
        return {laws.columns[0]: laws.formula_values(numbers, sizes[0], is_active)}
    law_places = laws.places(values, is_active)
    if laws.step.has_dice:
        return rolls.answer(Results(f"{place} {laws.name}", laws, law_places, rolls.n, is_rolled))
    outcome = laws.arrays.outcomes[laws.arrays.begins[law_places]]
    name = laws.step.columns[0]
    return {name: int(outcome[0]) if isinstance(law_places, int) else outcome[:, 0]}


def _call(deed: Deed, function: Function, env: Env, rolls: Rolls) -> IntArray:
    values = {name: np.broadcast_to(np.asarray(value), rolls.n) for name, value in env.items() if "·" not in name}
    result = np.asarray(function(values, rolls))
    if result.shape != (rolls.n,) or result.dtype.kind not in "iub":
        shape_text = f"{result.dtype}{list(result.shape)}"
        raise GameError(deed.line.fault("gives no array of a whole number for each trial", shape_text))
    return result.astype(np.int16)
