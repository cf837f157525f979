from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from balance.base.errors import OutputError, UsageError
from balance.reporting import Attachment, Document, Paragraph, Section, write_report
from balance.reporting.page.report_files import draw_report

DOCUMENT = Document("Fair?", "", (Paragraph("Yes."),))


def test_both_files_are_written_in_a_folder_made_for_them(tmp_path: Path) -> None:
    paths = write_report(DOCUMENT, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["index.html", "report.pdf"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["index.html", "report.pdf"]


def test_files_are_readable_by_others_as_usual(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        (path,) = write_report(DOCUMENT, tmp_path, ["html"])
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    blocked = tmp_path / "taken"
    blocked.write_text("mine")
    with pytest.raises(OutputError, match=r"taken.*cannot be written"):
        write_report(DOCUMENT, blocked)
    assert blocked.read_text() == "mine"


def test_a_full_disk_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = write_report(DOCUMENT, tmp_path, ["html"])
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"index\.html: cannot be written: no space left") as caught:
        write_report(Document("Other", "", ()), tmp_path, ["html"])
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["index.html"]
    assert caught.value.faults[0].tip


def test_a_report_that_cannot_be_drawn_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Document) -> bytes:
        raise RuntimeError

    monkeypatch.setattr("balance.reporting.page.pdf.render_pdf", fail)
    with pytest.raises(RuntimeError):
        write_report(DOCUMENT, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("formats", "says"),
    [
        (["docx"], "'docx' is not a report format; allowed: html, pdf"),
        ([], "no report format was asked for; allowed: html, pdf"),
        (
            ["html", "PDF", "x"],
            "'PDF' is not a report format; allowed: html, pdf\n'x' is not a report format; allowed: html, pdf",
        ),
    ],
)
def test_an_unknown_format_is_refused(tmp_path: Path, formats: list[str], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        write_report(DOCUMENT, tmp_path, formats)
    assert str(caught.value) == says
    assert list(tmp_path.iterdir()) == []


def test_a_format_asked_for_twice_is_drawn_once_and_files_are_attached_wherever_they_stand() -> None:
    one, two = Attachment("one.csv", b"1", "x"), Attachment("two.csv", b"2", "x")
    blocks = (one, Section("A", "a", (Paragraph("x"), Section("B", "b", (two,)))))
    drawn = draw_report(Document("t", "", blocks), ["html", "html"])
    assert [name for name, _ in drawn] == ["index.html", "one.csv", "two.csv"]
    assert [content for _, content in drawn[1:]] == [b"1", b"2"]
    assert drawn[0][1].startswith(b"<!DOCTYPE html>")
