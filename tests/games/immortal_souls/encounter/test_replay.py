"""An encounter told in words is the very trial of a simulation."""

from __future__ import annotations

import pytest

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.games.immortal_souls.encounter.replay import tell
from tests.games.immortal_souls.encounter.comparing import SOULS

PARTY = "ecarus_black_rose,thorgar_rune_master,auriel_enchantress"
TOLD = """\
Enemies: Green Gremlin in village_1, Green Bandit in village_4, Green Gremlin in village_12.
Round 1. Ecarus: moves to village_1; attacks with Great Axe; Green Gremlin takes 1 wound.
Round 1. Enemies (Zeal): Green Gremlin moves to village_10.
Round 1. Thorgar: attacks with Hammer Throw I; Green Gremlin takes 3 wounds.
Round 1. Enemies (Onslaught): Green Bandit moves to village_3; Ecarus takes 1 wound.
Round 1. Auriel: attacks with Thunder Lord I; Green Gremlin is killed.
Round 1. Enemies (Fight): Green Bandit moves to village_2; Green Gremlin moves to village_6; Ecarus takes 1 wound; Auriel takes 1 wound.
Round 1. Event (Day).
Round 2. Ecarus: moves to village_2; attacks with Great Axe; Green Bandit takes 1 wound.
Round 2. Enemies (Hand to Hand): Green Bandit recovers 1; Ecarus takes 2 wounds.
Round 2. Thorgar: moves to village_5; attacks with Hammer Throw I; Green Bandit takes 2 wounds.
Round 2. Enemies (Sorcery): Ecarus takes 1 wound.
Round 2. Auriel: moves to village_5, takes 1 wound; attacks with Thunder Lord I; Green Bandit takes 1 wound.
Round 2. Enemies (Red Rage): Green Gremlin moves to village_5; Auriel takes 1 wound.
Round 2. Event (Lull).
Round 3. Ecarus: attacks with Great Axe; Green Bandit takes 3 wounds.
Round 3. Enemies (Advance): Ecarus takes 1 wound; Auriel takes 2 wounds.
Round 3. Thorgar: moves to village_1; attacks with Hammer Throw I; Green Bandit is killed.
Round 3. Auriel: attacks with Thunder Lord I; Green Gremlin takes 2 wounds.
Round 3. Enemies (Advance): Auriel takes 2 wounds, becomes a ghost.
Round 4. Time: Auriel recovers 7, is resurrected.
Round 4. Ecarus: moves to village_5; attacks with Great Axe; Green Gremlin takes 4 wounds, has broken armour.
Round 4. Thorgar: moves to village_5; attacks with Rune Hammer; Green Gremlin is killed.
The heroes have won: no enemy is left.
"""  # noqa: E501


def test_an_encounter_is_told_in_words() -> None:
    asked = SOULS.ask("encounter", PARTY, "ambush")
    told = tell(asked.setup, RandomRolls(3, "r", 0, 64), 5)
    assert f"{told}\n" == TOLD
    assert tuple(told.begun_with) == ("Ecarus", "Thorgar", "Auriel", "enemies together")
    assert [list(left.values()) for left in (told.begun_with, told.lines[0].left, told.lines[-1].left)] == [
        [8, 7, 7, 21],
        [8, 7, 7, 20],
        [2, 7, 7, 0],
    ]


@pytest.mark.parametrize("encounter", ["gorge_troll", "last_stand"])
def test_it_is_the_trial_of_the_simulation(encounter: str) -> None:
    asked = SOULS.ask("encounter", PARTY, encounter, {"heroes.rank": "3", "heroes.effects": "ko@;fire1@"})
    (process,) = asked.kind.processes(asked.setup, "literal")
    found = simulate(process, RandomRolls(1, "told", 0, 32), in_order=True)
    for trial in (0, 7, 31):
        told = tell(asked.setup, RandomRolls(1, "told", 0, 32), trial)
        assert told.end.partition(":")[0] == ("The heroes have won", "The heroes have lost")[found["winner"][trial] - 1]
        assert told.lines[-1].moment == f"Round {found['rounds'][trial]}"


@pytest.mark.parametrize(
    ("encounter", "changes", "end"),
    [
        ("ambush", {"heroes.bonus_hits": "9"}, "The heroes have won: no enemy is left."),
        ("gorge_troll", {"heroes.bonus_hits": "19", "heroes.armour": "9"}, "The heroes have won: no Master is left."),
        ("last_stand", {"heroes.armour": "9"}, "The heroes have won: they have survived."),
        ("last_stand", {"heroes.health": "1"}, "The heroes have lost: all are ghosts."),
        ("ambush", {"encounter.events": "sample", "heroes.movement": "0"}, "The heroes have lost: no event is left."),
        ("ambush", {"situation.round_limit": "1"}, "The heroes have lost: the last round is over."),
    ],
)
def test_how_it_ends_is_told_with_its_reason(encounter: str, changes: dict[str, str], end: str) -> None:
    asked = SOULS.ask("encounter", PARTY, encounter, changes)
    assert tell(asked.setup, RandomRolls(2, "end", 0, 8), 3).end == end


def test_a_story_is_told_where_a_hero_comes_upon_it() -> None:
    laid = {"encounter.stories": "hoofbeats@village_2;mill_gives_way@village_1", "encounter.enemies": "troll@village_1"}
    asked = SOULS.ask("encounter", PARTY, "ambush", {**laid, "encounter.goal": "kill_masters"}, policy="nearest")
    told = [str(line) for line in tell(asked.setup, RandomRolls(3, "r", 0, 8), 2).lines]
    stories = "comes upon Hoofbeats; comes upon The Mill Gives Way"
    assert told[0].startswith(f"Round 1. Ecarus: moves to village_1; {stories}; attacks with Great Axe; ")
    assert sum("comes upon" in line for line in told) == 1


@pytest.mark.slow("test_an_encounter_is_told_in_words")
def test_what_heroes_do_with_their_things_is_told() -> None:
    party = ("ecarus_black_rose+soul_blade+bandages+draught_of_fury,thorgar_rune_master+draught_of_shielding+bandages,"
             "laegon+dagger+knives,auriel_enchantress+talisman_of_fire+bandages")  # fmt: skip
    sets = {"situation.soul_points": "5", "heroes.2.poison": "1", "heroes.4.red": "6"}
    told = tell(SOULS.ask("encounter", party, "ambush", sets).setup, RandomRolls(3, "r", 0, 64), 48)
    lines = [str(line) for line in told.lines]
    things = [line for line in lines if any(word in line for word in (
        "uses", "pays", "drops", "picks up", "loses"))]  # fmt: skip
    assert things == [
        "Round 1. Ecarus: moves to village_1; uses Draught of Fury; pays for Soul Blade; attacks with Soul Blade; "
        "Green Gremlin is killed.",
        "Round 1. Enemies (Zeal): Green Bandit moves to village_2, recovers 3; Green Bandit moves to village_3; "
        "Thorgar uses Draught of Shielding.",
        "Round 2. Ecarus: moves to village_2, takes 2 wounds; uses Bandages; pays for Soul Blade; attacks with Soul "
        "Blade; Green Bandit is killed.",
        "Round 2. Enemies (Onslaught): Blue Gremlin moves to village_6; Thorgar drops Bandages; Thorgar takes 2 "
        "wounds, becomes a ghost; Laegon takes 4 wounds, burns.",
        "Round 2. Laegon: moves to village_2; loses Knives; attacks with Dagger, Knives.",
        "Round 2. Auriel: moves to village_5, takes 5 wounds, burns; uses 1 charge of Talisman of Fire; attacks with "
        "Shadow Staff; Green Gremlin takes 3 wounds, is slowed, is blinded, burns.",
        "Round 5. Auriel: picks up Bandages; attacks with Shadow Staff; Green Bandit takes 3 wounds, is slowed, is "
        "blinded.",
        "Round 8. Auriel: recovers 3; uses Bandages; attacks with Thunder Lord I; Blue Gremlin takes 1 wound.",
    ]


def test_what_is_handed_over_is_told() -> None:
    sets = {"heroes.2.poison": "2", "heroes.2.save": "LEG", "heroes.1.movement": "0", "heroes.1.actions": "2"}
    asked = SOULS.ask("encounter", "laegon+bandages,ecarus", "captain", sets)
    told = str(tell(asked.setup, RandomRolls(2, "r", 0, 4), 0))
    assert "hands Bandages to Ecarus" in told


@pytest.mark.slow("test_an_encounter_is_told_in_words")
def test_a_shadow_and_a_master_are_told() -> None:
    """The trials of the test below in which they come soonest."""
    lane = SOULS.ask("encounter", "ecarus,thorgar,shae", "haunted_lane", {"situation.round_limit": "2"})
    shadow = str(tell(lane.setup, RandomRolls(0, "told", 0, 8), 2))
    assert "the Shadow in village_3 is turned over: Enemy" in shadow, shadow
    queen = {"encounter.enemies": "witch_queen@gorge_10", "heroes.sure": "5"}
    gorge = SOULS.ask("encounter", "ecarus,thorgar,shae", "gorge_troll", queen)
    master = str(tell(gorge.setup, RandomRolls(0, "told", 0, 8), 6))
    assert "Witch Queen is turned over" in master, master
    assert "Witch Queen in Wrath is killed" in master, master


@pytest.mark.slow("test_an_encounter_is_told_in_words")
def test_shadows_and_a_master_that_is_turned_over_are_told() -> None:
    """What a Shadow was, where another is laid, and that a Master has its other side up."""
    asked = SOULS.ask("encounter", "ecarus,thorgar,shae", "haunted_lane")
    lane = "\n".join(str(tell(asked.setup, RandomRolls(0, "told", 0, 8), trial)) for trial in range(8))
    for words in ("the Shadow in village_3 is turned over: Enemy", "a Shadow is laid in village_3"):
        assert words in lane, lane
    queen = {"encounter.enemies": "witch_queen@gorge_10", "heroes.sure": "5"}
    asked = SOULS.ask("encounter", "ecarus,thorgar,shae", "gorge_troll", queen)
    gorge = "\n".join(str(tell(asked.setup, RandomRolls(0, "told", 0, 8), trial)) for trial in range(8))
    assert "Witch Queen is turned over" in gorge, gorge
    assert "Witch Queen in Wrath is killed" in gorge, gorge
