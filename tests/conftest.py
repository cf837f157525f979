"""Every test that cites a rule proves it, or the published coverage does not name it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.coverage import proved_as_published, rules_of, watch_for

if TYPE_CHECKING:
    from tests.study.golden import Golden


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Golden:
    """Two small studies with every setting on, run once for all who compare what came out of them."""
    from tests.study.golden import play

    return play(tmp_path_factory.mktemp("golden"))


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
