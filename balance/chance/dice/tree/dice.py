"""Parts that are dice rolled together: pools, mixed and kept dice, patterns, pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from balance.chance.dice.tree.faces import Count, Die, Each, Explosion, Pick, Reroll

if TYPE_CHECKING:
    from balance.chance.dice.tree.nodes import Node


@dataclass(frozen=True)
class Pool:
    """Equal dice: what is done with each, which are kept, and what is counted; without a count, faces are added.

    `drawn`: cards drawn without replacement. `of`: the name of the result whose dice they are; dice of one name are the
    same dice.
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
        """Whether dice are independent and identically distributed: no cards, no re-roll limited to some dice."""
        return not self.drawn and (self.reroll is None or self.reroll.max_dice is None)

    @property
    def adds_rolls(self) -> bool:
        """Whether every roll of an exploding die adds what it counts, so that the sum of its rolls does not matter."""
        explosion = self.explosion
        summed = self.picks or self.each is not None
        return explosion is not None and not summed and not (explosion.together and self.count is not None)

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode and every roll is counted by itself."""
        return self.count is not None and self.adds_rolls

    def __str__(self) -> str:
        tight = f"{self.explosion or ''}"
        n_text = self.n_dice if isinstance(self.n_dice, int) else f"({self.n_dice})"
        dice_text = f"{n_text} from {self.die.text[1:]}" if self.drawn else f"{n_text}{self.die}{tight}"
        return _joined_text(dice_text, self.reroll, self.each, *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the first kept place and the place after the last, 0 for the highest die."""
        return places_of(self.n_dice, self.picks) if isinstance(self.n_dice, int) else (0, 0)


@dataclass(frozen=True)
class Mix:
    """Dice of several kinds side by side, which of all of them are kept, and what is counted; else they are added.

    `of`: as in a pool.
    """

    parts: tuple[Pool, ...]
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    of: str = ""

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode and every roll is counted by itself."""
        return not self.picks and any(replace(pool, count=self.count).counts_rolls for pool in self.parts)

    def __str__(self) -> str:
        return _joined_text(f"({', '.join(map(str, self.parts))})", *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the first kept place among all dice and the place after the last, 0 for the highest die."""
        return places_of(sum(pool.n_dice for pool in self.parts if isinstance(pool.n_dice, int)), self.picks)


@dataclass(frozen=True)
class KeptDice:
    """The kept dice of a pool, with what is done to them afterwards: re-rolled, exploded, clipped, counted."""

    pool: Pool
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    count: Count | None = None
    each: Each | None = None

    @property
    def as_pool(self) -> Pool:
        """The same as one pool, where nothing is re-rolled or explodes after keeping."""
        each = self.each if self.pool.each is None else self.pool.each.then(self.each)
        return replace(self.pool, count=self.count, each=each)

    def __str__(self) -> str:
        return _joined_text(f"({self.pool}){self.explosion or ''}", self.reroll, self.each, self.count)


@dataclass(frozen=True)
class Against:
    """The number of dice that compare so with a limit, which is rolled once for all of them."""

    dice: Pool | Mix | KeptDice
    sign: str
    limit: Node

    def __str__(self) -> str:
        return f"{self.dice} count {self.sign} ({self.limit})"


@dataclass(frozen=True)
class Pattern:
    """A result of dice together: `kind` is largest set, longest run, different or sets of.

    It is the size of the largest set of equal dice, the number of consecutive values in the longest run, the number of
    different values, or the number of sets of `size` equal dice.
    """

    dice: Pool | Mix
    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.dice} {self.kind}{f' {self.size}' if self.size else ''}"

    def add(self, told: int, n_dice: int, run: int) -> int:
        """Return the result after one more value, as values are visited in falling order.

        Parameters
        ----------
        told
            The result so far.
        n_dice
            Number of dice that show the value.
        run
            Length of the run of consecutive values that ends with it.
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
    """The number of pairs that satisfy a comparison, the dice of both sides sorted downwards and matched in order."""

    first: Pool | Mix
    sign: str
    second: Pool | Mix

    def __str__(self) -> str:
        return f"{self.first} pairs {self.sign} {self.second}"

    @property
    def signs(self) -> tuple[bool, bool, bool]:
        """Whether a pair counts if the first die is higher, equal, lower."""
        return (
            ">" in self.sign or self.sign == "!=",
            self.sign in (">=", "<=", "="),
            "<" in self.sign or self.sign == "!=",
        )


def places_of(n_dice: int, picks: tuple[Pick, ...]) -> tuple[int, int]:
    """Return the first kept place of n dice, 0 for the highest, and the place after the last.

    Each pick applies to the dice that those before it left.
    """
    first, last = 0, n_dice
    for pick in picks:
        first, last = pick.within(first, last)
    return first, last


def _joined_text(dice: str, *parts: object) -> str:
    return " ".join([dice, *(str(part) for part in parts if part is not None)])
