"""Tips of Immortal Souls: its tables, heroes and parties."""

from __future__ import annotations

from tests.games.immortal_souls.test_checks import BROKEN, CALL, LANE
from tests.tips.cases.games import ask, folder, mend
from tests.tips.following import Case

SOULS = "immortal_souls"
PARTY = "ecarus,thorgar,shae,laegon,auriel"
"""As many heroes as a party may have."""


def tip_in(line: str) -> str:
    """Return what stands behind what is allowed, and the place, of a fault."""
    return line.rpartition("; ")[2]


COMPANION = f"{CALL},action,false,3,none,0,0,0,0,"
MASTER = "true,false,witch_queen_wrath,14"

TABLES = [
    *(
        Case(folder(SOULS, file, old, new), tip_in(line), folder(SOULS, file, old, old))
        for file, old, new, lines in BROKEN
        for line in lines[:1]
        if "; " in line and not tip_in(line).startswith("allowed")
    ),
    mend(
        SOULS,
        "powers.csv",
        f"{CALL},action,",
        f"{CALL},passive,",
        "let it take a combat activity or an action",
        f"{CALL},combat,",
    ),
    mend(
        SOULS,
        "powers.csv",
        COMPANION,
        f"{CALL},action,false,0,none,0,0,0,0,",
        "tell the hourglasses that it shows when the companion has died, 1 to 4",
        f"{CALL},action,false,4,none,0,0,0,0,",
    ),
    mend(
        SOULS,
        "powers.csv",
        COMPANION,
        f"{CALL},action,false,3,none,0,0,0,1,",
        "let it have no hits and no dice; the companion has a weapon",
    ),
    mend(
        SOULS,
        "enemies.csv",
        MASTER,
        "true,false,red_gremlin,14",
        "let both be single purple enemies, and the other side have no other",
    ),
    mend(SOULS, "encounters.csv", "village_10:2", "vilage_10:2", "did you mean village_10?"),
    mend(
        SOULS,
        "encounters.csv",
        LANE,
        "village_9;village_3;village_9:2,red_gremlin,cellar_door",
        "one lies in an area",
        "village_9;village_3,red_gremlin,cellar_door",
    ),
    mend(SOULS, "encounters.csv", "gremlin,cellar_door", "gremlin,celar_door", "did you mean cellar_door?"),
]

HEROES = [
    Case(
        ask(SOULS, "duel", "ecarrus", "troll"),
        "did you mean ecarus?",
        ask(SOULS, "duel", "ecarus", "troll"),
    ),
    Case(
        ask(SOULS, "duel", "ecarus+great_ax", "troll"),
        "did you mean great_axe?",
        ask(SOULS, "duel", "ecarus+great_axe", "troll"),
        "great_axe",
    ),
    Case(
        ask(SOULS, "duel", "ecarus+cleave_4", "troll"),
        "set rank=4 for this side",
        ask(SOULS, "duel", "ecarus+cleave_4", "troll", {"a.rank": 4}),
    ),
    Case(
        ask(SOULS, "duel", "ecarus+bandages", "troll"),
        "ask about an encounter",
        ask(SOULS, "encounter", "ecarus+bandages,thorgar", "ambush"),
    ),
    *(
        Case(
            ask(SOULS, "duel", "ecarus", "troll", {"a.effects": f"{effect}@ABI"}),
            f"such as {example}@ABI",
            ask(SOULS, "duel", "ecarus", "troll", {"a.effects": f"{example}@ABI"}),
        )
        for effect, example in (("fire", "fire1"), ("armour", "armour-1"), ("area", "area0"))
    ),
    Case(
        ask(SOULS, "gamble", "ecarus", "mag"),
        "did you mean MAG?",
        ask(SOULS, "gamble", "ecarus", "MAG"),
    ),
    Case(
        ask(SOULS, "encounter", "thorgar", "ambush"),
        "one player may run several heroes",
        ask(SOULS, "encounter", "thorgar,shae", "ambush"),
    ),
    Case(
        ask(SOULS, "encounter", f"{PARTY},shae", "ambush"),
        "send the others to another table",
        ask(SOULS, "encounter", PARTY, "ambush"),
    ),
    Case(
        ask(SOULS, "encounter", "ecarus,shae_assassin", "ambush"),
        "the neutral go with either",
        ask(SOULS, "encounter", "laegon,shae_assassin", "ambush"),
    ),
]

QUESTS = [
    mend(SOULS, "quests.csv", "gremlin_road,The", "gremlin_rode,The", "add its rows to rooms"),
    mend(
        SOULS, "rooms.csv", "court,false,unlocked", "court,true,unlocked", "let a room that must be entered be its last"
    ),
    mend(SOULS, "rooms.csv", "crypt,false,locked,red", "crypt,false,none,red", "give it a door"),
    mend(SOULS, "rooms.csv", "locked,red", "locked,blue", "put the key of this colour into a room before it"),
    mend(SOULS, "rooms.csv", "gold,chest,,,,2;1", "gold,chest,,,,", "add a chest"),
    mend(SOULS, "rooms.csv", "cupboard,toll", "cupboard,tol", "did you mean toll?"),
    mend(SOULS, "rooms.csv", "2,cupboard,toll", "2,cupbord,toll", "did you mean cupboard?"),
    mend(SOULS, "rooms.csv", "blue_bandit@crypt_4", "blue_bandi@crypt_4", "did you mean blue_bandit?"),
    mend(SOULS, "rooms.csv", "blue_bandit@crypt_4", "blue_bandit@crypt_44", "did you mean crypt_4?"),
    mend(
        SOULS,
        "rooms.csv",
        "true,none,,,floor,,,",
        "true,none,,,floor,,troll@crypt_4,",
        "name the encounter of the room",
    ),
    mend(SOULS, "decisions.csv", "toll,neutral", "toll,lawful", "add its rows for neutral"),
    mend(SOULS, "wares.csv", "plate_armour", "plate_armor", "did you mean plate_armour?"),
    mend(SOULS, "wares.csv", "iron_bracers", "talisman_of_fire", "name an artefact without charges"),
    Case(
        ask(SOULS, "quest", "ecarus,thorgar", ",".join(["gremlin_road"] * 13)),
        "ask about its parts, one after the other",
        ask(SOULS, "quest", "ecarus,thorgar", "gremlin_road"),
    ),
]

CASES = [*TABLES, *HEROES, *QUESTS]
