"""The Makefile says what a machine lacks, installs once, and never takes a failed install for a finished one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT, clean_environment

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")

# A python3 that believes something else about itself; it runs `python3 -c CODE` and nothing more.
PRETENDER = """#!/bin/sh
exec "{python}" -c 'import sys; {belief}; exec(sys.argv[2])' "$@"
"""


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def make(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = clean_environment(PATH=path or os.environ["PATH"])
    command = [str(shutil.which("make")), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return a folder that holds what make needs and no environment."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


@pytest.fixture
def installed(bare: Path) -> Path:
    """Return a folder where every install is stamped as done and the programs only say that they ran."""
    script(bare / ".venv/bin/balance", '#!/bin/sh\necho "balance $@"\n')
    script(bare / ".venv/bin/python", '#!/bin/sh\necho "python $@"\n')
    for name in ("tools", "core", "all", "dev", "docs"):
        stamp = bare / ".venv/stamps" / name
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    return bare


def pretend(folder: Path, belief: str) -> str:
    """Put a python3 with this belief first on the path that is returned."""
    script(folder / "fake/python3", PRETENDER.format(python=sys.executable, belief=belief))
    return f"{folder / 'fake'}{os.pathsep}{os.environ['PATH']}"


def test_an_old_python_is_refused(bare: Path) -> None:
    done = make(bare, "report", path=pretend(bare, 'sys.version_info = (3, 10, 12, "final", 0)'))
    assert done.returncode == 2
    assert "balance needs Python 3.11 or newer" in done.stderr
    assert not (bare / ".venv").exists()


def test_a_python_without_venv_is_refused_with_the_cure(bare: Path) -> None:
    done = make(bare, "report", path=pretend(bare, 'sys.modules["ensurepip"] = None'))
    assert done.returncode == 2
    assert "Install python3-venv: apt install python3-venv" in done.stderr
    assert not (bare / ".venv").exists()


def test_no_python_at_all_is_refused_with_the_cure(bare: Path) -> None:
    done = make(bare, "report", "PYTHON=python3-that-is-not-here")
    assert done.returncode == 2
    assert "apt install python3 python3-venv" in done.stderr


def test_what_is_installed_is_not_installed_again(installed: Path) -> None:
    assert make(installed, "report").stdout == "balance report warforged\n"


def test_the_documents_are_built_with_warnings_as_faults(installed: Path) -> None:
    built, where = make(installed, "docs").stdout.splitlines()
    assert built == "python -m sphinx -q -W --keep-going -E -d build/doctrees docs build/docs"
    assert where == "build/docs/index.html"


@pytest.mark.parametrize("changed", ["pyproject.toml", "requirements/core.lock", "requirements/installer.lock"])
def test_a_changed_lock_is_installed(installed: Path, changed: str) -> None:
    later = time.time() + 5
    os.utime(installed / changed, (later, later))
    assert "Installing what balance needs" in make(installed, "report").stdout


def test_a_failed_install_is_not_stamped(installed: Path) -> None:
    (installed / ".venv/stamps/core").unlink()
    script(installed / ".venv/bin/python", "#!/bin/sh\nexit 1\n")
    done = make(installed, "report")
    assert done.returncode == 2
    assert "balance report" not in done.stdout
    assert not (installed / ".venv/stamps/core").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups here")
def test_an_interrupted_install_is_not_stamped(installed: Path) -> None:
    (installed / ".venv/stamps/core").unlink()
    script(installed / ".venv/bin/uv", "#!/bin/sh\ntouch started\nexec sleep 60\n")
    # A shell's background job starts with Ctrl-C ignored; the child must hear it all the same.
    running = subprocess.Popen(
        ["make", "report"],
        cwd=installed,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while running.poll() is None and not (installed / "started").exists():
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    printed, _ = running.communicate(timeout=30)
    assert running.returncode != 0
    assert "balance report" not in printed
    assert not (installed / ".venv/stamps/core").exists()


def test_pip_installs_where_uv_fails(installed: Path) -> None:
    (installed / ".venv/stamps/core").unlink()
    script(installed / ".venv/bin/uv", "#!/bin/sh\necho 'error: Failed to initialize cache' >&2\nexit 1\n")
    done = make(installed, "report")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "error" not in done.stdout.lower()
    assert "Going on with pip, which takes a little longer (uv's reason is in .venv/uv.log)" in done.stdout
    assert "Failed to initialize cache" in (installed / ".venv/uv.log").read_text("utf-8")
    assert "--require-hashes -r requirements/core.lock" in done.stdout


def test_help_names_the_two_commands(bare: Path) -> None:
    lines = make(bare).stdout.splitlines()
    assert [line.split()[1] for line in lines][:3] == ["help", "report", "test"]
