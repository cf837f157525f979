"""What a game's report should show beyond what every game has: `report.toml`, which may be missing.

It is beside the catalogue in use; a catalogue without one is shown as the game's own.

It gives the words of the game (see `balance.game.words`), what stands on the first page
(`balance.study.settings.first_page`), the sweeps of one field to draw as heat maps, sections of
tables (see `balance.study.settings.tables`), questions to solve (see `balance.study.frames.solutions`), and conclusions
to hold against assumed values (see `balance.study.frames.robustness`). How each kind of question is played and what it
cannot see, the game's question kinds say.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from balance.analysis.scores.endings import Ending
from balance.catalogue.toml_model import FileName, Frozen, read_model
from balance.game.loaded import LoadedGame
from balance.game.registry import game_file
from balance.game.words import FILE, Text, Words
from balance.study.frames.robustness import ReportRobustness
from balance.study.frames.solutions import ReportSolution
from balance.study.scaling.settings import ReportScaling
from balance.study.settings.first_page import FirstPage
from balance.study.settings.tables import ReportSections


class Sweep(Frozen):
    """One field of an attack, tried at several values against one target."""

    id: FileName
    title: Text
    path: Text
    values: Annotated[list[int | str | bool], Field(min_length=1, max_length=40)]
    value_title: Text
    target: Text
    changes: list[str] = Field(default=[])
    note: str = ""


class GameSettings(Frozen):
    """The content of `report.toml`; every part has a default.

    * `gain`: the column of an attack that says what it achieved; the last one where an attack has no such column.
    * `first_page`: what the first page shows of a game without prices.
    * `names`: id -> name, for ids that no card names.
    * `players`: choices that say how a side plays, such as `policy_a`: the caption of a table tells them where its rows
      and columns do not.
    * `uses`: how the owner of an ability or effect puts it to use, where the default play does not: item -> choices of
      a question without the side, such as `web = { powers = "web" }` for `a_powers`.
    * `endings`: how a side can end a duel, where who won does not say it.
    """

    words: Words = Words()
    gain: Text = "damage"
    first_page: FirstPage = FirstPage()
    sections: ReportSections = Field(default=[])
    solutions: list[ReportSolution] = Field(default=[])
    robustness: list[ReportRobustness] = Field(default=[])
    scaling: list[ReportScaling] = Field(default=[])
    sweeps: list[Sweep] = Field(default=[])
    names: dict[str, Text] = Field(default={})
    players: list[Text] = Field(default=[])
    uses: dict[str, dict[str, Text]] = Field(default={})
    endings: list[Ending] = Field(default=[])


def settings_path(game: LoadedGame) -> Path | None:
    """Return the `report.toml` in force: beside the catalogue in use, else the game's own; None where there is none."""
    return game_file(game.definition, game.catalogue.path, FILE)


OF_ONE_REPORT = ("first_page", "sections", "solutions", "robustness", "scaling", "sweeps")
"""What a study that has a report declaration of its own does not take from the game's."""


def load_settings(game: LoadedGame, own: Path | None = None) -> GameSettings:
    """Return what the report of a game should show, from `settings_path`; the defaults where there is none.

    With `own`, the file of a study that declares its report itself, that goes before the game's words, names and
    endings, and nothing else of the game's is shown. Raises `StudyError` with all faults of the file at once.
    """
    path = settings_path(game)
    usual = GameSettings() if path is None else read_model(GameSettings, path)
    if own is None:
        return usual
    declared = read_model(GameSettings, own)
    names = {*OF_ONE_REPORT, *declared.model_fields_set}
    return usual.model_copy(update={name: getattr(declared, name) for name in names})
