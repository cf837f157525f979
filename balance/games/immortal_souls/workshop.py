"""What the attacks of a question are made of: cards, dice, bag and rules, and what was set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from balance.base.errors import Fault
from balance.catalogue import Catalogue
from balance.chance.rolls.rolls import Policy
from balance.game.setup import Asked
from balance.games.immortal_souls.rules.defence import Guard
from balance.games.immortal_souls.rules.effects import DEFENCE_EFFECTS, change_of, parse_effect
from balance.games.immortal_souls.rules.harm import Token
from balance.games.immortal_souls.rules.results import die_of, kinds_of
from balance.games.immortal_souls.rules.strike import Strike
from balance.games.immortal_souls.ruleset import Switches
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.cards import Critical, Enemy
from balance.games.immortal_souls.tables.characters import Profile
from balance.games.immortal_souls.tables.tables import constants_of, faces_of


@dataclass(frozen=True)
class Workshop:
    """What every attack of a question is made of: the dice, the bag and the rules.

    `faces` are the results of each face of a die, by colour.
    """

    catalogue: Catalogue
    rules: Switches
    faces: Mapping[str, tuple[tuple[str, ...], ...]]
    bag: tuple[Token, ...]

    @classmethod
    def of(cls, question: Asked[Switches, Any, Any]) -> Workshop:
        """Return the dice, the bag and the rules of a question; kinds of criticals without tokens are left out."""
        by_colour = {colour: faces_of(question.catalogue, colour) for colour in ("red", "blue")}
        bag = tuple(token_of(card) for card in question.catalogue.entries(Critical).values() if card.tokens)
        return cls(question.catalogue, question.rules, by_colour, bag)

    def strike(
        self, profile: Profile, bonus: int, roll: tuple[str, ...], policy: Policy, watched_results: tuple[str, ...] = ()
    ) -> Strike:
        """Return the attacking part of an attack; results that are watched are told apart though nothing costs them.

        `bonus` are hits that are always added; a `roll` that is not empty is taken instead of rolling.
        """
        effects = tuple(parse_effect(text) for text in profile.effects)
        kinds = tuple(dict.fromkeys((*kinds_of("HIT", effects), *watched_results)))
        red, blue = (die_of(self.faces[colour], kinds) for colour in ("red", "blue"))
        return Strike(profile.sure, profile.red, profile.blue, bonus, red, blue, effects, roll or None, policy)

    def guard(self, side: Side, damage_type: str, policy: Policy) -> Guard:
        """Return the defending part of an attack of this damage type, against which its resistances count."""
        character, card = side.character, side.character.card
        effects = tuple(
            parse_effect(text, DEFENCE_EFFECTS) for text in side.value_or("defence_effects", character.defence_effects)
        )
        modifiers = side.value_or("modifiers", card.modifiers if isinstance(card, Enemy) else ())
        change = change_of(modifiers, damage_type, all_but_untyped=self.rules.untyped_is_all_but)
        stance = side.stance
        return Guard(
            armour=side.value_or("armour", character.armour),
            change=change,
            defence_dice=side.value_or("defence_dice", character.defence_dice),
            die=die_of(self.faces["blue"], kinds_of("SHD", effects), rest=False),
            effects=effects,
            policy=policy,
            immune=immune_of(side),
            health=side.value_or("health", character.health),
            start=(
                ("shields", side.value_or("shields", character.shields)),
                ("ko", int(stance.ko)),
                ("poison", stance.poison),
            ),
            repeated_wounds=constants_of(self.catalogue).conditions.repeated_wounds,
        )


def token_of(card: Critical) -> Token:
    """Return a kind of critical token with losses as numbers above 0."""
    condition = {} if card.condition == "none" else {card.condition.rstrip("12"): int(card.condition[-1] == "2") + 1}
    return Token(
        card.tokens, card.wounds, armour=-card.armour, hits=-card.hits, max_health=-card.max_health,
        silences=int(card.silences), **condition,
    )  # fmt: skip


def immune_of(side: Side) -> frozenset[str]:
    """Return the conditions, "ko" and "stun", that a side cannot have (IS-COND.14, IS-ACT.10)."""
    card = side.character.card
    flies, steady = (
        (card.flying, card.stun_immune) if isinstance(card, Enemy) else (side.value_or("flying", False), False)
    )
    return frozenset(["ko"] * flies + ["stun"] * steady)


def profile_of(side: Side, printed_profile: Profile, prefix: str = "") -> Profile:
    """Return an attack as printed, but for the fields that were set, whose names begin with `prefix`."""
    damage_type = side.value_or(f"{prefix}damage_type", side.value_or("damage_type", printed_profile.damage_type))
    effects = side.value_or(f"{prefix}effects", printed_profile.effects)
    sure, red, blue = (side.value_or(prefix + name, getattr(printed_profile, name)) for name in ("sure", "red", "blue"))
    return Profile(printed_profile.id, sure, red, blue, damage_type, tuple(effects), printed_profile.range_areas)


def critical_faults(profile: Profile, path: str, field: str = "effects") -> Iterator[Fault]:
    """Yield a fault if an attack may draw more than one critical for each target."""
    if sum(text.startswith("critical") for text in profile.effects) > 1:
        yield Fault("are two criticals of one attack", path, None, field, ", ".join(profile.effects), "one critical")


def carried_faults(side: Side, path: str) -> Iterator[Fault]:
    """Yield a fault if a hero carries items, which only encounters play."""
    if items := side.character.items:
        ids, tip = "+".join(item.id for item in items), "ask about an encounter"
        yield Fault("is an item, which heroes use in encounters only", path, found=ids, tip=tip)
