"""`balance schema`: the JSON Schema of what a verb prints with `--json`."""

from __future__ import annotations

from typing import Annotated

import typer

from balance.answers.media.terminal import line, say
from balance.cli.options import options
from balance.cli.process.exits import say_json


def schema_verbs(ctx: typer.Context) -> list[str]:
    """Return the verbs that print JSON, for completion."""
    from balance.answers.documents.schemas import DOCUMENTS

    return list(DOCUMENTS)


VerbName = Annotated[
    str,
    options.argument(
        "[VERB]", "A verb or a kind of question, such as price or duel (default: list them).", schema_verbs
    ),
]


def schema(verb: VerbName = "") -> None:
    """Print the JSON Schema of what a verb prints with --json, or list the verbs that have one."""
    from balance.answers.documents.schemas import ANSWER, DOCUMENTS
    from balance.answers.documents.schemas import schema as schema_of

    if verb:
        say_json(schema_of(verb))
        return
    say(
        line("What --json prints has a JSON Schema, which `balance schema VERB` prints.", after=1),
        line(f"Verbs: {', '.join(DOCUMENTS)}. Every kind of question, such as duel, has that of {ANSWER}."),
    )
