"""Line-ups of Runewars, made ready: from armies as they are asked, or the members of an arena, to who may fight.

What the attack of a member brings is had before the defender takes
anything off it, so that it hangs on few things beside the attacker: the defender's conditions and guards, runes, a card
that is exhausted, and what friends lend (RW-CARD.1). Abilities are lent in the order of their texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from balance.games.runewars.fights import exchange_of
from balance.games.runewars.lineup.roster import Member, Roster
from balance.games.runewars.rules.attack import Attack, Strike
from balance.games.runewars.rules.formation import Formation
from balance.games.runewars.rules.harm import Target
from balance.games.runewars.rules.surges import each_once
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.setup import Workshop, contact_of
from balance.games.runewars.sides import Side
from balance.games.runewars.situation import LineUpSituation
from balance.games.runewars.tables import Amount, Condition, SurgeAbility, constants_of, parse_amount
from balance.games.runewars.tables import Formation as FormationCard

__all__ = ["LineUp", "lineup_arena", "lineup_processes", "lineup_setup", "scales_of"]

POLICIES = {"rerolls": "no_hit", "surges": "listed", "accuracy": "unit"}
MOST_LENT = 4
"""Sets of abilities that upgrades of friends may lend: each number of each of them is an attack of its own."""
GUARDED = Amount(0, "guard")
"""Dice that the defender has rolled again: met like runes."""
Lent: TypeAlias = tuple[SurgeAbility, ...]


@dataclass(frozen=True)
class LineUp:
    """A line-up as it is asked: who may fight, and who meets whom."""

    roster: Roster
    meeting: Meeting[Side]


AskedLineUp: TypeAlias = Asked[Switches, LineUpSituation, Army[Side]]
AskedField: TypeAlias = AskedArena[Switches, LineUpSituation, Side]


def lineup_setup(asked: AskedLineUp) -> Setup[LineUp]:
    """Prepare a line-up.

    Raises
    ------
    RulesError
        An army that costs too much, mixes upgrades of factions, or has what only duels play.
    """
    if faults := [fault for side, army in asked.sides.items() for fault in _forbidden(asked, side, army)]:
        raise RulesError(faults)
    meeting = Meeting.of(asked)
    return Setup(LineUp(_roster(asked, meeting.members), meeting), asked.inputs())


def _forbidden(asked: AskedLineUp, side: str, army: Army[Side]) -> Iterator[Fault]:
    """Yield what an army may not have: its cost, and upgrades of several factions (RW-CARD.4)."""
    set_points = asked.situation.budget_points
    budget = constants_of(asked.catalogue).army_points if set_points is None else set_points
    yield from over_budget(side, army.cost_points, budget)
    factions = {one.faction for unit in army.members for one in unit.entrant.upgrades if one.faction}
    if len(factions) > 1:
        message, allowed = "are factions of upgrades in one army (RW-CARD.4)", "upgrades of one faction, and of none"
        yield Fault(message, side, found=", ".join(sorted(factions)), allowed=allowed)


def lineup_processes(setup: Setup[LineUp], lane: Lane) -> tuple[Process, ...]:
    """Return a line-up's processes in a lane, one for each side striking first that is equally likely."""
    from balance.games.runewars.lineup.play import lineup_process

    return setup.play.meeting.processes(partial(lineup_process, setup.play.roster), lane)


def lineup_arena(asked: AskedField) -> Arena:
    """Open the arena in which armies of some members meet.

    Raises
    ------
    RulesError
        A member has what only duels play.
    """
    from balance.games.runewars.lineup.play import lineup_process

    roster = _roster(asked, tuple(asked.members.values()))
    dear = any(policy == "dearest" for _, policy in roster.policies)
    marks = [repr(one if dear else replace(one, cost_points=0)) for one in roster.members]
    return Arena(tuple(asked.members), tuple(marks), partial(lineup_process, roster))


def scales_of(catalogue: Catalogue) -> tuple[tuple[int, float], ...]:
    """Return what an army may cost, and how many of the cheapest units that buys.

    >>> from balance.game.loaded import load
    >>> scales_of(load("runewars").catalogue)
    ((200, 14.0),)
    """
    points = constants_of(catalogue).army_points
    cheapest = min(card.cost_points for card in catalogue.entries(FormationCard).values())
    return ((points, float(points // max(cheapest, 1))),)


def _roster(asked: AskedLineUp | AskedField, sides: tuple[Side, ...]) -> Roster:
    """Return members in a setting."""
    if any(side.stance.trays_added for side in sides):
        raise RulesError(Fault("are added in duels only", "--set", None, "trays_added", allowed="0"))
    shop = Workshop.of(asked.catalogue, asked.rules)
    contact = contact_of(asked.rules, ("front",), ("none",), ("", ""))
    strikes = [shop.strike(side, "melee", contact, POLICIES, lasts=True) for side in sides]
    borrowed = any(side.entrant.unit.borrows_surges for side in sides)
    lent = sorted({side.lent for side in sides if borrowed and side.lent}, key=repr)
    if len(lent) > MOST_LENT:
        allowed = f"at most {MOST_LENT} where somebody borrows them"
        raise RulesError(Fault("different sets of surge abilities are lent", found=str(len(lent)), allowed=allowed))
    target, unique = _target(shop, strikes, lent, sides)
    members = tuple(_member(shop, *one, target, lent) for one in zip(sides, strikes, strict=True))
    attacks = [attack.attack for one in members for attack in one.attacks]
    amounts = tuple(amount for one in members for amount in (one.defence, one.guard_rerolls, one.regenerate))
    policies = tuple((side, asked.choices[f"{side}_target"]) for side in "ab")
    runes, one_in_all = shop.runes(*attacks, beside=amounts), asked.rules.unique_conditions == "one"
    return Roster(_told_alike(members), unique, one_in_all, runes, asked.situation.round_limit, policies)


def _target(
    shop: Workshop, strikes: Sequence[Strike], lent: Sequence[Lent], sides: Sequence[Side]
) -> tuple[Target, tuple[tuple[str, bool], ...]]:
    """Return a target that takes nothing off, with the conditions that matter, and which of those are unique."""
    known = shop.catalogue.entries(Condition)
    bought = [ability for one in [*(strike.purchase.abilities for strike in strikes), *lent] for ability in one]
    told = {word for one in bought for word in (one.effect, one.condition)}
    told |= {one for side in sides for one in side.stance.conditions}
    held = [(name, one) for name, one in known.items() if name in told]
    guarded = any(side.printed("guard_rerolls") != "0" for side in sides)
    conditions = tuple((name, one.added_damage) for name, one in held)
    target = Target(Formation(1, 1, 1, 1, 1), Amount(1), 0, 0, GUARDED if guarded else Amount(0), conditions=conditions)
    return target, tuple((name, one.unique) for name, one in held)


def _member(shop: Workshop, side: Side, strike: Strike, target: Target, lent: Sequence[Lent]) -> Member:
    unit, each_card = side.entrant.unit, shop.rules.unique_surges == "each_card"
    most = [_useful(strike, one, each_card) for one in lent] if unit.borrows_surges else []
    attacks = []
    for numbers in product(*(range(n + 1) for n in most)):
        more = [ability for one, n in zip(lent, numbers, strict=False) for ability in one * n]
        purchase = replace(strike.purchase, abilities=each_once((*strike.purchase.abilities, *more), each_card))
        attacks.append(exchange_of(shop, Attack(replace(strike, purchase=purchase), target), side, side))
    guards = (("guard", 0, strike.hand.n_dice + 1),) * (target.guard_rerolls == GUARDED)
    varies = (*attacks[-1].varies, *guards)  # the last has all that may be lent
    figure = side.figure.figure_defence if side.figure else 1
    return Member(
        formation=side.formation,
        figure_slots=side.figure_slots,
        left=side.left,
        upgrade=side.figure_health,
        attacks=tuple(replace(one, varies=varies) for one in attacks),
        lent=tuple(n + 1 for n in most),
        lends=lent.index(side.lent) if side.lent in lent else -1,
        defence=parse_amount(side.printed("defence")),
        guard_rerolls=parse_amount(side.printed("guard_rerolls")),
        regenerate=parse_amount(side.printed("regenerate")),
        protected=side.printed("protected"),
        mortal_ward=side.printed("mortal_ward"),
        figure_defence=side.said("upgrade_defence", figure),
        conditions=side.stance.conditions,
        attacks_all=unit.attacks_all,
        cost_points=side.entrant.cost_points,
    )


def _useful(strike: Strike, lent: Lent, each_card: bool) -> int:
    """Return how many friends with the same cards can matter: an ability that is not unique is had once (RW-Q13)."""
    costs = [one.cost for one in lent if one.unique and each_card]
    return max([1, *(strike.purchase.most // cost for cost in costs)])


def _told_alike(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Return members whose attacks all tell the same columns."""
    told = tuple(dict.fromkeys(name for one in members for attack in one.attacks for name in attack.told))
    return tuple(replace(one, attacks=tuple(replace(attack, told=told) for attack in one.attacks)) for one in members)
