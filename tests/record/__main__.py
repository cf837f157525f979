"""Records what every verb says, or shows what differs between two records; `tests/record/__init__.py` says how."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from tests.record.cases import cases
from tests.record.differ import differences, texts
from tests.record.recorder import recorded


def record(folder: Path, patterns: Sequence[str]) -> None:
    """Write the text of every case that is meant into a folder; a whole record wants one without any other text."""
    if not patterns and texts(folder):
        sys.exit(f"{folder} holds a record: name another folder, or which cases to record again")
    chosen, begin = cases(patterns), process_time()
    with tempfile.TemporaryDirectory() as cache:
        for case in chosen:
            before, path = process_time(), folder / f"{case.name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(recorded(case, Path(cache)), "utf-8")
            print(f"{process_time() - before:6.1f} s  {case.name}", flush=True)
    print(f"{len(chosen)} cases in {process_time() - begin:.0f} s of this process")


def show(old: Path, new: Path, patterns: Sequence[str]) -> int:
    """Print what differs between two records; return 1 if something does, as an exit status."""
    lines = list(differences(old, new, patterns))
    print(*lines or [f"{len(texts(old, patterns))} cases, no difference"], sep="\n")
    return int(bool(lines))


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says and return its exit status."""
    parser = argparse.ArgumentParser("python -m tests.record", description=__doc__)
    parser.add_argument("--diff", action="store_true", help="show what differs between the records OLD and NEW")
    parser.add_argument("words", nargs="+", metavar="DIR [PATTERN...] | OLD NEW [PATTERN...]")
    words = parser.parse_args(arguments)
    if words.diff:
        return show(Path(words.words[0]), Path(words.words[1]), words.words[2:])
    record(Path(words.words[0]), words.words[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
