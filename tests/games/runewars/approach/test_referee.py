"""Approaches are refereed by the rules, their record and their dice: nothing in them is suspicious."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tests.games.runewars.approach.games import Played, random_game
from tests.games.runewars.reference import How
from tests.games.runewars.reference_trays import Unit

HANDFUL = (1, 4, 9, 14, 19, 29, 40)
"""Games that are told quickly, in which most of what can happen does."""
PAIRS = (("a", "b"), ("crowd_left", "crowd_right"), ("farm_wood_west", "farm_wood_east"))
EXCHANGED = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
"""What each name is called from the other side of the table."""
N_PARTS, N_GAMES = 5, 10


def report(seeds: Iterable[int]) -> list[str]:
    """Return what is suspicious in games, in words."""
    return [f"{seed}: {suspicion}" for seed in seeds for suspicion in random_game(seed).suspicions()]


def test_a_handful_of_approaches_raise_no_suspicion() -> None:
    assert report(HANDFUL) == []


@pytest.mark.slow("test_a_handful_of_approaches_raise_no_suspicion")
@pytest.mark.parametrize("part", range(N_PARTS))
def test_fifty_approaches_raise_no_suspicion(part: int) -> None:
    assert report(range(N_GAMES * part, N_GAMES * (part + 1))) == []


def story(ground: str, policies: tuple[str, str], first: str) -> dict[str, Any]:
    """Return what is told of two alike units whose attacks are no matter of luck."""
    alike = {"columns": 2, "ranks": 2, "red": 0, "blue": 0, "add_hits": 2}
    changes: dict[str, Any] = {f"{side}.{name}": value for side in "ab" for name, value in alike.items()}
    changes |= {"situation.ground": ground, "situation.gap_bands": 3, "situation.offset_mm": 90}
    choices = dict(zip(("policy_a", "policy_b"), policies, strict=True))
    unit, how = Unit(("0", "0", "0"), columns=2, ranks=2, add_hits=2), How()
    game = Played(("spearmen", "spearmen"), (unit, unit), (how, how), changes, choices, first, 0, 0)
    document = game.replay()
    assert game.suspicions(document) == []
    return document


def turned(value: Any, key: str = "") -> Any:
    """Return what is told as it looks from the other side of the table, `a` and `b` exchanged."""
    if isinstance(value, dict):
        told = {EXCHANGED.get(name, name): turned(part, name) for name, part in value.items()}
        if "heading" in told:
            spot = turned([told["x"], told["y"], told["heading"]], "to")
            told |= dict(zip(("x", "y", "heading"), spot, strict=True))
        return told
    if key in ("from", "to"):
        return [-value[0] + 0.0, -value[1] + 0.0, round((value[2] + 180) % 360, 3)]
    if isinstance(value, str):
        return EXCHANGED.get(value, value)
    return [turned(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("ground", "other"),
    [
        ("open_field", "flank"),
        ("open_field", "hold"),
        ("ruined_farm", "charge"),
        ("ruined_farm", "stand_and_shoot"),
        ("crowded_line", "advance"),
    ],
)
def test_a_mirrored_pair_on_a_mirrored_table_is_even(ground: str, other: str) -> None:
    """Whoever stands at the other side of the table does the same, event by event: so both win as often."""
    one, mirror = story(ground, ("charge", other), "a"), story(ground, (other, "charge"), "b")
    told = [event for line in one["lines"] for event in line["events"]]
    seen = [event for line in turned(mirror["lines"]) for event in line["events"]]
    assert json.dumps(told, sort_keys=True) == json.dumps(seen, sort_keys=True)
