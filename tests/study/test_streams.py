"""How far the playing is, in words."""

from __future__ import annotations

from balance.study.streams import Status


def test_what_is_open_and_how_sure_it_is_is_told_once_it_is_known() -> None:
    assert Status(1, 2, 3.0, 1000, 2000, None).details == ("1,000 of 2,000 match-ups open",)
    assert Status(1, 2, 3.0, 4, 5, 0.01234).details == ("4 of 5 match-ups open", "widest interval +-0.012")
    assert (Status.what, Status.unit, Status.every) == ("match-ups", "pairs", 60.0)
