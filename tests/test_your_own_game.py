"""The tutorial of game files is true: its files, read from top to bottom, answer as the page shows."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.test_adding_a_game import BLOCK, LONG, ROOT, fits, reader, run, sessions

__all__ = ["reader"]
PAGE = ROOT / "docs" / "tutorial" / "your-own-game.md"


@pytest.mark.parametrize("all_of_it", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_page_from_top_to_bottom(all_of_it: bool, reader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for language, file, more, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if file:
            path = reader / file
            path.write_text((path.read_text("utf-8") + "\n" if more else "") + text, "utf-8")
            continue
        for command, shown in sessions(text) if language == "console" else ():
            if shlex.split(command)[1] in LONG and not all_of_it:
                continue
            printed = run(command, capsys)
            missed = fits(shown, printed)
            assert missed is None, "\n".join([f"$ {command}", f"lacks: {missed}", *printed])
