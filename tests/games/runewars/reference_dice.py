"""Dice of Runewars told again with dictionaries: faces, throws merged as multisets, and who rolls what again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

Die = tuple[str, str]
"""Colour and face, the words of its icons separated by blanks."""
Dice = tuple[Die, ...]
"""Dice on the table, sorted."""
Chances = dict[Dice, Fraction]
Icons = tuple[int, int, int, int, int]
"""Hits, surges, accuracies, mortal strikes, morale."""

COLOURS = ("red", "blue", "white")
WORDS = ("hit", "surge", "accuracy", "mortal", "morale")
FACES = {
    "red": ("", "", "hit", "hit", "morale", "hit hit", "hit morale", "hit surge"),
    "blue": ("", "hit", "hit", "surge", "accuracy", "hit surge", "hit accuracy", "surge surge"),
    "white": (
        "", "mortal", "hit", "hit", "hit", "hit hit", "hit surge", "hit surge", "hit accuracy", "hit morale",
        "surge surge", "surge morale",
    ),
}  # fmt: skip
MEAN = {"white": Fraction(10, 12), "red": Fraction(6, 8), "blue": Fraction(4, 8)}
"""Hits and mortal strikes of a die on average."""
RUNES = (("", "unstable unstable"), ("stable", "stable"), ("natural", "stable"), ("", "natural"),
         ("natural", "unstable unstable"))  # fmt: skip


def runes_thrown() -> dict[tuple[tuple[str, int], ...], Fraction]:
    """Return how often each kind of rune shows on five two-sided tokens."""
    found: dict[tuple[tuple[str, int], ...], Fraction] = {}
    for sides in product(*RUNES):
        words = " ".join(sides).split()
        key = tuple((kind, words.count(kind)) for kind in ("stable", "natural", "unstable"))
        found[key] = found.get(key, Fraction(0)) + Fraction(1, 32)
    return found


def names_runes(text: str) -> bool:
    return any(not part.strip().isdigit() for part in text.split("+"))


def amount(text: str, runes: Mapping[str, int]) -> int:
    """Return what `2`, `stable` or `1+stable` comes to."""
    return sum(int(part) if part.isdigit() else runes[part] for part in text.split("+"))


@cache
def throw(red: int, blue: int, white: int) -> Chances:
    """Return the chances of all falls of so many dice, one die after the other."""
    for colour, n, rest in (
        ("red", red, (red - 1, blue, white)),
        ("blue", blue, (red, blue - 1, white)),
        ("white", white, (red, blue, white - 1)),
    ):
        if n:
            found: Chances = {}
            for others, p in throw(*rest).items():
                for face in FACES[colour]:
                    dice = tuple(sorted((*others, (colour, face))))
                    found[dice] = found.get(dice, Fraction(0)) + p / len(FACES[colour])
            return found
    return {(): Fraction(1)}


@cache
def strikes(die: Die) -> int:
    """Return the hits and mortal strikes of a die."""
    words = die[1].split()
    return words.count("hit") + words.count("mortal")


@cache
def totals(dice: Dice) -> Icons:
    words = " ".join(face for _, face in dice).split()
    hits, surges, accuracy, mortal, morale = (words.count(word) for word in WORDS)
    return hits, surges, accuracy, mortal, morale


def spread(chances: Chances, choose: Callable[[Dice], Dice]) -> Chances:
    """Return the chances after each fall's chosen dice were thrown again; what they showed is forgotten first."""
    waiting: dict[tuple[Dice, tuple[int, int, int]], Fraction] = {}
    for dice, p in chances.items():
        chosen = choose(dice)
        key = set_aside(dice, chosen), colours_of(chosen)
        waiting[key] = waiting.get(key, Fraction(0)) + p
    found: Chances = {}
    for (kept, n), p in waiting.items():
        for new, q in throw(*n).items():
            dice = tuple(sorted(kept + new))
            found[dice] = found.get(dice, Fraction(0)) + p * q
    return found


def set_aside(dice: Dice, chosen: Dice) -> Dice:
    """Return the dice without the chosen ones."""
    kept = list(dice)
    for die in chosen:
        kept.remove(die)
    return tuple(kept)


def colours_of(dice: Dice) -> tuple[int, int, int]:
    red, blue, white = (sum(colour == other for other, _ in dice) for colour in COLOURS)
    return red, blue, white


def idle(dice: Dice) -> Dice:
    return tuple(die for die in dice if not strikes(die))


def poorest(dice: Dice) -> Dice:
    """Return the one die that a partial rank rolls again, if any has no hit and no mortal strike (RW-Q12)."""

    def order(die: Die) -> tuple[Fraction, int, int, int]:
        words = die[1].split()
        return -MEAN[die[0]], len(words), words.count("surge"), words.count("accuracy")

    return tuple(sorted(idle(dice), key=order)[:1])


def guarded(dice: Dice, n: int) -> Dice:
    """Return the dice that a defender has rolled again: those that strike most, equals as `guard_order` says."""
    return tuple(sorted((die for die in dice if strikes(die)), key=guard_order)[:n])


def guard_order(die: Die) -> tuple[int, ...]:
    return -strikes(die), COLOURS.index(die[0]), FACES[die[0]].index(die[1])


def after_guard(chances: Chances, n: int) -> Chances:
    return spread(chances, lambda dice: guarded(dice, n)) if n else chances


def after_rerolls(chances: Chances, policy: str, times: int, single: bool) -> Chances:
    """Return the chances after the re-rolls of the ranks, for the policies `no_hit` and `none`."""
    if policy == "none":
        return chances
    for _ in range(times):
        chances = spread(chances, idle)
    return spread(chances, poorest) if single else chances


def some_of(dice: Dice) -> Iterable[Dice]:
    """Return every choice of the dice, the smallest first."""
    found: set[Dice] = {()}
    for die in dice:
        found |= {(*chosen, die) for chosen in found}
    return sorted(found, key=lambda chosen: (len(chosen), chosen))


def after_rerolls_best(chances: Chances, times: int, single: bool, value: Callable[[Dice], Fraction]) -> Chances:
    """Return the chances if every re-roll is for the greatest expected value, of equals with the fewest dice.

    `expected(dice, steps)` is the value of the dice on the table with so many steps to come, the last of them that of
    the partial rank.
    """
    choices: dict[tuple[Dice, int], Dice] = {}
    n_steps = times + single

    @cache
    def expected(dice: Dice, steps: int) -> Fraction:
        if not steps:
            return value(dice)
        one_only = single and steps == 1
        best = Fraction(-1)
        for chosen in some_of(dice):
            if one_only and len(chosen) > 1:
                break
            found = after_choice(set_aside(dice, chosen), colours_of(chosen), steps)
            if found > best:
                best, choices[dice, steps] = found, chosen
        return best

    @cache
    def after_choice(kept: Dice, n: tuple[int, int, int], steps: int) -> Fraction:
        return sum((p * expected(tuple(sorted((*kept, *new))), steps - 1) for new, p in throw(*n).items()), Fraction(0))

    for dice in chances:
        expected(dice, n_steps)
    for steps in range(n_steps, 0, -1):
        chances = spread(chances, lambda dice, steps=steps: choices[dice, steps])  # type: ignore[misc]
    return chances
