"""What `replay` says: one trial in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Screen, Terms
from balance.answers.words.questions.asked import everything_asked, how_played, what_was_asked
from balance.game.question.replay import Replay

if TYPE_CHECKING:
    import polars as pl

ALONE = plain("One trial shows how the rules play; how often it ends so, many trials tell.", "aside")


def sentence(replay: Replay, terms: Terms) -> str:
    """Return how it ended."""
    return replay.end


def short(replay: Replay, terms: Terms) -> Screen:
    """Return how it began, and as many steps as have room."""
    foot: list[Block] = [what_was_asked(replay.question), ALONE]
    return Screen.of(replay.end, _story(replay), terms.rests_on(_trial(replay)), foot, replay.notes)


def full(replay: Replay, terms: Terms) -> Iterator[Block]:
    """Yield every step, and how it is played."""
    question = replay.question
    yield plain(replay.end, "strong", gap=True)
    yield Title(f"{terms.title}: {question.kind.name} told", (_trial(replay),))
    yield from (everything_asked(question), *_story(replay), ALONE, *how_played(question))


def tables(replay: Replay) -> Mapping[str, pl.DataFrame]:
    """Return `lines`, a row per step from 1, and `left`, the counts after each step, with step 0 as the start."""
    import polars as pl

    columns = ["step", "moment", "actor", "text", "dice"]
    lines = [
        (step, line.moment, line.actor, line.text, "; ".join(line.dice or ()))
        for step, line in enumerate(replay.lines, start=1)
    ]
    steps = {"step": list(range(len(lines) + 1))}
    return {"lines": pl.DataFrame(lines, columns, orient="row"), "left": pl.DataFrame({**steps, **replay.counts()})}


WORDS = AnswerWords(sentence, short, full, tables)


def _trial(replay: Replay) -> str:
    return f"trial {replay.trial:,} of seed {replay.seed}"


def _story(replay: Replay) -> Iterator[Block]:
    """Yield how it began, and every step, of which the first in each moment names it."""
    begins = dict[str, int]()
    yield plain(f"{replay.start}.", gap=True)
    yield grid(
        ["when", "who", "what happens"],
        [
            (
                line.moment if begins.setdefault(line.moment, number) == number else "",
                line.actor,
                line.text or "nothing else",
            )
            for number, line in enumerate(replay.lines)
        ],
    )
