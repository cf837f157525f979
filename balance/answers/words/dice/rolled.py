"""What `dice` says of rolls that people wrote down: whether they were lucky, and how often dice fall so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.base.numbers import show_fixed, show_many, show_probability
from balance.playtests.people.luck import RolledDice, RolledLuck

_RARE = 1e-12
"""Below that a chance is only told to be smaller."""


def sentence(luck: RolledLuck, terms: Terms) -> str:
    """Return the verdict, and in how many evenings of fair dice one is as lucky."""
    whole = luck.rows[0]
    side, chance = min(("unlucky", whole.as_low), ("lucky", whole.as_high), key=lambda tail: tail[1])
    evenings = f"in {1 / chance:,.1f}" if chance > 0.01 else f"in {1 / max(chance, _RARE):,.0f}"
    begin = f"{luck.verdict[:1].upper()}{luck.verdict[1:]}: "
    return f"{begin}one evening {evenings} {'or more ' if chance < _RARE else ''}is as {side}."


def short(luck: RolledLuck, terms: Terms) -> Screen:
    """Return all there is."""
    return Screen([*full(luck, terms)])


def full(luck: RolledLuck, terms: Terms) -> Iterator[Block]:
    """Yield the verdict, the rolls by expression, and what the verdict means."""
    yield Title("How lucky", (luck.file, show_many(luck.rows[0].rolls, "roll")))
    yield plain(sentence(luck, terms), "strong")
    heads = ["dice", "rolls", "in all", "expected", "as low", "as high", "p"]
    yield grid(heads, [_cells(row) for row in luck.rows], right=heads[1:])
    together = " Together: each result in standard deviations of its own dice, added." if len(luck.rows) > 1 else ""
    yield plain(
        f"Exact chances with fair dice; more counts as luckier.{together} An evening is called lucky or unlucky only "
        "below p = 0.0001: of 500 evenings of fair dice, none is in 95% of cases.",
        "aside",
    )


def tables(luck: RolledLuck) -> Mapping[str, Records]:
    """Return the rolls of each expression, all of them first."""
    return {"rows": Records(RolledDice, luck.rows)}


WORDS = AnswerWords(sentence, short, full, tables)


def _cells(row: RolledDice) -> tuple[str, ...]:
    sums = (show_fixed(value, 1) for value in (row.result, row.expected))
    return row.dice, f"{row.rolls:,}", *sums, *(show_probability(p) for p in (row.as_low, row.as_high, row.p))
