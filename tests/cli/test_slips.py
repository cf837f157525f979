"""Slips on names of games, verbs, entrants and their order: the tip names the mend, and the mend is accepted."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command

RIFLE = "nexus+assault_rifle"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("attack", "Warforged", RIFLE, "trooper"), "did you mean warforged?"),
        (("show", "WARFORGED", "units"), "did you mean warforged?"),
        (("attack", "immortal-souls", "ecarus", "troll"), "did you mean immortal_souls?"),
        (("Attack", "warforged", RIFLE, "trooper"), "Did you mean 'attack'?"),
        (("attack", "warforged", "nexus,assault_rifle", "trooper"), f"did you mean {RIFLE}?"),
        (("attack", "warforged", "Assault_Rifle / Nexus", "trooper"), f"did you mean {RIFLE}?"),
        (("duel", "warforged", "nexus-shotgun", "shotgun+trooper"), "did you mean nexus+shotgun?"),
        (("duel", "warforged", "nexus-shotgun", "shotgun+trooper"), "did you mean trooper+shotgun?"),
        (("attack", "warforged", "trooper", RIFLE), f"{RIFLE} as the attacker, trooper as the defender"),
        (("encounter", "immortal_souls", "ambush", "ecarus,auriel"), "ecarus,auriel as the heroes, ambush as the enc"),
        (("attack", RIFLE, "trooper"), f"one of warforged: balance attack warforged {RIFLE} ..."),
        (("duel", "ecarus", "troll"), "one of immortal_souls: balance duel immortal_souls ecarus ..."),
        (("duel", "xx", "yy"), "'xx' is no game, and the game comes first"),
        (("duel", "warforged", RIFLE), "Missing argument 'B': balance duel GAME A B\n"),
    ],
)
def test_the_tip_names_the_mend(balance: Command, words: tuple[str, ...], told: str) -> None:
    done = balance(*words)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_sides_that_are_no_question_either_way_are_not_swapped(balance: Command) -> None:
    assert "other way round" not in balance("attack", "warforged", "trooper", "whisper").err
    assert "other way round" not in balance("duel", "warforged", "nexsus", "trooper").err
