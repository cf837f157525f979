"""Tips about studies, and about the folders of their runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal
from unittest import mock

from balance.engine.runner import Runner
from balance.study.match_ups import match_ups
from balance.study.settings.grid import Budget
from balance.study.settings.settings import Study, StudySettings
from tests.tips.following import Case, Typed, under

HEAD = 'game = "{}"\nlevel = "{}"\nentrants = ["nexus+shotgun", "trooper+shotgun"]\n'
DUELS = HEAD.format("warforged", "duel")
PATCH = '[set]\n"units.nexus.health" = 7\n'


def study(wrong: str, tip: str, right: str, head: str = DUELS, then: str = "", **files: str) -> Case:
    """Return the case of a study of which the cost is asked."""
    beside = {name.replace("__", "."): text for name, text in files.items()}

    def ask(text: str) -> Typed:
        return Typed("run s.toml --dry-run", {"s.toml": text, **beside})

    return Case(ask(head + wrong), tip, ask((then or head) + right))


def too_large(exact: Literal["always", "auto"]) -> Callable[[], object]:
    """Return the deed of a study of which nothing is small enough to be exact."""

    def play() -> object:
        settings = StudySettings(game="warforged", entrants=["nexus+s*"], exact=exact, budget=Budget(trials=100))
        chosen = Study(settings, Path("s.toml"))
        with mock.patch.object(match_ups, "solve_tasks", lambda runner, tasks, *_: [None for _ in tasks]):
            match_ups.play_study(chosen, {"base": chosen.open()}, Runner(chosen.open()))
        return None

    return play


SOULS = 'game = "immortal_souls"\nlevel = "duel"\n'

CASES = [
    study("[situation.kill]\nn_covers = 1\n", "say situation.attack", "[situation.attack]\nn_covers = 1\n"),
    study("[situation.atack]\nn_covers = 1\n", "did you mean attack?", "[situation.attack]\nn_covers = 1\n"),
    study("sed = 1\n", "did you mean seed?", "seed = 1\n"),
    study("", "did you mean nexus+shotgun?", "", DUELS.replace("nexus+shotgun", "nexus+shotgn"), DUELS),
    study(
        'exact = "always"\n',
        'say exact = "auto" in the study',
        'exact = "auto"\n',
        HEAD.format("battlelore", "battle").partition("entrants")[0],
    ),
    study(
        'patches = ["base.toml"]\n',
        "rename the file",
        'patches = ["other.toml"]\n',
        base__toml=PATCH,
        other__toml=PATCH,
    ),
    study(
        'metrics = ["armies"]\n[[armies]]\nid = "x"\ntitle = "X"\nbudgets = [[200, 6]]\n',
        "leave them out",
        'metrics = ["match_ups"]\n',
        'game = "edadh"\nlevel = "duel"\n',
    ),
    Case(
        under({"balance.study.settings.settings.MOST_TASKS": 1}, Typed("run s.toml --dry-run", {"s.toml": DUELS})),
        "name fewer entrants, situations or policies",
        Typed("run s.toml --dry-run", {"s.toml": DUELS}),
    ),
    study(
        'metrics = ["cards"]\n',
        "leave it out, or play level = ",
        "",
        HEAD.format("battlelore", "battle").partition("entrants")[0],
    ),
    study('metrics = ["cards"]\n', 'say "match_ups" or "sections"', 'metrics = ["match_ups"]\n', SOULS),
    Case(too_large("always"), 'say exact = "auto"', too_large("auto")),
]
