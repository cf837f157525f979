"""Verbs in tests share finished work in a cache of their own."""

from __future__ import annotations

import math
from typing import Any

import pytest

from balance.answers.media.brief import MOST_BYTES, dumps
from balance.verbs.call.result import Result
from tests.schemas import check

SEES_ALL = ("dice", "rate", "report", "rules", "schema", "show")
"""Verbs whose answer may leave nothing out: exact odds, a log without cautions, what a file says itself."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the cache of whoever runs the tests out of it."""
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr("balance.verbs.call.kept.WORTH_KEEPING", math.inf)  # or what is told would depend on the clock


@pytest.fixture(autouse=True)
def answers_as_their_schemas_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every object that a test asks for against its schema."""
    to_dict = Result.to_dict

    def checked(result: Result[Any]) -> dict[str, Any]:
        document, brief = to_dict(result), result.to_brief()
        check(document)
        check(brief)
        assert len(dumps(brief)) <= MOST_BYTES
        assert brief["cannot_see"] or result.verb in SEES_ALL
        return document

    monkeypatch.setattr(Result, "to_dict", checked)
