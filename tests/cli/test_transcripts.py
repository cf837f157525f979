"""What people see at a terminal is what is kept, word for word."""

from __future__ import annotations

import pytest

from tests.cli import transcripts


@pytest.mark.up_to(1.5)
@pytest.mark.parametrize("name", transcripts.names())
def test_a_session_looks_as_it_is_kept(name: str) -> None:
    told = "if that is as it should be: python -m tests.cli.transcripts, and look at the difference"
    assert transcripts.replayed(name).splitlines() == transcripts.kept(name).splitlines(), told
