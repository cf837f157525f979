"""What the plain lane answers exactly: one attack, attacks until the target is out, a duel, or who wins it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import Literal

from balance.base.errors import DistributionError
from balance.chance.budget import exact_budget
from balance.rulebook.plain.chain import Chain, Layer, NoClosedForm, State, States, Winners, endings
from balance.rulebook.plain.fight import SIDES, Choices, Fight, merged
from balance.rulebook.plain.laws import Values, Weights
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import MOST_ATTACKS, MOST_ROUNDS

SHARE = 0.5
"""Share of the work that an exact answer of the command may take: some ten seconds in a browser."""
MOST_KEPT = 512
"""Fights, and who wins each, that a game keeps."""
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
    law: Mapping[Values, float]
    p_win: Mapping[str, float]
    rounds: Mapping[int, float]
    n_trials: int = 0

    @classmethod
    def of(cls, game: PlainGame, law: Mapping[Values, float], n_trials: int = 0) -> Duel:
        """Return what a law of winner, rounds and health says."""
        health = game.book.health
        columns = ("winner", "rounds", *((f"a_{health}", f"b_{health}") if health in game.rules.values else ()))
        winners = merged((row[0], chance) for row, chance in law.items())
        p_win = {name: winners.get(code, 0.0) for code, name in enumerate(("draw", "a", "b"))}
        rounds = dict(sorted(merged((row[1], chance) for row, chance in law.items()).items()))
        return cls(columns, dict(sorted(law.items())), p_win, rounds, n_trials)


def attack(game: PlainGame, attacker: Card, defender: Card) -> Law:
    """Return the law of what one attack does, with the columns of the verb `attack`."""
    fight, weights = Fight(game, (attacker, defender)), Weights()
    names = tuple(dict.fromkeys(name for name, _ in game.rules.changes_reported.values()))
    play = fight.play(game.rules.attack, 0, *names, changes=())
    with exact_budget(SHARE):
        rows = play.section.weights(play.values(fight.start, fight.no_flags))
    for row, weight in rows.items():
        results = attack_row(fight, dict(zip(names, row, strict=True)))
        weights[results] = weights.get(results, 0) + weight
    divisor = gcd(*weights.values())
    weights = {values: weight // divisor for values, weight in sorted(weights.items())}
    return Law(tuple(game.rules.changes_reported), weights, sum(weights.values()))


def attack_row(fight: Fight, results: Mapping[str, int]) -> Values:
    """Return the columns of an attack from what its steps set."""
    changes = fight.game.rules.changes_reported.values()
    return tuple(sign * (results[name] - fight.start_value(name)) for name, sign in changes)


def kill(game: PlainGame, attacker: Card, defender: Card) -> dict[int, float]:
    """Return the chance that the target is out after so many attacks, and no fewer; `MOST_ATTACKS` at most."""
    fight = Fight(game, (attacker, defender))
    with exact_budget(SHARE):
        ends = endings(kill_chain(fight), lambda state: (), MOST_ATTACKS)
    return {n: chance for (n, _), chance in ends.items()}


def kill_chain(fight: Fight) -> Chain:
    """Return attacks of a on b, who does nothing, until b is out."""
    rules, out = fight.game.rules, fight.outs[1]
    play = fight.play(rules.attack, 0, changes=rules.losses)

    def step(state: State) -> States:
        return merged((fight.marked(after), chance) for after, _, chance in play.after(state, fight.no_flags))

    return Chain([Layer(step)], fight.start, lambda state: () if state[out] else None)


def duel(game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Choices = None) -> Duel:
    """Return how a duel ends; `choices` are the policies of the verb, such as `policy_a`."""
    fight = _fight(game, a, b, choices)
    with exact_budget(SHARE):
        chain = fight.chain(SIDES.index(first))
        ends = endings(chain, fight.outcome, len(chain.layers) * MOST_ROUNDS)
    rows = (((end[0], -(-n // len(chain.layers)), *end[1:]), chance) for (n, end), chance in ends.items())
    return Duel.of(game, merged(rows))


def turn_orders(game: PlainGame) -> tuple[Side, ...]:
    """Return who may go first in a duel; one side alone where sides do not act in turn."""
    return ("a", "b") if game.book.turns.alternates else ("a",)


def p_win(game: PlainGame, a: Card, b: Card, first: Side = "a", choices: Choices = None) -> Mapping[str, float]:
    """Return the chances that a wins, b wins and nobody does, which is quicker than the whole duel, and kept."""
    if first == "b" and game.is_even_handed:
        turned = {f"{name[:-1]}{'b' if name[-1] == 'a' else 'a'}": policy for name, policy in (choices or {}).items()}
        chances = p_win(game, b, a, "a", turned)
        return {"draw": chances["draw"], "a": chances["b"], "b": chances["a"]}
    fight = _fight(game, a, b, choices)
    if first not in fight.p_win:
        try:
            with exact_budget(SHARE / 4):
                wins = Winners(fight.chain(SIDES.index(first))).p_win()
            fight.p_win[first] = {"draw": max(0.0, 1 - sum(wins)), "a": wins[0], "b": wins[1]}
        except (NoClosedForm, DistributionError):  # which states are likely, and so needed, pushing on knows alone
            fight.p_win[first] = duel(game, a, b, first, choices).p_win
    return fight.p_win[first]


def _fight(game: PlainGame, a: Card, b: Card, choices: Choices) -> Fight:
    """Return a fight, the same as before for the same cards."""
    key = (id(a), id(b), *sorted((choices or {}).items()))
    if key not in game.fights:
        if len(game.fights) >= MOST_KEPT:
            game.fights.clear()
        game.fights[key] = Fight(game, (a, b), choices)
    fight: Fight = game.fights[key]
    return fight
