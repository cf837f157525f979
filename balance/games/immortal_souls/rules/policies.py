"""What the owners of the sides decide: what results are spent on, and whether a power is used."""

from __future__ import annotations

from balance.game.game import PolicyKind
from balance.game.kit import each_side
from balance.games.immortal_souls.rules.spend import DEAREST, Spend

SPENDING_OPTIONS = {
    "by_rules": "a hero buys what wounds most, an enemy the dearest effect first (IS-HIT.13)",
    "most_wounds": "buys what wounds most on average",
    "most_kills": "buys what kills most likely, by the health that the target has",
    "conditions": "buys as many conditions as it can, then what wounds most",
    "dearest": "buys the dearest effect first",
}
"""What an attacker's results are spent on."""
DEFENCE_OPTIONS = {
    "by_rules": "a hero buys what leaves him the fewest wounds, an enemy the dearest effect first",
    "fewest_wounds": "buys what leaves the fewest wounds",
    "dearest": "buys the dearest effect first",
}
"""What a defender's results are spent on."""
POWER_OPTIONS = {"when_ready": "uses the power whenever it is ready", "never": "attacks with the weapon alone"}
GOALS = {
    "most_wounds": Spend("wounds"),
    "fewest_wounds": Spend("wounds"),
    "most_kills": Spend("kill"),
    "conditions": Spend("conditions"),
    "dearest": DEAREST,
}


def attacks_by(option: str, is_hero: bool) -> Spend:
    """Return the policy by which an attacker spends results.

    With "by_rules" heroes maximize expected wounds, and enemies buy the dearest effect first.

    >>> attacks_by("by_rules", is_hero=False)
    Spend(goal=None)
    """
    return GOALS[("most_wounds" if is_hero else "dearest") if option == "by_rules" else option]


def defends_by(option: str, is_hero: bool) -> Spend:
    """Return the policy by which a defender spends results.

    With "by_rules" heroes minimize expected wounds, and enemies buy the dearest effect first.

    >>> defends_by("by_rules", is_hero=True)
    Spend(goal='wounds')
    """
    return GOALS[("fewest_wounds" if is_hero else "dearest") if option == "by_rules" else option]


ATTACKS = PolicyKind("What an attacker's results are spent on.", SPENDING_OPTIONS)
DEFENDS = PolicyKind("What a defender's results are spent on.", DEFENCE_OPTIONS)
ATTACK_POLICIES = {**each_side("spending", ATTACKS, ("attacker",)), **each_side("spending", DEFENDS, ("defender",))}
DUEL_POLICIES = {
    **each_side("spending", ATTACKS),
    **each_side("defence", DEFENDS),
    **each_side("power", PolicyKind("Whether a hero uses his power.", POWER_OPTIONS)),
}
