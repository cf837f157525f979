"""Two units of a game as it stands in a page, and the odds between them: exact, or simulated if too large for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any, Self

from balance.answers.words.live.odds import ATTACKS, Odds
from balance.base.errors import DistributionError
from balance.rulebook.plain import answers, simulation
from balance.rulebook.plain.answers import Side
from balance.rulebook.plain.reading import Card, PlainGame, read_plain

MOST_TRIALS, MOST_SECONDS = 20_000, 8.0
"""Trials of what is too large to be exact, and the time after which there are no more."""
SEED = 0
MOST_KEPT = 512
_KNOWN: dict[tuple[Any, ...], Odds] = {}
_LARGE: set[tuple[Match, str]] = set()
"""What is known to be too large to be exact: it is not tried from the other first move."""


@lru_cache(maxsize=4)
def game_of(rules: str, table: tuple[tuple[str, ...], ...], file: str) -> PlainGame:
    """Return a game as it is typed; `CatalogueError` with every fault of it."""
    return read_plain(rules, table, file)


@dataclass(frozen=True)
class Match:
    """Two units of a game, by id, and how their sides choose."""

    rules: str
    table: tuple[tuple[str, ...], ...]
    file: str
    a: str
    b: str
    choices: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, request: Mapping[str, Any], which: str) -> Self:
        """Return what a request asks about; `which` says of which game in it: `now` or `before`."""
        game = request[which]
        table = tuple(tuple(map(str, row)) for row in game["table"])
        choices = tuple(sorted(request.get("choices", {}).items()))
        return cls(game["rules"], table, request["file"], request.get("a", ""), request.get("b", ""), choices)

    @property
    def game(self) -> PlainGame:
        """The game as it is typed."""
        return game_of(self.rules, self.table, self.file)

    @property
    def sides(self) -> tuple[Card, Card]:
        """Both units."""
        return self.game.cards[self.a], self.game.cards[self.b]

    @property
    def names(self) -> dict[str, str]:
        """What people call both units."""
        return {side: card.name for side, card in zip("ab", self.sides, strict=True)}


def odds_of(match: Match, kind: str, first: Side = "a", most: int = MOST_TRIALS) -> Iterator[Odds]:
    """Yield the odds of a kind of question: once if they are exact, else better and better ones by trials."""
    key = (match, kind, first, most)
    if key in _KNOWN:
        yield _KNOWN[key]
        return
    try:
        if (match, kind) in _LARGE:
            raise DistributionError("it is too large")
        odds = _exact(match, kind, first)
        yield odds
    except DistributionError:
        _LARGE.add((match, kind))
        begin = monotonic()
        for odds in _simulated(match, kind, first, most):
            yield odds
            if 2 * (monotonic() - begin) > MOST_SECONDS:  # the next would be of twice as many
                break
    while len(_KNOWN) >= MOST_KEPT:
        _KNOWN.pop(next(iter(_KNOWN)))
    _KNOWN[key] = odds


def _exact(match: Match, kind: str, first: Side) -> Odds:
    """Return exact odds; `DistributionError` where they are too large."""
    game, sides = match.game, match.sides
    if kind == "kill":
        return Odds((ATTACKS,), {(n,): chance for n, chance in answers.kill(game, *sides).items()})
    if kind == "attack":
        law = answers.attack(game, *sides)
        return Odds(law.columns, law.weights)
    duel = answers.duel(game, *sides, first, dict(match.choices))
    return Odds(duel.columns, duel.law)


def _simulated(match: Match, kind: str, first: Side, most: int) -> Iterator[Odds]:
    """Yield odds by more and more trials."""
    if kind == "duel":
        for duel in simulation.simulated_duel(match.game, *match.sides, first, most, SEED, dict(match.choices)):
            yield Odds(duel.columns, duel.law, duel.n_trials)
    else:
        laws = simulation.simulated_attack if kind == "attack" else simulation.simulated_kill
        for law in laws(match.game, *match.sides, most, SEED):
            yield Odds(law.columns, {**law.weights}, law.n_trials)
