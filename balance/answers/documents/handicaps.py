"""The objects of `balance handicap`: what makes a match-up even, and what that is worth."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from balance.answers.documents.common import Count, Source


class PageStep(TypedDict):
    """What one thing on a page does, moved alone to one of its values.

    Attributes
    ----------
    question
        The kind of question.
    what, side
        What is moved, and whose it is; empty where it is no side's.
    now, value
        What it is, and what it is moved to, as texts.
    score, change
        What the answer is then, and by how much that differs: the chance that the first side wins where somebody does,
        else the mean of what the question is about.
    """

    question: str
    what: str
    side: str
    now: str
    value: str
    score: float
    change: float


class Page(Source):
    """A page on which the numbers of two cards can be moved.

    Attributes
    ----------
    entrants
        The two cards.
    file
        The page that was written.
    answers
        Kind of question -> how many answers the page holds.
    steps
        What every single step does.
    cannot_see
        Kind of question -> what its answers leave out.
    """

    verb: Literal["page"]
    entrants: list[str]
    file: str
    answers: dict[str, Count]
    steps: list[PageStep]
    cannot_see: dict[str, list[str]]
