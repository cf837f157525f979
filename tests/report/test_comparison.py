"""What a page about a change says of where its numbers come from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import balance
from balance.report.comparison import _Pages


def test_a_page_tells_which_catalogues_it_is_about() -> None:
    """Prints of catalogues are as long as in the front of a report, so that the two can be held side by side."""
    title = SimpleNamespace(title="Skirmish")
    before, after = (
        SimpleNamespace(game=title, catalogue=SimpleNamespace(sha256=digits * 4))
        for digits in ("0123456789abcdef", "fedcba9876543210")
    )
    study = SimpleNamespace(settings=SimpleNamespace(seed=7))
    found = SimpleNamespace(before=before, after=after, study=study, summary={})
    assert _Pages(cast("Any", found)).facts() == (
        ("Game", "Skirmish"),
        ("Catalogue before", "0123456789abcdef"),
        ("Catalogue after", "fedcba9876543210"),
        ("Seed", "7"),
        ("Made with", f"balance {balance.__version__}"),
    )
