"""What a rule may ask chance, or a player, for: each request is one small class that knows its answers.

A request is answered in one of three ways, and each class says how:

* `at_random`: from a random stream of the request's name;
* `as_written`: from what a rulebook's example wrote down under its name;
* `n_ways` and `way`: every possibility in turn, with exact integer weights.

A new kind of request is a class here and a method of `balance.core.rolls.Rolls`; whoever passes requests on (recorders,
swapped sides, bound policies) need not know of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, perm
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from balance.core.laws import LawStack, Table
from balance.core.symbols import SymbolDie
from balance.errors import RollsError, suggestion
from balance.pmf import Pmf
from balance.pmf.arrays import IntArray, WeightArray

__all__ = [
    "BoolArray", "Choose", "Count", "Deal", "Dice", "Draw", "Legal", "Pool", "Request", "Success", "Uniform", "Way",
    "count_successes", "nth_true", "success_faces",
]  # fmt: skip

Answer = TypeVar("Answer")
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Success: TypeAlias = Sequence[int] | BoolArray
Words: TypeAlias = npt.NDArray[np.uint16]
"""Random numbers of 16 bits (or 32, where a request says so)."""
Legal: TypeAlias = BoolArray | IntArray | int
"""Which options a choice has: `bool[n, m]`, or their number (int, or `int[n]`), where options 0, 1, ... are legal."""


class Source(Protocol):
    """Where random answers come from: a stream for every name, and the rows of a block that are alive."""

    @property
    def n_drawn(self) -> int:
        """Rows to draw for."""
        ...

    def stream(self, name: str) -> np.random.Generator:
        """Return the stream of this name."""
        ...

    def take(self, drawn: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows alive of what was drawn, along axis 0."""
        ...


class Written(Protocol):
    """What an example wrote down."""

    fill: int

    def take(self, name: str, k: int) -> list[int | str]:
        """Return the next k values of this name, or as many as are left."""
        ...


class Way(NamedTuple, Generic[Answer]):
    """Some possibilities of a request, one a row: the answer, and its weight out of a total.

    Attributes
    ----------
    answer
        What the rule is given.
    weights
        Weight of each row, `[n]`; None where each weighs 1.
    total
        What the weights of all ways sum to: an int, or Python integers `object[n]` where it differs by row.
    """

    answer: Answer
    weights: WeightArray | None
    total: int | WeightArray


@dataclass(frozen=True, eq=False)
class Request(ABC, Generic[Answer]):
    """One request, for a batch of trials; `name` tells its stream, or its place in a written example."""

    name: str

    @abstractmethod
    def at_random(self, source: Source) -> Answer:
        """Return a random answer for each trial."""

    @abstractmethod
    def as_written(self, written: Written) -> Answer:
        """Return the answer that an example gives, for one trial."""

    @abstractmethod
    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return in how many ways it can turn out: an int, or `int[n]` if that differs by trial.

        `each_die` asks that every die is listed rather than what a number of dice show together.
        """

    @abstractmethod
    def way(self, number: IntArray, each_die: bool) -> Way[Answer]:
        """Return the way of this number, `int[n]` from 0, for each trial."""


@dataclass(frozen=True, eq=False)
class Dice(Request[IntArray]):
    """k dice with faces 1 to `faces`; a die that `rolled` (`bool[n, k]`) leaves out is not rolled and shows 0."""

    faces: int
    k: int
    rolled: BoolArray | None = None
    number: Callable[[int | str], int | str] = lambda face: face

    def at_random(self, source: Source) -> IntArray:
        """Return the faces, `int16[n, k]`; dice that are left out use up random numbers too."""
        dice = source.stream(self.name).integers(1, self.faces + 1, size=(self.k, source.n_drawn), dtype=np.int16)
        return self._left_out(source.take(dice.T))

    def as_written(self, written: Written) -> IntArray:
        """Return the next faces of this name, `int16[1, k]`."""
        places = np.arange(self.k) if self.rolled is None else np.flatnonzero(self.rolled[0])
        shown = [self.number(face) for face in written.take(self.name, len(places))]
        for face in shown:
            if not isinstance(face, int) or not 1 <= face <= self.faces:
                raise RollsError(f"a die named {self.name!r} with faces 1 to {self.faces} cannot show {face!r}")
        dice = np.zeros((1, self.k), np.int16)
        dice[0, places] = shown + [min(self.faces, written.fill)] * (len(places) - len(shown))
        return dice

    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return faces**k, of the dice that are rolled."""
        return self.faces**self.k if self.rolled is None else np.asarray(self.faces ** self.rolled.sum(axis=1))

    def way(self, number: IntArray, each_die: bool) -> Way[IntArray]:
        """Return the faces, `int64[n, k]`, the first die's changing fastest."""
        if self.rolled is None:
            return Way(number[:, None] // self.faces ** np.arange(self.k) % self.faces + 1, None, self.faces**self.k)
        place = np.maximum(self.rolled.cumsum(axis=1) - 1, 0)
        faces = number[:, None] // self.faces**place % self.faces + 1
        return Way(self._left_out(faces), None, _powers(self.faces, self.k)[self.rolled.sum(axis=1)])

    def _left_out(self, dice: IntArray) -> IntArray:
        return dice if self.rolled is None else np.where(self.rolled, dice, dice.dtype.type(0))


@dataclass(frozen=True, eq=False)
class _ReadDice(Request[Answer]):
    """A request that rolls dice and reads something from them, which can be listed in fewer ways than the dice."""

    @abstractmethod
    def dice(self) -> Dice:
        """Return the dice to roll."""

    @abstractmethod
    def read(self, dice: IntArray) -> Answer:
        """Return what the dice `int[n, k]` show."""

    @abstractmethod
    def n_readings(self) -> int | IntArray:
        """Return in how many ways what is read can turn out."""

    @abstractmethod
    def reading(self, number: IntArray) -> Way[Answer]:
        """Return the reading of this number."""

    def at_random(self, source: Source) -> Answer:
        """Roll every die, and read them."""
        return self.read(self.dice().at_random(source))

    def as_written(self, written: Written) -> Answer:
        """Read the next dice of this name."""
        return self.read(self.dice().as_written(written))

    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return the number of readings, or of ways the dice can fall."""
        return self.dice().n_ways(True) if each_die else self.n_readings()

    def way(self, number: IntArray, each_die: bool) -> Way[Answer]:
        """Return a reading with its weight, or what one fall of the dice reads."""
        if not each_die:
            return self.reading(number)
        dice, _, total = self.dice().way(number, True)
        return Way(self.read(dice), None, total)


@dataclass(frozen=True, eq=False)
class Count(_ReadDice[IntArray]):
    """How many of the first `n_dice` of k dice show a face in `success`, `int[n]`."""

    faces: int
    k: int
    success: Success
    n_dice: IntArray | int | None = None

    def dice(self) -> Dice:
        """Return all k dice, so that every batch asks for the same number of them."""
        return Dice(self.name, self.faces, self.k)

    def read(self, dice: IntArray) -> IntArray:
        """Return the number of successes, `int16[n]`."""
        return count_successes(dice, self.faces, self.success, self.n_dice)

    def as_written(self, written: Written) -> IntArray:
        """Read as many dice of this name as count, no more."""
        used = self.k if self.n_dice is None else min(self.k, int(np.max(self.n_dice)))
        return self.read(Dice(self.name, self.faces, used).as_written(written))

    def n_readings(self) -> int:
        """Return k + 1: from no success to k."""
        return self.k + 1

    def reading(self, number: IntArray) -> Way[IntArray]:
        """Return that number of successes, weighted binomially."""
        n_good = success_faces(self.faces, self.success).sum(axis=-1)
        used = np.minimum(np.asarray(self.k if self.n_dice is None else self.n_dice), self.k)
        weights = _binomial_weights(number, used, n_good, self.faces, self.k)
        return Way(number.astype(np.int16), weights, self.faces**self.k)


@dataclass(frozen=True, eq=False)
class Pool(_ReadDice[dict[str, IntArray]]):
    """How often each symbol shows on k dice, or on the first `n_dice` (`int[n]`) of them, by symbol."""

    die: SymbolDie
    k: int
    n_dice: IntArray | None = None

    def dice(self) -> Dice:
        """Return the dice; those beyond `n_dice` are not rolled."""
        return Dice(self.name, len(self.die.faces), self.k, first_dice(self.n_dice, self.k), self.die.number)

    def read(self, dice: IntArray) -> dict[str, IntArray]:
        """Return the symbols, `int16[n]` each."""
        return self.die.count(dice)

    def n_readings(self) -> int | IntArray:
        """Return how many combinations of symbols there are."""
        if self.n_dice is None:
            return len(self.die.law(self.k))
        return np.array([len(self.die.law(k)) for k in range(self.k + 1)])[self._used(self.n_dice)]

    def reading(self, number: IntArray) -> Way[dict[str, IntArray]]:
        """Return a combination of symbols, weighted multinomially."""
        if self.n_dice is None:
            law = self.die.law(self.k)
            return Way(_rows_of(law, number), law.weights[number], law.total)
        used = self._used(self.n_dice)
        shown = {symbol: np.zeros(len(number), np.int16) for symbol, _ in self.die.symbols}
        weights = np.zeros(len(number), object)
        for k in np.unique(used).tolist():
            rows, law = np.flatnonzero(used == k), self.die.law(k)
            weights[rows] = law.weights[number[rows]]
            for symbol, values in _rows_of(law, number[rows]).items():
                shown[symbol][rows] = values
        return Way(dict(shown), weights, _powers(len(self.die.faces), self.k)[used])

    def _used(self, n_dice: IntArray) -> IntArray:
        return np.clip(n_dice, 0, self.k)


@dataclass(frozen=True, eq=False)
class Draw(Request[dict[str, IntArray]]):
    """One outcome of law `which` (int, or `int[n]`) of a stack, by column."""

    laws: LawStack
    which: IntArray | int

    def at_random(self, source: Source) -> dict[str, IntArray]:
        """Return one outcome for each trial, from 16 random bits each."""
        if len(self.laws.columns) == 1:
            return {self.laws.columns[0]: self._draw_from(self.laws.value_table, source)}
        return dict(self.laws.columns_of(self.index(source)))

    def index(self, source: Source) -> IntArray:
        """Return the place of one outcome in `laws.outcomes` for each trial, `uint8[n]` or `uint16[n]`."""
        return self._draw_from(self.laws.table, source)

    def _draw_from(self, table: Table, source: Source) -> IntArray:
        cells = table.look_up(self.which, random_words(source, self.name))
        pending = np.flatnonzero(cells == table.spare) if table.n_spare.any() else ()
        while len(pending):
            table = table.again
            chosen = self.which if isinstance(self.which, int) else self.which[pending]
            cells[pending] = table.look_up(chosen, more_words(source, self.name, len(pending)))
            pending = pending[cells[pending] == table.spare]
        return cells

    def as_written(self, written: Written) -> dict[str, IntArray]:
        """Refuse: an example gives dice, not finished outcomes."""
        raise RollsError("fixed dice cannot draw from a compiled law; play the literal rules")

    def n_ways(self, each_die: bool) -> int:
        """Return the number of outcomes that some law of the stack has."""
        return len(self.laws.outcomes)

    def way(self, number: IntArray, each_die: bool) -> Way[dict[str, IntArray]]:
        """Return an outcome, weighted by its probability."""
        return Way(dict(self.laws.columns_of(number)), self.laws.p[self.which, number], 1)


@dataclass(frozen=True, eq=False)
class Uniform(Request[IntArray]):
    """One of 0 to m - 1, each equally likely; m is an int, or `int[n]` if it differs by trial, from 1 to 2**32."""

    m: IntArray | int

    def at_random(self, source: Source) -> IntArray:
        """Return one number for each trial, `int64[n]`, from 16 random bits each, or 32 if m is beyond 65,536."""
        if np.size(self.m) and np.min(self.m) < 1:
            raise RollsError(f"{self.name!r} is to be one of {np.min(self.m)}: there is nothing to choose from")
        bits = 16 if not np.size(self.m) or np.max(self.m) <= 2**16 else 32
        values, rejected = scale_words(random_words(source, self.name, bits), self.m, bits)
        pending = np.flatnonzero(rejected)
        while len(pending):
            m = self.m if isinstance(self.m, int) else self.m[pending]
            values[pending], rejected = scale_words(more_words(source, self.name, len(pending), bits), m, bits)
            pending = pending[rejected]
        return values

    def as_written(self, written: Written) -> IntArray:
        """Return the next number of this name, `int64[1]`."""
        m = int(np.max(self.m))
        return np.array([_one_of(written, self.name, (), list(range(m)))])

    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return m."""
        return self.m

    def way(self, number: IntArray, each_die: bool) -> Way[IntArray]:
        """Return that number."""
        return Way(number, None, self.m if isinstance(self.m, int) else self.m.astype(object))


@dataclass(frozen=True, eq=False)
class Deal(Request[IntArray]):
    """The first k cards of a shuffled deck of cards 0 to m - 1; `n_cards` (`int[n]`) are in it if that differs."""

    m: int
    k: int
    n_cards: IntArray | None = None

    def at_random(self, source: Source) -> IntArray:
        """Return the cards in order, `int16[n, k]`, -1 where the deck has no more: Fisher and Yates, exactly."""
        picks = [Uniform(self.name, left).at_random(source) for left in self._left()]
        return self._dealt(len(picks[0]), picks)

    def as_written(self, written: Written) -> IntArray:
        """Return the next cards of this name, `int16[1, k]`; cards that are not given follow in turn."""
        n = self.m if self.n_cards is None else int(self.n_cards[0])
        cards: list[int] = []
        for _ in range(min(self.k, n)):
            cards.append(_one_of(written, self.name, (), [card for card in range(n) if card not in cards]))
        return np.array([cards + [-1] * (self.k - len(cards))], np.int16)

    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return how many hands, in order, there are."""
        if self.n_cards is None:
            return perm(self.m, self.k)
        return np.array([perm(n, min(n, self.k)) for n in range(self.m + 1)])[self.n_cards]

    def way(self, number: IntArray, each_die: bool) -> Way[IntArray]:
        """Return a hand."""
        total = self.n_ways(each_die)
        return Way(
            self._dealt(len(number), self._digits(number)),
            None,
            total if isinstance(total, int) else total.astype(object),
        )

    def _left(self) -> Iterable[IntArray | int]:
        """Yield how many cards are left before each one that is dealt (1 where the deck has no more)."""
        for place in range(self.k):
            yield self.m - place if self.n_cards is None else np.maximum(self.n_cards - place, 1)

    def _digits(self, number: IntArray) -> Iterable[IntArray]:
        for left in self._left():
            yield number % left
            number = number // left

    def _dealt(self, n: int, picks: Iterable[IntArray]) -> IntArray:
        """Return the first cards when each place in turn swaps its card with the one `pick` places on."""
        rows, deck = np.arange(n), np.tile(np.arange(self.m, dtype=np.int16), (n, 1))
        for place, pick in enumerate(picks):
            here, there = deck[:, place].copy(), deck[rows, place + pick]
            deck[rows, place + pick] = here
            deck[:, place] = there
        hand = deck[:, : self.k]
        there_are = first_dice(self.n_cards, self.k)
        return hand if there_are is None else np.where(there_are, hand, hand.dtype.type(-1))


@dataclass(frozen=True, eq=False)
class Choose(Request[IntArray]):
    """A choice of `side` among its legal options, knowing `view`: the number of an option, `int[n]`.

    Chance does not answer it: a policy does, a written example, or all options in turn.
    """

    side: str
    legal: Legal
    view: Any
    options: Sequence[str] = ()

    def at_random(self, source: Source) -> IntArray:
        """Refuse: who chooses is not left to chance."""
        raise self.unanswered()

    def unanswered(self) -> RollsError:
        """Return the error that nobody was told to choose."""
        return RollsError(
            f"nobody chooses {self.name!r} for side {self.side!r}",
            f"bind a policy to the process: policies={{{self.side!r}: ...}}",
        )

    def as_written(self, written: Written) -> IntArray:
        """Return the next option of this name, given by its number or its name, `int64[1]`."""
        return np.array([_one_of(written, self.name, self.options, np.flatnonzero(self.flags()[0]).tolist())])

    def n_ways(self, each_die: bool) -> int | IntArray:
        """Return how many options are legal."""
        if isinstance(self.legal, int):
            return self.legal
        return np.asarray(self.legal.sum(axis=1) if self.legal.ndim == 2 else self.legal, np.int64)

    def way(self, number: IntArray, each_die: bool) -> Way[IntArray]:
        """Return the legal option of this number; nothing says how likely it is, so all weigh 1 of 1."""
        listed = isinstance(self.legal, int) or self.legal.ndim == 1
        return Way(number if listed else nth_true(self.flags(), number), None, 1)

    def flags(self) -> BoolArray:
        """Return which options are legal, `bool[n, m]` (`bool[1, m]` if all trials have the same)."""
        if not isinstance(self.legal, int) and self.legal.ndim == 2:
            return np.asarray(self.legal, bool)
        return np.asarray(np.arange(np.max(self.legal, initial=0)) < np.atleast_1d(self.legal)[:, None])

    def check(self, chosen: IntArray, who: object) -> IntArray:
        """Return what was chosen, `int[n]`.

        Raises
        ------
        RollsError
            An option is not legal in its trial, or there is not one integer for each trial.
        """
        chosen = np.asarray(chosen)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise RollsError(f"{who} answers {self.name!r} with {chosen.dtype}{list(chosen.shape)}", "choose int[n]")
        legal = self.legal
        if isinstance(legal, int) or legal.ndim == 1:
            good = (chosen >= 0) & (chosen < legal)
        else:
            good = (chosen >= 0) & (chosen < legal.shape[1])
            good &= legal[np.arange(len(chosen)), np.where(good, chosen, 0)]
        if not good.all():
            raise self._illegal(chosen, np.flatnonzero(~good), who)
        return chosen

    def _illegal(self, chosen: IntArray, rows: IntArray, who: object) -> RollsError:
        flags, row = self.flags(), int(rows[0])
        legal = np.flatnonzero(flags[row if len(flags) > 1 else 0]).tolist()
        named = [f"{n} ({self.options[n]})" if n < len(self.options) else str(n) for n in legal]
        return RollsError(
            f"{who} chooses option {int(chosen[row])} of {self.name!r} for side {self.side!r}, which is not legal "
            f"(trial {row}, and {len(rows) - 1} more)",
            f"legal there: {', '.join(named) or 'nothing'}",
        )


def _one_of(written: Written, name: str, options: Sequence[str], legal: list[int]) -> int:
    """Return the next value written under a name, which must be legal; one that is not given depends on the fill."""
    if not legal:
        raise RollsError(f"there is nothing to choose from for {name!r}")
    given = written.take(name, 1)
    if not given:
        return legal[min(len(legal), written.fill) - 1]
    found = given[0]
    number = list(options).index(found) if isinstance(found, str) and found in options else found
    if number not in legal:
        allowed = [options[n] if n < len(options) else str(n) for n in legal]
        raise RollsError(
            f"{name!r} cannot be {found!r} here", suggestion(str(found), allowed, f"it may be {', '.join(allowed)}")
        )
    return int(number)


def random_words(source: Source, name: str, bits: int = 16) -> Words:
    """Return a random number of so many bits for each row alive."""
    return source.take(_raw_words(source, name, source.n_drawn, bits))


def more_words(source: Source, name: str, n: int, bits: int = 16) -> Words:
    """Return numbers for rows whose first number decided nothing."""
    return _raw_words(source, f"{name} again", n, bits)


def _raw_words(source: Source, name: str, n: int, bits: int) -> Words:
    words = source.stream(name).integers(0, 2**64, size=-(-n // (64 // bits)), dtype=np.uint64)
    return np.asarray(words.view(f"u{bits // 8}")[:n])


def scale_words(words: Words, m: IntArray | int, bits: int) -> tuple[IntArray, BoolArray]:
    """Return numbers 0 to m - 1 made of random words, `int64[n]`, and which of them must be drawn again.

    Lemire's method: the high bits of word * m; words are rejected so that as many are left for each number.

    >>> values, rejected = scale_words(np.arange(65536, dtype=np.uint16), 6, 16)
    >>> np.bincount(values[~rejected]).tolist(), int(rejected.sum())
    ([10922, 10922, 10922, 10922, 10922, 10922], 4)
    """
    wide = np.asarray(m, np.uint64)
    product = words.astype(np.uint64) * wide
    rejected = (product & np.uint64(2**bits - 1)) < np.uint64(2**bits) % wide
    return (product >> np.uint64(bits)).astype(np.int64), rejected


def success_faces(faces: int, success: Success) -> BoolArray:
    """Return which faces succeed as `bool[faces]`, or `bool[n, faces]` as given.

    >>> success_faces(6, [3, 4, 5]).tolist()
    [False, False, True, True, True, False]
    """
    if isinstance(success, np.ndarray) and success.dtype == bool:
        return success
    flags = np.zeros(faces, bool)
    flags[np.asarray(success, dtype=np.int64) - 1] = True
    return flags


def count_successes(dice: IntArray, faces: int, success: Success, n_dice: IntArray | int | None) -> IntArray:
    """Return how many of the first `n_dice` dice in each row of `dice` [n, k] show a face in `success`."""
    flags = success_faces(faces, success)
    if flags.ndim == 1:
        shown = np.zeros_like(dice, dtype=bool)
        for face in np.flatnonzero(flags) + 1:  # comparing is ten times faster than indexing
            shown |= dice == face
    else:
        shown = np.take_along_axis(flags, dice.astype(np.int64) - 1, axis=1)
    if n_dice is None:
        return np.asarray(shown.sum(axis=1, dtype=np.int16))
    counts = np.zeros(len(dice), np.int16)
    for place in range(dice.shape[1]):
        counts += shown[:, place] & (n_dice > np.int64(place))
    return counts


def first_dice(n_dice: IntArray | None, k: int) -> BoolArray | None:
    """Return which of k dice are among the first `n_dice`, `bool[n, k]`; None for all of them."""
    return None if n_dice is None else np.asarray(np.arange(k) < np.asarray(n_dice)[:, None])


def nth_true(flags: BoolArray, nth: IntArray) -> IntArray:
    """Return the place of the nth flag that is set, counted from 0, in each row of `bool[n, m]`.

    >>> nth_true(np.array([[False, True, True], [True, False, True]]), np.array([0, 1])).tolist()
    [1, 2]
    """
    return np.asarray((flags.cumsum(axis=1) > np.asarray(nth)[:, None]).argmax(axis=1))


def _powers(base: int, k: int) -> WeightArray:
    """Return base**0 to base**k, exactly."""
    return np.array([base**n for n in range(k + 1)], object)


def _rows_of(law: Pmf, number: IntArray) -> dict[str, IntArray]:
    return {symbol: law[symbol].astype(np.int16)[number] for symbol in law.columns}


def _binomial_weights(hits: IntArray, n_dice: IntArray, n_good: IntArray, faces: int, k: int) -> WeightArray:
    """Return C(n, h) good**h bad**(n-h) faces**(k-n) by row: ways for k dice, of which the first n count, to show h."""
    kind = np.int64 if faces**k < 2**63 else object
    table = np.zeros((k + 1, faces + 1, k + 1), kind)
    for n in np.unique(n_dice).tolist():
        for good in np.unique(n_good).tolist():
            row = [comb(n, h) * good**h * (faces - good) ** (n - h) * faces ** (k - n) for h in range(n + 1)]
            table[n, good, : n + 1] = row
    return np.asarray(table[n_dice, n_good, hits])
