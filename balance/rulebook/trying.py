"""Every part of a game file tried: what cannot be asked is told by `balance check`, and not when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from balance.base.errors import BalanceError, DistributionError, Fault
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import LoadedGame
from balance.rulebook.play.rules import vocabulary_of
from balance.rulebook.play.script import change_of
from balance.rulebook.text import Rulebook
from balance.rulebook.text.reading import changes_of
from balance.rulebook.text.sections import STEPS

MOST_PAIRS = 24
"""Pairs of units that are tried against each other."""
N_TRIALS, FEW_STEPS = 64, 6
"""Trials of each pair, and steps that they make: some rounds."""


def faults_when_asked(game: LoadedGame) -> list[Fault]:
    """Return faults that show only in play, one per line, found by trials of pairs of units of a sound game file."""
    faults = dict[str, Fault]()
    for kind, first, second, choices in _questions(game):
        try:
            question = game.ask(kind, first, second, **choices)
            for process in question.kind.processes(question.setup, "literal"):
                rolls = RandomRolls(0, "check", 0, N_TRIALS)
                simulate(replace(process, max_steps=min(FEW_STEPS, process.max_steps)), rolls)
        except DistributionError:
            continue  # too much to be tried here, which says nothing of what may be asked
        except BalanceError as error:
            for fault in error.faults:
                faults.setdefault(fault.field, fault)
    return sorted(faults.values(), key=lambda fault: fault.row or 0)


def _questions(game: LoadedGame) -> Iterator[tuple[str, str, str, Mapping[str, str]]]:
    """Yield (kind, first, second, choices): up to `MOST_PAIRS` pairs of units, then one duel per policy."""
    units = game.entrants
    pairs = [(units[n], units[(n + gap) % len(units)]) for gap in range(len(units)) for n in range(len(units))]
    for pair in islice(pairs, MOST_PAIRS):
        yield ("attack", *pair, {})
        yield ("duel", *pair, {})
    for name, policy in game.definition.kinds["duel"].policies.items():
        yield from (("duel", units[0], units[-1], {name: option}) for option in policy.options)


def doubtful_changes(rulebook: Rulebook) -> list[Fault]:
    """Return a note for each change of a sound game file that starts from the value that a step has already set.

    It may have been meant to replace that step.
    """
    steps = {line.name: line for section in STEPS for line in getattr(rulebook, section)}
    vocabulary, notes = vocabulary_of(rulebook), list[Fault]()
    for line in changes_of(rulebook):
        change, step = change_of("", line, vocabulary), steps.get(line.name)
        names_itself = line.name in "".join(line.text.casefold().split())
        if step is not None and line.assigns and change.kind == "result" and not change.is_told and names_itself:
            tip = f'to take the place of that step: "instead: {line.text}"'
            notes.append(line.fault(f"goes on with what {step.key} has left", line.text, tip=tip))
    return notes
