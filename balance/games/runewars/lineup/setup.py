"""Line-ups of Runewars, made ready: from armies as they are asked, or the members of an arena, to who may fight.

The distribution of a member's attack is taken before the defender takes anything off it, so that beside the attacker it
depends on few things: the defender's conditions and guards, runes, a card that is exhausted, and what friends lend
(RW-CARD.1). Abilities are lent in the order of their texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TypeAlias

from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue
from balance.chance.rolls.process import Process
from balance.game.armies.armies import Arena, Army, AskedArena
from balance.game.game import Lane
from balance.game.kit.combat.budget import over_budget
from balance.game.kit.combat.orders import Meeting
from balance.game.setup import Asked, Setup
from balance.games.runewars.cells import Amount, SurgeAbility, parse_amount
from balance.games.runewars.fights import exchange_of
from balance.games.runewars.lineup.roster import LATE, Member, Pace, Roster
from balance.games.runewars.rules.attack import Attack, Strike
from balance.games.runewars.rules.exchange import Exchange
from balance.games.runewars.rules.formation import Contact, Formation
from balance.games.runewars.rules.harm import Target
from balance.games.runewars.rules.surges import each_once
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.setup import Workshop, contact_of
from balance.games.runewars.sides import Side
from balance.games.runewars.situation import LineUpSituation
from balance.games.runewars.tables import Condition, Dial, constants_of
from balance.games.runewars.tables import Formation as FormationCard

POLICIES = {"rerolls": "no_hit", "surges": "listed", "accuracy": "unit"}
MAX_LOANS = 4
"""Sets of abilities that upgrades of friends may lend: each number of each of them is an attack of its own."""
GUARD_DICE = Amount(0, "guard")
"""Dice that the defender has rolled again: they matter like runes."""
Loan: TypeAlias = tuple[SurgeAbility, ...]


@dataclass(frozen=True)
class LineUp:
    """A line-up as it is asked: who may fight, and which armies of them meet."""

    roster: Roster
    meeting: Meeting[Side]


AskedLineUp: TypeAlias = Asked[Switches, LineUpSituation, Army[Side]]
AskedField: TypeAlias = AskedArena[Switches, LineUpSituation, Side]


def lineup_setup(question: AskedLineUp) -> Setup[LineUp]:
    """Prepare a line-up.

    Raise RulesError if an army costs too much, mixes upgrades of factions, or has what only duels play.
    """
    if faults := [fault for side, army in question.sides.items() for fault in _army_faults(question, side, army)]:
        raise RulesError(faults)
    meeting = Meeting.of(question)
    return Setup(LineUp(_roster(question, meeting.members), meeting), question.inputs())


def _army_faults(question: AskedLineUp, side: str, army: Army[Side]) -> Iterator[Fault]:
    """Yield faults of an army that costs too much, or has upgrades of several factions (RW-CARD.4)."""
    set_points = question.situation.budget_points
    budget = constants_of(question.catalogue).army_points if set_points is None else set_points
    yield from over_budget(side, army.cost_points, budget)
    factions = {upgrade.faction for unit in army.members for upgrade in unit.entrant.upgrades if upgrade.faction}
    if len(factions) > 1:
        message, rule = "are factions of upgrades in one army (RW-CARD.4)", "upgrades of one faction, and of none"
        yield Fault(message, side, found=", ".join(sorted(factions)), allowed=rule)


def lineup_processes(setup: Setup[LineUp], lane: Lane) -> tuple[Process, ...]:
    """Return a line-up's processes in a lane, one for each side striking first that is equally likely.

    In the lane "literal" attacks are rolled in full, in "compiled" drawn whole.
    """
    return setup.play.meeting.processes(_process_of(setup.play.roster), lane)


def _process_of(roster: Roster) -> Callable[..., Process]:
    from balance.games.runewars.lineup.advance import on_the_way
    from balance.games.runewars.lineup.play import lineup_process

    return partial(lineup_process, roster, fought=on_the_way if roster.paces else None)


def lineup_arena(question: AskedField) -> Arena:
    """Open the arena in which armies of some members meet; raise RulesError if one has what only duels play.

    Members that fight alike get equal marks.
    """
    roster = _roster(question, tuple(question.members.values()))
    dear = any(policy == "dearest" for _, policy in roster.policies)
    seen = [_as_seen(member if dear else replace(member, cost_points=0)) for member in roster.members]
    n = len(question.members)
    marks = [repr((*seen[number::n], *roster.paces[number : number + 1])) for number in range(n)]
    return Arena(tuple(question.members), tuple(marks), _process_of(roster))


def _as_seen(member: Member) -> Member:
    """Return a member without surges for inspiration if it has no card to ready, which changes nothing in play."""
    return replace(member, attacks=tuple(map(_without_idle_surges, member.attacks)))


def _without_idle_surges(exchange: Exchange) -> Exchange:
    strike = exchange.attack.strike
    if any(strike.when_ready) or any(ability.effect != "inspiration" for ability in strike.purchase.abilities):
        return exchange
    strike = replace(strike, purchase=replace(strike.purchase, abilities=()))
    return replace(exchange, attack=replace(exchange.attack, strike=strike))


def scales_of(catalogue: Catalogue) -> tuple[tuple[int, float], ...]:
    """Return pairs of the points that an army may cost, and how many of the cheapest units those buy.

    >>> from balance.game.loaded import load
    >>> scales_of(load("runewars").catalogue)
    ((200, 14.0),)
    """
    points = constants_of(catalogue).army_points
    cheapest = min(card.cost_points for card in catalogue.entries(FormationCard).values())
    return ((points, float(points // max(cheapest, 1))),)


def _roster(question: AskedLineUp | AskedField, sides: tuple[Side, ...]) -> Roster:
    """Return who may fight in this situation; raise RulesError if trays are added or too many sets are lent."""
    if any(side.stance.trays_added for side in sides):
        raise RulesError(Fault("are added in duels only", "§set", None, "trays_added", allowed="0"))
    shop = Workshop.of(question.catalogue, question.rules)
    contact = contact_of(question.rules, ("front",), ("none",), ("", ""))
    strikes = [shop.strike(side, "melee", contact, POLICIES, lasts=True) for side in sides]
    has_borrowers = any(side.entrant.unit.borrows_surges for side in sides)
    loans = sorted({side.loan for side in sides if has_borrowers and side.loan}, key=repr)
    if len(loans) > MAX_LOANS:
        rule = f"at most {MAX_LOANS} where somebody borrows them"
        raise RulesError(Fault("different sets of surge abilities are lent", found=str(len(loans)), allowed=rule))
    gap = getattr(question.situation, "gap_bands", 0)
    shots = [shop.strike(side, "ranged", Contact(()), POLICIES, lasts=True) for side in sides] if gap else []
    target, unique = _target(shop, [*strikes, *shots], loans, sides)
    members = tuple(_member(shop, side, strike, target, loans) for side, strike in zip(sides, strikes, strict=True))
    members += tuple(_member(shop, side, shot, target, ()) for side, shot in zip(sides, shots, strict=False))
    attacks = [exchange.attack for member in members for exchange in member.attacks]
    amounts = tuple(amount for m in members for amount in (m.defence, m.guard_rerolls, m.regenerate))
    policies = tuple((side, question.choices[f"{side}_target"]) for side in "ab")
    runes, one_in_all = shop.runes(*attacks, beside=amounts), question.rules.unique_conditions == "one"
    paces = tuple(_pace(shop, side, gap) for side in sides) if gap else ()
    manners = tuple((side, question.choices[f"{side}_walk"]) for side in "ab") if gap else ()
    rounds = question.situation.round_limit
    return Roster(_with_equal_results(members), unique, one_in_all, runes, rounds, policies, gap, paces, manners)


def _pace(shop: Workshop, side: Side, gap: int) -> Pace:
    """Return how a unit walks by its dial; raise RulesError if it has none."""
    unit, (later, faster, reach) = side.entrant.unit, side.pace
    dials = [dial for dial in shop.catalogue.entries(Dial).values() if dial.unit == unit.id]
    if not dials:
        raise RulesError(Fault("has no command dial in dials", found=unit.id, allowed="gap_bands=0"))

    def soonest(action: str, bands: int = 0, *, charge: bool = False) -> int:
        able = (d for d in dials if d.action == action and d.goes(faster) >= bands and d.charge >= charge)
        return min((dial.initiative + later for dial in able), default=LATE)

    charges = tuple(soonest("march", bands, charge=True) for bands in range(gap + 1))
    bands = max((dial.goes(faster) for dial in dials if dial.action == "march"), default=0)
    rush = soonest("march", bands, charge=True)
    march = soonest("march", bands) if rush == LATE else rush
    return Pace(soonest("melee"), charges, soonest("shoot"), reach, march, bands, rush < LATE)


def _target(
    shop: Workshop, strikes: Sequence[Strike], loans: Sequence[Loan], sides: Sequence[Side]
) -> tuple[Target, tuple[tuple[str, bool], ...]]:
    """Return a target that takes nothing off, with conditions that matter, and (condition, whether it is unique)."""
    catalogue = shop.catalogue.entries(Condition)
    cards = [*(strike.purchase.abilities for strike in strikes), *loans]
    names = {name for abilities in cards for ability in abilities for name in (ability.effect, ability.condition)}
    names |= {name for side in sides for name in side.stance.conditions}
    matter = {name: card for name, card in catalogue.items() if name in names}
    guard = GUARD_DICE if any(side.value_of("guard_rerolls") != "0" for side in sides) else Amount(0)
    conditions = tuple((name, card.added_damage) for name, card in matter.items())
    target = Target(Formation(1, 1, 1, 1, 1), Amount(1), 0, 0, guard, conditions=conditions)
    return target, tuple((name, card.unique) for name, card in matter.items())


def _member(shop: Workshop, side: Side, strike: Strike, target: Target, loans: Sequence[Loan]) -> Member:
    unit, each_card = side.entrant.unit, shop.rules.unique_surges == "each_card"
    max_friends = [_max_friends(strike, loan, each_card) for loan in loans] if unit.borrows_surges else []
    attacks = []
    for numbers in product(*(range(n + 1) for n in max_friends)):
        more = [ability for loan, n in zip(loans, numbers, strict=False) for ability in loan * n]
        purchase = replace(strike.purchase, abilities=each_once((*strike.purchase.abilities, *more), each_card))
        attacks.append(exchange_of(shop, Attack(replace(strike, purchase=purchase), target), side, side))
    guards = (("guard", 0, strike.hand.n_dice + 1),) * (target.guard_rerolls == GUARD_DICE)
    varies = (*attacks[-1].varies, *guards)  # the last has all that may be lent
    figure = side.figure.figure_defence if side.figure else 1
    return Member(
        formation=side.formation,
        figure_slots=side.figure_slots,
        health=side.health,
        upgrade=side.figure_health,
        attacks=tuple(replace(attack, varies=varies) for attack in attacks),
        loan_sizes=tuple(n + 1 for n in max_friends),
        lends=loans.index(side.loan) if side.loan in loans else -1,
        defence=parse_amount(side.value_of("defence")),
        guard_rerolls=parse_amount(side.value_of("guard_rerolls")),
        regenerate=parse_amount(side.value_of("regenerate")),
        protection=side.value_of("protected"),
        mortal_ward=side.value_of("mortal_ward"),
        figure_defence=side.stance_value("upgrade_defence", figure),
        conditions=side.stance.conditions,
        attacks_all=unit.attacks_all,
        cost_points=side.entrant.cost_points,
    )


def _max_friends(strike: Strike, loan: Loan, each_card: bool) -> int:
    """Return the most friends with the same cards that matter: an ability that is not unique is had once (RW-Q13)."""
    costs = [ability.cost for ability in loan if ability.unique and each_card]
    return max([1, *(strike.purchase.max_surges // cost for cost in costs)])


def _with_equal_results(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Return members whose attacks all report the same columns, so that they fit one stack of distributions."""
    results = tuple(dict.fromkeys(name for member in members for attack in member.attacks for name in attack.results))
    return tuple(replace(m, attacks=tuple(replace(attack, results=results) for attack in m.attacks)) for m in members)
