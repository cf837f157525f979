"""Two small studies with every setting on, run once, and all that comes out of them in files that people can read.

`inputs` holds what a designer would write: a catalogue of six cards with a `report.toml`, two studies, two patches.
`found` holds what came out: every table as CSV, the plan, the manifest with its summary, what was told meanwhile, what
the patch changes, and the study that `balance init` writes for each game. `tests/study/test_golden.py` compares each
file in full. After a change that is meant, write them anew and read the difference before it is committed:

    python -m tests.study.golden
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import polars as pl
import pytest

from balance.base.answers import as_plain
from balance.catalogue.toml_model import Frozen
from balance.game.loaded import LoadedGame
from balance.game.registry import GAMES, find_game, game_names, shipped_folder
from balance.study import Run, Study, load_study, run_study
from balance.study.compare.answer import Comparison
from balance.study.compare.compare import compare_catalogues
from balance.study.frames.report_settings import GameSettings, Sweep
from balance.study.frames.solutions import ReportSolution
from balance.study.match_ups.plan import plan_tasks
from balance.study.run.run import sides_of
from balance.study.run.template import study_text
from balance.study.settings.patch import PatchSettings, load_patch
from balance.study.settings.settings import StudySettings
from balance.study.settings.tables import ReportTable
from tests.study.golden.wrong import told
from tests.toy.game import GAME as TOY

__all__ = ["FOUND", "Golden", "Played", "alike", "play"]

HERE = Path(__file__).parent
FOUND = HERE / "found"
PLAYED = ("warforged", "skirmish")
SKIRMISH = "tests.study.golden.toy:GAME"
DIGITS = 9
"""Significant digits that are written; another processor may give another last one."""


@dataclass(frozen=True)
class Played:
    """One study that was run, and the same match-ups before and after its patch."""

    study: Study
    before: LoadedGame
    run: Run
    told: tuple[str, ...]
    comparison: Comparison

    def table(self, name: str) -> pl.DataFrame:
        """Return a table of the run."""
        return self.run.table(name)


@dataclass(frozen=True)
class Golden:
    """What came out: the studies by game, and the text of every file by its path below `found`."""

    played: Mapping[str, Played]
    files: Mapping[str, str]


def play(folder: Path) -> Golden:
    """Run both studies in a folder of their own."""
    copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    copyfile(shipped_folder(find_game("warforged")) / "rules.toml", folder / "cards" / "rules.toml")
    copytree(TOY.folder or Path(), folder / "fighters", dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BALANCE_CATALOGUE", raising=False)
        templates = {f"template/{name}.toml": study_text(name) for name in game_names() if name in GAMES}
        patch.setitem(GAMES, "skirmish", SKIRMISH)
        templates["template/skirmish.toml"] = study_text("skirmish")
        played = {name: _played(folder, name) for name in PLAYED}
        files = {f"{name}/{file}": text for name, one in played.items() for file, text in _files(one)}
        faults = dict(told(folder))
    return Golden(played, templates | faults | {"defaults.json": as_json(_defaults())} | files)


def _defaults() -> dict[str, Any]:
    """Return what each kind of file says where it says as little as it may."""
    case = {"rows": [{"label": "x"}], "columns": [{"label": "x"}]}
    table = {"id": "x", "caption": "X", "rung": "duel", **case, "measure": {"mean": "x"}, "worth": {"path": "x"}}
    solution = {"id": "x", "title": "X", "rung": "duel"}
    sweep = {"id": "x", "title": "X", "path": "x", "values": [1], "value_title": "x", "target": "x"}
    least: list[tuple[type[Frozen], dict[str, Any]]] = [
        (StudySettings, {"game": "warforged"}),
        (PatchSettings, {}),
        (GameSettings, {}),
        (ReportTable, table),
        (ReportSolution, solution),
        (Sweep, sweep),
    ]
    return {model.__name__: model.model_validate(said).model_dump(mode="json") for model, said in least}


def _played(folder: Path, name: str) -> Played:
    study, notes = load_study(folder / f"{name}.toml"), list[str]()
    run = run_study(study, folder / "runs" / name, note=notes.append)
    before, patch = study.open(), load_patch(study.patch_paths[0])
    after = patch.apply(before)
    found = compare_catalogues(study, before, after, title=patch.title, limits=patch.settings.limits)
    return Played(study, before, run, tuple(notes), found)


# -- as people read it -----------------------------------------------------------------------------------------------


def _files(played: Played) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file about a study."""
    run, sides = played.run, sides_of(played.study)
    for name in sorted(run.manifest["tables"]):
        yield f"{name}.csv", as_csv(run.table(name))
    tasks = plan_tasks(played.study, sides)
    plan = [
        {"name": task.name, "side": task.side, "situation": task.situation, "policies": task.policies}
        | {"changes": list(task.query.changes), "exact": task.exact, "pairs_per_block": task.pairs_per_block}
        | {"equal_points": task.equal_points(sides[task.side]), "task_id": task.query.id(sides[task.side])}
        for task in tasks
    ]
    yield "plan.csv", as_csv(pl.DataFrame(plan))
    yield "told.txt", "".join(f"{text}\n" for text in played.told)
    kept = {name: value for name, value in run.manifest.items() if name not in _ELSEWHERE}
    yield "manifest.json", as_json(kept | {"report_settings": _said(kept["report_settings"])})
    change = played.comparison
    yield "changes.csv", as_csv(change.match_ups)
    numbers = as_plain(change.summary) | {"broken_limits": list(change.broken_limits)}
    yield "changes.json", as_json({"title": change.title} | numbers)


_ELSEWHERE = ("tables", "balance_version", "catalogue_sha256", "report_toml_sha256")
"""What a manifest holds of bytes and versions, which other tests look at."""


def _said(found: Any) -> Any:
    """Return settings without what is empty, as it is where a file says nothing."""
    if isinstance(found, list):
        return [_said(one) for one in found]
    if not isinstance(found, dict):
        return found
    return {name: _said(value) for name, value in found.items() if value not in (None, "", [], {})}


def as_csv(frame: pl.DataFrame) -> str:
    """Return a table as readable CSV: lists with semicolons, numbers and checksums to a few digits."""
    named = [column.removesuffix("_id") if column == "task_id" else column for column in frame.columns]
    lines = [named, *([_cell(value) for value in row] for row in frame.iter_rows())]
    return "".join(",".join(line) + "\n" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    if isinstance(value, list):
        return "; ".join(map(_cell, value))
    text = "" if value is None else str(value)
    if re.fullmatch("[0-9a-f]{64}", text):
        return text[:8]
    return f'"{text}"' if "," in text else text


def as_json(value: Mapping[str, Any]) -> str:
    """Return JSON with numbers to a few digits."""

    def short(found: Any) -> Any:
        if isinstance(found, Mapping):
            return {name: short(one) for name, one in found.items()}
        if isinstance(found, list):
            return [short(one) for one in found]
        return float(f"{found:.{DIGITS}g}") if isinstance(found, float) else found

    return json.dumps(short(value), indent=1, ensure_ascii=False) + "\n"


NUMBER = re.compile(r"(-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)")


def alike(found: str, golden: str) -> bool:
    """Return whether two texts are the same but for the last digits of their numbers."""
    ours, theirs = NUMBER.split(found), NUMBER.split(golden)
    return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    if not (NUMBER.fullmatch(one) and NUMBER.fullmatch(other)) or not {".", "e"} & {*one, *other}:
        return False
    return isclose(float(one), float(other), rel_tol=1e-7, abs_tol=1e-9)
