"""`balance attack`, `combat`, `duel` and `ask`: ask a game about two entrants."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import options
from balance.cli.exits import PARTIAL, say_note, say_notes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from balance.cli.answer import Answer
    from balance.cli.sampling import Budget
    from balance.protocol.question import Question

__all__ = ["ask", "attack", "combat", "duel"]

FIRST = "random"


def attack(
    game: options.GameName,
    attacker: Annotated[str, options.entrant("ATTACKER", "Who attacks, with what: nexus+assault_rifle.")],
    defender: Annotated[str, options.entrant("DEFENDER", "Who is attacked.")],
    changes: options.Changes = None,
    choices: options.Choices = None,
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

    budget = Budget(trials, None, seed, lane, jobs)
    _ask(game, "attack", (attacker, defender), None, changes, choices, catalogue, budget, as_json, quiet)


def combat(
    game: options.GameName,
    attacker: Annotated[str, options.entrant("ATTACKER", "Who attacks, with what: red_mounted+long_sword.")],
    defender: Annotated[str, options.entrant("DEFENDER", "Who is attacked.")],
    changes: options.Changes = None,
    choices: options.Choices = None,
    trials: options.Trials = None,
    seed: options.Seed = 0,
    lane: options.Lane = "literal",
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask what a whole combat does."""
    from balance.cli.sampling import Budget

    budget = Budget(trials, None, seed, lane, jobs)
    _ask(game, "combat", (attacker, defender), None, changes, choices, catalogue, budget, as_json, quiet)


def duel(
    game: options.GameName,
    a: Annotated[str, options.entrant("A", "One side.")],
    b: Annotated[str, options.entrant("B", "The other side.")],
    first: options.First = FIRST,
    changes: options.Changes = None,
    choices: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
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

    budget = Budget(trials, half_width, seed, lane, jobs)
    choices = _with_policies(choices, policy_a, policy_b)
    _ask(game, "duel", (a, b), first, changes, choices, catalogue, budget, as_json, quiet)


def ask(
    game: options.GameName,
    rung: Annotated[str, typer.Argument(metavar="WHAT", help="What `balance games` says can be asked.")],
    one: Annotated[str, options.entrant("ONE", "One side.")],
    other: Annotated[str, options.entrant("OTHER", "The other side.")],
    first: options.First = FIRST,
    changes: options.Changes = None,
    choices: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
    trials: options.Trials = None,
    half_width: options.HalfWidth = None,
    seed: options.Seed = 0,
    lane: options.Lane = "literal",
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask a game anything it can be asked."""
    from balance.cli.sampling import Budget

    budget = Budget(trials, half_width, seed, lane, jobs)
    choices = _with_policies(choices, policy_a, policy_b)
    _ask(game, rung, (one, other), first, changes, choices, catalogue, budget, as_json, quiet)


def _ask(
    game: str,
    rung: str,
    entrants: tuple[str, str],
    first: str | None,
    changes: list[str] | None,
    choices: list[str] | None,
    catalogue: Path | None,
    budget: Budget,
    as_json: bool,
    quiet: bool,
) -> None:
    """Ask, answer and print."""
    from balance.protocol.question import load

    loaded = load(game, catalogue)
    seats = loaded.game.rungs[rung].seats if rung in loaded.game.rungs else ()
    seat = None if first == FIRST and FIRST not in seats else first
    question = loaded.ask(rung, *entrants, changes, seat, **_chosen(choices or []))
    _print(_answer(question, changes or [], budget, quiet or as_json), as_json)


def _with_policies(choices: list[str] | None, policy_a: str | None, policy_b: str | None) -> list[str]:
    """Return the texts of --choose with those that --policy-a and --policy-b stand for."""
    policies = {"policy_a": policy_a, "policy_b": policy_b}
    return [*(choices or []), *(f"{name}={value}" for name, value in policies.items() if value is not None)]


def _chosen(choices: list[str]) -> dict[str, str]:
    """Return the texts of --choose as name -> value."""
    from balance.errors import Fault, UsageError

    pairs = [(text, *text.partition("=")) for text in choices]
    wrong = [text for text, name, equals, value in pairs if not (name and equals and value)]
    names = [name for _, name, _, _ in pairs]
    faults = [Fault("is not a choice", "--choose", found=text, allowed="NAME=VALUE") for text in wrong]
    faults += [Fault("is chosen twice", "--choose", found=name) for name in sorted(set(names)) if names.count(name) > 1]
    if faults:
        raise UsageError(faults)
    return {name.strip(): value.strip() for _, name, _, value in pairs}


def _answer(question: Question, changes: list[str], budget: Budget, quiet: bool) -> Answer:
    """Find the exact law, and simulate if that was asked for; where there is no exact law a simulation has to do."""
    from balance.cli.answer import Answer
    from balance.cli.progress import solving
    from balance.cli.sampling import sample
    from balance.core.streams import check_seed
    from balance.protocol.habits import compare_habits
    from balance.protocol.question import LAWLESS_TRIALS

    check_seed(budget.seed)
    if budget.is_asked:
        question.stop_rule(budget.trials, budget.half_width)  # says what is wrong before anything is worked out
    with solving(quiet):
        why = question.why_no_law
    if why and not budget.is_asked:
        budget = replace(budget, trials=LAWLESS_TRIALS)
    law = None if why else question.law
    answer = Answer(question, tuple(changes), law, habits=compare_habits(question, budget.seed))
    answer = replace(answer, notes=tuple(_notes(answer)))
    if not budget.is_asked:
        return answer
    found, partial = sample(question, budget, quiet)
    return replace(answer, sample=found, partial=partial)


def _notes(answer: Answer) -> Iterator[str]:
    """Yield what the reader should know of the question: why it is not exact, and what was changed to no effect."""
    from balance.protocol.idle import idle_changes

    question = answer.question
    if question.rung.has_law and (why := question.why_no_law):
        yield f"simulated, since the exact law is too large: {why}"
    yield from idle_changes(question, *answer.beside)


def _print(answer: Answer, as_json: bool) -> None:
    if as_json:
        from balance.cli.answer import as_json as to_json

        sys.stdout.write(json.dumps(to_json(answer), indent=2, allow_nan=False) + "\n")
    else:
        from balance.cli.answer_text import blocks
        from balance.cli.terminal import say

        say(*blocks(answer))
    sys.stdout.flush()
    say_notes(answer.notes)
    if answer.partial and answer.sample is not None:
        say_note(f"Stopped before the end: {answer.sample.n_trials:,} trials were kept. The same seed repeats them.")
        raise typer.Exit(PARTIAL)
