"""Finished blocks on disk: whole or not at all, checked, never counted twice."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import sleep

import numpy as np
import pytest

from balance.base.errors import OutputError
from balance.chance.pmf import Pmf
from balance.chance.trials.tally import Tally
from balance.engine.store import BlockStore, Expected, SharedStore, _digest, decode_tally, encode_tally, locked

STREAM = "ab" * 32


def tally(first: int, n_blocks: int = 1) -> Tally:
    return Tally(Pmf.of({(0, first): 3, (1, first): 10**15}, ["hit", "where"]), first, n_blocks)


def files(folder: Path) -> list[Path]:
    return sorted((folder / "blocks").rglob("*.json"))


def test_what_is_kept_comes_back_exactly(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    for first in (2, 0, 1):
        store.add(STREAM, tally(first))
    back = store.ranges(STREAM)
    assert [t.first_block for t in back] == [0, 1, 2]
    assert np.array_equal(back[1].counts.weights, tally(1).counts.weights)
    assert back[1].counts == tally(1).counts


def test_nothing_is_kept_of_a_stream_never_seen(tmp_path: Path) -> None:
    assert BlockStore(tmp_path).ranges(STREAM) == []


@pytest.mark.parametrize("damage", ["cut", "flipped", "other stream", "empty", "not json", "list"])
def test_a_damaged_file_is_set_aside_and_its_blocks_run_again(tmp_path: Path, damage: str) -> None:
    store = BlockStore(tmp_path)
    store.add(STREAM, tally(0))
    store.add(STREAM, tally(1))
    path = files(tmp_path)[0]
    content = path.read_bytes()
    path.write_bytes(
        {
            "cut": content[:-20],
            "flipped": content.replace(b"1000000000000000", b"1000000000000001"),
            "other stream": encode_tally("cd" * 32, tally(0)),
            "empty": b"",
            "not json": b"\xff\xfe\x00",
            "list": b"[]",
        }[damage]
    )
    with pytest.warns(UserWarning, match="set aside"):
        assert [t.first_block for t in store.ranges(STREAM)] == [1]
    assert len(list((tmp_path / "damaged").iterdir())) == 1
    assert [t.first_block for t in store.ranges(STREAM)] == [1]


def test_a_file_names_its_own_checksum() -> None:
    body = json.loads(encode_tally(STREAM, tally(0)))
    assert len(body["sha256"]) == 64
    assert decode_tally(STREAM, encode_tally(STREAM, tally(0))).n_trials == tally(0).n_trials


@pytest.mark.skipif(os.name != "posix", reason="/dev/full is a POSIX device")
def test_a_full_disk_is_a_clear_error_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = BlockStore(tmp_path)
    store.add(STREAM, tally(0))

    def no_space(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OutputError, match="no space left"):
        store.add(STREAM, tally(1))
    assert [t.first_block for t in store.ranges(STREAM)] == [0]
    assert [path.name for path in files(tmp_path)] == [p.name for p in files(tmp_path) if not p.name.startswith(".")]
    assert not [path for path in tmp_path.rglob(".*json*") if path.is_file()]


@pytest.mark.slow("test_who_waits_for_a_folder_gets_it_when_it_is_let_go")
def test_a_folder_at_work_is_refused_to_another_process(tmp_path: Path) -> None:
    code = (
        f"from pathlib import Path; from balance.engine.store import locked\nwith locked(Path({str(tmp_path)!r})): pass"
    )
    with locked(tmp_path):
        second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert second.returncode != 0
    assert "another run is at work" in second.stderr
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_thing_wrong_with_a_file_is_told() -> None:
    """One that was written whole, but by something else: its checksum is right."""
    body = json.loads(encode_tally("stream", tally(0)))
    del body["sha256"]
    wrong = body | {"n_blocks": "many", "first_block": None, "counts": "none"}
    content = json.dumps(wrong | {"sha256": _digest(wrong)}).encode()
    with pytest.raises(ValueError, match=r"^first_block: "):
        decode_tally("stream", content)


# -- the very files, and every way to be wrong -------------------------------------------------------------------------


def test_a_file_of_blocks_is_one_line_of_json_in_its_place(tmp_path: Path) -> None:
    """A contract: blocks kept by an earlier version are found again."""
    BlockStore(tmp_path).add("abcd", tally(3, 2))
    body = (
        '{"schema":1,"stream":"abcd","first_block":3,"n_blocks":2,"columns":["hit","where"],'
        '"outcomes":[[0,3],[1,3]],"counts":[3,1000000000000000]'
    )
    written = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in files(tmp_path)}
    told = "c" * 64
    assert {name: text[: -len(told) - 2] for name, text in written.items()} == {
        "blocks/ab/abcd/00000003-00000004.json": f'{body},"sha256":"'
    }
    in_order = json.dumps(json.loads(f"{body}}}"), sort_keys=True, separators=(",", ":"))
    assert json.loads(*written.values())["sha256"] == hashlib.sha256(in_order.encode()).hexdigest()


def test_ranges_come_by_first_block_and_the_longest_of_them_first(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    for first, n_blocks in ((4, 1), (0, 1), (4, 12), (0, 4), (4, 3)):
        store.add(STREAM, tally(first, n_blocks))
    assert [(t.first_block, t.n_blocks) for t in store.ranges(STREAM)] == [(0, 4), (0, 1), (4, 12), (4, 3), (4, 1)]


def test_a_damaged_file_is_named_and_moved_with_its_stream(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    store.add("abcd", tally(0))
    files(tmp_path)[0].write_bytes(b"[]")
    with pytest.warns(UserWarning) as told:
        store.ranges("abcd")
    words = "00000000-00000000.json is damaged (its checksum does not match); set aside, its blocks run again"
    assert [str(one.message) for one in told] == [words]
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json")] == [
        "damaged/abcd-00000000-00000000.json"
    ]


def test_a_file_that_cannot_be_moved_is_told_and_not_counted(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    store.add("abcd", tally(0))
    files(tmp_path)[0].write_bytes(b"[]")
    (tmp_path / "damaged").write_text("a file")
    with pytest.warns(UserWarning, match="its checksum does not match"):
        assert store.ranges("abcd") == []


def test_a_file_larger_than_any_of_ours_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = BlockStore(tmp_path)
    store.add("abcd", tally(0))
    size = files(tmp_path)[0].stat().st_size
    monkeypatch.setattr("balance.engine.store.MOST_BLOCK_BYTES", size)
    assert len(store.ranges("abcd")) == 1
    monkeypatch.setattr("balance.engine.store.MOST_BLOCK_BYTES", size - 1)
    with pytest.warns(UserWarning, match="it is larger than"):
        assert store.ranges("abcd") == []


def test_only_what_is_expected_of_a_stream_is_taken(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    store.add("abcd", Tally(Pmf.of({0: 3, 1: 1}, "hit"), 0, 2))
    assert len(store.ranges("abcd", Expected({"hit": (0, 1)}, 2))) == 1
    with pytest.warns(UserWarning, match=r"^00000000-00000001.json is damaged \(it does not hold 3 trials in each"):
        assert store.ranges("abcd", Expected({"hit": (0, 1)}, 3)) == []


HITS = Tally(Pmf.of({0: 3, 2: 1}, "hit"), 5, 2)
CHANCES = Tally(Pmf.from_rows(["hit", "kind"], [[0, 0], [0, 1], [1, 0]], [0.25, 0.75, 1.0]), 0, 1)


@pytest.mark.parametrize(
    ("expected", "found", "words"),
    [
        (Expected({"hit": (2, 1, 0)}, 2), HITS, ""),
        (Expected({"hit": (2, 1, 0)}, 4), HITS, "it does not hold 4 trials in each block"),
        (Expected({"hit": (2, 1, 0)}, 1000), HITS, "it does not hold 1,000 trials in each block"),
        (Expected({"hit": (1, 0)}, 2), HITS, "its column hit holds other values than 0, 1"),
        (Expected({"hit": (2, 1, 0), "at": (0,)}, 2), HITS, "its columns are not hit, at"),
        (Expected({"hit": (2, 1, 0)}), HITS, "its chances do not add up to 1"),
        (Expected({"hit": (0, 1), "kind": (0, 1)}), CHANCES, ""),
        (Expected({"hit": (0, 1, 2), "kind": (0, 1)}), CHANCES, "its chances do not add up to 1"),
        (Expected({"hit": (0, 1), "kind": (0, 2)}), CHANCES, "its column kind holds other values than 0, 2"),
        (Expected({"hit": (0, 1), "kind": (0, 1)}, 2), CHANCES, "it does not hold 2 trials in each block"),
        (Expected({"hit": (0, 1), "kind": (0, 1)}), Tally(CHANCES.counts, 1, 1), "its chances do not add up to 1"),
        (Expected({"hit": (0, 1), "kind": (0, 1)}), Tally(CHANCES.counts, 0, 2), "its chances do not add up to 1"),
    ],
)
def test_what_a_stream_cannot_hold_is_told(expected: Expected, found: Tally, words: str) -> None:
    if not words:
        expected.check(found)
        return
    with pytest.raises(ValueError, match=f"^{words}$"):
        expected.check(found)


def test_chances_may_be_off_by_a_millionth() -> None:
    for off, fits in ((0.9e-6, True), (1.2e-6, False)):
        found = Tally(Pmf.from_rows(["hit"], [[0], [1]], [1.0, 1.0 - off]), 0, 1)
        if fits:
            Expected({"hit": (0, 1)}).check(found)
        else:
            with pytest.raises(ValueError, match="do not add up"):
                Expected({"hit": (0, 1)}).check(found)


BODY: dict[str, object] = {
    "schema": 1, "stream": "s", "first_block": 0, "n_blocks": 1, "columns": ["hit"], "outcomes": [[0], [1]],
    "counts": [1, 2],
}  # fmt: skip
FAR = 2**53


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"first_block": FAR - 1},
        {"n_blocks": FAR - 1},
        {"outcomes": [[-FAR], [FAR]]},
        {"counts": [0.5, 0.5]},
        {"counts": [1e-300, 1.0]},
    ],
)
def test_what_can_be_is_read(change: dict[str, object]) -> None:
    body = BODY | change
    found = decode_tally("s", json.dumps(body | {"sha256": _digest(body)}).encode())
    assert (found.first_block, found.n_blocks) == (body["first_block"], body["n_blocks"])
    assert (found.counts.outcomes.tolist(), found.counts.weights.tolist()) == (body["outcomes"], body["counts"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 2}, "schema: Input should be 1"),
        ({"schema": 0}, "schema: Input should be 1"),
        ({"first_block": -1}, "first_block: Input should be greater than or equal to 0"),
        ({"first_block": FAR}, f"first_block: Input should be less than {FAR}"),
        ({"first_block": 0.0}, "first_block: Input should be a valid integer"),
        ({"n_blocks": 0}, "n_blocks: Input should be greater than or equal to 1"),
        ({"n_blocks": FAR}, f"n_blocks: Input should be less than {FAR}"),
        ({"columns": []}, "columns: List should have at least 1 item after validation, not 0"),
        ({"outcomes": [[-FAR - 1], [1]]}, f"outcomes.0.0: Input should be greater than or equal to {-FAR}"),
        ({"outcomes": [[0], [FAR + 1]]}, f"outcomes.1.0: Input should be less than or equal to {FAR}"),
        ({"counts": [1, 0]}, "counts.1."),
        ({"counts": [0.0, 0.5]}, "counts.0."),
        ({"counts": [float("inf"), 1.0]}, "counts.0."),
        ({"more": 1}, "more: Extra inputs are not permitted"),
        ({"stream": "other"}, "it belongs to another task"),
        ({"counts": [1, 2, 3]}, "cannot reshape array of size 2"),
    ],
)
def test_what_cannot_be_is_told_and_not_read(change: dict[str, object], words: str) -> None:
    body = BODY | change
    with pytest.raises(ValueError) as told:
        decode_tally("s", json.dumps(body | {"sha256": _digest(body)}).encode())
    assert str(told.value).startswith(words)


def test_a_content_that_cannot_be_a_tally_is_told_in_two_hundred_characters() -> None:
    with pytest.raises(ValueError, match=r"^maximum recursion depth exceeded"):
        decode_tally("s", b"[" * 100_000)
    body = BODY | {"columns": ["x" * 300, "x" * 300], "outcomes": [[0, 0], [1, 1]]}
    with pytest.raises(ValueError) as told:
        decode_tally("s", json.dumps(body | {"sha256": _digest(body)}).encode())
    assert len(str(told.value)) == 200


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    store.add(STREAM, tally(0))
    home = files(tmp_path)[0].parent
    for name in (".00000001-00000001.json.x.part", "note.part", ".hidden"):
        (home / name).write_text("half")
    (tmp_path / ".x.part").write_text("not ours")
    store.sweep()
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        ".hidden", ".x.part", "00000000-00000000.json", "note.part"
    ]  # fmt: skip


def test_a_cache_that_cannot_be_written_is_given_up_with_one_warning(tmp_path: Path) -> None:
    (tmp_path / "blocks").write_text("a file")
    store = SharedStore(tmp_path)
    with pytest.warns(UserWarning) as told:
        store.add("abcd", tally(0))
        store.add("abcd", tally(1))
    assert [one.filename for one in told] == [__file__]
    assert str(told[0].message).startswith("the cache is not used any more: ")
    assert str(tmp_path / "blocks") in str(told[0].message)
    (tmp_path / "blocks").unlink()
    store.add("abcd", tally(0))
    assert files(tmp_path) == []
    fresh = SharedStore(tmp_path)
    fresh.add("abcd", tally(0))
    assert len(fresh.ranges("abcd")) == 1


def test_a_folder_is_made_held_and_let_go(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "mine"
    with locked(folder), pytest.raises(OutputError) as told, locked(folder):
        pass
    assert str(told.value) == f"another run is at work in {folder}; wait for it, or choose another folder"
    with suppress(ZeroDivisionError), locked(folder):
        raise ZeroDivisionError
    with locked(folder, wait=True):
        assert folder.is_dir()


def test_who_waits_for_a_folder_gets_it_when_it_is_let_go(tmp_path: Path) -> None:
    held, seen = Event(), list[str]()

    def other() -> None:
        with locked(tmp_path):
            held.set()
            sleep(0.15)
            seen.append("let go")

    thread = Thread(target=other)
    thread.start()
    held.wait(5)
    with locked(tmp_path, wait=True):
        seen.append("had it")
    thread.join()
    assert seen == ["let go", "had it"]


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "run"
    with pytest.raises(OutputError) as told, locked(folder):
        pass
    assert str(told.value) == f"cannot write in {folder}: Not a directory; choose another folder"
