"""Random questions about Runewars, asked of the game as overrides and of the reference implementation as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import balance
from balance.games.runewars import GAME
from tests.games.runewars.reference import COLUMNS, How, attack_outcomes
from tests.games.runewars.reference_duel import DUEL_COLUMNS, Duel, duel_outcomes
from tests.games.runewars.reference_trays import Ability, Unit

RUNEWARS = balance.load(GAME)
UNITS = {
    "spearmen": Unit(surges=(Ability("inspiration", 1, 2),)),
    "wraiths": Unit(figures_per_tray=2, wound_threshold=2, guard_rerolls="stable"),
    "death_knights": Unit(("2", "1", "0"), figures_per_tray=2, defence="3", mortal_ward=1),
    "reanimates": Unit(("2", "0", "0"), regenerate="natural"),
    "rune_golems": Unit(("2", "0", "0"), figures_per_tray=1, wound_threshold=2, defence="4", brutal="stable"),
    "reanimate_archers": Unit(("1", "0", "0"), ("1", "1", "0"), ranged_surges=(Ability("blight", 1, 2),)),
    "heavy_crossbowmen": Unit(
        ("0", "1", "0"), ("1", "1", "0"), protected=1, ranged_surges=(Ability("mortal_strikes", 1, 2, unique=True),)
    ),
    "carrion_lancers": Unit(
        ("1", "2", "0"),
        figures_per_tray=1,
        wound_threshold=3,
        defence="3",
        surges=(Ability("mortal_strikes", condition="blight"),),
    ),
}
"""Units as their cards are, but how they stand: what no override can change is theirs."""
UPGRADES = {
    "file_leader": Unit(upgrade_defence=2, upgrade_health=1, upgrade_slots=1, surges=(Ability("hits", 1, 2),)),
    "war_beast": Unit(upgrade_defence=4, upgrade_health=2, upgrade_slots=4, brutal="1"),
    "quick_wits": Unit(surge_discount=1),
    "shadow_brand": Unit(surges=(Ability("branded", 1, 2),)),
    "killing_blow": Unit(surges=(Ability("mortal_strikes", 1, 2, unique=True),)),
}
"""Upgrades as their cards are: what they add to a unit."""
SHOOTS = ("reanimate_archers", "heavy_crossbowmen")
CONDITIONS = ("blight", "branded")
SIDES = {"front": ("none",), "side": ("none", "some", "only"), "rear": ("none", "some", "only")}


@dataclass(frozen=True)
class AttackCase:
    names: tuple[str, str]
    attacker: Unit
    defender: Unit
    how: How


@dataclass(frozen=True)
class DuelCase:
    names: tuple[str, str]
    duel: Duel


def card_of(name: str) -> Unit:
    """Return a unit with the upgrades that are written with it."""
    first, *upgrades = name.split("+")
    unit = UNITS[first]
    for one in map(UPGRADES.__getitem__, upgrades):
        unit = replace(
            unit,
            surges=unit.surges + one.surges,
            ranged_surges=unit.ranged_surges + one.surges,
            surge_discount=unit.surge_discount + one.surge_discount,
            brutal=f"{unit.brutal}+{one.brutal}" if one.brutal != "0" else unit.brutal,
        )
        if one.upgrade_health:
            figure = ("upgrade_defence", "upgrade_health", "upgrade_slots")
            unit = replace(unit, **{field: getattr(one, field) for field in figure})
    return unit


def random_name(dice: Random, names: Sequence[str]) -> str:
    """Return a unit, sometimes with upgrades."""
    upgrades = dice.sample(tuple(UPGRADES), dice.choice((0, 0, 1, 2)))
    if {"file_leader", "war_beast"} <= set(upgrades):
        upgrades.remove("war_beast")
    return "+".join((dice.choice(names), *upgrades))


def written(abilities: Sequence[Ability]) -> str:
    """Return surge abilities as they are typed: `hits@2,mortal_strikes@2u,damage2@1+`."""
    found = []
    for one in abilities:
        number = "" if one.number == 1 else str(one.number)
        mark = "+" if one.plus else "u" if one.unique else ""
        found.append(f"{one.effect}{number}@{one.cost}{mark}{'?' + one.condition if one.condition else ''}")
    return ",".join(found) or "none"


def random_ability(dice: Random) -> Ability:
    effect = dice.choice(("hits", "mortal_strikes", "damage", "accuracy", "morale", "inspiration", "blight", "branded"))
    plus = dice.random() < 0.2 and effect not in CONDITIONS
    return Ability(
        effect,
        1 if effect in CONDITIONS else dice.choice((1, 1, 2)),
        dice.choice((1, 1, 2, 2, 3)),
        plus or dice.random() < 0.3,
        plus,
        dice.choice(("", "", "", "blight", "branded")),
    )


def random_shape(dice: Random, unit: Unit, most_trays: int) -> Unit:
    """Return a unit with another formation, some of it lost already."""
    most_trays = max(most_trays, unit.upgrade_slots // unit.figures_per_tray + 1)
    while True:
        columns, ranks = dice.randrange(1, 5), dice.randrange(1, 5)
        partial = dice.randrange(columns) if ranks < 4 and dice.random() < 0.7 else 0
        wounds = (columns * ranks + partial) * unit.figures_per_tray - unit.upgrade_slots
        if wounds > 0 and columns * ranks + partial <= most_trays:
            break
    wounds *= unit.wound_threshold
    unit = replace(unit, columns=columns, ranks=ranks, partial=partial)
    return replace(unit, wounds_suffered=dice.choice((0, 0, dice.randrange(wounds))))


def changed(dice: Random, unit: Unit, chance: float, **ways: Sequence[Any]) -> Unit:
    """Return a unit some of whose fields are other."""
    return replace(unit, **{name: dice.choice(found) for name, found in ways.items() if dice.random() < chance})


def random_dice(dice: Random, most: int) -> tuple[str, str, str]:
    colours = [dice.choice((0, 1, 2)) for _ in range(dice.randrange(1, most + 1))]
    red, blue, white = (str(colours.count(colour)) for colour in range(3))
    return red, blue, white


def random_unit(dice: Random, unit: Unit, most_dice: int, most_trays: int, ranged: bool) -> Unit:
    """Return a unit like one of the cards, much of it other."""
    unit = changed(
        dice, unit, 0.3, figures_per_tray=(1, 2, 4), wound_threshold=(1, 2, 3), lethal=(1, 2, 3), precise=(1, 2),
        defence=("1", "2", "3", "4", "1+stable", "2+natural"), brutal=("0", "1", "2", "stable", "1+unstable"),
        protected=(0, 1, 2), add_hits=(1, 2), add_mortal_strikes=(1, 2), mortal_ward=(0, 1, 2),
    )  # fmt: skip
    unit = changed(
        dice,
        unit,
        0.15,
        guard_rerolls=("1", "2", "stable"),
        conditions=(frozenset({"blight"}), frozenset({"branded"}), frozenset(CONDITIONS)),
    )
    unit = random_shape(dice, unit, most_trays)
    if dice.random() < 0.6:
        profile = random_dice(dice, most_dice)
        unit = replace(unit, ranged=profile) if ranged else replace(unit, dice=profile)
    if dice.random() < 0.7:
        abilities = tuple(random_ability(dice) for _ in range(dice.randrange(4)))
        unit = replace(unit, ranged_surges=abilities) if ranged else replace(unit, surges=abilities)
    if dice.random() < 0.3:
        unit = changed(dice, unit, 1.0, upgrade_defence=(1, 2, 3, 4), upgrade_health=(1, 2, 3))
        unit = replace(unit, upgrade_in_centre=dice.random() < 0.3)
    return unit


def random_how(dice: Random, ranged: bool = False) -> How:
    edges = tuple(dice.sample(tuple(SIDES), dice.choice((1, 1, 2, 3))))
    return How(
        edges,
        tuple(dice.choice(SIDES[edge]) for edge in edges),
        ranged,
        dice.choice(("no_hit", "no_hit", "no_hit", "none")),
        dice.choice(("unit", "upgrade")),
        dice.choice(("listed", "listed", "listed", "none")),
        dice.random() < 0.3,
        dice.random() < 0.3,
        dice.random() < 0.3,
    )


def random_attack(seed: int, most_dice: int = 3) -> AttackCase:
    dice = Random(seed)
    ranged = dice.random() < 0.2
    names = random_name(dice, SHOOTS if ranged else tuple(UNITS)), random_name(dice, tuple(UNITS))
    attacker = random_unit(dice, card_of(names[0]), most_dice, 16, ranged)
    defender = random_unit(dice, card_of(names[1]), most_dice, 9, False)
    return AttackCase(names, attacker, defender, random_how(dice, ranged))


def both(unit: Unit, card: Unit) -> dict[str, Any]:
    """Return what is typed of dice and surges as it holds for both attacks of a unit that can shoot."""
    pairs = (("ranged", "dice"), ("ranged_surges", "surges"))
    shoots = card.ranged != ("0", "0", "0")
    return {its: getattr(unit, own) for its, own in pairs if shoots and differs(unit, card, own)}


def random_duel(seed: int, most_trays: int = 4) -> DuelCase:
    """Return a duel of two small units; what is an option of the rules is the same for both."""
    dice = Random(seed)
    names = random_name(dice, tuple(UNITS)), random_name(dice, tuple(UNITS))
    a, b = (random_unit(dice, card_of(name), 2, most_trays, False) for name in names)
    a, b = (replace(unit, **both(unit, card_of(name))) for unit, name in zip((a, b), names, strict=True))
    a, b = (changed(dice, unit, 0.2, trays_added=(1,), regenerate=("1", "2", "natural")) for unit in (a, b))
    a_how, other = random_how(dice), random_how(dice)
    b_how = replace(a_how, edges=other.edges, touches=other.touches, rerolls=other.rerolls, accuracy=other.accuracy)
    return DuelCase(
        names,
        Duel(
            a, b, a_how, b_how, dice.choice(("a", "b", "random")), dice.random() < 0.3, dice.choice((0, 0, 0, 1, 2)),
            dice.randrange(1, 7),
        ),
    )  # fmt: skip


FIELDS = (
    "columns", "ranks", "partial", "figures_per_tray", "wound_threshold", "wounds_suffered", "defence", "brutal",
    "lethal", "precise", "protected", "add_hits", "add_mortal_strikes", "upgrade_defence", "upgrade_health",
    "mortal_ward", "guard_rerolls", "regenerate", "trays_added",
)  # fmt: skip


def overrides(side: str, name: str, unit: Unit, ranged: bool = False) -> dict[str, Any]:
    """Return what differs from the card as overrides; how a unit stands always."""
    card = card_of(name)
    always = ("columns", "ranks", "partial")
    found = {field: getattr(unit, field) for field in FIELDS if field in always or differs(unit, card, field)}
    if unit.upgrade_health:
        found["upgrade_place"] = "centre" if unit.upgrade_in_centre else "end"
    if unit.conditions:
        found["conditions"] = ",".join(sorted(unit.conditions))
    profile = "ranged" if ranged else "dice"
    if differs(unit, card, profile):
        found |= dict(zip(("red", "blue", "white"), getattr(unit, profile), strict=True))
    abilities = "ranged_surges" if ranged else "surges"
    if differs(unit, card, abilities):
        found["surge_abilities"] = written(getattr(unit, abilities))
    return {f"{side}.{field}": value for field, value in found.items()}


def differs(unit: Unit, card: Unit, field: str) -> bool:
    return bool(getattr(unit, field) != getattr(card, field))


def rules(how: How) -> dict[str, Any]:
    return {
        "rules.partial_rank_threat": "original" if how.original_threat else "amended",
        "rules.lethal_without_damage": "needs_damage" if how.lethal_needs_damage else "always",
        "rules.unique_surges": "once" if how.unique_once_in_all else "each_card",
    }


def ask_attack(case: AttackCase) -> balance.Question:
    """Ask the game about an attack."""
    how = case.how
    changes = overrides("attacker", case.names[0], case.attacker, how.ranged)
    changes |= overrides("defender", case.names[1], case.defender) | rules(how)
    changes |= {"situation.edges": ",".join(how.edges), "situation.touches_partial": ",".join(how.touches)}
    changes["situation.attack"] = "ranged" if how.ranged else "melee"
    choices = {"attacker_rerolls": how.rerolls, "attacker_accuracy": how.accuracy, "attacker_surges": how.surges}
    return RUNEWARS.ask("attack", *case.names, changes, **choices)


def ask_duel(case: DuelCase) -> balance.Question:
    """Ask the game about a duel."""
    duel = case.duel
    changes = overrides("a", case.names[0], duel.a) | overrides("b", case.names[1], duel.b) | rules(duel.a_how)
    choices: dict[str, str] = {}
    for side, how in (("a", duel.a_how), ("b", duel.b_how)):
        changes |= {f"situation.{side}_edges": ",".join(how.edges)}
        changes |= {f"situation.{side}_touches_partial": ",".join(how.touches)}
        choices |= {f"{side}_rerolls": how.rerolls, f"{side}_accuracy": how.accuracy, f"{side}_surges": how.surges}
    changes |= {
        "situation.simultaneous": duel.simultaneous,
        "situation.volleys": duel.volleys,
        "situation.round_limit": duel.round_limit,
    }
    return RUNEWARS.ask("duel", *case.names, changes, first=duel.first, **choices)


def chances(question: balance.Question, columns: Sequence[str]) -> dict[tuple[int, ...], float]:
    """Return the joint distribution of the columns."""
    distribution = question.distribution
    places = [distribution.columns.index(column) for column in columns]
    found: dict[tuple[int, ...], float] = {}
    for row, weight in zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True):
        outcome = tuple(int(row[place]) for place in places)
        found[outcome] = found.get(outcome, 0.0) + float(Fraction(weight) / Fraction(distribution.total))
    return found


def our_attack(case: AttackCase) -> dict[tuple[int, ...], float]:
    return chances(ask_attack(case), COLUMNS)


def told_attack(case: AttackCase) -> dict[tuple[int, ...], float]:
    return {tuple(end): float(p) for end, p in attack_outcomes(case.attacker, case.defender, case.how).items()}


def our_duel(case: DuelCase) -> dict[tuple[int, ...], float]:
    return chances(ask_duel(case), DUEL_COLUMNS)


def told_duel(case: DuelCase) -> dict[tuple[int, ...], float]:
    return duel_outcomes(case.duel)


def apart(
    ours: Mapping[tuple[int, ...], float], theirs: Mapping[tuple[int, ...], float], by: float
) -> dict[tuple[int, ...], tuple[float, float]]:
    """Return the outcomes whose chances differ by more than so much."""
    found = {end: (ours.get(end, 0.0), theirs.get(end, 0.0)) for end in ours.keys() | theirs.keys()}
    return {end: pair for end, pair in found.items() if abs(pair[0] - pair[1]) > by}
