"""A lost first action: against what it must come to, in every game and kind of question that has it."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.chance.exact.chain import chain_distribution
from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.loaded import load
from balance.game.question.question import Question

WARFORGED = (
    "trooper+shotgun",
    "trooper+smg_pistol",
    "aegis+emp_projector",
    "bulwark+rocket_battery",
    "aegis+laser_carbine",
)
TURN_ABOUT = [
    *(("warforged", one, ()) for one in WARFORGED),
    ("warforged", "trooper+smg_pistol", ("situation.distance_cells=12",)),
    ("warforged", "whisper+smg_pistol", ("situation.round_limit=0", "a.abilities=slim", "b.abilities=slim")),
    ("battlelore", "blue_foot", ()),
    ("battlelore", "red_mounted", ()),
]


LINES = [
    ("battlelore", "lineup", "blue_foot", (), 1),
    ("battlelore", "lineup", "blue_foot,red_mounted", (), 2),
    ("battlelore", "skirmish", "red_mounted", ("situation.a_units=2", "situation.b_units=2"), 2),
    ("warforged", "lineup", "trooper+shotgun", (), 1),
    ("warforged", "lineup", "trooper+smg_pistol,aegis+emp_projector", (), 2),
    ("warforged", "lineup", "trooper+shotgun:2", ("situation.actions=per_unit",), 2),
    ("warforged", "lineup", "bulwark+rocket_battery,trooper+shotgun", ("situation.unit_limit=3",), 3),
]
"""Mirrored lines, each with how many actions a side has in its first turn."""


def score(game: str, one: str, other: str, changes: tuple[str, ...], first: str | None, kind: str = "duel") -> float:
    chances = load(game).ask(kind, one, other, changes, first).p_win()
    return chances["a"] + chances["draw"] / 2


@pytest.mark.parametrize(("game", "who", "changes"), TURN_ABOUT)
def test_who_goes_first_and_loses_that_action_goes_second(game: str, who: str, changes: tuple[str, ...]) -> None:
    """Where sides take turns of one action, the first of a has no trace but that b begins."""
    lost = score(game, who, who, (*changes, "a.lost_actions=1"), "a")
    assert lost == pytest.approx(score(game, who, who, changes, "b"), abs=1e-12)
    assert lost < score(game, who, who, changes, "a")
    both = score(game, who, who, (*changes, "a.lost_actions=2", "b.lost_actions=2"), "a")
    assert both == pytest.approx(score(game, who, who, changes, "a"), abs=1e-12)


def test_actions_are_lost_one_by_one_where_a_turn_has_several() -> None:
    """Three actions a turn, of which the first five are lost: a comes to act once before b's third turn."""
    changes = ("situation.actions=3", "situation.round_limit=1")
    untouched = load("warforged").ask("duel", WARFORGED[0], WARFORGED[0], (*changes, "a.lost_actions=3"), "a")
    assert untouched.distribution.mean("b_health") == 5
    one_left = load("warforged").ask("duel", WARFORGED[0], WARFORGED[0], (*changes, "a.lost_actions=2"), "a")
    alone = load("warforged").ask("duel", WARFORGED[0], WARFORGED[0], ("situation.round_limit=1",), "a")
    assert marginal(one_left.distribution, "b_health") == pytest.approx(marginal(alone.distribution, "b_health"))


def test_an_attack_lost_in_runewars_is_one_that_harms_nobody() -> None:
    runewars = load("runewars")
    for first in ("a", "b"):
        lost = ("a.lost_actions=1", "situation.round_limit=1")
        found = runewars.ask("duel", "spearmen+3x2", "reanimates+3x2", lost, first).distribution
        whole = runewars.ask("duel", "spearmen+3x2", "reanimates+3x2", ("situation.round_limit=1",), first).distribution
        assert marginal(found, "b_figures").keys() != marginal(whole, "b_figures").keys()
        assert len(marginal(found, "b_figures")) == 1


def test_a_hero_who_loses_his_attacks_makes_the_same_ones_later() -> None:
    """The enemy never acts: two rounds of which one is lost are as one round."""
    souls = load("immortal_souls")
    hero, enemy = souls.ids(souls.kind("duel").takes[0])[0], souls.ids(souls.kind("duel").takes[1])[0]
    still = ("b.lost_actions=9", "a.combat_activities=2")
    one = souls.ask("duel", hero, enemy, (*still, "situation.round_limit=1")).distribution
    two = souls.ask("duel", hero, enemy, (*still, "situation.round_limit=2", "a.lost_actions=2")).distribution
    assert marginal(one, "b_health") == pytest.approx(marginal(two, "b_health"))
    assert one.mean("a_health") == two.mean("a_health") == max(marginal(one, "a_health"))
    none = souls.ask("duel", hero, enemy, (*still, "situation.round_limit=1", "a.lost_actions=2")).distribution
    assert len(marginal(none, "b_health")) == 1


@pytest.mark.parametrize(
    ("game", "one", "other", "lost"),
    [
        ("warforged", "trooper+smg_pistol", "aegis+emp_projector", "b.lost_actions=1"),
        ("battlelore", "blue_foot", "red_foot", "a.lost_actions=1"),
        ("runewars", "spearmen+3x2", "reanimates+3x2", "a.lost_actions=2"),
    ],
)
@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_simulated_duels_agree_with_the_exact_ones(game: str, one: str, other: str, lost: str, lane: str) -> None:
    """Six tests at 1 in 10,000 each."""
    question = load(game).ask("duel", one, other, (lost,), "random")
    sample = question.simulate(8192, seed=7, lane=lane)  # type: ignore[arg-type]
    assert sample.agreement.p_value > 1e-4
    share = question.p_win(sample.distribution)["a"]
    assert abs(share - question.p_win()["a"]) < 4.5 * (0.25 / 8192) ** 0.5


@pytest.mark.parametrize("game", ["warforged", "battlelore", "runewars", "immortal_souls"])
def test_what_is_no_number_of_actions_is_refused(game: str) -> None:
    loaded = load(game)
    one, other = (loaded.ids(takes)[0] for takes in loaded.kind("duel").takes)
    for text in ("-1", "10", "1.5", "all"):
        with pytest.raises(BalanceError, match="lost_actions"):
            loaded.ask("duel", one, other, (f"a.lost_actions={text}",))


def marginal(found: Pmf, name: str) -> dict[int, float]:
    shown = found.marginal(name)
    return {
        int(value): float(chance)
        for value, chance in zip(shown[name].tolist(), shown.p.tolist(), strict=True)
        if chance
    }


# -- several units on each side ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "kind", "army", "changes", "actions"), LINES)
def test_a_side_that_loses_its_first_turn_goes_second(
    game: str, kind: str, army: str, changes: tuple[str, ...], actions: int
) -> None:
    """As many actions lost as a turn has, one more each time: the last is the game of the other seat."""
    found = [score(game, army, army, (*changes, f"a.lost_actions={lost}"), "a", kind) for lost in range(actions + 2)]
    assert found == sorted(found, reverse=True) and len(set(found)) == len(found)
    assert found[0] == score(game, army, army, changes, "a", kind)
    assert found[actions] == pytest.approx(score(game, army, army, changes, "b", kind), abs=1e-12)
    both = (*changes, f"a.lost_actions={2 * actions}", f"b.lost_actions={2 * actions}")
    assert score(game, army, army, both, "a", kind) == pytest.approx(found[0], abs=1e-12)


@pytest.mark.parametrize(
    ("game", "kind", "one", "other", "changes", "first"),
    [
        ("battlelore", "lineup", "blue_foot:2", "red_mounted", (), "a"),
        ("battlelore", "skirmish", "blue_foot", "red_foot", ("situation.a_units=2",), "b"),
        ("warforged", "lineup", "trooper+smg_pistol,bulwark+rocket_battery", "aegis+emp_projector", (), "b"),
        ("warforged", "lineup", "trooper+shotgun:2", "trooper+shotgun", ("situation.actions=per_unit",), "a"),
        ("runewars", "lineup", "spearmen,rune_golems", "reanimates", ("situation.round_limit=2",), "a"),
    ],
)
def test_both_lanes_of_a_line_lose_the_same_actions(
    game: str, kind: str, one: str, other: str, changes: tuple[str, ...], first: str
) -> None:
    question = load(game).ask(kind, one, other, (*changes, "a.lost_actions=1", "b.lost_actions=2"), first)
    rolled, drawn = (
        chain_distribution(*question.kind.processes(question.setup, lane)) for lane in ("literal", "compiled")
    )
    assert np.array_equal(rolled.outcomes, drawn.outcomes)
    assert np.allclose(rolled.p, drawn.p, rtol=0, atol=1e-9)
    untouched = load(game).ask(kind, one, other, changes, first)
    assert untouched.p_win() != question.p_win()


@pytest.mark.parametrize(
    ("game", "one", "other", "columns", "changes"),
    [
        ("warforged", "trooper+smg_pistol", "aegis+emp_projector", ("a_health", "b_health"), ()),
        ("warforged", "nexus+assault_rifle", "trooper+shotgun", ("a_health",), ("situation.distance_cells=1",)),
        ("runewars", "spearmen+3x2", "reanimates+3x2", ("a_figures", "b_figures"), ()),
        ("runewars", "rune_golems", "wraiths", ("a_figures",), ()),
        ("battlelore", "blue_foot", "red_mounted", (), ()),
    ],
)
@pytest.mark.parametrize("lost", [("a.lost_actions=2",), ("a.lost_actions=1", "b.lost_actions=3")])
def test_one_against_one_loses_what_a_duel_does(
    game: str, one: str, other: str, columns: tuple[str, ...], changes: tuple[str, ...], lost: tuple[str, ...]
) -> None:
    duel, line = (load(game).ask(kind, one, other, (*changes, *lost), "a") for kind in ("duel", "lineup"))
    for column in ("winner", *columns):
        if column.endswith("health") and game == "warforged":  # a duel tells of those below 0 too
            assert marginal(line.distribution, column).get(0, 0.0) == pytest.approx(
                sum(p for left, p in marginal(duel.distribution, column).items() if left <= 0), abs=1e-9
            )
            continue
        assert marginal(line.distribution, column) == pytest.approx(marginal(duel.distribution, column), abs=1e-9)


@pytest.mark.slow("test_an_attack_lost_in_runewars_is_one_that_harms_nobody")
def test_a_lost_turn_in_runewars_costs_a_turn_of_the_rounds_that_are_left() -> None:
    """Without its first turn the first side is the second one, which lacks its last turn at the round limit."""
    runewars, army = load("runewars"), "spearmen+3x2:2"
    for rounds in (3, 4):
        limits = tuple(f"situation.round_limit={n}" for n in (rounds, rounds - 1))
        lost = runewars.ask("lineup", army, army, (limits[0], "a.lost_actions=2"), "a").p_win()
        as_long, shorter = (runewars.ask("lineup", army, army, (limit,), "b").p_win() for limit in limits)
        assert lost["b"] == pytest.approx(as_long["b"], abs=1e-12)
        assert lost["a"] == pytest.approx(shorter["a"], abs=1e-12)


@pytest.mark.slow("test_actions_are_lost_one_by_one_where_a_turn_has_several")
def test_who_attacks_everybody_loses_that_with_the_attack() -> None:
    runewars = load("runewars")
    hero = next(unit for unit in runewars.ids(runewars.kind("duel").takes[0]) if attacks_all(unit))
    one_round = ("situation.round_limit=1",)
    lost = runewars.ask("lineup", hero, "spearmen:2", (*one_round, "a.lost_actions=1"), "a").distribution
    whole = runewars.ask("lineup", hero, "spearmen:2", one_round, "a").distribution
    assert len(marginal(lost, "b_figures")) == 1 < len(marginal(whole, "b_figures"))


def attacks_all(entrant: str) -> bool:
    units = load("runewars").catalogue.tables["units"]
    return bool(units[entrant.partition("+")[0]].model_dump()["attacks_all"])


KINDS = [
    ("battlelore", "lineup", "blue_foot:2", "red_foot:2"),
    ("battlelore", "skirmish", "blue_foot", "red_foot"),
    ("warforged", "lineup", "trooper+shotgun:2", "aegis+emp_projector:2"),
    ("warforged", "battle", "trooper+shotgun:2", "random:60"),
    ("runewars", "lineup", "spearmen:2", "reanimates:2"),
    ("immortal_souls", "encounter", "ecarus,thorgar", "ambush"),
]


@pytest.mark.parametrize(("game", "kind", "one", "other"), KINDS)
def test_losing_none_changes_no_trial(game: str, kind: str, one: str, other: str) -> None:
    """Of the same random numbers come the same trials, and the state has no column for it."""
    loaded = load(game)
    sides = loaded.kind(kind).sides
    plain = loaded.ask(kind, one, other)
    none = loaded.ask(kind, one, other, tuple(f"{side}.lost_actions=0" for side in sides))
    one_lost = loaded.ask(kind, one, other, (f"{sides[0]}.lost_actions=1",))
    found, same, less = (sampled(question) for question in (plain, none, one_lost))
    assert found == same != less


def sampled(question: Question) -> tuple[list[list[int]], list[int]]:
    counts = collect(question.task("compiled", key="lost actions"), FixedTrials(512), seed=5).counts
    return counts.outcomes.tolist(), counts.weights.tolist()


def test_actions_of_a_battle_are_lost_one_by_one() -> None:
    """With as many lost as two turns have nobody attacks in two rounds; with one less somebody may."""
    warforged, army = load("warforged"), "trooper+shotgun:3"
    near = ("situation.rounds=2", "situation.map=arena") if "arena" in maps() else ("situation.rounds=2",)
    for lost, attacks in ((6, False), (0, True)):
        found = warforged.ask("battle", army, army, (*near, f"a.lost_actions={lost}"), "a").simulate(512, seed=3)
        assert (found.distribution.mean("a_attacks") > 0) is attacks


def maps() -> set[str]:
    from balance.games.warforged.battle.map.maps import map_files

    return set(map_files(load("warforged").catalogue))


@pytest.mark.parametrize(("n", "whole"), [(64, False), pytest.param(1024, True, marks=pytest.mark.slow)])
def test_heroes_lose_attacks_and_an_encounter_activations(n: int, whole: bool) -> None:
    """Nobody is hurt by attacks that are not made; nine lost ones cost the heroes far more than chance can."""
    souls = load("immortal_souls")
    one_round = ("situation.round_limit=1",)

    def mean(column: str, *changes: str) -> float:
        question = souls.ask("encounter", "ecarus,thorgar", "ambush", changes)
        return question.simulate(n, seed=4).distribution.mean(column)

    assert mean("hero_attacks", *one_round) > 0
    assert mean("hero_attacks", *one_round, "heroes.lost_actions=9") == 0
    assert mean("kills", *one_round, "heroes.lost_actions=9") == 0
    assert mean("enemy_attacks", *one_round) > 0
    assert mean("enemy_attacks", *one_round, "encounter.lost_actions=9") == 0
    assert mean("wounds", *one_round, "encounter.lost_actions=9") == 0
    if whole:
        assert mean("winner", "heroes.lost_actions=9") > mean("winner") + 0.4


@pytest.mark.parametrize(("game", "kind", "one", "other"), KINDS)
def test_an_army_loses_them_as_a_whole(game: str, kind: str, one: str, other: str) -> None:
    loaded = load(game)
    side = loaded.kind(kind).sides[0]
    for text in ("-1", "10", "1.5", "all"):
        with pytest.raises(BalanceError, match="lost_actions"):
            loaded.ask(kind, one, other, (f"{side}.lost_actions={text}",))
    inputs = loaded.ask(kind, one, other, (f"{side}.lost_actions=2",)).inputs[side]
    assert inputs["lost_actions"] == 2
    assert not any("lost_actions" in member for member in inputs.get("members", ()))


def test_a_member_of_an_army_has_none_of_its_own() -> None:
    """And whatever else is wrong is told with it."""
    wrong = ("a.2.lost_actions=1", "a.lost_actions=77", "a.3.health=2", "a.1.helth=3")
    with pytest.raises(BalanceError) as caught:
        load("warforged").ask("lineup", "trooper+shotgun,trooper+smg_pistol", "trooper+shotgun", wrong)
    told = "\n".join(map(str, caught.value.faults))
    assert "say a.lost_actions=1" in told and "whole army" in told
    assert all(word in told for word in ("'77' is out of range", "no member of this army", "did you mean health?"))
