"""The grammars of cells: what a face shows, `hit+surge`; an amount, `1+stable`; surge abilities, `hits@2`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from balance.base.errors import Fault, comma_list, suggestion
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell

ICONS = ("hit", "surge", "accuracy", "mortal_strike", "morale")
"""What faces show."""
RUNES = ("stable", "unstable", "natural")
"""Kinds of rune."""
EFFECTS = ("hits", "mortal_strikes", "damage", "accuracy", "morale", "inspiration")
"""What surges buy, beside conditions that the defender receives."""
_AMOUNT = re.compile(r"(?:([0-9]{1,2})\s*\+\s*)?([^\W\d][\w ]*)|([0-9]{1,2})")
_SURGE = re.compile(r"([^\W\d_][^\d@]*?)([0-9]{1,2})?@([0-9]{1,2})(u?)(\+?)(?:\?([^\W\d_].*))?", re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """A number to which the runes of a kind that lie are added; `rune` is "" where none are."""

    number: int
    rune: str = ""

    def __str__(self) -> str:
        """Return the canonical form, such as `1+stable`."""
        return self.rune if self.rune and not self.number else "+".join(filter(None, [str(self.number), self.rune]))


def parse_amount(text: str) -> Amount:
    """Read an amount; raise BadCell if it is none, or names no kind of rune.

    >>> parse_amount("2"), str(parse_amount("1 + Stable")), str(parse_amount("natural"))
    (Amount(number=2, rune=''), '1+stable', 'natural')
    """
    rule = f"a number from 0 to 99, {comma_list(RUNES)}, or both, such as 1+stable"
    form = _AMOUNT.fullmatch(text.strip())
    if form is None:
        raise BadCell("is not an amount", allowed=rule)
    before, rune, number = form.groups()
    if rune and slug(rune) not in RUNES:
        raise BadCell("names an unknown rune", suggestion(slug(rune), RUNES), allowed=rule)
    return Amount(int(before or number or 0), slug(rune or ""))


@dataclass(frozen=True)
class SurgeAbility:
    """What surges buy (RW-SURGE.1, RW-SURGE.2).

    `effect` and `number`: one of `EFFECTS` and how many, or the id of a condition and 1. `cost`: surges it takes; with
    `plus`, any number of them, and the effect joins for each cost paid. `unique`: whether it is resolved once an
    attack; always with `plus`. `condition`: what the defender must have, or "".
    """

    effect: str
    number: int
    cost: int
    unique: bool = False
    plus: bool = False
    condition: str = ""

    def __str__(self) -> str:
        """Return the canonical form, such as `damage2@1+` or `mortal_strikes@1?blight`."""
        number, once = str(self.number) if self.number > 1 else "", "+" if self.plus else "u" if self.unique else ""
        return f"{self.effect}{number}@{self.cost}{once}{'?' if self.condition else ''}{self.condition}"

    def cheaper(self, surges: int) -> SurgeAbility:
        """Return the ability at a cost lower by so many surges, at least 1 (RW-SURGE.3).

        >>> str(parse_surges("hits@3")[0].cheaper(2)), str(parse_surges("hits@3")[0].cheaper(3))
        ('hits@1', 'hits@1')
        """
        return replace(self, cost=max(1, self.cost - surges))


def parse_surges(text: str | None) -> tuple[SurgeAbility, ...]:
    """Read surge abilities in the order listed; `surge_faults` says whether their words exist.

    Raise BadCell if one is not written as an ability is, or has a number that it cannot have.

    >>> [str(one) for one in parse_surges("Mortal Strikes @ 2U, damage 2@1+,mortal_strikes@1?blight")]
    ['mortal_strikes@2u', 'damage2@1+', 'mortal_strikes@1?blight']
    >>> parse_surges("none")
    ()
    """
    pieces = [piece.strip() for piece in re.split("[;,|]", text or "") if piece.strip()]
    return () if [slug(piece) for piece in pieces] == ["none"] else tuple(map(_surge, pieces))


def _surge(piece: str) -> SurgeAbility:
    form = _SURGE.fullmatch(re.sub(r"\s*([0-9@?+])\s*", r"\1", piece))
    if form is None:
        rule = "EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+"
        raise BadCell(f"holds {piece!r}, which is not a surge ability", allowed=rule)
    word, number, cost, once, plus, condition = form.groups()
    if not int(cost) * int(number or 1):
        raise BadCell(f"holds {piece!r}, which costs or does nothing", allowed="numbers from 1 to 99")
    return SurgeAbility(slug(word), int(number or 1), int(cost), bool(once or plus), bool(plus), slug(condition or ""))


def surge_faults(text: str | None, conditions: Collection[str], field: str) -> Iterator[Fault]:
    """Yield a fault of the column `field` for each surge ability whose effect or condition does not exist."""
    for surge in parse_surges(text):
        checks = ((surge.effect, (*EFFECTS, *conditions), "effect"), (surge.condition, conditions, "condition"))
        for word, names, kind in checks:
            if word and word not in names:
                message, tip = f"has an unknown {kind}, {word}", suggestion(word, names)
                yield Fault(message, "", None, field, text, comma_list(names), tip)
        if surge.effect in conditions and surge.number > 1:
            yield Fault(f"has a number for {surge.effect}, which a unit has once", "", None, field, text, surge.effect)


def _surges_text(text: str) -> str:
    return ",".join(map(str, parse_surges(text))) or "none"


def _icons_text(words: tuple[str, ...], text: str) -> str:
    names = [slug(word) for word in text.split("+")]
    for word in names:
        if word not in words and names != ["blank"]:
            rule, choices = (
                f"blank, or {comma_list(words)}, joined by +",
                words if len(names) > 1 else ("blank", *words),
            )
            raise BadCell(f"shows {word!r}, which is unknown", suggestion(word, choices), allowed=rule)
    return "+".join(names)


def _within(low: int, high: int, text: str) -> str:
    amount = parse_amount(text)
    if not low <= amount.number <= high:
        rule = f"a number from {low} to {high}, to which {comma_list(RUNES)} may be joined by +"
        raise BadCell("is out of range", allowed=rule)
    return str(amount)


AmountText = Annotated[str, AfterValidator(partial(_within, 0, 99))]
"""A cell that holds an amount, as `Amount` writes it."""
DefenceText = Annotated[str, AfterValidator(partial(_within, 1, 99))]
"""An amount of at least 1, whatever the runes show."""
DiceText = Annotated[str, AfterValidator(partial(_within, 0, 9))]
"""An amount of dice, 9 at most beside the runes."""
SurgesText = Annotated[str, StringConstraints(max_length=200), AfterValidator(_surges_text)]
"""A cell of surge abilities, each as `SurgeAbility` writes it, separated by commas; `none` for no ability."""
Icons = Annotated[str, AfterValidator(partial(_icons_text, ICONS)), Field(description="blank, or icons joined by +.")]
RuneSide = Annotated[
    str, AfterValidator(partial(_icons_text, RUNES)), Field(description="blank, or runes joined by +.")
]
