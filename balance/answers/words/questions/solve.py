"""What `solve` says: what a game is worth, how far that can be trusted, and how it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from balance.answers.blocks.bars import bar
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.blocks.text import literal
from balance.answers.form import AnswerWords, Screen, Terms
from balance.answers.words.questions.asked import everything_asked, how_played, how_played_shortly, what_was_asked
from balance.base.numbers import show_fixed, show_interval, show_probability
from balance.game import solution as solutions
from balance.game.question.findings import Policy, SolvedQuestion
from balance.game.question.question import Question
from balance.game.question.sentence import names_of
from balance.game.solution import Solution, SolutionTable

if TYPE_CHECKING:
    import polars as pl


def sentence(solved: SolvedQuestion, terms: Terms) -> str:
    """Return what it is worth to either side when both play so."""
    names = list(names_of(solved.question).values())
    worth = f"{show_probability(solved.value)} to {names[0]}, {show_probability(1 - solved.value)} to {names[1]}"
    ends = show_interval(solved.lower, solved.upper, show_probability)
    sure = "" if show_probability(solved.lower) == show_probability(solved.upper) else f" (a: {ends})"
    return f"When both sides play {how_both_play(solved)}, it is worth {worth}{sure}; a draw counts half."


def how_both_play(solution: Solution) -> str:
    """Return the words for both policies: optimal in an exact solution, the best found in an approximation."""
    return "as well as can be" if solution.kind == "exact" else "as well as was found"


def policies_of(question: Question, solution: Solution) -> dict[str, Policy]:
    """Return how either side plays, whatever the question was asked with."""
    return dict.fromkeys(question.kind.sides, Policy(how_both_play(solution)))


def short(solved: SolvedQuestion, terms: Terms) -> Screen:
    """Return the value to either side, and as many tables of its play as have room."""
    text, question = sentence(solved, terms), solved.question
    foot: list[Block] = [what_was_asked(question, text), plain(_sure(solved), "aside"), *how_played_shortly(question)]
    return Screen.of(text, _tables(solved), terms.rests_on(solved.kind), foot, solved.notes)


def full(solved: SolvedQuestion, terms: Terms) -> Iterator[Block]:
    """Yield all there is to say, with how far the value can be trusted."""
    question = solved.question
    value, *play = _tables(solved)
    yield plain(sentence(solved, terms), "strong", gap=True)
    yield Title(f"{terms.title}: {question.kind.name} solved", (solved.kind,))
    yield everything_asked(question, [f"both sides play {how_both_play(solved)}"])
    yield value
    yield from (plain(text, gap=True) for text in trust(solved, solved.seconds))
    yield from play
    yield from how_played(question)


def tables(solved: SolvedQuestion) -> Mapping[str, pl.DataFrame]:
    """Return `value`, the value to either side with its bounds, then each table of the solution."""
    import polars as pl

    worth = [(side, value, low, high) for side, (low, value, high) in _worth(solved).items()]
    value = pl.DataFrame(worth, ["side", "value", "low", "high"], orient="row")
    return {"value": value, **{table.name: _frame(table) for table in solved.tables}}


WORDS = AnswerWords(sentence, short, full, tables)


def _frame(table: SolutionTable) -> pl.DataFrame:
    """Return a table; a column that holds words beside numbers holds all of them as words."""
    import polars as pl

    columns = {}
    for at, name in enumerate(table.columns):
        cells = [row[at] for row in table.rows]
        columns[name] = [str(cell) for cell in cells] if any(isinstance(cell, str) for cell in cells) else cells
    return pl.DataFrame(columns, strict=False)


def _tables(solved: SolvedQuestion) -> Iterator[Table]:
    """Yield the value to either side, then each table of the solution below its title."""
    yield value_table(solved)
    yield from map(table_of, solved.tables)


def _worth(solution: Solution) -> dict[str, tuple[float, float, float]]:
    """Return the lower bound, the value and the upper bound to either side."""
    low, value, high = solution.lower, solution.value, solution.upper
    return {"a": (low, value, high), "b": (1 - high, 1 - value, 1 - low)}


def value_table(solution: Solution) -> Table:
    """Return the value to either side, a share from 0 to 1, with its lower and upper bound."""
    rows: list[list[Cell | str]] = [
        [side, *(show_fixed(x, 6) for x in ends), bar(ends[1])] for side, ends in _worth(solution).items()
    ]
    exact = ["at least", "value", "at most"]
    heads = ["worth to", *(exact if solution.kind == "exact" else ["if answered", "as found", "answering"]), ""]
    return grid(heads, rows, right=heads[1:4])


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


def table_of(solution_table: SolutionTable) -> Table:
    """Return a table of the solution below its title; columns without words are set flush right."""
    columns = list(zip(*solution_table.rows, strict=True))
    numbers = [
        name
        for name, cells in zip(solution_table.columns, columns, strict=True)
        if all(not isinstance(cell, str) for cell in cells)
    ]
    rows = [[_cell(cell) for cell in row] for row in solution_table.rows]
    return replace(grid(solution_table.columns, rows, right=numbers), caption=literal(solution_table.title))


def _cell(cell: solutions.Cell) -> str:
    return show_fixed(cell, 4) if isinstance(cell, float) else str(cell)
