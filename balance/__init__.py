"""Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers.

>>> import balance
>>> duel = balance.duel("warforged", "vanguard+smg_pistol", "trooper+shotgun")
>>> duel.to_polars().columns
['result', 'p_win']

Each verb of the command is a function with its words and defaults, and returns a `Result`. Names are imported when they
are first used, so that `import balance` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.analysis import never_worth_taking, rating_table, score_table
    from balance.base import __version__ as __version__
    from balance.base.errors import BalanceError
    from balance.chance.pmf import Pmf, die, mixture, pool
    from balance.game.loaded import LoadedGame, load
    from balance.game.question.answer import Answer
    from balance.game.question.question import Question, Sample
    from balance.verbs.armies import army, tune
    from balance.verbs.call.result import Explanation, Result
    from balance.verbs.catalogues.check import check
    from balance.verbs.catalogues.games import init, list_games, new_game, rules, schema, show
    from balance.verbs.catalogues.roster import roster
    from balance.verbs.catalogues.workbooks import export_game, import_game
    from balance.verbs.changes.handicaps import handicap
    from balance.verbs.changes.pages import page
    from balance.verbs.play import play, stability
    from balance.verbs.playtests import need, rate
    from balance.verbs.prices import card, price
    from balance.verbs.questions import ask, attack, battle, duel, encounter, kill, lineup, replay, solve
    from balance.verbs.rolls import dice
    from balance.verbs.sources import luck, tornado
    from balance.verbs.studies.fit import fit
    from balance.verbs.studies.matchups import matchups
    from balance.verbs.studies.reports import compare, report
    from balance.verbs.studies.runs import run, tables

__all__ = [
    "Answer",
    "BalanceError",
    "Explanation",
    "LoadedGame",
    "Pmf",
    "Question",
    "Result",
    "Sample",
    "army",
    "ask",
    "attack",
    "battle",
    "card",
    "check",
    "compare",
    "dice",
    "die",
    "duel",
    "encounter",
    "export_game",
    "fit",
    "handicap",
    "import_game",
    "init",
    "kill",
    "lineup",
    "list_games",
    "load",
    "luck",
    "matchups",
    "mixture",
    "need",
    "never_worth_taking",
    "new_game",
    "page",
    "play",
    "pool",
    "price",
    "rate",
    "rating_table",
    "replay",
    "report",
    "roster",
    "rules",
    "run",
    "schema",
    "score_table",
    "show",
    "solve",
    "stability",
    "tables",
    "tornado",
    "tune",
]

_HOMES = {
    "balance.analysis": ("never_worth_taking", "rating_table", "score_table"),
    "balance.base.errors": ("BalanceError",),
    "balance.chance.pmf": ("Pmf", "die", "mixture", "pool"),
    "balance.game.question.answer": ("Answer",),
    "balance.game.loaded": ("LoadedGame", "load"),
    "balance.game.question.question": ("Question", "Sample"),
    "balance.verbs.armies": ("army", "tune"),
    "balance.verbs.rolls": ("dice",),
    "balance.verbs.catalogues.check": ("check",),
    "balance.verbs.catalogues.roster": ("roster",),
    "balance.verbs.catalogues.workbooks": ("export_game", "import_game"),
    "balance.verbs.changes.handicaps": ("handicap",),
    "balance.verbs.changes.pages": ("page",),
    "balance.verbs.catalogues.games": ("init", "list_games", "new_game", "rules", "schema", "show"),
    "balance.verbs.studies.fit": ("fit",),
    "balance.verbs.studies.matchups": ("matchups",),
    "balance.verbs.play": ("play", "stability"),
    "balance.verbs.playtests": ("need", "rate"),
    "balance.verbs.prices": ("card", "price"),
    "balance.verbs.questions": ("ask", "attack", "battle", "duel", "encounter", "kill", "lineup", "replay", "solve"),
    "balance.verbs.call.result": ("Explanation", "Result"),
    "balance.verbs.sources": ("luck", "tornado"),
    "balance.verbs.studies.runs": ("run", "tables"),
    "balance.verbs.studies.reports": ("compare", "report"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562); a kind of question that only some game knows is a verb too."""
    if name in _HOME or name == "__version__":
        return getattr(import_module(_HOME.get(name, "balance.base")), name)
    if not name.startswith("_"):
        kind = import_module("balance.verbs.questions").verb_named(name)
        if kind is not None:
            return kind
    raise AttributeError(f"module 'balance' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
