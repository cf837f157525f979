"""Tips for authors of games: dice, choices and exact answers in Python."""

from __future__ import annotations

from collections.abc import Callable

from balance.chance.exact.course import _few_pairs, _small_enough
from balance.chance.pmf.pmf import Pmf
from balance.chance.rolls.board import Grid
from balance.chance.rolls.purchases import Purchase
from balance.chance.rolls.symbols import SymbolDie
from tests.tips.following import Case


def of(check: Callable[[], object]) -> Callable[[], object]:
    """Return the deed of a check whose answer is no fault."""
    return lambda: check() is not None and None


def die(**symbols: tuple[str, ...]) -> SymbolDie:
    """Return a die of three faces."""
    return SymbolDie(("hit", "flag", "blank"), symbols)  # type: ignore[arg-type]


CASES = [
    Case(of(lambda: Grid("hex", 99, 99)), "at most", of(lambda: Grid("hex", 9, 9))),
    Case(of(lambda: Purchase(((1,),) * 13)), "let at most 12 do so", of(lambda: Purchase(((1,),) * 12))),
    Case(of(lambda: Purchase(((-1,),))), "a cost is 0 or more", of(lambda: Purchase(((0,),)))),
    Case(
        of(lambda: Pmf.of({0: 1, 1: 1}, "hit")["hits"]),
        "did you mean hit?",
        of(lambda: Pmf.of({0: 1, 1: 1}, "hit")["hit"]),
    ),
    Case(lambda: _small_enough(10**12), "simulate this one", lambda: _small_enough(9)),
    Case(lambda: _few_pairs(10**9), "simulate this one", lambda: _few_pairs(9)),
]
