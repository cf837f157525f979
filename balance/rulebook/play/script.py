"""A section of steps made ready to be played: what keywords and choices change, and what becomes of each result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from balance.base.errors import BalanceError, Fault
from balance.chance.dice.rolling.step_law import StepLaw
from balance.chance.dice.text.pools import MODIFIERS
from balance.chance.dice.text.steps import Step, StepReader
from balance.chance.dice.text.tokens import Reader, Vocabulary, read_tokens
from balance.rulebook.play.functions import function_of
from balance.rulebook.text import Line

Function: TypeAlias = Callable[..., Any]
"""A Python function in the place of a step: of the names and their numbers, and the rolls; gives `int[n]`."""
BEFORE = "turn"
"""The section before whose steps that is set which a choice costs."""
OPERATORS = ("+", "-", "*", "//", "/")
_TOLD = re.compile(r"\s*(instead|then)\s*:\s*", re.IGNORECASE)
"""How a line begins that says itself whether it takes the place of a step or goes on with its result."""
_NAME = re.compile(r"[^\W\d_]\w*(?:\s*\.\s*[^\W\d_]\w*)?")


@dataclass(frozen=True, eq=False)
class Deed:
    """One step that is played, or a Python function in its place.

    `uses`: the names that it needs, in the order of its step. `step`: none for a function, and for dice that are rolled
    together with those of another step. `store`: what a player keeps of it, such as its laws.
    """

    line: Line
    uses: tuple[str, ...]
    step: Step | None = None
    function: Function | None = None
    store: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def law(self) -> StepLaw:
        """The law of its step, for all players."""
        if self.step is None:
            raise TypeError(f"{self.line.key} has no step")
        return StepLaw(self.step, self.line.fault)

    @property
    def gives(self) -> tuple[str, ...]:
        """The names that it sets."""
        columns = (self.line.name,) if self.step is None else self.step.columns
        return (*columns, beyond(self.line.name)) if self.line.assigns else columns


@dataclass(frozen=True, eq=False)
class Script:
    """The steps of a section, in their order.

    `needs`: names that no step before gives. `changes`: values of units that it sets, such as `foe.wounds`, in the
    order in which they are set first. `results`: what its joint law is of; nothing where a Python function takes part.
    `store`: what a player keeps of it, such as its laws.
    """

    deeds: tuple[Deed, ...] = ()
    needs: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    name: str = ""
    results: tuple[str, ...] = ()
    store: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def has_dice(self) -> bool:
        """Whether a step rolls, Python functions aside."""
        return any(deed.step is not None and deed.step.has_dice for deed in self.deeds)

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
        rolls = [place for place, deed in enumerate(self.deeds) if deed.step is not None and deed.step.has_dice]
        ends = [0, *rolls[1:], len(self.deeds)]
        cuts = [self.deeds[begin:end] for begin, end in pairwise(ends)]
        return tuple(Script(cut, tuple({name for deed in cut for name in deed.uses})) for cut in cuts)


def beyond(name: str) -> str:
    """Return the name of a value as it would be if it could fall below 0, from which excess losses are computed."""
    return f"{name}·beyond"


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
        all_deeds.append(Deed(line, uses, step, function))
    needs |= {name: None for name in set_names if name not in needs}
    changes = tuple(dict.fromkeys(set_names))
    results = dict.fromkeys(
        [*changes, *map(beyond, changes), *(name for name in wanted if name in given_names), *last_names]
    )
    is_whole = bool(all_deeds) and not any(deed.function is not None for deed in all_deeds)
    return Script(tuple(all_deeds), tuple(needs), changes, section, tuple(results) if is_whole else ())


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
