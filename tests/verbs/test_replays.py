"""One trial in Python: its steps as a table, what is left after each as numbers and a picture, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
from balance.base.errors import OutputError, UsageError

ASKED = ("immortal_souls", "encounter", "ecarus,auriel", "ambush")


def test_a_trial_is_a_table_of_steps_and_of_what_is_left() -> None:
    replay = balance.replay(*ASKED, trial=3, seed=1)
    lines, left = replay.to_polars(), replay.to_polars("left")
    assert lines.row(0, named=True)["actor"] == "Ecarus"
    assert len(left) == len(lines) + 1 == len(replay.value.lines) + 1
    assert left.row(0) == (0, 8, 7, 21)
    assert left.row(-1) == (21, 0, 0, 10)
    assert repr(replay) == "<replay: The heroes have lost: all are ghosts.>"
    assert repr(replay.value) == "<Replay of trial 3 of seed 1: 21 steps>"
    legend = replay.plot().axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == left.columns[1:]


@pytest.mark.slow("test_a_trial_is_a_table_of_steps_and_of_what_is_left")
def test_a_page_is_written_where_none_was(tmp_path: Path) -> None:
    page = tmp_path / "ambush.html"
    balance.replay(*ASKED, trial=3, seed=1, page=page)
    assert "no enemy is left" in page.read_text("utf-8")
    with pytest.raises(OutputError, match="is already there"):
        balance.replay(*ASKED, page=page)
    with pytest.raises(UsageError, match="is not a name for a page"):
        balance.replay(*ASKED, page=tmp_path / "ambush.txt")
