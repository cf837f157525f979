"""The list of verbs: the function and the help of each, and which games have a kind of question.

Kinds of question are verbs too; two are listed here, since nearly every game has them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from balance.base.errors import BalanceError

if TYPE_CHECKING:
    from balance.game.game import Game

RARE = frozenset({"first", "choose", "policy_a", "policy_b", "half_width"})
"""Parameters of `ask` that only some kinds of question have a use for."""


@dataclass(frozen=True)
class ShortOption:
    """An option that is short for `--set situation.FIELD=VALUE`; `meaning` is its help."""

    field: str
    metavar: str
    meaning: str


@dataclass(frozen=True)
class Verb:
    """The help of a kind of question as a verb.

    * `sides`: names of the two sides in usage, such as attacker and target.
    * `uses`: options of `RARE` that are of use for it; others can be typed, are refused by name, and stay out of its
      help.
    * `takes`: what either entrant is, such as "army"; empty where that depends on the game.
    * `game`: the game that has it; "GAME" where there are several.
    * `notation`: how a side made of several entrants is written; empty where it is one of those listed.
    * `shorts`: options that are short for a field of the situation, by name.
    * `pairs`: what one id may be that stands for both sides, such as "adventure"; empty where none does.
    """

    sides: tuple[str, str]
    help_text: str
    uses: frozenset[str] = RARE
    takes: tuple[str, str] = ("", "")
    game: str = "GAME"
    notation: str = ""
    shorts: Mapping[str, ShortOption] = field(default_factory=dict)
    pairs: str = ""


KINDS = {
    "attack": Verb(
        ("attacker", "defender"),
        "What one Attack action does: its exact distribution, and a simulation if asked.",
        frozenset({"choose"}),
    ),
    "duel": Verb(("a", "b"), "Who wins a duel: the exact chances, and a simulation beside them if asked."),
}
"""Kinds of question that nearly every game can answer, told for all of them without importing one."""

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
        "Write a game's catalogue to one .xlsx workbook, to edit in a spreadsheet; or apply a patch.",
    ),
    "import": ("catalogues.workbooks:import_game", "Read a workbook back into a folder of your own."),
    "roster": ("catalogues.roster:roster", "Read your own BattleScribe catalogues or rosters as a table."),
    "rules": ("questions.rules:rules", "Show which rules of the rulebook the tests prove."),
    **{kind: ("", verb.help_text) for kind, verb in KINDS.items()},
    "ask": ("questions.ask:ask", "Any question that `balance games` lists; `balance KIND GAME ...` is short for it."),
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
        "Which verdicts on prices are the same with every good way of playing, on every map and at every scale.",
    ),
    "army": ("armies.army:army", "The best army for a budget, found by playing and confirmed; or random legal ones."),
    "tune": ("armies.tune:tune", "The fewest and smallest changes that make armies of equal points fair, as a patch."),
    "tornado": (
        "armies.tornado:tornado",
        "Which assumed values a conclusion rests on, and how far they may move before it flips.",
    ),
    "card": ("armies.card:card", "What every small change of a card does, and what pairs of abilities do."),
    "handicap": (
        "armies.handicap:handicap",
        "The smallest change of one number that makes a match-up even, or takes the edge off going first.",
    ),
    "page": (
        "armies.page:page",
        "A page on which the numbers of two cards can be changed: exact, in one file, offline.",
    ),
    "luck": ("questions.luck:luck", "How much of a result is luck, from which dice, and how it comes about."),
    "replay": ("questions.replay:replay", "One trial of a simulation in words, turn by turn; also as a page."),
    "rate": (
        "playtests.rate:rate",
        "Rate a log of playtests: who is too strong, how sure that is, and what to play next.",
    ),
    "need": (
        "playtests.need:need",
        "How many games of your own it takes to settle a question, and what fewer can show.",
    ),
    "dice": (
        "questions.dice:dice",
        "The odds of your own dice, exact: pools, rerolls, explosions, symbols, contests, tables.",
    ),
    "schema": ("questions.schema:schema", "The JSON Schema of what a verb prints with --json."),
    "serve": ("server.serve:serve", "Answer an assistant's questions about your catalogues, by the protocol MCP."),
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


def games_knowing(kind: str, words: Sequence[str] = ()) -> list[Game]:
    """Return the games that have a kind of question, those named on the command line first.

    Games in local folders count only if `words`, what was typed after the verb, name them.
    """
    return [game for game in games_to_ask(words) if kind in game.kinds]


def games_to_ask(words: Sequence[str]) -> list[Game]:
    """Return the installed games, and games in local folders that `words` name; named ones first."""
    from balance.game.registry import find_game, installed_games

    games = named_games(words)
    names = [game.name for game in games]
    for name in installed_games():
        with contextlib.suppress(BalanceError):  # what is wrong with a game is told to those who name it
            games += [] if name in names else [find_game(name)]
    return games


def named_games(words: Sequence[str]) -> list[Game]:
    """Return the games that the words on the command line name."""
    from balance.game.registry import find_game, game_names, is_game

    names = [name for name in game_names() if name in words]
    return [find_game(name) for name in [*names, *(word for word in words if word not in names and is_game(word))]]
