"""What a line-up of Runewars looks up: numbers of members, and the distributions of what their attacks bring."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from balance.chance.pmf import Pmf
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.lineup.roster import Member, Roster
from balance.games.runewars.rules.exchange import Exchange, roll_attack, stack_of
from balance.games.runewars.rules.formation import Formation, figures_of, ranks_of, trays_with_figure

__all__ = ["Tables", "tables_of"]


@dataclass(frozen=True)
class Tables:
    """What is looked up of the members of a roster, by their numbers; the last stands for nobody."""

    roster: Roster

    def listed(self, numbers: Iterable[int]) -> IntArray:
        """Return a number of each member, and 0 of nobody, `int16[m + 1]`."""
        return np.array([*numbers, 0], np.int16)

    @cached_property
    def numbers(self) -> dict[str, IntArray]:
        """What is a number of members, by name, `int16[m + 1]`."""
        names = [field.name for field in fields(Member) if field.type in ("int", "bool")]
        found = {name: self.listed(getattr(one, name) for one in self.roster.members) for name in names}
        return found | {"wound_threshold": self.listed(one.formation.wound_threshold for one in self.roster.members)}

    def of(self, name: str, members: IntArray) -> IntArray:
        """Return a number of members, `int16[n, ...]`."""
        return self.numbers[name].take(members)

    @cached_property
    def amounts(self) -> dict[tuple[str, str], IntArray]:
        """(amount, "") -> its number, and (amount, kind of rune) -> whether runes join it, `int16[m + 1]` each."""
        found = {}
        for name in ("defence", "guard_rerolls", "regenerate"):
            own = [getattr(one, name) for one in self.roster.members]
            found[name, ""] = self.listed(amount.number for amount in own)
            found |= {(name, kind): self.listed(a.rune == kind for a in own) for kind in self.roster.runes.kinds}
        return found

    def amount(self, name: str, members: IntArray, state: State) -> IntArray:
        """Return an amount of members, `int16[n, ...]`, with the runes that lie."""
        found = self.amounts[name, ""].take(members)
        for kind in self.roster.runes.kinds:
            lying = state[kind].reshape(-1, *[1] * (members.ndim - 1))
            found = found + self.amounts[name, kind].take(members) * lying
        return np.asarray(found)

    @cached_property
    def most_left(self) -> int:
        """The most wounds that figures of a unit can take."""
        return max(_capacity(one.formation) for one in self.roster.members)

    @cached_property
    def standing(self) -> tuple[IntArray, IntArray, IntArray]:
        """Trays, empty slots and first row of the stack, by whether a figure upgrade lives, member and wounds left."""
        shape = (2, len(self.roster.members) + 1, self.most_left + 1)
        trays, room, first = np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros(shape, np.int32)
        for (number, one), lives in product(enumerate(self.roster.members), (0, 1)):
            left, shown = np.arange(_capacity(one.formation) + 1), (lives, number, slice(_capacity(one.formation) + 1))
            able = trays_with_figure(one.formation, left, np.full_like(left, lives), one.figure_slots)
            trays[shown] = np.minimum(able, one.formation.trays)
            slots = trays[shown] * one.formation.figures_per_tray - lives * one.figure_slots
            room[shown] = np.maximum(slots - figures_of(one.formation, left), 0)
            rows = [self.rows[0][_fitted(one, n)] if n else 0 for n in range(one.formation.trays + 1)]
            first[shown] = np.array(rows)[trays[shown]]
        return trays, room, first

    @cached_property
    def rows(self) -> tuple[dict[tuple[Exchange, ...], int], list[Pmf]]:
        """Where the distributions of attacks begin, by what they are in so many trays, and all distributions."""
        begin: dict[tuple[Exchange, ...], int] = {}
        found: list[Pmf] = []
        for one in self.roster.members:
            for fitted in (_fitted(one, n) for n in range(1, one.formation.trays + 1)):
                if fitted not in begin:
                    begin[fitted] = len(found)
                    found += [case for attack in fitted for case in stack_of(attack).distributions]
        return begin, found

    @cached_property
    def stack(self) -> DistributionStack:
        """What attacks bring before anything is taken off."""
        return DistributionStack(tuple(self.rows[1]))

    @cached_property
    def cases(self) -> dict[str, IntArray]:
        """What else attacks hang on -> its greatest value, and how many rows one more is, `int32[2, m + 1]`.

        How many friends lend a set of abilities is "lent 0", "lent 1" and so on.
        """
        found: dict[str, IntArray] = {}
        for number, one in enumerate(self.roster.members):
            sizes = [(f"lent {which}", n) for which, n in enumerate(one.lent)]
            sizes += [(name, n) for name, _, n in one.attacks[0].varies[1:]]
            rows = 1
            for name, n in reversed(sizes):
                most, stride = found.setdefault(name, np.zeros((2, len(self.roster.members) + 1), np.int32))
                most[number], stride[number] = n - 1, rows
                rows *= n
        return found

    def draw(self, own: State, met: State, seen: tuple[int, ...], rolls: Rolls, name: str) -> State:
        """Draw the attack of each trial from its exact distribution."""
        which = self.standing[2][own["lives"], own["members"], own["left"]]
        for case, (most, stride) in self.cases.items():
            which = which + np.minimum(met[case], most.take(own["members"])) * stride.take(own["members"])
        return rolls.draw(self.stack, which, name)

    def roll(self, own: State, met: State, seen: tuple[int, ...], rolls: Rolls, name: str) -> State:
        """Roll the dice of each trial: those of every member that may be there, with all that it may be lent."""
        found: State = {}
        met = {**met, "trays": np.maximum(self.standing[0][own["lives"], own["members"], own["left"]], 1)}
        for number in seen:
            one = self.roster.members[number]
            for attack, lent in zip(one.attacks, product(*map(range, one.lent)), strict=True):
                made = own["members"] == number
                for which, (n, size) in enumerate(zip(lent, one.lent, strict=True)):
                    made = made & (np.minimum(met[f"lent {which}"], size - 1) == n)
                called = name if (len(seen), len(one.attacks)) == (1, 1) else f"{name} of {number + 1} {lent}"
                for told, values in roll_attack(attack, met, rolls, called).items():
                    found[told] = found.get(told, np.int16(0)) + values * made
        return found


@lru_cache(maxsize=8)
def tables_of(roster: Roster) -> Tables:
    """Return the tables of a roster."""
    return Tables(roster)


def _capacity(formation: Formation) -> int:
    return formation.trays * formation.figures_per_tray * formation.wound_threshold


def _fitted(one: Member, trays: int) -> tuple[Exchange, ...]:
    """Return the attacks of a member in so many trays, which are those of any unit of such dice in such ranks."""
    width, full, over = (int(part) for part in ranks_of(one.formation.columns, np.array(trays)))
    shape = Formation(width, 1, 1, 1, 1)
    found = []
    for exchange in one.attacks:
        strike = exchange.attack.strike
        again = full - 1 + strike.precise
        strike = replace(strike, formation=shape, n_rerolls=again, rolls_one_again=over > 0)
        varies = ("trays", width * full + (over > 0), 1), *exchange.varies[1:]
        found.append(replace(exchange, attack=replace(exchange.attack, strike=strike), varies=varies))
    return tuple(found)
