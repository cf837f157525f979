"""How many flags a unit may ignore: BL-MOR, BL-DWF, BL-GOB and BL-CRE-05, with BL-Q01; and who battles back."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.rules.dice import Ground
from balance.games.battlelore.ruleset import BattleLoreRules, MoraleRule
from balance.games.battlelore.sides import Fighter

Truths: TypeAlias = IntArray | BoolArray | int


def flags_it_may_ignore(
    fighter: Fighter, ground: Ground, is_supported: bool, cards: int, rules: BattleLoreRules, morale: MoraleRule
) -> int:
    """Return N of Bold N: 0 for a unit of normal morale; for a creature, what it must ignore.

    Support takes two friendly units or more beside it, and never helps a creature (BL-CRE-06); `cards` are further
    flags, as by a Lore card.
    """
    place_bold = ground.bold(creature=fighter.is_creature)
    return bold_of_sources(fighter, place_bold, is_supported, cards, rules, morale)


def bold_of_sources(
    fighter: Fighter, place_bold: int, is_supported: bool, cards: int, rules: BattleLoreRules, morale: MoraleRule
) -> int:
    """Return N of Bold N; `place_bold` are flags of its place (`Ground.bold`), see also `flags_it_may_ignore`."""
    if fighter.is_creature:
        return max(morale.creature_bold, place_bold) + cards
    race = fighter.race.mounted_bold if fighter.unit.kind == "mounted" else fighter.race.foot_bold
    support = morale.support_bold if is_supported else 0
    sources = [race, support, place_bold, cards]
    if rules.bold_sources == "add" or (rules.bold_sources == "dwarves_only" and race):
        return sum(sources)
    return max(sources)


def battles_back(held: Truths, bold: Truths, webbed: Truths, ignored: IntArray, needs_flag: bool) -> BoolArray:
    """Return which units may battle back: those that held their hexes, Bold and in no web (BL-POST-10 to BL-POST-14).

    Values are `[n]`, or one for all; `needs_flag` is the reading of BL-Q12 that a unit must have ignored a flag.
    """
    able = np.asarray((held > 0) & (bold > 0) & (webbed == 0))
    return able & (ignored > 0) if needs_flag else able
