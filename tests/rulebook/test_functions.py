"""No code of a game file, nor any that came with it, runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.game.loaded import load

from .games import changed, write

PAST = '"hits d6 count to_wound[me.attacks - foe.skill]+"'


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("os:system", "its package is not installed"),
        ("antigravity:fly", "its package is not installed"),
        ("subprocess:run", "its package is not installed"),
        ("evil_rats.rules:past", "its package is not installed"),
        ("evil_rat:past", "its package is not installed"),
        ("past", "no package.module:function"),
        ("numpy:nothing_of_it", "nothing_of_it"),
        ("numpy:pi", "it cannot be called"),
    ],
)
def test_what_is_not_installed_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    monkeypatch.setattr(sys, "path", [str(here), "", *sys.path])
    (here / "evil_rats").mkdir()
    for path in (here / "evil_rats" / "__init__.py", here / "evil_rats" / "rules.py", here / "evil_rat.py"):
        path.write_text(
            f"import pathlib\npathlib.Path({str(here / 'it_ran')!r}).touch()\ndef past(values, rolls): pass\n"
        )
    write(here, changed((PAST, f'{{ python = "{name}" }}')))
    with pytest.raises(CatalogueError) as error:
        load("iron.toml")
    assert any(words in str(fault) and fault.row == 28 for fault in error.value.faults), error.value.faults
    assert not (here / "it_ran").exists()
    assert not {"evil_rats", "evil_rat", "antigravity"} & {*sys.modules}
