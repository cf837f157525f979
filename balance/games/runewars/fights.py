"""From what was asked about a duel to one that is ready to be played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.setup import Asked, Setup
from balance.games.runewars.cells import parse_amount
from balance.games.runewars.duel import duel_processes
from balance.games.runewars.duellist import Duel, Duellist
from balance.games.runewars.rules.attack import Attack
from balance.games.runewars.rules.dials import SetsDial, Settings
from balance.games.runewars.rules.exchange import RESOLVERS, Exchange, draw_wounds
from balance.games.runewars.rules.formation import Contact
from balance.games.runewars.rules.morale import Deck
from balance.games.runewars.rules.runes import rune_kinds
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.setup import Workshop, contact_of
from balance.games.runewars.sides import Side
from balance.games.runewars.situation import DuelSituation, FightSituation
from balance.games.runewars.tables import Dial, MoraleCard

FightT = TypeVar("FightT", bound=FightSituation)


def duel_setup(question: Asked[Switches, DuelSituation, Side]) -> Setup[Duel]:
    """Prepare a duel (ledger level B); raise RulesError if contact does not fit, or only one side sets a dial."""
    shop, situation, sides = Workshop.of(question.catalogue, question.rules), question.situation, question.sides
    dials, contacts = {name: _dial(question, name) for name in sides}, dict[str, Contact]()
    for name in sides:
        places = f"{name}_edges", f"{name}_touches_partial"
        edges, touches = (getattr(situation, place) for place in places)
        contacts[name] = contact_of(question.rules, edges, touches, places)
    if len([dial for dial in dials.values() if dial]) == 1:
        raise RulesError(Fault("is set on one side only", "§choose", None, "dial", allowed="none, or both"))
    shooters = frozenset(name for name in sides if situation.volleys and sides[name].shoots)
    duel = duel_of(question, shop, dials, contacts, shooters, situation.morale == "deck")
    duel = replace(duel, is_simultaneous=situation.simultaneous, volleys=situation.volleys)
    return Setup(duel, question.inputs())


def duel_of(
    question: Asked[Switches, FightT, Side],
    shop: Workshop,
    dials: Mapping[str, Settings | None],
    contacts: Mapping[str, Contact],
    shooters: Collection[str],
    deals_morale: bool,
    most_threat: Mapping[str, int] = MappingProxyType({}),
) -> Duel:
    """Return two units as they fight each other.

    `shooters` are sides that make ranged attacks too; `most_threat` has the most threat of each side whose threat
    hangs on what the fight brings.
    """
    pairs = (("a", "b"), ("b", "a"))
    attacks = {
        name: _attacks(question, shop, name, foe, dials[name], contacts[name], name in shooters) for name, foe in pairs
    }
    a, b = (_duellist(shop, question, name, foe, attacks, dials, deals_morale, most_threat) for name, foe in pairs)
    beside = [side.regenerate for side in (a, b)] + [d for dial in dials.values() if dial for d in dial.defends]
    runes = shop.runes(*attacks["a"].values(), *attacks["b"].values(), beside=tuple(beside))
    deck = Deck(tuple(question.catalogue.entries(MoraleCard).values())) if deals_morale else None
    return Duel(a, b, runes, question.first, False, 0, question.situation.round_limit, deck)


def _dial(question: Asked[Switches, DuelSituation, Side], name: str) -> Settings | None:
    """Return the dial that a side sets, None if it sets none; raise RulesError if its unit has no dial."""
    policy, unit = question.choices[f"{name}_dial"], question.sides[name].entrant.unit
    dials = question.catalogue.entries(Dial).values()
    settings = tuple(setting for setting in dials if setting.unit == unit.id and setting.is_for_contact)
    if policy == "none":
        return None
    if not settings:
        raise RulesError(Fault("has no command dial in dials", name, found=unit.id, allowed="§choose=dial: none"))
    return Settings(SetsDial(policy, settings))  # type: ignore[arg-type]


def _attacks(
    question: Asked[Switches, FightT, Side],
    shop: Workshop,
    name: str,
    foe: str,
    dial: Settings | None,
    contact: Contact,
    shoots: bool,
) -> dict[str, Attack]:
    """Return the attacks of a side: `melee`, and `ranged` where it `shoots`.

    Dice and surge abilities that are set are those of both.
    """
    contacts = {"melee": contact, **({"ranged": Contact(())} if shoots else {})}
    policies = {of: question.choices[f"{name}_{of}"] for of in ("rerolls", "surges", "accuracy")}
    surges = max(dial.icons.get("surge", [0])) if dial else 0
    strikes = {
        kind: shop.strike(question.sides[name], kind, contact, policies, lasts=True, more_surges=int(surges))
        for kind, contact in contacts.items()
    }
    target = shop.target(question.sides[foe], tuple(strikes.values()))
    return {kind: Attack(strike, target) for kind, strike in strikes.items()}


def _duellist(
    shop: Workshop,
    question: Asked[Switches, FightT, Side],
    name: str,
    foe: str,
    attacks: Mapping[str, dict[str, Attack]],
    dials: Mapping[str, Settings | None],
    deals: bool,
    most_threat: Mapping[str, int],
) -> Duellist:
    side, dial = question.sides[name], dials[name]
    from_dials = _icons_of_dials(shop, dial, dials[foe])
    exchanges = {
        kind: exchange_of(
            shop, attack, side, question.sides[foe], from_dials, morale=deals, most_threat=most_threat.get(name, 0)
        )
        for kind, attack in attacks[name].items()
    }
    conditions = attacks[foe]["melee"].target.conditions
    return Duellist(
        name=name,
        formation=side.formation,
        figure_slots=side.figure_slots,
        health=side.health,
        upgrade=side.figure_health,
        melee=exchanges["melee"],
        ranged=exchanges.get("ranged"),
        regenerate=parse_amount(side.value_of("regenerate")),
        trays_added=side.stance.trays_added,
        conditions=tuple((condition, condition in side.stance.conditions) for condition, _ in conditions),
        steadfast=side.stance_value("steadfast", side.entrant.unit.steadfast) if deals else None,
        dial=dial,
        lost_actions=getattr(side.stance, LOST_ACTIONS),
    )


def exchange_of(
    shop: Workshop,
    attack: Attack,
    attacker: Side,
    defender: Side,
    from_dials: Mapping[str, int] = MappingProxyType({}),
    *,
    morale: bool = False,
    most_threat: int = 0,
) -> Exchange:
    """Return an attack of a fight, with the ranges of all that may differ between one time and the next.

    `from_dials` has the most that command dials bring, by its name in the context; `morale` has morale icons reported;
    `most_threat` is the most threat where that differs with the contact, 0 where it does not.
    """
    formation, target = attacker.formation, attack.target
    may_grow = attacker.stance.trays_added > 0
    varies = [("trays", 1, formation.columns * formation.most_ranks if may_grow else formation.trays)]
    varies += [("columns", 1, formation.columns)] if may_grow else []
    varies += [("threat", 1, most_threat)] if most_threat else []
    varies += [*_conditions(attack), *((kind, 0, shop.max_runes(kind) + 1) for kind in _runes(attack))]
    varies += [("ready", 0, 2)] if any(attack.strike.when_ready) else []
    is_best = _is_best(attack)
    varies += [(name, 0, upper + 1) for name, upper in from_dials.items() if is_best or name != "defend"]
    if is_best:
        varies += [_health_cases(shop, attack, defender, from_dials)]
        varies += [("upgrade", 0, defender.figure_health + 1)] if defender.figure_health else []
    takes_figures = defender.figure_health > 0 and attack.strike.accuracy == "upgrade"
    conditions = [condition for condition, _ in target.conditions if condition in attack.strike.purchase.gains]
    results = ["mortal_strikes", "damage", *["accuracy"] * takes_figures, *["morale"] * morale, *conditions]
    if any(attack.strike.when_ready) and "inspiration" in attack.strike.purchase.gains:
        results.append("inspiration")
    return Exchange(attack, tuple(varies), tuple(results), not defender.figure_health and "defend" not in from_dials)


def _icons_of_dials(shop: Workshop, own_dial: Settings | None, foe_dial: Settings | None) -> dict[str, int]:
    """Return the most that dials bring to an attack, by name in its context: own icons, and the foe's defence."""
    if not own_dial or not foe_dial:
        return {}
    icons = {f"added_{icon}": int(numbers.max()) for icon, numbers in own_dial.icons.items()}
    return {**icons, "defend": max(amount.number + shop.max_runes(amount.rune) for amount in foe_dial.defends)}


def _is_best(attack: Attack) -> bool:
    """Return whether re-rolls or surges depend on what is left of the defender, as those of `best` policies do."""
    return "best" in (attack.strike.rerolls.policy, attack.strike.spends.policy)


def _conditions(attack: Attack) -> Iterator[tuple[str, int, int]]:
    """Yield the defender's conditions that change an attack: name, least value 0, and 2 values."""
    matter = attack.strike.purchase.conditions
    yield from ((condition, 0, 2) for condition, more in attack.target.conditions if more or condition in matter)


def _runes(attack: Attack) -> tuple[str, ...]:
    """Return the kinds of rune on which the distribution of an attack depends."""
    strike, target = attack.strike, attack.target
    beside = (target.defence,) if _is_best(attack) else ()
    return rune_kinds([*strike.numbers, strike.brutal, target.guard_rerolls, *beside])


def _health_cases(
    shop: Workshop, attack: Attack, defender: Side, from_dials: Mapping[str, int]
) -> tuple[str, int, int]:
    """Return the defender's wounds left that can change a choice: "left", the least, and how many values."""
    formation = defender.formation
    trays = formation.columns * formation.most_ranks if defender.stance.trays_added else formation.trays
    max_health = trays * formation.figures_per_tray * formation.wound_threshold
    if defender.figure_health:  # it may be alone, or stand in the middle of a lone rank
        return "left", 0, max_health + 1
    return "left", 1, max(1, min(max_health, _max_wounds(shop, attack, from_dials)))


def _max_wounds(shop: Workshop, attack: Attack, from_dials: Mapping[str, int]) -> int:
    """Return an upper bound of the wounds of one attack; more wounds left to the defender change no choice."""
    strike = attack.strike
    max_gains = {effect: int(gain.max(initial=0)) for effect, gain in strike.purchase.gains.items()}
    icons = strike.hand.n_dice * int(strike.hand.icons.max(initial=0))
    icons += sum(strike.more_icons) + sum(from_dials.values())
    threat = max(strike.formation.columns, strike.formation.most_ranks) + strike.brutal.number
    threat += shop.max_runes(strike.brutal.rune) + strike.when_ready[0]
    hits, mortal = (icons + max_gains.get(effect, 0) for effect in ("hits", "mortal_strikes"))
    more = max_gains.get("damage", 0) + strike.lethal + strike.when_ready[1]
    more += sum(damage for _, damage in attack.target.conditions)
    return mortal + hits * threat + more


def duel_kind_processes(setup: Setup[Duel], lane: str = "literal") -> tuple[Process, ...]:
    """Return a duel's processes: in the lane "literal" attacks are rolled in full, in "compiled" drawn whole."""
    return duel_processes(setup.play, RESOLVERS[lane])


def duel_law_processes(setup: Setup[Duel], lane: str, columns: tuple[str, ...]) -> tuple[Process, ...]:
    """Return a duel's processes as its exact distribution is worked out, with all its columns."""
    return duel_processes(setup.play, draw_wounds)
