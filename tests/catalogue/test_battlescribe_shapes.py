"""BattleScribe 1's files and New Recruit's JSON give the rows of format 2; other exports are refused by name."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.catalogue.battlescribe.entry_table import entry_table
from tests.catalogue.test_battlescribe import read

TRAITS = """<characteristics><characteristic characteristicId="m" name="M" value="5"/>
<characteristic characteristicId="w" name="W" value="1"/></characteristics><modifiers/>"""
OLD_SYSTEM = """<gameSystem id="g" revision="1" battleScribeVersion="1.15" name="Toy">
<forceTypes><forceType id="f" name="Band"><categories><category id="troops" name="Troops"/></categories></forceType>
</forceTypes><profileTypes><profileType id="t" name="Model"><characteristics/></profileType></profileTypes>
</gameSystem>"""
OLD_CATALOGUE = f"""<?xml version="1.0" encoding="UTF-8"?>
<catalogue id="c" revision="1" gameSystemId="g" battleScribeVersion="1.15" name="Toys">
<entries>
 <entry id="e1" name="Scout" points="25.5" categoryId="troops" type="model">
  <entries><entry id="e2" name="Knife" points="2.0" categoryId="(No Category)" type="upgrade" minSelections="2"/>
  </entries>
  <entryGroups><entryGroup id="eg" name="Packs" minSelections="1" defaultEntryId="e4">
   <entries><entry id="e3" name="Rope" points="1.0" type="upgrade"/>
    <entry id="e4" name="Tent" points="6.0" type="upgrade"/>
   </entries></entryGroup></entryGroups>
  <modifiers/><rules/>
  <profiles><profile id="p1" profileTypeId="t" name="Scout" hidden="false">{TRAITS}</profile></profiles>
  <links><link id="l1" targetId="s1" linkType="entry"/><link id="l2" targetId="brave" linkType="rule"/></links>
 </entry>
</entries>
<sharedEntries><entry id="s1" name="Map" points="0.0" type="upgrade">
 <profiles><profile id="p2" profileTypeId="t" name="Map">{TRAITS}</profile></profiles></entry></sharedEntries>
<sharedRules><rule id="brave" name="Brave"><description>No.</description></rule></sharedRules>
</catalogue>"""
OLD_ROSTER = f"""<roster id="r" name="Mine" battleScribeVersion="1.15" points="31.0" pointsLimit="100.0">
<forces><force id="f" name="Band" forceTypeId="x"><categories><category id="c" categoryId="troops" name="Troops">
 <selections><selection id="s" name="Scouts" points="25.0" number="1" type="unit">
  <profiles><profile id="p1" profileTypeId="t" name="Scouts">{TRAITS}</profile></profiles>
  <selections><selection id="k" name="Knife" points="6.0" number="3" type="upgrade"/></selections>
 </selection></selections></category></categories></force></forces></roster>"""


def trait(name: str, text: str) -> dict[str, object]:
    return {"name": name, "typeId": name, "$text": text}


def recruit() -> dict[str, object]:
    profile = {"id": "p", "name": "Guard", "typeId": "t", "typeName": "Unit", "hidden": False}
    model = {"id": "m", "name": "Guard", "number": 5, "type": "model", "costs": [{"name": "pts", "value": 62.5}]}
    unit = {
        "id": "s", "name": "River Guard", "number": 1, "type": "unit", "selections": [model],
        "profiles": [profile | {"characteristics": [trait("M", '6"'), trait("W", "1")]}],
        "categories": [{"id": "k", "name": "Battleline", "primary": True}], "rules": [{"id": "x", "name": "Brave"}],
    }  # fmt: skip
    force = {"id": "f", "name": "Band", "selections": [unit]}
    return {"roster": {"name": "Mine", "costs": [{"name": "pts", "typeId": "a", "value": 62.5}], "forces": [force]}}


def test_a_catalogue_of_format_1(tmp_path: Path) -> None:
    library = read(tmp_path, a_cat=OLD_CATALOGUE, a_gst=OLD_SYSTEM)
    scout, shared = library.entries
    assert (scout.name, scout.type, scout.profile_type) == ("Scout", "model", "Model")
    assert scout.characteristics == {"M": "5", "W": "1"} and scout.costs == {"pts": 25.5}
    assert scout.as_it_comes == {"pts": 35.5}
    assert (scout.categories, scout.rules) == (("Troops",), ("Brave",))
    assert scout.holds == ("Knife", "Map", "Rope", "Tent")
    assert shared.name == "Map" and library.unresolved_links == []


def test_a_roster_of_format_1(tmp_path: Path) -> None:
    library = read(tmp_path, a_ros=OLD_ROSTER)
    (scouts,) = library.entries
    assert (scouts.characteristics, scouts.categories, scouts.number) == ({"M": "5", "W": "1"}, ("Troops",), 1)
    table = entry_table(library.entries)
    assert table.rows[0][table.headers.index("pts")] == 31
    assert table.notes[0] == "a.ros: pts of the rows 31, left over 0: together the roster's 31"


def test_format_1_is_known_without_its_version(tmp_path: Path) -> None:
    text = OLD_CATALOGUE.replace('battleScribeVersion="1.15"', "")
    assert [entry.name for entry in read(tmp_path, a_cat=text).entries] == ["Scout", "Map"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_roster_of_new_recruit(tmp_path: Path, encoding: str) -> None:
    library = read(tmp_path, a_json=json.dumps(recruit()).encode(encoding))
    (guard,) = library.entries
    assert (guard.name, guard.profile_type, guard.number) == ("River Guard", "Unit", 1)
    assert guard.characteristics == {"M": '6"', "W": "1"}
    assert (guard.categories, guard.holds, guard.rules) == (("Battleline",), ("Guard",), ("Brave",))
    table = entry_table(library.entries)
    assert table.rows[0][table.headers.index("pts")] == 62.5
    assert table.rows[0][table.headers.index("line")] is None
    assert table.notes[0].endswith("together the roster's 62.5")


def test_a_catalogue_in_json_and_a_zip_of_a_mac(tmp_path: Path) -> None:
    profile = {"id": "p", "name": "A", "typeId": "t", "typeName": "Unit", "characteristics": [trait("W", "2")]}
    entry = {"id": "a", "name": "A", "type": "unit", "profiles": [profile], "costs": [{"name": "pts", "value": 7}]}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("__MACOSX/._a.json", b"\0\5")
        archive.writestr("a.json", json.dumps({"catalogue": {"name": "C", "selectionEntries": [entry]}}))
    (found,) = read(tmp_path, a_zip=data.getvalue()).entries
    assert (found.name, found.characteristics) == ("A", {"W": "2"}) and found.costs == {"pts": 7}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "windows-1252"])
def test_other_encodings_of_xml(tmp_path: Path, encoding: str) -> None:
    name = "utf-16" if "16" in encoding else encoding
    text = OLD_ROSTER.replace("Scouts", "Spähér")
    data = f'<?xml version="1.0" encoding="{name}"?>{text}'.encode(encoding)
    data = b"\xfe\xff" + data if encoding == "utf-16-be" else data
    assert [entry.name for entry in read(tmp_path, a_ros=data).entries] == ["Spähér"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<!DOCTYPE html>\n<html><body>My army</body></html>", "a page to be read in a browser"),
        ('<?xml version="1.0"?><!-- x --><html xmlns="h"/>', "a page to be read in a browser"),
        ("[]", "JSON without a roster or a catalogue"),
        ('{"name": "x"}', "JSON without a roster or a catalogue"),
        ('{"roster": []}', "JSON without a roster or a catalogue"),
        ('{"roster": {', "is no sound JSON"),
        ("[" * 100_000, "is no sound JSON: nested too deep"),
        ("[" * 900_000, "holds more than 400,000 objects"),
        (json.dumps({"roster": {"name": "x" * 40_000}}), "text of more than 32,767 characters"),
        (json.dumps({"roster": {f"k{n}": "" for n in range(99)}}), "more than 64 values"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, a_json=content)
    assert told in str(caught.value)
    if "is JSON" in str(caught.value) or "browser" in told:
        assert ".rosz" in str(caught.value)


def test_json_nested_too_deep(tmp_path: Path) -> None:
    inner: dict[str, object] = {}
    for _ in range(80):
        inner = {"selections": [inner]}
    with pytest.raises(CatalogueError, match="nests more than 100"):
        read(tmp_path, a_json=json.dumps({"roster": inner}))
