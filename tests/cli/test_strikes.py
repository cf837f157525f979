"""Commands killed or interrupted at any step they take on the disk: every set of files is the old one or the new."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from balance.base.files import SWITCH
from tests.analysis.conftest import write_catalogue, write_study

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

Strike = Callable[..., dict[str, Any]]
"""strike(args, cwd, step, signal) -> status, steps, err."""
STUDY = """
game = "warforged"
entrants = ["nexus+sidearm", "trooper+sidearm"]
exact = "never"
metrics = ["match_ups"]
armies = []
seed = {seed}
[budget]
trials = {trials}
"""

UNITS: dict[str, dict[str, str]] = {"trooper": {}, "aegis": {}, "spectre": {}}
WEAPONS: dict[str, dict[str, str]] = {"shotgun": {}, "smg_pistol": {}}
ANSWERS = "unfinished/*/*.json"


@dataclass(frozen=True)
class Command:
    """A command, the folder whose files it replaces, which of them belong together, and one that reads them."""

    words: str
    folder: str
    files: tuple[str, ...]
    reader: str


COMMANDS = {
    "import": Command("import warforged new.xlsx --to mine", "mine", ("*",), "check mine --game warforged"),
    "run": Command(
        "run new.toml --out old_run --jobs 1 --no-cache --quiet", "old_run", ("manifest.json", "tables/*"), ""
    ),
    "report": Command("report new_run --out report --format html", "report", ("*",), ""),
    "export": Command("export warforged old.xlsx --catalogue new", ".", ("old.xlsx",), ""),
    "tables": Command("tables new_run --out tables", "tables", ("*",), ""),
}


@pytest.fixture(scope="module")
def strike() -> Iterator[Strike]:
    command = [sys.executable, "-m", "tests.cli.striking"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as zygote:
        assert zygote.stdin is not None
        assert zygote.stdout is not None
        asked, told = zygote.stdin, zygote.stdout

        def ask(
            words: str, cwd: Path, step: int | None = None, number: int = signal.SIGKILL, room: int | None = None
        ) -> dict[str, Any]:
            wish = {"args": words.split(), "cwd": str(cwd), "step": step, "signal": number, "room": room}
            asked.write(json.dumps(wish) + "\n")
            asked.flush()
            found: dict[str, Any] = json.loads(told.readline())
            return found

        yield ask
        asked.close()


@pytest.fixture(scope="module")
def world(strike: Strike, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an old and a new catalogue, workbook, run, report and tables."""
    here = tmp_path_factory.mktemp("world")
    for seed, name in enumerate(("old", "new")):
        (here / f"{name}.toml").write_text(STUDY.format(seed=seed, trials=1024 + seed))
    assert strike("export warforged first.xlsx", here)["status"] == 0
    for words in ("import warforged first.xlsx --to new", "import warforged first.xlsx --to mine"):
        assert strike(words, here)["status"] == 0
    for name in ("units.csv", "weapons.csv"):
        rows = (here / "new" / name).read_text().splitlines(keepends=True)
        (here / "new" / name).write_text("".join([rows[0], *reversed(rows[1:])]))
    for words in (
        "export warforged old.xlsx --catalogue mine",
        "export warforged new.xlsx --catalogue new",
        "run old.toml --out old_run --jobs 1 --no-cache --quiet",
        "run new.toml --out new_run --jobs 1 --no-cache --quiet",
        "report old_run --out report --format html",
        "tables old_run --out tables",
    ):
        assert strike(words, here)["status"] == 0, words
    return here


def contents(folder: Path, patterns: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files as they lie there."""
    found = [path for pattern in patterns for path in folder.glob(pattern)]
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file() and path.name[0] != "."
    }


def current(folder: Path, patterns: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files as every reader of balance sees them."""
    return contents(folder, patterns) | contents(folder / SWITCH, patterns)


def leftovers(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.name.startswith(".balance") or path.name.endswith(".part")]


class Case:
    """One command in a copy of the world, with what its files are before and after it."""

    def __init__(self, name: str, world: Path, home: Path, strike: Strike) -> None:
        self.command, self._world, self._home, self._strike = COMMANDS[name], world, home, strike
        self.before = contents(self.place, self.command.files)
        self.n_steps = self()["steps"]
        self.after = contents(self.place, self.command.files)
        assert self.before
        assert self.before != self.after

    @property
    def place(self) -> Path:
        if not self._home.exists():
            shutil.copytree(self._world, self._home)
        return self._home / self.command.folder

    def __call__(self, *how: int | None) -> dict[str, Any]:
        """Run the command in a fresh copy of the world: until a step, with a signal, in so much room."""
        shutil.rmtree(self._home, ignore_errors=True)
        assert self.place.exists()
        return self._strike(self.command.words, self._home, *how)

    def check(self) -> str:
        """Assert that all is old or all is new, for readers now and for everybody after the next command."""
        seen = current(self.place, self.command.files)
        assert seen in (self.before, self.after)
        if self.command.reader:
            assert self._strike(self.command.reader, self._home)["status"] == 0
            assert contents(self.place, self.command.files) == seen
            assert leftovers(self.place) == []
        assert self._strike(self.command.words, self._home)["status"] == 0
        assert contents(self.place, self.command.files) == self.after
        assert leftovers(self.place) == []
        return "old" if seen == self.before else "new"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in ("import", "run"))) for name in COMMANDS]
)
def test_a_kill_before_any_step_leaves_the_old_or_the_new(
    name: str, world: Path, strike: Strike, tmp_path: Path
) -> None:
    case = Case(name, world, tmp_path / "struck", strike)
    steps = random.Random(name).sample(range(1, case.n_steps + 1), 2 if name == "import" else 1)
    for step in steps:
        assert case(step, signal.SIGKILL)["status"] == -signal.SIGKILL
        case.check()


@pytest.mark.slow("test_a_kill_before_any_step_leaves_the_old_or_the_new")
@pytest.mark.skipif(sys.platform != "linux", reason="paths of any bytes")
def test_paths_that_are_not_utf_8_are_written_and_read(world: Path, strike: Strike, tmp_path: Path) -> None:
    place = _place_not_in_utf_8(world, tmp_path)
    for words in (
        f"run {place}/new.toml --out {place}/run --jobs 1 --no-cache --quiet",
        f"tables {place}/run --format xlsx",
        f"report {place}/run --out {place}/report --format html",
        f"export warforged {place}/{place}.xlsx",
        f"import warforged {place}/{place}.xlsx --to {place}/mine",
        f"compare {place}/new.toml --patch {place}/mine --out {place}/with --no-cache --quiet --jobs 1 --format html",
    ):
        assert strike(words, tmp_path) == {"status": 0, "steps": ANY, "err": ""}, words


@pytest.mark.slow("test_a_kill_before_any_step_leaves_the_old_or_the_new")
@pytest.mark.skipif(sys.platform != "linux", reason="paths of any bytes")
def test_a_workbook_in_a_path_that_is_not_utf_8_is_written_and_read(
    world: Path, strike: Strike, tmp_path: Path
) -> None:
    place = _place_not_in_utf_8(world, tmp_path)
    for words in (f"export edadh {place}/{place}.xlsx", f"import edadh {place}/{place}.xlsx --to {place}/mine"):
        assert strike(words, tmp_path) == {"status": 0, "steps": ANY, "err": ""}, words


def _place_not_in_utf_8(world: Path, tmp_path: Path) -> str:
    place = os.fsdecode(b"\xff")
    (tmp_path / place).mkdir()
    shutil.copy(world / "new.toml", tmp_path / place)
    return place


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != "import")) for name in COMMANDS]
)
def test_a_disk_without_room_is_one_sentence_and_changes_nothing(
    name: str, world: Path, strike: Strike, tmp_path: Path
) -> None:
    case = Case(name, world, tmp_path / "struck", strike)
    found = case(None, 0, 200)
    assert found["status"] == 2
    assert found["err"].startswith("error: ")
    assert "cannot be written: file too large" in found["err"]
    assert found["err"].count("\n") == 1
    assert contents(case.place, case.command.files) == case.before
    assert leftovers(case.place) == []
    assert case.check() == "old"


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_kill_before_each_step_leaves_the_old_or_the_new(
    name: str, world: Path, strike: Strike, tmp_path: Path
) -> None:
    case, found = Case(name, world, tmp_path / "struck", strike), []
    for step in range(1, case.n_steps + 1):
        assert case(step, signal.SIGKILL)["status"] == -signal.SIGKILL
        found.append(case.check())
    print(f"{name}: {case.n_steps} kills, {found.count('old')} old, {found.count('new')} new")
    assert found == sorted(found, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interruption_at_any_step_is_one_sentence(name: str, world: Path, strike: Strike, tmp_path: Path) -> None:
    case, found = Case(name, world, tmp_path / "struck", strike), []
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for step in range(1, case.n_steps + 1):
        ended = case(step, kinds[step % len(kinds)])
        assert ended["status"] in (0, 3), ended
        said = [line for line in ended["err"].splitlines() if line and not line.startswith("Stopping after")]
        assert [line.partition(" ")[0] for line in said] == ["Interrupted;"] * (ended["status"] // 3)
        assert "had been written" not in ended["err"] or contents(case.place, case.command.files) == case.after
        assert leftovers(case.place) == []
        found.append(case.check())
    print(f"{name}: {case.n_steps} interruptions, {found.count('old')} old, {found.count('new')} new")


@pytest.mark.slow
def test_kills_at_random_moments_leave_the_old_or_the_new(world: Path, tmp_path: Path) -> None:
    """Kill real commands by the clock, about the time at which they write; then give the same command again."""
    moments, seen = random.Random(8), list[str]()
    for name in COMMANDS:
        seconds, _ = killed_after(None, COMMANDS[name], world, tmp_path / "struck")
        for _ in range(20):
            moment = seconds * moments.uniform(0.4, 1.0)
            seen.append(killed_after(moment, COMMANDS[name], world, tmp_path / "struck")[1])
    print(f"{len(seen)} kills at random moments: {seen.count('old')} old, {seen.count('new')} new")


@pytest.mark.slow("test_a_kill_before_any_step_leaves_the_old_or_the_new")
@pytest.mark.parametrize("n_kills", [2, 10])
def test_a_report_that_is_killed_goes_on_and_does_nothing_twice(n_kills: int, strike: Strike, tmp_path: Path) -> None:
    """Kill a report all along its work: what was finished outlives every kill untouched, and is found again."""
    cards = write_catalogue(tmp_path / "cards", UNITS, WEAPONS)
    more = 'exact = "never"\nmetrics = ["cards", "match_ups", "sections"]\n[budget]\ntrials = 9\n'
    write_study(tmp_path, cards, more)
    words, mine = "report study.toml --out {} --format html --jobs 1 --no-cache --quiet", tmp_path / "mine"
    n_steps = strike(words.format("whole"), tmp_path)["steps"]
    n_answers, kept = answers_of(tmp_path), list[int]()
    for _ in range(n_kills):
        before = finished_work(mine)
        assert strike(words.format("mine"), tmp_path, n_steps // (n_kills + 1))["status"] == -signal.SIGKILL
        assert before.items() <= finished_work(mine).items()  # no file was written again
        kept.append(sum(len(json.loads(json.loads(path.read_text())[1])[1]) for path in mine.glob(ANSWERS)))
    last = strike(words.format("mine"), tmp_path)
    print(f"{n_kills} kills of {n_steps} steps; answers kept at each: {kept} of {n_answers}; then {last['err']}")
    assert 0 < kept[n_kills // 2] <= kept[-1]
    said = f"note: {kept[-1]:,} answers were found finished, {n_answers - kept[-1]:,} were worked out now\n"
    assert (last["status"], last["err"]) == (0, said)
    assert contents(mine, ("*", "tables/*")) == contents(tmp_path / "whole", ("*", "tables/*"))
    assert not (mine / "unfinished").exists()


def answers_of(folder: Path) -> int:
    """Return how many answers the report of a study takes in all: those that a second run finds."""
    from balance.study import load_study, run_study

    notes = list[str]()
    for _ in range(2):
        run_study(load_study(folder / "study.toml"), folder / "counted", note=notes.append, keep_answers=True)
    assert notes[0].endswith(" answers were found finished, 0 were worked out now")
    return int(notes[0].split()[0].replace(",", ""))


def finished_work(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return the files of finished work, with what changes when a file is written again."""
    paths = [*folder.glob(ANSWERS), *folder.glob("blocks/*/*/*.json")]
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in paths}


def killed_after(seconds: float | None, command: Command, world: Path, home: Path) -> tuple[float, str]:
    """Return how long a command took until its end, or a kill, and what a kill left."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(world, home)
    place, start = home / command.folder, [sys.executable, "-m", "balance", *command.words.split()]
    surroundings = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    before, begun = contents(place, command.files), time.monotonic()
    process = subprocess.Popen(start, cwd=home, env=surroundings, stdout=subprocess.DEVNULL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    process.wait()
    took, seen = time.monotonic() - begun, current(place, command.files)
    subprocess.run(start, cwd=home, env=surroundings, stdout=subprocess.DEVNULL, check=True)
    after = contents(place, command.files)
    assert leftovers(place) == []
    assert before != after
    assert seen in (before, after)
    return took, "old" if seen == before else "new"
