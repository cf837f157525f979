"""Print the figures of a checkout as a table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.figures import budgets, imports, names, running, surface, trees

HERE = Path(__file__).resolve().parent
LONGEST_FUNCTION = 40
"""Lines that a function may have, without its signature and docstring."""
LONGEST_MODULE = 300
MOST_ENTRIES = 12
"""Modules and packages that may stand side by side."""
TOY = "tests/toy/game.py"
ANSWERS = ("balance/cli/", "balance/verbs/", "balance/answers/", "balance/reporting/")
CIRCLES = {False: "import circles", True: "circles when imports for types count"}


def rooms(code: Sequence[trees.Module]) -> Iterator[tuple[str, str]]:
    """Yield the figures of packages and modules: how many, how large, how tangled."""
    entries = surface.entries(code)
    largest = max(entries, key=lambda package: entries[package])
    crowded = sum(count > MOST_ENTRIES for count in entries.values())
    lines = {module.path.as_posix(): module.length for module in code}
    longest = max(lines, key=lambda path: lines[path])
    yield "modules", f"{len(code)}"
    yield "lines of the package", f"{sum(lines.values()):,}"
    yield (
        "lines of cli + verbs + answers + reporting",
        f"{sum(lines[path] for path in lines if path.startswith(ANSWERS)):,}",
    )
    yield "entries of a package at most", f"{entries[largest]} in {largest}"
    yield f"packages of more than {MOST_ENTRIES} entries", f"{crowded} of {len(entries)}"
    yield (
        f"modules over {LONGEST_MODULE} lines (the longest)",
        f"{sum(count > LONGEST_MODULE for count in lines.values())} ({lines[longest]}, {longest})",
    )
    for types, title in CIRCLES.items():
        circles = imports.circles(imports.import_graph(code, types))
        yield f"{title} (modules in them)", f"{len(circles)} ({sum(map(len, circles))})"
    yield "TypedDicts", f"{len(trees.typed_dicts(code))}"


def words(root: Path, code: Sequence[trees.Module]) -> Iterator[tuple[str, str]]:
    """Yield the figures of functions, names and docstrings."""
    lengths = [length for length, _ in trees.function_lengths(code)]
    median, high = (lengths[int(share * (len(lengths) - 1))] for share in (0.5, 0.9))
    bound = names.bindings(code)
    bare = sum(binding.dialect for binding in bound)
    yield (
        f"function length p50 / p90 / max (over {LONGEST_FUNCTION})",
        f"{median} / {high} / {lengths[-1]} ({sum(length > LONGEST_FUNCTION for length in lengths)})",
    )
    yield "names that are a bare participle or pronoun", f"{bare / len(bound):.2%} of {len(bound):,}"
    yield "sections of Parameters outside the public face", f"{len(surface.parameter_sections(root, code)):,}"


def front_door(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the figures of what a reader meets first."""
    game = trees.Module(root, root / TOY)
    yield "answers of verbs told the old way", f"{len(surface.old_answers(trees.modules(root)))}"
    yield "names in balance.__all__", f"{len(surface.public_names(root))}"
    yield "modules inside balance that documents and notebooks import", f"{len(surface.deep_imports(root))}"
    yield 'characters of repr(balance.load("warforged"))', f"{running.repr_length(root):,}"
    yield "characters of README.md", f"{len((root / 'README.md').read_text('utf-8')):,}"
    yield (
        f"{TOY}: names imported, slots filled, lines",
        f"{len(trees.imports_of(game))}, {len(trees.slots_of(game))}, {len(game.text.splitlines())}",
    )


def one_attack(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the figures of one `balance attack`."""
    files, functions, polars = running.attack_path(root)
    yield "files; functions of one attack", f"{files}; {functions}"
    yield "polars imported by it", "yes" if polars else "no"
    yield "CPU seconds of it", f"{running.cpu_seconds(root):.2f}"


def figures(root: Path, count_tests: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what is measured and its figure, those of the source first; gathering the tests takes a minute."""
    code = trees.modules(root)
    lines = sum(map(trees.code_lines, code))
    yield "lines of code of balance/ (with scripts, styles, templates)", f"{lines + trees.page_lines(root):,}"
    yield from rooms(code)
    yield from words(root, code)
    yield from front_door(root)
    if count_tests:
        yield "tests of the default run", f"{running.tests_by_default(root):,}"
    yield from one_attack(root)


def dialect(root: Path, prefix: str) -> Iterator[str]:
    """Yield where a name of some files is a bare participle or pronoun, and last the share of all their names."""
    bound = [binding for binding in names.bindings(trees.modules(root)) if binding.path.startswith(prefix)]
    bare = [binding for binding in bound if binding.dialect]
    yield from map(str, bare)
    share = len(bare) / max(1, len(bound))
    yield f"{len(bare):,} of {len(bound):,} names ({share:.2%}) are a bare participle or pronoun"


def main() -> None:
    """Print the table, all circles of imports and all functions that are too long; or the names that say nothing."""
    parser = argparse.ArgumentParser(prog="tests.figures", description=__doc__)
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help="the checkout to measure")
    parser.add_argument("--tests", action="store_true", help="count the tests of the default run, too")
    parser.add_argument("--names", nargs="?", const="", metavar="PREFIX", help="list bare names (of paths so begun)")
    options = parser.parse_args()
    root = options.root.resolve()
    if options.names is not None:
        print(*dialect(root, options.names), sep="\n")
        return
    for title, figure in figures(root, options.tests):
        print(f"{title:<65} {figure}", flush=True)
    code = trees.modules(root)
    for circle in imports.circles(imports.import_graph(code, types=True)):
        print(f"  circle: {', '.join(circle)}")
    lines, limits = budgets.room_lines(code), budgets.budgets()
    for room, count in sorted(lines.items(), key=lambda item: -item[1]):
        print(f"  room: {room:<24} {count:>7,} lines of {limits.get(room, 0):>7,}")
    for length, place in trees.function_lengths(code):
        if length > LONGEST_FUNCTION:
            print(f"  {length} lines: {place}")


if __name__ == "__main__":
    main()
