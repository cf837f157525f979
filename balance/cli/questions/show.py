"""`balance games` and `balance show`: what there is to ask about, and what can be seen of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.answers.media.terminal import line, say, table
from balance.base.paths import short_path
from balance.cli.options import options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.game.game import Game
    from balance.game.loaded import LoadedGame

HOW_TO_ASK = "ask by `balance KIND GAME` and who takes part."
WHAT_IT_MEANS = "`balance show GAME questions` explains every kind."


def games(
    more: Annotated[bool, options.flag("--more", help_text="List every game, however many lie beside you.")] = False,
) -> None:
    """List the games, what each can be asked, and the catalogue that would be used; those beside you first."""
    from balance.answers.media.screens import first_screen
    from balance.game.local_games import local_files, local_games, title_of_file
    from balance.game.registry import find_game, installed_games

    installed_names = installed_games()
    definitions = [find_game(name) for name in installed_names]
    beside = {name: local for name, local in local_games().items() if name not in installed_names}
    files = local_files().values()
    rows = [
        *([str(path), title_of_file(path), f"balance show {path}", str(path)] for path in files),
        *([name, local.title, f"balance show {name}", short_path(local.folder)] for name, local in beside.items()),
        *([game.name, game.title, ", ".join(game.kinds), _catalogue_of(game)] for game in definitions),
    ]  # of a game beside you the code runs only when it is named
    top = [line(f"{len(rows)} games: {HOW_TO_ASK}", "bold", after=1)]
    body = [table(["game", "title", "can be asked", "catalogue"], rows, whole=["game", "catalogue"])]
    foot = [
        line(WHAT_IT_MEANS + (" --more lists every game." if len(beside) + len(files) > 6 and not more else ""), "dim")
    ]
    say(*([*top, *body, *foot] if more else first_screen(top, body, foot)))


def _catalogue_of(game: Game) -> str:
    """Return the folder of the catalogue in use, or "as shipped", whose path is long."""
    from balance.game.registry import catalogue_folder, shipped_folder

    folder = catalogue_folder(game)
    path = Path(short_path(folder))
    return "as shipped" if path.is_absolute() and folder == shipped_folder(game) else str(path).replace(" ", "\u00a0")


def show(
    game: options.GameName,
    table: options.TableName = "",
    catalogue: options.CatalogueFolder = None,
    more: options.More = False,
) -> None:
    """Show a game, one of its tables, or one entry."""
    from balance.game.loaded import load

    loaded_game = load(game, catalogue)
    say(*page(loaded_game, table, more))


def page(game: LoadedGame, name: str, more: bool) -> Iterator[RenderableType]:
    """Return what `show GAME NAME` prints of a table, a page such as "entrants", or the entry of an id.

    An empty name gives the overview, all of it with `more`. Raise UsageError if there is nothing of this name.
    """
    from balance.base.errors import UsageError, suggestion
    from balance.base.text import slug
    from balance.cli.questions import kinds, pages

    catalogue, page_name = game.catalogue, slug(name)
    tables = {table.name: table for table in catalogue.spec.tables}
    homes = {entry: table for table in catalogue.spec.tables for entry in catalogue.tables[table.name]}
    if not name:
        return pages.overview(game, more)
    if page_name in tables:
        return pages.table_of(catalogue, tables[page_name])
    if page_name in pages.PAGES:
        return pages.PAGES[page_name](catalogue)
    if page_name in kinds.PAGES:
        return kinds.PAGES[page_name](game)
    if page_name in homes:
        return pages.entry_of(catalogue, homes[page_name], page_name)
    page_names = [*tables, *pages.PAGES, *kinds.PAGES]
    tip = suggestion(page_name, [*page_names, *homes], f"tables are {', '.join(page_names)}; or name one entry")
    raise UsageError(f"{game.definition.name} has no table and no entry {name!r}", tip)
