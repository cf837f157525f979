"""Names and files that others chose: what is taken, and the line that refuses the rest."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from balance.base import foreign
from balance.base.foreign import is_file_name, lies_in, read_at_most, show_bytes
from balance.catalogue.toml_model import FileName

SOUND = [
    "duels",
    "a",
    "a.b",
    "x-1+2_3.csv",
    "Größe",
    "console",
    "com10",
    "com",
    "nul_",
    "lpt",
    "a" * 120,
    "é" * 60,
    "_",
]
NONE_ON_EVERY_SYSTEM = ["", ".", "..", ".ssh", "a.", "a/b", "a\\b", "-a", "+a", "a b", "a:b", "a\n", "a\0", "a*"]
DEVICES = ["con", "CON", "prn", "aux", "nul", "nul.csv", "com0", "Com9", "lpt1.tar.gz", "com¹", "lpt³"]
TOO_LONG = ["a" * 121, "é" * 61]


@pytest.mark.parametrize("name", SOUND)
def test_a_plain_name_can_be_that_of_a_file(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize("name", [*NONE_ON_EVERY_SYSTEM, *DEVICES, *TOO_LONG])
def test_a_name_that_means_something_else_on_some_system_is_none(name: str) -> None:
    assert not is_file_name(name)


def test_a_text_of_half_a_character_is_no_name_and_no_error() -> None:
    assert not is_file_name("\ud800")


def test_a_model_refuses_such_a_name_in_words() -> None:
    class Page(BaseModel):
        file: FileName

    assert Page(file="duels").file == "duels"
    with pytest.raises(ValidationError) as caught:
        Page(file="../" + "x" * 60)
    (found,) = caught.value.errors()
    expected = f"'../{'x' * 37}' is no plain name of a file: letters, digits, _ - + and points inside"
    assert found["msg"] == f"Value error, {expected}"


def test_a_path_lies_in_a_folder_that_holds_it_once_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    (tmp_path / "alias").symlink_to(tmp_path / "in")
    assert lies_in(tmp_path / "in" / "a", tmp_path / "in")
    assert lies_in(tmp_path / "in" / "a", tmp_path / "alias")
    assert lies_in(tmp_path / "in", tmp_path / "in")
    assert not lies_in(tmp_path / "in" / "link" / "a", tmp_path / "in")
    assert not lies_in(tmp_path / "inner", tmp_path / "in")


@pytest.mark.parametrize("piece", [1, 3, 4, 5, 2**20])
def test_a_file_is_read_whole_up_to_the_limit_and_refused_beyond(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "PIECE", piece)
    path = tmp_path / "four"
    path.write_bytes(b"four")
    assert [read_at_most(path, most) for most in (4, 5, 10**9)] == [b"four"] * 3
    for most in (0, 3):
        with pytest.raises(OSError, match=f"it is larger than {most} bytes") as caught:
            read_at_most(path, most)
        assert caught.value.errno == errno.EFBIG
    (tmp_path / "none").touch()
    assert read_at_most(tmp_path / "none", 0) == b""


def test_no_more_than_a_piece_is_asked_for_at_once_nor_anything_of_a_file_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()
    opened = Path.open

    class Watched:
        def __init__(self, file: object) -> None:
            self.file = file

        def __enter__(self) -> Watched:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> object:
            return getattr(self.file, name)

        def read(self, size: int) -> bytes:
            asked.append(size)
            return bytes(self.file.read(size))  # type: ignore[attr-defined]

    monkeypatch.setattr(Path, "open", lambda self, mode: Watched(opened(self, mode)))
    (tmp_path / "ten").write_bytes(b"0123456789")
    assert read_at_most(tmp_path / "ten", 10) == b"0123456789"
    assert asked == [2**20, 2**20]
    with pytest.raises(OSError, match="larger"):
        read_at_most(tmp_path / "ten", 9)
    assert asked == [2**20, 2**20]


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_pipe_is_read_where_the_shell_hands_it_over_and_refused_elsewhere(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is no ordinary file") as caught:
        read_at_most(tmp_path / "pipe", 10)
    assert caught.value.errno == errno.EINVAL
    with pytest.raises(OSError, match="it is no ordinary file"):
        read_at_most(Path("/dev/zero"), 10)
    for n, most in ((5, 5), (5, 9), (5, 4)):
        reader, writer = os.pipe()
        os.write(writer, b"x" * n)
        os.close(writer)
        try:
            if most >= n:
                assert read_at_most(Path(f"/dev/fd/{reader}"), most) == b"x" * n
            else:
                with pytest.raises(OSError, match="it is larger than 4 bytes"):
                    read_at_most(Path(f"/dev/fd/{reader}"), most)
        finally:
            os.close(reader)


def test_a_folder_and_what_is_not_there_are_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_at_most(tmp_path, 10)
    with pytest.raises(FileNotFoundError):
        read_at_most(tmp_path / "none", 10)


@pytest.mark.parametrize(
    ("n", "text"),
    [(0, "0 bytes"), (2**20 - 1, "1048575 bytes"), (2**20, "1 MB"), (2**21 - 1, "1 MB"), (2**25, "32 MB")],
)
def test_a_size_is_told_in_bytes_up_to_a_megabyte(n: int, text: str) -> None:
    assert show_bytes(n) == text
