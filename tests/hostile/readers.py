"""Every reader of `balance`, with a sound input to spoil: what it does with the spoilt one is an `Outcome`."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

from balance.catalogue import export_workbook, import_workbook, load_catalogue, load_table, unsourced_values
from balance.catalogue.toml_model import read_model
from balance.catalogue.writer import folder_files
from balance.cli.main import main
from balance.engine.runner import Engine
from balance.engine.store import BlockStore, _digest
from balance.game.loaded import LoadedGame, load
from balance.game.registry import find_game
from balance.games.warforged.battle.map.maps import map_of, map_text, read_map
from balance.playtests.log.template import TEMPLATE
from balance.study.frames.report_settings import GameSettings
from balance.study.frames.report_tables import check_sections
from balance.study.loading.load import load_study
from balance.study.match_ups.plan import plan_tasks
from balance.study.run.folder import load_run
from balance.study.run.run import run_study
from balance.study.settings.patch import load_patch
from tests.hostile.mutations import BYTES, CSV, JSON, TOML, ZIP, Mutation, mutate

ROOT = Path(__file__).parents[2]
DATA, REPORTS = ROOT / "data", ROOT / "reports"
GAMES = ("warforged", "battlelore", "edadh")
STUDY = """game = "warforged"
title = "Some"
entrants = ["nexus+s*", "trooper+sidearm"]
max_cost_points = 60
exact = "{exact}"
patches = []
[rules]
min_damage = "always_one"
[[situations]]
name = "near"
set = {{ distance_cells = 2 }}
[grid]
distance_cells = [2, 6]
[budget]
trials = 16384
[limits]
max_unfair = 3
"""
PATCH = """title = "Cheaper"
[set]
"weapons.rail_lance.cost_points" = 28
"units.nexus.health" = 7
[rules]
min_damage = "always_one"
[limits]
max_unfair = 10
"""


class CrashError(Exception):
    """The command ended with status 101."""


@cache
def game(name: str) -> LoadedGame:
    return load(name, DATA / name)


def say(*arguments: str) -> None:
    """Run a command; what is no answer and no error of ours is a crash."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    if status not in (0, 1, 2):
        raise CrashError(err.getvalue()[:300])
    if "\x1b" in out.getvalue() + err.getvalue():
        raise CrashError("an escape reached the terminal")


def read_folder(name: str, folder: Path) -> None:
    found = find_game(name)
    catalogue = load_catalogue(found.spec, folder)
    unsourced_values(catalogue)
    folder_files(catalogue)
    opened = LoadedGame(found, catalogue)
    for entrant in opened.entrants[:3]:
        opened.label(entrant)
    say("check", str(folder), "--game", name)
    say("show", name, "--catalogue", str(folder))


def read_settings(name: str, path: Path) -> None:
    check_sections(game(name), read_model(GameSettings, path))


def read_study(path: Path) -> None:
    study = load_study(path)
    plan_tasks(study, {"base": study.open()})


def read_run(folder: Path) -> None:
    run = load_run(folder)
    say("tables", str(folder), "--out", str(folder / "out"))
    say("report", str(folder), "--out", str(folder / "out"), "--format", "html", "--quiet")
    for name in run.manifest["tables"]:
        run.table(name)


def read_blocks(folder: Path) -> None:
    study = load_study(folder / "s.toml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run_study(study, folder, engine=Engine())
        BlockStore(folder).sweep()


# -- sound inputs ----------------------------------------------------------------------------------------------------


@cache
def sound_run(exact: str) -> Path:
    """Return the folder of a small run with its blocks, made once."""
    folder = Path(tempfile.mkdtemp(prefix="balance-sound-"))
    (folder / "s.toml").write_text(STUDY.format(exact=exact))
    run_study(load_study(folder / "s.toml"), folder, engine=Engine())
    return folder


def _spoil(path: Path, kinds: list[Mutation], chance: random.Random) -> None:
    path.write_bytes(mutate(path.read_bytes(), kinds, chance))


def spoil_catalogue(name: str, chance: random.Random, folder: Path) -> None:
    place = folder / name
    shutil.copytree(DATA / name, place)
    spec = find_game(name).spec
    files = [*(table.file for table in spec.tables), spec.rules_file, spec.sources_file]
    path = place / chance.choice(files)
    _spoil(path, TOML if path.suffix == ".toml" else CSV, chance)
    read_folder(name, place)


def spoil_ids(name: str, chance: random.Random, folder: Path) -> None:
    spec = find_game(name).rule_ids
    shutil.copy(DATA / name / spec.file, folder)
    _spoil(folder / spec.file, CSV, chance)
    load_table(spec, folder)


def spoil_map(_: str, chance: random.Random, folder: Path) -> None:
    path = folder / "maps" / "spoilt.txt"
    path.parent.mkdir()
    shutil.copy(chance.choice(sorted((DATA / "warforged" / "maps").iterdir())), path)
    _spoil(path, CSV, chance)
    field = map_of(folder, "spoilt")
    if read_map(map_text(field), str(path)) != field:
        raise CrashError("a map is not read as it was written")


def spoil_settings(name: str, chance: random.Random, folder: Path) -> None:
    shutil.copy(DATA / name / "report.toml", folder)
    _spoil(folder / "report.toml", TOML, chance)
    read_settings(name, folder / "report.toml")


def spoil_study(name: str, chance: random.Random, folder: Path) -> None:
    text = STUDY.format(exact="auto") if chance.random() < 0.5 else (DATA / name / "study.toml").read_text()
    (folder / "s.toml").write_text(text)
    _spoil(folder / "s.toml", TOML, chance)
    read_study(folder / "s.toml")


def spoil_patch(_: str, chance: random.Random, folder: Path) -> None:
    (folder / "p.toml").write_text(PATCH)
    _spoil(folder / "p.toml", TOML, chance)
    load_patch(folder / "p.toml").apply(game("warforged"))


@cache
def sound_workbook(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return export_workbook(game(name).catalogue, Path(folder) / "x.xlsx").read_bytes()


def spoil_workbook(name: str, chance: random.Random, folder: Path) -> None:
    (folder / "x.xlsx").write_bytes(sound_workbook(name))
    _spoil(folder / "x.xlsx", ZIP, chance)
    import_workbook(find_game(name).spec, folder / "x.xlsx")


def spoil_log(_: str, chance: random.Random, folder: Path) -> None:
    """Rate a spoilt log of games, from the file to the screen."""
    rows = TEMPLATE.splitlines()
    (folder / "log.csv").write_text("\n".join([rows[0], *chance.sample(rows[1:], 12), ""]), "utf-8")
    _spoil(folder / "log.csv", CSV, chance)
    say("rate", str(folder / "log.csv"))


def _copy_run(source: Path, folder: Path) -> None:
    shutil.copy(source / "manifest.json", folder)
    shutil.copytree(source / "tables", folder / "tables")


def _any_run(chance: random.Random) -> Path:
    return chance.choice([REPORTS / "edadh", sound_run("always"), sound_run("never")])


def spoil_manifest(_: str, chance: random.Random, folder: Path) -> None:
    _copy_run(_any_run(chance), folder)
    _spoil(folder / "manifest.json", JSON, chance)
    read_run(folder)


def spoil_table(_: str, chance: random.Random, folder: Path) -> None:
    """Spoil a table, or put one in the place of another; mostly with the checksum that fits."""
    _copy_run(_any_run(chance), folder)
    tables = sorted((folder / "tables").glob("*.parquet"))
    path = chance.choice(tables)
    if chance.random() < 0.3:
        path.write_bytes(chance.choice(tables).read_bytes())
    else:
        _spoil(path, BYTES, chance)
    if chance.random() < 0.9:
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["tables"][path.stem] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest))
    read_run(folder)


def spoil_block(_: str, chance: random.Random, folder: Path) -> None:
    """Spoil a block in a run folder or in the cache that it takes blocks from; mostly with the checksum that fits."""
    shutil.copytree(sound_run(chance.choice(["always", "never"])), folder, dirs_exist_ok=True)
    path = chance.choice(sorted(folder.glob("blocks/*/*/*.json")))
    _spoil(path, JSON, chance)
    if chance.random() < 0.8:
        with contextlib.suppress(ValueError, AttributeError, RecursionError):
            body = json.loads(path.read_bytes())
            body.pop("sha256", None)
            path.write_text(json.dumps(body | {"sha256": _digest(body)}))
    read_blocks(folder)


Spoil = Callable[[str, random.Random, Path], None]
READERS: dict[str, tuple[Spoil, int]] = {
    "catalogue": (spoil_catalogue, 14),
    "rule ids": (spoil_ids, 4),
    "map": (spoil_map, 4),
    "report.toml": (spoil_settings, 12),
    "study": (spoil_study, 12),
    "patch": (spoil_patch, 10),
    "workbook": (spoil_workbook, 12),
    "log": (spoil_log, 6),
    "manifest": (spoil_manifest, 14),
    "table of a run": (spoil_table, 6),
    "block": (spoil_block, 6),
}
"""Reader -> how to feed it, and how many of a hundred cases it gets."""
