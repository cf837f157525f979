"""What is recorded: the lines of `cases/`, and the help and the schema of every verb."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from balance.cli.kinds import games_to_ask
from balance.verbs.verb_list import VERBS

FOLDER = Path(__file__).with_name("cases")


@dataclass(frozen=True)
class Case:
    """What is typed in one folder, one line after the other, and a name that tells it from the other cases."""

    name: str
    lines: tuple[str, ...]


def cases(patterns: Collection[str] = ()) -> list[Case]:
    """Return the cases whose name contains one of some patterns; all of them without any."""
    every = [*_listed(), *_told_of_verbs()]
    return [case for case in every if not patterns or any(pattern in case.name for pattern in patterns)]


def _listed() -> Iterator[Case]:
    """Yield the cases that are written down, `price/tug` for the line `tug: ...` of `price.txt`."""
    for path in sorted(FOLDER.glob("*.txt")):
        for row in path.read_text("utf-8").splitlines():
            if row and not row.startswith("#"):
                name, _, typed = row.partition(": ")
                yield Case(f"{path.stem}/{name}", tuple(typed.split(" && ")))


def _told_of_verbs() -> Iterator[Case]:
    """Yield the help of every verb and every kind of question, and the schema of every verb, or that it has none."""
    kinds = {kind for game in games_to_ask(()) for kind in game.kinds}
    for verb in sorted({*VERBS, *kinds}):
        yield Case(f"help/{verb}", (f"{verb} --help",))
    for verb in sorted({*VERBS, "matchups"}):
        yield Case(f"schema/{verb}", (f"schema {verb}",))
