"""From what was asked about a duel to one that is ready to be played."""

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


def duel_setup(question: Asked[Switches, DuelSituation, Side]) -> Setup[Duel]:
    """Prepare a duel of a hero and an enemy (ledger level B).

    Raise RulesError if both sides are heroes or both enemies, or an attack draws two criticals.
    """
    heroes = [name for name, side in question.sides.items() if side.character.is_hero]
    if len(heroes) != 1:
        ids = " and ".join(side.character.id for side in question.sides.values())
        raise RulesError(Fault("are of one faction; a duel is a hero's against an enemy", found=ids))
    hero, foe = heroes[0], "b" if heroes[0] == "a" else "a"
    shop, rule = Workshop.of(question), constants_of(question.catalogue)
    attacks = _exchanges(question, shop, hero, foe)
    columns = frozenset(_columns(question, attacks))
    duellists = {name: _duellist(question, shop, name, attacks, columns) for name in (hero, foe)}
    situation = question.situation
    chance = Fraction(situation.activation_chance).limit_denominator(10_000)
    deck = situation.activation_deck
    duel = Duel(
        hero=duellists[hero], enemy=duellists[foe], rules=question.rules, conditions=rule.conditions,
        supremacy_hits=rule.attack.supremacy_hits, round_limit=situation.round_limit,
        activation=(sum(deck), len(deck)) if deck else (chance.numerator, chance.denominator),
        is_deck=bool(deck), enemy_turns=situation.enemy_turns, columns=columns,
    )  # fmt: skip
    return Setup(duel, question.inputs())


Attacks = Mapping[tuple[str, str], Attack]
"""(side, "weapon" or "power") -> the attack."""


def _exchanges(question: Asked[Switches, DuelSituation, Side], shop: Workshop, hero: str, foe: str) -> Attacks:
    """Return the attacks of both sides as at the start of the duel; raise RulesError if one draws two criticals."""
    attacks: dict[tuple[str, str], Attack] = {}
    faults = list(carried_faults(question.sides[hero], hero))
    for name, opponent in ((hero, foe), (foe, hero)):
        side = question.sides[name]
        for kind, profile in _profiles(question, name):
            faults += critical_faults(profile, f"§set {name}", "effects" if kind == "weapon" else "power_effects")
            spends = attacks_by(question.choices[f"{name}_spending"], side.character.is_hero)
            strike = shop.strike(profile, side.stance.bonus_hits, (), spends)
            target = question.sides[opponent]
            defends = defends_by(question.choices[f"{opponent}_defence"], target.character.is_hero)
            guard = shop.guard(target, profile.damage_type, defends)
            attacks[name, kind] = Attack(strike, (guard,), shop.bag, question.rules)
    if faults:
        raise RulesError(faults)
    return attacks


def _profiles(question: Asked[Switches, DuelSituation, Side], name: str) -> Iterator[tuple[str, Profile]]:
    """Yield "weapon" with a side's weapon attack, and "power" with a hero's power if he has one and uses it."""
    side = question.sides[name]
    yield "weapon", profile_of(side, side.hand)
    if _cooldown(side) and question.choices[f"{name}_power"] == "when_ready":
        no_power = Profile("power", 0, 0, 0, side.hand.damage_type, ())
        printed_power = side.character.power[0] if side.character.power else no_power
        yield "power", profile_of(side, printed_power, "power_")


def _cooldown(side: Side) -> int:
    """Return the hourglasses (rounds) of a hero's power, 0 if he has none."""
    printed_cooldown = side.character.power[1] if side.character.power else 0
    return int(side.value_or("power_cooldown", printed_cooldown)) if side.character.is_hero else 0


def _columns(question: Asked[Switches, DuelSituation, Side], attacks: Attacks) -> Iterator[str]:
    """Yield names of state columns, such as `a_ko`, for each condition, critical and fire token that may occur."""
    for name, opponent in (("a", "b"), ("b", "a")):
        stance = question.sides[name].stance
        marks = {
            mark
            for (side, _), attack in attacks.items()
            if side == opponent
            for mark in (*attack.inflicts, *attack.burns)
        }
        marks |= {mark for mark in ("ko", "poison", *FIRES) if getattr(stance, mark)}
        yield from (f"{name}_{mark}" for mark in marks | ({"fire1"} if "fire2" in marks else set()))


def _duellist(
    question: Asked[Switches, DuelSituation, Side], shop: Workshop, name: str, attacks: Attacks, columns: frozenset[str]
) -> Duellist:
    side, rule = question.sides[name], constants_of(question.catalogue)
    character, stance = side.character, side.stance
    focus = rule.attack.focus_hits if character.is_hero and side.value_or("focus", character.actions > 0) else 0
    n_attacks = side.value_or("combat_activities", character.combat_activities)
    slowed_attacks = (
        character.card.slowed_attacks if isinstance(character.card, Enemy) else rule.conditions.slowed_activities
    )
    exchanges = {
        kind: _exchange(attack, name, columns, focus, rule.attack.supremacy_hits)
        for (owner, kind), attack in attacks.items()
        if owner == name
    }
    return Duellist(
        name=name,
        health=side.value_or("health", character.health),
        shields=side.value_or("shields", character.shields),
        attacks=n_attacks,
        slowed_attacks=slowed_attacks,
        weapon=exchanges["weapon"],
        power=exchanges.get("power"),
        cooldown=_cooldown(side),
        focus=focus,
        save=_save(shop, side),
        start={mark: int(getattr(stance, mark)) for mark in ("ko", "poison", *FIRES)},
        lost_actions=stance.lost_actions,
    )


def _save(shop: Workshop, side: Side) -> tuple[SymbolDie, int] | None:
    """Return a hero's save die and how many are rolled (IS-SAVE.1), None for enemies.

    A face of two results succeeds by either.
    """
    card = side.character.card
    if not isinstance(card, Hero):
        return None
    target_result = side.value_or("save", card.save)
    names = tuple("+".join(face) for face in shop.faces["blue"])
    good = tuple(dict.fromkeys(name for name in names if target_result in name.split("+")))
    return SymbolDie(names, (("success", good),)), side.character.saves_dice


def _exchange(attack: Attack, name: str, columns: frozenset[str], focus: int, supremacy: int) -> Exchange:
    """Return an attack with the range of each value that may differ in this duel between one time and the next."""
    foe = "b" if name == "a" else "a"
    shields = dict(attack.guards[0].start)["shields"]
    maxima = {red: max(getattr(token, field) for token in attack.bag) for red, field in REDS.items()}
    min_bonus = -maxima["dulled"] if f"{name}_dulled" in columns else 0
    more = focus + (supremacy if f"{foe}_ko" in columns and attack.rules.supremacy_over_knocked_out else 0)
    spans = [("bonus", more - min_bonus + 1, min_bonus), ("shields", shields + 1, 0)]
    spans += [("cannot_buy", 2, 0)] if f"{name}_silenced" in columns else []
    for mark in (*CONDITIONS, *REDS):
        if f"{foe}_{mark}" in columns and (mark in attack.inflicts or mark in ("ko", "weakened", "silenced")):
            spans.append((mark, 3 if mark == "poison" else maxima.get(mark, 1) + 1, 0))
    return Exchange(attack, tuple(span for span in spans if span[1] > 1))


def duel_processes(setup: Setup[Duel], lane: str = "literal") -> tuple[Process, ...]:
    """Return the one process of a duel; the lane says whether attacks are rolled in full or drawn whole."""
    return (duel_process(setup.play, RESOLVERS[lane]),)
