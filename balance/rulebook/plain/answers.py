"""What the plain lane answers: one attack, attacks until the target is out, a duel; exact, or by rolling dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Literal

from balance.chance.budget import exact_budget
from balance.rulebook.plain.chain import endings
from balance.rulebook.plain.fight import SIDES, Fight, State, States, merged
from balance.rulebook.plain.laws import Values, Weights
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import MOST_ATTACKS, MOST_ROUNDS

SHARE = 0.5
"""Share of the work that an exact answer of the command may take: some ten seconds in a browser."""
Side = Literal["a", "b"]


@dataclass(frozen=True)
class Law:
    """A law of some columns in whole weights without a common divisor; `total` is their sum.

    `n_trials`: how many trials the weights count; 0 where they are exact.
    """

    columns: tuple[str, ...]
    weights: Weights
    total: int
    n_trials: int = 0


@dataclass(frozen=True)
class Duel:
    """How a duel ends: the chance of each (winner, rounds, health of a and of b); the winner is 1, 2, or 0 for nobody.

    `columns`: their names as the verb calls them; without the last two where no health is lost. `p_win`: chance that a
    or b wins, or of a draw. `n_trials`: how many trials were played; 0 where chances are exact.
    """

    columns: tuple[str, ...]
    law: Mapping[tuple[int, ...], float]
    p_win: Mapping[str, float]
    rounds: Mapping[int, float]
    n_trials: int = 0


def attack(game: PlainGame, attacker: Card, defender: Card) -> Law:
    """Return the law of what one attack does, with the columns of the verb `attack`."""
    columns, script = game.rules.changes_reported, game.rules.attack
    names = tuple(dict.fromkeys(name for name, _ in columns.values()))
    fight = Fight(game, (attacker, defender))
    before = {name: fight.start_value(name) for name, _ in columns.values()}
    weights = Weights()
    play = fight.play(script, 0, *names, changes=())
    for row, weight in play.section.weights(play.values(fight.start, fight.no_flags)).items():
        value_of = dict(zip(names, row, strict=True))
        results = tuple(sign * (value_of[name] - before[name]) for name, sign in columns.values())
        weights[results] = weights.get(results, 0) + weight
    divisor = gcd(*weights.values())
    weights = {values: weight // divisor for values, weight in sorted(weights.items())}
    return Law(tuple(columns), weights, sum(weights.values()))


def kill(game: PlainGame, attacker: Card, defender: Card) -> dict[int, float]:
    """Return the chance that the target is out after so many attacks, and no fewer; `MOST_ATTACKS` at most."""
    fight = Fight(game, (attacker, defender))
    play, out = fight.play(game.rules.attack, 0, changes=game.rules.losses), fight.place(1)

    def step(state: State) -> States:
        return merged((fight.marked(after), chance) for after, _, chance in play.after(state, fight.no_flags))

    with exact_budget(SHARE):
        ends = endings([step], fight.start, lambda state: () if state[out] else None, lambda state: (), MOST_ATTACKS)
    return {n: chance for (n, _), chance in ends.items()}


def duel(game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Mapping[str, str] | None = None) -> Duel:
    """Return how a duel ends; `choices` are the policies of the verb, such as `policy_a`."""
    fight = Fight(game, (a, b), choices or {})
    steps = fight.steps(SIDES.index(first))
    with exact_budget(SHARE):
        ends = endings(steps, fight.start, fight.ending, fight.outcome, len(steps) * MOST_ROUNDS)
    return _duel(game, merged(((end[0], -(-n // len(steps)), *end[1:]), chance) for (n, end), chance in ends.items()))


def _duel(game: PlainGame, law: Mapping[Values, float], n_trials: int = 0) -> Duel:
    health = game.book.health
    columns = ("winner", "rounds", *((f"a_{health}", f"b_{health}") if health in game.rules.values else ()))
    winners = merged((row[0], chance) for row, chance in law.items())
    p_win = {name: winners.get(code, 0.0) for code, name in enumerate(("draw", "a", "b"))}
    rounds = dict(sorted(merged((row[1], chance) for row, chance in law.items()).items()))
    return Duel(columns, dict(sorted(law.items())), p_win, rounds, n_trials)


def p_win(
    game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Mapping[str, str] | None = None
) -> Mapping[str, float]:
    """Return the chances that a wins, b wins and nobody does, which is quicker than the whole duel."""
    return duel(game, a, b, first, choices).p_win


def simulated_attack(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Law]:
    """Yield what one attack does by trials: more and more of them, up to `n`."""
    raise NotImplementedError


def simulated_kill(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Mapping[int, float]]:
    """Yield the attacks until the target is out by trials: more and more of them, up to `n`."""
    raise NotImplementedError


def simulated_duel(
    game: PlainGame,
    a: Card,
    b: Card,
    first: Side,
    n: int,
    seed: int,
    choices: Mapping[str, str] = {},
) -> Iterator[Duel]:
    """Yield how a duel ends by trials: more and more of them, up to `n`."""
    raise NotImplementedError
