"""The kind of question that is a quest, or a campaign of several: its sides, choices and columns (ledger level D)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from balance.base.errors import Fault, UsageError
from balance.catalogue import Catalogue, Header, Record
from balance.game.game import Column, PolicyKind, QuestionKind
from balance.game.setup import AskedSide, EntrantKind
from balance.games.immortal_souls.encounter.kind import encounter_cards
from balance.games.immortal_souls.encounter.party.options import EnemyTurns, PartyStance, SoulPoints, SpawnShift
from balance.games.immortal_souls.encounter.policies import PARTY_POLICIES
from balance.games.immortal_souls.quest.play import quest_processes
from balance.games.immortal_souls.quest.replay import tell
from balance.games.immortal_souls.quest.setup import quest_setup
from balance.games.immortal_souls.tables.quests import Quest, Room, Trap, Treasure

LONGEST_CAMPAIGN = 12
COLUMNS = {
    "winner": Column("1 the heroes get home, 2 the quest", "winner", names={1: "heroes", 2: "quest"}),
    "quests": Column("quests won"),
    "rooms": Column("rooms entered"),
    "rounds": Column("rounds of all encounters, and of looting", "duration"),
    "wounds": Column("wounds that heroes took"),
    "deaths": Column("times a hero died and became a ghost"),
    "crowns_home": Column("crowns that came home, sales not counted"),
    "treasures_home": Column("treasure cards that came home"),
    "soul_points": Column("Soul Points gained"),
    "lowest_rank": Column("the lowest soul rank at the end"),
    "ranks": Column("soul ranks of all heroes at the end, together"),
    "items_lost": Column("equipped cards that ghosts lost"),
    "traps": Column("traps drawn"),
}
POLICIES = {
    "way": PolicyKind(
        "What the heroes open and search.",
        {
            "hasty": "only what leads on",
            "greedy": "every chest, search token and side room",
            "careful": "search tokens; they heal and rearrange before doors, keep away from traps, and leave chests",
        },
        side="heroes",
        quick=("hasty", "greedy", "careful"),
    ),
    "purse": PolicyKind(
        "What souls and crowns buy.",
        {
            "forging": "ranks; the Anvil before cards",
            "cards": "ranks; cards before the Anvil",
            "gamble": "a game at the Rising Pony, then as forging",
            "saving": "nothing: souls wait for resurrections",
        },
        side="heroes",
    ),
    "policy": replace(PARTY_POLICIES["policy"], quick=()),
}


class QuestSituation(Record):
    """What may be set of a campaign beside its two sides."""

    round_limit: Annotated[
        int, Field(ge=1, le=99, description="Rounds after which an encounter is lost."), Header(unit="rounds")
    ] = 20
    soul_points: SoulPoints = 0
    crowns: Annotated[
        int, Field(ge=0, le=999, description="Crowns of each hero at the start."), Header(unit="crowns")
    ] = 0
    spawn_shift: SpawnShift = 0
    enemy_turns: EnemyTurns = "each_hero"


@dataclass(frozen=True)
class Journey:
    """The quests of a campaign in order."""

    text: str
    quests: tuple[Quest, ...]

    def inputs(self) -> dict[str, Any]:
        """Return what was typed, its name for people, and the quests, as JSON values."""
        name = ", ".join(quest.name for quest in self.quests)
        return {"id": self.text, "name": name, "quests": [quest.model_dump(mode="json") for quest in self.quests]}


def _read(side: AskedSide[Any, Any]) -> Journey:
    names = side.text.split(",")
    if len(names) > LONGEST_CAMPAIGN:
        tip = "ask about its parts, one after the other"
        raise UsageError(
            Fault("is a campaign of too many quests", side.root, found=str(len(names)),
                  allowed=f"at most {LONGEST_CAMPAIGN}", tip=tip)
        )  # fmt: skip
    quests = tuple(side.catalogue.find("quests", name, side.root) for name in names)
    return Journey(",".join(quest.id for quest in quests), quests)  # type: ignore[attr-defined, arg-type]


def _cards(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    rooms = [room for room in catalogue.entries(Room).values() if room.quest in text.split(",")]
    yield from (("quests", name) for name in text.split(","))
    yield from (("rooms", room.id) for room in rooms)
    for name in dict.fromkeys(room.encounter for room in rooms if room.encounter):
        yield "encounters", name
        yield from encounter_cards(catalogue, name)
    yield from (("treasures", name) for name in catalogue.entries(Treasure))
    yield from (("traps", name) for name in catalogue.entries(Trap))


def _label(catalogue: Catalogue, text: str) -> str:
    return ", ".join(catalogue.entries(Quest)[name].name for name in text.split(","))


CAMPAIGN = EntrantKind(
    "quest",
    ids=lambda catalogue: list(catalogue.entries(Quest)),
    label=_label,
    cost_points=lambda catalogue, text: 0,
    read=_read,
    written="QUEST[,QUEST...]",
    joined_by=",",
    cards=_cards,
)


def quest_kind(party: EntrantKind) -> QuestionKind:
    """Return the kind of question that sends a party of heroes through a campaign."""
    return QuestionKind(
        "quest",
        ("heroes", "quest"),
        (party, CAMPAIGN),
        quest_processes,
        COLUMNS,
        quest_setup,
        asks="whether a party comes home from a quest, and with what",
        policies=POLICIES,
        has_distribution=False,
        played=(
            "Room by room: the door and its trap, the encounter, then what the heroes open, search and carry. They "
            "lose when an encounter is lost, when all are ghosts, when a key is missing or no event is left; else "
            "they come home. Between quests they rest, sell and buy."
        ),
        cannot_see=(
            "All tables of quests are assumed: rooms, treasures, traps, tokens, decisions and what heroes buy.",
            "What treasure cards do in a fight: they are carried, handed on, worn as the next piece of gear, or sold.",
            "Gear beyond two cards and two forged sides of a party; powers for traps and treasures.",
            "Where heroes stand outside encounters: near who opens, or a step behind by the careful.",
            "Rest between rooms: conditions stay, powers cool only in rounds of encounters.",
            "What encounters cannot see.",
        ),
        situation=QuestSituation,
        stances=(PartyStance, Record),
        block_trials=4_096,
        usual_trials=8_192,
        tell=tell,
        reads=("quests", "rooms", "treasures", "traps", "searches", "decisions", "wares"),
    )
