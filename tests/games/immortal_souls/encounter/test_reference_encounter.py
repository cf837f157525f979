"""The arrays and the second telling of an encounter are in the same state after every step, on the same answers."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter
from types import ModuleType

import pytest

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.games.immortal_souls.encounter import state
from balance.games.immortal_souls.encounter.attacks import hero_attack
from balance.games.immortal_souls.encounter.attacks.candidates import hits_added
from balance.games.immortal_souls.encounter.heroes import hero_turn
from balance.games.immortal_souls.encounter.phases import enemy_turn
from balance.games.immortal_souls.encounter.policies import PLAYERS
from tests.games.immortal_souls.encounter.comparing import SOULS, Case, played, random_case
from tests.games.immortal_souls.encounter.reference_board import Map
from tests.games.immortal_souls.encounter.reference_hero import Played

FOUR = "ecarus,thorgar,shae,laegon"


@pytest.mark.rule(
    "IS-HIT.10", "IS-HIT.16", "IS-SUP.1", "IS-SUP.2", "IS-SUP.3", "IS-SUP.4", "IS-SUP.5", "IS-SUP.6", "IS-SUP.9",
    "IS-COND.1", "IS-COND.2", "IS-COND.6", "IS-COND.9", "IS-COND.12", "IS-COND.15", "IS-HP.2", "IS-HP.3", "IS-HP.4",
    "IS-HP.5", "IS-HP.6", "IS-HP.7", "IS-HP.9", "IS-HP.12", "IS-POW.2", "IS-POW.4", "IS-POW.5", "IS-POW.6",
    "IS-ITEM.4", "IS-ACT.1", "IS-ACT.3", "IS-ACT.4", "IS-ACT.6", "IS-ACT.7", "IS-ACT.8", "IS-ACT.9", "IS-ACT.12",
    "IS-ENE.1", "IS-ENE.2", "IS-ENE.3", "IS-ENE.4", "IS-ENE.5", "IS-ENE.9", "IS-ENE.11", "IS-ENE.15", "IS-ENE.16",
    "IS-AI.1", "IS-AI.2", "IS-AI.3", "IS-AI.4", "IS-AI.5", "IS-AI.6", "IS-AI.7", "IS-AI.8", "IS-AI.9", "IS-AI.10",
    "IS-AI.11", "IS-AI.12", "IS-AI.13", "IS-AI.14", "IS-AI.15", "IS-AI.16", "IS-SEQ.1", "IS-SEQ.2", "IS-SEQ.3",
    "IS-SEQ.4", "IS-SEQ.5", "IS-EVT.1", "IS-EVT.2", "IS-EVT.4", "IS-EVT.5", "IS-EVT.6", "IS-SPAWN.1", "IS-SPAWN.2",
    "IS-SPAWN.3", "IS-SPAWN.4", "IS-ECO.2", "IS-SAVE.1", "IS-SAVE.2", "IS-SAVE.3", "IS-TERR.1", "IS-TERR.2",
    "IS-TERR.3", "IS-TERR.4", "IS-LOS.1", "IS-LOS.2", "IS-LOS.3", "IS-LOS.4", "IS-MAST.2", "IS-MAST.4", "IS-MAST.5",
    "IS-MAST.6", "IS-MAST.7", "IS-MAST.8", "IS-MAST.9", "IS-MAST.10", "IS-MAST.11", "IS-MAST.12",
)  # fmt: skip
@pytest.mark.parametrize("policy", PLAYERS)
@pytest.mark.parametrize(
    ("encounters", "n", "steps"),
    [({"gorge_troll": 4}, 1, 10), pytest.param({"ambush": 3, "gorge_troll": 4}, 8, 100, marks=pytest.mark.slow)],
    ids=["1", "8"],
)
def test_each_policy_plays_the_same(encounters: dict[str, int], n: int, steps: int, policy: str) -> None:
    parties = {"ambush": FOUR, "gorge_troll": "laegon_archer,auriel_enchantress,shae_assassin"}
    for encounter, seed in encounters.items():
        assert played(Case(parties[encounter], encounter, policy), seed=seed, n=n) > steps


@pytest.mark.rule(
    "IS-CRIT.6", "IS-CRIT.7", "IS-CRIT.9", "IS-PUSH.1", "IS-PUSH.2", "IS-PUSH.3", "IS-PUSH.4",
    "IS-FIRE.1", "IS-FIRE.2", "IS-FIRE.4", "IS-AOE.4", "IS-COND.4", "IS-COND.5", "IS-COND.7", "IS-COND.8",
    "IS-COND.10", "IS-COND.11", "IS-COND.13", "IS-COND.14", "IS-ENE.7", "IS-ENE.8",
)  # fmt: skip
@pytest.mark.parametrize("number", range(12))
def test_any_encounter_plays_the_same(number: int) -> None:
    assert played(random_case(random.Random(number)), seed=number, n=3)


@pytest.mark.rule(
    "IS-COND.3", "IS-ITEM.6", "IS-ITEM.10", "IS-ITEM.13", "IS-ITEM.15", "IS-ECO.3", "IS-POW.9", "IS-ACT.5",
    "IS-ACT.19", "IS-ACT.20", "IS-AOE.3", "IS-POW.7",
)  # fmt: skip
@pytest.mark.parametrize(
    ("saves_of", "n", "n_kinds"),
    [
        ({1: "every_activity"}, 1, 4),
        pytest.param({1: "every_activity", 2: "not_free_ones"}, 8, 13, marks=pytest.mark.slow),
    ],
    ids=["1", "8"],
)
def test_whatever_heroes_carry_plays_the_same(saves_of: dict[int, str], n: int, n_kinds: int) -> None:
    """Everything that is done with items and equipment is done in these encounters, some of it in few of them."""
    party = (
        "ecarus+soul_blade+bandages+draught_of_fury,thorgar+prayer_book+circle_of_light_2,"
        "laegon+dagger+knives+draught_of_shielding,auriel+talisman_of_fire+healing_amulet+bandages"
    )
    sets = {"heroes.poison": "1", "heroes.rank": "3", "situation.soul_points": "30", "heroes.2.health": "3",
            "heroes.4.health": "25"}  # fmt: skip
    done: dict[str, int] = {}
    for seed, saves in saves_of.items():
        asked = Case(party, "captain", "nearest", {**sets, "rules.blinded_hero_saves": saves})
        assert played(asked, seed=seed, n=n, done=done)
    every = {
        "charges", "projectile", "soul", "cured", "once", "round", "quest", "hits", "reaction", "picked up",
        "handed over", "healed", "healed around",
    }  # fmt: skip
    assert set(done) <= every
    assert len(done) >= n_kinds


@pytest.mark.rule("IS-COND.9", "IS-COND.10", "IS-COND.12", "IS-COND.13", "IS-AOE.1", "IS-AOE.2")
@pytest.mark.parametrize("effects", ["stun@;blind@;reroll@MIS", "ko@;slow@ABI", "area1@;critical@", "push1@;poison2@"])
@pytest.mark.parametrize("n", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_effects_play_the_same(n: int, effects: str) -> None:
    assert played(Case(FOUR, "gorge_troll", "focus", {"heroes.effects": effects, "heroes.rank": "2"}), seed=6, n=n)


@pytest.mark.rule("IS-FIRE.3", "IS-TERR.7", "IS-SPAWN.5", "IS-EVT.3", "IS-ACT.10", "IS-ACT.21", "IS-AI.17")
@pytest.mark.parametrize("policy", PLAYERS)
@pytest.mark.parametrize(("n", "steps"), [(1, 30), pytest.param(6, 100, marks=pytest.mark.slow)])
def test_what_quest_rules_lay_on_the_map_plays_the_same(n: int, steps: int, policy: str) -> None:
    assert played(Case(FOUR, "burning_mill", policy), seed=3, n=n) > steps


GROUND: dict[str, tuple[type, str, Callable[..., object]]] = {
    "fire": (Played, "scorch", lambda *given: None),
    "walls": (Map, "walled", lambda *given: False),
    "gates": (Played, "open_gates", lambda played: list(range(len(played.scene.gate_areas)))),
    "stories": (Played, "lies", lambda *given: -1),
    "enemies that act": (Played, "in_order", lambda *given: []),
}


@pytest.mark.parametrize("what", GROUND)
def test_each_of_it_makes_a_difference(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*GROUND[what])
    with pytest.raises(AssertionError):
        played(Case(FOUR, "burning_mill"), seed=3, n=6)


LANE = {"heroes.rank": "3", "situation.round_limit": "8"}
TOKENS = {"citizen", "enemy", "champion", "two enemies", "quest enemy", "moment"}


@pytest.mark.rule("IS-ENE.12", "IS-ENE.13", "IS-ENE.14", "IS-ENE.16", "IS-ENE.17")
@pytest.mark.parametrize(
    ("rounds", "n", "steps", "tokens"),
    [("2", 1, 5, {"enemy"}), pytest.param("8", 3, 50, TOKENS, marks=pytest.mark.slow)],
    ids=["1", "3"],
)
def test_shadows_play_the_same(rounds: str, n: int, steps: int, tokens: set[str]) -> None:
    """Each kind of token is turned over in these encounters, by every policy; in the short ones, some by one."""
    done: dict[str, int] = {}
    for seed, policy in enumerate(PLAYERS) if n > 1 else [(2, "random")]:
        lane = LANE | {"situation.round_limit": rounds}
        assert played(Case(FOUR, "haunted_lane", policy, lane), seed=seed, n=n, done=done) > steps
    assert tokens <= set(done)


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("look_round", lambda *given: None),
        ("quarry", lambda *given: None),
        ("until_named", lambda played, draws: [None, played.tape.take_all("quest enemy")][0]),
        ("lay_shadows", lambda *given: None),
    ],
)
def test_a_difference_in_shadows_would_be_seen(
    name: str, without: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Played, name, without)
    with pytest.raises(AssertionError):
        for seed in range(4):
            played(Case(FOUR, "haunted_lane", "focus", LANE), seed=seed, n=8)


QUEEN = {"encounter.enemies": "witch_queen@gorge_11;green_gremlin@gorge_7;blue_bandit@gorge_4",
         "encounter.enemies_many": "", "heroes.rank": "3", "heroes.sure": "3"}  # fmt: skip
VEILED = "shae+veil_of_shadows,ecarus,laegon+veil_of_shadows"


@pytest.mark.slow("test_any_encounter_plays_the_same")
@pytest.mark.rule("IS-MAST.1", "IS-MAST.3", "IS-ACT.18", "IS-AI.18", "IS-ENE.10")
@pytest.mark.parametrize("policy", PLAYERS)
def test_a_master_of_two_sides_and_hidden_heroes_play_the_same(policy: str) -> None:
    assert played(Case(VEILED, "gorge_troll", policy, QUEEN), seed=1, n=4) > 100


@pytest.mark.parametrize(("module", "name"), [(state, "_turn_over"), (enemy_turn, "targets"), (hero_turn, "unhide")])
def test_a_difference_in_these_would_be_seen(module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The encounters above turn the Master over, and hide heroes whom enemies would aim at."""
    without = (lambda state: ~state["h_ghost"]) if name == "targets" else (lambda *_: None)
    monkeypatch.setattr(module, name, without)
    with pytest.raises(AssertionError):
        played(Case(VEILED, "gorge_troll", "focus", QUEEN), seed=1, n=8)


def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hero_attack, "hits_added", lambda *given: hits_added(*given) + 1)
    with pytest.raises(AssertionError):
        played(Case(FOUR, "ambush"), seed=3, n=8)


@pytest.mark.slow("test_each_policy_plays_the_same")
def test_the_arrays_are_fifteen_times_as_fast() -> None:
    asked = SOULS.ask("encounter", FOUR, "ambush")
    (process,) = asked.kind.processes(asked.setup, "literal")
    simulate(process, RandomRolls(0, "warm", 0, 8))
    began = perf_counter()
    rounds = simulate(process, RandomRolls(0, "arrays", 0, 2048))["rounds"].sum()
    each, seconds = (perf_counter() - began) / rounds, list[float]()
    played(Case(FOUR, "ambush"), seed=5, n=24, seconds=seconds)
    assert sum(seconds) / (len(seconds) / len(process.steps)) > 15 * each
