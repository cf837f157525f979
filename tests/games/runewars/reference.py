"""One attack of Runewars told again in plain Python: every fall of the dice, with its chance as a fraction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.games.runewars import reference_dice as table
from tests.games.runewars.reference_dice import Icons, amount, names_runes, runes_thrown, throw, totals
from tests.games.runewars.reference_trays import Ability, Standing, Unit, at_first, n_trays, ranks_of, threat, wounded

ADDED_DAMAGE: dict[str, int] = {"blight": 0, "branded": 1}
"""What each condition of a defender adds to the damage pool."""


@dataclass(frozen=True)
class How:
    """How one side attacks, and the options of the rules."""

    edges: tuple[str, ...] = ("front",)
    touches: tuple[str, ...] = ("none",)
    ranged: bool = False
    rerolls: str = "no_hit"
    accuracy: str = "unit"
    surges: str = "listed"
    original_threat: bool = False
    lethal_needs_damage: bool = False
    unique_once_in_all: bool = False


class Outcome(NamedTuple):
    hits: int
    surges: int
    accuracy: int
    mortal_strikes: int
    morale: int
    damage: int
    wounds: int
    figures_lost: int
    trays_lost: int
    upgrade_wounds: int
    destroyed: int


COLUMNS = Outcome._fields


class Bought(NamedTuple):
    """What the surges bought."""

    hits: int = 0
    mortal_strikes: int = 0
    damage: int = 0
    accuracy: int = 0
    morale: int = 0
    conditions: frozenset[str] = frozenset()


def with_effect(so_far: Bought, ability: Ability, times: int) -> Bought:
    if ability.effect == "inspiration":
        return so_far
    if ability.effect in so_far._fields and ability.effect != "conditions":
        return so_far._replace(**{ability.effect: getattr(so_far, ability.effect) + ability.number * times})
    return so_far._replace(conditions=so_far.conditions | {ability.effect})


def is_condition(ability: Ability) -> bool:
    return ability.effect not in ("hits", "mortal_strikes", "damage", "accuracy", "morale", "inspiration")


def cost_of(ability: Ability, discount: int) -> int:
    return max(1, ability.cost - discount)


def buyable(ability: Ability, discount: int, surges: int, has: frozenset[str]) -> int:
    """Return how often an ability can be paid: a unique one and a condition once."""
    if ability.condition and ability.condition not in has:
        return 0
    times = surges // cost_of(ability, discount)
    if is_condition(ability):
        return min(times, ability.effect not in has)
    return min(times, 1) if ability.unique and not ability.plus else times


def cards(abilities: tuple[Ability, ...], once_in_all: bool) -> tuple[Ability, ...]:
    """Return the abilities there are; where a unique one counts once in all, its second copy is left out (RW-Q6)."""
    found: list[Ability] = []
    for ability in abilities:
        if not (once_in_all and (ability.unique or ability.plus) and ability in found):
            found.append(ability)
    return tuple(found)


def bought(surges: int, abilities: tuple[Ability, ...], discount: int, has: frozenset[str]) -> Bought:
    """Return what is bought in the order listed, each as often as it can be paid."""
    found = Bought()
    for ability in abilities:
        times = buyable(ability, discount, surges, has | found.conditions)
        if times:
            surges -= times * cost_of(ability, discount)
            found = with_effect(found, ability, times)
    return found


def every_purchase(
    surges: int, abilities: tuple[Ability, ...], discount: int, has: frozenset[str], so_far: Bought
) -> Iterator[Bought]:
    """Yield everything that can be bought in the order listed."""
    if not abilities:
        yield so_far
        return
    ability, rest = abilities[0], abilities[1:]
    for times in range(buyable(ability, discount, surges, has | so_far.conditions) + 1):
        then = with_effect(so_far, ability, times) if times else so_far
        yield from every_purchase(surges - times * cost_of(ability, discount), rest, discount, has, then)


@dataclass(frozen=True)
class Clash:
    """One attack with the runes that lie: who attacks whom, and how both stand."""

    attacker: Unit
    attacking: Standing
    defender: Unit
    defending: Standing
    how: How
    runes: tuple[tuple[str, int], ...]

    def worth(self, text: str) -> int:
        return amount(text, dict(self.runes))

    @property
    def abilities(self) -> tuple[Ability, ...]:
        its = self.attacker.ranged_surges if self.how.ranged else self.attacker.surges
        return cards(its, self.how.unique_once_in_all)

    @property
    def threat(self) -> int:
        ranks = ranks_of(self.attacker, self.attacking)
        how = self.how
        base = ranks[0] if how.ranged else threat(ranks, how.edges, how.touches, how.original_threat)
        return base + self.worth(self.attacker.brutal)

    def end(self, icons: Icons) -> tuple[Outcome, Standing]:
        """Return what icons come to, surges spent by the attacker's policy."""
        has, discount = self.defending.conditions, self.attacker.surge_discount
        if self.how.surges == "none":
            return self.resolved(icons, Bought())
        if self.how.surges == "listed":
            return self.resolved(icons, bought(icons[1], self.abilities, discount, has))
        ways = set(every_purchase(icons[1], self.abilities, discount, has, Bought()))
        return max((self.resolved(icons, way) for way in sorted(ways, key=repr)), key=lambda end: all_wounds(end[0]))

    def resolved(self, icons: Icons, gain: Bought) -> tuple[Outcome, Standing]:
        """Return the end of the attack with what the surges bought."""
        a, d, standing = self.attacker, self.defender, self.defending
        hits = icons[0] + a.add_hits + gain.hits
        accuracy, morale = icons[2] + gain.accuracy, icons[4] + gain.morale
        mortal = max(0, icons[3] + a.add_mortal_strikes + gain.mortal_strikes - d.mortal_ward)
        has = standing.conditions | gain.conditions
        pool = hits * self.threat + gain.damage + sum(ADDED_DAMAGE[name] for name in has)
        if pool or not self.how.lethal_needs_damage:
            pool += a.lethal
        pool = max(0, pool - d.protected)
        after = replace(self.suffered(mortal, pool, accuracy), conditions=has)
        wounds = sum(standing.figures) - sum(after.figures)
        return Outcome(
            hits, icons[1], accuracy, mortal, morale, pool, wounds,
            len(standing.figures) - len(after.figures), n_trays(d, standing) - n_trays(d, after),
            standing.upgrade - after.upgrade, int(after.gone),
        ), after  # fmt: skip

    def suffered(self, mortal: int, pool: int, accuracy: int) -> Standing:
        """Return the defender after mortal strikes, accuracies and damage."""
        d, standing = self.defender, self.defending
        if not standing.figures:
            left = standing.upgrade - mortal - pool // d.upgrade_defence
            return replace(standing, upgrade=max(0, left))
        after = wounded(d, standing, mortal)
        upgrade, spared = standing.upgrade, self.upgrade_is_spared(after)
        if self.how.accuracy == "upgrade":
            while accuracy and upgrade > spared and pool >= d.upgrade_defence:
                accuracy, upgrade, pool = accuracy - 1, upgrade - 1, pool - d.upgrade_defence
        after = replace(after, upgrade=upgrade)
        return wounded(d, after, pool // self.worth(d.defence))

    def upgrade_is_spared(self, standing: Standing) -> int:
        """Return the wound that would split the unit as it stands, if there is one: 1 or 0 (RW-FIG.3)."""
        ranks = ranks_of(self.defender, standing)
        return int(self.defender.upgrade_in_centre and len(ranks) == 1 and ranks[0] >= 3)


def all_wounds(outcome: Outcome) -> int:
    return outcome.wounds + outcome.upgrade_wounds


def icons_of(clash: Clash) -> dict[Icons, Fraction]:
    """Return the chances of the icons that lie after all re-rolls."""
    a = clash.attacker
    ranks = ranks_of(a, clash.attacking)
    full = sum(rank == ranks[0] for rank in ranks)
    times, single = full - 1 + a.precise, ranks[-1] < ranks[0]
    profile = a.ranged if clash.how.ranged else a.dice
    red, blue, white = (clash.worth(text) for text in profile)
    guard = clash.worth(clash.defender.guard_rerolls)
    if clash.how.rerolls != "best":
        return lying(red, blue, white, guard, clash.how.rerolls, times, single)
    start = table.after_guard(throw(red, blue, white), guard)
    return summed(table.after_rerolls_best(start, times, single, lambda dice: value_of(clash, totals(dice))))


@cache
def value_of(clash: Clash, icons: Icons) -> Fraction:
    return Fraction(all_wounds(clash.end(icons)[0]))


@cache
def lying(red: int, blue: int, white: int, guard: int, policy: str, times: int, single: bool) -> dict[Icons, Fraction]:
    start = table.after_guard(throw(red, blue, white), guard)
    return summed(table.after_rerolls(start, policy, times, single))


def summed(chances: table.Chances) -> dict[Icons, Fraction]:
    found: dict[Icons, Fraction] = {}
    for dice, p in chances.items():
        icons = totals(dice)
        found[icons] = found.get(icons, Fraction(0)) + p
    return found


def struck(clash: Clash) -> dict[tuple[Outcome, Standing], Fraction]:
    """Return the chances of all ends of an attack with the runes that lie."""
    found: dict[tuple[Outcome, Standing], Fraction] = {}
    for icons, p in icons_of(clash).items():
        end = clash.end(icons)
        found[end] = found.get(end, Fraction(0)) + p
    return found


def runes_that_matter(*units: Unit) -> Mapping[tuple[tuple[str, int], ...], Fraction]:
    """Return the throw of the runes, or one empty throw if no amount names a rune."""
    texts = [text for unit in units for text in (*unit.dice, *unit.ranged, unit.defence, unit.brutal,
                                                 unit.guard_rerolls, unit.regenerate)]  # fmt: skip
    return runes_thrown() if any(map(names_runes, texts)) else {(): Fraction(1)}


def attack_outcomes(attacker: Unit, defender: Unit, how: How) -> dict[Outcome, Fraction]:
    """Return the exact chances of all outcomes of one attack."""
    found: dict[Outcome, Fraction] = {}
    for runes, p in runes_that_matter(attacker, defender).items():
        clash = Clash(attacker, at_first(attacker), defender, at_first(defender), how, runes)
        for (outcome, _), q in struck(clash).items():
            found[outcome] = found.get(outcome, Fraction(0)) + p * q
    return found
