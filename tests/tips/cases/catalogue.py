"""Tips about the tables, rules and workbooks of a catalogue, and about rosters."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import openpyxl

from balance.base.paths import data_folder
from balance.catalogue import check_folder, export_workbook, import_workbook, load_catalogue, replace_folder
from balance.catalogue.battlescribe.profiles import read_battlescribe
from balance.catalogue.patching import patch_catalogue
from balance.game.kit import Rules
from balance.games.warforged.cards import SPEC
from tests.catalogue import toy
from tests.catalogue.battlescribe_army import CATALOGUE, SYSTEM
from tests.tips.following import Case, Typed, under

SHIPPED = data_folder() / "warforged"
FILES = "balance.base.files"
TABLES = "balance.catalogue.tables"
BOOK = "balance.catalogue.workbook"
ROSTER = "balance.catalogue.battlescribe"


def folder(file: str = "", old: str = "", new: str | bytes = "", left_out: str = "") -> Callable[[], object]:
    """Return the deed of checking a copy of a catalogue with one change."""

    def check() -> object:
        copy = Path(shutil.copytree(SHIPPED, "wf"))
        if isinstance(new, bytes):
            (copy / file).write_bytes(new)
        elif file:
            text = (copy / file).read_text("utf-8")
            assert old in text
            (copy / file).write_text(text.replace(old, new, 1), "utf-8")
        if left_out:
            (copy / left_out).rename(copy / f"{left_out[:-5]}.csv")
        return check_folder(SPEC, copy) or list(load_catalogue(SPEC, copy).dangling_sources)

    return check


def edit(file: str, old: str, wrong: str, tip: str, right: str | None = None) -> Case:
    """Return the case of a wrong text in a file; what is right is what was there, or another text."""
    return Case(folder(file, old, wrong), tip, folder(file, old, old if right is None else right))


def book(change: Callable[[openpyxl.Workbook], object], *, raw: bytes | None = None) -> Callable[[], object]:
    """Return the deed of importing a workbook that was exported and changed."""

    def read() -> object:
        export_workbook(load_catalogue(toy.SPEC, toy.write(Path())), "toy.xlsx")
        opened = openpyxl.load_workbook("toy.xlsx")
        change(opened)
        opened.save("toy.xlsx")
        if raw is not None:
            Path("toy.xlsx").write_bytes(raw)
        import_workbook(toy.SPEC, Path("toy.xlsx"))
        return None

    return read


def put(sheet: str, cell: str, value: object) -> Callable[[], object]:
    """Return the deed of importing a workbook with one cell changed."""
    return book(lambda opened: opened[sheet].__setitem__(cell, value))


def retitle(old: str, new: str) -> Callable[[], object]:
    """Return the deed of importing a workbook with one sheet called otherwise."""
    return book(lambda opened: setattr(opened[old], "title", new))


def archive(**files: str | bytes) -> bytes:
    """Return a zip of some files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as opened:
        for name, text in files.items():
            opened.writestr(name.replace("__", "/"), text)
    return out.getvalue()


def keep(beside: str) -> Callable[[], object]:
    """Return the deed of importing into a folder where another file lies."""

    def write() -> object:
        Path("out", beside).parent.mkdir(parents=True)
        Path("out", beside).touch()
        replace_folder(load_catalogue(SPEC, SHIPPED), Path("out"), "")
        return None

    return write


def export_into(name: str, files: Mapping[str, str] | None = None) -> Callable[[], object]:
    """Return the deed of exporting a small catalogue into a place."""

    def write() -> object:
        for path, text in (files or {}).items():
            Path(path).write_text(text, "utf-8")
        export_workbook(load_catalogue(toy.SPEC, toy.write(Path("toy"))), name)
        return None

    return write


def rules() -> Rules:
    """Return the rules of the shipped catalogue."""
    return cast("Rules", load_catalogue(SPEC, SHIPPED).rules)


def patched(path: str) -> Callable[[], object]:
    """Return the deed of changing one value of the shipped catalogue."""
    return lambda: patch_catalogue(load_catalogue(SPEC, SHIPPED), {path: "7"}) and None


ARMY = {"army.cat": CATALOGUE, "army.gst": SYSTEM}
AS_THEY_ARE = Typed("roster army.cat army.gst", ARMY)


def roster(tip: str, text: str | bytes, line: str = "roster army.cat army.gst", right: Typed = AS_THEY_ARE) -> Case:
    """Return the case of a catalogue of an army that cannot be read."""
    return Case(Typed(line, {**ARMY, "army.cat": text}), tip, right)


WITHOUT_PROFILE = (
    '<catalogue id="c" name="C"><entryLinks><entryLink id="l" targetId="gone" type="selectionEntry"/></entryLinks>'
    "</catalogue>"
)
WRATH = "attack immortal_souls ecarus witch_queen_wrath"
NEXUS = "nexus,Nexus,Cyborg,24,4,8,2,3,,2"
FACES = '[switches.faces]\nvalue = "1-10"'
IN_LATIN_1 = (SHIPPED / "units.csv").read_text("utf-8").replace("Nexus", "Nexüs").encode("latin-1")

CASES = [
    edit("units.csv", NEXUS, 'nexus,"Nex\nus",Cyborg,24,4,8,2,3,,2', "write it on one line"),
    edit(
        "units.csv", NEXUS, "nexus,Nexus,Cyborg,24,4,8,2,3,slimm,2", "did you mean slim?", NEXUS.replace(",,", ",slim,")
    ),
    edit("units.csv", NEXUS, NEXUS.replace("nexus", "+", 1), "use letters, digits and underscores", NEXUS),
    edit("units.csv", NEXUS, NEXUS.replace("8", "#DIV/0!"), "mend the formula, or type the value"),
    edit(
        "units.csv",
        NEXUS,
        NEXUS.replace(",8,", ',"8,0",'),
        "write decimals with a point here",
        NEXUS.replace(",8,", ",8.0,"),
    ),
    edit("units.csv", NEXUS, NEXUS.replace(",8,", ",1.000,"), "write thousands without a separator"),
    edit("units.csv", NEXUS, NEXUS.replace(",8,", ",3-Apr,"), "format the column as text, then type the value again"),
    edit("units.csv", NEXUS, f"{NEXUS},99", "put quotation marks around a text that holds the separator"),
    edit("units.csv", "whisper,Whisper", "nexus,Whisper", "it stands in row 2 too"),
    edit("units.csv", "whisper,Whisper", "whisper,Nexus", "see nexus"),
    edit("units.csv", "armour", "armuor", "did you mean armour?"),
    edit("units.csv", "Nexus,", '"Nexus,', "check the quotation marks in this row"),
    edit("rules.toml", '"1.0"', "1", 'such as rules_version = "1.0"', '"1.0"'),
    edit("rules.toml", FACES, FACES[:-1], "texts stand in double quotes, one key = value per line"),
    edit("rules.toml", "[switches.faces]", "[switches.facs]", "did you mean faces?"),
    edit("rules.toml", "max_weapons = ", "max_weapon = ", "did you mean limits.max_weapons?"),
    edit("rules.toml", "rules_version", "rules_versio", "did you mean rules_version?"),
    edit("SOURCES.csv", "units,nexus,name", "unit,nexus,name", "did you mean units?"),
    edit("SOURCES.csv", "units,nexus,name", "units,nexsus,name", "did you mean nexus?"),
    edit("SOURCES.csv", "units,nexus,name", "units,nexus,nam", "did you mean name?"),
    Case(folder("units.csv", NEXUS + "\n"), "9 rows name it: delete them if the entry is gone", folder("units.csv")),
    Case(
        folder("units.csv", new=IN_LATIN_1),
        "save it as 'CSV UTF-8'",
        folder("units.csv", new=IN_LATIN_1.decode("latin-1").encode()),
    ),
    Case(folder("units.csv", new=b"a\0b\0"), "save it as 'CSV UTF-8'", folder()),
    Case(folder("units.csv", new=b"PK\x03\x04"), "read it with balance import", put("units", "B2", "Nexus")),
    Case(folder(left_out="units.csv"), "is units.csv meant?".replace("units", "unit"), folder()),
    Case(under({f"{TABLES}.files.MOST_CELLS": 5}, folder()), "delete the empty rows and columns at its end", folder()),
    Case(
        "show warforged --catalogue data/warforgd",
        "is data/warforged meant?",
        "show warforged --catalogue data/warforged",
    ),
    Case("show warforged --catalogue data", "is data/warforged meant?", "show warforged --catalogue data/warforged"),
    Case("attack warforged nexus+shotgun whispr", "did you mean whisper?", "attack warforged nexus+shotgun whisper"),
    # -- values that are set -----------------------------------------------------------------------------------------
    Case(
        "attack warforged nexus+shotgun whisper --set precision",
        "such as --set attacker.precision=7",
        "attack warforged nexus+shotgun whisper --set attacker.precision=7",
    ),
    Case(
        "attack warforged nexus+shotgun whisper --set atacker.precision=7",
        "did you mean attacker?",
        "attack warforged nexus+shotgun whisper --set attacker.precision=7",
    ),
    Case(
        "attack warforged nexus+shotgun whisper --set situation.n_cover=1",
        "did you mean n_covers?",
        "attack warforged nexus+shotgun whisper --set situation.n_covers=1",
    ),
    Case(
        "attack warforged nexus+shotgun whisper --set rules.face=0-9",
        "did you mean faces?",
        "attack warforged nexus+shotgun whisper --set rules.faces=0-9",
    ),
    Case(
        lambda: rules().replace(face="0-9") and None,
        "did you mean faces?",
        lambda: rules().replace(faces="0-9") and None,
    ),
    # -- workbooks ---------------------------------------------------------------------------------------------------
    Case(
        put("units", "F2", "1.000"),
        "write thousands without a separator, decimals with a comma",
        put("units", "F2", "0,25"),
    ),
    Case(retitle("units", "Unit"), "is the sheet Unit meant?", retitle("units", "units")),
    Case(put("readings", "A2", "facs"), "did you mean faces?", put("readings", "A2", "faces")),
    Case(
        put("constants", "A5", "dice.face"),
        "did you mean dice.faces?",
        put("constants", "A5", "dice.faces"),
    ),
    Case(
        book(lambda _: None, raw=b"PK no"),
        "save it in a spreadsheet program as Excel workbook (.xlsx)",
        book(lambda _: None),
    ),
    Case(
        book(lambda _: None, raw=archive(xl__a_xml=b"\xff\xfe<\0a\0")),
        "save it again in a spreadsheet program",
        book(lambda _: None),
    ),
    Case(
        under({f"{BOOK}.cells.MOST_CELLS": 9}, book(lambda _: None)),
        "delete the empty rows and columns at its end",
        book(lambda _: None),
    ),
    Case(
        under({f"{BOOK}.cells.MOST_PARTS": 1}, book(lambda _: None)), "save each sheet that is meant as CSV", folder()
    ),
    Case(keep("units.csv/x"), "nothing was changed; move it away first", keep("moved/x")),
    Case(
        export_into("file/toy.xlsx", {"file": "mine"}),
        "choose another place, free some space",
        export_into("other/toy.xlsx"),
    ),
    Case(
        Typed("export warforged mine --patch patch_example.toml", {"mine/notes.txt": "mine"}),
        "name another folder, or replace it with --force",
        Typed("export warforged mine --patch patch_example.toml --force", {"mine/notes.txt": "mine"}),
    ),
    Case("export warforged wf.ods", "end it in .xlsx", "export warforged wf.xlsx"),
    Case(
        "import warforged data/warforged/units.csv",
        "or say --catalogue FOLDER",
        "check warforged --catalogue data/warforged",
    ),
    # -- rosters -----------------------------------------------------------------------------------------------------
    Case(
        Typed("roster army.cat army.gst --column points=pst", ARMY),
        "did you mean pts?",
        Typed("roster army.cat army.gst --column points=pts", ARMY),
    ),
    Case(
        Typed("roster army.cat army.gst --type Units", ARMY),
        "did you mean Unit?",
        Typed("roster army.cat army.gst --type Unit", ARMY),
    ),
    Case(lambda: read_battlescribe([]) and None, "such as army.cat army.gst", AS_THEY_ARE),
    roster("save it again with its editor", CATALOGUE[:700]),
    roster("save it as UTF-8", CATALOGUE.replace("UTF-8", "x-none")),
    roster("export the roster from BattleScribe or New Recruit as", "<html><body/></html>"),
    roster("export the roster from BattleScribe or New Recruit as", "<dataIndex/>"),
    roster("a zipped one holds just one .cat, .gst, .ros or .json", archive()),
    roster("as .json, or as .ros or .rosz", "[]", "roster army.cat army.gst"),
    Case(under({f"{ROSTER}.entry_table.MOST_COLUMNS": 2}, AS_THEY_ARE), "choose some with --type", AS_THEY_ARE),
    Case(under({f"{ROSTER}.entry_table.MOST_CELLS": 2}, AS_THEY_ARE), "choose a --type", AS_THEY_ARE),
    roster("export the roster from BattleScribe or New Recruit as", "my army"),
    roster("name the file that holds the profiles too", WITHOUT_PROFILE),
    Case(patched("unit.nexus.health"), "did you mean units?", patched("units.nexus.health")),
    Case(patched("units.nexsus.health"), "did you mean nexus?", patched("units.nexus.health")),
    Case(
        f"{WRATH} --set attacker.sure=",
        "say 0 for none of it, or leave it out",
        f"{WRATH} --set attacker.sure=0",
    ),
    Case(f"{WRATH} --set defender.health=", "say a value, or leave it out", f"{WRATH} --set defender.health=9"),
]
