"""The page of a game file: units and rules are edited in the page, whose own Python answers by the same steps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from balance.game.loaded import LoadedGame
from balance.reporting.live.odds import ROOMS as OF_DICE
from balance.reporting.live.runtime import packed, page_with_python
from balance.rulebook.plain.reading import read_plain

ROOMS = (
    *OF_DICE,
    "answers/words/live",
    "catalogue/tables",
    "chance/clauses.py",
    "chance/trials/estimate.py",
    "chance/trials/evening.py",
    "chance/trials/stopping.py",
    "rulebook/plain",
    "rulebook/play",
    "rulebook/text",
)
"""What answers in the page, below `balance`."""
HOME = {"module": "balance.answers.words.live.page", "function": "answer"}


def game_page(
    game: LoadedGame,
    rules: str,
    table: Sequence[Sequence[str]],
    file: Path,
    sides: tuple[str, str],
    version: str,
    shipped: Mapping[str, Any] | None = None,
) -> str:
    """Return the text of one HTML file that answers about any units and rules; it opens on two units by id.

    `rules` and `table` are what a game file says, its units apart, and `file` is what commands call it. `shipped` says
    how commands ask for what a page of a shipped game shows: one attack.
    `CatalogueError` where a step is in Python, which no page can take along.
    """
    title, catalogue = read_plain(rules, table, file.name).book.title, game.catalogue
    held = {
        "rules": rules,
        "table": table,
        "file": file.name,
        "saved": f"{file.stem}_2.toml",
        "a": sides[0],
        "b": sides[1],
        "kinds": ["attack", "kill", "duel"] if shipped is None else ["attack"],
        "shipped": shipped,
    }
    facts = f"{game.definition.title}: catalogue {game.catalogue_text}, rules {catalogue.rules_version}."
    if shipped is not None:
        facts += " One attack of each unit whose attack these steps say."
    packed_held = packed(json.dumps(held, separators=(",", ":")).encode())
    return page_with_python("game", ROOMS, HOME, version, title=title, held=packed_held, facts=facts)
