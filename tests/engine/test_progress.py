"""What is told of a stage, where nobody says more."""

from __future__ import annotations

from balance.engine.progress import Stage, Told


def test_a_stage_is_parts_without_a_speed_told_every_ten_seconds() -> None:
    stage: Told = Stage("duels", 3, 9)
    assert (stage.what, stage.done, stage.total) == ("duels", 3, 9)
    assert (stage.unit, stage.rate, stage.details, stage.every) == ("", 0.0, (), 10.0)
