"""A cache that belongs to another user, who lets nobody in: one warning, and work goes on without it."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.tally import Tally
from balance.engine.answers import AnswerStore, SharedAnswers
from balance.engine.store import SharedStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders are closed otherwise there")
NOBODY = 65534


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Close a folder to whoever runs the test; to root, who sees all, by being somebody else for a while."""
    folder.chmod(0o700)
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(NOBODY)
        else:
            folder.chmod(0)
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o700)


def test_blocks_of_another_user_are_left_alone_with_one_warning(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    tally = Tally(Pmf.of({0: 3, 1: 1}, "hit"), 0, 1)
    SharedStore(cache).add("abcd", tally)
    store = SharedStore(cache)
    with closed(cache), pytest.warns(UserWarning) as told:
        assert store.ranges("abcd") == []
        assert store.ranges("abcd") == []
        store.add("abcd", tally)
    assert len(told) == 1
    assert str(told[0].message).startswith(f"the cache is not used: {cache}")
    assert "ermission denied" in str(told[0].message)
    assert len(SharedStore(cache).ranges("abcd")) == 1


def test_answers_of_another_user_are_left_alone_with_one_warning(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    SharedAnswers(cache, "answers").add("ab1", [1])
    store = SharedAnswers(cache, "answers")
    with closed(cache), pytest.warns(UserWarning) as told:
        store.tidy()
        assert store.find("ab1", 1) is None
        assert store.find("ab1", 1) is None
        store.add("ab1", [2])
    assert len(told) == 1 and str(told[0].message).startswith("the cache is not used: ")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SharedAnswers(cache, "answers").find("ab1", 1) == [1]


def test_what_a_run_has_kept_and_may_not_read_is_asked_again(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "run")
    store.add("ab1", [1])
    with closed(tmp_path / "run"), pytest.warns(UserWarning, match="may not be read"):
        assert store.find("ab1", 1) is None
