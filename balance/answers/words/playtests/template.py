"""What `rate` says of a log to fill in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.lines import Paragraph, plain
from balance.answers.form import AnswerWords, Screen, Terms
from balance.playtests.log.template import TEMPLATE, LogTemplate

if TYPE_CHECKING:
    import polars as pl


def sentence(log: LogTemplate, terms: Terms) -> str:
    """Return where it is, and how to go on."""
    return f"Wrote {log.template}: put your own games in, then: balance rate {log.template}"


def short(log: LogTemplate, terms: Terms) -> Screen:
    """Return the sentence."""
    return Screen(full(log, terms))


def full(log: LogTemplate, terms: Terms) -> list[Paragraph]:
    """Return the sentence."""
    return [plain(sentence(log, terms))]


def tables(log: LogTemplate) -> Mapping[str, pl.DataFrame]:
    """Return its example of games."""
    import polars as pl

    return {"games": pl.read_csv(TEMPLATE.encode())}


WORDS = AnswerWords(sentence, short, full, tables)
