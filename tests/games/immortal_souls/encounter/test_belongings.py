"""What heroes carry: used when it does good and nothing is wasted, dropped by the dead, picked up and handed over."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.chance.rolls.requests import Draw
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from tests.games.immortal_souls.encounter.comparing import SOULS
from tests.games.immortal_souls.encounter.stage import Stage

ILL = {"encounter.enemies": "red_bandit@crypt_9;red_gremlin@crypt_13;green_orc_shaman@crypt_4", "heroes.ko": "true",
       "heroes.effects": "none"}  # fmt: skip
"""Enemies who blind and poison, and slow."""


def apart(party: str, sets: dict[str, str] | None = None, n: int = 4) -> Stage:
    """Return a party that knows of no enemy, all in one area, on their feet, whole and well."""
    stage = Stage.of(party, "captain", ILL | (sets or {}), n=n).alone("crypt_1", "crypt_1")
    return stage.put(h_ko=0, cool=1, e_area=stage.scene.board.off_map)


def test_enemies_may_do_what_is_tested() -> None:
    assert apart("laegon,thorgar").scene.marks["h"] == ("ko", "slow", "blind", "poison", "fire1")


@pytest.mark.rule("IS-COND.3", "IS-ITEM.13")
@pytest.mark.parametrize(
    ("item", "before", "after", "used"),
    [
        ("bandages", {"h_poison": 2}, {"h_poison": 0}, True),
        ("bandages", {"h_poison": 1, "h_health": 6}, {"h_poison": 0, "h_health": 7}, True),
        ("bandages", {"h_health": 4}, {"h_health": 7}, True),
        ("bandages", {"h_health": 5}, {"h_health": 5}, False),
        ("bandages", {"h_slow": 1}, {"h_slow": 0}, False),
        ("small_bandages", {"h_poison": 1}, {"h_poison": 0}, True),
        ("small_bandages", {"h_health": 5}, {"h_health": 6}, True),
        ("healing_draught", {"h_health": 3}, {"h_health": 7}, True),
        ("healing_draught", {"h_health": 4}, {"h_health": 4}, False),
        ("healing_draught", {"h_health": 1, "h_slow": 1}, {"h_health": 5, "h_slow": 0}, True),
        ("bandages", {"h_health": 1, "h_slow": 1}, {"h_health": 1, "h_slow": 0}, False),
        ("bandages", {"h_health": 1, "h_ghost": True}, {"h_health": 1}, False),
    ],
)
def test_an_item_is_used_when_nothing_of_it_is_wasted(
    item: str, before: dict[str, int], after: dict[str, int], used: bool
) -> None:
    """A slowed hero has no action left, but free actions; whoever uses a consumable discards it."""
    stage = apart(f"laegon+{item},thorgar")
    for name, value in before.items():
        stage.state[name][:, 0] = value
    stage.play(1)
    assert {name: stage.told(name, 0) for name in after} == {name: [value] for name, value in after.items()}
    assert (stage.told("item_left"), stage.told("item_bearer")) == (([0], [-1]) if used else ([1], [0]))
    assert stage.told("h_health", 1) == [8]


@pytest.mark.rule("IS-COND.3", "IS-CRIT.6")
def test_bandages_take_a_critical_away_and_what_it_took_of_the_health() -> None:
    sets = {"encounter.enemies": "red_orc_warrior@crypt_9"}
    stage = Stage.of("laegon+bandages,thorgar", "captain", sets).alone("crypt_1", "crypt_13").put(cool=1)
    assert stage.scene.marks["h"] == ("blind", "poison", "weakened", "fire1")
    stage.put(e_area=stage.scene.board.off_map).state["h_weakened"][:, 0] = 1
    assert stage.play(1).told("h_weakened", 0) == [0]
    assert stage.told("item_left") == [0]


@pytest.mark.rule("IS-ACT.11")
def test_each_item_takes_its_action() -> None:
    """With one action he uses one of two bandages; a draught is free."""
    stage = apart("laegon+bandages+bandages+healing_draught,thorgar", {"heroes.1.health": "20"})
    stage.state["h_health"][:, 0] = 8
    stage.play(1)
    assert stage.told("h_health", 0) == [15]
    assert [stage.told("item_left", place) for place in range(3)] == [[0], [1], [0]]
    assert stage.play(1).told("h_health", 0) == [18]


@pytest.mark.rule("IS-POW.9", "IS-ITEM.12")
def test_once_a_round_and_once_a_quest_are_absolute() -> None:
    stage = apart("laegon+healing_amulet,shae+prayer_book", {"heroes.health": "30", "heroes.actions": "1"})
    stage.put(h_health=10)
    for step, told in ((1, [12, 10]), (1, [12, 10]), (3, [12, 12]), (0, [12, 12]), (1, [14, 12]), (3, [14, 12])):
        stage.play(step)
        assert [stage.told("h_health", hero) for hero in (0, 1)] == [[told[0]], [told[1]]]
    assert [stage.told("item_bearer", place) for place in (0, 1)] == [[0], [1]]


@pytest.mark.rule("IS-POW.9", "IS-ITEM.13")
def test_the_next_attack_is_of_this_turn() -> None:
    """A draught of fury is kept while nobody can be attacked, and adds to one attack; all have supremacy."""
    stage = apart("ecarus+draught_of_fury,thorgar", {"heroes.1.combat_activities": "2", "heroes.actions": "0"}, n=256)
    assert stage.play(1).told("item_left") == [1]
    dice = {
        "heroes.1.red": "0",
        "heroes.1.blue": "0",
        "heroes.1.sure": "4",
        "encounter.enemies": "green_gremlin@crypt_9",
    }
    ready = apart("ecarus+draught_of_fury,thorgar", {"heroes.1.combat_activities": "2", "heroes.actions": "0", **dice})
    plain = apart("ecarus,thorgar", {"heroes.1.combat_activities": "2", "heroes.actions": "0", **dice})
    lost = []
    for stage in (plain, ready):
        stage.alone("crypt_1", "crypt_1").play(1)
        left = [request.place for request, _ in stage.asked
                if isinstance(request, Draw) and request.name == "hero defence"]  # fmt: skip
        lost.append([int(np.asarray(one)[0]) % (stage.scene.most_hits + 1) for one in left])
    assert lost == [[5, 5], [6, 5]]
    assert (ready.told("item_left"), ready.told("h_ready")) == ([0], [0])


@pytest.mark.rule("IS-ACT.20", "IS-COND.8")
@pytest.mark.parametrize(
    ("item", "hits", "shields", "stunned", "used"),
    [
        ("draught_of_shielding", 4, 0, False, True),
        ("draught_of_shielding", 3, 0, False, True),
        ("draught_of_shielding", 2, 0, False, False),
        ("draught_of_shielding", 4, 1, False, True),
        ("draught_of_shielding", 3, 1, False, False),
        ("draught_of_shielding", 4, 0, True, False),
        ("bandages", 4, 0, False, False),
    ],
)
def test_a_reaction_is_for_the_turn_of_others(item: str, hits: int, shields: int, stunned: bool, used: bool) -> None:
    """Against two hits more than armour 1 and his shields stop he drinks: two shields then stop two of them."""
    sets = {"heroes.defence_dice": "0", "encounter.enemies": "troll@crypt_1", "encounter.enemies_many": ""}
    stage = Stage.of(f"thorgar+{item},laegon", "captain", sets).alone("crypt_1", "crypt_1")
    stage.state["h_area"][:, 1] = stage.area("crypt_13")
    if stunned:
        stage.state["h_stun"][:, 0] = 1
    scene = stage.scene
    object.__setattr__(scene.enemy_arms, "hits", scene.enemy_arms.hits * 0 + hits)
    stage.put(level=1, holder=0).state["h_shields"][:, 0] = shields
    before = stage.state["h_health"][:, 0].copy()
    stage.play(2)
    attacked = stage.state["enemy_attacks"] == 1
    lost = before - stage.state["h_health"][:, 0]
    assert attacked.any()
    assert set(lost[attacked].tolist()) == {hits - 1 - shields - 2 * used}
    assert set(stage.state["item_left"][attacked, 0].tolist()) == {int(not used)}


@pytest.mark.rule("IS-CRIT.8", "IS-COND.8")
@pytest.mark.parametrize("mark", ["h_silenced", "h_stun"])
def test_who_is_silenced_or_stunned_uses_nothing(mark: str) -> None:
    stage = apart("laegon+healing_draught+bandages,thorgar").put(h_health=1, h_poison=0)
    stage.state[mark] = np.zeros_like(stage.state["h_health"])
    stage.state[mark][:, 0] = 1
    assert stage.play(1).told("h_health", 0) == [1]
    stage.state[mark][:, 0] = 0
    assert stage.play(1).told("h_health", 0) == [5]


@pytest.mark.rule("IS-CRIT.8")
def test_who_is_silenced_neither_adds_hits_nor_shields() -> None:
    stage = Stage.of("ecarus+draught_of_fury+draught_of_shielding,thorgar", "ambush").alone("village_6", "village_6")
    stage.state["h_silenced"] = np.zeros_like(stage.state["h_health"])
    stage.state["h_silenced"][:, 0] = 1
    object.__setattr__(stage.scene.enemy_arms, "hits", stage.scene.enemy_arms.hits * 0 + 9)
    stage.put(h_health=99).play(1).play(2)
    assert stage.told("enemy_attacks") != [0]
    assert stage.told("item_left") == [1]
    stage.state["h_silenced"][:, 0] = 0
    stage.play(1)
    assert (stage.told("item_left", 0), stage.told("item_left", 1)) == ([0], [1])


@pytest.mark.rule("IS-ACT.20")
def test_it_is_not_for_ones_own_turn() -> None:
    """Who leaves an area is struck at in his own turn, and does not drink."""
    stage = Stage.of("thorgar+draught_of_shielding,laegon", "captain", {"encounter.enemies": "red_gremlin@crypt_9"})
    stage.alone("crypt_1", "crypt_1")
    scene = stage.scene
    object.__setattr__(scene.enemy_arms, "hits", scene.enemy_arms.hits * 0 + 6)
    stage.state["e_health"][:, 1:] = 1
    stage.state["e_area"][:, 1] = stage.area("crypt_2")
    stage.play(1)
    assert stage.told("item_left") == [1]


@pytest.mark.rule("IS-HP.3", "IS-ACT.19", "IS-ACT.5")
def test_what_the_dead_carried_lies_there_until_somebody_picks_it_up_who_is_not_engaged() -> None:
    stage = apart("laegon+bandages+small_bandages,thorgar+healing_draught,shae").put(h_poison=0)
    stage.state["h_area"][:, 2] = stage.area("crypt_5")
    stage.state["h_poison"][:, 0], stage.state["h_health"][:, 0] = 1, 1
    stage.play(0)
    assert stage.told("h_ghost", 0) == [True]
    assert [stage.told("item_bearer", place) for place in range(3)] == [[-1], [-1], [1]]
    assert [stage.told("item_area", place) for place in range(2)] == [[stage.area("crypt_1")]] * 2
    stage.play(5)
    assert stage.told("item_bearer", 0) == [-1]
    foes = stage.state["e_area"].copy()
    stage.state["e_area"][:, 0] = stage.area("crypt_1")
    stage.play(3)
    assert stage.told("item_bearer", 0) == [-1]
    stage.put(e_area=foes, h_area=stage.area("crypt_1"), h_health=7)
    stage.play(3)
    assert [stage.told("item_bearer", place) for place in range(3)] == [[1], [1], [1]]
    assert [stage.told("item_area", place) for place in range(2)] == [[stage.scene.board.off_map]] * 2


@pytest.mark.rule("IS-ACT.19")
def test_nobody_picks_up_more_than_he_carries() -> None:
    stage = apart("laegon+bandages+bandages,auriel+prayer_book+prayer_book")
    stage.state["item_bearer"][:, :2] = -1
    stage.state["item_area"][:, :2] = stage.area("crypt_1")
    stage.play(3)
    assert [stage.told("item_bearer", place) for place in range(4)] == [[1], [-1], [1], [1]]


@pytest.mark.rule("IS-ACT.5", "IS-ACT.11")
@pytest.mark.parametrize(
    ("change", "bearer"),
    [({}, 1), ({"apart": True}, 0), ({"engaged": True}, 0), ({"himself": True}, -1), ({"actions": "0"}, 0),
     ({"ghost": True}, 0)],
)  # fmt: skip
def test_an_item_is_handed_over_to_who_alone_needs_it(change: dict[str, object], bearer: int) -> None:
    """An action, in the same area, and not while engaged; first he helps himself."""
    stage = apart("laegon+bandages,thorgar", {"heroes.actions": str(change.get("actions", 1))})
    stage.state["h_poison"][:, 1] = 1
    if change.get("apart"):
        stage.state["h_area"][:, 1] = stage.area("crypt_2")
    if change.get("engaged"):
        stage.state["e_area"][:, 0] = stage.area("crypt_1")
    if change.get("himself"):
        stage.state["h_poison"][:, 0] = 1
    if change.get("ghost"):
        stage.state["h_ghost"][:, 1] = True
    stage.play(1)
    assert stage.told("item_bearer") == [bearer]


@pytest.mark.parametrize(
    ("kind", "sides", "told"),
    [
        ("duel", ("ecarus+bandages", "green_gremlin"),
         "a: 'bandages' is an item, which heroes use in encounters only; ask about an encounter"),
        ("attack", ("ecarus+bandages", "green_gremlin"),
         "attacker: 'bandages' is an item, which heroes use in encounters only; ask about an encounter"),
        ("attack", ("green_gremlin", "ecarus+prayer_book+bandages"),
         "defender: 'prayer_book+bandages' is an item, which heroes use in encounters only; ask about an encounter"),
        ("encounter", ("auriel+bandages+bandages+bandages+bandages,thorgar", "ambush"),
         "heroes.1: 'bandages+bandages+bandages+bandages' is more than he carries (IS-ITEM.11); allowed: 3 items"),
    ],
)  # fmt: skip
def test_who_cannot_carry_or_use_an_item_is_told(kind: str, sides: tuple[str, str], told: str) -> None:
    with pytest.raises(BalanceError) as error:
        SOULS.ask(kind, *sides)
    assert str(error.value) == told


def test_tables_have_room_for_the_hits_that_an_item_adds() -> None:
    plain, ready = (Stage.of(f"ecarus{more},thorgar", "ambush").scene for more in ("", "+draught_of_fury"))
    place = plain.hero_arms.names.index("bonus")
    assert ready.most_hits - plain.most_hits == 1
    assert np.unique(ready.hero_arms.counts[..., place] - plain.hero_arms.counts[..., place]).tolist() == [1]
    assert (plain.party.most_ready, ready.party.most_ready) == (0, 1)


def test_what_heroes_carry_can_be_sent_to_another_process() -> None:
    party = "ecarus+soul_blade+bandages,laegon+dagger+knives+draught_of_shielding,auriel+talisman_of_fire"
    asked = SOULS.ask("encounter", party, "captain")
    sent = pickle.loads(pickle.dumps(asked.setup))
    (process,), (again,) = (asked.kind.processes(it, "literal") for it in (asked.setup, sent))
    one, other = (simulate(it, RandomRolls(0, "sent", 0, 32)) for it in (process, again))
    assert all(np.array_equal(one[name], other[name]) for name in one)
