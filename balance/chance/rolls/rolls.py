"""Chance and choice as the rules see them: named requests for a batch of n trials, whoever answers them.

A rule asks `Rolls` for dice, cards and choices by name. It never knows whether the answers are random (`RandomRolls`),
written down in a rulebook's example (`FixedRolls`), or all of them at once with their weights
(`balance.chance.exact.enumeration`). What can be asked are the methods of `Rolls`; what each means and how it is
answered is told in `balance.chance.rolls.requests`, `balance.chance.rolls.dice` and `balance.chance.rolls.choices`.

How often a rule asks, and what for, may depend on its cards, never on the state of a trial: then every batch makes the
same requests, a paired run stays paired, and all combinations can be listed. What may differ by trial are the numbers
given as arrays: how many dice count or are rolled, how many cards a deck has, which options are legal. Only dice that
count in no trial may stay unasked where luck is drawn (`Rolls.is_random`), if asking for them takes long.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import RollsError
from balance.chance.rolls.choices import Choose, Legal, nth_true
from balance.chance.rolls.dice import Count, Dice, Pool, Success, Successes
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.requests import (
    Answer,
    Deal,
    Draw,
    Request,
    ScalarT,
    Uniform,
    first_of_each,
    more_words,
    random_words,
)
from balance.chance.rolls.streams import stream
from balance.chance.rolls.symbols import SymbolDie


class Rolls(ABC):
    """All that a rule may ask for, for a batch of n trials; every request goes through `answer`.

    `n`: number of trials that are still alive. `is_random`: whether luck is drawn, and not listed or written down.
    """

    n: int
    is_random = False

    @abstractmethod
    def answer(self, request: Request[Answer]) -> Answer:
        """Answer any request; subclasses decide how."""

    def keep(self, rows: IntArray) -> None:
        """Continue with these trials only (positions among those alive now)."""
        self.n = len(rows)

    def among(self, rows: IntArray) -> Self:
        """Return rolls on the same streams for some of the trials alive (positions among them)."""
        some = copy(self)
        some.keep(rows)
        return some

    def writes(self, name: str) -> bool:
        """Return whether an example writes down what is asked for under this name, so that no policy is asked."""
        return False

    def only_possible(self) -> None:  # noqa: B027 - most rolls have nothing to leave out
        """Leave out rows of weight 0 before a policy is asked, which must not see them."""

    def d(self, faces: int, k: int, name: str, n_dice: IntArray | None = None) -> IntArray:
        """Return k dice with faces 1 to `faces`, `int[n, k]`; those beyond the first `n_dice` (`int[n]`) show 0.

        * `faces`: number of faces of a die, which are numbered from 1.
        * `k`: number of dice for each trial.
        * `name`: name of the request, which selects its random stream or the values of an example.
        * `n_dice`: how many dice of each trial are rolled, at most k; None for all.
        """
        return self.answer(Dice(name, faces, k, first_of_each(n_dice, k)))

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        """Return how many of each trial's first `n_dice` dice (default k) show a face in `success`, `int16[n]`.

        `success` lists faces, or tells of each face whether it succeeds, `bool[faces]` or `bool[n, faces]`.

        * `faces`: number of faces of a die, which are numbered from 1.
        * `k`: number of dice for each trial.
        * `success`: the faces that succeed, or a flag for each face.
        * `name`: name of the request, which selects its random stream or the values of an example.
        * `n_dice`: how many dice of each trial are rolled, at most k; None for all.
        """
        return self.answer(Count(name, faces, k, success, n_dice))

    def successes(self, faces: int, k: int, success: Sequence[int], name: str) -> BoolArray:
        """Return which of k dice with faces 1 to `faces` show one of those in `success`, `bool[n, k]`.

        * `faces`: number of faces of a die, which are numbered from 1.
        * `k`: number of dice for each trial.
        * `success`: faces that succeed, each from 1 to `faces`.
        * `name`: name of the request, which selects its random stream or the values of an example.
        """
        return self.answer(Successes(name, faces, k, success))

    def pool(self, die: SymbolDie, k: int, name: str, n_dice: IntArray | None = None) -> dict[str, IntArray]:
        """Return how often each symbol shows on k dice, or on the first `n_dice` (`int[n]`), by symbol, `int16[n]`.

        * `die`: the die, whose faces show symbols.
        * `k`: number of dice for each trial.
        * `name`: name of the request, which selects its random stream or the values of an example.
        * `n_dice`: how many dice of each trial are rolled, at most k; None for all.
        """
        return self.answer(Pool(name, die, k, n_dice))

    def draw(self, distributions: DistributionStack, place: IntArray | int, name: str) -> dict[str, IntArray]:
        """Return one outcome of distribution `place` (int, or `int[n]`) for each trial, by column.

        `distributions`: compiled distributions, all over the same columns. `place`: which of them each trial draws
        from. `name`: name of the request, which selects its random stream or the values of an example.
        """
        return self.answer(Draw(name, distributions, place))

    def uniform(self, m: IntArray | np.integer[Any] | int, name: str) -> IntArray:
        """Return one of 0 to m - 1 for each trial, equally likely, `int[n]`; m may differ by trial (`int[n]`).

        `m`: how many numbers there are, 1 or more. `name`: name of the request, which selects its random stream or the
        values of an example.
        """
        return self.answer(Uniform(name, m if isinstance(m, np.ndarray) else int(m)))

    def pick(self, flags: BoolArray, name: str) -> IntArray:
        """Return the place of one of the flags that are set, equally likely: a card of those left, `int64[n]`.

        `flags`: `bool[n, m]`, such as which cards are still in the deck; at least one is set in each trial.
        """
        return nth_true(flags, self.uniform(flags.sum(axis=1), name))

    def deal(self, m: int, k: int, name: str, n_cards: IntArray | None = None) -> IntArray:
        """Return the first k cards of a shuffled deck of cards 0 to m - 1, `int16[n, k]`.

        `n_cards`: `int[n]`, at most m: how many cards (0 to n_cards - 1) are in each trial's deck; -1 where it has no
        more.
        """
        if not 1 <= k <= m:
            raise RollsError(f"{k} cards cannot be dealt from the {m} of {name!r}", f"deal 1 to {m}")
        if n_cards is not None and (n_cards > m).any():
            raise RollsError(f"a deck of {int(n_cards.max())} cards is larger than the {m} that {name!r} may hold")
        return self.answer(Deal(name, m, k, n_cards))

    def shuffle(self, m: int, name: str, n_cards: IntArray | None = None) -> IntArray:
        """Return a deck of cards 0 to m - 1 in random order, `int16[n, m]`; -1 beyond the first `n_cards`.

        `m`: number of cards, numbered from 0. `name`: name of the request, which selects its random stream or the
        values of an example. `n_cards`: how many cards the deck of each trial has, at most m; None for all.
        """
        return self.deal(m, m, name, n_cards)

    def reroll(
        self, dice: IntArray, is_chosen: BoolArray, faces: int, name: str, is_spent: BoolArray | None = None
    ) -> tuple[IntArray, BoolArray]:
        """Roll some dice again; each die at most once.

        Parameters
        ----------
        dice
            Faces shown, `int[n, k]`; 0 for no die.
        is_chosen
            Which to roll again, `bool[n, k]`.
        faces
            What each die may show: 1 to `faces`.
        is_spent
            Which dice have been rolled again before, as an earlier re-roll returned it; None for no die.

        Returns
        -------
        dice, is_spent
            The dice as they lie now, and which of them may not be rolled again.

        Raises
        ------
        RollsError
            A chosen die has been rolled again before, or there is no such die.
        """
        before = np.zeros(dice.shape, bool) if is_spent is None else is_spent
        if (is_chosen & before).any():
            raise RollsError(
                f"{int((is_chosen & before).sum())} dice are rolled again twice in {name!r}", "once is all"
            )
        if (is_chosen & (dice == 0)).any():
            raise RollsError(f"a die that was never rolled cannot be rolled again in {name!r}")
        again = self.answer(Dice(name, faces, dice.shape[1], is_chosen))
        return np.where(is_chosen, again, dice), before | is_chosen

    def choose(self, side: str, name: str, legal: Legal, view: Any, options: Sequence[str] = ()) -> IntArray:
        """Return which option `side` chooses in each trial, `int[n]`.

        * `side`: whose policy is asked.
        * `name`: what the choice is called, and what an example writes it under; dice go by other names.
        * `legal`: which options may be chosen: `bool[n, m]`, or how many there are (int, or `int[n]`).
        * `view`: what the side may know, and nothing else: columns `[n, ...]`, or an object of the game's own.
        * `options`: names of the options, for examples and messages.
        """
        n_legal = legal if isinstance(legal, np.ndarray) else int(legal)
        return self.answer(Choose(name, side, n_legal, view, options))


class Policy(Protocol):
    """How a side chooses; best a frozen dataclass, whose repr then names it in messages."""

    def choose(self, name: str, legal: Legal, view: Any, rolls: Rolls) -> IntArray:
        """Return one legal option for each trial, `int[n]`; `rolls` gives chance of the policy's own.

        What it asks of `rolls` goes by the side's name and its own: "card" of side a is "a card".

        * `name`: name of the choice, by which a policy tells its choices apart.
        * `legal`: the legal options of each trial.
        * `view`: what the side that chooses may see.
        * `rolls`: rolls for a policy that mixes its choices.
        """
        ...


class ProxyRolls(Rolls):
    """Rolls that pass every request to a function, which may change it, record it or answer it.

    `rolls`: the rolls behind, to which the function may pass requests. `around`: function (rolls, request) -> the
    answer.
    """

    def __init__(self, rolls: Rolls, around: Callable[[Rolls, Request[Any]], Any]) -> None:
        self.n, self._rolls, self._around = rolls.n, rolls, around

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer by the function."""
        result: Answer = self._around(self._rolls, request)
        return result

    def among(self, rows: IntArray) -> Self:
        """Return rolls for some trials, which the same function answers."""
        some = copy(self)
        some.n, some._rolls = len(rows), self._rolls.among(rows)
        return some

    def keep(self, rows: IntArray) -> None:
        """Continue with these trials only, here and in the rolls behind."""
        super().keep(rows)
        self._rolls.keep(rows)

    def writes(self, name: str) -> bool:
        """Return whether the rolls behind have this name written down."""
        return self._rolls.writes(name)

    def only_possible(self) -> None:
        """Leave out rows of weight 0 in the rolls behind."""
        self._rolls.only_possible()


def with_names(rolls: Rolls, name_of: Callable[[str], str]) -> Rolls:
    """Return rolls in which `name_of` renames each request."""
    return ProxyRolls(rolls, lambda behind, request: behind.answer(request.with_name(name_of(request.name))))


def bound(rolls: Rolls, policies: Mapping[str, Policy]) -> Rolls:
    """Return rolls in which policies choose for their sides, unless an example writes the choice down.

    Chance that a policy asks for is named after its side; an illegal choice raises RollsError.
    """

    def around(behind: Rolls, request: Request[Any]) -> Any:
        if not isinstance(request, Choose) or request.side not in policies or behind.writes(request.name):
            return behind.answer(request)
        behind.only_possible()
        policy, side = policies[request.side], request.side
        side_rolls = with_names(behind, lambda name: f"{side} {name}")
        return request.check(policy.choose(request.name, request.legal, request.view, side_rolls), policy)

    return ProxyRolls(rolls, around)


class RandomRolls(Rolls):
    """Random answers for the trials of one block: a stream of its own for every name.

    `seed`, `key` and `block`: what the streams are made of; see `balance.chance.rolls.streams`. `n`: trials in the
    block. `is_paired`: keep two runs with different rules on the same dice: draw for the whole block each time and take
    the rows that are still alive. Otherwise draw for the rows alive only, which is faster.

    >>> rolls = RandomRolls(0, "demo", block=0, n=4)
    >>> rolls.d(6, 2, "armour").shape
    (4, 2)
    """

    is_random = True

    def __init__(self, seed: int, key: str, block: int, n: int, *, is_paired: bool = False) -> None:
        self.n = n
        self._origin = (seed, key, block)
        self._streams: dict[str, np.random.Generator] = {}
        self._block_n = n
        self._alive: IntArray | None = None
        self._is_paired = is_paired

    def child(self, name: str, n: int) -> RandomRolls:
        """Return rolls for `n` trials of the same block on separate streams.

        `name`: name that tells these streams from others. `n`: number of trials that the new rolls are for.
        """
        seed, key, block = self._origin
        return RandomRolls(seed, f"{key}/{name}", block, n, is_paired=self._is_paired)

    def paired_rolls(self, name: str) -> RandomRolls:
        """Return paired rolls for the same trials; called twice with one name, they are the same dice."""
        seed, key, block = self._origin
        return RandomRolls(seed, f"{key}/{name}", block, self.n, is_paired=True)

    def copies_of(self, name: str, trials: IntArray) -> RandomRolls:
        """Return paired rolls on streams of their own for copies of trials, `int[m]` below `n`.

        Copies of one trial are the same dice, also where it is copied by another call with this name.

        `name`: name that tells these streams from others; equal names roll the same dice. `trials`: the trial that each
        copy is of, `int[m]`.

        >>> RandomRolls(0, "demo", 0, 4).copies_of("again", np.array([3, 1, 3])).d(6, 1, "armour")[:, 0].tolist()
        [3, 1, 3]
        """
        copies = self.paired_rolls(name)
        copies.keep(trials)
        return copies

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer from the stream of the request's name."""
        return request.at_random(self)

    def keep(self, rows: IntArray) -> None:
        """Continue with these rows only (positions among the rows alive now)."""
        if self._is_paired:
            self._alive = rows if self._alive is None else self._alive[rows]
        self.n = len(rows)

    def stream(self, name: str) -> np.random.Generator:
        """Return the generator of this name, with what was drawn from it so far consumed."""
        if name not in self._streams:
            self._streams[name] = stream(*self._origin, name)
        return self._streams[name]

    @property
    def is_paired(self) -> bool:
        """Whether two runs are kept on the same dice."""
        return self._is_paired

    @property
    def n_drawn(self) -> int:
        """Rows to draw for: those alive, or all of a paired block."""
        return self._block_n if self._is_paired else self.n

    def take(self, words: npt.NDArray[ScalarT]) -> npt.NDArray[ScalarT]:
        """Return the rows alive of what was drawn for `n_drawn` rows."""
        return words if self._alive is None else words[self._alive]

    def draw_index(self, distributions: DistributionStack, place: IntArray | int, name: str) -> IntArray:
        """Return the place of one outcome in `distributions.outcomes` for each trial, `uint8[n]` or `uint16[n]`.

        `distributions`: compiled distributions, all over the same columns. `place`: which of them each trial draws
        from. `name`: name of the request, which selects its random stream.
        """
        return Draw(name, distributions, place).index(self)

    def count_draws(self, distributions: DistributionStack, place: int, name: str) -> IntArray:
        """Return how many trials draw each outcome of the stack, `int64[M]`: the draws of `draw_index`, counted.

        `distributions`: compiled distributions, all over the same columns. `place`: which of them all trials draw from.
        `name`: name of the request, which selects its random stream.
        """
        table = distributions.table
        counts = table.count(place, random_words(self, name))
        n_drawn = counts[:-1]
        while n_pending := int(counts[-1]):
            table = table.again
            counts = table.count(place, more_words(self, name, n_pending))
            n_drawn = n_drawn + counts[:-1]
        return n_drawn


class FixedRolls(Rolls):
    """The dice, cards and choices of a written example, by name, for one trial.

    * `dice`: faces by name, used in order as they are asked for; dice with symbols may give the names of their faces.
      Cards and numbers of `uniform` count from 0; choices are given by the number or the name of an option.
    * `fill`: the face that dice not given show, or their highest if they have fewer (of other requests: which of the
      possible answers, counted from 1). `play_fixed` tries many, and accepts a result only if they all give the same.

    >>> FixedRolls({"armour": [3, 6]}).count(6, 2, [3, 4, 5], "armour").tolist()
    [1]
    """

    n = 1

    def __init__(self, dice: Mapping[str, Sequence[int | str]], fill: int = 1) -> None:
        self._remaining = {name: list(values) for name, values in dice.items()}
        self._given_names = frozenset(dice)
        self.fill = fill

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer as the example does."""
        return request.as_written(self)

    def take(self, name: str, k: int) -> list[int | str]:
        """Take the next k values of this name, or as many as are left.

        `name`: name of the request, under which the example lists values. `k`: how many values are asked for.
        """
        values = self._remaining.get(name, [])
        result, self._remaining[name] = values[:k], values[k:]
        return result

    def writes(self, name: str) -> bool:
        """Return whether the example has values of this name, used or not."""
        return name in self._given_names

    def check_used(self) -> None:
        """Raise RollsError if some of the given dice were never asked for."""
        if leftover := {name: dice for name, dice in self._remaining.items() if dice}:
            raise RollsError(f"dice given but never rolled: {leftover}")
