"""The exact tasks in icepool, dyce and lea, each in the fastest formulation we found for it.

That means: faces merged into classes first; symbols of a pool written as digits of one integer, which these libraries
add faster than vectors; sums clipped at 0 health after every attack; one strike of a duel at a time. What cannot be
done without end is done for 40 attacks or rounds, after which less than 1e-13 is left. In icepool the duel is also told
as one would first write it, a round at a time on pairs of healths, which takes about the task's reference time.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

from tests.bench.contest import Contender

HORIZON = 40
PEERS = ("icepool", "dyce", "lea")


def exact_peers(task: str, *arguments: int) -> list[Contender | str]:
    """Return what each library does for a task ("attack", "kill", "pool", "creature", "duel"), or why it cannot."""
    found: list[Contender | str] = []
    for library, make in (("icepool", _Icepool), ("dyce", _Dyce), ("lea", _Lea)):
        try:
            peer = make(import_module(library))
        except ImportError:
            found.append(f"{library} (not installed)")
            continue
        found.append(Contender(library, _call(getattr(peer, task), arguments)))
        if hasattr(peer, f"{task}_plainly"):
            plainly = _call(getattr(peer, f"{task}_plainly"), arguments)
            found.append(Contender(f"{library}, as first written", plainly))
    return found


def _call(method: Callable[..., list[float]], arguments: tuple[int, ...]) -> Callable[[], list[float]]:
    return lambda: method(*arguments)


def _damage(precision: int, blocked: int) -> int:
    return 0 if precision > 7 else 4 if precision == 7 else max(1, 4 - blocked)


def _wound(health: int, damage: int) -> int:
    return max(health - damage, 0)


def _strike_b(state: int, damage: int) -> int:
    a, b = divmod(state, 16)
    return state if a == 0 or b == 0 else a * 16 + max(b - damage, 0)


def _strike_a(state: int, damage: int) -> int:
    a, b = divmod(state, 16)
    return state if a == 0 or b == 0 else max(a - damage, 0) * 16 + b


def _round(state: tuple[int, int], by_a: int, by_b: int) -> tuple[int, int]:
    a, b = state
    if a == 0 or b == 0 or by_a >= b:
        return (a, 0) if a else (0, b)
    return (max(a - by_b, 0), b - by_a)


def _is_kill(roll: int, again: int) -> int:
    return int(roll <= 2 and again == 1)


def _digits(n_dice: int) -> dict[int, int]:
    """Return the faces of a BattleLore die against blue foot, symbols as digits to base n + 1."""
    return {0: 2, 1: 2, n_dice + 1: 1, (n_dice + 1) ** 2: 1}


def _first_differences(dead: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(dead[1:8])]


class _Icepool:
    def __init__(self, icepool: Any) -> None:
        self._lib = icepool
        self._blocks = icepool.Die({1: 3, 0: 3})

    def _attack(self) -> Any:
        return self._lib.map(_damage, self._lib.d(10), 3 @ self._blocks)

    def attack(self) -> list[float]:
        distribution = self._attack()
        return [float(distribution.probability(damage)) for damage in range(5)]

    def kill(self) -> list[float]:
        attack, health, dead = self._attack(), self._lib.Die([12]), []
        for _ in range(HORIZON):
            health = (health - attack).clip(0, 12)
            dead.append(float(health.probability(0)))
        return _first_differences(dead)

    def pool(self, n_dice: int) -> list[float]:
        distribution = n_dice @ self._lib.Die(_digits(n_dice))
        return [float(len(distribution)), float(distribution.probability(n_dice))]

    def creature(self) -> list[float]:
        kills = self._lib.map(_is_kill, self._lib.d(6), self._lib.d(6))
        return [float((n @ kills > 0).probability(True)) for n in (2, 3, 4)]

    def duel(self) -> list[float]:
        attack, state = self._attack(), self._lib.Die([12 * 16 + 12])
        for _ in range(HORIZON):
            state = self._lib.map(_strike_b, state, attack)
            state = self._lib.map(_strike_a, state, attack)
        return [sum(n for outcome, n in state.items() if outcome % 16 == 0) / state.denominator()]

    def duel_plainly(self) -> list[float]:
        """Play a whole round at a time on pairs of healths, as the rule reads."""
        attack, state = self._attack(), self._lib.Die([(12, 12)])
        for _ in range(HORIZON):
            state = self._lib.map(_round, state, attack, attack)
        return [sum(n for (_, b), n in state.items() if b == 0) / state.denominator()]


class _Dyce:
    def __init__(self, dyce: Any) -> None:
        self._die = dyce.H
        self._blocks = dyce.H({1: 3, 0: 3})

    def _attack(self) -> Any:
        return self._die(10).apply(_damage, 3 @ self._blocks)

    def attack(self) -> list[float]:
        distribution = self._attack()
        return [distribution[damage] / distribution.total for damage in range(5)]

    def kill(self) -> list[float]:
        attack, health, dead = self._attack(), self._die({12: 1}), []
        for _ in range(HORIZON):
            health = health.apply(_wound, attack)
            dead.append(health.get(0, 0) / health.total)
        return _first_differences(dead)

    def pool(self, n_dice: int) -> list[float]:
        distribution = n_dice @ self._die(_digits(n_dice))
        return [float(len(distribution)), distribution[n_dice] / distribution.total]

    def creature(self) -> list[float]:
        kills = self._die(6).apply(_is_kill, self._die(6))
        pools = [n @ kills for n in (2, 3, 4)]
        return [1 - distribution[0] / distribution.total for distribution in pools]

    def duel(self) -> list[float]:
        attack, state = self._attack(), self._die({12 * 16 + 12: 1})
        for _ in range(HORIZON):
            state = state.apply(_strike_b, attack).apply(_strike_a, attack)
        return [sum(n for outcome, n in state.items() if outcome % 16 == 0) / state.total]


class _Lea:
    def __init__(self, lea: Any) -> None:
        self._lea = lea
        self._damage, self._wound, self._is_kill = map(lea.func_wrapper, (_damage, _wound, _is_kill))
        self._strike_a, self._strike_b = map(lea.func_wrapper, (_strike_a, _strike_b))

    def _attack(self) -> Any:
        return self._damage(self._lea.interval(1, 10), self._lea.pmf({1: 3, 0: 3}).times(3)).calc()

    def attack(self) -> list[float]:
        distribution = self._attack()
        return [float(distribution.p(damage)) for damage in range(5)]

    def kill(self) -> list[float]:
        attack, health, dead = self._attack(), self._lea.vals(12), []
        for _ in range(HORIZON):
            health = self._wound(health, attack.new()).calc()
            dead.append(float(health.p(0)))
        return _first_differences(dead)

    def pool(self, n_dice: int) -> list[float]:
        distribution = self._lea.pmf(_digits(n_dice)).times(n_dice)
        return [float(len(distribution.support())), float(distribution.p(n_dice))]

    def creature(self) -> list[float]:
        kills = self._is_kill(self._lea.interval(1, 6), self._lea.interval(1, 6)).calc()
        return [1 - float(kills.times(n).p(0)) for n in (2, 3, 4)]

    def duel(self) -> list[float]:
        attack, state = self._attack(), self._lea.vals(12 * 16 + 12)
        for _ in range(HORIZON):
            state = self._strike_b(state, attack.new()).calc()
            state = self._strike_a(state, attack.new()).calc()
        return [float(sum(p for outcome, p in state.pmf_tuple() if outcome % 16 == 0))]
