"""--json: one object, its shape, its sums, and the same bytes for the same question."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

import balance as toolkit
from tests.cli.conftest import Command

ATTACK = ("attack", "warforged", "nexus+assault_rifle", "whisper", "--json")
DUEL = ("duel", "warforged", "nexus+assault_rifle", "vanguard+laser_carbine", "--json")


def marginals(found: dict[str, Any]) -> Iterator[list[float]]:
    for part in ("exact", "simulated", "kill"):
        yield from (list(distribution.values()) for distribution in found.get(part, {}).get("pmf", {}).values())


def test_an_attack_without_trials_is_exact_only(balance: Command) -> None:
    done = balance(*ATTACK)
    found = json.loads(done.out)
    assert (done.status, done.err) == (0, "")
    assert (found["schema"], found["game"], found["verb"]) == (1, "warforged", "attack")
    assert "simulated" not in found
    assert "agreement" not in found
    assert "p_win" not in found["exact"]
    assert found["exact"]["mean"]["damage"] == 3.0
    assert found["inputs"]["attacker"]["id"] == "nexus+assault_rifle"
    loaded = toolkit.load("warforged")
    assert found["catalogue_sha256"] == loaded.catalogue.sha256
    assert found["rules_version"] == loaded.catalogue.rules_version


def test_a_duel_with_trials_has_both_and_their_agreement(balance: Command) -> None:
    found = json.loads(balance(*DUEL, "--trials", "20000", "--seed", "0").out)
    assert set(found["exact"]) == {"pmf", "mean", "sd", "swing", "p_win"}
    assert set(found["simulated"]) == {"pmf", "mean", "sd", "swing", "p_win", "trials", "seed", "lane", "interval"}
    assert (found["simulated"]["trials"], found["simulated"]["seed"]) == (20000, 0)
    assert found["simulated"]["interval"]["level"] == 0.95
    assert set(found["agreement"]) == {"p_value", "statistic", "degrees", "joint", "columns"}
    tests = [found["agreement"]["joint"], *found["agreement"]["columns"].values()]
    assert set(found["agreement"]["columns"]) == set(found["exact"]["pmf"])
    assert found["agreement"]["p_value"] == min(test["adjusted_p_value"] for test in tests)
    assert found["agreement"]["p_value"] > 1e-6
    for name, (low, high) in found["simulated"]["interval"]["p_win"].items():
        assert low <= found["simulated"]["p_win"][name] <= high


@pytest.mark.parametrize("question", [ATTACK, DUEL])
def test_every_distribution_sums_to_one(question: tuple[str, ...], balance: Command) -> None:
    found = json.loads(balance(*question, "--trials", "1000").out)
    distributions = list(marginals(found))
    assert len(distributions) > 6
    assert all(abs(math.fsum(distribution) - 1) <= 1e-12 for distribution in distributions)
    assert all(p > 0 for distribution in distributions for p in distribution)
    if "p_win" in found["exact"]:
        assert abs(math.fsum(found["exact"]["p_win"].values()) - 1) <= 1e-12


def test_the_numbers_are_those_of_the_library(balance: Command) -> None:
    question = toolkit.load("warforged").duel("nexus+assault_rifle", "vanguard+laser_carbine", first="a")
    found = json.loads(balance(*DUEL, "--first", "a").out)
    assert found["exact"]["p_win"] == pytest.approx(question.p_win(), abs=1e-12)
    assert found["exact"]["mean"]["rounds"] == question.distribution.mean("rounds")


def test_first_mover_advantage_is_the_difference_of_two_duels(balance: Command) -> None:
    chance = {seat: json.loads(balance(*DUEL, "--first", seat).out)["exact"]["p_win"]["a"] for seat in ("a", "b")}
    found = json.loads(balance(*DUEL).out)["first_mover"]["a"]
    assert found["first"] == pytest.approx(chance["a"], abs=1e-12)
    assert found["advantage"] == pytest.approx(chance["a"] - chance["b"], abs=1e-12)


def test_changes_are_made_and_told(balance: Command) -> None:
    changes = ("--set", "attacker.effects=", "--set", "attacker.damage=1", "--set", "defender.abilities=")
    found = json.loads(balance(*ATTACK, *changes).out)
    assert found["inputs"]["set"] == ["attacker.effects=", "attacker.damage=1", "defender.abilities="]
    assert found["inputs"]["attacker"]["weapons"][0]["effects"] == []
    assert found["exact"]["pmf"]["damage"] == pytest.approx({"0": 0.3, "1": 0.7})


@pytest.mark.parametrize("question", [ATTACK, DUEL])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(
    question: tuple[str, ...], balance: Command
) -> None:
    one, two = (balance(*question, "--trials", "200000", "--jobs", jobs, "--lane", "compiled").out for jobs in (1, 3))
    other = balance(*question, "--trials", "200000", "--seed", "1", "--lane", "compiled").out
    assert one == two
    assert one != other


def test_the_seed_comes_from_the_surroundings_unless_given(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALANCE_SEED", "7")
    assert json.loads(balance(*ATTACK, "--trials", "10").out)["simulated"]["seed"] == 7
    assert json.loads(balance(*ATTACK, "--trials", "10", "--seed", "0").out)["simulated"]["seed"] == 0


def test_a_half_width_is_reached(balance: Command) -> None:
    found = json.loads(balance(*DUEL, "--half-width", "0.01").out)
    assert all(high - low <= 0.02 for low, high in found["simulated"]["interval"]["p_win"].values())


def test_a_target_that_cannot_fall_has_no_actions_to_kill(balance: Command) -> None:
    assert "kill" in json.loads(balance(*ATTACK).out)
    assert "kill" not in json.loads(balance(*ATTACK, "--set", "attacker.damage=0").out)


def test_a_target_whose_shield_takes_the_first_attack_can_fall_later(balance: Command) -> None:
    found = json.loads(balance("attack", "warforged", "nexus+sidearm", "aegis", "--json").out)
    assert found["exact"]["mean"]["damage"] == 0
    assert found["kill"]["mean"]["actions"] > 1


@pytest.mark.slow("test_a_duel_with_trials_has_both_and_their_agreement")
def test_a_duel_without_an_exact_distribution_is_simulated_unasked(balance: Command) -> None:
    asked = (
        "duel",
        "edadh",
        "angueth_learning",
        "huaos_dzaa_learning",
        "--policy-a",
        "random",
        "--policy-b",
        "cautious",
    )
    done = balance(*asked, "--json")
    found = json.loads(done.out)
    assert (done.status, done.err) == (0, "")
    assert not found.get("exact")
    assert "agreement" not in found
    assert set(found["simulated"]) == {"pmf", "mean", "sd", "swing", "p_win", "trials", "seed", "lane", "interval"}
    assert (found["simulated"]["trials"], found["simulated"]["seed"]) == (65_536, 0)
    assert abs(math.fsum(found["simulated"]["p_win"].values()) - 1) <= 1e-12
    assert found["inputs"]["choices"] == {"policy_a": "random", "policy_b": "cautious"}
