"""Landmarks of Lore adventures, and whole adventures with Lore."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.keyed_rolls import mixed
from balance.games.battlelore.adventure.map.adventure import Council
from balance.games.battlelore.adventure.terms.choices import AT_RANDOM
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.adventure.turns.turn import take_turn
from tests.games.battlelore.adventure.lore_scenes import ARCHERS, FOOT, RIDERS, SPIDER, begun, rows_of_battles, staged
from tests.games.battlelore.adventure.scenes import POOL, Owner, battle_of, cell, name_of, scene

# -- landmarks ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-LMK-02", "BL-LMK-03", "BL-LMK-11", "BL-WC-08")
def test_masters_and_commanders_of_the_third_level_bring_their_landmarks() -> None:
    councils = Council(commander=3, wizard=3, rogue=3), Council(commander=3, wizard=3, cleric=3, warrior=3)
    made = begun(councils=councils, masters=True, first=1)
    marks = [(side, int(given["master"][0])) for what, side, _, given in made.events if what == "landmark"]
    assert marks == [(1, 2), (1, 3), (1, 4), (0, 1), (0, 4)], "two Wizards cancel each other out"
    for what, side, _, given in made.events:
        if what == "landmark" and given["master"][0] < 4:
            assert {name_of(int(at))[0] for at in given["cell"]} <= set("CD" if side == 0 else "FG")
    assert made.battle.stronghold_owners == (0, 1)
    assert [{name_of(int(at)) for at in cells} for cells in made.state["stronghold"].T] == [{"D5"}, {"E6"}]


@pytest.mark.rule("BL-LMK-05", "BL-LMK-04")
@pytest.mark.parametrize(("unit", "owner", "tokens"), [(FOOT, 0, 3), (FOOT, 1, 2), (FOOT, -1, 3), (SPIDER, 0, 2)])
def test_a_pentacle_gives_lore_to_its_owners_troops(unit: str, owner: int, tokens: int) -> None:
    owners = {"D5": owner} if owner >= 0 else {}
    battle = battle_of({"D5": unit}, {"I1": FOOT}, {"D5": "magic_pentacle"}, lore=True, owners=owners)
    made = scene(battle, 4, a=Owner({"move": ["D5"]}))
    take_turn(made.turn)
    assert (made.state["tokens"][:, 0] == tokens).all(), "two of the refill without masters, and the pentacle's"


@pytest.mark.rule("BL-LMK-10")
def test_a_healing_pool_restores_who_moves_into_it_and_is_gone() -> None:
    units = {"D5": FOOT, "A1": FOOT}
    battle = battle_of(units, {"F6": FOOT}, {"E5": "healing_pool"}, lore=True, owners={"E5": 0})
    made = scene(battle, 20, a=Owner({"card": ["scout_centre"], "mover": [0], "move": ["E5"]})).put("figures", 0, 0, 1)
    made.state["hand"][:, 0] = 0
    made.state["hand"][:, 0, [card.id for card in battle.deck.cards].index("scout_centre")] = 1
    take_turn(made.turn)
    assert (made.state["figures"][:, 0, 0] == 4).all() and not made.state["may_battle"][:, 0].any()
    assert (made.state["ground"][:, cell("E5") + 1] == battle.field.code_of(("countryside",))).all()


@pytest.mark.rule("BL-LMK-09")
def test_a_troop_in_a_training_camp_rises_by_a_colour() -> None:
    battle = battle_of({"E5": ARCHERS}, {"F5": FOOT}, {"E5": "training_camp"}, lore=True, owners={"E5": 0})
    made = scene(battle, 20, a=Owner({"train": [1]}))
    made.state["hand"][:, 0, :] = 0
    made.state["hand"][:, 0, [card.id for card in battle.deck.cards].index("scout_centre")] = 1
    take_turn(made.turn)
    names = {battle.muster.fighters[int(member)].id for member in made.state["kind"][:, 0, 0]}
    assert names == {"blue_foot+common_bow"} and not made.times("battle") and made.where(0, 0) == {"E5"}
    assert (made.state["ground"][:, cell("E5") + 1] == battle.field.code_of(("countryside",))).all()


@pytest.mark.rule("BL-LMK-06", "BL-LMK-07", "BL-LMK-08")
def test_a_den_opens_a_passage_once_through_which_friends_come_for_a_token() -> None:
    terrain = {"D6": "rogues_den", "G6": "forest", "G9": "hill"}
    battle = battle_of({"D6": FOOT}, {"H6": FOOT}, terrain, lore=True, owners={"D6": 0})
    owner = Owner({"open": ["G6"], "move": ["G6"], "battle": [0]})
    made = scene(battle, 20, a=owner).hold(0, tokens=5)
    made.state["hand"][:, 0, :] = 0
    made.state["hand"][:, 0, [card.id for card in battle.deck.cards].index("scout_centre")] = 1
    take_turn(made.turn)
    assert owner.offered["open"] == {"", "G6", "G9"} and (made.state["den_exit"][:, 0] == cell("G6")).all()
    assert rows_of_battles(made) == set(range(20)), "it battles on arrival"
    code = battle.field.code_of(("forest", "secret_passage"))
    assert (made.state["ground"][:, cell("G6") + 1] == code).all()
    assert battle.field.bold[code, 0, 0] == 1 and battle.field.stops[code]


@pytest.mark.rule("BL-LMK-12")
@pytest.mark.parametrize("lore", [False, True])
def test_a_stronghold_that_falls_costs_a_command_card_until_it_is_retaken(lore: bool) -> None:
    battle = battle_of({"D5": FOOT}, {"I9": FOOT}, {"E5": "stronghold"}, lore=lore, owners={"E5": 1})
    made = scene(battle, 30, a=Owner({"move": ["E5"]}), b=Owner({"move": ["E5"]}))
    made.state["hand"][:, 0, :] = 0
    made.state["hand"][:, 0, [card.id for card in battle.deck.cards].index("scout_centre")] = 1
    take_turn(made.turn)
    assert made.where(0, 0) == {"E5"} and made.state["fallen"].tolist() == [[True]] * 30
    assert (made.state["hand"][:, 1].sum(axis=1) == 3).all()
    rows, unit = np.arange(30), np.zeros(30, np.int64)
    made.turn.place(rows, 0, unit, np.full(30, cell("A1")))
    made.turn.place(rows, 1, unit, np.full(30, cell("E5")))
    settle(made.turn, rows)
    assert (made.state["hand"][:, 1].sum(axis=1) == 4).all() and not made.state["fallen"].any()


# -- whole adventures --------------------------------------------------------------------------------------------------

ARMY = {f"C{n}": unit for n, unit in enumerate((FOOT, ARCHERS, RIDERS, SPIDER, "goblin_blue_foot"), 3)}
FOES = {f"G{n}": unit for n, unit in enumerate((FOOT, ARCHERS, RIDERS, SPIDER, "dwarf_blue_foot"), 3)}
MARKS = {"D4": "training_camp", "E6": "magic_pentacle", "F8": "healing_pool", "D7": "rogues_den", "E9": "hill"}


def played_on(n: int, parts: int = 1, turns: int = 14) -> list[dict[str, Any]]:
    """Return the states of whole random adventures, played in some parts."""
    councils = Council(3, 3, 1, 0, 1), Council(1, 0, 3, 2, 0)
    battle = battle_of(ARMY, FOES, MARKS, lore=True, councils=councils, masters=True, banners=(3, 3))
    players, states = (AT_RANDOM, AT_RANDOM), []
    for part in np.array_split(np.arange(n, dtype=np.uint64), parts):
        state = start(battle, mixed(part), 0, players)
        for number in range(turns):
            take_turn(Turn(battle, number % 2, players, state))
            total = state["tokens"].sum(axis=1) + state["pool"] + state["lore_paid"].sum(axis=1)
            assert (total + state["stored"].sum(axis=(1, 2)) == 40).all(), "no token is made or lost"
            assert (state["tokens"] >= 0).all() and (state["pool"] >= 0).all()
        on_table = (state["lore_played"] >= 0).sum(axis=1) + (state["lore_kept"] >= 0).sum(axis=1)
        cards = state["lore_hand"].sum(axis=(1, 2)) + state["lore_deck"].sum(axis=1) + state["lore_discard"].sum(axis=1)
        assert (cards + on_table == battle.lore_deck.cards_of_class.sum()).all(), "no card is made or lost"
        states.append(state)
    return states


@pytest.mark.slow(
    "tests/games/battlelore/adventure/test_lore_twins.py::test_lore_adventures_by_every_other_reading_are_the_second_engines"
)
@pytest.mark.rule("BL-LORE-02", "BL-LORE-03")
def test_a_batch_of_adventures_with_lore_is_the_sum_of_its_trials() -> None:
    (whole,), parts = played_on(60), played_on(60, 7)
    for name, values in whole.items():
        assert (values == np.concatenate([part[name] for part in parts])).all(), name


@pytest.mark.rule("BL-CMD-15")
@pytest.mark.parametrize(("tokens", "offered"), [(2, {0}), (3, {0, 1, -1})])
def test_a_creature_outside_the_sections_may_be_ordered_for_three_tokens(tokens: int, offered: set[int]) -> None:
    made = staged(a={"D2": FOOT, "D12": SPIDER}, b={"I5": FOOT}, n=10).hold(0, tokens=tokens)
    numbers = [card.id for card in made.battle.deck.cards]
    section = made.battle.field.section[0, cell("D2") + 1]
    card = {1: "patrol_left", 4: "patrol_right"}[int(section)]
    made.state["hand"][:, 0] = 0
    made.state["hand"][:, 0, numbers.index(card)] = 1
    made.owner(0).wishes = {"order": [1], "refill": [2]}
    take_turn(made.turn)
    ordered = next(given["unit"] for what, _, _, given in made.events if what == "order")
    assert ordered.tolist() == [[True, tokens == 3]] * 10
    assert made.owner(0).offered.get("order", {0}) | {0} == offered
    assert (made.state["tokens"][:, 0] == tokens - 3 * (tokens == 3) + 2).all()


@pytest.mark.rule("BL-CRE-16")
@pytest.mark.parametrize(("reading", "battles"), [("move_and_battle", True), ("move_or_battle", False)])
def test_a_webbed_unit_is_freed_for_a_token_and_acts_as_the_reading_has_it(reading: str, battles: bool) -> None:
    made = staged(a={"D7": FOOT}, b={"F7": FOOT}, n=10, freed_unit=reading).hold(0, tokens=1)
    made.state["hand"][:, 0] = 0
    made.state["hand"][:, 0, [card.id for card in made.battle.deck.cards].index("scout_centre")] = 1
    made.owner(0).wishes = {"order": [0], "move": ["E7"], "battle": [0], "refill": [2], "gain": [0]}
    made.put("webbed", 0, 0, True)
    take_turn(made.turn)
    assert not made.state["webbed"].any() and made.where(0, 0) == {"E7"}
    assert (made.state["pool"] + made.state["tokens"].sum(axis=1) == POOL + 1).all()
    assert (rows_of_battles(made) == set(range(10))) is battles
