"""Mutated expressions of dice: answered or refused by an error of ours, never late, never large."""

from __future__ import annotations

import resource
import sys
import time

import pytest

from balance.cli.main import main
from tests.hostile.expressions import expressions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="peaks are read in kB")

MOST_SECONDS, MOST_KILOBYTES = 10.0, 500 * 1024


@pytest.mark.parametrize(("seed", "many"), [(1, 40), pytest.param(2, 700, marks=pytest.mark.slow)], ids=["40", "700"])
def test_mutated_expressions_are_answered_or_refused(seed: int, many: int, capsys: pytest.CaptureFixture[str]) -> None:
    statuses, peak = list[int](), _peak_kilobytes()
    for place, text in enumerate(expressions(seed, many)):
        begun = time.process_time()
        statuses.append(main(["dice", *([], ["--json"], ["--more"])[place % 3], "--", text]))
        seconds = time.process_time() - begun
        told = capsys.readouterr()
        assert statuses[-1] in (0, 2), (text, statuses[-1], told.err)
        assert "Traceback" not in told.err, text
        assert (told.out == "") == (statuses[-1] != 0), text
        assert seconds < MOST_SECONDS, (text, seconds)
    assert sum(status == 0 for status in statuses) >= many / 2
    assert _peak_kilobytes() < peak + MOST_KILOBYTES


def _peak_kilobytes() -> int:
    """Return the most memory that this process has ever had, whatever tests came before."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
