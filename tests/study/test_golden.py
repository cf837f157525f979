"""Every number and every word that two small studies leave, compared in full; see `tests.study.golden`."""

from __future__ import annotations

from hashlib import sha256

import pytest

from balance import __version__
from balance.game.registry import game_names
from tests.study.golden import FOUND, Golden, alike

NAMES = sorted(path.relative_to(FOUND).as_posix() for path in FOUND.rglob("*.*"))


@pytest.mark.parametrize("name", NAMES)
def test_what_came_out_is_what_was_read_and_found_true(name: str, golden: Golden) -> None:
    found, known = golden.files[name], (FOUND / name).read_text("utf-8")
    assert alike(found, known) or found == known


def test_nothing_more_came_out(golden: Golden) -> None:
    assert sorted(golden.files) == NAMES
    assert {f"template/{name}.toml" for name in game_names()} <= golden.files.keys()


@pytest.mark.parametrize("game", ["warforged", "skirmish"])
def test_a_manifest_names_the_version_the_cards_and_the_bytes_of_every_table(game: str, golden: Golden) -> None:
    one = golden.played[game]
    manifest, cards = one.run.manifest, one.before.catalogue
    assert manifest["balance_version"] == __version__
    assert manifest["catalogue_sha256"] == cards.sha256
    assert manifest["report_toml_sha256"] == sha256((cards.path / "report.toml").read_bytes()).hexdigest()
    tables = {path.stem: sha256(path.read_bytes()).hexdigest() for path in one.run.folder.glob("tables/*.parquet")}
    assert manifest["tables"] == tables


@pytest.mark.parametrize(
    ("found", "same"),
    [
        ("a,0.5,7\n", True),
        ("a,0.50000000001,7\n", True),
        ("a,0.500001,7\n", False),
        ("a,0.5,8\n", False),
        ("b,0.5,7\n", False),
        ("a,0.5\n", False),
        ("a,-0.5,7\n", False),
    ],
)
def test_only_last_digits_may_differ(found: str, same: bool) -> None:
    assert alike(found, "a,0.5,7\n") == same


def test_the_ladder_is_told_to_ten_digits(golden: Golden) -> None:
    (row,) = golden.played["warforged"].table("ladder").rows()
    assert all(value == round(value, 10) for value in row)
    assert any(value != round(value, 9) for value in row)
