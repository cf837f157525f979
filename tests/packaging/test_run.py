"""What proves a change: it installs a browser where it can, goes on where it cannot, and ends with the tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT

WITHOUT = "Going on without Chromium, which apt-get could not install\n"


def run(folder: Path, programs: dict[str, str]) -> tuple[str, str]:
    """Run `.ci/run` where there is nothing but some programs; return what is printed and what apt-get was told."""
    places = folder / "bin", folder / ".ci"
    for place in places:
        place.mkdir()
    for name in ("bash", "dirname", "timeout"):
        (places[0] / name).symlink_to(str(shutil.which(name)))
    for name, text in {"make": "echo make $*", **programs}.items():
        (places[0] / name).write_text(f"#!{shutil.which('bash')}\n{text}\n", "utf-8")
        (places[0] / name).chmod(0o755)
    script = shutil.copy(ROOT / ".ci" / "run", places[1])
    done = subprocess.run(
        [str(places[0] / "bash"), script], env={"PATH": str(places[0])}, capture_output=True, text=True, check=True
    )
    log = folder / "log"
    assert done.stderr == ""
    return done.stdout, log.read_text("utf-8") if log.exists() else ""


@pytest.mark.parametrize(
    ("programs", "printed", "told"),
    [
        ({"chromium": "", "apt-get": "echo $* >> log"}, "make test\n", ""),
        ({}, "make test\n", ""),
        ({"apt-get": "echo $* >> log"}, "make test\n", "-q update\ninstall -qy --no-install-recommends chromium"),
        ({"apt-get": "echo no network >&2; exit 100"}, f"{WITHOUT}make test\n", ""),
    ],
    ids=["there", "no way", "installed", "fails"],
)
def test_a_browser_is_installed_where_it_can_be(
    tmp_path: Path, programs: dict[str, str], printed: str, told: str
) -> None:
    out, log = run(tmp_path, programs)
    assert out == printed
    assert log.startswith(told)
    assert bool(log) == bool(told)
