"""`balance ask`, and one verb for each kind of question: ask a game about two entrants."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import completing, options
from balance.cli.exits import PARTIAL, say_json, say_note, say_notes
from balance.errors import Fault, UsageError, gathering

if TYPE_CHECKING:
    from balance.protocol.answer import Answer
    from balance.protocol.game import Game, QuestionKind
    from balance.protocol.loaded import LoadedGame
    from balance.protocol.question import Question
    from balance.protocol.sample import Budget, Sample

__all__ = [
    "KINDS",
    "Verb",
    "ask",
    "chosen",
    "shorts_of",
    "verb_about",
    "verb_of",
    "who_begins",
    "who_is_nobody",
    "with_shorts",
]

FIRST = "random"
RARE = frozenset({"first", "choices", "policy_a", "policy_b", "half_width"})
"""Parameters of `ask` that only some kinds of question have a use for."""


@dataclass(frozen=True)
class Verb:
    """A kind of question as the help of its verb tells it.

    Attributes
    ----------
    sides
        What the two entrants are called.
    told
        What it answers.
    uses
        Those of `RARE` that it has a use for; the others can be typed, are refused by name, and stay out of its help.
    takes
        What either entrant is, such as "army"; empty where that depends on the game.
    game
        The game that knows it; "GAME" where there are several.
    written
        How a side made of several entrants is written; empty where it is one of those listed.
    shorts
        Options that are short for a field of the situation, by name.
    """

    sides: tuple[str, str]
    told: str
    uses: frozenset[str] = RARE
    takes: tuple[str, str] = ("", "")
    game: str = "GAME"
    written: str = ""
    shorts: Mapping[str, options.ShortOption] = field(default_factory=dict)


KINDS = {
    "attack": Verb(
        ("attacker", "defender"),
        "What one Attack action does: its exact distribution, and a simulation if asked.",
        frozenset({"choices"}),
    ),
    "duel": Verb(("a", "b"), "Who wins a duel: the exact chances, and a simulation beside them if asked."),
}
"""Kinds of question that nearly every game can answer, told for all of them without importing one."""


def ask(
    game: options.GameName,
    kind: Annotated[
        str,
        options.argument("KIND", "What `balance games` says can be asked.", completing.kinds),
    ],
    one: Annotated[str, options.entrant("ONE", "One side.", 0)],
    other: Annotated[str, options.entrant("OTHER", "The other side.", 1)],
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
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask a game anything it can be asked."""
    from balance.progress import doing
    from balance.protocol.answer import answer
    from balance.protocol.loaded import load
    from balance.protocol.sample import Budget

    budget = Budget(trials, half_width, seed, lane, jobs)
    made = chosen(choices, policy_a, policy_b)
    loaded = load(game, catalogue)
    question = loaded.ask(kind, one, other, changes, who_begins(loaded, kind, first), **made)
    budget.check(question)
    with doing("solving exactly"):
        question.why_no_distribution  # noqa: B018 - what takes long is done here
    _print(answer(question, budget, _sample), more, as_json)


def verb_about(name: str, games: Sequence[Game]) -> Verb:
    """Return the verb for a kind of question that these games know: what any of them has a use for, it has.

    >>> from balance.protocol.registry import find_game
    >>> sorted(verb_about("turn", [find_game("edadh")]).uses)
    ['choices', 'policy_a', 'policy_b']
    """
    from balance.protocol.armies import WRITTEN

    kinds = [game.kinds[name] for game in games]
    asks = kinds[0].asks or f"ask about a {name}"
    uses = {policy for kind in kinds for policy in kind.policies} & RARE
    for option, has in (("first", "turn_orders"), ("choices", "policies"), ("half_width", "winner")):
        uses |= {option} if any(getattr(kind, has) for kind in kinds) else set()
    one, other = (" or ".join(dict.fromkeys(kind.takes[side].name for kind in kinds)) for side in (0, 1))
    titles = ", ".join(game.title for game in games)
    game = games[0].name if len(games) == 1 else "GAME"
    told = f"{asks[:1].upper()}{asks[1:]} ({titles})."
    drawn = "".join(f" or {form}" for form in dict.fromkeys(kind.takes[0].drawn for kind in kinds) if form)
    written = WRITTEN + drawn if any(WRITTEN in kind.takes[0].written for kind in kinds) else ""
    return Verb(kinds[0].sides, told, frozenset(uses), (one, other), game, written, shorts_of(kinds))


def shorts_of(kinds: Iterable[QuestionKind]) -> dict[str, options.ShortOption]:
    """Return the options that are short for a field of the situation of some kinds of question."""
    return {
        name: options.ShortOption(
            short.field, short.metavar, kind.situation.model_fields[short.field].description or ""
        )
        for kind in kinds
        for name, short in kind.shorts.items()
    }


def verb_of(kind: str, verb: Verb) -> Callable[..., None]:
    """Return the function that asks about one kind of question, with the arguments and options that it has."""

    def asked(**given: Any) -> None:
        ask(kind=kind, **given)

    found = dict(inspect.signature(ask, eval_str=True).parameters)
    del found["kind"]
    for place, name in enumerate(("one", "other")):
        side, taken = verb.sides[place], verb.takes[place]
        whom = f"{'Side' if len(side) == 1 else 'The'} {side}{f' ({taken})' if taken else ''}"
        written = f"{verb.written}, members" if verb.written else "an id,"
        told = f"{whom}: {written} as `balance show {verb.game} entrants` lists them."
        found[name] = found[name].replace(annotation=Annotated[str, options.entrant(side.upper(), told, place)])
    for name in RARE - verb.uses:
        found[name] = found[name].replace(annotation=_hidden(found[name].annotation))
    return with_shorts(_declared(asked, list(found.values())), verb.shorts)


def _declared(function: Callable[..., None], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """Return a function with the parameters that its command is to have."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # so one is declared
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def with_shorts(function: Callable[..., None], shorts: Mapping[str, options.ShortOption]) -> Callable[..., None]:
    """Return a function that takes `--set` as one that also takes options which are short for it."""
    if not shorts:
        return function

    def asked(**given: Any) -> None:
        typed = {short: given.pop(_parameter(name)) for name, short in shorts.items()}
        changes = [f"situation.{short.field}={value}" for short, value in typed.items() if value is not None]
        function(**{**given, "changes": [*(given["changes"] or []), *changes]})

    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        parameters.append(parameter)
        if parameter.name == "changes":
            parameters += [
                parameter.replace(name=_parameter(name), annotation=options.short(name, short), default=None)
                for name, short in shorts.items()
            ]
    asked.__doc__ = function.__doc__
    return _declared(asked, parameters)


def _parameter(name: str) -> str:
    """Return the name of the parameter of an option, which no other has."""
    return f"short_{name}"


def _hidden(annotation: Any) -> Any:
    """Return an option that can be typed, and that the help leaves out."""
    kind, option = annotation.__origin__, copy(annotation.__metadata__[0])
    option.hidden = True
    return Annotated[kind, option]


def who_begins(loaded: LoadedGame, kind: str, first: str) -> str | None:
    """Return who goes first as --first says it; nobody where there is no such choice and none is made."""
    turn_orders = loaded.game.kinds[kind].turn_orders if kind in loaded.game.kinds else ()
    return None if first == FIRST and FIRST not in turn_orders else first


def who_is_nobody(loaded: LoadedGame, names: Sequence[str]) -> list[Fault]:
    """Return what is wrong with the names of those who are to be in a field."""
    faults: list[Fault] = []
    for name in names:
        with gathering(faults):
            loaded.label(name)
    return faults


def chosen(choices: list[str] | None, policy_a: str | None = None, policy_b: str | None = None) -> dict[str, str]:
    """Return the texts of --choose as name -> value, with what --policy-a and --policy-b stand for."""
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


def _sample(question: Question, budget: Budget) -> tuple[Sample, bool]:
    """Simulate; what that takes is loaded only where it is asked for."""
    from balance.cli.sampling import sample

    return sample(question, budget)


def _print(answer: Answer, more: bool, as_json: bool) -> None:
    if as_json:
        from balance.cli.answer_json import as_json as to_json

        say_json(to_json(answer))
    else:
        from balance.cli.answer_screen import screen
        from balance.cli.answer_text import blocks
        from balance.cli.terminal import say

        say(*(blocks(answer) if more else screen(answer)))
    sys.stdout.flush()
    say_notes(answer.notes)
    if answer.partial and answer.simulated is not None:
        trials = answer.simulated.n_trials
        say_note(f"Stopped before the end: {trials:,} trials were kept. The same seed repeats them.")
        raise typer.Exit(PARTIAL)
