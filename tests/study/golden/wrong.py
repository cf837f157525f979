"""What a designer may get wrong in a study, a patch and a report, and every word that is told of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

from balance.base.errors import BalanceError
from balance.game.loaded import load
from balance.study.frames.gaps import plan_report, tell_gaps
from balance.study.frames.report_settings import load_settings
from balance.study.loading.load import load_study
from balance.study.run.run import sides_of
from balance.study.settings.patch import load_patch

TABLE = {
    "id": '"x"',
    "caption": '"X"',
    "rung": '"attack"',
    "other": '"ogre"',
    "measure": '{ mean = "damage" }',
    "rows": '[{ each = "attacker.dice", of = [1, 2] }]',
    "columns": '[{ each = "one", of = ["knight", "rat"] }]',
}


def told(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of a file for each kind of input; the folder holds the inputs."""
    copytree(folder / "fighters", folder / "wrong")
    cases = tomllib.loads((folder / "wrong.toml").read_text("utf-8"))
    readers: dict[str, Callable[[Path, str], object]] = {
        "study": lambda path, text: sides_of(load_study(_written(path / "study.toml", text))),
        "patch": lambda path, text: load_patch(_written(path / "patch.toml", text)).apply(load("skirmish")),
        "table": lambda path, text: _report(path, _table(text)),
        "report": _report,
    }
    for kind, read in readers.items():
        parts = [f"== {name}\n{_told(folder, read, text)}" for name, text in cases[kind].items()]
        yield f"faults/{kind}.txt", "\n".join(parts)


def _told(folder: Path, read: Callable[[Path, str], object], text: str) -> str:
    try:
        found = read(folder, text)
    except BalanceError as error:
        found = f"{error}\n"
    return str(found).replace(f"{folder}/", "") if isinstance(found, str) else "nothing\n"


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def _report(folder: Path, text: str) -> str:
    """Return what a report of the toy leaves out."""
    _written(folder / "wrong" / "report.toml", text)
    loaded = load("skirmish", folder / "wrong")
    gaps = plan_report(loaded, load_settings(loaded)).gaps
    lines = [*map(str, gaps), *(f"left out: {text}" for text in tell_gaps(gaps))]
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


def _table(text: str) -> str:
    told = TABLE | {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in text.splitlines())}
    lines = [f"{key} = {value}" for key, value in told.items() if value]
    return "\n".join(['[[sections]]\nid = "own"\ntitle = "Own"\n[[sections.tables]]', *lines])
