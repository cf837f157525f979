"""Answers that follow a slider in a notebook: from the value that is set to the table and the code that are shown.

Sliders of both sides are drawn to places at random by a seed, one after another; what is shown last must be what its
code answers. The median is over all that the rules allow, for a question of each game and one of a game file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import balance
from balance.verbs.call.explore.panel import Panel
from balance.verbs.call.explore.question_subject import QuestionSubject
from tests.bench.contest import Row
from tests.bench.known import WrongAnswerError

TASK = "Explore"
QUESTIONS = (
    ("warforged", "attack", "nexus+assault_rifle", "colossus"),
    ("warforged", "duel", "vanguard+shotgun", "aegis+laser_carbine"),
    ("battlelore", "duel", "red_foot", "blue_foot"),
    ("edadh", "turn", "spears", "shieldsmen"),
    ("immortal_souls", "duel", "ecarus", "green_gremlin"),
    ("runewars", "duel", "spearmen+2x1", "ventala_skirmishers+2x3"),
    (str(Path(__file__).parent / "skirmishers.toml"), "duel", "soldier", "giant"),
)
"""Game, kind of question, and both sides."""
FARTHEST = 3
"""Steps by which a slider is moved at most from where it stood at first."""


def explore_rows(moves: int) -> Iterator[Row]:
    """Yield a row for each question: seconds from a slider's move to the answer, the median of so many."""
    for game, kind, one, other in QUESTIONS:
        seconds = seconds_of_moves(Panel(QuestionSubject(balance.load(game).ask(kind, one, other), kind)), moves)
        task = f"{TASK}: {Path(game).stem} {kind}"
        yield Row(task, "slider to answer", median(seconds), "nobody", None, "time", samples=len(seconds))


def seconds_of_moves(panel: Panel, moves: int) -> list[float]:
    """Return what each move of a slider took that the rules allow.

    Raises
    ------
    WrongAnswerError
        What is shown at last is not what its code answers.
    """
    draw, seconds = random.Random(11), list[float]()
    sliders = [field for field in panel.fields.values() if field.control.kind == "number" and field.control.side]
    firsts = {
        field.control.path: field.widget.value for field in sliders if field.control.matters and field.value is not None
    }
    while len(seconds) < moves:
        path = draw.choice(sorted(firsts))
        start = perf_counter()
        panel.fields[path].value = max(0, firsts[path] + draw.randint(-FARTHEST, FARTHEST))
        if panel.outcome is not None:
            seconds.append(perf_counter() - start)
        else:
            panel.fields[path].value = firsts[path]
    check(panel)
    return seconds


def check(panel: Panel) -> None:
    """Raise WrongAnswerError unless what is shown is what its code answers."""
    again = eval(panel.code.value, {"balance": balance})
    if panel.outcome is None or panel.outcome.sentence != again.sentence:
        raise WrongAnswerError(f"{panel.code.value} answers otherwise than the panel that shows it")
