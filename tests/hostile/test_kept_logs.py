"""Logs in public shapes, changed as people change them, are rated or refused: status 0, 1, 2 or 3, and no traceback."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from pathlib import Path

import pytest

from balance.cli.main import main
from tests.hostile.kept_logs import changed_log


def status_of(path: Path) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["rate", str(path)])
    return status, out.getvalue() + err.getvalue()


@pytest.mark.parametrize("n", [40, pytest.param(700, marks=pytest.mark.slow)])
def test_changed_logs_are_rated_or_refused(n: int, tmp_path: Path) -> None:
    """At least half stay valid: the changes are made by the grammar of a log."""
    statuses: Counter[int] = Counter()
    for case in range(n):
        name, content = changed_log(case)
        (tmp_path / name).write_bytes(content)
        status, told = status_of(tmp_path / name)
        assert status in (0, 1, 2, 3), (case, told)
        assert "Traceback" not in told
        assert "\x1b" not in told
        assert (status == 0) == ("Ratings of" in told), (case, told)
        statuses[status] += 1
    assert statuses[0] >= n / 2, statuses
