"""Tips for authors of games: dice, choices and exact answers in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from balance.chance.budget import exact_budget, spend
from balance.chance.dice.rolling.falls import _few_falls
from balance.chance.exact.chain import _pack_rows
from balance.chance.exact.course import _small_enough
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.exact.tree import every_option
from balance.chance.pmf.pmf import Pmf
from balance.chance.rolls.board import Grid
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Process, start_state
from balance.chance.rolls.purchases import Purchase
from balance.chance.rolls.rolls import FixedRolls, RandomRolls
from balance.chance.rolls.shared import _scale, _Segments
from balance.chance.rolls.symbols import SymbolDie
from balance.chance.solvers.processes import _helpers
from balance.game.loaded import load
from tests.tips.following import Case, under
from tests.toy.game import GAME as TOY


def of(check: Callable[[], object]) -> Callable[[], object]:
    """Return the deed of a check whose answer is no fault."""
    return lambda: check() is not None and None


def die() -> SymbolDie:
    """Return a die of three faces."""
    return SymbolDie(("hit", "flag", "blank"), (("hits", ("hit",)),))


def budget(steps: float = 0, cells: float = 0) -> Callable[[], object]:
    """Return the deed of spending on an exact answer."""

    def work() -> None:
        with exact_budget():
            spend(steps, cells)

    return work


def rolls() -> RandomRolls:
    """Return the dice of two trials."""
    return RandomRolls(1, "tips", 0, 2)


def once_more(spent: bool) -> object:
    """Roll a die again which has been, or has not been."""
    return rolls().reroll(np.array([[3], [4]]), np.ones((2, 1), bool), 6, "luck", np.full((2, 1), spent))


def chosen(answers: Any) -> Callable[[], object]:
    """Return the deed of an answer to a choice between two options, of which the second is not legal."""
    legal = np.array([[True, False]])
    return of(lambda: Choose("stance", "a", legal, None, ("calm", "bold")).check(np.asarray(answers), "a policy"))


def written(value: int | str, m: int = 2, options: tuple[str, ...] = ("calm", "bold")) -> Callable[[], object]:
    """Return the deed of a choice as a written example makes it."""
    return of(lambda: FixedRolls({"stance": [value]}).choose("a", "stance", m, None, options))


def walk(start: Any = None) -> Process:
    """Return a walk that ends at once."""
    ended: Any = {"health": 3} if start is None else start
    return Process(ended, (), lambda state: np.ones(len(state["health"]), bool), lambda state, _: {"left": 3}, 0)  # type: ignore[dict-item]


def asks(*names: str) -> Callable[[], object]:
    """Return the deed of a step that lets a side choose, and of looking at every option."""

    def step(state: Any, asked: Any) -> Any:
        return {"health": sum(asked.choose("a", name, 2, None) for name in names)}

    return of(lambda: every_option(step, {"health": np.array([3])}))


def helped(is_lost: bool) -> Callable[[], object]:
    """Return the deed of sharing work with a process, which ends before its time, or does not."""

    def share() -> None:
        with _helpers([lambda link: None if is_lost else link.send(1)]) as links:
            links[0].recv()

    return share


def solved() -> None:
    """Ask a question of a small game exactly."""
    load(TOY).ask("duel", "rat", "ogre").marginal("winner")


CASES = [
    Case(of(lambda: Grid("hex", 99, 99)), "at most", of(lambda: Grid("hex", 9, 9))),
    Case(of(lambda: Purchase(((1,),) * 13)), "let at most 12 do so", of(lambda: Purchase(((1,),) * 12))),
    Case(of(lambda: Purchase(((-1,),))), "a cost is 0 or more", of(lambda: Purchase(((0,),)))),
    Case(
        of(lambda: Pmf.of({0: 1, 1: 1}, "hit")["hits"]),
        "did you mean hit?",
        of(lambda: Pmf.of({0: 1, 1: 1}, "hit")["hit"]),
    ),
    Case(lambda: _small_enough(10**12, 9), "simulate this one", lambda: _small_enough(9, 9)),
    # -- what is too much to be listed ---------------------------------------------------------------------------------
    Case(budget(steps=1e9), "simulate: add trials=", budget(steps=1)),
    Case(budget(cells=1e9), "simulate: add trials=", budget(cells=1)),
    Case(lambda: _few_falls(10**9), "simulate this one", lambda: _few_falls(9)),
    Case(of(lambda: _scale(np.array([10**9]))), "simulate this one", of(lambda: _scale(np.array([9])))),
    Case(
        of(lambda: _Segments.of(None, 99, np.arange(9))),
        "simulate this one",
        of(lambda: _Segments.of(None, 2, np.arange(9))),
    ),
    Case(
        of(lambda: _pack_rows(np.array([[99999]]))),
        "start that column with a wider type: np.int64(0)",
        of(lambda: _pack_rows(np.array([[9]]))),
    ),
    # -- rolls and choices ---------------------------------------------------------------------------------------------
    Case(of(lambda: rolls().deal(5, 6, "cards")), "deal 1 to 5", of(lambda: rolls().deal(5, 5, "cards"))),
    Case(of(lambda: once_more(True)), "once is all", of(lambda: once_more(False))),
    Case(chosen([0.5]), "choose int[n]", chosen([0])),
    Case(chosen([1]), "legal there: 0 (calm)", chosen([0])),
    Case(written("bald"), "did you mean bold?", written("bold")),
    Case(written(9999, 5000, ()), "it may be 0 to 4999", written(9, 5000, ())),
    Case(of(lambda: rolls().choose("a", "stance", 2, None)), "bind a policy to the process", chosen([0])),
    Case(
        of(lambda: start_state(walk(lambda _, n: {"health": np.full(n, 3)}), 2)),
        "start_state(process, n, rolls)",
        of(lambda: start_state(walk(lambda _, n: {"health": np.full(n, 3)}), 2, rolls())),
    ),
    Case(
        of(lambda: SymbolDie(("hit", "flag"), (("hits", ("hti",)),))),
        "did you mean hit?",
        of(lambda: SymbolDie(("hit", "flag"), (("hits", ("hit",)),))),
    ),
    Case(
        of(lambda: die().number("skull")),
        "faces are hit, flag, blank",
        of(lambda: die().number("flag")),
    ),
    Case(asks("stance", "stance"), "give each choice of a step a name of its own", asks("stance", "aim")),
    Case(
        of(lambda: exact_distribution(walk(), columns=["lefft"])),
        "did you mean left?",
        of(lambda: exact_distribution(walk(), columns=["left"])),
    ),
    Case(helped(is_lost=True), "too little memory?", helped(is_lost=False)),
    Case(
        under({"balance.chance.exact.chain.LARGEST_CHAIN": 5}, solved),
        "simulate: add trials=",
        "duel warforged nexus+shotgun trooper+shotgun --trials 100",
    ),
]
