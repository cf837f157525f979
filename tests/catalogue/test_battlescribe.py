"""BattleScribe files as a table: links followed, what is missing told, and nothing that others wrote does harm."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from unittest import mock

import pytest
from openpyxl import load_workbook

from balance.base.errors import BalanceError, CatalogueError, UsageError
from balance.catalogue.battlescribe.entry_table import entry_table, mapped_table, parse_columns, table_bytes, with_types
from balance.catalogue.battlescribe.profiles import Library, read_battlescribe
from tests.catalogue.battlescribe_army import ARMY, CATALOGUE, ROSTER, SYSTEM


def wrap(inner: str, root: str = "catalogue") -> str:
    return f'<{root} id="x" name="X">{inner}</{root}>'


def trait(name: str, value: str) -> str:
    return f'<characteristic name="{name}" typeId="{name}">{value}</characteristic>'


def profile(traits: str, name: str = "P") -> str:
    body = f"<characteristics>{traits}</characteristics>"
    return f'<profiles><profile id="p" name="{name}" typeId="t" typeName="Unit">{body}</profile></profiles>'


def entry(name: str, inner: str = "", number: str = "a", traits: str = "") -> str:
    held = profile(traits or trait("W", "3"))
    return f'<selectionEntry id="{number}" name="{name}" type="unit">{held}{inner}</selectionEntry>'


def listed(*entries: str, tag: str = "selectionEntries") -> str:
    return f"<{tag}>{''.join(entries)}</{tag}>"


def link(number: str, target: str, kind: str = "selectionEntry", inner: str = "") -> str:
    return f'<entryLink id="{number}" name="" targetId="{target}" type="{kind}">{inner}</entryLink>'


def group(number: str, *links: str) -> str:
    return f'<selectionEntryGroup id="{number}" name="G">{listed(*links, tag="entryLinks")}</selectionEntryGroup>'


def info_link(number: str, target: str) -> str:
    return f'<infoLinks><infoLink id="{number}" targetId="{target}" type="infoGroup"/></infoLinks>'


def read(folder: Path, **files: str | bytes) -> Library:
    """Read files given as name_ending=text."""
    paths = []
    for name, content in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return read_battlescribe(paths)


def zipped(*parts: tuple[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return data.getvalue()


def test_a_catalogue_and_its_game_system(tmp_path: Path) -> None:
    library = read(tmp_path, army_cat=CATALOGUE, army_gst=SYSTEM)
    assert [(each.name, each.type, each.profile_type) for each in library.entries] == [
        ("Goblin & Söhne", "unit", "Unit"),
        ("Troll", "unit", "Unit"),
        ("Club", "upgrade", "Weapon"),
    ]
    goblin, troll, club = library.entries
    assert troll.characteristics == {"M": '6"', "W": "4"} and troll.costs == {"pts": 25.0}
    assert troll.categories == ("Leader",) and troll.holds == ("Fists", "Club") and troll.rules == ("Brave",)
    assert goblin.categories == ("Infantry",) and goblin.line == 9
    assert club.costs == {"pts": 2.5} and club.characteristics == {"S": "+1"}
    assert library.unresolved_links == []
    assert [note.partition(": ")[2] for note in library.notes] == [
        "left out, since nothing here links or imports it: Unused"
    ]


def test_a_game_system_alone_shows_all_that_is_in_it(tmp_path: Path) -> None:
    assert [each.name for each in read(tmp_path, army_gst=SYSTEM).entries] == ["Club", "Unused"]


def test_what_is_in_none_of_the_files_is_told_with_its_line(tmp_path: Path) -> None:
    library = read(tmp_path, army_cat=CATALOGUE)
    assert [(fault.row, fault.found) for fault in library.unresolved_links] == [
        (5, "hq"), (19, "inf"), (25, "brave"), (37, "club"),
    ]  # fmt: skip
    assert "game system is not among the files" in library.notes[0]
    troll = library.entries[1]
    assert troll.holds == ("Fists",) and troll.categories == ()


def test_rosters(tmp_path: Path) -> None:
    (troll,) = read(tmp_path, mine_ros=ROSTER).entries
    assert (troll.number, troll.holds, troll.categories) == (2, ("Club",), ("Leader",)) and troll.costs == {"pts": 50.0}
    assert "number" in entry_table([troll]).headers


@pytest.mark.parametrize(("name", "inner"), [("a_catz", "a.cat"), ("a_rosz", "x.CAT"), ("a_zip", "sub/a.cat")])
def test_zipped_files(tmp_path: Path, name: str, inner: str) -> None:
    library = read(tmp_path, **{name: zipped((inner, CATALOGUE), ("readme.txt", "x"))})
    assert len(library.entries) == 2


def test_order_of_the_files_does_not_matter_to_what_is_linked(tmp_path: Path) -> None:
    one = read(tmp_path, army_cat=CATALOGUE, army_gst=SYSTEM).entries
    other = read(tmp_path, army_gst=SYSTEM, army_cat=CATALOGUE).entries
    assert sorted(map(repr, one)) == sorted(map(repr, other))


def test_files_before_2_0_hold_values_in_attributes(tmp_path: Path) -> None:
    old = '<profile id="p" name="P" profileTypeId="t" profileTypeName="Model"><characteristics>'
    old += '<characteristic name="W" characteristicTypeId="w" value="7"/></characteristics></profile>'
    model = f'<selectionEntry id="a" name="A" type="model"><profiles>{old}</profiles></selectionEntry>'
    (found,) = read(tmp_path, a_cat=wrap(listed(model))).entries
    assert (found.profile_type, found.characteristics) == ("Model", {"W": "7"})


def test_costs_that_only_the_links_name(tmp_path: Path) -> None:
    def linked(number: int, cost: int) -> str:
        return link(f"e{number}", "a", inner=f'<costs><cost name="pts" typeId="c" value="{cost}"/></costs>')

    body = listed(entry("A"), tag="sharedSelectionEntries")
    agreed = wrap(listed(linked(1, 9), linked(2, 9), tag="entryLinks") + body)
    assert read(tmp_path, a_cat=agreed).entries[0].costs == {"pts": 9.0}
    apart = wrap(listed(linked(1, 9), linked(2, 8), tag="entryLinks") + body)
    assert read(tmp_path, b_cat=apart).entries[0].costs == {}


def test_columns_of_ones_own_names(tmp_path: Path) -> None:
    library = read(tmp_path, army_cat=CATALOGUE, army_gst=SYSTEM)
    units = with_types(library.entries, ["unit"])
    table = mapped_table(units, parse_columns(["speed=M", "health = w", "cost_points=pts", "group=categories"]))
    assert table.headers == ("id", "name", "speed", "health", "cost_points", "group")
    assert table.rows == (
        ("goblin_sohne", "Goblin & Söhne", 4, 1, 3, "Infantry"),
        ("troll", "Troll", 6, 4, 25, "Leader"),
    )
    assert len(table.notes) == 1 and "column speed" in table.notes[0]
    kept = mapped_table(units, {"id": "id", "name": "profile"})
    assert kept.headers == ("id", "name") and kept.rows[1] == ("troll", "Troll")


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (['6"', "4”", "12''"], [6, 4, 12]),
        (["3+", "4+", "-"], [3, 4, None]),
        (["2,5", "3", "+1"], [2.5, 3, 1]),
        (["3⬤", "2⬤", "N/A"], [3, 2, None]),
        (["D6", "2", "3"], ["D6", 2, 3]),
        (["2/4", "1", "1"], ["2/4", 1, 1]),
        (["1.000,5", "1", "1"], ["1.000,5", 1, 1]),
        (["-", "-", "-"], ["-", "-", "-"]),
    ],
)
def test_a_column_of_numbers_with_units(tmp_path: Path, values: list[str], numbers: list[object]) -> None:
    entries = [entry(f"E{n}", number=f"a{n}", traits=trait("M", value)) for n, value in enumerate(values)]
    library = read(tmp_path, a_cat=wrap(listed(*entries)))
    assert [row[2] for row in mapped_table(library.entries, {"speed": "M"}).rows] == numbers


def test_faults_of_columns_and_types_come_all_at_once(tmp_path: Path) -> None:
    library = read(tmp_path, army_cat=CATALOGUE, army_gst=SYSTEM)
    with pytest.raises(UsageError) as caught:
        mapped_table(library.entries, {"a": "pst", "b": "Wounds"})
    assert [fault.found for fault in caught.value.faults] == ["pst", "Wounds"]
    assert "did you mean pts?" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        parse_columns(["a", "=b", "c=", "d=e", "d=f"])
    assert len(caught.value.faults) == 4
    with pytest.raises(UsageError, match="did you mean Unit"):
        with_types(library.entries, ["Units"])


def test_no_text_becomes_a_formula(tmp_path: Path) -> None:
    evil = '=HYPERLINK("http://x")'
    held = profile(trait("=1+1", "@SUM(A1)") + trait("W", "-2+3"), name="+cmd")
    name = evil.replace('"', "&quot;")
    body = f'<selectionEntry id="a" name="{name}" type="unit">{held}</selectionEntry>'
    library = read(tmp_path, a_cat=wrap(listed(body)))
    table = entry_table(library.entries)
    rows = list(csv.reader(io.StringIO(table_bytes(table, ".csv").decode())))
    assert all(not cell.startswith(("=", "+", "@", "-2")) for row in rows for cell in row)
    assert rows[1][0] == f"'{evil}" and "'=1+1" in rows[0]
    sheet = load_workbook(io.BytesIO(table_bytes(table, ".xlsx"))).active
    assert sheet.cell(2, 1).value == evil
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None} <= {"s", "n"}


LAUGHS = "<!DOCTYPE a [" + '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "billion laughs": (f"{LAUGHS}]>{wrap('&a9;')}", "defines entities"),
    "a file from outside": ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + wrap("&x;"), "defines entities"),
    "a definition from the net": ('<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd">' + wrap(""), "defines entities"),
    "a parameter": ('<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/p"> %p;]>' + wrap(""), "defines entities"),
    "an entity nobody defined": (wrap("&nbsp;"), "is no sound XML: undefined entity"),
    "deep": ("<catalogue>" + "<a>" * 200 + "</a>" * 200 + "</catalogue>", "nests more than 100"),
    "deep in what is left out": (wrap("<modifiers>" + "<a>" * 99_999 + "</a>" * 99_999 + "</modifiers>"), "nests more"),
    "a huge attribute": (wrap(f'<a b="{"x" * 40_000}"/>'), "attribute of more than 32,767"),
    "many attributes": (wrap("<a " + " ".join(f'b{n}="1"' for n in range(99)) + "/>"), "more than 64 attributes"),
    "the same attribute twice": (wrap('<a b="1" b="2"/>'), "is no sound XML: duplicate attribute"),
    "another root": ("<html><body/></html>", "'html' is no BattleScribe file"),
    "an index": ("<dataIndex/>", "is an index of files"),
    "truncated": (CATALOGUE[:700], "is no sound XML"),
    "text": ("name,points\nTroll,25\n", "neither XML nor JSON, but a text"),
    "nothing": ("", "neither XML nor JSON, but empty"),
    "bytes": (bytes(range(256)) * 4, "neither XML nor JSON"),
    "another encoding": ('<?xml version="1.0" encoding="x-none"?>' + wrap(""), "a.cat"),
    "a wide encoding by name": ('<?xml version="1.0" encoding="utf-7"?>' + wrap(""), "a.cat"),
    "a damaged zip": (zipped(("a.cat", CATALOGUE))[:-40], "damaged or locked zip"),
    "an empty zip": (zipped(), "holds no catalogues"),
    "two in a zip": (zipped(("a.cat", CATALOGUE), ("b.gst", SYSTEM)), "holds 2 catalogues"),
    "a zip that leads out": (zipped(("../../a.cat", CATALOGUE)), "names a file outside the zip"),
    "a zip that leads to the root": (zipped(("/etc/a.cat", CATALOGUE)), "names a file outside the zip"),
    "a zip bomb": (zipped(("a.cat", b" " * (33 * 2**20))), "unpacks to more than 32 MB"),
    "a zip in a zip": (zipped(("a.cat", zipped(("a.cat", CATALOGUE)))), "neither XML nor JSON"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_with_an_error_of_ours(kind: str, tmp_path: Path) -> None:
    content, told = HOSTILE[kind]
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, a_cat=content)
    assert told in str(caught.value) and "a.cat" in str(caught.value)


def test_many_elements(tmp_path: Path) -> None:
    with (
        mock.patch("balance.catalogue.battlescribe.xml_reading.MOST_XML_ELEMENTS", 100),
        pytest.raises(CatalogueError, match="100"),
    ):
        read(tmp_path, a_cat=wrap("<a/>" * 101))


def test_links_in_circles_end(tmp_path: Path) -> None:
    inner = info_link("z", "i1") + listed(link("y", "g1", "selectionEntryGroup"), link("x", "a"), tag="entryLinks")
    groups = [group(one, link(f"e{one}", other, "selectionEntryGroup")) for one, other in (("g1", "g2"), ("g2", "g1"))]
    infos = [
        f'<infoGroup id="{one}" name="I">{info_link(f"l{one}", other)}</infoGroup>'
        for one, other in (("i1", "i2"), ("i2", "i1"))
    ]
    shared = listed(*groups, tag="sharedSelectionEntryGroups") + listed(*infos, tag="sharedInfoGroups")
    (found,) = read(tmp_path, a_cat=wrap(listed(entry("A", inner)) + shared)).entries
    assert found.holds == ("A",)


def test_links_that_lead_on_and_on_are_stopped(tmp_path: Path) -> None:
    kind = "selectionEntryGroup"
    groups = [
        group(f"g{n}", *(link(f"e{n}_{more}", f"g{(n + more) % 300}", kind) for more in range(1, 20)))
        for n in range(300)
    ]
    entries = [entry(f"A{n}", listed(link(f"z{n}", f"g{n}", kind), tag="entryLinks"), f"a{n}") for n in range(300)]
    text = wrap(listed(*entries) + listed(*groups, tag="sharedSelectionEntryGroups"))
    few = mock.patch("balance.catalogue.battlescribe.profiles.MOST_LINK_STEPS", 100_000)
    with few, pytest.raises(CatalogueError, match="steps"):
        read(tmp_path, a_cat=text)


def test_an_id_that_is_there_twice_is_told(tmp_path: Path) -> None:
    library = read(tmp_path, a_cat=wrap(f"<selectionEntries>{entry('A')}{entry('B')}</selectionEntries>"))
    assert [each.name for each in library.entries] == ["A", "B"]
    assert any("'a' is there twice" in note for note in library.notes)


def test_odd_numbers_of_others_do_no_harm(tmp_path: Path) -> None:
    costs = "".join(
        f'<cost name="c{n}" typeId="c" value="{value}"/>'
        for n, value in enumerate(("nan", "inf", "1e400", "x", "", "1e3", "-2"))
    )
    (found,) = read(
        tmp_path, a_cat=wrap(f"<selectionEntries>{entry('A', f'<costs>{costs}</costs>')}</selectionEntries>")
    ).entries
    assert found.costs == {"c5": 1000.0, "c6": -2.0}


def test_faults_of_several_files_come_all_at_once(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, a_cat="<html/>", b_gst="", c_ros="<a>")
    assert len(caught.value.faults) == 3
    for paths in ([], [tmp_path / "a.cat"] * 2):
        with pytest.raises(BalanceError):
            read_battlescribe(paths)


def test_every_change_of_a_byte_is_read_or_refused(tmp_path: Path) -> None:
    """400 files with a byte changed, left out or doubled: a table or an error of ours, never another."""
    import random

    rng, path = random.Random(14), tmp_path / "a.cat"
    refused = 0
    for _ in range(400):
        data = bytearray(CATALOGUE.encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 2)] = bytes(rng.randrange(256) for _ in range(rng.randint(0, 2)))
        path.write_bytes(data)
        try:
            table_bytes(entry_table(read_battlescribe([path]).entries), ".csv")
        except BalanceError:
            refused += 1
    assert 50 < refused < 400


def test_the_army_of_the_examples_is_sound(tmp_path: Path) -> None:
    assert read(tmp_path, **{name.replace(".", "_"): text for name, text in ARMY.items()}).unresolved_links == []
