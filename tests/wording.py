"""Words that we do not write: `python -m tests.wording` finds them in what people read, and says what to write instead.

The list is `tests/wording.toml`; each entry proves itself by a sentence that it finds and one that it lets pass.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_suffix(".toml")
PLACES = ("README.md", "CONTRIBUTING.md", "Makefile", "docs", "balance", "data", "notebooks")
ENDINGS = (".md", ".py", ".toml", ".txt", ".ipynb", ".html", ".js", "Makefile")


@dataclass(frozen=True)
class Word:
    """A way of saying things that a native reader stumbles at; `right` says the same in plain English."""

    pattern: re.Pattern[str]
    wrong: str
    right: str


@cache
def word_list() -> tuple[Word, ...]:
    """Return the list, in its order."""
    rows = tomllib.loads(LIST.read_text("utf-8"))["word"]
    return tuple(Word(re.compile(row["pattern"], re.IGNORECASE), row["wrong"], row["right"]) for row in rows)


def in_text(text: str) -> Iterator[tuple[int, Word]]:
    """Yield each word of the list with the line that it begins on; a sentence may go on over several lines."""
    flat = text.replace("\n", " ")
    for word in word_list():
        for match in word.pattern.finditer(flat):
            yield text.count("\n", 0, match.start()) + 1, word


def in_file(path: Path) -> list[str]:
    """Return a sentence for each word of the list in a file; of a notebook, what a person wrote there."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return [
        f"{place}:{line}: for {word.wrong!r} write {word.right!r}" for line, word in sorted(in_text(text), key=_line)
    ]


def _line(row: tuple[int, Word]) -> int:
    return row[0]


def files() -> list[Path]:
    """Return the files that people read, as git lists them."""
    listed = subprocess.run(["git", "ls-files", *PLACES], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if name.endswith(ENDINGS) and (ROOT / name).is_file()]


def main(paths: Sequence[str]) -> int:
    """Print what to write instead; return 1 if there is anything."""
    sentences = [line for path in ([Path(path).resolve() for path in paths] or files()) for line in in_file(path)]
    for line in sentences:
        print(line)
    return int(bool(sentences))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
