"""A toy verb, as the first table of CONTRIBUTING says: how often a coin shows heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.answers import Chance, Count, Doc, Form, Heading
from balance.base.numbers import show_probability
from balance.verbs.call import parameters
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb


@dataclass(frozen=True)
class Heads:
    """How likely a number of heads is."""

    heads: Annotated[Count, Heading("heads")]
    chance: Annotated[Chance, Doc("That so many come up."), Heading("chance", show_probability)]


@dataclass(frozen=True)
class Coin:
    """How often a coin shows heads."""

    schema: Form
    verb: Literal["coin-toss"]
    throws: Annotated[Count, Doc("How often it is thrown.")]
    rows: Annotated[tuple[Heads, ...], Doc("Every number of heads.")]


def sentence(coin: Coin, terms: Terms) -> str:
    """Return what is to be expected."""
    return f"A coin shows {coin.throws / 2:g} heads in {coin.throws} throws on average."


def tables(coin: Coin) -> Mapping[str, Records]:
    """Return the chances."""
    return {"heads": Records(Heads, coin.rows)}


def _chances(coin: Coin, terms: Terms, more: bool) -> Iterator[Block]:
    yield grid(("heads", "chance"), [(str(row.heads), show_probability(row.chance)) for row in coin.rows])


def _basis(coin: Coin, terms: Terms) -> str:
    return "Exact"


WORDS = AnswerWords.alike(sentence, _chances, _basis, tables)


@verb
def coin_toss(
    throws: Annotated[int, Parameter("How often it is thrown.", "N", low=1, high=100, is_count=True)],
    *,
    quiet: parameters.Quiet = False,
) -> Result[Coin]:
    """Work out how often a coin shows heads.

    Returns
    -------
    Result
        Its `value` is a `Coin`; its table is `heads`.
    """
    from math import comb

    rows = tuple(Heads(heads, comb(throws, heads) / 2**throws) for heads in range(throws + 1))
    return as_result("coin-toss", Coin(1, "coin-toss", throws, rows), WORDS, Terms())
