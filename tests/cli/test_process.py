"""The command as a process: exit status, clean streams, closed pipes, full disks, Ctrl-C, and how little it loads."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ATTACK = ["attack", "warforged", "nexus+assault_rifle", "whisper"]
DUEL = ["duel", "warforged", "nexus+assault_rifle", "vanguard+laser_carbine"]
BALANCE = [sys.executable, "-m", "balance"]
HEAVY = {"numpy", "polars", "scipy", "pandas", "matplotlib", "pydantic", "typst", "jinja2", "openpyxl"}

LOADED = """
import contextlib, io, sys
from balance.cli.main import main
with contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
print(*sys.modules)
"""

EVERY_BLOCK = """
import sys
from balance.cli import main
from balance.verbs.call import watch
watch.LOG_SECONDS = 0.0
sys.exit(main.main(sys.argv[1:]))
"""


def start(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.slow("tests/packaging/test_imports.py::test_starting_the_command_line_loads_nothing_heavy")
def test_help_loads_nothing_heavy() -> None:
    assert not HEAVY & set(start([sys.executable, "-c", LOADED, "--help"]).stdout.split())
    attack = set(start([sys.executable, "-c", LOADED, "attack", "--help"]).stdout.split())
    assert not {name for name in attack if name.startswith("balance.games")}
    assert not (HEAVY - {"pydantic"}) & attack  # typer itself reads the arguments of a verb with pydantic


@pytest.mark.slow("tests/cli/test_dicing.py::test_nothing_heavy_is_loaded_for_an_exact_answer")
def test_an_answer_loads_no_more_than_it_needs() -> None:
    names = start([sys.executable, "-c", LOADED, *ATTACK]).stdout.split()
    assert "numpy" in names
    assert not {"polars", "scipy", "numpy.ma", "pandas", "matplotlib", "jinja2", "openpyxl"} & set(names)
    assert len(names) < 560 and sum(name.startswith("balance.") for name in names) < 140
    rooms = {name.split(".")[1] for name in names if name.startswith("balance.")}
    assert not {"analysis", "study", "report", "engine", "solvers"} & rooms


@pytest.mark.slow("tests/cli/test_dicing.py::test_nothing_heavy_is_loaded_for_an_exact_answer")
def test_json_is_all_there_is_on_standard_output() -> None:
    done = start([*BALANCE, *ATTACK, "--json", "--trials", "1000"])
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["schema"] == 1


@pytest.mark.slow("tests/cli/test_main.py::test_the_exit_statuses_are_what_scripts_rely_on")
def test_a_mistake_ends_with_2() -> None:
    done = start([*BALANCE, *ATTACK, "--set", "attacker.precision=11"])
    assert (done.returncode, done.stdout) == (2, "")
    assert "out of range" in done.stderr


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*BALANCE, *ATTACK], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_a_full_disk_is_told(extra: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*BALANCE, *ATTACK, *extra], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr == "error: standard output cannot be written: no space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    ("closed", "status", "err"),
    [
        (">&-", 2, "error: standard output cannot be written: bad file descriptor\n"),
        ("2>&-", 0, ""),
        (">&- 2>&-", 2, ""),
        ("2>/dev/full", 0, ""),
    ],
)
def test_streams_that_are_closed(closed: str, status: int, err: str, tmp_path: Path) -> None:
    words = shlex.join([*BALANCE, "export", "warforged", str(tmp_path / "book.xlsx")])
    done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (status, err)
    assert (tmp_path / "book.xlsx").read_bytes()[:2] == b"PK"


INTERRUPTED = """
import os, signal, sys
def strike(event, arguments):
    if event == "import" and arguments[0] == {module!r}:
        exec("os.kill(os.getpid(), signal.{kind})")  # which Python takes worse than a plain call
sys.addaudithook(strike)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("kind", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("module", ["typer", "numpy", "balance.games.warforged.attack"])
def test_an_interruption_while_parts_are_loaded_is_one_sentence(kind: str, module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED.format(kind=kind, module=module))
    done = start([*BALANCE, *ATTACK], env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"})
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Interrupted; nothing was left half-written.\n"


@pytest.mark.slow("tests/cli/test_comparing.py::test_ctrl_c_keeps_what_is_finished")
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_what_nohup_ignores_stays_ignored(tmp_path: Path) -> None:
    script = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)" + INTERRUPTED
    (tmp_path / "sitecustomize.py").write_text(script.format(kind="SIGHUP", module="numpy"))
    done = start([*BALANCE, *ATTACK], env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"})
    assert done.returncode == 0


def limited(n_bytes: int) -> Callable[[], None]:
    """Return what gives a child process so much memory and no more."""
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))


GROWING = """
import resource, sys
from pathlib import Path
from balance.cli import main
from balance.engine import sampling
from balance.game.question import answer
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + 3 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (size, size))
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.slow("tests/cli/test_main.py::test_a_limit_that_is_too_tight_is_told_before_anything_begins")
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_too_little_memory_is_told_before_anything_begins() -> None:
    done = start([*BALANCE, *ATTACK], preexec_fn=limited(500 * 2**20))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: memory is limited to 500 MB here (ulimit -v), and balance needs 1024 MB\n"
    assert start([*BALANCE, *ATTACK], preexec_fn=limited(2**30)).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_memory_that_runs_out_in_mid_answer_is_told() -> None:
    done = start([sys.executable, "-c", GROWING, *DUEL, "--trials", "1e6"])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: out of memory; nothing was left half-written")
    assert done.stderr.count("\n") == 1


def test_plain_ascii_terminals_get_plain_ascii() -> None:
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    done = start([*BALANCE, *DUEL, "--more"], env=surroundings)
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "####" in done.stdout
    assert "?" not in done.stdout


@pytest.mark.slow("tests/cli/test_comparing.py::test_ctrl_c_keeps_what_is_finished")
def test_ctrl_c_keeps_what_was_counted() -> None:
    command = [sys.executable, "-c", EVERY_BLOCK, *DUEL, "--trials", "1e11", "--lane", "compiled"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        first = next(line for line in process.stderr if "trials, " in line)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert "trials, " in first
    assert process.returncode == 3
    assert "Stopped early: fewer trials than were asked for." in out
    assert "trials were kept" in err
    assert "Traceback" not in err


HOMELESS = """
import os, pwd, sys
def unknown(_): raise KeyError
pwd.getpwuid = unknown
from balance.__main__ import start
sys.argv = ["balance", *sys.argv[1:]]
start()
"""
STUDY = """
game = "warforged"
entrants = ["nexus+sidearm", "trooper+sidearm"]
exact = "never"
metrics = ["match_ups"]
[budget]
trials = 1024
"""


@pytest.mark.skipif(os.name != "posix", reason="users")
@pytest.mark.parametrize("home", [{}, pytest.param({"HOME": "/proc"}, marks=pytest.mark.slow)])
def test_no_home_folder_is_no_hindrance(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    surroundings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path.cwd())} | home
    done = start([sys.executable, "-c", HOMELESS, "run", "study.toml", "--jobs", "1"], cwd=tmp_path, env=surroundings)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: the cache" if home else "warning: you have no home folder")
    words = ["report", "runs/study", "--format", "html"]
    done = start([sys.executable, "-c", HOMELESS, *words], cwd=tmp_path, env=surroundings)
    assert (done.returncode, done.stderr) == (0, "")
