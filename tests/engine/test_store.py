"""Finished blocks on disk: whole or not at all, checked, never counted twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from balance.core.tally import Tally
from balance.engine.store import BlockStore, _digest, decode_tally, encode_tally, locked
from balance.errors import OutputError
from balance.pmf import Pmf

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
