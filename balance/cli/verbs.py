"""The verbs as typer sees them, and the options before the verb.

Each verb is loaded when it is typed, and any kind of question of a game is a verb too.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import dropwhile
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from balance.answers.games.examples import question_command
from balance.base.errors import BalanceError, Interruption, nearest
from balance.cli.commands import command_of
from balance.cli.kinds import (
    KINDS,
    KindHelp,
    ShortOption,
    games_knowing,
    games_to_ask,
    kind_help,
    kind_parameters,
    named_games,
    reading_shorts,
    shorts_of,
    with_shorts,
)
from balance.cli.process.exits import Settings
from balance.cli.process.progress import with_progress
from balance.verbs.call.parameters import parameters_of
from balance.verbs.verb_list import VERBS

if TYPE_CHECKING:
    from balance.game.game import Game

START = f"Start with: {VERBS['attack'].examples[0]}"
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
            return TyperCommand(cmd_name, help=VERBS[cmd_name].help_text)
        able = games_knowing(cmd_name) if ctx.resilient_parsing else []
        return TyperCommand(cmd_name, help=kind_help(cmd_name, able).help_text) if able else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a verb or a kind of question, loaded, with the remaining words."""
        verb, *words = args
        if verb in VERBS:
            function = _kind_command(verb, KINDS[verb]) if verb in KINDS else _function(verb, words, ctx)
            is_list = (verb, args[-1]) == ("new-game", "--template")  # which alone says what there is
            command = _command(verb, function, VERBS[verb].help_text, epilog(VERBS[verb].examples))
            return verb, command, [*words, *([""] if is_list else [])]
        if verb.startswith("-"):
            return super().resolve_command(ctx, args)
        with contextlib.suppress(*([BalanceError] if ctx.resilient_parsing else [])):
            if able := games_knowing(verb, () if ctx.resilient_parsing else _game_words(words)):
                kind = kind_help(verb, able)
                command = _command(verb, _kind_command(verb, kind), kind.help_text, _example(able[0], verb))
                return verb, command, words
        return (None, None, args) if ctx.resilient_parsing else ctx.fail(_unknown(verb, words))


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


def _unknown(verb: str, words: Sequence[str]) -> str:
    """Return the message for an unknown verb, with the nearest one and the local games that would have to be named."""
    from balance.game.local_games import local_games
    from balance.game.registry import is_game

    if is_game(verb):
        return f"{verb!r} is a game, and what to do comes before it: balance show {verb}"
    game_words = _game_words(words)
    able = named_games(game_words) or games_to_ask(())
    kinds = [kind for game in able for kind in game.kinds]
    close = nearest(verb, [*(name for name in VERBS if name not in KINDS or name in kinds), *kinds])
    message = f"No such command {verb!r}." + (f" Did you mean {close!r}?" if close else "")
    beside = [] if set(game_words) & {*local_games()} else [*local_games()]
    return message + (f" To ask {' or '.join(beside)}, name it too: balance {verb} {beside[0]}" if beside else "")


# -- commands ---------------------------------------------------------------------------------------------------------


def _function(verb: str, words: Sequence[str], ctx: Any) -> Callable[..., None]:
    """Return the function of the command of a verb; one that asks a question has the short options of its kind."""
    function = VERBS[verb].function()
    if VERBS[verb].home.startswith("cli."):
        return function
    shorts = _shorts(verb, words, ctx.resilient_parsing) if verb in QUESTION_VERBS else {}
    return command_of(reading_shorts(function, shorts), with_shorts(parameters_of(function), shorts))


def _kind_command(kind: str, about: KindHelp) -> Callable[..., None]:
    """Return the function of the command of a kind of question."""
    ask = partial(VERBS["ask"].function(), kind=kind)
    return command_of(reading_shorts(ask, about.shorts), kind_parameters(about))


def _shorts(verb: str, words: Sequence[str], is_completion: bool) -> Mapping[str, ShortOption]:
    """Return the short options of the game and kind of question that `words` begin with.

    During completion, no code of a local folder runs.
    """
    from balance.game.registry import installed_games

    typed = _from_game(arguments_among(words, verb))
    games = [] if is_completion and not {*typed[:1]} & {*installed_games()} else named_games(typed[:1])
    return shorts_of(game.kinds[name] for game in games for name in typed[1:2] if name in game.kinds)


def _game_words(words: Sequence[str]) -> list[str]:
    """Return the first argument after the verb, where a game is named."""
    return _from_game(arguments_among(words, "ask"))[:1]


def _from_game(words: Sequence[str]) -> list[str]:
    """Return words from the first that is a game on: those before it belong to options that are not known yet."""
    from balance.game.registry import is_game

    return [*dropwhile(lambda word: not is_game(word), words)] or [*words]


def arguments_among(words: Sequence[str], verb: str) -> list[str]:
    """Return the arguments among the words after a verb, as typer reads them; options that it does not know are none.

    >>> arguments_among(["--trials", "100", "-q", "--seed=3", "warforged", "--json", "nexus+shotgun"], "ask")
    ['warforged', 'nexus+shotgun']
    """
    function = VERBS[verb].function()
    command = _command(verb, command_of(function, parameters_of(function)), "")
    reading = {"resilient_parsing": True, "ignore_unknown_options": True, "allow_extra_args": True}
    ctx = command.make_context(verb, [*words], **reading)
    typed = [ctx.params[part.name] for part in parameters_of(function).values() if part.is_argument]
    return [word for word in (*typed, *ctx.args) if word and not word.startswith("-")]


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

    >>> print(epilog(VERBS["games"].examples))
    Example: balance games
    """
    return "\n\n".join(["Examples:" if len(lines) > 1 else "Example:", *lines]).replace("Example:\n\n", "Example: ")
