"""Every test that cites a rule proves it, or the published coverage does not name it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.coverage import proved_as_published, rules_of, watch_for


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Watch a test that cites rules: whether it calls what the game runs is what `data/<game>/coverage.csv` says."""
    rules = rules_of(item)
    if not rules:
        return (yield)
    watch = watch_for(rules)
    with watch.on():
        yield
    proved_as_published(item, watch.proved)
    return None
