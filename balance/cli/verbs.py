"""The verbs as typer sees them, and the options before the verb.

Each verb is loaded when it is typed, and any kind of question of a game is a verb too.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from balance.base.errors import BalanceError, Interruption, nearest
from balance.cli.examples import EXAMPLES, START, question_command
from balance.cli.options.verb_list import KINDS, VERBS, ShortOption, games_knowing, games_to_ask, named_games
from balance.cli.process.exits import Settings
from balance.cli.process.progress import with_progress
from balance.cli.questions.ask import ask, shorts_of, verb_about, verb_of, with_shorts

if TYPE_CHECKING:
    from balance.game.game import Game

QUESTION_VERBS = ("ask", "replay")
"""Verbs that name a game and a kind of question: they take what the verb of that kind takes."""


class Verbs(TyperGroup):
    """The group of all verbs; interruptions reach `balance.cli.main` unchanged."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; typer would turn KeyboardInterrupt into a status, so it becomes an Interruption."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Interruption(str(stop)) from None  # typer would make the other into a number

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the verbs that help lists, without importing a game; for completion, all kinds of question too."""
        kinds = (kind for game in games_to_ask(()) for kind in game.kinds) if ctx.resilient_parsing else ()
        return list(dict.fromkeys([*VERBS, *kinds]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a verb with its name and help only, since its function takes longer to load."""
        if cmd_name in VERBS:
            return TyperCommand(cmd_name, help=VERBS[cmd_name][1])
        able = games_knowing(cmd_name) if ctx.resilient_parsing else []
        return TyperCommand(cmd_name, help=verb_about(cmd_name, able).help_text) if able else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a verb or a kind of question, loaded, with the remaining words."""
        verb = args[0]
        if verb in VERBS:
            function = _function(verb)
            if verb in QUESTION_VERBS:
                function = with_shorts(function, _shorts(typed_words(args[1:], function), ctx.resilient_parsing))
            is_list = (verb, args[-1]) == ("new-game", "--template")  # which alone says what there is
            words = [*args[1:], *([""] if is_list else [])]
            return verb, _command(verb, function, VERBS[verb][1], epilog(EXAMPLES[verb])), words
        if verb.startswith("-"):
            return super().resolve_command(ctx, args)
        with contextlib.suppress(*([BalanceError] if ctx.resilient_parsing else [])):
            if able := games_knowing(verb, () if ctx.resilient_parsing else typed_words(args[1:], ask)[:1]):
                kind_verb = verb_about(verb, able)
                command = _command(verb, verb_of(verb, kind_verb), kind_verb.help_text, _example(able[0], verb))
                return verb, command, args[1:]
        return (None, None, args) if ctx.resilient_parsing else ctx.fail(_unknown(verb, args))


app = typer.Typer(
    cls=Verbs,
    name="balance",
    help="Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers.",
    epilog=START,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _say_version(value: bool) -> None:
    if value:
        from balance.base import __version__

        sys.stdout.write(f"balance {__version__}\n")
        raise typer.Exit


@app.callback()
def before_the_verb(
    ctx: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of a bug.", show_default=False, metavar="")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", is_eager=True, metavar="", callback=_say_version),
    ] = False,
) -> None:
    """Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers."""
    if isinstance(ctx.obj, Settings):
        ctx.obj.debug = debug
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")


def _unknown(verb: str, args: Sequence[str]) -> str:
    """Return the message for an unknown verb, with the nearest one and the local games that would have to be named."""
    from balance.game.local_games import local_games
    from balance.game.registry import is_game

    if is_game(verb):
        return f"{verb!r} is a game, and what to do comes before it: balance show {verb}"
    game_words = typed_words(args[1:], ask)[:1]
    able = named_games(game_words) or games_to_ask(())
    kinds = [kind for game in able for kind in game.kinds]
    close = nearest(verb, [*(name for name in VERBS if name not in KINDS or name in kinds), *kinds])
    message = f"No such command {verb!r}." + (f" Did you mean {close!r}?" if close else "")
    beside = [] if set(game_words) & {*local_games()} else [*local_games()]
    return message + (f" To ask {' or '.join(beside)}, name it too: balance {verb} {beside[0]}" if beside else "")


def _function(verb: str) -> Callable[..., None]:
    if verb in KINDS:
        return verb_of(verb, KINDS[verb])
    module, _, name = VERBS[verb][0].partition(":")
    function: Callable[..., None] = getattr(import_module(f"balance.cli.{module}"), name)
    return function


def _shorts(words: Sequence[str], is_completion: bool) -> dict[str, ShortOption]:
    """Return the short options of the game and kind of question that `words` begin with.

    During completion, no code of a local folder runs.
    """
    from balance.game.registry import installed_games

    games = [] if is_completion and not {*words[:1]} & {*installed_games()} else named_games(words[:1])
    return shorts_of(game.kinds[name] for game in games for name in words[1:2] if name in game.kinds)


def typed_words(words: Sequence[str], function: Callable[..., None]) -> list[str]:
    """Return the arguments among the words after a verb, without options and their values.

    The signature of `function` says which options take no value.

    >>> typed_words(["--trials", "100", "-q", "--seed=3", "warforged", "--json", "nexus+shotgun"], ask)
    ['warforged', 'nexus+shotgun']
    """
    flags = {"-h", "--help"}
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        kind, *markers = get_args(parameter.annotation) or (None,)
        for marker in markers if kind is bool else ():
            flags |= {marker.default, *(marker.param_decls or ())}  # typer keeps the first name there
    arguments, passed_over = list[str](), False
    for word in words:
        if passed_over or word.startswith("-"):
            short = not word.startswith("--") and len(word) > 2
            passed_over = not (passed_over or word in flags or "=" in word or short)
        else:
            arguments.append(word)
    return arguments


def _example(game: Game, kind: str) -> str | None:
    """Return an example for the help of a kind of question; None if the catalogue cannot be read."""
    from balance.game.loaded import load

    with contextlib.suppress(BalanceError):
        return epilog((question_command(load(game), game.kinds[kind]),))
    return None


def _command(name: str, function: Callable[..., None], help_text: str, examples: str | None = None) -> Any:
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, help=help_text, epilog=examples)(with_progress(name, function))
    return typer.main.get_command(alone)


def epilog(lines: tuple[str, ...]) -> str:
    """Return the examples at the end of a verb's help.

    >>> print(epilog(EXAMPLES["games"]))
    Example: balance games
    """
    return "\n\n".join(["Examples:" if len(lines) > 1 else "Example:", *lines]).replace("Example:\n\n", "Example: ")
