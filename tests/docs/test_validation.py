"""The page of validation says what the tests say now."""

from __future__ import annotations

import ast

import pytest

from tests.docs.validation import PAGE, docstring, page, second, told


def test_the_page_is_made_of_the_tests_as_they_are() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `python -m tests.docs`"


def test_every_second_implementation_says_what_it_is() -> None:
    assert [line for line in second() if line.startswith("* ") and line.endswith(": ")] == []


def test_what_a_module_says_of_its_parts_is_read() -> None:
    tree = ast.parse('"""Of all."""\nROWS = []\n"""Rows of\na log.\n\nMore."""\ndef read():\n    """Read them."""\n')
    assert (docstring(tree), told(tree, "ROWS"), told(tree, "read")) == ("Of all.", "Rows of a log.", "Read them.")
    with pytest.raises(LookupError):
        told(tree, "other")
