"""A verb is a function, a record and its words; three files name it beside: those that the fixture changes."""

from __future__ import annotations

import json
import sys

import pytest
from jsonschema import Draft202012Validator

import balance as toolkit
from balance.answers.documents.schemas import DOCUMENTS, schema
from balance.verbs.verb_list import VERBS, VerbEntry
from tests.cli.conftest import Command
from tests.contributing import coin as home


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the verb in the places that the table names, as long as the test takes."""
    monkeypatch.setitem(sys.modules, "balance.verbs.coin", home)
    monkeypatch.setitem(toolkit._HOME, "coin_toss", "balance.verbs.coin")
    monkeypatch.setitem(
        VERBS, "coin-toss", VerbEntry("coin:coin_toss", "How often heads come up.", ("balance coin-toss 3",), True)
    )
    monkeypatch.setitem(DOCUMENTS, "coin-toss", (home.Coin,))
    schema.cache_clear()


@pytest.mark.usefixtures("coin")
def test_a_verb_that_is_written_once_answers_everywhere(balance: Command) -> None:
    assert "How often heads come up." in balance("--help").out
    told = balance("coin-toss", "--help").out
    assert "How often it is thrown." in told and "balance coin-toss 3" in told and "--json" in told
    assert balance("coin-toss", "3").out.splitlines()[0].strip() == "A coin shows 1.5 heads in 3 throws on average."
    document = json.loads(balance("coin-toss", "1e1", "--json").out)
    Draft202012Validator(schema("coin-toss")).validate(document)
    assert document["throws"] == 10 and len(document["rows"]) == 11
    assert "'x' is not a number of trials" in balance("coin-toss", "x").err
    result = toolkit.coin_toss(2)
    assert result.to_polars().rows() == [(0, 0.25), (1, 0.5), (2, 0.25)]
    assert "throws\n    How often it is thrown." in str(toolkit.coin_toss.__doc__)


@pytest.mark.usefixtures("coin")
def test_it_is_a_tool_of_the_server_too() -> None:
    from balance.cli.server.served import serve_folders
    from balance.cli.server.tools import tools_of

    served = serve_folders(())
    tool = tools_of(served)["coin-toss"]
    assert tool.input_schema["properties"]["throws"]["maximum"] == 100
    assert tool.answer(served, tool.read({"throws": 4}))["sentence"].startswith("A coin shows 2 heads")


def test_without_it_nothing_knows_it(balance: Command) -> None:
    assert balance("coin-toss", "3").status == 2
    assert not hasattr(toolkit, "coin_toss") and "coin-toss" not in DOCUMENTS
