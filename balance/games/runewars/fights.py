"""From what was asked to a duel that is ready to be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.game.armies.lost_actions import LOST
from balance.game.setup import Asked, Setup
from balance.games.runewars.duel import Duel, Duellist, duel_processes
from balance.games.runewars.rules.attack import Attack
from balance.games.runewars.rules.dials import SetsDial, Settings
from balance.games.runewars.rules.exchange import RESOLVERS, Exchange
from balance.games.runewars.rules.formation import Contact
from balance.games.runewars.rules.morale import Deck
from balance.games.runewars.rules.runes import named
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.setup import Workshop, contact_of
from balance.games.runewars.sides import Side
from balance.games.runewars.situation import DuelSituation
from balance.games.runewars.tables import Dial, MoraleCard, parse_amount

__all__ = ["duel_kind_processes", "duel_setup", "exchange_of"]


def duel_setup(asked: Asked[Switches, DuelSituation, Side]) -> Setup[Duel]:
    """Prepare a duel (ledger level B).

    Raises
    ------
    BalanceError
        Contact that does not fit.
    """
    shop, situation, sides = Workshop.of(asked.catalogue, asked.rules), asked.situation, asked.sides
    dials = {name: _dial(asked, name) for name in sides}
    attacks = {name: _attacks(asked, shop, name, foe, dials[name]) for name, foe in (("a", "b"), ("b", "a"))}
    if len([one for one in dials.values() if one]) == 1:
        raise RulesError(Fault("is set on one side only", "--choose", None, "dial", allowed="none, or both"))
    a, b = (_duellist(shop, asked, name, foe, attacks, dials) for name, foe in (("a", "b"), ("b", "a")))
    beside = [one.regenerate for one in (a, b)] + [d for one in dials.values() if one for d in one.defends]
    runes = shop.runes(*attacks["a"].values(), *attacks["b"].values(), beside=tuple(beside))
    deck = _deck(asked) if situation.morale == "deck" else None
    duel = Duel(a, b, runes, asked.first, situation.simultaneous, situation.volleys, situation.round_limit, deck)
    return Setup(duel, asked.inputs())


def _deck(asked: Asked[Switches, DuelSituation, Side]) -> Deck:
    return Deck(tuple(asked.catalogue.entries(MoraleCard).values()))


def _dial(asked: Asked[Switches, DuelSituation, Side], name: str) -> Settings | None:
    """Return the dial that a side sets, if it does."""
    how, unit = asked.choices[f"{name}_dial"], asked.sides[name].entrant.unit
    settings = tuple(one for one in asked.catalogue.entries(Dial).values() if one.unit == unit.id)
    if how == "none":
        return None
    if not settings:
        raise RulesError(Fault("has no command dial in dials", name, found=unit.id, allowed="--choose dial: none"))
    return Settings(SetsDial(how, settings))  # type: ignore[arg-type]


def _attacks(
    asked: Asked[Switches, DuelSituation, Side], shop: Workshop, name: str, foe: str, dial: Settings | None
) -> dict[str, Attack]:
    """Return the attacks of a side: `melee`, and `ranged` where its card has one and there is time for it.

    Dice and surge abilities that are set are those of both.
    """
    places = f"{name}_edges", f"{name}_touches_partial"
    edges, touches = (getattr(asked.situation, place) for place in places)
    contacts = {"melee": contact_of(asked.rules, edges, touches, places), "ranged": Contact(())}
    policies = {of: asked.choices[f"{name}_{of}"] for of in ("rerolls", "surges", "accuracy")}
    surges = max(dial.added.get("surge", [0])) if dial else 0
    strikes = {
        kind: shop.strike(asked.sides[name], kind, where, policies, lasts=True, more_surges=int(surges))
        for kind, where in contacts.items()
    }
    if not asked.situation.volleys or not asked.sides[name].shoots:
        del strikes["ranged"]
    target = shop.target(asked.sides[foe], tuple(strikes.values()))
    return {kind: Attack(strike, target) for kind, strike in strikes.items()}


def _duellist(
    shop: Workshop,
    asked: Asked[Switches, DuelSituation, Side],
    name: str,
    foe: str,
    attacks: dict[str, dict[str, Attack]],
    dials: dict[str, Settings | None],
) -> Duellist:
    side, dial, deals = asked.sides[name], dials[name], asked.situation.morale == "deck"
    met = _dialled(shop, dial, dials[foe])
    exchanges = {
        kind: exchange_of(shop, attack, side, asked.sides[foe], met, morale=deals)
        for kind, attack in attacks[name].items()
    }
    conditions = attacks[foe]["melee"].target.conditions
    return Duellist(
        name=name,
        formation=side.formation,
        figure_slots=side.figure_slots,
        left=side.left,
        upgrade=side.figure_health,
        melee=exchanges["melee"],
        ranged=exchanges.get("ranged"),
        regenerate=parse_amount(side.printed("regenerate")),
        trays_added=side.stance.trays_added,
        conditions=tuple((one, one in side.stance.conditions) for one, _ in conditions),
        steadfast=side.said("steadfast", side.entrant.unit.steadfast) if deals else None,
        dial=dial,
        lost_actions=getattr(side.stance, LOST),
    )


def exchange_of(
    shop: Workshop,
    attack: Attack,
    attacker: Side,
    defender: Side,
    dialled: Mapping[str, int] = MappingProxyType({}),
    *,
    morale: bool = False,
) -> Exchange:
    """Return an attack with what may differ from one time to the next in a fight.

    Parameters
    ----------
    dialled
        What command dials bring, by its name in what is met -> the most of it.
    morale
        Whether its morale icons matter.
    """
    formation, target = attacker.formation, attack.target
    grown = attacker.stance.trays_added > 0
    varies = [("trays", 1, formation.columns * formation.most_ranks if grown else formation.trays)] + (
        [("columns", 1, formation.columns)] if grown else []
    )
    varies += [*_conditions(attack), *((kind, 0, shop.most(kind) + 1) for kind in _runes(attack))]
    varies += [("ready", 0, 2)] if any(attack.strike.when_ready) else []
    is_best = _is_best(attack)
    varies += [(name, 0, most + 1) for name, most in dialled.items() if is_best or name != "defend"]
    if is_best:
        varies += [_left(shop, attack, defender, dialled)]
        varies += [("upgrade", 0, defender.figure_health + 1)] if defender.figure_health else []
    aimed = defender.figure_health > 0 and attack.strike.accuracy == "upgrade"
    placed = [one for one, _ in target.conditions if one in attack.strike.purchase.gains]
    told = ("mortal_strikes", "damage", *(["accuracy"] if aimed else []), *(["morale"] if morale else []), *placed)
    told += ("inspiration",) if any(attack.strike.when_ready) and "inspiration" in attack.strike.purchase.gains else ()
    return Exchange(attack, tuple(varies), told)


def _dialled(shop: Workshop, own: Settings | None, other: Settings | None) -> dict[str, int]:
    """Return the most that command dials bring to an attack: icons of one's own, defence of the other's."""
    if not own or not other:
        return {}
    added = {f"added_{icon}": int(numbers.max()) for icon, numbers in own.added.items()}
    return {**added, "defend": max(one.number + shop.most(one.rune) for one in other.defends)}


def _is_best(attack: Attack) -> bool:
    """Return whether its choices look at what is left of the defender."""
    return "best" in (attack.strike.rerolls.which, attack.strike.spends.how)


def _conditions(attack: Attack) -> Iterator[tuple[str, int, int]]:
    """Yield the conditions of the defender that an attack looks at."""
    matter = attack.strike.purchase.conditions
    yield from ((one, 0, 2) for one, more in attack.target.conditions if more or one in matter)


def _runes(attack: Attack) -> tuple[str, ...]:
    """Return the runes on which the distribution of an attack hangs."""
    strike, target = attack.strike, attack.target
    beside = (target.defence,) if _is_best(attack) else ()
    return named([*strike.numbers, strike.brutal, target.guard_rerolls, *beside])


def _left(shop: Workshop, attack: Attack, defender: Side, dialled: Mapping[str, int]) -> tuple[str, int, int]:
    """Return what may be left of the defender, as far as it may change a choice."""
    formation = defender.formation
    trays = formation.columns * formation.most_ranks if defender.stance.trays_added else formation.trays
    most = trays * formation.figures_per_tray * formation.wound_threshold
    if defender.figure_health:  # it may be alone, or stand in the middle of a lone rank
        return "left", 0, most + 1
    return "left", 1, max(1, min(most, _most_wounds(shop, attack, dialled)))


def _most_wounds(shop: Workshop, attack: Attack, dialled: Mapping[str, int]) -> int:
    """Return a bound of the wounds of one attack: what is left beyond it changes no choice."""
    strike = attack.strike
    most = {effect: int(gain.max(initial=0)) for effect, gain in strike.purchase.gains.items()}
    icons = strike.hand.n_dice * int(strike.hand.icons.max(initial=0)) + sum(strike.added) + sum(dialled.values())
    threat = max(strike.formation.columns, strike.formation.most_ranks) + strike.brutal.number
    threat += shop.most(strike.brutal.rune) + strike.when_ready[0]
    hits, mortal = (icons + most.get(effect, 0) for effect in ("hits", "mortal_strikes"))
    more = most.get("damage", 0) + strike.lethal + strike.when_ready[1]
    more += sum(damage for _, damage in attack.target.conditions)
    return mortal + hits * threat + more


def duel_kind_processes(setup: Setup[Duel], lane: str = "literal") -> tuple[Process, ...]:
    """Return a duel's processes in a lane."""
    return duel_processes(setup.play, RESOLVERS[lane])
