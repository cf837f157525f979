"""Attacks, kills and duels by trials, for what is too large to be exact: one yield for each part of the trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from random import Random

from balance.base.errors import DistributionError
from balance.chance.budget import exact_budget
from balance.chance.dice.rolling.plain import PlainRoller
from balance.rulebook.plain.answers import Duel, Law, Side, attack_row, kill_chain
from balance.rulebook.plain.chain import Chain, State
from balance.rulebook.plain.fight import SIDES, Choices, Fight
from balance.rulebook.plain.laws import Section, Values, step_weights
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import MOST_ATTACKS, MOST_ROUNDS
from balance.rulebook.play.script import Deed

LAW_SHARE = 0.001
"""Share of the work of an exact answer that one law may take: some ten thousandths of a second."""
MOST_LAWS = 100
"""Laws that are worked out, or tried; results of others are rolled."""
FIRST = 25
"""Trials after which there is something to show; then after as many again, and so on."""


class Draws:
    """Draws results of sections with one generator of random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._roller = PlainRoller(self.random)
        self._laws = dict[tuple[Section, Values], tuple[list[Values], list[float]] | None]()

    def of(self, section: Section, values: Values) -> Values:
        """Return the results of a section for values of what it needs."""
        key = section, values
        if key not in self._laws and len(self._laws) < MOST_LAWS:
            self._laws[key] = self._law(section, values)
        law = self._laws.get(key)
        return self._rolled(section, values) if law is None else self.random.choices(law[0], cum_weights=law[1])[0]

    def _law(self, section: Section, values: Values) -> tuple[list[Values], list[float]] | None:
        try:
            with exact_budget(LAW_SHARE):
                law = section.law(values)
        except DistributionError:
            return None
        return [results for results, _ in law], list(accumulate(chance for _, chance in law))

    def _rolled(self, section: Section, values: Values) -> Values:
        row: Values = ()
        for step in section.steps:
            whole = row + step.constants(values)
            row = step.keeps(whole + self._results(step.deed, step.uses(whole)))
        return row

    def _results(self, deed: Deed, values: Values) -> Values:
        if not deed.law.step.has_dice and deed.law.step.formula is not None:
            return next(iter(step_weights(deed, values)))
        results = self._roller.roll(deed.law.nodes(values), deed.law.step.columns)
        deed.law.check_size(max(results), min(results), values)
        return (max(0, results[0]), *results) if deed.line.assigns else results

    def walk(self, chain: Chain, max_steps: int) -> tuple[int, State]:
        """Return the number of steps and the last state of a walk through a chain."""
        state, n = chain.start, 0
        while n < max_steps and (n == 0 or chain.ending(state) is None):
            states = chain.layers[n % len(chain.layers)].step(state)
            (state,) = states if len(states) == 1 else self.random.choices([*states], [*states.values()])
            n += 1
        return n, state


def simulated_attack(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Law]:
    """Yield what one attack does by trials: more and more of them, up to `n`."""
    fight = Fight(game, (attacker, defender), draw=Draws(seed).of)
    names = tuple(dict.fromkeys(name for name, _ in game.rules.changes_reported.values()))
    play = fight.play(game.rules.attack, 0, *names, changes=())

    def trial() -> Values:
        return attack_row(fight, dict(zip(names, play.law(fight.start, fight.no_flags)[0][0], strict=True)))

    for counts in _counts(trial, n):
        yield Law(tuple(game.rules.changes_reported), dict(sorted(counts.items())), counts.total(), counts.total())


def simulated_kill(game: PlainGame, attacker: Card, defender: Card, n: int, seed: int) -> Iterator[Law]:
    """Yield the attacks until the target is out by trials: more and more of them, up to `n`."""
    draws = Draws(seed)
    chain = kill_chain(Fight(game, (attacker, defender), draw=draws.of))
    for counts in _counts(lambda: (draws.walk(chain, MOST_ATTACKS)[0],), n):
        yield Law(("attacks",), dict(sorted(counts.items())), counts.total(), counts.total())


def simulated_duel(
    game: PlainGame, a: Card, b: Card, first: Side, n: int, seed: int, choices: Choices = None
) -> Iterator[Duel]:
    """Yield how a duel ends by trials: more and more of them, up to `n`."""
    draws = Draws(seed)
    fight = Fight(game, (a, b), choices, draws.of)
    chain = fight.chain(SIDES.index(first))
    n_steps = len(chain.layers)

    def trial() -> Values:
        steps, state = draws.walk(chain, n_steps * MOST_ROUNDS)
        winner, *healths = fight.outcome(state)
        return (winner, -(-steps // n_steps), *healths)

    for counts in _counts(trial, n):
        total = counts.total()
        yield Duel.of(game, {row: count / total for row, count in counts.items()}, total)


def _counts(trial: Callable[[], Values], n: int) -> Iterator[Counter[Values]]:
    """Yield how often each result came up after some trials, after twice as many, and so on, and after all."""
    counts, shown = Counter[Values](), FIRST
    for number in range(1, n + 1):
        counts[trial()] += 1
        if number in (shown, n):
            yield counts
            shown *= 2
