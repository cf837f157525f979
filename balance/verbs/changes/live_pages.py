"""The page of a whole game, which carries the program; `balance.page` and `balance.report` write it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Fault, UsageError, gathering
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.words import check_new_file, who_is_nobody

if TYPE_CHECKING:
    from balance.answers.words.catalogues.written import Written
    from balance.game.loaded import LoadedGame

STEPS = "steps.toml"
"""The file of steps beside the catalogue of a shipped game."""
USE = "Open it in a browser: every unit and rule can be changed, and is answered exactly, offline."


def page_of_file(
    game: LoadedGame, sides: tuple[str, str], out: str | Path | None, strange: Sequence[str], force: bool
) -> Result[Written]:
    """Write the page of a game file that opens on two units; `strange` are arguments that only other pages have."""
    from balance.answers.form import Terms
    from balance.answers.words.catalogues.written import WORDS, Written
    from balance.base.files import write_whole

    place = Path(out or f"{game.definition.name}.html")
    tip = "leave it out: the page of a game file answers whatever is typed into it"
    faults = [Fault("has no use here", f"§{name}", tip=tip) for name in strange]
    faults += who_is_nobody(game, [side for side in sides if side])
    with gathering(faults):
        check_new_file(place, "§out", "a page", (".html",), force)
    if faults:
        raise UsageError(faults)
    write_whole(place, live_page(game, sides).encode())
    written = Written(1, "page", (str(place),), use=USE, catalogue_sha256=game.catalogue.sha256)
    return as_result("page", written, WORDS, Terms.of(game, ""))


def live_page(game: LoadedGame, sides: tuple[str, str] = ("", "")) -> str:
    """Return the text of the page of a game file; without `sides` it opens on the first two units."""
    from balance.base import __version__
    from balance.reporting.live.game import game_page
    from balance.rulebook.plain.reading import split_file

    file, units = game.definition.file, game.entrants
    if file is None:
        return _shipped_page(game, __version__)
    one = sides[0] or next(unit for unit in units if unit != sides[1] or len(units) == 1)
    other = sides[1] or next(unit for unit in units if unit != one or len(units) == 1)
    return game_page(game, *split_file(file), file, (one, other), __version__)


def _shipped_page(game: LoadedGame, version: str) -> str:
    """Return the text of the page of a shipped game whose attacks are said in steps."""
    from balance.catalogue.tables.files import read_text
    from balance.game.registry import game_file
    from balance.reporting.live.game import game_page

    steps, file = game.definition.steps, game_file(game.definition, game.catalogue.path, STEPS)
    if steps is None or file is None:
        raise UsageError(
            f"{game.definition.name} has no page of the whole game", "balance page GAME ONE OTHER is one of two cards"
        )
    table, entrants = steps.table(game.catalogue, game.label, game.cost_points)
    typed = shlex.split(game.typed(elsewhere=True))
    shipped = {"game": typed, "entrants": entrants, "fields": steps.fields, "words": steps.words, "sets": steps.sets}
    one, *_, other = entrants
    name = Path(f"{game.definition.name}.toml")
    return game_page(game, read_text(file), table, name, (one, other), version, shipped)
