"""`balance attack` and `balance duel`: ask a game about two entrants."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import options
from balance.cli.exits import PARTIAL, say_note

if TYPE_CHECKING:
    from balance.cli.answer import Answer
    from balance.cli.sampling import Budget
    from balance.games.question import Question

__all__ = ["attack", "duel"]

FIRST = "random"


def attack(
    game: options.GameName,
    attacker: Annotated[str, options.entrant("ATTACKER", "Who attacks, with what: nexus+assault_rifle.")],
    defender: Annotated[str, options.entrant("DEFENDER", "Who is attacked.")],
    changes: options.Changes = None,
    trials: options.Trials = None,
    seed: options.Seed = 0,
    lane: options.Lane = "literal",
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask what one Attack action does."""
    from balance.cli.sampling import Budget
    from balance.games.question import load

    question = load(game, catalogue).ask("attack", attacker, defender, changes)
    answer = _answer(question, changes or [], Budget(trials, None, seed, lane, jobs), quiet or as_json)
    _print(answer, as_json)


def duel(
    game: options.GameName,
    a: Annotated[str, options.entrant("A", "One side.")],
    b: Annotated[str, options.entrant("B", "The other side.")],
    first: options.First = FIRST,
    changes: options.Changes = None,
    trials: options.Trials = None,
    half_width: options.HalfWidth = None,
    seed: options.Seed = 0,
    lane: options.Lane = "literal",
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask who wins a duel."""
    from balance.cli.sampling import Budget
    from balance.games.question import load

    loaded = load(game, catalogue)
    seats = loaded.game.rungs["duel"].seats if "duel" in loaded.game.rungs else ()
    seat = None if first == FIRST and FIRST not in seats else first
    question = loaded.ask("duel", a, b, changes, seat)
    answer = _answer(question, changes or [], Budget(trials, half_width, seed, lane, jobs), quiet or as_json)
    _print(answer, as_json)


def _answer(question: Question, changes: list[str], budget: Budget, quiet: bool) -> Answer:
    """Find the exact law, and simulate if that was asked for; without an exact law a simulation has to do."""
    from balance.cli.answer import Answer
    from balance.cli.progress import solving
    from balance.cli.sampling import sample
    from balance.core.streams import check_seed
    from balance.errors import BalanceError

    check_seed(budget.seed)
    if not budget.is_asked:
        with solving(quiet):
            return Answer(question, tuple(changes), question.law)
    question.stop_rule(budget.trials, budget.half_width)
    law = None
    with suppress(BalanceError), solving(quiet):
        law = question.law
    found, partial = sample(question, budget, quiet)
    return Answer(question, tuple(changes), law, found, partial)


def _print(answer: Answer, as_json: bool) -> None:
    if as_json:
        from balance.cli.answer import as_json as to_json

        sys.stdout.write(json.dumps(to_json(answer), indent=2, allow_nan=False) + "\n")
    else:
        from balance.cli.answer_text import blocks
        from balance.cli.terminal import say

        say(*blocks(answer))
    if answer.partial and answer.sample is not None:
        sys.stdout.flush()
        say_note(f"Stopped before the end: {answer.sample.n_trials:,} trials were kept. The same seed repeats them.")
        raise typer.Exit(PARTIAL)
