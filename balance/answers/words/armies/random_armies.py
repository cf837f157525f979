"""What `army` says of random legal armies: each on a line of its own, as a question takes it."""

from __future__ import annotations

from collections.abc import Mapping

from balance.analysis.armies.legal_armies import LegalArmy, RandomArmies
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim
from balance.answers.form import AnswerWords, Records, Terms


def sentence(drawn: RandomArmies, terms: Terms) -> str:
    """Return how many there are, and the first."""
    return f"{len(drawn.armies):,} random, the first {drawn.armies[0].army}"


def full(drawn: RandomArmies, terms: Terms) -> list[Block]:
    """Return all of them."""
    return [Verbatim(tuple(row.army for row in drawn.armies))]


def tables(drawn: RandomArmies) -> Mapping[str, Records]:
    """Return the table of armies, in the order in which they were drawn."""
    return {"armies": Records(LegalArmy, drawn.armies)}


WORDS = AnswerWords.whole(sentence, full, tables)
