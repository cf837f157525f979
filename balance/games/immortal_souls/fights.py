"""From what was asked to a duel, ready to be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.chance.rolls.symbols import SymbolDie
from balance.game.setup import Asked, Setup
from balance.games.immortal_souls.duel import Duel, Duellist, duel_process
from balance.games.immortal_souls.rules.exchange import RESOLVERS, Exchange
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.policies import attacks_by, defends_by
from balance.games.immortal_souls.rules.strike import FIRES, Attack
from balance.games.immortal_souls.ruleset import Switches
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.situation import DuelSituation
from balance.games.immortal_souls.tables.cards import Enemy, Hero
from balance.games.immortal_souls.tables.characters import Profile
from balance.games.immortal_souls.tables.tables import constants_of
from balance.games.immortal_souls.workshop import Workshop, carried_faults, critical_faults, profile_of

__all__ = ["duel_processes", "duel_setup"]


def duel_setup(asked: Asked[Switches, DuelSituation, Side]) -> Setup[Duel]:
    """Prepare a duel of a hero and an enemy (ledger level B).

    Raises
    ------
    BalanceError
        Two heroes, or two enemies; an attack of two criticals.
    """
    heroes = [name for name, side in asked.sides.items() if side.character.is_hero]
    if len(heroes) != 1:
        found = " and ".join(side.character.id for side in asked.sides.values())
        raise RulesError(Fault("are of one faction; a duel is a hero's against an enemy", found=found))
    mine, foe = heroes[0], "b" if heroes[0] == "a" else "a"
    shop, rule = Workshop.of(asked), constants_of(asked.catalogue)
    attacks = _exchanges(asked, shop, mine, foe)
    columns = frozenset(_columns(asked, attacks))
    duellists = {name: _duellist(asked, shop, name, attacks, columns) for name in (mine, foe)}
    situation = asked.situation
    chance = Fraction(situation.activation_chance).limit_denominator(10_000)
    deck = situation.activation_deck
    duel = Duel(
        hero=duellists[mine], enemy=duellists[foe], rules=asked.rules, conditions=rule.conditions,
        supremacy_hits=rule.attack.supremacy_hits, round_limit=situation.round_limit,
        activation=(sum(deck), len(deck)) if deck else (chance.numerator, chance.denominator),
        is_deck=bool(deck), enemy_turns=situation.enemy_turns, columns=columns,
    )  # fmt: skip
    return Setup(duel, asked.inputs())


Attacks = Mapping[tuple[str, str], Attack]
"""(side, "weapon" or "power") -> the attack."""


def _exchanges(asked: Asked[Switches, DuelSituation, Side], shop: Workshop, mine: str, foe: str) -> Attacks:
    """Return the attacks of both sides, as the first of the duel would be made."""
    found: dict[tuple[str, str], Attack] = {}
    faults = list(carried_faults(asked.sides[mine], mine))
    for name, other in ((mine, foe), (foe, mine)):
        side = asked.sides[name]
        for kind, profile in _profiles(asked, name):
            faults += critical_faults(profile, f"--set {name}", "effects" if kind == "weapon" else "power_effects")
            spends = attacks_by(asked.choices[f"{name}_spending"], side.character.is_hero)
            strike = shop.strike(profile, side.stance.bonus_hits, (), spends)
            target = asked.sides[other]
            defends = defends_by(asked.choices[f"{other}_defence"], target.character.is_hero)
            guard = shop.guard(target, profile.damage_type, defends)
            found[name, kind] = Attack(strike, (guard,), shop.bag, asked.rules)
    if faults:
        raise RulesError(faults)
    return found


def _profiles(asked: Asked[Switches, DuelSituation, Side], name: str) -> Iterator[tuple[str, Profile]]:
    """Yield what a side attacks with: its weapon, and a hero's power if he has one and uses it."""
    side = asked.sides[name]
    yield "weapon", profile_of(side, side.hand)
    if _cooldown(side) and asked.choices[f"{name}_power"] == "when_ready":
        none = Profile("power", 0, 0, 0, side.hand.damage_type, ())
        printed = side.character.power[0] if side.character.power else none
        yield "power", profile_of(side, printed, "power_")


def _cooldown(side: Side) -> int:
    """Return the hourglasses of a hero's power, 0 if he has none."""
    printed = side.character.power[1] if side.character.power else 0
    return int(side.said("power_cooldown", printed)) if side.character.is_hero else 0


def _columns(asked: Asked[Switches, DuelSituation, Side], attacks: Attacks) -> Iterator[str]:
    """Yield the state columns of what may befall either side in this duel."""
    for name, other in (("a", "b"), ("b", "a")):
        stance = asked.sides[name].stance
        told = {
            one for (side, _), attack in attacks.items() if side == other for one in (*attack.inflicts, *attack.burns)
        }
        told |= {one for one in ("ko", "poison", *FIRES) if getattr(stance, one)}
        yield from (f"{name}_{one}" for one in told | ({"fire1"} if "fire2" in told else set()))


def _duellist(
    asked: Asked[Switches, DuelSituation, Side], shop: Workshop, name: str, attacks: Attacks, columns: frozenset[str]
) -> Duellist:
    side, rule = asked.sides[name], constants_of(asked.catalogue)
    character, stance = side.character, side.stance
    focus = rule.attack.focus_hits if character.is_hero and side.said("focus", character.actions > 0) else 0
    n_attacks = side.said("combat_activities", character.combat_activities)
    slowed = character.card.slowed_attacks if isinstance(character.card, Enemy) else rule.conditions.slowed_activities
    own = {
        kind: _exchange(attack, name, columns, focus, rule.attack.supremacy_hits)
        for (whose, kind), attack in attacks.items()
        if whose == name
    }
    return Duellist(
        name=name,
        health=side.said("health", character.health),
        shields=side.said("shields", character.shields),
        attacks=n_attacks,
        slowed_attacks=slowed,
        weapon=own["weapon"],
        power=own.get("power"),
        cooldown=_cooldown(side),
        focus=focus,
        save=_save(shop, side),
        start={one: int(getattr(stance, one)) for one in ("ko", "poison", *FIRES)},
        lost_actions=stance.lost_actions,
    )


def _save(shop: Workshop, side: Side) -> tuple[SymbolDie, int] | None:
    """Return the die of a hero's saves, which succeeds by either of two results on a face (IS-SAVE.1), and how many."""
    card = side.character.card
    if not isinstance(card, Hero):
        return None
    wanted = side.said("save", card.save)
    names = tuple("+".join(face) for face in shop.faces["blue"])
    good = tuple(dict.fromkeys(name for name in names if wanted in name.split("+")))
    return SymbolDie(names, (("success", good),)), side.character.saves_dice


def _exchange(attack: Attack, name: str, columns: frozenset[str], focus: int, supremacy: int) -> Exchange:
    """Return an attack with what may differ from one time to the next in this duel."""
    foe = "b" if name == "a" else "a"
    shields = dict(attack.guards[0].start)["shields"]
    most = {red: max(getattr(token, field) for token in attack.bag) for red, field in REDS.items()}
    least = -most["dulled"] if f"{name}_dulled" in columns else 0
    more = focus + (supremacy if f"{foe}_ko" in columns and attack.rules.supremacy_over_knocked_out else 0)
    spans = [("bonus", more - least + 1, least), ("shields", shields + 1, 0)]
    spans += [("cannot_buy", 2, 0)] if f"{name}_silenced" in columns else []
    for one in (*CONDITIONS, *REDS):
        if f"{foe}_{one}" in columns and (one in attack.inflicts or one in ("ko", "weakened", "silenced")):
            spans.append((one, 3 if one == "poison" else most.get(one, 1) + 1, 0))
    return Exchange(attack, tuple(span for span in spans if span[1] > 1))


def duel_processes(setup: Setup[Duel], lane: str = "literal") -> tuple[Process, ...]:
    """Return a duel as a process in a lane."""
    return (duel_process(setup.play, RESOLVERS[lane]),)
