"""Which entries of several files have rows: those that an army may hold, by the rules of BattleScribe's format.

Entries at the root of a game system are in every roster of it. Shared entries are there where a link leads to them.
Root entries of a library are there where a catalogue link imports them (`importRootEntries`) unless they say
`import="false"`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.catalogue.battlescribe.profiles import read_battlescribe

PROFILE = '<profile id="p{0}" name="{0}" typeName="Unit"><characteristics><characteristic name="W">1</characteristic>'
PROFILE = f"<profiles>{PROFILE}</characteristics></profile></profiles>"


def entry(name: str, inner: str = "", more: str = "") -> str:
    return f'<selectionEntry id="{name}" name="{name}" type="unit"{more}>{PROFILE.format(name)}{inner}</selectionEntry>'


def root(*entries: str) -> str:
    return f"<selectionEntries>{''.join(entries)}</selectionEntries>"


def shared(*entries: str) -> str:
    return f"<sharedSelectionEntries>{''.join(entries)}</sharedSelectionEntries>"


def group(name: str, *entries: str) -> str:
    inner = f'<selectionEntryGroup id="{name}" name="{name}">{"".join(entries)}</selectionEntryGroup>'
    return f"<sharedSelectionEntryGroups>{inner}</sharedSelectionEntryGroups>"


def links(*targets: str, kind: str = "selectionEntry") -> str:
    each = (f'<entryLink id="to{name}" name="" targetId="{name}" type="{kind}"/>' for name in targets)
    return f"<entryLinks>{''.join(each)}</entryLinks>"


def imports(target: str, root_entries: str) -> str:
    more = f' importRootEntries="{root_entries}"' if root_entries else ""
    return (
        f'<catalogueLinks><catalogueLink id="im{target}" targetId="{target}" type="catalogue"{more}/></catalogueLinks>'
    )


def system(inner: str, name: str = "sys") -> str:
    return f'<gameSystem id="{name}" name="{name}">{inner}</gameSystem>'


def army(inner: str, more: str = ' gameSystemId="sys"', name: str = "army") -> str:
    return f'<catalogue id="{name}" name="{name}"{more}>{inner}</catalogue>'


def library(inner: str, name: str = "lib") -> str:
    return army(inner, ' gameSystemId="sys" library="true"', name)


def chosen(*names: str) -> str:
    each = (f'<selection id="{name}" name="{name}" number="1">{PROFILE.format(name)}</selection>' for name in names)
    inner = f'<force id="f" name="F"><selections>{"".join(each)}</selections></force>'
    return f'<roster id="r" name="R" gameSystemId="sys"><forces>{inner}</forces></roster>'


HILL, SCOUT = entry("Hill"), root(entry("Scout"))

CASES = {
    "root entry of the system": ([army(SCOUT), system(root(HILL))], "Scout Hill", ""),
    "its children too": ([army(SCOUT), system(root(entry("Hill", root(entry("Flag")))))], "Scout Hill Flag", ""),
    "root link of the system": ([army(SCOUT), system(links("Hill") + shared(HILL))], "Scout Hill", ""),
    "root link to a group": (
        [army(SCOUT), system(links("G", kind="selectionEntryGroup") + group("G", root(HILL)))], "Scout Hill", ""),
    "what a root entry links": (
        [army(SCOUT), system(root(entry("Hill", links("Flag"))) + shared(entry("Flag")))], "Scout Hill Flag", ""),
    "shared and linked by nobody": ([army(SCOUT), system(shared(HILL))], "Scout", "Hill"),
    "shared and linked": ([army(SCOUT + links("Hill")), system(shared(HILL))], "Scout Hill", ""),
    "a shared one in a group that is linked": (
        [army(links("G", kind="selectionEntryGroup")), system(group("G", links("Hill")) + shared(HILL))], "Hill", ""),
    "some of many": ([army(links("A")), system(shared(*map(entry, "ABCDE")) + root(HILL))], "Hill A",
                     "B, C, D and 1 more"),
    "root and shared": ([army(SCOUT), system(root(HILL) + shared(entry("Flag")))], "Scout Hill", "Flag"),
    "the system alone": ([system(root(HILL) + shared(entry("Flag")))], "Hill Flag", ""),
    "a system of another game": ([army(SCOUT), system(root(HILL), "other")], "Scout", "Hill"),
    "two systems": ([army(SCOUT), system(root(HILL)), system(root(entry("Lake")), "other")], "Scout Hill", "Lake"),
    "a catalogue that names no system": ([army(SCOUT, ""), system(root(HILL))], "Scout Hill", ""),
    "two armies": ([army(SCOUT), army(root(entry("Ogre")), name="two"), system(root(HILL))], "Scout Ogre Hill", ""),
    "a catalogue's own shared entries": ([army(SCOUT + shared(entry("Ogre")))], "Scout Ogre", ""),
    "a roster": ([chosen("Scout"), system(root(HILL))], "Scout", "Hill"),
    "a library imported": ([army(SCOUT + imports("lib", "true")), library(root(HILL))], "Scout Hill", ""),
    "a library not imported": ([army(SCOUT + imports("lib", "false")), library(root(HILL))], "Scout", "Hill"),
    "a library linked without a word": ([army(SCOUT + imports("lib", "")), library(root(HILL))], "Scout", "Hill"),
    "an entry not to be imported": (
        [army(SCOUT + imports("lib", "true")), library(root(HILL, entry("Flag", "", ' import="false"')))],
        "Scout Hill", "Flag"),
    "a root link of a library": (
        [army(SCOUT + imports("lib", "true")), library(links("Hill") + shared(HILL, entry("Flag")))],
        "Scout Hill", "Flag"),
    "one entry of a library by link": (
        [army(SCOUT + links("Hill") + imports("lib", "false")), library(root(HILL, entry("Flag")))],
        "Scout Hill", "Flag"),
    "a library of a library": (
        [army(SCOUT + imports("lib", "true")), library(imports("deep", "true") + root(HILL)),
         library(root(entry("Flag")), "deep")], "Scout Hill Flag", ""),
    "libraries in a circle": (
        [army(imports("lib", "true")), library(imports("deep", "true") + root(HILL)),
         library(imports("lib", "true") + root(entry("Flag")), "deep")], "Hill Flag", ""),
    "a library alone": ([library(root(HILL) + shared(entry("Flag")))], "Hill Flag", ""),
    "a library alone with its system": ([library(root(HILL)), system(root(entry("Lake")))], "Hill Lake", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_an_army_may_hold_has_a_row_and_what_it_may_not_is_told(tmp_path: Path, case: str) -> None:
    texts, names, left_out = CASES[case]
    for order in (1, -1):
        paths = []
        for at, text in enumerate(texts):
            path = tmp_path / f"{at}.xml"
            path.write_text(text, "utf-8")
            paths.append(path)
        read = read_battlescribe(paths[::order])
        assert sorted(each.name for each in read.entries) == sorted(names.split())
        notes = [note.partition("links or imports it: ")[2] for note in read.notes if "left out" in note]
        assert notes == ([left_out] if left_out else [])


def test_a_characteristic_is_named_by_its_type_where_it_has_no_name(tmp_path: Path) -> None:
    kinds = '<characteristicTypes><characteristicType id="c" name="Move"/></characteristicTypes>'
    types = f'<profileTypes><profileType id="t" name="Unit">{kinds}</profileType></profileTypes>'
    traits = '<characteristic typeId="c">5</characteristic><characteristic typeId="d">6</characteristic>'
    profile = f'<profile id="p" name="A" typeId="t"><characteristics>{traits}</characteristics></profile>'
    unit = f'<selectionEntry id="a" name="A" type="unit"><profiles>{profile}</profiles></selectionEntry>'
    (tmp_path / "a.gst").write_text(system(types + root(unit)), "utf-8")
    (found,) = read_battlescribe([tmp_path / "a.gst"]).entries
    assert (found.profile_type, found.characteristics) == ("Unit", {"Move": "5", "d": "6"})
