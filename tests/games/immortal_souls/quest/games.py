"""Campaigns for the referee: parties, quests, ways, rules and tables by chance, and what is told of them."""

from __future__ import annotations

import csv
import json
import random
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from balance.base.answers import as_plain
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import play_block
from balance.game.loaded import LoadedGame, load
from balance.game.question.question import Question
from tests.games.immortal_souls.quest.referee import suspicions

SHIPPED = Path(__file__).parents[4] / "data/immortal_souls"
N_TRIALS = 8
CHOICES = {"way": ("hasty", "greedy", "careful"), "purse": ("forging", "cards", "gamble", "saving")}


@cache
def opened(folder: Path) -> LoadedGame:
    return load("immortal_souls", folder)


@cache
def rows_of(folder: Path, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / f"{table}.csv").read_text("utf-8").splitlines()))


@dataclass(frozen=True)
class Played:
    """A question about a campaign, and the seed of its dice."""

    party: str
    quests: str
    choices: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    folder: Path = SHIPPED

    @property
    def question(self) -> Question:
        game = opened(self.folder)
        return game.ask("quest", *game.pair("quest", self.party, self.quests), self.sets, **self.choices)

    def report(self, n: int) -> list[str]:
        """Return what is suspicious in the first of its trials."""
        question = self.question
        ends = play_block(question.kind.processes(question.setup, "literal"), self.rolls, in_order=True)
        columns = [{name: int(column[trial]) for name, column in ends.items()} for trial in range(n)]
        return [
            f"{self}, trial {trial}: {each}"
            for trial in range(n)
            for each in suspicions(self.replay(trial), columns[trial])
        ]

    @property
    def rolls(self) -> RandomRolls:
        return RandomRolls(self.seed, "refereed", 0, N_TRIALS)

    def replay(self, trial: int) -> dict[str, Any]:
        """Return what is told of one of a few trials, as `balance replay --json` writes it."""
        question = self.question
        assert question.kind.tell is not None
        document: dict[str, Any] = json.loads(
            json.dumps(as_plain(question.kind.tell(question.setup, self.rolls, trial)))
        )
        return document


def random_campaigns(chance: random.Random, folder: Path = SHIPPED) -> Iterator[Played]:
    """Yield questions by chance: two to five heroes of one camp, one to three quests, any way, purse and rank."""
    quests, heroes = rows_of(folder, "quests"), rows_of(folder, "heroes")
    while True:
        camp = chance.choice(("lawful", "chaos"))
        fitting = [row for row in heroes if row["alignment"] in (camp, "neutral")]
        persons = {row["person"]: row["id"] for row in chance.sample(fitting, len(fitting))}
        party = chance.sample(sorted(persons.values()), min(chance.randint(2, 5), len(persons)))
        party = [name + chance.choice(("", "", "+bandages", "+bandages+small_bandages")) for name in party]
        chosen = [quest["id"] for quest in chance.choices(quests, k=chance.randint(1, 3))]
        sets = {
            "heroes.rank": str(chance.randint(1, 7)),
            "rules.ghosts_hold_ranks_back": chance.choice(("true", "false")),
        }
        if chance.random() < 0.3:
            sets["situation.soul_points"] = str(chance.randrange(60))
        choices = {name: chance.choice(options) for name, options in CHOICES.items()}
        yield Played(",".join(party), ",".join(chosen), choices, sets, chance.randrange(1000), folder)


NUMBERS = {
    "crowns": 30,
    "copies": 4,
    "treasures": 3,
    "soul_points": 4,
    "wounds": 4,
    "radius": 3,
    "act": 4,
    "rounds": 60,
    "carry": 4,
}
"""Columns of numbers that other tables have, and from where on they do not go."""


def other_tables(chance: random.Random, folder: Path, fights: float = 0) -> Path:
    """Return a folder whose quests, rooms, cards, faces and prices are drawn by chance, with few encounters or none."""
    own = folder / "immortal_souls"
    shutil.copytree(SHIPPED, own)
    for table in ("heroes", "quests", "rooms", "treasures", "traps", "searches", "decisions"):
        rows = [changed(chance, row, fights) for row in rows_of(SHIPPED, table)]
        write(own / f"{table}.csv", rows)
    faces = rows_of(SHIPPED, "faces")
    results = [row["results"] for row in faces]
    chance.shuffle(results)
    write(own / "faces.csv", [{**row, "results": text} for row, text in zip(faces, results, strict=True)])
    rules = (own / "rules.toml").read_text("utf-8")
    for old in (
        "sale_per_act = 25",
        "forging = 50",
        "pony_stake = 5",
        "[10, 25, 50]",
        "4, 9, 16",
        "repeated_wounds = 1",
    ):
        assert old in rules
        last = old.split()[-1].strip("[]")
        rules = rules.replace(old, old.replace(last, str(chance.randint(1, 2 * int(last)))), 1)
    (own / "rules.toml").write_text(rules, "utf-8")
    return own


def changed(chance: random.Random, row: dict[str, str], fights: float) -> dict[str, str]:
    """Return a row of a table with other numbers, doors, chests, tokens and conditions."""
    new = {**row, **{key: str(chance.randrange(top)) for key, top in NUMBERS.items() if row.get(key, "") != ""}}
    if "door" in row:
        new["door"] = chance.choice(("unlocked", "locked") if row["lock"] else ("none", "unlocked", "locked"))
        new["chests"] = ";".join(
            str(chance.randint(1, 4)) for _ in range(chance.randint(row["key_place"] == "chest", 3))
        )
        new["searches"] = ";".join(chance.choice(("ditch", "cupboard")) for _ in range(chance.randrange(4)))
        if chance.random() >= fights:
            new |= dict.fromkeys(("encounter", "enemies", "enemies_many"), "")
        new["decision"] = chance.choice(("", "toll", "prisoner"))
    if "carry" in row:
        new["carry"] = str(chance.randint(2, 4))
    if "gear" in row:
        new |= {"gear": chance.choice(("true", "false")), "crowns": chance.choice(("0", "0", new["crowns"]))}
    if "condition" in row:
        new["condition"] = chance.choice(
            ("none", "ko", "stun", "slow", "blind", "poison1", "poison2", "fire1", "fire2")
        )
    return {**new, **{key: str(max(1, int(new[key]))) for key in ("act", "copies", "rounds") if key in row}}


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
