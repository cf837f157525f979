"""What a line-up of Runewars looks up: numbers of members, and the distributions of what their attacks bring."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.lineup.roster import Member, Roster
from balance.games.runewars.rules.exchange import Exchange, roll_attack, stack_of
from balance.games.runewars.rules.formation import Formation, figures_of, ranks_of, trays_with_figure


@dataclass(frozen=True)
class Tables:
    """Numbers and distributions of the m members of a roster, looked up by member; the last stands for nobody."""

    roster: Roster

    def by_member(self, numbers: Iterable[int]) -> IntArray:
        """Return these numbers of all members with 0 for nobody appended, `int16[m + 1]`."""
        return np.array([*numbers, 0], np.int16)

    @cached_property
    def numbers(self) -> dict[str, IntArray]:
        """Each field of members that is a number, by name, `int16[m + 1]`."""
        names = [field.name for field in fields(Member) if field.type in ("int", "bool")]
        columns = {name: self.by_member(getattr(member, name) for member in self.roster.members) for name in names}
        columns["wound_threshold"] = self.by_member(m.formation.wound_threshold for m in self.roster.members)
        return columns

    def of(self, name: str, members: IntArray) -> IntArray:
        """Return a numeric field of `Member`, or "wound_threshold", for `members`, `int16[n, ...]`; nobody has 0."""
        return self.numbers[name].take(members)

    @cached_property
    def amounts(self) -> dict[tuple[str, str], IntArray]:
        """(amount, "") -> its number, and (amount, kind of rune) -> whether runes are added, `int16[m + 1]` each."""
        columns = {}
        for name in ("defence", "guard_rerolls", "regenerate"):
            amounts = [getattr(member, name) for member in self.roster.members]
            columns[name, ""] = self.by_member(amount.number for amount in amounts)
            for kind in self.roster.runes.kinds:
                columns[name, kind] = self.by_member(amount.rune == kind for amount in amounts)
        return columns

    def amount(self, name: str, members: IntArray, state: State) -> IntArray:
        """Return "defence", "guard_rerolls" or "regenerate" of `members`, `int16[n, ...]`, with the runes that lie."""
        total = self.amounts[name, ""].take(members)
        for kind in self.roster.runes.kinds:
            n_runes = state[kind].reshape(-1, *[1] * (members.ndim - 1))
            total = total + self.amounts[name, kind].take(members) * n_runes
        return np.asarray(total)

    @cached_property
    def max_health(self) -> int:
        """The most wounds that figures of a member can take."""
        return max(_capacity(member.formation) for member in self.roster.members)

    @cached_property
    def by_health(self) -> tuple[IntArray, IntArray, IntArray]:
        """Trays, empty slots and first row of the stack, `int[2, m + 1, max_health + 1]` each.

        They are by whether a figure upgrade lives, member, and wounds left.
        """
        shape = (2, len(self.roster.members) + 1, self.max_health + 1)
        trays, room, first = np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros(shape, np.int32)
        for (number, member), lives in product(enumerate(self.roster.members), (0, 1)):
            health = np.arange(_capacity(member.formation) + 1)
            cells = lives, number, slice(len(health))
            able = trays_with_figure(member.formation, health, np.full_like(health, lives), member.figure_slots)
            trays[cells] = np.minimum(able, member.formation.trays)
            slots = trays[cells] * member.formation.figures_per_tray - lives * member.figure_slots
            room[cells] = np.maximum(slots - figures_of(member.formation, health), 0)
            rows = [self.rows[0][_attacks_in_trays(member, n)] if n else 0 for n in range(member.formation.trays + 1)]
            first[cells] = np.array(rows)[trays[cells]]
        return trays, room, first

    @cached_property
    def rows(self) -> tuple[dict[tuple[Exchange, ...], int], list[Pmf]]:
        """The first row of each member's attacks, by what they are in so many trays, and all distributions."""
        begin: dict[tuple[Exchange, ...], int] = {}
        distributions: list[Pmf] = []
        for member in self.roster.members:
            for attacks in (_attacks_in_trays(member, n) for n in range(1, member.formation.trays + 1)):
                if attacks not in begin:
                    begin[attacks] = len(distributions)
                    distributions += [case for attack in attacks for case in stack_of(attack).distributions]
        return begin, distributions

    @cached_property
    def stack(self) -> DistributionStack:
        """The distributions of attacks before the defender takes anything off."""
        return DistributionStack(tuple(self.rows[1]))

    @cached_property
    def cases(self) -> dict[str, IntArray]:
        """What else attacks depend on -> its greatest value, and how many rows one more is, `int32[2, m + 1]`.

        How many friends lend a set of abilities is "lent 0", "lent 1" and so on.
        """
        cases: dict[str, IntArray] = {}
        for number, member in enumerate(self.roster.members):
            sizes = [(f"lent {number_of_loan}", n) for number_of_loan, n in enumerate(member.loan_sizes)]
            sizes += [(name, n) for name, _, n in member.attacks[0].varies[1:]]
            rows = 1
            for name, n in reversed(sizes):
                upper, stride = cases.setdefault(name, np.zeros((2, len(self.roster.members) + 1), np.int32))
                upper[number], stride[number] = n - 1, rows
                rows *= n
        return cases

    def draw(self, unit: State, context: State, members: tuple[int, ...], rolls: Rolls, name: str) -> State:
        """Draw the attack of each trial from its exact distribution.

        `unit` has columns of the attacker, with `lives`, whether its figure upgrade does, and `context` the rest, by
        the names of `cases`, `int[n]` each. Only `roll` needs `members`.
        """
        rows = self.by_health[2][unit["lives"], unit["members"], unit["left"]]
        for case, (upper, stride) in self.cases.items():
            rows = rows + np.minimum(context[case], upper.take(unit["members"])) * stride.take(unit["members"])
        return rolls.draw(self.stack, rows, name)

    def roll(self, unit: State, context: State, members: tuple[int, ...], rolls: Rolls, name: str) -> State:
        """Roll the dice of each trial, of each of `members` that may be the attacker, with all that it may be lent.

        `unit` and `context` are as in `draw`.
        """
        total: State = {}
        context = {**context, "trays": np.maximum(self.by_health[0][unit["lives"], unit["members"], unit["left"]], 1)}
        for number in members:
            member = self.roster.members[number]
            for attack, n_friends in zip(member.attacks, product(*map(range, member.loan_sizes)), strict=True):
                mask = unit["members"] == number
                for loan, (n, size) in enumerate(zip(n_friends, member.loan_sizes, strict=True)):
                    mask = mask & (np.minimum(context[f"lent {loan}"], size - 1) == n)
                if total and not mask.any():
                    continue  # named rolls are the same whoever else rolls
                is_only = len(members) == len(member.attacks) == 1
                roll_name = name if is_only else f"{name} of {number + 1} {n_friends}"
                for result, values in roll_attack(attack, context, rolls, roll_name).items():
                    total[result] = total.get(result, np.int16(0)) + values * mask
        return total


@lru_cache(maxsize=8)
def tables_of(roster: Roster) -> Tables:
    """Return the tables of a roster; kept for the last 8, since an arena asks for them again and again."""
    return Tables(roster)


def _capacity(formation: Formation) -> int:
    return formation.trays * formation.figures_per_tray * formation.wound_threshold


def _attacks_in_trays(member: Member, trays: int) -> tuple[Exchange, ...]:
    """Return the attacks of a member in so many trays, equal for all members with such dice in such ranks."""
    width, full, over = (int(part) for part in ranks_of(member.formation.columns, np.array(trays)))
    shape = Formation(width, 1, 1, 1, 1)
    attacks = []
    for exchange in member.attacks:
        strike = exchange.attack.strike
        again = full - 1 + strike.precise
        strike = replace(strike, formation=shape, n_rerolls=again, rolls_one_again=over > 0)
        varies = ("trays", width * full + (over > 0), 1), *exchange.varies[1:]
        attacks.append(replace(exchange, attack=replace(exchange.attack, strike=strike), varies=varies))
    return tuple(attacks)
