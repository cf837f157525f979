"""Game files, grown and spoilt, are answered or refused within bounds: 3,000 in the long suite, a few by default."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from balance.base.errors import BalanceError
from balance.rulebook.opening import open_file
from tests.hostile.commands import endings
from tests.hostile.game_files import case

FILES, PIECE = 3000, 250
SHARE_SOUND = 0.5


def test_half_of_them_and_more_are_sound(tmp_path: Path) -> None:
    n_sound, n = 0, 60
    for number in range(n):
        path = tmp_path / "game.toml"
        path.write_bytes(case(number).files["game.toml"])
        try:
            n_sound += open_file(path) is not None
        except BalanceError as error:
            assert all(str(fault) for fault in error.faults)
    assert n_sound >= SHARE_SOUND * n


@pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")
@pytest.mark.slow("test_half_of_them_and_more_are_sound")
@pytest.mark.parametrize("first", range(0, FILES, PIECE))
def test_a_question_about_each_ends_within_bounds(first: int) -> None:
    found = [*endings(map(case, range(first, first + PIECE)), 2)]
    assert [str(ending) for ending in found if not ending.is_sound] == []
    assert sum(ending.is_valid for ending in found) >= SHARE_SOUND * PIECE
