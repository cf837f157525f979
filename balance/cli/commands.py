"""The command of a verb, made from the verb's signature: how its words are typed, and how its answer is printed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.base.errors import as_typed
from balance.cli import completion
from balance.cli.process.exits import BROKEN_LIMIT, PARTIAL, WRONG_INPUT, say_errors, say_note, say_result
from balance.verbs.call.means import WorkInterrupted
from balance.verbs.call.parameters import Parameter, VerbParameter

if TYPE_CHECKING:
    from balance.verbs.call.result import Result

LARGEST_EXPONENT = 40
Parameters = Mapping[str, VerbParameter]
Verb = Callable[..., "Result[Any]"]


def _flag(name: str, *names: str, text: str) -> VerbParameter:
    return VerbParameter(name, Parameter(text, names=names), bool, default=False, is_argument=False)


PRINTING = (
    _flag("more", text="Show everything: all distributions, settings, how it is played, what it cannot see."),
    _flag("as_json", "--json", text="Print one JSON object and nothing else."),
    _flag("brief", text="As --json, at most 10,000 bytes: the sentence, the main tables, what it cannot see."),
)
"""How an answer is printed; without any of them its first screen: a sentence and tables, at most 24 lines."""
NO_CACHE = _flag("no_cache", text="Share nothing with other commands.")


def command_of(verb: Verb, parameters: Parameters) -> Callable[..., None]:
    """Return the function of a command that calls a verb with these parameters, prints its answer, and exits."""

    def command(**arguments: Any) -> None:
        more, as_json, brief = (arguments.pop(part.name) for part in PRINTING)
        if arguments.pop("no_cache", False):
            arguments["cache"] = False
        if (as_json or brief) and "quiet" in parameters:
            arguments["quiet"] = True
        words = []
        if several := next((name for name, part in parameters.items() if part.is_several), ""):
            before = [name for name, part in parameters.items() if part.is_argument and name != several]
            words = [*map(arguments.pop, before), *(arguments.pop(several) or ())]
        try:
            result = verb(*words, **arguments)
        except WorkInterrupted as stop:
            say_note(stop)
            raise typer.Exit(PARTIAL) from None
        say_result(result, more, as_json, brief)
        _exit(result)

    parts = [*parameters.values()]
    parts[-1:-1] = PRINTING if parts and parts[-1].name == "quiet" else ()
    parts += () if PRINTING[0] in parts else PRINTING
    if "cache" in parameters:
        parts.insert(parts.index(parameters["cache"]) + 1, NO_CACHE)
    signature = inspect.Signature([_declared(part) for part in sorted(parts, key=lambda part: not part.is_argument)])
    command.__signature__ = signature  # type: ignore[attr-defined]  # from which typer reads how words are typed
    command.__annotations__ = {name: part.annotation for name, part in signature.parameters.items()}
    return command


def _exit(result: Result[Any]) -> None:
    """Exit with the status of a result that is partial, breaks a limit or has faults."""
    if result.kept:
        say_note(result.kept)
        raise typer.Exit(PARTIAL)
    if result.broken_limits:
        say_errors(f"{result.limit_prefix}{limit}" for limit in result.broken_limits)
        raise typer.Exit(BROKEN_LIMIT)
    if result.faults:
        say_errors(result.faults)
        raise typer.Exit(WRONG_INPUT)


def _declared(part: VerbParameter) -> inspect.Parameter:
    """Return a parameter as typer reads it: an argument or an option, with its type, its help and its default."""
    about = part.about
    settings: dict[str, Any] = {
        "help": as_typed(about.text),
        "metavar": "" if part.typed_as is bool else about.form or None,
        "show_default": part.typed_as is not bool and part.default not in (None, "") and "(default" not in about.text,
        "envvar": about.variable or None,
        "hidden": about.is_hidden,
        "min": about.low,
        "max": about.high,
        "parser": parse_count if about.is_count else None,
        "autocompletion": completion.named(about.offers) if about.offers else None,
    }
    name = f"--{part.name.replace('_', '-')}"
    names = about.names if any(other.startswith("--") for other in about.names) else (name, *about.names)
    declared = typer.Argument(**settings) if part.is_argument else typer.Option(*names, **settings)
    hint = part.typed_as | None if part.default is None else part.typed_as
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(part.name, kind, default=part.default, annotation=Annotated[hint, declared])


def parse_count(text: str) -> int:
    """Return a number of trials as people write it: 100000, 100_000, 100,000 or 1e5.

    Raise typer.BadParameter if it is not a whole number.

    >>> parse_count("1e5"), parse_count("100_000"), parse_count("-3")
    (100000, 100000, -3)
    """
    try:
        number = Decimal(str(text).replace("_", "").replace(",", ""))
        whole = number.is_finite() and number.adjusted() <= LARGEST_EXPONENT and number == number.to_integral_value()
    except InvalidOperation:
        whole = False
    if not whole:
        raise typer.BadParameter(f"{text!r} is not a number of trials, such as 100000 or 1e5")
    return int(number)
