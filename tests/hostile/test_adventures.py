"""Random adventures are played or refused: never with a traceback, never late, never large."""

from __future__ import annotations

import sys

import pytest

from tests.hostile.adventures import case
from tests.hostile.commands import assert_sound

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")


@pytest.mark.parametrize(
    ("n", "n_workers"),
    [(4, 1), pytest.param(1000, 2, marks=pytest.mark.slow)],
    ids=["4", "1,000"],
)
def test_random_adventures_are_played_or_refused(n: int, n_workers: int) -> None:
    assert_sound(case, n, n_workers)
