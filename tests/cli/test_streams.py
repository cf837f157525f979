"""Streams that fail keep their first error and drop the rest; what an encoding lacks is spelt plainly."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest
from typing_extensions import Buffer

from balance.cli.process.streams import Channel, _spell_plainly


class Failing(io.RawIOBase):
    """A file whose every write fails while it has a reason."""

    def __init__(self, number: int, why: int) -> None:
        self.number, self.why = number, why

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.number

    def write(self, data: Buffer, /) -> int:
        if self.why:
            raise OSError(self.why, os.strerror(self.why))
        return len(memoryview(data))


def lost(channel: Channel) -> int | None:
    return channel.write_error.errno if channel.write_error is not None else None


@pytest.fixture
def number(tmp_path: Path) -> int:
    return os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)


@pytest.mark.parametrize(("why", "kept"), [(errno.ENOSPC, errno.ENOSPC), (errno.EPIPE, None)])
def test_the_first_error_is_kept_unless_nobody_reads(why: int, kept: int | None, number: int) -> None:
    raw = Failing(number, why)
    channel = Channel(io.BufferedWriter(raw), "utf-8")
    assert lost(channel) is None
    assert channel.write("text") == 4
    channel.flush()
    assert lost(channel) == kept
    assert os.fstat(number).st_rdev == Path(os.devnull).stat().st_rdev  # nothing of it can reach the file any more
    raw.why = errno.EIO
    assert channel.write("more" * 10_000) == 40_000
    channel.flush()
    assert lost(channel) == (kept or errno.EIO)
    raw.why = 0  # so that what is left in the buffer has an end


def test_what_an_encoding_lacks_is_spelt_as_on_a_typewriter() -> None:
    text = "a\u2212b\u2013c\u00a0d\u00b1\u221e\u2588\u258c\u2500\u2265▁▂▃▄▅▆▇é"
    spelt = []
    for at, letter in enumerate(text):
        if not letter.isascii():
            plain, end = _spell_plainly(UnicodeEncodeError("ascii", text, at, at + 1, "no"))
            assert end == at + 1
            spelt.append(plain)
        else:
            spelt.append(letter)
    assert "".join(spelt) == "a-b-c d+-inf#:->=._-~=+*?"
    with pytest.raises(UnicodeDecodeError):
        _spell_plainly(UnicodeDecodeError("ascii", b"\xff", 0, 1, "no"))
