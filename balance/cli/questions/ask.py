"""`balance ask`, and one verb for each kind of question: ask a game about two entrants."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.verb_list import RARE, ShortOption, Verb
from balance.cli.options.work import Executor, Scheduler, Verify
from balance.cli.process.exits import PARTIAL, say_note
from balance.verbs.call.words import FIRST

if TYPE_CHECKING:
    from balance.game.game import Game, QuestionKind


def ask(
    game: options.GameName,
    kind: options.KindName,
    one: options.One,
    other: options.Other = "",
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
    trials: options.Trials = None,
    half_width: options.HalfWidth = None,
    seed: options.Seed = 0,
    lane: options.Lane = "literal",
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    verify: Verify = None,
    more: options.More = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask a game anything it can be asked."""
    from balance.verbs import questions

    result = result_of(questions.ask, locals())
    say_result(result, more, as_json, brief)
    answer = result.value
    if answer.partial and answer.simulated is not None:
        n_trials = answer.simulated.n_trials
        say_note(f"Stopped before the end: {n_trials:,} trials were kept. The same seed repeats them.")
        raise typer.Exit(PARTIAL)


def verb_about(name: str, games: Sequence[Game]) -> Verb:
    """Return the verb for a kind of question, with every option that any of these games (one at least) uses for it.

    >>> from balance.game.registry import find_game
    >>> sorted(verb_about("turn", [find_game("edadh")]).uses)
    ['choose', 'policy_a', 'policy_b']
    """
    from balance.game.armies.armies import ARMY_FORM

    kinds = [game.kinds[name] for game in games]
    asks = kinds[0].asks or f"ask about a {name}"
    uses = {policy for kind in kinds for policy in kind.policies} & RARE
    for option, has in (("first", "turn_orders"), ("choose", "policies"), ("half_width", "winner")):
        uses |= {option} if any(getattr(kind, has) for kind in kinds) else set()
    first_name, second_name = (" or ".join(dict.fromkeys(kind.takes[side].name for kind in kinds)) for side in (0, 1))
    titles = ", ".join(game.title for game in games)
    game_name = games[0].name if len(games) == 1 else "GAME"
    help_text = f"{asks[:1].upper()}{asks[1:]} ({titles})."
    drawn_forms = [kind.takes[0].drawn for kind in kinds]
    written_forms = [kind.takes[0].written for kind in kinds if kind.pairs is not None]
    forms = "".join(f" or {form}" for form in dict.fromkeys(drawn_forms + written_forms) if form)
    notation = ARMY_FORM + forms if any(ARMY_FORM in kind.takes[0].written for kind in kinds) else ""
    pairs = " or ".join(dict.fromkeys(kind.pairs.name for kind in kinds if kind.pairs is not None))
    takes, shorts = (first_name, second_name), shorts_of(kinds)
    return Verb(kinds[0].sides, help_text, frozenset(uses), takes, game_name, notation, shorts, pairs)


def shorts_of(kinds: Iterable[QuestionKind]) -> dict[str, ShortOption]:
    """Return the options that are short for a field of the situation in any of these kinds, by name."""
    return {
        name: ShortOption(short.field, short.metavar, kind.situation.model_fields[short.field].description or "")
        for kind in kinds
        for name, short in kind.shorts.items()
    }


def verb_of(kind: str, verb: Verb) -> Callable[..., None]:
    """Return the command function for a kind of question: that of `ask` with the arguments and help of `verb`."""

    def ask_kind(**arguments: Any) -> None:
        ask(kind=kind, **arguments)

    parameters = dict(inspect.signature(ask, eval_str=True).parameters)
    del parameters["kind"]
    for place, name in enumerate(("one", "other")):
        side, role = verb.sides[place], verb.takes[place]
        subject = f"{'Side' if len(side) == 1 else 'The'} {side}{f' ({role})' if role else ''}"
        notation = f"{verb.notation}, members" if verb.notation else "an id,"
        help_text = f"{subject}: {notation} as `balance show {verb.game} entrants` lists them."
        parameters[name] = _changed(parameters[name], metavar=side.upper(), help=help_text)
    if verb.pairs:
        name = f"[{verb.sides[1].upper()}]"
        help_text = f"Side {verb.sides[1]}, likewise; none where {verb.sides[0].upper()} is one {verb.pairs} with both."
        parameters["other"] = _changed(parameters["other"], metavar=name, help=help_text)
    else:
        parameters["other"] = parameters["other"].replace(default=inspect.Parameter.empty)
    for name in RARE - verb.uses:
        parameters[name] = _changed(parameters[name], hidden=True)
    return with_shorts(_with_signature(ask_kind, list(parameters.values())), verb.shorts)


def _with_signature(function: Callable[..., None], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """Give a function the signature that typer reads its parameters from, in place, and return it."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # so one is declared
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def with_shorts(function: Callable[..., None], shorts: Mapping[str, ShortOption]) -> Callable[..., None]:
    """Wrap a command function that takes `--set` with options that are short for fields of the situation."""
    if not shorts:
        return function

    def ask_with_shorts(**arguments: Any) -> None:
        short_values = {short: arguments.pop(_parameter(name)) for name, short in shorts.items()}
        changes = [f"situation.{short.field}={value}" for short, value in short_values.items() if value is not None]
        function(**{**arguments, "set": [*(arguments["set"] or []), *changes]})

    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        parameters.append(parameter)
        if parameter.name == "set":
            parameters += [
                parameter.replace(name=_parameter(name), annotation=options.short(name, short), default=None)
                for name, short in shorts.items()
            ]
    ask_with_shorts.__doc__ = function.__doc__
    return _with_signature(ask_with_shorts, parameters)


def _parameter(name: str) -> str:
    """Return the parameter name of a short option, prefixed so that it cannot clash."""
    return f"short_{name}"


def _changed(parameter: inspect.Parameter, **settings: Any) -> inspect.Parameter:
    """Return a parameter with some settings of its typer argument or option replaced, such as its help."""
    kind, typed = parameter.annotation.__origin__, copy(parameter.annotation.__metadata__[0])
    vars(typed).update(settings)
    return parameter.replace(annotation=Annotated[kind, typed])
