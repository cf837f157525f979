"""Whatever happens to a game file, it is read or refused with a line, in no time and without a traceback."""

from __future__ import annotations

import os
import random
import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from balance.base.errors import BalanceError
from balance.chance.trials.lockstep import simulate
from balance.game.authoring.choice_checks import dice
from balance.game.authoring.new_file import TEMPLATES
from balance.game.loaded import load
from balance.rulebook.text import read_game_file
from balance.rulebook.unused import unused_names

from .games import SMALL

TEXTS = [SMALL, *(path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.toml")))]
HOSTILE = [
    "",
    "NaN",
    "-1",
    "1e9",
    "9" * 5000,
    "inf",
    "[",
    "[[" * 99,
    "]]",
    "{",
    "'''",
    '"""',
    '"',
    "true",
    "1979-05-27",
]
HOSTILE += [
    "\0",
    "\r",
    "x" * 5000,
    "🜲",
    "\u202e",
    "0x10",
    "=",
    "a.b.c = 1",
    "[units]",
    "[attack]",
    "# no",
    ". = 1",
    "{}",
    "[]",
]
HOSTILE += [
    '"foe.wounds" = 3',
    "me = 2",
    "units = 3",
    "d6 = 1",
    "hits = {}",
    "[tables.armour]",
    "d(" * 40,
    "1/0",
    "\\u0000",
]
WHOLE_FILE = re.compile(
    "file is empty|no units|no steps|not TOML|text is not|more than|not a text file|cannot be read|is missing"
)
WORD = re.compile(r"\w+|[^\w\s]")
MOST_SECONDS, FEW_STEPS = 5, 6


def mutate(text: str, rng: random.Random) -> str:
    """Return a text with one thing changed."""
    lines = text.split("\n")
    n, m, at = rng.randrange(len(lines)), rng.randrange(len(lines)), rng.randrange(len(text) + 1)
    words = [*WORD.finditer(text), *re.finditer("$", text)]
    word, other = rng.choice(words), rng.choice(words)
    hostile = rng.choice(HOSTILE)
    return rng.choice(
        [
            text[:at] + chr(rng.randrange(32, 127)) + text[at + 1 :],
            text[:at] + text[at + 1 :],
            text[: word.start()] + other[0] + text[word.end() :],
            text[: word.start()] + hostile + text[word.end() :],
            text[: word.start()] + text[word.end() :],
            "\n".join([*lines[:n], hostile, *lines[n:]]),
            "\n".join([*lines[:n], *lines[n + 1 :]]),
            "\n".join([*lines[:n], lines[m], *lines[n:]]),
            text[:at],
        ]
    )


def check(path: Path, text: str) -> None:
    """Read a text as a game and ask it one question; check what is told if that is refused."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    os.utime(path, ns=(time.monotonic_ns(), time.monotonic_ns()))
    start = time.perf_counter()
    try:
        game = load(str(path))
        first, *_, last = (*game.entrants, *game.entrants)
        for kind in ("attack", "duel"):
            question = game.ask(kind, first, last)
            process = question.kind.processes(question.setup, "literal")[0]
            assert simulate(replace(process, max_steps=FEW_STEPS), dice(0, 20))  # a mutant may never end
        assert unused_names(read_game_file(path)) is not None
        assert all(game.label(entrant) for entrant in game.entrants)
    except BalanceError as error:
        assert error.faults
        assert all(fault.message and str(fault) for fault in error.faults)
        texts = [str(fault) for fault in error.faults]
        assert all(str(path) in fault_text for fault_text in texts), texts
        assert any(fault.row for fault in error.faults) or any(map(WHOLE_FILE.search, texts)), texts
    assert time.perf_counter() - start < MOST_SECONDS


def check_many(seeds: range) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            rng = random.Random(seed)
            text = rng.choice(TEXTS)
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                text = mutate(text, rng)
            try:
                check(Path(folder) / "mutant.toml", text)
            except Exception as error:
                raise AssertionError(f"seed {seed}") from error


def test_mutated_files_are_read_or_refused_with_a_line() -> None:
    check_many(range(40))


@pytest.mark.slow("test_mutated_files_are_read_or_refused_with_a_line")
@pytest.mark.parametrize("hundred", range(20))
def test_two_thousand_mutated_files(hundred: int) -> None:
    check_many(range(100 + 100 * hundred, 200 + 100 * hundred))
