"""What `schema` says: the JSON Schema itself, or which verbs have one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim, plain
from balance.answers.form import AnswerWords, Terms
from balance.answers.games.schema import VerbSchema

if TYPE_CHECKING:
    import polars as pl


def sentence(answer: VerbSchema, terms: Terms) -> str:
    """Return what it is."""
    if answer.json_schema is not None:
        return f"The JSON Schema of what {answer.of} prints with --json."
    return "What --json prints has a JSON Schema, which `balance schema VERB` prints."


def blocks(answer: VerbSchema, terms: Terms) -> Iterator[Block]:
    """Yield the schema, or the verbs that have one."""
    if answer.json_schema is not None:
        yield Verbatim(tuple(json.dumps(answer.json_schema, indent=2).splitlines()))
        return
    yield plain(sentence(answer, terms), gap=True)
    yield plain(f"Verbs: {', '.join(answer.verbs)}. Every kind of question, such as duel, has that of ask.")


def tables(answer: VerbSchema) -> Mapping[str, pl.DataFrame]:
    """Return the list of verbs."""
    import polars as pl

    return {"verbs": pl.DataFrame({"verb": answer.verbs})}


WORDS = AnswerWords.whole(sentence, blocks, tables)
