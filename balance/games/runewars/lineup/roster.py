"""Who fights in a line-up: members, which are all that it needs to know of units, and what holds for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from balance.games.runewars.cells import Amount
from balance.games.runewars.rules.exchange import Exchange
from balance.games.runewars.rules.formation import Formation
from balance.games.runewars.rules.runes import Runes


@dataclass(frozen=True)
class Member:
    """A unit that may fight.

    * `formation`, `figure_slots`, `health`, `upgrade`: as in `Duellist`.
    * `attacks`: its attack, with each number of friends that lend it something.
    * `loan_sizes`: how many of them there may be of each set that is lent, and 1; empty if it borrows nothing.
    * `lends`: number of the set that its upgrades lend, -1 for none.
    * `defence`, `guard_rerolls`, `regenerate`: amounts to which runes may be added.
    * `protection`, `mortal_ward`, `figure_defence`: damage and mortal strikes that it takes off an attack, and damage
      that wounds its figure upgrade.
    * `conditions`: those that it has at the start.
    * `attacks_all`: whether it attacks every other enemy after its attack (RW-CARD.2).
    """

    formation: Formation
    figure_slots: int
    health: int
    upgrade: int
    attacks: tuple[Exchange, ...]
    loan_sizes: tuple[int, ...]
    lends: int
    defence: Amount
    guard_rerolls: Amount
    regenerate: Amount
    protection: int
    mortal_ward: int
    figure_defence: int
    conditions: tuple[str, ...]
    attacks_all: bool
    cost_points: int


class Pace(NamedTuple):
    """How a unit walks: initiatives of what it may do, by its dial, the soonest of each.

    * `charges`: of the charge that goes so far, by gap in bands, `LATE` where none does.
    * `march` and `march_bands`: of the march that goes farthest; whether it is a charge, `rushes`.
    """

    melee: int
    charges: tuple[int, ...]
    shoot: int
    range_bands: int
    march: int
    march_bands: int
    rushes: bool


LATE = 99
"""The initiative of what a unit cannot do."""


@dataclass(frozen=True)
class Roster:
    """Who may fight, and what holds for all of them.

    `members`: in the order in which they are numbered, from 0. `unique`: condition that matters -> whether it is
    unique, in pairs. `one_in_all`: whether a unique condition is on one unit in all (RW-Q8). `policies`: (side, aim):
    whom units of each side attack. `paces`: how members walk, if they begin `gap_bands` apart, and `manners`: how each
    side does; then each member is there a second time, as it shoots.
    """

    members: tuple[Member, ...]
    unique: tuple[tuple[str, bool], ...]
    one_in_all: bool
    runes: Runes
    round_limit: int
    policies: tuple[tuple[str, str], ...]
    gap_bands: int = 0
    paces: tuple[Pace, ...] = ()
    manners: tuple[tuple[str, str], ...] = ()
