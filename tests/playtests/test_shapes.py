"""Logs in shapes that people have are read for what they are, or refused by the name of their shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.playtests.log.log import read_log
from tests.playtests.people_shapes import LOGS as SEVERAL
from tests.playtests.public_shapes import LOGS


def test_there_are_a_hundred() -> None:
    assert len({**LOGS, **SEVERAL}) >= 100


@pytest.mark.parametrize("what", LOGS)
def test_a_shape_found_in_public_is_read_or_refused_by_its_name(what: str, tmp_path: Path) -> None:
    kept = LOGS[what]
    path = tmp_path / kept.file
    path.write_text(kept.text, "utf-8")
    if isinstance(kept.games, str):
        with pytest.raises(CatalogueError) as caught:
            read_log(path)
        assert any(kept.games in str(fault) for fault in caught.value.faults), caught.value
        assert all(fault.tip for fault in caught.value.faults)
        return
    log = read_log(path)
    g = log.games
    rows = zip(g.side_a.tolist(), g.side_b.tolist(), g.score.tolist(), g.count.tolist(), strict=True)
    found = [(g.names[one], g.names[other], round(score, 9), count) for one, other, score, count in rows]
    assert found == kept.games
    told = [*log.source.assumptions, *log.source.notes]
    assert [part for part in kept.notes if not any(part in sentence for sentence in told)] == [], told
