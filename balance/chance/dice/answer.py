"""The answer of `dice`: the odds of expressions as they were typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from balance.base.answers import ASKED_FOR, Doc, Form, Seed
from balance.chance.dice.odds import Odds
from balance.chance.dice.text.parsing import Family


@dataclass(frozen=True, repr=False)
class DiceOdds:
    """The odds of expressions of dice.

    Attributes
    ----------
    expressions
        As they were typed.
    rows
        The odds of each expression that they stand for, such as `rows[0].mean()`.
    simulated
        If trials were asked for, what they gave beside each row that is exact.
    seed
        Of what was simulated.
    """

    schema: Form
    verb: Literal["dice"]
    expressions: tuple[Family, ...]
    rows: tuple[Odds, ...]
    simulated: Annotated[tuple[Odds, ...], Doc("In the order of the rows.")] = ()
    seed: Seed | None = field(default=None, metadata=ASKED_FOR)

    @classmethod
    def of(cls, families: Sequence[Family], rows: Sequence[Odds], simulated: Sequence[Odds] = ()) -> DiceOdds:
        """Return the answer about expressions, of which `rows` are all the odds."""
        seeds = [odds.seed for odds in (*rows, *simulated) if odds.n_trials]
        return cls(1, "dice", tuple(families), tuple(rows), tuple(simulated), seeds[0] if seeds else None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know of how expressions were read."""
        return tuple(dict.fromkeys(note for odds in self.rows for note in odds.notes))

    @property
    def is_exact(self) -> bool:
        """Whether no number has sampling error."""
        return all(odds.is_exact for odds in self.rows)

    @property
    def title(self) -> str:
        """The one expression as it is read, the one family as it was typed, or how many expressions there are."""
        if len(self.rows) == 1:
            return self.rows[0].text
        if len(self.expressions) == 1:
            return " ".join(self.expressions[0].text.split())
        return f"{len(self.rows)} expressions"

    @property
    def grid(self) -> Family | None:
        """The one expression over two families of values, if that is all, with a single column of odds in each row."""
        family = self.expressions[0]
        is_grid = len(self.expressions) == 1 and len(family.families) == 2
        return family if is_grid and all(odds.columns == ("total",) for odds in self.rows) else None

    def __repr__(self) -> str:
        """Return the odds of one expression, or how many there are and the first.

        >>> from balance.chance.dice import odds, parse_family
        >>> DiceOdds.of([parse_family("3d6 keep 2")], [odds("3d6 keep 2")])
        <DiceOdds: Odds('3d6 keep 2', mean 8.4583, exact)>
        """
        more = f" and {len(self.rows) - 1} more" if len(self.rows) > 1 else ""
        return f"<DiceOdds: {self.rows[0]!r}{more}>"
