"""A lost first action: against what it must come to, in every game whose duels have it."""

from __future__ import annotations

import pytest

from balance.errors import BalanceError
from balance.pmf import Pmf
from balance.protocol.loaded import load

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


def score(game: str, one: str, other: str, changes: tuple[str, ...], first: str | None) -> float:
    chances = load(game).ask("duel", one, other, changes, first).p_win()
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
