"""What a release needs: one version, licences of all that is bundled, distributions without outputs, a workflow."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from hatchling.builders.sdist import SdistBuilder

from balance.base import __version__
from balance.verbs.verb_list import VERBS
from tests.packaging.checkout import ROOT, clean_environment, own_files
from tests.packaging.test_light import answers
from tests.packaging.test_wheel import build

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOW: Any = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8"))
SOURCES = {"balance", "data", "docs", "requirements", "tests"}
FILES = {
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
}
OUTPUTS = {".ipynb", ".parquet", ".pdf", ".pyc", ".xlsx"}
MOST_BYTES = 40 * 2**20
"""Of everything in the source distribution, unpacked; 11 MB are tests, 6 MB Python for browsers."""
BUNDLED = {"balance/reporting/live/pyodide-314.0.7.tgz": ("pyodide-LICENSE.txt", "pyodide-parts-LICENSES.txt")}
"""What others made -> its licences, beside it."""
PARTS = (
    "CPython",
    "libmpdec",
    "Expat",
    "libffi",
    "zlib",
    "bzip2",
    "liblzma",
    "SQLite",
    "Zstandard",
    "Emscripten",
    "musl",
    "LLVM",
)


def steps(job: str) -> dict[str, list[str]]:
    """Return the commands of each step of a job that has a name."""
    return {step["name"]: step["run"].splitlines() for step in WORKFLOW["jobs"][job]["steps"] if "name" in step}


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {PROJECT["version"], str(citation["version"])} == {__version__}


def test_the_citation_has_what_its_format_demands() -> None:
    """The Citation File Format 1.2.0: these keys at least, authors that are persons or have a name, a date."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert all(set(author) <= {"name", "alias", "website"} for author in citation["authors"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", citation["date-released"])


def test_what_others_made_lies_beside_its_licences() -> None:
    binary = [name for name in own_files("balance") if b"\0" in (ROOT / name).read_bytes()[:4096]]
    assert binary == [*BUNDLED]
    for name, licences in BUNDLED.items():
        assert all((ROOT / name).with_name(licence).is_file() for licence in licences)
    text = (ROOT / "balance/reporting/live/pyodide-parts-LICENSES.txt").read_text("utf-8")
    assert [part for part in PARTS if not re.search(rf"^{part}\b[^\n]*\n-{{90,}}\n\n\S", text, re.MULTILINE)] == []


def test_the_source_distribution_holds_sources_alone() -> None:
    held = [file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()]
    assert {name for name in held if "/" not in name} <= FILES
    assert {name.split("/")[0] for name in held if "/" in name} == SOURCES
    test_data = "tests/playtests/data/"
    assert [name for name in held if Path(name).suffix in OUTPUTS and not name.startswith(test_data)] == []
    assert set(own_files(*SOURCES)) <= set(held)
    assert sum((ROOT / name).stat().st_size for name in held) < MOST_BYTES


@pytest.mark.slow("test_the_source_distribution_holds_sources_alone")
def test_the_source_distribution_builds_the_wheel_that_the_checkout_builds(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env=clean_environment(), check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", archive, "-C", tmp_path], check=True)
    inside = build(tmp_path, tmp_path / archive.name.removesuffix(".tar.gz"))
    assert inside.read_bytes() == build(tmp_path / "ours").read_bytes()


def test_the_workflow_asks_on_three_systems() -> None:
    job = WORKFLOW["jobs"]["install"]
    assert {system.partition("-")[0] for system in job["strategy"]["matrix"]["system"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
    assert WORKFLOW["jobs"]["tests"]["steps"][-1]["run"] == ".ci/run"
    asked = [shlex.split(line)[1] for line in steps("install")["Ask"]]
    assert {*asked} - {"--version"} <= {*VERBS}


@pytest.mark.slow("test_the_workflow_asks_on_three_systems")
def test_what_the_workflow_asks_a_light_install_answers(tmp_path: Path) -> None:
    asked = steps("install")
    missing, _ = asked["Ask for a part that is missing"][0].removeprefix("status=0; ").split(" || ")
    commands = [shlex.split(line)[1:] for line in (*asked["Ask"], missing)]
    assert [status for status, _, _ in answers(tmp_path, commands)] == [0] * len(asked["Ask"]) + [2]
