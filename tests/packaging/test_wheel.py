"""The wheel holds the package, its templates and its data, and works far from the checkout."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from balance.reporting.live.runtime import ARCHIVE
from tests.packaging.checkout import ROOT, clean_environment, own_files

needs_cli = pytest.mark.skipif(importlib.util.find_spec("balance.cli.main") is None, reason="no command line yet")
needs_data = pytest.mark.skipif(not own_files("data"), reason="no data yet")


def run(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=clean_environment(), capture_output=True, text=True)


def build(folder: Path, source: Path = ROOT) -> Path:
    done = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], source)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with what is installed, without a network."""
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel alone in a new environment that borrows this one's dependencies; return its bin folder.

    The borrowed folder is a plain entry of the path, so the link to the checkout that lies in it is not followed.
    """
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    scheme = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", "venv", scheme))
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    python = Path(sysconfig.get_path("scripts", "venv", scheme)) / "python"
    alone = ["install", "-q", "--disable-pip-version-check", "--no-deps", "--no-index", "--force-reinstall"]
    done = run([sys.executable, "-m", "pip", "--python", python, *alone, wheel], home)
    assert done.returncode == 0, done.stderr
    return python.parent


def test_the_wheel_holds_every_file_of_the_package(names: set[str]) -> None:
    assert set(own_files("balance")) - names == set()


def test_the_wheel_holds_the_data_inside_the_package(names: set[str]) -> None:
    assert {f"balance/{name}" for name in own_files("data")} - names == set()


def test_the_licence_of_what_others_made_lies_beside_it(names: set[str]) -> None:
    assert f"balance/reporting/live/{ARCHIVE.name}" in names
    licences = {name.partition("/licenses/")[2] for name in names if ".dist-info/licenses/" in name}
    live = "balance/reporting/live"
    assert licences == {"LICENSE", f"{live}/pyodide-LICENSE.txt", f"{live}/pyodide-parts-LICENSES.txt"}
    text = ARCHIVE.with_name("pyodide-LICENSE.txt").read_text("utf-8")
    assert text.startswith("Mozilla Public License Version 2.0\n")
    assert "Exhibit B - " in text  # its end


def test_the_wheel_puts_nothing_outside_the_package(wheel: Path, names: set[str]) -> None:
    own_record = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    assert {name.split("/")[0] for name in names} == {"balance", own_record}


def test_the_wheel_carries_no_tests_and_no_caches(names: set[str]) -> None:
    own = {name for name in names if not name.startswith("balance/game/authoring/template/")}  # has tests of its own
    assert [name for name in own if "/tests/" in name or name.endswith((".pyc", ".ipynb"))] == []


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.slow("test_the_wheel_holds_every_file_of_the_package")
@needs_data
def test_an_installed_package_uses_its_own_data(elsewhere: Path, tmp_path: Path) -> None:
    code = "import balance.base.paths as paths; print(paths.data_folder()); print(paths.data_folder().is_dir())"
    folder, exists = run([elsewhere / "python", "-c", code], tmp_path).stdout.splitlines()
    assert exists == "True"
    assert os.fspath(elsewhere.parent) in folder


def test_a_checkout_uses_the_data_beside_it() -> None:
    code = "import balance.base.paths as paths; print(paths.data_folder())"
    assert run([sys.executable, "-c", code], ROOT).stdout.strip() == str(ROOT / "data")


@pytest.mark.slow("test_the_wheel_holds_every_file_of_the_package")
@needs_cli
def test_the_installed_command_answers_outside_the_checkout(wheel: Path, elsewhere: Path, tmp_path: Path) -> None:
    version = run([elsewhere / "balance", "--version"], tmp_path)
    games = run([elsewhere / "balance", "games"], tmp_path)
    assert (version.returncode, games.returncode) == (0, 0), version.stderr + games.stderr
    assert wheel.name.split("-")[1] in version.stdout
    assert "warforged" in games.stdout


@pytest.mark.slow("test_the_wheel_holds_every_file_of_the_package")
@needs_cli
def test_the_installed_command_writes_a_game_that_answers(elsewhere: Path, tmp_path: Path) -> None:
    made = run([elsewhere / "balance", "new-game", "sky_rats"], tmp_path)
    asked = run([elsewhere / "balance", "duel", "sky_rats", "knight", "giant"], tmp_path)
    assert (made.returncode, asked.returncode) == (0, 0), made.stderr + asked.stderr
    assert "Exact; Sky rats, catalogue" in asked.stdout


@needs_cli
@pytest.mark.slow
def test_the_installed_command_writes_the_report_outside_the_checkout(elsewhere: Path, tmp_path: Path) -> None:
    done = run([elsewhere / "balance", "report", "warforged"], tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "reports" / "warforged"
    assert (folder / "index.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
