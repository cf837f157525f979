"""The published reports, drawn again from their own tables: the same bytes in every file.

Where one differs on purpose, `balance report reports/NAME` draws it anew from the tables that are there.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path

import pytest

from balance.game.loaded import load
from balance.reporting import write_report
from balance.reporting.build import build_document
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.manifests import PUBLISHED, manifest_now

SHOWN = 160


def difference(kept: Path, drawn: Path) -> str:
    """Return how a file differs from the one that is kept, or nothing if it does not."""
    before, after = kept.read_bytes(), drawn.read_bytes()
    if before == after:
        return ""
    again = f"if that is meant: balance report reports/{kept.parent.name}"
    if b"%PDF" in before[:8]:
        return f"{kept.name}: {len(before)} bytes are kept, {len(after)} others drawn\n{again}"
    lines = zip_longest(before.decode().splitlines(), after.decode().splitlines(), fillvalue="nothing")
    number, (old, new) = next((n, pair) for n, pair in enumerate(lines, start=1) if pair[0] != pair[1])
    start = max(0, next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), 0) - SHOWN // 4)
    old, new = old[start : start + SHOWN], new[start : start + SHOWN]
    return f"{kept.name}, line {number}:\n  kept  {old}\n  drawn {new}\n{again}"


def test_every_game_with_a_report_is_here() -> None:
    assert {"agincourt", "battlelore", "edadh", "immortal_souls", "runewars", "warforged"} <= {
        path.name for path in PUBLISHED
    }


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
def test_a_published_report_is_what_its_tables_give(folder: Path, tmp_path: Path) -> None:
    run = load_run(folder)
    drawn = write_report(build_document(run, tables_beside=True), tmp_path)
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.suffix != ".parquet"]
    kept = [path for path in files if path.name not in ("manifest.json", ".lock")]  # a lock is left by `make report`
    assert sorted(path.relative_to(tmp_path) for path in drawn) == sorted(kept)
    found = [said for path in drawn if (said := difference(folder / path.relative_to(tmp_path), path))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
def test_a_published_manifest_is_what_the_code_writes(folder: Path, tmp_path: Path) -> None:
    """`python -m tests.reporting.manifests` writes them anew."""
    (tmp_path / "manifest.json").write_bytes(manifest_now(folder))
    assert difference(folder / "manifest.json", tmp_path / "manifest.json") == ""


def test_make_report_leaves_a_fresh_clone_as_it_was() -> None:
    kept = json.loads((ROOT / "reports" / "warforged" / "manifest.json").read_text("utf-8"))
    assert kept["catalogue_sha256"] == load("warforged", ROOT / "data" / "warforged").catalogue.sha256


def test_the_first_difference_is_told_with_what_makes_it_anew(tmp_path: Path) -> None:
    kept, drawn = tmp_path / "kept.html", tmp_path / "drawn.html"
    kept.write_text("<p>\nten units\n")
    drawn.write_text("<p>\nten cards\n")
    assert difference(kept, drawn) == (
        "kept.html, line 2:\n  kept  ten units\n  drawn ten cards\n"
        f"if that is meant: balance report reports/{tmp_path.name}"
    )
    assert difference(kept, kept) == ""
