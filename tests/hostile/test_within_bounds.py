"""Commands by the thousand, at least half of them valid, end in order: in time, within memory, without a traceback."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

import pytest

from tests.hostile import budgets, interruptions, logs
from tests.hostile.commands import Case, assert_sound, endings
from tests.hostile.kills import faults as faults_after_kills
from tests.hostile.server_calls import faults as faults_of_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")


@pytest.mark.parametrize(
    ("make", "n"),
    [
        (budgets.case, 8),
        (logs.case, 8),
        pytest.param(budgets.case, 1000, marks=pytest.mark.slow),
        pytest.param(logs.case, 2000, marks=pytest.mark.slow),
    ],
    ids=["budgets, 8", "logs, 8", "budgets, 1,000", "logs, 2,000"],
)
@pytest.mark.up_to(3)
def test_commands_end_within_their_bounds(make: Callable[[int], Case], n: int) -> None:
    assert_sound(make, n)


@pytest.mark.parametrize("numbers", [(4, 25), pytest.param(range(120), marks=pytest.mark.slow)], ids=["2", "120"])
@pytest.mark.up_to(3)
def test_an_interruption_at_any_moment_ends_in_order(numbers: range) -> None:
    """It ends within two seconds, with status 3 or as if it had been over, and leaves nothing half-written."""
    for ending in endings(map(interruptions.case, numbers)):
        assert ending.is_sound, str(ending)
        assert ending.status in (0, 3), str(ending)
        assert [name for name in ending.written if name.endswith(".part")] == []


@pytest.mark.slow("test_commands_end_within_their_bounds")
def test_calls_of_a_server_end_within_their_bounds() -> None:
    counts: Counter[str] = Counter()
    assert list(faults_of_server(1000, counts)) == []
    assert counts["answer"] >= 500


@pytest.mark.slow("tests/cli/test_strikes.py::test_a_kill_before_any_step_leaves_the_old_or_the_new")
def test_what_is_killed_goes_on_to_the_same_bytes() -> None:
    assert list(faults_after_kills(12)) == []  # of each of five commands
