"""Draw mutants of `balance`, and see which tests notice: those that mirror the broken file, or any other.

The mirrored tests of `balance/games/edadh/rules/turn.py` are those in `tests/games/edadh` (or the nearest folder above
that exists) and the file's own doctests. Of a mutant that they leave alive, all other tests that execute the statement
are asked. The first run for a state of the checkout runs the whole suite once, to learn what executes what.
"""

from __future__ import annotations

import argparse
import hashlib
import queue
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from tests.figures.trees import Module, modules
from tests.mutants import reach, sample
from tests.mutants.reach import Reach
from tests.mutants.sample import Mutant
from tests.mutants.workshop import ROOT, Workshop, jobs

BARS = {"mirrored": 0.85, "whole": 0.97}
"""Shares of the mutants that the mirrored tests alone and the whole suite are to kill."""
PATIENCE = 90.0
"""Seconds more than five times as long as tests took before, after which they are taken to hang."""


def mirrored(file: str, tests: Iterable[str], root: Path = ROOT) -> set[str]:
    """Return those of some tests that mirror a file: of its folder, of its name, or the file's own doctests."""
    inside = Path(file).relative_to("balance").with_suffix("")
    folder = Path("tests", inside.parent)
    while not (root / folder).is_dir():
        folder = folder.parent
    start = f"{folder.as_posix()}/" if folder != Path("tests") else f"tests/test_{inside.parts[0].strip('_')}"
    return {test for test in tests if test.startswith((start, f"{file}::"))}


def able(mutant: Mutant, known: Reach, root: Path) -> tuple[set[str], set[str]]:
    """Return the mirrored tests that could notice a mutant, and the others.

    What runs when its module is imported, such as the bounds of a field, may matter to tests that execute no line of
    the file: all mirrored ones are asked, and of the others those that execute something of the file or of its users.
    """
    module = Module(root, root / mutant.file)
    tests = known.of(mutant.file, sample.statement_lines(module.tree, mutant.line))
    if sample.runs_on_import(module.tree, mutant.line) or not tests:
        users = [other.path.as_posix() for other in modules(root) if module.name in other.imported]
        tests = frozenset().union(*map(known.of_file, [mutant.file, *users])) or frozenset(known.seconds)
        tests |= mirrored(mutant.file, known.seconds, root)
    near = mirrored(mutant.file, tests, root)
    return near, set(tests - near)


def survives(mutant: Mutant, tests: set[str], known: Reach, workshop: Workshop) -> bool:
    """Return whether some tests all pass in a copy with the mutant."""
    if not tests:
        return True
    cost: dict[str, float] = {}
    for test in tests:
        cost[_file(test)] = cost.get(_file(test), 0.0) + known.seconds[test]
    order = sorted(tests, key=lambda test: (_file(test) != mutant.file, cost[_file(test)], test))
    chosen = workshop.folder / "chosen.txt"
    chosen.write_text("\n".join(order), "utf-8")
    with workshop.mutated(mutant.file, mutant.text):
        files, changes = dict.fromkeys(map(_file, order)), {"MUTANTS_CHOSEN": str(chosen)}
        whole, longest = sum(cost.values()), max(known.seconds[test] for test in tests)
        status = workshop.test(["-x", *files], PATIENCE + 5 * whole, changes, one_test=PATIENCE + 5 * longest)
    return status in (0, 5)


def _file(test: str) -> str:
    return test.partition("::")[0]


def judged(mutants: Iterable[Mutant], known: Reach, workshops: list[Workshop]) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with who killed it: "mirrored", "whole", or "" for nobody."""
    free: queue.SimpleQueue[Workshop] = queue.SimpleQueue()
    for workshop in workshops:
        free.put(workshop)

    def judge(mutant: Mutant) -> tuple[Mutant, str]:
        workshop = free.get()
        try:
            near, others = able(mutant, known, workshop.checkout)
            if not survives(mutant, near, known, workshop):
                return mutant, "mirrored"
            return mutant, "" if survives(mutant, others, known, workshop) else "whole"
        finally:
            free.put(workshop)

    with ThreadPoolExecutor(len(workshops)) as pool:
        yield from pool.map(judge, mutants)


def fingerprint() -> str:
    """Return the state of everything that mutants and tests depend on."""
    digest = hashlib.sha256()
    files = chain.from_iterable((ROOT / part).rglob("*") for part in ("balance", "data", "tests"))
    for path in sorted(path for path in files if path.is_file() and "__pycache__" not in path.parts):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def workshops(folder: Path, n: int) -> list[Workshop]:
    """Return copies of the checkout with what executes what; those of last time if nothing has changed since."""
    made = [Workshop(folder / str(k)) for k in range(n)]
    mark = folder / "fingerprint.txt"
    if not mark.exists() or mark.read_text("utf-8") != f"{n} {fingerprint()}":
        print("Running every test once, to learn which executes what (some minutes)", file=sys.stderr)
        mark.unlink(missing_ok=True)
        for workshop in made:
            workshop.build()
        reach.note(made[0], n)
        mark.write_text(f"{n} {fingerprint()}", "utf-8")
    return made


def main() -> None:
    """Judge a sample and print what became of it; a bar that is missed is exit status 1."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__)
    parser.add_argument("-n", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--seed", type=int, default=9, help="the draw (9)")
    parser.add_argument("--only", default="*", help="files of balance to break, such as 'balance/games/*'")
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutants", help="where copies live")
    asked = parser.parse_args()
    made = workshops(asked.folder.resolve(), jobs())
    known = reach.read(made[0].folder)
    drawn = list(sample.draw(made[0].checkout, asked.n, asked.seed, asked.only))
    asides = sample.set_aside()
    alone = [mutant for mutant in drawn if any(aside.holds(mutant) for aside in asides)]
    counts, began = Counter[str](), time.monotonic()
    for mutant, by in judged((mutant for mutant in drawn if mutant not in alone), known, made):
        counts[by] += 1
        told = {"mirrored": "", "whole": f"only the whole suite kills {mutant}", "": f"SURVIVES {mutant}"}[by]
        print(f"{counts.total()}/{len(drawn) - len(alone)}, {time.monotonic() - began:.0f} s", file=sys.stderr)
        if told:
            print(told, flush=True)
    sys.exit(_sum_up(counts, len(alone), asked.seed))


def _sum_up(counts: Counter[str], n_aside: int, seed: int) -> int:
    total = counts.total()
    killed = {"mirrored": counts["mirrored"], "whole": total - counts[""]}
    print(f"Seed {seed}: {total} mutants that matter, {n_aside} set aside")
    for who, n in killed.items():
        print(f"  {who}: {n} killed, {n / total:.0%} (bar {BARS[who]:.0%})")
    return int(any(n < BARS[who] * total for who, n in killed.items()))


if __name__ == "__main__":
    main()
