"""The dice of Immortal Souls and what they show: IS-DIE.1 to IS-DIE.5.

Only results that something may be bought with, and hits, are told apart; all others are counted together. Two results
on one face are two units, which may pay for different effects (IS-DIE.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.purchases import cost_vector
from balance.chance.rolls.symbols import SymbolDie
from balance.games.immortal_souls.rules.effects import Effect

REST = "rest"
"""All results that nothing asks for."""


def kinds_of(first: str, effects: Iterable[Effect]) -> tuple[str, ...]:
    """Return the results to tell apart: `first`, which always counts, and those that effects cost, each once."""
    return tuple(dict.fromkeys([first, *(kind for effect in effects for kind in effect.cost)]))


def die_of(faces: Sequence[Sequence[str]], kinds: Sequence[str], *, rest: bool = True) -> SymbolDie:
    """Return a die with a symbol for each of `kinds`, and if `rest` a last one that counts all other results.

    >>> die_of([("HIT", "ABI"), ("MIS",)], ["HIT"]).symbol_counts.tolist()
    [[1, 1], [0, 1]]
    """
    distinct = {"+".join(face): face for face in faces}
    names_by_kind = {
        kind: [name for name, face in distinct.items() for result in face if result == kind] for kind in kinds
    }
    if rest:
        names_by_kind[REST] = [name for name, face in distinct.items() for result in face if result not in kinds]
    return SymbolDie(
        tuple("+".join(face) for face in faces), tuple((kind, tuple(names)) for kind, names in names_by_kind.items())
    )


def results_of(roll: Sequence[str], kinds: Sequence[str]) -> IntArray:
    """Return how often each kind of result is among those written down, `int64[kinds + 1]`, others last.

    >>> results_of(["HIT", "MIS", "HIT"], ["HIT", "ABI"]).tolist()
    [2, 0, 1]
    """
    counts = cost_vector(roll, kinds)
    return np.array([*counts, len(roll) - sum(counts)])


def pool_of(symbols: Mapping[str, IntArray]) -> IntArray:
    """Return the counts of symbols in a pool as one array, `int[n, kinds]`."""
    return np.stack(list(symbols.values()), axis=1)


def covers(results: IntArray, costs: IntArray) -> BoolArray:
    """Return which rolls, `int[n, kinds]`, can pay one of these costs, `int[ways, kinds]`: `bool[n]`."""
    is_paid: BoolArray = np.all(results[:, None] >= costs, axis=2)
    return np.asarray(is_paid.any(axis=1))


def but_rerolls(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects without re-rolls, which are decided before any other is bought."""
    return tuple(effect for effect in effects if effect.name != "reroll")


def rerolls_of(effects: Sequence[Effect], kinds: Sequence[str]) -> IntArray:
    """Return the cost of rolling all dice again, one row for each way to pay it, `int64[ways, kinds]`."""
    rerolls = [effect for effect in effects if effect.name == "reroll"]
    return np.array(costs_of(rerolls, kinds), np.int64).reshape(-1, len(kinds))


def costs_of(effects: Sequence[Effect], kinds: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return how many results of each of `kinds` each effect costs."""
    return tuple(cost_vector(effect.cost, kinds) for effect in effects)
