"""An answer says what is so: how it is played, by whom, what it cannot see, codes by name, what changed nothing."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.answers.blocks.bins import MOST_ROWS, MOST_VALUES, bins_of
from balance.game.registry import find_game
from tests.cli.conftest import Command

ATTACK = ("attack", "warforged", "nexus+assault_rifle", "whisper", "--more")
COMBAT = ("combat", "battlelore", "red_mounted+long_sword", "blue_foot", "--more")
ARMIES = ("edadh", "angueth_learning", "huaos_dzaa_learning")
EDADH = ("duel", *ARMIES, "--trials", "2000", "--more")
SOLVE = ("solve", "edadh", "spears", "shieldsmen", "--set", "a.mp=2", "--set", "b.mp=2", "--more")
SKIRMISH = ("ask", "battlelore", "skirmish", "blue_foot", "red_foot", "--more")


@pytest.fixture(autouse=True)
def no_habits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave ways of playing alone, to save time; they have tests of their own."""
    monkeypatch.setattr("balance.game.question.answer.compare_habits", lambda *arguments, **options: ())


def words(text: str) -> str:
    return " ".join(text.split())


def found(balance: Command, *asked: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(balance(*asked, "--json").out)
    return answer


# -- how it is played -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [ATTACK, COMBAT, EDADH, SOLVE, SKIRMISH], ids=lambda asked: f"{asked[1]} {asked[0]}")
def test_every_answer_says_how_it_is_played(asked: tuple[str, ...], balance: Command) -> None:
    kind = find_game(asked[1]).kinds[{"solve": "duel", "ask": asked[2]}.get(asked[0], asked[0])]
    out, answer = words(balance(*asked).out), found(balance, *asked)
    assert f"How it is played: {kind.played}" in out
    assert "What it cannot see: " in out
    assert (answer["played"], answer["cannot_see"]) == (kind.played, list(kind.cannot_see))


@pytest.mark.slow("test_every_answer_says_how_it_is_played")
def test_every_answer_says_which_choices_played(balance: Command) -> None:
    chosen = ("--policy-b", "low")
    out, answer = words(balance(*EDADH, *chosen).out), found(balance, *EDADH, *chosen)
    assert "policy_b=low (default cautious) by default policy_a=cautious" in out
    assert {name: told["value"] for name, told in answer["policies"].items()} == {
        "policy_a": "cautious",
        "policy_b": "low",
    }
    assert [told["is_default"] for told in answer["policies"].values()] == [True, False]
    assert "battle_back=yes" in balance(*COMBAT).out
    assert "both sides play as well as can be" in balance(*SOLVE).out


# -- codes by name ----------------------------------------------------------------------------------------------------


def test_codes_have_shares_by_name_and_no_means(balance: Command) -> None:
    out = balance(*EDADH).out
    assert re.search(r"a_lost +did not lose +\d+\.\d+% .* \d+\.\d+% to \d+\.\d+%", out)
    assert re.search(r"\n +rout +\d+\.\d+%", out)
    rows = [line.split() for line in out.splitlines() if "_lost" in line]
    assert not any(re.fullmatch(r"\d\.\d{4}", word) for row in rows for word in row)
    assert "0 it did not" not in out
    assert found(balance, *EDADH)["categories"]["b_lost"]["2"] == "rout"


def test_codes_of_an_exact_answer_have_names_too(balance: Command) -> None:
    at_random = ("--policy-a", "random", "--policy-b", "random")
    out = balance("ask", ARMIES[0], "turn", *ARMIES[1:], *at_random, "--more").out
    assert re.search(r"attacker +tie +16.67%", out)
    assert "1.2500" not in out


def test_a_code_that_never_changes_is_named(balance: Command) -> None:
    changed = ("--set", "situation.max_periods=1", "--trials", "200")
    assert "Always did not lose: a_lost, b_lost." in balance("duel", *ARMIES, *changed, "--more").out


# -- long distributions -----------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.dictionaries(st.integers(-10_000, 10_000), st.integers(1, 1000), min_size=1, max_size=60))
def test_classes_hold_every_value_once(weights: dict[int, int]) -> None:
    total = sum(weights.values())
    chances = {value: weights[value] / total for value in sorted(weights)}
    bins = bins_of(chances)
    assert all(sum(value in found for found in bins) == 1 for value in chances)
    assert len(bins) <= (len(chances) if len(chances) <= MOST_VALUES else MOST_ROWS)
    assert len({found.label for found in bins}) == len(bins)
    widths = [b.low - a.low for a, b in pairwise(bins[1:]) if a.low is not None and b.low is not None]
    assert len(chances) <= MOST_VALUES or len(set(widths)) <= 1


@pytest.mark.parametrize("trials", [(), ("--trials", "2000")])
def test_a_long_distribution_is_told_in_classes(trials: tuple[str, ...], balance: Command) -> None:
    out = balance(*ATTACK, "--set", "attacker.weapon.damage=40", "--set", "defender.armour=6", *trials).out
    table = out[out.index("  damage       0 to 9") :].partition("\n\n")[0].splitlines()
    shares = [float(re.findall(r"([\d.]+)%", row)[0]) for row in table]
    assert len(shares) == 9
    assert sum(shares) == pytest.approx(100, abs=0.05)
    assert all(len(re.findall(r"\d%", row)) == (4 if trials else 1) for row in table)


def test_a_long_simulated_distribution_is_told_in_classes(balance: Command) -> None:
    out = balance("ask", "edadh", "finish", *ARMIES[1:], "--trials", "2000", "--more").out
    assert re.search(r"a_mp +(up to −?\d+|−?\d+ to −?\d+) ", out)


LONG = ("--set", "a.health=60", "--set", "b.health=60", "--more")


def test_a_long_story_is_drawn_whole(balance: Command) -> None:
    out = balance("duel", "warforged", "trooper+sidearm", "trooper+sidearm", *LONG).out
    assert re.search(r"rounds .* \d+ [▁▂▃▄▅▆▇█]{9,16} \d+ \(\d+ a bar\)\n", out)


# -- each distribution once, and the exchange -------------------------------------------------------------------------


def test_each_distinct_distribution_is_printed_once(balance: Command) -> None:
    out = balance(*COMBAT).out
    table = out.partition("  outcome            value    exact")[2].partition("Exchange")[0]
    assert len(re.findall(r" 0 +\d", table)) == 4
    assert out.count("48.23%") == 1
    for names in ("hits, figures_lost", "flags, lore, hexes_retreated, lore_gained", "vacated, gained_ground"):
        first, *others = names.split(", ")
        assert re.search(rf"{first},.*?{'.*?'.join(others)}", table, re.S)


def test_a_combat_tells_its_exchange(balance: Command) -> None:
    out = balance(*COMBAT, "--set", "defender.supported=true").out
    assert "Exchange: the defender loses 1.33 (figures_lost), the attacker" in words(out)
    assert "figures_lost \\ attacker_figures_lost" in out
    exact = found(balance, *COMBAT, "--set", "defender.supported=true")["exact"]
    rows = exact["exchange"]["rows"]
    assert sum(row[2] for row in rows) == pytest.approx(1)
    assert sum(row[0] * row[2] for row in rows) == pytest.approx(exact["mean"]["figures_lost"])
    assert "Exchange" not in balance("attack", *COMBAT[1:]).out


def test_what_cannot_be_seen_keeps_its_names(balance: Command) -> None:
    assert "range, speed and Jump; splash;" in words(balance("duel", "warforged", "nexus+shotgun", "nexus+shotgun").out)


# -- what changed nothing ---------------------------------------------------------------------------------------------

IDLE = [
    (ATTACK, "attacker.unit.cost_points=86", "changes no outcome here"),
    (ATTACK, "situation.n_covers=3", "changes no outcome here"),
    (ATTACK, "rules.emp=cumulative", "changes no outcome here"),
    (ATTACK, "rules.faces=1-10", "is so already"),
    (("duel", "warforged", "vanguard+shotgun", "aegis+laser_carbine"), "a.speed_cells=9", "changes no outcome here"),
    (COMBAT, "rules.trample=all_adjacent", "changes no outcome here"),
    (COMBAT, "situation.other_supported=true", "changes no outcome here"),
    (("duel", "battlelore", "red_foot", "blue_foot"), "situation.a_free_hexes=5", "changes no outcome here"),
    (("ask", "edadh", "turn", *ARMIES[1:]), "rules.mp_zero_check=immediate", "changes no outcome here"),
    (EDADH, "rules.star_vs_terrain=protected", "changed no outcome in 4,096 trials with the same dice"),
]
BUSY = [
    (ATTACK, "defender.armour=3"),
    (ATTACK, "defender.health=20"),  # how many actions it takes until the target falls
    (("duel", "battlelore", "blue_foot", "red_foot", "--first", "a", "--set", "situation.turn_limit=1"), "b.dice=9"),
    (ATTACK, "rules.faces=0-9"),
    (ATTACK, "attacker.effects="),
    (("duel", "warforged", "vanguard+shotgun", "aegis+laser_carbine"), "b.health=9"),
    (COMBAT, "situation.extra_dice=1"),
    (COMBAT, "situation.free_hexes=0"),
    (("duel", "battlelore", "red_foot", "blue_foot"), "a.supported=true"),
    (("ask", "edadh", "turn", *ARMIES[1:]), "rules.tie_protect=never"),
    (EDADH, "a.mp=49"),
]


@pytest.mark.parametrize(("asked", "change", "said"), IDLE, ids=lambda part: part if isinstance(part, str) else "")
def test_a_change_that_changes_nothing_is_noted(
    asked: tuple[str, ...], change: str, said: str, balance: Command
) -> None:
    done = balance(*asked, "--set", change, "--json")
    assert done.err == f"note: {change} {said}\n"
    assert json.loads(done.out)["notes"] == [f"{change} {said}"]


@pytest.mark.parametrize(("asked", "change"), BUSY, ids=lambda part: part if isinstance(part, str) else "")
def test_a_change_that_matters_is_not_noted(asked: tuple[str, ...], change: str, balance: Command) -> None:
    done = balance(*asked, "--set", change, "--json")
    assert done.err == ""
    assert json.loads(done.out)["notes"] == []


def test_of_two_changes_that_say_the_same_only_one_is_noted(balance: Command) -> None:
    covers = ("light_cover", "a_in_light_cover", "b_in_light_cover")
    both = [word for cover in covers for word in ("--set", f"situation.{cover}=true")]
    err = balance("duel", "warforged", "vanguard+shotgun", "trooper+shotgun", *both).err
    assert err == "note: situation.light_cover=true changes no outcome here\n"


# -- what a game does not have ----------------------------------------------------------------------------------------


def test_what_a_game_does_not_have_is_told_with_what_it_has(balance: Command) -> None:
    done = balance("attack", *ARMIES)
    assert (done.status, done.err) == (2, "error: edadh has no 'attack'; it has turn, duel, finish\n")
    assert "did you mean duel?" in balance("ask", ARMIES[0], "duell", *ARMIES[1:]).err


def test_a_misspelt_policy_is_told_with_those_there_are(balance: Command) -> None:
    err = balance(*EDADH, "--policy-a", "cautios").err
    assert "'cautios' is not a choice of policy_a; allowed: cautious, random, random-noretire" in err
    assert "did you mean cautious?" in err
    assert "allowed: policy_a, policy_b; did you mean policy_b?" in balance(*EDADH, "--choose", "polcy_b=low").err
