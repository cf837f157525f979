"""Which verbs there are: each is loaded when it is typed, and any kind of question of a game is one too."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from balance.base.errors import BalanceError, nearest
from balance.cli.examples import EXAMPLES, asked, epilog
from balance.cli.process.exits import Interrupted
from balance.cli.process.progress import watched
from balance.cli.questions.ask import KINDS, ask, shorts_of, verb_about, verb_of, with_shorts

if TYPE_CHECKING:
    from balance.cli.options.options import ShortOption
    from balance.game.game import Game

__all__ = ["VERBS", "Verbs", "knowing", "typed_words"]

VERBS: dict[str, tuple[str, str]] = {
    "games": ("questions.show:games", "List the games."),
    "new-game": (
        "catalogues.new_game:new_game",
        "Write a small game of your own, ready to be asked and to be changed.",
    ),
    "show": (
        "questions.show:show",
        "Show a game: its tables, rules, sources, one entry, or what can be asked and set.",
    ),
    "check": ("catalogues.check:check", "Check catalogues: every fault at once, and values without a source."),
    "export": (
        "catalogues.workbooks:export_game",
        "Write a game's catalogue to one .xlsx workbook, to edit in a spreadsheet.",
    ),
    "import": ("catalogues.workbooks:import_game", "Read a workbook back into a folder of your own."),
    "roster": ("catalogues.roster:roster", "Read your own BattleScribe catalogues or rosters as a table."),
    "rules": ("questions.rules:rules", "Show which rules of the rulebook the tests prove."),
    **{kind: ("", verb.told) for kind, verb in KINDS.items()},
    "ask": ("questions.ask:ask", "Anything that `balance games` lists; `balance KIND GAME ...` is short for it."),
    "solve": (
        "questions.solve:solve",
        "What a game is worth when both sides choose as well as they can, and how they do.",
    ),
    "price": (
        "armies.price:price",
        "What cards should cost where armies of equal points meet; of one card, what could change instead.",
    ),
    "play": (
        "armies.play:play",
        "What play is worth: every way of playing against every other, with the same armies on the same luck.",
    ),
    "stability": (
        "armies.play:stability",
        "Which verdicts on prices are the same by every good way of playing, and over maps and scales.",
    ),
    "army": ("armies.army:army", "The best army for a budget, found by playing and confirmed; or random legal ones."),
    "tune": ("armies.tune:tune", "The fewest and smallest changes that make armies of equal points fair, as a patch."),
    "tornado": (
        "armies.tornado:tornado",
        "Which assumed values a conclusion rests on, and how far they may move before it flips.",
    ),
    "card": ("armies.card:card", "What every small change of a card does, and two abilities together."),
    "handicap": (
        "armies.handicap:handicap",
        "The smallest change of one number that makes a match-up even, or takes the edge off going first.",
    ),
    "luck": ("questions.luck:luck", "How much of a result is luck, from which dice, and how it comes about."),
    "replay": ("questions.replay:replay", "One trial of a simulation in words, turn by turn; as a page too."),
    "rate": (
        "playtests.rate:rate",
        "Rate a log of playtests: who is too strong, how sure that is, and what to play next.",
    ),
    "need": ("playtests.need:need", "How many games of your own it takes to tell, and what fewer can tell."),
    "dice": (
        "questions.dice:dice",
        "The odds of your own dice, exact: pools, rerolls, explosions, symbols, contests, tables.",
    ),
    "init": ("studies.init:init", "Write a study with every setting explained, ready to run."),
    "run": ("studies.run:run", "Run a study, or go on where it was interrupted."),
    "compare": (
        "studies.compare:compare",
        "What a patch or another catalogue does to every match-up, before and after.",
    ),
    "tables": (
        "studies.tables:tables",
        "Write the tables of a run as CSV, Parquet or Excel; a text like =1+1 stays a text.",
    ),
    "report": ("studies.run:report", "Write the report of a game, a study or a run as HTML and PDF."),
}
"""Verb -> the module and function that do it, and its help; without a function it is a kind of question."""
ASKING = ("ask", "replay")
"""Verbs that name a game and a kind of question: they take what the verb of that kind takes."""


class Verbs(TyperGroup):
    """The verbs, interruptions of which reach `balance.cli.main` as they are."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Interrupted(str(stop)) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the verbs to be listed, known without importing a game; for a shell that completes, all kinds too."""
        kinds = (kind for game in _games(()) for kind in game.kinds) if ctx.resilient_parsing else ()
        return list(dict.fromkeys([*VERBS, *kinds]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a verb as it is listed: its name and help, without what it does, which takes longer to load."""
        if cmd_name in VERBS:
            return TyperCommand(cmd_name, help=VERBS[cmd_name][1])
        able = knowing(cmd_name) if ctx.resilient_parsing else []
        return TyperCommand(cmd_name, help=verb_about(cmd_name, able).told) if able else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a verb, which may be any kind of question that some game has."""
        verb = args[0]
        if verb in VERBS:
            function = _function(verb)
            if verb in ASKING:
                function = with_shorts(function, _shorts(typed_words(args[1:], function), ctx.resilient_parsing))
            return verb, _command(verb, function, VERBS[verb][1], epilog(EXAMPLES[verb])), args[1:]
        if verb.startswith("-"):
            return super().resolve_command(ctx, args)
        with contextlib.suppress(*([BalanceError] if ctx.resilient_parsing else [])):
            if able := knowing(verb, () if ctx.resilient_parsing else typed_words(args[1:], ask)[:1]):
                found = verb_about(verb, able)
                return verb, _command(verb, verb_of(verb, found), found.told, _example(able[0], verb)), args[1:]
        return (None, None, args) if ctx.resilient_parsing else ctx.fail(_unknown(verb, args))


def _unknown(verb: str, args: Sequence[str]) -> str:
    """Say that there is no such verb, which one may be meant, and that games beside you must be named."""
    from balance.game.local_games import local_games
    from balance.game.registry import game_names

    if verb in game_names():
        return f"{verb!r} is a game, and what to do comes before it: balance show {verb}"
    named = typed_words(args[1:], ask)[:1]
    able = _named(named) or _games(())
    kinds = [kind for game in able for kind in game.kinds]
    close = nearest(verb, [*(name for name in VERBS if name not in KINDS or name in kinds), *kinds])
    told = f"No such command {verb!r}." + (f" Did you mean {close!r}?" if close else "")
    beside = [] if set(named) & {*local_games()} else [*local_games()]
    return told + (f" To ask {' or '.join(beside)}, name it too: balance {verb} {beside[0]}" if beside else "")


def knowing(kind: str, words: Sequence[str] = ()) -> list[Game]:
    """Return the games that are installed or named and know a kind of question; first what is named."""
    return [game for game in _games(words) if kind in game.kinds]


def _function(verb: str) -> Callable[..., None]:
    if verb in KINDS:
        return verb_of(verb, KINDS[verb])
    module, _, name = VERBS[verb][0].partition(":")
    function: Callable[..., None] = getattr(import_module(f"balance.cli.{module}"), name)
    return function


def _shorts(words: Sequence[str], completing: bool) -> dict[str, ShortOption]:
    """Return the options that are short for a field of the situation of a game and a kind of question, in this order.

    While a shell completes, code of a folder beside you does not run.
    """
    from balance.game.registry import installed_games

    named = [] if completing and not {*words[:1]} & {*installed_games()} else _named(words[:1])
    return shorts_of(game.kinds[name] for game in named for name in words[1:2] if name in game.kinds)


def typed_words(words: Sequence[str], function: Callable[..., None]) -> list[str]:
    """Return what was typed for the arguments of a verb, without its options and their values.

    >>> typed_words(["--trials", "100", "-q", "--seed=3", "warforged", "--json", "nexus+shotgun"], ask)
    ['warforged', 'nexus+shotgun']
    """
    flags = {"-h", "--help"}
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        kind, *told = get_args(parameter.annotation) or (None,)
        for one in told if kind is bool else ():
            flags |= {one.default, *(one.param_decls or ())}  # typer keeps the first name there
    found, passed_over = list[str](), False
    for word in words:
        if passed_over or word.startswith("-"):
            short = not word.startswith("--") and len(word) > 2
            passed_over = not (passed_over or word in flags or "=" in word or short)
        else:
            found.append(word)
    return found


def _example(game: Game, kind: str) -> str | None:
    """Return an example for the end of the help of a kind of question; None where the catalogue cannot be read."""
    from balance.game.loaded import load

    with contextlib.suppress(BalanceError):
        return epilog((asked(load(game), game.kinds[kind]),))
    return None


def _command(name: str, function: Callable[..., None], told: str, examples: str | None = None) -> Any:
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, help=told, epilog=examples)(watched(name, function))
    return typer.main.get_command(alone)


def _games(words: Sequence[str]) -> list[Game]:
    """Return the games that are installed, and those of folders beside you that are named; first what is named."""
    from balance.game.registry import find_game, installed_games

    found = _named(words)
    names = [game.name for game in found]
    for name in installed_games():
        with contextlib.suppress(BalanceError):  # what is wrong with a game is told to those who name it
            found += [] if name in names else [find_game(name)]
    return found


def _named(words: Sequence[str]) -> list[Game]:
    """Return the games that are named."""
    from balance.game.registry import find_game, game_names

    return [find_game(name) for name in game_names() if name in words]
