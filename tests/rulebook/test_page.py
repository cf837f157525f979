"""What docs/reference/game-files.md lists is what the code has: words that are taken, usual values, look-up tables."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from balance.base.errors import BalanceError
from balance.chance.dice.text.tokens import WORDS
from balance.rulebook.opening import open_file
from balance.rulebook.text import read_game_file
from balance.rulebook.text.book import Armies, Ends, Turns
from balance.rulebook.text.sections import EXCESS, MOST_ACTS, MOST_ARMY, MOST_ROUNDS, ORDERS, TARGETS, TIES, USUAL_ACTS
from balance.rulebook.text.source import MORE_WORDS, MOST_TITLE, is_word
from tests.rulebook.games import write

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "game-files.md"
LINE = 128


def words_text() -> str:
    """Return the paragraph of the words that cannot be names."""
    words = sorted({word for word in {*WORDS, *MORE_WORDS} if is_word(word) and word.isalpha()})
    return textwrap.fill(", ".join(f"`{word}`" for word in words) + ".", LINE)


def test_the_page_lists_the_words_that_are_taken() -> None:
    page = PAGE.read_text("utf-8")
    listed = re.search(r"<!-- words: [^>]*-->\n(.*?)\n?<!-- end of words -->", page, re.DOTALL)
    assert listed is not None
    assert listed[1].strip() == words_text(), f"put this between the marks:\n{words_text()}"


@pytest.mark.parametrize(
    ("key", "usual", "allowed"),
    [
        ("turns.order", Turns().order, ", ".join(f"`{order}`" for order in ORDERS)),
        ("turns.ties", Turns().ties, ", ".join(f"`{way}`" for way in TIES)),
        ("turns.strike_back", "false", "`true`, `false` or a condition"),
        ("turns.most_acts", str(USUAL_ACTS), f"1 to {MOST_ACTS}"),
        ("ends.rounds", f"{MOST_ROUNDS:,}", f"1 to {MOST_ROUNDS:,}"),
        ("armies.front", "all units", f"1 to {MOST_ARMY}"),
        ("armies.target", Armies().target, ", ".join(f"`{target}`" for target in TARGETS)),
        ("armies.excess", Armies().excess, ", ".join(f"`{way}`" for way in EXCESS)),
        ("title", "the name of the file", f"at most {MOST_TITLE} characters"),
    ],
)
def test_the_page_tells_what_is_so_if_nothing_is_said(key: str, usual: str, allowed: str) -> None:
    (row,) = re.findall(rf"^\| `{re.escape(key)}` \|(.*)\|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert usual in row[0]
    assert allowed in row[1]
    assert (Ends().rounds, Armies().front, Turns().strike_back) == (None, None, None)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_sections_that_the_page_shows_are_read(tmp_path: Path, number: int) -> None:
    section = re.findall(r"```toml section\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[number]
    units = 'units = """\nname | save | ward | hp\nRat | 4 | - | 3\nOgre |  | 5 | 9\n"""\n'
    attack = '[attack]\n"foe.hp" = "foe.hp - (2d6 count foe.save+) - foe.ward"\n'
    tables = ", chart[2, 6] - 4, to_wound[-2] - 5, armour[1] - 6, chart[9, 9] - 5" if "chart" in section else ""
    more = f'[ends]\nout = "me.hp = max(0, 0{tables})"\n'
    blanks = "" if "[blanks]" in section else "[blanks]\nsave = 7\nward = 0\n"
    path = write(tmp_path, f'health = "hp"\n{units}{attack}{section}{blanks}{more}')
    assert open_file(path)
    rows = {cells[0]: cells[1] for _, cells in read_game_file(path).units.table.rows}
    assert rows == {"id": "name", "rat": "Rat", "ogre": "Ogre"}


def test_words_are_no_names_of_steps_and_are_names_of_fields(tmp_path: Path) -> None:
    unit = 'health = "set"\n[units.rat]\nset = 3\ncount = 2\n[attack]\n'
    assert open_file(write(tmp_path, unit + '"foe.set" = "foe.set - me.count"\n'))
    with pytest.raises(BalanceError, match="'set' has a meaning of its own in expressions; try the_set or sets"):
        open_file(write(tmp_path, unit + 'set = "1"\n"foe.set" = "foe.set - 1"\n', "other.toml"))
