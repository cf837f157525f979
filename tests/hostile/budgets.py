"""Budgets, seeds, jobs and numbers of trials as people write them, more than half of them valid."""

from __future__ import annotations

import random

from tests.hostile.commands import Case

SEEDS = ("0", "1", "42", "007", "2026", "999999999999", "9223372036854775807")
ODD_SEEDS = ("-1", "9223372036854775808", "1e3", "1.5", "x", "", "0x10", "١٢", "1_000", " 7", "nan", "true")
JOBS = ("1", "2", "1")
ODD_JOBS = ("0", "-1", "257", "1.5", "many", "", "1e2", "all")
TRIALS = ("100", "1", "1000", "1e3", "2,000", "1_000", "4096")
ODD_TRIALS = ("0", "-5", "1e99", "0.5", "x", "", "1.000.000.000.000", "nan", "inf")
BUDGETS = ("60:2", "100:4", "74:2", "150", "60:2,100:4", "100", "60.0:2", " 60:2 ", "60 : 2")
ODD_BUDGETS = (
    *("0:2", "-60:2", "60:0", "60:-1", "60", "60:2:3", "sixty", ":", "60:", ":2", "100:4,60:2", "60:2,,100:4", "", ","),
    *("1e9:2", "60:99999", "9999999999999:9", "60;2", "60/2", "nan:2", "inf:2", "1e400:3", "60:2.5"),
)
SIDES = ("nexus+assault_rifle", "trooper+shotgun")
AMONG = ("--among", "nexus+shotgun,trooper+sidearm")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("duel", "warforged", *SIDES, "--trials", "{trials}", "--seed", "{seed}", "--jobs", "{jobs}"),
    ("attack", "warforged", *SIDES, "--trials", "{trials}", "--seed", "{seed}"),
    ("lineup", "warforged", *SIDES, "--trials", "{trials}", "--jobs", "{jobs}", "--seed", "{seed}"),
    ("dice", "3d6 keep 2", "--trials", "{trials}", "--seed", "{seed}"),
    ("army", "warforged", "--budget", "{budget}", "--random", "3", "--seed", "{seed}"),
    ("price", "warforged", *AMONG, "--budget", "{budget}", "--battles", "100", "--seed", "{seed}", "--jobs", "1"),
    ("need", "--difference", "20pp", "--runs", "{trials}", "--seed", "{seed}"),
    ("replay", "warforged", "duel", *SIDES, "--seed", "{seed}"),
)
"""Commands with places for what is written; those of armies come with one budget and with several."""


def case(number: int) -> Case:
    """Return a command in which one value of six is odd."""
    chance = random.Random(number)
    values = {
        name: chance.choice(odd if chance.random() < 1 / 6 else plain)
        for name, plain, odd in (
            ("seed", SEEDS, ODD_SEEDS),
            ("jobs", JOBS, ODD_JOBS),
            ("trials", TRIALS, ODD_TRIALS),
            ("budget", BUDGETS, ODD_BUDGETS),
        )
    }
    return Case(number, tuple(word.format(**values) for word in chance.choice(COMMANDS)))
