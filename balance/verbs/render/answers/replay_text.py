"""`balance replay`: one trial of a simulation in words, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.verbs.render.screens import rests_on, screen_of
from balance.verbs.render.terminal import line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.game.question.question import Question
    from balance.game.question.replay import Replay

__all__ = ["as_json", "blocks"]

SCHEMA = 1


def blocks(question: Question, found: Replay, more: bool, notes: tuple[str, ...]) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or how it ended and how it began."""
    from balance.verbs.render.answers.text import asked, asked_shortly, how_played

    told = found.told
    begins = dict[str, int]()
    rows = [
        (each.when if begins.setdefault(each.when, number) == number else "", each.who, each.text or "nothing else")
        for number, each in enumerate(told.lines)
    ]
    story = [line(f"{told.start}.", after=1), table(["when", "who", "what happens"], rows)]
    alone = line("One trial shows how the rules play; how often it ends so, many trials tell.", "dim")
    which = f"trial {found.trial:,} of seed {found.seed}"
    if not more:
        foot = [asked_shortly(question), alone]
        return screen_of(told.end, story, rests_on(question.loaded, which), more, notes, foot)
    head = [title(f"{question.loaded.game.title}: {question.kind.name} told", which), asked(question)]
    return screen_of(told.end, [*head, *story], "", more, foot=[alone, *how_played(question)])


def as_json(question: Question, found: Replay) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import about

    told, catalogue = found.told, question.loaded.catalogue
    return {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": "replay",
        "inputs": question.inputs,
        **about(question),
        "trial": found.trial,
        "start": told.start,
        "begun_with": dict(zip(told.counted, told.begun_with, strict=True)),
        "lines": [
            {
                "when": each.when,
                "who": each.who,
                "text": each.text,
                "left": dict(zip(told.counted, each.left, strict=True)),
                **({"dice": each.dice} if each.dice else {}),
            }
            for each in told.lines
        ],
        "end": told.end,
        "seed": found.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }
