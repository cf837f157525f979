"""Ranks, gear and the Emporium: what souls and crowns buy, and what is lost."""

from __future__ import annotations

import pytest

from balance.base.errors import RulesError
from balance.games.immortal_souls.quest.market import come_home, visit_emporium
from balance.games.immortal_souls.quest.outfitting import buy_ranks, heal, rearrange
from balance.games.immortal_souls.quest.perils import bury
from tests.games.immortal_souls.quest.scenes import PARTY, Scene, campaign_of

JOURNEY = "gremlin_road,old_crypt"
PONY = {"pony": [9]}
"""A face of the blue die that shows MAG, on which the Rising Pony pays most on average."""


def home(scene: Scene, card: int = 0) -> Scene:
    """Bring the heroes home from a quest that is not the last; ghosts lose the card of this number."""

    def rule(campaign, state, rolls, log):  # type: ignore[no-untyped-def]
        come_home(campaign, state, False, rolls, log)

    return scene.play(rule, dice={"item lost": [card] * 3})


@pytest.mark.rule("IS-ECO.1", "IS-HP.10")
@pytest.mark.parametrize(
    ("pool", "ranks", "left", "bought"),
    [
        (3, [1, 1, 1], 3, []),
        (13, [2, 2, 2], 1, [("ecarus", 2, 4), ("thorgar", 2, 4), ("shae", 2, 4)]),
        (25, [3, 2, 2], 4, [("ecarus", 2, 4), ("thorgar", 2, 4), ("shae", 2, 4), ("ecarus", 3, 9)]),
    ],
)
def test_ranks_are_bought_one_at_a_time_the_lowest_first(
    pool: int, ranks: list[int], left: int, bought: list[tuple[str, int, int]]
) -> None:
    scene = Scene.of(campaign_of(), pool=pool).play(buy_ranks)
    assert (scene.state["h_rank"][0].tolist(), scene.number("pool")) == (ranks, left)
    assert [(event["hero"], event["to"], event["cost"]) for event in scene.told("rank")] == bought
    assert not Scene.of(campaign_of(purse="saving"), pool=pool).play(buy_ranks).told()


@pytest.mark.rule("IS-ECO.1")
def test_a_ghost_of_a_lower_rank_holds_the_others_back() -> None:
    ghosts = {"pool": 99, "h_ghost": [False, False, True], "h_rank": [2, 2, 1]}
    assert not Scene.of(campaign_of(), **ghosts).play(buy_ranks).told()
    free = campaign_of(sets={"rules.ghosts_hold_ranks_back": "false"})
    assert len(Scene.of(free, **ghosts).play(buy_ranks).told()) > 1


@pytest.mark.rule("IS-HP.8", "IS-ECO.8")
def test_a_ghost_at_the_end_loses_what_he_wears_and_the_stash_replaces_basic_cards() -> None:
    scene = home(Scene.of(campaign_of(quest=JOURNEY), h_ghost=[False, False, True]), card=1)
    assert scene.told("item_lost") == [{"hero": "shae", "card": "short_sword", "basic": True}]
    assert scene.number("items_lost") == 1
    scene.play(visit_emporium, dice={})
    assert scene.told("stash") == [{"hero": "shae", "card": "short_sword"}]
    bought = home(Scene.of(campaign_of(quest=JOURNEY), h_ghost=[True, False, False], cards=1), card=2)
    assert bought.told("item_lost") == [{"hero": "ecarus", "card": "plate_armour", "basic": False}]
    assert bought.number("cards") == 0


@pytest.mark.rule("IS-ECO.7", "IS-ECO.4")
def test_a_treasure_sells_for_25_crowns_times_its_act_to_its_bearer() -> None:
    scene = Scene.of(campaign_of(quest=JOURNEY, purse="saving")).give("silver_ring", 1).give("jewelled_cup", 2)
    scene.give("relic", 2).play(visit_emporium, dice={})
    assert scene.crowns() == [0, 25, 125]


@pytest.mark.rule("IS-ECO.6", "IS-ECO.4", "IS-ECO.9")
def test_cards_are_bought_for_good_and_sides_forged_for_a_quest() -> None:
    cards = campaign_of(quest=JOURNEY, purse="cards", sets={"situation.crowns": "70"})
    scene = Scene.of(cards).play(visit_emporium, dice={})
    assert scene.told("purchase", "forge") == [
        {"hero": "ecarus", "card": "plate_armour", "price": 150, "paid": {"ecarus": 70, "thorgar": 70, "shae": 10}},
        {"hero": "thorgar", "card": "iron_bracers", "price": 50, "paid": {"shae": 50}},
    ]
    forging = campaign_of(quest=JOURNEY, purse="forging", sets={"situation.crowns": "50"})
    scene = Scene.of(forging).play(visit_emporium, dice={})
    assert [(event["hero"], event["card"], event["price"]) for event in scene.told("forge")] == [
        ("ecarus", "long_sword", 50), ("thorgar", "war_hammer", 50)]  # fmt: skip
    worn = forging.ladders.worn[forging.ladders.n_sets * scene.number("forged")]
    assert [cards[0] for cards in worn] == ["long_sword_forged", "war_hammer_forged", "dagger"]
    assert (home(scene).number("forged"), home(Scene.of(cards, cards=3)).number("cards")) == (0, 3)


@pytest.mark.rule("IS-ECO.10")
def test_each_hero_plays_once_at_the_rising_pony_if_he_has_the_stake() -> None:
    gamble = campaign_of(quest=JOURNEY, purse="gamble")
    scene = Scene.of(gamble, h_crowns=[5, 4, 6]).play(visit_emporium, dice={"pony": [9, 9, 1]})
    assert [(event["hero"], event["result"], event["prize"]) for event in scene.told("pony")] == [
        ("ecarus", "MAG", 50), ("shae", "MAG", 0)]  # fmt: skip
    assert sum(event["price"] for event in scene.told("forge")) == 50  # of the 50, 4 and 1 crowns then left


@pytest.mark.rule("IS-ACT.15", "IS-ACT.16")
def test_the_careful_hand_on_what_they_found_and_put_it_on() -> None:
    careful = campaign_of(way="careful")
    scene = Scene.of(careful).give("smiths_work", 2).play(rearrange)
    assert scene.told() == [
        {"giver": "shae", "receiver": "ecarus", "treasure": "smiths_work"},
        {"hero": "ecarus", "treasure": "smiths_work", "card": "plate_armour"},
    ]
    assert (scene.number("actions"), scene.number("cards")) == (2, 1)
    full = Scene.of(careful).give("smiths_work", 2)
    full.state["treasure_at"][0, :4] = 0
    assert not full.play(rearrange).told()  # the knight carries as much as he can


@pytest.mark.rule("IS-ECO.4")
def test_the_dead_drop_crowns_and_treasures() -> None:
    scene = Scene.of(campaign_of(), h_wounds=[99, 0, 0], h_crowns=[7, 1, 1], h_rank=3).give("silver_ring", 0)
    scene.play(lambda campaign, state, log: bury(campaign, state, scene.everywhere, log))
    assert scene.told("pick_up") == [{"hero": "thorgar", "crowns": 7}, {"hero": "thorgar", "treasure": "silver_ring"}]
    assert (scene.crowns(), scene.state["h_rank"][0].tolist()) == ([0, 8, 1], [2, 3, 3])


def test_the_careful_heal_before_a_door_with_a_power_that_is_ready() -> None:
    careful = campaign_of("ecarus,thorgar+heal_wounds_1", way="careful")
    scene = Scene.of(careful, h_wounds=[5, 2]).play(heal)
    (healed,) = scene.told("heal")
    assert (healed["hero"], healed["target"]) == ("thorgar", "ecarus")
    assert len(scene.play(heal).told("heal")) == 1  # it cools down


@pytest.mark.rule("IS-ECO.12")
def test_no_party_mixes_lawful_and_chaos() -> None:
    with pytest.raises(RulesError, match="lawful and chaos in one party"):
        campaign_of("ecarus,shae_assassin")
    assert campaign_of("ecarus,laegon").heroes.alignments == ("lawful", "neutral")
    assert PARTY.count(",") == 2
