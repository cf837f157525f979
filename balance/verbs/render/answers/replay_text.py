"""`balance replay`: one trial of a simulation in words, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.documents import questions
    from balance.game.question.narration import Line, Narration
    from balance.game.question.question import Question
    from balance.game.question.replay import Replay

SCHEMA: Final = 1


def blocks(question: Question, replay: Replay, more: bool, notes: tuple[str, ...]) -> Iterator[RenderableType]:
    """Yield the trial from top to bottom: with `more` all of it, else its end and begin, leaving room for `notes`."""
    from balance.verbs.render.answers.text import how_played, question_table, short_question_table

    narration = replay.narration
    begins = dict[str, int]()
    rows = [
        (
            entry.moment if begins.setdefault(entry.moment, number) == number else "",
            entry.actor,
            entry.text or "nothing else",
        )
        for number, entry in enumerate(narration.lines)
    ]
    story = [line(f"{narration.start}.", after=1), table(["when", "who", "what happens"], rows)]
    alone = line("One trial shows how the rules play; how often it ends so, many trials tell.", "dim")
    trial_text = f"trial {replay.trial:,} of seed {replay.seed}"
    if not more:
        foot = [short_question_table(question), alone]
        return screen_of(narration.end, story, rests_on(question.game, trial_text), more, notes, foot)
    head = [title(f"{question.game.definition.title}: {question.kind.name} told", trial_text), question_table(question)]
    return screen_of(narration.end, [*head, *story], "", more, foot=[alone, *how_played(question)])


def as_json(question: Question, replay: Replay) -> questions.Replay:
    """Return the object that --json prints, the same bytes for the same question, trial and seed."""
    from balance.verbs.render.answers.json import about

    narration, catalogue = replay.narration, question.game.catalogue
    record: questions.Told = {}
    if narration.record is not None and narration.begin is not None:
        record = {"record": dict(narration.record), "begin": dict(narration.begin)}
    return {
        "schema": SCHEMA,
        "game": question.game.definition.name,
        "verb": "replay",
        **about(question),
        "trial": replay.trial,
        "start": narration.start,
        "begun_with": dict(zip(narration.counters, narration.begun_with, strict=True)),
        **record,
        "lines": [_step(narration, entry) for entry in narration.lines],
        "end": narration.end,
        "seed": replay.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _step(narration: Narration, entry: Line) -> questions.Step:
    step: questions.Step = {
        "when": entry.moment,
        "who": entry.actor,
        "text": entry.text,
        "left": dict(zip(narration.counters, entry.remaining_counts, strict=True)),
    }
    if entry.dice:
        step["dice"] = list(entry.dice)
    if narration.record is not None:
        a, b = narration.counters
        step["score"] = {name: {a: value_a, b: value_b} for name, value_a, value_b in entry.score}
        step["events"] = [dict(event) for event in entry.events]
    return step
