"""Tips about what a report shows, and about runs and their tables."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.study.compare.compare import _match
from balance.study.frames.cells import table_faults
from balance.study.frames.claims import headline_faults
from balance.study.frames.luck import luck_faults
from balance.study.frames.neighbours import neighbour_faults
from balance.study.frames.report_settings import GameSettings
from balance.study.frames.report_tables import check_sections
from balance.study.loading.load import even_field_faults
from balance.study.run.export import export_tables
from balance.study.run.folder import Run, load_run
from balance.study.run.manifest import read_manifest
from balance.study.settings.even_field import EvenFieldStudy
from balance.study.settings.luck import LuckStudy
from balance.study.settings.neighbours import NeighbourStudy
from balance.study.settings.settings import Study, StudySettings
from balance.study.settings.tables import ReportTable
from balance.verbs.call.means import share_of
from balance.verbs.studies.reports import table_errors
from tests.tips.following import Case, Deed, under
from tests.toy.game import GAME as TOY


def _parquet() -> bytes:
    content = io.BytesIO()
    pl.DataFrame({"n": [1, 2]}).write_parquet(content)
    return content.getvalue()


AGAIN = "run the study again"
TABLE: dict[str, Any] = {
    "id": "x",
    "caption": "X",
    "rung": "attack",
    "other": "ogre",
    "measure": {"mean": "damage"},
    "rows": [{"each": "attacker.dice", "of": [1, 2]}],
    "columns": [{"each": "one", "of": ["knight", "rat"]}],
}
STUDY = Study(StudySettings(game="skirmish"), Path("s.toml"))
PARQUET = _parquet()
CHECKSUM = hashlib.sha256(PARQUET).hexdigest()
NO_WINNER = replace(TOY, kinds={"attack": TOY.kinds["attack"]})


def faults(check: Callable[[], Any]) -> Callable[[], object]:
    """Return the deed of a check that yields faults."""

    def ask() -> object:
        with mock.patch.dict(GAMES, {"skirmish": "tests.toy.game:GAME"}):
            return list(check())

    return ask


def table(**told: Any) -> Callable[[], object]:
    """Return the deed of checking a table with some of its settings changed."""
    return lambda: table_faults(ReportTable.model_validate(TABLE | told), load(TOY), {})


def page(**told: Any) -> Callable[[], object]:
    """Return the deed of checking a report with a first page."""

    def check() -> None:
        sections = [{"id": "s", "title": "S", "tables": [TABLE]}]
        check_sections(load(TOY), GameSettings.model_validate({"sections": sections, "first_page": told}))

    return check


def headline(text: str, own: str = "x", kinds: int = 1) -> Callable[[], object]:
    """Return the deed of checking a headline."""
    return faults(lambda: headline_faults(text, own, {"x": kinds}, ()))


def luck(*, of: Any = TOY, **told: Any) -> Callable[[], object]:
    """Return the deed of checking a table about luck."""
    settings = LuckStudy.model_validate({"id": "x", "title": "X", **told})
    return faults(lambda: luck_faults(settings, STUDY, load(of)))


def neighbours(*, of: Any = TOY, **told: Any) -> Callable[[], object]:
    """Return the deed of checking a table about neighbours."""
    settings = NeighbourStudy.model_validate({"id": "x", "title": "X", "cards": ["rat"], **told})
    return faults(lambda: neighbour_faults(settings, STUDY, load(of)))


def even(of: str = "", metrics: tuple[str, ...] = ("cards",), **told: Any) -> Callable[[], object]:
    """Return the deed of checking what would make the field even, which the settings may leave out."""
    field = EvenFieldStudy.model_validate(told) if told else None
    update = {"even_field": field, "metrics": list(metrics)}
    study = Study(StudySettings(game=of or "skirmish").model_copy(update=update), Path("s.toml"))
    return faults(lambda: even_field_faults(study, load(of or TOY)))


def export(fmt: str = "csv", *names: str, after: Deed | None = None) -> Callable[[], object]:
    """Return the deed of writing the tables of a run."""
    frame = pl.DataFrame({"n": [1, 2]})
    run = Run(Path("run"), {"tables": {"tasks": "", "prices": ""}}, {"tasks": frame, "prices": frame})
    return lambda: export_tables(run, fmt, Path(), names) and None


def run_table(name: str, content: bytes = b"", *, link: bool = False, checksum: str = "") -> Callable[[], object]:
    """Return the deed of reading a table of a folder that may be anybody's."""

    def read() -> object:
        Path("run/tables").mkdir(parents=True)
        place = Path("run/tables/tasks.parquet")
        if link:
            Path("elsewhere").write_bytes(content)
            place.symlink_to(Path("elsewhere").absolute())
        elif content:
            place.write_bytes(content)
        Run(Path("run"), {"tables": {"tasks": checksum}}).table(name)
        return None

    return read


def unfinished(command: str) -> Callable[[], object]:
    """Return the deed of reading a run that is not finished."""

    def read() -> object:
        Path("run").mkdir()
        Path("run/unfinished.txt").write_text(command, "utf-8")
        return load_run(Path("run")) and None

    return read


def meet(n_after: int) -> Callable[[], object]:
    """Return the deed of comparing catalogues, one of which has so many entrants."""

    def compare() -> object:
        study = Study(StudySettings(game="warforged", entrants=["nexus+s*"]), Path("s.toml"))
        before, after, real = load("warforged"), load("warforged"), Study.choose
        after = replace(after) if after is before else after
        choose = lambda self, game: real(self, game)[: 2 if game is before else n_after]  # noqa: E731
        with mock.patch.object(Study, "choose", choose):
            return _match(study, before, after) and None

    return compare


def fail_to_report(error: Exception | None) -> Callable[[], object]:
    """Return the deed of reporting tables that hold something else."""

    def report() -> object:
        with table_errors(Run(Path("run"), {})):
            if error is not None:
                raise error
        return None

    return report


CASES = [
    # -- tables of a report ------------------------------------------------------------------------------------------
    Case(table(rung="atack"), "did you mean attack?", table()),
    Case(
        under({"balance.study.frames.cells.MOST_TABLE_QUESTIONS": 3}, table()),
        "show fewer, or make several tables",
        under({"balance.study.frames.cells.MOST_TABLE_QUESTIONS": 3}, table(rows=[{"one": "rat"}])),
    ),
    Case(
        table(columns=[{"each": "one", "of": "all fighter"}]),
        "did you mean all fighters?",
        table(columns=[{"each": "one", "of": "all fighters"}]),
    ),
    Case(
        table(columns=[{}]), "a case that names nobody needs a label", table(columns=[{"label": "rat", "one": "rat"}])
    ),
    Case(table(show="difference"), "say baseline = { set = { ... } }", table(show="difference", baseline={"set": {}})),
    Case(
        table(show="worth", baseline={"set": {}}),
        "say worth = { path = ... }",
        table(show="worth", baseline={"set": {}}, worth={"path": "attacker.dice"}),
        "needs an exact distribution",
    ),
    Case(page(answer="y", headline="H"), "'y' is no table of this report; allowed: x", page(answer="x", headline="H")),
    Case(
        page(answer="x", headline="H", chart={"table": "x", "axis": "A", "solution": "y"}),
        "'y' is no solution",
        page(answer="x", headline="H", chart={"table": "x", "axis": "A"}),
    ),
    Case(page(answer="x", headline="H", change="y"), "allowed: x", page(answer="x", headline="H", change="x")),
    # -- headlines ---------------------------------------------------------------------------------------------------
    Case(headline("So {best"), "write a brace twice to print it", headline("So {{best")),
    Case(headline("So {y.shares}"), "'y' is no table of this report; allowed: x", headline("So {x.shares}")),
    Case(headline("So {most_range}", kinds=2), "name one: most[COLUMN]", headline("So {most[a]}", kinds=2)),
    # -- luck --------------------------------------------------------------------------------------------------------
    Case(luck(kind="attack"), "name pairs", luck(kind="attack", pairs=[["rat", "ogre"]])),
    Case(
        luck(kind="attack", pairs=[["rat", "ogre"]], play=True),
        "leave it out",
        luck(kind="attack", pairs=[["rat", "ogre"]]),
    ),
    Case(luck(among=["rat"]), "name another one", luck(among=["rat", "ogre"])),
    # -- neighbours --------------------------------------------------------------------------------------------------
    Case(neighbours(points=True), "points: ", neighbours()),
    Case(neighbours(cards=["rot"]), "did you mean rat?", neighbours()),
    Case(neighbours(of=NO_WINNER), "leave it out", list),
    # -- an even field -----------------------------------------------------------------------------------------------
    Case(even(fields=["helth"]), "did you mean health?", even(fields=["health"]), "costs can even"),
    Case(
        even(fields=["health"], line="atack", units=["rat", "rats"]),
        "did you mean attack?",
        even(fields=["health"], line="attack", units=["rat", "rats"]),
        "costs can even",
    ),
    Case(even("warforged", fields=["health"]), "leave it out: costs can even the field", even("warforged")),
    Case(even(metrics=("luck",), fields=["health"]), "leave it out", even(metrics=("luck",))),
    # -- runs --------------------------------------------------------------------------------------------------------
    Case(meet(0), "compare catalogues with the same entrants", meet(2)),
    Case(export("cvs"), "did you mean csv?", export("csv")),
    Case(export("csv", "task"), "did you mean tasks?", export("csv", "tasks")),
    Case(
        under({"balance.study.run.export.EXCEL_ROWS": 1}, export("xlsx")),
        "use csv or parquet",
        under({"balance.study.run.export.EXCEL_ROWS": 1}, export("csv")),
    ),
    Case(run_table("prices"), AGAIN, export("csv", "prices")),
    Case(run_table("tasks", b"x", link=True), AGAIN, export("csv", "tasks")),
    Case(run_table("tasks", b"x"), AGAIN, export("csv", "tasks")),
    Case(run_table("tasks", b"x", checksum=hashlib.sha256(b"x").hexdigest()), AGAIN, export("csv", "tasks")),
    Case(
        under({"balance.study.run.folder.ROWS_PER_BYTE": 0}, run_table("tasks", PARQUET, checksum=CHECKSUM)),
        AGAIN,
        run_table("tasks", PARQUET, checksum=CHECKSUM),
    ),
    Case(run_table("tasks"), AGAIN, run_table("tasks", PARQUET, checksum=CHECKSUM)),
    Case(lambda: read_manifest(Path("manifest.json"), b"{") and None, AGAIN, export("csv")),
    Case(lambda: read_manifest(Path("manifest.json"), b"{}") and None, AGAIN, export("csv")),
    Case(fail_to_report(KeyError("mean")), AGAIN, fail_to_report(None)),
    Case(unfinished("balance init warforged"), "continue with: balance init warforged", "init warforged"),
    Case(lambda: share_of("2 of all") and None, "such as 2%", lambda: share_of("2%") and None),
]
