"""What is said of a page about two cards: what it holds, and what every single step on it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from balance.analysis.what_if.answers import Turns, WhatIf, shown_columns
from balance.base.answers import Count, Digest, Doc, Form, GameName, RulesVersion, formula
from balance.catalogue import show_value
from balance.game.question.sentence import names_of


@dataclass(frozen=True)
class PageStep:
    """What one thing on a page does, moved alone to one of its values."""

    question: Annotated[str, Doc("The kind of question.")]
    what: Annotated[str, Doc("What is moved.")]
    side: Annotated[str, Doc("Whose it is; empty where it is no side's.")]
    now: Annotated[str, Doc("What it is, as a text.")]
    value: Annotated[str, Doc("What it is moved to, as a text.")]
    score: Annotated[float, Doc("What the answer is then, as `measures` says.")]
    change: Annotated[float, Doc("By how much that is more than it was.")]


@dataclass(frozen=True, repr=False)
class Page:
    """A page on which the numbers of two cards can be moved."""

    schema: Form
    verb: Literal["page"]
    game: GameName
    rules_version: RulesVersion
    catalogue_sha256: Digest
    entrants: Annotated[tuple[str, ...], Doc("The two cards.")]
    names: Annotated[tuple[str, ...], Doc("What people call them.")]
    file: Annotated[str, Doc("The page that was written.")]
    answers: Annotated[Mapping[str, Count], Doc("Kind of question -> how many answers the page holds.")]
    measures: Annotated[
        Mapping[str, str | None],
        Doc("Kind of question -> the number whose mean is its score; null for the chance that the first side wins."),
    ]
    n_things: Annotated[Count, Doc("How many things can be moved.")]
    steps: Annotated[tuple[PageStep, ...], Doc("What every single step does.")]
    cannot_see: Annotated[Mapping[str, tuple[str, ...]], Doc("Kind of question -> what its answers leave out.")]

    @formula
    def n_answers(self) -> Annotated[Count, Doc("How many answers there are, over all kinds of question.")]:
        """Return how many settings have an answer."""
        return sum(self.answers.values())

    def __repr__(self) -> str:
        """Return the file, the cards and the number of answers in one line."""
        return f"<Page {self.file}: {' and '.join(self.names)}, {self.n_answers} answers>"


def page_of(held: WhatIf, file: Path) -> Page:
    """Return what there is to say of a page that holds these answers."""
    questions = {kind: turns.question for kind, turns in held.turns.items()}
    question = list(questions.values())[-1]
    game = question.game
    return Page(
        1,
        "page",
        game.definition.name,
        game.catalogue.rules_version,
        game.catalogue.sha256,
        tuple(question.entrants),
        tuple(names_of(question).values()),
        str(file),
        {kind: len(turns.places) for kind, turns in held.turns.items()},
        {name: None if of.kind.winners else shown_columns(of.kind)[0] for name, of in questions.items()},
        len(held.dials),
        tuple(step for turns in held.turns.values() for step in _steps(held, turns)),
        {name: tuple(of.kind.cannot_see) for name, of in questions.items()},
    )


def _steps(held: WhatIf, turns: Turns) -> Iterator[PageStep]:
    """Yield each answer in which a single dial of the page is turned, with its change of the score."""
    kind, now = turns.question.kind, turns.answers[0]["score"]
    for setting, place in turns.places.items():
        if len(setting) == 1:
            number, value = setting[0]
            dial = held.dials[number]
            side = kind.sides[dial.side] if dial.side is not None else ""
            texts = (show_value(dial.values[dial.base]), show_value(dial.values[value]))
            score = turns.answers[place]["score"]
            yield PageStep(kind.name, dial.label, side, *texts, score, score - now)
