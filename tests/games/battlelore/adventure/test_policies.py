"""Ways of playing adventures: nobody plays by what the enemy hides, all beat random play, and mirrors are even."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest

import balance
from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import Keys, mixed
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.play import PLAYERS
from balance.games.battlelore.adventure.question.columns import AskedAdventure
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import AT_RANDOM, Player, Watch
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.adventure.turns.turn import take_turn

FORCES = {
    "mirror": ("south", "north"), "lore_duel": ("south", "north"), "agincourt": ("english", "french"),
}  # fmt: skip
WAYS = [name for name in PLAYERS if name != "random"]
SLOW = {"lookahead"}
"""Ways of playing that take long."""


@cache
def battle_of(name: str) -> Battle:
    a, b = (f"{name}:{force}" for force in FORCES[name])
    return cast("AskedAdventure", balance.load("battlelore").ask("battle", a, b).setup.play).battle


def keys(n: int, seed: int = 0) -> Keys:
    return mixed(np.arange(n, dtype=np.uint64) + np.uint64(1000 * seed))


def played(battle: Battle, players: tuple[Player, Player], n: int, first: int = 0, seed: int = 0) -> State:
    """Return adventures at their end."""
    state = start(battle, keys(n, seed), first, players)
    for number in range(battle.terms.turn_limit):
        if state["winner"].all():
            break
        take_turn(Turn(battle, first ^ (number & 1), players, state))
    return state


# -- what is hidden ----------------------------------------------------------------------------------------------------


def decisions(state: State, battle: Battle, player: Player) -> list[tuple[str, list[int]]]:
    """Return what a side decides until the enemy answers, it comes to blows, or cards are drawn: name and place."""
    told: list[tuple[str, list[int]]] = []
    heard: set[int] = set()
    state = {name: values.copy() for name, values in state.items()}

    def watch(what: str, side: int, rows: IntArray, fields: Any, after: State) -> None:
        heard.add(1 if what in ("battle", "draw") else side)
        if what == "choice" and 1 not in heard:
            told.append((fields["choice"].name, fields["choice"].place[fields["option"]].tolist()))

    watched: Watch = watch
    take_turn(Turn(battle, 0, (player, AT_RANDOM), state, watched))
    return told


def with_other_cards(state: State) -> State:
    """Return a state in which the enemy holds other cards, exchanged for such as lie in the decks."""
    other = {name: values.copy() for name, values in state.items()}
    for hand, deck in (("hand", "deck"), ("lore_hand", "lore_deck")):
        if hand not in other:
            continue
        all_cards, n_cards = other[hand][:, 1] + other[deck], int(other[hand][0, 1].sum())
        other[hand][:, 1] = 0
        for trial, cards in enumerate(all_cards):
            other[hand][trial, 1, np.flatnonzero(cards)[-n_cards:]] = 1
        other[deck] = all_cards - other[hand][:, 1]
    return other


@pytest.mark.rule("BL-SETUP-05")
@pytest.mark.parametrize("name", ["agincourt", "lore_duel"])
@pytest.mark.parametrize("way", list(PLAYERS))
def test_nobody_plays_by_what_the_enemy_hides(way: str, name: str) -> None:
    """With other cards in the enemy's hands, taken from the decks, the decisions of a side are the same."""
    battle = battle_of(name)
    state = start(battle, keys(3), 0, (AT_RANDOM, AT_RANDOM))
    other = with_other_cards(state)
    assert (other["hand"] != state["hand"]).any()
    before, after = (decisions(one, battle, PLAYERS[way]) for one in (state, other))
    n = min(len(before), len(after))  # the enemy may answer with what it holds, and be heard earlier
    assert n > 1 and before[:n] == after[:n]


# -- how well they play ------------------------------------------------------------------------------------------------


def wins(way: str, other: str, name: str, n: int) -> tuple[int, int]:
    """Return how often one way of playing wins, and how often it loses, half of the adventures from either seat."""
    won = lost = 0
    for seat in (0, 1):
        players = (PLAYERS[way], PLAYERS[other]) if seat == 0 else (PLAYERS[other], PLAYERS[way])
        winner = played(battle_of(name), players, n // 2, first=seat, seed=seat)["winner"]
        won, lost = won + int((winner == seat + 1).sum()), lost + int((winner == 2 - seat).sum())
    return won, lost


@pytest.mark.slow("test_nobody_plays_by_what_the_enemy_hides")
@pytest.mark.parametrize("way", [name for name in WAYS if name not in SLOW])
def test_every_script_beats_random_play(way: str) -> None:
    """Won more than twice as often as lost, in 100 adventures: were they even, that came about once in 1,500 times."""
    won, lost = wins(way, "random", "mirror", 100)
    assert won > 2 * lost and won + lost > 50


@pytest.mark.slow("test_nobody_plays_by_what_the_enemy_hides")
@pytest.mark.parametrize("name", list(FORCES))
@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_playing_beats_random_play_in_every_adventure(way: str, name: str) -> None:
    won, lost = wins(way, "random", name, 24 if way in SLOW else 400)
    assert won > 2 * lost


# -- mirrors -----------------------------------------------------------------------------------------------------------


def assert_mirrored(name: str, way: str, n: int) -> None:
    """Hold adventures that one side begins against those that the other begins: each is the other in a mirror."""
    battle, players = battle_of(name), (PLAYERS[way], PLAYERS[way])
    south, north = (played(battle, players, n, first) for first in (0, 1))
    turned = battle.field.relative[1].astype(np.int64)
    assert (north["winner"] == np.array([0, 2, 1, 3])[south["winner"]]).all()
    assert (north["moments"] == south["moments"]).all() and (way == "random" or (south["winner"] != 3).any())
    for column in ("figures", "banners", "hand", "tokens", "kind", "stored"):
        assert (north[column] == south[column][:, ::-1]).all(), column
    assert (north["cell"] == turned[south["cell"][:, ::-1].astype(np.int64) + 1]).all()


@pytest.mark.slow("test_nobody_plays_by_what_the_enemy_hides")
@pytest.mark.parametrize("name", ["mirror", "lore_duel"])
@pytest.mark.parametrize("way", [name for name in PLAYERS if name not in SLOW])
def test_whoever_begins_a_mirror_has_the_same_chances(way: str, name: str) -> None:
    """With the same luck, adventure by adventure: so with either side beginning as often, both win as often exactly."""
    assert_mirrored(name, way, 12)


@pytest.mark.slow("test_nobody_plays_by_what_the_enemy_hides")
@pytest.mark.parametrize("name", ["mirror", "lore_duel"])
@pytest.mark.parametrize("way", list(PLAYERS))
def test_a_mirror_is_even_for_every_way_of_playing(way: str, name: str) -> None:
    assert_mirrored(name, way, 8 if way in SLOW else 200)
