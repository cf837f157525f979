"""The reference of the commands, as Markdown: every verb with its arguments, options, defaults and examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from typer.main import get_command

from balance.cli.verbs import app
from balance.game.registry import find_game, installed_games
from balance.verbs.call.means import ALL_CORES
from balance.verbs.verb_list import VERBS


def commands_page() -> str:
    """Return one section for each verb, in the order of `balance --help`."""
    return "\n\n".join(verb_section(verb) for verb in VERBS)


def verb_section(verb: str) -> str:
    """Return the section of a verb: what it is for, how it is typed, and what can be given.

    >>> verb_section("import").splitlines()[4:6]
    ['```text', 'balance import GAME FILE.xlsx [OPTIONS]']
    """
    shown = [part for part in _command(verb).params if not part.hidden]
    arguments = [part for part in shown if part.param_type_name == "argument"]
    options = [part for part in shown if part.param_type_name == "option"]
    parts = [
        f"## `balance {verb}`",
        VERBS[verb].help_text,
        f"```text\n{' '.join(['balance', verb, *map(_typed, arguments), '[OPTIONS]'])}\n```",
        _table(("argument", "what it is"), map(_argument, arguments)) if arguments else "",
        _table(("option", "default", "what it does"), map(_option, options)) if options else "",
        "```console\n" + "\n".join(f"$ {line}" for line in VERBS[verb].examples) + "\n```",
    ]
    return "\n\n".join(part for part in parts if part)


def _command(verb: str) -> Any:
    group: Any = get_command(app)
    return group.resolve_command(group.make_context("balance", [], resilient_parsing=True), [verb])[1]


def _name(part: Any) -> str:
    return str(part.metavar or part.name.upper()).strip("[]")


def _typed(argument: Any) -> str:
    return _name(argument) if argument.required else f"[{_name(argument)}]"


def _argument(part: Any) -> tuple[str, ...]:
    return f"`{_name(part)}`", _cell(part.help or "") + ("" if part.required else " Optional.")


def _option(part: Any) -> tuple[str, ...]:
    names = sorted((*part.opts, *part.secondary_opts), key=len, reverse=True)
    choices = "|".join(map(str, get_args(part.type_descriptor.annotation)))
    value = "" if part.is_flag else f" {part.metavar or choices or part.name.upper()}"
    shown = part.show_default and not part.is_flag and part.default is not None
    also = [f"From {part.min} to {part.max}."] if part.min is not None and part.max is not None else []
    also += [f"Also by the environment variable `{part.envvar}`."] if part.envvar else []
    told = " ".join([part.help or "", *also])
    default = "all cores" if part.name == "jobs" and part.default == ALL_CORES > 1 else f"`{part.default}`"
    return f"`{', '.join(names)}{_cell(value)}`", default if shown else "", _cell(told)


def kinds_table() -> str:
    """Return every kind of question of every game that is installed, with what it asks."""
    games = [find_game(name) for name in installed_games()]
    kinds = [(game.name, kind) for game in games for kind in game.kinds.values()]
    rows = [(f"`balance {kind.name} {name} {' '.join(kind.sides).upper()}`", _cell(kind.asks)) for name, kind in kinds]
    return _table(("command", "what it asks"), rows)


def _cell(text: str) -> str:
    """Return a text as it may stand in a cell of a table."""
    return text.replace("|", "\\|")


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
