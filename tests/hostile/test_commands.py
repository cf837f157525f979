"""What the runner of command lines finds: each bound that is broken, and nothing where none is."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace

import pytest

from tests.hostile.commands import Case, Ending, endings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processor time is read from /proc")

SOUND = Ending(Case(0, ("dice", "d6")), 0, "", "", 1.0, 100.0)


def test_commands_end_as_they_would_at_a_prompt() -> None:
    cases = [
        Case(0, ("dice", "d6")),
        Case(1, ("duel", "mine.toml", "a", "b"), {"mine.toml": b"title = "}),
        Case(2, ("duel", "mine.toml", "a", "b")),
    ]
    answered, refused, missing = endings(cases)
    assert (answered.status, answered.is_valid, answered.fault) == (0, True, "")
    assert answered.out.startswith("1d6  exact")
    assert (refused.status, refused.is_valid, refused.fault) == (2, False, "")
    assert "mine.toml" in refused.err
    assert (missing.status, missing.fault) == (2, "")
    assert missing.err != refused.err


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"status": 101}, "status 101"), ({"status": -signal.SIGSEGV}, "status -11"),
        ({"status": -signal.SIGKILL}, "ran on after an interruption"),
        ({"err": "Traceback (most recent call last):"}, "traceback"), ({"status": 2}, "refused without a fault"),
        ({"seconds": 14.5}, "14.5 s"), ({"megabytes": 501.0}, "501 MB"), ({"status": 2, "err": "error: no"}, ""),
        ({"status": 3, "seconds": 11.0}, ""),
    ],
)  # fmt: skip
def test_a_bound_that_is_broken_is_named(change: dict[str, object], fault: str) -> None:
    assert replace(SOUND, **change).fault == fault  # type: ignore[arg-type]
