"""What `balance solve` prints: what a game is worth, how far that can be trusted, and how it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import bar, line, table, title
from balance.base.numbers import show_fixed, show_interval, show_probability
from balance.game.question.sentence import names_of
from balance.verbs.render.answers.solve_json import how_both_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from balance.game.question.question import Question
    from balance.game.solution import Cell, Solution, SolutionTable


def blocks(
    question: Question, solution: Solution, seconds: float, more: bool, notes: Sequence[str]
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen with room for `notes` below it."""
    from balance.verbs.render.answers.screen import how_played_shortly
    from balance.verbs.render.answers.text import how_played, question_table, short_question_table

    answer_text = sentence(question, solution)
    play, tables = (
        Text(f"both sides play {how_both_play(solution)}"),
        [part for solution_table in solution.tables for part in table_of(solution_table)],
    )
    if not more:
        parts = [value_table(solution), *tables]
        settings, sure = short_question_table(question, answer_text), line(_sure(solution), "dim")
        foot = [settings, sure, *how_played_shortly(question)]
        return screen_of(answer_text, parts, rests_on(question.game, solution.kind), more, notes, foot)
    head = [
        title(f"{question.game.definition.title}: {question.kind.name} solved", solution.kind),
        question_table(question, [play]),
    ]
    parts = [*head, value_table(solution), *(line(text, after=1) for text in trust(solution, seconds)), *tables]
    return screen_of(answer_text, parts, "", more, foot=how_played(question))


def sentence(question: Question, solution: Solution) -> str:
    """Return what it is worth to either side when both play so."""
    names = list(names_of(question).values())
    worth = f"{show_probability(solution.value)} to {names[0]}, {show_probability(1 - solution.value)} to {names[1]}"
    ends = show_interval(solution.lower, solution.upper, show_probability)
    sure = "" if show_probability(solution.lower) == show_probability(solution.upper) else f" (a: {ends})"
    return f"When both sides play {how_both_play(solution)}, it is worth {worth}{sure}; a draw counts half."


def value_table(solution: Solution) -> RenderableType:
    """Return the value to either side, a share from 0 to 1, with its lower and upper bound."""
    low, middle, high = solution.lower, solution.value, solution.upper
    worth = {"a": (low, middle, high), "b": (1 - high, 1 - middle, 1 - low)}
    rows = [[side, *(show_fixed(x, 6) for x in ends), bar(ends[1])] for side, ends in worth.items()]
    exact = ["at least", "value", "at most"]
    heads = ["worth to", *(exact if solution.kind == "exact" else ["if answered", "as found", "answering"]), ""]
    return table(heads, rows, right=heads[1:4])


def trust(solution: Solution, seconds: float) -> Iterator[str]:
    """Yield what was done, and how far it can be trusted."""
    yield f"A win counts 1, a draw 1/2, a defeat 0. {solution.method}"
    if solution.kind == "approximate":
        gain, half = f"{solution.exploitability:.3g}", f"{solution.gain_half_width:.2g}"
        if solution.is_surely_exploitable:
            text = (
                f"Exploitability: at least {gain} ({seconds:.1f} s), simulated to ±{half}. The best answers found take "
                "this much from the policies found"
            )
        else:
            text = (
                f"No answer was found that is surely better than the policies found: the best take {gain} from them, "
                f"simulated to ±{half} ({seconds:.1f} s)"
            )
        yield f"{text}; others may take more, so what perfect play is worth may lie outside these numbers."
        return
    effort = f"{solution.n_states:,} states, {solution.iterations:,} sweeps, {seconds:.1f} s"
    verdict = "certified" if solution.converged else "not converged"
    yield f"Exploitability: {solution.exploitability:.2g}, {verdict} by best responses to both policies ({effort})."


def _sure(solution: Solution) -> str:
    """Return the exploitability in a sentence, and whether it is certified."""
    gain = f"{solution.exploitability:.2g}"
    if solution.kind == "approximate":
        if not solution.is_surely_exploitable:
            half = f"{solution.gain_half_width:.2g}"
            return (
                f"Not certified: no answer was found that surely beats this play (gain {gain}, simulated to ±{half})."
            )
        return f"Not certified: the best answers that were found gain {gain} against play that was found."
    verdict = "Certified" if solution.converged else "Not certified"
    return f"{verdict}: no other way to play gains more than {gain} against this one."


def table_of(solution_table: SolutionTable) -> list[RenderableType]:
    """Return the title of a table of the solution, and the table below it."""
    rows = [[_cell(cell) for cell in row] for row in solution_table.rows]
    numbers = [
        name
        for at, name in enumerate(solution_table.columns)
        if all(not isinstance(row[at], str) for row in solution_table.rows)
    ]
    return [line(solution_table.title), table(solution_table.columns, rows, right=numbers)]


def _cell(cell: Cell) -> str:
    return show_fixed(cell, 4) if isinstance(cell, float) else str(cell)
