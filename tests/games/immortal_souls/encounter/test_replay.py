"""An encounter told in words is the very trial of a simulation."""

from __future__ import annotations

import pytest

from balance.core import RandomRolls, simulate
from balance.games.immortal_souls.encounter.replay import replay
from tests.games.immortal_souls.encounter.comparing import SOULS

PARTY = "ecarus_black_rose,thorgar_rune_master,auriel_enchantress"
TOLD = """\
Enemies: Green Gremlin in village_1, Green Bandit in village_4, Green Gremlin in village_12
Round 1. Ecarus: moves to village_1; attacks with Great Axe; Green Gremlin loses 1.
Round 1. Enemies (Zeal): Green Gremlin moves to village_10.
Round 1. Thorgar: attacks with Hammer Throw I; Green Gremlin loses 3.
Round 1. Enemies (Onslaught): Green Bandit moves to village_3; Ecarus loses 1.
Round 1. Auriel: attacks with Thunder Lord I; Green Gremlin is killed.
Round 1. Enemies (Fight): Green Bandit moves to village_2; Green Gremlin moves to village_6; Ecarus loses 1; Auriel loses 1.
Round 1. Event (Day).
Round 2. Ecarus: moves to village_2; attacks with Great Axe; Green Bandit loses 1.
Round 2. Enemies (Hand to Hand): Green Bandit gains 1; Ecarus loses 2.
Round 2. Thorgar: moves to village_5; attacks with Hammer Throw I; Green Bandit loses 2.
Round 2. Enemies (Sorcery): Ecarus loses 1.
Round 2. Auriel: moves to village_5, loses 1; attacks with Thunder Lord I; Green Bandit loses 1.
Round 2. Enemies (Red Rage): Green Gremlin moves to village_5; Auriel loses 1.
Round 2. Event (Lull).
Round 3. Ecarus: attacks with Great Axe; Green Bandit loses 3.
Round 3. Enemies (Advance): Ecarus loses 1; Auriel loses 2.
Round 3. Thorgar: moves to village_1; attacks with Hammer Throw I; Green Bandit is killed.
Round 3. Auriel: attacks with Thunder Lord I; Green Gremlin loses 2.
Round 3. Enemies (Advance): Auriel loses 2, becomes a ghost.
Round 4. Time: Auriel gains 7, is resurrected.
Round 4. Ecarus: moves to village_5; attacks with Great Axe; Green Gremlin loses 4, has broken armour.
Round 4. Thorgar: moves to village_5; attacks with Rune Hammer; Green Gremlin is killed.
The heroes have won.
"""  # noqa: E501


def test_an_encounter_is_told_in_words() -> None:
    asked = SOULS.ask("encounter", PARTY, "ambush")
    assert "\n".join(replay(asked.setup, RandomRolls(3, "r", 0, 64), 5)) + "\n" == TOLD


@pytest.mark.parametrize("encounter", ["gorge_troll", "last_stand"])
def test_it_is_the_trial_of_the_simulation(encounter: str) -> None:
    asked = SOULS.ask("encounter", PARTY, encounter, {"heroes.rank": "3", "heroes.effects": "ko@;fire1@"})
    (process,) = asked.kind.processes(asked.setup, "literal")
    found = simulate(process, RandomRolls(1, "told", 0, 32), in_order=True)
    for trial in (0, 7, 31):
        told = replay(asked.setup, RandomRolls(1, "told", 0, 32), trial)
        assert told[-1] == {1: "The heroes have won.", 2: "The heroes have lost."}[int(found["winner"][trial])]
        assert told[-2].startswith(f"Round {found['rounds'][trial]}. ")
