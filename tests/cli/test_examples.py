"""Examples for the help, made of what a game holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import balance as toolkit
from balance.answers.games.examples import question_command
from balance.cli.verbs import START, epilog

TURN = "balance turn edadh angueth_learning huaos_dzaa_learning --set 'a.mp=4 5'"


@pytest.mark.parametrize(
    ("game", "kind", "options", "command"),
    [
        ("warforged", "duel", (), "balance duel warforged nexus+assault_rifle whisper+smg_pistol"),
        ("battlelore", "attack", (), "balance attack battlelore green_foot+common_bow blue_foot"),
        ("edadh", "turn", ("--set", "a.mp=4 5"), TURN),
        ("warforged", "lineup", (), "balance lineup warforged nexus+assault_rifle:2 nexus+smg_pistol"),
    ],
)
def test_an_example_asks_about_two_that_share_no_part(
    game: str, kind: str, options: tuple[str, ...], command: str
) -> None:
    loaded = toolkit.load(game)
    assert question_command(loaded, loaded.definition.kinds[kind], *options) == command


@dataclass(frozen=True)
class Few:
    """Entrants that are made of the same parts."""

    written = "an id"

    def parts(self, entrant: str) -> tuple[str, ...]:
        return (entrant[0],)


def test_where_all_share_a_part_the_last_is_taken() -> None:
    loaded, kind = toolkit.load("warforged"), toolkit.load("warforged").definition.kinds["duel"]
    few: Any = type(
        "Loaded",
        (),
        {
            "definition": loaded.definition,
            "ids": lambda self, taken: ["a1", "a2", "a3"],
            "pairs_of": lambda self, kind: (),
        },
    )()
    alike: Any = type("Kind", (), {"name": kind.name, "takes": (Few(), Few())})()
    assert question_command(few, alike) == "balance duel warforged a1 a3"


def test_several_examples_stand_below_each_other() -> None:
    assert epilog(("one", "two")) == "Examples:\n\none\n\ntwo"
    assert epilog(("one",)) == "Example: one"
    assert START == "Start with: balance attack warforged nexus+assault_rifle whisper"
