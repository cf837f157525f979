"""`balance replay`: one trial of a simulation in words, in the terminal or as a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import completing, options
from balance.cli.exits import say_json, say_notes
from balance.files import write_whole
from balance.render.screens import rests_on, screen_of
from balance.render.terminal import line, say, table, title
from balance.verbs.words import FIRST, check_new_file, choices_of, who_begins

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.protocol.question import Question
    from balance.protocol.replay import Replay

__all__ = ["replay"]

SCHEMA = 1
FORMATS = {".html": "html", ".pdf": "pdf"}

Trial = Annotated[
    int,
    typer.Option(
        "--trial",
        metavar="N",
        parser=options.parse_count,
        help="Which trial of the simulation with this seed, from 0.",
    ),
]
Winner = Annotated[
    str,
    options.option(
        "--winner", metavar="NAME", told="The first trial from there on that ends so, as the answer names its results."
    ),
]
Page = Annotated[
    Path | None,
    options.option("--page", metavar="FILE.html", told="Write it as a page too, in a new .html or .pdf file."),
]


def replay(
    game: options.GameName,
    kind: Annotated[str, options.argument("KIND", "What `balance games` says can be asked.", completing.kinds)],
    one: Annotated[str, options.entrant("ONE", "One side.", 0)],
    other: Annotated[str, options.entrant("OTHER", "The other side.", 1)],
    trial: Trial = 0,
    winner: Winner = "",
    seed: options.Seed = 0,
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
    catalogue: options.CatalogueFolder = None,
    page: Page = None,
    more: options.More = False,
    as_json: options.Json = False,
) -> None:
    """Tell one trial of a simulation in words."""
    from balance.protocol.idle import idle_changes
    from balance.protocol.loaded import load

    if page is not None:
        check_new_file(page, "--page", "a page", tuple(FORMATS))
    loaded = load(game, catalogue)
    question = loaded.ask(
        kind, one, other, set, who_begins(loaded, kind, first), **choices_of(choose, policy_a, policy_b)
    )
    found = question.replay(trial, seed=seed, winner=winner)
    notes = tuple(idle_changes(question, played=True))
    say_json(_as_json(question, found)) if as_json else say(*_blocks(question, found, more, notes))
    if page is not None:
        from balance.report.replay import draw_replay

        write_whole(page, draw_replay(question, found, FORMATS[page.suffix.lower()]))
    say_notes(notes)


def _blocks(question: Question, found: Replay, more: bool, notes: tuple[str, ...]) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or how it ended and how it began."""
    from balance.render.answer_text import asked, asked_shortly, how_played

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


def _as_json(question: Question, found: Replay) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.render.answer_json import about

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
