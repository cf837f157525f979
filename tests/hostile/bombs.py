"""Small inputs that would grow large: each is written into a folder, with the command that must refuse it."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
STUDY = 'game = "warforged"\nentrants = ["nexus+s*"]\n'
SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData>{}</worksheet>'
MB = 2**20

Bomb = Callable[[Path], list[str]]


def catalogue(folder: Path) -> Path:
    """Return a copy of a catalogue that is called after its game."""
    shutil.copytree(DATA / "warforged", folder / "warforged")
    return folder / "warforged"


def _study(text: str) -> Bomb:
    def write(folder: Path) -> list[str]:
        (folder / "s.toml").write_text(text)
        return ["run", str(folder / "s.toml"), "--dry-run"]

    return write


def _file(name: str, make: Callable[[str], str]) -> Bomb:
    def write(folder: Path) -> list[str]:
        path = catalogue(folder) / name
        path.write_text(make(path.read_text()))
        return ["check", str(path.parent)]

    return write


def workbook(folder: Path, parts: dict[str, str]) -> Path:
    """Return the exported workbook with some of its parts replaced."""
    from balance.catalogue import export_workbook
    from balance.game.loaded import load

    export_workbook(load("warforged").catalogue, folder / "plain.xlsx")
    with zipfile.ZipFile(folder / "plain.xlsx") as old:
        kept = {name: old.read(name) for name in old.namelist() if name not in parts}
    with zipfile.ZipFile(folder / "warforged.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name, content in (kept | parts).items():
            new.writestr(name, content)
    return folder / "warforged.xlsx"


def _workbook(part: str, make: Callable[[], str]) -> Bomb:
    def write(folder: Path) -> list[str]:
        return ["check", str(workbook(folder, {part: make()}))]

    return write


def _game(text: str) -> Bomb:
    def write(folder: Path) -> list[str]:
        (folder / "game.toml").write_text(text)
        return ["check", str(folder / "game.toml")]

    return write


def _army(text: str, *options: str) -> Bomb:
    return lambda folder: ["duel", "edadh", text, "shieldsmen", "--quiet", *options]


def _manifest(folder: Path) -> list[str]:
    (folder / "manifest.json").write_text(" " * (300 * MB))
    return ["report", str(folder)]


GAME = 'health = "hp"\n[units.rat]\nhp = 3\n[attack]\n"foe.hp" = "foe.hp - d6"\n'
UNITS, STRINGS = "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml"
POLICIES = ", ".join(f'"p{n}"' for n in range(2000))
TEN = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"

BOMBS: dict[str, Bomb] = {
    "a text of 300 MB in a cell": _file("units.csv", lambda text: text + "x" * (300 * MB)),
    "a quoted text of 30 MB": _file("units.csv", lambda text: text + '"' + "x" * (30 * MB)),
    "millions of cells in a row": _file("units.csv", lambda text: text + "," * (20 * MB)),
    "millions of rows": _file("units.csv", lambda text: text + "a,b\n" * (5 * MB)),
    "faults without end": _file("units.csv", lambda text: text + "a,b,c,d,e,f,g,h,i,j\n" * 200_000),
    "60,000 brackets": _file("rules.toml", lambda text: text + "x = " + "[" * 60_000),
    "60,000 brackets in a text": _file("rules.toml", lambda text: text + "x = '''\n" + "[" * 60_000 + "\n'''"),
    "60,000 braces": _file("rules.toml", lambda text: text + "x = " + "{a=" * 60_000),
    "60,000 points in a key": _file("rules.toml", lambda text: "a" + ".a" * 60_000 + " = 1\n" + text),
    "60,000 points in an inner key": _file("rules.toml", lambda text: text + "x = {a" + ".a" * 60_000 + " = 1}\n"),
    "60,000 points in a table": _file("rules.toml", lambda text: text + "[a" + ".a" * 60_000 + "]\n"),
    "tables fifty deep": _file("rules.toml", lambda text: text + "[a" + ".a" * 50 + "]\n"),
    "300 MB of rules": _file("rules.toml", lambda text: text + '"' + "x" * (300 * MB)),
    "a number of a million digits": _file("rules.toml", lambda text: text.replace("= 2 ", f"= 0x{'f' * 400_000} ", 1)),
    "a number of 10,000 digits": _file("rules.toml", lambda text: text.replace("= 2 ", f"= {'9' * 10_000} ")),
    "2,000 x 2,000 policies": _study(f"{STUDY}[policies]\npolicy_a = [{POLICIES}]\npolicy_b = [{POLICIES}]\n"),
    "10 x 10 x 10 repeats": _study(f"{STUDY}[grid]\n" + "".join(f"{x} = [{'1, ' * 10}]\n" for x in "abc")),
    "60,000 unknown settings": _study(STUDY + "".join(f"k{n} = 1\n" for n in range(60_000))),
    "10^12 situations": _study(f"{STUDY}[grid]\n" + "".join(f"x{n} = {TEN}\n" for n in range(12))),
    "100,000 entrants by name": _study('game = "warforged"\nentrants = [' + '"x",' * 100_000 + "]\n"),
    "a title of a megabyte": _study(f'{STUDY}title = "{"x" * 900_000}"\n'),
    "a budget beyond counting": _study(f"{STUDY}[budget]\ntrials = {10**30}\n"),
    "a width of 1e400": _study(f"{STUDY}[budget]\nhalf_width = 1e400\n"),
    "a game of 20,000 steps": _game(GAME + "".join(f's{n} = "d6"\n' for n in range(20_000))),
    "a game of 12,000 keywords": _game(GAME + "".join(f'[keywords.k{n}]\n"foe.hp" = "0"\n' for n in range(12_000))),
    "a game of 20,000 armies": _game(
        GAME + "".join(f'[armies.lists.l{n}]\nunits = ["rat:64"]\n' for n in range(20_000))
    ),
    "a game of 80,000 bands": _game(
        GAME + "".join(f"[tables.t{n}]\n" + "".join(f"{band} = 1\n" for band in range(200)) for n in range(400))
    ),
    "a game of 60,000 unknown names": _game("".join(f"x{n} = 1\n" for n in range(60_000)) + GAME),
    "a step of 300,000 brackets": _game(f'{GAME}long = "{"(" * 300_000}"\n'),
    "a game after a million blank lines": _game("\n" * (MB - 400) + GAME + "hits = 1.5\n"),
    "an army beyond counting": _army("spears:999999999"),
    "an army of 100,000 digits": _army(f"spears:{'9' * 100_000}"),
    "an army of 5,000 parts": _army("+".join(["spears"] * 5000)),
    "a change of 100,000 characters": _army("spears", "--set", f"a.mp={'9' * 10**5}"),
    "a change of 1e400": _army("spears", "--set", "a.mp=1e400"),
    "10^30 trials": _army("spears", "--trials", str(10**30)),
    "a manifest of 300 MB": _manifest,
    "a zip of 200 MB of nothing": _workbook(UNITS, lambda: SHEET.format("", " " * (200 * MB))),
    "merged cells over a sheet": _workbook(
        UNITS,
        lambda: SHEET.format(
            '<row r="1"><c r="A1"><v>1</v></c></row>',
            '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        ),
    ),
    "merged cells without end": _workbook(
        UNITS, lambda: SHEET.format("", "<mergeCells>" + '<mergeCell ref="A1:XFD1048576"/>' * 10**6 + "</mergeCells>")
    ),
    "960,000 cells in 58 kB": _workbook(
        UNITS, lambda: SHEET.format(("<row>" + "<c><v>1</v></c>" * 60 + "</row>") * 16_000, "")
    ),
    "300,000 cells with formulas": _workbook(
        UNITS, lambda: SHEET.format("<row>" + "<c><f>1</f><v>1</v></c>" * 300_000 + "</row>", "")
    ),
    "millions of cells": _workbook(UNITS, lambda: SHEET.format("<row>" + "<c/>" * (4 * 10**6) + "</row>", "")),
    "millions of numbers": _workbook(
        UNITS, lambda: SHEET.format("<row>" + "<c><v>1</v></c>" * (3 * 10**6) + "</row>", "")
    ),
    "a cell at the end of the sheet": _workbook(
        UNITS, lambda: SHEET.format('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', "")
    ),
    "a cell beyond all sheets": _workbook(
        UNITS, lambda: SHEET.format('<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>', "")
    ),
    "a shared text of 300 MB": _workbook(STRINGS, lambda: "<sst><si><t>" + "x" * (300 * MB) + "</t></si></sst>"),
    "shared texts without end": _workbook(STRINGS, lambda: "<sst>" + "<si><t>x</t></si>" * (3 * 10**6) + "</sst>"),
    "a text that doubles itself": _workbook(
        STRINGS,
        lambda: (
            '<!DOCTYPE b [<!ENTITY a "xxxxxxxxxx">'
            + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
            + "]><sst><si><t>&i;</t></si></sst>"
        ),
    ),
}
