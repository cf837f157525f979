"""Dice that are rolled together, and what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from balance.chance.dice.tree.faces import Count, Die, Each, Explosion, Pick, Reroll

if TYPE_CHECKING:
    from balance.chance.dice.tree.nodes import Node


@dataclass(frozen=True)
class Pool:
    """Equal dice, what is done with each, which of them stay, and what is counted; else their faces are added.

    `drawn`: they are cards of a deck, each drawn once. `of`: the name of the result whose dice they are; dice of one
    name are the same dice.
    """

    n_dice: int | Node
    die: Die
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    each: Each | None = None
    drawn: bool = False
    of: str = ""

    @property
    def are_alike(self) -> bool:
        """Whether each die falls as if it were rolled alone."""
        return not self.drawn and (self.reroll is None or self.reroll.max_dice is None)

    @property
    def adds_rolls(self) -> bool:
        """Whether every roll of a die that explodes adds what it counts by itself."""
        explosion = self.explosion
        summed = self.picks or self.each is not None
        return explosion is not None and not summed and not (explosion.together and self.count is not None)

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode of which every roll counts by itself."""
        return self.count is not None and self.adds_rolls

    def __str__(self) -> str:
        tight = f"{self.explosion or ''}"
        n_text = self.n_dice if isinstance(self.n_dice, int) else f"({self.n_dice})"
        dice_text = f"{n_text} from {self.die.text[1:]}" if self.drawn else f"{n_text}{self.die}{tight}"
        return _joined_text(dice_text, self.reroll, self.each, *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the places that stay, counted from the highest die, of so many dice."""
        return places_of(self.n_dice, self.picks) if isinstance(self.n_dice, int) else (0, 0)


@dataclass(frozen=True)
class Mix:
    """Dice of several kinds side by side, which of all of them stay, and what is counted; else they are added.

    `of`: as that of a pool.
    """

    parts: tuple[Pool, ...]
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    of: str = ""

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode of which every roll counts by itself."""
        return not self.picks and any(replace(pool, count=self.count).counts_rolls for pool in self.parts)

    def __str__(self) -> str:
        return _joined_text(f"({', '.join(map(str, self.parts))})", *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the places that stay, counted from the highest die."""
        return places_of(sum(pool.n_dice for pool in self.parts if isinstance(pool.n_dice, int)), self.picks)


@dataclass(frozen=True)
class KeptDice:
    """The dice that stay of a pool, with what is done to them afterwards: rolled again, exploded, counted."""

    pool: Pool
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    count: Count | None = None
    each: Each | None = None

    @property
    def as_pool(self) -> Pool:
        """The pool alone, where nothing is rolled on: the ends of its dice are the same before and after keeping."""
        each = self.each if self.pool.each is None else self.pool.each.then(self.each)
        return replace(self.pool, count=self.count, each=each)

    def __str__(self) -> str:
        return _joined_text(f"({self.pool}){self.explosion or ''}", self.reroll, self.each, self.count)


@dataclass(frozen=True)
class Against:
    """How many dice compare so with a total that is rolled once for all of them."""

    dice: Pool | Mix | KeptDice
    sign: str
    limit: Node

    def __str__(self) -> str:
        return f"{self.dice} count {self.sign} ({self.limit})"


@dataclass(frozen=True)
class Pattern:
    """What dice show together; `kind` says what is told.

    How many dice the largest set of equal ones has, how many values of the longest run follow one another, how many
    different values there are, or how many sets of `size` equal dice they make.
    """

    dice: Pool | Mix
    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.dice} {self.kind}{f' {self.size}' if self.size else ''}"

    def add(self, told: int, n_dice: int, run: int) -> int:
        """Return what is told after one value more.

        Parameters
        ----------
        told
            What is told so far.
        n_dice
            How many dice show the value.
        run
            How many values up to it follow one another, each shown.
        """
        match self.kind:
            case "different":
                return told + (n_dice > 0)
            case "sets of":
                return told + n_dice // self.size
            case "longest run":
                return max(told, run)
        return max(told, n_dice)


@dataclass(frozen=True)
class Pairs:
    """In how many pairs a die of one side compares so with one of the other, the highest with the highest and so on."""

    first: Pool | Mix
    sign: str
    second: Pool | Mix

    def __str__(self) -> str:
        return f"{self.first} pairs {self.sign} {self.second}"

    @property
    def signs(self) -> tuple[bool, bool, bool]:
        """Whether a pair counts in which the first is more, is the same, is less."""
        return (
            ">" in self.sign or self.sign == "!=",
            self.sign in (">=", "<=", "="),
            "<" in self.sign or self.sign == "!=",
        )


def places_of(n_dice: int, picks: tuple[Pick, ...]) -> tuple[int, int]:
    """Return the first place that stays of so many dice, counted from the highest, and the place after the last.

    Parameters
    ----------
    n_dice
        How many dice there are.
    picks
        Which of them are kept or dropped, one after the other.
    """
    first, last = 0, n_dice
    for pick in picks:
        first, last = pick.within(first, last)
    return first, last


def _joined_text(dice: str, *parts: object) -> str:
    return " ".join([dice, *(str(part) for part in parts if part is not None)])
