"""Measure, print the table, and stop at once if anybody answers wrongly."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import table
from tests.bench.battle_rows import battle_memory_row, battle_rows
from tests.bench.commands import memory_rows, start_rows
from tests.bench.contest import Row, run_contest
from tests.bench.known import WrongAnswerError
from tests.bench.scaling import scaling_rows
from tests.bench.targets import judge
from tests.bench.tasks import contests


def main(arguments: list[str] | None = None) -> int:
    """Run the bench; 0 when it was measured, 1 when a contender answered wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and 1e8 attacks: for a first look")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE too")
    options = parser.parse_args(arguments)
    try:
        with TemporaryDirectory() as folder:
            rows = _measure(options.quick, Path(folder))
    except WrongAnswerError as wrong:
        print(f"stopped: {wrong}", file=sys.stderr)
        return 1
    verdicts = judge(rows)
    print((table.as_markdown if options.markdown else table.as_text)(rows, verdicts))
    if options.json:
        options.json.write_text(table.as_json(rows, verdicts))
    return 0


def _measure(quick: bool, folder: Path) -> list[Row]:
    rounds, rows = (3 if quick else 15), list[Row]()
    for contest in contests(2**18 if quick else 2**20, folder):
        print(f"measuring {contest.task} ...", file=sys.stderr, flush=True)
        rows += run_contest(contest, rounds)
    print("measuring whole battles ...", file=sys.stderr, flush=True)
    rows += [*battle_rows(folder, 1 if quick else 5), battle_memory_row(4 if quick else 40)]
    print("measuring studies on workers ...", file=sys.stderr, flush=True)
    rows += scaling_rows(16 if quick else 128)
    print("measuring memory and start-up ...", file=sys.stderr, flush=True)
    return rows + memory_rows(10**8 if quick else 10**9) + start_rows(3 if quick else 7)


if __name__ == "__main__":
    sys.exit(main())
