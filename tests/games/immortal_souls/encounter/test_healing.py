"""Powers that heal: by the rank of who heals, and all around whom he heals if they have a radius."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.requests import Draw
from tests.games.immortal_souls.encounter.stage import Stage

PARTY = "thorgar+circle_of_light_2,ecarus,laegon,shae"


def gathered(rank: int, health: dict[int, int], **areas: str) -> list[int]:
    """Return the health of all after Thorgar's turn; all are in crypt_1 unless said, `_2="crypt_5"`."""
    stage = Stage.of(PARTY, "captain", {"heroes.rank": str(rank)}).alone("crypt_1", "crypt_1")
    stage.put(e_area=stage.scene.board.off_map, cool=1)
    for hero, wounds in health.items():
        stage.state["h_health"][:, hero] -= wounds
    for place, area in areas.items():
        stage.state["h_area"][:, int(place[1:])] = stage.area(area)
    whole = stage.scene.party.health[:, rank]
    stage.play(1)
    return [int(whole[hero]) - stage.told("h_health", hero)[0] for hero in range(4)]


@pytest.mark.rule("IS-AOE.3", "IS-POW.7")
@pytest.mark.parametrize(
    ("rank", "hurt", "areas", "left"),
    [
        (2, {1: 3, 2: 2}, {}, [0, 2, 1, 0]),
        (3, {1: 3, 2: 1, 0: 5}, {}, [3, 1, 0, 0]),
        (5, {1: 4, 2: 4, 3: 1}, {}, [0, 1, 1, 0]),
        (5, {1: 2, 2: 2, 3: 2}, {}, [0, 2, 2, 2]),
        (3, {1: 3, 2: 2}, {"_2": "crypt_5"}, [0, 1, 2, 0]),
        (3, {0: 1, 1: 3, 2: 4}, {"_2": "crypt_10"}, [1, 3, 2, 0]),
    ],
)
def test_all_in_the_area_of_whom_he_heals_are_healed(
    rank: int, hurt: dict[int, int], areas: dict[str, str], left: list[int]
) -> None:
    """Half of his rank each, as far as they lack it, if the most wounded lacks all of it; nobody elsewhere."""
    assert gathered(rank, hurt, **areas) == left


@pytest.mark.rule("IS-AOE.3")
def test_ghosts_are_not_healed() -> None:
    stage = Stage.of(PARTY, "captain", {"heroes.rank": "3"}).alone("crypt_1", "crypt_1").put(h_health=4)
    stage.put(e_area=stage.scene.board.off_map, cool=1).state["h_ghost"][:, 2] = True
    stage.state["h_health"][:, 2] = 0
    stage.play(1)
    assert [stage.told("h_health", hero)[0] for hero in range(4)] == [6, 6, 0, 6]


def test_a_radius_is_told_by_its_power() -> None:
    party = Stage.of(PARTY, "captain", {"heroes.rank": "3"}).scene.party
    assert [row[3] for row in party.heal_radius.tolist()] == [0, -1, -1, -1]
    assert party.heals[0, 1:4].tolist() == [2, 1, 2]
    assert party.heal_reach[0, 1:4].tolist() == [1, 2, 2]


@pytest.mark.parametrize(("actions", "hits"), [("0", 5), ("1", 6)])
def test_who_cannot_heal_yet_keeps_the_action_for_focus(actions: str, hits: int) -> None:
    """Auriel heals from rank III on; below it her action adds a hit to four sure ones and that of supremacy."""
    sets = {"heroes.rank": "3", "heroes.1.sure": "4", "heroes.1.red": "0", "heroes.1.blue": "0",
            "heroes.1.actions": actions, "encounter.enemies": "green_gremlin@crypt_1"}  # fmt: skip
    stage = Stage.of("auriel,shae", "captain", sets).alone("crypt_1", "crypt_1").put(cool=1, h_rank=1)
    assert (stage.scene.party.heals[0, 1], stage.scene.party.heals[0, 3]) == (0, 2)
    stage.play(1)
    (which,) = (np.unique(request.place).tolist() for request, _ in stage.asked
                if isinstance(request, Draw) and request.name == "hero defence")  # fmt: skip
    assert [one % (stage.scene.most_hits + 1) for one in which] == [hits]
