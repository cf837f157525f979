"""How a game refuses a question that makes no sense, and a catalogue that is wrong; and text tables of such cases."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import BalanceError
from balance.catalogue import CatalogueSpec, check_folder
from balance.game.loaded import LoadedGame

Refusal = tuple[str, str, str, dict[str, Any], list[str]]
"""Kind, both entrants, what is set (a name without a dot is a choice), and the lines of the refusal."""
Change = tuple[str, str, str, list[str]]
"""A file, what stands there, what is written instead, and the faults."""


def refusal_of(game: LoadedGame, kind: str, one: str, other: str, changes: Mapping[str, Any]) -> list[str]:
    """Return the lines in which a question is refused; what is set without a dot in its name is a choice."""
    choices = {name: value for name, value in changes.items() if "." not in name}
    with pytest.raises(BalanceError) as error:
        game.ask(kind, one, other, {name: value for name, value in changes.items() if "." in name}, **choices)
    return str(error.value).splitlines()


def faults_of_change(
    spec: CatalogueSpec, data: Path, folder: Path, file: str, old: str, new: str, times: int = 1
) -> list[str]:
    """Return the faults of a copy of `data` in `folder` with a changed file, without the folder's name."""
    shutil.copytree(data, folder)
    (folder / "SOURCES.csv").unlink()
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == times, (file, old)
    (folder / file).write_text(text.replace(old, new), "utf-8")
    return [str(fault).replace(f"{folder}/", "") for fault in check_folder(spec, folder)]


def refusals_in(table: str) -> list[Refusal]:
    """Return the cases of a table headed `KIND ONE OTHER [CHANGES]`, the changes in JSON."""
    cases = []
    for head, lines in _cases_in(table):
        kind, one, other, *changes = head.split(" ", 3)
        cases.append((kind, one, other, json.loads(*changes or ["{}"]), lines))
    return cases


def changes_in(table: str) -> list[Change]:
    r"""Return the cases of a table headed `FILE: OLD -> NEW`, in which `\n` ends a line."""
    cases = []
    for head, lines in _cases_in(table):
        file, _, change = head.replace(r"\n", "\n").partition(": ")
        old, _, new = change.partition(" ->")
        cases.append((file, old, new.removeprefix(" "), lines))
    return cases


def _cases_in(table: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the head of each case and the lines below it; what is indented further goes on with the line before."""
    for case in re.split(r"\n(?=\S)", re.sub(r"\n {5,}", " ", table.strip())):
        head, *lines = case.splitlines()
        yield head, [line.strip() for line in lines]
