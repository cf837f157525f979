"""A game file with values changed where they stand: read again it holds them, and all else in it is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.catalogue import patch_catalogue
from balance.game.authoring.new_file import template_kinds
from balance.game.loaded import load
from balance.rulebook.changing import changed_text

TEMPLATES = Path(__file__).parents[2] / "balance" / "rulebook" / "templates"
STEPS = '\n[attack]\nhits = "me.dice d6 count me.hit+"\n"foe.life" = "foe.life - hits"\n'
SECTIONS = (
    """health = "life"
[units.rat]     # the small one
cost = 10       # as printed
dice = 2
hit = 4
life = 3
[units]
"big_ogre" = { cost = 25, dice = 4, hit = '5+', life = 9 }
[numbers]
reach = 2 # cells
[options.lucky]
value = 0       # nobody said
allowed = [0, 1]
[options]
slow = false
"""
    + STEPS
)
DRAWN = 'health = "life"\nunits = """\n| Name | Pts | Hit |  Life | Dice |\n|------|----:|-----|------:|------|\n'
DRAWN += '| Rat  |  10 | 4+  |     3 | 2    |\n| Ogre |   8 | 5+  |     9 | 4    |\n"""\n'
CSV = "name;cost;dice;hit;life;keywords\nRat;10;2;4;3;fast|sly\nOgre;25;4;5;9;\n"


def lines_changed(text: str, values: dict[str, str], folder: Path) -> list[tuple[str, str]]:
    """Return the lines of a game file that a change alters, before and after, once it has proved to be read so."""
    path = folder / "rats.toml"
    path.write_text(text, "utf-8")
    patched = patch_catalogue(load(str(path)).catalogue, values)
    new = changed_text(patched)
    (folder / "new").mkdir()
    (folder / "new" / "rats.toml").write_text(new, "utf-8")
    again = load(str(folder / "new" / "rats.toml")).catalogue
    assert (again.tables, again.rules, again.constants) == (patched.tables, patched.rules, patched.constants)
    assert path.read_text("utf-8") == text
    old_lines, new_lines = text.splitlines(), new.splitlines()
    assert len(old_lines) == len(new_lines)
    return [(old, now) for old, now in zip(old_lines, new_lines, strict=True) if old != now]


def test_values_of_sections_change_in_their_lines(tmp_path: Path) -> None:
    values = {"units.rat.cost_points": "12", "units.big_ogre.hit": "4", "units.big_ogre.cost_points": "9"}
    values |= {"constants.reach": "-1", "rules.lucky": "1", "rules.slow": "1"}
    assert lines_changed(SECTIONS, values, tmp_path) == [
        ("cost = 10       # as printed", "cost = 12       # as printed"),
        (
            "\"big_ogre\" = { cost = 25, dice = 4, hit = '5+', life = 9 }",
            '"big_ogre" = { cost = 9, dice = 4, hit = 4, life = 9 }',
        ),
        ("reach = 2 # cells", "reach = -1 # cells"),
        ("value = 0       # nobody said", "value = 1       # nobody said"),
        ("slow = false", "slow = 1"),
    ]


def test_cells_of_a_drawn_table_keep_their_place_and_their_marks(tmp_path: Path) -> None:
    values = {"units.rat.cost_points": "9", "units.ogre.cost_points": "112", "units.ogre.hit": "3"}
    assert lines_changed(DRAWN + STEPS, values, tmp_path) == [
        ("| Rat  |  10 | 4+  |     3 | 2    |", "| Rat  |   9 | 4+  |     3 | 2    |"),
        ("| Ogre |   8 | 5+  |     9 | 4    |", "| Ogre | 112 | 3+  |     9 | 4    |"),
    ]


@pytest.mark.parametrize("units", ['"units.csv"  # from the sheet', f'"""\n{CSV}"""'])
def test_units_of_a_spreadsheet_are_drawn_in_the_new_file(tmp_path: Path, units: str) -> None:
    (tmp_path / "units.csv").write_text(CSV, "utf-8")
    text = f'# Rats.\nunits = {units}\nhealth = "life"\n{STEPS}'
    path = tmp_path / "rats.toml"
    path.write_text(text, "utf-8")
    new = changed_text(patch_catalogue(load(str(path)).catalogue, {"units.rat.cost_points": "13"}))
    assert new.startswith("# Rats.\nunits = '''\nid   | name | cost_points | keywords | dice | hit | life\n")
    assert "\nrat  | Rat  | 13          | fast;sly | 2    | 4   | 3\nogre | Ogre | 25 " in new
    assert new.endswith(f'health = "life"\n{STEPS}')


@pytest.mark.parametrize("kind", template_kinds())
def test_every_cost_of_every_template_can_be_changed(kind: str, tmp_path: Path) -> None:
    text = (TEMPLATES / f"{kind}.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    game = load(str(path))
    units = game.catalogue.tables["units"]
    values = {f"units.{unit}.cost_points": f"{game.cost_points(unit) + 7}" for unit in units}
    assert len(lines_changed(text, values, tmp_path)) == len(units)


def test_what_cannot_be_changed_where_it_stands_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rats.toml"
    path.write_text(SECTIONS.replace("cost = 10       # as printed\n", ""), "utf-8")
    patched = patch_catalogue(load(str(path)).catalogue, {"units.rat.cost_points": "12"})
    with pytest.raises(CatalogueError, match="has values that cannot be changed where they stand"):
        changed_text(patched)


def test_the_text_is_the_same_where_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "rats.toml"
    path.write_bytes((SECTIONS.replace("\n", "\r\n")).encode("utf-16"))
    assert changed_text(load(str(path)).catalogue) == SECTIONS
