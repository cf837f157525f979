"""A section of steps made ready to be played: what keywords and choices change, and what becomes of each result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import BalanceError, Fault, GameError
from balance.chance.budget import SIMULATE, spend
from balance.chance.dice.rolling.laws import LawArrays, LawTable, Results, StepLaws, Values
from balance.chance.dice.text.pools import MODIFIERS
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Reader, Vocabulary, read_tokens
from balance.chance.exact.enumeration import TooManyWays
from balance.chance.pmf.arrays import WeightArray, merge_columns
from balance.chance.rolls.rolls import Rolls
from balance.rulebook.play.functions import function_of
from balance.rulebook.text import Line

Env: TypeAlias = dict[str, Values]
"""Name -> its number for all trials, or for each, `int[n]`."""
Function: TypeAlias = Callable[[Mapping[str, Values], Rolls], IntArray]
BEFORE = "turn"
"""The section before whose steps that is set which a choice costs."""
ROW = "·row"
"""The name of the number of a row whose law is worked out."""
MOST_WAYS = 600_000
"""Ways in which the dice of a section may fall that are held at once: each needs some hundred bytes."""
OPERATORS = ("+", "-", "*", "//", "/")
_TOLD = re.compile(r"\s*(instead|then)\s*:\s*", re.IGNORECASE)
"""How a line begins that says itself whether it takes the place of a step or goes on with its result."""
_NAME = re.compile(r"[^\W\d_]\w*(?:\s*\.\s*[^\W\d_]\w*)?")


@dataclass(frozen=True, eq=False)
class Deed:
    """One step that is played: its laws, or a Python function in its place.

    `uses`: the names that it needs, in the order of its laws. `laws`: none for a function, and for dice that are rolled
    together with those of another step.
    """

    line: Line
    uses: tuple[str, ...]
    laws: StepLaws | None = None
    function: Function | None = None

    @property
    def gives(self) -> tuple[str, ...]:
        """The names that it sets."""
        columns = (self.line.name,) if self.laws is None else self.laws.columns
        return (*columns, beyond(self.line.name)) if self.line.assigns else columns


class ScriptLaws(LawTable):
    """The joint law of everything that a section sets.

    Names that no later step needs are summed out on the way (marginalised), which keeps the number of ways small.
    """

    def __init__(self, name: str, deeds: Sequence[Deed], needs: tuple[str, ...], results: tuple[str, ...]) -> None:
        super().__init__(name, results, needs)
        self._deeds = deeds

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
    laws = deed.laws
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


@dataclass(frozen=True, eq=False)
class Script:
    """The steps of a section, in their order.

    `needs`: names that no step before gives. `changes`: values of units that it sets, such as `foe.wounds`, in the
    order in which they are set first.
    """

    deeds: tuple[Deed, ...] = ()
    needs: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    laws: ScriptLaws | None = None
    """The laws of all that it sets together; None where a Python function takes part."""

    @cached_property
    def has_dice(self) -> bool:
        """Whether a step rolls, Python functions aside."""
        return any(deed.laws is not None and deed.laws.step.has_dice for deed in self.deeds)

    @cached_property
    def needed_parts(self) -> tuple[tuple[str, str, str], ...]:
        """Every name in `needs`, with its owner and its own name: `foe.wounds`, `foe` and `wounds`."""
        return tuple((name, owner, own_name) for name in self.needs for owner, _, own_name in [name.partition(".")])

    @property
    def gives(self) -> tuple[str, ...]:
        """Every name that it sets."""
        return tuple(dict.fromkeys(name for deed in self.deeds for name in deed.gives))

    @cached_property
    def parts(self) -> tuple[Script, ...]:
        """The same steps, cut before each roll but the first; uncut if a Python function reads all names."""
        if any(deed.function is not None for deed in self.deeds):
            return (self,)
        rolls = [place for place, deed in enumerate(self.deeds) if deed.laws is not None and deed.laws.step.has_dice]
        ends = [0, *rolls[1:], len(self.deeds)]
        cuts = [self.deeds[begin:end] for begin, end in pairwise(ends)]
        return tuple(Script(cut, tuple({name for deed in cut for name in deed.uses})) for cut in cuts)

    def value(self, env: Env) -> Values:
        """Return an expression without dice: an integer for all trials, or `int[n]`."""
        return self.play(env, NO_ROLLS, "", None, is_rolled=False)[self.deeds[-1].line.name]

    def draw(self, env: Env, rolls: Rolls, place: str, is_active: BoolArray | None) -> Env:
        """Return all names after the section, drawn from its joint law if it has one, else as `play` does.

        `place` names who acts, and `is_active`, `bool[n]`, the trials in which anything is done; None for all.
        """
        if self.laws is None or not self.has_dice:
            return self.play(env, rolls, place, is_active, is_rolled=False)
        places = self.laws.places([env[name] for name in self.laws.uses], is_active)
        results = rolls.answer(Results(f"{place} {self.laws.name}", self.laws, places, rolls.n, is_rolled=False))
        return {**env, **results}

    def play(self, env: Env, rolls: Rolls, place: str, is_active: BoolArray | None, *, is_rolled: bool) -> Env:
        """Return all names after the steps, each step rolled, or drawn from its law unless `is_rolled`.

        `place` names who acts; `is_active`, `bool[n]`, has the trials that count, None for all, and values of the
        others mean nothing. `GameError` if a step makes no sense for the values of some trial; it names the line and
        the values.
        """
        env = dict(env)
        for deed in self.deeds:
            if deed.function is not None:
                env[deed.line.name] = _call(deed, deed.function, env, rolls)
                continue
            if deed.laws is None:
                continue
            env |= _results(deed.laws, [env[name] for name in deed.uses], rolls, place, is_active, is_rolled)
            if deed.line.assigns:
                env |= _set(deed.line.name, env[deed.line.name])
        return env


class _NoRolls(Rolls):
    """Stands in for rolls where an expression has no dice; any request is a bug."""

    n = 1

    def answer(self, request: object) -> object:  # type: ignore[override]
        raise NotImplementedError


NO_ROLLS = _NoRolls()


def beyond(name: str) -> str:
    """Return the name of a value as it would be if it could fall below 0, from which excess losses are computed."""
    return f"{name}·beyond"


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


@dataclass(frozen=True)
class Condition:
    """A flag, such as `me.fast`, and the lines that hold where it is not 0.

    `adds_to`: the section to which values are added that no step of the file sets: before its steps for a choice, once
    for each activation; after them for a keyword.
    """

    flag: str
    lines: tuple[Line, ...]
    adds_to: str = "attack"


def compile_script(
    name: str,
    lines: Sequence[Line],
    vocabulary: Vocabulary,
    faults: list[Fault],
    conditions: Iterable[Condition] = (),
    wanted: Iterable[str] = (),
    set_where: Mapping[Condition, frozenset[str]] | None = None,
) -> Script:
    """Return the steps of a section ready to be played; what is wrong with them is added to `faults`, by line.

    `wanted` names results that are kept though no other step uses them; `set_where` maps each condition to what steps
    set in all sections where it holds.
    """
    reader, deeds, loss_keys = StepReader(vocabulary), list[tuple[Line, Function | None]](), set[str]()
    all_conditions = list(conditions)
    here = [condition for condition in all_conditions if condition.adds_to == name]
    new_changes = list(_new_changes(here, set_where or {}, vocabulary))
    new_lines = [change.later() for change in new_changes]
    loss_keys |= {change.line.key for change in new_changes if change.acts_on_loss}
    for line in [*new_lines, *lines] if name == BEFORE else [*lines, *new_lines]:
        changes = _changes_of(line, all_conditions, vocabulary) if line in lines else []
        step_changes = [change for change in changes if change.is_of_step]
        function = _function_of(line, faults) if line.python else None
        if line.python:
            reader.know(line.name)
            if function is None:
                continue
        elif not _read(reader, line, step_changes, faults):
            continue
        deeds.append((line, function))
        faults += _in_two_ways(line, changes, {line.name for line in lines if not line.assigns})
        for change in changes:
            if not change.is_of_step and _read(reader, change.later(), [], faults):
                deeds.append((change.later(), None))
                loss_keys |= {change.line.key} if change.acts_on_loss else set()
    last_names = [line.name for line, _ in deeds[-1:]]
    for symbols in reader.symbols_without_count([*wanted, *last_names]):
        line = next(line for line, _ in deeds if line.name == symbols)
        tip = f'count them in a step of its own: hits = "{symbols} count hit"'
        faults.append(line.fault("shows symbols, where a number is needed", line.text, "", tip))
    return _script(name, reader, deeds, tuple(wanted), loss_keys)


@dataclass(frozen=True)
class Change:
    """How a keyword or an option changes a step.

    `flag`: the name that is not 0 where it holds. `line`: its line, without a leading "instead:" or "then:". `kind`:
    `dice`: a modifier added to the dice of the step; `instead`: what takes its place; `operator` and `result`: what is
    done with its result. `is_told`: whether the line says itself which kind it is.
    """

    flag: str
    line: Line
    kind: str
    is_told: bool = False

    def later(self) -> Line:
        """Return it as a step of its own after the one that it changes: `if(flag, new, old)`."""
        name = self.line.name
        text = f"{name} {self.line.text}" if self.kind == "operator" else self.line.text
        return replace(self.line, text=f"if({self.flag}, {text}, {name})")

    @property
    def is_of_step(self) -> bool:
        """Whether it changes the step itself, and not only its result."""
        return self.kind in ("dice", "instead")

    @property
    def acts_on_loss(self) -> bool:
        """Whether it goes on with the value before clipping at 0, as `+ 2` does."""
        return self.kind == "operator" and self.line.assigns


def _changes_of(line: Line, conditions: Sequence[Condition], vocabulary: Vocabulary) -> list[Change]:
    """Return the changes of a step by all keywords and options, in the order of the conditions."""
    return [
        change_of(condition.flag, change, vocabulary)
        for condition in conditions
        for change in condition.lines
        if change.name == line.name
    ]


def change_of(flag: str, line: Line, vocabulary: Vocabulary) -> Change:
    """Return the change that a line makes, its kind taken from "instead:" or "then:", else from its expression."""
    told = _TOLD.match(line.text)
    if told:
        kind = "instead" if told[1].casefold() == "instead" else "result"
        return Change(flag, replace(line, text=line.text[told.end() :]), kind, is_told=True)
    return Change(flag, line, _kind_of(line, vocabulary))


def _in_two_ways(line: Line, changes: Sequence[Change], steps: set[str]) -> Iterator[Fault]:
    """Yield an ambiguity for each change that names both the value that it sets and the result of a step.

    It may be meant to replace the step or to follow it, and then the same loss would count twice.
    """
    for change in changes:
        names = {re.sub(r"\s", "", name) for name in _NAME.findall(change.line.text.casefold())}
        if line.assigns and change.kind == "result" and not change.is_told and line.name in names and names & steps:
            text = change.line.text
            tip = f'"instead: {text}" takes the place of that step, "then: {text}" goes on with what it has left'
            yield change.line.fault(f"can be read in two ways, as {line.key} sets {line.name} too", text, tip=tip)


def _script(
    section: str,
    reader: StepReader,
    deeds: Sequence[tuple[Line, Function | None]],
    wanted: Sequence[str],
    loss_keys: set[str],
) -> Script:
    """Return steps as a script; those at `loss_keys` start from a value before clipping at 0."""
    set_names = [line.name for line, _ in deeds if line.assigns]
    last_names = [line.name for line, _ in deeds[-1:]]
    steps = iter(reader.steps_as_added({*wanted, *set_names, *last_names}))
    all_deeds, given_names, needs = list[Deed](), set[str](), dict[str, None]()
    for line, function in deeds:
        step = next(steps) if function is None else None  # None too for dice that are rolled with those of another step
        uses = step.uses if step is not None else ()
        if line.key in loss_keys and beyond(line.name) in given_names:
            uses = tuple(beyond(name) if name == line.name else name for name in uses)
        needs |= dict.fromkeys(name for name in uses if name not in given_names)
        given_names |= {line.name} if step is None else {*step.columns}
        given_names |= {beyond(line.name)} if line.assigns else set()
        all_deeds.append(Deed(line, uses, StepLaws(step, line.fault) if step is not None else None, function))
    needs |= {name: None for name in set_names if name not in needs}
    changes = tuple(dict.fromkeys(set_names))
    results = dict.fromkeys(
        [*changes, *map(beyond, changes), *(name for name in wanted if name in given_names), *last_names]
    )
    is_whole = bool(all_deeds) and not any(deed.function is not None for deed in all_deeds)
    laws = ScriptLaws(section, all_deeds, tuple(needs), tuple(results)) if is_whole else None
    return Script(tuple(all_deeds), tuple(needs), changes, laws)


def _new_changes(
    conditions: Sequence[Condition], set_where: Mapping[Condition, frozenset[str]], vocabulary: Vocabulary
) -> Iterator[Change]:
    """Yield changes for values of a unit that keywords and choices set, but no step of the sections where they hold."""
    for condition in conditions:
        for line in condition.lines:
            if line.name not in set_where.get(condition, ()) and line.assigns:
                yield change_of(condition.flag, line, vocabulary)


def _kind_of(change: Line, vocabulary: Vocabulary) -> str:
    """Return the kind of a change that does not say it itself, from its first word and names; see `Change`."""
    reader = Reader(change.text, replace(vocabulary, names=vocabulary.names | {change.name}))
    tokens = read_tokens(reader)
    if tokens[0].text in MODIFIERS:
        return "dice"
    if tokens[0].kind == "sign" and tokens[0].text in OPERATORS and len(tokens) > 2:
        return "operator"
    if change.assigns or any(token.kind == "name" and token.text == change.name for token in tokens):
        return "result"
    return "instead"


def _read(reader: StepReader, line: Line, changes: Sequence[Change], faults: list[Fault]) -> bool:
    """Return whether a step with its changes could be read; each fault goes to the change or the step that has it."""
    n_faults = len(faults)
    texts = [(change.flag, change.line.text) for change in changes]
    try:
        reader.add(line.name, line.text, texts)
    except BalanceError as error:
        if not _faults_of(reader, line, []):
            for change, text in zip(changes, texts, strict=True):
                faults += _at(change.line, _faults_of(reader, line, [text]))
        if len(faults) == n_faults:
            faults += _at(line, error.faults)
        reader.know(line.name)  # so that later steps are told of what is wrong with themselves alone
        return False
    return True


def _faults_of(reader: StepReader, line: Line, changes: Sequence[tuple[str, str]]) -> Sequence[Fault]:
    """Return the faults of a step together with these changes, (flag, text) each."""
    try:
        reader.add(line.name, line.text, changes)
    except BalanceError as error:
        return error.faults
    return ()


def _at(line: Line, faults: Iterable[Fault]) -> Iterator[Fault]:
    for fault in faults:
        message = fault.message if not fault.path else f"{fault.path}: {fault.message}"
        yield line.fault(message, str(fault.found) if fault.found is not None else None, fault.allowed, fault.tip)


def _function_of(line: Line, faults: list[Fault]) -> Function | None:
    """Return the Python function that a line names; None with a fault if it cannot be had."""
    try:
        function: Function = function_of(line)
    except Exception as error:
        tip = "install the package in whose place it is, as package.module:function"
        faults.append(line.fault(f"is no Python function that can be called ({error})", line.python, "", tip))
        return None
    return function
