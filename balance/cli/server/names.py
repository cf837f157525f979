"""The names that an assistant would otherwise guess: of games and logs, and what one game calls its own things."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic import create_model

from balance.cli.completion import settable_paths
from balance.cli.server.served import Served
from balance.cli.server.tools import Tool, overview

if TYPE_CHECKING:
    from balance.game.game import QuestionKind
    from balance.game.loaded import LoadedGame

GAMES = "balance://games"
"""Where names are read: of the games and logs here, of one game at `balance://games/GAME`."""
MOST_IDS = 400
"""Entrants of a kind that are named; `show` lists all."""


def names_tool() -> Tool:
    """Return the tool that answers what stands at `GAMES`; it is not listed with the others."""
    words = create_model("names", game=(str, ""))

    def answer(served: Served, words: Mapping[str, Any]) -> dict[str, Any]:
        if words["game"]:
            return _names_of(words["game"], served.open(words["game"]))
        return {"games": overview(served), "logs": [str(path) for path in served.logs()]}

    return Tool(GAMES, "The names of games, or those of one game.", words, answer)


def _names_of(name: str, game: LoadedGame) -> dict[str, Any]:
    """Return what one game calls its kinds of question and their words, its entrants and its rules."""
    roles, ids_by_role = game.definition.entrant_kinds, dict[str, Any]()
    for role in roles:
        ids = {key: role.label(game.catalogue, key) for key in islice(game.ids(role), MOST_IDS)}
        twin = next((other for other, known in ids_by_role.items() if other != role.name and known == ids), None)
        ids_by_role.setdefault(role.name, f"as {twin}" if twin else ids)
    return {
        "game": name,
        "title": game.definition.title,
        "kinds": {kind.name: _words_of(game, kind) for kind in game.definition.kinds.values()},
        "entrants": ids_by_role,
        "rules": [f"rules.{option}" for option in game.catalogue.rule_options],
    }


def _words_of(game: LoadedGame, kind: QuestionKind) -> dict[str, Any]:
    """Return the words of a kind of question: who takes part, who may go first, and what can be set and chosen."""
    sides = {side: f"{role.name}: {role.written}" for side, role in zip(kind.sides, kind.takes, strict=True)}
    paths = [path.removesuffix("=") for path in settable_paths(game, kind) if not path.startswith("rules.")]
    choices = {policy: list(options) for policy, options in kind.choices.items()}
    return {"sides": sides, "first": list(kind.turn_orders), "set": list(dict.fromkeys(paths)), "choose": choices}
