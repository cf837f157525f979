"""What the owners of units decide in an attack, a combat, a duel, a skirmish or a line-up.

The defaults: ignore what may be ignored, battle back, gain ground without a bonus attack (who is near depends on the
map). In an attack and in a combat Lore faces go into the chalice, where they are worth something afterwards; in a duel,
after which nothing comes, they buy powers, by the rule that holds the hex as often as any other.
"""

from __future__ import annotations

from collections.abc import Mapping

from balance.game.game import PolicyKind
from balance.game.kit import each_side
from balance.games.battlelore.rules.targets import OPPOSITE, Targets

FLAGS = {
    "most": "ignores every flag it may",
    "0": "ignores none",
    "1": "ignores one at most",
    "2": "ignores two at most",
    "3": "ignores three at most",
}
"""Flags an owner ignores."""
POWERS = {
    "chalice": "puts every Lore face into the chalice",
    "store": "stores what can be stored",
    "web": "uses Web whenever it can, and stores the rest",
    "poison": "saves for Poison, and uses it as soon as it can",
    "poison_or_web": "uses Poison if it can, else Web",
    "web_or_poison": "uses Web on a Bold target that may ignore every flag, else Poison if it can",
}
"""What a creature does with the Lore faces it rolls (BL-CRE-10 to BL-CRE-15)."""
DUEL_POWERS = {"web_or_poison": POWERS["web_or_poison"], **POWERS}
"""The same in a duel, where by default they buy powers."""


def _flags(*sides: str) -> dict[str, PolicyKind]:
    return each_side("flags", PolicyKind("How many flags a unit ignores, of those it may.", FLAGS), sides)


def _powers(options: Mapping[str, str], *sides: str) -> dict[str, PolicyKind]:
    return each_side("powers", PolicyKind("What a creature's Lore faces are for.", options), sides)


BATTLE_BACK = {
    "battle_back": PolicyKind(
        "Whether a Bold unit that held its hex battles back.", {"yes": "it does", "no": "it does not"}
    )
}
FOLLOW_UP = PolicyKind(
    "What the attacker does when the target's hex is vacated.",
    {
        "gain_ground": "moves into it, and attacks nobody",
        "bonus_same": "pursues, and attacks the same target again where it may",
        "bonus_other": "pursues, and attacks another enemy next to that hex",
        "stay": "stays where it is",
    },
    "attacker",
)
TARGETS = {
    "opposite": "attacks the enemy opposite, or the nearest left in line",
    "focus": "attacks the enemy with the fewest figures left",
    "spread": "attacks the enemy with the largest share of its figures left",
}
"""Whom a unit in line attacks; of those it likes as well the nearest, and of two as near the one further left."""
PLAYS = {"opposite": OPPOSITE, "focus": Targets("focus"), "spread": Targets("spread")}
ATTACK_POLICIES = _powers(POWERS, "attacker")
COMBAT_POLICIES = {
    **_flags("defender", "attacker"),
    **BATTLE_BACK,
    "follow_up": FOLLOW_UP,
    **_powers(POWERS, "attacker", "defender"),
}
SKIRMISH_POLICIES = {**_flags("a", "b"), **BATTLE_BACK}
LINEUP_POLICIES = {
    **SKIRMISH_POLICIES,
    **each_side(
        "policy",
        PolicyKind("Whom each of its units attacks.", TARGETS, quick=tuple(TARGETS), plays=PLAYS),
        name="{of}_{side}",
    ),
}
DUEL_POLICIES = {**SKIRMISH_POLICIES, **_powers(DUEL_POWERS, "a", "b")}
