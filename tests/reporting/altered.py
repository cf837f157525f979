"""A published run with other tables, another summary or other settings: what its pages say then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from balance.reporting import Section
from balance.reporting.sections.common.words import Pages
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.in_words import told


def altered(
    game: str,
    tables: dict[str, pl.DataFrame | None],
    summary: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    **manifest: Any,
) -> Pages:
    """Return the pages of a published run in which some tables are others, or missing where they are None."""
    run = load_run(ROOT / "reports" / game)
    sums = {name: told for name, told in run.manifest["tables"].items() if tables.get(name, 1) is not None}
    changed = {
        "tables": sums | {name: "" for name, frame in tables.items() if frame is not None},
        "summary": run.manifest["summary"] | (summary or {}),
        "report_settings": run.manifest["report_settings"] | (settings or {}),
    }
    kept = {name: frame for name, frame in tables.items() if frame is not None}
    return Pages(replace(run, manifest={**run.manifest, **changed, **manifest}, _cache=kept))


def table(game: str, name: str) -> pl.DataFrame:
    """Return a table of a published run."""
    return load_run(ROOT / "reports" / game).table(name)


def said(section: Section | None) -> list[str]:
    """Return the lines of a section that are not empty, without its title; its figures must have been drawn as text."""
    assert section is not None
    return [line.replace("\u00a0", "~") for line in told(section.blocks) if line]
