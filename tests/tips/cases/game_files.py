"""Tips about files in which a game is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from openpyxl import Workbook

from balance.catalogue import patch_catalogue
from balance.game.loaded import load
from balance.rulebook.changing import changed_text
from balance.rulebook.opening import read_parts
from balance.rulebook.text import read_game_file
from balance.rulebook.trying import doubtful_changes
from tests.rulebook.games import SMALL, changed
from tests.rulebook.test_faults import SHELL
from tests.tips.following import Case, Typed, under


def game(*pairs: tuple[str, str], **files: str) -> Callable[[], object]:
    """Return the deed of reading a game file with some of its text changed, and files beside it."""

    def read() -> object:
        for name, text in files.items():
            Path(name.replace("__", ".")).write_text(text, "utf-8")
        Path("iron.toml").write_text(changed(*pairs), "utf-8")
        read_game_file(Path("iron.toml"))
        return None

    return read


def swap(old: str, wrong: str, tip: str, right: str | None = None) -> Case:
    """Return the case of a text in a game file; what is right is what was there, or another text."""
    return Case(game((old, wrong)), tip, game((old, old if right is None else right)))


UNITS = SMALL[SMALL.index("[units.raider]") :]
HITS = 'past = "hits d6'
AT_TOP = 'title = "Iron and Dust"'
TABLE = "[tables.to_wound]"
ANTS = 'units = """\nid | attacks | skill | wounds | keywords\n{}"""\n'
RED = "red ant | 1 | 3 | 2 | reliable; tough\nraider | 1 | 3 | 2 |\nbrute | 2 | 3 | 5 |\n"
CSV = "id,attacks,skill,wounds,keywords\nraider,1,3,2,reliable; tough\nbrute,1,3,4,\n"


def units(text: str, **files: str) -> Callable[[], object]:
    """Return the deed of reading a game file whose units are told at the top."""
    return game((AT_TOP, f"{AT_TOP}\n{text}"), (UNITS, ""), **files)


def play(change: tuple[str, str], right: tuple[str, str], tip: str) -> Case:
    """Return the case of a duel in a game file."""
    line = "duel iron.toml raider brute --trials 200"
    return Case(Typed(line, {"iron.toml": changed(change)}), tip, Typed(line, {"iron.toml": changed(right)}))


def cheaper_brute() -> None:
    """Change the cost of a unit for which a game file states none."""
    Path("iron.toml").write_text(changed(("cost_points = 30", "# it costs nothing")), "utf-8")
    changed_text(patch_catalogue(load("iron.toml").catalogue, {"units.brute.cost_points": "7"}))


def parts_of(*, of_itself: bool) -> Callable[[], object]:
    """Return the deed of taking units from a game file of the same rules, or of others."""

    def read() -> object:
        Path("iron.toml").write_text(SMALL, "utf-8")
        digest = read_game_file(Path("iron.toml")).rulebook.digest
        read_parts(digest if of_itself else "other", Path("iron.toml"))
        return None

    return read


def too_large(limit: str) -> Case:
    """Return the case of a duel with more states, or more work, than is solved."""
    files = {"iron.toml": SMALL}
    return Case(
        under({limit: 5}, Typed("solve iron.toml raider brute", files)),
        "ask it with policies instead of solving it",
        Typed("duel iron.toml raider brute --choose policy_a=finisher --trials 200", files),
    )


def shell(line: str) -> Callable[[], object]:
    """Return the deed of reading a game file with a line of a keyword, and what is doubtful in it."""

    def read() -> object:
        Path("shell.toml").write_text(SHELL + line, "utf-8")
        return doubtful_changes(read_game_file(Path("shell.toml")).rulebook)

    return read


def sheet(name: str) -> Callable[[], object]:
    """Return the deed of reading a game file whose units stand in a sheet of a workbook."""

    def read() -> object:
        book = Workbook()
        book.active.title = "Units"
        for line in CSV.splitlines():
            book.active.append([int(cell) if cell.isdigit() else cell for cell in line.split(",")])
        book.save("units.xlsx")
        return units(f'units = "units.xlsx#{name}"')()

    return read


TWICE = '"foe.wounds" = "{}foe.wounds - max(0, blow - 2)"'
INITIATIVE = '[turns]\norder = "initiative"\ninitiative = "d6 + me.skill"\n'

CASES = [
    swap("crit = 6", "keep = 6", "try the_keep or keeps", "the_keep = 6"),
    swap("crit = 6", "hits = 6", "attack.hits has it; choose another name", "hits_2 = 6"),
    swap("crit = 6", '"a b" = 6', "a letter", "a_b = 6"),
    swap("crit = 6", "crit = 1.5", "a whole number from"),
    swap("stunned = 0\n", "stunned = 0\nattacker = 1\n", "choose another name", "stunned = 0\nlast_attacker = 1\n"),
    swap('health = "wounds"', 'health = "wound"', "did you mean wounds?"),
    swap(
        UNITS[:14],
        '[better]\nless = "skill"\n[units.raider]',
        'such as ["attacks", "wounds"]',
        '[better]\nless = ["skill"]\n[units.raider]',
    ),
    swap("[keywords.reliable]\nhits", "[keywords.reliable]\nhist", "did you mean hits?"),
    swap("foe.stunned =", "fo.stunned =", "did you mean foe?"),
    swap("allowed = [0, 1]", "allowed = 1", "such as [0, 1]"),
    swap("value = 1\n", "value = 2\n", "0, 1"),
    swap("[policies.effort.finisher]", "[policies.efort.finisher]", "did you mean effort?"),
    swap(
        "[policies.effort.finisher]",
        "[policies.effort.all_out]",
        "that policy is there already: always it",
        "[policies.effort.end]",
    ),
    swap("steady = {}\n", "", "such as steady = {}"),
    swap("steady = {}", 'steady = { may = "1" }', "put another first", "steady = {}"),
    swap("attacks = 3\n", "", "write 0 for none", "attacks = 0\n"),
    swap(
        TABLE,
        f"[tables.t]\n{TABLE}",
        'such as [tables.to_wound] with lines like "1..2" = 3',
        f'[tables.t]\n"1..2" = 3\n{TABLE}',
    ),
    swap(
        TABLE,
        f"[tables.grid]\nrows = [1]\ncolumns = [1]\n{TABLE}",
        "a grid has rows = [..], columns = [..], values = [[..]]",
        f"[tables.grid]\nrows = [1]\ncolumns = [1]\nvalues = [[1]]\n{TABLE}",
    ),
    swap(
        TABLE,
        f"[tables.grid]\nrows = 1\ncolumns = [1]\nvalues = [[1]]\n{TABLE}",
        "a list in square brackets",
        f"[tables.grid]\nrows = [1]\ncolumns = [1]\nvalues = [[1]]\n{TABLE}",
    ),
    swap('"1..2" = 3', '"one" = 3', "1..2"),
    swap('"0" = 4', '"zero" = 4', "1..2"),
    swap("[units.raider]", "[unit.raider]", "did you mean units?"),
    swap(
        "[ends]\n",
        "[turns]\nmost_acts = 2\n[ends]\n",
        'add acts = "..." to [turn]',
        '[turns]\nmost_acts = 2\n[turn]\nacts = "1"\n[ends]\n',
    ),
    swap(
        "[ends]\n",
        '[turns]\norder = "initiative"\n[ends]\n',
        'order = "initiative" and initiative = "d6 + me.command" go together',
        '[turns]\norder = "initiative"\ninitiative = "d6 + me.skill"\n[ends]\n',
    ),
    swap("[ends]\n", "[turns]\norder = 3\n[ends]\n", "alternate", '[turns]\norder = "alternate"\n[ends]\n'),
    swap(
        "[ends]\n",
        '[turns]\norder = "alternat"\n[ends]\n',
        "did you mean alternate?",
        '[turns]\norder = "alternate"\n[ends]\n',
    ),
    Case(
        units('units = "unit.csv"', units__csv=CSV), "is units.csv meant?", units('units = "units.csv"', units__csv=CSV)
    ),
    Case(units('units = "../units.csv"'), "put it beside the game file", units('units = "units.csv"', units__csv=CSV)),
    Case(
        units('units = "units.csv#Units"', units__csv=CSV),
        'such as "army.xlsx#Units"',
        units('units = "units.csv"', units__csv=CSV),
    ),
    Case(units(ANTS.format("")), "write a line for each below the names of the fields", units(ANTS.format(RED))),
    Case(units("units = {}"), "write a section [units.NAME] for each", game()),
    Case(units(""), 'write units = "units.csv", or a section [units.NAME] for each', game()),
    Case(
        game((UNITS, ""), ("[ends]\n", '[ends]\nunits = "units.csv"\n')),
        "it stands in [ends]: put it above all sections",
        units('units = "units.csv"', units__csv=CSV),
    ),
    swap(
        "[ends]\nrounds = 10",
        '[ends]\nscore = "me.wounds"',
        "add rounds = 10",
        '[ends]\nrounds = 10\nscore = "me.wounds"',
    ),
    swap(AT_TOP, f'title = "{"x" * 200}"', "at most"),
    swap('past = "hits d6', 'past = { python = 3 }\nmore = "hits d6', "package.module:function", 'past = "hits d6'),
    swap('units = ["raider:2", "brute"]', "units = 3", 'such as ["raider:2", "brute"]'),
    swap('units = ["raider:2", "brute"]', 'units = ["raider:x", "brute"]', 'such as "raider:2"'),
    swap('units = ["raider:2", "brute"]', 'units = ["raidr:2", "brute"]', "did you mean raider?"),
    swap('keywords = "reliable; tough"', "keywords = 3", 'such as "reliable; tough"'),
    swap("foe.stunned =", "foe.tough =", "set a token: [tokens] is_tough = 0"),
    swap("foe.stunned =", "foe.shock =", "a value that no card prints is a token: [tokens] shock = 0"),
    Case(
        game(("foe.stunned =", "foe.shock =")),
        "[tokens] shock = 0",
        game(("foe.stunned =", "foe.shock ="), ("stunned = 0\n", "stunned = 0\nshock = 0\n")),
    ),
    swap("foe.stunned =", "foe.stuned =", "did you mean foe.stunned?"),
    Case(game((SMALL[SMALL.index("[attack]") : SMALL.index("[keywords.rel")], "")), "write a section [attack]", game()),
    play(('"<= -3" = 6\n', ""), ('"<= -3" = 6', "else = 0"), "add: else = 0"),
    play(
        (HITS, 'reds = "2 red"\npast = "hits d6'),
        (HITS, 'reds = "2 red"\nshields = "reds count hit"\npast = "hits d6'),
        'hits = "reds count hit"',
    ),
    play(
        (HITS, 'more = { python = "os:system" }\npast = "hits d6'),
        (HITS, HITS),
        "install the package in whose place it is",
    ),
    play(
        ("[keywords.reliable]\n", '[keywords.reliable]\nacts = "+ 1"\n'),
        ("[keywords.reliable]\n", '[turn]\nacts = "1"\n[keywords.reliable]\nacts = "+ 1"\n'),
        'add acts = "1" to [turn]',
    ),
    Case(
        cheaper_brute,
        "change the values in the file by hand",
        game(("cost_points = 30", "cost_points = 7")),
    ),
    Case(parts_of(of_itself=False), "name this file as the game", parts_of(of_itself=True)),
    swap("foe.stunned =", "foe.attacker =", "set a field of the units, or a token"),
    swap(
        "stunned = 0\n", "stunned = 0\nattacks = 1\n", "a field of the units has it", "stunned = 0\nmore_attacks = 1\n"
    ),
    Case(sheet("Unitz"), "did you mean Units?", sheet("Units")),
    Case(
        Typed("check shell.toml", {"shell.toml": SHELL + TWICE.format("")}),
        '"instead: foe.wounds - max(0, blow - 2)" takes the place of that step',
        Typed("check shell.toml", {"shell.toml": SHELL + TWICE.format("instead: ")}),
    ),
    Case(
        shell('"foe.wounds" = "foe.wounds - 1"'),
        'to take the place of that step: "instead: foe.wounds - 1"',
        shell('"foe.wounds" = "instead: foe.wounds - 1"'),
    ),
    Case(
        Typed("solve iron.toml raider brute", {"iron.toml": changed(("[ends]\n", f"{INITIATIVE}[ends]\n"))}),
        "turns.order: ",
        Typed("solve iron.toml raider brute", {"iron.toml": changed()}),
    ),
    too_large("balance.game.kit.combat.best_play.MOST_STATES"),
    too_large("balance.chance.budget.MOST_STEPS"),
    Case(
        Typed("check iron.toml", {"iron.toml": changed(("reliable; tough", "reliabel; tough"))}),
        "did you mean reliable?",
        Typed("check iron.toml", {"iron.toml": changed()}),
    ),
]
