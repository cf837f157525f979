"""What makes two units even: the smallest change of each of their numbers, exactly, as the verb `handicap` has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from balance.base.errors import BalanceError
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.evening import HALF, INVISIBLE, Walk, rank, whole_step
from balance.rulebook.plain.answers import p_win, turn_orders
from balance.rulebook.plain.fight import SIDES
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.text.fields import MOST


@dataclass(frozen=True)
class EvenChange:
    """The best change of one number: of side a or b, from one value to another, in steps of about its tenth.

    `score`: what a scores then, over both first moves; a draw counts a half. `is_even`: whether the band holds that.
    """

    side: str
    field: str
    from_: int
    to: int
    steps: int
    score: float
    is_even: bool

    @property
    def change(self) -> str:
        """The assignment that makes it, such as `b.health=6`."""
        return f"{self.side}.{self.field}={self.to}"


def even_changes(
    game: PlainGame,
    a: Card,
    b: Card,
    choices: Mapping[str, str] | None = None,
    band: tuple[float, float] = EVEN_BAND,
) -> Iterator[EvenChange]:
    """Yield the best change of each number that brings a match-up nearer to even, as it is found; see `in_order`.

    None where it is even as it is. Raise DistributionError where that takes too much work.
    """
    base = mean_score(game, a, b, choices)
    for side, card in zip(SIDES, () if base.is_within(band) else (a, b), strict=False):
        for name, value in card.numbers.items():
            if not any(word in name for word in INVISIBLE):
                walk, step = Walk(base), whole_step(value)
                for steps in walk.moves():
                    new = _with(game, card, name, value + steps * step)
                    if new is not None:
                        with suppress(BalanceError):  # where it cannot be played, or takes too much work
                            score = mean_score(game, *((new, b) if side == "a" else (a, new)), choices)
                            walk.take(score, score.is_within(band))
                if (best := walk.best) is not None:
                    to = value + best.steps * step
                    yield EvenChange(side, name, value, to, best.steps, best.score.value, best.is_even)


def in_order(changes: Iterable[EvenChange]) -> list[EvenChange]:
    """Return changes, the best first: the fewest steps to even; of those that are not even the nearest."""
    return sorted(changes, key=lambda part: rank(part.is_even, part.steps, abs(part.score - HALF), part.change))


def mean_score(game: PlainGame, a: Card, b: Card, choices: Mapping[str, str] | None = None) -> Estimate:
    """Return what a scores in a duel, 0 to 1, a draw counting a half; the mean over who goes first."""
    chances = [p_win(game, a, b, first, choices) for first in turn_orders(game)]
    return Estimate.exact(sum(p["a"] + p["draw"] * HALF for p in chances) / len(chances))


def _with(game: PlainGame, card: Card, name: str, value: int) -> Card | None:
    """Return a card with another number, None where its column does not allow it."""
    low = next(-MOST if field.low < 0 else 0 for field in game.book.fields if field.name == name)
    return replace(card, numbers={**card.numbers, name: value}) if low <= value <= MOST else None
