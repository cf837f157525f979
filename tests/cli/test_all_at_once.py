"""Several wrong things in one command: each is told, whatever else is wrong."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command

TROOPER, NEXUS = "trooper+shotgun", "nexus+assault_rifle"

PAIRS = {
    "a bid and a budget": (
        ("handicap", "warforged", TROOPER, NEXUS, "--bid", "helth", "--budget", "x"),
        ["did you mean health?", "'x' is no budget", "--budget is about armies"],
    ),
    "a field's bid and budget": (
        ("handicap", "warforged", "--bid", "helth", "--budget", "150:4"),
        ["did you mean health?", "--budget is about armies"],
    ),
    "who, what and a band": (
        ("handicap", "warforged", "trooper+shotgunn", "nexsus", "--field", "helth", "--band", "60:70", "--seed", "-1"),
        ["did you mean shotgun?", "did you mean nexus?", "did you mean health?", "'60:70' is no band", "a seed is"],
    ),
    "a kind and a choice": (
        ("handicap", "warforged", TROOPER, NEXUS, "--kind", "dule", "--choose", "q"),
        ["did you mean duel?", "'q' is not a choice"],
    ),
    "points of nobody": (
        ("handicap", "warforged", "troper+shotgun", "nexsus+shotgun", "--cost", "--budget", "0:0"),
        ["did you mean trooper?", "did you mean nexus?", "'0:0' is no budget"],
    ),
    "a game and options apart": (
        ("handicap", "warfroged", "a", "b", "--bid", "x", "--among", "c"),
        ["did you mean warforged?", "--among is about a field"],
    ),
    "a lost action of a member and of the army": (
        ("handicap", "warforged", f"{TROOPER},{NEXUS}", TROOPER, "--kind", "lineup", "--set", "a.2.lost_actions=1",
         "--set", "b.lost_actions=77", "--field", "helth"),
        ["say a.lost_actions=1", "'77' is out of range", "did you mean health?"],
    ),
    "a log and how it is rated": (
        ("rate", "none.csv", "--band", "60:70", "--draws", "x", "--level", "3", "--prior", "q", "--column", "z",
         "--page", "a.txt", "--seed", "-1"),
        ["none.csv", "'60:70' is no band", "no model of draws", "no level", "no scale of a prior", "no WHAT=HEADER",
         "'a.txt' is not a name", "a seed is"],
    ),
    "plans": (
        ("need", "--band", "x", "--plan", "y", "--seed", "-1", "--runs", "0"),
        ["'x' is not a band", "'y' is not a plan", "a seed is", "--runs"],
    ),
    "dice and files": (
        ("dice", "3dd6", "2x", "--trials", "0", "--seed", "-1", "--picture", "a.png", "--page", "b.txt"),
        ["3d^d6", "2x^", "found 0", "a seed is", "'a.png'", "'b.txt'"],
    ),
    "luck of nobody": (
        ("luck", "warforged", "duel", "trooper+shotgunn", "nexsus", "--seed", "-1", "--choose", "q"),
        ["did you mean shotgun?", "did you mean nexus?", "a seed is", "'q' is not a choice"],
    ),
    "luck of a field of nobody": (
        ("luck", "warforged", "duel", "--among", "trooper+shotgunn,nexsus", "--seed", "-1"),
        ["did you mean shotgun?", "did you mean nexus?", "a seed is"],
    ),
    "a card and whom it meets": (
        ("card", "warforged", "troopr", "--among", "nexsus", "--seed", "-1"),
        ["did you mean trooper?", "did you mean nexus?", "a seed is"],
    ),
    "a roster": (
        ("roster", "none.cat", "--column", "z", "--out", "x.txt"),
        ["none.cat", "'z' names no column", "'x.txt' is not a name"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("wrong", PAIRS)
def test_all_that_is_wrong_is_told_at_once(wrong: str, balance: Command) -> None:
    words, expected = PAIRS[wrong]
    done = balance(*words)
    assert (done.status, done.out) == (2, "")
    lines = done.err.splitlines()
    assert all(line.startswith("error: ") for line in lines)
    assert [part for part in expected if part not in done.err] == []
    assert len(set(lines)) == len(lines)
