"""Attack dice against defence dice: sixes are critical, and what the defender rolls cancels.

A critical save cancels a critical hit, or a hit; a save cancels a hit; two saves that no hit needs cancel a critical.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from tests.rulebook.published.references.chances import Card, Law, become, die, has, side_by_side, sure, tally, then
from tests.rulebook.published.references.duels import take_turns


def successes(dice: int, least: int, again: int = 1) -> Law[tuple[int, ...]]:
    """Return the joint law of the plain successes (`least` to 5) and the criticals (6) of so many dice.

    Dice below `again` are rolled once more.
    """
    face = then(die(6), lambda shown: die(6) if shown < again else sure(shown))
    return tally(become(face, lambda shown: (int(least <= shown < 6), int(shown == 6))), dice)


def with_one_again(dice: int, least: int) -> Law[tuple[int, ...]]:
    """Return the same where one of the dice that failed, if any did, is rolled once more."""

    def after(rolled: tuple[int, ...]) -> Law[tuple[int, ...]]:
        if sum(rolled) == dice:
            return sure(rolled)
        return become(successes(1, least), lambda more: (rolled[0] + more[0], rolled[1] + more[1]))

    return then(successes(dice, least), after)


def past_defence(hits: tuple[int, int], saves: tuple[int, int]) -> tuple[int, int]:
    """Return the plain and critical hits that are left when the defender cancels by the order above.

    >>> past_defence((2, 1), (0, 1)), past_defence((1, 2), (3, 0)), past_defence((2, 0), (1, 1))
    ((2, 0), (0, 1), (0, 0))
    """
    (plain, critical), (save, critical_save) = hits, saves
    spare = max(0, critical_save - critical)
    pairs = max(0, save - plain) // 2
    return max(0, plain - save - spare), max(0, critical - critical_save - pairs)


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the wounds lost.

    A `relentless` attacker rolls all dice that fail once more, a `balanced` attacker a single die of them.
    """
    again = me["skill"] if has(me, "relentless") else 1
    rolled = with_one_again if has(me, "balanced") else partial(successes, again=again)
    hits = rolled(me["attacks"], me["skill"])
    saves = successes(foe["defence"], foe["save"])

    def lost(dice: tuple[tuple[int, int], tuple[int, int]]) -> int:
        plain, critical = past_defence(*dice)
        return int(min(foe["wounds"], plain * me["damage"] + critical * me["critical"]))

    return become(side_by_side(hits, saves), lost)


def chance_past(hit: Fraction, evade: Fraction) -> Fraction:
    """Return the chance that one attack die gets past one defence die: `hit * (1 - evade)`."""
    return hit * (1 - evade)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first attacks, then the second, and so on."""
    cards = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        law = attack(cards[side], {**cards[1 - side], "wounds": theirs})
        return become(law, lambda lost: (mine, theirs - lost))

    return take_turns(first["wounds"], second["wounds"], act, lambda wounds: wounds == 0)
