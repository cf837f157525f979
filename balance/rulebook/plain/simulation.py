"""Attacks, kills and duels by trials, for what is too large to be exact: one yield for each part of the trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from balance.rulebook.plain.answers import Choices, Duel, Law, Side, attack_row, kill_chain
from balance.rulebook.plain.chain import Chain, State
from balance.rulebook.plain.draws import Draws
from balance.rulebook.plain.fight import SIDES, Fight
from balance.rulebook.plain.laws import Values
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import MOST_ATTACKS, MOST_ROUNDS

FIRST = 25
"""Trials after which there is something to show; then after as many again, and so on."""


def simulated_attack(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Law]:
    """Yield what one attack does by trials: more and more of them, up to `n`."""
    fight = Fight(game, (attacker, defender), draws=Draws(seed))
    names = tuple(dict.fromkeys(name for name, _ in game.rules.changes_reported.values()))
    play = fight.play(game.rules.attack, 0, *names, changes=())

    def trial() -> Values:
        return attack_row(fight, dict(zip(names, play.law(fight.start, fight.no_flags)[0][0], strict=True)))

    for counts in _counts(trial, n):
        yield Law(tuple(game.rules.changes_reported), dict(sorted(counts.items())), counts.total(), counts.total())


def simulated_kill(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Law]:
    """Yield the attacks until the target is out by trials: more and more of them, up to `n`."""
    fight = Fight(game, (attacker, defender), draws=Draws(seed))
    chain = kill_chain(fight)
    for counts in _counts(lambda: (_walked(fight, chain, MOST_ATTACKS)[0],), n):
        yield Law(("attacks",), dict(sorted(counts.items())), counts.total(), counts.total())


def simulated_duel(
    game: PlainGame, a: Card, b: Card, first: Side, n: int, seed: int, choices: Choices = None
) -> Iterator[Duel]:
    """Yield how a duel ends by trials: more and more of them, up to `n`."""
    fight = Fight(game, (a, b), choices or {}, Draws(seed))
    chain = fight.chain(SIDES.index(first))
    n_steps = len(chain.layers)

    def trial() -> Values:
        steps, state = _walked(fight, chain, n_steps * MOST_ROUNDS)
        winner, *healths = fight.outcome(state)
        return (winner, -(-steps // n_steps), *healths)

    for counts in _counts(trial, n):
        total = counts.total()
        yield Duel.of(game, {row: count / total for row, count in counts.items()}, total)


def _walked(fight: Fight, chain: Chain, max_steps: int) -> tuple[int, State]:
    """Return the number of steps and the last state of a walk through a chain."""
    state, n = chain.start, 0
    while n < max_steps:
        states = chain.layers[n % len(chain.layers)].step(state)
        state, n = next(iter(states)), n + 1
        if len(states) > 1 and fight.draws is not None:
            (state,) = fight.draws.random.choices(list(states), list(states.values()))
        if chain.ending(state) is not None:
            break
    return n, state


def _counts(trial: Callable[[], Values], n: int) -> Iterator[Counter[Values]]:
    """Yield how often each result came up after some trials, after twice as many, and so on, and after all."""
    counts, shown = Counter[Values](), FIRST
    for number in range(1, n + 1):
        counts[trial()] += 1
        if number in (shown, n):
            yield counts
            shown *= 2
