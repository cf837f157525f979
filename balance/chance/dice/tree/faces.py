"""A die and its faces, and what may be done with one die: re-rolled, exploded, kept, clipped, counted."""

from __future__ import annotations

from dataclasses import dataclass

SHIFT = 32
"""Bits of the one number that a face with symbols is: so many for each kind of symbol, how often it is shown."""


PASS = 2**31
"""What a die that skips the next roll counts, in a count of both: so many times what it counts."""


@dataclass(frozen=True)
class Faces:
    """A set of faces: ranges with both ends included (None: no end), or faces that show any of some symbols.

    `blank` adds faces without symbols; `failing` takes all the other faces.

    >>> Faces(">=5", ((5, None),)).has(6)
    True
    """

    text: str
    spans: tuple[tuple[int | None, int | None], ...] = ()
    symbols: tuple[int, ...] = ()
    blank: bool = False
    failing: bool = False

    def has(self, value: int) -> bool:
        """Whether a face is in the set, given its number or its packed symbols."""
        return self._lists(value) != self.failing

    def _lists(self, value: int) -> bool:
        if self.symbols or self.blank:
            return (self.blank and value == 0) or any(
                value >> SHIFT * place & (1 << SHIFT) - 1 for place in self.symbols
            )
        return any((low is None or value >= low) and (high is None or value <= high) for low, high in self.spans)

    def __str__(self) -> str:
        return f"failing {self.text}" if self.failing else self.text


def faces_that(sign: str, value: int) -> Faces:
    """Return the faces that satisfy a comparison such as `>=` with a number.

    >>> str(faces_that(">", 4)), faces_that(">", 4).spans
    ('>4', ((5, None),))
    """
    spans: dict[str, tuple[tuple[int | None, int | None], ...]] = {
        ">=": ((value, None),),
        ">": ((value + 1, None),),
        "<=": ((None, value),),
        "<": ((None, value - 1),),
        "=": ((value, value),),
        "!=": ((None, value - 1), (value + 1, None)),
    }
    return Faces(f"{value}" if sign == "=" else f"{sign}{value}", spans[sign])


@dataclass(frozen=True)
class Reroll:
    """Faces that are rolled once more, or with `always` until another face comes up.

    `max_dice`: at most so many dice of a pool, the lowest first; their new rolls stand.
    """

    faces: Faces
    always: bool = False
    max_dice: int | None = None

    def __str__(self) -> str:
        at_most = "" if self.max_dice is None else f"up to {self.max_dice} of "
        return f"reroll {'always ' if self.always else ''}{at_most}{self.faces}"


@dataclass(frozen=True)
class Each:
    """Limits for what a die counts as, after all its rolls; None for no limit."""

    least: int | None = None
    highest: int | None = None

    def of(self, value: int) -> int:
        """Return a value clipped to the limits."""
        raised = value if self.least is None else max(value, self.least)
        return raised if self.highest is None else min(raised, self.highest)

    def then(self, later: Each | None) -> Each:
        """Return the limits that apply these first and then `later`; None for none."""
        if later is None:
            return self
        least = later.least if self.least is None else later.of(self.least)
        return Each(least, later.highest if self.highest is None else later.of(self.highest))

    def __str__(self) -> str:
        ends = {"least": self.least, "most": self.highest}
        return " ".join(f"each at {word} {end}" for word, end in ends.items() if end is not None)


@dataclass(frozen=True)
class Explosion:
    """Faces after which a die is rolled again and the roll added, `max_times` times at most (None: without end).

    `together`: what a die shows is the sum of its rolls, also where faces are counted.
    """

    faces: Faces | None
    together: bool = False
    max_times: int | None = None

    def __str__(self) -> str:
        times = "" if self.max_times is None else " once" if self.max_times == 1 else f" at most {self.max_times}"
        faces = "" if self.faces is None else f"{self.faces}"
        apart = " " if faces.startswith(("!", "failing")) else ""  # as !!=1 would be !! and =1
        return f"{'!!' if self.together else '!'}{apart}{faces}{times}"


@dataclass(frozen=True)
class Pick:
    """Keep or drop `n_dice` of the highest or lowest dice of a pool."""

    keep: bool
    highest: bool
    n_dice: int

    def __str__(self) -> str:
        side = "" if self.keep == self.highest else "highest " if self.highest else "lowest "
        return f"{'keep' if self.keep else 'drop'} {side}{self.n_dice}"

    def within(self, first: int, last: int) -> tuple[int, int]:
        """Return the places kept from `first` (0: the highest die) to before `last`, as (first, after the last)."""
        n_dice = min(self.n_dice, last - first)
        if self.keep == self.highest:
            return (first, first + n_dice) if self.keep else (first, last - n_dice)
        return (last - n_dice, last) if self.keep else (first + n_dice, last)


@dataclass(frozen=True)
class Count:
    """What a die counts: 1 for `faces`, 2 for `double`, 3 for `triple`, less 1 for `cancel`.

    `skip`: faces that pass the next roll. `every`: a die counts as many as it shows of some symbols.
    """

    faces: Faces
    double: Faces | None = None
    cancel: Faces | None = None
    triple: Faces | None = None
    skip: Faces | None = None
    every: bool = False

    def __str__(self) -> str:
        if self.every:
            return f"count every {self.faces}"
        twice = self.double == self.faces
        text = {
            "double": None if twice else self.double,
            "triple": self.triple,
            "cancel": self.cancel,
            "skip": self.skip,
        }
        words = [f"count {self.faces}{' twice' if twice else ''}"]
        words += [f"{word} {faces}" for word, faces in text.items() if faces is not None]
        return " ".join(words)

    def of(self, value: int) -> int:
        """Return the count of a face; times `PASS` if it counts without the next roll."""
        if self.every:
            return sum(value >> SHIFT * place & (1 << SHIFT) - 1 for place in self.faces.symbols)
        n_times = int(self.faces.has(value))
        for times, faces in ((2, self.double), (3, self.triple)):
            n_times = times if faces is not None and faces.has(value) else n_times
        n_times -= int(self.cancel is not None and self.cancel.has(value))
        return PASS * max(1, n_times) if self.skip is not None and self.skip.has(value) else n_times


def symbols_of(value: int, n_symbols: int) -> tuple[int, ...]:
    """Unpack the value of a symbolic face into the number of times that it shows each kind, `SHIFT` bits each.

    >>> symbols_of(1 + (2 << 32), 2)
    (1, 2)
    """
    return tuple(value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(n_symbols))
