"""`balance ask`, and one verb for each kind of question: ask a game about two entrants."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import options
from balance.cli.exits import PARTIAL, say_note, say_notes

if TYPE_CHECKING:
    from balance.protocol.answer import Answer

__all__ = ["KINDS", "ask", "verb_of"]

FIRST = "random"
KINDS = {
    "attack": ("attacker", "defender", "What one Attack action does: the exact law, and a simulation if asked."),
    "duel": ("a", "b", "Who wins a duel: the exact chances, and a simulation beside them if asked."),
}
"""Kinds of question that nearly every game can answer: their sides and their help, known without importing a game."""


def ask(
    game: options.GameName,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What `balance games` says can be asked.")],
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
    from balance.cli.progress import solving
    from balance.cli.sampling import sample
    from balance.protocol.answer import answer
    from balance.protocol.question import load
    from balance.protocol.sample import Budget

    budget = Budget(trials, half_width, seed, lane, jobs)
    chosen = _chosen(choices, policy_a, policy_b)
    loaded = load(game, catalogue)
    turn_orders = loaded.game.kinds[kind].turn_orders if kind in loaded.game.kinds else ()
    begins = None if first == FIRST and FIRST not in turn_orders else first
    question = loaded.ask(kind, one, other, changes, begins, **chosen)
    budget.check(question)
    with solving(quiet or as_json):
        question.why_no_distribution  # noqa: B018 - what takes long is done here
    _print(answer(question, budget, partial(sample, quiet=quiet or as_json)), as_json)


def verb_of(kind: str, one: str, other: str) -> Callable[..., None]:
    """Return the function of the verb that asks about one kind of question, whose sides have these names."""

    def asked(**given: Any) -> None:
        ask(kind=kind, **given)

    found = dict(inspect.signature(ask, eval_str=True).parameters)
    del found["kind"]
    for name, side in (("one", one), ("other", other)):
        whom = f"{'Side' if len(side) == 1 else 'The'} {side}: an id, as `balance show GAME entrants` lists them."
        found[name] = found[name].replace(annotation=Annotated[str, options.entrant(side.upper(), whom)])
    asked.__signature__ = inspect.Signature(list(found.values()))  # type: ignore[attr-defined]  # so one is declared
    asked.__annotations__ = {name: parameter.annotation for name, parameter in found.items()}
    return asked


def _chosen(choices: list[str] | None, policy_a: str | None, policy_b: str | None) -> dict[str, str]:
    """Return the texts of --choose as name -> value, with what --policy-a and --policy-b stand for."""
    from balance.errors import Fault, UsageError

    policies = {"policy_a": policy_a, "policy_b": policy_b}
    texts = [*(choices or []), *(f"{name}={value}" for name, value in policies.items() if value is not None)]
    pairs = [(text, *text.partition("=")) for text in texts]
    wrong = [text for text, name, equals, value in pairs if not (name and equals and value)]
    names = [name for _, name, _, _ in pairs]
    faults = [Fault("is not a choice", "--choose", found=text, allowed="NAME=VALUE") for text in wrong]
    faults += [Fault("is chosen twice", "--choose", found=name) for name in sorted(set(names)) if names.count(name) > 1]
    if faults:
        raise UsageError(faults)
    return {name.strip(): value.strip() for _, name, _, value in pairs}


def _print(answer: Answer, as_json: bool) -> None:
    if as_json:
        from balance.cli.answer_json import as_json as to_json

        sys.stdout.write(json.dumps(to_json(answer), indent=2, allow_nan=False) + "\n")
    else:
        from balance.cli.answer_text import blocks
        from balance.cli.terminal import say

        say(*blocks(answer))
    sys.stdout.flush()
    say_notes(answer.notes)
    if answer.partial and answer.simulated is not None:
        trials = answer.simulated.n_trials
        say_note(f"Stopped before the end: {trials:,} trials were kept. The same seed repeats them.")
        raise typer.Exit(PARTIAL)
