"""The page of a whole game, which carries the program; `balance.page` and `balance.report` write it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Fault, UsageError, gathering
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.words import check_new_file, who_is_nobody

if TYPE_CHECKING:
    from balance.answers.words.catalogues.written import Written
    from balance.game.loaded import LoadedGame

USE = "Open it in a browser: every unit and rule can be changed, and is answered exactly, offline."


def page_of_file(
    game: LoadedGame, sides: tuple[str, str], out: str | Path | None, strange: Sequence[str]
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
        check_new_file(place, "§out", "a page", (".html",))
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
        raise UsageError("only a game file has a page of the whole game")
    one = sides[0] or next(unit for unit in units if unit != sides[1] or len(units) == 1)
    other = sides[1] or next(unit for unit in units if unit != one or len(units) == 1)
    return game_page(game, *split_file(file), file, (one, other), __version__)
