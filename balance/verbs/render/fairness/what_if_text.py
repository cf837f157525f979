"""What `balance page` prints: which page was written, and the effect of each single step on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from balance.analysis.what_if.answers import shown_columns
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import table
from balance.base.numbers import show_count, show_fixed, show_many, show_probability_change
from balance.catalogue import show_value
from balance.game.question.sentence import names_of

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from balance.analysis.what_if.answers import Turns, WhatIf
    from balance.answers.documents import handicaps
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1
MOST_STEPS = 12
"""Rows of the first screen."""


def blocks(game: LoadedGame, held: WhatIf, file: Path, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    return screen_of(sentence(held, file), _parts(held, more), rests_on(game, "exact"), more)


def sentence(held: WhatIf, file: Path) -> str:
    """Return which page was written, and how much it holds."""
    names = " and ".join(names_of(_last(held).question).values())
    n_answers = show_count(held.n_answers)
    return f"Wrote {file}: {show_many(len(held.dials), 'thing')} to move on {names}, {n_answers} exact answers."


def _last(held: WhatIf) -> Turns:
    """Return what answers the last kind of question, which the first screen tells."""
    return list(held.turns.values())[-1]


def _parts(held: WhatIf, more: bool) -> Iterator[RenderableType]:
    turns = _last(held)
    rows = sorted(_steps(held, turns), key=lambda row: -abs(row["change"]))
    is_share = bool(turns.question.kind.winners)
    cells = [
        [row["what"], row["side"] or "–", f"{row['now']} → {row['value']}", _change(row["change"], is_share)]
        for row in (rows if more else rows[:MOST_STEPS])
    ]
    kind = turns.question.kind
    head = f"{kind.name}: {'first side wins' if is_share else shown_columns(kind)[0].replace('_', ' ')}"
    yield table(["what", "whose", "step", head], cells, right=[head], whole=["what"])


def _change(change: float, is_share: bool) -> str:
    return show_probability_change(change) if is_share else f"{'+' * (change > 0)}{show_fixed(change, 3)}"


def _steps(held: WhatIf, turns: Turns) -> Iterator[handicaps.PageStep]:
    """Yield each answer in which a single dial of the page is turned, with its change of the score or first column."""
    sides = turns.question.kind.sides
    for setting, place in turns.places.items():
        if len(setting) == 1:
            dial = held.dials[setting[0][0]]
            yield {
                "question": turns.question.kind.name,
                "what": dial.label,
                "side": sides[dial.side] if dial.side is not None else "",
                "now": show_value(dial.values[dial.base]),
                "value": show_value(dial.values[setting[0][1]]),
                "score": turns.answers[place]["score"],
                "change": turns.answers[place]["score"] - turns.answers[0]["score"],
            }


def frames_of(held: WhatIf) -> Mapping[str, pl.DataFrame]:
    """Return every single step of every kind of question as a frame."""
    import polars as pl

    return {"steps": pl.DataFrame([dict(step) for turns in held.turns.values() for step in _steps(held, turns)])}


def document(game: LoadedGame, held: WhatIf, file: Path) -> handicaps.Page:
    """Return the object that the command prints with --json."""
    question = next(iter(held.turns.values())).question
    return {
        "schema": SCHEMA,
        "verb": "page",
        "game": game.definition.name,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
        "entrants": list(question.entrants),
        "file": str(file),
        "answers": {kind: len(turns.places) for kind, turns in held.turns.items()},
        "steps": [step for turns in held.turns.values() for step in _steps(held, turns)],
        "cannot_see": {kind: list(turns.question.kind.cannot_see) for kind, turns in held.turns.items()},
    }
