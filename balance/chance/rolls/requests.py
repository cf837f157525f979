"""What a rule may ask chance, or a player, for: each request is one small class that knows its answers.

A request is answered in one of three ways, and each class says how:

* `at_random`: from a random stream of the request's name;
* `as_written`: from what a rulebook's example wrote down under its name;
* `n_ways`, `way` and `weigh`: every possibility in turn, with exact integer weights.

Here are drawn outcomes, numbers and cards; dice are in `balance.chance.rolls.dice`, choices in
`balance.chance.rolls.choices`. A new kind of request is a class and a method of `balance.chance.rolls.rolls.Rolls`;
whoever passes requests on (recorders, swapped sides, bound policies) need not know of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import perm
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import RollsError, suggestion
from balance.chance.pmf.arrays import WeightArray
from balance.chance.rolls.distributions import DistributionStack, Table

Answer = TypeVar("Answer")
ScalarT = TypeVar("ScalarT", bound=np.generic)
Weighting: TypeAlias = tuple[WeightArray | None, int | WeightArray]
"""Weights `[n]` (None for 1 each), and their total: an int, or Python integers `object[n]` if it differs by trial."""
Words: TypeAlias = npt.NDArray[np.uint16]
"""Random numbers of 16 bits (or 32, where a request says so)."""
Joint: TypeAlias = Callable[[IntArray], FloatArray]
"""Places of k outcomes -> the chances of each two in two trials on the same dice, `float64[k, k]`."""
Falls: TypeAlias = tuple[IntArray, Joint]
MOST_TOLD = 1000
"""Legal numbers that are told one by one."""


class Source(Protocol):
    """A source of random answers: a stream for every name, and the rows of a block that are alive."""

    @property
    def n_drawn(self) -> int:
        """Number of rows to draw for."""
        ...

    @property
    def is_paired(self) -> bool:
        """Whether another run meets the same random numbers, so that every run must draw all of them."""
        ...

    def stream(self, name: str) -> np.random.Generator:
        """Return the generator of this name, with what was drawn from it so far consumed."""
        ...

    def take(self, words: npt.NDArray[ScalarT]) -> npt.NDArray[ScalarT]:
        """Return the rows alive of what was drawn, along axis 0."""
        ...


class WrittenExample(Protocol):
    """The values that a rulebook's example gives by name; `fill` stands for values not given."""

    fill: int

    def take(self, name: str, k: int) -> list[int | str]:
        """Take the next k values that the example lists under the name of a request, or as many as are left."""
        ...


@dataclass(frozen=True, eq=False)
class Request(ABC, Generic[Answer]):
    """A request of a rule for a batch of trials; `name` identifies its stream, or its values in an example."""

    name: str

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the luck that it uses: its own; of a key, the names of all luck derived from it."""
        return (self.name,)

    def with_name(self, name: str) -> Self:
        """Return a copy of the request with another name, many times as fast as `dataclasses.replace`."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, name=name)
        return copy

    @abstractmethod
    def at_random(self, source: Source) -> Answer:
        """Return a random answer for each trial."""

    @abstractmethod
    def as_written(self, fixed_rolls: WrittenExample) -> Answer:
        """Return the answer that an example gives, for one trial."""

    @abstractmethod
    def n_ways(self) -> int | IntArray:
        """Return the number of ways in which it can turn out, `int[n]` if that differs by trial."""

    @abstractmethod
    def way(self, number: IntArray) -> Answer:
        """Return the answer of each trial in the way of this number, `int[n]` from 0."""

    @abstractmethod
    def weigh(self, number: IntArray) -> Weighting:
        """Return the weight of each of these ways (None: all 1), and the sum of the weights of all ways."""

    def by_die(self) -> Request[Answer]:
        """Return a request with the same answers, enumerated by the faces of each die; itself by default."""
        return self

    def falls(self, number: IntArray) -> Falls | None:
        """Return what is known of two trials that share its dice, where each reads them by a law of its own, else None.

        That is the place of the outcome of each trial in the way of this number, and the chances of two outcomes.
        """
        return None

    @property
    def is_certain(self) -> bool:
        """Whether it is known to turn out in one way only, in every trial."""
        return False


@dataclass(frozen=True, eq=False)
class Draw(Request[dict[str, IntArray]]):
    """One outcome of distribution `place` (int, or `int[n]`) of a stack, by column."""

    distributions: DistributionStack
    place: IntArray | int

    def at_random(self, source: Source) -> dict[str, IntArray]:
        """Return one outcome for each trial by column, from 16 random bits each."""
        if len(self.distributions.columns) == 1:
            return {self.distributions.columns[0]: self._draw_from(self.distributions.value_table, source)}
        return dict(self.distributions.columns_of(self.index(source)))

    def index(self, source: Source) -> IntArray:
        """Return the place of one outcome in `distributions.outcomes` for each trial, `uint8[n]` or `uint16[n]`."""
        return self._draw_from(self.distributions.table, source)

    def _draw_from(self, table: Table, source: Source) -> IntArray:
        cells = table.look_up(self.place, random_words(source, self.name))
        pending = (cells == table.spare).nonzero()[0] if table.has_spare else ()
        while len(pending):
            table = table.again
            pending_rows = self.place if isinstance(self.place, int) else self.place[pending]
            cells[pending] = table.look_up(pending_rows, more_words(source, self.name, len(pending)))
            pending = pending[cells[pending] == table.spare]
        return cells

    def as_written(self, fixed_rolls: WrittenExample) -> dict[str, IntArray]:
        """Raise RollsError: an example gives dice, not finished outcomes."""
        raise RollsError("fixed dice cannot draw from a compiled distribution; play the literal rules")

    def n_ways(self) -> int:
        """Return the number of outcomes over all distributions of the stack."""
        return len(self.distributions.outcomes)

    def way(self, number: IntArray) -> dict[str, IntArray]:
        """Return the columns of the outcome of this number."""
        return dict(self.distributions.columns_of(number))

    def weigh(self, number: IntArray) -> Weighting:
        """Return the probability of each outcome under the trial's distribution, and 1."""
        return self.distributions.p[self.place, number], 1


@dataclass(frozen=True, eq=False)
class DrawExactly(Draw):
    """A draw whose ways are weighed in integers."""

    def weigh(self, number: IntArray) -> Weighting:
        """Return the weight of each outcome under the trial's distribution, and the total of any."""
        weights, total = self.distributions.to_one_total
        return weights[self.place, number], total


@dataclass(frozen=True, eq=False)
class Uniform(Request[IntArray]):
    """One of 0 to m - 1, each equally likely; m is an int, or `int[n]` if it differs by trial, from 1 to 2**32."""

    m: IntArray | int

    def at_random(self, source: Source) -> IntArray:
        """Return one number for each trial, `int16[n]`, or `int64[n]` for m beyond 32,768.

        It takes 16 random bits each, or 32 if m is beyond 65,536.
        """
        low, high = np.min(self.m, initial=1), np.max(self.m, initial=1)
        if low < 1:
            raise RollsError(f"{self.name!r} is to be one of {low}: there is nothing to choose from")
        bits = 16 if high <= 2**16 else 32
        if high == 1 and not isinstance(self.m, int) and not source.is_paired:
            return np.zeros(len(self.m), np.int16)
        values, pending = scale_words(random_words(source, self.name, bits), self.m, bits)
        while len(pending):
            m = self.m if isinstance(self.m, int) else self.m[pending]
            values[pending], is_rejected = scale_words(more_words(source, self.name, len(pending), bits), m, bits)
            pending = pending[is_rejected]
        return values

    def as_written(self, fixed_rolls: WrittenExample) -> IntArray:
        """Return the next number of this name, `int64[1]`."""
        m = int(np.max(self.m))
        return np.array([one_of(fixed_rolls, self.name, (), range(m))])

    def n_ways(self) -> int | IntArray:
        """Return m."""
        return self.m

    def way(self, number: IntArray) -> IntArray:
        """Return the number itself."""
        return number

    def weigh(self, number: IntArray) -> Weighting:
        """Return weight 1 of m."""
        return None, _exact(self.m)


@dataclass(frozen=True, eq=False)
class Deal(Request[IntArray]):
    """The first k cards of a shuffled deck of cards 0 to m - 1; `n_cards` (`int[n]`) are in it if that differs."""

    m: int
    k: int
    n_cards: IntArray | None = None

    def at_random(self, source: Source) -> IntArray:
        """Return the cards in order, `int16[n, k]`, -1 where the deck has no more: Fisher and Yates, exactly."""
        picks = [Uniform(self.name, n_cards_left).at_random(source) for n_cards_left in self._deck_sizes()]
        return self._deal_hands(len(picks[0]), picks)

    def as_written(self, fixed_rolls: WrittenExample) -> IntArray:
        """Return the next cards of this name, `int16[1, k]`; cards that are not given follow in turn."""
        n = self.m if self.n_cards is None else int(self.n_cards[0])
        cards: list[int] = []
        for _ in range(min(self.k, n)):
            cards.append(one_of(fixed_rolls, self.name, (), [card for card in range(n) if card not in cards]))
        return np.array([cards + [-1] * (self.k - len(cards))], np.int16)

    def n_ways(self) -> int | IntArray:
        """Return the number of ordered hands, m! / (m - k)! for a full deck."""
        if self.n_cards is None:
            return perm(self.m, self.k)
        return np.array([perm(n, min(n, self.k)) for n in range(self.m + 1)])[self.n_cards]

    def way(self, number: IntArray) -> IntArray:
        """Return the hand of this number, `int16[n, k]`."""
        return self._deal_hands(len(number), self._digits(number))

    def weigh(self, number: IntArray) -> Weighting:
        """Return weight 1 of the number of hands."""
        return None, _exact(self.n_ways())

    def _deck_sizes(self) -> Iterable[IntArray | int]:
        """Yield the number of cards left before each card dealt; 1 where the deck is empty."""
        for place in range(self.k):
            yield self.m - place if self.n_cards is None else np.maximum(self.n_cards - place, 1)

    def _digits(self, number: IntArray) -> Iterable[IntArray]:
        for n_cards_left in self._deck_sizes():
            yield number % n_cards_left
            number = number // n_cards_left

    def _deal_hands(self, n: int, picks: Iterable[IntArray]) -> IntArray:
        """Return the hands after Fisher-Yates swaps: each place swaps with the one `pick` places on."""
        rows, deck = np.arange(n), np.tile(np.arange(self.m, dtype=np.int16), (n, 1))
        for place, pick in enumerate(picks):
            card, picked_card = deck[:, place].copy(), deck[rows, place + pick]
            deck[rows, place + pick] = card
            deck[:, place] = picked_card
        hand = deck[:, : self.k]
        hands = first_of_each(self.n_cards, self.k)
        return hand if hands is None else np.where(hands, hand, hand.dtype.type(-1))


def one_of(fixed_rolls: WrittenExample, name: str, options: Sequence[str], legal: Sequence[int]) -> int:
    """Return the next value written under a name, as its number; without one, a legal value that the fill selects.

    Options may be given by name. Raise RollsError if it is not legal, or nothing is.
    """
    if not legal:
        raise RollsError(f"there is nothing to choose from for {name!r}")
    values = fixed_rolls.take(name, 1)
    if not values:
        return legal[min(len(legal), fixed_rolls.fill) - 1]
    value = values[0]
    number = list(options).index(value) if isinstance(value, str) and value in options else value
    if number not in legal:
        if len(legal) > MOST_TOLD and not options:
            raise RollsError(f"{name!r} cannot be {value!r} here", f"it may be {legal[0]} to {legal[-1]}")
        legal_texts = [options[n] if n < len(options) else str(n) for n in legal]
        tip = suggestion(str(value), legal_texts, f"it may be {', '.join(legal_texts)}")
        raise RollsError(f"{name!r} cannot be {value!r} here", tip)
    return int(number)


def first_of_each(n: IntArray | None, k: int) -> BoolArray | None:
    """Return which of k places are among the first n (`int[n]`) of each trial, `bool[n, k]`; None for None.

    >>> first_of_each(np.array([0, 2]), 3).tolist()
    [[False, False, False], [True, True, False]]
    """
    return None if n is None else np.asarray(np.arange(k) < np.asarray(n)[:, None])


def random_words(source: Source, name: str, bits: int = 16) -> Words:
    """Return a random word of 16 or 32 bits for each row alive, from the stream of this name."""
    return source.take(_raw_words(source, name, source.n_drawn, bits))


def more_words(source: Source, name: str, n: int, bits: int = 16) -> Words:
    """Return n words from a second stream of this name, for rows whose first word was rejected."""
    return _raw_words(source, f"{name} again", n, bits)


def _raw_words(source: Source, name: str, n: int, bits: int) -> Words:
    # what `integers(0, 2**64, size)` gives, without the ten microseconds that it takes to begin
    words = source.stream(name).bit_generator.random_raw(-(-n // (64 // bits)))
    return np.asarray(words.view(f"u{bits // 8}")[:n])


def scale_words(words: Words, m: IntArray | int, bits: int) -> tuple[IntArray, IntArray]:
    """Return numbers 0 to m - 1, `int16[n]` or `int64[n]`, made of random words, and the rows to draw again.

    Lemire's method: the high bits of word * m; words of `bits` bits are rejected so that as many are left for each
    number. m is 1 or more, `[n]` or one for all.

    >>> values, rejected = scale_words(np.arange(65536, dtype=np.uint16), 6, 16)
    >>> np.bincount(np.delete(values, rejected)).tolist(), len(rejected)
    ([10922, 10922, 10922, 10922, 10922, 10922], 4)
    """
    wide = np.asarray(m, f"u{bits // 4}")
    product = words * wide
    low = product.astype(words.dtype)
    doubtful = np.flatnonzero(low <= (wide - 1).astype(words.dtype))  # few, of which the slow remainder is worked out
    m_there = wide if wide.ndim == 0 else wide[doubtful]
    rejected_rows = doubtful[low[doubtful] < 2**bits % m_there.astype(np.int64)]
    product >>= wide.dtype.type(bits)
    return product.astype(np.int16 if np.max(m, initial=1) <= 2**15 else np.int64), rejected_rows


def _exact(total: IntArray | int) -> int | WeightArray:
    return total if isinstance(total, int) else total.astype(object)
