"""What sides choose while they act: which options they may take, and which of these a policy takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.rulebook.play.rules import Rules, flag_of
from balance.rulebook.play.script import Script
from balance.rulebook.text import Choice

Holds = Callable[[Script], BoolArray]
"""In which trials a condition holds, `bool[n]`, or `bool[]` for all."""


def choose_options(
    rules: Rules, may_choose: BoolArray, holds: Holds, ask: Callable[[str, BoolArray, View], IntArray]
) -> dict[str, Values]:
    """Return flag -> 0 or 1 per trial for the options that a side's policy takes, the first where none `may_choose`.

    `ask` has the policy choose, by the name of the choice, what is legal and what is seen.
    """
    flags = dict[str, Values]()
    for choice in rules.book.choices.values():
        options = tuple(choice.options)
        legal = np.ones((len(may_choose), len(options)), bool)
        for number, option in enumerate(options):
            script = rules.may.get((choice.name, option))
            may = True if script is None else holds(script)
            legal[:, number] = may_choose & may if number > 0 else may
        if (choice.name, options[0]) in rules.may:
            legal[:, 0] |= ~legal.any(axis=1)
        chosen = ask(choice.name, legal, View(rules, choice, holds))
        for number, option in enumerate(options):
            if (flag := flag_of(choice.name, option)) in rules.names:
                flags[flag] = (chosen == number).astype(np.int16)
    return flags


@dataclass(frozen=True, eq=False)
class View:
    """What a policy sees when it chooses, as nothing is hidden: in which trials a condition holds, `bool[n]`."""

    rules: Rules
    choice: Choice
    holds: Holds


@dataclass(frozen=True)
class Takes:
    """A policy: per choice an option taken always, or the conditions on which options are taken.

    `always`: choice -> the option that is taken wherever it is allowed. `when`: choice -> name of the policy of the
    file.
    """

    always: tuple[tuple[str, str], ...] = ()
    when: tuple[tuple[str, str], ...] = ()

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return the option taken in each trial, `int64[n]`: the first whose condition holds, else the usual one.

        Where that is not allowed, it is the first option that is.
        """
        choice, flags = view.choice, np.asarray(legal)
        options, taken = list(choice.options), np.zeros(len(flags), np.int64)
        option = dict(self.always).get(choice.name)
        if option is not None:
            number = options.index(option)
            return np.where(flags[:, number], number, taken)
        policy = dict(self.when).get(choice.name, "")
        for number, option in reversed(list(enumerate(options))):
            script = view.rules.takes.get((choice.name, policy, option))
            if script is not None:
                taken = np.where(view.holds(script) & flags[:, number], number, taken)
        if flags[:, 0].all():
            return taken  # the usual option, or one that is allowed where it is taken
        return np.where(flags[np.arange(len(flags)), taken], taken, flags.argmax(axis=1))
