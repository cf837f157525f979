"""Errors in the arguments of a command, in our words."""

from __future__ import annotations

import os
from typing import Any

from balance.base.errors import Fault

_WHOLE, _NUMBER = "is not a whole number", "is not a number"
_MESSAGES = {"int": _WHOLE, "float": _NUMBER, "bool": "is neither true nor false"}
"""What a value is not, by how the name of pydantic's finding begins."""

_NAMES = "put quotation marks around a name of several words, and join a unit and its weapon by +"
_FOR_ONE_LOG = {
    "rate": "rate reads one log, whatever game it is of: balance rate LOG",
    "need": "need plans games to come and reads no log; balance rate LOG tells what a log still takes",
}
"""Verb -> what to do where it is given more than it takes."""
UNBOUNDED = {
    "seed": "a whole number from 0 to 2**128 - 1",
    "half_width": "a number above 0 and below 0.5",
    "reach": "a whole number from 1 to 20",
    "level": "a number above 0 and below 1",
}
"""What options take whose range is told by the verb, since it depends on more than the option."""


def usage_message(error: BaseException) -> str:
    """Return the message of a usage error: what was found and what is allowed, else typer's own words."""
    if (fault := _value_fault(error)) is not None:
        return str(fault)
    message = str(getattr(error, "format_message")())  # noqa: B009 - typer keeps the class to itself
    message = message.replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    if message.startswith("Got unexpected extra argument"):
        message += f"; {_FOR_ONE_LOG.get(getattr(context, 'info_name', ''), _NAMES)}"
    if context is not None and message.startswith("Missing argument"):
        message = f"{message.rstrip('.')}: {' '.join([context.command_path, *_arguments(context.command)])}"
        message += _without_game(context)
    return message


def _value_fault(error: BaseException) -> Fault | None:
    """Return the fault that pydantic found with the value of an option; None for any other error."""
    parameter, findings = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if parameter is None or findings is None:
        return None
    finding = findings()[0]
    kind, found = finding["type"], str(finding["input"])
    noun = kind.partition("_")[0]
    if noun in _MESSAGES:
        message, is_whole = _MESSAGES[noun], noun == "int"
    elif kind in ("greater_than_equal", "less_than_equal", "finite_number"):
        ends = finding.get("ctx", {}).values()
        message, is_whole = "is out of range", any(isinstance(end, int) for end in ends)
    else:
        return None
    allowed = "true or false" if noun == "bool" else _range(parameter, is_whole)
    return Fault(message, _place(parameter, found), found=found[:80], allowed=allowed)


def _place(parameter: Any, found: str) -> str:
    """Return the option that the value was given to, or the environment variable that it comes from."""
    variable = parameter.envvar
    names = [variable] if isinstance(variable, str) else list(variable or ())
    from_environment = [name for name in names if os.environ.get(name) == found]
    options = [name for name in parameter.opts if name.startswith("--")] or list(parameter.opts)
    return " or ".join([options[0], *from_environment])


def _range(parameter: Any, is_whole: bool) -> str:
    """Return in words the numbers that an option allows."""
    noun, low, high = "a whole number" if is_whole else "a number", parameter.min, parameter.max
    if low is None and high is None:
        return UNBOUNDED.get(parameter.name, noun)
    if low is not None and high is not None:
        return f"{noun} from {low:,} to {high:,}"
    if low is not None:
        return f"{noun} of at least {low:,}"
    return f"{noun} of at most {high:,}"


def _without_game(context: Any) -> str:
    """Return the tip for a first word that is an entrant instead of a game; empty otherwise."""
    from balance.game.loaded import load
    from balance.game.registry import installed_games, is_game

    word, verb = context.params.get("game"), str(context.info_name)
    if not isinstance(word, str) or is_game(word):
        return ""
    for name in installed_games():
        game = load(name)
        kinds = [verb] if verb in game.definition.kinds else list(game.definition.kinds)
        if any(word.casefold() in (*game.entrants_of(kind), *game.others_of(kind)) for kind in kinds):
            return f"; {word!r} is no game, but one of {name}: {context.command_path} {name} {word} ..."
    return f"; {word!r} is no game, and the game comes first"


def _arguments(command: Any) -> list[str]:
    """Return the metavars of a command's arguments in order, optional ones in brackets."""
    arguments = [argument for argument in command.params if argument.param_type_name == "argument"]
    names = [(argument.metavar or argument.name.upper()).strip("[]") for argument in arguments]
    return [name if argument.required else f"[{name}]" for name, argument in zip(names, arguments, strict=True)]
