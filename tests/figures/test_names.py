"""The names that code binds, counted on a small module by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures import names, trees
from tests.figures.__main__ import dialect

TEXT = '''"""Names of every kind."""

import json as found
from os import path, sep as separator

__all__ = ["Told"]


class Told:
    """A class."""

    others: int

    def __init__(self, one: int, *, cost_paid: int = 0) -> None:
        self.others = self.kept, self.cost = one, cost_paid
        for self.place, other_ in []:
            pass


def damage(rolls, _):
    if (total := max(seen := rolls)) and [each for each in rolls if (known_2 := each)]:
        del total
    with open(rolls) as file:
        rolls = lambda some: {row: value for row, value in some}
    try:
        match rolls:
            case [hit, *rest] | {"a": hit, **rest}:
                seen = hit
    except OSError as error:
        raise error
'''
WORDS = {
    "<file>": ["dice"],
    "<module>": ["found", "separator", "Told", "damage"],
    "Told": ["others", "kept", "cost", "place"],
    "Told.__init__": ["one", "cost_paid", "other_"],
    "damage": [
        *("rolls", "total", "seen", "each", "known_2", "file", "some", "row", "value", "hit", "rest", "error"),
    ],
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    package = tmp_path / "balance"
    package.mkdir()
    (package / "dice.py").write_text(TEXT, "utf-8")
    return tmp_path


def test_a_name_counts_once_a_scope(checkout: Path) -> None:
    bound = names.bindings(trees.modules(checkout))
    scopes = {scope: sorted(b.name for b in bound if b.scope == scope) for scope in WORDS}
    assert scopes == {scope: sorted(bare) for scope, bare in WORDS.items()}
    assert len(bound) == sum(map(len, WORDS.values()))


@pytest.mark.parametrize("name", ["found", "_told", "Told", "OTHERS", "one_2", "each1", "_standing"])
def test_a_bare_word_is_dialect(name: str) -> None:
    assert names.Binding("", 1, "", name).dialect


@pytest.mark.parametrize("name", ["cost_paid", "sorted_names", "hit", "Setting", "standings", "roll", "other_side"])
def test_a_noun_of_the_field_is_none(name: str) -> None:
    assert not names.Binding("", 1, "", name).dialect


def test_what_is_listed_says_where_it_is_and_the_share(checkout: Path) -> None:
    *lines, share = dialect(checkout, "balance/d")
    assert lines[:3] == [
        "balance/dice.py:3 <module> found",
        "balance/dice.py:9 <module> Told",
        "balance/dice.py:12 Told others",
    ]
    assert share == f"{len(lines)} of 24 names ({len(lines) / 24:.2%}) are a bare participle or pronoun"
    assert list(dialect(checkout, "balance/e")) == ["0 of 0 names (0.00%) are a bare participle or pronoun"]
