"""An independent twin of the laws of dice: every way the dice can fall, counted one by one in fractions.

Written from docs/reference/dice.md. It makes an expression and its law side by side and reads no text, so that it
shares neither the reader nor one line of the laws with `balance.dice`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import floor, prod
from typing import TypeAlias

Law: TypeAlias = dict[int, Fraction]
Rolls: TypeAlias = dict[tuple[int, ...], Fraction]
"""All rolls of one die, the extra ones too -> chance."""
Made: TypeAlias = tuple[str, Law]
MOST_WAYS = 6000


class TooMany(Exception):  # noqa: N818 - another expression is made
    """There are more ways than the twin counts."""


def law_of(pairs: Iterable[tuple[int, Fraction]]) -> Law:
    found: Law = {}
    for value, chance in pairs:
        found[value] = found.get(value, Fraction()) + chance
    return {value: chance for value, chance in sorted(found.items()) if chance}


def combined(laws: Sequence[Law], function: Callable[[tuple[int, ...]], int]) -> Law:
    """Return the law of a function of independent values, all combinations of them one by one."""
    if prod(map(len, laws)) > MOST_WAYS:
        raise TooMany
    ways = itertools.product(*(law.items() for law in laws))
    return law_of((function(tuple(v for v, _ in way)), prod((p for _, p in way), start=Fraction(1))) for way in ways)


# -- one die ----------------------------------------------------------------------------------------------------------


def some_faces(luck: random.Random, faces: Sequence[int]) -> tuple[str, set[int]]:
    """Return some of the faces as text, and which they are."""
    low, high = min(faces), max(faces)
    value = luck.randint(low, high)
    other = luck.randint(low, high)
    choices: list[tuple[str, set[int]]] = [
        (f"{value}", {value}),
        (f">={value}", {f for f in faces if f >= value}),
        (f"<= {value}", {f for f in faces if f <= value}),
        (f">{value}", {f for f in faces if f > value}),
        (f"<{value}", {f for f in faces if f < value}),
        (f"!={value}", {f for f in faces if f != value}),
        (f"{value},{other}", {value, other}),
        (f"{min(value, other)}-{max(value, other)}", set(range(min(value, other), max(value, other) + 1))),
        (f"{value}+", {f for f in faces if f >= value}),
    ]
    text, found = luck.choice(choices if low >= 0 else choices[:7])
    if luck.random() < 0.1:
        return f"failing {text}", set(faces) - found
    return text, found & set(faces)


def one_die(luck: random.Random) -> tuple[str, list[int]]:
    """Return a die as text and its faces, one as likely as the other."""
    kind = luck.random()
    if kind < 0.5:
        sides = luck.choice((2, 3, 4, 6))
        return f"d{sides}", list(range(1, sides + 1))
    if kind < 0.65:
        return "dF", [-1, 0, 1]
    if kind < 0.8:
        times = [luck.randint(1, 3) for _ in range(luck.randint(2, 3))]
        values = [luck.randint(-2, 5) for _ in times]
        text = ",".join(f"{value}*{many}" for value, many in zip(values, times, strict=True))
        return f"d{{{text}}}", [value for value, many in zip(values, times, strict=True) for _ in range(many)]
    faces = [luck.randint(-1, 7) for _ in range(luck.randint(1, 5))]
    return f"d{{{', '.join(map(str, faces))}}}", faces


def single(faces: Sequence[int], again: set[int], always: bool) -> Law:
    """Return the law of one roll with its re-roll."""
    each = Fraction(1, len(faces))
    if always:
        kept = [face for face in faces if face not in again]
        return law_of((face, Fraction(1, len(kept))) for face in kept)
    ways = [(face, each) for face in faces if face not in again]
    ways += [(second, each * each) for face in faces if face in again for second in faces]
    return law_of(ways)


def chain(roll: Law, again: set[int], most: int) -> Rolls:
    """Return all rolls of one die that is rolled again after some faces, at most so many times."""
    found: Rolls = {}
    growing: Rolls = {(): Fraction(1)}
    for extra in range(most + 1):
        longer: Rolls = {}
        for before, chance in growing.items():
            for value, own in roll.items():
                ends = value not in again or extra == most
                (found if ends else longer)[(*before, value)] = chance * own
        growing = longer
    return found


# -- a pool -----------------------------------------------------------------------------------------------------------


def pool(luck: random.Random, many: Law | None = None, text: str = "") -> Made:
    """Return a pool of small dice and all that may be done with them; `many` says how many where that is rolled."""
    die, faces = one_die(luck)
    n = luck.randint(1, 4)
    words, again, always = [], set[int](), False
    if luck.random() < 0.3:
        told, again = some_faces(luck, faces)
        always = luck.random() < 0.5 and again != set(faces)
        words.append(f"reroll {'always ' if always else luck.choice(('', 'once '))}{told}")
    roll = single(faces, again, always)
    explosion, together, rolls = "", False, chain(roll, set(), 0)
    if luck.random() < 0.35:
        explosion, together, rolls = exploding(luck, roll, faces)
    least, most = ends(luck, faces) if luck.random() < 0.2 else (None, None)
    words += [f"each at {word} {end}" for word, end in (("least", least), ("most", most)) if end is not None]
    rolls = {(value,): p for value, p in within(rolls, least, most).items()} if (least, most) != (None, None) else rolls
    picks = dropping(luck, n) if luck.random() < 0.4 and many is None else []
    words += [told for told, _ in picks]
    counts: Callable[[int], int] | None = None
    if luck.random() < 0.4:
        told, counts = counting(luck, faces)
        words.append(told)
    luck.shuffle(words)
    if [word for word in words if word[:4] in ("keep", "drop")] != [told for told, _ in picks]:
        words = [told for told, _ in picks] + [word for word in words if word[:4] not in ("keep", "drop")]
    begin = f"{n}{die}{explosion}" if many is None else f"{text}{die}{explosion}"
    apart = bool(explosion) and not together and not picks and (least, most) == (None, None)
    numbers = many if many is not None else {n: Fraction(1)}
    return " ".join([begin, *words]), pooled(numbers, rolls, [keep for _, keep in picks], counts, apart)


def pooled(
    many: Law,
    rolls: Rolls,
    picks: Sequence[Callable[[list[int]], list[int]]],
    counts: Callable[[int], int] | None,
    apart: bool,
) -> Law:
    """Return the law of a pool, each way its dice can fall by itself."""
    if sum(len(rolls) ** n for n in many) > MOST_WAYS:
        raise TooMany
    pairs = []
    for n, share in many.items():
        for way in itertools.product(rolls.items(), repeat=n):
            chance = prod((p for _, p in way), start=share)
            shown = [sum(row) for row, _ in way]
            for keep in picks:
                shown = keep(sorted(shown))
            if counts is not None:
                shown = [counts(value) for row, _ in way for value in row] if apart else [counts(v) for v in shown]
            pairs.append((sum(shown), chance))
    return law_of(pairs)


def ends(luck: random.Random, faces: Sequence[int]) -> tuple[int | None, int | None]:
    """Return the least and the most that a die counts as, one of them at least."""
    low, high = sorted(luck.randint(min(faces), max(faces) + 1) for _ in range(2))
    return luck.choice(((low, None), (None, high), (low, high)))


def within(rolls: Rolls, least: int | None, most: int | None) -> Law:
    """Return the law of what a die counts as."""
    low, high = -(10**9) if least is None else least, 10**9 if most is None else most
    return law_of((max(low, min(high, sum(row))), chance) for row, chance in rolls.items())


def exploding(luck: random.Random, roll: Law, faces: Sequence[int]) -> tuple[str, bool, Rolls]:
    """Return an explosion that ends: as text, whether a die is one sum, and all rolls of a die."""
    together = luck.random() < 0.4
    sign, most = "!!" if together else "!", luck.randint(1, 2)
    told, again = "", {max(roll)}
    if luck.random() < 0.5:
        told, again = some_faces(luck, faces)
        told = f" {told}" if told[0] == "!" else told  # as !!=1 is !! and =1
    if not again or told[:1] == "-":  # what is below 0 would be taken off
        told, again = "", {max(roll)}
    times = "once" if most == 1 and luck.random() < 0.5 else f"at most {most}"
    return f"{sign}{told} {times}", together, chain(roll, again, most)


def dropping(luck: random.Random, n: int) -> list[tuple[str, Callable[[list[int]], list[int]]]]:
    """Return what stays of n dice, as text and as a function of the dice in rising order."""
    k = luck.randint(1, n)
    found: list[tuple[str, Callable[[list[int]], list[int]]]] = [
        (f"keep {k}", lambda dice: dice[-k:]),
        (f"keep highest {k}", lambda dice: dice[-k:]),
        (f"keep lowest {k}", lambda dice: dice[:k]),
    ]
    if k < n:
        found += [(f"drop {k}", lambda dice: dice[k:]), (f"drop highest {k}", lambda dice: dice[: len(dice) - k])]
    first = luck.choice(found)
    if n > 2 and luck.random() < 0.3:
        return [("drop lowest 1", lambda dice: dice[1:]), ("drop highest 1", lambda dice: dice[:-1])]
    return [first]


def counting(luck: random.Random, faces: Sequence[int]) -> tuple[str, Callable[[int], int]]:
    """Return what is counted; a die's sum may be none of its faces, so the texts compare."""
    value = luck.randint(min(faces), max(faces))
    holds: dict[str, Callable[[int], bool]] = {
        f">={value}": lambda shown: shown >= value,
        f"<={value}": lambda shown: shown <= value,
        f"{value}": lambda shown: shown == value,
        f"!={value}": lambda shown: shown != value,
    }
    text = luck.choice(list(holds))
    test = holds[text]
    extra = luck.random()
    if extra < 0.15:
        return f"count {text} twice", lambda shown: 2 * test(shown)
    if extra < 0.3:
        top = max(faces)
        return f"count {text} double {top}", lambda shown: 2 if shown == top else int(test(shown))
    if extra < 0.45:
        low = min(faces)
        return f"count {text} cancel {low}", lambda shown: test(shown) - (shown == low)
    return f"count {text}", lambda shown: int(test(shown))


# -- expressions ------------------------------------------------------------------------------------------------------

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda x, y: x >= y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    "<": lambda x, y: x < y,
    "=": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


def expression(luck: random.Random, deep: int = 2) -> Made:
    """Return an expression and its law; of a contest that of the margin."""
    one = pool(luck)
    kind = luck.random()
    if deep == 0 or kind < 0.4:
        return one
    if kind < 0.55:
        number, sign = luck.randint(0, 4), luck.choice("+-*")
        told, law = expression(luck, deep - 1)
        do: dict[str, Callable[[int], int]] = {
            "+": lambda v: v + number,
            "-": lambda v: v - number,
            "*": lambda v: v * number,
        }
        return f"({told}) {sign} {number}", law_of((do[sign](v), p) for v, p in law.items())
    if kind < 0.6:
        told, law = expression(luck, deep - 1)
        by = luck.randint(1, 3)
        rounded: dict[str, Callable[[int], int]] = {
            "// {}": lambda v: (v - v % by) // by,
            "/ {} rounded up": lambda v: (v + -v % by) // by,
            "/ {} rounded off": lambda v: floor(Fraction(v, by) + Fraction(1, 2)),
        }
        way = luck.choice(list(rounded))
        return f"({told}) {way.format(by)}", law_of((rounded[way](v), p) for v, p in law.items())
    if kind < 0.7:
        told, law = pool(luck)
        if min(law) >= 0 and max(law) <= 3:
            return then(luck, told, law)
    other = expression(luck, deep - 1)
    laws = [one[1], other[1]]
    if kind < 0.8:
        sign = luck.choice("+-*")
        two: dict[str, Callable[[tuple[int, ...]], int]] = {"+": sum, "-": lambda v: v[0] - v[1], "*": prod}
        return f"({one[0]}) {sign} ({other[0]})", combined(laws, two[sign])
    if kind < 0.9:
        return best(luck, [one, other, pool(luck)])
    sign = luck.choice(list(COMPARE))
    return f"({one[0]}) {sign} ({other[0]})", combined(laws, lambda v: int(COMPARE[sign](*v)))


def then(luck: random.Random, told: str, law: Law) -> Made:
    if luck.random() < 0.5:
        return pool(luck, law, f"({told})")
    return pool(luck, law, f"{told} then ")


def best(luck: random.Random, parts: list[Made]) -> Made:
    inner = ", ".join(f"({told})" for told, _ in parts)
    laws = [law for _, law in parts]
    if luck.random() < 0.5:
        return f"max({inner})", combined(laws, max)
    if luck.random() < 0.5:
        return f"lowest of ({inner})", combined(laws, min)
    return f"highest 2 of ({inner})", combined(laws, lambda values: sum(sorted(values)[-2:]))


def expressions(seed: int, many: int) -> list[Made]:
    """Return so many expressions with their laws."""
    luck, found = random.Random(seed), list[Made]()
    while len(found) < many:
        try:
            found.append(expression(luck))
        except TooMany:
            continue
    return found
