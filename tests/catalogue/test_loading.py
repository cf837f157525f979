"""A folder becomes a catalogue: what it holds, what tells it apart, and which folder was meant."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import pickle
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError, Fault
from balance.base.files import SWITCH
from balance.catalogue import TableSpec, check_folder, load_catalogue, load_table
from balance.catalogue import loading as module
from balance.catalogue.tables import cross_checks

from .toy import SOURCES, SPEC, UNITS, Constants, ToyRules, Unit, told, write

CONTENT = {
    "game": "toy",
    "rules_version": "1.2",
    "tables": {
        "units": [
            {
                "id": "long_rider",
                "name": "Long Rider",
                "class": "horse",
                "move": 12,
                "skills": ["long_bow", "web"],
                "share": 0.25,
                "limit": None,
                "brave": True,
            },
            {
                "id": "guard",
                "name": "The Guard, old",
                "class": "foot",
                "move": 3,
                "skills": [],
                "share": 0.5,
                "limit": 7,
                "brave": False,
            },
        ]
    },
    "rules": {"faces": "0-9", "friendly": True},
    "switches": [
        {
            "name": "faces",
            "allowed": ("1-10", "0-9"),
            "ambiguity": "Does a ten-sided die show a 0?",
            "level": "A",
            "meaning": "What the die shows, told in exactly fifty-six characters",
            "readings": (
                ("1-10", "A sentence of sixty characters is written in a single line.."),
                ("0-9", "A sentence of sixty-one characters is wrapped in its own cell"),
            ),
        },
        {
            "name": "friendly",
            "allowed": ("false", "true"),
            "ambiguity": "May one hit one's own?",
            "level": "C",
            "meaning": "Whom a shot may hit.",
            "readings": (("false", "Only the other side."), ("true", "Everybody.")),
        },
    ],
    "constants": {"rounds": 8, "motto": '=1+1 is "2"', "dice": {"faces": 10, "keep": [5, 6]}},
    "sources": [
        dict(zip(("table", "id", "field", "status", "where"), row.split(","), strict=True))
        for row in SOURCES.splitlines()[1:]
    ],
}


def test_a_catalogue_is_its_content_and_told_apart_by_it(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, str(write(tmp_path / "here")))
    assert catalogue.content == CONTENT
    text = json.dumps(CONTENT, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert catalogue.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert hash(catalogue) == hash(catalogue.sha256)
    elsewhere = load_catalogue(SPEC, write(tmp_path / "there"))
    assert elsewhere == catalogue and elsewhere.sha256 == catalogue.sha256
    assert (catalogue.path, elsewhere.path) == (tmp_path / "here", tmp_path / "there")
    assert repr(catalogue) == f"<catalogue of toy: 2 entries in 1 tables, {catalogue.sha256[:12]}>"
    assert dataclasses.replace(catalogue, sources=()) != catalogue


def test_letters_of_every_alphabet_are_told_apart_by_their_own_bytes(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path, units=UNITS.replace("Long Rider", "Größe")))
    text = json.dumps(catalogue.content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert "Größe" in text
    assert catalogue.sha256 == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_it_crosses_process_borders_whole(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path))
    again = pickle.loads(pickle.dumps(catalogue))
    assert again == catalogue
    for field in dataclasses.fields(catalogue):
        if field.name != "spec":
            assert getattr(again, field.name) == getattr(catalogue, field.name), field.name
    assert again.spec.game == "toy"


def test_entries_are_found_by_record_by_id_and_by_name(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path))
    assert catalogue.entries(Unit) is catalogue.tables["units"]
    assert catalogue.find("units", "Long Rider") is catalogue.tables["units"]["long_rider"]
    with pytest.raises(CatalogueError) as caught:
        catalogue.find("units", "gard", "ATTACKER")
    line = "'gard' is not in units; allowed: long_rider, guard; did you mean guard?"
    assert str(caught.value) == f"ATTACKER: {line}"
    with pytest.raises(CatalogueError) as caught:
        catalogue.find("units", "gard")
    assert str(caught.value) == line
    with pytest.raises(StopIteration):
        catalogue.entries(ToyRules)
    with pytest.raises(KeyError):
        catalogue.find("weapons", "guard")


def test_a_check_over_several_entries_names_file_and_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    units = "id,name,class,move,skills\na,A,foot,50,\nb,B,foot,60,bow\nc,C,foot,*,web\nd,D,foot,49,\n"
    write(tmp_path, units=units, SOURCES="")
    (tmp_path / "SOURCES.csv").unlink()
    expected = [
        "units.csv, row 2, move: '50' is too fast for a unit without a bow",
        "units.csv, row 4, move: '99' is too fast for a unit without a bow",
    ]
    assert told(check_folder(SPEC, tmp_path), tmp_path) == expected
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(SPEC, tmp_path)
    assert told(caught.value.faults, tmp_path) == expected
    monkeypatch.setattr(cross_checks, "MOST_FAULTS", 1)
    assert told(check_folder(SPEC, tmp_path), tmp_path) == expected[:1]


def test_a_check_about_an_entry_that_is_none_names_the_file(tmp_path: Path) -> None:
    spec = dataclasses.replace(SPEC, cross_checks=(lambda tables: [("units", "nobody", Fault("is missing"))],))
    assert told(check_folder(spec, write(tmp_path)), tmp_path) == ["units.csv: is missing"]


def test_every_file_is_looked_at_before_anything_is_told(tmp_path: Path) -> None:
    write(tmp_path, rules="x", SOURCES="x;")
    (tmp_path / "units.csv").unlink()
    assert told(check_folder(SPEC, tmp_path), tmp_path)[0] == "units.csv: there is no such file"
    (tmp_path / "unitss.csv").write_text("")
    faults = told(check_folder(SPEC, tmp_path), tmp_path)
    assert faults[0] == "units.csv: there is no such file; is unitss.csv meant?"
    assert faults[1].startswith("rules.toml: the file is not TOML (")
    assert faults[2].startswith("SOURCES.csv, row 1, header: 'x' is not a column of this table; ")
    assert [line.split(": ")[0] for line in faults[3:]] == [
        f"SOURCES.csv, row 1, {name}" for name in ("table", "id", "field", "status", "where")
    ]
    write(tmp_path, SOURCES="table,id\n")
    missing = ("field", "where")
    assert [line for line in told(check_folder(SPEC, tmp_path), tmp_path) if line.endswith("1 to 80 characters")] == [
        f"SOURCES.csv, row 1, {name}: the column is missing; allowed: a text of 1 to 80 characters" for name in missing
    ]
    write(tmp_path, SOURCES="\n")
    assert told(check_folder(SPEC, tmp_path), tmp_path) == ["SOURCES.csv: the file is empty"]


def test_a_catalogue_needs_no_sources(tmp_path: Path) -> None:
    (write(tmp_path) / "SOURCES.csv").unlink()
    assert check_folder(SPEC, tmp_path) == []
    assert load_catalogue(SPEC, tmp_path).sources == ()


def test_a_set_that_a_kill_left_half_moved_is_read_as_the_new_one(tmp_path: Path) -> None:
    (write(tmp_path) / "SOURCES.csv").unlink()
    write(tmp_path / SWITCH, units=UNITS.replace("12", "13"))
    (tmp_path / SWITCH / "rules.toml").unlink()
    catalogue = load_catalogue(SPEC, tmp_path)
    assert (catalogue.entries(Unit)["long_rider"].move, len(catalogue.sources)) == (13, 4)
    assert not (tmp_path / SWITCH).exists()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder `home` with `data/toy` and `mine/other`, a catalogue each, and an empty `data/empty`."""
    write(tmp_path / "home" / "data" / "toy")
    write(tmp_path / "home" / "mine" / "other")
    (tmp_path / "home" / "data" / "empty").mkdir()
    (tmp_path / "home" / "dato").touch()
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("data/tyo", "data/tyo: there is no such folder; is data/toy meant?"),
        ("data", "data: holds no catalogue; is data/toy meant?"),
        ("data/empty", "data/empty: holds no catalogue; is data/toy meant?"),
        ("daat/toy", "daat/toy: there is no such folder; is data/toy meant?"),
        ("minn/other", "minn/other: there is no such folder; is mine/other meant?"),
        ("dato/toy", "dato/toy: there is no such folder; is data/toy meant?"),
        ("nowhere/else", "nowhere/else: there is no such folder"),
        ("mine", "mine/units.csv: there is no such file"),
    ],
)
def test_which_folder_is_meant(asked: str, line: str, home: Path) -> None:
    assert told(check_folder(SPEC, home / asked), home)[0] == line


def test_a_folder_whose_only_rules_are_missing_is_not_told_to_be_itself(home: Path) -> None:
    (home / "data" / "toy" / "rules.toml").unlink()
    assert told(check_folder(SPEC, home / "data" / "toy"), home)[:1] == ["data/toy/rules.toml: there is no such file"]
    (home / "data" / "toy" / "rules.toml").mkdir()
    faults = told(check_folder(SPEC, home / "data" / "empty"), home)
    assert faults[:2] == [
        "data/empty/units.csv: there is no such file",
        "data/empty/rules.toml: there is no such file",
    ]


def test_a_folder_named_alone_is_told_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "data")
    assert [str(fault) for fault in check_folder(SPEC, "tyo")] == ["tyo: there is no such folder; is toy meant?"]


@pytest.mark.parametrize(("writes", "reads"), [(0, 1), (1, 2), (4, 5), (9, 5)])
def test_a_folder_that_is_written_to_meanwhile_is_read_again(
    writes: int, reads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    read, done = module.read_inputs, list[int]()

    def disturbed(*args: object) -> object:
        inputs = read(*args)  # type: ignore[arg-type]
        done.append(1)
        if len(done) <= writes:
            (tmp_path / "units.csv").write_text(UNITS.replace("12", str(20 + len(done))) + "\n" * len(done))
        return inputs

    monkeypatch.setattr(module, "read_inputs", disturbed)
    catalogue = load_catalogue(SPEC, tmp_path)
    assert len(done) == reads
    last = min(writes, reads - 1)
    assert catalogue.entries(Unit)["long_rider"].move == (20 + last if last else 12)


def test_a_file_is_told_from_another_by_its_place_its_time_and_its_size(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("one")
    os.utime(path, ns=(5, 7))
    ((node, when, size), none) = module._stamps(tmp_path, ["a", "b"])  # type: ignore[misc]
    assert (node, when, size, none) == (path.stat().st_ino, 7, 3, None)


def test_a_table_beside_a_catalogue_is_read_alone_or_refused(tmp_path: Path) -> None:
    write(tmp_path)
    assert list(load_table(TableSpec("units", "units.csv", Unit), str(tmp_path))) == ["long_rider", "guard"]
    write(tmp_path, units=UNITS.replace("Long Rider", "").replace("0.25", "x"))
    with pytest.raises(CatalogueError) as caught:
        load_table(TableSpec("units", "units.csv", Unit), tmp_path)
    assert told(caught.value.faults, tmp_path) == [
        "units.csv, row 2, name: is empty; allowed: a text of 1 to 80 characters",
        "units.csv, row 2, share: 'x' is not a number; allowed: a number from 0 to 1",
    ]


def test_constants_are_those_of_the_record(tmp_path: Path) -> None:
    assert isinstance(load_catalogue(SPEC, write(tmp_path)).constants, Constants)


def age(folder: Path, seconds_since_1970: float = 1e9) -> None:
    """Let all files of a folder be old."""
    for path in folder.iterdir():
        os.utime(path, (seconds_since_1970, seconds_since_1970))


def test_what_did_not_change_is_read_once(tmp_path: Path) -> None:
    write(tmp_path)
    age(tmp_path)
    catalogue = load_catalogue(SPEC, tmp_path)
    assert load_catalogue(SPEC, tmp_path) is catalogue
    assert load_catalogue(dataclasses.replace(SPEC, game="other"), tmp_path).game == "other"
    module.forget_catalogues()
    again = load_catalogue(SPEC, tmp_path)
    assert again is not catalogue and again.sha256 == catalogue.sha256


def test_what_was_just_written_is_read_anew(tmp_path: Path) -> None:
    """A file of the same size may be written twice within one tick of the clock."""
    write(tmp_path)
    units, times = tmp_path / "units.csv", (tmp_path / "units.csv").stat()
    before = load_catalogue(SPEC, tmp_path)
    units.write_text(units.read_text("utf-8").replace("Long Rider", "Long Ridor"), "utf-8")
    os.utime(units, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert load_catalogue(SPEC, tmp_path).tables["units"] != before.tables["units"]


def test_a_changed_file_is_read_anew_and_kept_catalogues_are_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
        write(folder)
        age(folder)
    before = [load_catalogue(SPEC, folder) for folder in folders]
    assert all(load_catalogue(SPEC, folder) is kept for folder, kept in zip(folders[1:], before[1:], strict=True))
    assert load_catalogue(SPEC, folders[0]) is not before[0]
    age(folders[2], 1.1e9)
    assert load_catalogue(SPEC, folders[2]) is not before[2]
