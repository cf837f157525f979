"""No point of a roster is lost and none counts twice; what a catalogue's entry must hold is told beside its cost."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path

import pytest

from balance.catalogue.battlescribe.entry_table import EntryTable, entry_table, mapped_table, table_bytes, with_types
from balance.catalogue.battlescribe.profiles import Library, read_battlescribe


def cost(value: object, name: str = "pts") -> str:
    return f'<cost name="{name}" typeId="{name}" value="{value}"/>'


def costs(*each: str) -> str:
    return f"<costs>{''.join(each)}</costs>"


def profile(kind: str, name: str = "P") -> str:
    trait = '<characteristic name="W" typeId="w">1</characteristic>'
    head = f'<profile id="p" name="{name}" typeId="{kind}" typeName="{kind}">'
    return f"<profiles>{head}<characteristics>{trait}</characteristics></profile></profiles>"


def selection(name: str, inner: str = "", number: int = 1, kind: str = "unit") -> str:
    return f'<selection id="{name}" name="{name}" number="{number}" type="{kind}">{inner}</selection>'


def force(*selections: str, inner: str = "") -> str:
    return f'<force id="f" name="Band">{inner}<selections>{"".join(selections)}</selections></force>'


def roster(*forces: str, total: str = "") -> str:
    return f'<roster id="r" name="R" battleScribeVersion="2.03">{total}<forces>{"".join(forces)}</forces></roster>'


def within(*selections: str) -> str:
    return f"<selections>{''.join(selections)}</selections>"


def read(folder: Path, text: str, name: str = "mine.ros") -> Library:
    (folder / name).write_text(text, "utf-8")
    return read_battlescribe([folder / name])


def column(table: EntryTable, name: str) -> list[object]:
    return [row[table.headers.index(name)] for row in table.rows]


GUARD = selection(
    "River Guard",
    profile("Unit")
    + within(
        selection("Guard", costs(cost("60.0")), 5, "model"),
        selection(
            "Captain",
            costs(cost("16.0")) + within(selection("Bow", profile("Weapon") + costs(cost("10.0")), kind="upgrade")),
            kind="model",
        ),
    )
    + costs(cost("0.0")),
)


def test_a_unit_is_priced_with_its_models_and_upgrades(tmp_path: Path) -> None:
    library = read(tmp_path, roster(force(GUARD), total=costs(cost("86.0"))))
    units = mapped_table(with_types(library.entries, ["Unit"]), {"cost_points": "pts"})
    assert units.rows == (("river_guard", "River Guard", 86),)
    assert units.notes == ("mine.ros: pts of the rows 86, left over 0: together the roster's 86",)


def test_a_row_leaves_out_what_has_a_row_of_its_own(tmp_path: Path) -> None:
    table = entry_table(read(tmp_path, roster(force(GUARD), total=costs(cost("86.0")))).entries)
    assert column(table, "pts") == [76, 10]
    assert column(table, "pts (own)") == [0, 10]
    assert column(table, "pts (whole)") == [86, 10]
    assert table.costs == ("pts", "pts (own)", "pts (whole)")
    assert table.notes[0] == "mine.ros: pts of the rows 86, left over 0: together the roster's 86"
    assert table.notes[1].endswith("pts (whole) has all, such as River Guard 86")


def test_what_is_in_no_row_is_left_over_and_named(tmp_path: Path) -> None:
    relics = [selection(f"Relic {n}", costs(cost(n))) for n in (1, 7, 3, 2)]
    text = roster(force(GUARD, *relics, inner=costs(cost(-5))), total=costs(cost(94)))
    table = entry_table(with_types(read(tmp_path, text).entries, ["Unit"]))
    told = "pts of the rows 86, left over 8 (Relic 7 7, Band -5, Relic 3 3 and 2 more): together the roster's 94"
    assert table.notes == (f"mine.ros: {told}",)


def test_a_total_that_does_not_add_up_is_told(tmp_path: Path) -> None:
    (note,) = entry_table(read(tmp_path, roster(force(GUARD), total=costs(cost(90)))).entries).notes[:1]
    assert note.endswith("together 86, but the roster says 90")
    (note,) = entry_table(read(tmp_path, roster(force(GUARD))).entries).notes[:1]
    assert note.endswith("together 86; the roster tells no total")


def test_several_kinds_of_costs_forces_and_rosters(tmp_path: Path) -> None:
    walker = selection("Walker", profile("Unit") + costs(cost("12.5"), cost("-1", "CP"), cost(0, "PL")))
    rider = selection("Rider", profile("Unit") + within(walker) + costs(cost("0.1")))
    nested = f'<force id="g" name="In"><forces>{force(rider)}</forces></force>'
    total = costs(cost("12.6"), cost("-1.0", "CP"), cost("0", "PL"))
    (tmp_path / "other.ros").write_text(roster(force(GUARD), total=costs(cost(86))), "utf-8")
    (tmp_path / "mine.ros").write_text(roster(nested, force(), total=total), "utf-8")
    library = read_battlescribe([tmp_path / "mine.ros", tmp_path / "other.ros"])
    assert library.notes == []  # the same profile in two units is no fault of a roster
    table = entry_table(library.entries)
    assert column(table, "pts") == [0.1, 12.5, 76, 10]
    assert column(table, "pts (whole)") == [12.6, 12.5, 86, 10]
    assert column(table, "CP") == [None, -1, None, None]
    assert [note.partition(": together")[2] for note in table.notes[:3]] == [
        " the roster's 12.6", " the roster's -1", " the roster's 86",
    ]  # fmt: skip


def test_a_second_profile_of_one_selection_costs_nothing_more(tmp_path: Path) -> None:
    twice = selection("Twin", profile("Unit", "A") + profile("Unit", "B") + costs(cost(40)))
    table = entry_table(read(tmp_path, roster(force(twice), total=costs(cost(40)))).entries)
    assert column(table, "profile") == ["A", "B"]
    assert column(table, "pts") == [40, None]
    assert any("1 row is a further profile" in note for note in table.notes)


def _grown(chance: random.Random, prices: list[Decimal], depth: int) -> str:
    """Return a selection with others below it; `prices` grows by the cost of each."""
    price = Decimal(chance.randrange(-30, 900)) / 10
    prices.append(price)
    inner = "".join(_grown(chance, prices, depth + 1) for _ in range(chance.randrange(3 if depth < 4 else 1)))
    kind = chance.choice(["", "", profile("Unit"), profile("Weapon"), profile("Unit") + profile("Rule")])
    return selection("S", f"{kind}{within(inner)}{costs(cost(price))}", chance.randrange(1, 9))


def test_rows_and_what_is_left_over_add_up_in_any_roster(tmp_path: Path) -> None:
    """200 rosters made at random, by a sum that knows nothing of rows: a twin that walks the tree it made."""
    chance = random.Random(42)
    for _ in range(200):
        prices: list[Decimal] = []
        body = roster(*(force(*(_grown(chance, prices, 0) for _ in range(chance.randrange(1, 4)))) for _ in range(2)))
        library = read(tmp_path, body)
        for types in ([], ["Unit"]):
            if not library.entries or (types and "Unit" not in library.profile_types):
                continue
            table = entry_table(with_types(library.entries, types))
            rows = sum(Decimal(str(cell)) for cell in column(table, "pts") if cell is not None)
            told = table.notes[0].partition("left over ")[2].split()[0].rstrip(":")
            assert rows + Decimal(told) == sum(prices)


@pytest.mark.parametrize(
    ("written", "number"), [("12.5", 12.5), ("12,5", 12.5), ("0.1", 0.1), ("33.333333333333336", 33.333333333333336)]
)
def test_fractions_stay_exact(tmp_path: Path, written: str, number: float) -> None:
    text = roster(force(selection("A", profile("Unit") + costs(cost(written)))), total=costs(cost(written)))
    table = mapped_table(read(tmp_path, text).entries, {"cost": "pts"})
    assert column(table, "cost") == [number]
    assert str(number) in table_bytes(table, ".csv").decode()
    assert any("holds fractions" in note for note in table.notes)


def test_how_to_make_fractions_whole(tmp_path: Path) -> None:
    some = [selection(f"S{n}", profile("Unit") + costs(cost(value))) for n, value in enumerate(("12.5", "0.25", "3"))]
    notes = mapped_table(read(tmp_path, roster(force(*some))).entries, {"cost": "pts"}).notes
    assert any("such as 12.5; where your game wants whole numbers, multiply every cost by 4" in note for note in notes)


def test_a_cost_that_is_no_number_is_told(tmp_path: Path) -> None:
    bad = ("ten", "1e400", "1.000,5")
    some = [selection(f"S{n}", profile("Unit") + costs(cost(text))) for n, text in enumerate(bad)]
    library = read(tmp_path, roster(force(*some)))
    notes = [note.partition("the cost ")[2].split(" of")[0] for note in library.notes if "the cost" in note]
    assert notes == [repr(text) for text in bad]
    assert all(entry.costs == {} for entry in library.entries)


# -- catalogues ------------------------------------------------------------------------------------------------------


def least(n: int) -> str:
    return f'<constraints><constraint type="min" field="selections" scope="parent" value="{n}.0"/></constraints>'


def entry(name: str, price: object, inner: str = "", tag: str = "selectionEntry", more: str = "") -> str:
    return f'<{tag} id="{name}" name="{name}" type="model"{more}>{inner}{costs(cost(price))}</{tag}>'


def held(*entries: str, tag: str = "selectionEntries") -> str:
    return f"<{tag}>{''.join(entries)}</{tag}>"


def link(target: str, inner: str = "", kind: str = "selectionEntry") -> str:
    return f'<entryLink id="to {target}" name="{target}" targetId="{target}" type="{kind}">{inner}</entryLink>'


def of_arms(default: str) -> str:
    options = held(entry("Sword", 3), entry("Axe", 2)) + held(link("Bow"), tag="entryLinks")
    more = f' defaultSelectionEntryId="{default}"' if default else ""
    return held(entry("Arms", 0, least(1) + options, "selectionEntryGroup", more), tag="selectionEntryGroups")


@pytest.mark.parametrize(
    ("inner", "complete"),
    [
        (held(entry("Guard", 12, least(5)), entry("Captain", 16, least(1)), entry("Banner", 20)), 76),
        (held(link("Bow", least(2)), tag="entryLinks"), 20),
        (held(link("Bow", least(1) + costs(cost(4))), tag="entryLinks"), 14),
        (of_arms("Sword"), 3),
        (of_arms("to Bow"), 10),
        (of_arms(""), 2),
        (held(entry("Guard", "1.5", least(3) + of_arms("Axe"))), 10.5),
        (held(link("Unit", least(1)), tag="entryLinks"), 0),
    ],
)  # fmt: skip
def test_what_an_entry_must_hold_is_priced_beside_it(tmp_path: Path, inner: str, complete: float) -> None:
    unit = entry("Unit", 0, profile("Unit") + inner)
    shared = held(entry("Bow", 10), tag="sharedSelectionEntries")
    library = read(tmp_path, f'<catalogue id="c" name="C">{held(unit)}{shared}</catalogue>', "a.cat")
    table = mapped_table(library.entries, {"cost": "pts"})
    assert column(table, "cost") == [0]
    full = entry_table(library.entries)
    if complete:
        assert column(full, "pts (as it comes)") == [complete]
        assert any(f"such as Unit: {complete} in all" in note for note in table.notes)
    else:
        assert "pts (as it comes)" not in full.headers
    (told,) = [note for note in library.notes if "what costs something and has no row" in note]
    assert "Bow (10 pts)" in told or "and 1 more" in told
