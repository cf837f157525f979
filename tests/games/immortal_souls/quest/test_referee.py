"""Quests and campaigns are refereed by the rules and their record alone: nothing in them is suspicious."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from balance.chance.trials.collect import play_block
from tests.games.immortal_souls.quest.games import N_TRIALS, Played, other_tables, random_campaigns, rows_of, write

N_PARTS, N_SEEDS = 10, 25


def test_a_quest_with_fights_raises_no_suspicion() -> None:
    assert Played("ecarus,shae", "gremlin_road", {"way": "greedy"}, seed=3).report(2) == []


def test_campaigns_with_other_tables_raise_no_suspicion(tmp_path: Path) -> None:
    chance = random.Random(5)
    folder = other_tables(chance, tmp_path)
    assert [words for each in islice(random_campaigns(chance, folder), 6) for words in each.report(2)] == []


@pytest.mark.slow("test_campaigns_with_other_tables_raise_no_suspicion")
@pytest.mark.parametrize("part", range(N_PARTS))
def test_two_thousand_campaigns_raise_no_suspicion(part: int, tmp_path: Path) -> None:
    chance = random.Random(100 + part)
    folder = other_tables(chance, tmp_path, fights=0.02)
    campaigns = islice(random_campaigns(chance, folder), N_SEEDS)
    assert [words for each in campaigns for words in each.report(N_TRIALS)] == []


@pytest.mark.slow("test_a_quest_with_fights_raises_no_suspicion")
@pytest.mark.parametrize("part", range(N_PARTS))
def test_shipped_campaigns_raise_no_suspicion(part: int) -> None:
    campaigns = islice(random_campaigns(random.Random(part)), 2)
    assert [words for each in campaigns for words in each.report(N_TRIALS)] == []


def test_the_order_of_equal_heroes_changes_nothing(tmp_path: Path) -> None:
    """Two heroes whose cards differ by name alone, written in either order, fare alike on the same dice."""
    folder = other_tables(random.Random(1), tmp_path)
    heroes, gems = rows_of(folder, "heroes"), rows_of(folder, "gems")
    row = next(row for row in heroes if row["id"] == "ecarus") | {"powers": ""}
    write(folder / "heroes.csv", [{**row, "id": each["id"], "person": each["person"]}
                                  if each["id"] in ("ecarus", "shae") else each for each in heroes])  # fmt: skip
    none = {"powers": "0", "talents": "0"}
    same = {each["rank"]: {**each, **none} for each in gems if each["hero"] == "ecarus"}
    write(folder / "gems.csv", [{**same[each["rank"]], "id": each["id"], "hero": each["hero"]}
                                if each["hero"] in ("ecarus", "shae") else each for each in gems])  # fmt: skip
    ends = []
    for party in ("ecarus,shae", "shae,ecarus"):
        played = Played(
            party, "gremlin_road,old_crypt,bandits_vault", {"way": "careful"}, {"heroes.rank": "3"}, 7, folder
        )
        question = played.question
        ends.append(play_block(question.kind.processes(question.setup, "literal"), played.rolls, in_order=True))
    assert {name: column.tolist() for name, column in ends[0].items()} == {n: c.tolist() for n, c in ends[1].items()}
