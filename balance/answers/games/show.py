"""Which page `show` answers with, by its name."""

from __future__ import annotations

from balance.answers.games import questions, tables
from balance.answers.games.page import GamePage
from balance.base.errors import UsageError, suggestion
from balance.base.paths import short_path
from balance.base.text import slug
from balance.game.open_game import OpenGame

PAGES = {**tables.PAGES, **questions.PAGES}
"""Name of a page -> its parts, of a game."""


def page_of(game: OpenGame, name: str = "") -> GamePage:
    """Return the page of a table, one of `PAGES`, or the entry of an id; without a name the overview.

    Raise UsageError if there is nothing of this name.
    """
    catalogue, definition, page = game.catalogue, game.definition, slug(name)
    specs = {spec.name: spec for spec in catalogue.spec.tables}
    homes = {entry: spec for spec in specs.values() for entry in catalogue.tables[spec.name]}
    if not name:
        parts = tables.overview(game)
    elif page in specs:
        parts = tables.table_of(catalogue, specs[page])
    elif page in PAGES:
        parts = PAGES[page](game)
    elif page in homes:
        parts = tables.entry_of(catalogue, homes[page], page)
    else:
        names = [*specs, *PAGES]
        tip = suggestion(page, [*names, *homes], f"tables are {', '.join(names)}; or name one entry")
        raise UsageError(f"{definition.name} has no table and no entry {name!r}", tip)
    source = (definition.name, catalogue.rules_version, catalogue.sha256, short_path(catalogue.path))
    sentence = f"{definition.title}: {page}." if name else tables.overview_sentence(game)
    return GamePage(1, "show", *source, page, sentence, tuple(parts))
