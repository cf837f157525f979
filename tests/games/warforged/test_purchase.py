"""Armies that are drawn: what is bought, card by card, beside a plain engine; and what is asked and told of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.arrays import IntArray
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.process import Process, n_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.authoring.conformance import CHECKS
from balance.game.kit.board.battle import keys_of
from balance.game.loaded import LoadedGame
from balance.games.warforged.battle.armies.drawing import parse_drawing, usual_limit
from balance.games.warforged.battle.armies.purchase import NO_MEMBER, Draft
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.luck import LUCK
from balance.games.warforged.battle.play import PLAYERS, battle_process
from balance.games.warforged.battle.setup import battle_processes
from balance.games.warforged.cards import check_legal, constants_of, units_of, weapons_of
from tests.games.warforged.plain_purchase import bought

GAME = balance.load("warforged")
ONE_OF_EACH = {f"{table}.{card}.copies": "1" for table in ("units", "weapons") for card in GAME.catalogue.tables[table]}
FEW_WEAPONS = {f"weapons.{card}.copies": "1" for card in GAME.catalogue.tables["weapons"]}
DEAR_WEAPONS = {**FEW_WEAPONS, **{f"weapons.{card}.cost_points": "60" for card in ("shotgun", "sidearm", "smg_pistol")}}
GAMES = {
    "as it ships": GAME,
    "one of each": LoadedGame(GAME.definition, patch_catalogue(GAME.catalogue, ONE_OF_EACH)),
    "few weapons": LoadedGame(GAME.definition, patch_catalogue(GAME.catalogue, FEW_WEAPONS)),
    "few, dear weapons": LoadedGame(GAME.definition, patch_catalogue(GAME.catalogue, DEAR_WEAPONS)),
}
CHEAPEST = 20
"""A unit with a weapon that even the dearest of these catalogues sells for so much."""
PAIRS = [
    ("random:150", "random:150"),
    ("random:250", "random:250"),
    ("random:350:12", "random:350:12"),
    ("random:40:3", "random:999:20"),
    (f"random:{CHEAPEST}", "random:30"),
    ("trooper+shotgun:3,nexus+assault_rifle", "random:250"),
    ("random:150", "whisper+sidearm"),
]
KEYS = np.random.default_rng(13).integers(0, 2**64, 40, dtype=np.uint64)


def asked_of(loaded: LoadedGame, one: str, other: str, **changes: Any) -> AskedBattle:
    paths = {name.replace("__", "."): value for name, value in changes.items()}
    play: AskedBattle = loaded.ask("battle", one, other, paths).setup.play
    return play


def drafted(asked: AskedBattle, keys: Any = KEYS, first: int = 0) -> tuple[IntArray, IntArray]:
    assert asked.market is not None
    a, b = Draft(asked.market, asked.armies)(keys, first)
    return a, b


def written(asked: AskedBattle, army: IntArray) -> list[str]:
    """Return the ids of the members of one army."""
    return [asked.battle.muster.members[number].loadout.id for number in army.tolist() if number != NO_MEMBER]


def cards(ids: list[str]) -> Counter[str]:
    return Counter(card for one in ids for card in one.split("+"))


@pytest.mark.rule("WF-BUILD.1", "WF-BUILD.2", "WF-BUILD.3", "WF-UNIT.3", "WF-UNIT.4", "WF-WPN.2")
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("cards", GAMES)
def test_armies_are_bought_as_a_plain_engine_buys_them(cards: str, pair: tuple[str, str], first: int) -> None:
    loaded = GAMES[cards]
    asked = asked_of(loaded, *pair)
    armies = drafted(asked, first=first)
    seats = {"first": first, "second": 1 - first}
    purses = {
        seat: (found[0], found[1] or usual_limit(loaded.catalogue, found[0]))
        for seat, side in seats.items()
        if (found := parse_drawing(pair[side])) is not None
    }
    for row, key in enumerate(KEYS.tolist()):
        for seat, ids in bought(loaded.catalogue, purses, key).items():
            assert written(asked, armies[seats[seat]][row]) == ids


@pytest.mark.rule("WF-BUILD.1", "WF-BUILD.2", "WF-BUILD.3", "WF-UNIT.3", "WF-UNIT.4", "WF-WPN.2")
@pytest.mark.parametrize("points", [30, 150, 250, 350])
def test_what_is_bought_is_legal_and_buyers_stop_when_nothing_can_be_had(points: int) -> None:
    asked = asked_of(GAME, f"random:{points}", f"random:{points}")
    limit = usual_limit(GAME.catalogue, points)
    copies = {card.id: card.copies for table in (units_of, weapons_of) for card in table(GAME.catalogue).values()}
    for a, b in zip(*drafted(asked), strict=True):
        both = [written(asked, army) for army in (a, b)]
        gone = cards([*both[0], *both[1]])
        assert not gone - Counter(copies), "one stock for both (WF-Q22)"
        left = [one for one in GAME.entrants if not Counter(one.split("+")) - (Counter(copies) - gone)]
        for ids in both:
            spent = sum(GAME.cost_points(one) for one in ids)
            assert 1 <= len(ids) <= limit
            assert spent <= points
            assert len(ids) == limit or points - spent < min(map(GAME.cost_points, left)), "nobody stops early"


@pytest.mark.rule("WF-UNIT.3", "WF-UNIT.4", "WF-WPN.2")
def test_every_unit_has_one_weapon_that_it_may_carry_or_none() -> None:
    members = asked_of(GAME, "random:350", "random:350").battle.muster.members
    loadouts = [side.loadout for side in members]
    assert not any(check_legal(one.unit, one.weapons, constants_of(GAME.catalogue).limits) for one in loadouts)
    assert {one.id for one in loadouts if one.weapons} == set(GAME.entrants)
    assert {one.id for one in loadouts if not one.weapons} == set(units_of(GAME.catalogue))
    assert max(len(one.weapons) for one in loadouts) == 1


@pytest.mark.rule("WF-BUILD.3")
def test_a_unit_whose_weapon_is_bought_away_stays_unarmed() -> None:
    loaded = GAMES["few, dear weapons"]
    asked = asked_of(loaded, "random:250:8", "random:250:8")
    armies = drafted(asked, np.arange(400, dtype=np.uint64))
    unarmed = [one for army in armies for row in army for one in written(asked, row) if "+" not in one]
    assert unarmed
    assert set(unarmed) < set(units_of(loaded.catalogue))


@pytest.mark.rule("WF-BUILD.3")
def test_the_cards_of_the_other_army_are_gone_where_copies_count() -> None:
    typed = "trooper+sidearm:4,detonator+sidearm:2"
    free, bound = (asked_of(GAME, typed, "random:150", situation__legal=legal) for legal in (False, True))
    for asked, found in ((free, True), (bound, False)):
        bought_cards = cards([one for row in drafted(asked)[1] for one in written(asked, row)])
        assert bool(bought_cards["trooper"]) is bool(bought_cards["sidearm"]) is found
        assert written(asked, drafted(asked)[0][0]) == ["detonator+sidearm"] * 2 + ["trooper+sidearm"] * 4


@pytest.mark.rule("WF-BUILD.3")
def test_who_goes_second_buys_first() -> None:
    loaded = GAMES["one of each"]
    asked = asked_of(loaded, "random:16", "random:16")  # which buys a trooper with a sidearm and nothing else
    for first in (0, 1):
        armies = drafted(asked, first=first)
        assert (armies[1 - first][:, 0] != NO_MEMBER).all()
        assert (armies[first] == NO_MEMBER).all()
    won = loaded.ask("battle", "random:16", "random:16", first="a").simulate(64).p_win()
    assert won["b"] == 1, "who has nobody has lost"


def test_a_batch_is_its_trials_and_swapped_seats_swap_armies() -> None:
    asked, swapped = (
        asked_of(GAME, *pair) for pair in (("random:250", "random:150:4"), ("random:150:4", "random:250"))
    )
    a, b = drafted(asked)
    for row in range(len(KEYS)):
        one, other = drafted(asked, KEYS[row : row + 1])
        assert (one[0] == a[row]).all()
        assert (other[0] == b[row]).all()
    d, c = drafted(swapped, first=1)
    assert (a == c).all()
    assert (b == d).all()


def started(process: Process, n: int) -> dict[str, Any]:
    assert callable(process.start)
    return dict(process.start(RandomRolls(0, "start", 0, n), n))


@pytest.mark.slow("test_a_batch_is_its_trials_and_swapped_seats_swap_armies")
@pytest.mark.rule("WF-BUILD.4", "WF-BUILD.5")
def test_drawn_armies_deploy_and_fight_as_the_same_armies_written_out() -> None:
    setup = GAME.ask("battle", "random:350", "random:350", {"situation.rounds": 8}, "a").setup
    (process,) = battle_processes(setup, "literal")
    n, asked = 24, setup.play
    rolls = RandomRolls(5, "battle", 0, n)
    armies = drafted(asked, keys_of(rolls, LUCK))
    players = PLAYERS["greedy"], PLAYERS["greedy"]
    typed = battle_process(asked.battle, armies, np.array([asked.limit]), players)
    one, other = (simulate(found, RandomRolls(5, "battle", 0, n)) for found in (process, typed))
    assert all((one[name] == other[name]).all() for name in one)
    state = started(process, n)
    alive, placed = state["health"] > 0, state["cell"] != OFF_BOARD
    bases = np.array([len(base) for base in asked.battle.ground.map.bases])
    assert (placed.sum(axis=2) == np.minimum(alive.sum(axis=2), bases)).all()
    assert (alive.sum(axis=2) > bases).any(), "with more than seven units some wait"
    assert n_trials(state) == n


def test_what_armies_cost_is_reported() -> None:
    sample = GAME.ask("battle", "trooper+shotgun:2", "random:150", {"situation.rounds": 1}).simulate(256)
    costs = {side: sample.distribution.marginal(f"{side}_cost") for side in "ab"}
    assert costs["a"]["a_cost"].tolist() == [44]
    spent = costs["b"]["b_cost"]
    assert spent.min() >= 15
    assert spent.max() <= 150
    assert len(spent) > 10


@pytest.mark.rule("WF-BUILD.1", "WF-BUILD.2")
def test_points_name_their_unit_limit() -> None:
    assert [usual_limit(GAME.catalogue, points) for points in (15, 150, 200, 250, 300, 350, 9999)] == [
        4,
        4,
        5,
        7,
        8,
        10,
        10,
    ]
    told = GAME.ask("battle", "random:250", "random:150:2").inputs
    assert (told["a"]["unit_limit"], told["b"]["unit_limit"], told["situation"]["unit_limit"]) == (7, 2, 7)
    scale = GAME.ask("battle", "random:150", "trooper+shotgun", {"situation.scale": "tactical"}).inputs
    assert (scale["a"]["unit_limit"], scale["situation"]["unit_limit"]) == (5, 5)
    agreed = GAME.ask("battle", "random:350", "trooper+shotgun", {"situation.unit_limit": 3}).inputs
    assert agreed["a"]["unit_limit"] == 3


def test_the_stance_of_a_drawn_army_can_be_set() -> None:
    asked = asked_of(GAME, "random:250", "random:250", b__shield="never")
    stances = [
        {asked.battle.muster.members[number].stance.shield for row in army for number in row if number != NO_MEMBER}
        for army in drafted(asked)
    ]
    assert stances == [{"raise"}, {"never"}]


SUCH_AS = "such as random:150, or random:150:4 for at most 4 units"
REFUSED = {
    "random": f"a: 'random' is no army to be drawn; allowed: random:POINTS[:UNITS]; {SUCH_AS}",
    "random:1:2:3": f"a: 'random:1:2:3' is no army to be drawn; allowed: random:POINTS[:UNITS]; {SUCH_AS}",
    "random:": f"a, random: '' is no number of war points; allowed: 1 to 9999; {SUCH_AS}",
    "random:0": f"a, random: '0' is no number of war points; allowed: 1 to 9999; {SUCH_AS}",
    "random:-5": f"a, random: '-5' is no number of war points; allowed: 1 to 9999; {SUCH_AS}",
    "random:many": f"a, random: 'many' is no number of war points; allowed: 1 to 9999; {SUCH_AS}",
    "random:10000": f"a, random: '10000' is no number of war points; allowed: 1 to 9999; {SUCH_AS}",
    "random:150:": f"a, random: '' is no number of units; allowed: 1 to 64; {SUCH_AS}",
    "random:150:65": f"a, random: '65' is no number of units; allowed: 1 to 64; {SUCH_AS}",
    "random:150,trooper+shotgun": (
        "a: 'random:150,trooper+shotgun' mixes units with an army that is drawn; such as random:150 alone"
    ),
    "random:14": "a: '14' war points buy no unit with a weapon; allowed: at least 15, for trooper+sidearm",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_army_to_be_drawn_is_refused(text: str) -> None:
    with pytest.raises(BalanceError, match=f"^{re.escape(REFUSED[text])}$"):
        GAME.ask("battle", text, "random:150")


def test_both_sides_are_told_what_is_wrong_at_once() -> None:
    with pytest.raises(BalanceError) as found:
        GAME.ask("battle", "random:0:0", "random:x")
    assert [(fault.path, fault.found) for fault in found.value.faults] == [("a", "0"), ("a", "0"), ("b", "x")]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"b.armour": 4, "b.2.health": 3},
            [
                f"set b: {field!r} cannot be set of an army that is drawn; change the cards in a catalogue of your "
                "own: catalogue=DIR"
                for field in ("armour", "2.health")
            ],
        ),
        (
            {"situation.scale": "tactical"},
            [
                "b: '200' war points are over the budget; allowed: at most 150",
                "b: '9' units are too many (WF-BUILD.1); allowed: at most 5",
            ],
        ),
    ],
)
def test_what_a_drawn_army_cannot_be_is_refused(changes: dict[str, Any], told: list[str]) -> None:
    with pytest.raises(BalanceError) as found:
        GAME.ask("battle", "trooper+shotgun", "random:200:9", changes)
    assert [str(fault) for fault in found.value.faults] == told


def test_an_army_that_finds_the_shelves_empty_is_refused() -> None:
    loaded = GAMES["one of each"]
    with pytest.raises(
        BalanceError, match="'16' war points buy no unit with a weapon; the other army has taken the cards"
    ):
        loaded.ask("battle", "trooper+sidearm", "random:16", {"situation.legal": True})


def test_a_drawn_army_is_an_entrant() -> None:
    kind = GAME.kind_of("random:200:6")
    assert (kind.name, GAME.kind_of("trooper+shotgun:2").draws("random:2")) == ("army", False)
    assert (GAME.label("random:200:6"), GAME.cost_points("random:200:6")) == ("random army of at most 6", 200)
    assert kind.cards is not None
    assert len(set(kind.cards(GAME.catalogue, "random:150"))) == sum(map(len, GAME.catalogue.tables.values()))
    assert set(kind.cards(GAME.catalogue, "trooper+shotgun")) == {("units", "trooper"), ("weapons", "shotgun")}


@pytest.mark.parametrize("pair", [("random:40", "random:40"), ("trooper+shotgun", "random:60:2")])
@pytest.mark.parametrize(
    ("n", "changes"),
    [(256, ("situation.rounds=1",)), pytest.param(4096, (), marks=pytest.mark.slow)],
    ids=["256", "4096"],
)
def test_battles_of_drawn_armies_keep_the_promises_of_a_game(
    n: int, changes: tuple[str, ...], pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.game.authoring.conformance.N_TRIALS", n)
    question = GAME.ask("battle", *pair, changes)
    assert [problem for check in CHECKS for problem in check(question)] == []
