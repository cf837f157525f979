"""Encounters keep the promises that every kind of question makes, and end at once where nothing is left to do."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import balance
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.chance.rolls.process import start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.authoring.conformance import CHECKS
from balance.game.loaded import LoadedGame
from balance.games import check_game
from balance.games.immortal_souls import GAME

ONLY = replace(GAME, kinds={"encounter": GAME.kinds["encounter"]})
FOUR = "ecarus,thorgar,shae,laegon"
FOLDER = Path(__file__).parents[4] / "data/immortal_souls"
SOULS = balance.load(GAME, FOLDER)


@pytest.mark.slow("test_everybody_begins_where_the_encounter_says")
def test_the_encounter_keeps_its_promises() -> None:
    assert check_game(ONLY, FOLDER, n_pairs=1) == ()


@pytest.mark.slow("test_everybody_begins_where_the_encounter_says")
def test_an_encounter_of_one_round_keeps_its_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.game.authoring.conformance.N_TRIALS", 256)
    monkeypatch.setattr("balance.game.authoring.choice_checks.N_TRIALS", 32)
    question = SOULS.ask("encounter", "ecarus,thorgar", "ambush", {"situation.round_limit": "1"})
    assert [problem for check in CHECKS for problem in check(question)] == []


def test_parties_of_each_size_are_listed() -> None:
    assert SOULS.ids(ONLY.kinds["encounter"].takes[0]) == (
        "ecarus,thorgar", "ecarus,thorgar,shae", "ecarus,thorgar,shae,laegon", "ecarus,thorgar,shae,laegon,auriel",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("party", "told"),
    [
        ("ecarus", "set heroes: 'ecarus' is a party of 1; allowed: 2 to 5 heroes; one player may run several heroes"),
        (
            "ecarus,thorgar,shae,laegon,auriel,ecarus",
            "set heroes: 'ecarus,thorgar,shae,laegon,auriel,ecarus' is a party of 6; allowed: 2 to 5 heroes; send "
            "the others to another table\nset heroes: 'ecarus, ecarus' are the same person, ecarus; allowed: "
            "one class of a person",
        ),
        (
            "ecarus,shae_assassin",
            "set heroes: 'ecarus (lawful), shae_assassin (chaos)' are lawful and chaos in one party; allowed: "
            "lawful or chaos; the neutral go with either",
        ),
        ("ecarus,red_bandit", "set heroes: 'red_bandit' is an enemy; a party is of heroes"),
    ],
)
def test_who_is_no_party_is_told(party: str, told: str) -> None:
    with pytest.raises(BalanceError) as error:
        SOULS.ask("encounter", party, "ambush")
    assert str(error.value) == told


@pytest.mark.rule("IS-SEQ.1", "IS-HP.12")
def test_without_enemies_it_is_won_in_the_first_time_phase() -> None:
    setting = {"encounter.enemies": "", "encounter.enemies_many": ""}
    (process,) = ONLY.kinds["encounter"].processes(SOULS.ask("encounter", FOUR, "ambush", setting).setup, "literal")
    found = simulate(process, RandomRolls(0, "none", 0, 8))
    assert {name: values.tolist() for name, values in found.items() if values.any()} == {
        "winner": [1] * 8, "rounds": [1] * 8,
    }  # fmt: skip


@pytest.mark.rule("IS-HP.2", "IS-ENE.2")
def test_everybody_begins_where_the_encounter_says() -> None:
    setup = SOULS.ask("encounter", FOUR, "ambush").setup
    (process,) = ONLY.kinds["encounter"].processes(setup, "literal")
    state, scene = start_state(process, 3, RandomRolls(0, "start", 0, 3)), setup.play
    names = [scene.bestiary.names[kind] for kind in scene.kind_of[state["e_card"][0][:5]]]
    areas = [scene.area_names[area] for area in state["e_area"][0][:5]]
    assert list(zip(names, areas, strict=True)) == [
        ("Green Gremlin", "village_1"), ("Green Bandit", "village_4"), ("Green Gremlin", "village_12"),
        ("Blue Gremlin", "village_9"), ("Green Bandit", "village_8"),
    ]  # fmt: skip
    assert {scene.area_names[area] for area in np.unique(state["h_area"])} == {"village_6"}
    assert (state["e_card"][:, 5:] == -1).all()
    assert state["h_health"][0].tolist() == [8, 8, 7, 7]


def test_too_many_miniatures_are_told() -> None:
    with pytest.raises(BalanceError) as error:
        SOULS.ask("encounter", FOUR, "ambush", {"encounter.enemies": ";".join(["gremlin_horde@village_1"] * 5)})
    assert str(error.value) == ("set encounter, enemies: '17' are too many miniatures of enemies; allowed: at most 16")


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        ({"encounter.start": "crypt_1"}, "start: 'crypt_1' is not an area of village"),
        (
            {"encounter.enemies": "red_bandt@village_1"},
            "enemies: 'red_bandt' is not in enemies; did you mean red_bandit?",
        ),
        (
            {"encounter.goal": "survive"},
            "goal: 'survive' does not fit the rounds; "
            "tell the rounds if the goal is survive, and else leave them empty",
        ),
        (
            {"encounter.enemies": "", "encounter.enemies_many": "", "encounter.deck": ""},
            "deck: 'ambush' has no enemies, not even in its deck",
        ),
    ],
)
def test_what_is_set_of_an_encounter_must_fit(sets: dict[str, str], told: str) -> None:
    with pytest.raises(BalanceError) as error:
        SOULS.ask("encounter", FOUR, "ambush", sets)
    assert str(error.value) == f"set encounter, {told}"


@pytest.mark.rule("IS-HP.11")
def test_masters_have_more_health_against_many() -> None:
    few, many = (SOULS.ask("encounter", party, "gorge_troll").setup.play for party in ("ecarus,thorgar", FOUR))
    assert [int(scene.bestiary.health[0]) for scene in (few, many)] == [22, 32]
    assert few.bestiary.names[0] == "Troll"


@pytest.mark.slow("test_without_enemies_it_is_won_in_the_first_time_phase")
def test_a_scene_can_be_sent_to_another_process() -> None:
    kind, setup = ONLY.kinds["encounter"], SOULS.ask("encounter", FOUR, "last_stand").setup
    sent = pickle.loads(pickle.dumps(setup))
    (process,), (again,) = (kind.processes(it, "literal") for it in (setup, sent))
    one, other = (simulate(it, RandomRolls(0, "sent", 0, 32)) for it in (process, again))
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.slow("tests/games/immortal_souls/encounter/test_quest.py::test_events_bring_so_many_at_most")
def test_more_enemies_are_spawned_where_the_number_is_shifted() -> None:
    """IS-SPAWN.1: what is added to each spawn number brings more enemies, and so fewer wins; 2,048 trials each."""
    won = [
        SOULS.ask("encounter", FOUR, "ambush", {"situation.spawn_shift": shift}).simulate(trials=2_048, seed=1)
        for shift in (-2, 0, 2)
    ]
    chances = [sample.distribution.chance(lambda winner: winner == 1) for sample in won]
    assert chances[0] > chances[1] + 0.05 > chances[2] + 0.2


@pytest.mark.slow("test_without_enemies_it_is_won_in_the_first_time_phase")
@pytest.mark.rule("IS-EVT.4")
def test_heroes_deal_less_damage_by_night() -> None:
    """IS-EX-51: the same card without its hit off is worth the difference in enemies killed, far beyond chance."""
    sets = {"encounter.events": "night;soul_recall;soul_recall;soul_recall", "heroes.health": "60",
            "encounter.goal": "kill_all", "encounter.rounds": ""}  # fmt: skip
    tame = patch_catalogue(SOULS.catalogue, {"events.night.hero_hits": "0"})
    kills = []
    for game in (SOULS, LoadedGame(SOULS.definition, tame)):
        found = game.ask("encounter", "ecarus,thorgar", "last_stand", sets).simulate(512, seed=3).distribution
        kills.append((found.mean("kills"), found.variance("kills") / 512))
    (night, noise), (without, other) = kills
    assert without - night > 6 * (noise + other) ** 0.5  # by chance less than once in a billion
