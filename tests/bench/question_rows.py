"""Questions as people ask them: each command in a process of its own, its processor time and its peak of memory.

Beside the seconds stands how many runs of a fixed loop in plain Python they are, timed just before, so that machines
can be compared. Nothing is kept between questions, but for the one that is asked again.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from tests.bench.commands import ROOT, run_command
from tests.bench.contest import Row

TASK = "Questions"
INSTALLING = "Installing for the command line"
LOOP_STEPS = 5_000_000
LOOP = f"a loop of {LOOP_STEPS:,} steps in plain Python"
TEMPLATE = ROOT / "balance/rulebook/templates/hit-wound-save.toml"
FURTHER_UNITS = """\
Scouts  |   70 |       1 |     3 |        3 |  0 |      1 |         3 |    5 |     10 |    1 |
Lancers |  120 |       3 |     3 |        5 |  1 |      1 |         4 |    4 |      8 |    2 | reliable
Archers |   90 |       2 |     3 |        3 |  0 |      1 |         3 |    6 |     10 |    1 |
Golem   |  140 |       4 |     4 |        7 |  2 |      2 |         7 |    3 |      6 |    6 | tough
"""
MEASURED = """\
import json, resource, subprocess, sys
command = [sys.executable, "-m", "balance", *sys.argv[1:]]
failure = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
kilobytes = used.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
print(json.dumps([used.ru_utime + used.ru_stime, kilobytes / 1024]))
sys.exit(failure)
"""
"""A process between the bench and a command, as a new process is told the peak of the one that starts it, too."""


@dataclass(frozen=True)
class Question:
    """A command that answers a question, and what it may take.

    `command`: what follows `balance`; a word that begins with @ is a file in the folder of the bench. `seconds`: of
    processor time at most; `megabytes`: of memory at most, None for no aim. `is_again`: asked twice, the second time
    counts.
    """

    task: str
    command: str
    seconds: float
    megabytes: float | None = None
    is_again: bool = False


QUESTIONS = (
    Question("Price of a game file, four units", "price @four.toml --no-cache", 4),
    Question("Price of a game file, eight units", "price @eight.toml --no-cache", 10),
    Question(
        "Comparing a game file of three units",
        "compare @three.toml --patch @faster.toml --no-cache --out @compared",
        12,
    ),
    Question("Card of a game file, eight units", "card @eight.toml raiders --no-cache", 4),
    Question("Price of a Warforged card", "price warforged aegis --no-cache", 10),
    Question("Asked again: price of a Warforged card", "price warforged aegis --cache @kept", 1, is_again=True),
    Question("Prices of Warforged", "price warforged --no-cache", 12),
    Question("Tuning Warforged", "tune warforged --no-cache --out @tuned.toml", 30),
    Question("Card of Warforged", "card warforged sidearm --no-cache", 2.5),
    Question("Page of BattleLore", "page battlelore green_foot+common_bow blue_foot --no-cache --out @a.html", 20),
    Question("Page of Warforged", "page warforged vanguard+shotgun aegis+laser_carbine --no-cache --out @b.html", 20),
    Question("Page of Immortal Souls", "page immortal_souls thorgar red_bandit --no-cache --out @c.html", 20),
    Question("Page of War for Edadh", "page edadh spears shieldsmen --no-cache --out @d.html", 20),
    Question("Page of Runewars", "page runewars spearmen+3x2 reanimates+3x2 --no-cache --out @e.html", 20),
    Question("Page of a game file", "page @four.toml raiders guard --no-cache --out @f.html", 20),
    Question("Luck of a game file's duel", "luck @four.toml duel raiders guard", 2),
    Question("Ways to play BattleLore's adventures", "play battlelore battle --no-cache", 60),
    Question("Handicap at Agincourt", "handicap battlelore agincourt", 20),
    Question("Luck at Agincourt", "luck battlelore battle agincourt", 10),
    Question("Battle of Agincourt", "battle battlelore agincourt", 8),
    Question("Replay of Agincourt", "replay battlelore battle agincourt --policy-a careful --policy-b hold", 1),
    Question("Log of 1,465 games", "rate @log_1465.csv", 2),
    Question("Log of 3,000 games, 943 players", "rate @log_3000.csv", 5),
    Question("Log of 16,744 games, 1,605 players", "rate @log_16744.csv", 30, 500),
    Question("Log of 100,000 games, 80 players, 8 months", "rate @log_100000.csv", 5, 500),
)
LOGS = {1465: 600, 3000: 943, 16744: 1605, 100000: 80}
"""Games of a log -> its players."""


def question_rows(question: Question, folder: Path) -> Iterator[Row]:
    """Yield what a question took, its time and its memory; the files that it reads are written into `folder`."""
    write_files(folder)
    loop = plain_loop()
    command = [str(folder / word[1:]) if word.startswith("@") else word for word in question.command.split()]
    for _ in range(1 + question.is_again):
        seconds, megabytes = json.loads(run_command("-c", MEASURED, *command).printed)
    yield Row(question.task, f"processor time, {seconds / loop:.1f} loops", seconds, LOOP, loop, "time")
    yield Row(question.task, "peak of memory", megabytes, "nobody", None, "memory")


def install_rows(folder: Path) -> Iterator[Row]:
    """Yield the time, the room on disk and the distributions of an installation for the command line alone."""
    environment = folder / "environment"
    run_command("-m", "venv", str(environment))
    start = perf_counter()
    subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "-q", str(ROOT)], check=True)
    wall = perf_counter() - start
    megabytes = sum(path.stat().st_size for path in environment.rglob("*") if not path.is_symlink()) / 2**20
    n_parts = len(list(environment.glob("lib/*/site-packages/*.dist-info")))
    yield Row(INSTALLING, "clock time", wall, "nobody", None, "time")
    yield Row(INSTALLING, f"room on disk, {n_parts} distributions", megabytes, "nobody", None, "memory")


def plain_loop() -> float:
    """Return the seconds of processor time that a loop of integer steps takes, the least of three."""
    seconds = []
    for _ in range(3):
        start, number = process_time(), 1
        for _ in range(LOOP_STEPS):
            number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        seconds.append(process_time() - start)
    return min(seconds)


def write_files(folder: Path) -> None:
    """Write the game files and logs that are not there yet."""
    four = TEMPLATE.read_text()
    end = four.index('"""\nbetter')
    three = "".join(line for line in four.splitlines(keepends=True) if not line.startswith("Brute"))
    faster = three.replace("Raiders |   80 |       1", "Raiders |   80 |       2")
    files = {"four": four, "eight": four[:end] + FURTHER_UNITS + four[end:], "three": three, "faster": faster}
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    for n_games, n_players in LOGS.items():
        path = folder / f"log_{n_games}.csv"
        if not path.exists():
            path.write_text(log_of(n_games, n_players))


def log_of(n_games: int, n_players: int) -> str:
    """Return a log of 16 armies, whose players differ more than their armies, over eight months.

    Some players come often and most seldom, as at tournaments.
    """
    draw = random.Random(n_games)
    skills, armies = ([draw.gauss(0, spread) for _ in range(n)] for n, spread in ((n_players, 0.8), (16, 0.1)))
    often = [1 / (1 + place) ** 0.5 for place in range(n_players)]
    lines = ["date,player_one,player_two,one,other,winner\n"]
    for number in range(n_games):
        one, two = draw.choices(range(n_players), often, k=2)
        two = (one + 1) % n_players if one == two else two
        army_one, army_two = draw.randrange(16), draw.randrange(16)
        chance = 1 / (1 + math.exp(skills[two] - skills[one] + armies[army_two] - armies[army_one]))
        winner = "one" if draw.random() < chance else "other"
        date = f"2026-{1 + number * 8 // n_games:02d}-{draw.randint(1, 28):02d}"
        lines.append(f"{date},p{one},p{two},army_{army_one},army_{army_two},{winner}\n")
    return "".join(lines)
