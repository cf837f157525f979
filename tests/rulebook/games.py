"""Game files for the tests of how they are read."""

from __future__ import annotations

from pathlib import Path

SMALL = """\
title = "Iron and Dust"
health = "wounds"

[numbers]
crit = 6

[options.crits_double]
value = 1
allowed = [0, 1]
meaning = "Does a 6 count two hits?"

[dice]
red = "{hit,hit,crit,-,-,surge}"

[tables.to_wound]
"<= -3" = 6
"-2..-1" = 5
"0" = 4
"1..2" = 3
">= 3" = 2

[tables]
armour = [6, 5, 4]

[attack]
hits = "me.attacks d6 count me.skill+"
foe.stunned = "if(hits, 1, foe.stunned)"
past = "hits d6 count to_wound[me.attacks - foe.skill]+"
foe.wounds = "foe.wounds - past * (1 + crits_double)"

[keywords.reliable]
hits = "reroll 1"
[keywords.tough.attacked]
past = "max(0, past - 1)"

[tokens]
stunned = 0

[choices.effort]
steady = {}
all_out = { may = "me.wounds > 1", hits = "+ 2", "me.wounds" = "me.wounds - 1" }
[policies.effort.finisher]
all_out = "foe.wounds <= 2"

[ends]
rounds = 10

[armies]
front = 2
[armies.lists.patrol]
units = ["raider:2", "brute"]

[units.raider]
cost_points = 10
attacks = 2
skill = "4+"
wounds = 3
keywords = "reliable; tough"
[units.brute]
name = "The Brute"
cost_points = 30
attacks = 3
skill = 5
wounds = 4
"""
"""A game with something in nearly every section."""


def write(folder: Path, text: str = SMALL, name: str = "iron.toml") -> Path:
    """Write a game file; return its path."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def changed(*pairs: tuple[str, str], text: str = SMALL) -> str:
    """Return a game file with pieces of its text replaced; each must be there once."""
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
