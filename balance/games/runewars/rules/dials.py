"""Command dials: both sides choose in secret what they do this round, and the lower initiative acts first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.cells import ICONS, Amount, parse_amount
from balance.games.runewars.rules.harm import amount_at
from balance.games.runewars.tables import Dial

ADDS = {"hit": "add_hits", "mortal_strike": "add_mortal_strikes", "surge": "add_surges", "morale": "add_morale"}
"""Icon -> the field of a dial that adds it."""


@dataclass(frozen=True)
class SetsDial:
    """Chooses the attack that acts `quickest`, the one that adds the most icons, a defence, or any at random."""

    policy: Literal["quickest", "strongest", "defend", "random"]
    settings: tuple[Dial, ...]

    def choose(self, name: str, legal: Legal, view: Mapping[str, IntArray], rolls: Rolls) -> IntArray:
        """Return a setting for every trial.

        Parameters
        ----------
        name
            What the choice is called; no policy looks at it.
        legal
            How many settings there are.
        view
            What is left of both sides, `int[n]` by name of the column.
        rolls
            Chance, for a setting at random.
        """
        n = n_trials(dict(view))
        if self.policy == "random":
            return rolls.uniform(len(self.settings), "setting")
        return np.full(n, min(range(len(self.settings)), key=lambda place: self._order(self.settings[place])))

    def _order(self, setting: Dial) -> tuple[int, ...]:
        n_icons = sum(getattr(setting, field) for field in ADDS.values())
        defends = setting.defend != "0"
        if self.policy == "defend":
            return (not defends, not setting.attacks, setting.initiative, -n_icons)
        return (
            not setting.attacks,
            *((setting.initiative, -n_icons) if self.policy == "quickest" else (-n_icons, setting.initiative)),
        )


@dataclass(frozen=True)
class Settings:
    """What one side's dial offers, and how it chooses."""

    policy: SetsDial

    @property
    def names(self) -> tuple[str, ...]:
        """Its settings, for examples and messages."""
        return tuple(setting.id for setting in self.policy.settings)

    @cached_property
    def initiative(self) -> IntArray:
        """Initiative of each setting."""
        return np.array([setting.initiative for setting in self.policy.settings])

    @cached_property
    def attacks(self) -> IntArray:
        """Whether each setting attacks."""
        return np.array([setting.attacks for setting in self.policy.settings])

    @cached_property
    def rallies(self) -> IntArray:
        """Whether each setting rallies."""
        return np.array([setting.rallies for setting in self.policy.settings])

    @cached_property
    def icons(self) -> Mapping[str, IntArray]:
        """Icon -> how many of it each setting adds, for those that some setting adds."""
        columns = {
            icon: np.array([getattr(setting, field) for setting in self.policy.settings])
            for icon, field in ADDS.items()
        }
        return {icon: columns[icon].astype(np.int16) for icon in ICONS if icon in columns and columns[icon].any()}

    @cached_property
    def defends(self) -> tuple[Amount, ...]:
        """What each setting adds to the defence."""
        return tuple(parse_amount(setting.defend) for setting in self.policy.settings)

    def defence(self, setting: IntArray, state: State) -> IntArray:
        """Return what is added to the defence in each trial, `int16[n]`.

        Parameters
        ----------
        setting
            Number of the setting that is chosen in each trial, `int[n]`.
        state
            The state, in which the runes lie.
        """
        amounts = [np.broadcast_to(amount_at(amount, state), len(setting)) for amount in self.defends]
        return np.stack(amounts)[setting, np.arange(len(setting))].astype(np.int16)
