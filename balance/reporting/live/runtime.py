"""Python for browsers: the parts of Pyodide, CPython compiled to WebAssembly, that a page carries inside itself.

The archive beside this module is Pyodide's npm package, byte for byte, so that a page is made without a network too;
Pyodide is under the Mozilla Public License 2.0 (`pyodide-LICENSE.txt`), its source at
https://github.com/pyodide/pyodide; Python and the libraries in it have licences of their own
(`pyodide-parts-LICENSES.txt`).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from balance.reporting.page.html import plain_colours, template, with_policy

PACKAGE = Path(__file__).parents[2]
VERSION = "314.0.7"
ARCHIVE = Path(__file__).parent / f"pyodide-{VERSION}.tgz"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 of the archive in base64, as the npm registry tells it of the package."""
PARTS = ("pyodide-lock.json", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""What the archive holds that a page needs."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive of ours, so that the same code gives the same page."""
TEMPLATES = "balance.reporting.live"
SCRIPT_SOURCES = "blob: 'wasm-unsafe-eval'"
"""Python is made by the page as it runs; nothing may come from elsewhere."""


def page_with_python(name: str, rooms: Iterable[str], home: Mapping[str, str], version: str, **values: object) -> str:
    """Return the text of one HTML file that carries Python and modules of this package.

    Its template is NAME.html.j2, filled with `values`, its script NAME.js, which asks by `startAsker` (asker.js) the
    function that `home` names: a text to JSON, or to a generator of it. The same code gives the same text.
    """
    from markupsafe import Markup

    parts = {**runtime_parts(), "balance.zip": packed(source_archive(rooms))}
    scripts = [template(script, TEMPLATES).render() for script in ("live.js", "asker.js", f"{name}.js")]
    page = template(f"{name}.html.j2", TEMPLATES).render(
        colours=Markup(plain_colours()),
        style=Markup(template("live.css", TEMPLATES).render()),
        home=Markup(json.dumps(home)),
        worker=Markup(template("worker.js", TEMPLATES).render()),
        script=Markup("\n".join(scripts)),
        parts=sorted(parts.items()),
        version=version,
        language=f"Python 3.14 in WebAssembly, by Pyodide {VERSION} (MPL 2.0)",
        **values,
    )
    return with_policy(page + "\n", "worker-src blob:", script_sources=SCRIPT_SOURCES)


@cache
def runtime_parts() -> Mapping[str, str]:
    """Return the parts of Python for browsers by name, each compressed by gzip and as base64.

    >>> sorted(runtime_parts()) == sorted(PARTS)
    True
    """
    content = ARCHIVE.read_bytes()
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != INTEGRITY:
        raise AssertionError(f"{ARCHIVE.name} is not the package that was published")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {name: packed(_member(archive, f"package/{name}")) for name in PARTS}


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    if file is None:
        raise AssertionError(f"{name} is no file")
    return file.read()


def packed(content: bytes) -> str:
    """Return bytes compressed by gzip, as base64.

    >>> gzip.decompress(base64.b64decode(packed(b"dice")))
    b'dice'
    """
    return base64.b64encode(gzip.compress(content, compresslevel=6, mtime=0)).decode()


def source_archive(rooms: Iterable[str]) -> bytes:
    """Return modules of this package as a zip archive, to be imported in the browser.

    `rooms` are paths below `balance`, such as "chance/dice"; a package comes with all that it holds.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted({path for room in rooms for path in _sources(PACKAGE / room)}):
            _add(archive, path, path.relative_to(PACKAGE.parent).as_posix())
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    archive.writestr(zipfile.ZipInfo(name, EARLIEST), path.read_bytes())


def _sources(place: Path) -> Iterator[Path]:
    """Yield the files of a module or a package, and the `__init__.py` of its parents."""
    yield from place.rglob("*.py") if place.is_dir() else [place]
    for parent in place.parents:
        if parent == PACKAGE.parent:
            return
        yield parent / "__init__.py"
