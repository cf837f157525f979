"""Measure, print each row as soon as it is measured, and stop at once if anybody answers wrongly."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench import table
from tests.bench.battle_rows import two_processes
from tests.bench.contest import Row
from tests.bench.known import WrongAnswerError
from tests.bench.parts import FULL, QUICK, Part, chosen, parts
from tests.bench.targets import judge

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run the bench; 0 when it was measured, 1 at a wrong answer, 2 for a name nobody has, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and trials: three minutes at most")
    parser.add_argument("--only", metavar="NAME", help="only the tasks with this in their name, such as 'T1' or souls")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE too, once all is measured")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    try:
        with TemporaryDirectory() as folder, two_processes() as pool:
            every = parts(QUICK if options.quick else FULL, Path(folder), pool)
            asked = chosen(every, options.only or "")
            if not asked:
                names = "\n".join(f"  {part.tasks[0]}" for part in every)
                print(f"no task has {options.only!r} in its name; there are\n{names}", file=sys.stderr)
                return 2
            return run(asked, rows, table.Markdown() if options.markdown else table.Text(), options.json)
    except KeyboardInterrupt:
        kept = f"; {options.json} is not written" if options.json else ""
        print(f"stopped by Ctrl-C: the {len(rows)} rows above are whole{kept}", file=sys.stderr)
        return INTERRUPTED


def run(asked: Iterable[Part], rows: list[Row], paper: table.Paper, written: Path | None = None) -> int:
    """Measure parts into `rows`, and print each row before the next is measured."""
    start = perf_counter()
    print(paper.opening(), flush=True)
    try:
        for part in asked:
            print(paper.heading(part.tasks[0]), end="", flush=True)
            for row in part.rows():
                rows.append(row)
                print(paper.line(row), flush=True)
    except WrongAnswerError as wrong:
        print(f"stopped: {wrong}", file=sys.stderr)
        return 1
    verdicts = judge(rows)
    print(paper.closing(verdicts), flush=True)
    if written:
        written.write_text(table.as_json(rows, verdicts))
    print(f"{len(rows)} rows in {perf_counter() - start:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
