"""Command dials: both sides choose in secret what they do this round, and the lower initiative acts first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Policy, Rolls
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
        """Return the number of a setting for every trial, `int64[n]`, the same in all unless it is random."""
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


class DialPolicy(Policy, Protocol):
    """A policy that sets a dial with some settings."""

    @property
    def settings(self) -> tuple[Dial, ...]:
        """The settings of the dial."""
        ...


@dataclass(frozen=True)
class Settings:
    """The settings of one side's dial, and the policy that chooses."""

    policy: DialPolicy

    @property
    def names(self) -> tuple[str, ...]:
        """Ids of its settings, for examples and messages."""
        return tuple(setting.id for setting in self.policy.settings)

    @cached_property
    def initiative(self) -> IntArray:
        """Initiative of each setting, `int[settings]`; the lower acts first."""
        return np.array([setting.initiative for setting in self.policy.settings])

    @cached_property
    def attacks(self) -> IntArray:
        """Whether each setting attacks, `bool[settings]`."""
        return np.array([setting.attacks for setting in self.policy.settings])

    @cached_property
    def rallies(self) -> IntArray:
        """Whether each setting rallies and so readies exhausted cards, `bool[settings]` (RW-GEN.1)."""
        return np.array([setting.rallies for setting in self.policy.settings])

    @cached_property
    def icons(self) -> Mapping[str, IntArray]:
        """Icon -> how many each setting adds, `int16[settings]`; without icons that no setting adds."""
        columns = {
            icon: np.array([getattr(setting, field) for setting in self.policy.settings])
            for icon, field in ADDS.items()
        }
        return {icon: columns[icon].astype(np.int16) for icon in ICONS if icon in columns and columns[icon].any()}

    @cached_property
    def defends(self) -> tuple[Amount, ...]:
        """The amount that each setting adds to the defence."""
        return tuple(parse_amount(setting.defend) for setting in self.policy.settings)

    def defence(self, setting: IntArray, state: State) -> IntArray:
        """Return what the chosen `setting`, `int[n]`, adds to the defence with the runes that lie, `int16[n]`."""
        amounts = [np.broadcast_to(amount_at(amount, state), len(setting)) for amount in self.defends]
        return np.stack(amounts)[setting, np.arange(len(setting))].astype(np.int16)
