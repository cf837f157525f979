"""The list of words that we do not write, and the command that finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wording import Word, in_file, in_text, main, word_list


@pytest.mark.parametrize("word", word_list(), ids=lambda word: word.right)
def test_each_word_finds_what_is_wrong_and_lets_pass_what_is_right(word: Word) -> None:
    assert word in [entry for _, entry in in_text(word.wrong)]
    assert word not in [entry for _, entry in in_text(word.right)]


def test_a_line_and_what_to_write_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nIds, parted\nby commas.\n", "utf-8")
    assert main([str(page)]) == 1
    assert "page.md:3: for 'several parted by commas' write 'several separated by commas'" in capsys.readouterr().out


def test_of_a_notebook_only_what_was_written_counts(tmp_path: Path) -> None:
    notebook = tmp_path / "a.ipynb"
    notebook.write_text('{"cells": [{"source": ["Ids\\n", "parted by"], "outputs": ["parted by"]}]}', "utf-8")
    assert len(in_file(notebook)) == 1
