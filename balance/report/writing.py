"""A report on disk: each file appears whole or not at all.

A file is first written beside its place under a temporary name, forced to disk and then renamed over it, so a full disk
or an interruption leaves what was there before.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from balance.errors import Fault, OutputError, UsageError
from balance.report.document import Document

__all__ = ["FORMATS", "write_report", "write_whole"]


def _html(document: Document) -> bytes:
    from balance.report.html import render_html

    return render_html(document).encode()


def _pdf(document: Document) -> bytes:
    from balance.report.pdf import render_pdf

    return render_pdf(document)


_WRITERS: dict[str, tuple[str, Callable[[Document], bytes]]] = {
    "html": ("index.html", _html),
    "pdf": ("report.pdf", _pdf),
}
FORMATS = tuple(_WRITERS)


def write_report(
    document: Document, folder: str | os.PathLike[str], formats: Sequence[str] = FORMATS
) -> tuple[Path, ...]:
    """Write ``index.html`` and ``report.pdf`` into a folder, made if need be, and return their paths.

    All formats are drawn before the first byte is written.

    Raises
    ------
    UsageError
        No format, or one we cannot write.
    OutputError
        The folder or a file cannot be written; what was there before still is.

    Examples
    --------
    >>> import tempfile
    >>> from balance.report.document import Document, Paragraph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_report(Document("Fair?", "", (Paragraph("Yes."),)), folder, ["html"])]
    ['index.html']
    """
    unknown = [name for name in formats if name not in _WRITERS]
    if unknown or not formats:
        faults = [Fault("is not a report format", found=name, allowed=", ".join(FORMATS)) for name in unknown]
        raise UsageError(faults or f"no report format was asked for; allowed: {', '.join(FORMATS)}")
    wanted = [_WRITERS[name] for name in dict.fromkeys(formats)]
    drawn = [(Path(folder) / name, draw(document)) for name, draw in wanted]
    for path, content in drawn:
        write_whole(path, content)
    return tuple(path for path, _ in drawn)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    OutputError
        It cannot be written: a folder that is a file, no permission, no space left.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        tip = "choose another folder with --out, or free some space"
        raise OutputError(Fault(f"cannot be written: {reason}", path=str(path), tip=tip)) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _umask() -> int:
    """Return the user's file mask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
