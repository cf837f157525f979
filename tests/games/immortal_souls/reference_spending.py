"""What results are, what dice throw and what results buy in Immortal Souls, told a second time in plain Python.

What the ledger leaves open is asked of `Game.options` by the number of its question (IS-Q3 is `"Q3"`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

F = Fraction
RESULTS = ("HIT", "ABI", "MAG", "SHD", "LEG", "MIS")
HIT, SHD = 0, 3
Counts = tuple[int, ...]
"""How many of each of `RESULTS`."""
SAME = F(1, 10**9)

OPTIONS = {
    "Q2": "no hit needed",  # or "a hit": armour, conditions and fire also need a hit
    "Q3": "lethal_first",  # or "normal_first", "attacker_chooses": whom a resistance takes from
    "Q4": "no",  # or "yes": a weakness makes a hit of none
    "Q5": "sum",  # or "greatest": two lethal effects
    "Q7": "reduced",  # or "not": an attack without a type against "all but"
    "Q8": "yes",  # or "no": bonus hits also with a roll of nothing
    "Q21": "wound",  # or "nothing": K.O. on K.O.
    "Q35": "each",  # or "primary": who draws a critical in an area
    "Q39": "yes",  # or "no": a bought condition that is there already is a wound
    "Q40": "no",  # or "yes": a stunned enemy stands up
    "Q44": "wound",  # or "nothing": a lesser red critical on a greater one
    "Q45": "no",  # or "yes": a wasted activity uses up the power
    "supremacy": "yes",  # or "no": one more hit against an only opponent that is K.O.
}

PLACEHOLDER_RED = ("MIS", "HIT", "HIT", "HIT", "HIT HIT", "HIT ABI", "HIT ABI", "HIT MAG", "ABI ABI", "MAG LEG")
PLACEHOLDER_BLUE = ("MIS", "HIT", "HIT", "SHD", "SHD", "HIT SHD", "SHD ABI", "ABI", "MAG", "HIT MAG")


class Effect(NamedTuple):
    """What results buy: `lethal` without a number is all hits; `cost` counts results."""

    name: str
    number: int | None
    cost: Counts


class Token(NamedTuple):
    """A kind of critical token: `tokens` of it in the bag. Armour, hits and health are red and never positive.

    Who is silenced, by a red token too, buys no effects.
    """

    tokens: int
    wounds: int = 0
    armour: int = 0
    hits: int = 0
    health: int = 0
    condition: str = ""
    silences: bool = False


PLACEHOLDER_BAG = (Token(5, wounds=1), Token(2, wounds=2), Token(3, armour=-1), Token(5))


@dataclass(frozen=True)
class Game:
    red: tuple[str, ...] = PLACEHOLDER_RED
    blue: tuple[str, ...] = PLACEHOLDER_BLUE
    bag: tuple[Token, ...] = PLACEHOLDER_BAG
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, _ in self.options:
            assert name in OPTIONS, name

    def has(self, name: str) -> str:
        return dict(self.options).get(name, OPTIONS[name])


def counts(results: str) -> Counts:
    """Return how many of each result a text such as `ABI+MAG` or `HIT,HIT` or `HIT ABI` names."""
    names = results.replace("+", " ").replace(",", " ").split()
    assert set(names) <= set(RESULTS), names
    return tuple(names.count(result) for result in RESULTS)


def effects(text: str) -> tuple[Effect, ...]:
    """Return the effects of a text such as `lethal1@ABI,ko@ABI+MAG,poison1@`."""
    found = []
    for one in filter(None, text.split(",")):
        what, cost = one.split("@")
        name = what.rstrip("-0123456789")
        found.append(Effect(name, int(what[len(name) :]) if what != name else None, counts(cost)))
    return tuple(found)


def minus(results: Counts, cost: Counts) -> Counts | None:
    """Return what is left of results once a cost is paid; None where they do not suffice."""
    left = tuple(have - due for have, due in zip(results, cost, strict=True))
    return None if min(left) < 0 else left


def thrown(n_red: int, n_blue: int, game: Game) -> dict[Counts, Fraction]:
    """Return the chance of each set of results of dice thrown together."""
    return one_by_one((game.red,) * n_red + (game.blue,) * n_blue)


@cache
def one_by_one(dice: tuple[tuple[str, ...], ...]) -> dict[Counts, Fraction]:
    """Return the chance of each set of results of dice, by their faces, one die after the other."""
    found: dict[Counts, Fraction] = {(0,) * len(RESULTS): F(1)}
    for faces in dice:
        more: dict[Counts, Fraction] = {}
        for results, p in found.items():
            for face in faces:
                both = tuple(map(sum, zip(results, counts(face), strict=True)))
                more[both] = more.get(both, F(0)) + p / len(faces)
        found = more
    return found


# Spending. A re-roll is settled before anything else is bought, so none of these sets holds one.


def affordable(offers: tuple[Effect, ...], results: Counts) -> Iterator[tuple[int, ...]]:
    """Give every set of effects that results can pay, by their places; what costs nothing is in each of them."""
    places = [i for i, effect in enumerate(offers) if effect.name != "reroll"]
    free = {i for i in places if not any(offers[i].cost)}
    for size in range(len(places) + 1):
        for chosen in combinations(places, size):
            due = tuple(sum(offers[i].cost[r] for i in chosen) for r in range(len(RESULTS)))
            if free <= set(chosen) and minus(results, due) is not None:
                yield chosen


def best(offers: tuple[Effect, ...], results: Counts, worth: Callable[[tuple[int, ...]], Fraction]) -> tuple[int, ...]:
    """Return the affordable set of greatest worth: if equal within 1e-9 more effects, then the smaller places."""
    worths = {chosen: worth(chosen) for chosen in affordable(offers, results)}
    most = max(worths.values())
    return min((chosen for chosen in worths if worths[chosen] >= most - SAME), key=lambda one: (-len(one), one))


def dearest(offers: tuple[Effect, ...], results: Counts) -> tuple[int, ...]:
    """Return what compulsion buys: what costs most results first, as printed if equal, each if it can be paid."""
    bought = []
    for i in sorted(range(len(offers)), key=lambda i: -sum(offers[i].cost)):
        left = minus(results, offers[i].cost)
        if offers[i].name != "reroll" and left is not None:
            bought.append(i)
            results = left
    return tuple(bought)


def settled(
    first: Counts,
    dice: tuple[int, int],
    offers: tuple[Effect, ...],
    compelled: bool,
    worth: Callable[[Counts], Fraction],
    game: Game,
) -> dict[tuple[Counts, int], Fraction]:
    """Return {(results, re-rolled or not): chance} once a re-roll, if there is one to pay for, is settled."""
    if not any(effect.name == "reroll" and minus(first, effect.cost) is not None for effect in offers):
        return {(first, 0): F(1)}
    again = thrown(*dice, game)
    if compelled or sum(p * worth(results) for results, p in again.items()) > worth(first) + SAME:
        return {(results, 1): p for results, p in again.items()}
    return {(first, 0): F(1)}
