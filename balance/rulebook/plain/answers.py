"""What the plain lane answers: one attack, attacks until the target is out, a duel; exact, or by rolling dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Literal

from balance.rulebook.plain.fight import Fight
from balance.rulebook.plain.laws import Weights, section_of
from balance.rulebook.plain.reading import Card, PlainGame

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
    for row, weight in section_of(script, names).weights(fight.values_at_start(script)).items():
        value_of = dict(zip(names, row, strict=True))
        results = tuple(sign * (value_of[name] - before[name]) for name, sign in columns.values())
        weights[results] = weights.get(results, 0) + weight
    divisor = gcd(*weights.values())
    weights = {values: weight // divisor for values, weight in sorted(weights.items())}
    return Law(tuple(columns), weights, sum(weights.values()))


def kill(game: PlainGame, attacker: Card, defender: Card) -> dict[int, float]:
    """Return the chance that the target is out after so many attacks, and no fewer."""
    raise NotImplementedError


def duel(game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Mapping[str, str] = {}) -> Duel:
    """Return how a duel ends; `choices` are the policies of the verb, such as `policy_a`."""
    raise NotImplementedError


def p_win(game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Mapping[str, str] = {}) -> Mapping[str, float]:
    """Return the chances that a wins, b wins and nobody does, which is quicker than the whole duel."""
    raise NotImplementedError


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
