"""`balance solve`: what a game is worth, and how to play it, when both sides choose as well as they can."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.text import Text

from balance.cli import options
from balance.cli.exits import say_json, say_notes
from balance.errors import UsageError
from balance.numbers import show_fixed, show_interval, show_probability
from balance.protocol.sentence import names_of
from balance.render.screens import rests_on, screen_of
from balance.render.terminal import bar, line, say, table, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from balance.protocol.loaded import LoadedGame
    from balance.protocol.question import Question
    from balance.protocol.solution import Cell, Solution, SolutionTable

__all__ = ["solve"]

SCHEMA = 1

MethodOption = Annotated[
    Literal["exact", "approximate"],
    typer.Option("--method", help="exact certifies every state; approximate is for games too large for that."),
]


def solve(
    game: options.GameName,
    a: Annotated[str, options.entrant("A", "One side.", 0)],
    b: Annotated[str, options.entrant("B", "The other side.", 1)],
    changes: options.Changes = None,
    method: MethodOption = "exact",
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve a game between two sides."""
    from balance.core.streams import check_seed
    from balance.progress import doing
    from balance.protocol.idle import idle_changes
    from balance.protocol.loaded import load

    check_seed(seed)
    loaded = load(game, catalogue)
    question = loaded.ask(_kind(loaded), a, b, changes)
    start = time.perf_counter()
    step = "solving exactly" if method == "exact" else "solving by value iteration and answering it, for minutes"
    with doing(step):
        solution = question.solve(method, seed)
    seconds = time.perf_counter() - start
    notes = list(idle_changes(question, played=False))
    if as_json:
        say_json(_as_json(question, solution, notes))
    else:
        say(*_blocks(question, solution, seconds, more, notes))
    say_notes(notes)


def _kind(loaded: LoadedGame) -> str:
    """Return the first of the game's questions that can be solved."""
    from balance.protocol.registry import find_game, installed_games

    for name, kind in loaded.game.kinds.items():
        if kind.solve is not None:
            return name
    able = [name for name in installed_games() if any(kind.solve for kind in find_game(name).kinds.values())]
    tip = f"games that can: {', '.join(able)}" if able else ""
    raise UsageError(f"{loaded.game.name} has no question that can be solved", tip)


def _as_json(question: Question, solution: Solution, notes: list[str]) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.render.answer_json import about

    facts = asdict(solution)
    tables = {
        table.name: {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}
        for table in solution.tables
    }
    catalogue = question.loaded.catalogue
    return {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": "solve",
        "inputs": question.inputs,
        **about(question),
        "policies": {side: {"value": _play(solution)} for side in question.kind.sides},
        "notes": notes,
        "solution": {**facts, "tables": tables},
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _play(solution: Solution) -> str:
    """Return how both sides play."""
    return "as well as can be" if solution.kind == "exact" else "as well as was found"


def _blocks(
    question: Question, solution: Solution, seconds: float, more: bool, notes: list[str]
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    from balance.render.answer_screen import how_played_shortly
    from balance.render.answer_text import asked, asked_shortly, how_played

    sentence = _sentence(question, solution)
    play, tables = (
        Text(f"both sides play {_play(solution)}"),
        [part for each in solution.tables for part in _table(each)],
    )
    if not more:
        parts = [_value(solution), *tables]
        changed, sure = asked_shortly(question, sentence), line(_sure(solution), "dim")
        foot = [changed, sure, *how_played_shortly(question)]
        return screen_of(sentence, parts, rests_on(question.loaded, solution.kind), more, notes, foot)
    head = [title(f"{question.loaded.game.title}: {question.kind.name} solved", solution.kind), asked(question, [play])]
    parts = [*head, _value(solution), *(line(text, after=1) for text in _trust(solution, seconds)), *tables]
    return screen_of(sentence, parts, "", more, foot=how_played(question))


def _sentence(question: Question, solution: Solution) -> str:
    """Return what it is worth to the first side when both play so."""
    names = list(names_of(question).values())
    worth = f"{show_probability(solution.value)} to {names[0]}, {show_probability(1 - solution.value)} to {names[1]}"
    ends = show_interval(solution.lower, solution.upper, show_probability)
    sure = "" if show_probability(solution.lower) == show_probability(solution.upper) else f" (a: {ends})"
    return f"When both sides play {_play(solution)}, it is worth {worth}{sure}; a draw counts half."


def _value(solution: Solution) -> RenderableType:

    low, middle, high = solution.lower, solution.value, solution.upper
    worth = {"a": (low, middle, high), "b": (1 - high, 1 - middle, 1 - low)}
    rows = [[side, *(show_fixed(x, 6) for x in ends), bar(ends[1])] for side, ends in worth.items()]
    exact = ["at least", "value", "at most"]
    heads = ["worth to", *(exact if solution.kind == "exact" else ["if answered", "as found", "answering"]), ""]
    return table(heads, rows, right=heads[1:4])


def _trust(solution: Solution, seconds: float) -> Iterator[str]:
    """Yield what was done, and how far it can be trusted."""
    yield f"A win counts 1, a draw 1/2, a defeat 0. {solution.method}"
    if solution.kind == "approximate":
        yield (
            f"Exploitability: at least {solution.exploitability:.3g} ({seconds:.1f} s), simulated to "
            f"±{2**0.5 * solution.half_width:.2g}. The best answers found take this much from the policies found; "
            "others may take more, so what perfect play is worth may lie outside these numbers."
        )
        return
    spent = f"{solution.n_states:,} states, {solution.iterations:,} sweeps, {seconds:.1f} s"
    certified = "certified" if solution.converged else "not converged"
    yield f"Exploitability: {solution.exploitability:.2g}, {certified} by best responses to both policies ({spent})."


def _sure(solution: Solution) -> str:
    """Return how far it can be trusted, in short."""
    gain = f"{solution.exploitability:.2g}"
    if solution.kind == "approximate":
        return f"Not certified: the best answers that were found gain {gain} against play that was found."
    certified = "Certified" if solution.converged else "Not certified"
    return f"{certified}: no other way to play gains more than {gain} against this one."


def _table(found: SolutionTable) -> list[RenderableType]:
    """Return a table of the solution, with what it tells above it."""
    rows = [[_cell(cell) for cell in row] for row in found.rows]
    numbers = [name for at, name in enumerate(found.columns) if all(not isinstance(row[at], str) for row in found.rows)]
    return [line(found.title), table(found.columns, rows, right=numbers)]


def _cell(cell: Cell) -> str:

    return show_fixed(cell, 4) if isinstance(cell, float) else str(cell)
