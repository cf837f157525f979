"""The Hero Turn: a Move that no attack interrupts, what an action may be, and what is lost with a rank."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from balance.chance.rolls.requests import Draw
from tests.games.immortal_souls.encounter.stage import Stage

STILL = {"heroes.1.red": "0", "heroes.1.blue": "0", "heroes.1.sure": "4"}


def hits(stage: Stage) -> int:
    """Return the hits of the hero's first attack that armour left, the same in all trials."""
    which = next(np.unique(request.place) for request, _ in stage.asked
                 if isinstance(request, Draw) and request.name == "hero defence")  # fmt: skip
    assert len(which) == 1
    return int(which[0]) % (stage.scene.most_hits + 1)


def evading(movement: int, actions: int) -> Stage:
    """Return Ecarus next to a gremlin, three areas away from one that he prefers since it has less health."""
    sets = {**STILL, "heroes.1.movement": str(movement), "heroes.1.actions": str(actions),
            "encounter.enemies": "green_gremlin@crypt_1;green_gremlin@crypt_2"}  # fmt: skip
    stage = Stage.of("ecarus,thorgar", "captain", sets).put(cool=1)
    stage.state["h_area"][:] = [stage.area("crypt_1"), stage.area("crypt_4")]
    stage.state["h_health"][:, 0] = 99
    stage.state["e_health"][:, :2] = [50, 40]
    return stage


@pytest.mark.rule("IS-ACT.2", "IS-ACT.12", "IS-ACT.19")
def test_a_move_is_made_before_any_attack_and_actions_interrupt_it() -> None:
    """He evades, which the gremlin answers, goes on, sprints, and attacks where his Move has ended."""
    stage = evading(2, 1).play(1)
    assert (stage.told("h_area", 0), stage.told("hero_attacks")) == ([stage.area("crypt_2")], [1])
    assert (stage.told("enemy_attacks"), stage.told("e_health", 0)) == ([1], [50])
    assert max(stage.told("e_health", 1)) < 40
    names = [request.name for request, _ in stage.asked]
    assert max(place for place, name in enumerate(names) if name.startswith("reaction")) < names.index("hero roll")


@pytest.mark.rule("IS-ACT.2", "IS-ACT.11")
def test_without_an_action_he_does_not_get_there_and_stays_for_the_other() -> None:
    stage = evading(2, 0).play(1)
    assert (stage.told("h_area", 0), stage.told("hero_attacks")) == ([stage.area("crypt_1")], [1])
    assert (stage.told("enemy_attacks"), stage.told("e_health", 1)) == ([0], [40])


@pytest.mark.rule("IS-ACT.11", "IS-ACT.14")
@pytest.mark.parametrize(
    ("party", "encounter", "change", "takes"),
    [
        ("laegon,shae", "captain", {}, False),
        ("laegon+bandages,shae", "captain", {"h_poison": (1, 0)}, True),
        ("laegon+healing_draught,shae", "captain", {"h_health": (3, 7)}, False),
        ("laegon+bandages,shae", "captain", {"h_poison": (0, 1), "away": (1, 1)}, True),
        ("thorgar,shae", "captain", {"h_health": (8, 3)}, True),
        ("laegon,shae", "gorge_troll", {"h_health": (7, 3), "holder": (1,)}, True),
        ("laegon,shae", "gorge_troll", {"h_health": (3, 7), "holder": (1,)}, False),
    ],
)
def test_each_thing_on_the_list_takes_an_action(
    party: str, encounter: str, change: Mapping[str, tuple[int, ...]], takes: bool
) -> None:
    """Items, powers, handing over and provoking leave no action for Focus to who has one, but to who has two."""
    found = []
    for actions in ("1", "2"):
        sets = {**STILL, "heroes.1.actions": actions, "heroes.1.effects": "none", "heroes.1.hand": "main"}
        sets |= {"encounter.enemies": "green_gremlin@crypt_1;red_bandit@crypt_9"} if encounter == "captain" else {}
        stage = Stage.of(party, encounter, sets)
        home = stage.scene.area_names[0]
        stage.alone(home, home).put(cool=1)
        if "away" in change:  # nobody is engaged, but who shoots has a target
            sets["heroes.1.hand"] = "main"
            stage = Stage.of("laegon+bandages+long_bow,shae", encounter, sets).alone(home, "crypt_5").put(cool=1)
        for name, values in change.items():
            if name in stage.state:
                stage.state[name][:] = values if len(values) > 1 else values[0]
        found.append(hits(stage.play(1)))
    assert found[1] - found[0] == int(takes)


@pytest.mark.rule("IS-POW.10", "IS-HP.3", "IS-HP.6")
def test_with_a_rank_goes_the_newest_power_and_it_comes_back_with_it() -> None:
    """IS-EX-48: at rank III Thorgar throws his hammer; he dies of poison at the altar, and at rank II only strikes."""
    sets = {"heroes.rank": "3", "heroes.poison": "1", "situation.soul_points": "20", "heroes.2.health": "9"}
    stage = Stage.of("thorgar,laegon", "captain", sets).alone("crypt_5", "crypt_5")
    stage.state["h_poison"][:, 1] = 0

    def struck_with() -> set[str]:
        which = next(request.place for request, _ in stage.asked
                     if isinstance(request, Draw) and request.name == "hero roll")  # fmt: skip
        return {stage.scene.strike_names[one] for one in np.unique(which)}

    stage.play(1)
    assert struck_with() == {"Hammer Throw I"}
    stage.state["h_health"][:, 0] = 1
    stage.put(cool=0).play(0)
    assert (stage.told("deaths"), stage.told("h_ghost", 0), stage.told("h_rank", 0)) == ([1], [False], [2])
    assert stage.told("points") == [18]
    stage.play(1)
    assert struck_with() == {"War Hammer"}
    stage.state["h_rank"][:, 0] = 3
    stage.play(1)
    assert struck_with() == {"Hammer Throw I"}
