"""Random attacks and duels of Immortal Souls, small enough for the second telling, with every option of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.games.immortal_souls.reference import Attack, Defender, State
from tests.games.immortal_souls.reference_duel import Fighter, Rules
from tests.games.immortal_souls.reference_spending import RESULTS, Effect, Game, Token, counts, effects

READINGS = {
    "Q2": ("no hit needed", "a hit"),
    "Q3": ("lethal_first", "normal_first", "attacker_chooses"),
    "Q4": ("no", "yes"),
    "Q5": ("sum", "greatest"),
    "Q7": ("reduced", "not"),
    "Q8": ("yes", "no"),
    "Q21": ("wound", "nothing"),
    "Q35": ("each", "primary"),
    "Q39": ("yes", "no"),
}
OF_DUELS = {"Q40": ("no", "yes"), "Q44": ("wound", "nothing"), "Q45": ("no", "yes"), "supremacy": ("yes", "no")}
TYPES = ("arcane", "blunt", "piercing", "slashing")
BOUGHT = (
    "lethal1", "lethal2", "lethal", "critical", "ko", "armour-1", "armour-2", "poison1", "poison2", "blind", "slow",
    "stun", "fire1", "fire2", "hits1", "hits2", "push1",
)  # fmt: skip
RED = (
    Token(1, armour=-1),
    Token(1, armour=-2),
    Token(1, hits=-1),
    Token(1, health=-1),
    Token(1, health=-2),
    Token(1, silences=True),
)
AILMENTS = ("ko", "poison1", "poison2", "stun", "slow", "blind")


@dataclass(frozen=True)
class AttackCase:
    attack: Attack
    targets: tuple[Defender, ...]
    game: Game


@dataclass(frozen=True)
class DuelCase:
    """`a` is the hero."""

    a: Fighter
    b: Fighter
    rules: Rules


def written(offers: Sequence[Effect]) -> str:
    """Return effects as they are typed: `lethal1@ABI,ko@ABI+MAG`."""
    found = []
    for name, number, cost in offers:
        paid = "+".join(result for result, n in zip(RESULTS, cost, strict=True) for _ in range(n))
        found.append(f"{name}{'' if number is None else number}@{paid}")
    return ",".join(found)


def random_effects(
    dice: Random,
    names: Sequence[str],
    most: int,
    few: Sequence[str] = ("ABI", "MAG"),
    dear: Sequence[int] = (1, 6, 4, 1),
) -> str:
    """Return up to so many effects; what they cost is mostly of a `few` results, so that they compete.

    `dear`: how often one costs no, one, two or three results.
    """
    found = []
    for _ in range(dice.randrange(most + 1)):
        size = dice.choices((0, 1, 2, 3), dear)[0]
        cost = "+".join(dice.choice(few if dice.random() < 0.8 else RESULTS) for _ in range(size))
        found.append(f"{dice.choice(names)}@{cost}")
    return ",".join(found)


def random_state(dice: Random) -> State:
    return State(shields=dice.choice((0, 0, 1, 2)), ko=dice.choice((0, 0, 0, 1)), poison=dice.choice((0, 0, 0, 1, 2)))


def random_defender(dice: Random, spending: str) -> Defender:
    kinds = [prefix + kind for prefix in ("", "all_but_") for kind in TYPES]
    modifiers = {dice.choice(kinds): dice.choice((-2, -1, -1, 1, 2)) for _ in range(dice.choice((0, 1, 1, 2)))}
    names = ("shield1", "shield2", *(("reroll",) if dice.random() < 0.5 else ()))
    return Defender(
        armour=dice.choice((0, 0, 1, 2, 3)),
        defence_dice=dice.randrange(4),
        modifiers=tuple(modifiers.items()),
        effects=effects(random_effects(dice, names, 2, ("ABI", "SHD"))),
        spending=spending,
        state=random_state(dice),
    )


def random_weapon(dice: Random, spending: str, most_effects: int = 5, most_dice: int = 2) -> Attack:
    names = (*BOUGHT, *(("reroll",) * 2 if dice.random() < 0.3 else ()))
    return Attack(
        sure=dice.choice((0, 0, 1, 2)),
        red=dice.randrange(most_dice + 1),
        blue=dice.randrange(most_dice + 1),
        bonus_hits=dice.choice((0, 0, 0, 1, 2)),
        damage_type=dice.choice(("none", *TYPES)),
        effects=effects(random_effects(dice, names, most_effects)),
        spending=spending,
    )


def random_options(dice: Random, *readings: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, str], ...]:
    """Return the usual reading of most options."""
    return tuple(
        (name, dice.choice(ways)) for reading in readings for name, ways in reading.items() if dice.random() < 0.3
    )


def random_bag(dice: Random) -> tuple[Token, ...]:
    """Return up to four kinds of critical tokens, of all colours."""
    kinds = [Token(1), Token(1, wounds=1), Token(1, wounds=2), *RED]
    kinds += [Token(1, condition=condition) for condition in AILMENTS]
    return tuple(token._replace(tokens=dice.randrange(1, 5)) for token in dice.sample(kinds, dice.randrange(1, 5)))


def random_faces(dice: Random) -> tuple[str, ...]:
    return tuple(" ".join(dice.choices(RESULTS, (4, 3, 3, 4, 1, 1), k=dice.choice((1, 2)))) for _ in range(10))


def random_game(seed: int) -> Game:
    """Return other dice and another bag."""
    dice = Random(seed)
    return Game(random_faces(dice), random_faces(dice), random_bag(dice))


def random_attack(seed: int, n_targets: int = 1, *, fixed: bool = False, bag: bool = False) -> AttackCase:
    """Return an attack of a hero or an enemy on so many opponents; `fixed`: on a roll that is settled."""
    dice = Random(seed)
    attack = random_weapon(dice, dice.choice(("most_wounds", "dearest")))
    if n_targets > 1 and dice.random() < 0.7:
        area = effects("area0@" + dice.choice(("", "ABI", "MAG+MAG")))
        attack = replace(attack, effects=attack.effects[:4] + area)
    if fixed:
        attack = replace(attack, roll=counts(",".join(dice.choices(RESULTS, k=dice.randrange(1, 7)))))
    spending = dice.choice(("fewest_wounds", "dearest"))
    targets = tuple(random_defender(dice, spending) for _ in range(n_targets))
    game = Game(options=random_options(dice, READINGS))
    return AttackCase(attack, targets, replace(game, bag=random_bag(dice)) if bag else game)


def random_fighter(dice: Random, hero: bool, cheap: bool) -> Fighter:
    by_rules = dice.random() < 0.7
    spending = "most_wounds" if hero == by_rules else "dearest"
    defender = random_defender(dice, "fewest_wounds" if hero == by_rules else "dearest")
    weapon = random_weapon(dice, spending, 2, 1)
    if cheap:
        weapon = replace(weapon, effects=effects(random_effects(dice, BOUGHT[3:14], 3, ("HIT", "SHD"), (4, 4, 1, 0))))
    return Fighter(
        health=dice.randrange(2, 8) if cheap else dice.randrange(1, 6),
        weapon=weapon,
        defender=replace(defender, effects=defender.effects[:1]),
        combat_activities=dice.choice((1, 1, 2)),
        fire1=dice.choice((0, 0, 0, 1)),
        fire2=dice.choice((0, 0, 0, 1)),
    )


def random_duel(seed: int, *, bag: bool = False, cheap: bool = False) -> DuelCase:
    """Return a short duel of weak fighters; `cheap`: their conditions cost little, so that there are many."""
    dice = Random(seed)
    a, b = random_fighter(dice, True, cheap), random_fighter(dice, False, cheap)
    a = replace(a, save=dice.choice(RESULTS), focus=dice.random() < 0.4)
    if dice.random() < 0.6:
        power = random_weapon(dice, a.weapon.spending, 2, 1)
        power = replace(power, bonus_hits=a.weapon.bonus_hits, damage_type=a.weapon.damage_type)
        a = replace(a, power=power, cooldown=dice.randrange(1, 5))
    game = Game(options=random_options(dice, READINGS, OF_DUELS))
    game = replace(game, bag=random_bag(dice)) if bag else game
    chance, turns = dice.choice((0.25, 0.5, 1.0, 1.0)), dice.choice((1, 1, 1, 2))
    return DuelCase(a, b, Rules(dice.randrange(1, 6), chance, game, turns))
